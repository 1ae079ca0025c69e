"""The two joins belong together: what one orders, the other must order alike."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from core.concatenation import (
    ORDERS,
    back_to_stack,
    concatenate_weights,
    in_order,
    stack_input,
    stacked_product,
    ways_agree,
)
from tests.core.shape_errors import shape_error
from tests.core.strategies import assert_same_sum, cells, orders

LAB_W_HH, LAB_W_HX = np.full((3, 2), 1), np.full((3, 3), 9)
LAB_H, LAB_X = np.full((2, 1), 1), np.full((3, 1), 9)

# The forget layer puts x first, so the first 3 columns of W_f are x's.
W_F = np.array([[1, 2, 3, 4, 5, 6], [5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 7, 8]])
FORGET_LAYER = W_F[:, 3:], W_F[:, :3], np.array([[4], [5], [6]]), np.array([[1], [2], [3]])
RIGHT, WRONG = [[91], [175], [133]], [[64], [148], [106]]


def test_the_lab_joins_its_weights_side_by_side():
    W_h = concatenate_weights(LAB_W_HH, LAB_W_HX)
    assert W_h.shape == (3, 5)
    assert_array_equal(W_h, [[1, 1, 9, 9, 9]] * 3)
    assert_array_equal(W_h, np.hstack((LAB_W_HH, LAB_W_HX)))


def test_the_lab_stacks_its_inputs_on_top_of_each_other():
    stacked = stack_input(LAB_H, LAB_X)
    assert stacked.shape == (5, 1)
    assert_array_equal(stacked, [[1], [1], [9], [9], [9]])
    assert_array_equal(stacked, np.vstack((LAB_H, LAB_X)))


@pytest.mark.parametrize("order", ORDERS)
def test_the_gradient_by_the_stack_is_cut_where_the_stack_was_joined(order):
    rng = np.random.default_rng(3)
    W_hh, W_hx, delta = rng.integers(-9, 9, (4, 3)), rng.integers(-9, 9, (4, 2)), rng.integers(-9, 9, (4, 5))
    back = back_to_stack(concatenate_weights(W_hh, W_hx, order), delta)
    assert_array_equal(back, np.vstack(in_order(W_hh.T @ delta, W_hx.T @ delta, order)))
    # How far the sum of δ∘z moves with the stack.
    moved = rng.integers(-9, 9, (5, 5))
    assert np.sum(delta * (concatenate_weights(W_hh, W_hx, order) @ moved)) == np.sum(back * moved)
    with pytest.raises(ValueError, match=shape_error("delta", "(k, B)", (4, "B"), (3, 1))):
        back_to_stack(concatenate_weights(W_hh, W_hx, order), np.ones((3, 1)))


@pytest.mark.parametrize("order", ORDERS)
def test_both_ways_of_joining_agree(order):
    assert ways_agree(LAB_W_HH, LAB_W_HX, 1, order)
    assert ways_agree(LAB_H, LAB_X, 0, order)


@given(cells(), orders)
def test_the_weights_can_be_sliced_out_of_their_join(cell, order):
    W_hh, W_hx, *_ = cell
    n, m = W_hh.shape[1], W_hx.shape[1]
    W_h = concatenate_weights(W_hh, W_hx, order)
    h_block, x_block = (W_h[:, :n], W_h[:, n:]) if order == "hx" else (W_h[:, m:], W_h[:, :m])
    assert_array_equal(h_block, W_hh, strict=True)
    assert_array_equal(x_block, W_hx, strict=True)


@given(cells(), orders)
def test_the_inputs_can_be_sliced_out_of_their_stack(cell, order):
    *_, h_prev, x_t = cell
    n, m = len(h_prev), len(x_t)
    stacked = stack_input(h_prev, x_t, order)
    h_part, x_part = (stacked[:n], stacked[n:]) if order == "hx" else (stacked[m:], stacked[:m])
    assert_array_equal(h_part, h_prev, strict=True)
    assert_array_equal(x_part, x_t, strict=True)


@given(cells())
def test_permuting_columns_and_stack_together_changes_nothing(cell):
    W_hh, W_hx, _, h_prev, x_t = cell
    assert_same_sum(stacked_product(W_hh, W_hx, h_prev, x_t, "hx"), stacked_product(W_hh, W_hx, h_prev, x_t, "xh"))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("stack_order", ORDERS)
def test_permuting_one_alone_changes_the_forget_layer(order, stack_order):
    product = stacked_product(*FORGET_LAYER, order, stack_order)
    assert_array_equal(product, RIGHT if order == stack_order else WRONG)


def test_the_stack_follows_the_columns_unless_told_otherwise():
    assert_array_equal(stacked_product(*FORGET_LAYER), RIGHT)
    assert_array_equal(stacked_product(*FORGET_LAYER, "xh"), RIGHT)


@pytest.mark.parametrize(
    ("join", "first", "second", "message"),
    [
        (concatenate_weights, (3, 2), (2, 3), shape_error("W_hx", "(k, m)", (3, "m"), (2, 3))),
        (concatenate_weights, (3,), (3, 3), shape_error("W_hh", "(k, n)", ("k", "n"), (3,))),
        (stack_input, (2, 4), (3, 1), shape_error("x_t", "(m, B)", ("m", 4), (3, 1))),
        (stack_input, (2,), (3, 1), shape_error("h_prev", "(n, B)", ("n", "B"), (2,))),
    ],
)
def test_blocks_that_do_not_fit_are_refused_by_name(join, first, second, message):
    with pytest.raises(ValueError, match=message):
        join(np.ones(first), np.ones(second))


@pytest.mark.parametrize("join", [concatenate_weights, stack_input])
def test_an_unknown_order_is_refused(join):
    with pytest.raises(ValueError, match="^order .*'hxx'"):
        join(np.ones((2, 2)), np.ones((2, 2)), "hxx")
