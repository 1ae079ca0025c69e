"""Layers and directions: the numbers of PyTorch's own layers, and where output[-1] is not h_n."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import tanh
from core.cells import CELLS
from core.exchange.frameworks import PYTORCH, from_pytorch
from core.time.stack import Direction, Layer, run

# See golden/make_stack.py.
GOLDEN = json.loads((Path(__file__).parent / "golden" / "stack.json").read_text())
every_net = pytest.mark.parametrize(
    "net",
    GOLDEN,
    ids=[f"{net['cell']}-{net['layers']}-{net['both']}-{'bias_ih_l0' in net['weights']}" for net in GOLDEN],
)


def columns(name: str, net: dict) -> np.ndarray:
    """An array of the file with a column for each sequence."""
    return np.swapaxes(np.array(net[name]), -1, -2)


def built(net: dict) -> list[Layer]:
    """The layers of a net of the file."""
    cell, states, layers = CELLS[net["cell"]], iter(zip(columns("h_0", net), columns("c_0", net))), []
    for at in range(net["layers"]):
        directions = []
        for end in ("", "_reverse") if net["both"] else ("",):
            own = {name: f"{name.removesuffix('0')}{at}{end}" for name in PYTORCH}
            weights = {name: np.array(net["weights"][full]) for name, full in own.items() if full in net["weights"]}
            _, arrays = from_pytorch(weights)
            h, c = next(states)
            given = {"h_prev": h, "c_prev": c}
            params, state = cell.build(
                arrays | {n: a for n, a in given.items() if n in cell.ARRAYS}, order="hx", g=tanh
            )
            directions.append(Direction(params, state, bool(end)))
        layers.append(Layer(cell, directions))
    return layers


@every_net
def test_a_stack_computes_what_pytorch_does(net):
    made = run(built(net), columns("xs", net))
    assert_allclose(made.output, columns("output", net), rtol=0, atol=1e-12)
    assert_allclose(made.h_n, columns("h_n", net), rtol=0, atol=1e-12)
    if net["c_n"]:
        assert_allclose(made.c_n, columns("c_n", net), rtol=0, atol=1e-12)
    assert bool(net["c_n"]) == bool(made.c_n)


@every_net
def test_the_last_output_is_h_n_but_for_a_reverse_direction(net):
    layers = built(net)
    made = run(layers, columns("xs", net))
    differs = [direction.is_reverse for direction in layers[-1].directions]
    for part, h, is_other in zip(np.split(made.output[-1], len(differs)), made.h_n[-len(differs) :], differs):
        assert np.array_equal(part, h) != is_other


def test_of_a_single_step_the_last_output_is_h_n():
    net = next(net for net in GOLDEN if net["both"])
    layers = built(net)
    made = run(layers, columns("xs", net)[:1])
    assert_array_equal(made.output[-1], np.concatenate(made.h_n[-2:]))


def test_a_stack_needs_a_layer_and_three_axes():
    with pytest.raises(ValueError, match="layers"):
        run([], np.zeros((2, 3, 1)))
    with pytest.raises(ValueError, match="xs"):
        run(built(GOLDEN[0]), np.zeros((2, 3)))
