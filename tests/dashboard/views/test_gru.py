"""The GRU page: every control and every number reaches the picture, and its words are true."""

import json
import re
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import sigmoid, tanh
from core.arrays import Array
from core.concatenation import ORDERS
from core.examples import EXAMPLES
from core.exchange.matrix_text import to_link
from core.initialize import INITIALIZERS
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from dashboard.state.custom_arrays import TYPED as PARAMETER
from dashboard.state.parameters import LARGEST_SIZE
from dashboard.text import gated_step, sidebar
from dashboard.text import gru as text
from dashboard.text.examples import STORY_TITLE, example_text
from tests.dashboard.page import (
    Control,
    Shown,
    as_text,
    assert_reaches_the_picture,
    choose,
    chosen,
    controls,
    entries,
    open_bare,
    press,
)
from tests.dashboard.page import open_link as open_path
from tests.sentences import pattern

open_link = partial(open_path, "gru")
GOLDEN = json.loads((Path(__file__).parents[2] / "core" / "golden" / "gru.json").read_text())
FROM_H, FROM_X = "W_{hh}h+b_{hh}", "W_{hx}x+b_{hx}"
# Each name that is activated, with its activation and its z.
ACTIVATED = {"r_t": (sigmoid, "z_r"), "u_t": (sigmoid, "z_u"), "h̃_t": (tanh, "z_h")}
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
NUMBER = r"−?\d+(?:\.\d+)?(?:e−?\d+)?"


@cache
def linked(**choices) -> Shown:
    """What a link with these choices opens."""
    return Shown(open_link(**{name: as_text(value) for name, value in choices.items()}))


def stack_of(shown: Shown) -> str:
    (name,) = {symbol for symbol in shown.symbols if symbol in ("[h; x]", "[x; h]")}
    return name


# ---- the numbers ---------------------------------------------------------------------------


def test_the_lab_is_taken_with_as_many_entries_of_h_as_units():
    at = open_link()
    shown = Shown(at)
    assert shown.remarks == [text.TAKEN.format(k=3, n=2)]
    for gate in "ru":
        assert shown[f"W_{gate}"].tolist() == [[1, 1, 1, 9, 9, 9]] * 3
        assert_array_equal(shown[f"z_{gate}"], np.full((3, 1), 246))
    assert_array_equal(shown["z_h"], np.full((3, 1), 246))
    assert_array_equal(shown["h_t"], np.ones((3, 1)))
    recurrent = press(at, sidebar.MAKE_RECURRENT.format(k=3))
    assert chosen(recurrent, "n") == 3 and not Shown(recurrent).remarks
    assert Shown(recurrent) == shown


def test_the_page_shows_what_pytorch_computes():
    golden = {name: np.array(values) for name, values in GOLDEN.items()}
    arrays = {}
    for side, ending in (("hh", "h"), ("ih", "x")):
        r, u, h = np.split(golden[f"weight_{side}"], 3)
        arrays |= {f"W_r{ending}": r, f"W_u{ending}": u, f"W_h{ending}": h}
    of_h, of_x = (np.split(golden[f"bias_{side}"][:, None], 3) for side in ("hh", "ih"))
    arrays |= {"b_r": of_h[0] + of_x[0], "b_u": of_h[1] + of_x[1], "b_hh": of_h[2], "b_hx": of_x[2]}
    for h_prev, x_t, h_t in zip(golden["h_prev"], golden["x_t"], golden["h_t"], strict=True):
        link = to_link(arrays | {"h_prev": h_prev[:, None], "x_t": x_t[:, None]})
        shown = linked(m=len(x_t), n=len(h_t), k=len(h_t), **{PARAMETER: link})
        assert_allclose(shown["h_t"][:, 0], h_t, rtol=1e-12)


@given(
    st.fixed_dictionaries(
        {
            **{name: st.integers(1, 6) for name in ("m", "n", "k")},
            "order": st.sampled_from(ORDERS),
            "init": st.sampled_from(list(INITIALIZERS)),
            "scale": st.sampled_from([0.01, 0.1, 1.0, 30.0]),
            "b_normal": st.booleans(),
        }
    )
)
@settings(max_examples=20)
def test_what_the_screen_shows_follows_from_what_the_screen_shows(choices):
    shown = linked(**choices)
    k, h_prev, stacked = choices["k"], shown["h_{t−1}"], shown[stack_of(shown)]
    parts = [h_prev, shown["x_t"]]
    assert_array_equal(stacked, np.concatenate(parts if choices["order"] == "hx" else parts[::-1]))
    for gate in "ru":
        z = shown[f"W_{gate}"] @ stacked + shown[f"b_{gate}"]
        assert_allclose(shown[f"z_{gate}"], z, **CLOSE)
        assert_allclose(shown[f"{gate}_t"], 1 / (1 + np.exp(-z.clip(-700))), **CLOSE)
    r, u, h_tilde = shown["r_t"], shown["u_t"], shown["h̃_t"]
    assert_allclose(shown[FROM_H], shown["W_{hh}"] @ h_prev + shown["b_{hh}"], **CLOSE)
    assert_allclose(shown[FROM_X], shown["W_{hx}"] @ shown["x_t"] + shown["b_{hx}"], **CLOSE)
    assert_allclose(shown["z_h"], shown[FROM_X] + r * shown[FROM_H], **CLOSE)
    assert_allclose(h_tilde, np.tanh(shown["z_h"]), **CLOSE)
    assert_array_equal(shown["1−u_t"], 1 - u)
    assert_allclose(shown["u_t∘h_{t−1}"], u * h_prev, **CLOSE)
    assert_allclose(shown["(1−u_t)∘h̃_t"], (1 - u) * h_tilde, **CLOSE)
    assert_allclose(shown["h_t"], u * h_prev + (1 - u) * h_tilde, **CLOSE)
    for g, z in ACTIVATED.values():
        assert_array_equal(shown[f"{g.symbol}′({z})"], g.df(shown[z]))
    of_h = np.concatenate([shown["W_r"], shown["W_u"]])
    of_h = of_h[:, :k] if choices["order"] == "hx" else of_h[:, -k:]
    assert_array_equal(shown[text.OF_H], np.concatenate([of_h, shown["W_{hh}"]]))
    assert shown[text.OF_X].shape == (3 * k, choices["m"])


@given(st.sampled_from(list(INITIALIZERS)), st.integers(1, 4))
@settings(max_examples=10)
def test_what_is_drawn_twice_is_the_same(init, j):
    shown = linked(init=init, k=4, n=4, j=j)
    blocks = [(block["symbol"], entries(block)) for block in shown.picture["blocks"]]
    for (symbol, first), (other, second) in pairwise(sorted(blocks, key=lambda block: (block[0], block[1].shape))):
        if symbol == other and first.shape == second.shape:
            assert_array_equal(first, second, err_msg=symbol)
    rows = np.concatenate([shown["W_r"][j - 1 : j], shown["W_u"][j - 1 : j]])
    assert_array_equal(shown[gated_step.ROWS.format(j=j)], rows)
    assert_allclose(
        shown[gated_step.PRODUCTS].sum(axis=1, keepdims=True) + shown["b"], shown["z"], rtol=1e-9, atol=1e-12
    )


# ---- every control reaches the picture -----------------------------------------------------


def made_by(**choices):
    """Sees whether all the weights on the screen are those of this scenario."""
    params = Scenario(**{"n": 3} | choices).step_arguments("GRU")[0]
    return lambda shown: np.array_equal(shown[text.OF_H], params.W_h) and np.array_equal(shown[text.OF_X], params.W_x)


ALL_OPEN = gated_step.count("r_t", low=0, lower_limit="0", high=3, upper_limit="1", between=0)
NORMAL, SMALL, RECURRENT = {"init": "normal"}, {"scale": "0.01"}, {"n": "3"}
CONTROLS = [
    Control("predict", True, lambda shown: "h_t" not in shown.symbols),
    Control("example", "keep-or-replace", lambda shown: shown["b_u"].tolist() == [[3], [-3], [0.1]]),
    Control("m", 5, lambda shown: shown["W_r"].shape == (3, 8) and shown["x_t"].shape == (5, 1)),
    Control("n", 4, lambda shown: shown["W_r"].shape == (3, 6) and "n = 4" in shown.remarks[0]),
    Control("k", 4, lambda shown: shown["h_t"].shape == (4, 1) and shown[text.OF_H].shape == (12, 4)),
    Control(
        "order", "xh", lambda shown: shown["W_u"].tolist() == [[9, 9, 9, 1, 1, 1]] * 3 and "[x; h]" in shown.symbols
    ),
    Control("init", "ramp", made_by(init="ramp")),
    Control("seed", 7, made_by(init="normal", seed=7), NORMAL),
    Control("scale", 0.5, made_by(scale=0.5)),
    Control("w_hh", -2.5, made_by(w_hh=-2.5)),
    Control("w_hx", 0.1, made_by(w_hx=0.1)),
    Control("h", -4.0, lambda shown: shown["[h; x]"].tolist() == [[-4], [-4], [-4], [9], [9], [9]]),
    Control("x", 1000.0, lambda shown: np.all(shown["x_t"] == 1000)),
    Control("b", -245.0, lambda shown: all(np.all(shown[f"z_{gate}"] == 1) for gate in "ru")),
    Control("b_normal", True, lambda shown: np.array_equal(shown["b_u"], Scenario(b_normal=True).array("b_u"))),
    Control("decimals", 4, lambda shown: "h̃_t = 0.9854" in shown.lead, {"scale": "0.01"}),
    Control("colours", "matrix", lambda shown: shown.block("W_r")["scale"]["high"] == 9),
    Control("j", 2, lambda shown: shown.picture["unit"] == 1 and text.BY_HAND_TITLE.format(j=2) in shown.panels),
    # Here z = 2.46, where 29 % of sigmoid's largest slope is left.
    Control(
        "threshold",
        50,
        lambda shown: ALL_OPEN in counts(shown),
        SMALL,
    ),
]


def test_no_control_is_left_out():
    # g is the plain cell's activation, and only the LSTM's gates are sampled.
    others = {"large", "g", "view", "stochastic"}
    assert {control.name for control in CONTROLS} == controls(open_link()) - others


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control, "gru")


@pytest.mark.parametrize("link", [{"g": "relu"}, {"stochastic": True}, {"forget_bias": 3.0, "w_f": 2.0}], ids=str)
def test_what_belongs_to_other_cells_changes_nothing(link):
    assert linked(**link).picture["blocks"] == linked().picture["blocks"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_opens_and_only_the_pages_own_tells_its_story(name):
    shown = linked(example=name)
    shown.assert_finite()
    title = STORY_TITLE.format(title=example_text(name).title)
    assert (title in shown.panels) == (EXAMPLES[name].page == "gru")


def test_the_bare_page_opens_on_its_own_example():
    assert Shown(open_bare("gru")) == linked(example="keep-or-replace")


# ---- what the words say ----------------------------------------------------------------------


def counts(shown: Shown) -> str:
    return shown.panels[text.SATURATION_TITLE]["note"]


def as_float(printed: str) -> float:
    return float(printed.replace("−", "-"))


def calculated(expression: str) -> float:
    """What a pocket calculator makes of a printed expression."""
    plain = re.sub(rf"\(\d+ more products: ({NUMBER})\)", r"(\1)", expression)
    python = plain.replace("·", "*").replace("−", "-").replace("σ", "sigmoid")
    return float(eval(python, {"sigmoid": lambda z: sigmoid.f(np.float64(z)), "tanh": np.tanh}))


def by_hand(shown: Shown) -> list[tuple[str, str, str]]:
    """The equations in the lines of the selected unit: what is computed, the sign, and the result."""
    (note,) = [panel["note"] for title, panel in shown.panels.items() if title.endswith("by hand")]
    found = []
    for line in note.split("\n"):
        named = re.sub(r"^[^:=≈]*: ", "", line)
        plain = re.sub(r"^(?:z_\w|W_\S+) [=≈] ", "", named)
        found += [tuple(re.split(" ([=≈]) ", equation)) for equation in plain.split(", and ")]
    return found


@given(
    st.fixed_dictionaries(
        {
            **{name: st.integers(4, 9) for name in ("m", "k")},
            "init": st.sampled_from(list(INITIALIZERS)),
            "scale": st.sampled_from([0.01, 0.1, 1.0]),
            "b_normal": st.booleans(),
            "j": st.integers(1, 4),
        }
    )
)
@settings(max_examples=15)
def test_a_pocket_calculator_comes_to_the_unit_that_is_shown(choices):
    shown, j = linked(decimals=6, n=choices["k"], **choices), choices["j"] - 1
    expected = [
        *("z_r", "r_t", "z_u", "u_t", FROM_H, FROM_X, None, "z_h", "h̃_t"),
        *("u_t∘h_{t−1}", "(1−u_t)∘h̃_t", "h_t"),
    ]
    for symbol, (expression, _, result) in zip(expected, by_hand(shown), strict=True):
        value = shown[symbol][j, 0] if symbol else shown["r_t"][j, 0] * shown[FROM_H][j, 0]
        assert as_float(result) == pytest.approx(value, rel=1e-5, abs=1e-5), symbol
        assert calculated(expression) == pytest.approx(value, rel=1e-5, abs=1e-3), symbol


@given(
    st.sampled_from(list(EXAMPLES)),
    st.sampled_from(list(INITIALIZERS)),
    st.sampled_from([0.01, 0.7, 100.0]),
    st.integers(0, 6),
)
@example("lab", "fill", 100.0, 2)
@settings(max_examples=15)
def test_equals_is_said_only_where_the_printed_numbers_are_equal(name, init, scale, decimals):
    for expression, sign, result in by_hand(linked(example=name, init=init, scale=scale, decimals=decimals)):
        if sign == "=":
            assert calculated(expression) == pytest.approx(as_float(result), rel=1e-12, abs=1e-12), expression


def test_the_lead_is_the_selected_unit():
    shown = linked(init="normal", k=4, n=4, j=3, decimals=6)
    told = dict(re.findall(rf"(\S+) = ({NUMBER})", shown.lead))
    assert told.keys() == {"h_{t−1}", "h̃_t", "h_t"}
    shares = re.search(pattern(text.UNIT, j=3), shown.lead)
    kept, written = (float(shares[name].removesuffix("%")) for name in ("kept", "written"))
    assert kept == pytest.approx(100 * shown["u_t"][2, 0], abs=1e-4)
    assert kept + written == pytest.approx(100, abs=2e-4)
    for symbol, printed in told.items():
        assert as_float(printed) == pytest.approx(shown[symbol][2, 0], abs=1e-6), symbol


def test_the_tooltips_show_the_arithmetic():
    shown = linked(example="keep-or-replace")
    assert shown.block("h_t")["hover"][1] == "−0.03 + 0.35 ≈ 0.32"
    assert shown.block("1−u_t")["hover"][1] == "(1−u_t)∘h̃_t: 0.96·0.37 ≈ 0.35"
    assert shown.block("z_h")["hover"][2] == "−0.22 + 0.01 ≈ −0.21"


@given(st.integers(1, 50), st.sampled_from([0.1, 0.5, 1.0, 2.0]), st.integers(1, 9), st.integers(0, 9))
@settings(max_examples=12)
def test_the_saturated_units_are_counted_where_their_derivatives_are_below_the_threshold(threshold, scale, k, seed):
    shown = linked(init="normal", threshold=threshold, scale=scale, k=k, n=k, seed=seed)
    expected, flats = [gated_step.COUNTS.format(k=k)], []
    for name, (g, z) in ACTIVATED.items():
        flats.append(shown[f"{g.symbol}′({z})"] < threshold / 100 * g.max_df)
        low, high = (flats[-1] & (shown[z] < 0)).sum(), (flats[-1] & (shown[z] > 0)).sum()
        limits = {"lower_limit": "−1" if g is tanh else "0", "upper_limit": "1"}
        expected.append(gated_step.count(name, low=low, high=high, between=k - low - high, **limits))
    assert counts(shown).split("\n") == expected
    *gates, candidate = (int(flat.sum()) for flat in flats)
    said = gated_step.saturated_units(gates=sum(gates), all_gates=2 * k, candidate=candidate, k=k)
    assert shown.lead.startswith(said)
    lowest, low = (number(most * threshold / 100, digits) for most, digits in ((0.25, 4), (1, 2)))
    said = gated_step.SATURATED.format(threshold=f"{threshold}%", sigmoid=lowest, tanh=low)
    assert said in shown.panels[text.SATURATION_TITLE]["text"]


def of_pytorch(shown: Shown) -> int:
    """How many numbers PyTorch's GRU has: a weight for each of these, and two biases for each row."""
    return shown[text.OF_H].size + shown[text.OF_X].size + 2 * len(shown[text.OF_H])


@pytest.mark.parametrize(("m", "k"), [(3, 3), (1, 1), (8, 5), (2, 7)])
def test_the_parameters_are_counted_and_so_are_pytorchs(m, k):
    shown = linked(m=m, n=k, k=k)
    names = ("W_r", "W_u", "W_{hh}", "W_{hx}", "b_r", "b_u", "b_{hh}", "b_{hx}")
    count: Array = sum(shown[name].size for name in names)
    assert shown.panels[text.WEIGHTS_TITLE]["note"] == text.learned(m=m, k=k, count=count)
    assert of_pytorch(shown) == count + 2 * k


# ---- sizes -----------------------------------------------------------------------------------


def test_all_the_largest_sizes_are_drawn_at_once():
    shown = linked(m=LARGEST_SIZE, n=LARGEST_SIZE, k=LARGEST_SIZE, init="normal", j=LARGEST_SIZE)
    shown.assert_finite()
    assert shown.block(text.OF_H)["shape"] == "(1536, 512)"
    assert "more products" in shown.panels[text.BY_HAND_TITLE.format(j=512)]["note"]


def test_the_inspected_unit_goes_no_further_than_the_last_one():
    at = open_link(k="10", n="10", j="9")
    assert Shown(at).picture["unit"] == 8
    assert text.BY_HAND_TITLE.format(j=4) in Shown(choose(at, k=4)).panels
