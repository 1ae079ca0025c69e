"""Laws that every answer of the shapes page keeps, over all recorded messages and tracebacks."""

import json
import re
from functools import cache
from itertools import product

import pytest

from core.shapes import Cause, Explanation, explain
from core.shapes.own_lines import KNOWN_NAMES, unknown_names
from dashboard.text import shapes as text
from tests.core.shape_messages import GOLDEN, SEEN

TRACEBACKS = [
    row["traceback"]
    for name in ("programs", "trial")
    for row in json.loads((GOLDEN / f"shape_{name}.json").read_text())
]
TEXTS = [*dict.fromkeys([row["message"] for rows in SEEN.values() for row in rows] + TRACEBACKS)]
# Up to this size a number may be one of axes, gates or directions.
SMALL = 4


@cache
def answers() -> list[tuple[str, Explanation]]:
    """Return each text with its explanation."""
    return [(one, explain(one)) for one in TEXTS]


def shown() -> list[tuple[str, Cause]]:
    """Return each text with each cause that the page shows."""
    return [(one, cause) for one, answer in answers() for cause in (*answer.best, *answer.others)]


def sizes_in(words: str) -> set[int]:
    """Return the whole numbers of a text that are no part of a word."""
    return {int(one) for one in re.findall(r"(?<![\w.])\d+(?![\w.]*[A-Za-z])", words)}


def follows(size: int, known: set[int]) -> bool:
    """Whether a size is known, or follows from known ones: a part or a multiple, a sum, a difference, a product or a quotient."""
    gates = range(1, SMALL + 1)
    wide = {one * gate for one in known for gate in gates} | {
        one // gate for one in known for gate in gates if one % gate == 0
    }
    differences = {one - other for one, other in product(wide, wide) if one > other}
    return (
        size <= SMALL
        or size in wide | differences
        or any(one + other == size or one * other == size for one, other in product(wide, wide))
        or any(one == size * other for one, other in product(known, wide | differences))
    )


def test_a_less_likely_cause_has_a_line_in_names_that_the_text_has():
    for message, answer in answers():
        known = {*re.findall(r"[^\W\d]\w*", message), *KNOWN_NAMES}
        for cause in answer.others:
            code = [line for line in cause.lines if not line.startswith("#")]
            assert code, (message, cause)
            assert not answer.own or not all(unknown_names(line, known) for line in code), (message, cause)


def test_a_sentence_gives_sizes_that_the_text_has_or_that_follow_from_them():
    for message, cause in shown():
        known = {int(one) for one in re.findall(r"\d+", message)}
        for size in sizes_in(text.reason(cause)):
            assert follows(size, known), (size, message, text.reason(cause))


def test_of_several_lines_at_most_one_holds_without_a_condition():
    for message, cause in shown():
        code = [line for line in cause.lines if not line.startswith("#")]
        assert sum("   # " not in line for line in code) <= 1, (message, cause)


def test_the_needed_state_is_that_of_the_advised_line():
    met = 0
    for message, answer in answers():
        for cause in answer.best:
            needed = cause.conform.get("h0") if text.needed_and_given(cause, answer.given) else None
            made = [
                re.fullmatch(r"[\w., ]+ = (?:c0 = )?torch\.zeros\((.*)\)(?:   # .*)?", line) for line in cause.lines
            ]
            for line in filter(None, made if needed and cause.code in ("layers-directions", "hidden-size") else []):
                first, *_, last = line[1].split(", ")
                assert first == str(needed[0]) and last in (str(needed[-1]), "hidden_size"), (message, cause)
                met += 1
    assert met


def test_the_other_way_gives_a_size_that_the_sentence_has():
    met = 0
    for message, cause in shown():
        other = text.other_way(cause)
        met += bool(other)
        for size in sizes_in(other):
            assert size in sizes_in(text.reason(cause)), (message, other)
    assert met


@pytest.mark.parametrize("word", ["probably", "surely", "obviously", "certainly", "of course"])
def test_a_guess_is_worded_with_may(word):
    for message, cause in shown():
        assert word not in text.reason(cause), (message, cause)
