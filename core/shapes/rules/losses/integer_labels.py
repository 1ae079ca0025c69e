"""Integer labels: in a loss of JAX, where they need one axis less than the logits, and as one-hot vectors."""

import ast

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.changed_calls import changed_call, keyword

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
        (reason("taken", "labels", "axes"),),
        "LSTM(..., return_sequences={all_steps})   # the last recurrent layer; or GRU, SimpleRNN",
    ),
)


@diagnoses("labels_rank")
def labels_rank(reading: Reading) -> Diagnosis:
    """Diagnose labels of another number of axes in TensorFlow, whose message has that number alone."""
    labels, axes = reading.size("labels"), reading.size("axes")
    facts = Facts(labels=labels, axes=axes, all_steps=labels >= axes)
    return Diagnosis("loss", facts, LABELS_RANK)


CLASS_VALUES: Rules = (
    strong(
        "index-range",
        "index-of-one-hot",
        lambda f: f.own or "torch.nn.functional.one_hot(x, int(x.max()) + 1)   # a column for each index in x",
    ),
)


def _with_all_classes(call: ast.Call) -> None:
    del call.args[1:]
    call.keywords.append(keyword("num_classes", "-1"))


@diagnoses("class_values")
def class_values(reading: Reading) -> Diagnosis:
    own = changed_call(reading, ("one_hot",), _with_all_classes)
    condition = "   # as many columns as the largest index needs; a fixed number must be above it"
    return Diagnosis("index", Facts(own=own and own + condition), CLASS_VALUES)
