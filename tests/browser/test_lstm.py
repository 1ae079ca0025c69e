"""What a person does on the LSTM page, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from core.cells import lstm
from core.examples import EXAMPLES
from core.scenario import Scenario
from dashboard.numerals import number
from tests.browser.page import assert_nothing_is_cut_off, drawing, drawn, lead, panel, point_at, slider, visit
from tests.live import at_rest, await_picture

GATES, CELL, UNIT = "Three gates", "The cell", "Unit"
PANELS = (GATES, CELL, UNIT, "Saturation", "One product")


def choose_example(page: Page, name: str) -> None:
    page.get_by_role("combobox", name="Worked example").click()
    page.get_by_role("option", name=name, exact=True).click()
    expect(panel(page, "Worked example")).to_be_visible()
    page.wait_for_url(f"**example={name}")
    at_rest(page)


def assert_drawn(page: Page, scenario: Scenario) -> None:
    """Every number of the step is printed on the canvases."""
    params, state, x_t = scenario.setup("LSTM")
    step = lstm.step(params, state, x_t, scenario.draw())
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


def test_a_link_to_an_example_draws_all_gates_and_a_reload_keeps_them(page, server):
    visit(page, f"{server}/lstm?example=input-gate")
    assert drawn(page, GATES)["z_i"]["printed"] == ["22", "43", "64"]
    assert_drawn(page, EXAMPLES["input-gate"].scenario)
    page.reload()
    await_picture(page)
    assert page.url == f"{server}/lstm?example=input-gate"
    assert_drawn(page, EXAMPLES["input-gate"].scenario)


def test_an_example_chosen_in_the_sidebar_is_in_the_address_and_can_be_started_again(browser, page, server):
    visit(page, f"{server}/lstm?w_i=3&n=7")
    choose_example(page, "forget-layer")
    assert page.url == f"{server}/lstm?example=forget-layer"
    assert drawn(page, GATES)["z_f"]["printed"] == ["92", "177", "136"]
    assert_drawn(page, EXAMPLES["forget-layer"].scenario)

    slider(page, "n: entries").press("ArrowLeft")
    page.wait_for_url("**example=forget-layer&n=2")
    at_rest(page)
    expect(panel(page, "Worked example: forget-layer, as it starts")).to_contain_text("h; x")
    other = browser.new_page(viewport={"width": 1280, "height": 900})
    visit(other, page.url)
    assert drawn(other, GATES) == drawn(page, GATES)
    other.close()

    page.get_by_role("button", name="Restart").click()
    page.wait_for_url(f"{server}/lstm?example=forget-layer")
    at_rest(page)
    assert_drawn(page, EXAMPLES["forget-layer"].scenario)


def test_what_an_example_turned_on_can_be_turned_off(page, server):
    visit(page, server + "/lstm?example=stochastic-gates")
    page.get_by_text("Sample the LSTM's gates: 0 or 1").click()
    page.wait_for_url("**example=stochastic-gates&stochastic=false")
    at_rest(page)
    assert drawn(page, GATES)["f_t"]["printed"] == ["0.50", "0.80", "0.90"]


def test_back_and_forward_bring_each_example_back(page, server):
    visit(page, f"{server}/lstm?example=carousel")
    visit(page, f"{server}/lstm?example=saturated-cell")
    for move, name, words in (
        (page.go_back, "carousel", "for as many steps as you like"),
        (page.go_forward, "saturated-cell", "grows without bound"),
    ):
        move()
        await_picture(page)
        expect(panel(page, "Worked example")).to_contain_text(words)
        assert_drawn(page, EXAMPLES[name].scenario)


def test_pointing_at_an_entry_of_the_cell_shows_both_factors_and_the_product(page, server):
    visit(page, f"{server}/lstm?example=carousel")
    for symbol, row, tip in (
        ("c_{t−1}", 0, "ct−1, unit 1: −2\nft∘ct−1: 1·(−2) = −2"),
        ("f_t", 2, "ft, unit 3: 1\nft∘ct−1: 1·3 = 3"),
        ("i_t∘c̃_t", 1, "it∘c̃t, unit 2: 0\nit∘c̃t: 0·0 = 0"),
    ):
        drawing(page, CELL).hover(position=point_at(page, CELL, symbol, row))
        expect(page.locator(".picture .tip")).to_have_text(tip)


def test_clicking_a_row_inspects_its_unit_everywhere(page, server):
    visit(page, f"{server}/lstm?example=forget-bias-0")
    drawing(page, GATES).click(position=point_at(page, GATES, "W_o", row=2))
    expect(page.get_by_role("heading", name="Unit 3 by hand")).to_be_visible()
    expect(lead(page)).to_contain_text("Unit 3 now:")
    page.wait_for_url("**j=3*")
    assert "row 3 of each W" in drawn(page, UNIT)
    drawing(page, CELL).click(position=point_at(page, CELL, "h_t", row=1))
    expect(page.get_by_role("heading", name="Unit 2 by hand")).to_be_visible()


def test_both_pages_keep_the_choices_that_they_share(page, server):
    visit(page, f"{server}/?init=ramp&k=2&seed=5")
    slider(page, "m: entries").press("ArrowLeft")
    page.wait_for_url("**m=2*")
    page.get_by_role("link", name="LSTM step").click()
    expect(panel(page, GATES)).to_be_visible()
    at_rest(page)
    assert_drawn(page, Scenario(m=2, k=2, init="ramp"))
    page.get_by_role("link", name="Hidden state").click()
    expect(panel(page, "Join")).to_be_visible()
    at_rest(page)
    assert drawn(page, "Join")["W_{hh}"]["printed"] == ["1", "2", "3", "4"]
    for choice in ("init=ramp", "k=2", "m=2", "seed=5"):
        assert choice in page.url


def test_a_name_with_an_underscore_that_is_no_symbol_stays_whole(page, server):
    visit(page, f"{server}/lstm?k=4")
    expect(panel(page, "One product")).to_contain_text("proj_size")


@pytest.mark.parametrize(
    ("scheme", "link"), [("dark", "example=carousel&y=true"), ("light", "init=normal&m=200&n=120&k=90")]
)
def test_nothing_is_cut_off_on_a_phone(page, server, scheme, link):
    page.set_viewport_size({"width": 400, "height": 900})
    page.emulate_media(color_scheme=scheme)
    visit(page, f"{server}/lstm?{link}")
    assert_nothing_is_cut_off(page, PANELS)


def test_in_the_dark_an_entry_of_0_is_dark(page, server):
    page.emulate_media(color_scheme="dark")
    visit(page, f"{server}/lstm?example=carousel")
    block = drawn(page, GATES)["W_f"]
    assert block["printed"] == ["0"] * 15
    corner = [block["x"] + 3, block["y"] + 3]
    colour = (
        drawing(page, GATES)
        .locator("canvas")
        .first.evaluate("(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]", corner)
    )
    assert max(colour[:3]) < 64
