"""How live the pages are, as ratios to an empty app on the same machine in the same run.

    python -m tests.bench.latency

Key to paint: an arrow key on the slider of the weights' scale, until the frame after the last change in the
main section or in the picture; not what follows once the dial has been left. Everything that is drawn changes with
it. The median of all presses.
Held key: the arrow key repeats 30 times a second for 3 s; distinct frames, and how long after the release
the last key's numbers are on the screen. Cold load: a new browser context, until the script has come to rest
and its last element is drawn.
"""

import statistics
import time

from playwright.sync_api import Browser, Page, sync_playwright

from tests.live import at_rest, await_picture, launch, serve

PRESSES, ROUNDS, LOADS, HOLDS = 10, 3, 5, 5
SIZES = {
    "3x5": (3, 2, 3),
    "8x16": (8, 8, 8),
    "64x128": (64, 64, 64),
    "256x512": (256, 256, 256),
    "512x1024": (512, 512, 512),
}
# Other pages, with all that they draw.
PAGES = {
    "LSTM 8/8/8": "lstm?init=normal&m=8&n=8&k=8",
    "sequence": "sequence?init=normal&m=16&n=16&k=16&T=64&cell=LSTM",
    "gradients": "gradients?init=normal&m=16&n=16&k=16&T=64",
}
TARGETS = {"3x5": 2.5, "8x16": 2.5, "64x128": 2.5, "256x512": 3.0, "512x1024": 3.5}
TARGETS |= {"LSTM 8/8/8": 3.0, "sequence": 3.0, "gradients": 4.0}
SLIDER = "input[type=range][aria-label='Scale of the weights']"

# A dial is left 300 ms after the last key, and then the whole page runs.
WATCH = """() => {
    const painted = () => requestAnimationFrame(() => setTimeout(() => {
        const now = performance.now()
        if (!(window.painted > window.pressed) || now - window.painted < 250) window.painted = now
    }))
    const watcher = new MutationObserver(painted)
    const all = { subtree: true, childList: true, characterData: true, attributes: true }
    const main = document.querySelector('[data-testid=stMain]')
    watcher.observe(main, all)
    for (const { shadowRoot } of main.querySelectorAll('*')) {
        if (shadowRoot && !shadowRoot.querySelector('.dials')) watcher.observe(shadowRoot, all)
    }
    addEventListener('keydown', () => { window.pressed = performance.now() }, true)
}"""

COUNT_FRAMES = """() => {
    const root = [...document.querySelectorAll('*')].find((element) => element.shadowRoot?.querySelector('.picture')).shadowRoot
    const text = root.querySelector('p')
    window.frames_seen = []
    const tick = () => {
        if (text.textContent !== window.frames_seen.at(-1)?.text) {
            window.frames_seen.push({ text: text.textContent, at: performance.now() })
        }
        requestAnimationFrame(tick)
    }
    tick()
    addEventListener('keyup', () => { window.released = performance.now() }, true)
}"""


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(url)
    page.wait_for_selector(SLIDER, state="attached")
    at_rest(page)
    page.wait_for_timeout(2000)
    page.locator(SLIDER).focus()
    return page


def key_to_paint(browser: Browser, url: str) -> list[float]:
    page = open_page(browser, url)
    page.evaluate(WATCH)
    times = []
    for _ in range(PRESSES + 1):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(1000)
        times.append(page.evaluate("window.painted - window.pressed"))
    page.close()
    return times[1:]


def hold_key(browser: Browser, url: str) -> tuple[float, float]:
    page = open_page(browser, url)
    page.evaluate(COUNT_FRAMES)
    page.wait_for_timeout(300)
    start, presses = time.perf_counter(), 0
    while time.perf_counter() - start < 3:
        page.keyboard.down("ArrowRight")
        presses += 1
        time.sleep(max(0, start + presses / 30 - time.perf_counter()))
    page.keyboard.up("ArrowRight")
    page.wait_for_timeout(1500)
    frames, released = page.evaluate("[window.frames_seen, window.released]")
    page.close()
    drawn = [frame["at"] for frame in frames[1:]]
    return sum(at <= released for at in drawn) / 3, max(0.0, drawn[-1] - released)


def cold_load(browser: Browser, url: str, drawn) -> float:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(url)
    drawn(page)
    elapsed = time.perf_counter() - start
    context.close()
    return 1000 * elapsed


def text_drawn(page: Page) -> None:
    page.locator("[data-testid=stText]").wait_for()
    at_rest(page)


def main() -> None:
    with sync_playwright() as playwright, serve("tests/bench/empty_app.py") as empty, serve() as dashboard:
        browser = launch(playwright)
        urls = {"empty": empty}
        for name, (m, n, k) in SIZES.items():
            urls[name] = f"{dashboard}/?init=normal&m={m}&n={n}&k={k}"
        urls |= {name: f"{dashboard}/{link}" for name, link in PAGES.items()}
        times: dict[str, list[float]] = {name: [] for name in urls}
        for _ in range(ROUNDS):
            for name, url in urls.items():
                times[name] += key_to_paint(browser, url)
        base = statistics.median(times["empty"])
        print(f"key to paint: an empty rerun takes {base:.0f} ms")
        for name, target in TARGETS.items():
            median = statistics.median(times[name])
            print(f"  {name:>10}  {median:5.0f} ms  {median / base:4.2f}x  (target {target}x)")

        loads = [
            (cold_load(browser, empty, text_drawn), cold_load(browser, dashboard, await_picture)) for _ in range(LOADS)
        ]
        bare, full = (statistics.median(column) for column in zip(*loads))
        print(f"cold load: {full:.0f} ms, {full / bare:.2f}x an empty app's {bare:.0f} ms  (target 2.5x)")

        held = [hold_key(browser, urls["8x16"]) for _ in range(HOLDS)]
        rates, lags = zip(*held)
        print(
            f"held key at 8x16: {statistics.median(rates):.1f} frames/s  (target 15), from {min(rates):.1f} to {max(rates):.1f}"
        )
        print(
            f"  the last key's numbers {statistics.median(lags):.0f} ms after its release  (target 150), at most {max(lags):.0f}"
        )
        browser.close()


if __name__ == "__main__":
    main()
