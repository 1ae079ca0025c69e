"""The positions of tokens that a layer of Keras adds to their entries."""

import ast
import re

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, reason
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.syntax_trees import function_of

POSITIONS: Rules = (
    Rule(
        "steps",
        Fit.SURE,
        (reason("broadcast-shapes", "left", "right"), reason("more-places-than-steps", "places", "steps")),
        "{line}   # a place for each of {steps} steps",
    ),
)


def _is_of_positions(node: ast.expr) -> bool:
    return bool(re.search(r"(?<![a-z])pos", ast.unparse(node)))


def of_positions(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a sum with a table of more positions than x has steps; None if the reader's line is no such sum."""
    own = failed_operation(reading)
    x, table = sorted((left, right), key=len, reverse=True)
    if own is None or not isinstance(own.node, ast.BinOp) or len(x) != 3 or len(table) < 2:
        return None
    steps, places = x[1], table[-2]
    named = [one for name in "ab" if _is_of_positions(one := own.names[name])]
    other = [one for name in "ab" if not _is_of_positions(one := own.names[name])]
    if not isinstance(own.node.op, ast.Add) or len(named) != 1 or x[-1] != table[-1] or not 0 < steps < places:
        return None
    given = named[0].args[0] if isinstance(named[0], ast.Call) and len(named[0].args) == 1 else None
    tokens = other[0].args[0] if isinstance(other[0], ast.Call) and len(other[0].args) == 1 else other[0]
    if isinstance(given, ast.Name):
        line = f"{given.id} = tf.range(tf.shape({ast.unparse(tokens)})[1])"
    elif given is None and not function_of(named[0]):
        line = reading.own_code.replace(ast.unparse(named[0]), f"{ast.unparse(named[0])}[..., :{steps}, :]")
    else:
        return None
    facts = Facts(left=left, right=right, steps=steps, places=places, line=line)
    return Diagnosis(Statement("entry-by-entry"), facts, POSITIONS)
