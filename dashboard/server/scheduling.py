"""Serve many readers: prepare the process once, and let one run of a page go after the other."""

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import BoundedSemaphore, Lock, local

import streamlit as st

from dashboard.server import open_file_limit
from dashboard.server.streamlit_internals import is_in_run, never_ask_for_own_address

# The modules that pages import when they first run. The libraries of the charts take longest.
MODULES = (
    "dashboard.controls.live_picture",
    "dashboard.controls.editor",
    "dashboard.controls.save_panel",
    "dashboard.drawing.plotly_charts",
    "dashboard.drawing.picture_component",
    "dashboard.controls.sidebar",
    "pandas",
)
# M_MMAP_THRESHOLD of glibc's malloc.h, and its value in bytes: larger blocks go back to the system when they are freed.
MMAP_THRESHOLD, LARGE_BLOCK = -3, 2**20
RUN_LOCK = Lock()
# At most two long computations run at once. NumPy runs them outside of Python's lock, so two keep two cores busy, and each takes up to 100 MB.
LONG_COMPUTATIONS = BoundedSemaphore(2)
# In seconds: a run that has waited this long for the lock of runs goes on without it. If runs are quick, hardly any of 300 readers waits as long.
LONGEST_WAIT = 0.5
# In seconds: most quick runs end sooner. If runs follow each other without end, a training of 500 updates takes 25 s longer.
LONGEST_PAUSE = 0.05


class TakesLong(Exception):
    """Raised before a long computation in a thread that may only draw quick pictures."""


def end_unwanted_run() -> None:
    """End the run of this thread if its reader has left, or has changed something since."""
    if is_in_run():
        st.session_state.get("run")  # Streamlit ends such a run when the run reads the session's state


class _ThreadState(local):
    """The state of the run of one thread: whether it is under way, has the lock of runs and may take long, and how to check that it is wanted."""

    runs = False
    has_lock = False
    may_take_long = True
    expect_wanted: Callable[[], None] = staticmethod(end_unwanted_run)


_of_thread = _ThreadState()


@contextmanager
def run_lock(*, may_take_long: bool = True, expect_wanted: Callable[[], None] = end_unwanted_run) -> Iterator[None]:
    """Hold the lock of runs. Runs share Python's lock, so they end sooner one after the other than together.

    Parameters
    ----------
    may_take_long : bool, optional
        If false, `heavy_compute` raises TakesLong instead of starting a long computation.
    expect_wanted : callable, optional
        Raises an error if nobody waits for the result anymore. `heavy_compute` calls it before a long computation.
    """
    _of_thread.may_take_long, _of_thread.expect_wanted = may_take_long, expect_wanted
    _of_thread.runs, _of_thread.has_lock = True, RUN_LOCK.acquire(timeout=LONGEST_WAIT)
    try:
        yield
    finally:
        _of_thread.runs, _of_thread.may_take_long, _of_thread.expect_wanted = False, True, end_unwanted_run
        _give_back()


@contextmanager
def heavy_compute(*, long: bool) -> Iterator[None]:
    """Release the lock of runs during a long computation. At most two long computations run at once.

    Parameters
    ----------
    long : bool
        Whether the computation takes long; if not, the run keeps the lock.

    Raises
    ------
    TakesLong
        If it takes long, and this run may not.
    """
    if not long:
        yield
        return
    if not _of_thread.may_take_long:
        raise TakesLong
    with released_run_lock(), LONG_COMPUTATIONS:
        _of_thread.expect_wanted()
        yield


@contextmanager
def released_run_lock() -> Iterator[None]:
    """Release the lock of runs while a run waits."""
    _give_back()
    yield
    _of_thread.has_lock = _of_thread.runs and RUN_LOCK.acquire(timeout=LONGEST_WAIT)


def yield_run_lock() -> None:
    """Pause a long computation until the run that has the lock ends, for at most LONGEST_PAUSE."""
    if RUN_LOCK.acquire(timeout=LONGEST_PAUSE):
        RUN_LOCK.release()


def _give_back() -> None:
    if _of_thread.has_lock:
        _of_thread.has_lock = False
        RUN_LOCK.release()


@cache
def warm() -> None:
    """Prepare the process: import all modules of the pages, and exclude the objects in memory from garbage collection."""
    open_file_limit.raise_limit()
    never_ask_for_own_address()
    for name in MODULES:
        import_module(name)
    gc.collect()
    gc.freeze()
    _give_memory_back()


def collect_garbage() -> None:
    """Free the large arrays of a run.

    A page's functions and its arrays form reference cycles, and Python's collector does not know how large arrays are. The oldest
    generation is left out: it has all open sessions, and collecting 300 of them takes 100 ms.
    """
    gc.collect(1)


def _give_memory_back() -> None:
    """Fix the threshold of glibc, which would raise it with each large array and finally keep all freed memory."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:
        mallopt(MMAP_THRESHOLD, LARGE_BLOCK)
