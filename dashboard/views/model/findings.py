"""The findings on a model as panels: each has a sentence and a link to the panel that proves it."""

from core.model_diagnosis import WARNING, ModelDiagnosis, ModelFinding, Thresholds
from dashboard.drawing.matrices import Item
from dashboard.drawing.panels import FindingLine, panel
from dashboard.state.parameters.model import LIMIT_PARAMS
from dashboard.state.state import State
from dashboard.text import model_findings as text

# Warnings above the drawings: with more, the first screen would have no drawing.
WORST = 3


def thresholds(state: State) -> Thresholds:
    """Return the thresholds of the URL."""
    return Thresholds(**{field: getattr(state.settings, name) for field, name in LIMIT_PARAMS.items()})


def panels(made: ModelDiagnosis, how: str) -> list[Item]:
    """Return the panels of the warnings: that of the worst ones, and a folded one of all others, if there are any.

    Parameters
    ----------
    made : ModelDiagnosis
    how : str
        The code of the input.
    """
    warnings = [one for one in made.findings if one.level == WARNING]
    worst, others = ([_found(made, one) for one in some] for some in (warnings[:WORST], warnings[WORST:]))
    rules = dict.fromkeys(text.rule(one, made.thresholds) for one in warnings)
    # No fault, and yet nobody expects it of a network that was trained.
    untrained = [text.of_diagnosis(made, one) for one in made.findings if one.code == "initial weights"][:1]
    first = panel(
        text.WARNINGS,
        "",
        alt="",
        callout="" if warnings else " ".join([text.nothing(how), *untrained]),
        findings=worst,
        exactly=" ".join(rules),
    )
    if not others:
        return [first]
    return [first, panel(text.MORE.format(count=len(others)), "", alt="", findings=others, folded=True)]


def numbers(made: ModelDiagnosis) -> Item:
    """Return the folded panel of the findings that are no warnings."""
    found = [_found(made, one) for one in made.findings if one.level != WARNING]
    return panel(text.NUMBERS, "", alt="", findings=found, folded=True)


def _found(made: ModelDiagnosis, one: ModelFinding) -> FindingLine:
    """Return a finding whose link shows its layer, its direction, its first unit and its first step."""
    shown = {"shown_layer": one.layer + 1, "shown_direction": text.DIRECTIONS[one.direction]}
    if one.units and one.symbol != "x_t":
        shown["j"] = one.units[0]
    if one.steps:
        shown["shown_step"] = one.steps[0]
    return FindingLine(text.of_diagnosis(made, one), text.proof(made, one), changes=State().patch(shown))
