"""Any cell over a sequence."""

from typing import Any

import numpy as np

from core.arrays import Array, expect_recurrence, expect_shape
from core.cells import Cell

# Far beyond any use, and still exact enough as float32.
OVERFLOW_LIMIT = 1e30


def unroll(cell: Cell, params: Any, state: Any, xs: Array) -> Any:
    """Take a step for each entry of a sequence, each from the state that the last one led to.

    Parameters
    ----------
    cell : Cell
        A module of CELLS.
    params, state
        Of this cell; the state is that before the first step.
    xs : ndarray of shape (T, m, B)
        The inputs, T at least 1.

    Returns
    -------
    NamedTuple
        The cell's step, each field with a leading time axis.

    Raises
    ------
    ValueError
        If there is no step, if k != n, or if the first step would raise.
    """
    expect_shape("xs", xs, "(T, m, B)", ("T", "m", "B"))
    if not len(xs):
        raise ValueError("xs has no steps. Give it at least one input.")
    first = cell.step(params, state, xs[0])
    expect_recurrence(first.h_t, first.h_prev)
    with np.errstate(over="ignore", invalid="ignore"):
        return cell.trace(params, state, xs) if hasattr(cell, "trace") else _step_by_step(cell, params, state, xs)


def _step_by_step(cell: Cell, params: Any, state: Any, xs: Array) -> Any:
    """Return the trace of a cell without a `trace` of its own."""
    steps = []
    for x_t in xs:
        steps.append(cell.step(params, state, x_t))
        state = cell.next_state(steps[-1])
    return type(steps[0])(*(np.stack(symbol) for symbol in zip(*steps)))


def bounded_steps(trace: Any) -> tuple[Any, int]:
    """Return the steps before the first with a number beyond OVERFLOW_LIMIT.

    Parameters
    ----------
    trace : NamedTuple
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
    """Return the first T steps of a trace.

    Parameters
    ----------
    trace : NamedTuple
        From `unroll`.

    Returns
    -------
    trace : of the same type
    """
    return type(trace)(*(symbol[:T] for symbol in trace))


def _bounded(symbol: Array) -> int:
    if np.abs(symbol).max() <= OVERFLOW_LIMIT:
        return len(symbol)
    return int((~(np.abs(symbol) <= OVERFLOW_LIMIT)).any(axis=(1, 2)).argmax())
