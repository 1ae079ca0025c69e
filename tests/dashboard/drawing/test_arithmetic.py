"""Numbers are printed right to their last digit, and the printed arithmetic comes to what it says."""

import json
import math
import re
from decimal import Decimal
from functools import partial
from pathlib import Path

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given
from numpy.testing import assert_allclose

from dashboard.drawing.arithmetic import (
    MOST_HOVERED,
    MOST_TERMS,
    added,
    applied,
    equals,
    multiplied,
    number,
    products,
    sums_of_products,
)

DECIMALS = st.integers(0, 6)
VALUES = st.floats(allow_nan=False, allow_infinity=False)


# tests/js holds the browser's `number` to the same cases. Among them are ties, which both round away from 0.
CASES = json.loads((Path(__file__).parents[2] / "number_format_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("value", "decimals", "text"), CASES)
def test_a_number_is_whole_or_decimal_or_a_power_of_ten(value, decimals, text):
    assert number(value, decimals) == text


@given(VALUES, DECIMALS)
def test_a_number_is_right_to_half_of_its_last_digit(value, decimals):
    printed = Decimal(number(value, decimals).replace("−", "-"))
    half = Decimal(5).scaleb(printed.as_tuple().exponent - 1)
    assert abs(printed - Decimal(value)) <= half


@given(VALUES, DECIMALS)
@example(0.5, 0)
@example(5e-7, 6)
def test_nothing_but_zero_is_printed_as_zero(value, decimals):
    printed = Decimal(number(value, decimals).replace("−", "-"))
    assert (printed == 0) == (value == 0)


def evaluated(text: str) -> float:
    """What an arithmetic comes to, whether or not it is abbreviated."""
    text = re.sub(r"\(\d+ more products: (.*)\)", r"\1", text).replace("−", "-")
    return sum(math.prod(float(factor.strip("()")) for factor in term.split("·")) for term in text.split(" + "))


@st.composite
def rows_and_stacks(draw):
    size = draw(st.integers(1, 40))
    return [draw(hnp.arrays(np.float64, size, elements=st.floats(-100, 100))) for _ in range(2)]


@given(rows_and_stacks())
def test_the_arithmetic_comes_to_the_product(pair):
    weights, inputs = pair
    text = products(weights, inputs, decimals=17)
    assert_allclose(evaluated(text), weights @ inputs, rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1, MOST_TERMS, MOST_TERMS + 1, 1000])
def test_a_short_row_is_spelled_out_and_a_long_one_says_what_it_leaves_out(size):
    text = products(np.ones(size), np.ones(size), 2)
    named, left_out = text.count("·"), re.search(r"\((\d+) more products: (\d+)\)", text)
    assert named <= MOST_TERMS
    assert (left_out is None) == (size <= MOST_TERMS)
    assert named + (int(left_out[1]) if left_out else 0) == size


def test_a_negative_factor_stands_in_brackets():
    assert products(np.array([-1.5, 2]), np.array([3, -4]), 1) == "(−1.5)·3 + 2·(−4)"


def test_the_arithmetic_of_a_unit_ends_with_its_bias_and_its_result():
    W_h, stacked, b_h = np.array([[1, 2], [3, 4]]), np.array([[5], [6]]), np.array([[7], [-8]])
    assert sums_of_products(W_h, stacked, W_h @ stacked, None, 2) == ["1·5 + 2·6 = 17", "3·5 + 4·6 = 39"]
    assert sums_of_products(W_h, stacked, W_h @ stacked + b_h, b_h, 2) == [
        "1·5 + 2·6 + 7 = 24",
        "3·5 + 4·6 + (−8) = 31",
    ]


@given(st.floats(-1e12, 1e12) | st.integers(-(10**9), 10**9), DECIMALS)
@example(1_234_567, 2)
def test_equals_is_said_of_nothing_that_is_printed_as_another_number(value, decimals):
    if equals(decimals, value) == "=":
        assert float(number(value, decimals).replace("−", "-")) == value


def test_equals_says_whether_anything_was_rounded():
    assert equals(2, np.array([1, 2]), 0.25) == "="
    assert equals(2, np.array([1.0, 1 / 3])) == "≈"
    assert added(np.array([[2]]), np.array([[-0.125]]), np.array([[1.875]]), 2) == ["2 + (−0.13) ≈ 1.88"]


@pytest.mark.parametrize(
    ("name", "z", "g_z", "text"),
    [
        ("σ", 245, 1.0, "σ(245) ≈ 1"),
        ("σ", -800, 0.0, "σ(−800) ≈ 0"),
        ("tanh", 40, 1.0, "tanh(40) ≈ 1"),
        ("σ", 0, 0.5, "σ(0) = 0.50"),
        ("tanh", -0.0, 0.0, "tanh(0) = 0"),
        ("σ′", 0, 0.25, "σ′(0) = 0.25"),
        ("ReLU", 2.5, 2.5, "ReLU(2.50) = 2.50"),
        ("ReLU", 0.125, 0.125, "ReLU(0.13) ≈ 0.13"),
        ("ReLU′", -3, 0.0, "ReLU′(−3) = 0"),
    ],
)
def test_a_power_of_e_is_said_to_be_exact_at_0_alone(name, z, g_z, text):
    exact = name.startswith("ReLU")
    assert applied(name, np.array([[z]]), np.array([[g_z]]), 2, exact=exact) == [text]


def test_a_product_has_a_name_and_shows_both_factors():
    factors = np.array([[0.5], [-2]]), np.array([[3], [-0.125]])
    assert multiplied("f∘c", *factors, factors[0] * factors[1], 2) == [
        "f∘c: 0.50·3 = 1.50",
        "f∘c: −2·(−0.13) ≈ 0.25",
    ]


def test_only_a_negative_number_after_a_sign_stands_in_brackets():
    assert added(np.array([[-2]]), np.array([[-3]]), np.array([[-5]]), 2) == ["−2 + (−3) = −5"]


@pytest.mark.parametrize("combined", [added, partial(multiplied, "f∘c")], ids=["added", "multiplied"])
def test_for_many_units_nothing_is_spelled_out(combined):
    few, many = (np.ones((size, 1)) for size in (MOST_HOVERED, MOST_HOVERED + 1))
    assert len(combined(few, few, few, 2)) == MOST_HOVERED
    assert combined(many, many, many, 2) is None
