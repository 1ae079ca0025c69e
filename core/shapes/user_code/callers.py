"""Shapes that the lines around the failing one write out for a model, and the one sample that they give it for a batch."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.operations import function_of
from core.shapes.user_code.traceback_lines import tree_of

# How people name several sequences.
_BATCH = re.compile(r"batch|^x_?b$|xb$|_b$|^X|train|data|[^s]s$")
_SHAPED = {"randn", "rand", "zeros", "ones", "empty", "view", "reshape", "randint", "random"}


def _size(node: ast.expr, reading: Reading) -> int | None:
    """Return a size that a line writes: -1 for one that it does not tell, None for what is no size."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Name(id=name):
            return reading.numbers.get(name, -1)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)) | ast.Attribute() | ast.Call() | ast.Subscript():
            return -1
    return None


def _sizes(call: ast.Call, reading: Reading) -> Shape:
    """Return the sizes that a call is given, one by one or as a tuple; empty if it has none."""
    tuples = [one.elts for one in call.args if isinstance(one, ast.Tuple | ast.List)]
    sizes = [_size(one, reading) for one in (tuples[-1] if tuples else call.args)]
    return tuple(one for one in sizes if one is not None) if None not in sizes else ()


def shapes_of_callers(reading: Reading) -> tuple[Shape, ...]:
    """Return the shapes that the lines write out which called the failing one; -1 stands for a size that is not told."""
    return tuple(
        sizes
        for line in reading.own[:-1]
        for node in ast.walk(tree_of(line.code) or ast.Pass())
        if isinstance(node, ast.Call) and function_of(node) in _SHAPED and len(sizes := _sizes(node, reading)) > 1
    )


def is_written(reading: Reading, *sizes: int) -> bool:
    """Whether a line that called the failing one writes a shape of three axes that begins with these sizes."""
    return any(
        len(shape) == 3 and all(one in (-1, size) for one, size in zip(shape, sizes)) and set(sizes) & set(shape)
        for shape in shapes_of_callers(reading)
    )


def given_by_caller(reading: Reading) -> ast.Name | None:
    """Return the variable that the line which called the failing method gives it alone; None if there is no such line."""
    if len(reading.own) < 2 or reading.own[-1].function not in ("", "forward"):
        return None
    line = reading.own[-2]
    calls = [node for node in ast.walk(tree_of(line.code) or ast.Pass()) if isinstance(node, ast.Call)]
    marked = [one for one in calls if line.marks(one)] or calls
    if len(marked) != 1 or len(marked[0].args) != 1 or marked[0].keywords:
        return None
    (given,) = marked[0].args
    return given if isinstance(given, ast.Name) else None


def with_batch_of_one(reading: Reading) -> str:
    """Return the line that called the model, with its sample as a batch of one; empty if it gives a batch by its name."""
    given = given_by_caller(reading)
    if given is None or _BATCH.search(given.id):
        return ""
    return with_expression(tree_of(reading.own[-2].code), given, f"{given.id}.unsqueeze(0)")
