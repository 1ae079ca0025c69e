"""What a person does on the hidden-state page, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from core.cells import rnn
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from dashboard.state.parameters import PARAMETERS, VALUE_RULES
from dashboard.text import hidden_state, notices, sidebar
from tests.browser.page import (
    box_of,
    drawing,
    drawn,
    followed,
    in_sight,
    lead,
    point_at,
    sentence,
    slider,
    turn_to,
    unfold,
    until,
    visit,
)

PANELS = ("Concatenation", "Multiply", "Unit", "Activate")


def test_a_bad_link_says_so_and_opens_as_the_bare_page_and_the_numbers_drawn_are_those_computed(page, server):
    visit(page, f"{server}/?m=%3Cscript%3E&k=9999&g=nonsense")
    warning = page.get_by_test_id("stAlert")
    for name in ("m", "k", "g"):
        expect(warning).to_contain_text(sentence(notices.REFUSED, name=name, rule=VALUE_RULES[name]))
    expect(lead(page)).to_contain_text("= 2, and tanh(2) ≈ 0.96")
    expect(lead(page)).to_contain_text(hidden_state.flat_units(0, 3, saturates=True))
    assert in_sight(page, lead(page))

    turn_to(page, "?init=normal&m=3&n=4&k=4&g=tanh&scale=0.5&b_normal=true&decimals=6", seed=7)
    until(page, lambda: assert_drawn_as_computed(page))


def assert_drawn_as_computed(page: Page) -> None:
    """Also of many decimals none is left out."""
    params, state, x_t = Scenario(
        m=3, n=4, k=4, g="tanh", init="normal", seed=7, scale=0.5, b_normal=True
    ).step_arguments("RNN")
    step = rnn.step(params, state, x_t)
    blocks = drawn(page, "Multiply") | drawn(page, "Activate")
    for symbol, array in {
        "W_h": params.W_h,
        "[h; x]": step.stacked,
        "W_h[h; x]": step.W_h_stacked,
        "W_{hx}x": step.W_hx_x,
        "z_t": step.z_t,
        "h_t": step.h_t,
        "tanh′(z_t)": step.dg_z_t,
    }.items():
        assert blocks[symbol]["printed"] == [number(value, 6) for value in array.ravel()], symbol
    for panel in PANELS:
        assert all(block["printed"] for block in drawn(page, panel).values()), panel


def test_a_learner_points_picks_a_unit_changes_the_sizes_and_goes_from_stage_to_stage(page, server):
    visit(page, f"{server}/?example=lab")
    point_and_read(page)
    pick_a_unit(page)
    change_the_sizes(page)
    go_from_stage_to_stage(page)


def point_and_read(page: Page) -> None:
    multiply = drawing(page, "Multiply")
    multiply.hover(position=point_at(page, "Multiply", "z_t", row=1))
    expect(page.locator(".picture .tip")).to_contain_text("zt, unit 2: 245\n1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245")
    multiply.hover(position=point_at(page, "Multiply", "W_h", row=0, column=2))
    expect(page.locator(".picture .tip")).to_have_text("Wh, unit 1, x 1: 9")


def pick_a_unit(page: Page) -> None:
    drawing(page, "Concatenation").click(position=point_at(page, "Concatenation", "W_h", row=2))
    expect(page.get_by_role("heading", name=hidden_state.BY_HAND_TITLE.format(j=3))).to_be_visible()
    page.wait_for_url("**j=3*")
    followed(page)


def change_the_sizes(page: Page) -> None:
    """One click makes the cell recurrent; with fewer units than the inspected one there is no error."""
    unfold(page, "Cell")
    page.get_by_role("button", name=sidebar.MAKE_RECURRENT.format(k=3)).click()
    expect(page.get_by_text(sidebar.RECURRENT.format(k=3).partition("hₜ")[0])).to_be_visible()
    page.wait_for_url("**n=3*")
    slider(page, "k: hidden units").press("ArrowLeft")
    expect(page.get_by_role("heading", name=hidden_state.BY_HAND_TITLE.format(j=2))).to_be_visible()
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    followed(page)


def go_from_stage_to_stage(page: Page) -> None:
    titles = page.locator(".picture h2 >> visible=true")
    for stage, shown in {
        "concatenate": 1,
        "multiply": 3,
        "bias": 3,
        "activate": 5,
        hidden_state.STAGES["all"]: 5,
    }.items():
        page.get_by_role("radio", name=stage, exact=True).click()
        expect(titles).to_have_count(shown)
        followed(page)


@pytest.mark.slow
def test_the_panel_of_another_stage_comes_into_sight_and_a_reader_who_scrolls_is_left_alone(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/?example=lab")
    assert scrolled(page) == 0
    for option, title in (("multiply", "Multiply"), ("activate", "Activate"), ("concatenate", "Concatenation")):
        page.get_by_role("radio", name=option, exact=True).click()
        until(page, lambda title=title: assert_on_top(page, title))
        followed(page)
    page.get_by_test_id("stMain").evaluate("element => element.scrollTo(0, 50)")
    slider(page, "Seed").press("ArrowRight")
    page.wait_for_url("**seed=1*")
    followed(page)
    assert scrolled(page) == 50

    visit(page, f"{server}/?stage=activate")
    until(page, lambda: assert_on_top(page, "Activate"))


def scrolled(page: Page) -> float:
    return page.get_by_test_id("stMain").evaluate("element => element.scrollTop")


def assert_on_top(page: Page, title: str) -> None:
    """The panel stands right below what stays on top of the page, in which the stages are."""
    top, stages = box_of(page.locator(".st-key-top")), page.get_by_role("radio", name="concatenate", exact=True)
    heading = box_of(page.get_by_role("heading", name=title, exact=True))
    assert in_sight(page, stages)
    assert 0 <= heading["y"] - (top["y"] + top["height"]) < 60


@pytest.mark.slow
def test_while_a_value_changes_the_page_does_not_jump_and_longer_sliders_lose_no_size(page, server):
    visit(page, f"{server}/?m=20&init=normal")
    do_not_jump(page)
    unfold(page, "Cell")
    toggle = page.get_by_text(PARAMETERS["large"].label)
    toggle.click()
    page.wait_for_url("**large=true*")
    # The address changes before the sliders are longer.
    expect(slider(page, "n: entries")).to_have_attribute("max", "512")
    slider(page, "n: entries").press("End")
    page.wait_for_url("**n=512*")
    followed(page)
    slider(page, "n: entries").press("Home")
    page.wait_for_url("**n=1*")
    followed(page)
    toggle.click()
    page.wait_for_url(lambda url: "large" not in url)
    expect(slider(page, "n: entries")).to_have_attribute("max", "32")
    followed(page)
    assert "m=20" in page.url and "n=1" in page.url


def do_not_jump(page: Page) -> None:
    scroller = page.get_by_test_id("stMain")
    scroller.evaluate("element => element.scrollTo(0, 700)")
    before = scroller.evaluate("element => element.scrollTop")
    scale = slider(page, "Weight scale")
    for _ in range(2):
        text = lead(page).inner_text()
        scale.press("ArrowRight")
        expect(lead(page)).not_to_have_text(text)
        assert scroller.evaluate("element => element.scrollTop") == before
