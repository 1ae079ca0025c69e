"""Mistakes that raise nothing: the sizes conform, and the numbers are wrong. Each computes numbers that show it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core import concatenation
from core.activations import tanh
from core.arrays import Array
from core.cells import CELLS, lstm
from core.exchange.weight_layouts import from_pytorch, layout_of, to_pytorch
from core.scenario import Scenario
from core.sequence.unroll import unroll

M, K, T, B = 2, 3, 4, 2
_HERE = Scenario(m=M, n=K, k=K, init="normal", b_normal=True, scale=1.0, seed=3)


class Shown(NamedTuple):
    """The intended and the actual result, as matrices.

    Attributes
    ----------
    meant, got : ndarray
    sizes : dict from str to int
        Sizes that their names refer to.
    """

    meant: Array
    got: Array
    sizes: dict[str, int] = {}


class Silent(NamedTuple):
    """A mistake that raises nothing.

    Attributes
    ----------
    code : str
    wrong, right : str
        The line with the mistake, and the one without.
    show : callable
        Computes both.
    """

    code: str
    wrong: str
    right: str
    show: Callable[[], Shown]


def _sequence(batch: int = B) -> Array:
    """Return a sequence for a batch, (T, m, B)."""
    return np.random.default_rng(1).standard_normal((T, M, batch))


def _last_h(xs: Array) -> Array:
    """Return h after the last step of the RNN, (k, B), from a state of 0."""
    params, state, _ = _HERE.step_arguments("RNN")
    start = type(state)(*(np.zeros((K, xs.shape[2])) for _ in state))
    return unroll(CELLS["RNN"], params, start, xs).h_t[-1]


def _batch_first() -> Shown:
    xs = _sequence()
    # (T, m, B) read with steps and batch exchanged.
    exchanged = xs.transpose(2, 1, 0)
    return Shown(_last_h(xs), _last_h(exchanged))


def _last_of_two_directions() -> Shown:
    xs = _sequence(1)
    forward, backward = _last_h(xs), _last_h(xs[::-1])
    only_last = _last_h(xs[-1:])
    return Shown(np.vstack([forward, backward]), np.vstack([forward, only_last]))


def _stack_swapped() -> Shown:
    params, state, x_t = _HERE.step_arguments("RNN")
    W_hh, W_hx, h = params.W_hh, params.W_hx, state.h
    right = concatenation.stacked_product(W_hh, W_hx, h, x_t, "hx", "hx")
    return Shown(right, concatenation.stacked_product(W_hh, W_hx, h, x_t, "hx", "xh"))


def _pair_exchanged() -> Shown:
    params, state, x_t = _HERE.step_arguments("LSTM")
    exchanged = type(state)(state.c, state.h)
    return Shown(lstm.step(params, state, x_t).h_t, lstm.step(params, exchanged, x_t).h_t)


def _gate_order() -> Shown:
    arrays = {name: _HERE.array(name) for name in lstm.ARRAYS}
    theirs = to_pytorch("LSTM", arrays)
    order = layout_of("LSTM", "ONNX").onnx_order
    in_onnx_order = {
        name: np.concatenate([np.split(part, len(order))[at] for at in order]) for name, part in theirs.items()
    }
    _, misread = from_pytorch(in_onnx_order)
    _, state, x_t = _HERE.step_arguments("LSTM")

    def h_t(weights: dict[str, Array]) -> Array:
        params, _ = lstm.build(arrays | weights, order=_HERE.order, g=tanh)
        return lstm.step(params, state, x_t).h_t

    return Shown(h_t({}), h_t(misread))


def _view() -> Shown:
    x = np.arange(1, 7).reshape(2, 3)
    return Shown(x.T, x.reshape(3, 2))


def _bias() -> Shown:
    z, b = np.array([[1], [2], [3]]), np.array([10, 20, 30])
    return Shown(z + b.reshape(3, 1), z + b)


def _padded() -> Shown:
    xs = _sequence(1)
    length = 2
    padded = np.concatenate([xs[:length], np.zeros((T - length, M, 1))])
    return Shown(_last_h(xs[:length]), _last_h(padded), {"length": length, "steps": T, "padding": T - length})


SILENT = (
    Silent(
        "batch-and-steps",
        "nn.LSTM(m, k)(x)   # x: (batch, steps, m)",
        "nn.LSTM(m, k, batch_first=True)(x)",
        _batch_first,
    ),
    Silent(
        "last-of-two-directions",
        "linear(output[-1])",
        "linear(torch.cat([h_n[-2], h_n[-1]], dim=-1))",
        _last_of_two_directions,
    ),
    Silent("stack-swapped", "W_h @ np.vstack([x, h])", "W_h @ np.vstack([h, x])", _stack_swapped),
    Silent("pair-exchanged", "lstm(x, (c0, h0))", "lstm(x, (h0, c0))", _pair_exchanged),
    Silent(
        "gate-order",
        "weight_hh = R[0]   # ONNX's R, (directions, 4k, k)",
        "i, o, f, g = np.split(R[0], 4); weight_hh = np.concatenate([i, f, g, o])",
        _gate_order,
    ),
    Silent("view", "x.view(3, 2)", "x.transpose(0, 1)", _view),
    Silent("bias-no-column", "W @ h + b   # b: (k,)", "W @ h + b.reshape(-1, 1)", _bias),
    Silent("padded", "h = output[-1]", "h = output[lengths - 1, torch.arange(batch)]", _padded),
)
