"""Freeze what is shown, move a dial, see what differs marked, and stop."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.cells import rnn
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from dashboard.text.compare import DIFFERENT
from tests.browser.page import box_of, followed, lead, slider, until, visit

CELL = {"init": "normal", "n": 4, "k": 4, "g": "tanh", "scale": 0.5}
LINK = "&".join(f"{name}={value}" for name, value in CELL.items())
DIFFER = "drawing => Object.fromEntries(drawing.blocks.map(({ symbol, differ }) => [symbol, differ]))"


def symbols(scenario: Scenario) -> dict[str, np.ndarray]:
    """What the panel Multiply draws."""
    params, state, x_t = scenario.step_arguments("RNN")
    step = rnn.step(params, state, x_t)
    names = {"W_{hh}": params.W_hh, "W_{hx}": params.W_hx, "W_h": params.W_h, "b_h": params.b_h, "z_t": step.z_t}
    names |= {"h_{t−1}": step.h_prev, "x_t": x_t, "[h; x]": step.stacked, "h_t": step.h_t, "their sum": step.z_t}
    return names | {"W_h[h; x]": step.z_t, "W_{hh}h": step.W_hh_h, "W_{hx}x": step.W_hx_x}


def other_entries(a: Scenario, b: Scenario) -> dict[str, list[int]]:
    """The entries of which two decimals differ."""
    pairs = zip(symbols(a).items(), symbols(b).values())
    return {
        symbol: [at for at, (x, y) in enumerate(zip(before.flat, now.flat)) if number(x, 2) != number(y, 2)]
        for (symbol, before), now in pairs
    }


def of_side(page: Page, side: str, title: str):
    return page.locator(f'.picture section[data-side="{side}"]').filter(has=page.locator("h2", has_text=title))


@pytest.mark.slow
def test_what_differs_from_what_was_frozen_is_marked_and_counted_until_one_stops(page: Page, server: str):
    visit(page, f"{server}/?{LINK}")
    page.get_by_role("button", name="Compare").click()
    a, b = (of_side(page, side, "Multiply") for side in "AB")
    expect(b.locator(".differences")).to_have_text(re.compile(r"^0\D+\d+\D+$"))
    slider(page, "Weight scale").press("ArrowRight")
    page.wait_for_url("**scale=0.51&**")
    followed(page)

    expected = other_entries(Scenario(**CELL), Scenario(**CELL | {"scale": 0.51}))
    b.scroll_into_view_if_needed()

    def assert_marked() -> None:
        assert b.locator(".drawing").evaluate(DIFFER) == expected

    until(page, assert_marked)
    count, total = sum(map(len, expected.values())), sum(array.size for array in symbols(Scenario(**CELL)).values())
    assert 0 < count < total
    expect(b.locator(".differences")).to_have_text(re.compile(rf"^{count}\D+{total}\D"))
    expect(lead(page)).to_contain_text(DIFFERENT)
    # A is on the left of B, and on a phone above it.
    left, right = box_of(a), box_of(b)
    assert left["x"] + left["width"] <= right["x"]
    page.set_viewport_size({"width": 390, "height": 844})

    def assert_below() -> None:
        above, below = box_of(a), box_of(b)
        assert above["x"] == below["x"] and above["y"] + above["height"] <= below["y"]

    until(page, assert_below)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.get_by_role("button", name="Stop comparing").click()
    expect(page.locator('.picture section[data-side="A"]')).to_have_count(0)
    page.go_back()
    expect(of_side(page, "A", "Multiply")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["saturation", "sequence"])
def test_the_dials_stay_in_sight_beside_a_and_b(page: Page, server: str, path: str):
    visit(page, f"{server}/{path}?{LINK}&compare=example%3Dlab")
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 900)")

    def assert_on_top() -> None:
        assert box_of(page.locator(".st-key-dials"))["y"] == 0

    until(page, assert_on_top)
