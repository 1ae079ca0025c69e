"""The app in a browser: open it, find a panel, read and point at what is drawn there."""

import json
import re
import time
from collections.abc import Callable, Iterable

from playwright.sync_api import Error, Locator, Page, expect

from dashboard.text.plural import Template, chosen
from tests.live import PATIENCE, at_rest, await_picture
from tests.sentences import pattern

# As a step through the browser's history does.
GO = "link => { history.pushState(null, '', link); dispatchEvent(new PopStateEvent('popstate')) }"
# What comes into sight is drawn only then.
AT_REST = """async (drawing) => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame().then(frame)
  while (!drawing.blocks) await frame()
}"""
SEEN = "({ symbol, x, y, across, down, width, printed }) => ({ symbol, x, y, across, down, width, printed })"


# A placeholder of a sentence; or what a page shows without its signs: a subscript, or the mark of a code.
PLACEHOLDER_OR_SIGN = re.compile(r"(\{[^{}]+\})|_\{\{(.*?)\}\}|_(?=\w)|`")


def sentence(template: Template, **values: object) -> re.Pattern:
    """A sentence of `dashboard.text` as a page shows it, with these values and anything in its other placeholders."""
    shown = PLACEHOLDER_OR_SIGN.sub(lambda found: found[1] or found[2] or "", chosen(template, values))
    # The browser has another syntax for named groups, and a page has spaces that break no line.
    in_browser = re.sub(r"\(\?P(<\w+>\.\*\?|=\w+)\)", ".*?", pattern(shown, **values))
    return re.compile(in_browser.replace(r"\ ", r"\s+"))


def visit(page: Page, url: str) -> None:
    page.goto(url)
    await_picture(page)


def turn_to(page: Page, link: str, seed: int) -> None:
    """Open another link in the session that there is: a new one takes three times as long.

    By its seed, which must be another one than before, it is seen that the answer has come.
    """
    page.evaluate(GO, f"/{link}&seed={seed}")
    # A phone does not show it, and for a moment there are those of both pages.
    seed_field = page.locator(".st-key-dials input[type=number][aria-label=Seed]").last
    expect(seed_field).to_have_value(f"{seed}")
    followed(page)


# Whether the page has been drawn for the URL that there is.
FOLLOWED = """() => {
  const host = [...document.querySelectorAll("*")].find((element) => element.shadowRoot?.querySelector("nav[data-query]"))
  const nav = host?.shadowRoot.querySelector("nav[data-query]")
  if (!nav) return false
  const there = [...new URLSearchParams(location.search)].filter(([name]) => !["embed", "embed_options"].includes(name.toLowerCase()))
  const sorted = (pairs) => JSON.stringify(pairs.map((pair) => pair.join("=")).sort())
  const path = location.pathname.replace(/^\\//, "").replace(/\\/$/, "")
  return nav.dataset.page === path && sorted(there) === sorted(JSON.parse(nav.dataset.query))
}"""

# A script that removes the timers of a length in milliseconds.
WITHOUT = "const set = window.setTimeout; window.setTimeout = (call, after, ...more) => after === {} ? -1 : set(call, after, ...more)"
# A series of key presses never ends, and a slow run is never asked for again.
NEVER_AT_REST, NEVER_ASKED_AGAIN = WITHOUT.format(300), WITHOUT.format(3000)


def followed(page: Page) -> None:
    """Wait until the whole page has been drawn for its URL."""
    page.wait_for_function(FOLLOWED)
    at_rest(page)


def arrived(page: Page, name: str, text: str) -> None:
    """Wait until a run has come for a URL with this parameter, be it an earlier one than that of now."""
    navigation = page.get_by_role("navigation", name="Pages")
    until(page, lambda: assert_in([name, text], json.loads(navigation.get_attribute("data-query"))))


def assert_in(item: object, items: list) -> None:
    assert item in items


def until(page: Page, assertion: Callable[[], None]) -> None:
    """Wait until it holds: what is drawn may be behind what is written."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            return assertion()
        except (AssertionError, LookupError, Error):  # an element may be replaced while it is read
            if time.monotonic() > last:
                raise
            page.wait_for_timeout(50)


def set_scheme(page: Page, scheme: str) -> None:
    """See the page in light or in dark: it follows the system."""
    page.emulate_media(color_scheme=scheme)
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)


def lead(page: Page) -> Locator:
    """The sentence that matters most, or what stands above all panels."""
    return page.locator(".picture p:not(:empty)").first


def panel(page: Page, title: str) -> Locator:
    """The panel whose title starts with these words."""
    return page.locator(".picture section").filter(has=page.locator("h2", has_text=re.compile(f"^{title}")))


def opened(page: Page, title: str) -> Locator:
    """A panel that is not folded, or not any more."""
    shown = panel(page, title)
    shown.first.wait_for()
    fold = shown.locator("h2 button[aria-expanded=false]")
    if fold.count():
        fold.first.click()
    return shown


def drawing(page: Page, title: str) -> Locator:
    """What a panel draws: a canvas for each of its rows."""
    return opened(page, title).locator(".drawing")


def drawn(page: Page, title: str) -> dict[str, dict]:
    """What stands in a panel's drawing: each matrix by its symbol, with its place and its printed numbers."""
    found = drawing(page, title)
    found.scroll_into_view_if_needed()
    found.evaluate(AT_REST)
    return {block["symbol"]: block for block in found.evaluate(f"drawing => drawing.blocks.map({SEEN})")}


def point_at(page: Page, title: str, symbol: str, row: int, column: int = 0) -> dict[str, float]:
    """Where the middle of a cell is in its drawing."""
    block = drawn(page, title)[symbol]
    return {"x": block["x"] + (column + 0.5) * block["across"], "y": block["y"] + (row + 0.5) * block["down"]}


def slider(page: Page, label: str) -> Locator:
    return page.get_by_role("slider", name=label)


def on_track(slider: Locator, share: float) -> tuple[float, float]:
    """Where in the window the middle of a slider's thumb is, at this share of its way."""
    slider.wait_for()
    thumb, box = 16, box_of(slider)
    return box["x"] + thumb / 2 + share * (box["width"] - thumb), box["y"] + box["height"] / 2


def dials(page: Page) -> Locator:
    """All sliders of the page, and the fields for their numbers."""
    return page.locator(".st-key-dials .controls")


def choices(page: Page) -> Locator:
    """All that can be clicked in the groups of the sidebar that are open."""
    return page.get_by_test_id("stSidebar").locator("details[open] label:has(input)")


def tools(page: Page) -> Locator:
    """The buttons beside the title, which say what is open."""
    return page.locator(".st-key-tools .controls")


def link_to(page: Page, title: str) -> Locator:
    """The link in the sidebar to a page."""
    return page.get_by_role("navigation", name="Pages").get_by_role("link", name=title, exact=True)


def connected(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-connection-state=CONNECTED]")


def disconnected(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp]:not([data-test-connection-state=CONNECTED])")


def number_field(page: Page, label: str) -> Locator:
    """Where a number is typed; a dial has one beside its slider."""
    return page.get_by_role("spinbutton", name=label, exact=True)


def unfold(page: Page, group: str) -> Locator:
    """Open a group of the sidebar, if it is closed."""
    return _unfolded(page.get_by_test_id("stSidebar"), group)


def unfold_settings(page: Page, group: str = "More") -> Locator:
    """Open a group of the settings below the sliders, if it is closed."""
    return _unfolded(page.locator(".st-key-settings"), group)


def _unfolded(around: Locator, group: str) -> Locator:
    details = around.locator("details").filter(has_text=re.compile(f"^{group}"))
    details.wait_for()
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    return details


def box_of(locator: Locator) -> dict[str, float]:
    """Where it is in the window: nowhere, as long as it is not to be seen, which an assertion may wait for."""
    box = locator.bounding_box()
    assert box, f"{locator} is not to be seen"
    return box


def in_sight(page: Page, locator: Locator) -> bool:
    box = box_of(locator)
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def assert_nothing_is_cut_off(page: Page, titles: Iterable[str]) -> None:
    """Neither does the page scroll sideways, nor does anything drawn reach beyond the picture."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    room = page.locator(".picture").evaluate("element => element.clientWidth")
    for title in titles:
        assert max(block["x"] + block["width"] for block in drawn(page, title).values()) <= room, title
