"""A picture holds the numbers it was given, and no words or colours that say otherwise."""

import json
import math
import re
from decimal import Decimal
from functools import partial
from itertools import accumulate, pairwise

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given
from numpy.testing import assert_allclose, assert_array_equal

from dashboard import picture
from dashboard.picture import (
    Line,
    arithmetic,
    block,
    block_means,
    chart,
    curve,
    number,
    op,
    over,
    page,
    panel,
    products,
)
from tests.dashboard.page import PACKED, dots, entries, frames, outlined, points

SCALE = picture.symmetric("weights", 10)
DECIMALS = st.integers(0, 6)
VALUES = st.floats(allow_nan=False, allow_infinity=False)


def drawn(array, **options):
    return block("W", array, SCALE, rows=[("unit", len(array), "")], columns=[("x", array.shape[1], "")], **options)


# ---- numbers in words ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (245, 2, "245"),
        (245.0, 6, "245"),
        (-2.0, 2, "−2"),
        (-0.0, 2, "0"),
        (0.5, 2, "0.50"),
        (1 / 3, 4, "0.3333"),
        (-1 / 3, 2, "−0.33"),
        (1 / 3, 0, "3e−1"),
        (0.004, 2, "4.00e−3"),
        (-1.1e-40, 6, "−1.100000e−40"),
        (999_999, 2, "999999"),
        (1e6, 2, "1.00e6"),
        (1e6, 0, "1e6"),
        (-1_234_567.8, 2, "−1.23e6"),
    ],
)
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


# picture.js prints the cells, and JavaScript rounds a tie away from 0. All of these are exact in binary.
@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(2.5, 0, "3"), (-2.5, 0, "−3"), (0.125, 2, "0.13"), (2.5e6, 0, "3e6"), (1.25e7, 1, "1.3e7")],
)
def test_a_tie_is_rounded_in_sentences_as_it_is_in_cells(value, decimals, text):
    assert number(value, decimals) == text


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


@pytest.mark.parametrize("size", [1, picture.MOST_TERMS, picture.MOST_TERMS + 1, 1000])
def test_a_short_row_is_spelled_out_and_a_long_one_says_what_it_leaves_out(size):
    text = products(np.ones(size), np.ones(size), 2)
    named, left_out = text.count("·"), re.search(r"\((\d+) more products: (\d+)\)", text)
    assert named <= picture.MOST_TERMS
    assert (left_out is None) == (size <= picture.MOST_TERMS)
    assert named + (int(left_out[1]) if left_out else 0) == size


def test_a_negative_factor_stands_in_brackets():
    assert products(np.array([-1.5, 2]), np.array([3, -4]), 1) == "(−1.5)·3 + 2·(−4)"


def test_the_arithmetic_of_a_unit_ends_with_its_bias_and_its_result():
    W_h, stacked, b_h = np.array([[1, 2], [3, 4]]), np.array([[5], [6]]), np.array([[7], [-8]])
    assert arithmetic(W_h, stacked, W_h @ stacked, None, 2) == ["1·5 + 2·6 = 17", "3·5 + 4·6 = 39"]
    assert arithmetic(W_h, stacked, W_h @ stacked + b_h, b_h, 2) == [
        "1·5 + 2·6 + 7 = 24",
        "3·5 + 4·6 + (−8) = 31",
    ]


# ---- matrices ------------------------------------------------------------------------------


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=VALUES), st.booleans())
def test_the_entries_of_a_small_matrix_travel_exactly(array, over_time):
    shown = drawn(array, over_time=over_time)
    assert_array_equal(entries(shown), array)
    assert (shown["shape"], shown["mean"]) == (str(array.shape), None)


@pytest.mark.parametrize(("shape", "single"), [((32, 32), False), ((25, 41), True)], ids=str)
def test_only_what_is_too_large_to_be_printed_is_rounded_to_single_precision(shape, single):
    array = np.linspace(-1, 1, math.prod(shape)).reshape(shape)
    shown = drawn(array)
    assert shown["single"] == single
    assert_array_equal(entries(shown), array.astype(np.float32) if single else array)


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=VALUES))
def test_what_is_drawn_over_time_and_as_a_column_that_moves_travels_once(over_time):
    each = over_time.T[:, :, None]
    now = block("h_t", each[0], SCALE, rows=[("unit", len(over_time), "")], frames=each)
    shown = page([panel("", "", [drawn(over_time, over_time=True), now], alt="")], decimals=2, unit=0)
    whole, moving = unpacked(shown)
    assert_array_equal(entries(whole), over_time)
    assert_array_equal(frames(moving), each)
    assert shown["packed"].count(whole["values"]) == 1 and len(shown["packed"]) <= 2


@given(hnp.arrays(np.bool_, hnp.array_shapes(min_dims=2, max_dims=2)), st.booleans())
def test_an_outline_is_around_the_entries_that_it_was_asked_for(which, over_time):
    assert_array_equal(outlined(drawn(np.zeros(which.shape), outlined=which, over_time=over_time)), which)


@pytest.mark.parametrize("over_time", [False, True])
def test_an_outline_of_a_mean_is_the_share_of_its_entries(over_time):
    which = np.random.default_rng(0).random((3, 300)) < 0.5
    shown = drawn(np.zeros(which.shape), outlined=which, over_time=over_time)
    assert_allclose(outlined(shown), block_means(which, shown["row_edges"], shown["column_edges"]), rtol=1e-6)


@st.composite
def edges(draw, size: int) -> list[int]:
    inner = draw(st.sets(st.integers(1, size - 1))) if size > 1 else ()
    return [0, *sorted(inner), size]


@given(
    st.data(),
    hnp.arrays(np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(-99, 99)),
)
def test_block_means_are_the_means_of_the_blocks(data, array):
    rows, columns = (data.draw(edges(size)) for size in array.shape)
    one_by_one = [[array[a:b, c:d].mean() for c, d in pairwise(columns)] for a, b in pairwise(rows)]
    assert_allclose(block_means(array, rows, columns), one_by_one, rtol=1e-12, atol=1e-12)


joins = st.tuples(st.integers(1, 200), st.lists(st.integers(1, 300), min_size=1, max_size=2), st.booleans())


def joined(k: int, sizes: list[int], units: bool) -> tuple:
    """A matrix of k rows whose columns are joined of parts; every entry differs from every other."""
    array = np.arange(k * sum(sizes), dtype=np.float64).reshape(k, -1)
    columns = [("x", size, "") for size in sizes]
    return array, block("W", array, SCALE, rows=[("unit", k, "")], columns=columns, units=units)


@given(joins)
@example((3, [1, 200], True))
def test_each_cell_is_the_mean_of_the_entries_between_its_edges(join):
    array, shown = joined(*join)
    row_edges, column_edges = shown["row_edges"], shown["column_edges"]
    assert (shown["rows"], shown["columns"]) == (len(row_edges) - 1, len(column_edges) - 1)
    assert_allclose(entries(shown), block_means(array, row_edges, column_edges), rtol=1e-6)


@given(joins)
def test_no_cell_reaches_from_one_part_into_the_next(join):
    _, sizes, _ = join
    array, shown = joined(*join)
    assert {0, *accumulate(sizes)} <= set(shown["column_edges"])
    for axis, size in zip(("row", "column"), array.shape, strict=True):
        assert shown[f"{axis}_edges"][0] == 0 and shown[f"{axis}_edges"][-1] == size
        assert shown[f"{axis}_edges"] == sorted(set(shown[f"{axis}_edges"]))


@given(joins)
def test_no_more_cells_are_drawn_than_a_screen_has_room_for(join):
    k, sizes, units = join
    _, shown = joined(k, sizes, units)
    # Each part may end with a cell that is not full.
    assert len(shown["column_edges"]) - 1 < picture.MOST_COLUMNS + len(sizes)
    assert len(shown["row_edges"]) - 1 <= (picture.MOST_ROWS if units else picture.MOST_COLUMNS)


@given(joins)
@example((3, [1, 200], True))
@example((3, [2, 510], True))
def test_a_matrix_says_of_how_many_entries_its_cells_are_the_means(join):
    array, shown = joined(*join)
    block_shape = [int(np.diff(shown[f"{axis}_edges"]).max()) for axis in ("row", "column")]
    if block_shape == [1, 1]:
        assert shown["mean"] is None
    else:
        told = [int(size) for size in re.findall(r"\d+", shown["mean"])]
        assert told == (block_shape[:1] if array.shape[1] == 1 else block_shape)
        uneven = any(np.ptp(np.diff(shown[f"{axis}_edges"])) for axis in ("row", "column"))
        assert ("up to" in shown["mean"]) == uneven


# ---- colours -------------------------------------------------------------------------------


def test_a_fixed_scale_is_the_same_for_every_array():
    assert drawn(np.ones((2, 2)))["scale"] == drawn(np.full((2, 2), 99))["scale"] == SCALE


@given(hnp.arrays(np.float64, (2, 3), elements=st.floats(-1e9, 1e9)))
def test_a_stretched_scale_reaches_to_the_largest_magnitude_and_keeps_0_in_the_middle(array):
    _, palette, low, high, _ = drawn(array, fixed=False)["scale"]
    assert (palette, low) == ("diverging", -high)
    assert high == (np.abs(array).max() or 1)


def test_a_stretched_sequential_scale_starts_at_0():
    shown = block("g", np.array([[0.1], [0.2]]), picture.sequential("g′", 1), rows=[("unit", 2, "")], fixed=False)
    assert shown["scale"][1:4] == ("sequential", 0, 0.2)


def test_a_legend_stands_once_for_each_fixed_scale_and_for_no_stretched_one():
    W, x = drawn(np.ones((2, 2))), drawn(np.ones((2, 1)))
    z = block("z", np.ones((2, 1)), picture.symmetric("sums", 2.5), rows=[("unit", 2, "")])
    b = drawn(np.ones((2, 1)), fixed=False)
    assert panel("", "", [W, over(x, z), op("+"), b], alt="")["legends"] == [
        {"label": "weights", "palette": "diverging", "low": "−10", "high": "10"},
        {"label": "sums", "palette": "diverging", "low": "−2.50", "high": "2.50"},
    ]


@pytest.mark.parametrize("palette", picture.PALETTES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_palette_is_of_plain_colours_and_a_diverging_one_has_a_middle(palette, theme):
    colours = picture.PALETTES[palette][theme]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    assert palette != "diverging" or len(colours) % 2 == 1


# ---- the whole picture ---------------------------------------------------------------------


def unpacked(shown: dict) -> list[dict]:
    """The blocks of a picture with their numbers in the places of the indices."""
    return [
        block | {name: shown["packed"][block[name]] for name in PACKED if block[name] is not None}
        for block in shown["blocks"]
    ]


def test_a_matrix_that_is_drawn_twice_travels_once():
    W, equal_to_W, x = drawn(np.ones((2, 2))), drawn(np.ones((2, 2))), drawn(np.ones((2, 1)))
    shown = page(
        [panel("a", "", [W, op("·"), x], [equal_to_W], alt=""), panel("b", "", [over(x, W)], alt="")],
        decimals=2,
        unit=1,
    )
    assert unpacked(shown) == [W, x, equal_to_W]
    assert shown["packed"] == [W["values"], x["values"]]
    assert [part["rows"] for part in shown["panels"]] == [
        [[{"block": 0}, op("·"), {"block": 1}], [{"block": 2}]],
        [[{"column": [{"block": 1}, {"block": 0}]}]],
    ]
    assert (shown["decimals"], shown["unit"]) == (2, 1)


def test_a_picture_is_plain_data():
    z = np.array([-20.0, 0, 20])
    dots = curve("ReLU", picture.GRID, picture.GRID, z, z, (0, math.inf))
    shown = page([panel("a", "", [drawn(np.ones((300, 300))), dots], alt="")], decimals=2, unit=0)
    assert json.loads(json.dumps(shown, allow_nan=False))["blocks"][0]["rows"] == shown["blocks"][0]["rows"]


@given(hnp.arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e12, 1e12)))
def test_every_dot_travels_as_it_is_and_the_axis_does_not_move(z):
    relu, slope = np.maximum(picture.GRID, 0), picture.GRID > 0
    shown = curve("ReLU", relu, slope, z, np.maximum(z, 0), (0, math.inf))
    assert (shown["y_range"], shown["y_ticks"]) == ([0, 8], [0, 2, 4, 6, 8])
    assert_array_equal(dots(shown), np.stack([z, np.maximum(z, 0)], axis=1))


@pytest.mark.parametrize(
    ("bounds", "shaded"),
    [((-4.4, 4.4), [-4.4, 4.4]), ((0, math.inf), [0, 8]), ((-99, 99), [-8, 8])],
    ids=str,
)
def test_the_shade_ends_with_the_axis(bounds, shaded):
    shown = curve("g", picture.GRID, picture.GRID, np.zeros(1), np.zeros(1), bounds)
    assert shown["bounds"] == shaded
    assert shown["x_range"] == (-8, 8)


@given(st.floats(-1e12, 1e12) | st.integers(-(10**9), 10**9), DECIMALS)
@example(1_234_567, 2)
def test_equals_is_said_of_nothing_that_is_printed_as_another_number(value, decimals):
    if picture.equals(decimals, value) == "=":
        assert float(number(value, decimals).replace("−", "-")) == value


def test_equals_says_whether_anything_was_rounded():
    assert picture.equals(2, np.array([1, 2]), 0.25) == "="
    assert picture.equals(2, np.array([1.0, 1 / 3])) == "≈"
    assert picture.added(np.array([[2]]), np.array([[-0.125]]), np.array([[1.875]]), 2) == ["2 + (−0.13) ≈ 1.88"]


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
    assert picture.applied(name, np.array([[z]]), np.array([[g_z]]), 2, exact=exact) == [text]


def test_a_product_has_a_name_and_shows_both_factors():
    factors = np.array([[0.5], [-2]]), np.array([[3], [-0.125]])
    assert picture.multiplied("f∘c", *factors, factors[0] * factors[1], 2) == [
        "f∘c: 0.50·3 = 1.50",
        "f∘c: −2·(−0.13) ≈ 0.25",
    ]


def test_only_a_negative_number_after_a_sign_stands_in_brackets():
    assert picture.added(np.array([[-2]]), np.array([[-3]]), np.array([[-5]]), 2) == ["−2 + (−3) = −5"]


@pytest.mark.parametrize("combined", [picture.added, partial(picture.multiplied, "f∘c")], ids=["added", "multiplied"])
def test_for_many_units_nothing_is_spelled_out(combined):
    few, many = (np.ones((size, 1)) for size in (picture.MOST_HOVERED, picture.MOST_HOVERED + 1))
    assert len(combined(few, few, few, 2)) == picture.MOST_HOVERED
    assert combined(many, many, many, 2) is None


# ---- quantities over 0, 1, 2 ---------------------------------------------------------------

QUANTITIES = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@st.composite
def quantities(draw):
    """Some lines of one length."""
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 9))
    return draw(hnp.arrays(np.float64, shape, elements=QUANTITIES | st.sampled_from([-np.inf, np.nan])))


def charted(values) -> dict:
    lines = [Line(f"{at}", row, picture.CURVE, dashed=bool(at % 2)) for at, row in enumerate(values)]
    return chart(lines, x_label="x", y_label="y")


@given(quantities())
@example(np.zeros((1, 1)))
@example(np.full((2, 3), -np.inf))
def test_a_chart_has_room_for_all_that_is_finite_and_for_0(values):
    shown = charted(values)
    low, high = shown["y_range"]
    finite = values[np.isfinite(values)]
    assert low <= min(finite.min(initial=0), 0) and max(finite.max(initial=0), 0) <= high and low < high
    assert shown["x_range"] == (0, max(1, values.shape[1] - 1))
    assert json.loads(json.dumps(shown, allow_nan=False))["y_range"] == [low, high]


@given(quantities())
@example(np.array([[0, 0.1, 0.3]]))
def test_the_ticks_of_a_chart_are_round_numbers_evenly_spaced(values):
    shown = charted(values)
    assert shown["y_range"] == [shown["y_ticks"][0], shown["y_ticks"][-1]]
    for ticks in (shown["x_ticks"], shown["y_ticks"]):
        step = ticks[1] - ticks[0]
        assert_allclose(np.diff(ticks), step, rtol=1e-9)
        assert float(f"{step:e}".split("e")[0]) in (1, 2, 5)
        assert 2 <= len(ticks) <= 8
    assert shown["x_range"][0] == shown["x_ticks"][0] and shown["x_ticks"][-1] <= shown["x_range"][1]


@given(quantities())
def test_every_line_of_a_chart_travels_under_its_name(values):
    lines = charted(values)["lines"]
    assert [line["label"] for line in lines] == [f"{at}" for at in range(len(values))]
    assert [bool(line["dash"]) for line in lines] == [bool(at % 2) for at in range(len(values))]
    for line, row in zip(lines, values, strict=True):
        assert_array_equal(points(line), row.astype(np.float32))
