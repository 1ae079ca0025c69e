"""The positions of tokens that a layer of Keras adds to their entries."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, reason
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import failed_operation, failed_statement
from core.shapes.user_code.operations import is_stored, root_of
from core.shapes.user_code.syntax_trees import last_name

POSITIONS: Rules = (
    sure(
        "steps",
        (reason("broadcast-shapes", "left", "right"), reason("more-places-than-steps", "places", "steps")),
        "{line}   # a place for each of {steps} steps",
    ),
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
        line = with_expression(failed_statement(reading), table, f"{ast.unparse(table)}[..., :{steps}, :]")
    else:
        return None
    facts = Facts(left=left, right=right, steps=steps, places=places, line=line)
    return Diagnosis("entry-by-entry", facts, POSITIONS)
