"""The map of practice: it fills after a right answer, survives a reload, and is forgotten by its button."""

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from core.practice import exercise
from dashboard.state.parameters import EXERCISES
from dashboard.text import practice
from tests.browser.page import sentence

KEY = "cellscope practice"
# Only for our key: Streamlit itself stores others.
FAILING = """(method) => {
  const { [method]: works } = Storage.prototype
  Storage.prototype[method] = function (key, ...more) {
    if (key === "cellscope practice") throw new DOMException("no", "QuotaExceededError")
    return works.call(this, key, ...more)
  }
}"""


def tile(page: Page, filled: int) -> Locator:
    return page.get_by_role("link", name=practice.TILE.format(kind=EXERCISES["z"], level=1, filled=filled, full=5))


def standing(filled: int) -> str:
    return practice.STANDING.format(filled=filled, full=5)


def solve(page: Page, number: int) -> None:
    field = page.get_by_role("textbox", name=practice.ANSWER)
    field.fill(f"{exercise('z', 1, number).answer:g}")
    field.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_have_text(sentence(practice.RIGHT))
    expect(page.get_by_text(standing(1))).to_be_visible()


@pytest.mark.slow
def test_a_tile_fills_survives_a_reload_and_is_forgotten(context: BrowserContext, server: str):
    page = context.new_page()
    page.goto(f"{server}/practice")
    tile(page, 0).wait_for()
    expect(page.get_by_role("button", name=practice.FORGET)).to_have_count(0)
    tile(page, 0).click()
    solve(page, 1)
    page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_url("**number=2")
    expect(page.get_by_role("textbox", name=practice.ANSWER)).to_be_focused()
    page.get_by_role("button", name=practice.ALL).click()
    expect(tile(page, 1)).to_have_attribute("href", "?kind=z&number=2")
    page.reload()
    expect(tile(page, 1)).to_be_visible()
    page.get_by_role("button", name=practice.FORGET).click()
    assert page.evaluate("key => localStorage.getItem(key)", KEY)
    page.get_by_role("button", name=practice.FORGET_AGAIN).click()
    expect(tile(page, 0)).to_be_visible()
    expect(page.get_by_role("button", name=practice.FORGET)).to_have_count(0)
    assert page.evaluate("key => localStorage.getItem(key)", KEY) is None


@pytest.mark.slow
def test_two_tabs_share_the_progress_and_its_end(context: BrowserContext, server: str):
    one, other, overview = (context.new_page() for _ in range(3))
    one.goto(f"{server}/practice?kind=z&number=1")
    other.goto(f"{server}/practice?kind=z&number=2")
    overview.goto(f"{server}/practice")
    tile(overview, 0).wait_for()
    for page in (one, other):
        page.get_by_text(standing(0)).wait_for()
    solve(one, 1)
    expect(other.get_by_text(standing(1))).to_be_visible()
    field = other.get_by_role("textbox", name=practice.ANSWER)
    field.fill(f"{exercise('z', 1, 2).answer:g}")
    field.press("Enter")
    for page in (one, other):
        expect(page.get_by_text(standing(2))).to_be_visible()
    expect(tile(overview, 2)).to_be_visible()
    overview.get_by_role("button", name=practice.FORGET).click()
    overview.get_by_role("button", name=practice.FORGET_AGAIN).click()
    for page in (one, other):
        expect(page.get_by_text(standing(0))).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["setItem", "getItem"])
def test_without_storage_the_progress_lasts_as_long_as_the_page_and_it_says_so(
    context: BrowserContext, server: str, method: str
):
    page = context.new_page()
    page.goto(f"{server}/practice")
    page.get_by_role("link", name="Start").wait_for()
    page.evaluate(FAILING, method)
    tile(page, 0).click()
    solve(page, 1)
    page.get_by_role("button", name=practice.ALL).click()
    expect(tile(page, 1)).to_be_visible()
    expect(page.get_by_text(practice.NOT_KEPT)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["[[[", "7", "null", '{"z 1": [9, "x", {}], "five": 7}', '{"z 1": 1e999}', "9" * 100_000]
)
def test_rubbish_in_the_storage_is_an_empty_map(context: BrowserContext, server: str, text: str):
    page = context.new_page()
    page.goto(f"{server}/practice")
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])
    page.reload()
    page.get_by_role("link", name="Start").wait_for()
    expect(tile(page, 0)).to_be_visible()
