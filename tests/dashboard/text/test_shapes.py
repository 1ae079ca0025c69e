"""The sentences of the shapes page: every code has one, with the placeholders that its values fill."""

import re
from functools import cache
from string import Formatter

import pytest

from core.shapes import MISTAKES, Explanation, GivenSizes, LayerSizes, check, explain
from core.shapes.checks import meetings
from core.shapes.example_messages import EXAMPLES
from core.shapes.explanation import Cause
from core.shapes.layer_shapes import FRAMEWORKS, expected, tensors
from core.shapes.rules import TABLES
from core.shapes.silent_mistakes import SILENT
from dashboard.text import shapes as text
from dashboard.text.plural import Plural, Template, fill, templates
from dashboard.text.shape_causes import RULES, TITLES
from dashboard.text.shape_reasons import REASONS
from tests.core.shape_messages import CHOSEN, MESSAGES, OTHER_ERRORS

ALL_REASONS = [one for rules in TABLES.values() for rule in rules for one in rule.why]


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def counted(template: Template) -> set[str]:
    """Return the placeholders that choose between the sentences of a template."""
    if isinstance(template, str):
        return set()
    return {template.of} | counted(template.one) | counted(template.other)


def explanations() -> list[Explanation]:
    made = [check(LayerSizes(**layer), GivenSizes(*given)) for layer, given, _ in CHOSEN]
    others = [message for message, _ in OTHER_ERRORS]
    return [*map(explain, [*MESSAGES, *others, "hello", "Expected hidden[0] size (416, 1, 50), got [1, 1, 50]"]), *made]


def test_every_mistake_has_a_rule():
    assert RULES.keys() == TITLES.keys() == set(MISTAKES)


def test_every_reason_of_a_rule_has_a_sentence_and_no_sentence_is_left_over():
    assert {one.code for one in ALL_REASONS} == REASONS.keys()


@pytest.mark.parametrize("one", ALL_REASONS, ids=lambda one: one.code)
def test_the_values_of_a_reason_are_the_placeholders_of_its_sentence(one):
    template = REASONS[one.code]
    for whole in templates(template):
        assert placeholders(whole) == one.values.keys()
    assert counted(template) <= one.values.keys()


def test_every_explanation_is_said_and_no_sentence_of_an_operation_or_note_is_left_over():
    operations, notes = set(), set()
    for explanation in explanations():
        said = [text.operation(explanation), *text.notes(explanation), *map(text.reason, explanation.causes)]
        assert not any("{" in sentence for sentence in said if "shape {" not in sentence)
        operations |= {explanation.operation.code} if explanation.operation else set()
        notes |= {note.code for note in explanation.notes}
    assert (operations, notes) == (text.OPERATIONS.keys(), text.NOTES.keys())


def test_every_name_is_that_of_a_size():
    assert text.NAMES.keys() <= {code for explanation in explanations() for code in explanation.sizes}


def test_the_shapes_that_match_a_message_are_those_that_the_page_shows():
    for explanation in filter(lambda one: one.message, explanations()):
        for cause in explanation.causes:
            shown = {"h0", "c0", "Linear.weight"}
            shown |= {"A", "B"} if explanation.product else set()
            shown |= {"x"} if cause.code in ("input-size", "hidden-size") else set()
            assert cause.conform.keys() <= shown, (explanation.message, cause)


def test_every_example_and_every_silent_mistake_has_words():
    assert text.EXAMPLES.keys() == EXAMPLES.keys()
    assert text.SILENT.keys() == {mistake.code for mistake in SILENT}
    for mistake in SILENT:
        words, sizes = text.SILENT[mistake.code], mistake.show().sizes
        assert placeholders(words.meant) | placeholders(words.got) == sizes.keys()


def test_every_meeting_has_a_sentence():
    given = GivenSizes((5, 3, 9), (1, 3, 8), (1, 3, 8), (7, 2))
    kinds = {part.kind for _, parts in meetings(LayerSizes(layers=2), given) for part in parts}
    assert (
        kinds
        == text.WEIGHTS.keys()
        == text.MULTIPLIED.keys()
        == text.MEETINGS.keys() - {"matrices", "batches", "no-state"}
    )


def test_every_place_of_a_tensor_has_a_name():
    layers = [
        LayerSizes(framework, "LSTM", layers=layers, bidirectional=bidirectional)
        for framework in FRAMEWORKS
        for layers in (1, 2)
        for bidirectional in (False, True)
    ]
    places = set()
    for layer in layers:
        named = tensors(layer, GivenSizes(expected(layer, (5, 3, 10))["x"]))
        places |= {tensor.place for tensor in named}
        assert len({text.tensor_name(tensor) for tensor in named}) == len(named)
    assert places == text.TENSORS.keys()


@pytest.mark.parametrize("count, said", [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_a_sentence_is_chosen_by_its_number(count, said):
    assert fill(Plural("n", "{n} row", "{n} rows"), {"n": count}) == said


@cache
def causes_of_messages() -> list[Cause]:
    return [cause for message in MESSAGES for cause in explain(message).causes]


@pytest.mark.parametrize(
    "one, many",
    [
        ("column", "columns"),
        ("row", "rows"),
        ("axis", "axes"),
        ("length", "lengths"),
        ("unit", "units"),
        ("entry", "entries"),
        ("feature", "features"),
        ("index", "indices"),
        ("sample", "samples"),
        ("score", "scores"),
        ("step", "steps"),
        ("tag", "tags"),
        ("value", "values"),
    ],
)
def test_one_is_said_in_the_singular(one, many):
    for cause in causes_of_messages():
        said = text.reason(cause)
        assert not re.search(rf"(?<!·)\b(1 {many}|There are 1)\b", said + cause.change), cause
        assert not re.search(rf"\b(?!1 )\d+ {one}\b", said.replace("axis 0", "")), cause


def test_the_layer_and_the_data_are_told_as_two_ways_out():
    cause = explain("input.size(-1) must be equal to input_size. Expected 10, got 20").causes[0]
    assert "input_size=20" in cause.change
    assert text.other_way(cause) == text.page_text("would-conform-last", size=10)
    state = explain("Expected hidden size (1, 3, 20), got [1, 3, 8]").causes[0]
    assert not text.other_way(state)
