"""The questions and stages of exercises: every code has a sentence, and an exercise gives the values of its placeholders."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from core.practice import LEVELS, sample_whole_step
from core.practice.exercise import WHOLE_KINDS, Sentence
from dashboard.text.mistakes import explain
from dashboard.text.plural import templates
from dashboard.text.practice_questions import (
    QUESTIONS,
    RULE,
    RULE_OF_WHOLE_STEP,
    RULES,
    STAGE_NAMES,
    STAGES,
    WHOLE_STEP,
    hints,
    in_words,
    question,
    question_of_whole_step,
    stages,
)
from dashboard.text.words import in_symbols
from tests.dashboard.text.test_mistakes import exercises


def stage_sentences() -> Iterator[Sentence]:
    """The stages that are no plain formulas."""
    return (stage for one in exercises() for stage in one.stages.values() if isinstance(stage, Sentence))


def test_every_code_has_a_sentence_and_every_sentence_a_code():
    assert {one.question.code for one in exercises()} == {*QUESTIONS} == {*RULES, "entry_of_whole_step"}
    assert {stage.code for stage in stage_sentences()} == {*STAGES}
    assert {code for one in exercises() for code in one.stages} == {*STAGE_NAMES}


@pytest.mark.parametrize(
    ("sentences", "templates_by_code"),
    [
        pytest.param(lambda: [one.question for one in exercises()], QUESTIONS, id="questions"),
        pytest.param(stage_sentences, STAGES, id="stages"),
    ],
)
def test_a_sentence_names_exactly_the_values_that_an_exercise_gives(sentences, templates_by_code):
    for sentence in sentences():
        template = templates_by_code[sentence.code]
        placeholders = {name for one in templates(template) for _, name, _, _ in Formatter().parse(one) if name}
        # A cell is named with its article or without.
        assert {"cell" if name == "a_cell" else name for name in placeholders} == {*sentence.values}, sentence.code
        assert placeholders <= {*in_words(sentence.values)}, sentence.code


def test_a_question_asks_one_thing_and_then_says_how_to_write_the_answer():
    for one in exercises():
        asked = question(one)
        assert asked.count("?") == 1 and " and what " not in asked and "{" not in asked, asked
        assert bool(re.search(r"\? Give (a whole number|3 decimals)\b", asked)) == (one.kind not in WHOLE_KINDS), asked
        assert ("whole number." in asked) == (one.level == 1 and one.kind not in WHOLE_KINDS), asked
    assert {question_of_whole_step(level).startswith(WHOLE_STEP) for level in LEVELS} == {True}
    assert question_of_whole_step(1) != question_of_whole_step(2) == question_of_whole_step(3)


def test_the_numbers_of_an_exercise_stand_in_its_question():
    for one in exercises():
        if "entry" in one.question.values:
            assert f"entry {one.asked.row + 1} of" in question(one)
        sizes = {name: int(size) for name, size in one.given.items() if size.ndim == 0}
        for name, size in sizes.items():
            assert re.search(rf"\b{name} = (\w = )?{size}\b", question(one)), (question(one), name)


def test_a_symbol_has_no_capital_letter_below_it_because_the_screen_has_no_such_letter():
    for one in exercises():
        for text in (question(one), *stages(one).values(), *(explain(one, mistake) for mistake in one.mistakes)):
            assert not re.search(r"_[A-Z]", in_symbols(text)), text


def test_the_stages_of_a_solution_name_no_code():
    for one in exercises():
        for name, text in stages(one).items():
            assert "_" not in name and text and "{" not in text, text


def test_the_rule_of_a_whole_step_is_the_equation_of_each_entry():
    for name in sample_whole_step(2, 1).parts:
        assert f"{name} = " in RULE_OF_WHOLE_STEP


def test_the_rule_of_an_equation_names_the_symbols_of_the_question():
    for one in (one for one in exercises() if one.kind in ("z", "value", "lstm-c", "lstm-h", "gru-z", "gru-h")):
        equation = next(iter(hints(one).values())).partition(". ")[0]
        for name in (*one.given, one.asked.symbol):
            assert name in equation or name in ("W_hh", "W_hx"), (name, equation)


def test_the_first_hint_is_the_rule_and_has_none_of_the_given_numbers():
    for one in (one for one in exercises() if one.question.code in RULES):
        (name, rule), *others = hints(one).items()
        assert name == RULE and dict(others) == stages(one)
        # The rule is a formula: an equation, a shape, a place in an order, or a bound.
        assert re.search(r" [=·>] |\(.+, .+\)", rule) or one.question.code.startswith("order_of"), rule
        assert "{" not in rule and rule.endswith(".") and not re.search(r"_[A-Z]", in_symbols(rule)), rule
        # Numbers of rows and steps, and those of the formulas, are no numbers of the exercise.
        of_question = {f"{value}" for value in one.question.values.values()}
        numbers = set(re.findall(r"(?<![\w_])\d+(?:\.\d+)?", rule))
        assert numbers <= {"0", "1", "3", "4"} | of_question, rule
