r"""One step of the LSTM: four gates on one stack, and a cell state beside the hidden one.

.. math::
    f_t &= σ(W_f [h_{t-1}; x_t] + b_f) \\
    i_t &= σ(W_i [h_{t-1}; x_t] + b_i) \\
    \tilde c_t &= \tanh(W_c [h_{t-1}; x_t] + b_c) \\
    o_t &= σ(W_o [h_{t-1}; x_t] + b_o) \\
    c_t &= f_t ∘ c_{t-1} + i_t ∘ \tilde c_t \\
    h_t &= o_t ∘ \tanh(c_t)

Sizes: m inputs, n previous hidden entries, k units, B columns (one for each sequence of a batch). The cell
state has k entries, as h_t has.

References
----------
Hochreiter and Schmidhuber, "Long short-term memory", Neural Computation 9 (1997); the forget gate: Gers,
Schmidhuber and Cummins, "Learning to forget", Neural Computation 12 (2000).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array, expect_recurrence, expect_shape
from core.joins import expect_order, stack_input

GATES = ("f", "i", "c", "o")


@dataclass(frozen=True, eq=False)
class LSTMParams:
    """What is chosen before the step, checked when it is made.

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

    @property
    def W(self) -> Array:
        """All four gates' weights in one matrix of shape (4 k, n + m), in the order f, i, c, o."""
        return np.concatenate([self.W_f, self.W_i, self.W_c, self.W_o], axis=0)

    @property
    def b(self) -> Array:
        """All four gates' biases in one column of shape (4 k, 1), in the order f, i, c, o."""
        return np.concatenate([self.b_f, self.b_i, self.b_c, self.b_o], axis=0)

    @property
    def count(self) -> int:
        """How many numbers are learned: 4 (k (n + m) + k)."""
        return self.W.size + self.b.size


class LSTMState(NamedTuple):
    """What is carried from step to step.

    Attributes
    ----------
    h : ndarray of shape (n, B)
        The hidden state.
    c : ndarray of shape (k, B)
        The cell state.
    """

    h: Array
    c: Array


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
    f_t: Array
    i_t: Array
    c_tilde: Array
    o_t: Array
    f_c: Array
    i_c_tilde: Array
    c_t: Array
    tanh_c_t: Array
    h_t: Array


def step(params: LSTMParams, state: LSTMState, x_t: Array, draw: np.random.Generator | None = None) -> LSTMStep:
    """Take one step.

    Parameters
    ----------
    params : LSTMParams
    state : LSTMState
        h_{t-1} of shape (n, B) and c_{t-1} of shape (k, B).
    x_t : ndarray of shape (m, B)
        The input.
    draw : numpy.random.Generator, optional
        With it each gate's unit is switched on or off, on with the gate's value as its probability. That is
        a reading of "gate" that some texts have; it is not the standard LSTM, which multiplies by the value.

    Returns
    -------
    LSTMStep

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
    f_t, i_t, o_t = sigmoid.f(z_f), sigmoid.f(z_i), sigmoid.f(z_o)
    if draw is not None:
        f_t, i_t, o_t = ((draw.random(gate.shape) < gate).astype(gate.dtype) for gate in (f_t, i_t, o_t))
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


def output(W_y: Array, b_y: Array, h_t: Array) -> Array:
    """The optional output y_t = σ(W_y h_t + b_y), which is no part of the cell.

    Parameters
    ----------
    W_y : ndarray of shape (p, k)
    b_y : ndarray of shape (p, 1)
    h_t : ndarray of shape (k, B)

    Returns
    -------
    ndarray of shape (p, B)

    Raises
    ------
    ValueError
        If the shapes do not conform.
    """
    expect_shape("h_t", h_t, "(k, B)", ("k", "B"))
    expect_shape("W_y", W_y, "(p, k)", ("p", h_t.shape[0]))
    expect_shape("b_y", b_y, "(p, 1)", (W_y.shape[0], 1))
    return sigmoid.f(W_y @ h_t + b_y)


def next_state(step: LSTMStep) -> LSTMState:
    """The state that the next step starts from.

    Parameters
    ----------
    step : LSTMStep

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
