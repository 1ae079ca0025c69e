"""Integer labels: in a loss of JAX, as one-hot vectors, and beyond the outputs of a model."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.changed_calls import changed_call, keyword
from core.shapes.user_code.keras_calls import targets_of_fit

# The loss for integer labels gives the labels one axis more and takes the entry of each from the logits.
TAKEN: Rules = (
    strong(
        "class-axis",
        (reason("taken", "labels", "axes"), reason("taken-one-hot")),
        "optax.softmax_cross_entropy(logits, targets)   # if the targets have a column for each class",
        lambda f: f.labels == f.axes,
    ),
    strong(
        "class-axis",
        (reason("taken", "labels", "axes"), reason("target-of-last-step")),
        "logits = logits[:, -1]   # the last step",
        lambda f: f.labels + 1 < f.axes,
    ),
    strong(
        "flattened",
        (reason("taken", "labels", "axes"), reason("target-of-each-step")),
        "# give the loss the logits of each step, (batch, steps, classes)",
        lambda f: f.labels > f.axes,
    ),
)


@diagnoses("taken")
def taken(reading: Reading) -> Diagnosis:
    return labels_of_axes(reading.size("got") - 1, reading.size("axes"))


def labels_of_axes(labels: int, axes: int) -> Diagnosis:
    """Return the diagnosis of integer labels by the numbers of axes of the labels and of the logits."""
    return Diagnosis("loss", Facts(labels=labels, axes=axes), TAKEN)


# TensorFlow 1 and 2 count the axes before the sparse loss.
LABELS_RANK: Rules = first_of(
    strong(
        "class-axis",
        (reason("taken", "labels", "axes"), reason("taken-one-hot")),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class\n'
        "y = y.reshape(-1)   # if they are class indices, (samples, 1)",
        lambda f: f.labels == f.axes == 2,
    ),
    strong(
        "return-sequences",
        reason("taken", "labels", "axes"),
        "LSTM(..., return_sequences={all_steps})   # the last recurrent layer; or GRU, SimpleRNN",
    ),
)


@diagnoses("labels_rank")
def labels_rank(reading: Reading) -> Diagnosis:
    """Diagnose labels of another number of axes in TensorFlow, whose message has that number alone."""
    labels, axes = reading.size("labels"), reading.size("axes")
    return Diagnosis("loss", Facts(labels=labels, axes=axes, all_steps=labels >= axes), LABELS_RANK)


CLASS_VALUES = strong(
    "index-range",
    "index-of-one-hot",
    lambda f: f.own or "torch.nn.functional.one_hot(x, int(x.max()) + 1)   # a column for each index in x",
)


def _with_all_classes(call: ast.Call) -> None:
    del call.args[1:]
    call.keywords.append(keyword("num_classes", "-1"))


@diagnoses("class_values")
def class_values(reading: Reading) -> Diagnosis:
    own = changed_call(reading, ("one_hot",), _with_all_classes)
    condition = "   # as many columns as the largest index needs; a fixed number must be above it"
    return Diagnosis("index", Facts(own=own and own + condition), CLASS_VALUES)


def _more_classes(facts: Facts) -> str:
    made = "Dense({})" if facts.of_keras else "nn.Linear(..., out_features={})"
    from_one = "y = y - 1" if facts.of_keras else "targets = targets - 1"
    more = f"{made.format(facts.got + 1)}   # the last layer, if the classes are 0 to {facts.got}"
    if facts.targets:
        more = f"Dense(int(np.max({facts.targets})) + 1)   # the last layer: an output for each class from 0"
    less = f"{from_one}   # if the classes count from 1"
    if facts.has_zero:
        return more
    # One more than the last output is most often a count from 1.
    return f"{less}\n{more}" if facts.got == facts.size > 0 else f"{more}\n{less}"


CLASS_NUMBER = strong("index-range", reason("index-of-class", "got"), _more_classes)


def _told_outputs(reading: Reading, got: int) -> int:
    """Return the class that was received if the text names it as the number of outputs; else 0."""
    named = r"(?:num_?class(?:es)?|n_class(?:es)?|num_labels|out_features|output_(?:size|dim))"
    made = rf"nn\.Linear\([^()]{{1,60}}, ?{got}\)"
    return got if re.search(rf"{named} ?(?:=|is|:) ?{got}\b|{made}", reading.whole, re.IGNORECASE) else 0


@diagnoses("class_number")
def class_number(reading: Reading) -> Diagnosis:
    size = reading.size("size") if "size" in reading.values else _told_outputs(reading, reading.size("got"))
    if reading.given and reading.given[0] and len(reading.given[0].shape) > 1:
        size = reading.given[0].shape[1]
    listed = re.search(r"Label values: ([\d ]{1,9000})", reading.whole)
    facts = Facts(
        got=reading.size("got"),
        size=size,
        of_keras=reading.framework == "Keras",
        targets=targets_of_fit(reading),
        has_zero=listed is not None and "0" in listed[1].split(),
    )
    return Diagnosis("loss", facts, CLASS_NUMBER)
