"""How many readers one server holds: real sessions over websockets, in Streamlit's own protocol.

    python -m tests.bench.load [--plain] [--soak]

Each session opens the hidden-state page, and then drags the dial of the weights' scale and thinks, in turn; a
change is answered when the live part has finished and everything it sent has arrived. The server is
`python -m dashboard`, or with --plain `streamlit run dashboard`; it has one process, and this one takes its share
of the same cores. --soak opens 2000 sessions one after the other, some at a time, and reports the memory.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections import Counter

import websockets

from tests.client import Session, ShownError, connect, status
from tests.live import DASHBOARD, PLAIN, Server, running

# Sessions, seconds to think between two changes, seconds to measure, and the target for 95 % of the changes in ms.
CLASSES = ((30, 3.0, 30.0, 60), (300, 10.0, 60.0, 150))
BACK_TO_BACK = 100
SOAKED, AT_ONCE = 2000, 20


async def learner(
    server: Server, think: float, until: float, times: list[tuple[float, float]], errors: list[str]
) -> None:
    await asyncio.sleep(random.uniform(0, think))
    try:
        async with connect(server) as socket:
            session = Session(socket)
            await session.rerun()
            while time.perf_counter() < until:
                await asyncio.sleep(random.uniform(0.5, 1.5) * think)
                times.append((time.perf_counter(), await session.move()))
    except (OSError, websockets.WebSocketException, ShownError) as error:
        errors.append(repr(error))


async def watch(server: Server, most: Counter) -> None:
    """The most memory and threads that the server has while its readers are there."""
    while True:
        most |= Counter(status(server))
        await asyncio.sleep(0.5)


async def lesson(server: Server, count: int, think: float, seconds: float) -> tuple[list[float], list[str], Counter]:
    """So many learners at once; what the first of them wait while the others are still coming does not count."""
    times, errors = [], []
    settled = time.perf_counter() + 2 * think
    until = settled + seconds
    most: Counter = Counter()
    watching = asyncio.create_task(watch(server, most))
    await asyncio.gather(*(learner(server, think, until, times, errors) for _ in range(count)))
    watching.cancel()
    return [took for at, took in times if at > settled], errors, most


async def back_to_back(server: Server) -> float:
    async with connect(server) as socket:
        session = Session(socket)
        await session.rerun()
        return statistics.median([await session.move() for _ in range(BACK_TO_BACK)])


async def soak(server: Server, count: int) -> None:
    async def visit(gate: asyncio.Semaphore) -> None:
        async with gate, connect(server) as socket:
            session = Session(socket)
            await session.rerun()
            await session.move()

    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(visit(gate) for _ in range(count)))


def quantile(times: list[float], share: float) -> float:
    return statistics.quantiles(times, n=100)[round(100 * share) - 1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true", help="measure `streamlit run dashboard`")
    parser.add_argument("--soak", action="store_true", help="measure the memory of 2000 sessions")
    options = parser.parse_args()
    with running(DASHBOARD) as fast, running(PLAIN) as plain:
        medians = {name: asyncio.run(back_to_back(server)) for name, server in (("fast", fast), ("plain", plain))}
    print(
        f"back to back: {medians['fast']:.1f} ms a change, streamlit run {medians['plain']:.1f} ms: "
        f"{medians['fast'] / medians['plain']:.2f}x  (target 0.4x)"
    )
    with running(PLAIN if options.plain else DASHBOARD) as server:
        if options.soak:
            asyncio.run(soak(server, 200))
            before = status(server)["MB"]
            for _ in range(4):
                asyncio.run(soak(server, SOAKED // 4))
                print(f"  {status(server)['MB']:.0f} MB")
            print(f"{SOAKED} sessions: {status(server)['MB'] - before:+.1f} MB from {before:.0f} MB  (target +10)")
            return
        for count, think, seconds, target in CLASSES:
            times, errors, most = asyncio.run(lesson(server, count, think, seconds))
            p50, p95, p99 = (quantile(times, share) for share in (0.5, 0.95, 0.99))
            print(
                f"{count} sessions, {think:g} s to think: p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms  (target p95 {target}); "
                f"{len(times)} changes, {len(errors)} errors, at most {most['MB']:.0f} MB and {most['threads']} threads"
            )
            for error in errors[:3]:
                print(f"  {error}")


if __name__ == "__main__":
    main()
