"""How an entry of a product comes about, moved over the drawing while it is pointed at."""

import pytest
from playwright.sync_api import Locator, Page, expect

from core.cells import rnn
from core.concatenation import products
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from tests.browser.page import drawing, drawn, followed, point_at, slider, turn_to, until, visit

LINK = "?init=normal&m=3&n=3&k=3&scale=0.5&b_normal=true&g=tanh"
# When the last of all that moves is there, in milliseconds.
END = """motion => Math.max(0, ...motion.getAnimations({ subtree: true }).map(({ effect }) => effect.getComputedTiming().endTime))"""


def motion(page: Page) -> Locator:
    return page.locator(".picture .motion")


def point(page: Page, symbol: str, row: int) -> None:
    drawing(page, "Multiply").hover(position=point_at(page, "Multiply", symbol, row))


@pytest.mark.slow
def test_a_row_moves_over_the_stack_and_ends_at_the_number_on_the_screen(page, server):
    visit(page, f"{server}/{LINK}")
    for symbol in ("z_t", "W_h[h; x]"):
        point(page, symbol, row=1)
        assert 0 < motion(page).evaluate(END) <= 1500
        assert_adds_up(page, symbol, Scenario(m=3, n=3, k=3, init="normal", scale=0.5, b_normal=True, g="tanh"), 1)
    point(page, "b_h", row=1)
    expect(motion(page)).to_have_count(0)

    point(page, "z_t", row=1)
    expect(motion(page)).to_have_count(1)
    slider(page, "Seed").press("ArrowRight")
    page.wait_for_url("**seed=1*")
    followed(page)
    given = Scenario(m=3, n=3, k=3, init="normal", scale=0.5, b_normal=True, g="tanh", seed=1)
    until(page, lambda: assert_adds_up(page, "z_t", given, 1))
    assert motion(page).evaluate(END) == 0  # it has moved already
    page.mouse.move(0, 0)
    expect(motion(page)).to_have_count(0)

    page.emulate_media(reduced_motion="reduce")
    try:
        point(page, "z_t", row=0)
        assert motion(page).evaluate(END) == 0
        assert_adds_up(page, "z_t", given, 0)
    finally:
        page.emulate_media(reduced_motion="no-preference")


def assert_adds_up(page: Page, symbol: str, given: Scenario, row: int) -> None:
    params, state, x_t = given.step_arguments("RNN")
    terms = products(params.W_h, rnn.step(params, state, x_t).stacked)[row]
    # What rounds to zero beside larger numbers is printed as zeros.
    printed = [number(term, 2) if abs(term) > 0.005 else f"{term:z.2f}" for term in terms]
    assert motion(page).locator(".product").all_inner_texts() == printed
    assert motion(page).locator(".result").inner_text() == drawn(page, "Multiply")[symbol]["printed"][row]


@pytest.mark.slow
def test_it_is_stepped_to_with_the_keys_and_of_a_long_row_there_is_none(page, server):
    visit(page, f"{server}/{LINK}")
    drawing(page, "Multiply").focus()
    for key in ("End", *3 * ["ArrowRight"]):
        page.keyboard.press(key)
    expect(motion(page).locator(".result")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(motion(page).locator(".result")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(motion(page)).to_have_count(0)
    turn_to(page, "?init=normal&m=9&n=8&k=3", seed=1)
    point(page, "z_t", row=1)
    expect(page.locator(".picture .tip")).to_contain_text("unit 2")
    expect(motion(page)).to_have_count(0)
