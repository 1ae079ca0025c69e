"""The form of a rule, and the registry of the diagnoses.

A diagnosis reads the facts from a message of one kind and names a table of rules. Each rule of the table that applies to the
facts is a possible cause. The sentences stand elsewhere, by the codes of the reasons.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from core.shapes.explanation import Cause, Fit, Statement
from core.shapes.layer_shapes import GivenSizes, LayerSizes, Shape, filled, value_of
from core.shapes.messages import Reading


class Facts(SimpleNamespace):
    """The values that a message states and those that follow from them, by the names that rules use."""


def always(facts: Facts) -> bool:
    return True


def never(facts: Facts) -> bool:
    return False


def nothing(facts: Facts) -> dict[str, Shape]:
    return {}


class Reason(NamedTuple):
    """A reason for a cause: the code of its sentence, its placeholders, and when it holds.

    Attributes
    ----------
    values : mapping from str to str or callable
        For each placeholder the name of a fact, or of an entry or an attribute of it such as ``got[-1]`` and ``gates.name``, or a
        function of the facts.
    """

    code: str
    values: Mapping[str, str | Callable[[Facts], Any]]
    when: Callable[[Facts], bool] = always

    def statement(self, facts: Facts) -> Statement:
        """Return the sentence with its values."""
        known = vars(facts)
        return Statement(
            self.code,
            {
                name: value_of(value, known) if isinstance(value, str) else value(facts)
                for name, value in self.values.items()
            },
        )


def reason(
    code: str, *names: str, when: Callable[[Facts], bool] = always, **values: str | Callable[[Facts], Any]
) -> Reason:
    """Return a sentence whose placeholders are facts of the same name, or `values`."""
    return Reason(code, {name: name for name in names} | values, when)


class Rule(NamedTuple):
    """A possible cause.

    Attributes
    ----------
    mistake : str
        One of `core.shapes.explanation.MISTAKES`.
    fit : Fit or callable
    why : tuple of Reason
    change : str or callable
        The changed line; the placeholders of a string are facts, or entries of them.
    when : callable
        Whether the rule applies.
    conform : callable
        The shapes that would conform.
    is_own : callable
        Whether the changed line has the reader's names already.
    """

    mistake: str
    fit: Fit | Callable[[Facts], Fit]
    why: tuple[Reason, ...]
    change: str | Callable[[Facts], str]
    when: Callable[[Facts], bool] = always
    conform: Callable[[Facts], Mapping[str, Shape]] = nothing
    is_own: Callable[[Facts], Any] = never

    def cause(self, facts: Facts) -> Cause:
        """Return the cause with the values of the facts."""
        change = filled(self.change, vars(facts)) if isinstance(self.change, str) else self.change(facts)
        return Cause(
            self.mistake,
            self.fit if isinstance(self.fit, Fit) else self.fit(facts),
            tuple(one.statement(facts) for one in self.why if one.when(facts)),
            change,
            self.conform(facts),
            change if self.is_own(facts) else "",
        )


Rules = tuple[Rule, ...]


def _is_first(rules: Rules, facts: Facts) -> bool:
    """Whether the last of these rules applies, and none before it."""
    *before, rule = rules
    return not any(one.when(facts) for one in before) and rule.when(facts)


def first_of(*rules: Rule) -> Rules:
    """Return rules of which only the first that applies is a cause."""
    return tuple(rule._replace(when=partial(_is_first, rules[: at + 1])) for at, rule in enumerate(rules))


def causes_of(rules: Iterable[Rule], facts: Facts) -> list[Cause]:
    """Return the causes that apply, in the order of the table."""
    return [rule.cause(facts) for rule in rules if rule.when(facts)]


class Diagnosis(NamedTuple):
    """The facts of a message, and the rules for them.

    Attributes
    ----------
    operation : str or Statement
        The operation that failed; a text is the code of a statement without placeholders.
    facts : Facts
    rules : Rule or tuple of Rule
    sizes, notes, layer, given, product
        As in an Explanation.
    """

    operation: str | Statement
    facts: Facts
    rules: Rule | Rules
    sizes: Mapping[str, int] = {}
    notes: tuple[Statement, ...] = ()
    layer: LayerSizes | None = None
    given: GivenSizes | None = None
    product: tuple[Shape, Shape] | None = None

    @property
    def statement(self) -> Statement:
        """The statement of the operation."""
        return Statement(self.operation) if isinstance(self.operation, str) else self.operation

    @property
    def table(self) -> Rules:
        """The rules, also if it is one."""
        return (self.rules,) if isinstance(self.rules, Rule) else self.rules

    @property
    def causes(self) -> list[Cause]:
        return causes_of(self.table, self.facts)


def first_found(among: Iterable[Callable[..., Diagnosis | None]], *given: Any) -> Diagnosis | None:
    """Return what the first of these functions gives that returns a diagnosis; None if none does."""
    return next(filter(None, (one(*given) for one in among)), None)


Diagnose = Callable[[Reading], Diagnosis]

# By the kind of a message pattern. The modules of rules register themselves.
DIAGNOSES: dict[str, Diagnose] = {}


def diagnoses(kind: str) -> Callable[[Diagnose], Diagnose]:
    """Register the diagnosis of a kind of message."""

    def register(diagnose: Diagnose) -> Diagnose:
        if kind in DIAGNOSES:
            raise ValueError(f"{kind} has a diagnosis already.")
        DIAGNOSES[kind] = diagnose
        return diagnose

    return register


def rules_of(
    kind: str,
    operation: str,
    *rules: Rule,
    facts: Callable[[Reading], Mapping[str, Any]] | None = None,
    sizes: Mapping[str, str] = {},
    notes: tuple[Statement, ...] = (),
) -> Rules:
    """Return the rules of a kind of message that one table explains, and register its diagnosis.

    Parameters
    ----------
    kind, operation : str
    *rules : Rule
    facts : callable, optional
        The facts beside those that the message states, which have the names in its wording.
    sizes : mapping from str to str
        For each size of the Explanation the name of its fact.
    notes : tuple of Statement
    """

    @diagnoses(kind)
    def diagnose(reading: Reading) -> Diagnosis:
        known = {**reading.stated, **(facts(reading) if facts else {})}
        return Diagnosis(operation, Facts(**known), rules, {size: known[fact] for size, fact in sizes.items()}, notes)

    return rules
