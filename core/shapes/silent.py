"""Mistakes of shape that raise nothing: the sizes fit, and the numbers are wrong. Each with numbers that show it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core import joins
from core.activations import tanh
from core.arrays import Array
from core.cells import CELLS, lstm
from core.exchange.frameworks import from_pytorch, layout_of, to_pytorch
from core.scenario import Scenario
from core.time.unroll import unroll

M, K, T, B = 2, 3, 4, 2
_HERE = Scenario(m=M, n=K, k=K, init="normal", b_normal=True, scale=1.0, seed=3)


class Shown(NamedTuple):
    """What was meant and what is computed instead.

    Attributes
    ----------
    meant, got : (str, ndarray)
        What each is, and its numbers, as a matrix.
    """

    meant: tuple[str, Array]
    got: tuple[str, Array]


class Silent(NamedTuple):
    """A mistake that raises nothing.

    Attributes
    ----------
    title : str
    says : str
        What happens, and how to notice it from the sizes.
    code : str
        The line that is wrong and, after it, the one that is right.
    show : callable
        Computes it.
    """

    title: str
    says: str
    code: str
    show: Callable[[], Shown]


def _sequence(batch: int = B) -> Array:
    """A sequence for a batch, (T, m, B)."""
    return np.random.default_rng(1).standard_normal((T, M, batch))


def _last_h(xs: Array) -> Array:
    """h after the last step of the plain cell, (k, B), from a state of 0."""
    params, state, _ = _HERE.setup("RNN")
    start = type(state)(*(np.zeros((K, xs.shape[2])) for _ in state))
    return unroll(CELLS["RNN"], params, start, xs).h_t[-1]


def _batch_first() -> Shown:
    xs = _sequence()
    # (T, m, B) read with steps and batch exchanged.
    exchanged = xs.transpose(2, 1, 0)
    return Shown(
        ("h after T steps, a column for each sequence", _last_h(xs)), ("h, a column for each step", _last_h(exchanged))
    )


def _last_of_two_directions() -> Shown:
    xs = _sequence(1)
    forward, backward = _last_h(xs), _last_h(xs[::-1])
    only_last = _last_h(xs[-1:])
    return Shown(
        ("h_n: forward; backward", np.vstack([forward, backward])),
        ("output[-1]: forward; backward", np.vstack([forward, only_last])),
    )


def _stack_swapped() -> Shown:
    params, state, x_t = _HERE.setup("RNN")
    W_hh, W_hx, h = params.W_hh, params.W_hx, state.h
    right = joins.joined_product(W_hh, W_hx, h, x_t, "hx", "hx")
    return Shown(("W_h·[h; x]", right), ("W_h·[x; h]", joins.joined_product(W_hh, W_hx, h, x_t, "hx", "xh")))


def _pair_exchanged() -> Shown:
    params, state, x_t = _HERE.setup("LSTM")
    exchanged = type(state)(state.c, state.h)
    return Shown(
        ("h_t from (h, c)", lstm.step(params, state, x_t).h_t),
        ("h_t from (c, h)", lstm.step(params, exchanged, x_t).h_t),
    )


def _gate_order() -> Shown:
    arrays = {name: _HERE.array(name) for name in lstm.ARRAYS}
    theirs = to_pytorch("LSTM", arrays)
    order = layout_of("LSTM", "ONNX").onnx_order
    in_onnx_order = {
        name: np.concatenate([np.split(part, len(order))[at] for at in order]) for name, part in theirs.items()
    }
    _, misread = from_pytorch(in_onnx_order)
    _, state, x_t = _HERE.setup("LSTM")

    def h_t(weights: dict[str, Array]) -> Array:
        params, _ = lstm.build(arrays | weights, order=_HERE.order, g=tanh)
        return lstm.step(params, state, x_t).h_t

    return Shown(("h_t", h_t({})), ("h_t with the blocks i, o, f, c read as i, f, g, o", h_t(misread)))


def _view() -> Shown:
    x = np.arange(1, 7).reshape(2, 3)
    return Shown(("x.T", x.T), ("x.reshape(3, 2)", x.reshape(3, 2)))


def _bias() -> Shown:
    z, b = np.array([[1], [2], [3]]), np.array([10, 20, 30])
    return Shown(("z + b.reshape(3, 1)", z + b.reshape(3, 1)), ("z + b", z + b))


def _padded() -> Shown:
    xs = _sequence(1)
    length = 2
    padded = np.concatenate([xs[:length], np.zeros((T - length, M, 1))])
    return Shown(
        (f"h after the {length} steps that there are", _last_h(xs[:length])),
        (f"h after {T} steps, {T - length} of them padding", _last_h(padded)),
    )


SILENT = (
    Silent(
        "Batch and steps exchanged",
        "x is (batch, steps, features) and the layer reads (steps, batch, features). Every sequence is torn apart: a step of one follows a step of another. "
        "The shape of output does not tell; that of h_n does: its batch is the number of steps.",
        "nn.LSTM(m, k)(x)   # x: (batch, steps, m)\nnn.LSTM(m, k, batch_first=True)(x)",
        _batch_first,
    ),
    Silent(
        "The last output of two directions",
        "output[-1] of a bidirectional layer is the last step of both directions. There the backward half has read one step only. h_n has what each has read in whole.",
        "linear(output[-1])\nlinear(torch.cat([h_n[-2], h_n[-1]], dim=-1))",
        _last_of_two_directions,
    ),
    Silent(
        "The stack swapped alone",
        "The columns of W_h are for h first, and the stack has x first. Both have n + m, so nothing is raised, and every weight multiplies an entry that it was not meant for.",
        "W_h @ np.vstack([x, h])\nW_h @ np.vstack([h, x])",
        _stack_swapped,
    ),
    Silent(
        "(h, c) exchanged",
        "h and c have the same shape. TensorFlow 1 kept (c, h), PyTorch and Keras (h, c).",
        "lstm(x, (c0, h0))\nlstm(x, (h0, c0))",
        _pair_exchanged,
    ),
    Silent(
        "Another framework's order of the gates",
        "PyTorch and Keras keep the blocks of an LSTM as i, f, g, o, where g is the candidate (Keras writes c), and ONNX as i, o, f, c. All blocks have the same shape.",
        "weight_hh = R[0]   # ONNX's R, (directions, 4k, k)\ni, o, f, g = np.split(R[0], 4); weight_hh = np.concatenate([i, f, g, o])",
        _gate_order,
    ),
    Silent(
        "view in the place of a transpose",
        "A reshape reads the numbers row by row and writes them row by row. Only a transpose makes rows of columns.",
        "x.view(3, 2)\nx.transpose(0, 1)",
        _view,
    ),
    Silent(
        "A bias that is no column",
        "A bias of shape (k,) is a row to NumPy: with a column (k, 1) it is stretched to (k, k). The sizes tell: z must have as many columns as the batch.",
        "W @ h + b   # b: (k,)\nW @ h + b.reshape(-1, 1)",
        _bias,
    ),
    Silent(
        "The last step of a padded sequence",
        "A shorter sequence is filled up, mostly with zeros, and the cell goes on through the filling: with x = 0 the state still changes.",
        "h = output[:, -1]\nh = output[torch.arange(batch), lengths - 1]",
        _padded,
    ),
)
