"""Lines of the reader's program without what is too much in them."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_statement, nodes_of_line
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import argument, calls_in, root_of, tree_of, with_code


def without_calls(reading: Reading, names: frozenset[str]) -> str:
    """Return the reader's line without the outermost calls of these methods; empty if it has none, or if nothing is left."""
    line = failed_statement(reading) or ast.Pass()
    for node in ast.walk(line):
        inner: ast.expr | ast.AST = node
        while isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in names:
            inner = inner.func.value
        if inner is not node:
            rest = ast.unparse(line).replace(ast.unparse(node), ast.unparse(inner), 1)
            return "" if rest == f"{ast.unparse(inner)} = {ast.unparse(inner)}" else rest
    return ""


def summary_without_batch(reading: Reading, axes: int) -> str:
    """Return the call of summary with one size fewer, where the sizes in the text and a batch are so many axes; else an empty text."""
    for call, sizes in re.findall(r"\b(summary\(\w{1,40}, ?(?:input_size ?= ?)?)\(([\w., ]{3,80})\)", reading.whole):
        parts = [one.strip() for one in sizes.split(",") if one.strip()]
        if len(parts) + 1 == axes > 2:
            return f"{call}({', '.join(parts[1:])}))"
    return ""


def _names_axis(node: ast.AST, axis: int) -> bool:
    """Whether a call is given the number of an axis, alone or as dim or axis."""
    if not isinstance(node, ast.Call):
        return False
    named = [*node.args, *(one.value for one in node.keywords if one.arg in ("dim", "axis"))]
    return str(axis) in map(ast.unparse, named)


# Modules whose functions take the array as their first argument.
_MODULES = frozenset(("torch", "np", "numpy", "jnp", "tf", "K", "keras.ops", "ops"))


def _squeezed(call: ast.Call, of: ast.expr) -> ast.expr | None:
    """Return the array of a call of squeeze: what stands before the dot, or the argument if that is a module."""
    if ast.unparse(of) not in _MODULES:
        return of
    return argument(call, "input", "a", "x", at=0)


def _calls_of(tree: ast.AST, method: str) -> list[tuple[ast.Call, ast.expr]]:
    """Return the calls of a method, each with what stands before its dot."""
    return [(node, node.func.value) for node in calls_in(tree, method) if isinstance(node.func, ast.Attribute)]


def without_squeeze(reading: Reading, axis: int) -> tuple[bool, str]:
    """Return whether squeeze(axis) is what failed, and the reader's line without it.

    Returns
    -------
    bool
        By the reader's line, or by the only squeeze of the text if no line is known.
    str
        Empty if nothing is left of the line, or if no line is known.
    """
    if not reading.own:
        axes = re.findall(r"\.squeeze\((-?\d|)\)", reading.whole)
        return axes == [str(axis)], ""
    line = failed_statement(reading) or ast.Pass()
    for node, before in _calls_of(line, "squeeze"):
        if _names_axis(node, axis):
            inside = set(ast.walk(node))
            if any(_names_axis(one, axis) for one in ast.walk(line) if one not in inside):
                return False, ""  # another call of the line names this axis as well
            if (array := _squeezed(node, before)) is None:
                return True, ""
            rest = ast.unparse(line).replace(ast.unparse(node), ast.unparse(array), 1)
            target = ast.unparse(line.targets[0]) if isinstance(line, ast.Assign) else ""
            return True, rest if rest != f"{target} = {target}" else ""
    return False, ""


class Unsqueezed(NamedTuple):
    """The unsqueeze that failed in the reader's line.

    Attributes
    ----------
    array : str
        The name of the array; empty if it has none.
    at_end : str
        The line with the last axis that unsqueeze can add; empty if the reader's axis counts from the end.
    squeeze : str
        The squeeze before it that may have removed the batch; empty if there is none.
    without : str
        The line without that squeeze.
    """

    array: str
    at_end: str
    squeeze: str
    without: str


def _line_with_axis(reading: Reading, axis: int) -> ast.AST:
    """Return the reader's line, or without one the only assignment of the text where a call names this axis."""
    if reading.own or len(re.findall(rf"[(,=] ?{axis}\)", reading.whole)) != 1:
        return failed_statement(reading) or ast.Pass()
    trees = [tree_of(one.code) or ast.Pass() for one in reading.program]
    return next((tree for tree in trees if any(_names_axis(node, axis) for node in ast.walk(tree))), ast.Pass())


def failed_unsqueeze(reading: Reading, axis: int, axes: int) -> Unsqueezed | None:
    """Return the unsqueeze that names an axis which its array of so many axes lacks; None if another call of the line may be it."""
    line = _line_with_axis(reading, axis)
    calls = [one for one in calls_in(line) if _names_axis(one, axis)]
    if len(calls) != 1 or not isinstance(calls[0].func, ast.Attribute) or calls[0].func.attr != "unsqueeze":
        return None
    whole, written = ast.unparse(line), ast.unparse(calls[0])
    array = _squeezed(calls[0], calls[0].func.value)
    root = root_of(array) if array is not None else None
    is_last = axis > 0 and written.endswith(f"{axis})")
    at_end = whole.replace(written, f"{written[: -len(f'{axis})')]}{axes})", 1) if is_last else ""
    squeeze, without = _squeeze_of_batch(array, whole)
    if squeeze == "squeeze(0)" and axis > axes + 1:
        squeeze = without = ""  # the axis does not exist with the batch either
    return Unsqueezed(ast.unparse(root) if root is not None and is_stored(root) else "", at_end, squeeze, without)


def _squeeze_of_batch(array: ast.expr | None, line: str) -> tuple[str, str]:
    """Return the only squeeze in an array's expression that removes a batch of 1 on axis 0, and the line without it."""
    found = _calls_of(array or ast.Pass(), "squeeze")
    if len(found) != 1:
        return "", ""
    call, before = found[0]
    inner = _squeezed(call, before)
    axes = [ast.unparse(one) for one in (*call.args, *(one.value for one in call.keywords)) if one is not inner]
    if inner is None or axes not in ([], ["0"]):
        return "", ""
    return f"squeeze({''.join(axes)})", line.replace(ast.unparse(call), ast.unparse(inner), 1)


def _indexed(reading: Reading) -> Iterator[tuple[ast.expr, ast.Tuple]]:
    """Return the arrays of the reader's line that have several indices, with these."""
    for node in nodes_of_line(reading):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            yield node.value, node.slice


def _with_indices(reading: Reading, index: ast.Tuple, kept: list[ast.expr]) -> str:
    return with_code(reading.own_code, (index, ", ".join(map(ast.unparse, kept))))


def first_indices(reading: Reading, axes: int) -> str:
    """Return the reader's line with as many indices as the array has axes; empty if no index of it tells more than the step."""
    for _, index in _indexed(reading):
        # One sample and one step, and after them an axis that is not there.
        if len(index.elts) > axes >= 3 and not any(isinstance(one, ast.Slice) for one in index.elts[:2]):
            return _with_indices(reading, index, index.elts[:axes])
    return ""


_OF_MODEL = re.compile(r"pred|y_?hat|forecast", re.IGNORECASE)


def without_step(reading: Reading) -> str:
    """Return the reader's line without the step among three indices of predictions, as in predicted[:, -1, 0]; else an empty text."""
    for array, index in _indexed(reading):
        if len(index.elts) == 3 and _OF_MODEL.search(ast.unparse(array)):
            return _with_indices(reading, index, index.elts[::2])
    return ""
