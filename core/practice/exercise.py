"""The records of an exercise, and its validation."""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from core.arrays import Array
from core.practice.rounding import Chain, rounded_answers

# A number, or whole numbers if the question asks for a shape, an order or rows.
Answer: TypeAlias = float | tuple[int, ...]

LEVELS = (1, 2, 3)
# Level 1 has whole numbers. The other levels ask for three decimals, and rounding may change half of the last one.
TOLERANCES = {1: 0.05, 2: 0.0006, 3: 0.0006}
ASKED = {1: 0, 2: 3, 3: 3}
# The kinds that ask for whole numbers at every level.
WHOLE_KINDS = ("shape", "count", "order", "saturated")
# The largest error of a number that is rounded to 3 decimals.
ROUNDING_ERROR = 0.0005
# Two numbers that differ by less are the same one.
EXACT = 1e-9
# The number of decimals of the given numbers.
DECIMALS = {1: 0, 2: 1, 3: 2}
TRIES = 5_000


class Mark(NamedTuple):
    """A part of an array, to be outlined.

    Attributes
    ----------
    symbol : str
        What the equations call the array.
    row, column : int or None
        Counted from 0; None is all of them.
    """

    symbol: str
    row: int | None = None
    column: int | None = None


class Mistake(NamedTuple):
    """The answer of a learner with one misconception.

    Attributes
    ----------
    gives : float or tuple of int
    used, meant : Mark, tuple of Mark or None
        The part that was used and the part that was meant, where there is one, or several parts.
    details : mapping from str to object
        The values that its sentence names.
    """

    gives: Answer
    used: Mark | tuple[Mark, ...] | None = None
    meant: Mark | tuple[Mark, ...] | None = None
    details: Mapping[str, object] = {}


class Sentence(NamedTuple):
    """A sentence by its code, and the values of its placeholders.

    Attributes
    ----------
    code : str
    values : mapping from str to object
        Numbers, symbols and formulas. A gate is its letter, and an order of gates is their letters in one text.
    """

    code: str
    values: Mapping[str, object] = {}


# A formula with its numbers, or a sentence around formulas and numbers.
Stage: TypeAlias = str | Sentence


class Draft(NamedTuple):
    """A sample of a kind, before its mistakes are known to be distinguishable.

    Attributes
    ----------
    answer : float or tuple of int
    mistakes : mapping from str to Mistake
        All of them must differ from each other and from the answer.
    question : Sentence
        Without the precision, which follows from the kind and the level.
    given : mapping from str to ndarray
    asked : Mark
    stages : mapping from str to Stage
    optional : mapping from str to Mistake
        Each is kept only if it differs from the answer and from all others.
    alike : mapping from str to Mistake
        Each is kept if it differs from the answer. If another mistake gives the same number, the page names both.
    reached : mapping from str to tuple of float
    bounds : mapping from str to (float, float)
    slack : float
        As in `Exercise`.
    chains : tuple of Chain
        The ways to compute the answer, for learners who round intermediate results.
    """

    answer: Answer
    mistakes: Mapping[str, Mistake]
    question: Sentence
    given: Mapping[str, Array]
    asked: Mark
    stages: Mapping[str, Stage]
    optional: Mapping[str, Mistake] = {}
    alike: Mapping[str, Mistake] = {}
    reached: Mapping[str, tuple[float, ...]] = {}
    bounds: Mapping[str, tuple[float, float]] = {}
    slack: float = 0.0
    chains: tuple[Chain, ...] = ()


# A kind: a function from a level to a sample, or to None if the numbers do not suit the level.
Maker: TypeAlias = Callable[[np.random.Generator, int], Draft | None]


@dataclass(frozen=True, eq=False)
class Exercise:
    """A question about given numbers, its answer, and the answers that the known mistakes give.

    Attributes
    ----------
    kind : str
    level : int
        1: whole numbers, by mental arithmetic; 2: one decimal; 3: two decimals and larger sizes.
    seed : int
    question : Sentence
        Without the precision, which follows from the kind and the level.
    given : mapping from str to ndarray
        The numbers that the page shows, by their symbols. A size is an array without axes.
    asked : Mark
        The symbol and its entry, such as ``("z_t", 1, None)``.
    answer : float or tuple of int
        A tuple for shapes, orders and rows; a unit is given by its number, counted from 1.
    tolerance : float
        The largest difference between a typed number and the number that it stands for; 0 for a tuple.
    mistakes : dict from str to float or tuple of int
        The answer of each mistake by its code; a code that occurs more than once is followed by ":" and which one it is.
    stages : dict from str to Stage
        The steps of the solution with their numbers, in order.
    marks : dict from str to (tuple of Mark, tuple of Mark)
        By mistake, the parts of arrays that were used and those that were meant, for the page to outline.
    details : dict from str to mapping
        The values that the sentence of a mistake names, by its code.
    reached : dict from str to tuple of float
        The results of each stage except the last. An answer that equals one of them stopped at that stage.
    bounds : dict from str to (float, float)
        The range of the answers after a stage, such as that of an activation.
    slack : float
        The error bound of the answer if every intermediate result is rounded to 3 decimals.
    rounded : mapping from int to tuple of float
        The wrong answers of learners who round intermediate results, by the number of decimals.
    """

    kind: str
    level: int
    seed: int
    question: Sentence
    given: Mapping[str, Array]
    asked: Mark
    answer: Answer
    tolerance: float
    mistakes: Mapping[str, Answer]
    stages: Mapping[str, Stage]
    marks: Mapping[str, tuple[tuple[Mark, ...], tuple[Mark, ...]]] = field(default_factory=dict)
    details: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    reached: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    slack: float = 0.0
    rounded: Mapping[int, tuple[float, ...]] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether the question asks for a whole number, or for several."""
        return not ASKED[self.level] or self.kind in WHOLE_KINDS

    @property
    def largest_expected(self) -> float:
        """A bound of the absolute values of what learners enter: twice that of the known answers, and at least 2."""
        known = [answer for answer in (self.answer, *self.mistakes.values()) if not isinstance(answer, tuple)]
        return 2 * max([1.0, *map(abs, known)])

    @property
    def accepted(self) -> float:
        """The tolerance of a right answer: the error of intermediate results with 4 decimals."""
        return self.tolerance + self.slack / 10

    @property
    def near(self) -> float:
        """The tolerance of an answer from intermediate results with 3 decimals. Every mistake differs by more."""
        return self.tolerance + self.slack


def validate(kind: str, level: int, seed: int, draft: Draft) -> Exercise | None:
    """Return the exercise of a draft, or None if two of its answers are not distinguishable."""
    tolerance = 0.0 if isinstance(draft.answer, tuple) else TOLERANCES[level]
    near = tolerance + draft.slack

    def is_beyond_rounding(mistake: Mistake) -> bool:
        return not fits(mistake.gives, draft.answer, near + tolerance)

    if not are_distinguishable([draft.answer, *(mistake.gives for mistake in draft.mistakes.values())], tolerance):
        return None
    if not all(map(is_beyond_rounding, draft.mistakes.values())):
        return None
    mistakes = dict(draft.mistakes)
    for name, mistake in draft.optional.items():
        if name.startswith("arithmetic") and not is_within(mistake.gives, draft.bounds, tolerance):
            continue  # the page says instead that the stage cannot give this number
        others = [other.gives for other in mistakes.values()]
        if is_beyond_rounding(mistake) and are_distinguishable([draft.answer, mistake.gives, *others], tolerance):
            mistakes[name] = mistake
    # A wrong sign of one product is as likely as any mistake that gives the same number.
    signs = {name: mistake for name, mistake in draft.optional.items() if name.startswith("product_sign")}
    alike = {name: mistake for name, mistake in (signs | dict(draft.alike)).items() if name not in mistakes}
    mistakes |= {name: mistake for name, mistake in alike.items() if is_beyond_rounding(mistake)}
    for array in draft.given.values():
        array.flags.writeable = False
    return Exercise(
        kind=kind,
        level=level,
        seed=seed,
        question=draft.question,
        given=draft.given,
        asked=draft.asked,
        answer=draft.answer,
        tolerance=tolerance,
        mistakes={name: mistake.gives for name, mistake in mistakes.items()},
        stages=draft.stages,
        marks={
            name: (as_marks(mistake.used), as_marks(mistake.meant))
            for name, mistake in mistakes.items()
            if mistake.used or mistake.meant
        },
        details={name: mistake.details for name, mistake in mistakes.items()},
        reached=draft.reached,
        bounds=draft.bounds,
        slack=draft.slack,
        rounded={
            digits: tuple(
                gives
                for gives in answers
                # The learner rounds it to 3 decimals, and may then come too far from the answer to be near it.
                if not fits(gives, draft.answer, draft.slack + EXACT)
                # Rounding only the answer is not this mistake.
                and not how_shortened(gives, draft.answer, level, tolerance + draft.slack / 10)
            )
            for digits, answers in rounded_answers(draft.chains, level).items()
        },
    )


def is_within(answer: Answer, bounds: Mapping[str, tuple[float, float]], tolerance: float) -> bool:
    """Whether an answer lies in the range of every stage."""
    return isinstance(answer, tuple) or all(
        low - tolerance <= answer <= high + tolerance for low, high in bounds.values()
    )


def as_marks(marks: Mark | tuple[Mark, ...] | None) -> tuple[Mark, ...]:
    """Return one mark, several or none as a tuple."""
    return (marks,) if isinstance(marks, Mark) else marks or ()


def are_distinguishable(answers: list[Answer], tolerance: float) -> bool:
    """Whether any two answers are farther apart than twice the tolerance."""
    if not tolerance:
        return len(set(answers)) == len(answers)
    values = sorted(answer for answer in answers if not isinstance(answer, tuple))
    return all(second - first > 2 * tolerance for first, second in pairwise(values))


def generator(*of: int | str) -> np.random.Generator:
    """Return a generator that depends only on these words and numbers.

    It is seeded with a digest, so the numbers reveal neither the salt nor the numbers of another seed.
    """
    return np.random.default_rng(int.from_bytes(hashlib.sha256(json.dumps(of).encode()).digest()))


def expect_level_and_seed(level: int, seed: int) -> None:
    """Raise ValueError if there is no such level or seed."""
    if isinstance(level, bool) or level not in LEVELS:
        raise ValueError(f"The level is {level!r}. Choose 1, 2 or 3.")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"The seed is {seed!r}. Choose a whole number from 0 on, such as 7.")


def fits(answer: object, gives: Answer, tolerance: float) -> bool:
    """Whether an answer equals another one within a tolerance.

    Parameters
    ----------
    answer : object
        Anything but a number or whole numbers is unequal.
    """
    if isinstance(gives, tuple):
        return isinstance(answer, tuple | list) and tuple(answer) == gives
    number = as_number(answer)
    return number is not None and abs(number - gives) <= tolerance


def have_same_answer(one: Exercise, other: Exercise) -> bool:
    """Whether two exercises have equal answers within the tolerance of the second one."""
    return fits(one.answer, other.answer, other.tolerance)


def how_shortened(answer: object, right: Answer, level: int, accepted: float) -> Literal["", "rounded", "cut"]:
    """Return how an answer is the right one with fewer decimals than the level asks for; empty if it is not.

    A single digit is not enough: 1 is 0.786 rounded, and many other numbers too.

    Parameters
    ----------
    answer : object
    right : float or tuple of int
    level : {1, 2, 3}
    accepted : float
        The error of a right answer before the learner rounds it.
    """
    number = as_number(answer)
    # A rounded or cut number differs by less than 1. Others may be too large to scale, such as 1e308.
    if number is None or isinstance(right, tuple) or abs(number - right) > 1:
        return ""
    is_cut = False
    for decimals in range(ASKED[level]):
        scale = 10**decimals
        is_written_so = math.isclose(number * scale, round(number * scale), abs_tol=EXACT)
        if not is_written_so or abs(number) < (2 if decimals == 0 else 0.5 / scale):
            continue
        if abs(number - right) <= 0.5 / scale + accepted:
            return "rounded"
        is_cut = is_cut or fits(number, cut(right, decimals), EXACT)
    return "cut" if is_cut else ""


def cut(value: float, decimals: int) -> float:
    """Return the first decimals of a number."""
    scaled = value * 10**decimals
    # A float may miss its last decimal: 0.29 · 100 is less than 29.
    return math.trunc(scaled + math.copysign(EXACT, scaled)) / 10**decimals


def as_number(answer: object) -> float | None:
    """Return an answer as a finite number, or None if it is not one."""
    if isinstance(answer, bool) or not isinstance(answer, int | float | np.integer | np.floating):
        return None
    try:
        number = float(answer)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
