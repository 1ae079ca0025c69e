"""What a person does on the LSTM page, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.cells import lstm
from core.examples import EXAMPLES
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from dashboard.state.parameters import PARAMETERS
from dashboard.text import gated_step, sidebar
from dashboard.text import lstm as lstm_text
from dashboard.text.examples import STORY_TITLE, example_text
from tests.browser.page import (
    drawing,
    drawn,
    followed,
    lead,
    panel,
    point_at,
    sentence,
    set_scheme,
    slider,
    unfold,
    until,
    visit,
)
from tests.browser.wires import STREAM, Wires

GATES, CELL, UNIT = "Three gates", "Cell and hidden state", "Unit"


def choose_example(page: Page, name: str) -> None:
    followed(page)
    title = example_text(name).title
    page.get_by_role("combobox", name="Worked example").select_option(name)
    expect(panel(page, re.escape(STORY_TITLE.format(title=title)))).to_be_visible()
    page.wait_for_url(f"**example={name}")
    followed(page)


def assert_drawn(page: Page, scenario: Scenario) -> None:
    """Every number of the step is printed on the canvases."""
    params, step = scenario.step("LSTM")
    stack = {"hx": "[h; x]", "xh": "[x; h]"}[scenario.order]
    expected = {stack: step.stacked, "f_t": step.f_t, "i_t": step.i_t, "c̃_t": step.c_tilde, "o_t": step.o_t}
    for gate in lstm.GATES:
        expected |= {f"{name}_{gate}": getattr(params, f"{name}_{gate}") for name in "Wb"}
        expected[f"z_{gate}"] = getattr(step, f"z_{gate}")
    cell = {"c_{t−1}": step.c_prev, "c_t": step.c_t, "tanh(c_t)": step.tanh_c_t, "h_t": step.h_t}
    for title, arrays in ((GATES, expected), (CELL, cell)):
        blocks = drawn(page, title)
        for symbol, array in arrays.items():
            assert blocks[symbol]["printed"] == [number(value, 2) for value in array.ravel()], symbol


@pytest.mark.slow
def test_an_example_chosen_in_the_sidebar_is_in_the_address_and_can_be_changed_and_started_again(page, server):
    visit(page, f"{server}/lstm?w_i=3&n=7")
    expect(panel(page, lstm_text.PRODUCT_TITLE)).to_contain_text(
        "proj_size"
    )  # a name with an underscore that is no symbol
    choose_example(page, "forget-layer")
    assert page.url == f"{server}/lstm?example=forget-layer"
    assert drawn(page, GATES)["z_f"]["printed"] == ["92", "177", "136"]
    assert_drawn(page, EXAMPLES["forget-layer"].scenario)

    slider(page, "n: entries").press("ArrowLeft")
    page.wait_for_url("**example=forget-layer&n=2")
    expect(panel(page, re.escape(STORY_TITLE.format(title=example_text("forget-layer").title)))).to_contain_text("h; x")
    page.get_by_role("button", name=sidebar.RESTART).click()
    page.wait_for_url(f"{server}/lstm?example=forget-layer")
    until(page, lambda: assert_drawn(page, EXAMPLES["forget-layer"].scenario))

    choose_example(page, "stochastic-gates")  # what it turned on can be turned off
    unfold(page, "Cell")
    page.get_by_text(PARAMETERS["stochastic"].label).click()
    page.wait_for_url("**example=stochastic-gates&stochastic=false")
    until(page, lambda: assert_printed(page, "f_t", ["0.50", "0.80", "0.90"]))


@pytest.mark.slow
def test_a_change_and_its_undoing_within_a_round_trip_leave_the_picture_of_the_url(page, server):
    stream = Wires(page, STREAM)
    visit(page, f"{server}/lstm?example=forget-layer")
    stream.held = "browser"  # the server gets both changes at once, and runs for the last one only
    slider(page, "n: entries").press("ArrowLeft")
    page.wait_for_url("**example=forget-layer&n=2")
    until(page, lambda: assert_stack(page, 5))
    page.get_by_role("button", name=sidebar.RESTART).click()
    page.wait_for_url(f"{server}/lstm?example=forget-layer")
    stream.let_go()
    until(page, lambda: assert_drawn(page, EXAMPLES["forget-layer"].scenario))
    expect(slider(page, "n: entries")).to_have_value("3")


def assert_stack(page: Page, entries: int) -> None:
    assert len(drawn(page, GATES)["[x; h]"]["printed"]) == entries


def assert_printed(page: Page, symbol: str, numbers: list[str]) -> None:
    assert drawn(page, GATES)[symbol]["printed"] == numbers


def test_pointing_at_an_entry_shows_its_product_a_click_inspects_a_unit_and_in_the_dark_0_is_dark(page, server):
    visit(page, f"{server}/lstm?example=carousel")
    assert_drawn(page, EXAMPLES["carousel"].scenario)
    for symbol, row, tip in (
        ("c_{t−1}", 0, "ct−1, unit 1: −2\nft∘ct−1: 1·(−2) = −2"),
        ("f_t", 2, "ft, unit 3: 1\nft∘ct−1: 1·3 = 3"),
        ("i_t∘c̃_t", 1, "it∘c̃t, unit 2: 0\nit∘c̃t: 0·0 = 0"),
    ):
        drawing(page, CELL).hover(position=point_at(page, CELL, symbol, row))
        expect(page.locator(".picture .tip")).to_have_text(tip)

    drawing(page, GATES).click(position=point_at(page, GATES, "W_o", row=2))
    expect(page.get_by_role("heading", name=lstm_text.BY_HAND_TITLE.format(j=3))).to_be_visible()
    expect(lead(page)).to_contain_text(sentence(lstm_text.UNIT, j=3))
    page.wait_for_url("**j=3*")
    until(page, lambda: assert_rows_of(page, unit=3))
    drawing(page, CELL).click(position=point_at(page, CELL, "h_t", row=1))
    expect(page.get_by_role("heading", name=lstm_text.BY_HAND_TITLE.format(j=2))).to_be_visible()

    set_scheme(page, "dark")
    assert drawn(page, GATES)["W_f"]["printed"] == ["0"] * 15
    until(page, lambda: assert_dark(page, "W_f"))


def assert_rows_of(page: Page, unit: int) -> None:
    assert gated_step.ROWS.format(j=unit) in drawn(page, UNIT)


def assert_dark(page: Page, symbol: str) -> None:
    """Its first entry is drawn in a dark colour."""
    block = drawn(page, GATES)[symbol]
    colour = (
        drawing(page, GATES)
        .locator("canvas")
        .first.evaluate(
            "(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]",
            [block["x"] + 3, block["y"] + 3],
        )
    )
    assert max(colour[:3]) < 64
