"""The shapes that operations on arrays give, from the shapes of their arguments, of which some sizes may be unknown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

from core.shapes.layer_shapes import Shape

# A size that the program does not tell.
UNKNOWN = -1
# The result of an operation that the library refuses.
REFUSED = object()
# Functions that make an array of the sizes that they are given, one by one or as a tuple; and those whose other arguments
# are no sizes, so that only a tuple or an argument by name counts.
SIZED = frozenset("zeros ones empty randn rand random random_sample standard_normal".split())
MAKERS = SIZED | frozenset("full normal uniform randint truncated_normal".split())
# As NumPy; and more than any size. They bound the time, because an array may be made of another one again and again.
MOST_AXES = 64
LARGEST = 10**9


@dataclass(frozen=True)
class Array:
    """An array of a known number of axes.

    Attributes
    ----------
    shape : Shape
        UNKNOWN stands for a size that is not known.
    column, vector : str
        The names of the two whose sum made a matrix, if one is a column (k, 1) and the other a vector (k,).
    """

    shape: Shape
    column: str = ""
    vector: str = ""

    @property
    def is_known(self) -> bool:
        return UNKNOWN not in self.shape


def places_in(fewer: Shape, more: Shape) -> str:
    """Return the index that puts the axes of an array beside those of another one, with axes of 1 between; empty if none does."""
    for kept in combinations(range(len(more)), len(fewer)):
        if fewer and all(one in (1, more[at]) for one, at in zip(fewer, kept)):
            places = ", ".join(":" if at in kept else "None" for at in range(len(more)))
            return re.sub("(?<=None)(?:, :)+$", "", places)  # which NumPy adds itself
    return ""


def is_plausible(value: Any) -> bool:
    """Whether a size, or an array, is one that a program may have; of other values nothing follows."""
    sizes = value.shape if isinstance(value, Array) else (value,) if isinstance(value, int) else ()
    return len(sizes) <= MOST_AXES and all(abs(size) <= LARGEST for size in sizes)


def size_of(array: Array, at: Any) -> int | None:
    """Return the size along an axis; None if it is not known."""
    rank = len(array.shape)
    if not isinstance(at, int) or not -rank <= at < rank or array.shape[at] == UNKNOWN:
        return None
    return array.shape[at]


def sizes_of(shape: Shape) -> tuple[int | None, ...]:
    """Return a shape as a program reads it, with None for what is not known."""
    return tuple(None if size == UNKNOWN else size for size in shape)


def made(name: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Array | None:
    """Return what one of MAKERS gives, or another function whose sizes are given by name."""
    given = next((keywords[one] for one in ("size", "shape") if one in keywords), None)
    if given is None:
        given = next((one for one in arguments if isinstance(one, tuple)), None)
    if given is None:
        given = tuple(arguments) if name in SIZED else tuple(arguments[:1]) if name == "full" else ()
    sizes = given if isinstance(given, tuple) else (given,)
    is_shape = 0 < len(sizes) <= MOST_AXES and all(size is None or isinstance(size, int) and size > 0 for size in sizes)
    # One size that is not known may be a whole shape.
    if not is_shape or sizes == (None,):
        return None
    return Array(tuple(UNKNOWN if size is None else size for size in sizes))


def literal(value: Any) -> Array | None:
    """Return the array of nested lists of numbers; None if they are not rectangular."""
    if isinstance(value, Array):
        return value
    if isinstance(value, int):
        return Array(())
    if not isinstance(value, tuple) or not value:
        return None
    parts = [literal(one) for one in value]
    first = parts[0]
    return Array((len(parts), *first.shape)) if first is not None and all(one == first for one in parts) else None


def reshaped(shape: Shape, sizes: tuple[Any, ...]) -> Array | None:
    """Return an array of the same entries in other axes, of which one may be -1."""
    if len(sizes) == 1 and isinstance(sizes[0], tuple):
        sizes = sizes[0]
    if len(sizes) > MOST_AXES or any(size is not None and not isinstance(size, int) for size in sizes):
        return None
    if sizes.count(-1) > 1 or 0 in sizes:
        return None
    if None in sizes or UNKNOWN in shape:
        return Array(tuple(UNKNOWN if size is None else size for size in sizes))
    known = prod(size for size in sizes if size != -1)
    if not known or prod(shape) % known or -1 not in sizes and prod(shape) != known:
        return None
    return Array(tuple(prod(shape) // known if size == -1 else size for size in sizes))


def in_other_axes(name: str, shape: Shape, arguments: list[Any], keywords: Mapping[str, Any]) -> Array | None:
    """Return what a method that adds, drops or swaps axes gives; None if it is another method, or not known."""
    if name in ("reshape", "view"):
        return None if keywords else reshaped(shape, tuple(arguments))
    given: Sequence[Any] = arguments + [
        keywords[one] for one in ("axis", "dim", "axes", "start_dim", "end_dim") if one in keywords
    ]
    is_known = len(given) == len(arguments) + len(keywords)
    if len(given) == 1 and isinstance(given[0], tuple):
        given, name = given[0], "permute" if name == "transpose" else name  # NumPy's order of all axes
    if not is_known or not all(isinstance(axis, int) for axis in given):
        return None
    rank = len(shape)
    if name in ("unsqueeze", "expand_dims") and len(given) == 1:
        at = given[0] % (rank + 1)
        return Array((*shape[:at], 1, *shape[at:]))
    if not all(-rank <= axis < rank for axis in given):
        return None
    return _turned(name, shape, [axis % rank for axis in given])


def merged(sizes: Shape) -> int:
    """Return the size of several axes in one."""
    return UNKNOWN if UNKNOWN in sizes else prod(sizes)


def _turned(name: str, shape: Shape, axes: list[int]) -> Array | None:
    """Return an array with fewer axes, or with the same ones in another order."""
    rank = len(shape)
    if name == "ravel" and not axes or name == "flatten" and len(axes) <= 2:
        first, last = (axes + [0])[0], axes[1] if len(axes) == 2 else rank - 1
        return Array((*shape[:first], merged(shape[first : last + 1]), *shape[last + 1 :]))
    if name == "squeeze":
        is_told = all(shape[at] != UNKNOWN for at in axes) if axes else UNKNOWN not in shape
        dropped = Array(tuple(size for at, size in enumerate(shape) if size != 1 or axes and at not in axes))
        return dropped if is_told else None
    if name in ("t", "transpose") and not axes:
        return Array(shape[::-1])
    if name in ("transpose", "swapaxes", "movedim", "moveaxis") and len(axes) == 2:
        first, second = axes
        axes = list(range(rank))
        if name in ("movedim", "moveaxis"):
            axes.insert(second, axes.pop(first))
        else:
            axes[first], axes[second] = second, first
    if name != "squeeze" and sorted(axes) == list(range(rank)):
        return Array(tuple(shape[at] for at in axes))
    return None


def differ(one: int, other: int) -> bool:
    """Whether two sizes are known and not equal."""
    return UNKNOWN not in (one, other) and one != other


def product(a: Shape, b: Shape) -> Shape | None:
    """Return the shape of a matrix product; None if the inner sizes differ, or the batches."""
    if not a or not b:
        return a or b
    if differ(a[-1], b[-2] if len(b) > 1 else b[0]):
        return None
    if len(a) == 1 or len(b) == 1:
        return (*b[:-2], b[-1]) if len(b) > 1 else a[:-1]
    batch = broadcast(a[:-2], b[:-2])
    return None if batch is None else (*batch, a[-2], b[-1])


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """Return the shape of a sum; None if the two do not broadcast."""
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b))
    if any(differ(one, other) and 1 not in (one, other) for one, other in pairs):
        return None
    return tuple(other if one == 1 or one == UNKNOWN != other != 1 else one for one, other in pairs)
