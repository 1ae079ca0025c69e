"""The reader's line with a call in it that has other arguments, or with another expression in the place of one."""

import ast
import copy
from collections.abc import Callable, Collection

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_operation, failed_statement
from core.shapes.user_code.operations import axis_of_call
from core.shapes.user_code.syntax_trees import calls_in, changed, expression, function_of


def keyword(name: str, value: str) -> ast.keyword:
    return ast.keyword(name, expression(value))


def changed_call(reading: Reading, functions: Collection[str], change: Callable[[ast.Call], object]) -> str:
    """Return the reader's line after a change of its only call of these functions; empty if it has none, or more.

    Arguments by keyword that the change gives anew stand in the place of the reader's own.
    """
    tree = copy.deepcopy(failed_statement(reading))
    calls = [one for one in calls_in(tree, *functions) if one.args]
    if tree is None or len(calls) != 1:
        return ""
    change(calls[0])
    calls[0].keywords = list({one.arg: one for one in calls[0].keywords}.values())
    return ast.unparse(ast.fix_missing_locations(tree))


def with_argument_as(reading: Reading, functions: Collection[str], new: str, at: int = 0) -> str:
    """Return the reader's line with another argument in a place of its only call of these functions; empty if it has none, or more.

    In `new`, ``{}`` stands for the code of the old argument.
    """

    def change(call: ast.Call) -> None:
        if len(call.args) > at:
            call.args[at] = expression(new.format(ast.unparse(call.args[at])))

    return changed_call(reading, functions, change)


def changed_line(statement: ast.stmt | None, change: Callable[[ast.expr], ast.expr | None]) -> str:
    """Return a statement with what the change gives in the place of an expression; empty if it changes none."""
    if statement is None:
        return ""
    code = ast.unparse(changed(statement, change))
    return code.replace(".T.T", "") if code != ast.unparse(statement) else ""


def with_expression(statement: ast.stmt | None, old: ast.expr, new: str) -> str:
    """Return a statement with new code for an expression, wherever it stands; empty if it has none."""
    place, made = ast.dump(old), expression(new)
    return changed_line(statement, lambda node: made if ast.dump(node) == place else None)


def line_with(reading: Reading, old: ast.expr, new: str) -> str:
    """Return the reader's line with new code for an expression, wherever it stands; empty if it has none."""
    return with_expression(failed_statement(reading), old, new)


def joined_along_features(reading: Reading, got: int, wanted: int, axes: Collection[str]) -> str:
    """Return the reader's line with x concatenated along its last axis, if x so has the wanted entries; else an empty text.

    Parameters
    ----------
    reading : Reading
    got, wanted : int
        The entries of each of the arrays, which are those of x, and the entries that the layer needs.
    axes : collection of str
        The axes along which x may be concatenated now.
    """
    own = failed_operation(reading)
    match own.names.get("x") if own is not None else None:
        case ast.Call(args=[ast.Tuple(elts=parts) | ast.List(elts=parts) as arrays, *_]) as call:
            axis = axis_of_call(call)
            is_other = function_of(call) in ("cat", "concat") and (ast.unparse(axis) if axis else "0") in axes
            if is_other and len(parts) * got == wanted:
                return line_with(reading, call, f"torch.cat({ast.unparse(arrays)}, dim=-1)")
    return ""
