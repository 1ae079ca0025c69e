"""Functions that make the rules of a fit: ``sure("unbatched", ...)`` is ``Rule("unbatched", Fit.SURE, ...)``."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, filled
from core.shapes.rules.rule import Facts, Reason, Rule, always, never, nothing, reason


class RuleMaker(NamedTuple):
    """Makes rules of one fit: ``sure("unbatched", ...)`` is ``Rule("unbatched", Fit.SURE, ...)``."""

    fit: Fit

    def __call__(
        self,
        mistake: str,
        why: str | Reason | tuple[Reason, ...],
        change: str | Callable[[Facts], str] = "",
        when: Callable[[Facts], bool] | None = None,
        conform: Callable[[Facts], Mapping[str, Shape]] = nothing,
        is_own: Callable[[Facts], Any] = never,
        *,
        own: str = "",
        note: str = "",
    ) -> Rule:
        """Return the rule.

        Parameters
        ----------
        mistake, change, when, conform, is_own
            As in a `Rule`.
        why : str, Reason or tuple of Reason
            A text is the code of one reason without placeholders.
        own : str
            The fact with the reader's own line, changed. The rule advises it in the place of `change` if it is there; a rule
            without `change` and `when` applies if it is there.
        note : str
            The comment behind either line.
        """
        if isinstance(why, str):
            why = reason(why)
        reasons = (why,) if isinstance(why, Reason) else why
        if own:
            is_own = attrgetter(own)
            when = when or (always if change else is_own)
            change = _own_or(own, change, note)
        return Rule(mistake, self.fit, reasons, change, when or always, conform, is_own)


def _own_or(own: str, change: str | Callable[[Facts], str], note: str) -> Callable[[Facts], str]:
    """Return what gives the reader's own line if there is one, else the other line; both with the comment."""

    def line(facts: Facts) -> str:
        known = vars(facts)
        code = known[own] or (filled(change, known) if isinstance(change, str) else change(facts))
        return f"{code}   # {filled(note, known)}" if note else code

    return line


sure, strong, likely, plausible = map(RuleMaker, (Fit.SURE, Fit.STRONG, Fit.LIKELY, Fit.PLAUSIBLE))
possible, weak, remote = map(RuleMaker, (Fit.POSSIBLE, Fit.WEAK, Fit.REMOTE))


def other_index(
    mistake: str, meet: Reason, why: str, indexed: str, when: Callable[[Facts], bool] | None = None
) -> Rule:
    """Return the rule for a line of the reader's with another index.

    Parameters
    ----------
    mistake : str
    meet : Reason
        Which shapes meet.
    why : str
        The code of a reason with the name of the array.
    indexed : str
        The fact with the line and the name of the array.
    when : callable, optional
        The rule applies if the fact is there, unless this says when.
    """
    reasons = (meet, reason(why, name=f"{indexed}.name"))
    return sure(mistake, reasons, f"{{{indexed}.line}}", when or attrgetter(indexed), is_own=always)
