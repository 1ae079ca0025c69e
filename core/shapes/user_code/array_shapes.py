"""The shapes that functions and layers of the libraries give, from the shapes of their arguments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from core.shapes.layer_shapes import Shape

# Functions that make an array of the sizes that they are given, one by one or as a tuple; and those whose other arguments
# are no sizes, so that only a tuple or an argument by name counts.
SIZED = frozenset("zeros ones empty randn rand random random_sample standard_normal".split())
MAKERS = SIZED | frozenset("full normal uniform randint truncated_normal".split())
ARRAYS = {"array", "asarray", "tensor", "Variable", "float32", "constant"}
PRODUCTS = {"dot", "matmul", "mm", "mv"}
ALIKE = {
    *(
        "tanh",
        "exp",
        "sigmoid",
        "relu",
        "softmax",
        "log",
        "sqrt",
        "abs",
        "copy",
        "astype",
        "float",
        "long",
        "to",
        "cuda",
    ),
    *(
        "zeros_like",
        "ones_like",
        "rand_like",
        "randn_like",
        "contiguous",
        "detach",
        "cpu",
        "clip",
        "clone",
        "log_softmax",
    ),
    *("requires_grad_", "double", "dropout", "block_until_ready"),
}
LAYERS = {"LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell", "Linear", "Embedding"}
# As NumPy; and more than any size. They bound the time, because an array may be made of another one again and again.
MOST_AXES = 64
LARGEST = 10**9
# The names of the first arguments of each.
_ARGUMENTS = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
}
_OF_RECURRENT = ("input_size", "hidden_size", "num_layers")


@dataclass(frozen=True)
class Array:
    """An array of a known shape.

    Attributes
    ----------
    shape : Shape
    column, vector : str
        The names of the two whose sum made a matrix, if one is a column (k, 1) and the other a vector (k,).
    """

    shape: Shape
    column: str = ""
    vector: str = ""


@dataclass(frozen=True)
class Layer:
    """A layer of PyTorch, and its arguments by name as far as they are known."""

    kind: str
    arguments: dict[str, Any]

    @property
    def is_recurrent(self) -> bool:
        return self.kind not in _ARGUMENTS

    @property
    def wanted(self) -> int | None:
        """The size of the last axis that it takes; None if it is unknown, or if it takes indices."""
        return self.arguments.get({"Linear": "in_features", "Embedding": ""}.get(self.kind, "input_size"))

    def of(self, x: Any) -> Any:
        """Return what the layer gives for x, as far as it is known."""
        units = self.arguments.get(
            {"Linear": "out_features", "Embedding": "embedding_dim"}.get(self.kind, "hidden_size")
        )
        if not isinstance(x, Array) or not isinstance(units, int):
            return (None, None) if self.is_recurrent and not self.kind.endswith("Cell") else None
        if self.kind == "Embedding":
            return Array((*x.shape, units))
        both = 2 if self.arguments.get("bidirectional") is True else 1
        output = Array((*x.shape[:-1], both * units))
        if not self.is_recurrent or self.kind in ("GRUCell", "RNNCell"):
            return output
        return (output, output) if self.kind == "LSTMCell" else (output, None)


def is_plausible(value: Any) -> bool:
    """Whether a size, or an array, is one that a program may have; of other values nothing follows."""
    sizes = value.shape if isinstance(value, Array) else (value,) if isinstance(value, int) else ()
    return len(sizes) <= MOST_AXES and all(abs(size) <= LARGEST for size in sizes)


def layer_of(kind: str, arguments: list[Any], keywords: dict[str, Any]) -> Layer:
    """Return the layer that a class of PyTorch makes."""
    named = dict(zip(_ARGUMENTS.get(kind, _OF_RECURRENT), arguments)) | keywords
    return Layer(kind, {name: value if isinstance(value, int) else None for name, value in named.items()})


def made(name: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Array | None:
    """Return what one of MAKERS gives, or another function whose sizes are given by name."""
    given = next((keywords[one] for one in ("size", "shape") if one in keywords), None)
    if given is None:
        given = next((one for one in arguments if isinstance(one, tuple)), None)
    if given is None:
        given = tuple(arguments) if name in SIZED else tuple(arguments[:1]) if name == "full" else ()
    sizes = given if isinstance(given, tuple) else (given,)
    is_shape = 0 < len(sizes) <= MOST_AXES and all(isinstance(size, int) and size > 0 for size in sizes)
    return Array(sizes) if is_shape else None


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
    if len(sizes) > MOST_AXES or not all(isinstance(size, int) for size in sizes) or sizes.count(-1) > 1:
        return None
    known = prod(size for size in sizes if size != -1)
    if not known or prod(shape) % known or -1 not in sizes and prod(shape) != known:
        return None
    return Array(tuple(prod(shape) // known if size == -1 else size for size in sizes))


def in_other_axes(name: str, shape: Shape, arguments: list[Any], keywords: Mapping[str, Any]) -> Array | None:
    """Return what a method that adds, drops or swaps axes gives; None if it is another method, or not known."""
    if name in ("reshape", "view"):
        return None if keywords else reshaped(shape, tuple(arguments))
    given: Sequence[Any] = arguments + [
        keywords[one] for one in ("axis", "dim", "axes", "start_dim") if one in keywords
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


def _turned(name: str, shape: Shape, axes: list[int]) -> Array | None:
    """Return an array with fewer axes, or with the same ones in another order."""
    rank = len(shape)
    if name == "ravel" and not axes or name == "flatten" and len(axes) <= 1:
        kept = shape[: axes[0]] if axes else ()
        return Array((*kept, prod(shape[len(kept) :])))
    if name == "squeeze":
        return Array(tuple(size for at, size in enumerate(shape) if size != 1 or axes and at not in axes))
    if name in ("t", "transpose") and not axes:
        return Array(shape[::-1])
    if name in ("transpose", "swapaxes") and len(axes) == 2:
        first, second = axes
        axes = list(range(rank))
        axes[first], axes[second] = second, first
    if name in ("permute", "transpose", "swapaxes") and sorted(axes) == list(range(rank)):
        return Array(tuple(shape[at] for at in axes))
    return None


def product(a: Shape, b: Shape) -> Shape | None:
    """Return the shape of a matrix product; None if the inner sizes differ, or the batches."""
    if not a or not b:
        return a or b
    if a[-1] != (b[-2] if len(b) > 1 else b[0]):
        return None
    if len(a) == 1 or len(b) == 1:
        return (*b[:-2], b[-1]) if len(b) > 1 else a[:-1]
    batch = broadcast(a[:-2], b[:-2])
    return None if batch is None else (*batch, a[-2], b[-1])


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """Return the shape of a sum; None if the two do not broadcast."""
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b))
    if any(one != other and 1 not in (one, other) for one, other in pairs):
        return None
    return tuple(other if one == 1 else one for one, other in pairs)
