r"""One step of the gated recurrent unit, as PyTorch defines it: the reset gate acts after the product with W_hh.

.. math::
    r_t &= σ(W_r [h_{t-1}; x_t] + b_r) \\
    u_t &= σ(W_u [h_{t-1}; x_t] + b_u) \\
    \tilde h_t &= \tanh(W_{hx} x_t + b_{hx} + r_t ∘ (W_{hh} h_{t-1} + b_{hh})) \\
    h_t &= u_t ∘ h_{t-1} + (1 - u_t) ∘ \tilde h_t

Sizes: m inputs, k units, B columns (one for each sequence of a batch). Since h_{t-1} is carried over entry by
entry, it has k entries too: a GRU can always be unrolled. The update gate u and the candidate h_tilde are PyTorch's z
and n; here z is a pre-activation and n a size.

References
----------
Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
EMNLP 2014: u as here, as in PyTorch, Keras and ONNX, but the reset gate acts before the product with W_hh; in the
first version of the preprint (arXiv:1406.1078) it acts after it. Chung et al., "Empirical evaluation of gated
recurrent neural networks on sequence modeling", arXiv:1412.3555, have 1 - u in the place of u.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.activations import Activation, sigmoid, tanh
from core.arrays import Array, expect_finite, expect_recurrence, expect_shape
from core.cells.products import (
    expect_trace,
    in_blocks,
    products_over_time,
    sums_of_outer_products,
    sums_over_time,
)
from core.cells.protocol import (
    ArraySpec,
    Joined,
    Layout,
    Symbol,
    bias,
    weights_of_h,
    weights_of_x,
)
from core.joins import (
    expect_order,
    join_weights,
    split_columns,
    stack_input,
    stack_over_time,
)

# The equations' symbols, by the names of the parameters and of the step, with the operators between them.
EQUATIONS = (
    ("W_r", "·", "stacked", "+", "b_r", "=", "z_r", "σ →", "r_t"),
    ("W_u", "·", "stacked", "+", "b_u", "=", "z_u", "σ →", "u_t"),
    ("W_hh", "·", "h_prev", "+", "b_hh", "=", "W_hh_h"),
    ("W_hx", "·", "x_t", "+", "b_hx", "=", "W_hx_x"),
    ("W_hx_x", "+", "r_t", "∘", "W_hh_h", "=", "z_h", "tanh →", "h_tilde"),
    ("u_h", "+", "rest_h_tilde", "=", "h_t"),
)
ARRAYS = {
    **{name: weights_of_h() for name in ("W_rh", "W_uh", "W_hh")},
    **{name: weights_of_x() for name in ("W_rx", "W_ux", "W_hx")},
    **{name: bias() for name in ("b_r", "b_u", "b_hh", "b_hx")},
    "h_prev": ArraySpec("n1", "input", "h"),
    "x_t": ArraySpec("m1", "input", "x"),
}
JOINED = {
    "r": Joined("W_r", "W_rh", "W_rx", "b_r", sigmoid, "in the reset gate"),
    "u": Joined("W_u", "W_uh", "W_ux", "b_u", sigmoid, "in the update gate"),
}
# The candidate's terms hold their biases, for the reset gate acts on one of them.
SYMBOLS = {
    "h_prev": Symbol("h_{t−1}", "state"),
    "W_hh": Symbol("W_{hh}"),
    "W_hx": Symbol("W_{hx}"),
    "b_hh": Symbol("b_{hh}"),
    "b_hx": Symbol("b_{hx}"),
    "W_hh_h": Symbol("W_{hh}h+b_{hh}"),
    "W_hx_x": Symbol("W_{hx}x+b_{hx}"),
    "r_W_hh_h": Symbol("r_t∘(W_{hh}h+b_{hh})"),
    "h_tilde": Symbol("h̃_t"),
    "u_h": Symbol("u_t∘h_{t−1}", "state"),
    "rest_h_tilde": Symbol("(1−u_t)∘h̃_t", "state"),
    "h_t": Symbol("h_t", "state"),
}
CODE = (
    "z_r = W_r @ stacked + b_r",
    "z_u = W_u @ stacked + b_u",
    "r_t = sigmoid(z_r)",
    "u_t = sigmoid(z_u)",
    "z_h = W_hx @ x_t + b_hx + r_t * (W_hh @ h_prev + b_hh)",
    "h_tilde = tanh(z_h)",
    "h_t = u_t * h_prev + (1 - u_t) * h_tilde",
)
JACOBIAN_CODE = (
    "by_z = dsigmoid(z_r) * (W_hh @ h_prev + b_hh) * W_rh + r_t * W_hh",
    "by_u = (h_prev - h_tilde) * dsigmoid(z_u) * W_uh",
    "J = np.diag(u_t[:, 0]) + by_u + (1 - u_t) * dtanh(z_h) * by_z",
)
DIRECT_PATH = "Along h alone a GRU multiplies by u_t, which is the share of h_{t−1} that it keeps."
REMARK = "u_t is the share of h_{t−1} that is kept, as in PyTorch; other texts give it the opposite role."
LAYOUT = Layout(
    blocks=(("W_rh", "W_rx", "b_r", None), ("W_uh", "W_ux", "b_u", None), ("W_hh", "W_hx", "b_hx", "b_hh")),
    pytorch="GRU",
    keras="GRU",
    keras_order=(1, 0, 2),
    onnx_order=(1, 0, 2),
    pytorch_gates="r, z, n; z is the update gate and n the candidate",
    keras_gates="z, r, h; z is the update gate",
    onnx_gates="z, r, h; z is the update gate",
    keras_options="reset_after=True, ",
)


@dataclass(frozen=True, eq=False)
class GRUParams:
    """What is chosen before the step, checked when it is made.

    Attributes
    ----------
    W_r, W_u : ndarray of shape (k, k + m)
        The weights of the reset gate and of the update gate.
    W_hh : ndarray of shape (k, k)
        The candidate's weights from the previous hidden state.
    W_hx : ndarray of shape (k, m)
        The candidate's weights from the input.
    b_r, b_u, b_hh, b_hx : ndarray of shape (k, 1)
        The biases; of the candidate's two only b_hh is subject to the reset gate.
    order : {"hx", "xh"}
        Which part of the stack comes first, and so to which part the first columns of W_r and W_u belong.

    Raises
    ------
    ValueError
        If the shapes do not conform or the order is unknown.
    """

    W_r: Array
    W_u: Array
    W_hh: Array
    W_hx: Array
    b_r: Array
    b_u: Array
    b_hh: Array
    b_hx: Array
    order: str = "hx"

    def __post_init__(self):
        expect_shape("W_hx", self.W_hx, "(k, m)", ("k", "m"))
        k, m = self.W_hx.shape
        expect_shape("W_hh", self.W_hh, "(k, k)", (k, k))
        for gate in "ru":
            expect_shape(f"W_{gate}", getattr(self, f"W_{gate}"), "(k, k + m)", (k, k + m))
        for name in ("b_r", "b_u", "b_hh", "b_hx"):
            expect_shape(name, getattr(self, name), "(k, 1)", (k, 1))
        expect_order(self.order)

    @property
    def m(self) -> int:
        """Entries of x_t."""
        return self.W_hx.shape[1]

    @property
    def k(self) -> int:
        """Units: entries of each gate and of h."""
        return self.W_hx.shape[0]


class GRUState(NamedTuple):
    """What is carried from step to step.

    Attributes
    ----------
    h : ndarray of shape (k, B)
        The hidden state.
    """

    h: Array


def build(arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[GRUParams, GRUState]:
    """The cell and its state from the arrays of ARRAYS.

    Parameters
    ----------
    arrays : mapping from str to ndarray
    order : {"hx", "xh"}
    g : Activation
        Not used: the gates and the candidate have activations of their own.

    Returns
    -------
    params : GRUParams
    state : GRUState

    Raises
    ------
    ValueError
        If k != n.
    """
    expect_recurrence(arrays["b_hh"], arrays["h_prev"])
    params = GRUParams(
        W_r=join_weights(arrays["W_rh"], arrays["W_rx"], order),
        W_u=join_weights(arrays["W_uh"], arrays["W_ux"], order),
        **{name: arrays[name] for name in ("W_hh", "W_hx", "b_r", "b_u", "b_hh", "b_hx")},
        order=order,
    )
    return params, GRUState(arrays["h_prev"])


class GRUStep(NamedTuple):
    """Every symbol of the equations.

    Attributes
    ----------
    h_prev : ndarray of shape (k, B)
        h_{t-1}.
    x_t : ndarray of shape (m, B)
    stacked : ndarray of shape (k + m, B)
        h_{t-1} and x_t joined, in the order of the parameters.
    z_r, z_u : ndarray of shape (k, B)
        The gates' pre-activations, W [h_{t-1}; x_t] + b.
    r_t, u_t : ndarray of shape (k, B)
        The reset gate and the update gate.
    W_hh_h, W_hx_x : ndarray of shape (k, B)
        W_hh h_{t-1} + b_hh and W_hx x_t + b_hx.
    r_W_hh_h : ndarray of shape (k, B)
        r_t ∘ (W_hh h_{t-1} + b_hh).
    z_h : ndarray of shape (k, B)
        The candidate's pre-activation.
    h_tilde : ndarray of shape (k, B)
        The candidate.
    u_h, rest_h_tilde : ndarray of shape (k, B)
        The two terms of the hidden state: u_t ∘ h_{t-1}, what is kept, and (1 - u_t) ∘ h_tilde, what is written.
    h_t : ndarray of shape (k, B)
        Their sum, the new hidden state.
    """

    h_prev: Array
    x_t: Array
    stacked: Array
    z_r: Array
    z_u: Array
    r_t: Array
    u_t: Array
    W_hh_h: Array
    W_hx_x: Array
    r_W_hh_h: Array
    z_h: Array
    h_tilde: Array
    u_h: Array
    rest_h_tilde: Array
    h_t: Array


def step(params: GRUParams, state: GRUState, x_t: Array) -> GRUStep:
    """Take one step.

    Parameters
    ----------
    params : GRUParams
    state : GRUState
        h_{t-1} of shape (k, B).
    x_t : ndarray of shape (m, B)
        The input.

    Returns
    -------
    GRUStep

    Raises
    ------
    ValueError
        If the state or the input does not fit the weights.
    """
    (h_prev,) = state
    expect_shape("h_prev", h_prev, "(k, B)", (params.k, "B"))
    expect_shape("x_t", x_t, "(m, B)", (params.m, h_prev.shape[1]))
    stacked = stack_input(h_prev, x_t, params.order)
    z_r = params.W_r @ stacked + params.b_r
    z_u = params.W_u @ stacked + params.b_u
    r_t, u_t = sigmoid.f(z_r), sigmoid.f(z_u)
    W_hh_h = params.W_hh @ h_prev + params.b_hh
    W_hx_x = params.W_hx @ x_t + params.b_hx
    r_W_hh_h = r_t * W_hh_h
    z_h = W_hx_x + r_W_hh_h
    h_tilde = tanh.f(z_h)
    u_h, rest_h_tilde = u_t * h_prev, (1 - u_t) * h_tilde
    return GRUStep(
        h_prev=h_prev,
        x_t=x_t,
        stacked=stacked,
        z_r=z_r,
        z_u=z_u,
        r_t=r_t,
        u_t=u_t,
        W_hh_h=W_hh_h,
        W_hx_x=W_hx_x,
        r_W_hh_h=r_W_hh_h,
        z_h=z_h,
        h_tilde=h_tilde,
        u_h=u_h,
        rest_h_tilde=rest_h_tilde,
        h_t=u_h + rest_h_tilde,
    )


def next_state(step: GRUStep) -> GRUState:
    """The state that the next step starts from.

    Parameters
    ----------
    step : GRUStep

    Returns
    -------
    GRUState
        h_t.
    """
    return GRUState(h=step.h_t)


def activated(params: GRUParams) -> dict[str, tuple[str, Activation]]:
    """Which symbols of a step are an activation of which others.

    Parameters
    ----------
    params : GRUParams

    Returns
    -------
    dict from str to (str, Activation)
    """
    return {"r_t": ("z_r", sigmoid), "u_t": ("z_u", sigmoid), "h_tilde": ("z_h", tanh)}


def trace(params: GRUParams, state: GRUState, xs: Array) -> GRUStep:
    """The steps over a sequence, as `step` takes them, faster: `unroll` checks the arguments.

    The reset gate, the update gate and the candidate stand on top of each other in this order.

    Parameters
    ----------
    params : GRUParams
    state : GRUState
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    GRUStep
        Every symbol with a leading time axis.
    """
    k = params.k
    (W_rh, W_rx), (W_uh, W_ux) = (split_columns(W, k, params.order) for W in (params.W_r, params.W_u))
    W_h = np.concatenate([W_rh, W_uh, params.W_hh]).astype(np.float64)
    stacked, h = stack_over_time(state.h, xs, params.order)
    from_x = products_over_time(np.concatenate([W_rx, W_ux, params.W_hx]), xs)
    from_x += np.concatenate([params.b_r, params.b_u, params.b_hx])
    T, _, B = from_x.shape
    gates, from_h = np.empty((T, 2 * k, B)), np.empty((3 * k, B))
    # Views: what is written to the whole is in its parts.
    z_ru, W_hx_x = from_x[:, : 2 * k], from_x[:, 2 * k :]
    (z_r, z_u), (r, u) = np.split(z_ru, 2, axis=1), np.split(gates, 2, axis=1)
    ru_from_h, candidate_from_h = from_h[: 2 * k], from_h[2 * k :]
    W_hh_h, r_W_hh_h, z_h, h_tilde, u_h, rest = (np.empty((T, k, B)) for _ in range(6))
    for t in range(T):
        np.matmul(W_h, h[t], out=from_h)
        np.add(z_ru[t], ru_from_h, out=z_ru[t])
        sigmoid.into(z_ru[t], gates[t])
        np.add(candidate_from_h, params.b_hh, out=W_hh_h[t])
        np.multiply(r[t], W_hh_h[t], out=r_W_hh_h[t])
        np.add(W_hx_x[t], r_W_hh_h[t], out=z_h[t])
        tanh.into(z_h[t], h_tilde[t])
        np.multiply(u[t], h[t], out=u_h[t])
        np.subtract(1, u[t], out=rest[t])
        np.multiply(rest[t], h_tilde[t], out=rest[t])
        np.add(u_h[t], rest[t], out=h[t + 1])
    return GRUStep(
        h_prev=h[:-1],
        x_t=xs,
        stacked=stacked[:-1],
        z_r=z_r,
        z_u=z_u,
        r_t=r,
        u_t=u,
        W_hh_h=W_hh_h,
        W_hx_x=W_hx_x,
        r_W_hh_h=r_W_hh_h,
        z_h=z_h,
        h_tilde=h_tilde,
        u_h=u_h,
        rest_h_tilde=rest,
        h_t=h[1:],
    )


def jacobian(params: GRUParams, step: GRUStep) -> Array:
    """The derivatives of h_t by h_{t-1}, exactly, for one sequence.

    Parameters
    ----------
    params : GRUParams
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


def direct_path(step: GRUStep) -> Array:
    """How much of h_{t-1} is carried over as it is: the update gate.

    Parameters
    ----------
    step : GRUStep

    Returns
    -------
    ndarray of shape (k, B), or (T, k, B) of a trace
    """
    return step.u_t


class GRUDeltas(NamedTuple):
    """The loss's derivatives by what the products with the weights go into, at every step.

    Attributes
    ----------
    z_r, z_u, z_h : ndarray of shape (T, k, B)
        By the pre-activations.
    W_hh_h, W_hx_x : ndarray of shape (T, k, B)
        By the two terms of z_h: W_hh h_{t-1} + b_hh, on which the reset gate acts, and W_hx x_t + b_hx, whose
        derivative is that of z_h.
    state : GRUState
        By the state before the first step.
    """

    z_r: Array
    z_u: Array
    z_h: Array
    W_hh_h: Array
    W_hx_x: Array
    state: GRUState


class GRUGradients(NamedTuple):
    """The loss's derivatives by all that it depends on.

    Attributes
    ----------
    W_r, W_u, W_hh, W_hx, b_r, b_u, b_hh, b_hx : ndarray
        By the parameters, each in its shape; summed over steps and columns.
    xs : ndarray of shape (T, m, B)
        By the inputs.
    state : GRUState
        By the state before the first step.
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
    params : GRUParams
    trace : GRUStep
        Of these parameters, with a leading time axis.
    dh : ndarray of shape (T, k, B)
        The loss's derivative by each h_t alone, without what comes back to it from later steps.

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
    # What reaches h_{t-1} through weights comes first: r, u, the candidate's part of h, and then the candidate itself.
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
    """The exact gradients of a loss that looks at h_t, from the trace: backpropagation through time.

    Parameters
    ----------
    params : GRUParams
    trace : GRUStep
        Of these parameters, from `unroll`.
    dh : ndarray of shape (T, k, B)
        The loss's derivative by each h_t alone, without what comes back to it from later steps.

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
