"""The texts of the training page, with one sentence for each code of `core.training.RULES`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.numerals import number
from core.training import Finding, Recording, TrainingSetup, Verdict
from dashboard.text import words

# ---- the page ------------------------------------------------------------------------------

INTRODUCTION = (
    "# Training\nA cell while it learns. Press ▶ to watch, or drag the slider: all that is drawn below follows."
)
SHOWN_INSTEAD = "A usual recipe is shown instead."
WATCH = "Watch"
CLOSING = (
    "Every film follows from its recipe alone, and is made once for all readers. The gradients are exact (backpropagation through time), checked against "
    "central differences and PyTorch. A unit counts as saturated here where less than {saturated:.0%} of the largest slope is left. {tasks} are the tasks."
)
# The question of each experiment, and its answer.
TOLD = {
    "scale": (
        "**Why does a cell with large weights not learn?** The same cell twice: its weights at the start are drawn with scale 0.5, and with 4.",
        "With scale 4 about half of the gates' values are saturated from the start, and next to nothing comes back through them. What comes back elsewhere goes through the "
        "large weights and grows instead: see what comes back from the last step to the first. So long a gradient, another one for every sequence, gives no direction, and the loss stays where it is.",
    ),
    "forget": (
        "**What is the forget bias for?** The first bit must be said 30 steps later, with a forget bias of 0 at the start, and with 1.",
        "With a bias of 0 the forget gates start near 1/2, and what is remembered is halved at each step; with 1 they start near 0.73, and the gradient finds its way back.",
    ),
    "memory": (
        "**What does a forget bias of 5 buy?** Three cells with the same start (orthogonal weights, scale 1) on the same task, over 30 steps and over 60: "
        "an RNN, an LSTM with the usual forget bias of 1, and one with 5.",
        "All three learn 30 steps: from such a start an RNN can, too. Over 60 steps the LSTM with a forget bias of 5 learns with every seed from 0 to 3. "
        "Its forget gates are nearly 1, and what is written to c stays. With a bias of 1 it does not learn 60 steps in these updates. The RNN learns them with some seeds, "
        "and not with the one shown here.",
    ),
    "clip": (
        "**What does clipping do?** An RNN with ReLU whose gradients explode: not clipped, clipped to a norm of 1, and to 0.1.",
        "Its weights have scale 2.2 at the start. Not clipped, the first updates throw all weights away. Clipped to 1 the same cell learns. Clipped to 0.1 each update is a tenth "
        "as long, and after as many updates the cell is far behind.",
    ),
    "own": ("A recipe of your own. Everything follows from it, and the link has all of it.", ""),
}
# A further training setup of an experiment: the label of the link, and its query parameters.
FURTHER = {
    "memory": (
        "The RNN over 60 steps with seed 3, which it learns",
        {"trained": "RNN", "start": "orthogonal", "length": "60", "updates": "250", "seed": "3", "g": "tanh"},
    )
}

# The name of a training is a list of the settings in which it differs from the others of its experiment.
SETTINGS = {
    "scale": "scale {value:g}",
    "forget_bias": "forget bias {value:g}",
    "T": "T = {value}",
    "cell": "{value}",
}
OTHER_SETTING = "{setting} {value}"
NOT_CLIPPED = "not clipped"
CLIPPED = "clipped to {at:g}"


def name_of(settings: Mapping[str, Any]) -> str:
    """Return the name of a training from the settings in which it differs from others.

    Parameters
    ----------
    settings : mapping from str to object
        The values of fields of `TrainingSetup`.

    Returns
    -------
    str
        Empty if it differs in nothing.
    """
    return ", ".join(
        SETTINGS.get(setting, OTHER_SETTING).format(setting=setting, value=value) for setting, value in settings.items()
    )


def closing(saturated: float, tasks: Iterable[str]) -> str:
    """Return the paragraph below the panels.

    Parameters
    ----------
    saturated : float
        The relative derivative below which a unit counts as saturated.
    tasks : iterable of str
        The names of all tasks.
    """
    return CLOSING.format(saturated=saturated, tasks=words.listed(tasks))


# ---- the panels ----------------------------------------------------------------------------

# A line on one of several trainings, or on one of several lines of a chart.
OF_ONE = "{name}: {text}"
AT_THE_END = "At the end: {values}."
UPDATES = "updates"

UPDATE = "Update"
LOSS = "Loss"
LOSS_AT = "Loss at update {update}"
LOSS_Y = "loss"
LOG_LOSS_Y = "log₁₀ of the loss"
LOSS_STEP = "Update {update}: loss {loss} on the sequences of the update, {held_out} on other draws."
LOSS_STEP_WITH_ACCURACY = (
    "Update {update}: loss {loss} on the sequences of the update, {held_out} on other draws, "
    "of which {right:.0%} are answered right."
)
HELD_OUT = "The loss is of other draws than those of the updates."
LOSS_ENDS = "{name}: from {first} to {last}, {left:.3g} % of it."

VERDICT = "Has it learned?"

ACCURACY = "Right answers"
ACCURACY_Y = "share right"
ACCURACY_TEXT = (
    "The share of the answers on other draws whose largest entry is that of the right class. "
    "Always to answer the most frequent of the {classes} classes gives {most_frequent:.0%}."
)

LAST_STEP = "Diagram of the last step"
LAST_STEP_TEXT = "The cell at the last step of the first sequence of the validation set. The playback slider moves it through the updates. A gate's wire is as wide as the mean of the gate, and every dot is a unit."
LAST_STEP_ALT = "The {cell} at the last step of one sequence, as boxes and wires."
CURVES = "The units on their curves"
CURVES_TEXT = (
    "Each unit as a dot, at the last step of one sequence. Where the curve is flat (shaded), less than "
    "{saturated:.0%} of the largest slope is left: next to nothing of the gradient at this step comes back through a unit there."
)
CURVES_ALT = "The units as dots on the curves of their activations."

SATURATED = "Saturated share"
SATURATED_Y = "share saturated"
SATURATED_TEXT = "Of each activation the share of all units, steps and other draws that is saturated."
BOUNDED = (
    "To keep the first bit, or to switch, as for parity, values at the ends help: there it may grow while the loss falls. Where it is large from the start, hardly "
    "anything comes back through the flat ends, and the loss may stay."
)
UNBOUNDED = "ReLU has one flat end: a unit there is inactive and passes nothing back. At the start many are inactive in any cell, which may still learn through the others."
# Gates whose saturation at 1 is harmless, by cell.
OPEN_GATES = {
    "LSTM": "A forget gate that is saturated at 1 does no harm: it keeps the way through c open. Nor does an output gate at 1.",
    "GRU": "An update gate that is saturated at 1 keeps the way through h open, and lets nothing new in.",
}

GAIN = "From the last step back to the first"
GAIN_Y = "log₁₀ of the gain"
GAIN_TEXT = (
    "By which factor the norm of a gradient changes on its way back through all steps, log₁₀, as on the gradients page. At 0 it is kept; far below 0 "
    "the loss of the last step hardly reaches the first. Losses of earlier steps have a shorter way."
)

REACHED = "Which loss reaches which step"
REACHED_TEXT = (
    "Rows are the steps at which something is asked. What the loss of such a step t alone sends back is followed to each step s, a column: the norm of its gradient with respect to the state "
    "that step s hands on, as its log₁₀."
)
ALONG_H_AND_C = (
    "What comes back to a step s comes along h and along c, each in a map of its own. At its own step t a loss is heard through h alone. "
    "A step hears nothing of a loss only where both maps are dark."
)
ALONG_H = "Where a row fades to the left, the steps there hardly hear of that loss, and hardly learn from it."
REACHED_EXPLODES = "Where a row grows brighter to the left, the gradient explodes on its way."
REACHED_AT = (
    "After update {update} ‖{derivative}‖ is {norm} at s = t = {step}. For the same loss, {norms_at_first} at s = 1."
)
REACHED_ALT = "The norm of what each loss brings back. At its own step {step} it is {norm}; at step 1 {norms_at_first}."
NORM_OF = "‖{derivative}‖ is {norm}"

RATIO = "Update to data"
RATIO_Y = "log₁₀ of update : weights"
RATIO_TEXT = (
    "How long an update of a matrix is against the matrix itself, log₁₀. About −3 (dashed) is what practitioners look for: far above it the weights are thrown about, "
    "far below they stand still."
)
# A sentence on each optimiser; one without an entry has none.
OPTIMISERS = {
    "SGD": "SGD moves each weight by the learning rate times a running sum of its gradients, with momentum {momentum:g} by up to {times:.3g} times its gradient. Where that is tiny, so is the update.",
    "Adam": "Adam divides each entry by its own usual size, so a small gradient moves the weights nearly as far as a large one: that hides a vanishing gradient in "
    "this chart. It cannot hide what is missing: where nothing comes back from the steps that matter, the update is as long, and goes nowhere.",
}
LAST_UPDATE = (
    "After update {update} the gradient has a norm of {norm}, and the update that would follow from it changes "
    "a matrix by at most {ratio} of its own norm."
)

NORM = "Length of the gradient"
NORM_Y = "log₁₀ of the length"
NORM_TEXT = "Of all parameters together, log₁₀, before and after clipping."
USUAL_NORM = "The usual length here, the median, is {norm}."
CHOICE_OF_CLIP = "A clip is chosen a little above the usual length, so that only the rare update that would throw the weights away is shortened; the common choice of 1 is no law."
BEFORE_CLIPPING, AFTER_CLIPPING = "before", "after"

MAPS = "Gates and states on one sequence"
MAPS_TEXT = "The same sequence after each number of updates: units as rows, its steps as columns."
MAPS_ALT = "Every activation as a map of units and steps."

WEIGHTS = "The weights"
WEIGHTS_TEXT = "Every weight matrix of the cell and of the readout W_y, which makes the answer of h_t."
WEIGHTS_ALT = "Every weight matrix as a heatmap."

BY_HAND = "One gradient by hand"
BY_HAND_TEXT = (
    "The gradient of the loss by {weights} is a sum over the steps: at each step δ_t, the derivative by the pre-activation, times the stack that was multiplied. Here row {unit} of it, "
    "after the last update, for one sequence: a row of the map is what one step adds, and the row below is the sum. The columns of h come first, then those of x."
)
BY_HAND_ALT = "What each of {steps} steps adds to row {unit} of the gradient."
EACH_STEP, ROW_OF_GRADIENT = "each step", "the row of the gradient"


def of_one(name: str, text: str) -> str:
    """Return a line on one of several trainings."""
    return OF_ONE.format(name=name, text=text)


def at_the_end(values: Mapping[str, str]) -> str:
    """Return the last values of the lines of a chart, by name."""
    return AT_THE_END.format(values="; ".join(of_one(name, value) for name, value in values.items()))


def loss_step(update: int, loss: str, held_out: str, right: float | None) -> str:
    """Return the note at one position of the playback slider.

    Parameters
    ----------
    update : int
    loss, held_out : str
        On the training sequences and on the validation set.
    right : float or None
        The accuracy; None for a task without classes.
    """
    step = LOSS_STEP if right is None else LOSS_STEP_WITH_ACCURACY
    return step.format(update=update, loss=loss, held_out=held_out, right=right)


def saturated(cell: str, *, is_bounded: bool, is_relu: bool) -> str:
    """Return the text on the saturated fraction.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    is_bounded : bool
        Whether all activations have an upper bound, which ReLU has not.
    is_relu : bool
        Whether ReLU is among the activations.
    """
    if is_bounded:
        return f"{SATURATED_TEXT} {BOUNDED} {OPEN_GATES.get(cell, '')}"
    return f"{SATURATED_TEXT} {UNBOUNDED if is_relu else ''}"


def norms_at_first(norms: Mapping[str, str]) -> str:
    """Return the norms of derivatives at step 1 as a list, by derivative."""
    return words.listed(NORM_OF.format(derivative=derivative, norm=norm) for derivative, norm in norms.items())


def optimiser(name: str, momentum: float) -> str:
    """Return how an optimiser sets the size of an update.

    Parameters
    ----------
    name : str
        A name of OPTIMISERS.
    momentum : float
        In [0, 1).
    """
    return OPTIMISERS.get(name, "").format(momentum=momentum, times=1 / (1 - momentum))


# ---- the trained cell ----------------------------------------------------------------------

CELL_AT = "The cell at update"
TAKE = "Take it to the other pages"
SAVE = "Save it as .{ending}"
TAKEN = (
    "Its weights become your own numbers, with its state after step 1 of the sequence above and the inputs from step 2 on. Open another page from the sidebar: one step is step 2, "
    "and a sequence goes on from there. A file has the readout too."
)

# ---- the verdict ---------------------------------------------------------------------------

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


# ---- the wait for a training ---------------------------------------------------------------

STOPPED = "The training was stopped: this is the cell before its first update."
TRAIN, STOP = "Train it", "Stop"
# The progress bar of a training that is being made.
PROGRESS = "Training: {made} of {total} updates"
PROGRESS_BEHIND_ONE = "Training: {made} of {total} updates. 1 other training is before yours."
PROGRESS_BEHIND_SEVERAL = "Training: {made} of {total} updates. {before} other trainings are before yours."


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
    if not before:
        return PROGRESS.format(made=made, total=total)
    behind = PROGRESS_BEHIND_ONE if before == 1 else PROGRESS_BEHIND_SEVERAL
    return behind.format(made=made, total=total, before=before)
