"""The LSTM forwards: its parameters, one step, and the steps over a sequence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.activations import Activation, sigmoid, tanh
from core.arrays import Array, expect_recurrence, expect_shape
from core.cells.lstm.description import GATES
from core.cells.products import products_over_time
from core.concatenation import concatenate_weights, expect_order, split_columns, stack_input, stack_over_time


@dataclass(frozen=True, eq=False)
class LSTMParams:
    """The parameters of an LSTM, checked when they are made.

    Attributes
    ----------
    W_f, W_i, W_c, W_o : ndarray of shape (k, n + m)
        The weights of the forget gate, the input gate, the candidate and the output gate.
    b_f, b_i, b_c, b_o : ndarray of shape (k, 1)
        Their biases.
    order : {"hx", "xh"}
        Which part of the stack comes first, and so to which part the first columns of each W belong.

    Raises
    ------
    ValueError
        If the shapes do not conform or the order is unknown.
    """

    W_f: Array
    W_i: Array
    W_c: Array
    W_o: Array
    b_f: Array
    b_i: Array
    b_c: Array
    b_o: Array
    order: str = "hx"

    def __post_init__(self):
        expect_shape("W_f", self.W_f, "(k, n + m)", ("k", "n + m"))
        k, inputs = self.W_f.shape
        for gate in GATES:
            expect_shape(f"W_{gate}", getattr(self, f"W_{gate}"), "(k, n + m)", (k, inputs))
            expect_shape(f"b_{gate}", getattr(self, f"b_{gate}"), "(k, 1)", (k, 1))
        expect_order(self.order)

    @property
    def k(self) -> int:
        """Units: entries of each gate, of c_t and of h_t."""
        return self.W_f.shape[0]

    @cached_property
    def W(self) -> Array:
        """All weights, of the gates and the candidate, in one matrix of shape (4 k, n + m), in the order f, i, c, o."""
        return np.concatenate([self.W_f, self.W_i, self.W_c, self.W_o], axis=0)

    @cached_property
    def b(self) -> Array:
        """All biases, of the gates and the candidate, in one column of shape (4 k, 1), in the order f, i, c, o."""
        return np.concatenate([self.b_f, self.b_i, self.b_c, self.b_o], axis=0)

    @property
    def count(self) -> int:
        """The number of trainable parameters: 4 (k (n + m) + k)."""
        return 4 * (self.W_f.size + self.b_f.size)


class LSTMState(NamedTuple):
    """The state that one step hands to the next.

    Attributes
    ----------
    h : ndarray of shape (n, B)
        The hidden state.
    c : ndarray of shape (k, B)
        The cell state.
    """

    h: Array
    c: Array


def build(arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[LSTMParams, LSTMState]:
    """Return the parameters and the state from the arrays of ARRAYS.

    Parameters
    ----------
    order : {"hx", "xh"}
    g : Activation
        Not used: the gates have activations of their own.

    Returns
    -------
    params : LSTMParams
    state : LSTMState
    """
    weights = {f"W_{gate}": concatenate_weights(arrays[f"W_{gate}h"], arrays[f"W_{gate}x"], order) for gate in GATES}
    biases = {f"b_{gate}": arrays[f"b_{gate}"] for gate in GATES}
    return LSTMParams(**weights, **biases, order=order), LSTMState(arrays["h_prev"], arrays["c_prev"])


class LSTMStep(NamedTuple):
    """Every symbol of the equations.

    Attributes
    ----------
    h_prev : ndarray of shape (n, B)
        h_{t-1}.
    c_prev : ndarray of shape (k, B)
        c_{t-1}.
    x_t : ndarray of shape (m, B)
    stacked : ndarray of shape (n + m, B)
        h_{t-1} and x_t joined, in the order of the parameters.
    z_f, z_i, z_c, z_o : ndarray of shape (k, B)
        The gates' pre-activations, W [h_{t-1}; x_t] + b.
    p_f, p_i, p_o : ndarray of shape (k, B)
        σ(z) of the three gates: the gates themselves, or if they are drawn the probabilities of 1.
    f_t, i_t, c_tilde, o_t : ndarray of shape (k, B)
        The forget gate, the input gate, the candidate and the output gate.
    f_c, i_c_tilde : ndarray of shape (k, B)
        The two terms of the cell state: f_t ∘ c_{t-1}, what is kept, and i_t ∘ c_tilde, what is written.
    c_t : ndarray of shape (k, B)
        Their sum, the new cell state.
    tanh_c_t : ndarray of shape (k, B)
        tanh(c_t).
    h_t : ndarray of shape (k, B)
        o_t ∘ tanh(c_t), the new hidden state.
    """

    h_prev: Array
    c_prev: Array
    x_t: Array
    stacked: Array
    z_f: Array
    z_i: Array
    z_c: Array
    z_o: Array
    p_f: Array
    p_i: Array
    p_o: Array
    f_t: Array
    i_t: Array
    c_tilde: Array
    o_t: Array
    f_c: Array
    i_c_tilde: Array
    c_t: Array
    tanh_c_t: Array
    h_t: Array

    @property
    def z(self) -> Array:
        """All four pre-activations in one column of shape (4 k, B), in the order f, i, c, o."""
        return np.concatenate([self.z_f, self.z_i, self.z_c, self.z_o], axis=0)


def step(params: LSTMParams, state: LSTMState, x_t: Array, draw: np.random.Generator | None = None) -> LSTMStep:
    """Take one step.

    Parameters
    ----------
    state : LSTMState
        h_{t-1} of shape (n, B) and c_{t-1} of shape (k, B).
    x_t : ndarray of shape (m, B)
        The input.
    draw : numpy.random.Generator, optional
        With it each gate's unit is switched on or off, on with the gate's value as its probability. That is
        a reading of "gate" that some texts have; it is not the standard LSTM, which multiplies by the value.

    Raises
    ------
    ValueError
        If the state or the input does not fit the weights.
    """
    h_prev, c_prev = state
    stacked = stack_input(h_prev, x_t, params.order)
    expect_shape("c_prev", c_prev, "(k, B)", (params.k, stacked.shape[1]))
    expect_shape("the stack of h_prev and x_t", stacked, "(n + m, B)", (params.W_f.shape[1], "B"))
    z_f = params.W_f @ stacked + params.b_f
    z_i = params.W_i @ stacked + params.b_i
    z_c = params.W_c @ stacked + params.b_c
    z_o = params.W_o @ stacked + params.b_o
    p_f, p_i, p_o = sigmoid.f(z_f), sigmoid.f(z_i), sigmoid.f(z_o)
    f_t, i_t, o_t = p_f, p_i, p_o
    if draw is not None:
        f_t, i_t, o_t = ((draw.random(p.shape) < p).astype(p.dtype) for p in (p_f, p_i, p_o))
    c_tilde = tanh.f(z_c)
    f_c, i_c_tilde = f_t * c_prev, i_t * c_tilde
    c_t = f_c + i_c_tilde
    tanh_c_t = tanh.f(c_t)
    return LSTMStep(
        h_prev=h_prev,
        c_prev=c_prev,
        x_t=x_t,
        stacked=stacked,
        z_f=z_f,
        z_i=z_i,
        z_c=z_c,
        z_o=z_o,
        p_f=p_f,
        p_i=p_i,
        p_o=p_o,
        f_t=f_t,
        i_t=i_t,
        c_tilde=c_tilde,
        o_t=o_t,
        f_c=f_c,
        i_c_tilde=i_c_tilde,
        c_t=c_t,
        tanh_c_t=tanh_c_t,
        h_t=o_t * tanh_c_t,
    )


class Output(NamedTuple):
    """The optional output layer after a cell.

    Attributes
    ----------
    z_y : ndarray of shape (p, B)
        W_y h_t + b_y.
    y_t : ndarray of shape (p, B)
        σ(z_y).
    """

    z_y: Array
    y_t: Array


def output(W_y: Array, b_y: Array, h_t: Array) -> Output:
    """Return the optional output y_t = σ(W_y h_t + b_y), which is no part of the cell.

    Parameters
    ----------
    W_y : ndarray of shape (p, k)
    b_y : ndarray of shape (p, 1)
    h_t : ndarray of shape (k, B)

    Raises
    ------
    ValueError
        If the shapes do not conform.
    """
    expect_shape("h_t", h_t, "(k, B)", ("k", "B"))
    expect_shape("W_y", W_y, "(p, k)", ("p", h_t.shape[0]))
    expect_shape("b_y", b_y, "(p, 1)", (W_y.shape[0], 1))
    z_y = W_y @ h_t + b_y
    return Output(z_y, sigmoid.f(z_y))


def next_state(step: LSTMStep) -> LSTMState:
    """Return the state that the next step starts from.

    Returns
    -------
    LSTMState
        h_t and c_t.

    Raises
    ------
    ValueError
        If k != n: h_t does not have the entries that the gates' weights multiply.
    """
    expect_recurrence(step.h_t, step.h_prev)
    return LSTMState(h=step.h_t, c=step.c_t)


def activated(params: LSTMParams) -> dict[str, tuple[str, Activation]]:
    """Return the activated symbols of a step without sampled gates, each with its pre-activation and its activation."""
    values = zip(("f_t", "i_t", "c_tilde", "o_t"), GATES.items(), strict=True)
    return {value: (f"z_{gate}", g) for value, (gate, g) in values} | {"tanh_c_t": ("c_t", tanh)}


def trace(params: LSTMParams, state: LSTMState, xs: Array) -> LSTMStep:
    """Take the steps of a sequence as `step` does, faster; `unroll` checks the arguments.

    The gates stand on top of each other in the order f, i, o, c, so that σ is applied to one block.

    Parameters
    ----------
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    LSTMStep
        Every symbol with a leading time axis.
    """
    k = params.k
    W = np.concatenate([params.W_f, params.W_i, params.W_o, params.W_c])
    W_h, W_x = split_columns(W, k, params.order)
    W_h = np.ascontiguousarray(W_h, dtype=np.float64)
    stacked, h = stack_over_time(state.h, xs, params.order)
    z = products_over_time(W_x, xs)
    z += np.concatenate([params.b_f, params.b_i, params.b_o, params.b_c])
    gates = np.empty_like(z)
    # Views: what is written to the whole is in its parts.
    (z_f, z_i, z_o, z_c), z_fio = np.split(z, 4, axis=1), z[:, : 3 * k]
    (f, i, o, c_tilde), fio = np.split(gates, 4, axis=1), gates[:, : 3 * k]
    T, _, B = z.shape
    c = np.empty((T + 1, k, B))
    c[0] = state.c
    f_c, i_c_tilde, tanh_c = (np.empty((T, k, B)) for _ in range(3))
    W_h_h = np.empty((4 * k, B))
    for t in range(T):
        np.matmul(W_h, h[t], out=W_h_h)
        np.add(z[t], W_h_h, out=z[t])
        sigmoid.into(z_fio[t], fio[t])
        tanh.into(z_c[t], c_tilde[t])
        np.multiply(f[t], c[t], out=f_c[t])
        np.multiply(i[t], c_tilde[t], out=i_c_tilde[t])
        np.add(f_c[t], i_c_tilde[t], out=c[t + 1])
        tanh.into(c[t + 1], tanh_c[t])
        np.multiply(o[t], tanh_c[t], out=h[t + 1])
    return LSTMStep(
        h_prev=h[:-1],
        c_prev=c[:-1],
        x_t=xs,
        stacked=stacked[:-1],
        z_f=z_f,
        z_i=z_i,
        z_c=z_c,
        z_o=z_o,
        p_f=f,
        p_i=i,
        p_o=o,
        f_t=f,
        i_t=i,
        c_tilde=c_tilde,
        o_t=o,
        f_c=f_c,
        i_c_tilde=i_c_tilde,
        c_t=c[1:],
        tanh_c_t=tanh_c,
        h_t=h[1:],
    )
