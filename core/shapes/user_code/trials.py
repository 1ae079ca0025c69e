"""Advised lines in the reader's program: written out with its arguments, and followed to see whether the shapes fit then."""

import ast
import copy
import re
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.shape_inference.layer_calls import LAYERS, RECURRENT, argument_names
from core.shapes.shape_inference.program import ShapeTracer, trace_lines
from core.shapes.user_code.program import UserStatement
from core.shapes.user_code.syntax_trees import calls_in, tree_of
from core.shapes.user_code.traceback_lines import UserLine

_MADE = LAYERS | {"DataLoader"}
# Nodes of programs that are followed for one message; they bound the time.
MOST_NODES = 12_000


class TrialOutcome(IntEnum):
    """Whether the line that failed would run with an advised line in the program."""

    FAILS = 0
    UNKNOWN = 1
    FITS = 2


# ---- a line that makes a layer, with the reader's arguments --------------------------------------


def _class_of(node: ast.expr | None) -> str:
    """Return the class of a layer that a call makes; empty for any other expression."""
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return name if name in _MADE and name[0].isupper() else ""


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _merged(old: ast.Call, new: ast.Call) -> ast.Call | None:
    """Return the reader's call with the arguments of an advised one; None if the two name an argument differently."""
    names = argument_names(_class_of(old))
    made = copy.deepcopy(old)
    made.func = copy.deepcopy(new.func) if _class_of(old) != _class_of(new) else made.func
    if any(isinstance(one, ast.Starred) for one in made.args) or any(one.arg is None for one in made.keywords):
        return None
    given = dict(zip(names, new.args)) if not (new.args and _is_dots(new.args[0])) else {}
    given |= {one.arg: one.value for one in new.keywords if one.arg}
    for name, value in given.items():
        if _is_dots(value):
            continue
        at = names.index(name) if name in names else len(made.args)
        keyword = next((one for one in made.keywords if one.arg == name), None)
        if at < len(made.args):
            made.args[at] = value
        elif keyword:
            keyword.value = value
        else:
            made.keywords.append(ast.keyword(name, value))
    return made


def _same_class(one: str, other: str) -> bool:
    return one == other or {one, other} <= RECURRENT and one.endswith("Cell") == other.endswith("Cell")


def written_out(advised: str, program: Iterable[UserStatement]) -> str:
    """Return an advised line that makes a layer with all the arguments and the name that the reader's program gives it.

    Parameters
    ----------
    advised : str
        With ``...`` for the reader's own arguments.
    program : iterable of UserStatement

    Returns
    -------
    str
        The line as it was if it makes no layer, or if the program makes none of this class.
    """
    code, mark, comment = advised.partition("   # ")
    tree = tree_of(code)
    if not isinstance(tree, ast.Assign | ast.Expr):
        return advised
    value, target = tree.value, ast.unparse(tree.targets[0]) if isinstance(tree, ast.Assign) else ""
    if not isinstance(value, ast.Call) or not (new := _class_of(value)):
        return advised
    made = [one for one in program if (old := _class_of(one.value)) and _same_class(old, new)]
    made = [one for one in made if not target or one.target == target]
    # If the program makes several, only a comment can tell which one is meant.
    if not made or len({one.target for one in made}) > 1 and "last" not in comment:
        return advised
    old_call = made[-1].value
    others = re.match(r"or [A-Z][\w, ]*$|or [A-Z][\w, ]*; ", comment)
    if others:
        comment = comment[others.end() :]
        value.func = copy.deepcopy(old_call.func) if isinstance(old_call, ast.Call) else value.func
    elif _class_of(old_call) != new and "in the place of" not in comment:
        return advised
    merged = _merged(old_call, value) if isinstance(old_call, ast.Call) else None
    if merged is None:
        return advised
    return f"{made[-1].target} = {ast.unparse(merged)}" + (f"{mark}{comment}" if comment else "")


# ---- a line in the program ------------------------------------------------------------------------


def outcomes(program: ShapeTracer, line: UserLine, advised: Iterable[str]) -> list[TrialOutcome]:
    """Return, for each advised line by itself, whether the line that failed would then run."""
    at = _statement_at(program, line)
    before = _problems(program)
    is_followed = at is not None and any(at[0] <= one.at <= at[1] for one in before)
    found = []
    for number, one in enumerate(advised):
        if at is None or not is_followed or (number + 1) * program.nodes > MOST_NODES:
            found.append(TrialOutcome.UNKNOWN)
        else:
            found.append(_outcome(program, line, at, before, one))
    return found


def _statement_at(program: ShapeTracer, line: UserLine) -> tuple[int, int] | None:
    """Return the first and the last line of the statement that failed, counted from 0 in the program."""
    try:
        tree = ast.parse("\n".join(program.lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    wanted = tree_of(line.code)
    if wanted is None:
        return None
    code = ast.unparse(wanted)
    places = []
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and type(node) is type(wanted) and _head(node) == _head(wanted):
            end = node.iter if isinstance(node, ast.For) else node
            if isinstance(node, ast.For) or ast.unparse(node) == code:
                places.append((node.lineno - 1, (end.end_lineno or node.lineno) - 1))
    own = line.number - 1 - program.before
    exact = [place for place in places if place[0] == own and not line.file]
    return exact[0] if exact else places[0] if len(places) == 1 else None


def _head(node: ast.stmt) -> str:
    return ast.unparse(node.iter) if isinstance(node, ast.For) else ast.unparse(node)


class _Problem(NamedTuple):
    """An operation that does not fit: its line, counted from 0, its code, and what it combines if it is of two arrays."""

    at: int
    code: str
    operands: tuple[Shape, ...]


def _problems(program: ShapeTracer) -> list[_Problem]:
    of_two = [
        _Problem(one.number - 1 - program.before, one.code, (one.left.shape, one.right.shape))
        for one in program.mismatches
    ]
    return of_two + [_Problem(one.number - 1 - program.before, one.code, ()) for one in program.refusals]


def _outcome(
    program: ShapeTracer, line: UserLine, at: tuple[int, int], before: list[_Problem], advised: str
) -> TrialOutcome:
    code = advised.partition("   # ")[0]
    tree = tree_of(code)
    if tree is None or any(_is_dots(given) for one in calls_in(tree) for given in one.args):
        return TrialOutcome.UNKNOWN
    lines = list(program.lines)
    first, last = at
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    if made := _maker_of(program, tree):
        begin, end = made
        own = lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())]
        lines[begin : end + 1] = [own + code] + [""] * (end - begin)
    elif _target(code) == _target(line.code):
        is_part = first == last and lines[first].strip() != line.code in lines[first]  # between semicolons
        replaced = lines[first].replace(line.code, code, 1) if is_part else indent + code
        lines[first : last + 1] = [replaced] + [""] * (last - first)
    elif not _is_simple(tree, line) or not re.search(rf"\b{re.escape(_target(code))}\b", line.code):
        return TrialOutcome.UNKNOWN  # it belongs to another place
    else:
        own_code = line.code if line.code in lines[first] else lines[first].lstrip()
        lines[first] = lines[first].replace(own_code, f"{code}; {own_code}", 1)
    followed = trace_lines(lines, program.told)
    if followed is None:
        return TrialOutcome.UNKNOWN
    problems = _problems(followed)
    here = [one.operands for one in problems if first <= one.at <= last]
    if here and here[0] not in [one.operands for one in before if first <= one.at <= last]:
        return TrialOutcome.UNKNOWN  # the line fails for another reason
    known = {one.code for one in before}
    return TrialOutcome.FAILS if here or any(one.code not in known for one in problems) else TrialOutcome.FITS


def _is_simple(tree: ast.stmt, line: UserLine) -> bool:
    """Whether a line can stand before another one in the same line."""
    return isinstance(tree, ast.Assign | ast.AugAssign) and not line.code.rstrip().endswith(":")


def _maker_of(program: ShapeTracer, tree: ast.stmt) -> tuple[int, int] | None:
    """Return the lines of the statement that makes the layer which an advised line makes anew."""
    if not isinstance(tree, ast.Assign) or not _class_of(tree.value):
        return None
    target = ast.unparse(tree.targets[0])
    for node in ast.walk(ast.parse("\n".join(program.lines))):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == target and _class_of(node.value):
            return node.lineno - 1, (node.end_lineno or node.lineno) - 1
    return None


def _target(code: str) -> str:
    """Return the left side of an assignment, or the name of another statement."""
    tree = tree_of(code)
    return ast.unparse(tree.targets[0]) if isinstance(tree, ast.Assign) else type(tree).__name__
