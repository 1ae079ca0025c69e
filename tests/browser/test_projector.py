"""The projector's view in a window of 1280x720: large enough for the last row, and led with the arrow keys."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.text import hidden_state
from tests.browser.page import (
    assert_nothing_is_cut_off,
    box_of,
    drawing,
    drawn,
    followed,
    in_sight,
    number_field,
    panel,
    point_at,
    slider,
    until,
    visit,
)

LINK = "?init=normal&m=3&n=3&k=3&scale=0.5&view=projector"
SIZES = "drawing => drawing.blocks.map(({ font, shapeFont, down }) => [font, shapeFont, down])"


@pytest.mark.slow
def test_a_lecture_goes_from_stage_to_stage_with_the_arrow_keys_and_out_with_escape(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/{LINK}&stage=join")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(slider(page, "k: hidden units")).to_be_hidden()
    assert in_sight(page, page.get_by_role("button", name="Leave projector"))
    for stage, title in (
        ("concatenate", "Concatenation"),
        ("multiply", "Multiply"),
        ("bias", "Multiply"),
        ("activate", "Activate"),
    ):
        expect(page.get_by_role("radio", name=stage, exact=True)).to_be_checked()
        expect(page.locator(".picture h2 >> visible=true")).to_have_text([title])
        followed(page)
        if title == "Multiply":  # which would be too tall in that size
            assert_whole(page, title, 720)
        else:
            assert_legible(page, title)
        page.keyboard.press("ArrowRight")
    expect(page.locator(".picture h2 >> visible=true")).to_have_count(5)
    followed(page)

    page.get_by_role("radio", name="bias", exact=True).click()  # which then has the focus
    expect(page.locator(".picture h2 >> visible=true")).to_have_text(["Multiply"])
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="activate", exact=True)).to_be_checked()
    expect(page.locator(".picture h2 >> visible=true")).to_have_text(["Activate"])
    page.keyboard.press("ArrowRight")
    expect(page.locator(".picture h2 >> visible=true")).to_have_count(5)
    followed(page)

    # What is pointed at is where it is drawn, and the keys of a field are its own.
    drawing(page, "Multiply").hover(position=point_at(page, "Multiply", "z_t", row=1))
    expect(page.locator(".picture .tip")).to_contain_text("zt, unit 2:")
    page.get_by_text("Sliders: m 3, n 3, k 3").click()
    number_field(page, "k: hidden units").press("ArrowLeft")
    expect(page.get_by_role("radio", name=hidden_state.STAGES["all"], exact=True)).to_be_checked()

    page.get_by_role("heading", name="Concatenation").click()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert in_sight(page, slider(page, "k: hidden units"))
    assert not re.search("view=|stage=", page.url)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["lstm", "sequence"])
def test_the_controls_are_one_line_below_the_lead_until_they_are_opened(page, server, path):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/{path}?view=projector")
    assert in_sight(page, page.locator("h1 + p, div:has(> h1) + p"))
    closed, settings = page.get_by_text("Sliders: m"), page.get_by_text("Settings", exact=True)
    line, beside = box_of(closed), box_of(settings)
    assert line["y"] + line["height"] < 125
    assert abs(line["y"] + line["height"] / 2 - beside["y"] - beside["height"] / 2) < 3
    scale, initialization = slider(page, "Weight scale"), page.get_by_label("Initialization")
    expect(scale).to_be_hidden()
    expect(initialization).to_be_hidden()
    closed.click()
    settings.click()
    for shown in (scale, initialization, page.locator(".st-key-dials .slider").last):
        until(page, lambda shown=shown: assert_inside(page, shown))


def assert_inside(page: Page, shown: Locator) -> None:
    box = box_of(shown)
    assert in_sight(page, shown)
    assert box["x"] + box["width"] <= 1280


def assert_legible(page: Page, title: str) -> None:
    assert_nothing_is_cut_off(page, [title])
    for number, shape, cell in drawing(page, title).evaluate(SIZES):
        assert number >= 18 and shape >= 20 and cell >= 1.6 * 30
    assert all(block["printed"] for block in drawn(page, title).values())


def test_where_there_are_no_stages_the_arrow_keys_go_from_panel_to_panel(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/gradients?init=normal&n=3&k=3&view=projector")
    titles = page.locator(".picture h2 >> visible=true").all_inner_texts()
    for key, title in (("ArrowRight", titles[0]), ("ArrowRight", titles[1]), ("ArrowLeft", titles[0])):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=title)).to_be_focused()


@pytest.mark.slow
def test_a_drawing_that_would_be_too_tall_is_smaller_and_whole_below_the_sliders(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/lstm?example=keep-write-forget&view=projector")
    heading = page.get_by_role("heading", name="Cell and hidden state")
    followed(page)
    heading.evaluate("heading => heading.scrollIntoView()")
    shown = drawing(page, "Cell and hidden state")
    room = 720 - box_of(page.locator(".st-key-dials").first)["height"] - box_of(heading)["height"]
    until(page, lambda: assert_below(box_of(shown)["height"], room))
    assert_legible(page, "Cell and hidden state")


@pytest.mark.slow
@pytest.mark.parametrize("width, height", [(1280, 720), (1920, 1080)])
def test_all_gates_are_in_the_window_at_once(page, server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    visit(page, f"{server}/lstm?example=keep-write-forget&view=projector")
    followed(page)
    links, shown = page.get_by_role("navigation", name="On this page"), box_of(drawing(page, "Three gates"))
    assert box_of(links)["x"] >= shown["x"] + shown["width"], "the links to the panels cover a drawing"
    links.get_by_role("link", name="Three gates").click()
    assert_whole(page, "Three gates", height)


BOTTOM = "drawing => Math.max(...[...drawing.children].map((canvas) => canvas.getBoundingClientRect().bottom))"
# The first panels of each page.
OPENINGS = {
    "": ["Diagram"],
    "lstm": ["Diagram"],
    "gru": ["Diagram"],
    "saturation": ["Units on the curves"],
    "sequence": ["Input and state"],
    "gradients": ["Gradient at step 1"],
    "training": ["Loss", "Accuracy", "Units on the curves"],
}
# The pages whose first panels play.
PLAYED = {"lstm", "gru", "saturation", "sequence", "training"}


@pytest.mark.slow
@pytest.mark.parametrize("path", OPENINGS)
def test_what_a_page_opens_with_is_whole_on_the_first_screen(page, server, path):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/{path}?view=projector")
    followed(page)
    for title in OPENINGS[path]:
        assert 0 < drawing(page, title).evaluate(BOTTOM) <= 720
        callout = panel(page, title).locator(".callout:not(:empty)")
        assert not callout.count() or in_sight(page, callout)
    play = page.get_by_role("button", name="Play", exact=True)  # what plays moves these panels
    assert in_sight(page, play) if path in PLAYED else not play.count()


def assert_whole(page: Page, title: str, height: float) -> None:
    """A drawing that would be too tall for the window is whole in it, and at least as large as on the page."""
    until(page, lambda: assert_between(page.locator(".st-key-dials").first, drawing(page, title), height))
    assert all(shape >= 14 for _, shape, _ in drawing(page, title).evaluate(SIZES))


def assert_between(above: Locator, shown: Locator, end: float) -> None:
    top, bottom = box_of(above), box_of(shown)
    assert bottom["y"] >= top["y"] + top["height"]
    assert bottom["y"] + bottom["height"] <= end


def assert_below(height: float, room: float) -> None:
    assert height < room


@pytest.mark.slow
def test_the_charts_of_all_gates_of_a_model_share_a_line(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/model?view=projector")
    assert box_of(drawing(page, "Open and closed gates"))["height"] <= 500


@pytest.mark.slow
@pytest.mark.parametrize("network", ["LSTM", "GRU", "RNN"])
def test_the_maps_of_a_model_are_whole_with_their_words(page, server, network):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/model?view=projector&network={network}")
    maps = page.locator(".picture section").filter(has=page.get_by_role("button", name="Play"))
    until(page, lambda: assert_below(box_of(maps)["height"], 720))
    assert box_of(maps.locator(".drawing"))["height"] > 400
