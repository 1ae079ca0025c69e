"""axe-core on every page, in light and in dark: it finds nothing serious or critical that is of our making."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.page import set_scheme, visit
from tests.live import at_rest

# With what is optional there: a warning, the output of the LSTM, the charts of growth, a text to paste.
PAGES = ("?m=none", "lstm?y=true", "saturation?init=normal", "sequence?input=numbers", "gradients?", "examples?")
TOOLS = "edit=true&take=true"

LEFT_OUT = [
    # The colours of Streamlit's syntax highlighting stand in its code, and no setting of a theme reaches them.
    ("color-contrast", ".stCode .token"),
    # That of a disabled widget is pale, as it may be; axe does not see which widget Streamlit's label is of.
    ("color-contrast", "label[disabled] *"),
    # Streamlit gives the focus to the box around the code that scrolls, and Chromium to that itself; axe knows of neither.
    ("scrollable-region-focusable", ".stCode > pre"),
]

FINDINGS = """
async ([rules, leftOut]) => {
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished)) // or colours are halfway between two
  const { violations } = await axe.run({ ...(rules && { runOnly: rules }), elementRef: true, resultTypes: ["violations"] })
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical")
  const isOurs = (id, element) => !leftOut.some(([rule, selector]) => rule === id && element.matches(selector))
  return grave.flatMap(({ id, nodes }) =>
    nodes.filter(({ element }) => isOurs(id, element)).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
"""


@pytest.fixture
def page(context: BrowserContext) -> Page:
    page = context.new_page()
    page.add_init_script(AXE_SCRIPT)
    return page


def see_all(page: Page) -> None:
    """Make the window as tall as the page and its sidebar: of what is out of sight axe says little."""
    scrollers = page.locator("[data-testid=stMain], [data-testid=stSidebarContent]")
    height = max(scrollers.evaluate_all("elements => elements.map(({ scrollHeight }) => scrollHeight)"))
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})


def findings(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds to be serious or critical by all or some of its rules, but for what is left out."""
    return page.evaluate(FINDINGS, [rules, LEFT_OUT])


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_serious_finding_in_light_or_in_dark(page, server, path):
    if path.startswith("examples"):
        page.goto(f"{server}/{path}&{TOOLS}")
        page.get_by_text("What learners ask").wait_for()
        at_rest(page)
    else:
        visit(page, f"{server}/{path}&{TOOLS}")
        page.locator(".drawing[tabindex='0']").first.press("ArrowDown")
        expect(page.locator(".picture .tip")).to_be_visible()
    see_all(page)
    set_scheme(page, "light")
    assert findings(page) == []
    set_scheme(page, "dark")
    assert findings(page, ["color-contrast"]) == []  # nothing else is different


def test_on_a_phone_there_is_none_and_within_the_picture_one_would_be_found(page, server):
    page.set_viewport_size({"width": 400, "height": 900})
    visit(page, f"{server}/?{TOOLS}")
    see_all(page)
    assert findings(page) == []
    page.get_by_role("heading", name="Join").evaluate("heading => (heading.style.opacity = 0.3)")
    (found,) = findings(page)
    assert found.startswith("color-contrast") and "Join" in found
