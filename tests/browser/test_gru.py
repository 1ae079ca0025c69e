"""What a person does on the GRU page, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from core.examples import EXAMPLES
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from dashboard.text import gated_step
from dashboard.text import gru as text
from tests.browser.page import drawing, drawn, lead, point_at, sentence, slider, until, visit

GATES, CANDIDATE, STATE, UNIT = "Two gates", "The candidate", "The hidden state", "Unit"
LINK = "gru?init=normal&m=2&n=3&k=3&scale=0.5"


def assert_drawn(page: Page, scenario: Scenario) -> None:
    """Every number of the step is printed on the canvases."""
    params, step = scenario.step("GRU")
    gates = {name: getattr(params, name) for name in ("W_r", "b_r", "W_u", "b_u")}
    gates |= {name: getattr(step, name) for name in ("z_r", "r_t", "z_u", "u_t")}
    candidate = {"W_{hh}": params.W_hh, "W_{hx}": params.W_hx, "x_t": step.x_t, "z_h": step.z_h, "h̃_t": step.h_tilde}
    state = {"h_{t−1}": step.h_prev, "1−u_t": 1 - step.u_t, "h_t": step.h_t}
    for title, arrays in ((GATES, gates), (CANDIDATE, candidate), (STATE, state)):
        blocks = drawn(page, title)
        for symbol, array in arrays.items():
            assert blocks[symbol]["printed"] == [number(value, 2) for value in array.ravel()], symbol


def assert_rows_of(page: Page, unit: int) -> None:
    assert gated_step.ROWS.format(j=unit) in drawn(page, UNIT)


@pytest.mark.slow
def test_the_picture_follows_a_slider_a_tip_shows_the_products_and_a_click_selects_a_unit(page, server):
    visit(page, f"{server}/gru")
    assert_drawn(page, EXAMPLES["keep-or-replace"].scenario)
    drawing(page, STATE).hover(position=point_at(page, STATE, "u_t", row=1))
    expect(page.locator(".picture .tip")).to_contain_text("ut∘ht−1: 0.04·(−0.60) ≈ −0.03")
    drawing(page, CANDIDATE).hover(position=point_at(page, CANDIDATE, "z_h", row=2))
    expect(page.locator(".picture .tip")).to_contain_text("−0.22 + 0.01 ≈ −0.21")

    drawing(page, GATES).click(position=point_at(page, GATES, "W_u", row=2))
    expect(page.get_by_role("heading", name=text.BY_HAND_TITLE.format(j=3))).to_be_visible()
    expect(lead(page)).to_contain_text(sentence(text.UNIT, j=3))
    page.wait_for_url("**j=3*")
    until(page, lambda: assert_rows_of(page, unit=3))


@pytest.mark.slow
def test_a_larger_k_takes_n_along_and_says_so(page, server):
    visit(page, f"{server}/{LINK}")
    slider(page, "k: hidden units").press("ArrowRight")
    page.wait_for_url("**k=4*")
    expect(page.get_by_text(sentence(text.TAKEN, k=4, n=3)).first).to_be_visible()
    until(page, lambda: assert_drawn(page, Scenario(init="normal", m=2, n=4, k=4, scale=0.5)))
