"""The sentences on a training: one for each code of `core.training.RULES`, and how its values are written."""

from collections.abc import Callable, Mapping
from typing import Any

from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.numerals import number
from core.training import Finding, Recording, TrainingSetup, Verdict
from dashboard.text import words

# The words beside the name of a training, by its state.
STATES = {
    "untrained": "not trained",
    "diverged": "has diverged",
    "learned": "has learned",
    "learning": "is learning",
    "still": "has not learned",
}
# By topic and code of the rule.
SENTENCES: dict[str, dict[str, str]] = {
    "state": {
        "untrained": "It has not been trained yet.",
        "overflowed": "It has diverged: after {made} updates its numbers overflowed.",
        "grew": "It has diverged: its loss grew from {first} to {last}.",
        "learned": "It has learned: its loss is {left} % of what it was.",
        "below-constant": "It is learning: its loss of {last} is below the {constant} of the best constant answer, but not yet far below.",
        "falling": "It is learning: its loss fell from {first} to {last} and is still falling.",
        "fell": "It has not learned: its loss fell from {first} to {last}, but the best constant answer has {constant}.",
        "constant": "It has not learned: its loss fell from {first} to {last}, which is about the {constant} of the best constant answer.",
        "still": "It has not learned: its loss is {left} % of what it was.",
    },
    "cause": {
        "overflow-at-once": "They overflow before the first update, so only a smaller scale or a shorter sequence can help.",
        "overflow-unclipped": "Try clipping, a smaller learning rate or a smaller scale.",
        "overflow-clipped": "Clipping did not prevent this. Try a smaller learning rate or a smaller scale.",
        "grown-to-keep": "On the way the saturated fraction grew, of {grown}. Inputs hardly change a value on a flat end, so such values keep the first bit.",
        "grown-to-switch": "On the way the saturated fraction grew, of {grown}. Parity needs states that are far apart, to switch between.",
        "grown": "On the way the saturated fraction grew, of {grown}.",
        "forget-gate-shut": "Its forget bias of {bias} alone saturates f_t at 0, so c is forgotten at every step. Take a forget bias from 0 on.",
        "saturated-at-start": "{fraction} of {activation} was saturated before the first update. There hardly any gradient comes back. Try a smaller scale.",
        "vanishing": "Its gain from the last step back to the first is {gain}: the first step hardly hears of the last step’s loss.",
        "try-forget-bias": "A larger forget bias than {bias}, up to about 5, opens the way along c.",
        "try-orthogonal": "Try orthogonal weights with scale 1, which keep the norm of a gradient better.",
        "exploding": "Its gain from the last step back to the first is {gain}: the gradient explodes on its way. Try a smaller scale.",
        "clip-sets-length": "The clip at {at} shortened {cut} of {made} gradients, so it sets how far the updates go. Try a larger clip or more updates.",
        "hardly-moves": "Its weights hardly move: their largest update-to-weight ratio is {ratio}. Try a larger learning rate.",
        "was-lower": "Its loss was lower before: {best} after {best_at} updates. Try a smaller learning rate.",
        "try-smaller-rate": "Try a smaller learning rate.",
        "no-cause": "Its numbers point to no cause. It may need more updates, more units or another learning rate.",
    },
    "clip": {
        "none": "Nothing is clipped here.",
        "norm": "Here a gradient with a norm above {at} is shortened to that norm and keeps its direction: {cut} of {made} updates were shortened.",
        "value": "Here each entry beyond ±{at} is set to that bound, which may also turn the gradient.",
        "sets-length": "It shortens most of them, so the clip and no longer the gradient sets how far SGD goes.",
        "undone": "It shortens most of them, but Adam divides by the usual size of each entry and undoes most of that. What the clip still changes is how much one update counts against another.",
    },
}


def state_of(name: str, verdict: Verdict) -> str:
    """Return the name of a training with its state, for a legend."""
    return f"{name}: {STATES[verdict.state]}"


def told(film: Recording, findings: list[Finding]) -> str:
    """Return the sentences on findings, joined by spaces.

    Parameters
    ----------
    film : Recording
        The recording that the findings are about.
    findings : list of Finding

    Returns
    -------
    str
    """
    return " ".join(sentence(film.setup, finding) for finding in findings)


def sentence(recipe: TrainingSetup, finding: Finding) -> str:
    """Return the sentence on a finding with its values.

    Parameters
    ----------
    recipe : TrainingSetup
    finding : Finding

    Returns
    -------
    str
    """
    return SENTENCES[finding.topic][finding.code].format_map(written(recipe, finding.values))


def written(recipe: TrainingSetup, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a finding as texts."""

    def activation(name: str) -> str:
        return symbol_of(CELLS[recipe.cell], name)

    def grown(all_grown: tuple[tuple[str, float, float], ...]) -> str:
        return words.listed(f"{activation(name)} from {start:.0%} to {end:.0%}" for name, start, end in all_grown)

    ways: dict[str, Callable[[Any], str]] = {
        "activation": activation,
        "grown": grown,
        "fraction": lambda value: f"{value:.0%}",
        "left": lambda value: f"{100 * value:.3g}".replace("-", "−"),
        "at": lambda value: f"{value:g}",
        "bias": lambda value: f"{value:g}".replace("-", "−"),
        "gain": lambda value: words.gain(value, 0),
        "made": str,
        "cut": str,
        "best_at": str,
    }
    return {name: ways.get(name, lambda value: number(value, 3))(value) for name, value in values.items()}


# The progress bar of a training that is being made.
PROGRESS = "Training: {} of {} updates"
BEFORE_ONE = "1 other training is before yours."
BEFORE_SEVERAL = "{} other trainings are before yours."


def progress(made: int, total: int, before: int) -> str:
    """Return the text beside the progress bar.

    Parameters
    ----------
    made, total : int
        Updates.
    before : int
        How many other trainings come first.

    Returns
    -------
    str
    """
    others = BEFORE_ONE if before == 1 else BEFORE_SEVERAL.format(before)
    return PROGRESS.format(made, total) + (f". {others}" if before else "")
