"""The LSTM step: the source material's numbers, other frameworks' numbers, and what must always hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import tanh
from core.cells import lstm
from core.cells.lstm import GATES, LSTMParams, LSTMState, output
from core.concatenation import ORDERS, concatenate_weights
from tests.core.shape_errors import shape_error

GOLDEN = json.loads((Path(__file__).parent / "golden" / "lstm.json").read_text())


def make(rng: np.random.Generator, m: int, n: int, k: int, B: int = 1, order: str = "hx"):
    """Random parameters, state and input."""
    weights = {f"W_{gate}": rng.standard_normal((k, n + m)) for gate in GATES}
    biases = {f"b_{gate}": rng.standard_normal((k, 1)) for gate in GATES}
    state = LSTMState(rng.standard_normal((n, B)), rng.standard_normal((k, B)))
    return LSTMParams(**weights, **biases, order=order), state, rng.standard_normal((m, B))


def gates(values: dict[str, float], k: int = 3, inputs: int = 2) -> LSTMParams:
    """Parameters whose gates' pre-activations are the given values whatever comes in."""
    weights = {f"W_{gate}": np.zeros((k, inputs)) for gate in GATES}
    return LSTMParams(**weights, **{f"b_{gate}": np.full((k, 1), values.get(gate, 0.0)) for gate in GATES})


@st.composite
def cells(draw):
    sizes = {name: draw(st.integers(1, 5)) for name in ("m", "n", "k", "B")}
    return make(np.random.default_rng(draw(st.integers(0, 999))), **sizes, order=draw(st.sampled_from(ORDERS)))


# ---- independent sources --------------------------------------------------------------------


def golden_params(W_h: np.ndarray, W_x: np.ndarray, b: np.ndarray, framework_order: str) -> LSTMParams:
    """Our parameters from a framework's, whose gates stand on top of each other in an order of its own."""
    W = np.split(concatenate_weights(W_h, W_x), 4)
    biases = np.split(b[:, None], 4)
    named = {f"W_{gate}": part for gate, part in zip(framework_order, W, strict=True)}
    return LSTMParams(**named, **{f"b_{gate}": part for gate, part in zip(framework_order, biases, strict=True)})


def test_one_step_is_pytorchs():
    golden = {name: np.array(values) for name, values in GOLDEN["pytorch"].items()}
    params = golden_params(golden["weight_hh"], golden["weight_ih"], golden["bias_ih"] + golden["bias_hh"], "ifco")
    step = lstm.step(params, LSTMState(golden["h_prev"].T, golden["c_prev"].T), golden["x_t"].T)
    assert_allclose(step.h_t, golden["h_t"].T, rtol=1e-14)
    assert_allclose(step.c_t, golden["c_t"].T, rtol=1e-14)


def test_one_step_is_onnxs():
    golden = {name: np.array(values)[0] for name, values in GOLDEN["onnx"].items()}
    biases = golden["B"].reshape(2, -1).sum(axis=0)
    params = golden_params(golden["R"], golden["W"], biases, "iofc")
    step = lstm.step(params, LSTMState(golden["initial_h"].T, golden["initial_c"].T), golden["X"].T)
    assert_allclose(step.h_t, golden["Y_h"].T, rtol=1e-14)
    assert_allclose(step.c_t, golden["Y_c"].T, rtol=1e-14)


def test_pytorch_learns_4k_numbers_more_because_it_has_two_biases():
    golden = {name: np.array(values) for name, values in GOLDEN["pytorch"].items()}
    k = golden["h_t"].shape[1]
    params = golden_params(golden["weight_hh"], golden["weight_ih"], golden["bias_ih"], "ifco")
    theirs = sum(array.size for name, array in golden.items() if name.startswith(("weight", "bias")))
    assert theirs - params.count == 4 * k


# ---- the source material --------------------------------------------------------------------

X, H = np.array([[1], [2], [3]]), np.array([[4], [5], [6]])
W_F = np.array([[1, 2, 3, 4, 5, 6], [5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 7, 8]])
B_F = np.array([[1], [2], [3]])
W_I = np.array([[1], [2], [3]]) * np.ones((3, 6), dtype=int)
NONE, NO_BIAS = np.zeros((3, 6)), np.zeros((3, 1))


@pytest.mark.parametrize("order, z_f", [("xh", [92, 177, 136]), ("hx", [65, 150, 109])])
def test_the_forget_layer(order, z_f):
    params = LSTMParams(W_F, NONE, NONE, NONE, B_F, NO_BIAS, NO_BIAS, NO_BIAS, order=order)
    step = lstm.step(params, LSTMState(H, np.ones((3, 1))), X)
    assert_array_equal(step.z_f[:, 0], z_f)
    assert_array_equal(np.round(step.f_t, 12), np.ones((3, 1)))


def test_the_input_gate_has_the_true_sums_and_not_the_mistake():
    params = LSTMParams(NONE, W_I, NONE, NONE, NO_BIAS, np.ones((3, 1), dtype=int), NO_BIAS, NO_BIAS, order="xh")
    step = lstm.step(params, LSTMState(H, np.ones((3, 1))), X)
    assert_array_equal(step.z_i[:, 0], [22, 43, 64])


def test_with_f_1_and_i_0_the_cell_state_is_carried_without_loss():
    state = LSTMState(np.zeros((1, 1)), np.array([[0.3], [-2.0], [1e9]]))
    step = lstm.step(gates({"f": 1e4, "i": -1e4}), state, np.zeros((1, 1)))
    assert_array_equal(step.c_t, state.c)


def test_the_forget_gate_keeps_where_it_is_1():
    state = LSTMState(np.zeros((1, 1)), np.ones((3, 1)))
    kept = [lstm.step(gates({"f": bias}), state, np.zeros((1, 1))).f_c[0, 0] for bias in (-5.0, 0.0, 1.0, 5.0)]
    assert kept == sorted(kept)
    assert_allclose(kept[1:3], [0.5, 1 / (1 + np.exp(-1))])


# ---- laws -----------------------------------------------------------------------------------


def test_the_gates_are_shares_and_the_candidate_is_signed():
    assert {gate: g.range for gate, g in GATES.items()} == {"f": (0, 1), "i": (0, 1), "c": (-1, 1), "o": (0, 1)}


@given(cells())
def test_every_symbol_follows_from_the_ones_before_it(cell):
    params, state, x_t = cell
    step = lstm.step(params, state, x_t)
    for (gate, g), value in zip(GATES.items(), (step.f_t, step.i_t, step.c_tilde, step.o_t)):
        z = getattr(step, f"z_{gate}")
        assert_array_equal(z, getattr(params, f"W_{gate}") @ step.stacked + getattr(params, f"b_{gate}"))
        assert_array_equal(value, g.f(z))
    assert_array_equal([step.p_f, step.p_i, step.p_o], [step.f_t, step.i_t, step.o_t])
    assert_array_equal(step.c_t, step.f_t * step.c_prev + step.i_t * step.c_tilde)
    assert_array_equal(step.h_t, step.o_t * tanh.f(step.c_t))


@given(cells())
def test_one_product_makes_all_four_gates(cell):
    params, state, x_t = cell
    step = lstm.step(params, state, x_t)
    assert_array_equal(np.split(step.z, 4), [step.z_f, step.z_i, step.z_c, step.z_o])
    assert_allclose(step.z, params.W @ step.stacked + params.b, rtol=1e-12, atol=1e-12)
    assert params.count == params.W.size + params.b.size


@given(cells())
def test_the_order_changes_nothing_if_the_columns_follow(cell):
    params, state, x_t = cell
    n = len(state.h)
    first = n if params.order == "hx" else len(x_t)
    swapped = {f"W_{gate}": np.roll(getattr(params, f"W_{gate}"), -first, axis=1) for gate in GATES}
    biases = {f"b_{gate}": getattr(params, f"b_{gate}") for gate in GATES}
    other = LSTMParams(**swapped, **biases, order="xh" if params.order == "hx" else "hx")
    assert_allclose(lstm.step(other, state, x_t).h_t, lstm.step(params, state, x_t).h_t, rtol=1e-10, atol=1e-12)


@given(cells())
def test_a_batch_is_its_columns_one_at_a_time(cell):
    params, state, x_t = cell
    together = lstm.step(params, state, x_t)
    for column in range(x_t.shape[1]):
        one = slice(column, column + 1)
        alone = lstm.step(params, LSTMState(state.h[:, one], state.c[:, one]), x_t[:, one])
        assert_allclose(together.h_t[:, one], alone.h_t, rtol=1e-10, atol=1e-12)


@given(cells())
def test_gates_and_outputs_stay_in_their_ranges(cell):
    step = lstm.step(*cell)
    for gate in (step.f_t, step.i_t, step.o_t):
        assert np.all((gate >= 0) & (gate <= 1))
    assert np.all(np.abs(step.h_t) <= 1)


# ---- stochastic gates -----------------------------------------------------------------------


def test_drawn_gates_are_on_as_often_as_their_value_says():
    params, state, x_t = make(np.random.default_rng(1), m=1, n=1, k=1, B=1)
    expected = lstm.step(params, state, x_t)
    draws = np.random.default_rng(2)
    steps = [lstm.step(params, state, x_t, draw=draws) for _ in range(4000)]
    for symbol in ("f_t", "i_t", "o_t"):
        drawn = np.array([getattr(step, symbol).item() for step in steps])
        assert set(drawn) <= {0.0, 1.0}
        assert drawn.mean() == pytest.approx(getattr(expected, symbol).item(), abs=0.03)
    assert all(step.c_tilde == expected.c_tilde for step in steps)


@given(cells(), st.integers(0, 9))
def test_of_a_drawn_gate_the_probability_stays_and_the_cell_takes_the_draw(cell, seed):
    expected, drawn = (lstm.step(*cell, draw=draw) for draw in (None, np.random.default_rng(seed)))
    assert_array_equal([drawn.p_f, drawn.p_i, drawn.p_o], [expected.f_t, expected.i_t, expected.o_t])
    assert_array_equal(drawn.c_t, drawn.f_t * drawn.c_prev + drawn.i_t * drawn.c_tilde)
    assert_array_equal(drawn.h_t, drawn.o_t * tanh.f(drawn.c_t))


def test_the_same_seed_draws_the_same_gates():
    cell = make(np.random.default_rng(1), m=3, n=3, k=3)
    first, again = (lstm.step(*cell, draw=np.random.default_rng(5)) for _ in range(2))
    assert_array_equal(first.h_t, again.h_t)


# ---- output, recurrence, errors -------------------------------------------------------------


def test_the_output_is_one_more_layer_on_h():
    h_t = np.array([[0.5], [-0.25]])
    z_y, y_t = output(np.array([[2.0, 4.0], [0.0, 8.0]]), np.array([[1.0], [2.0]]), h_t)
    assert_array_equal(z_y, [[1], [0]])
    assert_allclose(y_t, [[1 / (1 + np.exp(-1))], [0.5]])


@pytest.mark.parametrize(
    "W_y, b_y, message",
    [
        (np.ones((2, 4)), np.ones((2, 1)), r"W_y must be \(p, k\)"),
        (np.ones((2, 3)), np.ones((3, 1)), r"b_y must be \(p, 1\)"),
    ],
)
def test_an_output_that_does_not_conform_is_named(W_y, b_y, message):
    with pytest.raises(ValueError, match=message):
        output(W_y, b_y, np.ones((3, 1)))


def test_recurrence_needs_k_equal_to_n():
    params, state, x_t = make(np.random.default_rng(0), m=2, n=3, k=3)
    step = lstm.step(params, state, x_t)
    assert lstm.next_state(step).c is step.c_t
    uneven = lstm.step(*make(np.random.default_rng(0), m=2, n=4, k=3))
    with pytest.raises(ValueError, match=r"^h_t .*\bn = 4\b.*\bk = 3\b.*\bk to 4 or n to 3\b"):
        lstm.next_state(uneven)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"W_i": np.ones((3, 4))}, shape_error("W_i", "(k, n + m)", (3, 5), (3, 4))),
        ({"b_o": np.ones(3)}, shape_error("b_o", "(k, 1)", (3, 1), (3,))),
        ({"order": "hh"}, '^order .*"hx"'),
    ],
)
def test_what_does_not_conform_is_named(change, message):
    params, *_ = make(np.random.default_rng(0), m=2, n=3, k=3)
    with pytest.raises(ValueError, match=message):
        LSTMParams(**{**vars(params), **change})


def test_a_state_of_the_wrong_size_is_named():
    params, state, x_t = make(np.random.default_rng(0), m=2, n=3, k=3)
    with pytest.raises(ValueError, match=shape_error("c_prev", "(k, B)", (3, 1), (2, 1))):
        lstm.step(params, LSTMState(state.h, np.ones((2, 1))), x_t)
    with pytest.raises(ValueError, match=r"\bh_prev .*\bx_t .*\(n \+ m, B\) = \(5, B\).* \(6, 1\)"):
        lstm.step(params, LSTMState(np.ones((4, 1)), state.c), x_t)
