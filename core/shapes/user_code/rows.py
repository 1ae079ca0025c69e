"""Entries of the arrays in the reader's program that a single cell is given."""

import ast
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.operations import function_of

_CELLS = ("LSTMCell", "GRUCell", "RNNCell")


class Row(NamedTuple):
    """An entry along the first axis of an array of two axes.

    Attributes
    ----------
    name : str
        Of the array.
    shape : Shape
    at : str
        The index.
    """

    name: str
    shape: Shape
    at: str


def row_of_matrix(reading: Reading) -> Row | None:
    """Return the row of a matrix that the reader's program gives a cell as x; None if the text has no such call."""
    made = {
        one.target for one in reading.program if isinstance(one.value, ast.Call) and function_of(one.value) in _CELLS
    }
    for call in (one.value for one in reading.program):
        if not isinstance(call, ast.Call) or ast.unparse(call.func) not in made or not call.args:
            continue
        x = call.args[0]
        if not isinstance(x, ast.Subscript) or not isinstance(x.slice, ast.Name | ast.Constant):
            continue
        name = ast.unparse(x.value)
        shape = reading.arrays.get(name, ())
        if len(shape) == 2 and isinstance(getattr(x.slice, "value", 0), int):
            return Row(name, shape, ast.unparse(x.slice))
    return None
