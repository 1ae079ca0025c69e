"""The line of the reader's program that failed, where the text has the program and no traceback.

The shapes that follow from the program are compared with the sizes of the message, so a line is named only if it is the one
that fits.
"""

import ast
from collections.abc import Iterable, Mapping
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.user_code.array_shapes import Array, Layer
from core.shapes.user_code.shapes_of_program import PACKING, Call, Operands, ShapeTracer, trace_lines, trace_shapes
from core.shapes.user_code.traceback_lines import LONGEST_LINE, UserLine, tree_of

if TYPE_CHECKING:
    from core.shapes.messages import Reading

_OF_RECURRENT = {
    "features",
    "state",
    "state_rank",
    "rank",
    "pair",
    "unpack",
    "unpack_three",
    "unpack_states",
    "state_order",
}
_OF_CELL = {"batch", "state_units"}
_OF_LOSS = {"targets", "target_shape", "target_rank", "target_size", "class_number"}
_OF_PRODUCT = {"product", "product_inner", "product_vector"}


class Found(NamedTuple):
    """The line that failed, as far as the program tells it, and its values.

    Attributes
    ----------
    lines : tuple of UserLine
        One, or none.
    operands : (Array, Array), optional
        What the operation combines.
    given : tuple of Array or None
        The arguments of the call of a layer or a loss, as far as they are known.
    numbers : dict from str to int
        The whole numbers of the program by their names.
    layer : Layer, optional
        The layer that was called.
    arrays : dict from str to Shape
        The shapes of the program's arrays by their names.
    """

    lines: tuple[UserLine, ...] = ()
    operands: tuple[Array, Array] | None = None
    given: tuple[Array | None, ...] = ()
    numbers: Mapping[str, int] = {}
    layer: Layer | None = None
    arrays: Mapping[str, Shape] = {}


def find(reading: "Reading", text: str) -> Found:
    """Return the line that failed and what it was given, as far as the text tells."""
    followed = trace_shapes(text)
    if followed is None:
        return Found()
    numbers = {name: value for name, value in followed.names.items() if isinstance(value, int)}
    arrays = {name: value.shape for name, value in followed.names.items() if isinstance(value, Array)}
    mismatches = [one for one in followed.mismatches if _is_of_message(one, reading)]
    if line := _only(mismatches):
        return Found((line,), (mismatches[0].left, mismatches[0].right), (), numbers, arrays=arrays)
    calls = [call for call in followed.calls if _may_be_about(reading, call)]
    line = _only(calls)
    if not line:
        return Found(numbers=numbers, arrays=arrays)
    return Found((line,), None, calls[0].given, numbers, calls[0].layer, arrays)


def _only(found: Iterable[Operands | Call]) -> UserLine | None:
    """Return the line of these, if it is one."""
    places = {(one.code, one.number, one.marked) for one in found}
    if len(places) != 1:
        return None
    code, number, marked = places.pop()
    return UserLine("", number, code, marked) if len(code) <= LONGEST_LINE else None


def _is_of_message(operands: Operands, reading: "Reading") -> bool:
    """Whether two arrays have the sizes that the message names."""
    left, right = operands.left.shape, operands.right.shape
    kind = reading.kind
    if kind in _OF_PRODUCT:
        inner = (left[-1], right[-2] if len(right) > 1 else right[0]) if left and right else ()
        if kind == "product_inner":
            sizes = reading.size("left"), reading.size("right")
            return inner == (sizes[::-1] if reading.size("at") == 0 else sizes)
        stated = _sizes(reading, "left"), _sizes(reading, "right")
        return (left, right) == stated or reading.framework == "JAX" and tuple((size,) for size in inner) == stated
    if kind == "reshape":
        # NumPy leaves a -1 out of its message.
        closed = [tuple(size for size in shape if size != -1) for shape in (right, reading.shape("got"))]
        return prod(left) == reading.size("size") and closed[0] == closed[1]
    if kind in ("broadcast", "assign"):
        return {left, right} == {reading.shape("left"), reading.shape("right")}
    return kind == "broadcast_axis" and _differ_at(left, right, reading)


def _differ_at(left: Shape, right: Shape, reading: "Reading") -> bool:
    """Whether two shapes have the sizes of the message on the axis that it names."""
    axis, rank = reading.size("axis"), max(len(left), len(right))
    sizes = tuple(shape[axis - rank] for shape in (left, right) if 0 < rank - axis <= len(shape))
    return sizes == (reading.size("left"), reading.size("right"))


def _sizes(reading: "Reading", name: str) -> Shape:
    """Return a shape, written as ``(2, 3)`` or as ``2x3``."""
    return reading.sizes(name) if "x" in reading.values[name] else reading.shape(name)


def _may_be_about(reading: "Reading", call: Call) -> bool:
    """Whether the message may be about this call of a layer or a loss."""
    kind, layer = reading.kind, call.layer
    if kind in _OF_RECURRENT:
        return layer is not None and _may_be_about_recurrent(reading, call, layer)
    if kind in _OF_CELL:
        return layer is not None and layer.kind.endswith("Cell")
    if kind == "vocabulary":
        return layer is not None and layer.kind == "Embedding"
    if kind == "product" and reading.framework == "PyTorch":
        received, expected = _sizes(reading, "left")[-1], _sizes(reading, "right")[0]
        return layer is not None and layer.kind == "Linear" and _fits(call, received, expected)
    if kind in _OF_LOSS:
        return layer is None and PACKING not in call.code
    if kind == "lengths":
        return PACKING in call.code
    return kind == "broadcast_axis" and layer is None and None not in call.given and _differ_at(*_shapes(call), reading)


def _may_be_about_recurrent(reading: "Reading", call: Call, layer: Layer) -> bool:
    is_of_cell = "inconsistent" in reading.message or "Cell" in reading.message
    if not layer.is_recurrent or layer.kind.endswith("Cell") != is_of_cell and reading.kind != "pair":
        return False
    if reading.kind == "pair" and len(call.given) < 2:
        return False  # what the call returned failed in a later line
    if reading.kind != "features" or "got" not in reading.values:
        return True
    return _fits(call, reading.size("got"), reading.size("expected"))


def _shapes(call: Call) -> tuple[Shape, Shape]:
    """Return the shapes of the two arguments of a call."""
    first, second = (one.shape if one else () for one in call.given)
    return first, second


def _fits(call: Call, received: int, expected: int) -> bool:
    """Whether a layer may have been made for this size and given that one; what is not known may be anything."""
    x = call.given[0] if call.given else None
    wanted = call.layer.wanted if call.layer else None
    return wanted in (None, expected) and (x is None or not x.shape or x.shape[-1] == received)


# ---- whether a changed line fits ---------------------------------------------------------------


def fitting(text: str, line: UserLine, advised: str) -> str:
    """Return those of the advised lines after which the shapes of the program fit; all of them if none is known to.

    Parameters
    ----------
    text : str
        What was pasted.
    line : UserLine
        The line of its program that failed, by `find`.
    advised : str
        Lines in the reader's names.
    """
    program = trace_shapes(text)
    kept = [one for one in advised.splitlines() if program and _fits_after(program, line, one)]
    return "\n".join(kept) or advised


def _fits_after(program: ShapeTracer, line: UserLine, advised: str) -> bool:
    """Whether the shapes of a program fit if a line stands in the place of the one that failed, or before it."""
    lines = list(program.lines)
    at = line.number - 1 - program.before
    code = advised.partition("   # ")[0]
    if not 0 <= at < len(lines) or line.code not in lines[at] or not tree_of(code):
        return False
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    if _target(code) == _target(line.code):
        lines[at] = lines[at].replace(line.code, code)
    else:
        lines.insert(at, indent + code)
    followed = trace_lines(lines)
    return followed is not None and not followed.mismatches


def _target(code: str) -> str:
    """Return the left side of an assignment, or the name of another statement."""
    tree = tree_of(code)
    return ast.unparse(tree.targets[0]) if isinstance(tree, ast.Assign) else type(tree).__name__
