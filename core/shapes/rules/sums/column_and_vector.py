"""A column and a vector, whose sum is a matrix that nobody meant."""

from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Facts, reason
from core.shapes.shape_inference.array_shapes import Array


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
