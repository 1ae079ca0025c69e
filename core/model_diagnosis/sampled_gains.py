"""Gains of gradients through time from a few random directions, so that the cost grows with the steps and not with their square.

A sample is a random gradient with respect to the state at some step. Each step back multiplies it by the transposed Jacobian of
that step, and its gain is its norm divided by the norm that it started with.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.cells.protocol import Cell

# The fractions of the sequence after whose steps samples start, and how many start there.
ENDS, SAMPLES_PER_END = (1.0, 0.75, 0.5), 4
# The gain at which a gradient counts as gone in the horizon.
HORIZON = 0.1
STEPS_OF_PROGRESS = 16
# Receives the fraction that is done of a computation.
ReportFraction = Callable[[float], None]


def ignore_progress(*progress: object) -> None:
    """Take a progress that nobody looks at."""


class SampledGains(NamedTuple):
    """The gains of all samples, and the largest one.

    Attributes
    ----------
    logs : ndarray of shape (T, samples)
        Row d is d steps back, 0 in the first row; NaN beyond the start of the sequence, and -inf where nothing comes back. As
        decimal logarithms.
    largest : float
        The largest of them.
    steps : tuple of int
        The steps before and after it, counted from 1.
    direction : ndarray of shape (k,)
        The part of each unit in that gradient: the norm of its entries of the state, with a sum of squares of 1.
    """

    logs: Array
    largest: float
    steps: tuple[int, int]
    direction: Array


def step_back(cell: Cell, params: Any, step: Any, v: Array) -> Array:
    """Return J^T v: the gradient with respect to the state before a step, from that with respect to the state after it.

    Parameters
    ----------
    cell : module
    params, step
        Of the cell; one step with B = 1.
    v : ndarray of shape (q, P)
        P gradients, each with the entries of the state in the order of the cell.

    Returns
    -------
    ndarray of shape (q, P)
    """
    own = getattr(cell, "step_back", None)
    back: Array = own(params, step, v) if own else cell.jacobian(params, step).T @ v
    return back


def sample_gains(cell: Cell, params: Any, trace: Any, progress: ReportFraction = ignore_progress) -> SampledGains:
    """Return the gain of each sample by distance.

    Parameters
    ----------
    cell : module
    params, trace
        Of the cell; the first sequence of the trace counts.
    progress : callable, optional
        Receives the fraction of the steps that is done, every few steps.
    """
    T, k = trace.h_t.shape[:2]
    parts = len(cell.next_state(type(trace)(*(symbol[-1] for symbol in trace))))
    ends = sorted({max(1, round(part * T)) for part in ENDS}, reverse=True)
    v = np.random.default_rng(0).standard_normal((parts * k, len(ends) * SAMPLES_PER_END))
    v /= np.linalg.norm(v, axis=0)
    scale = np.zeros(v.shape[1])
    logs = np.full((T, v.shape[1]), np.nan)
    logs[0] = 0
    largest, steps, direction = 0.0, (T, T), v[:, 0]
    for t in range(T, 1, -1):
        if t % STEPS_OF_PROGRESS == 0:
            progress(1 - t / T)
        active = SAMPLES_PER_END * sum(end >= t for end in ends)
        step = type(trace)(*(symbol[t - 1, :, :1] for symbol in trace))
        v[:, :active] = step_back(cell, params, step, v[:, :active])
        norms = np.linalg.norm(v[:, :active], axis=0)
        with np.errstate(divide="ignore"):
            scale[:active] += np.log10(norms)
        # Each sample starts anew with norm 1, so that no product overflows.
        v[:, :active] /= np.where(norms > 0, norms, 1)
        for at, end in enumerate(ends):
            if end >= t:
                columns = slice(at * SAMPLES_PER_END, (at + 1) * SAMPLES_PER_END)
                logs[end - t + 1, columns] = scale[columns]
        at = int(np.argmax(scale[:active]))
        if scale[at] > largest:
            largest, steps, direction = float(scale[at]), (t - 1, ends[at // SAMPLES_PER_END]), v[:, at].copy()
    return SampledGains(logs, largest, steps, np.linalg.norm(direction.reshape(parts, k), axis=0))


def horizon(logs: Array, least: float = HORIZON) -> int:
    """Return the largest distance over which the median gain is at least `least`.

    Parameters
    ----------
    logs : ndarray of shape (T, samples)
        From `sample_gains`.
    least : float
        Above 0.
    """
    return int(np.flatnonzero(median_gains(logs) >= np.log10(least)).max(initial=0))


def median_gains(logs: Array) -> Array:
    """Return the median gain over the samples that reach a distance, as a decimal logarithm, of shape (T,)."""
    finite = [row[~np.isnan(row)] for row in logs]
    return np.array([np.median(row) if len(row) else np.nan for row in finite])


def largest_gains(logs: Array) -> Array:
    """Return the largest gain of the samples that reach a distance, as a decimal logarithm, of shape (T,)."""
    return np.nanmax(logs, axis=1, initial=-np.inf)
