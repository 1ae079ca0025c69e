"""The page of shapes, as somebody uses it who has an error message."""

import re

from playwright.sync_api import Page, expect

from dashboard.state.parameters import PARAMETERS
from dashboard.text.shape_reasons import REASONS
from dashboard.text.shapes import SILENT, page_text
from tests.browser.page import NEVER_AT_REST, box_of, followed, number_field, panel, sentence, visit

MESSAGE = "RuntimeError: Expected hidden[0] size (2, 3, 4), got [1, 3, 4]"


def test_a_message_is_pasted_the_sizes_are_changed_until_they_conform_and_a_reload_keeps_them(page: Page, server: str):
    visit(page, f"{server}/shapes")
    expect(panel(page, page_text("repaired"))).to_be_visible()
    field = page.get_by_role("textbox", name=page_text("message"))
    field.fill(MESSAGE)
    field.press("Control+Enter")
    expect(page.get_by_text("h0 = c0 = torch.zeros(2, 3, 4)")).to_be_visible()
    expect(number_field(page, "hidden_size, k")).to_have_value("4")

    h0 = page.get_by_role("textbox", name=PARAMETERS["h0_shape"].label)
    expect(h0).to_have_value("1,3,4")
    h0.fill("2,3,4")
    h0.press("Enter")
    expect(page.get_by_text(page_text("match"))).to_be_visible()
    expect(panel(page, page_text("repaired"))).to_have_count(0)
    expect(page).to_have_url(re.compile("h0_shape=2%2C3%2C4|h0_shape=2,3,4"))
    assert "hidden_size=4" in page.url and "Expected" not in page.url
    page.reload()
    expect(page.get_by_text(page_text("match"))).to_be_visible()
    expect(page.get_by_role("textbox", name=PARAMETERS["h0_shape"].label)).to_have_value("2,3,4")
    expect(page.get_by_role("textbox", name=page_text("message"))).to_have_value("")


def of(h: int) -> str:
    """Return the sentence on a picture with h columns for h, as the page writes it: x_t has a subscript."""
    return page_text("meet", h=h, m=10).replace("_", "")


def test_the_picture_follows_a_size_before_the_url_has_it_and_enter_writes_it(tab: Page, server: str):
    tab.add_init_script(NEVER_AT_REST)
    visit(tab, f"{server}/shapes?hidden_size=20&x_shape=5,3,10")
    field, shown = number_field(tab, "hidden_size, k"), panel(tab, page_text("meetings"))
    expect(shown).to_contain_text(of(20))
    field.press("ArrowUp")
    expect(shown).to_contain_text(of(21))
    assert "hidden_size=20" in tab.url
    field.press("Enter")
    expect(tab).to_have_url(re.compile("hidden_size=21"))
    followed(tab)
    expect(field).to_have_value("21")
    expect(shown).to_contain_text(of(21))


def test_the_drawing_and_the_answer_are_on_the_first_screen_and_the_silent_mistakes_open(page: Page, server: str):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/shapes")
    first = box_of(page.locator(".picture canvas >> visible=true").first)
    sizes = box_of(page.get_by_role("textbox", name=PARAMETERS["h0_shape"].label))
    assert sizes["y"] + sizes["height"] < first["y"] and first["y"] + first["height"] <= 900
    expect(page.get_by_text(sentence(REASONS["state-layers"]))).to_be_in_viewport()
    silent, beside = (panel(page, SILENT[code].title) for code in ("batch-and-steps", "last-of-two-directions"))
    expect(silent.locator("canvas").first).not_to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollHeight") <= 3000
    assert abs(box_of(silent)["y"] - box_of(beside)["y"]) < 8 and box_of(silent)["x"] < box_of(beside)["x"]
    silent.get_by_role("button", name=SILENT["batch-and-steps"].title).click()
    expect(silent.locator("canvas").first).to_be_visible()
    expect(silent.get_by_text("batch_first=True")).to_be_visible()
