"""The hidden-state page: it opens on the lab, every control reaches the picture, and no link breaks it."""

from dataclasses import replace
from functools import cache
from itertools import cycle, pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.concatenation import ORDERS
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from core.scenario import Scenario
from dashboard.controls.widgets import SIZES
from dashboard.drawing.arithmetic import number
from dashboard.state.parameters import LARGEST_SIZE, SCALES, SMALL_SIZE, STAGES
from dashboard.text import diagram as diagram_text
from dashboard.text import hidden_state as text
from dashboard.text import option_names, sidebar
from dashboard.text.drawing import MEAN_OF_ENTRIES
from tests.dashboard.page import (
    Control,
    Shown,
    as_text,
    assert_reaches_the_picture,
    change,
    choose,
    chosen,
    controls,
    dots,
    drawn_controls,
    notes,
    open_bare,
    open_link,
    press,
    sliders,
    state,
)

LAB_ROWS = [[1, 1, 9, 9, 9]] * 3


@cache
def lab() -> Shown:
    return Shown(open_link())


# ---- the lab -------------------------------------------------------------------------------


def test_the_page_opens_on_the_numbers_of_the_lab():
    at = open_link()
    shown = Shown(at)
    assert not at.warning
    for symbol, array in {
        "W_{hh}": np.full((3, 2), 1),
        "W_{hx}": np.full((3, 3), 9),
        "W_h": LAB_ROWS,
        "h_{t−1}": np.full((2, 1), 1),
        "x_t": np.full((3, 1), 9),
        "[h; x]": [[1], [1], [9], [9], [9]],
        "W_h[h; x]": np.full((3, 1), 245),
        "W_{hh}h": np.full((3, 1), 2),
        "W_{hx}x": np.full((3, 1), 243),
        "their sum": np.full((3, 1), 245),
        "b_h": np.zeros((3, 1)),
        "z_t": np.full((3, 1), 245),
        "h_t": np.ones((3, 1)),
        "products": [[1, 1, 81, 81, 81]],
    }.items():
        assert_array_equal(shown[symbol], array, err_msg=symbol)
    assert "1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245, and σ(245) ≈ 1." in shown.lead
    assert text.flat_units(3, 3, saturates=True) in shown.lead
    note = text.multiply_note("0", (15, 6, 9), allclose=True, equal=True)
    assert shown.panels[text.MULTIPLY_TITLE]["note"] == note
    assert all(line.endswith("True") for line in shown.panels[text.JOIN_TITLE]["code"])


def test_pointing_at_a_unit_shows_its_arithmetic():
    shown = Shown(open_link(b="2"))
    assert shown.block("W_h[h; x]")["hover"] == ["1·1 + 1·1 + 9·9 + 9·9 + 9·9 = 245"] * 3
    assert shown.block("z_t")["hover"] == ["1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 2 = 247"] * 3
    assert shown.block("W_{hh}h")["hover"] == ["1·1 + 1·1 = 2"] * 3


# ---- every control reaches the picture -----------------------------------------------------


NORMAL = {"init": "normal"}
CONTROLS = [
    Control("predict", True, lambda shown: "h_t" not in shown.symbols),
    Control("example", "input-gate", lambda shown: shown["x_t"].tolist() == [[1], [2], [3]]),
    Control("m", 5, lambda shown: shown["x_t"].shape == (5, 1) and shown["W_{hx}"].shape == (3, 5)),
    Control("n", 4, lambda shown: shown["h_{t−1}"].shape == (4, 1) and shown["W_{hh}"].shape == (3, 4)),
    Control("k", 4, lambda shown: shown["h_t"].shape == (4, 1) and shown["W_h"].shape == (4, 5)),
    Control("order", "xh", lambda shown: shown["W_h"].tolist() == [[9, 9, 9, 1, 1]] * 3),
    Control("init", "ramp", lambda shown: shown["W_{hh}"].tolist() == [[1, 2], [3, 4], [5, 6]]),
    Control(
        "seed",
        7,
        lambda shown: np.array_equal(shown["W_{hh}"], Scenario(init="normal", seed=7).step_arguments("RNN")[0].W_hh),
        NORMAL,
    ),
    Control("scale", 0.5, lambda shown: shown["W_h"].tolist() == [[0.5, 0.5, 4.5, 4.5, 4.5]] * 3),
    Control("w_hh", -2.5, lambda shown: np.all(shown["W_{hh}"] == -2.5)),
    Control("w_hx", 0.1, lambda shown: np.all(shown["W_{hx}"] == 0.1)),
    Control("h", -4.0, lambda shown: np.all(shown["h_{t−1}"] == -4)),
    Control("x", 1000.0, lambda shown: np.all(shown["x_t"] == 1000)),
    Control("b", -245.0, lambda shown: np.all(shown["b_h"] == -245) and np.all(shown["h_t"] == 0.5)),
    Control("b_normal", True, lambda shown: np.array_equal(shown["b_h"], Scenario(b_normal=True).array("b_h"))),
    Control("g", "relu", lambda shown: np.all(shown["h_t"] == 245) and shown.curve["symbol"] == "ReLU"),
    Control("decimals", 4, lambda shown: "0.0150·1 + " in shown.lead, {"scale": "0.015"}),
    Control("colours", "matrix", lambda shown: shown.block("W_{hx}")["scale"]["high"] == 9),
    Control("stage", "join", lambda shown: list(shown.panels) == [text.JOIN_TITLE]),
    Control("unmatched", True, lambda shown: "W_h[x; h]" in shown.symbols and np.all(shown["W_h[x; h]"] == 117)),
    Control("j", 2, lambda shown: shown.picture["unit"] == 1 and text.BY_HAND_TITLE.format(j=2) in shown.panels),
    # Here z = 4.9, where 2.9 % of sigmoid's largest slope is left.
    Control("threshold", 1, lambda shown: text.flat_units(0, 3, saturates=True) in shown.lead, {"scale": "0.02"}),
]


def test_no_control_is_left_out():
    # Only an LSTM has gates to sample.
    assert {control.name for control in CONTROLS} == controls(open_link()) - {"large", "stochastic", "view"}
    assert Shown(open_link(stochastic="true")) == lab()


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control)


@pytest.mark.parametrize(("g", "init"), list(zip(cycle(ACTIVATIONS), INITIALIZERS)))
def test_every_activation_and_initializer_can_be_shown(g, init):
    shown = Shown(open_link(g=g, init=init, b_normal="true"))
    shown.assert_finite()
    assert_array_equal(shown["h_t"], ACTIVATIONS[g].f(shown["z_t"]))


@given(
    *(st.integers(1, 6) for _ in SIZES),
    *(st.sampled_from(options) for options in (ORDERS, list(INITIALIZERS), SCALES, list(ACTIVATIONS))),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=20)
def test_what_the_screen_shows_follows_from_what_the_screen_shows(m, n, k, order, init, scale, g, b_normal, unmatched):
    choices = {"m": m, "n": n, "k": k, "order": order, "init": init, "scale": scale, "g": g}
    shown = Shown(open_link(b_normal=as_text(b_normal), **{key: as_text(value) for key, value in choices.items()}))
    stack = "[h; x]" if order == "hx" else "[x; h]"
    product = shown["W_h"] @ shown[stack]
    close = {"rtol": 1e-9, "atol": 1e-9}
    assert_allclose(shown[f"W_h{stack}"], product, **close)
    assert_allclose(shown["their sum"], shown["W_{hh}"] @ shown["h_{t−1}"] + shown["W_{hx}"] @ shown["x_t"], **close)
    assert_allclose(shown["their sum"], product, **close)
    assert_allclose(shown["z_t"], product + shown["b_h"], **close)
    assert_allclose(shown["h_t"], ACTIVATIONS[g].f(shown["z_t"]), **close)
    assert_allclose(shown["products"].sum(), shown["sum"].item(), **close)
    assert_allclose(dots(shown.curve), np.hstack([shown["z_t"], shown["h_t"]]), **close)
    assert shown.panels[text.MULTIPLY_TITLE]["note"].startswith((text.EQUAL, text.ALLCLOSE.partition("{")[0]))


# ---- sizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SIZES)
def test_a_link_may_ask_for_the_largest_size(name):
    at = open_link(**{name: str(LARGEST_SIZE)})
    assert not at.warning
    assert chosen(at, name) == LARGEST_SIZE
    shown = Shown(at)
    shown.assert_finite()
    symbol = {"m": "x_t", "n": "h_{t−1}", "k": "z_t"}[name]
    assert shown.block(symbol)["shape"] == f"({LARGEST_SIZE}, 1)"


def test_all_the_largest_sizes_are_drawn_at_once():
    shown = Shown(open_link(m="512", n="512", k="512", init="normal"))
    shown.assert_finite()
    assert shown.block("W_h")["shape"] == "(512, 1024)"
    assert shown.block("W_h")["mean"] == MEAN_OF_ENTRIES.format(size="8×8")


def test_large_sizes_come_and_go_with_their_toggle():
    at = choose(open_link(), large=True)
    assert [sliders(at)[name]["high"] for name in SIZES] == [LARGEST_SIZE] * 3
    choose(at, m=400)
    assert drawn_controls(at)["large"]["disabled"]
    choose(at, m=8)
    choose(at, large=False)
    assert [sliders(at)[name]["high"] for name in SIZES] == [SMALL_SIZE] * 3
    assert chosen(at, "m") == 8


def test_a_link_with_a_large_size_turns_the_toggle_on():
    at = open_link(m="512", n="33", k="7")
    large = drawn_controls(at)["large"]
    assert large["text"] == "true" and large["disabled"]
    assert [chosen(at, name) for name in "mnk"] == [512, 33, 7]


def test_a_cell_that_cannot_recur_says_so_and_offers_the_remedy():
    at = open_link(k="5", n="2")
    assert notes(at)["recurs"] == sidebar.ONE_STEP.format(k=5, n=2)
    press(at, sidebar.MAKE_RECURRENT.format(k=5))
    assert (chosen(at, "n"), chosen(at, "k")) == (5, 5)
    assert notes(at)["recurs"] == sidebar.RECURRENT.format(k=5)
    assert "recurrent" not in drawn_controls(at)
    assert Shown(at)["h_{t−1}"].shape == (5, 1)


def test_the_inspected_unit_goes_no_further_than_the_last_one():
    at = open_link(k="10", j="9")
    assert Shown(at).picture["unit"] == 8
    assert Shown(choose(at, k=4)).picture["unit"] == 3
    assert Shown(choose(at, k=1)).picture["unit"] == 0


def test_one_of_everything_is_a_cell_too():
    shown = Shown(open_link(m="1", n="1", k="1"))
    shown.assert_finite()
    assert shown["W_h"].tolist() == [[1, 9]]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_gives_this_page_its_sizes_and_inputs(name):
    shown, example = Shown(open_link(example=name)), EXAMPLES[name].scenario
    shown.assert_finite()
    _, state, x_t = example.step_arguments("LSTM")
    assert_array_equal(shown["h_{t−1}"], state.h)
    assert_array_equal(shown["x_t"], x_t)
    assert shown["h_t"].shape == (example.k, 1)


# ---- the two orders, the stages, the seed ---------------------------------------------------


def test_swapping_both_joins_changes_no_result():
    shown = Shown(open_link(order="xh"))
    assert np.all(shown["W_h[x; h]"] == 245)
    assert text.EQUAL in shown.panels[text.MULTIPLY_TITLE]["note"]


@pytest.mark.parametrize("order", ORDERS)
def test_swapping_only_the_stack_breaks_the_equality(order):
    shown = Shown(open_link(unmatched="true", order=order))
    assert np.all(shown[{"hx": "W_h[x; h]", "xh": "W_h[h; x]"}[order]] == 117)
    assert np.all(shown["their sum"] == 245)
    note = shown.panels[text.MULTIPLY_TITLE]["note"]
    assert text.NOT_CLOSE.format(difference=128) in note


@pytest.mark.parametrize("unmatched", ["false", "true"])
@pytest.mark.parametrize("order", ORDERS)
def test_a_stack_is_named_in_the_order_of_its_entries(order, unmatched):
    shown = Shown(open_link(order=order, unmatched=unmatched))
    stacks = [block for block in shown.picture["blocks"] if block["symbol"] in ("[h; x]", "[x; h]")]
    assert len(stacks) >= 2  # upright in the formulas, and on its side under a unit's row
    for stack in stacks:
        first, last = [part["name"] for part in stack["column_parts"] or stack["row_parts"]]
        assert stack["symbol"] == f"[{first}; {last}]"


@pytest.mark.parametrize(("order", "g"), list(zip(cycle(ORDERS), ACTIVATIONS)))
def test_a_swapped_stack_is_wrong_all_the_way_and_the_screen_says_so_wherever_it_is(order, g):
    link = {"init": "normal", "order": order, "g": g, "b_normal": "true", "j": "2"}
    right, wrong = Shown(open_link(**link)), Shown(open_link(**link, unmatched="true"))
    stack = "[x; h]" if order == "hx" else "[h; x]"
    z = wrong["W_h"] @ wrong[stack] + wrong["b_h"]
    assert_allclose(wrong["z_t"], z)
    assert_allclose(wrong["h_t"], ACTIVATIONS[g].f(z))
    assert_allclose(dots(wrong.curve), np.hstack([z, wrong["h_t"]]))
    assert_allclose(wrong["products"], wrong["row 2 of W_h"] * wrong[stack].T)
    assert_allclose([wrong["products"].sum() + wrong["b"].item(), wrong["z"].item()], z[1].item())
    assert not np.allclose(z, right["z_t"])
    assert_array_equal(wrong["their sum"], right["their sum"])

    z_2, h_2, right_z, right_h = (
        number(shown[symbol][1, 0], 2) for shown in (wrong, right) for symbol in ("z_t", "h_t")
    )
    assert f"≈ {z_2}, and" in wrong.lead and f"({z_2}) " in wrong.lead and f" {h_2}. " in wrong.lead
    assert text.LEAD_IN_ORDER.format(z=right_z, h=right_h) in wrong.lead
    for title, panel in wrong.panels.items():
        drawn = any(item["kind"] == "op" and "wrong" in item["symbol"] for row in panel["rows"] for item in row)
        assert drawn == (title in (text.MULTIPLY_TITLE, text.BY_HAND_TITLE.format(j=2), text.ACTIVATE_TITLE))
        assert "rong" in panel["text"] + panel["callout"] or title == text.JOIN_TITLE
    assert not any("rong" in panel["text"] + panel["callout"] for panel in right.panels.values())


def test_a_swap_that_changes_nothing_is_not_called_wrong():
    assert (
        Shown(open_link(h="9", w_hh="9", unmatched="true", n="3")).lead == Shown(open_link(h="9", w_hh="9", n="3")).lead
    )


def test_the_stages_reveal_one_thing_after_the_other():
    stages = {stage: Shown(open_link(stage=stage)) for stage in STAGES}
    titles = [list(shown.panels) for shown in stages.values()]
    symbols = [set(shown.symbols) for shown in stages.values()]
    for earlier, later in pairwise(titles):
        assert set(earlier) <= set(later)
    assert [later - earlier for earlier, later in pairwise(symbols)] == [
        {"W_h[h; x]", "W_{hh}h", "W_{hx}x", text.SUM_OF_BOTH, text.ROW.format(j=1), text.PRODUCTS, text.SUM},
        {"b_h", "z_t", "b", "z"},
        {"h_t", "σ′(z_t)"},
        set(),
    ]
    by_hand = text.BY_HAND_TITLE.format(j=1)
    assert titles[0] == [text.JOIN_TITLE]
    assert titles[-1] == [diagram_text.TITLE, text.JOIN_TITLE, text.MULTIPLY_TITLE, by_hand, text.ACTIVATE_TITLE]
    assert stages["all"] == lab()


def test_the_same_seed_draws_the_same_numbers():
    first, again, other = (Shown(open_link(init="normal", seed=seed)) for seed in ("3", "3", "4"))
    assert first == again
    assert np.all(first["W_h"] != other["W_h"])


@pytest.mark.parametrize(("name", "kept"), [("m", ["W_{hh}", "h_{t−1}"]), ("n", ["W_{hx}", "x_t"])])
def test_changing_the_size_of_one_input_keeps_the_numbers_of_the_other(name, kept):
    at = open_link(init="normal")
    before = Shown(at)
    after = Shown(choose(at, **{name: 7}))
    for symbol in kept:
        assert_array_equal(after[symbol], before[symbol])
    assert after["W_h"].shape != before["W_h"].shape


def test_a_seed_can_be_chosen_before_anything_is_random():
    at = choose(open_link(), seed=7)
    assert Shown(at) == lab()
    assert Shown(choose(at, init="normal")) == Shown(open_link(init="normal", seed="7"))


def test_the_initialization_is_custom_where_no_array_follows_it():
    init = drawn_controls(open_link(example="first-step"))["init"]
    assert (init["text"], init["options"][0]["label"]) == ("custom", option_names.CUSTOM_INITIALIZATION)
    assert init["options"][0] == {"value": "custom", "label": option_names.CUSTOM_INITIALIZATION, "patch": {}}
    for follows in ({"k": "2", "n": "2"}, {"m": "3"}):
        init = drawn_controls(open_link(example="first-step", **follows))["init"]
        assert len(init["options"]) == len(INITIALIZERS) and init["text"] != "custom"


@pytest.mark.parametrize("init", INITIALIZERS)
@pytest.mark.parametrize("query", [{}, {"example": "first-step", "decimals": "3", "scale": "2", "seed": "7"}])
def test_an_initialization_replaces_custom_values_and_no_other_setting(query, init):
    at = open_link(**query) if query else open_bare()
    before = state(at)
    patch = next(option["patch"] for option in drawn_controls(at)["init"]["options"] if option["value"] == init)
    after = state(change(at, patch))
    assert after.scenario == replace(before.scenario, init=init, arrays={})
    assert (after.settings, after.custom_values({})) == (before.settings, {})
