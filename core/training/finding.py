"""A finding on a training, and the rule that it follows from."""

from collections.abc import Callable
from typing import Any, NamedTuple

from core.training.measurements import Measurements


class TrainingFinding(NamedTuple):
    """A rule that holds.

    Attributes
    ----------
    topic, code : str
    values : dict
        What its sentence needs: numbers, names and tuples of them.
    """

    topic: str
    code: str
    values: dict[str, Any]


class FindingRule(NamedTuple):
    """An entry of `RULES`.

    Attributes
    ----------
    topic : str
        What its sentence is about.
    code : str
    holds : callable
        Of `Measurements` and the state.
    values : callable
        Of `Measurements`.
    state : str
        Of the topic "state", which state this is.
    """

    topic: str
    code: str
    holds: Callable[[Measurements, str], bool]
    values: Callable[[Measurements], dict[str, Any]] = lambda measured: {}
    state: str = ""
