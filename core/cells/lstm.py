r"""One step of the LSTM: three gates and a candidate on one stack, and a cell state beside the hidden one.

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

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
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

# The forget gate, the input gate, the candidate and the output gate, and what each applies to its z.
GATES = {"f": sigmoid, "i": sigmoid, "c": tanh, "o": sigmoid}

# The equations' symbols, by the names of the parameters and of the step, with the operators between them.
EQUATIONS = (
    ("W_f", "·", "stacked", "+", "b_f", "=", "z_f", "σ →", "f_t"),
    ("W_i", "·", "stacked", "+", "b_i", "=", "z_i", "σ →", "i_t"),
    ("W_c", "·", "stacked", "+", "b_c", "=", "z_c", "tanh →", "c_tilde"),
    ("W_o", "·", "stacked", "+", "b_o", "=", "z_o", "σ →", "o_t"),
    ("f_t", "∘", "c_prev", "+", "i_t", "∘", "c_tilde", "=", "c_t"),
    ("o_t", "∘", "tanh_c_t", "=", "h_t"),
)
ROLES = {"f": "forget gate", "i": "input gate", "c": "candidate", "o": "output gate"}
ARRAYS = {
    **{
        name: numbers
        for gate in GATES
        for name, numbers in (
            (f"W_{gate}h", weights_of_h(f"w_{gate}")),
            (f"W_{gate}x", weights_of_x(f"w_{gate}")),
            (f"b_{gate}", bias("forget_bias" if gate == "f" else None)),
        )
    },
    "h_prev": ArraySpec("n1", "input", "h"),
    "c_prev": ArraySpec("k1", "input", "c"),
    "x_t": ArraySpec("m1", "input", "x"),
}
JOINED = {
    gate: Joined(f"W_{gate}", f"W_{gate}h", f"W_{gate}x", f"b_{gate}", g, f"in the {ROLES[gate]}")
    for gate, g in GATES.items()
}
SYMBOLS = {
    "h_prev": Symbol("h_{t−1}", "state"),
    "c_prev": Symbol("c_{t−1}", "memory"),
    **{f"p_{gate}": Symbol(f"P({gate} = 1)", double=True) for gate in "fio"},
    "c_tilde": Symbol("c̃_t"),
    "f_c": Symbol("f_t∘c_{t−1}", "memory"),
    "i_c_tilde": Symbol("i_t∘c̃_t", "memory"),
    "c_t": Symbol("c_t", "memory"),
    "tanh_c_t": Symbol("tanh(c_t)"),
    "h_t": Symbol("h_t", "state"),
}
CODE = (
    "z_f = W_f @ stacked + b_f",
    "f_t = sigmoid(z_f)",
    "z_i = W_i @ stacked + b_i",
    "i_t = sigmoid(z_i)",
    "z_c = W_c @ stacked + b_c",
    "c_tilde = tanh(z_c)",
    "z_o = W_o @ stacked + b_o",
    "o_t = sigmoid(z_o)",
    "c_t = f_t * c_prev + i_t * c_tilde",
    "h_t = o_t * tanh(c_t)",
)
JACOBIAN_CODE = (
    "c_by_c = np.diag(f_t[:, 0])",
    "c_by_h = c_prev * dsigmoid(z_f) * W_fh + c_tilde * dsigmoid(z_i) * W_ih + i_t * dtanh(z_c) * W_ch",
    "h_by_c = o_t * dtanh(c_t) * c_by_c",
    "h_by_h = tanh(c_t) * dsigmoid(z_o) * W_oh + o_t * dtanh(c_t) * c_by_h",
    "J = np.block([[h_by_h, h_by_c], [c_by_h, c_by_c]])",
)
# Which gates may be drawn on or off, and the probabilities of on.
DRAWN = {"f_t": "p_f", "i_t": "p_i", "o_t": "p_o"}
DIRECT_PATH = (
    "Along c alone an LSTM multiplies by f_t at each step. Its whole gain is also for gradients that start at h: where these bring nothing back, and all "
    "comes along c, it is 1/√2 of the product of the gates, about 0.15 lower on the axis."
)
LAYOUT = Layout(
    blocks=tuple((f"W_{gate}h", f"W_{gate}x", f"b_{gate}", None) for gate in "ifco"),
    pytorch="LSTM",
    keras="LSTM",
    keras_order=(0, 1, 2, 3),
    onnx_order=(0, 3, 1, 2),
    pytorch_gates="i, f, g, o, where g is the candidate",
    keras_gates="i, f, c, o",
    onnx_gates="i, o, f, c",
)


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
        """How many numbers are learned: 4 (k (n + m) + k)."""
        return 4 * (self.W_f.size + self.b_f.size)


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


def build(arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[LSTMParams, LSTMState]:
    """The cell and its state from the arrays of ARRAYS.

    Parameters
    ----------
    arrays : mapping from str to ndarray
    order : {"hx", "xh"}
    g : Activation
        Not used: the gates have activations of their own.

    Returns
    -------
    params : LSTMParams
    state : LSTMState
    """
    weights = {f"W_{gate}": join_weights(arrays[f"W_{gate}h"], arrays[f"W_{gate}x"], order) for gate in GATES}
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
    """What may follow on a cell, and is no part of it.

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
    """The optional output y_t = σ(W_y h_t + b_y), which is no part of the cell.

    Parameters
    ----------
    W_y : ndarray of shape (p, k)
    b_y : ndarray of shape (p, 1)
    h_t : ndarray of shape (k, B)

    Returns
    -------
    Output

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


def activated(params: LSTMParams) -> dict[str, tuple[str, Activation]]:
    """Which symbols of a step without stochastic gates are an activation of which others.

    Parameters
    ----------
    params : LSTMParams

    Returns
    -------
    dict from str to (str, Activation)
    """
    values = zip(("f_t", "i_t", "c_tilde", "o_t"), GATES.items(), strict=True)
    return {value: (f"z_{gate}", g) for value, (gate, g) in values} | {"tanh_c_t": ("c_t", tanh)}


def trace(params: LSTMParams, state: LSTMState, xs: Array) -> LSTMStep:
    """The steps over a sequence, as `step` takes them, faster: `unroll` checks the arguments.

    The gates stand on top of each other in the order f, i, o, c, so that σ is applied to one block.

    Parameters
    ----------
    params : LSTMParams
    state : LSTMState
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


def jacobian(params: LSTMParams, step: LSTMStep) -> Array:
    """The derivatives of the state (h_t, c_t) by (h_{t-1}, c_{t-1}), exactly, for one sequence.

    Parameters
    ----------
    params : LSTMParams
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


def direct_path(step: LSTMStep) -> Array:
    """How much of c_{t-1} is carried over as it is: the forget gate.

    Parameters
    ----------
    step : LSTMStep

    Returns
    -------
    ndarray of shape (k, B), or (T, k, B) of a trace
    """
    return step.f_t


class LSTMDeltas(NamedTuple):
    """The loss's derivatives by the pre-activations of every step.

    Attributes
    ----------
    z_f, z_i, z_c, z_o : ndarray of shape (T, k, B)
    state : LSTMState
        By the state before the first step.
    """

    z_f: Array
    z_i: Array
    z_c: Array
    z_o: Array
    state: LSTMState


class LSTMGradients(NamedTuple):
    """The loss's derivatives by all that it depends on.

    Attributes
    ----------
    W_f, W_i, W_c, W_o, b_f, b_i, b_c, b_o : ndarray
        By the parameters, each in its shape; summed over steps and columns.
    xs : ndarray of shape (T, m, B)
        By the inputs.
    state : LSTMState
        By the state before the first step.
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
    params : LSTMParams
    trace : LSTMStep
        Of these parameters, with a leading time axis, without stochastic gates.
    dh : ndarray of shape (T, k, B)
        The loss's derivative by each h_t alone, without what comes back to it from later steps.

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
    for gate in GATES:
        expect_finite(f"z_{gate}", getattr(trace, f"z_{gate}"))
    expect_finite("c_t", trace.c_t)
    for gate, p in DRAWN.items():
        if not np.array_equal(getattr(trace, gate), getattr(trace, p)):
            raise ValueError(
                f"{gate} must be its probability {p} to have a gradient, got gates drawn on or off, which have no slope: "
                "take the trace without stochastic gates."
            )
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
    """The exact gradients of a loss that looks at h_t, from the trace: backpropagation through time.

    Parameters
    ----------
    params : LSTMParams
    trace : LSTMStep
        Of these parameters, from `unroll`.
    dh : ndarray of shape (T, k, B)
        The loss's derivative by each h_t alone, without what comes back to it from later steps.

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
