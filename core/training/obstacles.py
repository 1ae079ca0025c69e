"""The obstacles of a training: what stands in its way, worst first, with the change to try.

`OBSTACLES` is a table. Each obstacle measures one number of a training and compares it with a threshold that has a source. All
obstacles that hold are findings; their order is that of the table. The pages hold one sentence for each code.

A last entry, of the topic "suggestion", is no finding: no measurement tells whether more hidden units would help.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, NamedTuple

from core.training import changes
from core.training.measurements import FALLING_TREND, MEMORY_TASKS, SATURATING_BIAS, Measurements
from core.training.thresholds import (
    DEAD,
    DERIVATIVE_OF_TANH,
    DIVERGED,
    EQUAL_UNITS,
    FADING_LOG_GAIN,
    FEW_UNITS,
    HIGHLY_SATURATED,
    LARGE_GROWTH,
    LARGE_LOG_GAIN,
    LARGE_NORM,
    LARGE_RATIO,
    LAST_PART,
    LEARNED,
    MOST_UPDATES,
    NOTABLY_LOWER,
    SLOW_TREND,
    SMALL_RATIO,
    SMALL_START,
    USUAL_RATIO,
    USUAL_UNITS,
    USUAL_UPDATES,
    WELL_BELOW,
)
from core.training.training_setup import BOUNDS, TrainingSetup

UNFINISHED = ("still", "learning")
FAILED = ("still", "learning", "diverged")
OURS = ""
KARPATHY = "Karpathy, CS231n, “Ratio of weights:updates”"
GLOROT = "Glorot and Bengio 2010"
PASCANU = "Pascanu, Mikolov and Bengio 2013"
GOODFELLOW = "Goodfellow, Bengio and Courville 2016"


class Obstacle(NamedTuple):
    """An entry of `OBSTACLES`.

    Attributes
    ----------
    code : str
    states : tuple of str
        The states of a training in which it counts.
    number : str
        The name of its number among the values of the finding.
    measure : callable
        Of `Measurements`: the number.
    threshold : float
    proof : {"loss", "gain", "ratio", "norm", "saturated", "maps"}
        The panel that shows the number.
    change : callable
        Of a training setup: the fields to change, and their new values. They follow from the setup alone, so that a link can name the change.
    source : str
        The text that the threshold, or the reason behind it, is from; empty for a convention of this program.
    is_below : bool
        Whether it holds below its threshold, and not above.
    applies : callable
        Of `Measurements`: whether the number means anything here.
    others : callable
        Of `Measurements`: further values of the finding.
    unless : tuple of str
        Codes of obstacles beside which it does not count: they explain its number, or call for the opposite change.
    topic : {"cause", "suggestion"}
        Of its finding. A suggestion has a change to try, and claims nothing about the training.
    is_last_resort : bool
        Whether it counts only where no other obstacle holds, after all updates of the training.
    """

    code: str
    states: tuple[str, ...]
    number: str
    measure: Callable[[Measurements], float]
    threshold: float
    proof: str
    change: Callable[[TrainingSetup], changes.Changes]
    source: str = OURS
    is_below: bool = False
    applies: Callable[[Measurements], bool] = lambda measured: True
    others: Callable[[Measurements], Mapping[str, Any]] = lambda measured: {}
    unless: tuple[str, ...] = ()
    is_last_resort: bool = False
    topic: str = "cause"

    def holds(self, measured: Measurements, state: str) -> bool:
        """Whether it is found in a training with this state."""
        if state not in self.states or not self.applies(measured):
            return False
        number = self.measure(measured)
        return number < self.threshold if self.is_below else number > self.threshold

    def values(self, measured: Measurements) -> dict[str, Any]:
        """Return what its sentence needs."""
        return {self.number: self.measure(measured), "threshold": self.threshold, **self.others(measured)}


# ---- the obstacles ------------------------------------------------------------------------------


def _losses(measured: Measurements) -> dict[str, Any]:
    return {
        "first": measured.first,
        "last": measured.last,
        "constant": measured.constant,
        "made": measured.updates_made,
    }


def _rate(measured: Measurements) -> dict[str, Any]:
    return {"rate": measured.setup.rate}


def _growth(measured: Measurements) -> float:
    _, before, after = measured.most_grown
    return after - before


def _undone(measured: Measurements) -> float:
    return measured.setup.updates - measured.updates_made if measured.overflowed else 0.0


def _part_clipped(measured: Measurements) -> float:
    return measured.clipped_updates / measured.updates_made if measured.updates_made else 0.0


def _is_update_small(measured: Measurements) -> bool:
    """Whether larger gradients would help: the updates follow their size, and are below the usual ratio."""
    return measured.is_scale_invariant is False and measured.usual_update < USUAL_RATIO


def _creeps(measured: Measurements) -> bool:
    """Whether the loss is lowest at the end, with updates and a learning rate below the usual ones."""
    is_slow = measured.usual_update < USUAL_RATIO and measured.is_rate_low
    return is_slow and measured.best_at == measured.updates_made


def _is_stuck(measured: Measurements) -> bool:
    """Whether the loss is not notably below that of the best constant, or above half of it and does not fall any more."""
    reached = measured.last / min(measured.first, measured.constant)
    return reached >= (WELL_BELOW if measured.trend >= FALLING_TREND else NOTABLY_LOWER)


def _needs_memory(measured: Measurements) -> bool:
    """Whether the training is stuck at a task that needs a gradient from the last step to the first."""
    return measured.setup.task in MEMORY_TASKS and _is_stuck(measured)


def _smallest_gain(measured: Measurements) -> dict[str, Any]:
    return {"gain": measured.smallest_gain, "gain_at": measured.smallest_gain_at, "T": measured.setup.T}


def _usual_update(measured: Measurements) -> float:
    return measured.usual_update


def _trend(measured: Measurements) -> float:
    return measured.trend


def _made(measured: Measurements) -> float:
    return measured.updates_made


def _of_constant(measured: Measurements) -> float:
    return measured.last / measured.constant


def _of_first(measured: Measurements) -> float:
    return measured.of_first


def _of_best(measured: Measurements) -> float:
    return measured.of_best


def _norm(measured: Measurements) -> float:
    return measured.unexplained_norm[0]


def _first_gain_per_step(measured: Measurements) -> float:
    return measured.gains[0] / max(1, measured.setup.T - 1)


# To name another obstacle, add its record here, at the place that says how much worse than the others it is.
OBSTACLES = (
    Obstacle(
        *("overflow-at-once", ("diverged",), "undone", _undone, 0.0, "loss", changes.scale, PASCANU),
        applies=lambda measured: measured.overflowed_at_once,
        others=lambda measured: {"scale": measured.setup.scale},
    ),
    Obstacle(
        *("overflow-unclipped", ("diverged",), "norm", _norm, LARGE_NORM, "norm", changes.clipped, PASCANU),
        applies=lambda measured: measured.overflowed and measured.could_clip and not measured.overflowed_at_once,
        others=lambda measured: {"stopped_at": measured.stopped_at, "norm_at": measured.unexplained_norm[1]},
    ),
    Obstacle(
        *("overflow", ("diverged",), "undone", _undone, 0.0, "loss", changes.slower, GOODFELLOW),
        others=lambda measured: {"stopped_at": measured.stopped_at} | _rate(measured),
        unless=("overflow-at-once", "overflow-unclipped"),
    ),
    Obstacle(
        *(
            "alike",
            ("still",),
            "unlike",
            lambda measured: measured.unlike,
            EQUAL_UNITS,
            "maps",
            changes.scale,
            GOODFELLOW,
        ),
        is_below=True,
        applies=lambda measured: measured.setup.k > 1,
        others=lambda measured: {"scale": measured.setup.scale},
    ),
    Obstacle(
        *(
            "forget-gate-shut",
            ("still",),
            "bias",
            lambda measured: measured.setup.forget_bias,
            -SATURATING_BIAS,
            "saturated",
            changes.bias,
        ),
        source="Gers, Schmidhuber and Cummins 2000",
        is_below=True,
        applies=lambda measured: measured.is_forget_gate_closed,
    ),
    Obstacle(
        *(
            "saturated-at-start",
            UNFINISHED,
            "fraction",
            lambda measured: measured.most_saturated[1],
            HIGHLY_SATURATED,
            "saturated",
            changes.scale,
        ),
        source=GLOROT,
        # Large weights can make the first loss so large that the loss falls for long, and still is no better than a constant.
        applies=_is_stuck,
        others=lambda measured: {"activation": measured.most_saturated[0]},
    ),
    Obstacle(
        *("small-start", ("still",), "per_step", _first_gain_per_step, FADING_LOG_GAIN, "gain", changes.scale, GLOROT),
        is_below=True,
        applies=lambda measured: measured.setup.scale < SMALL_START and isfinite(measured.gains[0]),
        others=lambda measured: {"scale": measured.setup.scale, "gain": measured.gains[0], "T": measured.setup.T},
    ),
    Obstacle(
        *("unclipped", FAILED, "norm", _norm, LARGE_NORM, "norm", changes.clipped, PASCANU),
        # A large gradient does harm if an update jumps, or if the loss has risen again.
        applies=lambda measured: (
            not measured.overflowed
            and measured.could_clip
            and (measured.has_grown or measured.has_jumped or measured.was_lower)
        ),
        others=lambda measured: {"norm_at": measured.unexplained_norm[1]},
    ),
    Obstacle(
        *("grew", ("diverged",), "times", _of_first, DIVERGED, "loss", changes.slower, GOODFELLOW),
        applies=lambda measured: not measured.overflowed,
        others=lambda measured: _losses(measured) | _rate(measured),
        unless=("unclipped",),
    ),
    Obstacle(
        *(
            "jumps",
            UNFINISHED,
            "ratio",
            lambda measured: measured.longest_update,
            LARGE_RATIO,
            "ratio",
            changes.slower,
            KARPATHY,
        ),
        applies=lambda measured: measured.has_jumped,
        others=_rate,
        unless=("unclipped",),
    ),
    Obstacle(
        *("saturated-by-updates", UNFINISHED, "growth", _growth, LARGE_GROWTH, "saturated", changes.slower, GLOROT),
        # A cell can also learn to saturate, so this is a reason only at a large learning rate, and where the loss has stopped falling.
        applies=lambda measured: measured.is_rate_large and not measured.is_falling,
        others=lambda measured: {"grown": (measured.most_grown,)} | _rate(measured),
        unless=("jumps", "unclipped", "saturated-at-start"),
    ),
    Obstacle(
        *("dead", UNFINISHED, "inactive", lambda measured: measured.inactive[1], DEAD, "saturated", changes.slower),
        applies=lambda measured: measured.inactive[0] < DEAD,
        others=lambda measured: {"inactive_before": measured.inactive[0]},
        # A large update explains inactive units, and another activation or cell has none.
        unless=("jumps", "vanishing"),
    ),
    Obstacle(
        *(
            "exploding",
            FAILED,
            "gain",
            lambda measured: measured.largest_gain,
            LARGE_LOG_GAIN,
            "gain",
            changes.calmer,
            PASCANU,
        ),
        # While the loss falls, a gradient that exploded between the first frame and the last is no obstacle. One that exploded at the
        # start is none if the loss is well below the constant.
        applies=lambda measured: (
            not measured.is_falling
            or measured.gains[1] > LARGE_LOG_GAIN
            or (measured.gains[0] > LARGE_LOG_GAIN and measured.last >= WELL_BELOW * measured.constant)
        ),
        others=lambda measured: {"T": measured.setup.T, "gain_at": measured.largest_gain_at},
    ),
    Obstacle(
        *("clip-decides", UNFINISHED, "part", _part_clipped, MOST_UPDATES, "norm", changes.wider, PASCANU),
        applies=lambda measured: measured.setup.clip == "norm" and _is_update_small(measured),
        others=lambda measured: {
            "at": measured.setup.clip_at,
            "cut": measured.clipped_updates,
            "made": measured.updates_made,
        },
    ),
    Obstacle(
        *(
            "entry-clip-decides",
            UNFINISHED,
            "part",
            lambda measured: measured.halved,
            MOST_UPDATES,
            "norm",
            changes.wider,
            PASCANU,
        ),
        applies=lambda measured: measured.setup.clip == "value" and _is_update_small(measured),
        others=lambda measured: {"at": measured.setup.clip_at},
    ),
    Obstacle(
        *("hardly-moves", UNFINISHED, "ratio", _usual_update, SMALL_RATIO, "ratio", changes.faster, KARPATHY),
        is_below=True,
        # Adam's updates are small at the usual rate too, after gradients that were far larger.
        applies=lambda measured: measured.is_rate_low or not measured.is_scale_invariant,
        others=_rate,
        # A jump can saturate a cell, and then its later updates are small. A low clip makes them small at any learning rate.
        unless=("jumps", "unclipped", "dead", "clip-decides", "entry-clip-decides"),
    ),
    Obstacle(
        *(
            "flat-activation",
            UNFINISHED,
            "derivative",
            lambda measured: measured.max_derivative,
            DERIVATIVE_OF_TANH,
            "gain",
            changes.steeper,
        ),
        source=PASCANU,
        is_below=True,
        # Where only gates help, another activation does not.
        applies=lambda measured: (
            _needs_memory(measured)
            and measured.smallest_gain < -LARGE_LOG_GAIN
            and not changes.needs_gates(measured.setup)
        ),
        others=_smallest_gain,
    ),
    Obstacle(
        *(
            "vanishing",
            UNFINISHED,
            "gain",
            lambda measured: measured.smallest_gain,
            -LARGE_LOG_GAIN,
            "gain",
            changes.open_path,
        ),
        source="Bengio, Simard and Frasconi 1994",
        is_below=True,
        applies=_needs_memory,
        others=_smallest_gain,
        unless=("forget-gate-shut",),
    ),
    Obstacle(
        *("was-lower", FAILED, "of_best", _of_best, 1 / NOTABLY_LOWER, "loss", changes.slower_and_longer),
        source=GOODFELLOW,
        applies=lambda measured: measured.was_lower,
        others=lambda measured: {"best": measured.best, "best_at": measured.best_at, "last": measured.last},
    ),
    Obstacle(
        *("still-falling", ("learning",), "trend", _trend, FALLING_TREND, "loss", changes.longer),
        is_below=True,
        applies=lambda measured: measured.is_falling and not measured.is_interrupted,
        others=_losses,
        unless=("jumps", "unclipped"),
    ),
    Obstacle(
        *("few-updates", UNFINISHED, "updates", _made, USUAL_UPDATES, "loss", changes.usual_or_longer),
        is_below=True,
        applies=lambda measured: changes.can_be_longer(measured.setup),
        others=_losses,
        is_last_resort=True,
    ),
    Obstacle(
        *("still-falling-high", ("still",), "trend", _trend, SLOW_TREND, "loss", changes.longer),
        is_below=True,
        # Otherwise the loss only returns from a jump.
        applies=lambda measured: (
            measured.best_at > LAST_PART * measured.updates_made and changes.can_be_longer(measured.setup)
        ),
        others=_losses,
        unless=("few-updates", "creeps"),
        is_last_resort=True,
    ),
    Obstacle(
        *("creeps", UNFINISHED, "ratio", _usual_update, USUAL_RATIO, "loss", changes.faster, KARPATHY),
        is_below=True,
        applies=_creeps,
        others=lambda measured: {"last": measured.last, "made": measured.updates_made} | _rate(measured),
        is_last_resort=True,
    ),
    Obstacle(
        *("not-yet", ("learning",), "of_constant", _of_constant, LEARNED, "loss", changes.longer),
        others=_losses,
        unless=("few-updates", "creeps"),
        is_last_resort=True,
    ),
    Obstacle(
        *("constant", ("still",), "of_constant", _of_constant, 0.0, "loss", changes.much_shorter),
        others=_losses,
        unless=("few-updates", "still-falling-high", "creeps"),
        is_last_resort=True,
    ),
    # A loss can stay for hundreds of updates and then fall. No measurement tells it from one that stays for ever.
    Obstacle(
        *("plateau", ("still",), "updates", _made, 0.0, "loss", changes.longer),
        applies=lambda measured: changes.can_be_longer(measured.setup),
        others=_losses,
        unless=("few-updates", "still-falling-high", "creeps"),
        is_last_resort=True,
    ),
)
MORE_UNITS = Obstacle(
    *("more-units", UNFINISHED, "units", lambda measured: measured.setup.k, BOUNDS["k"][1], "loss"),
    change=changes.more_units,
    is_below=True,
    topic="suggestion",
)
# The causes beside which more units are suggested to a cell with fewer units than this.
HARD = {"constant", "plateau", "not-yet", "still-falling-high"}
SHORT = HARD | {"few-updates", "still-falling"}
BESIDE = ((FEW_UNITS, SHORT | {"vanishing"}), (USUAL_UNITS, SHORT), (BOUNDS["k"][1], HARD))
OBSTACLE_OF = {obstacle.code: obstacle for obstacle in (*OBSTACLES, MORE_UNITS)}


def obstacles_in(measured: Measurements, state: str) -> list[Obstacle]:
    """Return the obstacles that hold, worst first, and after them what else to try.

    Parameters
    ----------
    measured : Measurements
    state : str
        One of `verdict.STATES`.
    """
    found = [obstacle for obstacle in OBSTACLES if obstacle.holds(measured, state)]
    codes = {obstacle.code for obstacle in found}
    held = [obstacle for obstacle in found if codes.isdisjoint(obstacle.unless)]
    sure = [obstacle for obstacle in held if not obstacle.is_last_resort]
    causes = sure if sure or measured.is_interrupted else held
    beside = next((codes for most, codes in BESIDE if measured.setup.k < most), set())
    has_units = causes and {obstacle.code for obstacle in causes} <= beside and MORE_UNITS.holds(measured, state)
    return [*causes, MORE_UNITS] if has_units else causes


def changed(setup: TrainingSetup, code: str) -> TrainingSetup:
    """Return a training setup with the change against an obstacle.

    Parameters
    ----------
    setup : TrainingSetup
    code : str
        Of an obstacle.
    """
    return replace(setup, **OBSTACLE_OF[code].change(setup))
