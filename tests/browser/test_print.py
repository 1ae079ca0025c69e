"""On paper: the numbers that are on the screen, also those that were never in sight, and nothing that is only for hands."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.page import followed, lead, number_field, set_scheme, until, visit

# What is between the margins of an upright sheet of A4, in pixels.
PAPER = {"width": 688, "height": 1000}

# What is written on the canvases from now on, and what a printer meets: each canvas in its proportions or not.
RECORD = """() => {
  Object.assign(window, { texts: [], colours: {}, sheets: [] })
  const write = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    texts.push(text)
    colours[text] ??= this.fillStyle
    write.call(this, text, ...place)
  }
  addEventListener("beforeprint", () => sheets.push(...document.adoptedStyleSheets.map(({ cssRules }) => cssRules[0].cssText)))
}"""


@pytest.mark.slow
def test_a_page_that_is_printed_after_a_change_has_the_new_numbers_in_its_last_drawing_too(page: Page, server: str):
    visit(page, f"{server}/?example=lab")
    set_scheme(page, "dark")
    number_field(page, "Wₕₕ").fill("5")
    number_field(page, "Wₕₕ").press("Enter")
    expect(lead(page)).to_contain_text("253")
    followed(page)
    page.evaluate(RECORD)
    page.pdf()
    texts, colours, sheets = page.evaluate("[texts, colours, sheets]")
    assert texts.count("253") >= 5 and "245" not in texts  # z = 5·1 + 5·1 + 9·9·3 in three drawings
    assert "σ′(z)" in "".join(texts)  # of the last drawing, which is far below the window
    assert colours["products"] == "#000000"
    assert any(page.url in sheet for sheet in sheets)
    # And on the screen all is as it was.
    until(page, lambda: expect(page.locator(".picture canvas").first).not_to_have_css("height", "auto"))
    page.emulate_media(media="print")
    for gone in ("stSidebar", "stButton"):
        expect(page.get_by_test_id(gone).first).to_be_hidden()
    for read in (page.locator(".picture h2"), page.locator(".picture p"), number_field(page, "k: hidden units")):
        expect(read.first).to_have_css("color", "rgb(0, 0, 0)")
    page.emulate_media(media="screen")


@pytest.mark.slow
def test_of_a_sheet_of_exercises_nothing_else_is_printed_no_picture_is_cut_and_its_key_is_apart(
    page: Page, server: str
):
    visit(page, f"{server}/practice?kind=gru-h&level=3")
    page.get_by_text("Sheet for teachers").click()
    shown = page.get_by_role("switch", name="Sheet to print")
    shown.wait_for()
    shown.evaluate("box => box.click()")  # also while the group still unfolds
    key = page.locator(".st-key-sheet_key")
    expect(key).to_contain_text("10. ")
    exercises = page.locator("[class*='st-key-sheet_']:not(.st-key-sheet_key)")
    expect(exercises.locator(".picture canvas >> visible=true")).not_to_have_count(0)
    expect(exercises).to_have_count(10)
    followed(page)
    page.evaluate(RECORD)
    page.pdf(format="A4")
    symbols = page.evaluate("texts.filter((text) => text === 'r')")
    assert len(symbols) >= 10  # of each drawing, in sight or not
    assert not any(server in sheet for sheet in page.evaluate("sheets"))  # who has the link has the key
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    for exercise in exercises.all():
        expect(exercise).to_have_css("break-inside", "avoid")
        assert exercise.bounding_box()["height"] < PAPER["height"]
    expect(key).to_have_css("break-before", "page")
    expect(page.get_by_role("heading", name="Practice")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Your answer")).to_be_hidden()
    expect(page.get_by_role("heading", name="Key")).to_be_visible()
    page.emulate_media(media="screen")
