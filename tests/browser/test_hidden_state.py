"""What a person does on the hidden-state page, in a real browser."""

import pytest
from playwright.sync_api import expect

from core.cells import rnn
from core.scenario import Scenario
from dashboard.numerals import number
from tests.browser.page import (
    assert_nothing_is_cut_off,
    drawing,
    drawn,
    in_sight,
    lead,
    point_at,
    set_scheme,
    slider,
    visit,
)
from tests.live import at_rest, await_picture

PANELS = ("Join", "Multiply", "Unit", "Activate")


@pytest.mark.parametrize("width", [1280, 400])
def test_the_first_screen_has_the_labs_result(page, server, width):
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, server)
    expect(lead(page)).to_contain_text("1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245")
    expect(lead(page)).to_contain_text("Saturated units: 3 of 3.")
    assert in_sight(page, lead(page))


def test_the_numbers_drawn_are_the_numbers_computed(page, server):
    visit(page, f"{server}/?init=normal&m=3&n=4&k=4&g=tanh&seed=7&scale=0.5")
    params, state, x_t = Scenario(m=3, n=4, k=4, g="tanh", init="normal", seed=7, scale=0.5).setup("RNN")
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
        assert blocks[symbol]["printed"] == [number(value, 2) for value in array.ravel()], symbol


def test_dragging_a_slider_moves_the_picture_and_the_address(page, server):
    visit(page, server)
    thumb = page.get_by_test_id("stSlider").filter(has_text="k: units").get_by_test_id("stSliderThumbValue")
    box = thumb.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] + 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=5)
    page.mouse.up()
    expect(lead(page)).not_to_contain_text("3 of 3")
    at_rest(page)
    k = int(page.url.split("k=")[1])
    assert k > 3
    assert len(drawn(page, "Activate")["h_t"]["printed"]) == k


def test_a_reload_and_another_browser_show_the_same(browser, page, server):
    visit(page, f"{server}/?init=normal&seed=3")
    before = lead(page).inner_text()
    slider(page, "Scale of the weights").press("ArrowRight")
    expect(lead(page)).not_to_have_text(before)
    at_rest(page)
    page.wait_for_url("**scale=1.1*")
    after, numbers = lead(page).inner_text(), drawn(page, "Multiply")

    page.reload()
    await_picture(page)
    expect(lead(page)).to_have_text(after)

    other = browser.new_page(viewport={"width": 1280, "height": 900})
    visit(other, page.url)
    assert drawn(other, "Multiply") == numbers
    other.close()


def test_back_and_forward_bring_each_address_back(page, server):
    visit(page, server)
    page.goto(f"{server}/?x=2")
    await_picture(page)
    expect(lead(page)).to_contain_text("9·2")
    page.go_back()
    await_picture(page)
    expect(lead(page)).to_contain_text("= 245")
    page.go_forward()
    await_picture(page)
    expect(lead(page)).to_contain_text("9·2")


def test_pointing_at_a_cell_shows_its_arithmetic(page, server):
    visit(page, server)
    multiply = drawing(page, "Multiply")
    multiply.hover(position=point_at(page, "Multiply", "z_t", row=1))
    expect(page.locator(".picture .tip")).to_contain_text("zt, unit 2: 245\n1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245")
    multiply.hover(position=point_at(page, "Multiply", "W_h", row=0, column=2))
    expect(page.locator(".picture .tip")).to_have_text("Wh, unit 1, x 1: 9")


def test_clicking_a_row_inspects_its_unit(page, server):
    visit(page, f"{server}/?init=ramp")
    drawing(page, "Join").click(position=point_at(page, "Join", "W_h", row=2))
    expect(page.get_by_role("heading", name="Unit 3 by hand")).to_be_visible()
    page.wait_for_url("**j=3*")


def test_fewer_units_than_the_inspected_one_is_no_error(page, server):
    visit(page, server)
    drawing(page, "Join").click(position=point_at(page, "Join", "W_h", row=2))
    page.wait_for_url("**j=3*")
    slider(page, "k: units").press("ArrowLeft")
    expect(page.get_by_role("heading", name="Unit 2 by hand")).to_be_visible()
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_a_finger_picks_a_unit_and_keeps_its_tip(browser, server):
    context = browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True)
    page = context.new_page()
    visit(page, server)
    drawing(page, "Join").tap(position=point_at(page, "Join", "W_h", row=2))
    expect(page.locator(".picture .tip")).to_be_visible()
    expect(page.get_by_role("heading", name="Unit 3 by hand")).to_be_visible()
    context.close()


def test_on_a_phone_the_labs_numbers_are_printed(page, server):
    page.set_viewport_size({"width": 400, "height": 800})
    visit(page, server)
    for panel in PANELS:
        for symbol, block in drawn(page, panel).items():
            assert block["printed"] or symbol == "σ′(z_t)", (panel, symbol)


def test_sizes_stay_in_the_address_when_the_sliders_get_longer_and_shorter(page, server):
    visit(page, f"{server}/?m=20&init=normal")
    toggle = page.get_by_text("Sizes up to 512")
    toggle.click()
    page.wait_for_url("**large=true*")
    # The address changes before the sliders are longer.
    expect(slider(page, "n: entries")).to_have_attribute("max", "512")
    slider(page, "n: entries").press("End")
    page.wait_for_url("**n=512*")
    at_rest(page)
    slider(page, "n: entries").press("Home")
    page.wait_for_url("**n=1*")
    at_rest(page)
    toggle.click()
    page.wait_for_url(lambda url: "large" not in url)
    at_rest(page)
    text = lead(page).inner_text()
    assert "m=20" in page.url and "n=1" in page.url
    page.reload()
    await_picture(page)
    expect(lead(page)).to_have_text(text)


def test_more_decimals_never_blank_a_small_matrix(page, server):
    visit(page, f"{server}/?init=normal&b_normal=true&decimals=6")
    for panel in PANELS:
        assert all(block["printed"] for block in drawn(page, panel).values()), panel


def test_one_click_makes_the_cell_recur(page, server):
    visit(page, server)
    page.get_by_role("button", name="Make it recurrent").click()
    expect(page.get_by_text("this cell can be unrolled")).to_be_visible()
    page.wait_for_url("**n=3*")


def test_the_stepper_reveals_stage_by_stage(page, server):
    visit(page, server)
    titles = page.locator(".picture h2 >> visible=true")
    for stage, shown in {"join": 1, "multiply": 3, "bias": 3, "activate": 4, "all": 4}.items():
        page.get_by_role("radio", name=stage, exact=True).click()
        expect(titles).to_have_count(shown)
        at_rest(page)


def test_a_bad_link_says_so_and_still_opens(page, server):
    visit(page, f"{server}/?m=%3Cscript%3E&k=9999&g=nonsense")
    warning = page.get_by_test_id("stAlert")
    for name in ("m", "k", "g"):
        expect(warning).to_contain_text(f"The link's {name} must be")
    expect(lead(page)).to_contain_text("= 245")


def test_the_page_does_not_jump_while_a_value_changes(page, server):
    visit(page, f"{server}/?init=normal")
    scroller = page.get_by_test_id("stMain")
    scroller.evaluate("element => element.scrollTo(0, 700)")
    before = scroller.evaluate("element => element.scrollTop")
    scale = slider(page, "Scale of the weights")
    for _ in range(5):
        text = lead(page).inner_text()
        scale.press("ArrowRight")
        expect(lead(page)).not_to_have_text(text)
        assert scroller.evaluate("element => element.scrollTop") == before


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("sizes", ["", "init=normal&m=8&n=8&k=8", "init=normal&m=200&n=120&k=90"])
def test_nothing_is_cut_off(page, server, sizes, width):
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, f"{server}/?{sizes}")
    for scheme in ("light", "dark"):
        set_scheme(page, scheme)
        assert_nothing_is_cut_off(page, PANELS)
