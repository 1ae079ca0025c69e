"""The sentences on answers that cannot be read: every text that is refused has one, which Markdown leaves as it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.practice import UnreadableAnswer, exercise, parse_answer, parse_answer_to
from dashboard.text.typed_answers import BRACKETS, EMPTY, EQUALS, SENTENCES, quoted, unreadable


def refused(text: str, whole: bool = False) -> UnreadableAnswer:
    with pytest.raises(UnreadableAnswer) as raised:
        if text in (UNREADABLE["two_readings"], UNREADABLE["separator"]):
            parse_answer_to(exercise("count", 1, 1), text)
        parse_answer(text, whole)
    return raised.value


# A text for each code.
UNREADABLE = {
    "too_long": "9" * 81,
    "too_many_parts": "(1,2,3,4,5,6,7,8,9)",
    "not_whole": "(1.5, 2)",
    "not_number": "about 0.673",
    "two_readings": "8,000",
    "separator": "12,345",
    "too_large": "1e999",
    "large_fraction": "1e308/1e-300",
    "zero_denominator": "1/0",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_quotes_what_cannot_be_read_and_says_what_to_enter(code):
    error = refused(UNREADABLE[code])
    assert error.code == code
    said = unreadable(error)
    assert re.fullmatch(r"(?s)[`A-Z].+\. Enter .+\.", said) and "{" not in said
    assert ("`" in said) == ("part" in error.values) and f"{error.values.get('part', '')}" in said


@pytest.mark.parametrize(
    ("text", "code"),
    [("4:7", "`4:7`"), ("_4_", "`_4_`"), ("`", "`` ` ``"), ("a``b", "``` a``b ```"), ("4\n\n#", "`4 #`")],
)
def test_a_text_that_markdown_would_change_is_quoted_as_code(text, code):
    assert unreadable(refused(text)).startswith(f"{code} is not a number. Enter ")


def test_a_missing_bracket_is_named():
    assert unreadable(refused("2*(1+3")) == BRACKETS


def test_an_empty_text_is_said_to_be_empty():
    for whole in (False, True):
        assert unreadable(refused("", whole)).startswith(EMPTY)


@given(st.text(max_size=20) | st.text("0123456789.,/eE()[]+-x; ", max_size=90))
def test_no_text_raises_anything_but_an_answer_with_a_sentence(text):
    for whole in (False, True):
        try:
            parse_answer(text, whole)
        except UnreadableAnswer as error:
            # The page shows it as Markdown, which leaves code as it is.
            said, code = unreadable(error), quoted(str(error.values.get("part", "")))
            assert ". Enter " in said and not {*said.replace(code, "")} & {*"<>`*[]:_#$\n"}
            fence = re.match("`*", code)[0]
            assert not code or fence not in code.removeprefix(fence).removesuffix(fence)


@pytest.mark.parametrize("text", ["18-1+6=23", "h = 0.673", "(4=4, 7)"])
def test_an_equals_sign_is_said_not_to_be_read(text):
    assert unreadable(refused(text)) == EQUALS
