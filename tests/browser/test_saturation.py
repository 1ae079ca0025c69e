"""What a person does on the saturation page, in a real browser."""

import pytest
from playwright.sync_api import Locator, Page, expect

from core.activations import sigmoid
from core.saturation import SCALES
from core.scenario import Scenario
from tests.browser.page import drawn, followed, until, visit

LINK = "saturation?init=normal&m=8&n=8&k=8"


def scrub(page: Page) -> Locator:
    return page.get_by_role("slider", name="Scale played")


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


@pytest.mark.slow
def test_the_scale_is_dragged_with_the_mouse_by_key_by_itself_and_by_its_dial(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visit(page, f"{server}/{LINK}&j=2")
    assert sent
    until(page, lambda: assert_stands_at(page, 20))
    drag_to_both_ends(page, sent)

    note = section(page).locator(".note")
    scrub(page).press("Home")
    expect(note).to_contain_text("Unit 2:")
    for _ in range(5):
        scrub(page).press("ArrowRight")
    until(page, lambda: assert_stands_at(page, 5))
    z = drawn(page, "Scale")["z"]  # another unit can be inspected in the middle of it
    section(page).locator(".drawing").click(position={"x": z["x"] + 5, "y": z["y"] + 5.5 * z["down"]})
    expect(note).to_contain_text("Unit 6:")
    page.wait_for_url("**j=6*")
    followed(page)
    assert_stands_at(page, 5)

    play_to_the_end_and_from_the_start(page)
    scrub(page).press("Home")
    expect(page.get_by_role("spinbutton", name="Scale of the weights")).to_have_value("0.01")
    page.get_by_role("slider", name="Scale of the weights").press("ArrowRight")
    expect(title(page)).to_contain_text("Scale 0.011:")


def drag_to_both_ends(page: Page, sent: list) -> None:
    before, note = pixels(page), section(page).locator(".note").inner_text()
    box = scrub(page).bounding_box()
    y = box["height"] / 2
    scrub(page).hover(position={"x": box["width"] / 2, "y": y})  # which waits until it stands still
    page.mouse.down()
    sent.clear()
    for share, step in ((0.999, 40), (0.001, 0)):
        scrub(page).hover(position={"x": 0.75 * box["width"], "y": y})
        scrub(page).hover(position={"x": share * box["width"], "y": y})
        until(page, lambda step=step: assert_stands_at(page, step))
        assert pixels(page) != before
        assert section(page).locator(".note").inner_text() != note
    assert sent == []
    page.mouse.up()
    page.wait_for_url("**scale=0.01*")
    followed(page)


def play_to_the_end_and_from_the_start(page: Page) -> None:
    play, pause = (section(page).get_by_role("button", name=name) for name in ("Play", "Pause"))
    for key in ("End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        scrub(page).press(key)
    play.click()
    expect(title(page)).to_contain_text("Scale 100:")
    expect(play).to_be_visible()
    until(page, lambda: assert_stands_at(page, 40))
    page.wait_for_url("**scale=100*")  # what is played to, said and sent is one number
    expect(page.get_by_role("spinbutton", name="Scale of the weights")).to_have_value("100")
    play.click()
    expect(title(page)).not_to_contain_text("Scale 100:")
    pause.click()
    stopped = scrub(page).input_value()
    page.wait_for_timeout(400)  # in which it would go on
    assert scrub(page).input_value() == stopped != "40"
    scale = title(page).inner_text().removeprefix("Scale ").partition(":")[0]
    expect(page.get_by_role("spinbutton", name="Scale of the weights")).to_have_value(scale)


@pytest.mark.slow
def test_a_link_brings_the_source_and_the_typed_value(page, server):
    visit(page, f"{server}/saturation?source=typed&z=17&g=tanh")
    assert numbers(page)["z"] == [17]
    page.get_by_role("radio", name="f", exact=True).click()
    page.wait_for_url("**source=f*")
    until(page, lambda: assert_z(page, [245] * 3))


def assert_z(page: Page, z: list[float]) -> None:
    assert numbers(page)["z"] == z
