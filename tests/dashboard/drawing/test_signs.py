"""Where a line of arithmetic says "=", both of its sides are exactly the same number as they are printed."""

import re
from fractions import Fraction
from math import prod

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings

from dashboard.drawing import arithmetic
from tests.dashboard.page import Shown, open_link

DECIMALS = st.integers(0, 6)
NUMBER = r"−?\d+(?:\.\d+)?(?:e−?\d+)?"
FACTOR = rf"(?:{NUMBER}|\({NUMBER}\)|\(\d+ more products: {NUMBER}\))"
SUM = rf"{FACTOR}(?:·{FACTOR})?(?: \+ {FACTOR}(?:·{FACTOR})?)*"
LINE = re.compile(rf"(?:(?<!\w)(?<!′)({SUM})|(\w+′?)\(({NUMBER})\)) ([=≈]) ({NUMBER})(?![\d.])")
# Where they are exact.
FUNCTIONS = {
    "ReLU": lambda z: max(z, 0),
    "ReLU′": lambda z: int(z > 0),
    "σ": {0: Fraction(1, 2)}.get,
    "σ′": {0: Fraction(1, 4)}.get,
    "tanh": {0: 0}.get,
    "tanh′": {0: 1}.get,
}


def printed(text: str) -> Fraction:
    """What a printed sum of products comes to, exactly."""
    text = re.sub(r"\(\d+ more products: (.*?)\)", r"\1", text).replace("−", "-")
    return sum(prod(Fraction(factor.strip("()")) for factor in term.split("·")) for term in text.split(" + "))


def assert_true(line: str) -> int:
    """Each equation of the line that says "=" is one; and how many equations there are."""
    found = LINE.findall(line)
    for left, function, z, sign, right in found:
        exact = FUNCTIONS[function](printed(z)) if function else printed(left)
        assert sign == "≈" or exact == printed(right), line
    return len(found)


def sampled(decimals: int) -> st.SearchStrategy[float]:
    """Numbers that are printed with all their digits, most of them."""
    small = st.integers(-9, 9)
    decimal = st.integers(-(10 ** (6 + decimals)), 10 ** (6 + decimals)).map(lambda whole: whole / 10**decimals)
    eighths = st.integers(-99, 99).map(lambda whole: whole / 8)
    return small.map(float) | decimal | eighths | st.floats(-1e9, 1e9)


@st.composite
def sums(draw) -> tuple:
    """A row of weights, what it multiplies, a bias or none, and decimals."""
    decimals, size = draw(DECIMALS), draw(st.integers(1, 16))
    few = draw(st.lists(sampled(decimals), min_size=1, max_size=3))
    row, stack = (
        np.array(draw(st.lists(st.sampled_from(few) | sampled(decimals), min_size=size, max_size=size)))
        for _ in range(2)
    )
    return row, stack, draw(st.none() | sampled(decimals)), decimals


@given(sums())
@settings(max_examples=100)
# The products that are not spelled out come to 0.125.
@example((np.array([0.5, *[0.0] * 11, 0.5]), np.array([0.25, *[0.0] * 11, 0.25]), 0.0, 2))
# Of numbers as large as these float64 loses what two decimals of each factor make.
@example((np.array([999_999.99, -999_999.0]), np.array([999_999.99, 999_999.0]), None, 2))
def test_a_sum_of_products_equals_what_it_says(drawn):
    row, stack, bias, decimals = drawn
    z = row[None] @ stack[:, None] + (bias or 0)
    b = None if bias is None else np.array([[bias]])
    (line,) = arithmetic.sums_of_products(row[None], stack[:, None], z, b, decimals)
    assert assert_true(line) == 1


@given(DECIMALS.flatmap(lambda decimals: st.tuples(sampled(decimals), sampled(decimals), st.just(decimals))))
@settings(max_examples=100)
@example((999_999.999999, 0.999999, 6))
def test_a_sum_and_a_product_of_two_equal_what_they_say(drawn):
    *pair, decimals = drawn
    first, second = (np.array([[value]]) for value in pair)
    for (line,) in (
        arithmetic.added(first, second, first + second, decimals),
        arithmetic.multiplied("f∘c", first, second, first * second, decimals),
    ):
        assert assert_true(line) == 1


def test_what_is_printed_in_full_and_comes_out_says_so():
    ones = np.ones((1, 13))
    assert arithmetic.sums_of_products(ones, ones.T, ones @ ones.T, None, 2)[0].endswith("(3 more products: 3) = 13")
    half = np.array([[0.5]])
    assert arithmetic.sums_of_products(half, half, half * half, None, 2) == ["0.50·0.50 = 0.25"]
    assert arithmetic.multiplied("f∘c", half, half, half * half, 2) == ["f∘c: 0.50·0.50 = 0.25"]


REST = (
    "W_hh~0.5~~h_prev~0.25~~W_hx~0_0_0_0_0_0_0_0_0_0_0_0.5~~x_t~0~0~0~0~0~0~0~0~0~0~0~0.25~~"
    "W_fh~0.5~~W_fx~0_0_0_0_0_0_0_0_0_0_0_0.5~~W_y~0.3"
)
LINKS = {
    "a rounded rest": {"m": "12", "n": "1", "k": "1", "g": "relu", "typed": REST},
    "whole numbers": {"m": "2", "n": "2", "k": "2", "w_hh": "2", "b": "-3", "g": "relu"},
    "two decimals": {"w_hh": "0.1", "w_hx": "0.3", "h": "0.7", "x": "0.1", "c": "0.3", "g": "relu"},
    "random": {"init": "normal", "b_normal": "true", "g": "tanh"},
}


@pytest.mark.parametrize("decimals", ["0", "2", "6"])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_every_line_on_the_screen_equals_what_it_says(link, decimals):
    for path in ("", "lstm"):
        shown = Shown(open_link(path, **link, decimals=decimals, **({"y": "true"} if path else {})))
        hovers = [line for block in shown.picture["blocks"] for line in block["hover"] or ()]
        notes = [panel[part] for panel in shown.picture["panels"] for part in ("text", "note")]
        assert sum(map(assert_true, hovers)) > 3
        assert sum(map(assert_true, notes)) > 0
        for symbol, sign, rest in re.findall(r"(z_(?:\{\d+\}|\w)) ([=≈]) (.*· ?.*)", "\n".join(notes)):
            assert sign == LINE.match(rest)[4], symbol


def test_a_power_of_a_rounded_slope_is_never_said_to_be_equal():
    shown = Shown(open_link("saturation", source="typed", z="0.0002", g="tanh", T="2", decimals="6"))
    (text,) = [panel["text"] for panel in shown.picture["panels"] if "^2" in panel["text"]]
    assert "(1.000000)^2 ≈ 1.000000" in text and "(1)^2 = 1" in text
