"""The dials: the picture follows while one is dragged, and once it is let go the address says so, in one step."""

from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import CDPSession, Page, WebSocketRoute, expect

from core.cells import rnn
from core.scenario import Scenario
from dashboard.numerals import number
from tests.browser.conftest import new_context, no_trouble
from tests.browser.page import drawn, lead, number_field, on_track, slider, until, visit
from tests.browser.test_own import go
from tests.live import at_rest, await_picture

CELL = {"init": "normal", "n": 4, "k": 4, "g": "tanh"}
LINK = "&".join(f"{name}={value}" for name, value in CELL.items())
SCALE, UNITS = "Scale of the weights", "k: units"
# Every address that the browser ever shows, from now on.
RECORD = """() => {
  window.addresses = [location.href]
  const record = (said) => said === addresses.at(-1) || addresses.push(said)
  for (const name of ["pushState", "replaceState"]) {
    const write = history[name]
    history[name] = function (...values) { write.apply(this, values); record(location.href) }
  }
}"""


def assert_drawn(page: Page, **changed: object) -> None:
    """The numbers are those of the cell with these choices."""
    scenario = Scenario(**CELL | changed)
    z = rnn.step(*scenario.setup("RNN")).z_t
    assert drawn(page, "Multiply")["z_t"]["printed"] == [number(value, 2) for value in z.ravel()]


def top(page: Page) -> float:
    """How far the page is scrolled."""
    return page.get_by_test_id("stMain").evaluate("element => element.scrollTop")


def drag(page: Page, label: str, shares: tuple[float, ...], move: Callable[[float, float], None]) -> None:
    """To each of these shares of the slider's way, where a new picture is waited for."""
    for share in shares:
        before = lead(page).inner_text()
        move(*on_track(slider(page, label), share))
        expect(lead(page)).not_to_have_text(before)


def press(page: Page, label: str, share: float) -> None:
    page.mouse.move(*on_track(slider(page, label), share))
    page.mouse.down()


def by_mouse(page: Page) -> Callable[[float, float], None]:
    return lambda x, y: page.mouse.move(x, y, steps=4)


def test_the_picture_follows_the_mouse_and_the_address_is_written_once_it_lets_go(page: Page, server: str):
    visit(page, f"{server}/?{LINK}")
    page.evaluate(RECORD)
    page.get_by_test_id("stMain").evaluate("element => element.scrollTo(0, 300)")
    address, entries, scrolled = page.url, page.evaluate("history.length"), top(page)
    press(page, SCALE, 0.5)
    drag(page, SCALE, (0.6, 0.7, 0.4, 0.55), by_mouse(page))
    scale = number_field(page, SCALE).input_value()
    assert page.url == address
    page.mouse.up()
    # The next one at once, before the page has answered.
    press(page, UNITS, 0.1)
    drag(page, UNITS, (0.2, 0.3), by_mouse(page))
    k = number_field(page, UNITS).input_value()
    assert page.url == f"{address}&scale={scale}"
    page.mouse.up()
    page.wait_for_url(f"**k={k}*")
    at_rest(page)
    assert top(page) == scrolled
    assert_drawn(page, scale=float(scale), k=int(k))
    assert len(page.evaluate("addresses")) == 3
    assert page.evaluate("history.length") == entries
