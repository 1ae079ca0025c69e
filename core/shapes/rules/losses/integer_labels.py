"""Integer labels: in the losses of Optax and JAX, as one-hot vectors, and beyond the outputs of a model."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, always, diagnoses, first_of, reason
from core.shapes.user_code.changed_calls import changed_call, keyword, line_with
from core.shapes.user_code.evidence import calls_of_line, nodes_of_line
from core.shapes.user_code.keras_calls import targets_of_fit
from core.shapes.user_code.syntax_trees import argument, function_of

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


_SHAPES = reason("target-sizes", "got", "wanted")

OPTAX_LOSS: Rules = (
    sure(
        "class-axis",
        (_SHAPES, reason("target-numbers")),
        "{line}   # for class indices",
        lambda f: f.of_classes and f.wanted[:-1] == f.got,
        is_own=always,
    ),
    strong(
        "return-sequences",
        (_SHAPES, reason("target-of-last-step")),
        "{logits} = {logits}[:, -1]   # before this line: the last step",
        lambda f: len(f.wanted) == 3 and f.wanted[:1] + f.wanted[2:] == f.got,
        is_own=always,
    ),
    strong(
        "broadcast",
        (_SHAPES, reason("target-columns")),
        lambda f: (
            (f"{f.one_hot}   # if the outputs of the model are right\n" if f.one_hot else "")
            + f"nn.Dense({f.got[-1]})   # the last layer: an output for each column of the targets"
        ),
        lambda f: len(f.wanted) == len(f.got) and f.wanted[:-1] == f.got[:-1],
        is_own=lambda f: f.one_hot,
    ),
)


def _of_other_classes(reading: Reading, classes: int) -> str:
    """Return the reader's line with one-hot targets of as many classes; empty if it makes no such targets."""
    given = [one for call in calls_of_line(reading, "one_hot") if (one := argument(call, "num_classes", at=1))]
    return line_with(reading, given[0], str(classes)) if given else ""


def of_optax_loss(reading: Reading, labels: Shape, logits: Shape) -> Diagnosis | None:
    """Return the diagnosis of labels and logits in the reader's loss of Optax; None if it calls none, or if they differ in more.

    Optax multiplies the labels by what it makes of the logits, so they come first.
    """
    nodes = list(nodes_of_line(reading)) if reading.framework == "JAX" else []
    # The loss may be multiplied by weights or a mask of other sizes, unless the frames below are those of Optax.
    if any(isinstance(node, ast.BinOp) for node in nodes) and "optax" not in reading.below_own:
        return None
    for node in nodes:
        name = function_of(node)
        if not isinstance(node, ast.Call) or not name.endswith("cross_entropy"):
            continue
        given = dict(zip(("logits", "labels"), node.args)) | {one.arg: one.value for one in node.keywords}
        if not {"logits", "labels"} <= given.keys():
            continue
        facts = Facts(
            got=labels,
            wanted=logits,
            one_hot=_of_other_classes(reading, logits[-1]) if logits else "",
            of_classes=name == "softmax_cross_entropy",
            logits=ast.unparse(given["logits"]),
            line=reading.own_code.replace(f"{name}(", f"{name}_with_integer_labels(", 1),
        )
        found = Diagnosis("loss", facts, OPTAX_LOSS)
        return found if found.causes else None
    return None
