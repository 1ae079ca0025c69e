"""The reader's call of jax.lax.scan, where its step failed: the first state and the array that it takes the steps from."""

import ast

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import changed_line, expression
from core.shapes.user_code.traceback_lines import tree_of

_PLACES = {"init": 1, "xs": 2}


def _argument(call: ast.Call, name: str) -> ast.expr | None:
    at = _PLACES[name]
    given = [*call.args[at : at + 1], *(one.value for one in call.keywords if one.arg == name)]
    return given[0] if given else None


def _scan(reading: Reading) -> tuple[ast.stmt, ast.Call] | None:
    """Return the line with the scan, and its call; None if no line has one."""
    for line in reversed(reading.own):
        tree = tree_of(line.code)
        for node in ast.walk(tree or ast.Pass()):
            if tree is not None and isinstance(node, ast.Call) and ast.unparse(node.func).endswith("lax.scan"):
                return tree, node
    return None


def with_argument(reading: Reading, name: str, new: str) -> str:
    """Return the line of the reader's scan with another array in one place; empty if there is none.

    Parameters
    ----------
    reading : Reading
    name : {"init", "xs"}
    new : str
        With ``{}`` for the reader's own array.
    """
    found = _scan(reading)
    if found is None or (old := _argument(found[1], name)) is None:
        return ""

    def changed(node: ast.expr) -> ast.expr | None:
        is_argument = (
            ast.dump(node) == ast.dump(old) and node.lineno == old.lineno and node.col_offset == old.col_offset
        )
        return expression(new.format(ast.unparse(old))) if is_argument else None

    return changed_line(found[0], changed)


def first_state(reading: Reading, new: str, *, of_pair: bool) -> str:
    """Return the line of the reader's scan with a new first state; empty if a name may stand for a pair of states."""
    found = _scan(reading)
    init = _argument(found[1], "init") if found else None
    is_one = isinstance(init, ast.Tuple | ast.Call) or not of_pair
    if isinstance(init, ast.Tuple):
        new = f"({', '.join([new] * len(init.elts))})"
    return with_argument(reading, "init", new) if init is not None and is_one else ""
