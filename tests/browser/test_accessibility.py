"""axe-core on every page, in light and in dark: it finds nothing serious or critical that is of our making."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.conftest import VIEWPORT
from tests.browser.page import GO, followed, set_scheme, turn_to, unfold, visit
from tests.dashboard.page import PAGES

# Of every page what is optional there: a warning, the output of the LSTM, the charts of growth, a text to paste. The tools
# are alike on all pages, and half of all that axe looks at.
OPTIONAL = {
    "": "m=none&edit=true&take=true",
    "lstm": "y=true",
    "gru": "init=normal",
    "saturation": "init=normal",
    "sequence": "input=numbers",
    "gradients": "",
}

# Of the sidebar, of which one is open at a time.
GROUPS = ("Cell", "Display")

LEFT_OUT = [
    # That of a disabled widget is pale, as it may be; axe does not see which widget Streamlit's label is of.
    ("color-contrast", "label[disabled] *"),
    # Streamlit gives the focus to the box around the code that scrolls, and Chromium to that itself; axe knows of neither.
    ("scrollable-region-focusable", ".stCode > pre"),
]

FINDINGS = """
async ([rules, leftOut]) => {
  // What has an end ends first, or colours are halfway between two. By what is there: of an element that is gone no end is told.
  const moves = ({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime < Infinity
  // Streamlit fades what a run has not drawn yet, and the page of exercises runs once more for the progress of the browser.
  const isOld = () => document.querySelector("[data-stale=true]")
  while (isOld() || document.getAnimations().some(moves)) await new Promise(requestAnimationFrame)
  const { violations } = await axe.run({ ...(rules && { runOnly: rules }), elementRef: true, resultTypes: ["violations"] })
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical")
  const isOurs = (id, element) => !leftOut.some(([rule, selector]) => rule === id && element.matches(selector))
  return grave.flatMap(({ id, nodes }) =>
    nodes.filter(({ element }) => isOurs(id, element)).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
"""


def see_all(page: Page) -> None:
    """Make the window as tall as the page and its sidebar: of what is out of sight axe says little."""
    scrollers = page.locator("[data-testid=stMain], [data-testid=stSidebarContent]")
    height = max(scrollers.evaluate_all("elements => elements.map(({ scrollHeight }) => scrollHeight)"))
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})


def findings(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds to be serious or critical by all or some of its rules, but for what is left out."""
    return page.evaluate(FINDINGS, [rules, LEFT_OUT])


WITHOUT_DIALS = {
    "shapes": "Shapes",
    "practice": "Practice",
    "training": "Training",
    "model": "My model",
    "questions": "Questions",
    "examples": "Worked examples",
}


@pytest.mark.slow  # the rules take axe-core most of it
def test_the_first_page_has_no_serious_finding_and_within_the_picture_one_would_be_found(page, server):
    visit(page, f"{server}/?example=lab")
    page.evaluate(AXE_SCRIPT)
    open_with_all(page, "", seed=1)
    assert findings(page) == []
    page.get_by_role("heading", name="Concatenation").evaluate("heading => (heading.style.opacity = 0.3)")
    (found,) = findings(page)
    assert found.startswith("color-contrast") and "Concatenation" in found


@pytest.mark.slow
def test_no_page_has_one_in_light_in_the_dark_and_on_a_phone(page, server):
    visit(page, f"{server}/?example=lab")
    page.evaluate(AXE_SCRIPT)
    scheme, other = "light", "dark"
    for seed, path in enumerate((*filter(None, PAGES), *WITHOUT_DIALS), 1):
        open_with_all(page, path, seed)
        assert findings(page) == [], (path, scheme)
        scheme, other = other, scheme
        set_scheme(page, scheme)
        assert findings(page, ["color-contrast"]) == [], (path, scheme)  # nothing else is different
        page.set_viewport_size(VIEWPORT)
    # The first page, which the test above has in light.
    set_scheme(page, "dark")
    page.set_viewport_size({"width": 400, "height": 900})
    open_with_all(page, "", seed=99)
    assert findings(page) == []


@pytest.mark.slow
def test_no_page_has_one_in_the_projector_view(page, server):
    for path in (*PAGES, *WITHOUT_DIALS):
        page.goto(f"{server}/{path}?view=projector")
        followed(page)
        expect(page.get_by_role("button", name="Leave projector")).to_be_visible()
        page.evaluate(AXE_SCRIPT)
        assert findings(page) == [], path


NAMES = """() => {
  const from = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...["aria-label", "aria-description", "alt", "title"].map((name) => element.getAttribute(name) ?? ""),
    ...(element.matches("a, button, label, summary, h1, h2, h3") && !element.querySelector(".katex") ? [element.textContent] : []),
    ...(element.shadowRoot ? from(element.shadowRoot) : []),
  ])
  return from(document)
}"""


@pytest.mark.slow
def test_no_accessible_name_has_the_signs_of_a_formula(page, server):
    for path in (*PAGES, *WITHOUT_DIALS, "lstm?backward=true", "practice?kind=lstm-c&level=2"):
        page.goto(f"{server}/{path}")
        followed(page)
        names = [name for name in page.evaluate(NAMES) if name.strip()]
        assert [name for name in names if set(name) & set("\\{}$")] == [], path
        assert any(len(name.split()) > 3 for name in names), path


def open_with_all(page: Page, path: str, seed: int) -> None:
    """Open a page with all that it has, a tip and one of the sidebar's groups among it, and in a window that is as tall as it is."""
    if path in WITHOUT_DIALS:  # by which turn_to sees that the page has come
        page.evaluate(GO, f"/{path}")
        page.get_by_role("heading", name=WITHOUT_DIALS[path]).wait_for()
        followed(page)
    else:
        turn_to(page, f"{path}?{OPTIONAL[path]}", seed)
        page.locator(".drawing[tabindex='0']").first.press("ArrowDown")
        expect(page.locator(".picture .tip")).to_be_visible()
    if page.viewport_size["width"] > 640 and path not in WITHOUT_DIALS:  # else the sidebar is away, or has no groups
        unfold(page, GROUPS[seed % len(GROUPS)])
    see_all(page)
