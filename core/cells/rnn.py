r"""One step of the plain recurrent cell, the vanilla or Elman RNN, in both of its forms.

.. math::
    h_t = g(W_h [h_{t-1}; x_t] + b_h) = g(W_{hh} h_{t-1} + W_{hx} x_t + b_h)

Sizes: m inputs, n previous hidden entries, k units, B columns (one for each sequence of a batch).

References
----------
Elman, "Finding structure in time", Cognitive Science 14 (1990).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.activations import Activation, sigmoid
from core.arrays import Array, expect_finite, expect_recurrence, expect_shape
from core.cells.diagram import Diagram, Node, Wire
from core.cells.products import (
    expect_trace,
    in_blocks,
    products_over_time,
    sums_of_outer_products,
    sums_over_time,
)
from core.cells.protocol import (
    ArraySpec,
    Layout,
    PreActivationSpec,
    Symbol,
    bias,
    weights_of_h,
    weights_of_x,
)
from core.concatenation import (
    back_to_stack,
    concatenate_weights,
    expect_order,
    other_order,
    split_rows,
    stack_input,
    stack_over_time,
)

# The equations' symbols, by the names of the parameters and of the step, with the operators between them.
EQUATIONS = (("W_h", "·", "stacked", "+", "b_h", "=", "z_t", "g →", "h_t"),)
ARRAYS = {
    "W_hh": weights_of_h(),
    "W_hx": weights_of_x(),
    "b_h": bias(),
    "h_prev": ArraySpec("n1", "input", "h"),
    "x_t": ArraySpec("m1", "input", "x"),
}
PRE_ACTIVATIONS = {"hidden": PreActivationSpec("W_h", "W_hh", "W_hx", "b_h", None)}
SYMBOLS = {
    "h_prev": Symbol("h_{t−1}", "state"),
    "h_t": Symbol("h_t", "state"),
    "W_hh": Symbol("W_{hh}"),
    "W_hx": Symbol("W_{hx}"),
    "W_h_stacked": Symbol("W_h[h; x]", double=True),
    "W_hh_h": Symbol("W_{hh}h"),
    "W_hx_x": Symbol("W_{hx}x"),
    "W_hh_h_plus_W_hx_x": Symbol("W_{hh}h + W_{hx}x"),
    "dg_z_t": Symbol("g′(z_t)", "slope"),
}
CODE = ("z_t = W_h @ stacked + b_h", "h_t = g(z_t)", "dg_z_t = dg(z_t)")
JACOBIAN_CODE = ("J = dg_z_t * W_hh",)
DIAGRAM = Diagram(
    width=800,
    height=286,
    frame=(70, 8, 688, 196),
    nodes=(
        Node("vector", "h_prev", 31, 112, 0),
        Node("vector", "x_t", 150, 237, 0, "left", 78),
        Node("vector", "stacked", 150, 112, 0, tall=140),
        Node("operator", "W_h· + b_h", 280, 112, 1),
        Node("vector", "z_t", 400, 112, 1),
        Node("gate", "h_t", 540, 112, 2),
        Node("vector", "h_t", 729, 112, 3),
    ),
    wires=(
        Wire("h_prev", 0, ((58, 112), (123, 112))),
        Wire("x_t", 0, ((150, 202), (150, 182))),
        Wire("stacked", 1, ((177, 112), (246, 112))),
        Wire("z_t", 1, ((314, 112), (373, 112))),
        Wire("z_t", 2, ((427, 112), (488, 112))),
        Wire("h_t", 3, ((592, 112), (702, 112))),
        Wire("h_t", 3, ((756, 112), (794, 112))),
    ),
)
LAYOUT = Layout(
    blocks=(("W_hh", "W_hx", "b_h", None),),
    pytorch="RNN",
    keras="SimpleRNN",
    activations=("tanh", "relu"),
    by_hand=("for x in xs:", "    h = {g}(h @ W_hh.T + x @ W_hx.T + b_h.T)", '    print("h_t =", h)'),
)


@dataclass(frozen=True, eq=False)
class RNNParams:
    """The parameters of an RNN, checked when they are made.

    Attributes
    ----------
    W_hh : ndarray of shape (k, n)
        Weights from the previous hidden state.
    W_hx : ndarray of shape (k, m)
        Weights from the input.
    b_h : ndarray of shape (k, 1)
        The bias.
    g : Activation
        The activation; sigmoid unless given, as in the lab.
    order : {"hx", "xh"}
        Which part comes first in both joins; it changes no result.

    Raises
    ------
    ValueError
        If the shapes do not conform or the order is unknown.
    """

    W_hh: Array
    W_hx: Array
    b_h: Array
    g: Activation = sigmoid
    order: str = "hx"

    def __post_init__(self):
        expect_shape("W_hh", self.W_hh, "(k, n)", ("k", "n"))
        expect_shape("W_hx", self.W_hx, "(k, m)", (self.k, "m"))
        expect_shape("b_h", self.b_h, "(k, 1)", (self.k, 1))
        expect_order(self.order)

    @property
    def m(self) -> int:
        """Entries of x_t."""
        return self.W_hx.shape[1]

    @property
    def n(self) -> int:
        """Entries of h_{t-1}."""
        return self.W_hh.shape[1]

    @property
    def k(self) -> int:
        """Units: entries of h_t."""
        return self.W_hh.shape[0]

    @cached_property
    def W_h(self) -> Array:
        """The joined weights, of shape (k, n + m); joined once."""
        return concatenate_weights(self.W_hh, self.W_hx, self.order)


class RNNState(NamedTuple):
    """The state that one step hands to the next.

    Attributes
    ----------
    h : ndarray of shape (n, B)
        The hidden state.
    """

    h: Array


def build(arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[RNNParams, RNNState]:
    """Return the parameters and the state from the arrays of ARRAYS.

    Parameters
    ----------
    order : {"hx", "xh"}

    Returns
    -------
    params : RNNParams
    state : RNNState
    """
    params = RNNParams(arrays["W_hh"], arrays["W_hx"], arrays["b_h"], g, order)
    return params, RNNState(arrays["h_prev"])


class RNNStep(NamedTuple):
    """Every symbol of both formulas.

    Attributes
    ----------
    h_prev : ndarray of shape (n, B)
        h_{t-1}.
    x_t : ndarray of shape (m, B)
    stacked : ndarray of shape (n + m, B)
        The two of them joined, in the order of the parameters.
    W_h_stacked : ndarray of shape (k, B)
        Formula 1 before the bias: W_h [h_{t-1}; x_t].
    W_hh_h, W_hx_x : ndarray of shape (k, B)
        The two terms of formula 2: W_hh h_{t-1} and W_hx x_t.
    W_hh_h_plus_W_hx_x : ndarray of shape (k, B)
        Their sum: formula 2 before the bias.
    z_t : ndarray of shape (k, B)
        The pre-activation: formula 1 plus the bias.
    h_t : ndarray of shape (k, B)
        g(z_t).
    dg_z_t : ndarray of shape (k, B)
        g'(z_t), the factor that each unit puts into every gradient that passes it.
    """

    h_prev: Array
    x_t: Array
    stacked: Array
    W_h_stacked: Array
    W_hh_h: Array
    W_hx_x: Array
    W_hh_h_plus_W_hx_x: Array
    z_t: Array
    h_t: Array
    dg_z_t: Array


def step(params: RNNParams, state: RNNState, x_t: Array) -> RNNStep:
    """Take one step.

    Parameters
    ----------
    state : RNNState
        h_{t-1}, of shape (n, B).
    x_t : ndarray of shape (m, B)
        The input.

    Returns
    -------
    RNNStep
        Whole-number parameters and inputs stay whole numbers up to the activation.

    Raises
    ------
    ValueError
        If the state or the input does not fit the weights.
    """
    expect_shape("h_prev", state.h, "(n, B)", (params.n, "B"))
    expect_shape("x_t", x_t, "(m, B)", (params.m, state.h.shape[1]))
    W_hh_h = params.W_hh @ state.h
    W_hx_x = params.W_hx @ x_t
    return RNNStep(
        h_prev=state.h,
        x_t=x_t,
        W_hh_h=W_hh_h,
        W_hx_x=W_hx_x,
        W_hh_h_plus_W_hx_x=W_hh_h + W_hx_x,
        **_formula_1(params, stack_input(state.h, x_t, params.order)),
    )


def with_swapped_stack(params: RNNParams, step: RNNStep) -> RNNStep:
    """Return the step with the stacked input in the other order and the columns of W_h as they were: the classic mistake.

    Parameters
    ----------
    step : RNNStep
        A step of these parameters.

    Returns
    -------
    RNNStep
        Formula 1 is wrong all the way to h_t. Formula 2 has no stack, and is right.
    """
    return step._replace(**_formula_1(params, stack_input(step.h_prev, step.x_t, other_order(params.order))))


def _formula_1(params: RNNParams, stacked: Array) -> dict[str, Array]:
    """Return the symbols that follow from a stacked input."""
    W_h_stacked = params.W_h @ stacked
    z_t = W_h_stacked + params.b_h
    return {
        "stacked": stacked,
        "W_h_stacked": W_h_stacked,
        "z_t": z_t,
        "h_t": params.g.f(z_t),
        "dg_z_t": params.g.df(z_t),
    }


def next_state(step: RNNStep) -> RNNState:
    """Return the state that the next step starts from.

    Returns
    -------
    RNNState
        h_t, in the place of h_{t-1}.

    Raises
    ------
    ValueError
        If k != n: h_t does not have the entries that W_hh multiplies.
    """
    expect_recurrence(step.h_t, step.h_prev)
    return RNNState(h=step.h_t)


def activated(params: RNNParams) -> dict[str, tuple[str, Activation]]:
    """Return the activated symbols of a step, each with its pre-activation and its activation."""
    return {"h_t": ("z_t", params.g)}


def trace(params: RNNParams, state: RNNState, xs: Array) -> RNNStep:
    """Take the steps of a sequence as `step` does, faster; `unroll` checks the arguments.

    Parameters
    ----------
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    RNNStep
        Every symbol with a leading time axis. Formula 1 and formula 2 are one array here.
    """
    stacked, h = stack_over_time(state.h, xs, params.order)
    W_hx_x = products_over_time(params.W_hx, xs)
    W_hh_h, total, z_t = (np.empty_like(W_hx_x) for _ in range(3))
    W_hh = params.W_hh.astype(np.float64)
    for t in range(len(xs)):
        np.matmul(W_hh, h[t], out=W_hh_h[t])
        np.add(W_hh_h[t], W_hx_x[t], out=total[t])
        np.add(total[t], params.b_h, out=z_t[t])
        params.g.into(z_t[t], h[t + 1])
    return RNNStep(
        h_prev=h[:-1],
        x_t=xs,
        stacked=stacked[:-1],
        W_h_stacked=total,
        W_hh_h=W_hh_h,
        W_hx_x=W_hx_x,
        W_hh_h_plus_W_hx_x=total,
        z_t=z_t,
        h_t=h[1:],
        dg_z_t=in_blocks(params.g.df, z_t),
    )


def jacobian(params: RNNParams, step: RNNStep) -> Array:
    """Return the exact derivatives of h_t with respect to h_{t-1}, for one sequence: diag(g'(z_t)) W_hh.

    Parameters
    ----------
    step : RNNStep
        A step of these parameters with B = 1, or a trace of such steps.

    Returns
    -------
    ndarray of shape (k, n), or (T, k, n) of a trace
        Entry i, j is the derivative of entry i of h_t by entry j of h_{t-1}.

    Raises
    ------
    ValueError
        If z_t is not finite: its slope would be 0, where the true one may be 1.
    """
    expect_finite("z_t", step.z_t)
    return step.dg_z_t * params.W_hh


def step_back(params: RNNParams, step: RNNStep, v: Array) -> Array:
    """Return J^T v as `Cell` says."""
    return params.W_hh.T @ (step.dg_z_t * v)


def wire_gradients(params: RNNParams, step: RNNStep) -> dict[str, Array]:
    """Return the gradient of the sum of h_t at each wire of the diagram, by `Wire.gradient`.

    Raises
    ------
    ValueError
        If z_t is not finite.
    """
    expect_finite("z_t", step.z_t)
    stacked = back_to_stack(params.W_h, step.dg_z_t)
    by_h_prev, by_x = split_rows(stacked, params.n, params.order)
    return {
        **{"h_prev": by_h_prev, "x_t": by_x, "stacked": stacked, "z_t": step.dg_z_t},
        "h_t": np.ones(step.h_t.shape),
    }


class RNNDeltas(NamedTuple):
    """The loss's derivatives with respect to the pre-activation of every step.

    Attributes
    ----------
    z_t : ndarray of shape (T, k, B)
    state : RNNState
        With respect to the state before the first step.
    """

    z_t: Array
    state: RNNState


class RNNGradients(NamedTuple):
    """The loss's derivatives with respect to all that it depends on.

    Attributes
    ----------
    W_hh, W_hx, b_h : ndarray
        With respect to the parameters, each in its shape; summed over steps and columns.
    xs : ndarray of shape (T, m, B)
        With respect to the inputs.
    state : RNNState
        With respect to the state before the first step.
    """

    W_hh: Array
    W_hx: Array
    b_h: Array
    xs: Array
    state: RNNState


def deltas(params: RNNParams, trace: RNNStep, dh: Array) -> RNNDeltas:
    r"""Go back through time as far as the pre-activations, exactly.

    .. math::
        δ_t = g'(z_t) ∘ (dh_t + W_{hh}^T δ_{t+1})

    Parameters
    ----------
    trace : RNNStep
        Of these parameters, with a leading time axis.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t alone, without what comes back to it from later steps.

    Returns
    -------
    RNNDeltas
        Infinite or NaN where a gradient overflows.

    Raises
    ------
    ValueError
        If dh has not the shape of h_t, if k != n, or if a z_t is not finite.
    """
    expect_trace(trace.h_t, trace.h_prev, dh)
    expect_finite("z_t", trace.z_t)
    by_z = np.empty(dh.shape)
    W_hh_T = params.W_hh.T.astype(np.float64, order="C")
    back = np.zeros(dh.shape[1:])
    with np.errstate(over="ignore", invalid="ignore"):
        for t in reversed(range(len(dh))):
            np.add(dh[t], back, out=back)
            np.multiply(back, trace.dg_z_t[t], out=by_z[t])
            np.matmul(W_hh_T, by_z[t], out=back)
    return RNNDeltas(by_z, RNNState(back))


def backward(params: RNNParams, trace: RNNStep, dh: Array) -> RNNGradients:
    """Return the exact gradients of a loss that looks at h_t, by backpropagation through time.

    Parameters
    ----------
    trace : RNNStep
        Of these parameters, from `unroll`.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t alone, without what comes back to it from later steps.

    Returns
    -------
    RNNGradients
        Infinite or NaN where a gradient overflows.

    Raises
    ------
    ValueError
        If dh has not the shape of h_t, if k != n, or if a z_t is not finite.

    References
    ----------
    Werbos, "Backpropagation through time: what it does and how to do it", Proceedings of the IEEE 78 (1990).
    """
    by_z, state = deltas(params, trace, dh)
    with np.errstate(over="ignore", invalid="ignore"):
        return RNNGradients(
            W_hh=sums_of_outer_products(by_z, trace.h_prev),
            W_hx=sums_of_outer_products(by_z, trace.x_t),
            b_h=sums_over_time(by_z),
            xs=products_over_time(params.W_hx.T, by_z),
            state=state,
        )
