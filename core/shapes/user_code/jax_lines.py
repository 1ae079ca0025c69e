"""The reader's lines of JAX and Flax: a scan, and the first carry of a cell."""

import ast

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import changed_line, line_with
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import argument, attribute_of, expression, renamed, tree_of

_PLACES = {"init": 1, "xs": 2}


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
    if found is None or (old := argument(found[1], name, at=_PLACES[name])) is None:
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
    init = argument(found[1], "init", at=_PLACES["init"]) if found else None
    is_one = isinstance(init, ast.Tuple | ast.Call) or not of_pair
    if isinstance(init, ast.Tuple):
        new = f"({', '.join([new] * len(init.elts))})"
    return with_argument(reading, "init", new) if init is not None and is_one else ""


_LIBRARIES = ("jnp.", "jax.", "np.", "nn.", "nnx.")


def _first_step(x: ast.expr) -> ast.expr:
    """Return an array with index 0 in the place of a name, such as that of the step, which has no value before the loop."""
    if not isinstance(x, ast.Subscript):
        return x
    index = x.slice.elts if isinstance(x.slice, ast.Tuple) else [x.slice]
    names = {one.id: ast.Constant(0) for one in index if isinstance(one, ast.Name)}
    return ast.Subscript(x.value, renamed(x.slice, names), x.ctx)


def first_carry(reading: Reading) -> str:
    """Return the line that makes a first carry by the cell that gets it; empty if the reader's line calls no cell with one.

    A carry without a name is made in the reader's line.
    """
    for node in calls_of_line(reading):
        if not node.args:
            continue
        of_layer = argument(node, "initial_carry")
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("apply", "init")
        cell = node.func.value if is_method and isinstance(node.func, ast.Attribute) else node.func
        if not is_stored(cell) or ast.unparse(cell).startswith(_LIBRARIES) or of_layer is None and len(node.args) < 2:
            continue
        x, carry = (node.args[0], of_layer) if of_layer else (node.args[-1], node.args[-2])
        of_x = attribute_of(_first_step(x), "shape")
        shape = f"({of_x}[0], {of_x}[-1])" if of_layer else of_x
        name = f"{ast.unparse(cell)}.cell" if of_layer else ast.unparse(cell)
        of_nnx = "nnx" in reading.whole
        made = f"{name}.initialize_carry({f'{shape}, nnx.Rngs(0)' if of_nnx else f'jax.random.key(0), {shape}'})"
        if of_layer or not is_stored(carry):
            return line_with(reading, carry, made)
        return f"{ast.unparse(carry)} = {made}"
    return ""
