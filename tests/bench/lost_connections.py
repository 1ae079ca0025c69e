"""A class that loses its connections all at once, and comes back: real sessions over websockets.

    python -m tests.bench.lost_connections [--sessions 300]

Each session opens the hidden-state page with a cell of its own; then every connection is reset, and each must see what
it saw before. tests/browser/test_faults.py does the same with few of them and a browser.
"""

import argparse
import asyncio
import time

from tests.live import DASHBOARD, Server, running
from tests.lost_connections import Relay, lose_all


async def lose(server: Server, count: int) -> None:
    relay = Relay(server)
    await lose_all(await relay.listen(), relay, count)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", type=int, default=300)
    count = parser.parse_args().sessions
    with running(DASHBOARD) as server:
        start = time.perf_counter()
        asyncio.run(lose(server, count))
        print(f"{count} sessions opened, lost and opened again: {time.perf_counter() - start:.0f} s, all as before")


if __name__ == "__main__":
    main()
