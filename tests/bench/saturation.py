"""The saturation page at k = n = m = 32: the sweeps, the frames, and the slider of the scale.

    python -m tests.bench.saturation

Sweep: the server's time for both growth charts of all three initializers, with nothing kept from before; the
median of several. Frames: what they add to the page, in the browser's own format. Drag: the slider is dragged
back and forth for 3 s, and distinct painted frames are counted.
"""

import json
import math
import statistics
import time

from playwright.sync_api import Page, sync_playwright

from core import saturation
from core.activations import sigmoid
from tests.dashboard.page import Shown, open_link
from tests.live import await_picture, launch, serve

LINK = {"init": "normal", "m": "32", "n": "32", "k": "32"}
ROUNDS, SECONDS = 7, 3

COUNT = """() => {
    const root = [...document.querySelectorAll('*')].find((element) => element.shadowRoot?.querySelector('.picture')).shadowRoot
    const drawings = [...root.querySelectorAll('.drawing')]
    let last
    window.frames_seen = 0
    const tick = () => {
        const z = drawings.flatMap(({ blocks }) => blocks ?? []).find(({ symbol }) => symbol === 'z')?.numbers[0]
        if (z !== last) { last = z; window.frames_seen++ }
        requestAnimationFrame(tick)
    }
    tick()
}"""


def sweep() -> float:
    saturation.fresh_z.cache_clear()
    start = time.perf_counter()
    for init in ("normal", "glorot", "orthogonal"):
        saturation.growth_over_scale(init, 32, 32, 32, sigmoid, 0.05, 0)
        saturation.growth_over_fan_in(init, 32, 1.0, sigmoid, 0.05, 0)
    return 1000 * (time.perf_counter() - start)


def frames_size() -> int:
    picture = Shown(open_link("saturation", **LINK)).picture
    panels = picture["panels"]
    parts = [part for panel in panels for row in panel["rows"] for item in row for part in item.get("parts", [item])]
    frames = [part.get("frames") for part in (*picture["blocks"], *parts)]
    return len(json.dumps([frames, [panel["playback"] for panel in panels]]))


def frames_per_second(page: Page) -> float:
    page.evaluate(COUNT)
    slider = page.get_by_role("slider", name="Weight scale")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    before, start = page.evaluate("window.frames_seen"), time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS:
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.48 * math.sin(4 * elapsed)), middle)
    frames = page.evaluate("window.frames_seen") - before
    page.mouse.up()
    return frames / elapsed


def main() -> None:
    sweep()
    print(f"sweep: {statistics.median(sweep() for _ in range(ROUNDS)):.0f} ms  (target 300)")
    print(f"frames: {frames_size() / 1e6:.2f} MB  (target 1)")
    with sync_playwright() as playwright, serve() as dashboard:
        browser = launch(playwright)
        rates = []
        for _ in range(3):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"{dashboard}/saturation?" + "&".join(f"{name}={value}" for name, value in LINK.items()))
            await_picture(page)
            page.wait_for_timeout(1500)
            rates.append(frames_per_second(page))
            page.close()
        print(f"drag: {statistics.median(rates):.0f} frames/s, from {min(rates):.0f} to {max(rates):.0f}  (target 20)")
        browser.close()


if __name__ == "__main__":
    main()
