"""A sum of what two layers of Keras give, or a product, as in an attention, and of positions."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, reason
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import failed_operation, layers_of_sum
from core.shapes.user_code.operations import Operation, is_stored
from core.shapes.user_code.syntax_trees import last_name, root_of

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


POSITIONS = sure(
    "steps",
    (reason("broadcast-shapes", "left", "right"), reason("more-places-than-steps", "places", "steps")),
    "{line}   # a place for each of {steps} steps",
)


def _is_of_positions(node: ast.expr) -> bool:
    made = node.func if isinstance(node, ast.Call) else node
    return is_stored(made) and bool(re.match(r"pos(?:$|_|enc|emb|ition(?!s?_?ids))", last_name(root_of(made)).lower()))


def of_positions(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a sum with a table of more positions than x has steps; None if the reader's line is no such sum."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.BinOp) or not isinstance(own.node.op, ast.Add):
        return None
    operands = [(own.names["a"], left), (own.names["b"], right)]
    named = [one for one in operands if _is_of_positions(one[0])]
    other = [one for one in operands if not _is_of_positions(one[0])]
    if len(named) != 1 or len(other[0][1]) != 3 or len(named[0][1]) < 2:
        return None
    (table, places), (x, steps) = (named[0][0], named[0][1][-2]), (other[0][0], other[0][1][1])
    if named[0][1][-1] != other[0][1][-1] or not 0 < steps < places:
        return None
    given = table.args[0] if isinstance(table, ast.Call) and len(table.args) == 1 else None
    tokens = x.args[0] if isinstance(x, ast.Call) and len(x.args) == 1 else x
    if isinstance(given, ast.Name):
        line = f"{given.id} = tf.range(tf.shape({ast.unparse(tokens)})[1])"
    elif not isinstance(table, ast.Call):
        line = line_with(reading, table, f"{ast.unparse(table)}[..., :{steps}, :]")
    else:
        return None
    return Diagnosis("entry-by-entry", Facts(left=left, right=right, steps=steps, places=places, line=line), POSITIONS)
