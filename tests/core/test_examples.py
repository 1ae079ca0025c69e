"""The worked examples: the source material's numbers to the last digit."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import sigmoid, tanh
from core.cells import lstm
from core.cells.lstm import LSTMStep
from core.examples import EXAMPLES
from core.saturation import is_saturated, saturated_at
from tests.any_cell import held

THRESHOLD = 0.05
every_example = pytest.mark.parametrize("name", EXAMPLES)


def taken(name: str, **choices) -> LSTMStep:
    """The step of an example, with some choices changed."""
    return replace(EXAMPLES[name].scenario, **choices).step("LSTM")[1]


def weighted(name: str, gate: str) -> np.ndarray:
    """A gate's weights times the stack, without the bias."""
    params, _, _ = EXAMPLES[name].scenario.step_arguments("LSTM")
    return getattr(params, f"W_{gate}") @ taken(name).stacked


def column(*entries: float) -> np.ndarray:
    return np.array(entries)[:, None]


# ---- the source material's numbers ------------------------------------------------------------


def test_the_lab_saturates_every_gate_at_245():
    step = taken("lab")
    assert_array_equal(step.z, np.full((12, 1), 245), strict=True)
    assert_array_equal([step.f_t, step.i_t, step.c_tilde, step.o_t], np.ones((4, 3, 1)))


@pytest.mark.parametrize(
    ("name", "gate", "stacked", "without_bias", "z"),
    [
        ("forget-layer", "f", [1, 2, 3, 4, 5, 6], [91, 175, 133], [92, 177, 136]),
        ("forget-layer-hx", "f", [4, 5, 6, 1, 2, 3], [64, 148, 106], [65, 150, 109]),
        ("input-gate", "f", [1, 2, 3, 4, 5, 6], [91, 175, 133], [92, 177, 136]),
        ("input-gate", "i", [1, 2, 3, 4, 5, 6], [21, 42, 63], [22, 43, 64]),
    ],
)
def test_the_gates_of_the_question_and_of_its_answer(name, gate, stacked, without_bias, z):
    step = taken(name)
    assert_array_equal(step.stacked, column(*stacked), strict=True)
    assert_array_equal(weighted(name, gate), column(*without_bias), strict=True)
    assert_array_equal(getattr(step, f"z_{gate}"), column(*z), strict=True)
    assert_array_equal(getattr(step, f"{gate}_t").round(9), np.ones((3, 1)))


def test_both_forget_layers_have_the_weights_of_the_question():
    question = [[1, 2, 3, 4, 5, 6], [5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 7, 8]]
    for name in ("forget-layer", "forget-layer-hx", "input-gate"):
        assert_array_equal(EXAMPLES[name].scenario.step_arguments("LSTM")[0].W_f, question, strict=True)


@every_example
def test_the_order_of_both_joins_changes_no_result(name):
    results = [taken(name, order=order) for order in ("hx", "xh")]
    for symbol in set(LSTMStep._fields) - {"stacked"}:
        assert_allclose(*(getattr(step, symbol) for step in results), rtol=1e-13, atol=1e-15, err_msg=symbol)


def test_the_hadamard_product_of_what_is_on():
    step = taken("hadamard")
    assert_array_equal(step.tanh_c_t, column(0, 1, 1))
    assert_array_equal(step.o_t, column(0, 0, 1))
    assert_array_equal(step.h_t, column(0, 0, 1))


def test_the_probabilities_of_the_stochastic_gates():
    example = EXAMPLES["stochastic-gates"].scenario
    assert example.stochastic
    assert_allclose(taken("stochastic-gates", stochastic=False).f_t, column(0.5, 0.8, 0.9), rtol=1e-15)
    drawn = [taken("stochastic-gates", seed=seed).f_t for seed in range(800)]
    assert_array_equal(np.unique(drawn), [0, 1])
    assert_allclose(np.mean(drawn, axis=0), column(0.5, 0.8, 0.9), atol=0.04)


def test_the_carousel_carries_the_cell_exactly_and_for_ever():
    params, state, x_t = EXAMPLES["carousel"].scenario.step_arguments("LSTM")
    first = state.c
    for _ in range(100):
        step = lstm.step(params, state, x_t)
        state = lstm.next_state(step)
    assert_array_equal(state.c, first)
    assert_array_equal(step.f_t, np.ones((3, 1)))
    assert_array_equal(step.i_t, np.zeros((3, 1)))
    assert (
        saturated_at(step.z_f, sigmoid, THRESHOLD).high.all() and saturated_at(step.z_i, sigmoid, THRESHOLD).low.all()
    )


def test_the_saturated_cell_grows_by_1_and_shows_1():
    step = taken("saturated-cell")
    assert_array_equal(step.c_prev, column(3, 6, 20))
    assert_array_equal(step.c_t, column(4, 7, 21))
    assert is_saturated(step.c_t, tanh, THRESHOLD).all()
    assert_allclose(step.h_t, np.ones((3, 1)), atol=1e-3)


def test_a_forget_bias_of_1_opens_the_same_gate_wider():
    without, with_1 = (taken(f"forget-bias-{bias}") for bias in (0, 1))
    assert_allclose(without.f_t, 0.5, atol=0.1)
    assert_allclose(with_1.f_t, sigmoid.f(np.array(1.0)), atol=0.1)
    assert_allclose(with_1.z_f, without.z_f + 1, rtol=1e-14)
    for symbol in set(LSTMStep._fields) - {"z_f", "p_f", "f_t", "f_c", "c_t", "tanh_c_t", "h_t"}:
        assert_array_equal(getattr(with_1, symbol), getattr(without, symbol), err_msg=symbol)


# ---- the typed numbers ------------------------------------------------------------------------


@every_example
def test_every_typed_array_is_used_whole(name):
    example = EXAMPLES[name].scenario
    arrays = held(example.cell, example)
    for matrix, typed in example.arrays.items():
        assert_array_equal(arrays[matrix], typed, strict=True, err_msg=matrix)
        assert not typed.flags.writeable


@every_example
def test_an_example_recurs_unless_it_is_the_lab(name):
    assert (EXAMPLES[name].scenario.k == EXAMPLES[name].scenario.n) == (name != "lab")
