"""The line of the reader's program that failed, where the text has the program and no traceback.

The shapes that follow from the program are compared with the sizes of the message, so a line is named only if it is the one
that fits.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.shape_inference.array_shapes import Array, differ
from core.shapes.shape_inference.expressions import PACKING
from core.shapes.shape_inference.layer_calls import LAYERS, LOSSES, RECURRENT, UserLayer
from core.shapes.shape_inference.places import Call, Mismatch, Refusal
from core.shapes.shape_inference.program import ShapeTracer, trace_shapes
from core.shapes.user_code.operations import operation_in
from core.shapes.user_code.syntax_trees import tree_of
from core.shapes.user_code.traceback_lines import LONGEST, LONGEST_LINE, UserLine

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
    layer : UserLayer, optional
        The layer that was called.
    arrays : dict from str to Shape
        The shapes of the program's arrays by their names.
    """

    lines: tuple[UserLine, ...] = ()
    operands: tuple[Array, Array] | None = None
    given: tuple[Array | None, ...] = ()
    numbers: Mapping[str, int] = {}
    layer: UserLayer | None = None
    arrays: Mapping[str, Shape] = {}


def find(reading: "Reading", text: str) -> Found:
    """Return the line that failed and what it was given, as far as the text tells."""
    followed = trace_shapes(text)
    if followed is None:
        return Found()
    numbers = {name: value for name, value in followed.names.items() if isinstance(value, int)}
    arrays = {
        name: value.shape for name, value in followed.names.items() if isinstance(value, Array) and value.is_known
    }
    mismatches = [one for one in followed.mismatches if _is_of_message(one, reading)]
    if line := _only(mismatches):
        operands = mismatches[0].left, mismatches[0].right
        # The sizes of a reshape may have a -1.
        is_known = operands[0].is_known and (reading.kind == "reshape" or operands[1].is_known)
        return Found((line,), operands if is_known else None, (), numbers, arrays=arrays)
    calls = [call for call in followed.calls if _may_be_about(reading, call)]
    if line := _only(calls):
        return Found((line,), None, calls[0].given, numbers, calls[0].layer, arrays)
    refused = [one for one in followed.refusals if one.name in _OPERATIONS.get(reading.kind, ())]
    # A program ends at the first of them.
    if line := _only(refused[:1]):
        call = next((one for one in followed.calls if one[:3] == refused[0][:3]), None)
        return Found((line,), None, call.given if call else (), numbers, call.layer if call else None, arrays)
    # A line that the text quotes as the one that failed tells more than the only one of its kind.
    is_quoted = any(operation_in(line, reading.kind) for line in reading.own[-1:])
    return Found(() if is_quoted else _only_of_kind(reading, followed), numbers=numbers, arrays=arrays)


def is_only_candidate(line: UserLine, kind: str, text: str) -> bool:
    """Whether a line has an operation of this kind, and is in the program of the text if that has one."""
    program = [one.strip() for one in text[-LONGEST:].splitlines() if "(" in one and len(one) <= LONGEST_LINE]
    tree = tree_of(line.code)
    unpacks = kind.startswith("unpack") and isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Tuple)
    if not unpacks and operation_in(line, kind) is None:
        return False
    return line.code in program or not any(tree_of(one) for one in program)


# Kinds of messages that one function raises, so that its only call is the one that failed.
_OF_FUNCTION = frozenset(
    "lengths lengths_kind descending empty_sequence exceeded checkpoint checkpoint_keys target_type target_scalar target_rank"
    " target_shape target_size targets class_number class_negative ragged view gather broadcast_axis split_sizes list_index"
    " tuple_operand indices mapped concatenate concatenate_rank stack_none join_unsaid product_batches"
    " samples inputs_of_samples keras_target keras_steps keras_samples incompatible stateful stateful_samples inputs expected_shape"
    " ctc_batch ctc_steps ctc_labels ctc_targets ctc_negative ctc_whole target_of_vector list_argument split no_axis joined_arguments index_range mask_axis open_axes index_type scalar_index".split()
)


_OF_MODEL = re.compile(
    r"\.(?:fit|predict|evaluate|train_on_batch|concat|stack|reshape)\(|loss|crossentropy", re.IGNORECASE
)


# Kinds of messages about the state that a layer is given.
_OF_STATE = frozenset(("state", "state_rank"))
_TAKES_STATE = re.compile(r"lstm|gru|rnn|cell|dec(?:oder)?\b|enc(?:oder)?\b", re.IGNORECASE)


def _is_operation(line: UserLine, kind: str) -> bool:
    """Whether a line has an operation that a message of this kind is about."""
    found = operation_in(line, kind)
    if found is None or kind not in _OF_STATE:
        return found is not None
    return "state" in found.names and bool(_TAKES_STATE.search(ast.unparse(found.names["layer"])))


# So many lines may one statement have.
_MOST_LINES = 8


def _statements(lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """Return the lines with their numbers, and a call that goes on over several lines as one."""
    for at, line in enumerate(lines):
        code = line.strip()
        if code.endswith((",", "(", "[")) and len(code) <= LONGEST_LINE:
            for more in lines[at + 1 : at + _MOST_LINES]:
                code = f"{code} {more.strip()}"[: LONGEST_LINE + 1]
                if more.rstrip().endswith((")", "]")) and tree_of(code):
                    break
        yield first + at, code


# Kinds of messages about the arrays of one expression. A program has many of them, and the few lines that people quote one.
_OF_ARRAYS = frozenset(
    "reshape product product_inner broadcast broadcast_axis assign concatenate concatenate_rank concatenate_shapes".split()
)
_MOST_QUOTED = 6


def _only_of_kind(reading: "Reading", followed: ShapeTracer) -> tuple[UserLine, ...]:
    """Return the only line of the program with an operation that a message of this kind is about."""
    of_data = reading.kind == "rank" and "got array with shape" in reading.message
    is_quotation = len(followed.lines) <= _MOST_QUOTED and reading.framework != "Keras" and not followed.mismatches
    if (
        reading.kind not in _OF_FUNCTION | _OF_STATE
        and not of_data
        and not (is_quotation and reading.kind in _OF_ARRAYS)
    ):
        return ()
    found = []
    for number, code in _statements(followed.lines, followed.before + 1):
        if code.startswith("raise "):
            continue  # a library's line in a traceback
        if "(" in code or "[" in code or " * " in code or " + " in code:
            one = UserLine("", number, code)
            is_whole = reading.framework != "Keras" or _OF_MODEL.search(code)
            if len(code) <= LONGEST_LINE and is_whole and _is_operation(one, reading.kind):
                found.append(one)
    return tuple(found) if len(found) == 1 else ()


# The operations that a message of a kind may be about.
_LOSSES = "targets target_shape target_rank target_size target_type target_scalar broadcast_axis class_weights"
_OPERATIONS = {
    **dict.fromkeys(_OF_RECURRENT - {"unpack", "unpack_three", "unpack_states"}, RECURRENT | LAYERS | {"call"}),
    **dict.fromkeys(_OF_CELL, RECURRENT),
    **dict.fromkeys(_LOSSES.split(), LOSSES),
    **dict.fromkeys("unpack unpack_three unpack_states".split(), {"unpack"}),
    **dict.fromkeys("indices tuple_index list_index index_range pair".split(), {"index", *LAYERS, "call"}),
    **dict.fromkeys(
        "concatenate concatenate_rank concatenate_shapes".split(), {"cat", "concatenate", "concat", "hstack"}
    ),
    **dict.fromkeys("stack stack_none".split(), {"stack"}),
    **dict.fromkeys("product_batches batch_rank batches_of_product product_size".split(), {"bmm"}),
    **dict.fromkeys("product matmul product_vector packed_output".split(), {*LAYERS, "call"}),
    **dict.fromkeys("channels layer_rank batch_norm layer_norm attention short_sequence".split(), LAYERS),
    "tuple_operand": {"sum"},
    "lengths": {PACKING},
}


def _only(found: Iterable[Mismatch | Call | Refusal]) -> UserLine | None:
    """Return the line of these, if it is one."""
    places = {(one.code, one.number, one.marked) for one in found}
    if len(places) != 1:
        return None
    code, number, marked = places.pop()
    return UserLine("", number, code, marked) if len(code) <= LONGEST_LINE else None


def _is_of_message(operands: Mismatch, reading: "Reading") -> bool:
    """Whether two arrays have the sizes that the message names."""
    left, right = operands.left.shape, operands.right.shape
    kind = reading.kind
    if kind in _OF_PRODUCT:
        inner = (left[-1], right[-2] if len(right) > 1 else right[0]) if left and right else ()
        if kind == "product_inner":
            sizes = reading.size("left"), reading.size("right")
            return inner == (sizes[::-1] if reading.size("at") == 0 else sizes)
        stated = reading.shape("left"), reading.shape("right")
        is_stated = all(map(_may_equal, (left, right), stated))
        return is_stated or reading.framework == "JAX" and tuple((size,) for size in inner) == stated
    if kind == "reshape":
        # NumPy leaves a -1 out of its message.
        closed = [tuple(size for size in shape if size != -1) for shape in (right, reading.shape("got"))]
        return prod(left) == reading.size("size") and closed[0] == closed[1]
    if kind in ("broadcast", "assign"):
        stated = reading.shape("left"), reading.shape("right")
        return any(all(map(_may_equal, pair, stated)) for pair in ((left, right), (right, left)))
    return kind == "broadcast_axis" and _differ_at(left, right, reading)


def _may_equal(shape: Shape, stated: Shape) -> bool:
    """Whether a shape, of which some sizes may be unknown, may be the one that a message states."""
    return len(shape) == len(stated) and not any(map(differ, shape, stated))


def _differ_at(left: Shape, right: Shape, reading: "Reading") -> bool:
    """Whether two shapes have the sizes of the message on the axis that it names."""
    axis, rank = reading.size("axis"), max(len(left), len(right))
    sizes = tuple(shape[axis - rank] for shape in (left, right) if 0 < rank - axis <= len(shape))
    return len(sizes) == 2 and _may_equal(sizes, (reading.size("left"), reading.size("right")))


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
        received, expected = reading.shape("left")[-1], reading.shape("right")[0]
        return layer is not None and layer.kind == "Linear" and _fits(call, received, expected)
    if kind in _OF_LOSS:
        return layer is None and PACKING not in call.code
    if kind == "lengths":
        return PACKING in call.code
    return kind == "broadcast_axis" and layer is None and None not in call.given and _differ_at(*_shapes(call), reading)


def _may_be_about_recurrent(reading: "Reading", call: Call, layer: UserLayer) -> bool:
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
    return wanted in (None, expected) and (x is None or not x.shape or not differ(x.shape[-1], received))
