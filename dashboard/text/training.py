"""The texts of the training page, with one sentence for each code of `core.training.RULES`."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.sequence.inputs import PERIOD
from core.training import TEXT, Recording
from core.training.tasks import DEEPEST
from dashboard.text import diagram, words
from dashboard.text.plural import Plural, fill
from dashboard.text.saturation import flat

# ---- the page ------------------------------------------------------------------------------

TITLE = "Training"
CLOSING = "The gradients are exact (backpropagation through time). They agree with PyTorch and with numerical derivatives. A value counts as saturated if its derivative is below {saturated:.0%} of the maximum."


class ExperimentText(NamedTuple):
    """The texts on an experiment: the question on its card, what is compared, and the answer."""

    question: str
    setup: str
    answer: str


# An experiment without an entry has its name on its card.
EXPERIMENTS = {
    "scale": ExperimentText(
        "Why does training fail with large weights?",
        "An LSTM reads 30 bits and must recall the first one at the end. It is trained twice: with small initial weights (scale 0.5), and with large ones (scale 4).",
        "With scale 0.5 the loss falls to nearly 0, and with scale 4 it stays where it was. "
        "With scale 4, the gradient explodes along h, and about half of the gate values are saturated. "
        "Start with smaller weights.",
    ),
    "forget": ExperimentText(
        "What is the forget bias for?",
        "An LSTM reads 30 bits and must recall the first one at the end. It is trained twice: with an initial forget bias of 0, and of 1.",
        "With a forget bias of 1 the loss falls, and with 0 it stays where it was. "
        "With 0 the forget gates start near 1/2, so c_t keeps only about half of its value at every step. "
        "Start with a forget bias of 1 or more.",
    ),
    "memory": ExperimentText(
        "What does a forget bias of 5 change?",
        "An RNN and two LSTMs (forget bias 1 and 5) read bits and must recall the first one at the end. Each is trained twice: with 30 bits, and with 60.",
        "All three learn the task over 30 steps, but with this seed only the LSTM with a forget bias of 5 learns it over 60. "
        "Its forget gates start near 1, so for many steps c_t keeps what is written to it. "
        "For a longer memory, start with a larger forget bias.",
    ),
    "clip": ExperimentText(
        "What does clipping do?",
        "An RNN with ReLU counts open brackets, and its gradient explodes. It is trained without clipping, with clipping at 1, and with clipping at 0.1. Clipping scales a gradient with a larger norm down to that norm.",
        "Without clipping, the numbers overflow; with clipping at 1 the cell learns, and with clipping at 0.1 it learns more slowly. "
        "The first gradient has a norm of more than 1000, so a single update without clipping makes the weights far too large. "
        "Clip such a gradient, but not too low: at 0.1, each update is about a tenth as large as at 1.",
    ),
    "own": ExperimentText(
        "Your own training",
        "Choose a task, a cell and an optimizer, and watch the cell learn. The URL holds your whole training setup.",
        "",
    ),
}
# A further training setup of an experiment: the label of the link, and its query parameters.
FURTHER = {
    "memory": (
        "With another seed, the RNN learns the task over 60 steps too",
        {"trained": "RNN", "start": "orthogonal", "length": "60", "updates": "250", "seed": "3", "g": "tanh"},
    )
}
# The name of a training is a list of the settings in which it differs from the others of its experiment.
SETTINGS = {
    "k": "{value} hidden units",
    "scale": "scale {value}",
    "forget_bias": "forget bias {value}",
    "T": "T = {value}",
    "cell": "{value}",
    "init": "{value} weights",
    "g": "{value}",
    "rate": "learning rate {value}",
    "updates": "{value} updates",
    "clip_at": "clipping at {value}",
}
OTHER_SETTING = "{setting} {value}"
# The name of the reader's own training beside changed ones.
UNCHANGED = "Your setup"
NOT_CLIPPED = "no clipping"
CLIPPED = "clipping at {at}"


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
    return words.enumerated(
        SETTINGS.get(setting, OTHER_SETTING).format(setting=setting, value=words.plain(value))
        for setting, value in settings.items()
    )


def experiment(story: str) -> ExperimentText:
    """Return the texts on an experiment.

    Parameters
    ----------
    story : str
        A name of `core.training.EXPERIMENTS`, or "own".
    """
    return EXPERIMENTS.get(story, ExperimentText(story, "", ""))


def introduction(story: str) -> str:
    """Return the title of the page and a line on the experiment."""
    return f"# {TITLE}\n{experiment(story).setup}"


# ---- the panels ----------------------------------------------------------------------------

# A line on one of several trainings, or on one of several lines of a chart.
OF_ONE = "{name}: {text}"
AT_THE_END = "At the end ({axis}): {values}."
UPDATES = "updates"
# The axis of a chart that shows one of several trainings.
UPDATES_OF = "updates of “{name}”"
# On the whole training, while the playback slider may stand at an earlier update.
RESULT = Plural("last", "After the only update: {text}", "After all {last} updates: {text}")
RESULT_OF_ONE = Plural(
    "last",
    "After the only update of “{name}”: {text}",
    "After all {last} updates of “{name}”: {text}",
)
RESULT_SO_FAR = Plural(
    "last", "After 1 of {updates} updates: {text} {open}", "After {last} of {updates} updates: {text} {open}"
)
RESULT_SO_FAR_OF_ONE = Plural(
    "last",
    "After 1 of {updates} updates of “{name}”: {text} {open}",
    "After {last} of {updates} updates of “{name}”: {text} {open}",
)
# After the state of a training that was stopped and has not learned.
OPEN = "You stopped it, so this is not its result yet."
STOPPED_ONE = "“{name}”: {text}"
BEFORE_UPDATES = "{name}, before its first update: {text}"

UPDATE = "Update"
# A position of the playback slider.
OF_ALL = "{update} of {updates}"
OF_STOPPED = "{update} of {updates}, stopped at update {at}"
NOT_TRAINED = "{update}, not trained"
TRAININGS = "Trainings"
NOW, NOW_OF_ONE = "Now", "“{name}” now"
AT_UPDATE = "{now}: training loss {loss}, validation loss {validation}."
AT_UPDATE_WITH_ACCURACY = "{now}: training loss {loss}, validation loss {validation}, accuracy {right}."

VERDICT = "Has it learned?"
COUNT = "In all, {learned} of the {count} trainings succeeded."
WHY = "Why?"

LOSS = "Loss"
LOSS_Y = "loss"
LOG_LOSS_Y = "log₁₀ of the loss"
LOSS_TEXT = "The chart shows the validation loss, on sequences that are not used for training."
# The sentence on a training whose line is partly above a chart.
BEYOND = "The line of “{name}” leaves the chart at the top."
LOSS_ENDS = "{name}: from {first} to {last}."
# By the quantity of an `Overflow`, and whether it is NaN.
STOPPED_BY = {
    ("h_t", False): "“{name}” stopped at update {update}, because h_t is beyond 10³⁰.",
    ("h_t", True): "“{name}” stopped at update {update}, because h_t is not a number (NaN).",
    ("loss", False): "“{name}” stopped at update {update}, because the loss is beyond 10³⁰.",
    ("loss", True): "“{name}” stopped at update {update}, because the loss is not a number (NaN).",
    ("gradient", False): "“{name}” stopped at update {update}, because the gradient is beyond 10³⁰.",
    ("gradient", True): "“{name}” stopped at update {update}, because the gradient is not a number (NaN).",
    ("parameter", False): "“{name}” stopped at update {update}, because a parameter is beyond 10³⁰.",
    ("parameter", True): "“{name}” stopped at update {update}, because a parameter is not a number (NaN).",
}

ACCURACY = "Accuracy"
ACCURACY_Y = "accuracy"
ACCURACY_TEXT = "The fraction of validation targets that the cell predicts correctly. If it always gave the most frequent answer, {most_frequent} would be right."

LAST_STEP = "Diagram of the last step"
LAST_STEP_TEXT = "The cell at the last step of the first validation sequence."
WIRES_OF_GATES = "The larger the mean of a gate's entries, the wider its wire."
LAST_STEP_ALT = "The {cell} at the last step of one sequence, as boxes and wires."
CURVES = "Units on the curves"
CURVES_TEXT = (
    "Each dot is a unit at the last step of one sequence. In the shaded parts, the derivative is below "
    "{saturated:.0%} of its maximum, so almost no gradient passes back through the curve."
)
# The key of the marks, which the projector view has too.
OTHER_MARKS = "Large dot: unit {unit}. Triangle: beyond the chart. Shaded: {flat}."
MARKS_OF_TRAININGS = "Filled: {name}. Ring: {others}."
CURVES_ALT = "The units as dots on the curves of their activations."

SATURATED = "Saturated fraction"
SATURATED_Y, INACTIVE_Y = "fraction saturated", "fraction inactive"
SATURATED_TEXT = (
    "Each line shows the saturated fraction of one activation, over all units, steps and validation sequences."
)
INACTIVE_TEXT = "{g} does not saturate. Each line shows the inactive fraction of its values over all units, steps and validation sequences."
BOUNDED = (
    "If this fraction grows while the loss falls, the cell has learned to saturate: a single input then hardly changes the saturated values. "
    "If the fraction is large from the start, almost no gradient reaches the weights that compute these values, and the loss may not fall."
)
UNBOUNDED = "A {g} unit is inactive if its z is 0 or less: it passes no gradient back. Many units are inactive at the start, but a cell can still learn through the others."
# Gates that let the state and the gradient pass if they are saturated at 1, by cell.
OPEN_GATES = {
    "LSTM": "A forget gate that is saturated at 1 keeps the path through c open, and an output gate at 1 lets tanh(c_t) through. But such gates hardly learn any more.",
    "GRU": "An update gate that is saturated at 1 keeps the path through h open, and writes nothing new.",
}

GAIN = "Gain to the first step"
GAIN_Y = "log₁₀ of the gain"
GAIN_TEXT = (
    "The factor by which a gradient's norm changes from the last step back to the first, averaged over all directions. On this log₁₀ axis, 0 is a factor of 1. Far below 0, "
    "almost no gradient arrives. Far above 0, it explodes."
)

REACHED = "Gradient of each step's loss"
REACHED_TEXT = "Each row belongs to a step t with a target. It shows how strongly the loss L_t depends on the state at each step s ≤ t. The colour is log₁₀ of the norm of a gradient such as ∂L_t/∂h_s."
ALONG_H_AND_C = (
    "The gradient flows back along h and along c, and each of them has a map. L_t depends on c_s through c_{s+1} and through h_s. The map of c contains only the part through c_{s+1}. At s = t there is no such part, so the entry is empty. "
    "Where one of the two maps is strong, a gradient arrives. Where both are faint, almost none arrives."
)
ALONG_H = "Where a row fades to the left, almost no gradient of that loss reaches those steps, so the cell hardly learns from them."
REACHED_EXPLODES = "Where a row grows stronger to the left, the gradient explodes on its way."
REACHED_AT = (
    "After update {update}, the norm ‖{derivative}‖ is {norm} at the step of the loss itself, s = t = {step}. "
    "At s = 1, {norms_at_first}."
)
REACHED_ALT = "The norm of the gradient of each loss at each step. At its own step {step} it is {norm}; at step 1 {norms_at_first}."
NORM_OF = "‖{derivative}‖ is {norm}"
# A recording has norms in float32, whose smallest number above 0 is 1.4·10⁻⁴⁵.
TINY_NORM = "below 10⁻⁴⁴"

RATIO = "Update-to-weight ratio"
RATIO_Y = "log₁₀ of the ratio"
RATIO_TEXT = (
    "For each matrix: the norm of its change in an update, divided by the norm of the matrix. A usual ratio is 10⁻³, the dashed line at −3. Far above it, the weights may change too fast. "
    "Far below it, they hardly change."
)
USUAL_RATIO = "usual ratio"
# A sentence on each optimizer; one without an entry has none.
OPTIMISERS = {
    "SGD": "SGD with momentum {momentum:g} adds up the gradients of the past updates, and older ones count less. It moves each weight by the learning rate times this sum. The sum is at most {times:.3g} times the largest gradient, so tiny gradients make tiny updates.",
    "Adam": "The optimizer Adam divides each gradient entry by its recent size, so a small gradient moves the weights nearly as far as a large one. So this chart cannot show "
    "that a gradient vanishes. If no gradient reaches the steps that matter, the updates can be large, but they do not help.",
}
LAST_UPDATE = (
    "After update {update} the gradient has a norm of {norm}. For each weight matrix, the norm of the next update would be at "
    "most {ratio} times the norm of the matrix."
)

NORM = "Gradient norm"
NORM_Y = "log₁₀ of the norm"
NORM_TEXT = "The norm of the gradient with respect to all parameters, before clipping (grey) and after it. Clipping makes large gradients smaller."
PEAK_NORM = "Each value is the largest norm since the value before it."
USUAL_NORM = "The median norm of the gradient is {norm}, and its largest norm is {largest}."
CHOICE_OF_CLIP = "Look at the usual gradient norm while the loss falls. Choose a clipping threshold a little above it. Then only the few very large gradients are clipped. Without clipping, they could move the weights too far. The common choice of 1 does not fit every training."
BEFORE_CLIPPING, AFTER_CLIPPING = "unclipped norm", "clipped norm"

SEQUENCE = "Inputs and targets"
# By task; a task without a sentence has none.
TASKS = {
    "echo": "Entry 1 of x_t is a random bit, 1 or −1. Entry 2 is 1 at the first step only, to mark it. After the last step, the cell predicts the first bit. The map “target” marks the right answer with a coloured entry: row 1 means −1, and row 2 means 1.",
    "adding": "Entry 1 of x_t is a number between 0 and 1, and entry 2 marks one number in each half. After the last step, the cell outputs the sum of these two.",
    "brackets": "The inputs are the brackets ( and ), with at most {deepest} of them open. At every step, the cell outputs how many are open.",
    "parity": "The inputs are 1 and −1. At every step, the cell predicts whether the number of 1s so far is even (row 1 of the map “target”) or odd (row 2).",
    "sine": "The input is a noisy sine with a period of {period} steps. The cell predicts the next value.",
    "text": "The inputs are the characters of “{text}”, again and again. The cell predicts the next one. Each character has a row of the target.",
}
SEQUENCE_TEXT = "The drawing shows the first validation sequence. A step without a target is empty."
SEQUENCE_ALT = "The inputs and the targets of a sequence of {steps} steps."
TARGET, NO_TARGET = "target", "no target"

MAPS = "Gates and states"
MAPS_TEXT = "The maps show the sequence from the panel “Inputs and targets”. Rows are units, and columns are steps."
MAPS_ALT = "Every activation as a map of units and steps."

WEIGHTS = "The weights"
WEIGHTS_TEXT = "The weight matrices of the cell, and W_y of the output layer, which computes the prediction from h_t."
WEIGHTS_ALT = "Every weight matrix as a heatmap."

BY_HAND = "One gradient by hand"
BY_HAND_TEXT = (
    "The gradient of the loss with respect to {weights} is a sum over the steps. Each step adds δ_t·[h_{{t−1}}; x_t]ᵀ. Here δ_t is the gradient of the loss with respect to the pre-activation. "
    "The drawing shows row {unit} of this gradient after the last update, for one sequence: what each step adds, and the sum. The columns of h come first, then those of x."
)
BY_HAND_ALT = "What each of {steps} steps adds to row {unit} of the gradient."
EACH_STEP, ROW_OF_GRADIENT = "each step", "the row of the gradient"


ACTIVATION = "Activation"
KEEP = "Keep {name}"
KEEP_HELP = "The change becomes part of your setup. The page then looks for the reasons again, and offers the next change to try."


def of_one(name: str, text: str) -> str:
    """Return a line on one of several trainings."""
    return OF_ONE.format(name=name, text=text)


def state_of(name: str, text: str, recording: Recording, *, has_learned: bool, is_alone: bool) -> str:
    """Return the state of a training at its last update, but not of one that overflowed, whose sentence has its own update.

    Parameters
    ----------
    name : str
    text : str
    recording : Recording
    has_learned : bool
        Whether this is its state, also if the training was stopped.
    is_alone : bool
        Whether the page shows no other training, so that the name is left out.
    """
    if recording.stopped:
        return text if is_alone else STOPPED_ONE.format(name=name, text=text)
    values = {"name": name, "last": recording.updates_made, "text": text}
    if not recording.updates_made:
        return BEFORE_UPDATES.format_map(values)
    if recording.is_interrupted:
        values |= {"updates": recording.setup.updates, "open": "" if has_learned else OPEN}
        return fill(RESULT_SO_FAR if is_alone else RESULT_SO_FAR_OF_ONE, values).strip()
    return fill(RESULT if is_alone else RESULT_OF_ONE, values)


def at_the_end(axis: str, values: Mapping[str, str], name: str) -> str:
    """Return the last values of the lines of a chart, by name, after the name of its axis and of the training, if there are several."""
    ends = words.clauses(of_one(line, value) for line, value in values.items())
    return AT_THE_END.format(axis=f"{axis}, {name}" if name else axis, values=ends)


def position(update: int, updates: int, stopped_at: int | None) -> str:
    """Return the label of a position of the playback slider.

    Parameters
    ----------
    update : int
        How many updates were made before it.
    updates : int
        How many the training setup has.
    stopped_at : int or None
        The update at which a number overflowed, counted from 1; None if all were made.
    """
    label = OF_STOPPED if stopped_at else OF_ALL if updates else NOT_TRAINED
    return label.format(update=update, updates=updates, at=stopped_at)


def stopped(name: str, recording: Recording) -> str:
    """Return why a training ended before its last update; empty if it did not."""
    if recording.stopped is None:
        return ""
    return STOPPED_BY[recording.stopped].format(name=name, update=recording.updates_made + 1)


def at_update(name: str, loss: str, validation: str, right: float | None) -> str:
    """Return the note at one position of the playback slider.

    Parameters
    ----------
    name : str
        The training that is shown; empty if there is no other one.
    loss, validation : str
        On the training sequences and on the validation set.
    right : float or None
        The accuracy; None for a task without classes.
    """
    note = AT_UPDATE if right is None else AT_UPDATE_WITH_ACCURACY
    now = NOW_OF_ONE.format(name=name) if name else NOW
    return note.format(
        now=now, loss=loss, validation=validation, right=None if right is None else words.percentage(right)
    )


def last_step(activations: Iterable[str]) -> str:
    """Return the text on the diagram of the last step, from the symbols of the cell's activations: an RNN has no gates."""
    has_gates = any(symbol in diagram.MEANINGS for symbol in activations)
    return f"{LAST_STEP_TEXT} {WIRES_OF_GATES}" if has_gates else LAST_STEP_TEXT


def marks(name: str, others: list[str], unit: int, *, saturates: bool) -> str:
    """Return the key of the marks of the units on their curves.

    Parameters
    ----------
    name : str
        The training whose units are dots.
    others : list of str
        Those whose units are rings.
    unit : int
        The selected unit.
    saturates : bool
        Whether all activations saturate, or else one is inactive on its flat side.
    """
    of_trainings = MARKS_OF_TRAININGS.format(name=name, others=words.listed(others)) if others else ""
    return f"{of_trainings} {OTHER_MARKS.format(unit=unit, flat=flat(saturates=saturates))}".strip()


def saturated(cell: str, *, is_bounded: bool, inactive: str) -> str:
    """Return the details of the saturated fraction.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    is_bounded : bool
        Whether all activations have bounds, which ReLU has not.
    inactive : str
        The symbol of an activation whose units are inactive at a negative z, such as ReLU; empty for none.
    """
    if is_bounded:
        return f"{BOUNDED} {OPEN_GATES.get(cell, '')}".strip()
    return UNBOUNDED.format(g=inactive) if inactive else ""


def sequence(task: str) -> str:
    """Return the text on the inputs and the targets of a task, a name of `core.training.TASKS`."""
    about = TASKS.get(task, "").format(deepest=DEEPEST, period=PERIOD, text=TEXT.strip())
    return f"{about} {SEQUENCE_TEXT}".strip()


def norm_at_step(norm: float) -> str:
    """Return a norm in the gradient of a step's loss; one of 0 may only be too small for float32."""
    return words.in_sentence(norm, 3) if norm else TINY_NORM


def norm(clip: str) -> str:
    """Return the text on the norm of the gradient, from how it is clipped: with a clip of entries, the values are not the largest ones."""
    return NORM_TEXT if clip == "value" else f"{NORM_TEXT} {PEAK_NORM}"


def norms_at_first(norms: Mapping[str, str]) -> str:
    """Return the norms of derivatives at step 1 as a list, by derivative."""
    return words.listed(NORM_OF.format(derivative=derivative, norm=norm) for derivative, norm in norms.items())


def optimiser(name: str, momentum: float) -> str:
    """Return how an optimizer sets the size of an update.

    Parameters
    ----------
    name : str
        A name of OPTIMISERS.
    momentum : float
        In [0, 1).
    """
    return OPTIMISERS.get(name, "").format(momentum=momentum, times=1 / (1 - momentum))


# ---- the trained cell ----------------------------------------------------------------------

CELL_AT = "Weights after update"
TAKE = "Use these weights on other pages"
SAVE = "Save as .{ending}"
TAKEN = (
    "The first button opens these weights on the other pages of this cell. Those pages start at step 2 of the sequence in “Inputs and targets”. "
    "The files also contain the output layer."
)
