"""A finding on a recurrent layer: a code, the units and steps concerned, and the numbers that prove it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.arrays import Array
from core.model_diagnosis.direction_run import DirectionRun
from core.model_diagnosis.thresholds import ZERO

WARNING, NUMBER = "warning", "number"


@dataclass(frozen=True)
class ModelFinding:
    """A finding on one direction of a layer.

    Attributes
    ----------
    code : str
        One of ORDER for a warning; "forget bias", "memory", "horizon", "horizon of the input", "largest gain", "radius", "orthogonality", "headroom",
        "initial weights" or "absent input" for a number.
    level : {"warning", "number"}
    layer, direction : int
        Counted from 0.
    symbol : str
        The gate or the array concerned; empty for the whole cell.
    units : tuple of int
        Counted from 1; empty for all. Of an input, the entries of x_t. Of "stuck gates", the unit with the most of them first.
    steps : tuple of int, optional
        The first and the last step concerned, counted from 1 in the order in which the direction reads; None for all.
    value : float
        The number that proves it.
    bound : str
        The field of `Thresholds` that decides; empty if none does.
    threshold : float, optional
        Its value.
    numbers : mapping from str to float
        Further numbers, by name.
    of : int
        How many units there are.
    other : tuple of int, optional
        The layer and the direction, counted from 0, with which this one is compared.
    parts : tuple of ModelFinding, optional
        For "stuck gates": one for each gate that is stuck open or closed. The gate with the most units comes first.
    """

    code: str
    level: str
    layer: int
    direction: int
    symbol: str = ""
    units: tuple[int, ...] = ()
    steps: tuple[int, int] | None = None
    value: float = 0.0
    bound: str = ""
    threshold: float | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    of: int = 0
    other: tuple[int, int] | None = None
    parts: tuple["ModelFinding", ...] = ()


def finding_on(run: DirectionRun, code: str, level: str = WARNING, bound: str = "", **more: Any) -> ModelFinding:
    """Return a finding on a direction."""
    threshold = getattr(run.thresholds, bound) if bound else None
    return ModelFinding(code, level, run.layer, run.direction, of=run.k, bound=bound, threshold=threshold, **more)


def units_of(which: Array) -> tuple[int, ...]:
    return tuple((np.flatnonzero(which) + 1).tolist())


def is_zero(W: Array) -> bool:
    """Whether all weights of an array are 0."""
    return bool(np.abs(W).max(initial=0) < ZERO)
