"""How a server bears many readers: what it does once, and how their runs take turns."""

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import BoundedSemaphore, Lock, local

import streamlit as st

from dashboard.server import open_files
from dashboard.server.streamlit_internals import is_in_run, never_ask_for_own_address

# What pages import when they first run: the charts' libraries take longest.
MODULES = (
    "dashboard.controls.live_picture",
    "dashboard.controls.editor",
    "dashboard.controls.save_panel",
    "dashboard.drawing.figures",
    "dashboard.drawing.screen",
    "dashboard.controls.sidebar",
    "pandas",
)
# M_MMAP_THRESHOLD of glibc's malloc.h, and from how many bytes on memory goes back to the system when it is freed.
MMAP_THRESHOLD, LARGE = -3, 2**20
TURN = Lock()
# Of what NumPy computes at length, outside of Python's lock, there are two at a time: they keep two cores busy, and each takes up to 100 MB.
LONG = BoundedSemaphore(2)
# In seconds: a run that has waited this long for another one runs beside it. With quick runs, hardly any of 300 readers waits as long.
LONGEST_WAIT = 0.5
# In seconds: most quick runs are done by then, and where they never end a training of 500 updates takes 25 s longer.
LONGEST_PAUSE = 0.05


class TakesLong(Exception):
    """Raised before a long computation, in a thread that only draws what is quick."""


def end_unwanted_run() -> None:
    """End a run of the page if its reader has left or has changed something since; to be called in the run's own thread."""
    if is_in_run():
        st.session_state.get("run")  # Streamlit ends such a run wherever the run reads the session's state


class _Mine(local):
    """What holds for the run of one thread: whether it is under way, has the turn, may take long and is still wanted."""

    runs = False
    turn = False
    may_take_long = True
    expect_wanted: Callable[[], None] = staticmethod(end_unwanted_run)


_mine = _Mine()


@contextmanager
def turn(*, may_take_long: bool = True, expect_wanted: Callable[[], None] = end_unwanted_run) -> Iterator[None]:
    """Give a run its turn: runs end sooner one after the other than together, because they share Python's lock.

    Parameters
    ----------
    may_take_long : bool, optional
        If not, `aside` raises TakesLong in place of a long computation.
    expect_wanted : callable, optional
        Raises an error if nobody waits for the result any more. `aside` calls it before a long computation.
    """
    _mine.may_take_long, _mine.expect_wanted = may_take_long, expect_wanted
    _mine.runs, _mine.turn = True, TURN.acquire(timeout=LONGEST_WAIT)
    try:
        yield
    finally:
        _mine.runs, _mine.may_take_long, _mine.expect_wanted = False, True, end_unwanted_run
        _give_back()


@contextmanager
def aside(*, long: bool) -> Iterator[None]:
    """Where what a run computes may take long: others have their turns meanwhile, and of the long ones there are two at a time.

    Parameters
    ----------
    long : bool
        Whether it does take long now.

    Raises
    ------
    TakesLong
        If it takes long, and the turn was asked for what is quick.
    """
    if not long:
        yield
        return
    if not _mine.may_take_long:
        raise TakesLong
    with without_turn(), LONG:
        _mine.expect_wanted()
        yield


@contextmanager
def without_turn() -> Iterator[None]:
    """Where a run waits: others have their turns meanwhile."""
    _give_back()
    yield
    _mine.turn = _mine.runs and TURN.acquire(timeout=LONGEST_WAIT)


def give_way() -> None:
    """For what takes long, now and then: let the run that has the turn come to its end, or nearly so."""
    if TURN.acquire(timeout=LONGEST_PAUSE):
        TURN.release()


def _give_back() -> None:
    if _mine.turn:
        _mine.turn = False
        TURN.release()


@cache
def warm() -> None:
    """Prepare the process, import all that pages need, and keep what is then in memory out of every garbage collection."""
    open_files.raise_limit()
    never_ask_for_own_address()
    for name in MODULES:
        import_module(name)
    gc.collect()
    gc.freeze()
    _give_memory_back()


def sweep() -> None:
    """Let go of what a run with large arrays leaves behind.

    A page's functions and its arrays hold each other, and Python's collector does not know how large arrays are. The oldest
    generation, with all open sessions, is left out: of 300 it would take 100 ms.
    """
    gc.collect(1)


def _give_memory_back() -> None:
    """Left alone, glibc raises its threshold with each large array, and in the end keeps what they leave behind."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:
        mallopt(MMAP_THRESHOLD, LARGE)
