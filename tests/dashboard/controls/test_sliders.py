"""A slider shows any value that a link may say, can reach only such values, and hostile ones change nothing."""

import math

import hypothesis.strategies as st
import pytest
from hypothesis import given

from dashboard.controls.widgets import COMMON, slider
from dashboard.server import drag_socket
from dashboard.state.parameters import LARGEST_SIZE, PARAMETERS, SCALES, SLIDERS, VALUE_RULES, as_text
from dashboard.state.state import parse
from tests.dashboard.page import PAGES, Shown, change, choose, chosen, open_link, press, query, sliders, state

LINK = {"init": "normal", "k": "4"}
SIZES = ("m", "n", "k")
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")
# A cell with a forget gate, where a page is about any cell.
LINKS = {"saturation": {"source": "f"}, "sequence": {"cell": "LSTM"}, "gradients": {"cell": "LSTM"}}


@st.composite
def values(draw, name: str) -> str:
    """What a link may say of a setting that has a slider."""
    if name == "scale":
        return as_text(draw(st.sampled_from(SCALES)))
    rule = VALUE_RULES[name]
    whole = st.integers(math.ceil(rule.low), math.floor(rule.high))
    return as_text(draw(whole if rule.whole else whole | st.floats(rule.low, rule.high)))


any_values = st.fixed_dictionaries({}, optional={name: values(name) for name in SLIDERS})


# ---- what a slider is told ---------------------------------------------------------------------


@every_page
def test_each_page_has_the_sliders_that_all_have_and_its_own(path):
    own = {name for name in SLIDERS if path in PARAMETERS[name].pages}
    # No link has them all: a typed z has no forget gate, and a word has steps of its own.
    shown = sliders(open_link(path, **LINKS.get(path, {}))) | sliders(open_link(path, **PAGES[path]))
    assert shown.keys() == {*COMMON, *own}


@given(any_values, st.sampled_from(["true", "false"]))
def test_a_slider_has_the_value_of_the_url_between_ends_that_a_link_may_say(said, large):
    there, refused = parse("saturation", said | {"large": large})
    assert not refused
    for name in SLIDERS:
        shown, value = slider(there, name), there.value(name)
        assert shown["text"] == as_text(value)
        assert shown["low"] <= value <= shown["high"]
        assert VALUE_RULES[name].allows(as_text(shown["low"])) and VALUE_RULES[name].allows(as_text(shown["high"]))
        assert all(VALUE_RULES[name].allows(as_text(shown[end])) for end in ("smallest", "largest"))
        slider_range = PARAMETERS[name].slider_range
        if slider_range.low <= value <= slider_range.high and name not in SIZES:
            assert (shown["low"], shown["high"]) == (slider_range.low, slider_range.high)


def test_the_places_of_the_scale_are_all_that_a_link_may_say():
    shown = sliders(open_link(scale="0.5"))["scale"]
    assert shown["options"] == [as_text(scale) for scale in SCALES] and shown["text"] in shown["options"]
    assert [name for name, one in sliders(open_link()).items() if one["options"]] == ["scale"]


@pytest.mark.parametrize("name", SIZES)
def test_a_size_goes_beyond_the_usual_ones_where_the_link_says_so(name):
    assert sliders(open_link())[name]["high"] == PARAMETERS[name].slider_range.high
    assert sliders(open_link(large="true"))[name]["high"] == LARGEST_SIZE
    assert {sliders(open_link(**{name: "33"}))[size]["high"] for size in SIZES} == {LARGEST_SIZE}


def test_the_step_that_is_shown_ends_with_the_sequence_and_one_beyond_it_is_no_error():
    assert sliders(open_link("sequence", n="3", T="9"))["t"]["high"] == 9
    word = sliders(open_link("sequence", n="3", m="4", input="word", word="hello"))
    assert word["t"]["high"] == 5 and "T" not in word
    beyond = open_link("sequence", n="3", T="9", t="12")
    assert sliders(beyond)["t"]["high"] >= 12 and chosen(beyond, "t") == 12
    Shown(beyond).assert_finite()


@every_page
def test_a_default_is_left_out_of_the_url_and_each_example_has_its_own(path):
    for example in ("lab", "carousel"):
        at = open_link(path, **LINKS.get(path, {}), example=example)
        start = state(at)
        for name, shown in sliders(at).items():
            assert shown["default"] == as_text(start.default(name)) == shown["text"]
    choose(at, k=7)
    assert query(at)["k"] == "7"
    choose(at, k=start.example_scenario.k)
    assert "k" not in query(at) and state(at) == start


def test_no_slider_is_lost_where_its_value_lies_beyond_its_end():
    at = open_link("saturation", seed="4711", T="200", z="-500.5", source="typed", forget_bias="10")
    shown = sliders(at)
    assert [shown[name]["text"] for name in ("seed", "T", "z")] == ["4711", "200", "-500.5"]
    Shown(at).assert_finite()


def test_a_slider_that_is_released_counts_in_a_comparison_and_after_it():
    at = press(change(open_link(**LINK), {"scale": "2"}), "Compare")
    change(at, {"scale": "0.5"})
    assert (state(at).frozen.scenario.scale, state(at).scenario.scale) == (2, 0.5)
    press(at, "Stop comparing")
    assert Shown(at) == Shown(open_link(**LINK, scale="0.5"))


# ---- what somebody's own client says -----------------------------------------------------------

NO_QUERIES = [None, b"k=7", f"k={'9' * drag_socket.LONGEST_MESSAGE}", "&".join(["k=7"] * drag_socket.LONGEST_MESSAGE)]
REFUSED = [
    *({"k": k} for k in ("-7", "513", "7.5", "nan", "1e999", "9" * 10**4, "²", "\0", "7;n=7", "<b>7</b>", "")),
    *({"scale": scale} for scale in ("1.23", "1e0", "0", " 1", "")),
    *({"K": "7"}, {" k": "7"}, {"": "7"}, {"seed": "-1"}, {"init": "no"}, {"example": "no"}, {"typed": "no"}),
]


@pytest.mark.parametrize("value", NO_QUERIES, ids=range(len(NO_QUERIES)))
def test_what_is_no_query_is_no_request_for_a_picture(value):
    assert drag_socket._read(value) is None


@pytest.mark.parametrize("said", REFUSED, ids=range(len(REFUSED)))
def test_what_no_slider_can_say_stands_in_no_picture_neither_of_a_drag_nor_of_the_page(said):
    left = {name: text for name, text in LINK.items() if name not in said}
    at = open_link(**LINK)
    assert Shown(drag_socket.drawn(at.session_state["live_picture"].draw, LINK | said)) == Shown(open_link(**left))
    there = change(at, said)
    assert Shown(there) == Shown(open_link(**left))
    assert len(there.warning) == bool(said.keys() & VALUE_RULES.keys())
