"""The layouts of PyTorch and Keras: the weights stand where they want them, and make the same numbers there."""

import json
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from core.cells import CELLS
from core.concatenation import ORDERS
from core.exchange.weight_layouts import PYTORCH, from_pytorch, to_keras, to_pytorch
from core.scenario import Scenario
from core.sequence.unroll import unroll
from tests.core.shape_errors import shape_error
from tests.core.strategies import orders

FOLDER = Path(__file__).parent / "golden"
# Placed by hand, and run by both frameworks: see golden/make_keras.py.
GOLDEN = json.loads((FOLDER / "keras.json").read_text())
# One step of PyTorch's own cells with weights of its own drawing.
CELL_OF_PYTORCH = {
    "LSTM": json.loads((FOLDER / "lstm.json").read_text())["pytorch"],
    "GRU": json.loads((FOLDER / "gru.json").read_text()),
}
BLOCKS = {name: cell.LAYOUT.blocks for name, cell in CELLS.items() if cell.LAYOUT}
every_cell = pytest.mark.parametrize("cell", BLOCKS)
names = st.sampled_from(list(BLOCKS))
sizes = st.integers(1, 5)


def numbers(some: dict[str, list]) -> dict[str, np.ndarray]:
    return {name: np.array(values) for name, values in some.items()}


def ours(cell: str) -> dict[str, np.ndarray]:
    return numbers(GOLDEN[cell]["arrays"])


def drawn(cell: str, m: int, k: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Random parameters of a cell."""
    used = Scenario(m=m, n=k, k=k, init="normal", b_normal=True, seed=seed).effective_arrays()
    return {name: used[name] for block in BLOCKS[cell] for name in block if name}


def runs(cell: str, arrays: dict[str, np.ndarray], xs: np.ndarray, order: str = "hx") -> np.ndarray:
    """h_t at each step, with PyTorch's and Keras' tanh in the plain cell."""
    k, m = len(arrays[BLOCKS[cell][0][0]]), xs.shape[1]
    params, state, _ = Scenario(m=m, n=k, k=k, g="tanh", order=order, arrays=arrays).step_arguments(cell)
    return unroll(CELLS[cell], params, state, xs[:, :, None]).h_t[:, :, 0]


# ---- the golden layouts ------------------------------------------------------------------------


@every_cell
def test_the_weights_stand_where_pytorch_has_them(cell):
    golden = numbers(GOLDEN[cell]["pytorch"]["weights"])
    made = to_pytorch(cell, ours(cell))
    assert made.keys() == golden.keys() == set(PYTORCH)
    for name, array in golden.items():
        assert_array_equal(made[name], array, strict=True, err_msg=name)


@every_cell
def test_the_weights_stand_where_keras_has_them(cell):
    for array, golden in zip(to_keras(cell, ours(cell)), GOLDEN[cell]["keras"]["weights"], strict=True):
        assert_array_equal(array, np.array(golden), strict=True)


@every_cell
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("framework", ["pytorch", "keras"])
def test_three_steps_are_those_of_the_framework(framework, order, cell):
    # On PyTorch Keras 3.15 multiplies in float32 in SimpleRNN, whatever its dtype.
    rtol = 1e-6 if (framework, cell) == ("keras", "RNN") else 1e-12
    h_t = runs(cell, ours(cell), ours(cell)["xs"], order)
    assert_allclose(h_t, GOLDEN[cell][framework]["h_t"], rtol=rtol, atol=rtol)


@pytest.mark.parametrize("cell", CELL_OF_PYTORCH)
def test_weights_that_pytorch_drew_make_its_step(cell):
    golden = numbers(CELL_OF_PYTORCH[cell])
    found, arrays = from_pytorch(
        {f"{name}_l0": golden[name] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
    )
    assert found == cell
    for column, h_t in enumerate(golden["h_t"]):
        state = {name: golden[name][column][:, None] for name in ("h_prev", "c_prev") if name in golden}
        assert_allclose(runs(cell, arrays | state, golden["x_t"][[column]]), [h_t], rtol=1e-12)


# ---- there and back ----------------------------------------------------------------------------


@given(names, sizes, sizes, st.integers(0, 999), orders)
def test_what_went_to_pytorch_comes_back_as_the_same_cell(cell, m, k, seed, order):
    arrays, xs = drawn(cell, m, k, seed), np.random.default_rng(seed).standard_normal((4, m))
    found, back = from_pytorch(to_pytorch(cell, arrays))
    assert found == cell
    assert back.keys() == arrays.keys()
    for name, array in arrays.items():
        assert_array_equal(back[name], array, err_msg=name)
    assert_array_equal(runs(cell, back, xs, order), runs(cell, arrays, xs, order))


@given(names, sizes, sizes, st.integers(0, 999))
def test_of_two_biases_only_the_sum_counts_but_where_a_block_has_both(cell, m, k, seed):
    parameters, rng = to_pytorch(cell, drawn(cell, m, k, seed)), np.random.default_rng(seed)
    moved = rng.standard_normal(len(parameters["bias_hh_l0"]))
    for at, (*_, second) in enumerate(BLOCKS[cell]):
        if second:
            moved[at * k : (at + 1) * k] = 0
    other = parameters | {
        name: parameters[name] + sign * moved for name, sign in (("bias_ih_l0", 1), ("bias_hh_l0", -1))
    }
    xs = rng.standard_normal((4, m))
    h_t, other_h_t = (runs(cell, from_pytorch(some)[1], xs) for some in (parameters, other))
    assert_allclose(other_h_t, h_t, rtol=1e-9, atol=1e-12)


@every_cell
@pytest.mark.parametrize("full", ["rnn.{}", "model.encoder.rnn.{}", "0.{}"])
def test_the_parameters_may_have_the_full_names_of_a_model(full, cell):
    parameters = to_pytorch(cell, ours(cell))
    others = {"head.weight": np.ones((2, 4)), "head.bias": np.ones(2), "rnn.weight_ih_l1": np.ones((9, 9))}
    found, arrays = from_pytorch({full.format(name): array for name, array in parameters.items()} | others)
    assert found == cell
    assert all(np.array_equal(arrays[name], array) for name, array in from_pytorch(parameters)[1].items())


@every_cell
@pytest.mark.parametrize("missing", [("bias_ih_l0", "bias_hh_l0"), ("bias_ih_l0",), ("bias_hh_l0",)])
def test_a_bias_that_is_missing_is_0(missing, cell):
    parameters = to_pytorch(cell, ours(cell))
    zeros = {name: np.zeros_like(parameters[name]) for name in missing}
    without = {name: array for name, array in parameters.items() if name not in missing}
    (found, arrays), (_, expected) = from_pytorch(without), from_pytorch(parameters | zeros)
    assert found == cell
    assert arrays.keys() == expected.keys()
    assert all(np.array_equal(arrays[name], array) for name, array in expected.items())


# ---- what is no such layer ---------------------------------------------------------------------


def layer(rows: int, k: int, m: int = 3, **changed: np.ndarray) -> dict[str, np.ndarray]:
    shapes = {"weight_ih_l0": (rows, m), "weight_hh_l0": (rows, k), "bias_ih_l0": (rows,), "bias_hh_l0": (rows,)}
    return {name: np.ones(shape) for name, shape in shapes.items()} | changed


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (layer(16, 2), r"^weight_hh_l0 .*\b2, 6 or 8\b.*\bk = 2\b.*\b16\b.*\bproj_size\b"),
        (layer(8, 4), r"^weight_hh_l0 .*\b4, 12 or 16\b.*\bk = 4\b.* 8\b"),
        (layer(1, 4), r"^weight_hh_l0 .*\b4, 12 or 16\b.*\bk = 4\b.* 1\b"),
        (layer(16, 4, weight_ih_l0=np.ones((12, 3))), shape_error("weight_ih_l0", "(g·k, m)", (16, "m"), (12, 3))),
        (layer(16, 4, weight_ih_l0=np.ones(16)), shape_error("weight_ih_l0", "(g·k, m)", (16, "m"), (16,))),
        (layer(16, 4, weight_hh_l0=np.ones(16)), shape_error("weight_hh_l0", "(g·k, k)", ("g·k", "k"), (16,))),
        (layer(16, 4, bias_ih_l0=np.ones(12)), shape_error("bias_ih_l0", "(g·k, 1)", (16, 1), (12, 1))),
        (layer(16, 4, bias_hh_l0=np.ones((16, 2))), shape_error("bias_hh_l0", "(g·k, 1)", (16, 1), (32, 1))),
    ],
)
def test_shapes_that_are_of_no_cell_are_refused_in_words(parameters, words):
    with pytest.raises(ValueError, match=words):
        from_pytorch(parameters)


@pytest.mark.parametrize("missing", ["weight_ih_l0", "weight_hh_l0"])
@every_cell
def test_weights_that_are_missing_are_refused_by_name(cell, missing):
    parameters = to_pytorch(cell, ours(cell))
    with pytest.raises(ValueError, match=missing):
        from_pytorch({name: array for name, array in parameters.items() if name != missing})


def test_a_name_that_only_ends_alike_is_another_name():
    with pytest.raises(ValueError, match=r"weight_[ih]h_l0"):
        from_pytorch({f"my{name}": array for name, array in layer(16, 4).items()})
