"""The verdict on a training: what the numbers of its recording say, as codes and values without any sentence.

`RULES` is a table. Each rule has a topic, a code, a predicate over `Facts` and the values that its sentence needs. The pages
hold one sentence for each code. Of the topic "state" the first rule that holds counts, and of each other topic all that hold.
To say more about a training, add a rule here and its sentence there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, nan
from typing import Any, NamedTuple

import numpy as np

from core.activations import Activation, sigmoid
from core.arrays import Array
from core.cells import CELLS
from core.saturation import outputs_at_bounds
from core.time.unroll import LARGEST
from core.training.frame import params_at
from core.training.recording import SATURATED, Recording
from core.training.training_setup import TrainingSetup

# A cell has learned if its last loss is less than this fraction of the first, and of that of the best constant answer.
LEARNED = 0.3
# A loss is below another one, beyond what 64 sequences leave to chance, if it is less than this fraction of it.
NOTABLY = 0.9
# A training has diverged if its last loss is more than this many times the first and that of the best constant answer.
DIVERGED = 3.0
# From this fraction on, saturation at the start is a likely cause.
MUCH = 0.4
# An activation has grown saturated if its fraction grew by more than this.
GROWN = 0.1
# A gradient vanishes or explodes on its way from the last step to the first beyond this many powers of ten.
FAR = 3.0
# Below this update-to-weight ratio the weights hardly move.
TINY = 1e-5
# A forget bias from here on saturates the gate, whatever the weights.
OPEN = sigmoid.bounds(SATURATED)[1]
# Gates that do no harm where they are saturated at 1: they let everything through.
HARMLESS_AT_1 = {"LSTM": ("f_t", "o_t")}
# Tasks whose only question comes after the last step, and is about earlier inputs.
MEMORY = ("echo", "adding")


@dataclass(frozen=True)
class Facts:
    """The values that the rules may look at.

    Attributes
    ----------
    setup : TrainingSetup
    made : int
        Updates that were made.
    overflowed : bool
        Whether a number overflowed, which ends a training.
    first, last, best : float
        The loss on the held-out sequences: before the first update, in the last frame, and the lowest.
    best_at : int
        After how many updates it was lowest.
    constant : float
        The loss of the best constant answer.
    trend : float
        The geometric mean of the loss over the last quarter of the frames, divided by that of the quarter before.
    log_gain : float
        From the last step back to the first, in the last frame, as a decimal logarithm; NaN where it has no meaning.
    saturated : mapping from str to (float, float)
        The saturated fraction in the first and in the last frame, of each activation that has two flat ends.
    harmless : frozenset of str
        Those of them that do no harm in the first frame: gates that are mostly saturated at 1.
    first_norm : float
        The norm of the first gradient.
    cut : int
        How many updates the clip shortened.
    longest_update : float
        The largest update-to-weight ratio in the last frame.
    """

    setup: TrainingSetup
    made: int
    overflowed: bool
    first: float
    last: float
    best: float
    best_at: int
    constant: float
    trend: float
    log_gain: float
    saturated: Mapping[str, tuple[float, float]]
    harmless: frozenset[str]
    first_norm: float
    cut: int
    longest_update: float

    @property
    def has_forget_gate(self) -> bool:
        """Whether the forget bias is added to a bias of the cell."""
        return any(made.offset_param == "forget_bias" for made in CELLS[self.setup.cell].ARRAYS.values())

    @property
    def is_forget_gate_shut(self) -> bool:
        """Whether the forget bias alone saturates the forget gate at 0."""
        return self.has_forget_gate and self.setup.forget_bias <= -OPEN

    @property
    def overflowed_at_once(self) -> bool:
        """Whether the first pass overflowed, which no learning rate and no clip can change."""
        return self.overflowed and self.made == 0 and not self.first_norm <= LARGEST

    @property
    def most_saturated(self) -> tuple[str, float]:
        """The activation of which the weights saturate most at the start, and its fraction."""
        starts = {name: start for name, (start, _) in self.saturated.items() if name not in self.harmless}
        if self.is_forget_gate_shut:
            starts.pop("f_t", None)
        name = max(starts, key=lambda name: starts[name], default="")
        return name, starts.get(name, 0.0)

    @property
    def grown(self) -> tuple[tuple[str, float, float], ...]:
        """The activations that grew saturated, with the fraction in the first and in the last frame."""
        return tuple((name, start, end) for name, (start, end) in self.saturated.items() if end > start + GROWN)

    @property
    def is_cut_mostly(self) -> bool:
        """Whether the clip shortened more than half of the updates."""
        return self.cut > self.made / 2

    @property
    def vanishes(self) -> bool:
        """Whether a task that needs the gradient of the last step's loss at early steps hardly gets it."""
        return self.setup.task in MEMORY and self.log_gain < -FAR


class Finding(NamedTuple):
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


class Rule(NamedTuple):
    """An entry of `RULES`.

    Attributes
    ----------
    topic : str
        What its sentence is about.
    code : str
    holds : callable
        Of `Facts` and the state.
    values : callable
        Of `Facts`.
    state : str
        Of the topic "state", which state this is.
    is_last_resort : bool
        Whether it counts only where no other rule of its topic holds.
    """

    topic: str
    code: str
    holds: Callable[[Facts, str], bool]
    values: Callable[[Facts], dict[str, Any]] = lambda facts: {}
    state: str = ""
    is_last_resort: bool = False


def _state(code: str, state: str, holds: Callable[[Facts], bool]) -> Rule:
    return Rule("state", code, lambda facts, _: holds(facts), _losses, state)


def _losses(facts: Facts) -> dict[str, Any]:
    return {
        "first": facts.first,
        "last": facts.last,
        "left": facts.last / facts.first,
        "constant": facts.constant,
        "made": facts.made,
    }


def _is_clipped_mostly(facts: Facts, optimiser: str) -> bool:
    return facts.setup.clip == "norm" and facts.setup.optimiser == optimiser and facts.is_cut_mostly


def _clip(facts: Facts) -> dict[str, Any]:
    return {"at": facts.setup.clip_at, "cut": facts.cut, "made": facts.made}


def _grown(code: str, holds: Callable[[str], bool]) -> Rule:
    return Rule(
        "cause",
        code,
        lambda facts, state: state == "learned" and bool(facts.grown) and holds(facts.setup.task),
        lambda facts: {"grown": facts.grown},
    )


def _overflow(code: str, holds: Callable[[Facts], bool]) -> Rule:
    return Rule("cause", code, lambda facts, _: facts.overflowed and holds(facts), _losses)


STATE_RULES = (
    _state("untrained", "untrained", lambda facts: facts.made == 0 and not facts.overflowed),
    _state("overflowed", "diverged", lambda facts: facts.overflowed),
    _state("grew", "diverged", lambda facts: facts.last > DIVERGED * max(facts.first, facts.constant)),
    _state("learned", "learned", lambda facts: facts.last < LEARNED * min(facts.first, facts.constant)),
    _state("below-constant", "learning", lambda facts: facts.last < NOTABLY * min(facts.first, facts.constant)),
    _state("falling", "learning", lambda facts: facts.last < NOTABLY * facts.first and facts.trend < NOTABLY),
    _state("fell", "still", lambda facts: facts.last < NOTABLY * facts.first and facts.last * NOTABLY > facts.constant),
    _state("constant", "still", lambda facts: facts.last < NOTABLY * facts.first),
    _state("still", "still", lambda facts: True),
)
CAUSE_RULES = (
    _overflow("overflow-at-once", lambda facts: facts.overflowed_at_once),
    _overflow("overflow-clipped", lambda facts: not facts.overflowed_at_once and facts.setup.clip != "none"),
    _overflow("overflow-unclipped", lambda facts: not facts.overflowed_at_once and facts.setup.clip == "none"),
    _grown("grown-to-keep", lambda task: task == "echo"),
    _grown("grown-to-switch", lambda task: task == "parity"),
    _grown("grown", lambda task: task not in ("echo", "parity")),
    Rule(
        "cause",
        "forget-gate-shut",
        lambda facts, state: state == "still" and facts.is_forget_gate_shut,
        lambda facts: {"bias": facts.setup.forget_bias},
    ),
    Rule(
        "cause",
        "saturated-at-start",
        lambda facts, state: state == "still" and facts.most_saturated[1] > MUCH,
        lambda facts: dict(zip(("activation", "fraction"), facts.most_saturated)),
    ),
    Rule(
        "cause",
        "vanishing",
        lambda facts, state: state == "still" and facts.vanishes,
        lambda facts: {"gain": facts.log_gain},
    ),
    Rule(
        "cause",
        "try-forget-bias",
        lambda facts, state: (
            state == "still"
            and facts.vanishes
            and facts.has_forget_gate
            and -OPEN < facts.setup.forget_bias < OPEN
            and facts.most_saturated[1] <= MUCH
        ),
        lambda facts: {"bias": facts.setup.forget_bias},
    ),
    Rule(
        "cause",
        "try-orthogonal",
        lambda facts, state: (
            state == "still"
            and facts.vanishes
            and (facts.setup.cell, facts.setup.g) == ("RNN", "tanh")
            and (facts.setup.init, facts.setup.scale) != ("orthogonal", 1)
            and facts.most_saturated[1] <= MUCH
        ),
    ),
    Rule(
        "cause",
        "exploding",
        lambda facts, state: state in ("still", "learning", "diverged") and facts.log_gain > FAR,
        lambda facts: {"gain": facts.log_gain},
    ),
    Rule(
        "cause",
        "clip-sets-length",
        lambda facts, state: state in ("still", "learning") and _is_clipped_mostly(facts, "SGD"),
        _clip,
    ),
    Rule(
        "cause",
        "hardly-moves",
        lambda facts, state: state == "still" and facts.longest_update < TINY,
        lambda facts: {"ratio": facts.longest_update},
    ),
    Rule(
        "cause",
        "was-lower",
        lambda facts, state: (
            state in ("still", "learning", "diverged")
            and not facts.overflowed
            and facts.best < NOTABLY * min(facts.first, facts.last)
        ),
        lambda facts: {"best": facts.best, "best_at": facts.best_at},
    ),
    Rule("cause", "try-smaller-rate", lambda facts, state: state == "diverged" and not facts.overflowed),
    Rule("cause", "no-cause", lambda facts, state: state == "still", is_last_resort=True),
)
CLIP_RULES = (
    Rule("clip", "none", lambda facts, _: facts.setup.clip == "none"),
    Rule("clip", "norm", lambda facts, _: facts.setup.clip == "norm", _clip),
    Rule("clip", "value", lambda facts, _: facts.setup.clip == "value", _clip),
    Rule("clip", "sets-length", lambda facts, _: facts.made > 0 and _is_clipped_mostly(facts, "SGD")),
    Rule("clip", "undone", lambda facts, _: facts.made > 0 and _is_clipped_mostly(facts, "Adam")),
)
RULES = (*STATE_RULES, *CAUSE_RULES, *CLIP_RULES)
STATES = tuple(dict.fromkeys(rule.state for rule in STATE_RULES))


class Verdict(NamedTuple):
    """The findings on a training.

    Attributes
    ----------
    state : str
        One of STATES: whether it has learned.
    findings : tuple of Finding
        In the order of RULES.
    """

    state: str
    findings: tuple[Finding, ...]

    def of(self, *topics: str) -> list[Finding]:
        """Return the findings on some topics."""
        return [finding for finding in self.findings if finding.topic in topics]


def verdict(recording: Recording) -> Verdict:
    """Return the verdict on a training, which follows from its recording alone."""
    facts = facts_of(recording)
    chosen = next(rule for rule in STATE_RULES if rule.holds(facts, ""))
    others = [rule for rule in (*CAUSE_RULES, *CLIP_RULES) if rule.holds(facts, chosen.state)]
    has_better = {rule.topic for rule in others if not rule.is_last_resort}
    held = [chosen, *(rule for rule in others if not (rule.is_last_resort and rule.topic in has_better))]
    return Verdict(chosen.state, tuple(Finding(rule.topic, rule.code, rule.values(facts)) for rule in held))


def facts_of(recording: Recording) -> Facts:
    """Return the values of a recording that the rules may look at."""
    activations = CELLS[recording.setup.cell].activated(params_at(recording, 0))
    two_ended = {name: g for name, (_, g) in activations.items() if isfinite(g.high)}
    gates = HARMLESS_AT_1.get(recording.setup.cell, ())
    best = int(np.argmin(np.where(np.isfinite(recording.held_out), recording.held_out, np.inf)))
    return Facts(
        setup=recording.setup,
        made=recording.made,
        overflowed=bool(recording.stopped),
        first=float(recording.held_out[0]),
        last=float(recording.held_out[-1]),
        best=float(recording.held_out[best]),
        best_at=int(recording.updates[best]),
        constant=recording.constant,
        trend=_trend(recording.held_out),
        log_gain=float(recording.gain[-1]),
        saturated={
            name: (float(recording.saturated[name][0]), float(recording.saturated[name][-1])) for name in two_ended
        },
        harmless=frozenset(name for name in gates if _is_mostly_at_1(recording.symbols[name][0], two_ended[name])),
        first_norm=float(recording.norms[0]),
        cut=recording.cut,
        longest_update=recording.longest_update,
    )


def _trend(losses: Array) -> float:
    quarter = len(losses) // 4
    if not quarter or not np.all(losses > 0) or not np.isfinite(losses).all():
        return nan
    logs = np.log(losses)
    return float(np.exp(logs[-quarter:].mean() - logs[-2 * quarter : -quarter].mean()))


def _is_mostly_at_1(gate: Array, g: Activation) -> bool:
    """Whether most of the saturated values of a gate are those near 1."""
    low, high = outputs_at_bounds(g, SATURATED)
    return bool(np.sum(gate > high) > np.sum(gate < low))
