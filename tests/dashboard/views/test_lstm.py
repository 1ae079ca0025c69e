"""The LSTM page: it opens on the lab, every control and every example reaches the picture, and its words are true."""

import re
from functools import cache, partial
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import sigmoid, tanh
from core.arrays import Array
from core.cells.lstm import GATES
from core.concatenation import ORDERS
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from core.scenario import Scenario
from dashboard.controls.widgets import SIZES
from dashboard.drawing.arithmetic import number
from dashboard.state.parameters import LARGEST_SIZE
from dashboard.text import gated_step, sidebar
from dashboard.text import lstm as text
from dashboard.text import option_names as words
from dashboard.text.examples import STORY_TITLE, TOLD, example_text
from tests.dashboard.page import (
    Control,
    Shown,
    as_text,
    assert_reaches_the_picture,
    choose,
    controls,
    drawn_controls,
    entries,
    press,
)
from tests.dashboard.page import open_link as open_path
from tests.sentences import says

open_link = partial(open_path, "lstm")
VALUES = {"f": "f_t", "i": "i_t", "c": "c̃_t", "o": "o_t"}
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
every_example = pytest.mark.parametrize("name", EXAMPLES)


@cache
def lab() -> Shown:
    return Shown(open_link())


@cache
def linked(**choices) -> Shown:
    """What a link with these choices opens."""
    return Shown(open_link(**{name: as_text(value) for name, value in choices.items()}))


def stack_of(shown: Shown) -> str:
    (name,) = {symbol for symbol in shown.symbols if symbol in ("[h; x]", "[x; h]")}
    return name


def all_z(shown: Shown) -> Array:
    return np.concatenate([shown[f"z_{gate}"] for gate in GATES])


# ---- the lab -------------------------------------------------------------------------------


def test_the_page_opens_on_the_numbers_of_the_lab():
    at = open_link()
    shown = Shown(at)
    assert not at.warning
    for gate in GATES:
        assert shown[f"W_{gate}"].tolist() == [[1, 1, 9, 9, 9]] * 3
        assert_array_equal(shown[f"b_{gate}"], np.zeros((3, 1)))
        assert_array_equal(shown[f"z_{gate}"], np.full((3, 1), 245))
        assert_array_equal(shown[VALUES[gate]], np.ones((3, 1)))
    assert shown["[h; x]"].tolist() == [[1], [1], [9], [9], [9]]
    assert shown["W"].tolist() == [[1, 1, 9, 9, 9]] * 12
    assert_array_equal(shown["c_{t−1}"], np.ones((3, 1)))
    assert_array_equal(shown["c_t"], np.full((3, 1), 2))
    assert_allclose(shown["h_t"], np.tanh(np.full((3, 1), 2)), rtol=1e-15)
    assert shown.lead.endswith(
        text.UNIT.format(j=1, kept="100%", c_prev="1", written="100%", c_tilde="1", c_t="2", h_t="0.96")
    )


@pytest.mark.parametrize(
    ("choices", "kept", "written"),
    [
        ({"w_f": "0", "forget_bias": "3", "w_i": "0"}, "95.3%", "50.0%"),
        ({"w_f": "0", "forget_bias": "8", "w_i": "-0.1"}, "more than 99.9%", "5.2%"),
        ({"w_f": "0", "forget_bias": "-7", "w_i": "-9"}, "0.0911%", "less than 0.0001%"),
        ({"w_f": "0", "forget_bias": "-7", "decimals": "4"}, "0.09%", "100%"),
        ({"stochastic": "true", "w_f": "-9", "w_i": "9"}, "0%", "100%"),
    ],
    ids=str,
)
def test_the_callout_says_what_the_selected_unit_keeps_and_writes(choices, kept, written):
    shown = linked(c=2.0, j=2, **choices)
    assert says(shown.lead, text.UNIT, j=2, kept=kept, c_prev="2", written=written)


def test_pointing_shows_both_factors_and_the_product():
    shown = linked(example="forget-layer", c=2.0)
    assert shown.block("z_f")["hover"][1] == "5·1 + 6·2 + 7·3 + 8·4 + 9·5 + 10·6 + 2 = 177"
    assert shown.block("f_t")["hover"][1] == "σ(177) ≈ 1"
    for kept in (shown.block("c_{t−1}"), shown.block("f_t∘c_{t−1}")):
        assert kept["hover"] == ["f_t∘c_{t−1}: 1·2 = 2"] * 3
    assert shown.block("i_t∘c̃_t")["hover"] == ["i_t∘c̃_t: 0.50·0 = 0"] * 3
    assert shown.block("c_t")["hover"] == ["2 + 0 = 2"] * 3
    assert shown.block("h_t")["hover"] == ["o_t∘tanh(c_t): 0.50·0.96 ≈ 0.48"] * 3


# ---- every control reaches the picture -----------------------------------------------------


def made_by(**choices):
    """Sees whether all the weights on the screen are those of this scenario."""
    return lambda shown: np.array_equal(shown["W"], Scenario(**choices).step_arguments("LSTM")[0].W)


ALL_OPEN = gated_step.count("f_t", low=0, lower_limit="0", high=3, upper_limit="1", between=0)
NORMAL, OUTPUT, SMALL = {"init": "normal"}, {"y": "true"}, {"scale": "0.01"}
CONTROLS = [
    Control("predict", True, lambda shown: "h_t" not in shown.symbols),
    Control("example", "forget-layer", lambda shown: shown["z_f"].tolist() == [[92], [177], [136]]),
    Control("m", 5, lambda shown: shown["W_f"].shape == (3, 7) and shown["[h; x]"].shape == (7, 1)),
    Control("n", 4, lambda shown: shown["W_o"].shape == (3, 7) and shown["[h; x]"].shape == (7, 1)),
    Control("k", 4, lambda shown: shown["c_t"].shape == (4, 1) and shown["W"].shape == (16, 5)),
    Control("order", "xh", lambda shown: shown["W_i"].tolist() == [[9, 9, 9, 1, 1]] * 3 and "[x; h]" in shown.symbols),
    Control("init", "ramp", made_by(init="ramp")),
    Control("seed", 7, made_by(init="normal", seed=7), NORMAL),
    Control("scale", 0.5, made_by(scale=0.5)),
    Control("w_hh", -2.5, made_by(w_hh=-2.5)),
    Control("w_hx", 0.1, made_by(w_hx=0.1)),
    Control("h", -4.0, lambda shown: shown["[h; x]"].tolist() == [[-4], [-4], [9], [9], [9]]),
    Control("x", 1000.0, lambda shown: np.all(shown["[h; x]"][2:] == 1000)),
    Control("c", -7.0, lambda shown: np.all(shown["c_{t−1}"] == -7) and np.all(shown["c_t"] == -6)),
    Control("b", -245.0, lambda shown: all(np.all(shown[f"z_{gate}"] == 0) for gate in GATES)),
    Control("b_normal", True, lambda shown: np.array_equal(shown["b_o"], Scenario(b_normal=True).array("b_o"))),
    *[Control(f"w_{gate}", 0.25, made_by(**{f"w_{gate}": 0.25})) for gate in GATES],
    Control("forget_bias", -2.5, lambda shown: np.all(shown["b_f"] == -2.5) and not shown["b_i"].any()),
    Control("stochastic", True, lambda shown: "P(f = 1)" in shown.symbols),
    Control("decimals", 4, lambda shown: "h_t = 0.9640." in shown.lead),
    Control("colours", "matrix", lambda shown: shown.block("W_f")["scale"]["high"] == 9),
    Control("j", 2, lambda shown: shown.picture["unit"] == 1 and text.BY_HAND_TITLE.format(j=2) in shown.panels),
    # Here every z = 2.45, where 29 % of sigmoid's largest slope is left.
    Control(
        "threshold",
        50,
        lambda shown: ALL_OPEN in counts(shown),
        SMALL,
    ),
    Control("y", True, lambda shown: "y_t" in shown.symbols),
    Control("p", 4, lambda shown: shown["y_t"].shape == (4, 1), OUTPUT),
    Control("w_y", -2.0, lambda shown: np.all(shown["W_y"] == -2), OUTPUT),
]


def test_no_control_is_left_out():
    # g is the plain cell's activation.
    assert {control.name for control in CONTROLS} == controls(open_link(**OUTPUT)) - {"large", "g", "view"}


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control, "lstm")


def test_the_activation_of_the_plain_cell_is_not_the_lstms():
    assert linked(g="relu").picture["blocks"] == lab().picture["blocks"]


def test_the_weights_of_one_gate_go_back_to_the_shared_ones():
    at = choose(open_link(init="normal"), w_f=2.0)
    assert np.all(Shown(at)["W_f"] == 2)
    assert Shown(choose(at, w_f=None)) == linked(init="normal")


@given(
    st.fixed_dictionaries(
        {
            **{name: st.integers(1, 6) for name in (*SIZES, "p")},
            "order": st.sampled_from(ORDERS),
            "init": st.sampled_from(list(INITIALIZERS)),
            "scale": st.sampled_from([0.01, 0.1, 1.0, 30.0]),
            "forget_bias": st.sampled_from([-10.0, 0.0, 1.0]),
            **{name: st.booleans() for name in ("b_normal", "stochastic")},
        }
    )
)
@settings(max_examples=20)
def test_what_the_screen_shows_follows_from_what_the_screen_shows(choices):
    shown = linked(y=True, **choices)
    for gate in GATES:
        z = shown[f"W_{gate}"] @ shown[stack_of(shown)] + shown[f"b_{gate}"]
        assert_allclose(shown[f"z_{gate}"], z, **CLOSE)
        drawn = choices["stochastic"] and gate != "c"
        value = shown[f"P({gate} = 1)" if drawn else VALUES[gate]]
        assert_allclose(value, GATES[gate].f(shown[f"z_{gate}"]), **CLOSE)
    assert_array_equal(shown["W"], np.concatenate([shown[f"W_{gate}"] for gate in GATES]))
    assert_array_equal(shown["f_t∘c_{t−1}"], shown["f_t"] * shown["c_{t−1}"])
    assert_array_equal(shown["i_t∘c̃_t"], shown["i_t"] * shown["c̃_t"])
    assert_array_equal(shown["c_t"], shown["f_t∘c_{t−1}"] + shown["i_t∘c̃_t"])
    assert_allclose(shown["tanh(c_t)"], np.tanh(shown["c_t"]), **CLOSE)
    assert_array_equal(shown["h_t"], shown["o_t"] * shown["tanh(c_t)"])
    assert_allclose(shown["z_y"], shown["W_y"] @ shown["h_t"] + shown["b_y"], **CLOSE)
    assert_allclose(shown["y_t"], sigmoid.f(shown["z_y"]), **CLOSE)
    for gate in GATES:
        slope = f"{GATES[gate].symbol}′(z_{gate})"
        assert_array_equal(shown[slope], GATES[gate].df(shown[f"z_{gate}"]))
    assert_array_equal(shown["tanh′(c_t)"], tanh.df(shown["c_t"]))


@given(st.sampled_from(list(INITIALIZERS)), st.integers(1, 4), st.booleans())
@settings(max_examples=10)
def test_what_is_drawn_twice_is_the_same(init, j, stochastic):
    shown = linked(init=init, k=4, j=j, stochastic=stochastic, y=True)
    blocks = [(block["symbol"], entries(block)) for block in shown.picture["blocks"]]
    for (symbol, first), (other, second) in pairwise(sorted(blocks, key=lambda block: (block[0], block[1].shape))):
        if symbol == other and first.shape == second.shape:
            assert_array_equal(first, second, err_msg=symbol)
    assert_array_equal(shown[gated_step.ROWS.format(j=j)], shown["W"][j - 1 :: 4])
    assert_allclose(
        shown[gated_step.PRODUCTS].sum(axis=1, keepdims=True) + shown["b"], shown["z"], rtol=1e-9, atol=1e-12
    )


# ---- worked examples -----------------------------------------------------------------------


def stories(shown: Shown) -> list[str]:
    """The stories on the page, each under the name of its example."""
    title = re.compile(re.escape(STORY_TITLE).replace(re.escape("{title}"), "(.*)"))
    told = {match[1]: panel["text"] for name, panel in shown.panels.items() if (match := title.fullmatch(name))}
    named = {example_text(name).title: name for name in EXAMPLES}
    assert all(text == TOLD.format(story=example_text(named[title]).story) for title, text in told.items())
    return [named[title] for title in told]


@every_example
def test_an_example_opens_from_a_link_alone_keeps_its_story_when_changed_and_can_be_started_again(name):
    at = open_link(example=name)
    shown = Shown(at)
    assert not at.warning
    assert stories(shown) == [name] * (EXAMPLES[name].page == "lstm")
    _, step = EXAMPLES[name].scenario.step("LSTM")
    assert_array_equal(all_z(shown), step.z)
    for symbol, array in {"f_t": step.f_t, "c_{t−1}": step.c_prev, "c_t": step.c_t, "h_t": step.h_t}.items():
        assert_array_equal(shown[symbol], array, err_msg=symbol)
    changed = Shown(choose(at, w_o=2.5))
    assert changed != shown
    assert stories(changed) == stories(shown)
    assert Shown(press(at, sidebar.RESTART)) == shown


@pytest.mark.slow
def test_one_example_after_the_other_opens_from_the_selectbox_and_leaves_nothing_behind():
    at = open_link(w_i="3", forget_bias="-2", init="normal", seed="9", n="7")
    for name in reversed(EXAMPLES):
        assert Shown(choose(at, example=name)) == linked(example=name)


def test_a_link_may_change_one_choice_of_an_example():
    shown = linked(example="forget-layer", n=2)
    assert (shown["W_f"].shape, shown["h_t"].shape) == ((3, 5), (3, 1))
    assert_array_equal(shown["b_f"], [[1], [2], [3]])
    assert shown[stack_of(shown)][:3].tolist() == [[1], [2], [3]]


def test_a_link_may_take_a_choice_of_an_example_back():
    standard = linked(example="stochastic-gates", stochastic=False)
    assert "P(f = 1)" not in standard.symbols
    assert_allclose(standard["f_t"], [[0.5], [0.8], [0.9]])
    assert_array_equal(all_z(linked(example="forget-bias-1", forget_bias=0.0)), all_z(linked(example="forget-bias-0")))


@every_example
def test_the_order_changes_no_result_of_an_example(name):
    (other,) = set(ORDERS) - {EXAMPLES[name].scenario.order}
    shown, turned = linked(example=name), linked(example=name, order=other)
    assert_allclose(all_z(turned), all_z(shown), **CLOSE)
    assert_allclose(turned["h_t"], shown["h_t"], **CLOSE)


@given(st.sampled_from(list(EXAMPLES)), *(st.integers(1, 8) for _ in SIZES))
@settings(max_examples=15)
def test_an_example_can_have_any_size(name, m, n, k):
    shown = linked(example=name, m=m, n=n, k=k, y=True)
    shown.assert_finite()
    assert (shown["W"].shape, shown["h_t"].shape) == ((4 * k, n + m), (k, 1))


@pytest.mark.parametrize("sizes", [{}, {"n": 5}, {"m": 5}, {"k": 5}], ids=str)
@pytest.mark.parametrize("name", ["lab", "forget-layer", "carousel"])
def test_a_value_can_be_set_where_it_is_used_and_nowhere_else(name, sizes):
    used = linked(example=name, **sizes, h=77.0, x=88.0, c=99.0)
    offered = drawn_controls(open_link(example=name, **{size: as_text(value) for size, value in sizes.items()}))
    for value, filled, symbol in (("h", 77, stack_of(used)), ("x", 88, stack_of(used)), ("c", 99, "c_{t−1}")):
        assert (filled in used[symbol]) == (not offered[value].get("disabled")), value


def test_a_value_that_no_array_has_is_called_custom():
    b = drawn_controls(open_link(example="keep-write-forget"))["b"]
    assert (b["text"], b["placeholder"], b["disabled"], b["help"]) == ("", words.CUSTOM, True, words.CUSTOM_HELP)
    other = drawn_controls(open_link(example="keep-write-forget", k="2"))["b"]
    assert (other["text"], other.get("disabled")) == ("0", None)


def test_a_value_that_some_arrays_have_says_which_have_custom_values():
    b = drawn_controls(open_path("gru", example="keep-or-replace"))["b"]
    assert (b["text"], b.get("disabled")) == ("0", None)
    assert b["help"] == words.PARTLY_CUSTOM.format(arrays="b_r, b_u")


# ---- gates that are drawn on or off ----------------------------------------------------------


def drawn_gates(seed: int) -> Array:
    shown = linked(init="normal", k=30, stochastic=True, seed=seed)
    return np.concatenate([shown[VALUES[gate]] for gate in "fio"])


def test_stochastic_gates_are_0_or_1_and_follow_from_the_seed():
    gates = drawn_gates(3)
    assert set(np.unique(gates)) == {0, 1}
    assert_array_equal(drawn_gates(3), gates)
    assert np.any(drawn_gates(4) != gates)


def test_stochastic_gates_are_said_not_to_be_the_standard_lstm():
    assert text.GATES_SAMPLED in Shown(open_link(stochastic="true")).panels[text.GATES_TITLE]["text"]
    assert text.GATES_SAMPLED not in lab().panels[text.GATES_TITLE]["text"]


# ---- what the words say ----------------------------------------------------------------------

NUMBER = r"−?\d+(?:\.\d+)?(?:e−?\d+)?"


def as_float(text: str) -> float:
    return float(text.replace("−", "-"))


def calculated(expression: str) -> float:
    """What a pocket calculator makes of a printed expression."""
    plain = re.sub(rf"\(\d+ more products: ({NUMBER})\)", r"(\1)", expression)
    python = plain.replace("·", "*").replace("−", "-").replace("σ", "sigmoid")
    return float(eval(python, {"sigmoid": lambda z: sigmoid.f(np.float64(z)), "tanh": np.tanh}))


def by_hand(shown: Shown) -> list[list[list[str]]]:
    """The equations of each line of the inspected unit: what is computed, the sign, and the result."""
    (note,) = [panel["note"] for title, panel in shown.panels.items() if title.endswith("by hand")]
    lines = [re.sub(r"^z_\w [=≈] ", "", line.split(": ", 1)[1]) for line in note.split("\n")]
    return [
        [re.split(" ([=≈]) ", equation) for equation in re.split(", (?:and )?", line) if "sampled" not in equation]
        for line in lines
    ]


@given(
    st.fixed_dictionaries(
        {
            **{name: st.integers(4, 9) for name in SIZES},
            "init": st.sampled_from(list(INITIALIZERS)),
            "scale": st.sampled_from([0.01, 0.1, 1.0]),
            "b_normal": st.booleans(),
            "j": st.integers(1, 4),
        }
    )
)
@settings(max_examples=15)
def test_a_pocket_calculator_comes_to_the_unit_that_is_shown(choices):
    shown, j = linked(decimals=6, **choices), choices["j"] - 1
    *gates, [kept], [written], cell, [out] = by_hand(shown)
    values = []
    for gate, ((z, _, z_t), (activated, _, value)) in zip(GATES, gates, strict=True):
        assert calculated(z) == pytest.approx(as_float(z_t), rel=1e-5, abs=1e-3)
        assert activated == f"{GATES[gate].symbol}({z_t})"
        assert calculated(activated) == pytest.approx(as_float(value), rel=1e-5, abs=2e-6)
        assert as_float(value) == pytest.approx(shown[VALUES[gate]][j, 0], abs=1e-6)
        values.append(as_float(value))
    f, i, c_tilde, o = values
    c_prev = shown["c_{t−1}"][j, 0]
    c = f * c_prev + i * c_tilde
    told = [as_float(result) for *_, result in (kept, written, *cell, out)]
    expected = [f * c_prev, i * c_tilde, c, np.tanh(c), o * np.tanh(c)]
    assert told == pytest.approx(expected, rel=1e-5, abs=1e-5)
    for expression, _, result in (kept, written, *cell, out):
        assert calculated(expression) == pytest.approx(as_float(result), rel=1e-5, abs=1e-5)


def test_a_drawn_gate_is_calculated_with_what_was_drawn():
    shown = linked(init="normal", stochastic=True, k=9, j=3, decimals=6)
    note = shown.panels["Unit 3 by hand"]["note"]
    drawn = [shown[VALUES[gate]][2, 0] for gate in "fio"]
    assert [as_float(text) for text in re.findall(rf"sampled: ({NUMBER})", note)] == drawn
    *_, [kept], [written], _, [out] = by_hand(shown)
    assert [expression.split("·")[0] for expression, *_ in (kept, written, out)] == [f"{on:g}" for on in drawn]


@pytest.mark.parametrize(("decimals", "digits"), [(0, 2), (2, 4), (5, 6), (6, 6)])
def test_the_lines_of_a_unit_have_two_decimals_more_than_the_cells(decimals, digits):
    panel = linked(init="normal", decimals=decimals).panels[text.BY_HAND_TITLE.format(j=1)]
    assert {len(printed) for printed in re.findall(r"\d\.(\d+)", panel["note"])} == {digits}
    assert says(panel["text"], text.BY_HAND, digits=digits)


def test_the_lines_of_a_unit_are_named_after_what_they_come_to():
    names = [line.split(": ")[0] for line in lab().panels[text.BY_HAND_TITLE.format(j=1)]["note"].split("\n")]
    assert names == [*VALUES.values(), "f_t∘c_{t−1}", "i_t∘c̃_t", "c_t", text.H_LINE.format(product="o_t∘tanh(c_t)")]


@given(
    st.sampled_from(list(EXAMPLES)),
    st.sampled_from(list(INITIALIZERS)),
    st.sampled_from([0.01, 0.7, 100.0]),
    st.sampled_from([9.0, 999.0]),
    st.integers(0, 6),
)
@example("lab", "fill", 100.0, 999.0, 2)
@settings(max_examples=15)
def test_equals_is_said_only_where_the_printed_numbers_are_equal(name, init, scale, x, decimals):
    shown = linked(example=name, init=init, scale=scale, x=x, decimals=decimals)
    equations = [equation for line in by_hand(shown) for equation in line]
    assert len(equations) == 13
    for expression, sign, result in equations:
        if sign == "=":
            assert calculated(expression) == pytest.approx(as_float(result), rel=1e-12, abs=1e-12), expression


def test_the_lead_is_the_inspected_unit():
    shown = linked(init="normal", k=4, j=3, decimals=6)
    told = dict(re.findall(rf"(\S+) = ({NUMBER})", shown.lead))
    assert told.keys() == {"c_{t−1}", "c̃_t", "c_t", "h_t"}
    for symbol, verb in {"f_t": "keeps", "i_t": "writes"}.items():
        assert float(re.search(rf"{verb} ([\d.]+)%", shown.lead)[1]) == pytest.approx(
            100 * shown[symbol][2, 0], abs=1e-4
        )
    for symbol, printed in told.items():
        assert as_float(printed) == pytest.approx(shown[symbol][2, 0], abs=1e-6), symbol


@pytest.mark.parametrize("link", [{}, {"example": "saturated-cell"}, {"scale": 0.01}, {"init": "glorot"}], ids=str)
def test_the_lead_counts_the_saturated_units_and_says_what_to_do_about_all_of_them(link):
    shown = linked(**link)
    flat = {gate: int(np.sum(shown[f"{g.symbol}′(z_{gate})"] < 0.05 * g.max_df)) for gate, g in GATES.items()}
    k = len(shown["h_t"])
    gates = sum(flat.values()) - flat["c"]
    said = gated_step.saturated_units(gates=gates, all_gates=3 * k, candidate=flat["c"], k=k)
    assert shown.lead.startswith(said)
    all_saturated = sum(flat.values()) == 4 * k
    assert (said == gated_step.ALL_SATURATED) == all_saturated == (link in ({}, {"example": "saturated-cell"}))
    assert (text.CHOOSE_EXAMPLE in shown.lead) == all_saturated


def test_no_brace_of_a_subscript_is_left_over():
    for link in ({"k": 2}, {"k": 4}, {"n": 5}):
        for panel in linked(**link).panels.values():
            assert not re.search(r"\{\{|\}\}", panel["title"] + panel["text"] + panel["note"])


def counts(shown: Shown) -> str:
    return shown.panels[text.SATURATION_TITLE]["note"]


@given(st.integers(1, 50), st.sampled_from([0.1, 0.5, 1.0, 2.0]), st.integers(1, 9), st.integers(0, 9))
@settings(max_examples=12)
def test_the_saturated_units_are_counted_where_their_slopes_are_below_the_threshold(threshold, scale, k, seed):
    shown = linked(init="normal", threshold=threshold, scale=scale, k=k, seed=seed)
    rows = {VALUES[gate]: (f"{g.symbol}′(z_{gate})", g, f"z_{gate}") for gate, g in GATES.items()}
    rows["tanh(c_t)"] = ("tanh′(c_t)", tanh, "c_t")
    expected = [gated_step.COUNTS.format(k=k)]
    for name, (slope, g, z) in rows.items():
        flat = shown[slope] < threshold / 100 * g.max_df
        low, high = (flat & (shown[z] < 0)).sum(), (flat & (shown[z] > 0)).sum()
        limits = {"lower_limit": "−1" if g is tanh else "0", "upper_limit": "1"}
        expected.append(gated_step.count(name, low=low, high=high, between=k - low - high, **limits))
    assert counts(shown).split("\n") == expected
    lowest, low = (number(most * threshold / 100, digits) for most, digits in ((0.25, 4), (1, 2)))
    said = gated_step.SATURATED.format(threshold=f"{threshold}%", sigmoid=lowest, tanh=low)
    assert said in shown.panels[text.SATURATION_TITLE]["text"]


@pytest.mark.parametrize(("m", "n", "k"), [(3, 2, 3), (1, 1, 1), (8, 5, 5), (2, 7, 3)])
def test_the_parameters_are_counted_and_so_are_pytorchs(m, n, k):
    shown = linked(m=m, n=n, k=k)
    note = shown.panels[text.PRODUCT_TITLE]["note"]
    count = sum(shown[f"W_{gate}"].size + shown[f"b_{gate}"].size for gate in GATES)
    assert note.startswith(text.LEARNED.format(m=m, n=n, k=k, count=count))
    assert ("PyTorch" in note) == (k == n)
    assert k != n or note.endswith(text.LEARNED_IN_PYTORCH.format(more=4 * k, count=count + 4 * k))


def test_a_cell_that_cannot_recur_says_why_and_names_the_one_that_can():
    said = linked(k=4, n=2).panels[text.PRODUCT_TITLE]["text"]
    assert said.endswith(f"{text.ONE_STEP_ONLY.format(k=4, n=2)} {text.PROJECTED.format(k=4, n=2)}")
    at = open_link(k="4", n="2")
    said = Shown(press(at, sidebar.MAKE_RECURRENT.format(k=4))).panels[text.PRODUCT_TITLE]["text"]
    assert said.endswith(text.RECURS.format(k=4))


# ---- sizes -----------------------------------------------------------------------------------


def test_all_the_largest_sizes_are_drawn_at_once():
    shown = linked(m=LARGEST_SIZE, n=LARGEST_SIZE, k=LARGEST_SIZE, p=32, y=True, init="normal", j=LARGEST_SIZE)
    shown.assert_finite()
    assert shown.block("W")["shape"] == "(2048, 1024)"
    assert shown.block("h_t")["shape"] == "(512, 1)"
    assert "more products" in shown.panels[text.BY_HAND_TITLE.format(j=512)]["note"]


def test_one_of_everything_is_a_cell_too():
    shown = linked(m=1, n=1, k=1, y=True)
    shown.assert_finite()
    assert shown["W"].tolist() == [[1, 9]] * 4


def test_the_inspected_unit_goes_no_further_than_the_last_one():
    at = open_link(k="10", j="9")
    assert Shown(at).picture["unit"] == 8
    assert text.BY_HAND_TITLE.format(j=4) in Shown(choose(at, k=4)).panels
    assert Shown(choose(at, example="carousel")).picture["unit"] == 2
