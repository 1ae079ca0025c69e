"""The verdict on a training: what the numbers of its recording say, as codes and values without any sentence.

`RULES` is a table. Each rule has a topic, a code, a predicate over `Facts` and the values that its sentence needs. The pages
hold one sentence for each code. Of the topic "state" the first rule that holds counts, and of each other topic all that hold.
The rules of the topic "cause" are the signs of `diagnosis`. To say more about a training, add a rule here and its sentence there.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from core.training.measurements import Facts, Finding, Rule, facts_of
from core.training.obstacles import SIGNS, Sign, diagnosed
from core.training.recording import Recording
from core.training.thresholds import DIVERGED, LEARNED, NOTABLY


def _state(code: str, state: str, holds: Callable[[Facts], bool]) -> Rule:
    return Rule("state", code, lambda facts, _: holds(facts), _losses, state)


def _losses(facts: Facts) -> dict[str, Any]:
    return {
        "first": facts.first,
        "last": facts.last,
        "left": facts.last / facts.first,
        "constant": facts.constant,
        "stopped_at": facts.stopped_at,
    }


def _is_clipped_mostly(facts: Facts) -> bool:
    return facts.made > 0 and facts.setup.clip == "norm" and facts.is_cut_mostly


def _clip(facts: Facts) -> dict[str, Any]:
    return {"at": facts.setup.clip_at, "cut": facts.cut, "made": facts.made}


def _grown(code: str, holds: Callable[[str], bool]) -> Rule:
    return Rule(
        "growth",
        code,
        lambda facts, state: state == "learned" and bool(facts.grown) and holds(facts.setup.task),
        lambda facts: {"grown": facts.grown},
    )


STATE_RULES = (
    _state("untrained", "untrained", lambda facts: facts.made == 0 and not facts.overflowed),
    _state("overflowed-at-first", "diverged", lambda facts: facts.overflowed and facts.made == 0),
    _state("overflowed", "diverged", lambda facts: facts.overflowed),
    _state("grew", "diverged", lambda facts: facts.last > DIVERGED * max(facts.first, facts.constant)),
    _state("learned", "learned", lambda facts: facts.last < LEARNED * min(facts.first, facts.constant)),
    _state("below-constant", "learning", lambda facts: facts.last < NOTABLY * min(facts.first, facts.constant)),
    _state("falling", "learning", lambda facts: facts.last < NOTABLY * facts.first and facts.is_falling),
    _state("fell", "still", lambda facts: facts.last < NOTABLY * facts.first and facts.last * NOTABLY > facts.constant),
    _state("constant", "still", lambda facts: facts.last < NOTABLY * facts.first),
    _state("still", "still", lambda facts: True),
)
CLIP_RULES = (
    Rule("clip", "none", lambda facts, _: facts.setup.clip == "none"),
    Rule("clip", "norm", lambda facts, _: facts.setup.clip == "norm", _clip),
    Rule("clip", "value", lambda facts, _: facts.setup.clip == "value", _clip),
    Rule("clip", "sets-length", lambda facts, _: _is_clipped_mostly(facts) and facts.is_scale_invariant is False),
    Rule("clip", "undone", lambda facts, _: _is_clipped_mostly(facts) and facts.is_scale_invariant is True),
)
GROWTH_RULES = (
    _grown("grown-to-keep", lambda task: task == "echo"),
    _grown("grown-to-switch", lambda task: task == "parity"),
    _grown("grown", lambda task: task not in ("echo", "parity")),
)
RULES = (*STATE_RULES, *SIGNS, *CLIP_RULES, *GROWTH_RULES)
STATES = tuple(dict.fromkeys(rule.state for rule in STATE_RULES))


class Verdict(NamedTuple):
    """The findings on a training.

    Attributes
    ----------
    state : str
        One of STATES: whether it has learned.
    findings : tuple of Finding
        In the order of RULES, so those of the topic "cause" have the worst first.
    """

    state: str
    findings: tuple[Finding, ...]

    def of(self, *topics: str) -> list[Finding]:
        """Return the findings on some topics."""
        return [finding for finding in self.findings if finding.topic in topics]

    @property
    def named(self) -> tuple[str, ...]:
        """The codes of what stands in the way, worst first; of a training that has learned or is not trained, its state."""
        return tuple(finding.code for finding in self.of("cause")) or (self.state,)


def helped(before: Recording, after: Recording) -> str:
    """Return whether a change of a training setup helped.

    Returns
    -------
    {"learned", "better", "no better"}
        "better" if the changed training has not learned, but its last loss is notably lower.
    """
    if verdict(after).state == "learned":
        return "learned"
    return "better" if after.held_out[-1] < NOTABLY * before.held_out[-1] else "no better"


def verdict(recording: Recording) -> Verdict:
    """Return the verdict on a training, which follows from its recording alone."""
    facts = facts_of(recording)
    chosen = next(rule for rule in STATE_RULES if rule.holds(facts, ""))
    others = [rule for rule in (*CLIP_RULES, *GROWTH_RULES) if rule.holds(facts, chosen.state)]
    held: list[Rule | Sign] = [chosen, *diagnosed(facts, chosen.state), *others]
    return Verdict(chosen.state, tuple(Finding(rule.topic, rule.code, rule.values(facts)) for rule in held))
