"""Indices that the reader's lines lack, or have on another axis: the step of a loop, and the part of an array with all gates."""

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import line_with, with_expression
from core.shapes.user_code.evidence import failed_operation, nodes_of_line
from core.shapes.user_code.frames import followed
from core.shapes.user_code.operations import is_stored, product_of
from core.shapes.user_code.product_forms import INPUT, multiplied
from core.shapes.user_code.products_of_line import products_of_line
from core.shapes.user_code.syntax_trees import is_of_module, root_of, tree_of

# The axes of an array, by what stands before the index of the step.
_AXES = {":, :": "(features, batch, steps)", ":": "(batch, steps, features)", "": "(steps, batch, features)"}


class Indexed(NamedTuple):
    """A line with another index: the line, and the array that has it."""

    line: str
    name: str


def _roots(nodes: list[ast.expr]) -> set[str]:
    return {root.id for node in nodes if isinstance(root := root_of(node), ast.Name)}


def _steps(statement: ast.stmt | None) -> Iterator[ast.expr]:
    """Yield what may be x in a line that computes a state from the last one: an argument of the call, or a factor."""
    if not isinstance(statement, ast.Assign):
        return
    target = statement.targets[0]
    states = _roots(target.elts if isinstance(target, ast.Tuple) else [target])
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Call) and not is_of_module(node) and states & _roots(node.args):
            yield from [one for one in node.args if not states & _roots([one])][:1]
    parts = [
        part
        for node in ast.walk(statement.value)
        if isinstance(node, ast.expr)
        for part in (product_of(node) or {}).values()
    ]
    if states & _roots(parts):
        steps = [one for one in parts if isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Name)]
        yield from (one for one in parts if INPUT.match(getattr(root_of(one), "id", "")) or one in steps)


def with_joined_step(reading: Reading, *, is_missing: bool) -> str:
    """Return the reader's line, or one above, with the index of the step in an array of a join; empty if none takes a step.

    Parameters
    ----------
    reading : Reading
    is_missing : bool
        Whether the array has an axis more than the other. Otherwise the sizes along the first axis differ.
    """
    own = failed_operation(reading)
    for x in own.names.values() if own is not None else ():
        for line, node in [one[0] for one in followed(reading, x) if len(one) == 1]:
            if is_missing and isinstance(node, ast.Name) and INPUT.match(node.id):
                new = f"{node.id}[:, t]"
            elif not is_missing and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
                new = f"{ast.unparse(node.value)}[:, {node.slice.id}]"
            else:
                continue
            return f"{with_expression(tree_of(line.code), node, new)}   # if the array is {_AXES[':']}"
    return ""


def with_step(reading: Reading, left: Shape, right: Shape) -> Indexed | None:
    """Return a line of the reader's with the index of the step in x, or with it on another axis; None if no line computes a state."""
    shorter, longer = sorted((left, right), key=len)
    if len(longer) == len(shorter) + 1 == 3 and shorter[0] in longer[:2]:
        loop = re.search(r"\bfor (\w+) in range", reading.whole)
        index = (":, " if longer[0] == shorter[0] else "") + (loop[1] if loop else "t")
        return _reindexed(reading, lambda x: (x, index) if isinstance(x, ast.Name) else None)
    if len(left) != 2 or len(right) != 2 or (left[0] == right[0]) == (left[1] == right[1]):  # noqa: PLR2004 (axes)
        return None
    if left[1] == right[1]:
        return _reindexed(reading, _on_other_axis)
    if {multiplied(one) for one in products_of_line(reading)} == {"B"}:  # sequences are columns
        return _reindexed(reading, _on_last_axis)
    return None


# An array, and the index that it may need.
_Index = tuple[ast.expr, str]


def _on_other_axis(x: ast.expr) -> _Index | None:
    """Return the array with its one index on the second axis if it stands on the first, else on the first."""
    array, first, name = _index_of(x)
    return (array, f":, {name}" if first else name) if array and name else None


def _on_last_axis(x: ast.expr) -> _Index | None:
    """Return the array with its one index on the last of three axes; None if the index stands on the first."""
    array, first, name = _index_of(x)
    return (array, f":, :, {name}") if array and name and not first else None


def _index_of(x: ast.expr) -> tuple[ast.expr | None, bool, str]:
    """Return an array, whether its index stands on the first axis, and the only name in the index; empty if it has more."""
    if not isinstance(x, ast.Subscript):
        return None, False, ""
    parts = getattr(x.slice, "elts", [x.slice])
    names = [one.id for one in parts if isinstance(one, ast.Name)]
    return x.value, isinstance(parts[0], ast.Name), names[0] if len(names) == 1 else ""


def _reindexed(reading: Reading, changed: Callable[[ast.expr], _Index | None]) -> Indexed | None:
    """Return the reader's innermost line that computes a state, with another index of what may be x; None if there is none."""
    for line in reversed(reading.own):
        statement = tree_of(line.code)
        for x in _steps(statement):
            if found := changed(x):
                array, index = ast.unparse(found[0]), found[1]
                code = with_expression(statement, x, f"{array}[{index}]")
                return Indexed(f"{code}   # if {array} is {_AXES[index.rpartition(', ')[0]]}", array)
    return None


def _is_part(node: ast.AST) -> bool:
    """Whether an index takes a part of the second axis, such as [:, :H]."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None), ast.Slice() as part])):
            return part.lower is not None or part.upper is not None
    return False


def with_slice_on_last_axis(reading: Reading) -> Indexed | None:
    """Return the reader's line with a slice on the second axis that stands on the first of one array, and on the second of another."""
    nodes = [one for one in nodes_of_line(reading) if isinstance(one, ast.Subscript)]
    parts = {ast.dump(one.slice.elts[1]): one.slice for one in nodes if _is_part(one)}  # type: ignore[attr-defined]
    found = [one for one in nodes if ast.dump(one.slice) in parts]
    if len(found) != 1:
        return None
    name, index = ast.unparse(found[0].value), ast.unparse(parts[ast.dump(found[0].slice)])
    return Indexed(line_with(reading, found[0], f"{name}[{index.strip('()')}]"), name)


def with_slice_of_other(reading: Reading, left: Shape, right: Shape) -> Indexed | None:
    """Return the reader's line with the slice of one operand in the other, which is longer along the last axis; None if none is."""
    own = failed_operation(reading)
    if own is None or not {"a", "b"} <= own.names.keys() or left[:-1] != right[:-1] or left == right:
        return None
    shorter, longer = "ab" if left[-1] < right[-1] else "ba"
    parts = {ast.unparse(one.slice): one for one in ast.walk(own.names[shorter]) if _is_part(one)}  # type: ignore[attr-defined]
    whole = own.names[longer]
    whole = (product_of(whole) or {"B": whole})["B"]
    if len(parts) != 1 or not is_stored(whole) or any(map(_is_part, ast.walk(whole))):
        return None
    name = ast.unparse(whole)
    return Indexed(line_with(reading, whole, f"{name}[{next(iter(parts)).strip('()')}]"), name)
