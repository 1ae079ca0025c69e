"""Gains of gradients through time from a few random directions, so that the cost grows with the steps and not with their square.

A probe is a gradient with respect to the state at some step. Each step back multiplies it by the transposed Jacobian of that
step, and its gain is its norm divided by the norm that it started with.
"""

from typing import Any

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array
from core.cells.gru.forward import GRUParams, GRUStep
from core.cells.lstm.forward import LSTMParams, LSTMStep
from core.cells.rnn import RNNParams, RNNStep
from core.concatenation import split_columns

# The fractions of the sequence after whose steps probes start, and how many start there.
ENDS, PROBES = (1.0, 0.75, 0.5), 4
# The gain at which a gradient counts as gone in the horizon.
HORIZON = 0.1


def step_back(params: Any, step: Any, v: Array, reset_before: bool = False) -> Array:
    """Return J^T v: the gradient with respect to the state before a step, from that with respect to the state after it.

    Parameters
    ----------
    params : RNNParams, LSTMParams or GRUParams
    step : RNNStep, LSTMStep or GRUStep
        One step with B = 1.
    v : ndarray of shape (q, P)
        P gradients, each with the entries of h, and in an LSTM those of c below them.
    reset_before : bool
        Whether the reset gate of a GRU acts before the product.

    Returns
    -------
    ndarray of shape (q, P)
    """
    if isinstance(params, LSTMParams):
        return _lstm(params, step, v)
    if isinstance(params, GRUParams):
        return _gru(params, step, v, reset_before)
    return _rnn(params, step, v)


def _rnn(params: RNNParams, step: RNNStep, v: Array) -> Array:
    return params.W_hh.T @ (step.dg_z_t * v)


def _lstm(params: LSTMParams, step: LSTMStep, v: Array) -> Array:
    k = params.k
    by_h, by_c = v[:k], v[k:]
    by_c = by_c + by_h * step.o_t * tanh.df(step.c_t)
    by_z = np.concatenate(
        [
            by_c * (step.c_prev * sigmoid.df(step.z_f)),
            by_c * (step.c_tilde * sigmoid.df(step.z_i)),
            by_c * (step.i_t * tanh.df(step.z_c)),
            by_h * (step.tanh_c_t * sigmoid.df(step.z_o)),
        ]
    )
    W_h, _ = split_columns(params.W, k, params.order)
    # In this order the rows of W_h are read as they are stored, which takes half the time.
    return np.concatenate([(by_z.T @ W_h).T, by_c * step.f_t])


def _gru(params: GRUParams, step: GRUStep, v: Array, reset_before: bool) -> Array:
    W_rh, W_uh = (split_columns(W, params.k, params.order)[0] for W in (params.W_r, params.W_u))
    by_u = v * ((step.h_prev - step.h_tilde) * sigmoid.df(step.z_u))
    by_z = v * ((1 - step.u_t) * tanh.df(step.z_h))
    kept = v * step.u_t + W_uh.T @ by_u
    if reset_before:
        by_r_h = params.W_hh.T @ by_z
        return kept + step.r_t * by_r_h + W_rh.T @ (by_r_h * (step.h_prev * sigmoid.df(step.z_r)))
    by_r = by_z * (step.W_hh_h * sigmoid.df(step.z_r))
    return kept + params.W_hh.T @ (step.r_t * by_z) + W_rh.T @ by_r


def log_gains(params: Any, trace: Any, reset_before: bool = False) -> Array:
    """Return the gain of each probe by distance, as a decimal logarithm.

    Parameters
    ----------
    params, trace
        Of a cell; the first sequence of the trace counts.

    Returns
    -------
    ndarray of shape (T, probes)
        Row d is d steps back, 0 in the first row; NaN beyond the start of the sequence, and -inf where nothing comes back.
    """
    T, k = trace.h_t.shape[:2]
    q = 2 * k if isinstance(params, LSTMParams) else k
    ends = sorted({max(1, round(part * T)) for part in ENDS}, reverse=True)
    v = np.random.default_rng(0).standard_normal((q, len(ends) * PROBES))
    v /= np.linalg.norm(v, axis=0)
    scale = np.zeros(v.shape[1])
    logs = np.full((T, v.shape[1]), np.nan)
    logs[0] = 0
    for t in range(T, 0, -1):
        active = PROBES * sum(end >= t for end in ends)
        if t == 1:
            break
        step = type(trace)(*(symbol[t - 1, :, :1] for symbol in trace))
        v[:, :active] = step_back(params, step, v[:, :active], reset_before)
        norms = np.linalg.norm(v[:, :active], axis=0)
        with np.errstate(divide="ignore"):
            scale[:active] += np.log10(norms)
        # Each probe starts anew with norm 1, so that no product overflows.
        v[:, :active] /= np.where(norms > 0, norms, 1)
        for at, end in enumerate(ends):
            if end >= t:
                columns = slice(at * PROBES, (at + 1) * PROBES)
                logs[end - t + 1, columns] = scale[columns]
    return logs


def horizon(logs: Array) -> int:
    """Return the largest distance over which the median gain is at least HORIZON.

    Parameters
    ----------
    logs : ndarray of shape (T, probes)
        From `log_gains`.
    """
    medians = median_gains(logs)
    return int(np.flatnonzero(medians >= np.log10(HORIZON)).max(initial=0))


def median_gains(logs: Array) -> Array:
    """Return the median gain over the probes that reach a distance, as a decimal logarithm, of shape (T,)."""
    finite = [row[~np.isnan(row)] for row in logs]
    return np.array([np.median(row) if len(row) else np.nan for row in finite])
