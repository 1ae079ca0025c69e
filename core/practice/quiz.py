"""A test of ten exercises, which follow from its seed and level, and its grading."""

from collections.abc import Sequence
from typing import NamedTuple

from core.practice.exercise import Exercise, generator
from core.practice.judgement import Judgement, judge
from core.practice.parse_answer import UnreadableAnswer, decimals_of_answer, parse_answer_to

EXERCISES_PER_TEST = 10
# The seeds of its exercises are far from those of practice, which start at 1.
FIRST_SEED, LAST_SEED = 10**13, 10**14


class GradedAnswer(NamedTuple):
    """An exercise of a test with the answer to it.

    Attributes
    ----------
    exercise : Exercise
    typed : str
    judgement : Judgement or None
        None if the answer is empty or cannot be read.
    """

    exercise: Exercise
    typed: str
    judgement: Judgement | None

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return bool(self.judgement and self.judgement.right)


def seeds_of(kinds: Sequence[str], level: int, seed: int, salt: str = "") -> list[tuple[str, int]]:
    """Return the kind and the seed of each exercise of a test, each of another kind.

    Parameters
    ----------
    kinds : sequence of str
        At least EXERCISES_PER_TEST.
    level, seed : int
    salt : str, optional
        Makes another test of the same seed, which nobody can derive without the salt.
    """
    rng = generator("test of ten", level, seed, salt)
    chosen = rng.permutation(len(kinds))[:EXERCISES_PER_TEST].tolist()
    return [(kinds[at], int(rng.integers(FIRST_SEED, LAST_SEED))) for at in chosen]


def grade(exercises: Sequence[Exercise], answers: Sequence[str]) -> list[GradedAnswer]:
    """Grade a test.

    Parameters
    ----------
    exercises : sequence of Exercise
    answers : sequence of str
        As typed, one for each exercise.
    """
    return [GradedAnswer(one, typed, _judgement(one, typed)) for one, typed in zip(exercises, answers, strict=True)]


def _judgement(one: Exercise, typed: str) -> Judgement | None:
    try:
        return judge(one, parse_answer_to(one, typed), decimals_of_answer(typed))
    except UnreadableAnswer:
        return None
