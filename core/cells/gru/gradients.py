"""The GRU backwards: its Jacobian, and the exact gradients through time."""

from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array, expect_finite
from core.cells.gru.forward import GRUParams, GRUState, GRUStep
from core.cells.products import (
    expect_trace,
    in_blocks,
    products_over_time,
    sums_of_outer_products,
    sums_over_time,
)
from core.concatenation import back_to_stack, split_columns, split_rows


def jacobian(params: GRUParams, step: GRUStep) -> Array:
    """Return the exact derivatives of h_t with respect to h_{t-1}, for one sequence.

    Parameters
    ----------
    step : GRUStep
        A step of these parameters with B = 1, or a trace of such steps.

    Returns
    -------
    ndarray of shape (k, k), or (T, k, k) of a trace
        Entry i, j is the derivative of entry i of h_t by entry j of h_{t-1}.

    Raises
    ------
    ValueError
        If a pre-activation is not finite.
    """
    for name in ("z_r", "z_u", "z_h"):
        expect_finite(name, getattr(step, name))
    W_rh, _ = split_columns(params.W_r, params.k, params.order)
    W_uh, _ = split_columns(params.W_u, params.k, params.order)
    by_u = (step.h_prev - step.h_tilde) * sigmoid.df(step.z_u)
    by_z = (1 - step.u_t) * tanh.df(step.z_h)
    by_r = by_z * step.W_hh_h * sigmoid.df(step.z_r)
    return step.u_t * np.eye(params.k) + by_u * W_uh + by_r * W_rh + by_z * step.r_t * params.W_hh


def step_back(params: GRUParams, step: GRUStep, v: Array) -> Array:
    """Return J^T v as `Cell` says."""
    kept, by_z = back_to_candidate(params, step, v)
    by_r = by_z * (step.W_hh_h * sigmoid.df(step.z_r))
    return kept + params.W_hh.T @ (step.r_t * by_z) + split_columns(params.W_r, params.k, params.order)[0].T @ by_r


def back_to_candidate(params: GRUParams, step: GRUStep, v: Array) -> tuple[Array, Array]:
    """Return what J^T v has along the update gate, and the gradient with respect to z_h.

    Both forms of the reset gate share it.
    """
    by_u = v * ((step.h_prev - step.h_tilde) * sigmoid.df(step.z_u))
    by_z = v * ((1 - step.u_t) * tanh.df(step.z_h))
    return v * step.u_t + split_columns(params.W_u, params.k, params.order)[0].T @ by_u, by_z


def direct_path(step: GRUStep) -> Array:
    """Return the factor of h_{t-1} in h_t: the update gate.

    Returns
    -------
    ndarray of shape (k, B), or (T, k, B) of a trace
    """
    return step.u_t


def wire_gradients(params: GRUParams, step: GRUStep) -> dict[str, Array]:
    """Return the gradient of the sum of h_t at each wire of the diagram.

    Parameters
    ----------
    step : GRUStep
        A step of these parameters.

    Returns
    -------
    dict from str to ndarray
        By `Wire.gradient`, each in the shape of the wire's symbol.

    Raises
    ------
    ValueError
        If a pre-activation is not finite.
    """
    for name in ("z_r", "z_u", "z_h"):
        expect_finite(name, getattr(step, name))
    by_h = np.ones(step.h_t.shape)
    kept, rest = by_h * step.h_prev, by_h * step.h_tilde
    by_candidate = 1 - step.u_t
    by_z = by_candidate * tanh.df(step.z_h)
    by_r, by_W_hh_h = by_z * step.W_hh_h, by_z * step.r_t
    through_r = back_to_stack(params.W_r, by_r * sigmoid.df(step.z_r))
    through_u = back_to_stack(params.W_u, (kept - rest) * sigmoid.df(step.z_u))
    stacked = through_r + through_u
    h_stacked, x_stacked = split_rows(stacked, params.k, params.order)
    h_candidate, x_candidate = params.W_hh.T @ by_W_hh_h, params.W_hx.T @ by_z
    not_stacked = step.u_t + h_candidate
    return {
        **{"h_prev": h_stacked + not_stacked, "h_prev_stacked": h_stacked, "h_prev_not_stacked": not_stacked},
        **{"h_prev_candidate": h_candidate, "h_prev_kept": step.u_t},
        **{"x_t": x_stacked + x_candidate, "x_t_stacked": x_stacked, "x_t_candidate": x_candidate},
        **{"stacked": stacked, "stacked_r": through_r, "stacked_u": through_u},
        **{"r_t": by_r, "W_hh_h": by_W_hh_h, "r_W_hh_h": by_z, "W_hx_x": by_z, "z_h": by_z, "h_tilde": by_candidate},
        **{"u_t": kept - rest, "u_t_kept": kept, "u_t_written": -rest, "rest": rest},
        **{"u_h": by_h, "rest_h_tilde": by_h, "h_t": by_h},
    }


class GRUDeltas(NamedTuple):
    """The loss's derivatives with respect to what the products with the weights go into, at every step.

    Attributes
    ----------
    z_r, z_u, z_h : ndarray of shape (T, k, B)
        With respect to the pre-activations.
    W_hh_h, W_hx_x : ndarray of shape (T, k, B)
        With respect to the two terms of z_h: W_hh h_{t-1} + b_hh, on which the reset gate acts, and W_hx x_t + b_hx, whose
        derivative is that of z_h.
    state : GRUState
        With respect to the state before the first step.
    """

    z_r: Array
    z_u: Array
    z_h: Array
    W_hh_h: Array
    W_hx_x: Array
    state: GRUState


class GRUGradients(NamedTuple):
    """The loss's derivatives with respect to all that it depends on.

    Attributes
    ----------
    W_r, W_u, W_hh, W_hx, b_r, b_u, b_hh, b_hx : ndarray
        With respect to the parameters, each in its shape; summed over steps and columns.
    xs : ndarray of shape (T, m, B)
        With respect to the inputs.
    state : GRUState
        With respect to the state before the first step.
    """

    W_r: Array
    W_u: Array
    W_hh: Array
    W_hx: Array
    b_r: Array
    b_u: Array
    b_hh: Array
    b_hx: Array
    xs: Array
    state: GRUState


def deltas(params: GRUParams, trace: GRUStep, dh: Array) -> GRUDeltas:
    r"""Go back through time as far as the pre-activations, exactly.

    .. math::
        \bar h_t &= dh_t + u_{t+1} ∘ \bar h_{t+1} + W_{rh}^T δ^r_{t+1} + W_{uh}^T δ^u_{t+1}
            + W_{hh}^T (r_{t+1} ∘ δ^h_{t+1}) \\
        δ^u_t &= \bar h_t ∘ (h_{t-1} - \tilde h_t) ∘ σ'(z_u), \quad
            δ^h_t = \bar h_t ∘ (1 - u_t) ∘ \tanh'(z_h) \\
        δ^r_t &= δ^h_t ∘ (W_{hh} h_{t-1} + b_{hh}) ∘ σ'(z_r)

    Parameters
    ----------
    trace : GRUStep
        Of these parameters, with a leading time axis.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t alone, without what comes back to it from later steps.

    Returns
    -------
    GRUDeltas
        Infinite or NaN where a gradient overflows.

    Raises
    ------
    ValueError
        If dh has not the shape of h_t, or if a pre-activation is not finite.
    """
    expect_trace(trace.h_t, trace.h_prev, dh)
    for name in ("z_r", "z_u", "z_h"):
        expect_finite(name, getattr(trace, name))
    T, k, B = dh.shape
    by_z, slopes = np.empty((T, 4, k, B)), np.empty((T, 4, k, B))
    # The parts that reach h_{t-1} through weights come first: r, u and the candidate's part of h; then the candidate itself.
    h_to_z = slopes[:, 3]
    np.multiply(1 - trace.u_t, in_blocks(tanh.df, trace.z_h), out=h_to_z)
    np.multiply(h_to_z, trace.W_hh_h, out=slopes[:, 0])
    slopes[:, 0] *= in_blocks(sigmoid.df, trace.z_r)
    np.multiply(trace.h_prev - trace.h_tilde, in_blocks(sigmoid.df, trace.z_u), out=slopes[:, 1])
    np.multiply(h_to_z, trace.r_t, out=slopes[:, 2])
    W_rh, W_uh = (split_columns(W, k, params.order)[0] for W in (params.W_r, params.W_u))
    W_h_T = np.concatenate([W_rh, W_uh, params.W_hh]).T.astype(np.float64, order="C")
    rows = by_z.reshape(T, 4 * k, B)
    by_h, kept = np.zeros((k, B)), np.empty((k, B))
    with np.errstate(over="ignore", invalid="ignore"):
        for t in reversed(range(T)):
            np.add(dh[t], by_h, out=by_h)
            np.multiply(by_h, slopes[t], out=by_z[t])
            np.multiply(by_h, trace.u_t[t], out=kept)
            np.matmul(W_h_T, rows[t, : 3 * k], out=by_h)
            np.add(by_h, kept, out=by_h)
    z_r, z_u, W_hh_h, z_h = (by_z[:, part] for part in range(4))
    return GRUDeltas(z_r, z_u, z_h, W_hh_h, z_h, GRUState(by_h))


def backward(params: GRUParams, trace: GRUStep, dh: Array) -> GRUGradients:
    """Return the exact gradients of a loss that looks at h_t, by backpropagation through time.

    Parameters
    ----------
    trace : GRUStep
        Of these parameters, from `unroll`.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t alone, without what comes back to it from later steps.

    Returns
    -------
    GRUGradients
        Infinite or NaN where a gradient overflows.

    Raises
    ------
    ValueError
        As `deltas`.

    References
    ----------
    The chain rule along the equations of this module; Werbos, "Backpropagation through time: what it does and how
    to do it", Proceedings of the IEEE 78 (1990).
    """
    by_z = deltas(params, trace, dh)
    gates = np.concatenate([by_z.z_r, by_z.z_u], axis=1)
    from_x = np.concatenate([gates, by_z.z_h], axis=1)
    W_x = [split_columns(W, params.k, params.order)[1] for W in (params.W_r, params.W_u)]
    with np.errstate(over="ignore", invalid="ignore"):
        W_r, W_u = np.split(sums_of_outer_products(gates, trace.stacked), 2)
        b_r, b_u, b_hx = np.split(sums_over_time(from_x), 3)
        return GRUGradients(
            W_r=W_r,
            W_u=W_u,
            W_hh=sums_of_outer_products(by_z.W_hh_h, trace.h_prev),
            W_hx=sums_of_outer_products(by_z.z_h, trace.x_t),
            b_r=b_r,
            b_u=b_u,
            b_hh=sums_over_time(by_z.W_hh_h),
            b_hx=b_hx,
            xs=products_over_time(np.concatenate([*W_x, params.W_hx]).T, from_x),
            state=by_z.state,
        )
