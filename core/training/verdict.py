"""The verdict on a training: what the numbers of its recording say, as codes and values without any sentence.

`RULES` is a table. Each rule has a topic, a code, a predicate over `Measurements` and the values that its sentence needs. The pages
hold one sentence for each code. Of the topic "state" the first rule that holds counts, and of each other topic all that hold.
The rules of the topic "cause" are those of `obstacles`. To say more about a training, add a rule here and its sentence there.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from core.training.finding import FindingRule, TrainingFinding
from core.training.measurements import Measurements, measure, typical_loss
from core.training.obstacles import MORE_UNITS, OBSTACLES, Obstacle, obstacles_in
from core.training.recording import Recording
from core.training.thresholds import DIVERGED, LEARNED, NOTABLY_LOWER


def _state(code: str, state: str, holds: Callable[[Measurements], bool]) -> FindingRule:
    return FindingRule("state", code, lambda measured, _: holds(measured), _losses, state)


def _losses(measured: Measurements) -> dict[str, Any]:
    return {
        "first": measured.first,
        "last": measured.last,
        "left": measured.last / measured.first,
        "constant": measured.constant,
        "stopped_at": measured.stopped_at,
        "typical": measured.typical,
        "typical_over": measured.typical_over,
    }


def _is_below(loss: float, measured: Measurements) -> bool:
    """Whether a loss is notably below the first one and that of the best constant prediction."""
    return loss < NOTABLY_LOWER * min(measured.first, measured.constant)


def _is_clipped_mostly(measured: Measurements) -> bool:
    return measured.updates_made > 0 and measured.setup.clip == "norm" and measured.is_mostly_clipped


def _clip(measured: Measurements) -> dict[str, Any]:
    return {"at": measured.setup.clip_at, "cut": measured.clipped_updates, "made": measured.updates_made}


def _grown(code: str, holds: Callable[[str], bool]) -> FindingRule:
    return FindingRule(
        "growth",
        code,
        lambda measured, state: state == "learned" and bool(measured.grown) and holds(measured.setup.task),
        lambda measured: {"grown": measured.grown},
    )


STATE_RULES = (
    _state("untrained", "untrained", lambda measured: measured.updates_made == 0 and not measured.overflowed),
    _state("overflowed-at-first", "diverged", lambda measured: measured.overflowed and measured.updates_made == 0),
    _state("overflowed", "diverged", lambda measured: measured.overflowed),
    _state(
        "grew",
        "diverged",
        lambda measured: min(measured.last, measured.typical) > DIVERGED * max(measured.first, measured.constant),
    ),
    _state("learned", "learned", lambda measured: measured.last < LEARNED * min(measured.first, measured.constant)),
    _state(
        "below-constant",
        "learning",
        lambda measured: _is_below(measured.last, measured) and _is_below(measured.typical, measured),
    ),
    # The last loss alone is high by chance, or low.
    _state("mostly-below-constant", "learning", lambda measured: _is_below(measured.typical, measured)),
    _state(
        "falling", "learning", lambda measured: measured.last < NOTABLY_LOWER * measured.first and measured.is_falling
    ),
    _state("low-by-chance", "still", lambda measured: _is_below(measured.last, measured)),
    _state(
        "fell",
        "still",
        lambda measured: (
            measured.last < NOTABLY_LOWER * measured.first and measured.last * NOTABLY_LOWER > measured.constant
        ),
    ),
    _state("constant", "still", lambda measured: measured.last < NOTABLY_LOWER * measured.first),
    _state("still", "still", lambda measured: True),
)
CLIP_RULES = (
    FindingRule("clip", "none", lambda measured, _: measured.setup.clip == "none"),
    FindingRule("clip", "norm", lambda measured, _: measured.setup.clip == "norm", _clip),
    FindingRule("clip", "value", lambda measured, _: measured.setup.clip == "value", _clip),
    FindingRule(
        "clip", "sets-length", lambda measured, _: _is_clipped_mostly(measured) and measured.is_scale_invariant is False
    ),
    FindingRule(
        "clip", "undone", lambda measured, _: _is_clipped_mostly(measured) and measured.is_scale_invariant is True
    ),
)
GROWTH_RULES = (
    _grown("grown-to-keep", lambda task: task == "echo"),
    _grown("grown-to-switch", lambda task: task == "parity"),
    _grown("grown", lambda task: task not in ("echo", "parity")),
)
RULES = (*STATE_RULES, *OBSTACLES, MORE_UNITS, *CLIP_RULES, *GROWTH_RULES)
STATES = tuple(dict.fromkeys(rule.state for rule in STATE_RULES))


class Verdict(NamedTuple):
    """The findings on a training.

    Attributes
    ----------
    state : str
        One of STATES: whether it has learned.
    findings : tuple of TrainingFinding
        In the order of RULES, so those of the topic "cause" have the worst first.
    """

    state: str
    findings: tuple[TrainingFinding, ...]

    def of(self, *topics: str) -> list[TrainingFinding]:
        """Return the findings on some topics."""
        return [finding for finding in self.findings if finding.topic in topics]

    @property
    def named(self) -> tuple[str, ...]:
        """The codes of what stands in the way, worst first; without any, such as of a training that has learned, its state."""
        return tuple(finding.code for finding in self.of("cause")) or (self.state,)


def helped(before: Recording, after: Recording) -> str:
    """Return whether a change of a training setup helped.

    Returns
    -------
    {"learned", "better", "no better", "untrained", "interrupted"}
        "better" if the changed training has not learned, but its losses at the end are notably lower.
    """
    if (state := verdict(after).state) in ("learned", "untrained"):
        return state
    if after.is_interrupted:
        return "interrupted"
    return "better" if all(_is_notably_lower(before, after)) else "no better"


def ends_of(before: Recording, after: Recording) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the last losses of two trainings, and the medians of their losses near the end."""
    return (
        (float(before.validation_loss[-1]), float(after.validation_loss[-1])),
        (typical_loss(before), typical_loss(after)),
    )


def differs_in_median(before: Recording, after: Recording) -> bool:
    """Whether the last losses and their medians differ in whether the second training is notably better."""
    of_last, of_medians = _is_notably_lower(before, after)
    return of_last != of_medians


def _is_notably_lower(before: Recording, after: Recording) -> list[bool]:
    return [changed < NOTABLY_LOWER * own for own, changed in ends_of(before, after)]


def verdict(recording: Recording) -> Verdict:
    """Return the verdict on a training, which follows from its recording alone."""
    measured = measure(recording)
    chosen = next(rule for rule in STATE_RULES if rule.holds(measured, ""))
    others = [rule for rule in (*CLIP_RULES, *GROWTH_RULES) if rule.holds(measured, chosen.state)]
    held: list[FindingRule | Obstacle] = [chosen, *obstacles_in(measured, chosen.state), *others]
    return Verdict(chosen.state, tuple(TrainingFinding(rule.topic, rule.code, rule.values(measured)) for rule in held))
