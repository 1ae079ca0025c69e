"""Where the words, the drawings and the links to the panels stand."""

import pytest
from playwright.sync_api import Page, expect

from dashboard.text import hidden_state, sequence
from tests.browser.page import box_of, drawing, drawn, in_sight, panel, tools, until, visit

LONGEST = 75 * 8  # pixels of a line of at most 75 characters


@pytest.mark.slow
def test_words_stand_beside_a_drawing_that_leaves_room(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/lstm")
    cell = panel(page, "Cell and hidden state")
    expect(cell).to_have_class("columns")
    drawn, words = box_of(drawing(page, "Cell and hidden state")), box_of(cell.locator(".words"))
    assert words["x"] >= drawn["x"] + drawn["width"]
    assert abs(words["y"] - drawn["y"]) < 16


@pytest.mark.slow
def test_in_a_narrow_window_words_stand_below(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1000, "height": 900})
    visit(page, f"{server}/lstm")
    gates = panel(page, "Three gates")
    expect(gates).not_to_have_class("columns")
    text, drawn = box_of(gates.locator(".words > p").first), box_of(drawing(page, "Three gates"))
    assert text["y"] >= drawn["y"] + drawn["height"]
    assert text["width"] <= LONGEST


@pytest.mark.slow
@pytest.mark.parametrize("path", ["saturation", "gradients", "training", "model"])
def test_a_line_below_the_drawings_has_at_most_75_characters(page: Page, server: str, path: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/{path}")
    lines = page.evaluate(
        """() => [...document.querySelectorAll("[data-testid=stMain] p")].filter((p) => !p.closest("a, button, summary, [data-testid=stMarkdownContainer]:has(h1)"))
          .flatMap((p) => { const range = new Range(); range.selectNodeContents(p); return [...range.getClientRects()] })
          .map(({ width }) => Math.round(width))"""
    )
    assert lines and max(lines) <= LONGEST


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_the_buttons_on_a_card_stand_beside_its_title(page: Page, server: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, f"{server}/examples")
    for name in ("first-step", "forget-layer"):  # the title of the second takes two lines on a phone
        title, save = (box_of(page.locator(f".st-key-card_{name}").locator(part).first) for part in ("strong", ".save"))
        assert title["x"] + title["width"] < save["x"]
        last_line = title["y"] + title["height"] - 12
        assert abs(last_line - save["y"] - save["height"] / 2) < 4


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_the_tools_cover_no_notice_and_an_open_one_moves_the_title_nowhere(page: Page, server: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, f"{server}/?k=9999")
    bar, notice = box_of(tools(page)), box_of(page.get_by_test_id("stAlert"))
    assert bar["y"] + bar["height"] <= notice["y"]
    title = page.get_by_role("heading", level=1)
    left = box_of(title)["x"]
    tools(page).get_by_role("button", name="Edit values").click()
    page.locator(".st-key-open_tool *").first.wait_for()
    assert box_of(title)["x"] == left


@pytest.mark.slow
def test_titles_stand_at_the_same_height(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    tops = set()
    for path in ("", "lstm", "training"):
        visit(page, f"{server}/{path}")
        tops.add(round(box_of(page.locator("h1"))["y"]))
    assert len(tops) == 1, tops


@pytest.mark.slow
def test_the_link_to_the_current_panel_is_marked(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm")
    current = page.get_by_role("navigation", name="On this page").locator("[aria-current]")
    expect(current).to_have_count(1)
    panel(page, "Cell and hidden state").evaluate("element => element.scrollIntoView()")
    until(page, lambda: expect(current).to_have_text("Cell and hidden state", timeout=500))
    visit(page, f"{server}/sequence")
    expect(current).to_have_text(sequence.TIME_TITLE)


def test_a_folded_panel_opens_on_a_click_with_the_keys_and_by_its_link(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm")
    title = panel(page, "Saturation").get_by_role("button", name="Saturation")
    canvas = panel(page, "Saturation").locator("canvas").first
    expect(title).to_have_attribute("aria-expanded", "false")
    expect(canvas).not_to_be_visible()
    title.click()
    expect(title).to_have_attribute("aria-expanded", "true")
    expect(canvas).to_be_visible()
    assert drawn(page, "Saturation")
    title.press("Enter")
    expect(canvas).not_to_be_visible()
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Saturation").click()
    expect(canvas).to_be_visible()


@pytest.mark.slow
def test_a_link_to_a_folded_panel_opens_it(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm#saturation")
    expect(panel(page, "Saturation").locator("canvas").first).to_be_visible()


@pytest.mark.slow
def test_on_paper_folded_panels_are_open(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(panel(page, "Saturation").locator("canvas").first).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(panel(page, "Saturation").locator("canvas").first).not_to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("path", "tallest"), [("", 1900), ("lstm", 2600), ("gru", 2600)])
def test_a_page_of_one_step_has_its_drawing_on_the_first_screen_and_is_not_long(page, server, path, tallest):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/{path}")
    diagram = box_of(drawing(page, "Diagram"))
    assert diagram["y"] <= 260 and diagram["y"] + diagram["height"] <= 900
    callout = panel(page, "Diagram").locator(".callout")
    expect(callout).to_contain_text("aturated")
    assert in_sight(page, callout)
    assert page.get_by_test_id("stMainBlockContainer").evaluate("element => element.scrollHeight") <= tallest


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1440, 900), (1920, 1080)])
def test_the_page_of_a_model_has_three_maps_on_the_first_screen(page: Page, server: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/model")
    maps = list(drawn(page, "Gates and state").values())
    assert len({one["y"] for one in maps[:3]}) == 1 < len({one["y"] for one in maps})
    assert box_of(drawing(page, "Gates and state").locator("canvas").first)["y"] <= 520


@pytest.mark.slow
@pytest.mark.parametrize(("path", "tallest"), [("sequence", 2200), ("gradients", 2000)])
def test_a_page_over_time_begins_with_its_drawing_and_is_not_long(page, server, path, tallest):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/{path}")
    first = page.locator(".picture canvas >> visible=true").first
    assert box_of(first)["y"] <= 260
    assert page.get_by_test_id("stMainBlockContainer").evaluate("element => element.scrollHeight") <= tallest


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "lstm", "gru"])
def test_a_diagram_of_six_units_has_all_numbers_of_its_vectors(page: Page, server: str, path: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/{path}?init=normal&k=6&n=6&m=6")
    short = [box["printed"] for symbol, box in drawn(page, "Diagram").items() if symbol != "[h; x]"]
    assert len(short) >= 4 and all(short)


@pytest.mark.slow
def test_the_four_gates_are_in_sight_together(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/lstm")
    gates = drawn(page, "Three gates")
    assert gates["W_f"]["y"] == gates["W_i"]["y"] < gates["W_c"]["y"] == gates["W_o"]["y"]
    assert box_of(panel(page, "Three gates"))["height"] <= 700
    page.set_viewport_size({"width": 1000, "height": 900})
    until(page, lambda: _assert_below_each_other(page))


def _assert_below_each_other(page: Page) -> None:
    gates = drawn(page, "Three gates")
    assert gates["W_f"]["y"] < gates["W_i"]["y"] < gates["W_c"]["y"] < gates["W_o"]["y"]


@pytest.mark.slow
def test_the_links_to_the_panels_show_their_titles_where_one_points(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/lstm")
    links = page.get_by_role("navigation", name="On this page")
    assert box_of(links)["width"] < 40
    links.hover()
    until(
        page,
        lambda: expect(links.get_by_role("link", name="Cell and hidden state")).to_be_in_viewport(ratio=1, timeout=500),
    )
    assert box_of(links)["width"] > 100
    links.get_by_role("link", name="Cell and hidden state").click()
    expect(panel(page, "Cell and hidden state").locator("h2")).to_be_focused()


@pytest.mark.slow
def test_a_door_of_the_first_page_leads_to_its_page(page: Page, server: str) -> None:
    visit(page, server)
    page.get_by_role("link", name=hidden_state.DOORS["lstm"][0]).click()
    page.wait_for_url("**/lstm?stage=concatenate")
    expect(page.get_by_role("heading", name="LSTM step")).to_be_visible()


@pytest.mark.slow
def test_in_the_projector_view_the_diagram_is_whole_beside_its_words(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/lstm?view=projector")
    expect(panel(page, "Diagram")).to_have_class("columns")
    assert all(box["printed"] for box in drawn(page, "Diagram").values())


@pytest.mark.slow
def test_in_the_projector_view_words_stand_beside_a_drawing_that_leaves_room_for_them(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/gru?view=projector")
    narrow = panel(page, "The hidden state")
    expect(narrow).to_have_class("columns")
    drawn, words = box_of(narrow.locator("canvas").first), box_of(narrow.locator(".words"))
    assert words["x"] >= drawn["x"] + drawn["width"]
    wide = panel(page, "The candidate")
    expect(wide).not_to_have_class("columns")
    assert wide.locator(".words > p").first.evaluate("text => text.getClientRects().length") == 2, "two columns"


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_the_buttons_that_save_a_drawing_stand_beside_its_title(page: Page, server: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, f"{server}/sequence")
    for title in ("Diagram of this step", "Gates and activations"):
        heading, save = box_of(panel(page, title).locator("h2")), box_of(panel(page, title).locator(".save"))
        assert heading["y"] <= save["y"] and save["y"] + save["height"] <= heading["y"] + heading["height"]


@pytest.mark.slow
def test_the_list_of_saturated_counts_stays_whole(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/sequence")
    counts = panel(page, "Gates and").locator(".note")
    expect(counts).to_contain_text("tanh")
    assert counts.evaluate("text => text.getClientRects().length") == 1
