"""Where the words, the drawings and the links to the panels stand."""

from playwright.sync_api import Page, expect

from tests.browser.page import box_of, drawing, drawn, panel, until, visit

LONGEST = 75 * 8  # pixels of a line of at most 75 characters


def test_words_stand_beside_a_drawing_that_leaves_room(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/lstm")
    gates = panel(page, "Three gates")
    expect(gates).to_have_class("columns")
    drawn, words = box_of(drawing(page, "Three gates")), box_of(gates.locator(".words"))
    assert words["x"] >= drawn["x"] + drawn["width"]
    assert abs(words["y"] - drawn["y"]) < 16


def test_in_a_narrow_window_words_stand_below(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1000, "height": 900})
    visit(page, f"{server}/lstm")
    gates = panel(page, "Three gates")
    expect(gates).not_to_have_class("columns")
    text, drawn = box_of(gates.locator(".words > p").first), box_of(drawing(page, "Three gates"))
    assert text["y"] >= drawn["y"] + drawn["height"]
    assert text["width"] <= LONGEST


def test_titles_stand_at_the_same_height(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    tops = set()
    for path in ("", "lstm", "training"):
        visit(page, f"{server}/{path}")
        tops.add(round(box_of(page.locator("h1"))["y"]))
    assert len(tops) == 1, tops


def test_the_link_to_the_current_panel_is_marked(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm")
    current = page.get_by_role("navigation", name="On this page").locator("[aria-current]")
    expect(current).to_have_count(1)
    panel(page, "Saturation").evaluate("element => element.scrollIntoView()")
    until(page, lambda: expect(current).to_have_text("Saturation", timeout=500))


def test_a_diagram_keeps_the_width_of_the_page(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/lstm")
    assert box_of(drawing(page, "Diagram"))["width"] == page.locator(".picture").evaluate(
        "element => element.clientWidth"
    )


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


def test_a_link_to_a_folded_panel_opens_it(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm#saturation")
    expect(panel(page, "Saturation").locator("canvas").first).to_be_visible()


def test_on_paper_folded_panels_are_open(page: Page, server: str) -> None:
    visit(page, f"{server}/lstm")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(panel(page, "Saturation").locator("canvas").first).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(panel(page, "Saturation").locator("canvas").first).not_to_be_visible()
