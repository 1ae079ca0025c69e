"""How many readers one server holds: real sessions over websockets, in Streamlit's own protocol.

    python -m tests.bench.load [--plain] [--soak | --heavy]

First one session alone: how long a change takes, and how much of the processor, beside a floor (see latency.py). Then a class:
each session opens the hidden-state page, and then drags the slider of the weights' scale and thinks, in turn. Each fourth time it
releases the slider, which changes the URL. A change is answered when the picture has arrived, or after a release the whole page. The server is
`python -m dashboard`, or with --plain `streamlit run dashboard`; it has one process, and this one takes its share
of the same cores. --soak opens 2000 sessions one after the other, some at a time, and reports the memory. --heavy opens the
dearest link 30 times at once, and drags a slider of another reader meanwhile.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import cycle, product
from pathlib import Path
from urllib.parse import urlencode

import websockets
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.bench.latency import floor
from tests.client import Session, ShownError, connect, status
from tests.live import DASHBOARD, PLAIN, Server, running

# Sessions, seconds to think between two changes, seconds to measure, and the target for 95 % of the changes, in times of that of
# one session alone.
CLASSES = ((30, 3.0, 30.0, 2), (300, 10.0, 60.0, 4))
ALONE = 500
# What a session does, in any order.
Change = Callable[[Session], Awaitable[float]]
CHANGES: tuple[Change, ...] = (Session.move, Session.move, Session.move, Session.let_go)
HEAVY, READERS = urlencode({"m": 512, "n": 512, "k": 512, "T": 512, "init": "normal"}), 30
SOAKED, AT_ONCE = 2000, 20


async def learner(
    server: Server,
    some: Sequence[Change],
    think: float,
    until: float,
    times: list[tuple[float, float]],
    errors: list[str],
) -> None:
    await asyncio.sleep(random.uniform(0, think))
    try:
        async with connect(server) as socket:
            session = Session(socket)
            await session.rerun()
            for change in cycle(random.sample(some, len(some))):
                if time.perf_counter() > until:
                    break
                await asyncio.sleep(random.uniform(0.5, 1.5) * think)
                times.append((time.perf_counter(), await change(session)))
            await session.hang_up()
    except (OSError, websockets.WebSocketException, ShownError) as error:
        errors.append(repr(error))


async def watch(server: Server, most: Counter) -> None:
    """The most memory and threads that the server has while its readers are there."""
    while True:
        most |= Counter(status(server))
        await asyncio.sleep(0.5)


async def lesson(
    server: Server, some: Sequence[Change], count: int, think: float, seconds: float
) -> tuple[list[float], list[str], Counter]:
    """So many learners at once, each with some changes in turn; what the first of them wait while the others are still coming does not count."""
    times, errors = [], []
    settled = time.perf_counter() + 2 * think
    until = settled + seconds
    most: Counter = Counter()
    watching = asyncio.create_task(watch(server, most))
    await asyncio.gather(*(learner(server, some, think, until, times, errors) for _ in range(count)))
    watching.cancel()
    return [took for at, took in times if at > settled], errors, most


async def alone(server: Server, change: Change, shown: str = "cellscope_picture") -> tuple[list[float], float]:
    """The milliseconds that each of many changes takes, and those of the processor for one of them."""
    async with connect(server) as socket:
        session = Session(socket, shown=shown)
        await session.rerun()
        before = processor_time(server)
        times = [await change(session) for _ in range(ALONE)]
        used = processor_time(server) - before
        await session.hang_up()
        return times, used / ALONE


async def move_floor(session: Session) -> float:
    """Move the slider of the floor, and give the milliseconds until that is answered."""
    slider = session.components["floor_slider"]
    value = json.dumps({"value": str(random.randint(0, 400))})
    start = time.perf_counter()
    session.said[slider.id] = WidgetState(id=slider.id, json_value=value)
    await session.rerun()
    return 1000 * (time.perf_counter() - start)


def processor_time(server: Server) -> float:
    """What a server has used, user and system, in milliseconds."""
    parts = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * sum(map(int, parts[11:13])) / os.sysconf("SC_CLK_TCK")


async def heavy(server: Server) -> None:
    async def read() -> float:
        async with connect(server) as socket:
            await Session(socket, "gradients", HEAVY).rerun()
        return time.perf_counter()

    async def drag(session: Session, until: Callable[[], bool]) -> list[float]:
        times = []
        while not until():
            await asyncio.sleep(0.2)
            times.append(await session.move())
        await session.hang_up()
        return times

    async with connect(server) as socket:
        session = Session(socket)
        await session.rerun()
        start = time.perf_counter()
        idle = await drag(session, lambda: time.perf_counter() > start + 8)
        start, before = time.perf_counter(), status(server)["MB"]
        reading = asyncio.gather(*(read() for _ in range(READERS)))
        meanwhile = await drag(session, reading.done)
        print(
            f"{READERS} heavy readers at once: all after {max(await reading) - start:.0f} s  (target 45), "
            f"{status(server)['most MB'] - before:+.0f} MB at the most from {before:.0f} MB"
        )
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            took, alone = quantile(meanwhile, share), quantile(idle, share)
            print(
                f"another reader's dial: {name} {took:.0f} ms, {took / alone:.1f}x its own idle {alone:.0f} ms  (target 5x)"
            )


async def soak(server: Server, count: int) -> None:
    async def visit(gate: asyncio.Semaphore) -> None:
        async with gate, connect(server) as socket:
            session = Session(socket)
            await session.rerun()
            await session.move()
            await session.hang_up()

    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(visit(gate) for _ in range(count)))


def quantile(times: list[float], share: float) -> float:
    return statistics.quantiles(times, n=100)[round(100 * share) - 1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true", help="measure `streamlit run dashboard`")
    parser.add_argument("--heavy", action="store_true", help="measure 30 readers of the dearest link")
    parser.add_argument("--soak", action="store_true", help="measure the memory of 2000 sessions")
    options = parser.parse_args()
    with running(PLAIN if options.plain else DASHBOARD) as server:
        if options.soak:
            asyncio.run(soak(server, 200))
            before = status(server)["MB"]
            for _ in range(4):
                asyncio.run(soak(server, SOAKED // 4))
                print(f"  {status(server)['MB']:.0f} MB")
            print(f"{SOAKED} sessions: {status(server)['MB'] - before:+.1f} MB from {before:.0f} MB  (target +10)")
            return
        if options.heavy:
            return asyncio.run(heavy(server))
        with floor() as bare:
            _, base = asyncio.run(alone(bare, move_floor, shown="floor_slider"))
        times_alone = {}
        for change in (Session.move, Session.let_go):
            times_alone[change], cost = asyncio.run(alone(server, change))
            p50, p95 = (quantile(times_alone[change], share) for share in (0.5, 0.95))
            print(
                f"one session alone, {change.__name__}: p50 {p50:.1f}, p95 {p95:.1f} ms; {cost:.1f} ms of the processor, {cost / base:.2f}x that "
                f"of a move of the floor, {base:.1f} ms  (target of a move 3x)"
            )
        for (count, think, seconds, target), some in product(CLASSES, ((Session.move,), CHANGES)):
            single = quantile([took for change in some for took in times_alone[change]], 0.95)
            times, errors, most = asyncio.run(lesson(server, some, count, think, seconds))
            p50, p95, p99 = (quantile(times, share) for share in (0.5, 0.95, 0.99))
            print(
                f"{count} sessions, {think:g} s to think, {'drags alone' if len(some) == 1 else 'a fourth are releases'}: p50 {p50:.0f}, "
                f"p95 {p95:.0f}, p99 {p99:.0f} ms, p95 {p95 / single:.1f}x that of one alone  (target {target}x); "
                f"{len(times)} changes, {len(errors)} errors, at most {most['MB']:.0f} MB and {most['threads']} threads"
            )
            for error in errors[:3]:
                print(f"  {error}")


if __name__ == "__main__":
    main()
