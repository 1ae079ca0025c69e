"""Cells in layers and in two directions, with the results that PyTorch calls output, h_n and c_n.

A layer reads the outputs of the layer below it. In a layer of two directions, a second cell reads the sequence from its end,
and the output at a step is the forward h_t above the backward one. So the last output of the backward cell is h after a single
step, whereas its entry of h_n is h after all steps: ``output[-1]`` and h_n differ there, and no error says so.

Arrays have a column for each sequence, as everywhere here. PyTorch has a row for each: its arrays are the same with the last
two axes swapped.

References
----------
PyTorch, torch.nn.RNN, torch.nn.LSTM and torch.nn.GRU.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.activations import Activation
from core.arrays import Array, expect_shape
from core.cells.protocol import Cell
from core.sequence.unroll import bounded_steps, unroll


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
    """A layer of a network.

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


class NetworkTrace(NamedTuple):
    """The steps of several layers over a sequence, with its results.

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


def build_layers(
    cell: Cell, arrays: Sequence[Sequence[Mapping[str, Array]]], *, order: str, g: Activation
) -> list[Layer]:
    """Return layers from their arrays.

    Parameters
    ----------
    cell : Cell
    arrays : sequence of sequence of mapping from str to ndarray
        From the bottom: of each direction of each layer, by the names of the cell's arrays.
    order, g
        As of the cell.

    Raises
    ------
    ValueError
        If shapes do not match.
    """
    return [
        Layer(
            cell,
            [Direction(*cell.build(own, order=order, g=g), is_reverse=bool(at)) for at, own in enumerate(directions)],
        )
        for directions in arrays
    ]


def run_layers(layers: Sequence[Layer], xs: Array) -> NetworkTrace:
    """Run layers over a sequence.

    Parameters
    ----------
    layers : sequence of Layer
        From the bottom, at least one.
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    NetworkTrace

    Raises
    ------
    ValueError
        If there is no layer, or if a layer does not match its input.
    """
    if not layers:
        raise ValueError("layers is empty. Give it at least one layer.")
    traced: list[LayerTrace] = []
    for layer in layers:
        traced.append(run_layer(layer, traced[-1].output if traced else xs))
    return with_last_states(layers, traced)


def run_layers_bounded(layers: Sequence[Layer], xs: Array) -> tuple[NetworkTrace, int]:
    """Run layers over the steps of a sequence that come before a number beyond OVERFLOW_LIMIT, of whatever layer.

    Parameters
    ----------
    layers : sequence of Layer
        From the bottom, at least one.
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    NetworkTrace
    T : int
        How many steps it has, at least one.
    """
    traced: list[LayerTrace] = []
    while len(traced) < len(layers):
        layer_trace = run_layer(layers[len(traced)], traced[-1].output if traced else xs)
        T = max(1, min(bounded_steps(trace)[1] for trace in layer_trace.traces))
        if T == len(xs):
            traced.append(layer_trace)
        else:  # A reverse direction then starts at another step, so every layer is run again.
            xs, traced = xs[:T], []
    return with_last_states(layers, traced), len(xs)


class LastStates(NamedTuple):
    """The two vectors that are mistaken for each other.

    Attributes
    ----------
    output : ndarray of shape (rows, B)
        The last output: ``output[-1]`` of PyTorch.
    h_n : ndarray of shape (rows, B)
        h after all steps of each direction of the last layer, on top of each other.
    differs : ndarray of bool of shape (rows, B)
        The entries that are not equal.
    """

    output: Array
    h_n: Array
    differs: Array


def last_states(trace: NetworkTrace) -> LastStates:
    """Return the last output of a network and h_n of its last layer."""
    output = trace.output[-1]
    h_n = np.concatenate(trace.h_n[-len(trace.layers[-1].traces) :])
    return LastStates(output, h_n, output != h_n)


def named_results(trace: NetworkTrace) -> dict[str, Array]:
    """Return the results of a network by the expressions that give them in PyTorch, such as ``"output[-1]"`` and ``"h_n[0]"``.

    Returns
    -------
    dict from str to ndarray of shape (rows, B)
    """
    results = {"output[-1]": trace.output[-1]}
    results |= {f"h_n[{at}]": h for at, h in enumerate(trace.h_n)}
    return results | {f"c_n[{at}]": c for at, c in enumerate(trace.c_n)}


def with_last_states(layers: Sequence[Layer], traced: list[LayerTrace]) -> NetworkTrace:
    """Return the trace of a network with its results."""
    last = [
        layer.cell.next_state(type(steps)(*(symbol[-1] for symbol in steps)))
        for layer, layer_trace in zip(layers, traced)
        for steps in layer_trace.traces
    ]
    return NetworkTrace(
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
