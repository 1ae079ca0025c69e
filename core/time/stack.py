"""Cells in layers and in two directions, with the results that PyTorch calls output, h_n and c_n.

A layer reads the outputs of the layer below it. In a layer of two directions, a second cell reads the sequence from its end,
and the output at a step is the forward h_t above the backward one. So the last output of the backward cell is h after a single
step, whereas its entry of h_n is h after all steps: ``output[-1]`` and h_n differ there, and no error says so.

Arrays have a column for each sequence, as everywhere here. PyTorch has a row for each: its arrays are the same with the last
two axes exchanged.

References
----------
PyTorch, torch.nn.RNN, torch.nn.LSTM and torch.nn.GRU.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array, expect_shape
from core.cells.protocol import Cell
from core.time.unroll import unroll


class Direction(NamedTuple):
    """A cell of a layer, and the way in which it reads the sequence.

    Attributes
    ----------
    params : object
        Of the layer's cell.
    state : object
        The state before the first step that this direction takes.
    is_reverse : bool
        Whether it starts at the last step of the sequence.
    """

    params: Any
    state: Any
    is_reverse: bool = False


class Layer(NamedTuple):
    """A layer of a stack.

    Attributes
    ----------
    cell : Cell
        The module with the equations.
    directions : sequence of Direction
        One or two, in the order in which their outputs stand above each other.
    """

    cell: Cell
    directions: Sequence[Direction]


class LayerTrace(NamedTuple):
    """The steps of a layer over a sequence.

    Attributes
    ----------
    xs : ndarray of shape (T, m, B)
        Its input.
    traces : list of NamedTuple
        The steps of each direction, in the order in which it takes them: of a reverse one, the last step of the sequence first.
    output : ndarray of shape (T, rows, B)
        h_t of every direction, on top of each other, in the order of the sequence.
    """

    xs: Array
    traces: list[Any]
    output: Array


class StackTrace(NamedTuple):
    """The steps of a stack over a sequence, with its results.

    Attributes
    ----------
    layers : list of LayerTrace
        From the bottom.
    output : ndarray of shape (T, rows, B)
        That of the last layer.
    h_n : list of ndarray of shape (k, B)
        h after all steps, of each direction of each layer; PyTorch has these in one array.
    c_n : list of ndarray of shape (k, B)
        The cell state after all steps, of those that have one.
    """

    layers: list[LayerTrace]
    output: Array
    h_n: list[Array]
    c_n: list[Array]


def run(layers: Sequence[Layer], xs: Array) -> StackTrace:
    """Run a stack over a sequence.

    Parameters
    ----------
    layers : sequence of Layer
        From the bottom, at least one.
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    StackTrace

    Raises
    ------
    ValueError
        If there is no layer, or if a layer does not match its input.
    """
    if not layers:
        raise ValueError("layers must have at least one layer, got none: give it one.")
    traced: list[LayerTrace] = []
    for layer in layers:
        traced.append(run_layer(layer, traced[-1].output if traced else xs))
    last = [
        layer.cell.next_state(type(steps)(*(symbol[-1] for symbol in steps)))
        for layer, made in zip(layers, traced)
        for steps in made.traces
    ]
    return StackTrace(
        layers=traced,
        output=traced[-1].output,
        h_n=[state.h for state in last],
        c_n=[state.c for state in last if hasattr(state, "c")],
    )


def run_layer(layer: Layer, xs: Array) -> LayerTrace:
    """Run one layer over a sequence.

    Parameters
    ----------
    layer : Layer
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    LayerTrace
    """
    expect_shape("xs", xs, "(T, m, B)", ("T", "m", "B"))
    traces = [
        unroll(layer.cell, one.params, one.state, np.ascontiguousarray(xs[::-1]) if one.is_reverse else xs)
        for one in layer.directions
    ]
    outputs = [
        trace.h_t[::-1] if direction.is_reverse else trace.h_t for direction, trace in zip(layer.directions, traces)
    ]
    return LayerTrace(xs, traces, outputs[0] if len(outputs) == 1 else np.concatenate(outputs, axis=1))
