"""The page of training: how smoothly its recording is dragged, how soon a run shows itself, and what that costs another reader.

    python -m tests.bench.training_page

Dragged: the slider of a recording with k = 16 is moved 60 times a second for 3 s; the frames of the screen on which another update
stands than on the one before. First sign: from a change of a setup that takes half a minute to the first progress that comes,
without a browser. Meanwhile another reader drags a slider of the hidden state, beside its waits on the idle server.
"""

import asyncio
import statistics
import time
from collections.abc import Callable

from playwright.sync_api import Browser, sync_playwright

from tests.bench.latency import SECONDS, measured, open_page, paced
from tests.bench.load import quantile
from tests.client import Session, connect
from tests.live import DASHBOARD, Server, launch, running

FILM = "training?story=own&units=16&length=20&updates=50"
LONG = "story=own&units=32&length=100&updates={}"
TRAININGS, PAUSE = 5, 0.2


def frame_rate(browser: Browser, url: str) -> float:
    """Distinct frames a second."""
    page = open_page(browser, url, name="Update")
    box = page.get_by_role("slider", name="Update").bounding_box()
    y, left, width = box["y"] + box["height"] / 2, box["x"] + 0.05 * box["width"], 0.9 * box["width"]
    page.mouse.move(left, y)
    page.mouse.down()
    paced(lambda part: page.mouse.move(left + width * (1 - abs(2 * part - 1)), y))
    frames, _ = measured(page, wait=250)
    page.mouse.up()
    page.close()
    return frames


async def first_signs(server: Server) -> list[float]:
    """The milliseconds from each change of the setup to the first progress; the last training goes on to its end."""
    async with connect(server) as socket:
        session = Session(socket, "training", LONG.format(1))
        await session.rerun()
        took = []
        for training in range(TRAININGS):
            count = 600 - training
            start = time.perf_counter()
            await session.say_change(updates=f"{count}")
            await session.first(lambda element: f"of {count} updates" in element.progress.text)
            took.append(1000 * (time.perf_counter() - start))
            await asyncio.sleep(1)
        await session.answer()
    return took


async def beside(server: Server) -> tuple[list[float], list[float], list[float]]:
    """First signs, and the waits of another reader: on the idle server, and meanwhile."""

    async def drag(session: Session, until: Callable[[], bool]) -> list[float]:
        times = []
        while not until():
            await asyncio.sleep(PAUSE)
            times.append(await session.move())
        return times

    async with connect(server) as socket:
        session = Session(socket)
        await session.rerun()
        start = time.perf_counter()
        idle = await drag(session, lambda: time.perf_counter() > start + 8)
        training = asyncio.ensure_future(first_signs(server))
        meanwhile = await drag(session, training.done)
        return await training, idle, meanwhile


def main() -> None:
    with running(DASHBOARD) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        rates = [frame_rate(browser, f"{server.url}/{FILM}") for _ in range(3)]
        browser.close()
        print(f"dragged for {SECONDS} s: {statistics.median(rates):.1f} distinct frames/s")
    with running(DASHBOARD) as server:
        signs, idle, meanwhile = asyncio.run(beside(server))
        print(
            f"first sign of a run: median {statistics.median(signs):.0f} ms, at most {max(signs):.0f} ms  (target 100)"
        )
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            took, alone = quantile(meanwhile, share), quantile(idle, share)
            print(f"another reader's dial: {name} {took:.0f} ms, {took / alone:.1f}x its own idle {alone:.0f} ms")


if __name__ == "__main__":
    main()
