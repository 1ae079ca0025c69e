"""The two formulas of the plain cell are one, for every size, order, precision and batch."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS, sigmoid, tanh
from core.arrays import Comparison, compare
from core.cells.rnn import RNNParams, RNNState, next_state, step
from core.concatenation import ORDERS
from core.scenario import Scenario
from tests.core.shape_errors import shape_error
from tests.core.strategies import assert_same_sum, cells, orders

ROWS = [[1, 1, 9, 9, 9]] * 3


def lab(b_h=None):
    params = RNNParams(
        W_hh=np.full((3, 2), 1),
        W_hx=np.full((3, 3), 9),
        b_h=np.zeros((3, 1), int) if b_h is None else b_h,
    )
    return params, step(params, RNNState(np.full((2, 1), 1)), np.full((3, 1), 9))


def forget_layer(order: str):
    """W_f is written for [x; h]; an unpermuted W_f is split in the order that is claimed for it."""
    W_f = np.array([[1, 2, 3, 4, 5, 6], [5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 7, 8]])
    first, last = W_f[:, :3], W_f[:, 3:]
    W_fh, W_fx = (first, last) if order == "hx" else (last, first)
    params = RNNParams(W_fh, W_fx, np.array([[1], [2], [3]]), g=sigmoid, order=order)
    return step(params, RNNState(np.array([[4], [5], [6]])), np.array([[1], [2], [3]]))


@pytest.mark.parametrize(
    ("symbol", "value"),
    [
        ("stacked", [[1], [1], [9], [9], [9]]),
        ("W_h_stacked", [[245]] * 3),
        ("W_hh_h", [[2]] * 3),
        ("W_hx_x", [[243]] * 3),
        ("W_hh_h_plus_W_hx_x", [[245]] * 3),
        ("z_t", [[245]] * 3),
    ],
)
def test_the_lab_comes_out_exactly_and_in_integers(symbol, value):
    params, taken = lab()
    assert (params.m, params.n, params.k) == (3, 2, 3)
    assert_array_equal(params.W_h, np.array(ROWS), strict=True)
    assert_array_equal(getattr(taken, symbol), np.array(value), strict=True)


def test_the_lab_finds_its_two_formulas_exactly_equal():
    _, taken = lab()
    agreement = compare(taken.W_h_stacked, taken.W_hh_h_plus_W_hx_x)
    assert agreement == Comparison(largest_difference=0, allclose=True, equal=True)


def test_the_lab_saturates_whatever_its_bias():
    for seed in range(20):
        _, taken = lab(np.random.default_rng(seed).standard_normal((3, 1)))
        assert_array_equal(np.round(taken.h_t, 8), np.ones((3, 1)))
        assert np.all(taken.dg_z_t > 0)


@pytest.mark.parametrize(("order", "z"), [("xh", [[92], [177], [136]]), ("hx", [[65], [150], [109]])], ids=ORDERS[::-1])
def test_the_forget_layer_depends_on_the_order_its_weights_are_read_in(order, z):
    taken = forget_layer(order)
    assert_array_equal(taken.z_t, np.array(z), strict=True)
    assert_array_equal(taken.h_t, np.ones((3, 1)))


@given(cells(), orders)
def test_both_formulas_are_one(cell, order):
    W_hh, W_hx, b_h, h_prev, x_t = cell
    taken = step(RNNParams(W_hh, W_hx, b_h, order=order), RNNState(h_prev), x_t)
    assert_same_sum(taken.W_h_stacked, taken.W_hh_h_plus_W_hx_x)
    assert_same_sum(taken.z_t, W_hh @ h_prev + W_hx @ x_t + b_h)


@given(cells(), orders)
def test_every_symbol_follows_from_the_ones_before(cell, order):
    W_hh, W_hx, b_h, h_prev, x_t = cell
    params = RNNParams(W_hh, W_hx, b_h, g=tanh, order=order)
    taken = step(params, RNNState(h_prev), x_t)
    assert_array_equal(taken.h_prev, h_prev, strict=True)
    assert_array_equal(taken.x_t, x_t, strict=True)
    assert_array_equal(taken.W_h_stacked, params.W_h @ taken.stacked, strict=True)
    assert_array_equal(taken.W_hh_h_plus_W_hx_x, taken.W_hh_h + taken.W_hx_x, strict=True)
    assert_array_equal(taken.z_t, taken.W_h_stacked + b_h, strict=True)
    assert_array_equal(taken.h_t, tanh.f(taken.z_t), strict=True)
    assert_array_equal(taken.dg_z_t, tanh.df(taken.z_t), strict=True)


@given(cells(), orders)
def test_a_batch_is_its_columns_one_at_a_time(cell, order):
    W_hh, W_hx, b_h, h_prev, x_t = cell
    params = RNNParams(W_hh, W_hx, b_h, order=order)
    batch = step(params, RNNState(h_prev), x_t)
    alone = [step(params, RNNState(h_prev[:, [j]]), x_t[:, [j]]) for j in range(x_t.shape[1])]
    assert_same_sum(batch.z_t, np.hstack([column.z_t for column in alone]))
    assert batch.h_t.shape == (params.k, x_t.shape[1])


@pytest.mark.parametrize("g", ACTIVATIONS)
def test_the_slope_is_how_the_output_answers_the_bias(g):
    def h_t(b):
        params, state, x_t = Scenario(n=4, k=5, init="normal", b=b, g=g).step_arguments("RNN")
        return step(params, state, x_t)

    bias, nudge = 0.3, 1e-5
    differences = (h_t(bias + nudge).h_t - h_t(bias - nudge).h_t) / (2 * nudge)
    assert_allclose(h_t(bias).dg_z_t, differences, rtol=0, atol=1e-9)


def test_one_step_may_change_the_size_and_a_second_may_not():
    _, taken = lab()
    assert (len(taken.h_prev), len(taken.h_t)) == (2, 3)
    with pytest.raises(ValueError, match=r"^h_t .*\bn = 2\b.*\bh_prev\b.*\bk = 3\. .*\bk = n\b.*\bk to 2 or n to 3\.$"):
        next_state(taken)


@given(cells())
def test_a_step_recurs_exactly_when_its_sizes_agree(cell):
    W_hh, W_hx, b_h, h_prev, x_t = cell
    taken = step(RNNParams(W_hh, W_hx, b_h), RNNState(h_prev), x_t)
    if W_hh.shape[0] == W_hh.shape[1]:
        assert next_state(taken).h is taken.h_t
    else:
        with pytest.raises(ValueError, match=r"\bk = n\b"):
            next_state(taken)


@pytest.mark.parametrize("order", ORDERS)
def test_steps_chain(order):
    params, state, x_t = Scenario(n=4, k=4, init="normal", g="tanh", order=order).step_arguments("RNN")
    h = state.h
    for _ in range(5):
        state = next_state(step(params, state, x_t))
        h = np.tanh(params.W_hh @ h + params.W_hx @ x_t + params.b_h)
    assert_allclose(state.h, h, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"W_hh": (2,)}, shape_error("W_hh", "(k, n)", ("k", "n"), (2,))),
        ({"W_hx": (2, 4)}, shape_error("W_hx", "(k, m)", (3, "m"), (2, 4))),
        ({"b_h": (3,)}, shape_error("b_h", "(k, 1)", (3, 1), (3,))),
        ({"b_h": (1, 3)}, shape_error("b_h", "(k, 1)", (3, 1), (1, 3))),
        ({"h_prev": (3, 1)}, shape_error("h_prev", "(n, B)", (2, "B"), (3, 1))),
        ({"x_t": (4,)}, shape_error("x_t", "(m, B)", (4, 1), (4,))),
        ({"x_t": (4, 2)}, shape_error("x_t", "(m, B)", (4, 1), (4, 2))),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_by_name_with_rule_and_fix(wrong, message):
    right = {"W_hh": (3, 2), "W_hx": (3, 4), "b_h": (3, 1), "h_prev": (2, 1), "x_t": (4, 1)}
    W_hh, W_hx, b_h, h_prev, x_t = (np.ones(shape) for shape in (right | wrong).values())
    with pytest.raises(ValueError, match=message):
        step(RNNParams(W_hh, W_hx, b_h), RNNState(h_prev), x_t)


def test_an_unknown_order_is_refused_before_any_step():
    with pytest.raises(ValueError, match="^order .*'x'"):
        RNNParams(np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1)), order="x")
