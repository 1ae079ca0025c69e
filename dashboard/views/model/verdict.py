"""The findings on a model as panels: each has a sentence and a link to the panel that proves it."""

from core.model_diagnosis import WARNING, Diagnosis, Finding, Thresholds
from dashboard.drawing.items import Item
from dashboard.drawing.panels import Found, panel
from dashboard.state.parameters import as_text
from dashboard.state.parameters.model import LIMIT_PARAMS
from dashboard.state.state import DEFAULTS, State
from dashboard.text import model_findings as text


def thresholds(state: State) -> Thresholds:
    """Return the thresholds of the URL."""
    return Thresholds(**{field: getattr(state.settings, name) for field, name in LIMIT_PARAMS.items()})


def panels(made: Diagnosis) -> list[Item]:
    """Return the panels of the warnings and of the numbers."""
    warnings = [one for one in made.findings if one.level == WARNING]
    numbers = [one for one in made.findings if one.level != WARNING]
    rules = dict.fromkeys(map(text.rule, warnings))
    return [
        panel(
            text.WARNINGS,
            "",
            alt="",
            callout="" if warnings else text.NOTHING,
            findings=[_found(made, one) for one in warnings],
            exactly=" ".join(rules),
        ),
        panel(text.NUMBERS, "", alt="", findings=[_found(made, one) for one in numbers], folded=True),
    ]


def _found(made: Diagnosis, one: Finding) -> Found:
    """Return a finding whose link shows its layer, its direction, its first unit and its first step."""
    shown = {"shown_layer": one.layer + 1, "shown_direction": text.DIRECTIONS[one.direction]}
    if one.units and one.symbol != "x_t":
        shown["j"] = one.units[0]
    if one.steps:
        shown["shown_step"] = one.steps[0]
    changes = {name: None if value == getattr(DEFAULTS, name) else as_text(value) for name, value in shown.items()}
    return Found(text.of_diagnosis(made, one), text.proof(made, one), changes=changes)
