"""Any cell over a sequence."""

from typing import Any

import numpy as np

from core.arrays import Array, expect_recurrence, expect_shape
from core.cells import Cell

# Far beyond any use, and still exact enough as float32.
LARGEST = 1e30


def unroll(cell: Cell, params: Any, state: Any, xs: Array) -> Any:
    """Take a step for each entry of a sequence, each from the state that the last one led to.

    Parameters
    ----------
    cell : Cell
        A module of CELLS.
    params : RNNParams, LSTMParams or GRUParams
    state : RNNState, LSTMState or GRUState
        Before the first step.
    xs : ndarray of shape (T, m, B)
        The inputs, T at least 1.

    Returns
    -------
    RNNStep, LSTMStep or GRUStep
        Each field with a leading time axis.

    Raises
    ------
    ValueError
        If there is no step, if k != n, or if the first step would raise.
    """
    expect_shape("xs", xs, "(T, m, B)", ("T", "m", "B"))
    if not len(xs):
        raise ValueError("xs must have T >= 1 steps, got none: give it at least one input.")
    first = cell.step(params, state, xs[0])
    expect_recurrence(first.h_t, first.h_prev)
    with np.errstate(over="ignore", invalid="ignore"):
        return cell.trace(params, state, xs)


def bounded_steps(trace: Any) -> tuple[Any, int]:
    """The steps before the first with a number beyond LARGEST.

    Parameters
    ----------
    trace : RNNStep, LSTMStep or GRUStep
        From `unroll`.

    Returns
    -------
    trace : of the same type
    T : int
        How many steps it has.
    """
    T = min(_bounded(symbol) for symbol in trace)
    return first_steps(trace, T), T


def first_steps(trace: Any, T: int) -> Any:
    """The first T steps of a trace.

    Parameters
    ----------
    trace : RNNStep, LSTMStep or GRUStep
        From `unroll`.
    T : int

    Returns
    -------
    trace : of the same type
    """
    return type(trace)(*(symbol[:T] for symbol in trace))


def _bounded(symbol: Array) -> int:
    if np.abs(symbol).max() <= LARGEST:
        return len(symbol)
    return int((~(np.abs(symbol) <= LARGEST)).any(axis=(1, 2)).argmax())
