"""What a link may say: every choice has a parameter, and every parameter a rule that holds."""

import math
import re
from functools import cache
from itertools import pairwise
from time import process_time

import hypothesis.strategies as st
import pytest
from hypothesis import given

from core.examples import EXAMPLES
from core.exchange.matrix_text import from_link
from dashboard.state import custom_arrays
from dashboard.state.parameters import FLAG, PARAMETERS, SCALES, SCENARIO_PARAMS, VALUE_RULES, Number, OneOf, Word
from tests.dashboard.page import WITH_WIDGETS, as_text, chosen, drawn_controls, open_link, press, query, state, widgets

WHOLE, REAL = Number(1, 512, whole=True), Number(-1000, 1000)
WORD, ARRAYS = Word(4), custom_arrays.Typed()
NUMBERS = [name for name, rule in VALUE_RULES.items() if isinstance(rule, Number)]


@pytest.mark.parametrize(
    "text", ["1", "512", "3.0", "1e2", "+7", " 3 ", "٣", "0" * 5000 + "3"], ids=lambda text: text[:9]
)
def test_a_whole_number_may_be_written_in_any_way_that_python_reads(text):
    assert WHOLE.allows(text)


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "inf",
        "-inf",
        "1e999",
        "",
        " ",
        "9" * 5000,
        "²",
        "½",
        "٩٩٩٩",
        "<b>1</b>",
        "0x10",
        "1,5",
        "--1",
        "None",
        "[1]",
        "\0",
    ],
    ids=lambda text: ascii(text[:9]),
)
@pytest.mark.parametrize("rule", [WHOLE, REAL], ids=["whole", "real"])
def test_what_is_no_number_between_the_bounds_is_refused(rule, text):
    assert not rule.allows(text)


@pytest.mark.parametrize("name", ["x_shape", "h0_shape", "c0_shape", "linear"])
@given(st.lists(st.sampled_from(["1", " 32", "007", "1000000", "1000001", "0", "x", "(5", "", "5.0"]), max_size=6))
def test_the_field_of_a_shape_takes_what_a_link_may_say_in_digits(name, sizes):
    rule, text = VALUE_RULES[name], ",".join(sizes)
    is_taken = bool(re.fullmatch(rule.pattern, text))
    assert is_taken == (rule.allows(text) and text != "" and "5.0" not in sizes)


@given(st.floats())
def test_a_number_is_allowed_exactly_between_its_bounds(value):
    assert REAL.allows(repr(value)) == (-1000 <= value <= 1000)
    assert WHOLE.allows(repr(value)) == (1 <= value <= 512 and value == math.floor(value))


@given(st.text())
def test_any_text_is_judged_without_an_error(text):
    if REAL.allows(text):
        assert -1000 <= float(text) <= 1000
    if ARRAYS.allows(text):
        assert from_link(text).keys() <= set(custom_arrays.NAMES)
    assert FLAG.allows(text) == (text in {"true", "false"})


@pytest.mark.parametrize("text", ["", "hx ", "HX", "h", "hx,xh", "<b>hx</b>", "hx" * 2500], ids=lambda text: text[:9])
def test_a_word_is_allowed_only_as_it_is_written(text):
    assert OneOf(("hx", "xh")).allows("hx")
    assert not OneOf(("hx", "xh")).allows(text)


@pytest.mark.parametrize("text", [" ", "a", "ab c", "日本語", "<b>", "None"])
def test_a_text_may_have_any_printable_characters(text):
    assert WORD.allows(text)


@pytest.mark.parametrize("text", ["", "abcde", "\0", "a\nb", "\t", "\u202e", "\ud800", "a\u2028"], ids=ascii)
def test_a_text_that_is_too_long_or_cannot_be_printed_is_refused(text):
    assert not WORD.allows(text)


@pytest.mark.parametrize("text", ["", "xs~1", "xs~-1.5e-3_2~0_4", "xs~1_2~3_4~~W_hh~5~6"])
def test_arrays_of_known_names_are_allowed(text):
    assert ARRAYS.allows(text)


@pytest.mark.parametrize(
    "text",
    [
        *["xs", "xs~", "~1", "1", "x~1", "xs~1~~xs~2", "xs~1~~", "xs~1_2~3", "xs~1_~", "xs~nan", "xs~1e999", "xs~a"],
        *["xs" + 401 * "~1", "xs" + 400 * "~1" + "~~W_hh~1", "xs~1 2", "xs~<b>", "<b>~1", "\0"],
    ],
)
def test_arrays_that_are_unknown_or_too_many_or_no_numbers_are_refused(text):
    assert not ARRAYS.allows(text)


def test_a_link_with_ever_so_many_digits_is_judged_at_once():
    start = process_time()
    assert not ARRAYS.allows("xs~" + "1" * 20_000 + "x")
    assert process_time() - start < 1


def test_the_rules_say_what_they_allow():
    assert str(WHOLE) == "a whole number from 1 to 512"
    assert str(REAL) == "a number from -1000 to 1000"
    assert str(OneOf(("hx", "xh"))) == "one of hx, xh"
    assert str(WORD) == "1 to 4 printable characters"
    assert str(ARRAYS) == "arrays such as `b_h~1~2~3`, with at most 400 finite numbers in all"


@pytest.mark.parametrize("name", NUMBERS)
def test_the_bounds_in_the_words_of_a_rule_are_its_bounds(name):
    rule = VALUE_RULES[name]
    _, low, _, high = str(rule).rsplit(maxsplit=3)
    assert (float(low), float(high)) == (rule.low, rule.high)


@cache
def parameters_on(path: str) -> dict:
    """What the controls of a page say."""
    at = open_link(path, **WITH_WIDGETS[path])
    return {name: chosen(at, name) for name in drawn_controls(at).keys() & VALUE_RULES.keys()}


def test_every_parameter_has_a_control_but_those_of_the_tools_the_drawings_and_custom_values():
    others = {
        "typed",
        "kept",
        "question",
        "edit",
        "array",
        "take",
        "compare",
        "node",
        "backward",
        "watched",
        "change",
        "shown_step",
    }
    # The direction is chosen for a network that has two, and none of Cellscope has. The first axis and the activation belong to a file.
    others |= {"today", "test", "answers", "draft", "shown_direction", "shown_network", "first_axis", "nonlinearity"}
    assert set().union(*map(parameters_on, WITH_WIDGETS)) == VALUE_RULES.keys() - others


@pytest.mark.parametrize("path", WITH_WIDGETS)
def test_no_widget_of_streamlits_has_the_name_of_a_setting(path):
    at = open_link(path, **WITH_WIDGETS[path] | {"edit": "true", "take": "true"})
    # The page of a model has one of Streamlit's only for a file with several networks.
    assert (widgets(at).keys() or path == "model") and not widgets(at).keys() & VALUE_RULES.keys()
    assert [name for name in VALUE_RULES if name in at.session_state] == []


def test_a_control_shows_what_the_url_says_and_what_it_leaves_out():
    for path, link in WITH_WIDGETS.items():
        at = open_link(path, **link)
        for name, control in drawn_controls(at).items():
            if name in VALUE_RULES and name != "example":
                value, default = state(at).value(name), state(at).default(name)
                assert control["text"] == ("" if value is None else as_text(value)), name
                assert control["default"] == ("" if default is None else as_text(default)), name


@pytest.mark.parametrize("path", WITH_WIDGETS)
def test_every_control_opens_on_a_value_that_a_link_may_say_or_on_none(path):
    for name, value in parameters_on(path).items():
        assert value is None or VALUE_RULES[name].allows(as_text(value)), name


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_choice_of_an_example_can_be_linked_to(example):
    assert VALUE_RULES["example"].allows(example)
    for name in SCENARIO_PARAMS:
        value = getattr(EXAMPLES[example].scenario, name)
        assert value is None or VALUE_RULES[name].allows(as_text(value)), name


def test_the_scales_are_all_numbers_of_two_significant_digits_from_a_hundredth_to_a_hundred():
    hundredths = [i / 1000 for i in range(10, 100)]
    tenths = [i / 100 for i in range(10, 100)]
    ones = [i / 10 for i in range(10, 100)]
    tens = [float(i) for i in range(10, 101)]
    assert SCALES == hundredths + tenths + ones + tens
    assert all(low < high for low, high in pairwise(SCALES))
    assert (SCALES[0], SCALES[-1]) == (0.01, 100)
    assert all(float(f"{scale:.2g}") == scale for scale in SCALES)


def test_every_scale_can_be_linked_to():
    assert all(VALUE_RULES["scale"].allows(f"{scale:g}") for scale in SCALES)
    assert len({f"{scale:g}" for scale in SCALES}) == len(SCALES)


@pytest.mark.parametrize("text", ["2", "0.5", "0.011", "12"])
def test_a_scale_that_meets_the_rule_in_its_words_is_taken(text):
    at = open_link(scale=text)
    assert not at.warning
    assert chosen(at, "scale") == float(text)


def test_a_button_opens_a_tool_and_closes_it_again():
    at = open_link("lstm", k="4")
    for tool, shown in (("edit", lambda: at.get("text_area")), ("take", lambda: at.get("code"))):
        assert not shown()
        press(at, PARAMETERS[tool].label)
        assert shown() and query(at) == {"k": "4", tool: "true"}
        press(at, PARAMETERS[tool].label)
        assert not shown() and query(at) == {"k": "4"}
