"""Ten thousand hostile runs of the app: links, values of widgets, events, edits and files.

    python -m tests.bench.hostile [--cases 10000]

A case is one run of the app after something was sent. A traceback, or a number that is none, ends the bench with the
shortest way to it.
"""

import argparse
import logging
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from tests.dashboard.hostile import ACTS, VIEWS, guarded_cells, session
from tests.dashboard.page import prepared


def sessions(path: str, count: int) -> tuple[int, float]:
    """Run so many sessions from one page on, and give the runs of the app and the seconds of the slowest session."""
    runs, slowest = 0, 0.0

    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def all_sessions(data):
        nonlocal runs, slowest
        start = time.perf_counter()
        runs += session(path, data.draw)
        slowest = max(slowest, time.perf_counter() - start)

    logging.disable()
    with prepared(), guarded_cells():
        all_sessions()
    return runs, slowest


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10_000)
    count = -(-parser.parse_args().cases // (len(VIEWS) * (1 + ACTS)))
    total = 0
    # A new process for each: a run of the app takes the place of its main module.
    with ProcessPoolExecutor(2, max_tasks_per_child=1) as pool:
        for path, (runs, slowest) in zip(VIEWS, pool.map(partial(sessions, count=count), VIEWS)):
            print(
                f"/{path}: {runs} cases, no traceback; the slowest session of {1 + ACTS} took {slowest:.1f} s",
                flush=True,
            )
            total += runs
    print(f"{total} cases, no traceback")


if __name__ == "__main__":
    main()
