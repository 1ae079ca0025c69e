"""The arrays that nodes of an ONNX graph make of its arrays: moved, cut and joined, but never computed with.

Exporters that do not fold constants write weights like this, and converters transpose them.

References
----------
ONNX operators, https://onnx.ai/onnx/operators/.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from core.arrays import Array
from core.exchange.model_files.contents import MOST_NUMBERS, FileArray

# The most numbers of one result, and of each array that it is made of.
MOST_MADE = MOST_NUMBERS // 2
# The most whole numbers that say how to move others: sizes, axes or indices.
MOST_INDICES = 64
# The most nodes that can follow each other.
DEEPEST = 20
# A read takes as long as this many numbers, even of an empty array.
COST_OF_READ = 4096
# The inputs of Slice that say what it takes: the most of any operator.
MOST_OTHERS = 4


def _transposed(option: Mapping[str, Any], array: Array) -> Array:
    return np.transpose(array, option.get("perm"))


def _with_axes(option: Mapping[str, Any], array: Array, axes: Array | None = None) -> Array:
    return np.expand_dims(array, _places(option.get("axes") if axes is None else axes))


def _without_axes(option: Mapping[str, Any], array: Array, axes: Array | None = None) -> Array:
    given = option.get("axes") if axes is None else axes
    return np.squeeze(array, None if given is None else _places(given))


def _reshaped(option: Mapping[str, Any], array: Array, shape: Array) -> Array:
    # 0 keeps an axis.
    sizes = [array.shape[at] if size == 0 else size for at, size in enumerate(_places(shape))]
    return array.reshape(sizes)


def _sliced(option: Mapping[str, Any], array: Array, *given: Array) -> Array:
    # The first versions of ONNX have the places as attributes.
    names = ("starts", "ends", "axes", "steps")
    starts, ends, axes, steps = (option.get(name) if at >= len(given) else given[at] for at, name in enumerate(names))
    count = len(_places(starts))
    cuts = [slice(None)] * array.ndim
    for start, end, axis, step in zip(
        _places(starts),
        _places(ends),
        range(count) if axes is None else _places(axes),
        [1] * count if steps is None else _places(steps),
        strict=True,
    ):
        cuts[axis] = slice(start, None if step < 0 and end < -array.shape[axis] else end, step)
    return array[tuple(cuts)]


def _places(given: Any) -> tuple[int, ...]:
    return tuple(int(one) for one in given)


def _joined(option: Mapping[str, Any], *arrays: Array) -> Array:
    return np.concatenate(arrays, option["axis"])


# By the operator: what it makes of its inputs, of which all but the first are places, unless it joins them.
OPERATORS: dict[str, Callable[..., Array]] = {
    "Transpose": _transposed,
    "Unsqueeze": _with_axes,
    "Squeeze": _without_axes,
    "Reshape": _reshaped,
    "Slice": _sliced,
    "Concat": _joined,
}
# Those that can copy numbers; the others only look at them in another way.
COPYING = ("Slice", "Concat", "Reshape")


def result_of(op: str, option: Mapping[str, Any], inputs: Sequence[FileArray]) -> FileArray | None:
    """Return the array that a node makes, which is read when it is asked for; None if the page cannot make it.

    Parameters
    ----------
    op : str
        One of OPERATORS.
    option : mapping from str to object
        The attributes of the node.
    inputs : sequence of FileArray
    """
    count = len(inputs) if op == "Concat" else 1
    read, places = inputs[:count], inputs[count:]
    cost, depth = _cost(read), 1 + max((one.depth for one in read), default=0)
    if not 0 < cost <= MOST_NUMBERS or depth > DEEPEST or not _are_indices(places, option):
        return None
    if not all(one.is_float and prod(one.shape) <= MOST_MADE for one in read):
        return None
    try:
        others = [one.read() for one in places]
        if op == "Concat":
            shape = _joined_shape(option["axis"], [one.shape for one in read])
        else:
            # An array of one number in memory, of any shape.
            shape = OPERATORS[op](option, np.broadcast_to(np.zeros(()), read[0].shape), *others).shape
    except (ValueError, TypeError, IndexError, KeyError, OverflowError):
        return None
    # All that is read or copied for a result is in memory at once, so its cost bounds the memory too.
    cost += prod(shape) if op in COPYING else 0
    if prod(shape) > MOST_MADE or cost > MOST_NUMBERS:
        return None

    def numbers() -> Array:
        made = OPERATORS[op](option, *(one.read() for one in read), *others)
        # As a copy, so that the larger array that a slice is of does not stay in memory.
        return made.copy() if op == "Slice" else made

    return FileArray(shape, True, numbers, cost, depth)


def _cost(read: Sequence[FileArray]) -> int:
    """Return the cost of reading arrays, in numbers."""
    return sum((one.cost or prod(one.shape)) + COST_OF_READ for one in read)


def _are_indices(places: Sequence[FileArray], option: Mapping[str, Any]) -> bool:
    """Whether the inputs and the attributes that say how to move numbers are few whole numbers."""
    return (
        len(places) <= MOST_OTHERS
        and not any(one.is_float or prod(one.shape) > MOST_INDICES for one in places)
        and not any(isinstance(one, list) and len(one) > MOST_INDICES for one in option.values())
    )


def _joined_shape(axis: int, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    first = list(shapes[0])
    first[axis] = sum(shape[axis] for shape in shapes)
    at = axis % len(first)
    if any((*shape[:at], *shape[at + 1 :]) != (*first[:at], *first[at + 1 :]) for shape in shapes):
        raise ValueError(axis)
    return tuple(first)
