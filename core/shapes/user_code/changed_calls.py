"""The reader's line with a call in it that has other arguments."""

import ast
import copy
from collections.abc import Callable, Collection

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_statement
from core.shapes.user_code.operations import function_of


def expression(code: str) -> ast.expr:
    return ast.parse(code, mode="eval").body


def keyword(name: str, value: str) -> ast.keyword:
    return ast.keyword(name, expression(value))


def changed_call(reading: Reading, functions: Collection[str], change: Callable[[ast.Call], object]) -> str:
    """Return the reader's line after a change of its only call of these functions; empty if it has none, or more.

    Arguments by keyword that the change gives anew stand in the place of the reader's own.
    """
    tree = copy.deepcopy(failed_statement(reading))
    calls = [
        one
        for one in ast.walk(tree or ast.Pass())
        if isinstance(one, ast.Call) and function_of(one) in functions and one.args
    ]
    if tree is None or len(calls) != 1:
        return ""
    change(calls[0])
    calls[0].keywords = list({one.arg: one for one in calls[0].keywords}.values())
    return ast.unparse(ast.fix_missing_locations(tree))
