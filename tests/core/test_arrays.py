"""Shapes are checked in one place, and arrays compared in one."""

import doctest

import numpy as np
import pytest

from core import arrays
from core.arrays import Comparison, compare, expect_shape


def message(*arguments) -> str:
    with pytest.raises(ValueError) as error:
        expect_shape(*arguments)
    return str(error.value)


def test_the_examples_in_the_docstrings_are_true():
    failed, attempted = doctest.testmod(arrays)
    assert attempted and not failed


def test_a_wrong_shape_names_the_thing_the_rule_and_the_fix():
    assert message("W_hx", np.ones((3, 3)), "(k, m)", (3, 4)) == (
        "W_hx must be (k, m) = (3, 4), but it is (3, 3). Give it 4 columns."
    )


@pytest.mark.parametrize(
    ("shape", "given", "fix"),
    [
        ((3, 4), (2, 4), "Give it 3 rows."),
        ((3, 4), (3, 1), "Give it 4 columns."),
        ((3, 4), (2, 1), "Give it 3 rows and 4 columns."),
        ((1, 4), (2, 4), "Give it 1 row."),
        ((3, 1), (3, 4), "Give it 1 column."),
        ((1, 4), (2, 1), "Give it 1 row and 4 columns."),
        ((3, 1), (2, 4), "Give it 3 rows and 1 column."),
        ((1, 1), (2, 4), "Give it 1 row and 1 column."),
    ],
)
def test_the_fix_names_every_wrong_axis_and_no_other(shape, given, fix):
    assert message("W_hx", np.ones(given), "(k, m)", shape).endswith(f". {fix}")


def test_the_fix_is_good_english_for_one():
    assert message("b_h", np.ones((3, 3)), "(k, 1)", (3, 1)).endswith(". Give it 1 column.")


def test_a_flat_vector_is_told_how_to_become_a_column():
    flat = np.ones(3)
    told = message("x_t", flat, "(m, B)", (3, "B"))
    assert told.startswith("x_t must be (m, B) = (3, B), but it is (3,). Write a column as array.reshape(-1, 1)")
    expect_shape("x_t", flat.reshape(-1, 1), "(m, B)", (3, "B"))


def test_a_letter_leaves_its_axis_free():
    for B in range(5):
        expect_shape("x_t", np.ones((3, B)), "(m, B)", (3, "B"))
    assert message("W_hh", np.ones(3), "(k, n)", ("k", "n")).startswith("W_hh must be (k, n), but it is (3,)")


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ([[1.0], [2.0]], Comparison(0.0, allclose=True, equal=True)),
        ([[1.0], [2.0 + 2**-40]], Comparison(2**-40, allclose=True, equal=False)),
        ([[0.5], [2.25]], Comparison(0.5, allclose=False, equal=False)),
    ],
)
def test_comparing_tells_apart_equal_close_and_different(b, expected):
    a = np.array([[1.0], [2.0]])
    assert compare(a, np.array(b)) == compare(np.array(b), a) == expected


def test_comparing_refuses_what_broadcasting_would_hide():
    with pytest.raises(ValueError, match=r"b must be the shape of a = \(3, 1\), but it is \(1, 3\)"):
        compare(np.ones((3, 1)), np.ones((1, 3)))
