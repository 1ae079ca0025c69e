"""What a person does on the saturation page, in a real browser."""

import pytest
from playwright.sync_api import Locator, Page, expect

from core.activations import sigmoid
from core.saturation import SCALES
from core.scenario import Scenario
from dashboard.state.parameters import PARAMETERS
from dashboard.text import saturation as text
from tests.browser.page import box_of, drawing, drawn, followed, number_field, on_track, panel, slider, until, visit

LINK = "saturation?init=normal&m=8&n=8&k=8"
# The panel with the values of the units.
VALUES = text.AT_SCALE.partition(" {")[0]


def dial(page: Page) -> Locator:
    return slider(page, "Weight scale")


def section(page: Page) -> Locator:
    return panel(page, VALUES)


def numbers(page: Page) -> dict[str, list[float]]:
    """The numbers of the matrices beside the curves as they are drawn now, by symbol."""
    drawn(page, VALUES)
    shown = section(page).locator(".drawing")
    return dict(shown.evaluate("drawing => drawing.blocks.map(({ symbol, numbers }) => [symbol, [...numbers]])"))


def assert_stands_at(page: Page, scale: float) -> None:
    """Words and numbers are those of the cell with the weights at this scale."""
    z = Scenario(init="normal", m=8, n=8, k=8, scale=scale).pre_activation("hidden").z(scale)[:, 0]
    flat = sigmoid.df(z) < 0.05 * 0.25
    expect(section(page).locator("h2")).to_have_text(text.AT_SCALE.format(scale=scale))
    counted = text.at_scale((flat & (z < 0)).sum(), (flat & (z > 0)).sum(), 8, saturates=True)
    expect(section(page).locator(".callout")).to_contain_text(counted)
    shown = numbers(page)
    for symbol, values in {"z": z, "σ(z)": sigmoid.f(z), "σ′(z)": sigmoid.df(z), "saturated": flat}.items():
        assert shown[symbol] == pytest.approx(values.astype(float).tolist(), rel=1e-9), symbol


def pixels(page: Page, title: str) -> str:
    return panel(page, title).locator("canvas").first.evaluate("canvas => canvas.toDataURL()")


@pytest.mark.slow
def test_the_one_slider_of_the_scale_is_dragged_and_played(page, server):
    visit(page, f"{server}/{LINK}&j=2")
    expect(page.get_by_role("slider", name="Scale")).to_have_count(1)
    until(page, lambda: assert_stands_at(page, 1))
    drag_to_the_end(page)

    note = section(page).locator(".note")
    dial(page).press("Home")
    page.wait_for_url("**scale=0.01*")
    followed(page)
    expect(note).to_contain_text("Unit 2:")
    z = drawn(page, VALUES)["z"]
    section(page).locator(".drawing").click(position={"x": z["x"] + 5, "y": z["y"] + 5.5 * z["down"]})
    expect(note).to_contain_text("Unit 6:")
    page.wait_for_url("**j=6*")
    followed(page)
    assert_stands_at(page, 0.01)
    play_to_the_end_and_from_the_start(page)


def drag_to_the_end(page: Page) -> None:
    """The units, their numbers and the many inputs follow before the release."""
    before = {title: pixels(page, title) for title in (text.CURVES_TITLE, VALUES, text.MANY_TITLE)}
    page.mouse.move(*on_track(dial(page), 0.5))
    page.mouse.down()
    page.mouse.move(*on_track(dial(page), 0.75))
    page.mouse.move(*on_track(dial(page), 1))
    until(page, lambda: assert_stands_at(page, 100))
    assert "scale" not in page.url
    assert all(pixels(page, title) != drawn for title, drawn in before.items())
    page.mouse.up()
    page.wait_for_url("**scale=100*")
    followed(page)


def play_to_the_end_and_from_the_start(page: Page) -> None:
    play, pause = (section(page).get_by_role("button", name=name, exact=True) for name in ("Play", "Pause"))
    many = pixels(page, text.MANY_TITLE)
    play.click()
    expect(pause).to_be_visible()
    until(page, lambda: assert_many_have_moved(page, many))  # the server draws what did not come with the picture
    assert "scale=0.01" in page.url
    expect(play).to_be_visible()
    page.wait_for_url("**scale=100*")  # what is played to, said and sent is one number
    until(page, lambda: assert_stands_at(page, 100))
    expect(number_field(page, "Weight scale")).to_have_value("100")
    play.click()
    expect(section(page).locator("h2")).not_to_have_text(text.AT_SCALE.format(scale=100))
    pause.click()
    scale = section(page).locator("h2").inner_text().removeprefix(text.AT_SCALE.partition("{")[0])
    expect(number_field(page, "Weight scale")).to_have_value(scale)
    page.wait_for_url(f"**scale={scale}*")
    page.wait_for_timeout(400)  # in which it would go on
    assert_stands_at(page, float(scale))
    assert float(scale) in SCALES.round(6).tolist()


def assert_many_have_moved(page: Page, before: str) -> None:
    assert pixels(page, text.MANY_TITLE) != before


@pytest.mark.slow
def test_a_slider_that_is_taken_hold_of_ends_the_play(page, server):
    visit(page, f"{server}/{LINK}&scale=0.01")
    section(page).get_by_role("button", name="Play", exact=True).click()
    expect(section(page).locator("h2")).not_to_have_text(text.AT_SCALE.format(scale=0.01))
    page.mouse.move(*on_track(dial(page), 0.9))
    page.mouse.down()
    page.mouse.move(*on_track(dial(page), 0.75))
    expect(section(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.mouse.up()
    scale = number_field(page, "Weight scale").input_value()
    page.wait_for_url(f"**scale={scale}*")
    until(page, lambda: assert_stands_at(page, float(scale)))


@pytest.mark.slow
def test_curves_values_and_many_inputs_are_in_sight_together(page, server):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/saturation")
    curves, values, many = (box_of(drawing(page, title)) for title in (text.CURVES_TITLE, VALUES, text.MANY_TITLE))
    assert curves["y"] <= 260
    assert curves["x"] + curves["width"] < values["x"] == many["x"]
    for title in (text.CURVES_TITLE, VALUES, text.MANY_TITLE):
        blocks = drawing(page, title).evaluate("drawing => drawing.blocks.map(({ y, height }) => y + height)")
        bottom = box_of(drawing(page, title))["y"] + max(blocks, default=0)
        assert bottom <= 900, title
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollHeight") <= 2600
    page.set_viewport_size({"width": 1200, "height": 900})
    until(page, lambda: assert_side_by_side(page))


def assert_side_by_side(page: Page) -> None:
    curves, values = box_of(drawing(page, text.CURVES_TITLE)), box_of(drawing(page, VALUES))
    assert curves["x"] + curves["width"] < values["x"]


@pytest.mark.slow
def test_a_link_brings_the_source_and_the_typed_value(page, server):
    visit(page, f"{server}/saturation?source=typed&z=17&g=tanh")
    assert numbers(page)["z"] == [17]
    page.get_by_role("combobox", name=PARAMETERS["source"].label).select_option("LSTM forget gate")
    page.wait_for_url("**source=f*")
    until(page, lambda: assert_z(page, [245] * 3))


def assert_z(page: Page, z: list[float]) -> None:
    assert numbers(page)["z"] == z
