"""What a person does on the saturation page, in a real browser."""

import pytest
from playwright.sync_api import Locator, Page, expect

from core.activations import sigmoid
from core.saturation import SCALES
from core.scenario import Scenario
from tests.browser.page import drawn, visit
from tests.live import at_rest

LINK = "saturation?init=normal&m=8&n=8&k=8"


def scrub(page: Page) -> Locator:
    return page.get_by_role("slider", name="Scale while you drag")


def section(page: Page) -> Locator:
    return page.locator(".picture section").filter(has=scrub(page))


def title(page: Page) -> Locator:
    return section(page).locator("h2")


def numbers(page: Page) -> dict[str, list[float]]:
    """The numbers of the matrices beside the curves as they are drawn now, by symbol."""
    drawn(page, "Scale")
    drawing = section(page).locator(".drawing")
    return dict(drawing.evaluate("drawing => drawing.blocks.map(({ symbol, numbers }) => [symbol, [...numbers]])"))


def assert_stands_at(page: Page, step: int) -> None:
    """Title and numbers are those of the cell with the weights at this step's scale."""
    scale = float(SCALES[step])
    z = Scenario(init="normal", m=8, n=8, k=8, scale=scale).pre_activation("hidden").z(scale)[:, 0]
    flat = sigmoid.df(z) < 0.05 * 0.25
    expect(title(page)).to_contain_text(f"Scale {scale:g}: {flat.sum()} of 8 units saturated")
    shown = numbers(page)
    for symbol, values in {"z": z, "σ(z)": sigmoid.f(z), "σ′(z)": sigmoid.df(z), "saturated": flat}.items():
        assert shown[symbol] == pytest.approx(values.astype(float).tolist(), rel=1e-9), symbol


def pixels(page: Page) -> str:
    return section(page).locator("canvas").first.evaluate("canvas => canvas.toDataURL()")


def test_dragging_moves_the_dots_and_the_numbers_and_asks_the_server_nothing(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visit(page, f"{server}/{LINK}")
    assert sent
    assert_stands_at(page, 20)
    before, note = pixels(page), section(page).locator(".note").inner_text()
    scrub(page).scroll_into_view_if_needed()
    box = scrub(page).bounding_box()
    y = box["y"] + box["height"] / 2
    sent.clear()
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    for share, step in ((0.75, None), (0.999, 40), (0.001, 0)):
        page.mouse.move(box["x"] + share * box["width"], y, steps=8)
        if step is not None:
            assert_stands_at(page, step)
            assert pixels(page) != before
            assert section(page).locator(".note").inner_text() != note
    page.mouse.up()
    page.wait_for_timeout(300)
    assert sent == []


def test_the_play_button_plays_to_the_end_and_stops(page, server):
    visit(page, f"{server}/{LINK}&scale=10")
    section(page).get_by_role("button", name="Play").click()
    expect(section(page).get_by_role("button", name="Pause")).to_be_visible()
    expect(title(page)).to_contain_text("Scale 100:", timeout=5000)
    expect(section(page).get_by_role("button", name="Play")).to_be_visible()
    assert_stands_at(page, 40)
    section(page).get_by_role("button", name="Play").click()
    expect(title(page)).to_contain_text("Scale 0.01")
    section(page).get_by_role("button", name="Pause").click()
    stopped = scrub(page).input_value()
    page.wait_for_timeout(400)
    assert scrub(page).input_value() == stopped != "40"


def test_another_unit_can_be_inspected_in_the_middle_of_a_scrub(page, server):
    visit(page, f"{server}/{LINK}&j=2")
    note = section(page).locator(".note")
    scrub(page).press("Home")
    expect(note).to_contain_text("Unit 2:")
    for _ in range(5):
        scrub(page).press("ArrowRight")
    assert_stands_at(page, 5)
    z = drawn(page, "Scale")["z"]
    section(page).locator(".drawing").click(position={"x": z["x"] + 5, "y": z["y"] + 5.5 * z["down"]})
    expect(note).to_contain_text("Unit 6:")
    page.wait_for_url("**j=6*")
    at_rest(page)
    assert_stands_at(page, 5)
    scrub(page).press("End")
    expect(note).to_contain_text("Unit 6:")
    assert_stands_at(page, 40)


def test_the_sidebars_scale_takes_the_scrub_along(page, server):
    visit(page, f"{server}/{LINK}")
    scrub(page).press("End")
    page.get_by_role("slider", name="Scale of the weights").press("ArrowRight")
    expect(title(page)).to_contain_text("Scale 1.1:")


def test_a_link_brings_the_source_and_the_typed_value(page, server):
    visit(page, f"{server}/saturation?source=typed&z=17&g=tanh")
    assert numbers(page)["z"] == [17]
    page.get_by_role("radio", name="f", exact=True).click()
    page.wait_for_url("**source=f*")
    at_rest(page)
    assert numbers(page)["z"] == [245] * 3


def test_on_a_phone_nothing_scrolls_sideways(page, server):
    page.set_viewport_size({"width": 400, "height": 900})
    visit(page, f"{server}/{LINK}")
    scrub(page).press("End")
    assert_stands_at(page, 40)
    page.locator(".js-plotly-plot").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    room = page.locator(".picture").evaluate("element => element.clientWidth")
    for name in ("Scale", "Many inputs"):
        assert max(block["x"] + block["width"] for block in drawn(page, name).values()) <= room
