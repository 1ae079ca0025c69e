"""A picture holds the numbers it was given, and no words or colours that say otherwise."""

import json
import math
import re
from itertools import accumulate, pairwise

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from dashboard.drawing import colours, matrices, scales
from dashboard.drawing.charts import Line, chart, curve
from dashboard.drawing.matrices import block, block_means, op, stacked
from dashboard.drawing.panels import as_picture, panel
from tests.dashboard.page import PACKED, dots, entries, frames, outlined, points

SCALE = scales.symmetric("weights", 10)
VALUES = st.floats(allow_nan=False, allow_infinity=False)


def drawn(array, **options):
    return block("W", array, SCALE, rows=[("unit", len(array), "")], columns=[("x", array.shape[1], "")], **options)


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
    shown = as_picture([panel("", "", [drawn(over_time, over_time=True), now], alt="")], decimals=2, unit=0)
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
    assert len(shown["column_edges"]) - 1 < matrices.MOST_COLUMNS + len(sizes)
    assert len(shown["row_edges"]) - 1 <= (matrices.MOST_ROWS if units else matrices.MOST_COLUMNS)


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
    assert drawn(np.ones((2, 2)))["scale"] == drawn(np.full((2, 2), 99))["scale"] == SCALE._asdict()


@given(hnp.arrays(np.float64, (2, 3), elements=st.floats(-1e9, 1e9)))
def test_a_stretched_scale_reaches_to_the_largest_magnitude_and_keeps_0_in_the_middle(array):
    scale = drawn(array, fixed=False)["scale"]
    assert (scale["palette"], scale["low"]) == ("diverging", -scale["high"])
    assert scale["high"] == (np.abs(array).max() or 1)


def test_a_stretched_sequential_scale_starts_at_0():
    shown = block("g", np.array([[0.1], [0.2]]), scales.sequential("g′", 1), rows=[("unit", 2, "")], fixed=False)
    assert shown["scale"] == scales.sequential("", 0.2)._asdict()


def test_a_legend_stands_once_for_all_fixed_scales_with_its_colours_and_for_no_stretched_one():
    W, x = drawn(np.ones((2, 2))), drawn(np.ones((2, 1)))
    z = block("z", np.ones((2, 1)), scales.symmetric("sums", 2.5), rows=[("unit", 2, "")])
    b = drawn(np.ones((2, 1)), fixed=False)
    c = block("c", np.ones((2, 1)), SCALE._replace(label="states"), rows=[("unit", 2, "")])
    assert panel("", "", [W, stacked(x, z), op("+"), b, op("+"), c], alt="")["legends"] == [
        {"label": "weights, states", "palette": "diverging", "low": "−10", "high": "10"},
        {"label": "sums", "palette": "diverging", "low": "−2.50", "high": "2.50"},
    ]


@pytest.mark.parametrize("palette", scales.PALETTES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_palette_is_of_plain_colours_and_a_diverging_one_has_a_middle(palette, theme):
    colours = scales.PALETTES[palette][theme]
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

    def drawn_at(index: int) -> dict:
        return {"kind": "block", "index": index}

    shown = as_picture(
        [panel("a", "", [W, op("·"), x], [equal_to_W], alt=""), panel("b", "", [stacked(x, W)], alt="")],
        decimals=2,
        unit=1,
    )
    assert unpacked(shown) == [W, x, equal_to_W]
    assert shown["packed"] == [W["values"], x["values"]]
    assert [part["rows"] for part in shown["panels"]] == [
        [[drawn_at(0), op("·"), drawn_at(1)], [drawn_at(2)]],
        [[stacked(drawn_at(1), drawn_at(0))]],
    ]
    assert (shown["decimals"], shown["unit"]) == (2, 1)


def test_a_picture_is_plain_data():
    z = np.array([-20.0, 0, 20])
    dots = curve(ACTIVATIONS["relu"], z, z, (0, math.inf))
    shown = as_picture([panel("a", "", [drawn(np.ones((300, 300))), dots], alt="")], decimals=2, unit=0)
    assert json.loads(json.dumps(shown, allow_nan=False))["blocks"][0]["rows"] == shown["blocks"][0]["rows"]


@given(hnp.arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e12, 1e12)))
def test_every_dot_travels_as_it_is_and_the_axis_does_not_move(z):
    shown = curve(ACTIVATIONS["relu"], z, np.maximum(z, 0), (0, math.inf))
    assert (shown["y_range"], shown["y_ticks"]) == ([0, 8], [0, 2, 4, 6, 8])
    assert_array_equal(dots(shown), np.stack([z, np.maximum(z, 0)], axis=1))


@pytest.mark.parametrize(
    ("bounds", "shaded"),
    [((-4.4, 4.4), [-4.4, 4.4]), ((0, math.inf), [0, 8]), ((-99, 99), [-8, 8])],
    ids=str,
)
def test_the_shade_ends_with_the_axis(bounds, shaded):
    shown = curve(ACTIVATIONS["relu"], np.zeros(1), np.zeros(1), bounds)
    assert shown["bounds"] == shaded
    assert shown["x_range"] == (-8, 8)


# ---- quantities over 0, 1, 2 ---------------------------------------------------------------

QUANTITIES = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@st.composite
def quantities(draw):
    """Some lines of one length."""
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 9))
    return draw(hnp.arrays(np.float64, shape, elements=QUANTITIES | st.sampled_from([-np.inf, np.nan])))


def charted(values) -> dict:
    lines = [Line(f"{at}", row, colours.LINES[0], colours.DASHED if at % 2 else ()) for at, row in enumerate(values)]
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


def test_a_rounding_error_adds_no_tick():
    assert charted(np.array([[0.0, 1 + 1e-12]]))["y_ticks"][-1] == 1


@given(quantities())
def test_every_line_of_a_chart_travels_under_its_name(values):
    lines = charted(values)["lines"]
    assert [line["label"] for line in lines] == [f"{at}" for at in range(len(values))]
    assert [bool(line["dash"]) for line in lines] == [bool(at % 2) for at in range(len(values))]
    for line, row in zip(lines, values, strict=True):
        assert_array_equal(points(line), row.astype(np.float32))


def test_the_text_for_screen_readers_has_subscripts_in_one_line():
    made = panel("The step", "", alt="W_{hh} meets h_{t−1}, and {this} stays.")
    assert made["alt"] == "W_hh meets h_(t−1), and {this} stays."
