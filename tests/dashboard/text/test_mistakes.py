"""The sentences on mistakes: every code has one, and an exercise gives the values of its placeholders."""

import re
from functools import lru_cache
from string import Formatter

import pytest

from core.practice import KINDS, LEVELS, Exercise, exercise, sample_whole_step
from dashboard.text.mistakes import SENTENCES, explain
from dashboard.text.plural import templates

SEEDS = 12


@lru_cache
def exercises() -> list[Exercise]:
    """Return exercises of every kind and level, and the parts of chains."""
    single = [exercise(kind, level, seed) for kind in KINDS for level in LEVELS for seed in range(SEEDS)]
    return [
        *single,
        *(part for level in LEVELS for seed in range(5) for part in sample_whole_step(level, seed).parts.values()),
    ]


def named(code: str) -> list[tuple[Exercise, str]]:
    """Return the exercises that have a mistake of a code, with its name."""
    return [(one, name) for one in exercises() for name in one.mistakes if name.partition(":")[0] == code]


def test_every_code_has_a_sentence_and_every_sentence_a_code():
    assert {name.partition(":")[0] for one in exercises() for name in one.mistakes} == {*SENTENCES}


@pytest.mark.parametrize("code", SENTENCES)
def test_an_exercise_gives_the_values_that_the_sentence_names(code):
    placeholders = {name for one in templates(SENTENCES[code]) for _, name, _, _ in Formatter().parse(one) if name}
    for one, name in named(code):
        assert placeholders <= {*one.details.get(name, {})}, name
        assert "{" not in explain(one, name)


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_says_what_the_reader_did_and_then_what_was_meant(code):
    for one in templates(SENTENCES[code]):
        assert re.match(r"Your? .*\. [^.]+.*\.$", one), one


def test_a_wrong_order_is_told_with_both_orders():
    letters = r"(?:[fioruch], )+[fioruch]"
    for one, name in named("order_of") + named("order_of_equations"):
        assert re.search(rf": {letters}\. (PyTorch|Keras|ONNX) uses {letters}\.$", explain(one, name))


def test_the_weights_of_a_layer_multiply_the_input_whose_size_they_have():
    for one, name in named("other_size"):
        m, k = (int(one.given[size]) for size in "mk")
        symbol = explain(one, name).removesuffix(".").split(" multiplies ")[1]
        assert {"x_t": m, "h_prev": k}[symbol] in one.answer
        assert {"x_t": k, "h_prev": m}[symbol] in one.mistakes[name]


def test_a_saturated_unit_at_the_other_end_is_told_by_that_end():
    for code, end in (("largest_z", max), ("smallest_z", min)):
        for one, name in named(code):
            z = one.given["z_t"][:, 0].tolist()
            assert z[int(one.mistakes[name]) - 1] == end(z)


def test_a_mistake_that_an_exercise_does_not_have_is_refused():
    with pytest.raises(ValueError, match="'no such'.* other_row"):
        explain(exercise("z", 1, 0), "no such")
