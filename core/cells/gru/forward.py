"""The GRU forwards: its parameters, one step, and the steps over a sequence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.activations import Activation, sigmoid, tanh
from core.arrays import Array, expect_recurrence, expect_shape
from core.cells.products import products_over_time
from core.concatenation import concatenate_weights, expect_order, split_columns, stack_input, stack_over_time


@dataclass(frozen=True, eq=False)
class GRUParams:
    """The parameters of a GRU, checked when they are made.

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

    @property
    def W_h(self) -> Array:
        """The weights of h_{t-1} in the reset gate, in the update gate and in the candidate on top of each other, of shape (3 k, k)."""
        of_gates = [split_columns(W, self.k, self.order)[0] for W in (self.W_r, self.W_u)]
        return np.concatenate([*of_gates, self.W_hh])

    @property
    def W_x(self) -> Array:
        """The weights of x_t, as those in W_h, of shape (3 k, m)."""
        of_gates = [split_columns(W, self.k, self.order)[1] for W in (self.W_r, self.W_u)]
        return np.concatenate([*of_gates, self.W_hx])

    @property
    def count(self) -> int:
        """The trainable parameters."""
        return self.W_h.size + self.W_x.size + 4 * self.k


class GRUState(NamedTuple):
    """The state that one step hands to the next.

    Attributes
    ----------
    h : ndarray of shape (k, B)
        The hidden state.
    """

    h: Array


def build(arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[GRUParams, GRUState]:
    """Return the parameters and the state from the arrays of ARRAYS.

    Parameters
    ----------
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
        W_r=concatenate_weights(arrays["W_rh"], arrays["W_rx"], order),
        W_u=concatenate_weights(arrays["W_uh"], arrays["W_ux"], order),
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
    state : GRUState
        h_{t-1} of shape (k, B).
    x_t : ndarray of shape (m, B)
        The input.

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
    """Return the state that the next step starts from.

    Returns
    -------
    GRUState
        h_t.
    """
    return GRUState(h=step.h_t)


def activated(params: GRUParams) -> dict[str, tuple[str, Activation]]:
    """Return the activated symbols of a step, each with its pre-activation and its activation."""
    return {"r_t": ("z_r", sigmoid), "u_t": ("z_u", sigmoid), "h_tilde": ("z_h", tanh)}


def trace(params: GRUParams, state: GRUState, xs: Array) -> GRUStep:
    """Take the steps of a sequence as `step` does, faster; `unroll` checks the arguments.

    The reset gate, the update gate and the candidate stand on top of each other in this order.

    Parameters
    ----------
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
