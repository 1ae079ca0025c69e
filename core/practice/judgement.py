"""The judgement of an answer: right, right but rounded, a named mistake, or unknown."""

from enum import StrEnum
from typing import NamedTuple

from core.practice.exercise import ASKED, Exercise, as_number, fits, is_rounded


class Judged(StrEnum):
    """The code of a judgement; the last three are for answers that are neither right nor a known mistake."""

    RIGHT = "right"
    NEAR = "near"  # within the error of rounding intermediate results to 3 decimals
    ROUNDED = "rounded"  # the answer, with fewer decimals than the question asks for
    NAMED = "named"
    REACHED = "reached"  # an intermediate result
    BEYOND = "beyond"  # outside the range of one of the stages
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
        The number of decimals that the question asks for, if the answer is ROUNDED.
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
    """Return whether an answer is right and, if it is not, its mistakes or the stage that it comes from.

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
    """Return the verdict on an answer that no known mistake gives: an intermediate result, outside the range of a stage, or unknown."""
    for stage, values in exercise.reached.items():
        if any(fits(answer, value, exercise.tolerance) for value in values):
            return Verdict(Judged.REACHED, stage=stage)
    number = as_number(answer)
    for stage, (low, high) in exercise.bounds.items():
        if number is not None and not low - exercise.tolerance <= number <= high + exercise.tolerance:
            return Verdict(Judged.BEYOND, stage=stage)
    return Verdict(Judged.UNKNOWN)
