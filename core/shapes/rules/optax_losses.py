"""Losses of Optax, which compare labels and logits entry by entry."""

import ast

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, always, reason
from core.shapes.user_code.evidence import nodes_of_line
from core.shapes.user_code.operations import function_of

_SHAPES = reason("target-sizes", "got", "wanted")

OPTAX_LOSS: Rules = (
    Rule(
        "class-axis",
        Fit.SURE,
        (_SHAPES, reason("target-numbers")),
        "{line}   # for class indices",
        lambda f: f.of_classes and f.wanted[:-1] == f.got,
        is_own=always,
    ),
    Rule(
        "return-sequences",
        Fit.STRONG,
        (_SHAPES, reason("target-of-last-step")),
        "{logits} = {logits}[:, -1]   # before this line: the last step",
        lambda f: len(f.wanted) == 3 and f.wanted[:1] + f.wanted[2:] == f.got,
        is_own=always,
    ),
    Rule(
        "broadcast",
        Fit.STRONG,
        (_SHAPES, reason("target-columns")),
        lambda f: f"nn.Dense({f.got[-1]})   # the last layer: an output for each column of the targets",
        lambda f: len(f.wanted) == len(f.got) and f.wanted[:-1] == f.got[:-1],
    ),
)


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
        if not isinstance(node, ast.Call) or len(node.args) < 2 or not name.endswith("cross_entropy"):
            continue
        facts = Facts(
            got=labels,
            wanted=logits,
            of_classes=name == "softmax_cross_entropy",
            logits=ast.unparse(node.args[0]),
            line=reading.own_code.replace(f"{name}(", f"{name}_with_integer_labels(", 1),
        )
        found = Diagnosis(Statement("loss"), facts, OPTAX_LOSS)
        return found if found.causes else None
    return None
