"""The reader's call of what jax.vmap returns."""

import ast

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import failed_statement, nodes_of_line
from core.shapes.user_code.operations import function_of


def _mapped(reading: Reading) -> tuple[ast.Call, ast.Call] | None:
    """Return the call of jax.vmap and the call of its result; None if the reader's line has no such call."""
    for node in nodes_of_line(reading):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and function_of(node.func) == "vmap":
            return node.func, node
    return None


def mapped_arguments(reading: Reading) -> tuple[str, ...]:
    """Return the arguments that the reader's line gives to what jax.vmap returns; empty if the text has no such line."""
    found = _mapped(reading)
    return tuple(map(ast.unparse, found[1].args)) if found else ()


def with_shared_argument(reading: Reading, name: str) -> str:
    """Return the reader's line with None for an argument among the axes that it gives jax.vmap; empty if it gives none by name."""
    found, arguments = _mapped(reading), mapped_arguments(reading)
    axes = next((one.value for one in found[0].keywords if one.arg == "in_axes"), None) if found else None
    if not isinstance(axes, ast.Tuple) or len(axes.elts) != len(arguments) or name not in arguments:
        return ""
    new = ["None" if one == name else ast.unparse(axis) for one, axis in zip(arguments, axes.elts)]
    return with_expression(failed_statement(reading), axes, f"({', '.join(new)})")
