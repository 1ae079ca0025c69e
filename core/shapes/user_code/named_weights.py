"""Weights of a cell by hand, by their names, and which product of a line the sizes of a message belong to."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.user_code.operations import product_of
from core.shapes.user_code.syntax_trees import tree_of
from core.shapes.user_code.traceback_lines import UserLine

# A name with h twice says that the weights go from h to h; W_h may be for a stacked input.
_FROM_H_TO_H = re.compile(
    r"(?:self\.)?[WUR]?_?(?:h_?h|hidden_?(?:to_?)?hidden|recurrent)(?:\.T|\.t\(\))?$", re.IGNORECASE
)


def is_from_h_to_h(name: str) -> bool:
    """Whether weights have the name of those from a state to the next one, which are square."""
    return bool(_FROM_H_TO_H.match(name))


def with_mark_of_whole(line: UserLine) -> UserLine:
    """Return a line with the mark of the operation in place that it is, whose message has a third shape: that of the result."""
    is_unmarked = line.marked == (0, 0) and isinstance(tree_of(line.code), ast.AugAssign)
    return line._replace(marked=(0, len(line.code))) if is_unmarked else line


def with_mark(line: UserLine, left: Shape, right: Shape) -> UserLine:
    """Return a line with the mark of its only product that two matrices of these sizes can be the factors of.

    Python before 3.11 marks nothing. A product with weights from h to h needs a square one.
    """
    tree = tree_of(line.code)
    if line.marked != (0, 0) or tree is None or "\n" in line.code or not line.code.isascii():
        return line
    products = [(node, names) for node in ast.walk(tree) if isinstance(node, ast.expr) and (names := product_of(node))]
    shapes = {"A": left, "B": right}
    fitting = [
        node
        for node, names in products
        if all(shapes[name][0] == shapes[name][-1] for name in "AB" if is_from_h_to_h(ast.unparse(names[name])))
    ]
    if len(products) < 2 or len(fitting) != 1 or fitting[0].end_col_offset is None:
        return line
    return line._replace(marked=(fitting[0].col_offset, fitting[0].end_col_offset))
