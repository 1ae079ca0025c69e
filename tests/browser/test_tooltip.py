"""What is shown of the place that is pointed at is of the numbers on the screen, also when they change under it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from tests.browser.page import (
    drawing,
    drawn,
    followed,
    number_field,
    point_at,
    slider,
    turn_to,
    unfold_settings,
    until,
    visit,
)


def tip(page: Page) -> Locator:
    return page.locator(".picture .tip")


def point(page: Page, title: str, symbol: str, row: int) -> None:
    drawing(page, title).hover(position=point_at(page, title, symbol, row))


def assert_tells_of(page: Page, row: int) -> None:
    """The tip's sum ends with the z that is drawn in this row."""
    z = drawn(page, "Multiply")["z_t"]["printed"][row]
    assert tip(page).inner_text().endswith(f"≈ {z}")


@pytest.mark.slow
def test_the_tip_under_the_mouse_and_of_the_keys_tells_of_the_numbers_on_the_screen(page, server):
    visit(page, f"{server}/?init=normal&decimals=2")
    point(page, "Multiply", "z_t", row=1)
    expect(tip(page)).to_contain_text("zt, unit 2:")
    for _ in range(2):
        before = tip(page).inner_text()
        slider(page, "Weight scale").press("ArrowRight")
        expect(tip(page)).not_to_have_text(before)
        until(page, lambda: assert_tells_of(page, row=1))

    point(page, "Concatenation", "x_t", row=2)
    expect(tip(page)).to_contain_text("xt, x 3:")
    slider(page, "m: entries").press("ArrowLeft")
    expect(tip(page)).to_be_hidden()  # for another cell is in its place

    page.mouse.move(0, 0)
    visit(page, f"{server}/?init=normal&decimals=2")
    unfold_settings(page)
    drawing(page, "Multiply").focus()
    for key in ("End", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(tip(page)).to_contain_text("zt, unit 2:")
    before = tip(page).inner_text()
    # As where the answer to a control comes when the keys are in a drawing already.
    page.get_by_role("switch", name="Swap h and x only in [h; x]", include_hidden=True).evaluate("box => box.click()")
    expect(tip(page)).not_to_have_text(before)
    until(page, lambda: assert_tells_of(page, row=1))
    page.keyboard.press("ArrowDown")
    expect(tip(page)).to_contain_text("zt, unit 3:")


def test_the_tip_has_the_decimals_of_the_page_and_all_digits_with_shift(page, server):
    visit(page, f"{server}/?init=normal&decimals=3")
    point(page, "Concatenation", "W_h", row=1)
    params, _, _ = Scenario(init="normal").step_arguments("RNN")
    value = params.W_h[1, 0].item()
    expect(tip(page)).to_have_text(f"Wh, unit 2, h 1: {number(value, 3)}")
    page.keyboard.down("Shift")
    expect(tip(page)).to_have_text(f"Wh, unit 2, h 1: {value!r}".replace("-", "−"))
    page.keyboard.up("Shift")
    expect(tip(page)).to_have_text(f"Wh, unit 2, h 1: {number(value, 3)}")


@pytest.mark.slow
def test_the_tip_of_a_dot_goes_with_it_and_a_click_never_follows_the_unit_that_was_there_before(page, server):
    visit(page, f"{server}/?w_hh=0&w_hx=0&b=1")
    activate = drawing(page, "Activate")
    activate.scroll_into_view_if_needed()
    activate.focus()
    page.keyboard.press("End")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(tip(page)).to_contain_text("σ(1) ≈ 0.7311")
    page.locator(".picture .cursor").scroll_into_view_if_needed()  # which waits until it stands still
    dot = page.locator(".picture .cursor").bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    expect(page.locator(".picture .cursor")).to_have_count(0)
    expect(tip(page)).to_contain_text("σ(1) ≈ 0.7311")
    bias = number_field(page, "Bias")
    bias.fill("-3")
    bias.press("Enter")
    expect(tip(page)).to_be_hidden()

    turn_to(page, "?init=normal&k=192&n=2&large=true", seed=1)
    point(page, "Concatenation", "W_h", row=40)
    expect(tip(page)).to_contain_text("unit 121 to 123")
    k = slider(page, "k: hidden units")
    k.press("ArrowRight")  # with one more unit each cell is the mean of four
    expect(k).to_have_value("193")
    expect(tip(page)).to_be_hidden()
    drawing(page, "Concatenation").dispatch_event("click")  # as a screen reader clicks: without the mouse
    page.wait_for_url("**k=193*")
    followed(page)
    point(page, "Concatenation", "W_h", row=40)
    expect(tip(page)).to_contain_text("unit 161 to 164")
    assert "j=" not in page.url
    drawing(page, "Concatenation").dispatch_event("click")
    page.wait_for_url("**j=161*")
