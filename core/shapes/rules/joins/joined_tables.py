"""Tables that are joined, such as predictions beside the columns that a scaler needs: no state and no input of a cell."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Rules, always, reason
from core.shapes.user_code.evidence import failed_operation, failed_statement
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import argument, function_of, with_code

JOIN_SIZES = (
    reason("join-sizes-axis", "axis", "left", "right", when=lambda f: f.has_axis),
    reason("join-sizes", "left", "right", when=lambda f: not f.has_axis),
)

JOIN_TABLES: Rules = (
    strong(
        "concatenate-axis",
        (*JOIN_SIZES, reason("join-columns")),
        "{wider} = {wider}[:, :{narrower}]   # if its first {narrower} columns are those of the other\n"
        "np.concatenate([h, x], axis=1)   # if they belong beside each other, with as many rows",
    ),
)

JOIN_COLUMNS: Rules = (
    strong(
        "batch-size",
        (*JOIN_SIZES, reason("join-rows-differ")),
        "{wider} = {wider}[-{narrower}:]   # if its first rows have no partner, such as those of the first window\n"
        "{wider} = {wider}[:{narrower}]   # if its last rows have none",
    ),
)


GROWN = sure(
    "concatenate-axis",
    (*JOIN_SIZES, reason("table-grows", "grown")),
    "{grown} = np.empty((0, {right}))   # where it begins, before the loop",
    lambda f: f.grown,
    is_own=always,
)


def grown_by_row(reading: Reading) -> str:
    """Return the table to which the reader's line adds a row, as rows = np.vstack([rows, row]); empty if it adds none."""
    own, statement = failed_operation(reading), failed_statement(reading)
    if (
        own is None
        or "h" not in own.names
        or function_of(own.node) != "vstack"
        or not isinstance(statement, ast.Assign)
    ):
        return ""
    table = ast.unparse(own.names["h"])
    return table if ast.unparse(statement.targets[0]) == table and is_stored(own.names["h"]) else ""


# How people name a state, and what is stacked with it as a column.
_OF_CELL = re.compile(r"(?:[hH]|hidden|s|state|h_?prev|h_?t|x|x_?t|b|z)\d?$")


def joins_rows(reading: Reading) -> bool:
    """Whether the reader's line puts arrays of data, and no state and input of a cell, one below the other on axis 0."""
    return _axes_of_data(reading, ("concatenate", "vstack", "append")) in ([], ["0"])


def joins_columns(reading: Reading) -> bool:
    """Whether the reader's line puts arrays of data beside each other, on axis 1 or the last one."""
    is_named = _axes_of_data(reading, ("concatenate", "append")) in (["1"], ["-1"])
    return is_named or _axes_of_data(reading, ("hstack",)) == [] or bool(parts_of_column_stack(reading))


def parts_of_column_stack(reading: Reading) -> list[str]:
    """Return the arrays that the reader's line puts beside each other with column_stack or hstack; empty if it does not."""
    own = failed_operation(reading)
    if own is None or function_of(own.node) != "column_stack":
        return []
    parts = getattr(getattr(own.node, "args", [None])[0], "elts", [])
    return [ast.unparse(one) for one in parts]


def rows_of_all(reading: Reading) -> str:
    """Return the reader's column_stack with as many rows of each array as the shortest has; empty if the line has none."""
    parts, own = parts_of_column_stack(reading), failed_operation(reading)
    if own is None or not parts or not reading.own or not isinstance(own.node, ast.Call):
        return ""
    shortest = f"min(map(len, ({', '.join(parts)})))"
    return with_code(reading.own_code, (own.node.args[0], f"[one[:{shortest}] for one in ({', '.join(parts)})]"))


def _axes_of_data(reading: Reading, functions: tuple[str, ...]) -> list[str] | None:
    """Return the axes that the reader's call of one of these functions names; None if it joins no data."""
    own = failed_operation(reading)
    if own is None or not {"h", "x"} <= own.names.keys() or function_of(own.node) not in functions:
        return None
    if any(_OF_CELL.match(ast.unparse(own.names[name])) for name in ("h", "x")):
        return None
    axes = [ast.unparse(one.value) for one in getattr(own.node, "keywords", ()) if one.arg == "axis"]
    return axes + [ast.unparse(one) for one in getattr(own.node, "args", ())[1:2]]


def axis_of_join(reading: Reading) -> int:
    """Return the axis that the reader's join names as a whole number, −1 for the last; 0 if it names none."""
    own = failed_operation(reading)
    given = argument(own.node, "axis") if own else None
    if given is not None and ast.unparse(given) == "-1":
        return -1
    axis = getattr(given, "value", 0)
    return axis if type(axis) is int else 0
