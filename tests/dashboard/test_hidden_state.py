"""The hidden-state page: it opens on the lab, every control reaches the picture, and no link breaks it."""

from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.initialize import INITIALIZERS
from core.joins import ORDERS
from core.scenario import Scenario
from dashboard.controls import LARGEST_SIZE, PARAMETERS, SCALES, SIZES, SMALL_SIZE, STAGES, Number
from tests.dashboard.page import Shown, choose, open_link, widgets

LAB_ROWS = [[1, 1, 9, 9, 9]] * 3
# What a link without sizes may say: the cell that opens has three units.
RULES = PARAMETERS | {"j": Number(1, 3, whole=True)}
NUMBERS = {name: rule for name, rule in RULES.items() if isinstance(rule, Number)}


@cache
def lab() -> Shown:
    return Shown(open_link())


def as_text(value: Any) -> str:
    """A value as a link says it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


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
    assert "1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245, and σ(245) = 1. " in shown.lead
    assert "Saturated units: 3 of 3." in shown.lead
    assert (
        "difference between the two formulas: 0. np.allclose: True. Exactly equal: True"
        in shown.panels["Multiply"]["note"]
    )
    assert all(line.endswith("True") for line in shown.panels["Join"]["code"])


def test_pointing_at_a_unit_shows_its_arithmetic():
    shown = Shown(open_link(b="2"))
    assert shown.block("W_h[h; x]")["hover"] == ["1·1 + 1·1 + 9·9 + 9·9 + 9·9 = 245"] * 3
    assert shown.block("z_t")["hover"] == ["1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 2 = 247"] * 3
    assert shown.block("W_{hh}h")["hover"] == ["1·1 + 1·1 = 2"] * 3


# ---- every control reaches the picture -----------------------------------------------------


class Control(NamedTuple):
    """A control, a value for it, what is seen of that value, and the link on which it can be seen."""

    name: str
    value: Any
    sees: Any
    link: dict[str, str] = {}

    def __str__(self) -> str:
        return self.name


NORMAL = {"init": "normal"}
CONTROLS = [
    Control("m", 5, lambda shown: shown["x_t"].shape == (5, 1) and shown["W_{hx}"].shape == (3, 5)),
    Control("n", 4, lambda shown: shown["h_{t−1}"].shape == (4, 1) and shown["W_{hh}"].shape == (3, 4)),
    Control("k", 4, lambda shown: shown["h_t"].shape == (4, 1) and shown["W_h"].shape == (4, 5)),
    Control("order", "xh", lambda shown: shown["W_h"].tolist() == [[9, 9, 9, 1, 1]] * 3),
    Control("init", "ramp", lambda shown: shown["W_{hh}"].tolist() == [[1, 2], [3, 4], [5, 6]]),
    Control(
        "seed",
        7,
        lambda shown: np.array_equal(shown["W_{hh}"], Scenario(init="normal", seed=7).rnn()[0].W_hh),
        NORMAL,
    ),
    Control("scale", 0.5, lambda shown: shown["W_h"].tolist() == [[0.5, 0.5, 4.5, 4.5, 4.5]] * 3),
    Control("w_hh", -2.5, lambda shown: np.all(shown["W_{hh}"] == -2.5)),
    Control("w_hx", 0.1, lambda shown: np.all(shown["W_{hx}"] == 0.1)),
    Control("h", -4.0, lambda shown: np.all(shown["h_{t−1}"] == -4)),
    Control("x", 1000.0, lambda shown: np.all(shown["x_t"] == 1000)),
    Control("b", -245.0, lambda shown: np.all(shown["b_h"] == -245) and np.all(shown["h_t"] == 0.5)),
    Control("b_normal", True, lambda shown: np.array_equal(shown["b_h"], Scenario(b_normal=True).bias("b_h"))),
    Control("g", "relu", lambda shown: np.all(shown["h_t"] == 245) and shown.curve["curve"] == "ReLU"),
    Control("decimals", 4, lambda shown: "0.0150·1 + " in shown.lead, {"scale": "0.015"}),
    Control("colours", "matrix", lambda shown: shown.block("W_{hx}")["scale"][2:4] == [-9, 9]),
    Control("stage", "join", lambda shown: list(shown.panels) == ["Join"]),
    Control("unmatched", True, lambda shown: "W_h[x; h]" in shown.symbols and np.all(shown["W_h[x; h]"] == 117)),
    Control("j", 2, lambda shown: shown.picture["unit"] == 1 and "Unit 2 by hand" in shown.panels),
    # Here z = 4.9, where 2.9 % of sigmoid's largest slope is left.
    Control("threshold", 1, lambda shown: "Saturated units: 0 of 3." in shown.lead, {"scale": "0.02"}),
]


def test_no_control_is_left_out():
    assert {control.name for control in CONTROLS} == PARAMETERS.keys() - {"large"}


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    at = open_link(**control.link)
    assert not control.sees(Shown(at))
    by_hand = Shown(choose(at, **{control.name: control.value}))
    assert control.sees(by_hand)
    linked = open_link(**control.link, **{control.name: as_text(control.value)})
    assert not linked.warning
    assert Shown(linked) == by_hand


@pytest.mark.parametrize("g", ACTIVATIONS)
@pytest.mark.parametrize("init", INITIALIZERS)
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
@settings(max_examples=30)
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
    assert_allclose([z for z, _ in shown.curve["dots"]], shown["z_t"][:, 0], **close)
    assert "np.allclose: True" in shown.panels["Multiply"]["note"]


# ---- sizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SIZES)
def test_a_link_may_ask_for_the_largest_size(name):
    at = open_link(**{name: str(LARGEST_SIZE)})
    assert not at.warning
    assert at.session_state[name] == LARGEST_SIZE
    shown = Shown(at)
    shown.assert_finite()
    symbol = {"m": "x_t", "n": "h_{t−1}", "k": "z_t"}[name]
    assert shown.block(symbol)["shape"] == f"({LARGEST_SIZE}, 1)"


def test_all_the_largest_sizes_are_drawn_at_once():
    shown = Shown(open_link(m="512", n="512", k="512", init="normal"))
    shown.assert_finite()
    assert shown.block("W_h")["shape"] == "(512, 1024)"
    assert shown.block("W_h")["mean"] == "each cell the mean of 8×8"


def test_large_sizes_come_and_go_with_their_toggle():
    at = choose(open_link(), large=True)
    assert at.slider(key="k").max == LARGEST_SIZE
    choose(at, m=400)
    assert at.toggle(key="large").disabled
    choose(at, m=8)
    choose(at, large=False)
    assert at.slider(key="k").max == SMALL_SIZE
    assert at.session_state.m == 8


def test_a_link_with_a_large_size_turns_the_toggle_on():
    at = open_link(m="512", n="33", k="7")
    assert at.toggle(key="large").value and at.toggle(key="large").disabled
    assert [at.session_state[name] for name in "mnk"] == [512, 33, 7]


def captions(at) -> str:
    return " ".join(caption.value for caption in at.caption)


def test_a_cell_that_cannot_recur_says_so_and_offers_the_remedy():
    at = open_link(k="5", n="2")
    assert "k = 5 but n = 2: one step only" in captions(at)
    (remedy,) = [button for button in at.button if button.label == "Make it recur: set n to 5"]
    remedy.click().run()
    assert (at.session_state.n, at.session_state.k) == (5, 5)
    assert "k = n = 5: this cell recurs" in captions(at)
    assert not [button for button in at.button if "recur" in button.label]
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


# ---- the two orders, the stages, the seed ---------------------------------------------------


def test_swapping_both_joins_changes_no_result():
    shown = Shown(open_link(order="xh"))
    assert np.all(shown["W_h[x; h]"] == 245)
    assert "Exactly equal: True" in shown.panels["Multiply"]["note"]


@pytest.mark.parametrize("order", ORDERS)
def test_swapping_only_the_stack_breaks_the_equality(order):
    shown = Shown(open_link(unmatched="true", order=order))
    assert np.all(shown[{"hx": "W_h[x; h]", "xh": "W_h[h; x]"}[order]] == 117)
    assert np.all(shown["their sum"] == 245)
    note = shown.panels["Multiply"]["note"]
    assert "Largest difference between the two formulas: 128. np.allclose: False. Exactly equal: False" in note


@pytest.mark.parametrize("unmatched", ["false", "true"])
@pytest.mark.parametrize("order", ORDERS)
def test_a_stack_is_named_in_the_order_of_its_entries(order, unmatched):
    shown = Shown(open_link(order=order, unmatched=unmatched))
    stacks = [block for block in shown.picture["blocks"] if block["symbol"] in ("[h; x]", "[x; h]")]
    assert len(stacks) >= 2  # upright in the formulas, and on its side under a unit's row
    for stack in stacks:
        first, last = [name for name, *_ in stack["column_parts"] or stack["row_parts"]]
        assert stack["symbol"] == f"[{first}; {last}]"


def test_a_swapped_stack_leaves_what_follows_to_the_right_one():
    right, wrong = lab(), Shown(open_link(unmatched="true"))
    for symbol in ("z_t", "h_t", "products"):
        assert_array_equal(wrong[symbol], right[symbol])
    assert wrong.lead == right.lead


def test_the_stages_reveal_one_thing_after_the_other():
    stages = {stage: Shown(open_link(stage=stage)) for stage in STAGES}
    titles = [list(shown.panels) for shown in stages.values()]
    symbols = [set(shown.symbols) for shown in stages.values()]
    for earlier, later in pairwise(titles):
        assert set(earlier) <= set(later)
    assert [later - earlier for earlier, later in pairwise(symbols)] == [
        {"W_h[h; x]", "W_{hh}h", "W_{hx}x", "their sum", "row 1 of W_h", "products", "sum"},
        {"b_h", "z_t", "b", "z"},
        {"h_t", "σ′(z_t)"},
        set(),
    ]
    assert titles[0] == ["Join"]
    assert titles[-1] == ["", "Join", "Multiply", "Unit 1 by hand", "Activate"]
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


def test_only_what_is_random_lets_a_seed_be_chosen():
    at = open_link()
    assert widgets(at)["seed"].disabled
    assert not widgets(choose(at, b_normal=True))["seed"].disabled


# ---- links that cannot be taken ------------------------------------------------------------

HOSTILE = {
    "empty": "",
    "nan": "nan",
    "infinite": "-inf",
    "beyond floats": "1e999",
    "5000 digits": "9" * 5000,
    "5000 digits below 0": "-" + "9" * 5000,
    "superscript": "²",
    "too many Arabic digits": "٩" * 11,
    "markup": "<script>alert(1)</script>",
    "an image": "![x](https://example.com/x.png)",
    "code": "__import__('os')",
    "a null byte": "\0",
}


def notice(at, *names: str) -> str:
    """What the page should say of refused parameters: the rule and what is taken, never the link's text."""
    assert not at.exception
    taken = {name: as_text(at.session_state[name]) for name in names}
    assert all(RULES[name].allows(text) for name, text in taken.items()), taken
    return "  \n".join(
        f"The link's `{name}` must be {RULES[name]}; {text} is used instead." for name, text in taken.items()
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", PARAMETERS)
def test_a_refused_value_is_named_with_its_rule_and_never_repeated(name, text):
    at = open_link(**{name: text})
    assert [warning.value for warning in at.warning] == [notice(at, name)]
    assert Shown(at) == lab()


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_parameter_may_be_given_only_once(control):
    at = open_link(**control.link, **{control.name: [as_text(control.value)] * 2})
    assert [warning.value for warning in at.warning] == [notice(at, control.name)]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_outside_its_bounds_is_refused(name):
    rule = NUMBERS[name]
    beyond = [rule.low - 1, rule.high + 1, *([rule.low + 0.5] if rule.whole else [])]
    for value in beyond:
        at = open_link(**{name: repr(value)})
        assert [warning.value for warning in at.warning] == [notice(at, name)]


def test_all_that_is_refused_stands_in_one_notice_for_one_run():
    at = open_link(**dict.fromkeys(PARAMETERS, "<b>"))
    assert [warning.value for warning in at.warning] == [notice(at, *PARAMETERS)]
    assert not at.run().warning


def test_a_unit_that_the_cell_does_not_have_is_refused_by_the_number_of_its_units():
    at = open_link(k="5", j="10")
    assert 1 <= at.session_state.j <= 5
    (warning,) = at.warning
    assert "`j` must be a whole number from 1 to 5;" in warning.value
    assert not open_link(k="10", j="10").warning


texts = st.one_of(st.text(), st.floats().map(repr), st.integers().map(str), st.integers(0, 600).map(str))
words = st.sampled_from([word for rule in PARAMETERS.values() for word in getattr(rule, "options", ())])
repeated = st.lists(texts, min_size=2, max_size=3)


@given(st.dictionaries(st.sampled_from(list(PARAMETERS)), texts | words | repeated))
@settings(max_examples=60)
def test_no_link_breaks_the_page(link):
    at = open_link(**link)
    assert len(at.warning) <= 1
    Shown(at).assert_finite()


@given(st.sampled_from(list(NUMBERS)), texts)
@settings(max_examples=60)
def test_a_number_in_a_link_is_either_taken_or_refused_aloud(name, text):
    at = open_link(**{name: text})
    if NUMBERS[name].allows(text):
        assert at.session_state[name] == float(text)
        assert not at.warning
    else:
        assert Shown(at) == lab()
        assert [warning.value for warning in at.warning] == [notice(at, name)]
