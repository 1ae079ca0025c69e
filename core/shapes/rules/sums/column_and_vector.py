"""A column and a vector, whose sum is a matrix that nobody meant."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Facts, Rule, always, reason
from core.shapes.shape_inference.array_shapes import Array
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.syntax_trees import calls_in, tree_of

_COLUMN_OF_ZEROS = re.compile(r"zeros\(\([\w.]{1,40}, ?1\)\)")


def square_of(reading: Reading) -> Array | None:
    """Return the operand that a column and a vector made, if it follows from the reader's program."""
    return next((one for one in reading.operands or () if one.column), None)


def _as_the_other(facts: Facts) -> str:
    """Return the line that makes a column of the vector, or a vector of the column, whichever has a name."""
    vector, column = facts.square.vector, facts.square.column
    if vector.isidentifier():
        return f"{vector} = {vector}.reshape(-1, 1)   # a column, as {column}"
    if column.isidentifier():
        return f"{column} = {column}.reshape(-1)   # a vector, as {vector}"
    return f"# {column} is a column and {vector} a vector: both must be the same"


SQUARE = sure(
    "broadcast",
    reason("square-of-column", shape="square.shape", column="square.column", vector="square.vector"),
    _as_the_other,
    lambda f: f.square,
)


AMONG_COLUMNS = Rule(
    "unbatched",
    lambda f: Fit.SURE if f.is_told else Fit.LIKELY,
    (reason("vector-among-columns", "entries", "shape"),),
    "{made_column}",
    lambda f: f.made_column,
    is_own=always,
)


def vector_among_columns(reading: Reading, shape: Shape, *, is_column: bool) -> dict[str, object]:
    """Return the facts of `AMONG_COLUMNS` for a matrix in the place of a column.

    Parameters
    ----------
    reading : Reading
    shape : Shape
        Of the matrix.
    is_column : bool
        Whether its other operand shows that each sequence is a column, as a column of zeros in the text does.
    """
    entries = shape[-1]
    made = f"np.zeros(({entries}, 1))   # a column, where a bias or a state of shape ({entries},) is made"
    vectors = [
        (line, call)
        for line in reading.own[:-1]
        for call in calls_in(tree_of(line.code), "zeros")
        if len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Attribute)
    ]
    for line, call in vectors[-1:]:
        column = f"{ast.unparse(call.func)}(({ast.unparse(call.args[0])}, 1))"
        made = f"{with_expression(tree_of(line.code), call, column)}   # a column, as the others"
    is_told = is_column or vectors or _COLUMN_OF_ZEROS.search(reading.whole)
    made = made if reading.framework == "NumPy" else ""
    return {"made_column": made, "entries": entries, "shape": shape, "is_told": is_told}
