"""From a question to the very panel that answers it, in the same tab, and back."""

import pytest
from playwright.sync_api import Page, expect

from dashboard.text import saturation
from dashboard.text.questions import BACK, QUESTIONS
from dashboard.text.words import in_symbols
from tests.browser.page import followed, in_sight, panel, until, visit
from tests.live import await_picture


@pytest.mark.slow
def test_a_question_leads_to_its_panel_which_has_a_frame_and_back_to_the_others(page: Page, server: str):
    page.goto(f"{server}/questions")
    for number, path, title in (
        (1, "", "Concatenation"),
        (11, "saturation", saturation.AT_Z_TITLE),
        (14, "lstm", "Output"),
    ):
        followed(page)
        asked = in_symbols(QUESTIONS[number - 1].asked)
        page.get_by_test_id("stExpander").locator("summary").filter(has_text=asked).click()
        # By the key: the link moves while its expander unfolds.
        page.get_by_role("link", name="See it").locator("visible=true").press("Enter")
        page.wait_for_url(f"**/{path}?*")
        await_picture(page)
        followed(page)
        framed = panel(page, title)
        until(page, lambda: _is_found(page, framed))
        expect(page.locator(".framed")).to_have_count(1)
        strip = page.locator(".st-key-question")
        assert in_sight(page, strip) and asked in strip.inner_text()
        page.get_by_role("link", name=BACK).click()
        expect(page.get_by_role("heading", name="Questions")).to_be_visible()
        expect(strip).to_have_count(0)  # else links of the page before may still be there
    assert len(page.context.pages) == 1


@pytest.mark.slow
def test_the_next_question_frames_its_panel_also_if_that_is_the_same_one(page: Page, server: str):
    visit(page, f"{server}/lstm?example=hadamard&question=8")
    until(page, lambda: _is_found(page, panel(page, "Cell and hidden state")))
    page.get_by_role("link", name="Next question").click()
    page.wait_for_url("**question=9*")
    followed(page)
    expect(page.locator(".st-key-question")).to_contain_text(in_symbols(QUESTIONS[9 - 1].asked))
    until(page, lambda: _is_found(page, panel(page, "Cell and hidden state")))


def _is_found(page: Page, framed) -> None:
    assert in_sight(page, framed.locator("h2"))
    assert "framed" in framed.get_attribute("class")


@pytest.mark.slow
def test_a_line_of_links_leads_to_the_panels_and_an_address_to_one_of_them(page: Page, server: str):
    page.goto(f"{server}/lstm?example=lab#the-cell")
    await_picture(page)
    title = panel(page, "Cell and hidden state").locator("h2")
    until(page, lambda: _is_seen(page, title))
    steps = page.evaluate("history.length")
    links = page.get_by_role("navigation", name="On this page").get_by_role("link")
    assert links.all_inner_texts() == [text for text in page.locator(".picture h2").all_inner_texts() if text]
    page.goto("about:blank")
    visit(page, f"{server}/lstm?example=lab#%")  # of nothing, and no text either
    steps = page.evaluate("history.length")
    links.filter(has_text="Saturation").click()
    title = panel(page, "Saturation").locator("h2")
    until(page, lambda: _is_seen(page, title))
    expect(title).to_be_focused()
    assert page.url == f"{server}/lstm?example=lab#saturation" and page.evaluate("history.length") == steps


def _is_seen(page: Page, title) -> None:
    assert in_sight(page, title)
