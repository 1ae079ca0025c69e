"""The saturation page: playback, map, charts and table all show the z of one cell, and the words are true."""

import csv
import json
import re
from base64 import b64decode
from functools import cache, partial
from io import StringIO
from itertools import cycle
from unittest.mock import patch

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from core import saturation
from core.activations import ACTIVATIONS, Activation, sigmoid, tanh
from core.arrays import Array
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from core.scenario import SOURCES, Scenario
from dashboard.drawing import arithmetic
from dashboard.drawing.arithmetic import number
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import LARGEST_SIZE, SCALES, TYPED_Z
from dashboard.text import saturation as text
from dashboard.text import words
from tests.any_cell import always_recurs, own_z, z_of
from tests.dashboard.page import (
    Control,
    Shown,
    as_text,
    assert_reaches_the_picture,
    choose,
    controls,
    dots,
    entries,
    frames,
    sliders,
)
from tests.dashboard.page import open_link as open_path
from tests.sentences import says

open_link = partial(open_path, "saturation")
NORMAL, TYPED = {"init": "normal"}, {"source": TYPED_Z}
every_source = pytest.mark.parametrize("source", SOURCES)


@cache
def linked(**choices) -> Shown:
    """What a link with these choices opens."""
    return Shown(open_link(**{name: as_text(value) for name, value in choices.items()}))


def playback(shown: Shown) -> dict:
    return shown.panels[""]["playback"]


def curves(shown: Shown) -> list[dict]:
    """The activations and the slopes."""
    (row,) = shown.panels[text.CURVES_TITLE]["rows"]
    return row


def activation(shown: Shown) -> Activation:
    return next(g for g in ACTIVATIONS.values() if g.symbol == curves(shown)[0]["symbol"])


def map_of(shown: Shown) -> dict:
    return next(block for block in shown.picture["blocks"] if block["columns"] > 1)


def title_after_T(shown: Shown) -> str:
    return next(title for title in shown.panels if title.startswith("Gradient after"))


# ---- every control reaches the picture -----------------------------------------------------


def all_z(value: float):
    return lambda shown: np.all(shown["z"] == value)


CONTROLS = [
    Control("source", "c", lambda shown: "tanh(z)" in shown.symbols),
    Control("z", -1.5, lambda shown: shown["z"].tolist() == [[-1.5]], TYPED),
    Control("T", 3, lambda shown: title_after_T(shown) == text.after_T_title(3)),
    Control("example", "input-gate", lambda shown: np.array_equal(shown["z"][:, 0], [22, 43, 64]), {"source": "i"}),
    Control("m", 5, all_z(407)),
    Control("n", 4, all_z(247)),
    Control("k", 4, lambda shown: shown["z"].shape == (4, 1) and map_of(shown)["rows"] == 4),
    Control("init", "ramp", lambda shown: np.array_equal(shown["z"], own_z(Scenario(init="ramp"), "hidden"))),
    Control(
        "seed", 7, lambda shown: np.array_equal(shown["z"], own_z(Scenario(init="normal", seed=7), "hidden")), NORMAL
    ),
    Control("scale", 0.5, all_z(122.5)),
    Control("w_hh", -2.5, all_z(238)),
    Control("w_hx", 0.0, all_z(2)),
    Control("h", -4.0, all_z(235)),
    Control("x", 0.0, all_z(2)),
    Control("b", -245.0, all_z(0)),
    Control("b_normal", True, lambda shown: np.ptp(shown["z"]) > 0),
    Control("g", "relu", lambda shown: "ReLU(z)" in shown.symbols and np.all(shown["ReLU(z)"] == 245)),
    Control(
        "decimals",
        4,
        lambda shown: "≈ 0.0073" in playback(shown)["steps"][playback(shown)["start"]]["note"],
        {"scale": "0.02"},
    ),
    Control(
        "j", 2, lambda shown: shown.picture["unit"] == 1 and playback(shown)["steps"][0]["note"].startswith("Unit 2:")
    ),
    # Here z = 4.9, where 2.9 % of sigmoid's largest slope is left.
    Control("predict", True, lambda shown: np.isnan(shown["σ(z)"]).all()),
    Control("threshold", 1, lambda shown: not shown["saturated"].any(), {"scale": "0.02"}),
]


def test_no_control_is_left_out():
    # Neither the order nor the sampling of gates changes a z, and all colours are fixed: the playback compares by them.
    seen = {control.name for control in CONTROLS} | {"order", "stochastic", "colours", "large", "view"}
    assert seen == controls(open_link()) | controls(open_link(**TYPED))


@pytest.mark.parametrize(
    ("source", "name", "value"), [("f", "forget_bias", 5.0), ("i", "w_i", 3.0), ("c", "w_c", -1.0)]
)
def test_what_is_chosen_for_a_gate_holds_here_too(source, name, value):
    # Weights of a gate's own have a field here only where they are set.
    link = {"source": source, "scale": "0.01"} | ({name: "1"} if name.startswith("w_") else {})
    other = Shown(open_link(**link))
    assert_reaches_the_picture(Control(name, value, lambda shown: shown != other, link), "saturation")


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control, "saturation")


@every_source
def test_neither_the_order_nor_the_sampling_of_gates_changes_a_z(source):
    plain, other = (linked(source=source, init="normal", **more) for more in ({}, {"order": "xh", "stochastic": True}))
    for symbol in ("z", "saturated"):
        assert_allclose(other[symbol], plain[symbol], rtol=1e-12)
    assert_allclose(entries(map_of(other)), entries(map_of(plain)), rtol=1e-9)


# ---- where z comes from --------------------------------------------------------------------


@pytest.mark.parametrize(("name", "source"), list(zip(EXAMPLES, cycle(SOURCES))))
def test_the_z_of_an_example_is_the_z_of_its_cell(name, source):
    assert_allclose(linked(example=name, source=source)["z"], own_z(EXAMPLES[name].scenario, source), rtol=1e-12)


def test_what_was_chosen_on_the_lstm_page_holds_here():
    at = choose(open_path("lstm", init="glorot"), forget_bias=5.0, w_i=3.0)
    for gate in "fi":
        expected = Shown(at.switch_page(PAGES["lstm"].script).run())[f"z_{gate}"]
        here = Shown(choose(at.switch_page(PAGES["saturation"].script).run(), source=gate))
        assert_allclose(here["z"], expected, rtol=1e-12)


@pytest.mark.parametrize(("z", "g"), list(zip([-1000.0, -0.25, 0.0, 7.5, 1000.0], cycle(ACTIVATIONS))))
def test_a_typed_z_is_one_unit_under_the_activation_of_the_sidebar(z, g):
    shown = linked(**TYPED, z=z, g=g, k=5, j=4, scale=2.0)
    shown.assert_finite()
    assert activation(shown).name == g
    assert (shown["z"].tolist(), shown.picture["unit"]) == ([[2 * z]], 0)
    assert text.MANY_TITLE not in shown.panels


# ---- the playback -----------------------------------------------------------------------------


def parsed(text: str) -> float:
    return float(text.replace("·10", "e").translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")))


@given(
    st.fixed_dictionaries(
        {
            "source": st.sampled_from(list(SOURCES)),
            "scale": st.sampled_from(SCALES),
            "init": st.sampled_from(list(INITIALIZERS)),
            "g": st.sampled_from(list(ACTIVATIONS)),
            "b_normal": st.booleans(),
            "k": st.integers(2, 9),
            "j": st.integers(1, 2),
            "threshold": st.integers(1, 50),
            "decimals": st.integers(0, 6),
        }
    )
)
@settings(max_examples=15)
def test_every_step_of_the_playback_is_true(choices):
    # A cell that always recurs has a z of its own only where k = n.
    choices = choices | {"n": choices["k"] if always_recurs(z_of(choices["source"])[0]) else 2}
    shown, j, decimals = linked(**choices), choices["j"], choices["decimals"]
    scenario = Scenario(**{name: choices[name] for name in ("scale", "init", "g", "b_normal", "k", "n")})
    drive = scenario.pre_activation(choices["source"])
    steps, here = playback(shown)["steps"], playback(shown)["start"]
    scales, index = saturation.scales_with(choices["scale"])
    assert (here, len(steps)) == (index, len(scales))

    g = activation(shown)
    assert g is drive.g
    saturates = bool(np.isfinite(g.high))
    symbols = ["z", f"{g.symbol}(z)", f"{g.symbol}′(z)", text.flat(saturates=saturates)]
    z, g_z, slope, flat = (frames(shown.block(symbol)) for symbol in symbols)
    assert_allclose(z, [scale * drive.product + drive.b for scale in scales], rtol=1e-15)
    assert_array_equal(g_z, g.f(z))
    assert_array_equal(slope, g.df(z))
    assert_array_equal(flat, slope / g.max_df < choices["threshold"] / 100)
    for symbol, frame in zip(symbols, (z, g_z, slope, flat), strict=True):
        assert_array_equal(shown[symbol], frame[here])
        assert shown.block(symbol)["units"]
    assert_allclose(shown["z"], own_z(scenario, choices["source"]), rtol=1e-12, atol=1e-12)

    for curve, heights in zip(curves(shown), (g_z, slope), strict=True):
        # A dot is no more exact than a pixel.
        moving = np.frombuffer(b64decode(curve["frames"]), np.float32).reshape(len(steps), -1, 2)
        assert_array_equal(moving, np.concatenate([z, heights], axis=2, dtype=np.float32))
        assert_array_equal(dots(curve), np.hstack([z[here], heights[here]]))

    low, high = (which.sum(axis=(1, 2)) for which in ((flat == 1) & (z <= 0), (flat == 1) & (z > 0)))
    of_j = (frame[:, j - 1, 0] for frame in (z, g_z, slope))
    for scale, step, *values, lows, highs in zip(scales, steps, *of_j, low, high, strict=True):
        assert (step["label"], step["title"]) == (f"{scale:g}", text.AT_SCALE.format(scale=scale))
        assert step["callout"] == text.at_scale(lows, highs, choices["k"], saturates=saturates)
        at, output, left = (words.in_sentence(value, decimals) for value in values)
        share = words.relative(max(values[-1] / g.max_df, 0 if g.is_exact else 5e-324), decimals)
        line = {"output": f"{g.symbol}({at}) = {output}", "slope": f"{g.symbol}′({at}) = {left}"}
        assert step["note"].replace("≈", "=") == text.UNIT_AT_SCALE.format(unit=j, share=share, **line)


def test_the_scale_has_one_slider_which_the_player_moves():
    at = open_link(scale="0.5")
    assert playback(Shown(at))["setting"] == "scale" and not playback(Shown(at))["has_slider"]
    assert "scale" in sliders(at)
    played = {step["label"] for step in playback(Shown(at))["steps"]}
    assert played <= {as_text(scale) for scale in SCALES}


def test_curves_values_and_many_inputs_are_a_board_and_the_rest_is_folded():
    shown = linked(**NORMAL)
    tiles = {title: panel["tile"] for title, panel in shown.panels.items() if panel["tile"]}
    assert list(tiles) == [text.CURVES_TITLE, "", text.MANY_TITLE]
    assert {tile["columns"] for tile in tiles.values()} == {3} and tiles[text.CURVES_TITLE]["bare"]
    assert all(panel["folded"] for title, panel in shown.panels.items() if title not in tiles)


def test_below_the_curves_the_values_have_no_player_because_the_curves_have_it():
    views = (NORMAL, NORMAL | {"view": "projector"})
    on_page, projected = (linked(**view).picture["panels"][:2] for view in views)
    assert [bool(panel["playback"]) for panel in (*on_page, *projected)] == [False, True, True, False]
    (of_values, of_curves) = (panel["playback"] for panel in (on_page[1], projected[0]))
    without_titles = [[{**step, "title": ""} for step in one["steps"]] for one in (of_values, of_curves)]
    assert without_titles[0] == without_titles[1]
    assert {step["title"] for step in of_curves["steps"]} == {text.CURVES_TITLE}
    assert projected[1]["title"] == text.VALUES_TITLE


@pytest.mark.parametrize("scale", ["0.01", "0.013", "1.3", "99", "100"])
def test_each_step_has_a_label_of_its_own_written_like_the_scale_in_the_sidebar(scale):
    shown = playback(linked(scale=float(scale)))
    labels = [step["label"] for step in shown["steps"]]
    assert not [label for label in labels if "e" in label]
    assert len(set(labels)) == len(labels)
    assert labels[shown["start"]] == scale


def test_at_the_ends_of_the_playback_the_slope_is_large_and_gone():
    slopes = frames(linked(init="normal", k=8, m=8, n=8).block("σ′(z)"))
    assert slopes[0].min() > 0.24
    assert np.median(slopes[-1]) < 1e-6
    assert np.all(np.diff(slopes, axis=0) <= 0)


@every_source
def test_the_shade_is_where_less_than_the_threshold_is_left(source):
    shown = linked(source=source, threshold=20)
    g = activation(shown)
    for curve in curves(shown):
        assert_allclose(g.df(np.array(curve["bounds"])) / g.max_df, 0.2)
        assert [line["label"].rstrip("′") for line in curve["lines"] if not line["dash"]] == [g.symbol]
    beyond = words.OUTSIDE_BOUNDS["both"].format(high=number(g.bounds(0.2)[1], 2))
    assert beyond in shown.panels[text.CURVES_TITLE]["text"]


@pytest.mark.parametrize(
    ("link", "is_said"),
    [
        ({"scale": 0.5}, False),
        ({"scale": 100.0}, True),
        ({"z": 7.0}, False),
        ({"z": -9.0}, True),
        ({"g": "relu", "z": 2.0}, True),
    ],
    ids=str,
)
def test_a_triangle_is_explained_only_where_a_unit_is_beyond_the_charts(link, is_said):
    shown = linked(**NORMAL, **(TYPED if "z" in link else {}), **link)
    assert (text.EDGE in shown.panels[text.CURVES_TITLE]["text"]) == is_said


def test_the_frames_of_32_units_add_at_most_a_megabyte():
    shown = linked(**NORMAL, m=32, n=32, k=32)
    moving = [item["frames"] for item in (*shown.picture["blocks"], *curves(shown)) if item["frames"]]
    assert len(json.dumps([moving, playback(shown)])) < 1_000_000


# ---- many inputs ---------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "g"), [("hidden", "tanh"), *((source, "relu") for source in SOURCES)])
def test_the_map_is_the_share_of_the_slope_that_each_input_leaves(source, g):
    shown = linked(source=source, g=g, init="uniform", scale=3.0, k=6, threshold=10)
    drive = Scenario(g=g, init="uniform", scale=3.0, k=6).pre_activation(
        source, Scenario(m=3, n=2).samples(map_of(shown)["columns"])
    )
    shares = saturation.relative_derivative(drive.z(3.0), drive.g)
    assert_array_equal(entries(map_of(shown)), shares)
    flat = shares < 0.1
    every, never = flat.all(axis=1).sum(), (~flat).all(axis=1).sum()
    note = text.many_count(64, every, 6 - every - never, 6, saturates=bool(np.isfinite(drive.g.high)))
    assert shown.panels[text.MANY_TITLE]["note"] == note


@pytest.mark.parametrize(("g", "z", "share"), [("tanh", 400, "less than 1%"), ("relu", -1, "0%")])
def test_only_a_derivative_of_exactly_0_is_0_percent_of_the_maximum(g, z, share):
    shown = linked(source="typed", g=g, z=z)
    step = playback(shown)["steps"][playback(shown)["start"]]
    assert says(step["note"], text.UNIT_AT_SCALE, unit=1, share=share)


def test_a_unit_that_its_bias_saturates_is_so_for_all_inputs():
    note = linked(init="normal", b=-50.0, k=4).panels[text.MANY_TITLE]["note"]
    assert note == text.many_count(64, 4, 0, 4, saturates=True)


# ---- what comes back -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", [{}, {"source": "c", "scale": 0.1}, TYPED | {"z": 0.0}, TYPED | {"g": "relu"}], ids=str
)
@pytest.mark.parametrize(("T", "decimals"), [(1, 2), (2, 0), (512, 2)])
def test_what_is_left_after_T_steps_is_the_slope_to_the_power_of_T(link, T, decimals):
    shown = linked(**link, T=T, decimals=decimals)
    g, panel = activation(shown), shown.panels[title_after_T(shown)]
    slope = shown[f"{g.symbol}′(z)"][0, 0]
    told = re.findall(rf"\((\S+)\)\^{T} (=|≈|<) (\S+?)\.(?: |$)", panel["text"])
    for value, (base, sign, result) in zip((slope, g.max_df), told, strict=True):
        assert parsed(base) == pytest.approx(value, rel=0.01, abs=1e-3)
        if sign == "<":
            assert 0 < value < 1 and value**T == 0 and result == "5·10⁻³²⁴"
        else:
            assert result == words.in_sentence(value**T, decimals)
            if sign == "=":
                assert parsed(base) ** T == parsed(result)


def test_the_slope_is_taken_at_z_and_the_other_one_is_called_another():
    shown = linked(init="normal", decimals=6)
    z, output, slope = (shown[symbol][0, 0] for symbol in ("z", "σ(z)", "σ′(z)"))
    told = re.findall(r"σ′\((\S+)\) ≈ (\S+?)[.,]? ", shown.panels[text.AT_Z_TITLE]["text"])
    expected = [(z, slope), (output, sigmoid.df(output))]
    assert [tuple(map(parsed, pair)) for pair in told] == [pytest.approx(pair, abs=1e-6) for pair in expected]


def test_no_two_derivatives_are_contrasted_that_the_page_shows_as_the_same_number():
    for decimals, is_close in ((2, True), (3, False)):
        shown = linked(example="spread", decimals=decimals)
        z, output = shown["z"][0, 0], shown["tanh(z)"][0, 0]
        assert (number(tanh.df(z), decimals) == number(tanh.df(output), decimals)) == is_close
        assert says(shown.panels[text.AT_Z_TITLE]["text"], text.AT_Z_CLOSE) == is_close


def test_a_tiny_derivative_has_its_power_of_ten_in_every_sentence():
    shown = linked(source="typed", z=46, g="sigmoid")
    (step,) = {step["note"] for step in shown.panels[""]["playback"]["steps"] if step["value"] == "1"}
    texts = [step, shown.panels[text.AT_Z_TITLE]["text"]]
    assert all("σ′(46) ≈ 1.05·10⁻²⁰" in sentence for sentence in texts)


@pytest.mark.parametrize("source", ["hidden", "f"])
def test_one_step_is_not_several(source):
    shown = linked(source=source, T=1)
    assert not re.search(r"\b(1 steps|each of 1)\b", title_after_T(shown) + shown.panels[title_after_T(shown)]["text"])


# ---- how it grows --------------------------------------------------------------------------


def unpacked(values) -> Array:
    if isinstance(values, dict):
        return np.frombuffer(b64decode(values["bdata"]), np.dtype(values["dtype"]))
    return np.array(values)


def figures(at) -> list[dict]:
    return [json.loads(figure.proto.spec) for figure in at.get("plotly_chart")]


@pytest.mark.parametrize(("g", "source"), [("sigmoid", "hidden"), ("relu", "c"), ("tanh", TYPED_Z)])
def test_the_charts_hold_three_bands_with_what_is_expected_dashed_and_the_cell_marked(g, source):
    at = open_link(init="normal", m="5", n="9", k="6", scale="0.3", seed="4", threshold="10", g=g, source=source)
    curve = activation(Shown(at))
    over_scale, over_fan_in = figures(at)
    for figure, x, here, grown in (
        (over_scale, saturation.SCALES, 0.3, lambda init: saturation.growth_over_scale(init, 5, 9, 6, curve, 0.1, 4)),
        (over_fan_in, saturation.FAN_INS, 14, lambda init: saturation.growth_over_fan_in(init, 6, 0.3, curve, 0.1, 4)),
    ):
        for init in ("normal", "glorot", "orthogonal"):
            drawn = [trace for trace in figure["data"] if trace.get("legendgroup") == init]
            ours = grown(init)
            upper = (*ours.fraction_band, ours.fraction, ours.expected_fraction)
            lower = (*ours.slope_band, ours.slope, ours.expected_slope)
            for trace, y in zip(drawn, (*upper, *lower), strict=True):
                assert_array_equal(unpacked(trace["x"]), x)
                assert_array_equal(unpacked(trace["y"]), y)
            assert [trace.get("fill") for trace in drawn] == [None, "tonexty", None, None] * 2
            assert [trace["line"].get("dash") for trace in drawn] == [None, None, None, "dash"] * 2
            assert [trace.get("yaxis") for trace in drawn] == [None] * 4 + ["y2"] * 4
        named = [trace for trace in figure["data"] if trace.get("showlegend", True)]
        assert [trace["line"].get("dash") for trace in named] == [None] * 3 + ["dash"]
        assert {shape["x0"] for shape in figure["layout"]["shapes"]} == {here}
        assert figure["layout"]["xaxis"]["type"] == "log" and figure["layout"]["yaxis2"]["type"] == "log"
        assert set(figure["layout"]["xaxis"]["tickvals"]) <= set(x)


@pytest.mark.parametrize(("view", "font"), [("page", 13), ("projector", 20)])
def test_all_texts_of_the_charts_are_legible(view, font):
    for figure in figures(open_link(init="normal", view=view)):
        layout = figure["layout"]
        axes = [layout["xaxis"], layout["yaxis"], layout["yaxis2"]]
        # In a narrow window its lines grow upwards, away from the curves.
        assert layout["legend"]["yanchor"] == "bottom" and layout["legend"]["y"] >= 1
        fonts = [
            layout["legend"]["font"],
            *(axis["tickfont"] for axis in axes),
            *(axis["title"]["font"] for axis in axes),
        ]
        assert [one["size"] for one in fonts] == [font] * 7


@pytest.mark.parametrize("link", [{"g": "relu"}, {"g": "relu"} | TYPED], ids=str)
def test_relu_has_no_ends_and_so_no_charts(link):
    at = open_link(**link)
    assert not figures(at)
    assert text.NO_ENDS.format(g="ReLU") in [words.value for words in at.markdown]
    assert len(figures(choose(at, source="f"))) == 2


@pytest.mark.parametrize("name", ["m", "n", "k"])
def test_sizes_that_the_charts_take_smaller_are_said_to_be(name):
    at = open_link(**{name: "100"})
    assert any(text.SMALLER.format(largest=64) in words.value for words in at.markdown)


def test_of_sizes_that_the_charts_take_as_they_are_nothing_is_said():
    assert not any(
        text.SMALLER.format(largest=64) in words.value for words in open_link(m="64", n="64", k="64").markdown
    )


# ---- precision -----------------------------------------------------------------------------


def test_the_table_of_types_has_the_z_from_which_each_has_lost_something():
    rows = open_link().table[0].value.values.tolist()
    expected = [(g, row) for g in (sigmoid, tanh) for row in saturation.precision(g)]
    for cells, (g, row) in zip(rows, expected, strict=True):
        assert cells[0] == f"{g.symbol} in {row.type}"
        for cell, z in zip(cells[1:], (row.limit_reached, row.slope_vanishes), strict=True):
            assert 0 <= float(cell.removeprefix("z = ")) - z < 0.0101


@pytest.mark.parametrize("z", [2.0, 17.0, -40.0])
def test_the_inspected_unit_is_shown_in_every_type(z):
    (double, single, half) = open_link(**TYPED, z=as_text(z)).table[1].value.values.tolist()
    assert [row[0] for row in (double, single, half)] == ["float64", "float32", "float16"]
    assert float(double[1]) == sigmoid.f(np.float64(z))
    assert float(single[1]) == sigmoid.f(np.float32(z))
    assert float(half[3]) == pytest.approx(float(sigmoid.df(np.float16(z))), rel=1e-3)
    assert (float(half[2]) == 0) == (abs(z) > 8)


# ---- the table -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", [{"init": "normal", "k": "7"}, {"g": "relu", "init": "ramp", "b": "-500"}, TYPED], ids=str
)
def test_the_table_and_its_file_have_the_numbers_of_the_picture(link):
    with patch("streamlit.download_button") as download:
        at = open_link(**link)
    shown, table = Shown(at), at.dataframe[0].value
    g = activation(shown)
    word = text.flat(saturates=bool(np.isfinite(g.high)))
    symbols = ["z", f"{g.symbol}(z)", f"{g.symbol}′(z)"]
    columns = {"z": shown["z"], f"{g.name}(z)": shown[symbols[1]], f"{g.name}'(z)": shown[symbols[2]]}
    columns |= {text.SHARE: shown[symbols[2]] / g.max_df, word: shown[word]}
    assert table["unit"].tolist() == list(range(1, len(shown["z"]) + 1))
    (_, written, name, kind), _ = download.call_args
    assert (name, kind) == ("saturation.csv", "text/csv")
    file = list(csv.DictReader(StringIO(written)))
    assert list(file[0]) == list(table) == ["unit", *columns]
    for heading, array in columns.items():
        assert_array_equal(table[heading].tolist(), array[:, 0])
        read = [row[heading] == "True" if heading == word else float(row[heading]) for row in file]
        assert_array_equal(read, array[:, 0])


@given(st.lists(st.tuples(st.floats(allow_nan=False), st.integers(), st.text('a,"\n e', max_size=5))))
def test_a_file_reads_back_with_all_digits(rows):
    columns = {"a, b": [a for a, _, _ in rows], "n": [n for _, n, _ in rows], "text": [text for *_, text in rows]}
    read = list(csv.DictReader(StringIO(arithmetic.csv(columns), newline="")))
    assert [(float(row["a, b"]), int(row["n"]), row["text"]) for row in read] == rows


# ---- sizes ---------------------------------------------------------------------------------


@every_source
def test_one_of_everything_is_a_cell_too(source):
    shown = linked(m=1, n=1, k=1, source=source, init="orthogonal")
    shown.assert_finite()
    callout = playback(shown)["steps"][20]["callout"]
    assert any(says(callout, text.SATURATED_AT_SCALE.one, count=flat, k=1) for flat in (0, 1))


@pytest.mark.parametrize("source", ["hidden", "o"])
def test_all_the_largest_sizes_are_shown_at_once(source):
    size = LARGEST_SIZE
    shown = linked(m=size, n=size, k=size, source=source, init="normal", j=size)
    shown.assert_finite()
    assert shown.block("z")["shape"] == "(512, 1)"
    assert frames(shown.block("z")).shape == (41, 64, 1)
    flat = frames(shown.block("saturated")).mean(axis=(1, 2))
    told = [int(re.match(r"(\d+) of 512 units", step["callout"])[1]) for step in playback(shown)["steps"]]
    assert_allclose(flat * size, told, atol=1e-9)
    assert len(dots(curves(shown)[0])) == size


def test_a_derivative_that_is_just_below_the_threshold_does_not_look_as_large_as_it():
    shown = linked(example="spread")
    saturated = shown["saturated"].ravel().astype(bool)
    printed = np.round(shown["tanh′(z)"].ravel(), 2 + shown.block("tanh′(z)")["more_decimals"])
    assert saturated.any() and (printed[saturated] < 0.05).all()
    assert "more_decimals" not in shown.block("z")
