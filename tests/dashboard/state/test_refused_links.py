"""Links that cannot be taken: the page says so, names the rule, and opens without them."""

from collections.abc import Sequence
from functools import cache
from itertools import chain

import hypothesis.strategies as st
import pytest
from hypothesis import example, given, settings

from core.scenario import Scenario
from dashboard.state.parameters import PARAMETERS, VALUE_RULES, Number
from dashboard.text import notices as text
from dashboard.text.sequence import TIME_TITLE
from tests.dashboard.page import (
    PAGES,
    WITH_WIDGETS,
    Shown,
    as_text,
    choose,
    chosen,
    controls,
    open_bare,
    open_link,
    query,
)

# The number of a question belongs to no page.
NUMBERS = {name: rule for name, rule in VALUE_RULES.items() if isinstance(rule, Number) and name != "question"}
# The only ones that allow some of what is hostile elsewhere: any printable word, no arrays at all, no shape.
TEXTS = {"word", "passage", "typed", "h0_shape", "c0_shape", "linear"}
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
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")


@cache
def bare(path: str) -> Shown:
    return Shown(open_bare(path))


@cache
def parameters_on(path: str) -> set[str]:
    return controls(open_link(path, **WITH_WIDGETS[path]))


def page_of(name: str) -> str:
    """The page with a control of the parameter, or else the page that it belongs to."""
    return next(chain((path for path in WITH_WIDGETS if name in parameters_on(path)), PARAMETERS[name].pages))


def refusal(at, name: str) -> str:
    """The sentence on a refused value: the rule and what the page uses instead, never the link's text."""
    value = None if name in ("typed", "kept", "compare") else chosen(at, name)
    if value in (None, ""):
        return text.REFUSED_WITHOUT_VALUE.format(name=name, rule=VALUE_RULES[name])
    assert VALUE_RULES[name].allows(as_text(value)), name
    label = PARAMETERS[name].label
    sentence = text.REFUSED if label else text.REFUSED_WITHOUT_LABEL
    return sentence.format(name=name, rule=VALUE_RULES[name], value=as_text(value), label=label)


def notice(at, *names: str) -> set[str]:
    """The sentences on refused parameters."""
    return {refusal(at, name) for name in names}


def said(at) -> set[str]:
    """The lines of the one notice."""
    assert not at.exception
    (warning,) = at.warning
    return set(warning.value.split("  \n"))


def assert_all_refused(path: str, hostile: str, names: Sequence[str] = tuple(PARAMETERS)) -> None:
    """Each parameter that is refused is named with its rule in one notice in every run, and changes nothing."""
    refused = [name for name in names if not VALUE_RULES[name].allows(hostile)]
    assert set(refused) >= set(names) - TEXTS
    at = open_link(path, **dict.fromkeys(names, hostile))
    assert said(at) == notice(at, *refused)
    taken = dict.fromkeys(set(names) - set(refused), hostile)
    assert Shown(at) == (Shown(open_link(path, **taken)) if taken else bare(path))
    assert said(at.run()) == notice(at, *refused)
    assert query(at) == dict.fromkeys(names, hostile)


@every_page
def test_all_that_is_refused_is_named_with_its_rule_in_one_notice_and_never_repeated(path):
    assert_all_refused(path, "<b>" * 22)


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_no_hostile_text_is_taken_for_a_choice(hostile):
    # Streamlit ignores a query of more than 512 KiB.
    parts = 1 + len(hostile) * len(PARAMETERS) // 2**19
    for part in range(parts):
        # On the page where a word and numbers are used.
        assert_all_refused("sequence", hostile, list(PARAMETERS)[part::parts])


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_word_is_spelled_out_or_refused_and_is_markup_nowhere(hostile):
    at = open_link("sequence", input="word", m="32", word=hostile)
    taken = VALUE_RULES["word"].allows(hostile)
    lines = [line for warning in at.warning for line in warning.value.split("  \n")]
    assert lines == ([] if taken else [refusal(at, "word")])
    steps = Shown(at).panels[TIME_TITLE]["playback"]["steps"]
    assert "".join(step["note"].splitlines()[0][-2] for step in steps) == (hostile if taken else Scenario().word)
    told = [*at.markdown, *at.caption, *at.info, *at.warning, *at.error]
    assert not taken or not any(hostile in element.value for element in told)


@every_page
def test_a_parameter_may_be_given_only_once(path):
    allowed = {
        name: getattr(rule, "options", [f"{getattr(rule, 'high', 3):g}"])[0] for name, rule in VALUE_RULES.items()
    } | {
        "typed": "xs~3",
        "kept": "b_h~0123456789ab",
        "linear": "3,1",
        "answers": 9 * "~",
        "draft": "01234567" + 10 * "~",
        "compare": "example=lab",
    }
    assert all(VALUE_RULES[name].allows(text) for name, text in allowed.items())
    at = open_link(path, **{name: [text] * 2 for name, text in allowed.items()})
    assert said(at) == notice(at, *VALUE_RULES)
    assert Shown(at) == bare(path)


@pytest.mark.parametrize(
    "beyond",
    [lambda rule: rule.low - 1, lambda rule: rule.high + 1, lambda rule: rule.low + 0.5],
    ids=["below", "above", "between two whole numbers"],
)
def test_a_number_outside_its_bounds_is_refused(beyond):
    link = {name: repr(beyond(rule)) for name, rule in NUMBERS.items()}
    refused = [name for name, text in link.items() if NUMBERS[name].whole or not NUMBERS[name].allows(text)]
    at = open_link(**{name: link[name] for name in refused})
    assert said(at) == notice(at, *refused)


@every_page
def test_a_unit_that_the_cell_does_not_have_is_its_last_one_until_it_has_it(path):
    at = open_link(path, k="5", j="10")
    assert not at.warning
    assert Shown(at).picture["unit"] == 4
    assert Shown(choose(at, k=10)).picture["unit"] == 9
    assert query(at)["j"] == "10"


@pytest.mark.parametrize("refused", [{"k": ["9", "9"]}, {"example": ["forget-bias-0", "forget-bias-0"]}], ids=str)
def test_what_is_refused_has_no_say_in_the_number_of_units(refused):
    at = open_link("lstm", **refused, j="9")
    assert said(at) == notice(at, *refused)
    assert Shown(at).picture["unit"] == 2


def test_the_units_of_an_example_are_counted_too():
    assert [Shown(open_link("lstm", example="forget-bias-0", j=j)).picture["unit"] for j in ("4", "5")] == [3, 3]


texts = st.one_of(st.text(), st.floats().map(repr), st.integers().map(str), st.integers(0, 600).map(str))
words = st.sampled_from(
    ["xs~1_2_3~4_5_6", "xs~"] + [word for rule in VALUE_RULES.values() for word in getattr(rule, "options", ())]
)
repeated = st.lists(texts, min_size=2, max_size=3)


@pytest.mark.slow
@given(st.sampled_from(list(PAGES)), st.dictionaries(st.sampled_from(list(VALUE_RULES)), texts | words | repeated))
@settings(max_examples=25)
def test_no_link_breaks_a_page(path, link):
    at = open_link(path, **link)
    assert len(at.warning) <= 1
    Shown(at).assert_finite()


@pytest.mark.slow
@given(st.sampled_from(list(NUMBERS)), texts)
@example("z", "100.0001")
@settings(max_examples=25)
def test_a_number_in_a_link_is_either_taken_or_refused_aloud(name, text):
    path = page_of(name)
    at = open_link(path, **WITH_WIDGETS[path] | {name: text})
    if NUMBERS[name].allows(text):
        assert chosen(at, name) == float(text)
        assert not at.warning
    else:
        assert said(at) == notice(at, name)
