"""The first carry of a cell of Flax, in the names of the reader's line."""

import ast

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import failed_statement, nodes_of_line
from core.shapes.user_code.operations import is_stored

_LIBRARIES = ("jnp.", "jax.", "np.", "nn.", "nnx.")


def _is_cell(node: ast.expr) -> bool:
    return is_stored(node) and not ast.unparse(node).startswith(_LIBRARIES)


def first_carry(reading: Reading) -> str:
    """Return the line that makes a first carry by the cell that gets it; empty if the reader's line calls no cell with one.

    A carry without a name is made in the reader's line.
    """
    for node in nodes_of_line(reading):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        of_layer = [one.value for one in node.keywords if one.arg == "initial_carry"]
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("apply", "init")
        cell = node.func.value if is_method and isinstance(node.func, ast.Attribute) else node.func
        if not _is_cell(cell) or not of_layer and len(node.args) < 2:
            continue
        x, carry = (node.args[0], of_layer[0]) if of_layer else (node.args[-1], node.args[-2])
        shape = f"({ast.unparse(x)}.shape[0], {ast.unparse(x)}.shape[-1])" if of_layer else f"{ast.unparse(x)}.shape"
        name = f"{ast.unparse(cell)}.cell" if of_layer else ast.unparse(cell)
        of_nnx = "nnx" in reading.whole
        made = f"{name}.initialize_carry({f'{shape}, nnx.Rngs(0)' if of_nnx else f'jax.random.key(0), {shape}'})"
        if of_layer or not is_stored(carry):
            return with_expression(failed_statement(reading), carry, made)
        return f"{ast.unparse(carry)} = {made}"
    return ""
