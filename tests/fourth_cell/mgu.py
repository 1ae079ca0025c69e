r"""A cell from outside: the minimal gated unit, which has one gate.

.. math::
    a_t &= σ(W_a [h_{t-1}; x_t] + b_a) \\
    \tilde h_t &= \tanh(W_{hx} x_t + b_h + W_{hh} (a_t ∘ h_{t-1})) \\
    h_t &= h_{t-1} + a_t ∘ (\tilde h_t - h_{t-1})

It has neither a faster trace, nor a direct path, nor a layer in any framework: those are extras.

References
----------
Zhou, Wu, Zhang and Zhou, "Minimal gated unit for recurrent neural networks", International Journal of Automation and
Computing 13 (2016).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.activations import Activation, sigmoid, tanh
from core.arrays import Array, expect_finite, expect_recurrence, expect_shape
from core.cells.protocol import ArraySpec, PreActivationSpec, Symbol, bias, weights_of_h, weights_of_x
from core.concatenation import concatenate_weights, split_columns, stack_input

EQUATIONS = (
    ("W_a", "·", "stacked", "+", "b_a", "=", "z_a", "σ →", "a_t"),
    ("a_t", "∘", "h_prev", "=", "a_h"),
    ("W_hh", "·", "a_h", "=", "W_hh_a_h"),
    ("W_hx", "·", "x_t", "+", "b_h", "=", "W_hx_x"),
    ("W_hh_a_h", "+", "W_hx_x", "=", "z_h", "tanh →", "h_tilde"),
    ("rest_h", "+", "a_h_tilde", "=", "h_t"),
)
ARRAYS = {
    "W_ah": weights_of_h(),
    "W_ax": weights_of_x(),
    "b_a": bias(),
    "W_hh": weights_of_h(),
    "W_hx": weights_of_x(),
    "b_h": bias(),
    "h_prev": ArraySpec("n1", "input", "h"),
    "x_t": ArraySpec("m1", "input", "x"),
}
PRE_ACTIVATIONS = {"a": PreActivationSpec("W_a", "W_ah", "W_ax", "b_a", sigmoid)}
SYMBOLS = {
    "h_prev": Symbol("h_{t−1}", "state"),
    "W_hh": Symbol("W_{hh}"),
    "W_hx": Symbol("W_{hx}"),
    "a_h": Symbol("a_t∘h_{t−1}", "state"),
    "W_hh_a_h": Symbol("W_{hh}(a_t∘h)"),
    "W_hx_x": Symbol("W_{hx}x+b_h"),
    "h_tilde": Symbol("h̃_t"),
    "rest_h": Symbol("(1−a_t)∘h_{t−1}", "state"),
    "a_h_tilde": Symbol("a_t∘h̃_t", "state"),
    "h_t": Symbol("h_t", "state"),
}
CODE = (
    "z_a = W_a @ stacked + b_a",
    "a_t = sigmoid(z_a)",
    "z_h = W_hx @ x_t + b_h + W_hh @ (a_t * h_prev)",
    "h_tilde = tanh(z_h)",
    "h_t = (1 - a_t) * h_prev + a_t * h_tilde",
)
JACOBIAN_CODE = (
    "da = dsigmoid(z_a) * W_ah",
    "dz_h = W_hh @ (np.diag(a_t[:, 0]) + h_prev * da)",
    "J = np.diag(1 - a_t[:, 0]) + (h_tilde - h_prev) * da + a_t * dtanh(z_h) * dz_h",
)
LAYOUT = None


@dataclass(frozen=True, eq=False)
class MGUParams:
    """The gate's weights W_a (k, k + m), the candidate's W_hh (k, k) and W_hx (k, m), and the biases (k, 1)."""

    W_a: Array
    W_hh: Array
    W_hx: Array
    b_a: Array
    b_h: Array
    order: str = "hx"

    def __post_init__(self):
        expect_shape("W_hh", self.W_hh, "(k, k)", (self.k, self.k))
        expect_shape("W_a", self.W_a, "(k, k + m)", (self.k, self.k + self.W_hx.shape[1]))

    @property
    def k(self) -> int:
        return len(self.W_hx)


class MGUState(NamedTuple):
    """h, of shape (k, B)."""

    h: Array


class MGUStep(NamedTuple):
    """Every symbol of the equations."""

    h_prev: Array
    x_t: Array
    stacked: Array
    z_a: Array
    a_t: Array
    a_h: Array
    W_hh_a_h: Array
    W_hx_x: Array
    z_h: Array
    h_tilde: Array
    rest_h: Array
    a_h_tilde: Array
    h_t: Array


def build(arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[MGUParams, MGUState]:
    """The cell and its state from the arrays of ARRAYS."""
    expect_recurrence(arrays["b_h"], arrays["h_prev"])
    W_a = concatenate_weights(arrays["W_ah"], arrays["W_ax"], order)
    params = MGUParams(W_a, arrays["W_hh"], arrays["W_hx"], arrays["b_a"], arrays["b_h"], order)
    return params, MGUState(arrays["h_prev"])


def step(params: MGUParams, state: MGUState, x_t: Array) -> MGUStep:
    """One step."""
    expect_shape("h_prev", state.h, "(k, B)", (params.k, "B"))
    expect_shape("x_t", x_t, "(m, B)", (params.W_hx.shape[1], state.h.shape[1]))
    stacked = stack_input(state.h, x_t, params.order)
    z_a = params.W_a @ stacked + params.b_a
    a_t = sigmoid.f(z_a)
    a_h = a_t * state.h
    W_hh_a_h, W_hx_x = params.W_hh @ a_h, params.W_hx @ x_t + params.b_h
    z_h = W_hh_a_h + W_hx_x
    h_tilde = tanh.f(z_h)
    rest_h, a_h_tilde = (1 - a_t) * state.h, a_t * h_tilde
    return MGUStep(
        state.h, x_t, stacked, z_a, a_t, a_h, W_hh_a_h, W_hx_x, z_h, h_tilde, rest_h, a_h_tilde, rest_h + a_h_tilde
    )


def next_state(step: MGUStep) -> MGUState:
    """h_t, in the place of h_{t-1}."""
    return MGUState(step.h_t)


def activated(params: MGUParams) -> dict[str, tuple[str, Activation]]:
    """Which symbols of a step are an activation of which others."""
    return {"a_t": ("z_a", sigmoid), "h_tilde": ("z_h", tanh)}


def jacobian(params: MGUParams, step: MGUStep) -> Array:
    """The derivatives of h_t by h_{t-1}, of shape (k, k), or (T, k, k) of a trace."""
    expect_finite("z_a", step.z_a)
    expect_finite("z_h", step.z_h)
    W_ah, _ = split_columns(params.W_a, params.k, params.order)
    da = sigmoid.df(step.z_a) * W_ah
    eye = np.eye(params.k)
    dz_h = params.W_hh @ (step.a_t * eye + step.h_prev * da)
    return (1 - step.a_t) * eye + (step.h_tilde - step.h_prev) * da + step.a_t * tanh.df(step.z_h) * dz_h
