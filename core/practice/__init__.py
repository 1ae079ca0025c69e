"""Exercises with numbers to compute by hand, and the answer that each known mistake gives.

An exercise is sampled again until its answer and those of its mistakes are distinguishable, so a wrong answer identifies its
mistake. Kind, level, seed and salt determine everything.
"""

from collections.abc import Mapping

from core.practice.compare_units import forgetting_unit, saturated_unit
from core.practice.exercise import (
    LEVELS,
    TRIES,
    Exercise,
    Maker,
    Mark,
    expect_level_and_seed,
    generator,
    validate,
)
from core.practice.gate_orders import gate_order
from core.practice.gated import cell_state, gru_candidate, gru_hidden, lstm_hidden
from core.practice.judgement import Judgement, Outcome, judge
from core.practice.parse_answer import (
    UnreadableAnswer,
    decimals_of_answer,
    is_calculation,
    parse_answer,
    parse_answer_to,
)
from core.practice.quiz import seeds_of
from core.practice.rnn import activation_derivative, activation_value, derivative_over_steps, pre_activation
from core.practice.shapes_and_counts import array_shape, parameter_count
from core.practice.whole_step import WholeStep, judge_whole_step, sample_whole_step

# The kinds of exercises by the value of the query parameter `kind`. To add a kind, add its function here.
KINDS: Mapping[str, Maker] = {
    "z": pre_activation,
    "value": activation_value,
    "slope": activation_derivative,
    "lstm-c": cell_state,
    "lstm-h": lstm_hidden,
    "gru-z": gru_candidate,
    "gru-h": gru_hidden,
    "shape": array_shape,
    "count": parameter_count,
    "order": gate_order,
    "left": derivative_over_steps,
    "saturated": saturated_unit,
    "forgets": forgetting_unit,
}

__all__ = [
    "KINDS",
    "LEVELS",
    "Exercise",
    "Judgement",
    "Mark",
    "Outcome",
    "UnreadableAnswer",
    "WholeStep",
    "decimals_of_answer",
    "exercise",
    "is_calculation",
    "judge",
    "judge_whole_step",
    "parse_answer",
    "parse_answer_to",
    "sample_whole_step",
    "ten_exercises",
]


def exercise(kind: str, level: int, seed: int, salt: str = "") -> Exercise:
    """Return the exercise of a kind, a level and a seed, the same one every time.

    Parameters
    ----------
    kind : str
        A name of KINDS.
    level : {1, 2, 3}
        1: whole numbers, by mental arithmetic; 2: one decimal; 3: two decimals and larger sizes.
    seed : int
        From 0 on.
    salt : str
        A secret text that changes the numbers, so that a link does not reveal them.

    Raises
    ------
    ValueError
        If there is no such kind, level or seed.
    RuntimeError
        If no sample has distinguishable mistakes.
    """
    if kind not in KINDS:
        raise ValueError(f"The kind is {kind!r}. Choose one of {', '.join(KINDS)}.")
    expect_level_and_seed(level, seed)
    rng = generator(kind, int(level), int(seed), salt)
    for _ in range(TRIES):
        draft = KINDS[kind](rng, level)
        if draft and (made := validate(kind, level, seed, draft)):
            return made
    raise RuntimeError(f"No exercise {kind} of level {level} and seed {seed} has distinguishable mistakes.")


def ten_exercises(level: int, seed: int, salt: str = "") -> list[Exercise]:
    """Return the exercises of a test, each of another kind, the same ones every time.

    Parameters
    ----------
    level : {1, 2, 3}
    seed : int
        From 0 on.
    salt : str
        As in `exercise`.
    """
    expect_level_and_seed(level, seed)
    return [exercise(kind, level, own, salt) for kind, own in seeds_of(tuple(KINDS), level, seed, salt)]
