"""The diagnosis of a training: what stands in its way, worst first, with the change to try.

`SIGNS` is a table. Each sign measures one number of a training and compares it with a threshold that has a source. All signs
that hold are findings; their order is that of the table. The pages hold one sentence for each code.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf, isfinite
from typing import Any, NamedTuple

from core.training.measurements import FALLING, MEMORY, OPEN, Facts, has_forget_gate
from core.training.optimisers import OPTIMISERS
from core.training.thresholds import (
    ALIKE,
    DIVERGED,
    FADING,
    FAR,
    FEW_STEPS,
    HUGE,
    LEARNED,
    LONG,
    MORE,
    MOSTLY,
    MUCH,
    NOTABLY,
    OPEN_BIAS,
    SMALL_START,
    STEEP,
    TENFOLD,
    TINY,
    USUAL,
    USUAL_BIAS,
    WELL_BELOW,
)
from core.training.training_setup import BOUNDS, MOST_STEPS, TrainingSetup

UNFINISHED = ("still", "learning")
FAILED = ("still", "learning", "diverged")
OURS = ""
KARPATHY = "Karpathy, CS231n, “Ratio of weights:updates”"
GLOROT = "Glorot and Bengio 2010"
PASCANU = "Pascanu, Mikolov and Bengio 2013"
GOODFELLOW = "Goodfellow, Bengio and Courville 2016"

Changes = dict[str, Any]


class Sign(NamedTuple):
    """An entry of `SIGNS`.

    Attributes
    ----------
    code : str
    states : tuple of str
        The states of a training in which it counts.
    number : str
        The name of its number among the values of the finding.
    measured : callable
        Of `Facts`: the number.
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
        Of `Facts`: whether the number means anything here.
    others : callable
        Of `Facts`: further values of the finding.
    unless : tuple of str
        Codes of signs beside which it does not count: they explain its number, or call for the opposite change.
    is_last_resort : bool
        Whether it counts only where no other sign holds.
    """

    code: str
    states: tuple[str, ...]
    number: str
    measured: Callable[[Facts], float]
    threshold: float
    proof: str
    change: Callable[[TrainingSetup], Changes]
    source: str = OURS
    is_below: bool = False
    applies: Callable[[Facts], bool] = lambda facts: True
    others: Callable[[Facts], Mapping[str, Any]] = lambda facts: {}
    unless: tuple[str, ...] = ()
    is_last_resort: bool = False

    @property
    def topic(self) -> str:
        """The topic of its finding."""
        return "cause"

    def holds(self, facts: Facts, state: str) -> bool:
        """Whether it is found in a training with this state."""
        if state not in self.states or not self.applies(facts):
            return False
        number = self.measured(facts)
        return number < self.threshold if self.is_below else number > self.threshold

    def values(self, facts: Facts) -> dict[str, Any]:
        """Return what its sentence needs."""
        return {self.number: self.measured(facts), "threshold": self.threshold, **self.others(facts)}


# ---- the changes ----------------------------------------------------------------------------


def _scale(setup: TrainingSetup) -> Changes:
    return {"init": "glorot", "scale": 1.0}


def _bias(setup: TrainingSetup) -> Changes:
    return {"forget_bias": USUAL_BIAS}


def _clipped(setup: TrainingSetup) -> Changes:
    return {"clip": "norm", "clip_at": 1.0}


def _wider(setup: TrainingSetup) -> Changes:
    return {"clip_at": min(max(1.0, TENFOLD * setup.clip_at), BOUNDS["clip_at"][1])}


def _slower(setup: TrainingSetup) -> Changes:
    rate = min(setup.rate / TENFOLD, OPTIMISERS[setup.optimiser].usual_rate)
    return {"rate": max(rate, BOUNDS["rate"][0])}


def _faster(setup: TrainingSetup) -> Changes:
    rate = max(setup.rate * TENFOLD, OPTIMISERS[setup.optimiser].usual_rate)
    return {"rate": min(rate, BOUNDS["rate"][1])}


def _longer(setup: TrainingSetup) -> Changes:
    most = min(MOST_STEPS // (setup.batch * setup.T), int(BOUNDS["updates"][1]))
    unit = 10 ** max(0, len(f"{most}") - 2)
    return {"updates": max(setup.updates, min(MORE * setup.updates, most // unit * unit))}


def _slower_and_longer(setup: TrainingSetup) -> Changes:
    """Return a lower learning rate, and as many more updates so that they go as far."""
    return {"rate": max(setup.rate / MORE, BOUNDS["rate"][0])} | _longer(setup)


def _shorter(setup: TrainingSetup) -> Changes:
    return {"T": max(setup.T // 2, int(BOUNDS["T"][0]))}


def _much_shorter(setup: TrainingSetup) -> Changes:
    """Return a quarter of the time steps, or FEW_STEPS if that is more, but at most half of them."""
    return {"T": max(setup.T // 4, min(_shorter(setup)["T"], FEW_STEPS))}


def _calmer(setup: TrainingSetup) -> Changes:
    return _scale(setup) if setup.scale > 1 else _shorter(setup)


def _steeper(setup: TrainingSetup) -> Changes:
    """Return tanh, with weights that neither saturate it nor shrink the gradient."""
    return {"g": "tanh", "init": "orthogonal", "scale": 1.0}


def _open_path(setup: TrainingSetup) -> Changes:
    """Return what keeps the norm of a gradient through time: of an LSTM its forget bias, of others orthogonal weights."""
    if has_forget_gate(setup.cell):
        return {"forget_bias": OPEN_BIAS} if setup.forget_bias < OPEN_BIAS else _shorter(setup)
    is_orthogonal = (setup.init, setup.scale) == ("orthogonal", 1.0)
    return _shorter(setup) if is_orthogonal else {"init": "orthogonal", "scale": 1.0}


# ---- the signs ------------------------------------------------------------------------------


def _losses(facts: Facts) -> dict[str, Any]:
    return {"first": facts.first, "last": facts.last, "constant": facts.constant, "made": facts.made}


def _rate(facts: Facts) -> dict[str, Any]:
    return {"rate": facts.setup.rate}


def _undone(facts: Facts) -> float:
    return facts.setup.updates - facts.made if facts.overflowed else 0.0


def _part_clipped(facts: Facts) -> float:
    return facts.cut / facts.made if facts.made else 0.0


def _is_update_small(facts: Facts) -> bool:
    """Whether larger gradients would help: the updates follow their size, and are below the usual ratio."""
    return facts.is_scale_invariant is False and facts.usual_update < USUAL


def _vanishes(facts: Facts) -> bool:
    return facts.setup.task in MEMORY and facts.gains[1] < -FAR


def _creeps(facts: Facts) -> bool:
    """Whether the loss is lowest at the end, with updates and a learning rate below the usual ones."""
    is_slow = facts.usual_update < USUAL and facts.setup.rate < OPTIMISERS[facts.setup.optimiser].usual_rate
    return is_slow and facts.best_at == facts.made


def _is_stuck(facts: Facts) -> bool:
    """Whether the loss is not notably below that of the best constant, or above half of it and does not fall any more."""
    reached = facts.last / min(facts.first, facts.constant)
    return reached >= (WELL_BELOW if facts.trend >= FALLING else NOTABLY)


def _first_gain_per_step(facts: Facts) -> float:
    return facts.gains[0] / max(1, facts.setup.T - 1)


# To name another obstacle, add its sign here, at the place that says how much worse than the others it is.
SIGNS = (
    Sign(
        *("overflow-at-once", ("diverged",), "undone", _undone, 0.0, "loss", _scale, PASCANU),
        applies=lambda facts: facts.overflowed_at_once,
        others=lambda facts: {"scale": facts.setup.scale},
    ),
    Sign(
        *("overflow-unclipped", ("diverged",), "norm", lambda facts: facts.first_norm, LONG, "norm", _clipped, PASCANU),
        applies=lambda facts: facts.overflowed and facts.setup.clip == "none" and not facts.overflowed_at_once,
        others=lambda facts: {"stopped_at": facts.stopped_at},
    ),
    Sign(
        *("overflow", ("diverged",), "undone", _undone, 0.0, "loss", _slower, GOODFELLOW),
        others=lambda facts: {"stopped_at": facts.stopped_at} | _rate(facts),
        unless=("overflow-at-once", "overflow-unclipped"),
    ),
    Sign(
        *("alike", ("still",), "unlike", lambda facts: facts.unlike, ALIKE, "maps", _scale, GOODFELLOW),
        is_below=True,
        applies=lambda facts: facts.setup.k > 1,
        others=lambda facts: {"scale": facts.setup.scale},
    ),
    Sign(
        *("forget-gate-shut", ("still",), "bias", lambda facts: facts.setup.forget_bias, -OPEN, "saturated", _bias),
        source="Gers, Schmidhuber and Cummins 2000",
        is_below=True,
        applies=lambda facts: facts.is_forget_gate_shut,
    ),
    Sign(
        *(
            "saturated-at-start",
            UNFINISHED,
            "fraction",
            lambda facts: facts.most_saturated[1],
            MUCH,
            "saturated",
            _scale,
        ),
        source=GLOROT,
        # Large weights can make the first loss so large that the loss falls for long, and still is no better than a constant.
        applies=_is_stuck,
        others=lambda facts: {"activation": facts.most_saturated[0]},
    ),
    Sign(
        *("small-start", ("still",), "per_step", _first_gain_per_step, FADING, "gain", _scale, GLOROT),
        is_below=True,
        applies=lambda facts: facts.setup.scale < SMALL_START and isfinite(facts.gains[0]),
        others=lambda facts: {"scale": facts.setup.scale, "gain": facts.gains[0], "T": facts.setup.T},
    ),
    Sign(
        *("grew", ("diverged",), "times", lambda facts: facts.last / max(facts.first, facts.constant), DIVERGED),
        *("loss", _slower, GOODFELLOW),
        applies=lambda facts: not facts.overflowed,
        others=lambda facts: _losses(facts) | _rate(facts),
    ),
    Sign(
        *("jumps", UNFINISHED, "ratio", lambda facts: facts.longest_update, HUGE, "ratio", _slower, KARPATHY),
        # A jump is no obstacle where the loss is below the constant and still falls.
        applies=lambda facts: (
            facts.setup.scale >= SMALL_START and not (facts.is_falling and facts.last < NOTABLY * facts.constant)
        ),
        others=_rate,
    ),
    Sign(
        *("exploding", FAILED, "gain", lambda facts: facts.largest_gain, FAR, "gain", _calmer, PASCANU),
        # A gradient that exploded at the start is no obstacle where the loss is well below the constant and still falls.
        applies=lambda facts: (
            facts.gains[1] > FAR or not (facts.is_falling and facts.last < WELL_BELOW * facts.constant)
        ),
        others=lambda facts: {"T": facts.setup.T, "gain_at": facts.largest_gain_at},
    ),
    Sign(
        *("clip-decides", UNFINISHED, "part", _part_clipped, MOSTLY, "norm", _wider, PASCANU),
        applies=lambda facts: facts.setup.clip == "norm" and _is_update_small(facts),
        others=lambda facts: {"at": facts.setup.clip_at, "cut": facts.cut, "made": facts.made},
    ),
    Sign(
        *("entry-clip-decides", UNFINISHED, "part", lambda facts: facts.halved, MOSTLY, "norm", _wider, PASCANU),
        applies=lambda facts: facts.setup.clip == "value" and _is_update_small(facts),
        others=lambda facts: {"at": facts.setup.clip_at},
    ),
    Sign(
        *("hardly-moves", UNFINISHED, "ratio", lambda facts: facts.usual_update, TINY, "ratio", _faster, KARPATHY),
        is_below=True,
        others=_rate,
        # A jump can saturate a cell, and then its later updates are small. A low clip makes them small at any learning rate.
        unless=("jumps", "clip-decides", "entry-clip-decides"),
    ),
    Sign(
        *("flat-activation", ("still",), "derivative", lambda facts: facts.max_derivative, STEEP, "gain", _steeper),
        source=PASCANU,
        is_below=True,
        applies=_vanishes,
        others=lambda facts: {"gain": facts.gains[1], "gain_at": facts.made, "T": facts.setup.T},
    ),
    Sign(
        *("vanishing", ("still",), "gain", lambda facts: facts.gains[1], -FAR, "gain", _open_path),
        source="Bengio, Simard and Frasconi 1994",
        is_below=True,
        applies=lambda facts: facts.setup.task in MEMORY,
        others=lambda facts: {"T": facts.setup.T, "gain_at": facts.made},
    ),
    Sign(
        *(
            "was-lower",
            FAILED,
            "of_best",
            lambda facts: facts.last / facts.best if facts.best else inf,
            1 / NOTABLY,
            "loss",
            _slower_and_longer,
        ),
        source=GOODFELLOW,
        applies=lambda facts: not facts.overflowed and facts.best < NOTABLY * facts.first and not facts.is_falling,
        others=lambda facts: {"best": facts.best, "best_at": facts.best_at, "last": facts.last},
    ),
    Sign(
        *("still-falling", ("learning",), "trend", lambda facts: facts.trend, FALLING, "loss", _longer),
        is_below=True,
        others=_losses,
        unless=("jumps",),
    ),
    Sign(
        *("creeps", UNFINISHED, "ratio", lambda facts: facts.usual_update, USUAL, "loss", _faster, KARPATHY),
        is_below=True,
        applies=_creeps,
        others=lambda facts: {"last": facts.last, "made": facts.made} | _rate(facts),
        is_last_resort=True,
    ),
    Sign(
        *("not-yet", ("learning",), "of_constant", lambda facts: facts.last / facts.constant, LEARNED, "loss", _longer),
        others=_losses,
        unless=("creeps",),
        is_last_resort=True,
    ),
    Sign(
        *("constant", ("still",), "of_constant", lambda facts: facts.last / facts.constant, 0.0, "loss", _much_shorter),
        others=_losses,
        unless=("creeps",),
        is_last_resort=True,
    ),
)
SIGN_OF = {sign.code: sign for sign in SIGNS}


def diagnosed(facts: Facts, state: str) -> list[Sign]:
    """Return the signs that hold, worst first.

    Parameters
    ----------
    facts : Facts
    state : str
        One of `verdict.STATES`.
    """
    found = [sign for sign in SIGNS if sign.holds(facts, state)]
    codes = {sign.code for sign in found}
    held = [sign for sign in found if codes.isdisjoint(sign.unless)]
    return [sign for sign in held if not sign.is_last_resort] or held


def changed(setup: TrainingSetup, code: str) -> TrainingSetup:
    """Return a training setup with the change that a sign has against what it finds.

    Parameters
    ----------
    setup : TrainingSetup
    code : str
        Of a sign.
    """
    return replace(setup, **SIGN_OF[code].change(setup))
