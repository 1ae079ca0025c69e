"""A sum of two products in which the weights for x multiply the state, and those for the state multiply x, by their names."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import is_named_as_state
from core.shapes.user_code.operations import WEIGHTS, last_name, root_of
from core.shapes.user_code.products_of_line import products_of_line

_OF_X = re.compile(r"[WUV]_?(?:x_?h?|i_?h?|in\w{0,6})_?[a-z]?$|(?:w|weights?)_(?:x|xh|ih|in\w{0,6})$")
_OF_STATE = re.compile(r"[WUR]_?(?:h_?h|h|rec\w{0,8})_?[a-z]?$|U$|(?:w|weights?)_(?:h|hh|rec\w{0,8})$")
_X = re.compile(r"(?:x|inp)\w{0,10}$", re.IGNORECASE)


def _parts(names: dict[str, ast.expr]) -> tuple[ast.expr, ast.expr] | None:
    """Return the weights of a product and what they multiply; None if the names tell no weights."""
    for weights, other in (("A", "B"), ("B", "A")):
        if WEIGHTS.search(ast.unparse(names[weights])) and last_name(names[weights]):
            return names[weights], root_of(names[other])
    return None


def with_weights_exchanged(reading: Reading) -> str:
    """Return the reader's line with its two weights exchanged; empty if their names and those of x and the state fit."""
    products = products_of_line(reading)
    pairs = [one for names in products if (one := _parts(names))]
    if len(products) != 2 or len(pairs) != 2:
        return ""
    pairs.sort(key=lambda one: not is_named_as_state(one[1]))
    (of_state, state), (of_x, x) = pairs
    if not is_named_as_state(state) or not _X.match(last_name(x)):
        return ""
    if not _OF_X.match(last_name(of_state)) or not _OF_STATE.match(last_name(of_x)):
        return ""
    line = reading.own_code
    places = sorted((one.col_offset, one.end_col_offset) for one in (of_state, of_x))
    (first, end), (second, last) = places
    if not line.isascii() or end is None or last is None:
        return ""
    return line[:first] + line[second:last] + line[end:second] + line[first:end] + line[last:]
