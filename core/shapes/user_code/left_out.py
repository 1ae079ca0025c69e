"""Lines of the reader's program without what is too much in them."""

import ast
import re
from typing import NamedTuple

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_statement


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
    named = (one.value for one in call.keywords if one.arg in ("input", "a", "x"))
    return next(iter((*call.args[:1], *named)), None)


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
    for node in ast.walk(line):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "squeeze":
            continue
        if _names_axis(node, axis):
            inside = set(ast.walk(node))
            if any(_names_axis(one, axis) for one in ast.walk(line) if one not in inside):
                return False, ""  # another call of the line names this axis as well
            if (array := _squeezed(node, node.func.value)) is None:
                return True, ""
            rest = ast.unparse(line).replace(ast.unparse(node), ast.unparse(array), 1)
            target = ast.unparse(line.targets[0]) if isinstance(line, ast.Assign) else ""
            return True, rest if rest != f"{target} = {target}" else ""
    return False, ""


class Unsqueezed(NamedTuple):
    """The unsqueeze that failed in the reader's line.

    Attributes
    ----------
    at_end : str
        The line with the last axis that unsqueeze can add.
    squeeze : str
        The squeeze before it that may have removed the batch; empty if there is none.
    without : str
        The line without that squeeze.
    """

    at_end: str
    squeeze: str
    without: str


def failed_unsqueeze(reading: Reading, axis: int, axes: int) -> Unsqueezed | None:
    """Return the only call of the reader's line that names this axis if it is an unsqueeze; else None.

    Parameters
    ----------
    axis : int
        The axis that does not exist.
    axes : int
        The axes of the array, if the call is an unsqueeze.
    """
    line = failed_statement(reading) or ast.Pass()
    calls = [node for node in ast.walk(line) if isinstance(node, ast.Call) and _names_axis(node, axis)]
    if len(calls) != 1 or not isinstance(calls[0].func, ast.Attribute) or calls[0].func.attr != "unsqueeze":
        return None
    (call,) = calls
    array = _squeezed(call, calls[0].func.value)
    whole, written = ast.unparse(line), ast.unparse(call)
    head = written[: -len(f"{axis})")]
    before = [
        one
        for one in ast.walk(array or ast.Pass())
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "squeeze"
    ]
    # The batch is the first axis, which squeeze(0) removes, and squeeze() as well.
    arguments = [ast.unparse(one) for one in before[0].args] if len(before) == 1 and not before[0].keywords else None
    squeezed = before[0].func if arguments in ([], ["0"]) else None
    is_method = isinstance(squeezed, ast.Attribute) and ast.unparse(squeezed.value) not in _MODULES
    return Unsqueezed(
        whole.replace(written, f"{head}{axes})", 1) if written.endswith(f"{axis})") else "",
        f"squeeze({''.join(arguments or [])})" if is_method else "",
        whole.replace(ast.unparse(before[0]), ast.unparse(squeezed.value), 1)
        if is_method and isinstance(squeezed, ast.Attribute)
        else "",
    )


_LAST_ROW = re.compile(r"\b(\w{1,40}) ?= ?((?:\w{1,20}_)?(?:h|hx|hidden)(?:_\w{1,20})?)\[-1\](?= |$)")


def row_of_cell(reading: Reading) -> tuple[str, str]:
    """Return the line that takes a row from the state of a cell before a call is given it, and the line with all rows.

    Returns
    -------
    tuple of str
        Both empty if the text has no such line, or a layer whose state has an axis of layers.
    """
    if not re.search(r"\b(?:LSTM|GRU|RNN)Cell\(", reading.whole) or re.search(r"\b(?:LSTM|GRU|RNN)\(", reading.whole):
        return "", ""
    first_arguments = set(re.findall(r"\w\((\w{1,40}), ", reading.whole))
    for found in _LAST_ROW.finditer(reading.whole):
        if found[1] in first_arguments:
            return found[0], f"{found[1]} = {found[2]}"
    return "", ""
