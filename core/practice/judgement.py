"""The judgement of an answer: right, right but rounded, a named mistake, or unknown."""

from enum import StrEnum
from typing import NamedTuple

from core.practice.exercise import ASKED, Exercise, as_number, fits, is_rounded


class Judged(StrEnum):
    """A code for what an answer is; the last three are the ways in which it is unknown."""

    RIGHT = "right"
    NEAR = "near"  # as far off as rounding to 3 decimals on the way leads
    ROUNDED = "rounded"  # the answer, with fewer decimals than the question asks for
    NAMED = "named"
    REACHED = "reached"  # a number on the way
    BEYOND = "beyond"  # a number that one of the stages cannot make
    UNKNOWN = "unknown"


class Verdict(NamedTuple):
    """The judgement of an answer.

    Attributes
    ----------
    code : Judged
    mistakes : tuple of str
        The names of all mistakes that give this answer; empty unless it is NAMED.
    stage : str
        The stage whose number was REACHED, or that the answer is BEYOND; empty otherwise.
    decimals : int
        Of an answer that is ROUNDED, how many the question asks for.
    """

    code: Judged
    mistakes: tuple[str, ...] = ()
    stage: str = ""
    decimals: int = 0

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.code == Judged.RIGHT


def judge(exercise: Exercise, answer: object) -> Verdict:
    """Say whether an answer is right, and what is known of it if it is not.

    Parameters
    ----------
    answer : float, int, tuple or list of int, or a NumPy number
        Text is read by `parse_answer` first.
    """
    if fits(answer, exercise.answer, exercise.accepted):
        return Verdict(Judged.RIGHT)
    if fits(answer, exercise.answer, exercise.near):
        return Verdict(Judged.NEAR)
    if mistakes := tuple(name for name, gives in exercise.mistakes.items() if fits(answer, gives, exercise.tolerance)):
        return Verdict(Judged.NAMED, mistakes)
    if is_rounded(answer, exercise.answer, exercise.level, exercise.accepted):
        return Verdict(Judged.ROUNDED, decimals=ASKED[exercise.level])
    return unknown(exercise, answer)


def unknown(exercise: Exercise, answer: object) -> Verdict:
    """Return what can be told from a number alone that no known mistake gives: that it stands on the way, or that a stage cannot make it."""
    for stage, values in exercise.reached.items():
        if any(fits(answer, value, exercise.tolerance) for value in values):
            return Verdict(Judged.REACHED, stage=stage)
    number = as_number(answer)
    for stage, (low, high) in exercise.bounds.items():
        if number is not None and not low - exercise.tolerance <= number <= high + exercise.tolerance:
            return Verdict(Judged.BEYOND, stage=stage)
    return Verdict(Judged.UNKNOWN)
