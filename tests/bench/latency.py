"""How live the pages are, as ratios to a floor on the same machine in the same run: an app with one slider and one number.

    python -m tests.bench.latency [--quick]

Dragged: the dial of the weights' scale is moved 60 times a second for 3 s; the frames of the screen on which something else
stands than on the one before, and how long after the last move the last of them came. Held key: the same with an arrow key.
Key to paint: from the press of an arrow key to the frame with the new numbers. Cold load: a new browser context, until the
script has come to rest and its last element is drawn, beside an app with one line of text. Medians of all rounds.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.live import PLAIN, Server, at_rest, launch, running, serve

PRESSES, LOADS = 8, 9
SECONDS, A_SECOND = 3, 60


class Target(NamedTuple):
    """What a page is wanted to reach, as ratios to the floor.

    Attributes
    ----------
    link : str
    frames : float, optional
        Of the floor's frames a second, at least, while a dial is dragged.
    key : float, optional
        Times the floor's from key to paint, at most.
    """

    link: str
    frames: float | None = None
    key: float | None = None


PAGES = {
    "8x16": Target("?init=normal&m=8&n=8&k=8", 0.7, 1.7),
    "64x128": Target("?init=normal&m=64&n=64&k=64", 0.6, 2.0),
    "256x512": Target("?init=normal&m=256&n=256&k=256", key=2.2),
    "512x1024": Target("?init=normal&m=512&n=512&k=512", key=2.6),
    "LSTM at 8": Target("lstm?init=normal&m=8&n=8&k=8", 0.6, 2.0),
    "sequence": Target("sequence?init=normal&m=16&n=16&k=16&T=64&cell=LSTM", 0.45, 2.5),
    "gradients": Target("gradients?init=normal&m=16&n=16&k=16&T=64", 0.45, 2.5),
    "saturation": Target("saturation?init=normal&m=32&n=32&k=32", 0.5, 2.5),
}

# Of a page without dials the field of a size, and what is wanted.
SHAPES = "shapes?hidden_size=20&x_shape=5,3,10"
SHAPES_FIELD, SHAPES_TARGET = "hidden_size, k", 2.0
# The text that stands for all that is drawn: of the floor its line, of a page the text of all panels, and code. The first panel
# alone is not enough: those of the gradients and of saturation have no number in their text.
COUNT = """() => {
    const root = [...document.querySelectorAll('*')].find((element) => element.shadowRoot?.querySelector('.picture'))
    const code = () => [...document.querySelectorAll('[data-testid=stCode]')].map((block) => block.textContent).join()
    const shown = () => root
        ? root.shadowRoot.querySelector('.picture').textContent + code()
        : document.querySelector('[data-testid=stText]').textContent
    Object.assign(window, { frames: [], moved: 0, last: shown() })
    const tick = () => {
        const now = shown()
        if (now !== window.last) window.frames.push(performance.now())
        window.last = now
        requestAnimationFrame(tick)
    }
    tick()
    for (const event of ['pointermove', 'keydown']) addEventListener(event, () => { window.moved = performance.now() }, true)
}"""


def open_page(browser: Browser, url: str, role: str = "slider", name: str = "Weight scale") -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(url)
    page.get_by_role(role, name=name).wait_for()
    at_rest(page)
    page.wait_for_timeout(1500)
    page.evaluate(COUNT)
    return page


def paced(moves: Callable[[float], None]) -> int:
    """Do it so many times a second, or as often as it can be done; how often that was."""
    start, done = time.perf_counter(), 0
    while (now := time.perf_counter() - start) < SECONDS:
        moves(now / SECONDS)
        done += 1
        time.sleep(max(0, start + done / A_SECOND - time.perf_counter()))
    return done


def dragged(browser: Browser, url: str) -> tuple[float, float]:
    """Distinct frames a second, and the milliseconds from the last move to the last of them."""
    page = open_page(browser, url)
    box = page.get_by_role("slider", name="Weight scale").bounding_box()
    y, left, width = box["y"] + box["height"] / 2, box["x"] + 0.2 * box["width"], 0.6 * box["width"]
    page.mouse.move(left, y)
    page.mouse.down()
    # There and back again, so that every move is another value.
    paced(lambda part: page.mouse.move(left + width * (1 - abs(2 * part - 1)), y))
    page.wait_for_timeout(700)
    found = measured(page)
    page.mouse.up()
    page.close()
    return found


def held(browser: Browser, url: str) -> tuple[float, float]:
    page = open_page(browser, url)
    page.get_by_role("slider", name="Weight scale").focus()
    paced(lambda part: page.keyboard.down("ArrowRight" if part < 0.5 else "ArrowLeft"))
    found = measured(page, wait=250)  # before the key counts as left
    page.close()
    return found


def measured(page: Page, wait: int = 0) -> tuple[float, float]:
    page.wait_for_timeout(wait)
    frames, moved = page.evaluate("[window.frames, window.moved]")
    return sum(at <= moved for at in frames) / SECONDS, max(0.0, max(frames, default=0.0) - moved)


def key_to_paint(
    browser: Browser, url: str, role: str = "slider", name: str = "Weight scale", key: str = "ArrowRight"
) -> list[float]:
    page = open_page(browser, url, role, name)
    page.get_by_role(role, name=name).focus()
    times = []
    for _ in range(PRESSES + 1):
        page.evaluate("window.frames = []")
        page.keyboard.press(key)
        page.wait_for_timeout(1000)  # and until the whole page has followed
        at_rest(page)
        times.append(page.evaluate("window.frames[0] - window.moved"))
    page.close()
    return times[1:]


# Components stand in shadow roots.
IS_DRAWN = """selector => {
  const app = document.querySelector("[data-testid=stApp]")
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  const isShown = (element) => element.getClientRects().length > 0
  return app?.dataset.testScriptState === "notRunning" && roots.some((root) => [...root.querySelectorAll(selector)].some(isShown))
}"""


def cold_load(browser: Browser, url: str, selector: str) -> float:
    """Return the milliseconds until a new browser shows an element and the script has come to rest."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(url)
    # Before each frame: after a while, Playwright's own waits check only every half second, and a load takes about one second.
    page.wait_for_function(IS_DRAWN, arg=selector, polling="raf")
    elapsed = time.perf_counter() - start
    context.close()
    return 1000 * elapsed


def floor() -> AbstractContextManager[Server]:
    """Run the floor: an app of Streamlit's alone with one slider and one number."""
    return running(["tests/bench/floor_app.py" if part == "dashboard" else part for part in PLAIN])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="one round in place of three")
    rounds = range(1 if parser.parse_args().quick else 3)
    with sync_playwright() as playwright, floor() as base, serve() as app, serve("tests/bench/empty_app.py") as empty:
        browser = launch(playwright)
        urls = {"floor": base.url} | {name: f"{app}/{page.link}" for name, page in PAGES.items()}
        drags: dict[str, list[tuple[float, float]]] = {name: [] for name in urls}
        keys: dict[str, list[float]] = {name: [] for name in urls}
        holds: dict[str, list[tuple[float, float]]] = {"floor": [], "8x16": []}
        for _ in rounds:
            for name, url in urls.items():
                if name == "floor" or PAGES[name].frames:
                    drags[name].append(dragged(browser, url))
                if name in holds:
                    holds[name].append(held(browser, url))
                keys[name] += key_to_paint(browser, url)
        for what, found in (("dragged", drags), ("held key", holds)):
            rate = statistics.median(frames for frames, _ in found["floor"])
            print(f"{what}: the floor draws {rate:.1f} distinct frames/s")
            for name in (name for name in found if name != "floor" and found[name]):
                frames, late = (statistics.median(column) for column in zip(*found[name]))
                print(
                    f"  {name:>10}  {frames:5.1f}/s  {frames / rate:4.2f}x  (target {PAGES[name].frames}x), the last "
                    f"{late:.0f} ms after the last move  (target 120)"
                )
        fastest = statistics.median(keys["floor"])
        print(f"key to paint: the floor takes {fastest:.0f} ms")
        for name, page in PAGES.items():
            took = statistics.median(keys[name])
            print(f"  {name:>10}  {took:5.0f} ms  {took / fastest:4.2f}x  (target {page.key}x)")
        sizes = [
            time
            for _ in rounds
            for time in key_to_paint(browser, f"{app}/{SHAPES}", "spinbutton", SHAPES_FIELD, "ArrowUp")
        ]
        took = statistics.median(sizes)
        print(
            f"  {'shapes':>10}  {took:5.0f} ms  {took / fastest:4.2f}x  (target {SHAPES_TARGET}x), a size that is changed"
        )
        loads = [
            (cold_load(browser, empty, "[data-testid=stText]"), cold_load(browser, app, ".picture canvas"))
            for _ in range(LOADS)
        ]
        bare, full = (statistics.median(column) for column in zip(*loads))
        print(f"cold load: {full:.0f} ms, {full / bare:.2f}x an empty app's {bare:.0f} ms  (target 1.3x)")
        browser.close()


if __name__ == "__main__":
    main()
