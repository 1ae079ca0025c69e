"""Every page on a phone: nothing is cut off, and nothing scrolls sideways."""

import pytest
from playwright.sync_api import Page, expect

from dashboard.text import gradients, hidden_state, lstm, model, saturation
from tests.browser.conftest import VIEWPORT
from tests.browser.page import (
    assert_nothing_is_cut_off,
    box_of,
    dials,
    drawn,
    followed,
    in_sight,
    lead,
    set_scheme,
    slider,
    turn_to,
    visit,
)

# Every page with its panels, and links with all that it has: of the lab's size and of large ones.
PANELS = {
    "": ("Concatenation", "Multiply", "Unit", "Activate"),
    "lstm": ("Three gates", "Cell and hidden state", "Unit", "Saturation", lstm.PRODUCT_TITLE),
    "gru": ("Two gates", "The candidate", "The hidden state", "Unit", "Saturation", "All weights"),
    "saturation": (saturation.AT_SCALE.partition(" {")[0], saturation.MANY_TITLE),
    "sequence": ("Input and state", "Equations of", "Other values"),
    "gradients": (gradients.MAPS_TITLE,),
}
PHONE = {"width": 400, "height": 900}
LARGE = "init=normal&m=200&n=120&k=90"
LINKS = [
    ("lstm", "example=carousel&y=true"),
    ("lstm", LARGE),
    ("gru", "example=keep-or-replace"),
    ("gru", LARGE),
    ("", "init=fill"),
    ("", LARGE),
    ("", "init=normal&m=8&n=8&k=8"),
    ("saturation", "init=normal&m=8&n=8&k=8&scale=10"),
    ("sequence", "init=normal&m=3&n=4&k=4&T=9"),
    ("sequence", "init=normal&m=40&n=90&k=90&T=512&cell=GRU"),
    ("gradients", "init=normal&m=2&n=4&k=4&T=8"),
]


def test_the_first_screen_has_the_labs_result(page, server):
    page.set_viewport_size(PHONE)
    visit(page, f"{server}/?example=lab")
    expect(lead(page)).to_contain_text("1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245")
    expect(lead(page)).to_contain_text(hidden_state.flat_units(3, 3, saturates=True))
    assert in_sight(page, page.locator(".picture .drawing").first)
    for panel in PANELS[""]:
        for symbol, block in drawn(page, panel).items():
            assert block["printed"] or symbol == "σ′(z_t)", (panel, symbol)
    assert_fits(page, "")


def test_a_field_for_a_file_is_as_low_as_its_button_and_the_buttons_of_a_diagram_stand_at_the_left(page, server):
    page.set_viewport_size(PHONE)
    visit(page, f"{server}/lstm")
    action, play = (page.locator(f"{row} button").first for row in (".actions", ".playback"))
    assert action.bounding_box()["x"] == play.bounding_box()["x"]
    visit(page, f"{server}/model")
    field = page.get_by_test_id("stFileUploaderDropzone").first
    assert field.bounding_box()["height"] < field.locator("button").bounding_box()["height"] + 16


@pytest.mark.slow
def test_on_no_page_anything_is_cut_off(page, server):
    page.set_viewport_size(PHONE)
    visit(page, f"{server}/?example=lab")
    for seed, (path, link) in enumerate(LINKS, 1):
        turn_to(page, f"{path}?{link}", seed)
        assert_fits(page, path)
        if not path:  # and on a wide screen
            page.set_viewport_size(VIEWPORT)
            assert_nothing_is_cut_off(page, PANELS[path])
            page.set_viewport_size(PHONE)
    set_scheme(page, "dark")
    assert_fits(page, path)


def assert_fits(page: Page, path: str) -> None:
    assert_nothing_is_cut_off(page, PANELS[path])
    assert page.get_by_test_id("stMain").evaluate("element => element.scrollWidth") <= 400


@pytest.mark.slow
def test_a_setting_with_a_long_label_fits(page: Page, server: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{server}/model")
    page.locator("summary", has_text=model.LIMITS).click()
    expect(page.get_by_label("Open gate: value above")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("element => element.scrollWidth") <= 400


@pytest.mark.slow
def test_the_sliders_take_one_row_that_shows_their_values_and_opens(page: Page, server: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{server}/lstm?example=lab")
    units, row = slider(page, "k: hidden units"), dials(page).locator("summary")
    expect(row).to_contain_text("k 3")
    expect(units).to_be_hidden()
    assert box_of(dials(page))["height"] < 60
    row.click()
    units.press("ArrowRight")
    page.wait_for_url("**k=4*")
    followed(page)
    expect(row).to_contain_text("k 4")
    row.click()
    expect(units).to_be_hidden()
    page.set_viewport_size(VIEWPORT)
    expect(units).to_be_visible()
    expect(row).to_be_hidden()
