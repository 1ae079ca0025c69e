r"""The GRU of the paper, whose reset gate acts before the product with W_hh; a file of Keras or ONNX may hold one.

.. math::
    \tilde h_t = \tanh(W_{hx} x_t + b_{hx} + W_{hh} (r_t ∘ h_{t-1}) + b_{hh})

All else is as in `core.cells.gru`. The fields of a step have the names of that cell; ``r_W_hh_h`` is r_t ∘ h_{t-1} here, and
``W_hh_h`` is the product of W_hh with it, plus b_hh.

References
----------
Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation", EMNLP 2014.
"""

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array, expect_finite, expect_shape
from core.cells.gru.description import ARRAYS, PRE_ACTIVATIONS
from core.cells.gru.description import SYMBOLS as SYMBOLS_AFTER
from core.cells.gru.forward import GRUParams, GRUState, GRUStep, activated, build, next_state
from core.cells.gru.gradients import back_to_candidate, direct_path
from core.cells.protocol import Symbol
from core.concatenation import split_columns, stack_input

SYMBOLS = {
    **SYMBOLS_AFTER,
    "W_hh_h": Symbol("W_{hh}(r_t∘h_{t−1})+b_{hh}"),
    "r_W_hh_h": Symbol("r_t∘h_{t−1}", "state"),
}
# Only files bring this cell, so no page shows its equations and no export its code.
EQUATIONS: tuple[tuple[str, ...], ...] = ()
CODE: tuple[str, ...] = ()
JACOBIAN_CODE: tuple[str, ...] = ()
# Keras and ONNX have an option for it, and PyTorch has no such layer.
LAYOUT = None

__all__ = [
    "ARRAYS",
    "CODE",
    "EQUATIONS",
    "JACOBIAN_CODE",
    "PRE_ACTIVATIONS",
    "LAYOUT",
    "SYMBOLS",
    "activated",
    "build",
    "direct_path",
    "jacobian",
    "next_state",
    "step",
    "step_back",
]


def step(params: GRUParams, state: GRUState, x_t: Array) -> GRUStep:
    """Take one step.

    Parameters
    ----------
    state : GRUState
        h_{t-1} of shape (k, B).
    x_t : ndarray of shape (m, B)

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
    r_h = r_t * h_prev
    W_hh_h = params.W_hh @ r_h + params.b_hh
    W_hx_x = params.W_hx @ x_t + params.b_hx
    z_h = W_hx_x + W_hh_h
    h_tilde = tanh.f(z_h)
    u_h, rest_h_tilde = u_t * h_prev, (1 - u_t) * h_tilde
    return GRUStep(
        **{"h_prev": h_prev, "x_t": x_t, "stacked": stacked, "z_r": z_r, "z_u": z_u, "r_t": r_t, "u_t": u_t},
        **{"W_hh_h": W_hh_h, "W_hx_x": W_hx_x, "r_W_hh_h": r_h, "z_h": z_h, "h_tilde": h_tilde},
        **{"u_h": u_h, "rest_h_tilde": rest_h_tilde, "h_t": u_h + rest_h_tilde},
    )


def jacobian(params: GRUParams, step: GRUStep) -> Array:
    """Return the exact derivatives of h_t with respect to h_{t-1}, for one sequence.

    Parameters
    ----------
    step : GRUStep
        A step of these parameters with B = 1, or a trace of such steps.

    Returns
    -------
    ndarray of shape (k, k), or (T, k, k) of a trace

    Raises
    ------
    ValueError
        If a pre-activation is not finite.
    """
    for name in ("z_r", "z_u", "z_h"):
        expect_finite(name, getattr(step, name))
    W_rh, W_uh = (split_columns(W, params.k, params.order)[0] for W in (params.W_r, params.W_u))
    eye = np.eye(params.k)
    by_u = (step.h_prev - step.h_tilde) * sigmoid.df(step.z_u) * W_uh
    r_h_by_h = step.r_t * eye + step.h_prev * sigmoid.df(step.z_r) * W_rh
    return step.u_t * eye + by_u + (1 - step.u_t) * tanh.df(step.z_h) * (params.W_hh @ r_h_by_h)


def step_back(params: GRUParams, step: GRUStep, v: Array) -> Array:
    """Return J^T v as `Cell` says."""
    kept, by_z = back_to_candidate(params, step, v)
    by_r_h = params.W_hh.T @ by_z
    by_r = by_r_h * (step.h_prev * sigmoid.df(step.z_r))
    return kept + step.r_t * by_r_h + split_columns(params.W_r, params.k, params.order)[0].T @ by_r
