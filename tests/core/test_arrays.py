"""Shapes are checked in one place, and arrays compared in one."""

import doctest
import re
from functools import partial

import numpy as np
import pytest

from core import arrays
from core.arrays import FIXES, Comparison, compare, expect_shape
from tests.sentences import reason

message = partial(reason, expect_shape)


def test_the_examples_in_the_docstrings_are_true():
    failed, attempted = doctest.testmod(arrays)
    assert attempted and not failed


def test_a_wrong_shape_names_the_thing_the_rule_and_the_fix():
    told = message("W_hx", np.ones((3, 3)), "(k, m)", (3, 4))
    assert re.fullmatch(rf"W_hx .*\(k, m\) = \(3, 4\).* \(3, 3\)\. {FIXES['columns',].format(column=4)}\.", told)


@pytest.mark.parametrize(
    ("shape", "given", "fix"),
    [
        ((3, 4), (2, 4), ("rows",)),
        ((3, 4), (3, 1), ("columns",)),
        ((3, 4), (2, 1), ("rows", "columns")),
        ((1, 4), (2, 4), ("1 row",)),
        ((3, 1), (3, 4), ("1 column",)),
        ((1, 4), (2, 1), ("1 row", "columns")),
        ((3, 1), (2, 4), ("rows", "1 column")),
        ((1, 1), (2, 4), ("1 row", "1 column")),
    ],
)
def test_the_fix_names_every_wrong_axis_and_no_other(shape, given, fix):
    told = FIXES[fix].format(row=shape[0], column=shape[1])
    assert message("W_hx", np.ones(given), "(k, m)", shape).endswith(f". {told}.")
    wrong = {axis: f"{size}" for axis, size, other in zip(("row", "column"), shape, given) if size != other}
    assert re.findall(r"\d+|row|column", told) == [word for axis, size in wrong.items() for word in (size, axis)]


def test_a_flat_vector_is_told_how_to_become_a_column():
    flat = np.ones(3)
    told = message("x_t", flat, "(m, B)", (3, "B"))
    assert re.match(r"x_t .*\(m, B\) = \(3, B\).* \(3,\)\. .*array\.reshape\(-1, 1\)", told)
    expect_shape("x_t", flat.reshape(-1, 1), "(m, B)", (3, "B"))


def test_a_letter_leaves_its_axis_free():
    for B in range(5):
        expect_shape("x_t", np.ones((3, B)), "(m, B)", (3, "B"))
    assert re.match(r"W_hh [^=]*\(k, n\)[^=]* \(3,\)", message("W_hh", np.ones(3), "(k, n)", ("k", "n")))


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
    with pytest.raises(ValueError, match=r"^b .*\ba = \(3, 1\).* \(1, 3\)"):
        compare(np.ones((3, 1)), np.ones((1, 3)))
