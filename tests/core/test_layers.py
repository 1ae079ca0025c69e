"""Layers and directions: the numbers of PyTorch's own layers, and where output[-1] is not h_n."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import tanh
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.exchange.weight_layouts import PYTORCH, from_pytorch
from core.scenario import DIRECTIONS, MOST_LAYERS, Scenario
from core.sequence.layers import Direction, Layer, last_states, named_results, run_layers, run_layers_bounded
from core.sequence.sequence_run import run_sequence
from core.sequence.unroll import OVERFLOW_LIMIT

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
    made = run_layers(built(net), columns("xs", net))
    assert_allclose(made.output, columns("output", net), rtol=0, atol=1e-12)
    assert_allclose(made.h_n, columns("h_n", net), rtol=0, atol=1e-12)
    if net["c_n"]:
        assert_allclose(made.c_n, columns("c_n", net), rtol=0, atol=1e-12)
    assert bool(net["c_n"]) == bool(made.c_n)


@every_net
def test_the_last_output_is_h_n_but_for_a_reverse_direction(net):
    layers = built(net)
    made = run_layers(layers, columns("xs", net))
    differs = [direction.is_reverse for direction in layers[-1].directions]
    for part, h, is_other in zip(np.split(made.output[-1], len(differs)), made.h_n[-len(differs) :], differs):
        assert np.array_equal(part, h) != is_other


def test_of_a_single_step_the_last_output_is_h_n():
    net = next(net for net in GOLDEN if net["both"])
    layers = built(net)
    made = run_layers(layers, columns("xs", net)[:1])
    assert_array_equal(made.output[-1], np.concatenate(made.h_n[-2:]))


def test_a_stack_needs_a_layer_and_three_axes():
    with pytest.raises(ValueError, match="layers"):
        run_layers([], np.zeros((2, 3, 1)))
    with pytest.raises(ValueError, match="xs"):
        run_layers(built(GOLDEN[0]), np.zeros((2, 3)))


# ---- the stack of a scenario -------------------------------------------------------------------------

SIZES = {"m": 3, "n": 2, "k": 2, "T": 5, "scale": 0.5}
every_cell = pytest.mark.parametrize("cell", CELLS)
layered = pytest.mark.parametrize(
    ("layers", "directions"),
    [(at, ways) for at in range(1, MOST_LAYERS + 1) for ways in DIRECTIONS if (at, ways) != (1, "one")],
)


@every_net
def test_the_marked_entries_are_those_of_a_reverse_direction(net):
    made = run_layers(built(net), columns("xs", net))
    last = last_states(made)
    assert_array_equal(last.output, made.output[-1])
    assert_array_equal(last.h_n, np.concatenate(made.h_n[-2:] if net["both"] else made.h_n[-1:]))
    half = len(made.h_n[-1])
    assert not last.differs[:half].any() and last.differs[half:].all()
    assert last.differs.any() == net["both"]


def test_the_results_have_the_names_of_pytorch():
    net = next(net for net in GOLDEN if net["both"] and net["layers"] == 2 and net["c_n"])
    found = named_results(run_layers(built(net), columns("xs", net)))
    assert [*found] == ["output[-1]", *(f"{part}_n[{at}]" for part in "hc" for at in range(4))]
    for name, array in found.items():
        what, at = name.removesuffix("]").split("[")
        assert_allclose(array, columns(what, net)[int(at)], rtol=0, atol=1e-12)


@every_cell
@layered
def test_layer_1_is_the_cell_of_the_page_and_all_others_are_sampled(cell, layers, directions):
    own = {"h_prev": np.array([[0.5], [-1.0]])}
    scenario = Scenario(**SIZES, layers=layers, directions=directions, arrays=own, w_f=0.25)
    made = scenario.layer_arrays(cell)
    params, first = scenario.params_and_initial_state(cell)
    again, state = CELLS[cell].build(made[0][0], order="hx", g=tanh)
    for name in made[0][0]:
        found, expected = (getattr(each, name, None) for each in (again, params))
        assert np.array_equal(found, expected) or found is expected is None
    assert_array_equal(state.h, first.h)
    ways = DIRECTIONS.index(directions) + 1
    assert [len(layer) for layer in made] == [ways] * layers
    weights = [
        array
        for at, layer in enumerate(made)
        for way, arrays in enumerate(layer)
        for name, array in arrays.items()
        if (at or way) and CELLS[cell].ARRAYS[name].kind == "weights"
    ]
    assert all(len(np.unique(array)) == array.size for array in weights), "the page's own fill is for layer 1 alone"
    assert len({array.tobytes() for array in weights}) == len(weights)
    others = [arrays for at, layer in enumerate(made) for way, arrays in enumerate(layer) if at or way]
    assert not any(arrays[name].any() for arrays in others for name in state_arrays(CELLS[cell]))


def test_scale_seed_and_forget_bias_reach_every_layer():
    plain = Scenario(**SIZES, layers=2, init="normal").layer_arrays("LSTM")[1][0]
    larger = Scenario(**SIZES | {"scale": 1.0}, layers=2, init="normal", forget_bias=2.5).layer_arrays("LSTM")[1][0]
    other = Scenario(**SIZES, layers=2, init="normal", seed=1).layer_arrays("LSTM")[1][0]
    assert_allclose(larger["W_fh"], 2 * plain["W_fh"])
    assert_array_equal(larger["b_f"], plain["b_f"] + 2.5)
    assert not np.isclose(other["W_fh"], plain["W_fh"]).any()


@every_cell
@layered
def test_the_run_of_a_sequence_is_that_of_the_stack(cell, layers, directions):
    scenario = Scenario(**SIZES, init="normal", layers=layers, directions=directions)
    made, single = run_sequence(scenario, cell), run_sequence(scenario.single(), cell)
    assert single.network is None
    for symbol, array in made.trace._asdict().items():
        assert_array_equal(array, getattr(single.trace, symbol))
    assert len(made.network.h_n) == layers * (DIRECTIONS.index(directions) + 1)


def test_a_stack_ends_before_a_number_of_any_layer_overflows():
    scenario = Scenario(
        m=2, n=2, k=2, T=60, g="relu", scale=40.0, init="normal", layers=3, directions="two", cell="RNN"
    )
    made = run_sequence(scenario, "RNN")
    T = len(made.xs)
    assert 1 <= T < len(run_sequence(scenario.single(), "RNN").xs) <= 60
    assert len(made.network.output) == T
    every = [symbol for layer in made.network.layers for trace in layer.traces for symbol in trace]
    assert all(len(symbol) == T and np.abs(symbol).max() <= OVERFLOW_LIMIT for symbol in every)


def test_a_bounded_stack_is_run_over_the_whole_sequence():
    net = GOLDEN[-1]
    (made, T), whole = run_layers_bounded(built(net), columns("xs", net)), run_layers(built(net), columns("xs", net))
    assert T == len(columns("xs", net))
    assert_array_equal(made.output, whole.output)
