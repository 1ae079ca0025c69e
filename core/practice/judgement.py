"""The judgement of an answer: right, right but rounded, a named mistake, or unknown."""

from enum import StrEnum
from math import inf
from typing import NamedTuple

from core.practice.exercise import ASKED, EXACT, ROUNDING_ERROR, Exercise, as_number, cut, fits, how_shortened


class Outcome(StrEnum):
    """The code of a judgement; those from REACHED on are for answers that are neither right nor a known mistake."""

    RIGHT = "right"
    NEAR = "near"  # within the error of rounding intermediate results to 3 decimals
    ROUNDED = "rounded"  # the answer, with fewer decimals than the question asks for
    CUT = "cut"  # its first digits, not rounded
    UNROUNDED = "unrounded"  # it rounds to the whole number that the question asks for
    NAMED = "named"
    FOLLOWS = "follows"  # not right, but it follows from earlier entries that are not right
    REACHED = "reached"  # an intermediate result
    ROUNDED_EARLY = "rounded_early"  # the result of rounding intermediate results to few decimals
    BEYOND = "beyond"  # outside the range of one of the stages
    NOT_WHOLE = "not_whole"  # the question asks for a whole number
    OTHER_COUNT = "other_count"  # the question asks for another number of numbers
    PARTLY = "partly"  # some of the whole numbers are right
    UNKNOWN = "unknown"


# Answers that are nearly right, and all that do not count: the learner may only have to write them in another way.
NEARLY = (Outcome.NEAR, Outcome.ROUNDED, Outcome.CUT, Outcome.UNROUNDED)
UNCOUNTED = (*NEARLY, Outcome.NOT_WHOLE, Outcome.OTHER_COUNT)

# The largest error of an answer that is rounded as the question asks.
HALF_OF_LAST = ROUNDING_ERROR + EXACT


class Judgement(NamedTuple):
    """The judgement of an answer.

    Attributes
    ----------
    code : Outcome
    mistakes : tuple of str
        The names of all mistakes that give this answer; empty unless it is NAMED.
    stage : str
        The stage whose number was REACHED, or that the answer is BEYOND; empty otherwise.
    decimals : int
        The number of decimals that the question asks for, if the answer is ROUNDED or CUT. Of an answer that is
        ROUNDED_EARLY, that of the intermediate results.
    many : int
        How many numbers the question asks for if they are an OTHER_COUNT, or how many are right if they are PARTLY so.
    earlier : tuple of str
        The earlier entries of a whole step that are not right, if the answer FOLLOWS from them.
    """

    code: Outcome
    mistakes: tuple[str, ...] = ()
    stage: str = ""
    decimals: int = 0
    many: int = 0
    earlier: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.code == Outcome.RIGHT


def judge(exercise: Exercise, answer: object, decimals: int | None = None) -> Judgement:
    """Return whether an answer is right and, if it is not, its mistakes or the stage that it comes from.

    Parameters
    ----------
    answer : float, int, tuple or list of int, or a NumPy number
        Text is read by `parse_answer` first.
    decimals : int, optional
        How many decimals the learner has written. Without it, those of the number count: 0.790 has two.
    """
    asked = ASKED[exercise.level]
    # Saturated gates are whole numbers only about, so that a whole answer keeps its tolerance.
    accepted = EXACT if exercise.is_whole and is_fraction(answer) else exercise.accepted
    if fits(answer, exercise.answer, accepted):
        return Judgement(Outcome.RIGHT)
    if exercise.is_whole and fits(answer, exercise.answer, exercise.tolerance):
        return Judgement(Outcome.UNROUNDED)
    mistakes = tuple(name for name, gives in exercise.mistakes.items() if fits(answer, gives, exercise.tolerance))
    # A number with few decimals is the rounded answer rather than a mistake that gives about this number.
    short = ""
    if decimals is None or decimals < asked:
        short = how_shortened(answer, exercise.answer, exercise.level, exercise.accepted)
    elif asked and asked == decimals and not exercise.slack and not isinstance(exercise.answer, tuple):
        # Rounded intermediate results may change the last decimal too.
        short = Outcome.CUT if fits(answer, cut(exercise.answer, asked), EXACT) else ""
    certain = exercise.tolerance if short == Outcome.CUT else EXACT
    if short and not any(fits(answer, exercise.mistakes[name], certain) for name in mistakes):
        return Judgement(Outcome(short), decimals=asked)
    if not exercise.is_whole and fits(answer, exercise.answer, exercise.near):
        return Judgement(Outcome.NEAR)
    number = as_number(answer)
    if (
        number is not None
        and mistakes
        # The mistakes round to another number than the typed one, which rounded intermediate results may give.
        and not any(fits(number, exercise.mistakes[name], HALF_OF_LAST) for name in mistakes)
        and (digits := rounded_to(exercise, number, HALF_OF_LAST))
    ):
        return Judgement(Outcome.ROUNDED_EARLY, decimals=digits)
    return Judgement(Outcome.NAMED, mistakes) if mistakes else unknown(exercise, answer)


def unknown(exercise: Exercise, answer: object) -> Judgement:
    """Return the judgement on an answer that no known mistake gives, with all that is known of it."""
    asked, given = (one if isinstance(one, tuple | list) else (one,) for one in (exercise.answer, answer))
    if len(given) != len(asked):
        return Judgement(Outcome.OTHER_COUNT, many=len(asked))
    if isinstance(exercise.answer, tuple):
        right = sum(one == other for one, other in zip(given, asked, strict=True))
        return Judgement(Outcome.PARTLY, many=right) if right else Judgement(Outcome.UNKNOWN)
    for stage, values in exercise.reached.items():
        if any(fits(answer, value, exercise.tolerance) for value in values):
            return Judgement(Outcome.REACHED, stage=stage)
    number = as_number(answer)
    if number is not None and (digits := rounded_to(exercise, number, exercise.tolerance)):
        return Judgement(Outcome.ROUNDED_EARLY, decimals=digits)
    for stage, (low, high) in exercise.bounds.items():
        if number is not None and not low - exercise.tolerance <= number <= high + exercise.tolerance:
            return Judgement(Outcome.BEYOND, stage=stage)
    return Judgement(Outcome.NOT_WHOLE if exercise.is_whole and is_fraction(answer) else Outcome.UNKNOWN)


def rounded_to(exercise: Exercise, number: float, tolerance: float) -> int:
    """Return the number of decimals of intermediate results that give a number; 0 if there is none."""
    off = {digits: min((abs(number - one) for one in gives), default=inf) for digits, gives in exercise.rounded.items()}
    nearest = min(off, key=off.__getitem__, default=0)
    return nearest if nearest and off[nearest] <= tolerance else 0


def is_fraction(answer: object) -> bool:
    """Whether an answer is a number, but not a whole number."""
    number = as_number(answer)
    return number is not None and not number.is_integer()
