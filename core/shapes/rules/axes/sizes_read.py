"""The size of an axis that a line reads from a shape, and that the array lacks."""

import ast

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.keras.data import list_of_samples
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.evidence import nodes_of_line

SHAPE_INDEX: Rules = (
    Rule(
        "unbatched",
        lambda f: Fit.STRONG if f.of_shape else Fit.POSSIBLE,
        (reason("shape-indexed"),),
        "{x} = {x}[..., None]   # before this line, if {x} is (samples, steps), and each step is one number\n"
        "{x} = {x}[None]   # before this line, if {x} is one sample, (steps, features)",
    ),
)


def _indexed_shape(reading: Reading) -> str:
    """Return the array of which the reader's line reads the size of the last axis; x if it is not plain which."""
    read = [
        (node.slice.value, ast.unparse(node.value.value))
        for node in nodes_of_line(reading)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
    ]
    return max(read)[1] if read else "x"


@diagnoses("shape_index")
def shape_index(reading: Reading) -> Diagnosis:
    """Diagnose the size of an axis that an array lacks, or a number in a list that Keras takes apart."""
    if "tree.flatten(data)" in reading.whole:
        return list_of_samples(reading)
    return Diagnosis("index", Facts(of_shape=".shape" in reading.whole, x=_indexed_shape(reading)), SHAPE_INDEX)
