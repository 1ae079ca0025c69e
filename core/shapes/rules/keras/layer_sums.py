"""A sum of what two layers of Keras give, or a product, as in the scores and the weights of an attention."""

import ast

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, reason
from core.shapes.user_code.evidence import failed_operation, layers_of_sum
from core.shapes.user_code.operations import Operation

LAYER_SUMS: Rules = (
    sure(
        "unbatched",
        (
            reason("broadcast-shapes", "left", "right"),
            reason("vector-beside-steps", when=lambda f: not f.of_weights),
            reason("weight-beside-steps", when=lambda f: f.of_weights),
        ),
        lambda f: (
            f"{f.terms}   # {'a number for each step' if f.of_weights else 'the vector of each sequence'} beside all its "
            + ("features" if f.of_weights else "steps")
            + "\nLSTM(..., return_sequences=True)   # or all steps, if a recurrent layer gives the vector; or GRU, SimpleRNN"
            * (not f.of_weights)
        ),
        lambda f: f.terms,
    ),
    sure(
        "hidden-size",
        (reason("broadcast-shapes", "left", "right"), reason("units-of-both-layers")),
        "{second} = {module}Dense({left[-1]})   # where it is made: as many units as {first}\n"
        "{first} = {module}Dense({right[-1]})   # or this: as many units as {second}",
        lambda f: not f.terms,
    ),
)


def _with_axis(own: Operation, left: Shape, right: Shape) -> str:
    """Return the sum or the product in which the shorter term gets the axis that it lacks; empty if it lacks another one."""
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) + 1 != len(longer) or len(longer) != 3 or not isinstance(own.node, ast.BinOp):
        return ""
    index = ""
    if isinstance(own.node.op, ast.Mult) and shorter == longer[:-1]:
        index = "[..., None]"  # the weights of an attention: a number for each step
    elif isinstance(own.node.op, ast.Add | ast.Mult) and shorter == (longer[0], longer[2]):
        index = "[:, None]"
    operator = "*" if isinstance(own.node.op, ast.Mult) else "+"
    terms = f"a{index} {operator} b" if shorter == left else f"a {operator} b{index}"
    return terms if index else ""


def of_layer_sum(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a sum or a product of these shapes in the reader's line, as in an attention; None if it is another."""
    own, layers = failed_operation(reading), layers_of_sum(reading)
    if own is None or "a" not in own.names or not left or not right or left[0] != right[0]:
        return None
    terms = _with_axis(own, left, right)
    others = all(a == b or 1 in (a, b) for a, b in zip(left[-2::-1], right[-2::-1]))
    differ_in_units = bool(layers) and others and left[-1] != right[-1] and min(left[-1], right[-1]) > 1
    if not terms and not differ_in_units:
        return None
    module = "tf.keras.layers." if "tf." in reading.whole else "layers."
    first, second = layers or ("", "")
    facts = Facts(left=left, right=right, terms=terms, first=first, second=second, module=module)
    facts.of_weights = "[..., None]" in terms
    return Diagnosis("entry-by-entry", facts, LAYER_SUMS)
