"""The line of the reader's program that computes a loss."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.user_code.elementwise_operands import PREDICTIONS, TARGETS
from core.shapes.user_code.evidence import failed_operation, failed_statement, is_loss
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import last_name, root_of


def swapped_loss(reading: Reading) -> dict[str, str]:
    """Return the reader's line with the two arguments of the loss in the other order, and the name of the first one.

    Both are empty if their names do not tell that the targets come first.
    """
    call, statement = failed_operation(reading), failed_statement(reading)
    unknown = {"swapped": "", "targets": ""}
    if call is None or statement is None or not isinstance(call.node, ast.Call) or len(call.node.args) != 2:
        return unknown
    first, second = (last_name(root_of(one)) for one in call.node.args)
    if not TARGETS.match(first) or not PREDICTIONS.match(second) or TARGETS.match(second):
        return unknown
    old = ast.unparse(call.node)
    turned = copy.deepcopy(call.node)
    turned.args.reverse()
    return {"swapped": ast.unparse(statement).replace(old, ast.unparse(turned), 1), "targets": first}


def constant_targets(reading: Reading) -> str:
    """Return "zeros" or "ones" if the targets of the reader's loss are named after such numbers, or after fake and real data."""
    call = failed_operation(reading)
    targets = call.names.get("targets") if call is not None else None
    name = targets.id.lower() if isinstance(targets, ast.Name) else ""
    return "zeros" if re.search("zero|fake", name) else "ones" if re.search("ones?$|^ones|real|valid", name) else ""


def rows_of_last_axis(reading: Reading) -> str:
    """Return the line of a loss with rows as long as the last axis of its predictions, not a constant; empty if it has none."""
    line = failed_statement(reading)
    is_of_loss = reading.kind == "targets" or is_loss(reading) or reading.code.startswith("loss")
    for node in ast.walk(line or ast.Pass()) if is_of_loss else ():
        match node:
            case ast.Call(
                func=ast.Attribute(value=array, attr="view" | "reshape" as name), args=[ast.UnaryOp() as rows, size]
            ) if ast.unparse(rows) == "-1" and not _is_known(reading, size) and is_stored(array):
                x = ast.unparse(array)
                return ast.unparse(line or ast.Pass()).replace(ast.unparse(node), f"{x}.{name}(-1, {x}.size(-1))", 1)
    return ""


def _is_known(reading: Reading, size: ast.expr) -> bool:
    """Whether a size is that of the array itself, or a number with which another rule counts the rows."""
    is_number = isinstance(size, ast.Constant) and reading.kind == "targets"
    return is_number or "size(" in ast.unparse(size) or ".shape" in ast.unparse(size)
