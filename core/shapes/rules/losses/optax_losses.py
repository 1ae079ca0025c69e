"""Losses of Optax, which compare labels and logits entry by entry."""

import ast

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, always, reason
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import calls_of_line, nodes_of_line
from core.shapes.user_code.syntax_trees import argument, function_of

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
