"""Typed matrices: however they are written, the same numbers come back, and what is no matrix is refused in words."""

import re
from time import process_time

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings
from numpy.testing import assert_array_equal

from core.arrays import MOST_COLUMNS, MOST_ROWS
from core.exchange.matrix_text import LARGEST_VALUE, TOO_MANY, as_integers, from_link, parse_matrix, to_link
from tests.sentences import reason

FINITE = st.floats(-LARGEST_VALUE, LARGEST_VALUE)
MATRICES = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=FINITE | st.integers(-99, 99).map(float) | st.sampled_from([-0.0, 5e-324, LARGEST_VALUE, 0.1]),
)
PAIR = np.array([[1.5, -2], [0.003, 40]])
PAIR_OF_ROWS = np.array([[1, -2, 3], [40, 5, 6]])


def lines(separator: str):
    """Each row on a line of its own, all digits written out."""
    return lambda matrix: "\n".join(separator.join(map(repr, row)) for row in matrix.tolist())


def printed(matrix: np.ndarray) -> str:
    """As NumPy prints it, with all digits."""
    return np.array2string(matrix, floatmode="unique", threshold=matrix.size + 1)


WRITTEN = {
    "a spreadsheet": lines("\t"),
    "a spreadsheet of Windows": lambda matrix: lines("\t")(matrix).replace("\n", "\r\n") + "\r\n",
    "commas": lines(","),
    "commas and spaces": lines(", "),
    "semicolons": lines(";"),
    "spaces": lines("   "),
    "commas at the ends of the lines": lambda matrix: lines(", ")(matrix).replace("\n", ",\n") + ",",
    "nested lists": lambda matrix: str(matrix.tolist()),
    "nested lists on lines": lambda matrix: "[\n  " + ",\n  ".join(map(str, matrix.tolist())) + ",\n]",
    "printed by NumPy": printed,
    "np.array": lambda matrix: f"np.array({matrix.tolist()})",
    "array with a type": lambda matrix: f"array({matrix.tolist()}, dtype=float64)",
    "torch.tensor": lambda matrix: f"torch.tensor({matrix.tolist()}, dtype=torch.float64)",
    "a minus of typographers": lambda matrix: lines(" ")(matrix).replace("-", "−"),
    "white space around it": lambda matrix: f"\n  {lines(' ')(matrix)}\n\n ",
    "capitals": lambda matrix: lines(" ")(matrix).upper(),
}


def assert_same_bits(a: np.ndarray, b: np.ndarray) -> None:
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    assert a.tobytes() == b.tobytes()


# ---- what is read ---------------------------------------------------------------------------


@given(MATRICES)
@example(PAIR)
@settings(max_examples=40)
def test_every_way_to_write_a_matrix_gives_its_numbers_bit_for_bit(matrix):
    for write in WRITTEN.values():
        assert_same_bits(parse_matrix(write(matrix)), as_integers(matrix))


@given(hnp.arrays(np.float64, st.integers(1, 6), elements=FINITE))
def test_a_flat_list_is_a_column(entries):
    assert_same_bits(parse_matrix(str(entries.tolist())), as_integers(entries[:, None]))


@pytest.mark.parametrize("between", ["\n", "\n\n", ", ", ",\n", " "], ids=repr)
def test_several_lists_are_rows(between):
    assert_array_equal(parse_matrix(between.join(map(str, PAIR_OF_ROWS))), PAIR_OF_ROWS)


@given(MATRICES)
def test_whole_numbers_are_integers_where_no_product_of_them_is_too_large(matrix):
    read = as_integers(matrix)
    assert_array_equal(read, matrix)
    small = bool(np.all(matrix == np.round(matrix)) and np.abs(matrix).max() < 2**16)
    assert read.dtype == (np.int64 if small else np.float64)


@pytest.mark.parametrize("shape", [(MOST_ROWS, MOST_COLUMNS), (MOST_ROWS, 1), (1, MOST_COLUMNS)], ids=str)
def test_the_largest_matrix_is_read(shape):
    matrix = np.random.default_rng(0).standard_normal(shape)
    assert_same_bits(parse_matrix(lines("\t")(matrix)), matrix)


# ---- through a link -------------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from(["xs", "W_hh", "b_h", "x_t"]), MATRICES.map(as_integers)))
def test_a_link_carries_every_array_bit_for_bit(arrays):
    read = from_link(to_link(arrays))
    assert list(read) == list(arrays)
    for name, array in arrays.items():
        assert_same_bits(read[name], array)


@given(st.dictionaries(st.sampled_from(["xs", "W_hh"]), MATRICES))
def test_a_link_has_no_character_that_means_something_in_an_address(arrays):
    assert not set(to_link(arrays)) & set("+&=#%?/ \n\"'<>")


@given(MATRICES)
def test_what_was_read_is_written_and_read_again_alike(matrix):
    once = parse_matrix(lines(" ")(matrix))
    assert_same_bits(from_link(to_link({"xs": once}))["xs"], once)
    assert_same_bits(parse_matrix(lines(" ")(once)), once)


def test_a_link_is_short():
    arrays = {"W_hh": np.array([[1, 2.0], [3, 4]]), "b_h": np.array([[0.5], [1]]), "x_t": np.array([[-1e-30]])}
    assert to_link(arrays) == "W_hh~1_2~3_4~~b_h~0.5~1~~x_t~-1e-30"
    assert to_link({}) == "" and from_link("") == {}


@pytest.mark.parametrize(
    "text",
    ["xs", "xs~", "xs~1~~", "~~xs~1", "xs~1~~xs~2", "xs~1_2~3", "xs~1_", "xs~~1", "xs~nan", "xs~1 2", "xs~1e10", "1_2"],
)
def test_a_link_that_is_not_written_like_that_is_refused(text):
    with pytest.raises(ValueError, match=r"W_hh~1_2~3_4|10\^9|\bxs\b\D+2\D+1\b"):
        from_link(text)


# ---- what is refused ------------------------------------------------------------------------

NO_NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "Infinity",
    "1e999",
    "1000000001",
    "0x10",
    "1_000",
    "1e",
    ".",
    "²",
    "٣",
    "½",
    "<b>",
    "1+2",
]


def not_finite(row: int | str = r"\d+", column: int | str = r"\d+") -> str:
    """The line on an entry that is no finite number."""
    return rf"^\D+\b{row}\D+\b{column}\b\D+10\^9\b.* -1\.5 .* 2e-3\.$"


# The errors about a text without numbers, and about brackets that do not match.
EMPTY, BRACKETS = (reason(parse_matrix, text) for text in ("", "["))


@pytest.mark.parametrize("cell", NO_NUMBERS)
def test_what_is_no_finite_number_is_refused_by_its_row_and_column(cell):
    for separator in ("\t", " ", ",", ";"):
        with pytest.raises(ValueError) as refusal:
            parse_matrix(f"1{separator}2{separator}3\n4{separator}5{separator}{cell}")
        assert re.fullmatch(not_finite(2, 3), str(refusal.value)), separator


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1\t\t3", (1, 2)),
        ("1\t2\t3\n4\t\t6", (2, 2)),
        ("1,,3", (1, 2)),
        ("1\t2\n3,5\t4", (2, 1)),
        ("[[1, 2], [3, x]]", (2, 2)),
        ("[0 1 ... 8 9]", (1, 3)),
    ],
    ids=repr,
)
def test_an_empty_cell_and_a_decimal_comma_in_a_spreadsheet_are_no_numbers(text, at):
    with pytest.raises(ValueError, match=not_finite(*at)):
        parse_matrix(text)


@pytest.mark.parametrize(
    ("text", "row", "sizes"),
    [
        ("1 2\n3", 2, (1, 2)),
        ("1 2\n3 4\n5 6 7", 3, (3, 2)),
        ("[[1, 2, 3], [4, 5]]", 2, (2, 3)),
    ],
    ids=repr,
)
def test_rows_of_different_lengths_are_refused_by_the_first_that_differs(text, row, sizes):
    with pytest.raises(ValueError, match=rf"^\D+{row}\D+1\D+{sizes[0]}\D+1\D+{sizes[1]}\b"):
        parse_matrix(text)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t", "[]", "[[]]", "[[], []]", "array([])"], ids=repr)
def test_nothing_is_refused(text):
    with pytest.raises(ValueError, match=rf"^{re.escape(EMPTY)}$|{not_finite()}"):
        parse_matrix(text)


@pytest.mark.parametrize(
    "text", ["[[1, 2], [3, 4]", "[1, 2", "[[1, 2]], 3]", "[[1], 2]", "[", "[[[1]", "[1]]", "[1] x"], ids=repr
)
def test_brackets_that_do_not_fit_are_refused(text):
    with pytest.raises(ValueError, match=f"^{re.escape(BRACKETS)}$"):
        parse_matrix(text)


@pytest.mark.parametrize("text", ["np.array([[1, 2]]) + 1", "f(1)", "array(1, 2", "import os", "=A1", "1 2 // 3"])
def test_code_is_not_run_but_refused(text):
    with pytest.raises(ValueError, match=rf"^{re.escape(BRACKETS)}$|{not_finite()}"):
        parse_matrix(text)


@given(st.text() | st.text("[]()., \t\n-+eE0123456789_*~!ж<", max_size=40))
@settings(max_examples=300)
def test_any_text_is_a_finite_matrix_or_refused_without_being_repeated(text):
    try:
        matrix = parse_matrix(text)
    except ValueError as refusal:
        assert str(refusal).isascii() and "<" not in str(refusal)
    else:
        assert matrix.ndim == 2 and matrix.size and np.all(np.isfinite(matrix))


MANY = 100_000
ENDLESS = {
    "lines": "1 2 3\n" * MANY,
    "lines of a Macintosh": "1 2 3\r" * MANY,
    "numbers on a line": "1 " * MANY,
    "cells": "1\t" * MANY,
    "lists": "[" + "[1]," * MANY + "]",
    "open brackets": "[" * MANY,
    "commas": "array(" + "," * MANY,
    "digits": "1" * 20_000 + "x",
    "spaces": "array(" + " " * MANY + "x",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_text_without_end_is_refused_at_once(text):
    start = process_time()
    with pytest.raises(ValueError, match="|".join((*map(re.escape, (TOO_MANY, EMPTY, BRACKETS)), not_finite()))):
        parse_matrix(text)
    assert process_time() - start < 1


@pytest.mark.parametrize("rows", [MOST_ROWS + 1, 100 * MOST_ROWS])
def test_a_matrix_with_too_many_rows_is_refused_with_the_most_there_may_be(rows):
    with pytest.raises(ValueError, match=rf"^{re.escape(TOO_MANY)}$"):
        parse_matrix("1\n" * rows)
