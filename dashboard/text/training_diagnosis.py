"""The sentences on findings of a training: one for each code of `core.training.RULES`, and the change to try for each sign."""

from collections.abc import Callable, Mapping
from math import inf, log10
from typing import Any

from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.training import SIGN_OF, Finding, Recording, TrainingSetup
from dashboard.text import training, words

# The panels that prove a finding, by `proof` of its sign.
PROOFS = {
    "loss": training.LOSS,
    "gain": training.GAIN,
    "ratio": training.RATIO,
    "norm": training.NORM,
    "saturated": training.SATURATED,
    "maps": training.MAPS,
}
# By topic and code of the rule.
SENTENCES: dict[str, dict[str, str]] = {
    "state": {
        "untrained": "It has not been trained yet.",
        "overflowed-at-first": "It has diverged. The page stopped it at the first update, because its numbers became too large.",
        "overflowed": "It has diverged. The page stopped it at update {stopped_at}, because its numbers became too large.",
        "grew": "It has diverged. Its loss grew from {first} to {last}.",
        "learned": "It has learned. Its loss fell from {first} to {last}.",
        "below-constant": "It is learning. Its loss is {last}, and the best constant answer has {constant}.",
        "falling": "It is learning. Its loss fell from {first} to {last} and is still falling.",
        "fell": "It has not learned. Its loss fell from {first} to {last}, but the best constant answer has {constant}.",
        "constant": "It has not learned. Its loss fell from {first} to {last}, and the best constant answer has about the same, {constant}.",
        "still": "It has not learned. Its loss was {first} at the start, and it is {last} at the end.",
    },
    "cause": {
        "overflow-at-once": "The numbers overflow before the first update, because the weights of scale {scale} make h_t grow at every step.",
        "overflow-unclipped": "At update {stopped_at} the numbers became too large. The first gradient has a norm of {norm}, and nothing clips it.",
        "overflow": "At update {stopped_at} the numbers became too large, because the learning rate of {rate} is too large.",
        "alike": "At the start, the largest difference between two hidden units in h_t is {unlike}. Equal units get equal gradients, so they learn the same.",
        "forget-gate-shut": "The forget bias of {bias} alone saturates f_t at 0, so c_t forgets everything at every step.",
        "saturated-at-start": "{fraction} of {activation} was saturated before the first update, because the weights are large. Almost no gradient reaches the weights behind such values.",
        "small-start": "The weights of scale {scale} are too small. At the start, the gain from the last step back to the first was {gain} over {T} steps.",
        "grew": "The learning rate of {rate} is too large: the loss grew from {first} to {last}.",
        "jumps": "The learning rate of {rate} is too large: one update changed a matrix by {ratio} times its norm.",
        "exploding": "{gain_at} the gradient explodes over {T} steps: its gain from the last step back to the first is {gain}.",
        "clip-decides": "Clipping at {at} shortened {cut} of {made} gradients, so the updates stay small.",
        "entry-clip-decides": "Clipping each entry at ±{at} left less than half of the gradient's norm in {part} of the updates on the charts. So the updates stay small.",
        "hardly-moves": "The learning rate of {rate} is too small: a usual update changes a matrix by only {ratio} times its norm.",
        "flat-activation": "The derivative of the activation of h_t is at most {derivative}, and that of tanh is at most 1. {gain_at} the gradient vanishes over {T} steps: its gain is {gain}. Orthogonal weights of scale 1 do not shrink it further.",
        "vanishing": "{gain_at} the gradient vanishes over {T} steps: its gain from the last step back to the first is {gain}. The last step's loss hardly reaches the first step.",
        "was-lower": "The loss was lower before: {best} after update {best_at}, and {last} at the end. A lower learning rate with more updates may reach as low a loss, with smaller jumps.",
        "still-falling": "There are too few updates: after {made}, the loss is {last} and still falling.",
        "creeps": "The loss is lowest at the end: it is {last} after update {made}. The learning rate of {rate} is low: a usual update changes a matrix by {ratio} times its norm. So the training may only be slow.",
        "not-yet": "After update {made} the loss is {last}, and the best constant answer has {constant}. The gap is still small. More hidden units may help too.",
        "constant": "The loss is not clearly below {constant}, that of the best constant answer. No other reason was found, so the task may be too hard. First try fewer time steps. More hidden units may help too.",
    },
    "growth": {
        "grown-to-keep": "During the training the saturated fraction grew: {grown}. One input hardly changes a saturated value, so such values keep the first bit.",
        "grown-to-switch": "During the training the saturated fraction grew: {grown}. Parity needs states that are far apart, to switch between.",
        "grown": "During the training the saturated fraction grew: {grown}.",
    },
    "clip": {
        "none": "Nothing is clipped here.",
        "norm": "Here a gradient with a norm above {at} is shortened to that norm and keeps its direction: {cut} of {made} gradients were shortened.",
        "value": "Here each entry beyond ±{at} is set to that bound, which may also change the gradient's direction.",
        "sets-length": "Most gradients are shortened, so the clipping threshold sets the size of the updates of SGD.",
        "undone": "Most gradients are shortened, but Adam divides each entry by its usual size and so undoes most of this. Clipping still changes the size of one update compared with another.",
    },
}

# When a gain was measured.
BEFORE_UPDATES, AFTER_UPDATE = "Before the first update", "After update {update}"

# What a change makes of a training setup, by the fields that it changes.
CHANGES = {
    ("g", "init", "scale"): "Try {g}, with {init} weights of scale {scale}",
    ("init", "scale"): "Try {init} weights, scale {scale}",
    ("forget_bias",): "Try forget bias {forget_bias}",
    ("clip", "clip_at"): "Try clipping at {clip_at}",
    ("clip_at",): "Try clipping at {clip_at}",
    ("rate",): "Try learning rate {rate}",
    ("rate", "updates"): "Try learning rate {rate}, {updates} updates",
    ("updates",): "Try {updates} updates",
    ("T",): "Try {T} time steps",
}


def change(changes: Mapping[str, Any]) -> str:
    """Return the label of a change.

    Parameters
    ----------
    changes : mapping from str to object
        The changed fields of `TrainingSetup`, and their new values.
    """
    return CHANGES[tuple(changes)].format_map({name: words.plain(value) for name, value in changes.items()})


# The result of a change, by the state of the changed training.
TRIES = {
    "untrained": "With {name}, it has not been trained yet.",
    "diverged": "With {name}, it diverges. Click “Keep {name}” to see the next change to try.",
    "learned": "With {name}, it learns: {numbers}.",
    "learning": "With {name}, it is still learning: {numbers}. Click “Keep {name}” to see the next change to try.",
    "still": "With {name}, it does not learn: {numbers}. Click “Keep {name}” to see the next change to try.",
}
# The sentence after a finding whose change was tried, by the result of `core.training.helped`.
TRIED = {
    "learned": "",
    "better": "The change was tried and helped, but not enough: {numbers}.",
    "no better": "The change was tried and did not clearly help: {numbers}.",
}
LOSSES = "loss {after} instead of {before}"
LOSSES_ALIKE = "loss {after}, as without it"


def try_of(name: str, state: str, before: Recording, after: Recording) -> str:
    """Return the result of a change that was tried.

    Parameters
    ----------
    name : str
        Of the changed training.
    state : str
        Its state, one of `core.training.STATES`.
    before, after : Recording
        Without and with the change.
    """
    return TRIES[state].format(name=name, numbers=compared(before, after))


def compared(before: Recording, after: Recording) -> str:
    """Return the last losses of two trainings, which decide whether a change helped."""
    texts = [words.in_sentence(float(made.held_out[-1]), 3) for made in (before, after)]
    sentence = LOSSES_ALIKE if texts[0] == texts[1] else LOSSES
    return sentence.format(before=texts[0], after=texts[1])


# By whether the number of a finding is below its threshold, and whether the threshold has a source.
THRESHOLDS = {
    (True, True): "{name}: below {threshold} ({source}).",
    (True, False): "{name}: below {threshold}, a convention of this page.",
    (False, True): "{name}: above {threshold} ({source}).",
    (False, False): "{name}: above {threshold}, a convention of this page.",
}
# The rule of the finding without a threshold.
LAST_RESORT = "The page gives this reason only if it finds no other one."
# What the number of a finding is, by its name.
NUMBERS = {
    "derivative": "Maximum derivative of the activation",
    "undone": "Updates that were not made",
    "unlike": "Largest difference between two units",
    "bias": "Forget bias",
    "fraction": "Saturated fraction",
    "times": "Last loss, divided by the first or the best constant answer's",
    "ratio": "Update-to-weight ratio",
    "gain": "Log₁₀ of the gain",
    "per_step": "Log₁₀ of the gain of one step, before the first update",
    "norm": "Norm of the first gradient",
    "part": "Fraction of clipped updates",
    "of_best": "Last loss, divided by the lowest",
    "trend": "Loss over the last quarter of the updates, divided by the loss over the quarter before it",
    "of_constant": "Last loss, divided by the best constant answer's",
}


def threshold(finding: Finding) -> str:
    """Return the threshold of a finding of the topic "cause", with its source."""
    sign = SIGN_OF[finding.code]
    if sign.is_last_resort and not sign.threshold:
        return LAST_RESORT
    name = NUMBERS[sign.number]
    sentence = THRESHOLDS[sign.is_below, bool(sign.source)]
    return sentence.format(name=name, threshold=words.in_sentence(sign.threshold, 3), source=sign.source)


def findings(recording: Recording, found: list[Finding]) -> str:
    """Return the sentences on findings, joined by spaces.

    Parameters
    ----------
    recording : Recording
        The recording that the findings are about.
    found : list of Finding

    Returns
    -------
    str
    """
    return " ".join(sentence(recording.setup, finding) for finding in found)


def sentence(setup: TrainingSetup, finding: Finding) -> str:
    """Return the sentence on a finding with its values.

    Parameters
    ----------
    setup : TrainingSetup
    finding : Finding

    Returns
    -------
    str
    """
    return SENTENCES[finding.topic][finding.code].format_map(written(setup, finding.values))


def written(setup: TrainingSetup, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a finding as texts."""

    def activation(name: str) -> str:
        return symbol_of(CELLS[setup.cell], name)

    def grown(all_grown: tuple[tuple[str, float, float], ...]) -> str:
        return words.listed(
            f"{activation(name)} from {words.percentage(start)} to {words.percentage(end)}"
            for name, start, end in all_grown
        )

    ways: dict[str, Callable[[Any], str]] = {
        "activation": activation,
        "grown": grown,
        "fraction": words.percentage,
        "part": words.percentage,
        "at": lambda value: f"{value:g}",
        "bias": lambda value: f"{value:g}".replace("-", "−"),
        "gain": lambda value: words.gain(value, 0),
        "gain_at": lambda value: AFTER_UPDATE.format(update=value) if value else BEFORE_UPDATES,
        # With two digits: 5.6·10⁻⁴ must not be 0.001, the usual ratio.
        "ratio": lambda value: words.gain(log10(value) if value else -inf, 0, exact=True),
        "norm": lambda value: words.gain(log10(value), 0),
        "made": str,
        "stopped_at": str,
        "T": str,
        "rate": words.plain,
        "scale": lambda value: f"{value:g}",
        "cut": str,
        "best_at": str,
    }
    return {name: ways.get(name, lambda value: words.in_sentence(value, 3))(value) for name, value in values.items()}
