"""Arrays that a line gives together and that, by their names, are of different parts of the data, such as X_test and y_train."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from core.shapes.messages import Reading
from core.shapes.user_code.operations import JOINS
from core.shapes.user_code.syntax_trees import function_of, last_name, tree_of, with_code
from core.shapes.user_code.traceback_lines import UserLine

_PARTS = r"train(?:ing)?|trn|tr|tests?|tst|te|val(?:id(?:ation)?)?|dev|eval"
_OF_PART = re.compile(rf"(?:(?<![a-zA-Z])|(?<=\b[xyXY]))(?i:{_PARTS})(?![a-z])")
# Functions that are given several parts on purpose.
_OF_SEVERAL = JOINS | {"append", "train_test_split", "print", "plot"}


class Mixed(NamedTuple):
    """Two names of different parts, and the reader's line in which both are of one part."""

    first: str
    second: str
    line: str


class _Named(NamedTuple):
    node: ast.expr
    name: str
    part: str

    @property
    def base(self) -> str:
        return self.name.replace(self.part, "", 1)


def _part_of(name: str, others: str) -> str:
    found = _OF_PART.search(name) or (re.search(others, name) if others else None)
    return found[0] if found else ""


def _named(node: ast.expr, others: str) -> _Named | None:
    """Return the name in an expression that tells a part; None if it has names of several parts, or of none."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        return _Named(node.slice, node.slice.id, node.slice.id)  # the indices of a part
    found = [
        _Named(one, name, part)
        for one in ast.walk(node)
        if isinstance(one, ast.Name | ast.Attribute) and (part := _part_of(name := last_name(one), others))
    ]
    return found[0] if len({one.part for one in found}) == 1 else None


def _given_together(tree: ast.AST) -> Iterator[list[ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and function_of(node) not in _OF_SEVERAL:
            yield node.args
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Tuple):
            yield node.value.elts
        elif isinstance(node, ast.BinOp):
            yield [node.left, node.right]


def mixed_parts(reading: Reading) -> Mixed | None:
    """Return two arrays of different parts that one of the reader's lines gives together, the innermost line first."""
    return next(filter(None, map(_mixed, reversed(reading.own))), None)


def _mixed(line: UserLine) -> Mixed | None:
    tree = tree_of(line.code) or ast.Pass()
    # Where a line names several arrays x, whatever stands behind their x tells the part.
    others = {name for name in re.findall(r"\b[xX]_(\w+)", line.code) if not _OF_PART.search(f"x_{name}")}
    suffixes = rf"(?<=_)(?:{'|'.join(others)})$" if len(others) > 1 else ""
    target = ast.unparse(tree.targets[0]) if isinstance(tree, ast.Assign) else ""
    for given in _given_together(tree):
        named = [one for node in given if (one := _named(node, suffixes))]
        for first, second in zip(named[::2], named[1::2]):
            of_arrays = first.base == second.base != ""  # such as X_train, X_test
            if of_arrays or first.part.lower() == second.part.lower() or bool(first.base) != bool(second.base):
                continue
            of_target = _part_of(target, suffixes)
            # The first is most often x, from which people cut the parts.
            right, wrong = (
                (second, first) if second.part == of_target or first.base.startswith(("y", "Y")) else (first, second)
            )
            code = re.sub(rf"{wrong.name}$", wrong.name.replace(wrong.part, right.part, 1), ast.unparse(wrong.node))
            if changed := with_code(line.code, (wrong.node, code)):
                return Mixed(first.name, second.name, changed)
    return None
