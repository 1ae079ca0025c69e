"""The LSTM backwards: its Jacobian, and the exact gradients through time."""

from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array, expect_finite
from core.cells.lstm.description import GATE_PROBABILITIES, GATES
from core.cells.lstm.forward import LSTMParams, LSTMState, LSTMStep
from core.cells.products import (
    expect_trace,
    in_blocks,
    products_over_time,
    sums_of_outer_products,
    sums_over_time,
)
from core.concatenation import back_to_stack, split_columns, split_rows


def jacobian(params: LSTMParams, step: LSTMStep) -> Array:
    """Return the exact derivatives of (h_t, c_t) with respect to (h_{t-1}, c_{t-1}), for one sequence.

    Parameters
    ----------
    step : LSTMStep
        A step of these parameters with B = 1, without stochastic gates, or a trace of such steps.

    Returns
    -------
    ndarray of shape (2 k, n + k), or (T, 2 k, n + k) of a trace
        Entry i, j is the derivative of entry i of h_t over c_t by entry j of h_{t-1} over c_{t-1}.

    Raises
    ------
    ValueError
        If a pre-activation or c_t is not finite.
    """
    for gate in GATES:
        expect_finite(f"z_{gate}", getattr(step, f"z_{gate}"))
    expect_finite("c_t", step.c_t)
    n = step.h_prev.shape[-2]
    W_fh, W_ih, W_ch, W_oh = (split_columns(getattr(params, f"W_{gate}"), n, params.order)[0] for gate in GATES)
    c_by_c = step.f_t * np.eye(params.k)
    c_by_h = (
        step.c_prev * sigmoid.df(step.z_f) * W_fh
        + step.c_tilde * sigmoid.df(step.z_i) * W_ih
        + step.i_t * tanh.df(step.z_c) * W_ch
    )
    h_by_c_t = step.o_t * tanh.df(step.c_t)
    h_by_h = step.tanh_c_t * sigmoid.df(step.z_o) * W_oh + h_by_c_t * c_by_h
    h_by_c = h_by_c_t * c_by_c
    return np.concatenate(
        [np.concatenate([h_by_h, h_by_c], axis=-1), np.concatenate([c_by_h, c_by_c], axis=-1)], axis=-2
    )


def step_back(params: LSTMParams, step: LSTMStep, v: Array) -> Array:
    """Return J^T v as `Cell` says; the entries of c stand below those of h."""
    by_h, by_c = np.split(v, 2)
    by_c = by_c + by_h * step.o_t * tanh.df(step.c_t)
    by_z = np.concatenate(
        [
            by_c * (step.c_prev * sigmoid.df(step.z_f)),
            by_c * (step.c_tilde * sigmoid.df(step.z_i)),
            by_c * (step.i_t * tanh.df(step.z_c)),
            by_h * (step.tanh_c_t * sigmoid.df(step.z_o)),
        ]
    )
    W_h, _ = split_columns(params.W, params.k, params.order)
    # In this order the rows of W_h are read as they are stored, which takes half the time.
    return np.concatenate([(by_z.T @ W_h).T, by_c * step.f_t])


def direct_path(step: LSTMStep) -> Array:
    """Return the factor of c_{t-1} in c_t: the forget gate.

    Returns
    -------
    ndarray of shape (k, B), or (T, k, B) of a trace
    """
    return step.f_t


def wire_gradients(params: LSTMParams, step: LSTMStep) -> dict[str, Array]:
    """Return the gradient of the sum of h_t at each wire of the diagram, with nothing arriving at c_t from later steps.

    Parameters
    ----------
    step : LSTMStep
        A step of these parameters, without stochastic gates.

    Returns
    -------
    dict from str to ndarray
        By `Wire.gradient`, each in the shape of the wire's symbol.

    Raises
    ------
    ValueError
        As `deltas`.
    """
    _expect_derivatives(step)
    by_h = np.ones(step.h_t.shape)
    by_c = step.o_t * tanh.df(step.c_t)
    by_gate = {"f": by_c * step.c_prev, "i": by_c * step.c_tilde, "c": by_c * step.i_t, "o": by_h * step.tanh_c_t}
    by_stack = {
        gate: back_to_stack(getattr(params, f"W_{gate}"), by_gate[gate] * g.df(getattr(step, f"z_{gate}")))
        for gate, g in GATES.items()
    }
    stacked = sum(by_stack.values(), start=np.zeros(step.stacked.shape))
    by_h_prev, by_x = split_rows(stacked, len(step.h_prev), params.order)
    return {
        **{"c_prev": by_c * step.f_t, "h_prev": by_h_prev, "x_t": by_x, "stacked": stacked},
        **{f"stacked_{gate}": by_stack[gate] for gate in GATES},
        **{"f_t": by_gate["f"], "i_t": by_gate["i"], "c_tilde": by_gate["c"], "o_t": by_gate["o"]},
        **{"f_c": by_c, "i_c_tilde": by_c, "c_t": by_c, "c_t_next": np.zeros(by_c.shape)},
        **{"tanh_c_t": step.o_t, "h_t": by_h},
    }


def _expect_derivatives(step: LSTMStep) -> None:
    """Raise ValueError if a pre-activation or c_t is not finite, or if gates were drawn on or off."""
    for gate in GATES:
        expect_finite(f"z_{gate}", getattr(step, f"z_{gate}"))
    expect_finite("c_t", step.c_t)
    for gate, p in GATE_PROBABILITIES.items():
        if not np.array_equal(getattr(step, gate), getattr(step, p)):
            raise ValueError(
                f"{gate} must be its probability {p} to have a gradient, but its gates are sampled as 0 or 1. "
                "Use a trace without stochastic gates."
            )


class LSTMDeltas(NamedTuple):
    """The loss's derivatives with respect to the pre-activations of every step.

    Attributes
    ----------
    z_f, z_i, z_c, z_o : ndarray of shape (T, k, B)
    state : LSTMState
        With respect to the state before the first step.
    """

    z_f: Array
    z_i: Array
    z_c: Array
    z_o: Array
    state: LSTMState


class LSTMGradients(NamedTuple):
    """The loss's derivatives with respect to all that it depends on.

    Attributes
    ----------
    W_f, W_i, W_c, W_o, b_f, b_i, b_c, b_o : ndarray
        With respect to the parameters, each in its shape; summed over steps and columns.
    xs : ndarray of shape (T, m, B)
        With respect to the inputs.
    state : LSTMState
        With respect to the state before the first step.
    """

    W_f: Array
    W_i: Array
    W_c: Array
    W_o: Array
    b_f: Array
    b_i: Array
    b_c: Array
    b_o: Array
    xs: Array
    state: LSTMState


def deltas(params: LSTMParams, trace: LSTMStep, dh: Array) -> LSTMDeltas:
    r"""Go back through time as far as the pre-activations, exactly.

    .. math::
        \bar h_t &= dh_t + \sum_{a} W_{ah}^T δ^a_{t+1}, \quad a ∈ \{f, i, c, o\} \\
        \bar c_t &= \bar h_t ∘ o_t ∘ \tanh'(c_t) + f_{t+1} ∘ \bar c_{t+1} \\
        δ^f_t &= \bar c_t ∘ c_{t-1} ∘ σ'(z_f), \quad δ^i_t = \bar c_t ∘ \tilde c_t ∘ σ'(z_i) \\
        δ^c_t &= \bar c_t ∘ i_t ∘ \tanh'(z_c), \quad δ^o_t = \bar h_t ∘ \tanh(c_t) ∘ σ'(z_o)

    Parameters
    ----------
    trace : LSTMStep
        Of these parameters, with a leading time axis, without stochastic gates.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t alone, without what comes back to it from later steps.

    Returns
    -------
    LSTMDeltas
        Infinite or NaN where a gradient overflows.

    Raises
    ------
    ValueError
        If dh has not the shape of h_t, if k != n, if a pre-activation or c_t is not finite, or if gates were drawn
        on or off: such a jump has no derivative.
    """
    expect_trace(trace.h_t, trace.h_prev, dh)
    _expect_derivatives(trace)
    T, k, B = dh.shape
    by_z, slopes = np.empty((T, 4, k, B)), np.empty((T, 4, k, B))
    # In the order f, i, c, o: the first three are reached through c_t, the last one from h_t.
    np.multiply(in_blocks(sigmoid.df, trace.z_f), trace.c_prev, out=slopes[:, 0])
    np.multiply(in_blocks(sigmoid.df, trace.z_i), trace.c_tilde, out=slopes[:, 1])
    np.multiply(in_blocks(tanh.df, trace.z_c), trace.i_t, out=slopes[:, 2])
    np.multiply(in_blocks(sigmoid.df, trace.z_o), trace.tanh_c_t, out=slopes[:, 3])
    h_to_c = trace.o_t * in_blocks(tanh.df, trace.c_t)
    W_h_T = np.ascontiguousarray(split_columns(params.W, k, params.order)[0].T, dtype=np.float64)
    rows = by_z.reshape(T, 4 * k, B)
    by_h, by_c, through_h = (np.zeros((k, B)) for _ in range(3))
    with np.errstate(over="ignore", invalid="ignore"):
        for t in reversed(range(T)):
            np.add(dh[t], by_h, out=by_h)
            np.multiply(by_h, h_to_c[t], out=through_h)
            np.add(by_c, through_h, out=by_c)
            np.multiply(by_c, slopes[t, :3], out=by_z[t, :3])
            np.multiply(by_h, slopes[t, 3], out=by_z[t, 3])
            np.matmul(W_h_T, rows[t], out=by_h)
            np.multiply(by_c, trace.f_t[t], out=by_c)
    z_f, z_i, z_c, z_o = (by_z[:, gate] for gate in range(4))
    return LSTMDeltas(z_f, z_i, z_c, z_o, LSTMState(by_h, by_c))


def backward(params: LSTMParams, trace: LSTMStep, dh: Array) -> LSTMGradients:
    """Return the exact gradients of a loss that looks at h_t, by backpropagation through time.

    Parameters
    ----------
    trace : LSTMStep
        Of these parameters, from `unroll`.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t alone, without what comes back to it from later steps.

    Returns
    -------
    LSTMGradients
        Infinite or NaN where a gradient overflows.

    Raises
    ------
    ValueError
        As `deltas`.

    References
    ----------
    Graves and Schmidhuber, "Framewise phoneme classification with bidirectional LSTM and other neural network
    architectures", Neural Networks 18 (2005), appendix A: the exact gradient, where that of 1997 was cut short.
    """
    *by_z, state = deltas(params, trace, dh)
    rows = np.concatenate(by_z, axis=1)
    _, W_x = split_columns(params.W, params.k, params.order)
    with np.errstate(over="ignore", invalid="ignore"):
        W_f, W_i, W_c, W_o = np.split(sums_of_outer_products(rows, trace.stacked), 4)
        b_f, b_i, b_c, b_o = np.split(sums_over_time(rows), 4)
        xs = products_over_time(W_x.T, rows)
    return LSTMGradients(W_f, W_i, W_c, W_o, b_f, b_i, b_c, b_o, xs, state)
