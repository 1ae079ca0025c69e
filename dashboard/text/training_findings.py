"""The sentences on findings of a training: one for each code of `core.training.RULES`, and the change to try for each obstacle."""

from collections.abc import Callable, Mapping
from math import inf, log10
from typing import Any

from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.training import OBSTACLE_OF, Recording, TrainingFinding, TrainingSetup, differs_in_median, ends_of, helped
from dashboard.text import training, words

# The panels that prove a finding, by `proof` of its obstacle.
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
        "untrained": "The cell has not been trained yet.",
        "overflowed-at-first": "The cell has diverged. The page stopped it at the first update, because its numbers became too large.",
        "overflowed": "The cell has diverged. The page stopped it at update {stopped_at}, because its numbers became too large.",
        "grew": "The cell has diverged. Its validation loss grew from {first} to {last}.",
        "learned": "The cell has learned. Its validation loss fell from {first} to {last}.",
        "below-constant": "The cell has learned a part of the task. Its validation loss is {last}. The best constant prediction, which ignores the input, has a loss of {constant}.",
        "mostly-below-constant": "The cell has learned a part of the task, but its validation loss varies. Its median over the last {typical_over} updates is {typical}, and at the end the loss is {last}. The best constant prediction, which ignores the input, has a loss of {constant}.",
        "falling": "The cell is learning. Its validation loss fell from {first} to {last} and is still falling.",
        "low-by-chance": "The cell has not learned. Its validation loss varies: at the end it is {last}, but its median over the last {typical_over} updates is {typical}. The best constant prediction, which ignores the input, has a loss of {constant}.",
        "fell": "The cell has not learned. Its validation loss fell from {first} to {last}, but the best constant prediction, which ignores the input, has only {constant}.",
        "constant": "The cell has not learned. Its validation loss fell from {first} to {last}. That is not clearly below {constant}, the loss of the best constant prediction, which ignores the input.",
        "still": "The cell has not learned. Its validation loss was {first} at the start, and it is {last} at the end.",
    },
    "cause": {
        "overflow-at-once": "The numbers overflow before the first update, because the weights of scale {scale} make h_t grow at every step.",
        "overflow-unclipped": "At update {stopped_at} the numbers became too large. {norm_at} the gradient had a norm of {norm}, and nothing clips it.",
        "overflow": "At update {stopped_at} the numbers became too large, because the learning rate of {rate} is too large.",
        "alike": "At the start, the largest difference between two hidden units in h_t is {unlike}. Nearly equal units get nearly equal gradients, so they learn the same.",
        "forget-gate-shut": "The forget bias of {bias} alone saturates f_t near 0, so c_t forgets almost everything at every step.",
        "saturated-at-start": "{fraction} of the values of {activation} were saturated before the first update, because the weights are large. The derivative of a saturated value is close to 0, so it passes almost no gradient on.",
        "small-start": "The weights of scale {scale} are too small. At the start, the gain from the last step back to the first was {gain} over {T} steps.",
        "unclipped": "{norm_at} the gradient had a norm of {norm}, and nothing clips it. Such a gradient can move the weights too far in one update.",
        "grew": "The learning rate of {rate} is too large: the loss grew from {first} to {last}.",
        "jumps": "The learning rate of {rate} is too large: the norm of one update was {ratio} times that of its weights.",
        "saturated-by-updates": "The learning rate of {rate} is too large: the updates saturated the cell. The saturated fraction grew most in {grown}. The derivative of a saturated value is close to 0, so the cell hardly learns any more.",
        "dead": "At the end, {inactive} of the values of h_t are inactive, and before the first update {inactive_before} were. An inactive value is 0 and passes no gradient back. Updates that are too large can make units inactive permanently, and a lower learning rate makes updates smaller.",
        "exploding": "{gain_at} the gradient explodes over {T} steps: its gain from the last step back to the first is {gain}.",
        "clip-decides": "{cut} of {made} gradients were clipped at {at}, so the updates stay small.",
        "entry-clip-decides": "Clipping each entry at ±{at} removed more than half of the gradient's norm in {part} of the updates on the charts. So the updates stay small.",
        "hardly-moves": "The learning rate of {rate} is too small: the norm of a usual update is only {ratio} times that of its weights.",
        "flat-activation": "The derivative of the activation of h_t is at most {derivative}, and that of tanh is at most 1. {gain_at} the gradient vanishes over {T} steps: its gain is {gain}. With orthogonal weights of scale 1, only the derivative shrinks the gradient.",
        "vanishing": "{gain_at} the gradient vanishes over {T} steps: its gain from the last step back to the first is {gain}. So almost no gradient of the last step's loss reaches the first step.",
        "was-lower": "The loss was lower before: {best} after update {best_at}, and {last} at the end. With a lower learning rate, the loss jumps less and may become as low again.",
        "still-falling": "There are too few updates: after {made}, the loss is {last} and still falling.",
        "few-updates": "There are too few updates: after {made}, the loss is {last}. A usual training has {threshold} or more, so it is too early to say whether the cell can learn the task.",
        "still-falling-high": "There are too few updates: after {made}, the loss is {last} and still falling. It is not clearly below {constant}, the loss of the best constant prediction, which ignores the input.",
        "creeps": "The loss is lowest at the end: it is {last} after update {made}. The learning rate of {rate} is low: the norm of a usual update is {ratio} times that of its weights. Perhaps the training is just slow.",
        "not-yet": "After update {made} the loss is {last}. That is not yet far below {constant}, the loss of the best constant prediction, which ignores the input.",
        "constant": "The loss is not clearly below {constant}, the loss of the best constant prediction, which ignores the input. No other reason was found, so the task may be too hard for this cell. With fewer time steps it is easier. If the cell then learns, the many steps are the reason.",
        "plateau": "There may also be too few updates: a loss can stay the same for hundreds of updates and then fall. After {made} it is {last}.",
    },
    "suggestion": {
        "more-units": "Something else to try: more hidden units. No number of this training shows whether they would help.",
    },
    "growth": {
        "grown-to-keep": "During the training the saturated fraction grew: {grown}. The cell keeps the first bit in its state (in an LSTM: c_t).",
        "grown-to-switch": "During the training the saturated fraction grew: {grown}. For parity, the cell must switch between states that are far apart.",
        "grown": "During the training the saturated fraction grew: {grown}.",
    },
    "clip": {
        "none": "Nothing is clipped here.",
        "norm": "Here a gradient with a norm above {at} is scaled down to a norm of {at} and keeps its direction. Clipped gradients: {cut} of {made}.",
        "value": "Here each entry beyond ±{at} is set to that bound, which may also change the gradient's direction.",
        "sets-length": "Most gradients are clipped, so the clipping threshold sets the size of the updates of SGD.",
        "undone": "Most gradients are clipped, but Adam divides each entry by its recent size and so undoes most of this. Still, clipping limits how much one very large gradient counts.",
    },
}

# When a gain or a norm was measured.
BEFORE_UPDATES, AFTER_UPDATE = "Before the first update", "After update {update}"

# Changes to a training setup, by the fields that they change.
CHANGES = {
    ("g", "init", "scale"): "{g}, with {init} weights of scale {scale}",
    ("cell", "init", "scale"): "{cell}, with {init} weights of scale {scale}",
    ("init", "scale"): "{init} weights, scale {scale}",
    ("forget_bias",): "forget bias {forget_bias}",
    ("clip", "clip_at"): "clipping at {clip_at}",
    ("clip_at",): "clipping at {clip_at}",
    ("rate",): "learning rate {rate}",
    ("rate", "updates"): "learning rate {rate}, {updates} updates",
    ("updates",): "{updates} updates",
    ("T",): "{T} steps, an easier task",
    ("k",): "{k} hidden units",
}
# The label of the button of a change, before the click and after it.
TRY, TRIED_ALREADY = "Try {change}", "Tried: {change}"


def change(changes: Mapping[str, Any], *, is_tried: bool = False) -> str:
    """Return the label of the button of a change.

    Parameters
    ----------
    changes : mapping from str to object
        The changed fields of `TrainingSetup`, and their new values.
    is_tried : bool
    """
    named = CHANGES[tuple(changes)].format_map({name: words.plain(value) for name, value in changes.items()})
    return (TRIED_ALREADY if is_tried else TRY).format(change=named)


# The result of a change, by the state of the changed training. The reader may have stopped it, or it learns as little as before.
TRIES = {
    "interrupted": "With {name}, you stopped the training after {made} of {updates} updates: {numbers}.",
    "untrained": "With {name}, it has not been trained yet.",
    "diverged": "With {name}, it diverges.",
    "learned": "With {name}, it learns: {numbers}.",
    "learning": "With {name}, it learns only a part of the task: {numbers}.",
    "no better": "With {name}, it does not learn more: {numbers}.",
    "unclear": "With {name}, it is not clear whether it learns more: {numbers}.",
    "still": "With {name}, it does not learn: {numbers}.",
}
# The buttons to click after a try with which the cell has not learned, by their labels.
NEXT, CLICK, THEN = "Next, click {clicks}.", "“{label}”", ", then "
# The sentence after a finding whose change was tried, by the result of `core.training.helped`.
TRIED = {
    "learned": "",
    "interrupted": "The training with the change was stopped, so it is not clear yet whether it helps: {numbers}.",
    "better": "The change was tried and helped, but not enough: {numbers}.",
    "untrained": "",
    "no better": "The change was tried and did not clearly help: {numbers}.",
}
# After the result of a change to fewer steps, with which the cell learns.
EASIER = "Fewer steps change the task and make it easier, so this does not solve your task. It shows only the reason: the gradient must pass back through {T} steps."
# After any other result of such a change.
OTHER_TASK = "The two losses belong to different tasks, because fewer steps make the task easier."
LOSSES = "loss {after} instead of {before}"
LOSSES_ALIKE = "loss {after}, no difference"
# A single loss is low or high by chance.
MEDIANS = "{losses}, but its median near the end is {after} instead of {before}"


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
    code = "interrupted" if after.is_interrupted and state not in ("learned", "untrained") else state
    if code == "learning" and helped(before, after) == "no better":
        code = "unclear" if differs_in_median(before, after) else "no better"
    values = {"made": after.updates_made, "updates": after.setup.updates}
    result = TRIES[code].format(name=name, numbers=compared(before, after), **values)
    if after.setup.T >= before.setup.T or code in ("untrained", "diverged"):
        return result
    return f"{result} {EASIER.format(T=before.setup.T) if code == 'learned' else OTHER_TASK}"


def next_clicks(labels: list[str]) -> str:
    """Return which buttons to click next, by their labels."""
    return NEXT.format(clicks=THEN.join(CLICK.format(label=label) for label in labels))


def compared(before: Recording, after: Recording) -> str:
    """Return the last losses of two trainings, and their medians near the end where these decide otherwise."""
    last, medians = (
        {"before": words.in_sentence(own, 3), "after": words.in_sentence(changed, 3)}
        for own, changed in ends_of(before, after)
    )
    losses = (LOSSES_ALIKE if last["before"] == last["after"] else LOSSES).format_map(last)
    return MEDIANS.format(losses=losses, **medians) if differs_in_median(before, after) else losses


# By whether the number of a finding is below its threshold, and whether the threshold has a source.
THRESHOLDS = {
    (True, True): "{name}: below {threshold} ({source}).",
    (True, False): "{name}: below {threshold}, a convention of this page.",
    (False, True): "{name}: above {threshold} ({source}).",
    (False, False): "{name}: above {threshold}, a convention of this page.",
}
# The rule of the finding without a threshold.
LAST_RESORT = "The page gives this reason only if it finds no other one."
# The quantity behind the number of a finding, by its name.
NUMBERS = {
    "derivative": "Maximum derivative of the activation",
    "undone": "Number of updates that the training did not make",
    "unlike": "Largest difference between two units",
    "bias": "Forget bias",
    "fraction": "Saturated fraction",
    "inactive": "Inactive fraction",
    "growth": "Growth of the saturated fraction",
    "times": "Last loss, divided by the larger of the first loss and the loss of the best constant prediction",
    "ratio": "Update-to-weight ratio",
    "gain": "Log₁₀ of the gain",
    "per_step": "Log₁₀ of the gain of one step, before the first update",
    "norm": "Norm of a gradient",
    "part": "Fraction of clipped updates",
    "of_best": "Last loss, divided by the lowest",
    "updates": "Number of updates",
    "units": "Number of hidden units",
    "trend": "Loss in the last quarter of the updates, divided by that in the third quarter (geometric means)",
    "of_constant": "Last loss, divided by that of the best constant prediction",
}


def threshold(finding: TrainingFinding) -> str:
    """Return the threshold of a finding of the topic "cause", with its source."""
    obstacle = OBSTACLE_OF[finding.code]
    if obstacle.is_last_resort and not obstacle.threshold:
        return LAST_RESORT
    name = NUMBERS[obstacle.number]
    sentence = THRESHOLDS[obstacle.is_below, bool(obstacle.source)]
    return sentence.format(name=name, threshold=words.in_sentence(obstacle.threshold, 3), source=obstacle.source)


def findings(recording: Recording, found: list[TrainingFinding]) -> str:
    """Return the sentences on findings, joined by spaces.

    Parameters
    ----------
    recording : Recording
        The recording that the findings are about.
    found : list of TrainingFinding

    Returns
    -------
    str
    """
    return " ".join(sentence(recording.setup, finding) for finding in found)


def sentence(setup: TrainingSetup, finding: TrainingFinding) -> str:
    """Return the sentence on a finding with its values.

    Parameters
    ----------
    setup : TrainingSetup
    finding : TrainingFinding

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

    def moment(update: int) -> str:
        return AFTER_UPDATE.format(update=update) if update else BEFORE_UPDATES

    ways: dict[str, Callable[[Any], str]] = {
        "activation": activation,
        "grown": grown,
        "fraction": words.percentage,
        "inactive": words.percentage,
        "inactive_before": words.percentage,
        "part": words.percentage,
        "at": lambda value: words.plain(value, 6),
        "bias": lambda value: f"{value:g}".replace("-", "−"),
        "gain": lambda value: words.gain(value, 0),
        "gain_at": moment,
        "norm_at": moment,
        # With two digits: 5.6·10⁻⁴ must not be 0.001, the usual ratio.
        "ratio": lambda value: words.gain(log10(value) if value else -inf, 0, exact=True),
        "norm": lambda value: words.gain(log10(value), 0),
        "made": str,
        "typical_over": str,
        "stopped_at": str,
        "T": str,
        "units": str,
        "rate": words.plain,
        "scale": lambda value: f"{value:g}",
        "cut": str,
        "best_at": str,
    }
    return {name: ways.get(name, lambda value: words.in_sentence(value, 3))(value) for name, value in values.items()}
