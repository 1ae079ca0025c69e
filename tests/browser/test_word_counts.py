"""How many words of sentences a page shows at first, before the reader unfolds anything."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import new_context, no_trouble
from tests.browser.page import until
from tests.live import at_rest

VIEWPORT = {"width": 1440, "height": 900}
# The aim for each page; a page may have a fifth more, because the numbers choose some of its sentences.
AIMS = {
    "": 250,
    "lstm": 400,
    "gru": 400,
    "saturation": 450,
    "sequence": 200,
    "gradients": 350,
    "training": 450,
    "practice": 150,
    "shapes": 400,
    "examples": 350,
    "model": 400,
}
# The page of a model draws nothing before a file is opened.
WITHOUT_PICTURE = {"practice", "model"}
# The paragraphs, lists and texts of a page, also those in shadow roots. A formula counts as one word.
PARAGRAPHS = """() => {
  const paragraphs = "p, li, [data-testid=stText]"
  const besides = ".drawing, nav, header, button, label, a, [data-testid=stSidebar]"
  const found = []
  const collect = (root, isBeside) => {
    for (const element of root.querySelectorAll("*")) {
      const isOut = isBeside || element.closest(besides) !== null
      if (element.shadowRoot) collect(element.shadowRoot, isOut)
      const isFolded = element.closest("details:not([open])") !== null
      if (isOut || isFolded || !element.matches(paragraphs) || element.querySelector(paragraphs)) continue
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const copy = element.cloneNode(true)
      for (const formula of copy.querySelectorAll(".katex, code")) formula.replaceWith("formula")
      found.push(copy.textContent.trim())
    }
  }
  collect(document, false)
  return found.filter((text) => text !== "")
}"""


def words(paragraphs: list[str]) -> int:
    """The number of words with a letter or a digit."""
    return sum(any(map(str.isalnum, word)) for text in paragraphs for word in text.split())


@pytest.mark.slow
@pytest.mark.parametrize("path", AIMS)
def test_a_page_has_few_words_at_first(browser: Browser, server: str, path: str):
    context = new_context(browser, viewport=VIEWPORT)
    with no_trouble(context, server):
        page = context.new_page()
        page.goto(f"{server}/{path}")
        page.locator("h1").first.wait_for()
        if path not in WITHOUT_PICTURE:
            page.locator(".picture canvas").first.wait_for()
        at_rest(page)
        seen: list[list[str]] = [[]]

        def is_complete() -> None:
            """Assert that two looks in a row find the same text."""
            seen.append(page.evaluate(PARAGRAPHS))
            page.wait_for_timeout(500)
            assert seen[-1] and seen[-1] == seen[-2]

        until(page, is_complete)
        shown = seen[-1]
        assert words(shown) <= 1.2 * AIMS[path], "\n".join(f"{words([text])}: {text}" for text in shown)
        context.close()
