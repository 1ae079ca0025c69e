"""A drag, a step back, the diagram and the sliders' colour in Firefox, where another engine may behave differently."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

from core.examples import EXAMPLES
from core.number_format import number
from dashboard.state.parameters import PARAMETERS
from tests.browser.firefox import DOWN, FIREFOX, UP, Tab, at, firefox

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox found: install it (Debian: apt-get install firefox-esr)"),
]

# Whether the picture is there, nothing is under way, and the slider and the picture stay where they are: the mouse goes to a place.
AT_REST = """async (find, slider) => {
  const app = document.querySelector("[data-testid=stApp][data-test-script-state=notRunning]")
  if (!app || !find(".drawing")?.blocks?.length || !find(slider)) return false
  await document.fonts.ready
  const places = () => JSON.stringify([slider, ".drawing"].map((selector) => find(selector)?.getBoundingClientRect() ?? null))
  const before = places()
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  return places() === before
}"""
BLOCK = """(find, symbol) => find(".drawing").blocks.filter((block) => block.symbol === symbol).map(({ printed }) => printed).pop()"""
BOX = """(find, selector) => { const { x, y, width, height } = find(selector).getBoundingClientRect(); return { x, y, width, height } }"""
SEARCH = "() => location.search"
HAS = "(find, text) => location.search.includes(text)"
LACKS = "(find, text) => !location.search.includes(text)"
SLIDER = f'input[type=range][aria-label="{PARAMETERS["forget_bias"].label}"]'


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with firefox(tmp_path_factory.mktemp("profile")) as tab:
        tab.resize(1440, 900)
        yield tab


def open_page(tab: Tab, url: str) -> None:
    tab.release()  # a test that failed may have left the button of the mouse pressed
    tab.go(url)
    tab.until(AT_REST, SLIDER)


def test_the_picture_follows_a_drag_and_the_url_its_end(tab: Tab, server: str) -> None:
    open_page(tab, f"{server}/lstm?example=keep-write-forget&forget_bias=-4")
    before, search = tab.evaluate(BLOCK, "f_t"), tab.evaluate(SEARCH)
    box = tab.evaluate(BOX, SLIDER)
    y = box["y"] + box["height"] / 2
    x = [box["x"] + part * box["width"] for part in (0.3, 0.5, 0.7, 0.8)]
    tab.pointer(at(x[0], y), DOWN, *(at(place, y) for place in x[1:]))
    tab.until(
        "(find, symbol, before) => JSON.stringify(({})(find, symbol)) !== JSON.stringify(before)".replace("{}", BLOCK),
        "f_t",
        before,
    )
    assert tab.evaluate(SEARCH) == search
    tab.pointer(UP)
    query = parse_qs(tab.until("(find, before) => location.search !== before && location.search.slice(1)", search))
    scenario = replace(EXAMPLES["keep-write-forget"].scenario, forget_bias=float(query["forget_bias"][0]))
    after = [number(value, 2) for value in scenario.step("LSTM")[1].f_t.ravel()]
    assert after != before
    tab.until(
        "(find, symbol, after) => JSON.stringify(({})(find, symbol)) === JSON.stringify(after)".replace("{}", BLOCK),
        "f_t",
        after,
    )


def test_a_click_on_a_gate_opens_its_equation_and_a_step_back_closes_it(tab: Tab, server: str) -> None:
    open_page(tab, f"{server}/lstm?example=keep-write-forget")
    count = tab.evaluate('(find) => find(".drawing").blocks.length')
    strip = tab.evaluate("""(find) => {
      const drawing = find(".drawing"), { left, top } = drawing.getBoundingClientRect()
      const { x, y, width, height } = drawing.blocks.filter((block) => block.symbol === "f_t").pop()
      return { x: left + x + width / 2, y: top + y + height }
    }""")
    tab.pointer(at(strip["x"], strip["y"] + 90), DOWN, UP)
    tab.until(HAS, "node=f")
    tab.until('(find, count) => find(".drawing").blocks.length > count', count)
    tab.back()
    tab.until(LACKS, "node=")
    tab.until('(find, count) => find(".drawing").blocks.length === count', count)


def test_the_thumbs_of_the_sliders_have_the_colour_of_the_theme(tab: Tab, server: str) -> None:
    open_page(tab, f"{server}/lstm?example=keep-write-forget")
    colours = tab.evaluate(
        """(find, selector) => {
      const slider = find(selector), probe = document.createElement("i")
      probe.style.color = getComputedStyle(slider).getPropertyValue("--st-primary-color")
      document.body.append(probe)
      return [getComputedStyle(slider, "::-moz-range-thumb").backgroundColor, getComputedStyle(probe).color]
    }""",
        SLIDER,
    )
    assert len({*colours}) == 1, colours
