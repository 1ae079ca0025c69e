"""The exercise that the URL names, and the patches of the URL that lead to others."""

from typing import NamedTuple

from core.practice.progress import LAST_NUMBER, ExerciseId
from dashboard.state.parameters import EXERCISES
from dashboard.state.state import State

Patch = dict[str, str | None]
START: Patch = dict.fromkeys(("kind", "level", "number", "today", "test", "answers", "draft"))


class Asked(NamedTuple):
    """The exercise of the page.

    Attributes
    ----------
    kind : str
        A name of EXERCISES.
    level : int
    seed : int
        From the seed and the number in the URL.
    salt : str
        A teacher's text, which is in no link.
    """

    kind: str
    level: int
    seed: int
    salt: str


def is_start(state: State) -> bool:
    """Whether the URL names no exercise; a link of an earlier version may leave out the first kind."""
    settings = state.settings
    return settings.kind is None and settings.level == 1 and settings.number == 1


def asked_of(state: State, salt: str) -> Asked:
    """Return the exercise that the URL names."""
    settings = state.settings
    return Asked(settings.kind or next(iter(EXERCISES)), settings.level, first_seed(state) + settings.number, salt)


def first_seed(state: State) -> int:
    """Return the number before the seeds of the exercises of this URL."""
    return state.seed * (LAST_NUMBER + 1)


def to_exercise(kind: str, level: int, number: int = 1) -> Patch:
    """Return the patch that opens an exercise of the same seed."""
    return {**START, "kind": kind, "level": _unless_first(level), "number": _unless_first(number)}


def to_task(task: ExerciseId) -> Patch:
    """Return the patch that opens one of the five for today."""
    seed, number = divmod(task.seed, LAST_NUMBER + 1)
    return {**to_exercise(task.kind, task.level, number), "seed": f"{seed}" if seed else None, "today": "true"}


def to_test(level: int, number: int) -> Patch:
    """Return the patch that opens a test of ten."""
    return {**START, "test": f"{number}", "level": _unless_first(level)}


def _unless_first(value: int) -> str | None:
    return f"{value}" if value > 1 else None
