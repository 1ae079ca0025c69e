"""The shapes that functions of the libraries give, by their names: joins, reductions, parts and packed sequences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.shapes.shape_inference import array_shapes as shapes
from core.shapes.shape_inference.array_shapes import MOST_AXES, REFUSED, UNKNOWN, Array, differ

# More than anybody splits an array into.
MOST_PARTS = 16
ARRAYS = frozenset(
    "array asarray tensor Tensor Variable Parameter float32 constant from_numpy FloatTensor LongTensor as_tensor"
    " convert_to_tensor DeviceArray".split()
)
PRODUCTS = frozenset("dot matmul mm mv".split())
# Functions that return an array of the same shape as their first argument.
ALIKE = frozenset(
    "tanh exp sigmoid relu softmax log sqrt abs copy astype float long to cuda zeros_like ones_like rand_like randn_like"
    " empty_like full_like contiguous detach cpu clip clone log_softmax requires_grad_ double dropout block_until_ready"
    " gelu leaky_relu elu selu silu softplus clamp type int half bool numpy relu_ normalize square"
    " sin cos cumsum flip roll round type_as fill_ zero_ fliplr nan_to_num log1p expm1 logsigmoid hardtanh layer_norm"
    " requires_grad retain_grad pow power softmax_ type_ items".split()
)
REDUCTIONS = frozenset("sum mean std var prod norm logsumexp any all amax amin argmax argmin max min median".split())
_OF_TWO = frozenset("max min median".split())
# Functions and methods that combine two arrays entry by entry; and those that combine the last axes of two.
OF_ENTRIES = frozenset(
    "add sub subtract mul multiply div divide maximum minimum eq ne lt le gt ge cosine_similarity pairwise_distance where"
    " add_ sub_ mul_ div_ masked_fill masked_fill_ logical_and logical_or true_divide".split()
)
_JOINS = frozenset("cat concatenate concat".split())
_AXES = ("dim", "axis")


@dataclass(frozen=True)
class Packed:
    """A packed sequence: its batch, and its features."""

    batch: int
    features: int


@dataclass(frozen=True)
class Loader:
    """A data set of arrays, and the size of a batch if it is cut into batches."""

    arrays: tuple[Array | None, ...]
    batch: int | None = None

    @property
    def item(self) -> tuple[Array | None, ...]:
        """A turn of a loop over it: a batch, of which the last one may be smaller, or a sample."""
        if self.batch is None:
            return tuple(one and Array(one.shape[1:]) for one in self.arrays)
        firsts = {one.shape[0] for one in self.arrays if one and one.shape}
        is_whole = self.batch > 0 and firsts and all(size != UNKNOWN and size % self.batch == 0 for size in firsts)
        size = self.batch if is_whole else UNKNOWN
        return tuple(one and Array((size, *one.shape[1:])) for one in self.arrays)


def _axis(arguments: list[Any], keywords: Mapping[str, Any], default: Any = None) -> Any:
    """Return the axis that a call names after its first argument."""
    named = next((keywords[name] for name in _AXES if name in keywords), default)
    return arguments[0] if arguments and not any(name in keywords for name in _AXES) else named


def joined(arrays: Any, axis: Any) -> Any:
    """Return a concatenation along an axis; REFUSED if another axis differs."""
    if not isinstance(arrays, tuple) or not all(isinstance(one, Array) for one in arrays) or not isinstance(axis, int):
        return None
    ranks = {len(one.shape) for one in arrays}
    if len(ranks) != 1:
        return REFUSED if ranks else None
    (rank,) = ranks
    if not -rank <= axis < rank:
        return REFUSED
    axis %= rank
    sizes: list[int] = []
    for at, of_axis in enumerate(zip(*(one.shape for one in arrays))):
        known = {size for size in of_axis if size != UNKNOWN}
        if at == axis:
            sizes.append(UNKNOWN if UNKNOWN in of_axis else sum(of_axis))
        elif len(known) > 1:
            return REFUSED
        else:
            sizes.append(known.pop() if known else UNKNOWN)
    return Array(tuple(sizes))


def stacked(arrays: Any, axis: Any) -> Any:
    """Return arrays on a new axis; REFUSED if their shapes differ."""
    if not isinstance(arrays, tuple) or not arrays or not all(isinstance(one, Array) for one in arrays):
        return None
    first = arrays[0].shape
    if any(len(one.shape) != len(first) or any(map(differ, one.shape, first)) for one in arrays):
        return REFUSED
    if not isinstance(axis, int) or not -len(first) - 1 <= axis <= len(first):
        return None
    axis %= len(first) + 1
    return Array((*first[:axis], len(arrays), *first[axis:]))


def _batched(a: Any, b: Any) -> Any:
    """Return a batch of matrix products."""
    if not isinstance(a, Array) or not isinstance(b, Array):
        return None
    if len(a.shape) != 3 or len(b.shape) != 3:
        return REFUSED
    if differ(a.shape[0], b.shape[0]) or differ(a.shape[2], b.shape[1]):
        return REFUSED
    return Array((a.shape[0], a.shape[1], b.shape[2]))


def _reduced(name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any], *, torch: bool) -> Any:
    """Return what is left without some axes."""
    axis = _axis(arguments, keywords)
    if axis is None:
        return Array(()) if not arguments and not any(one in keywords for one in _AXES) else None
    axes = axis if isinstance(axis, tuple) else (axis,)
    rank = len(of.shape)
    if not all(isinstance(one, int) for one in axes):
        return None
    if not all(-rank <= one < rank for one in axes):
        return REFUSED
    dropped = {one % rank for one in axes}
    keeps = keywords.get("keepdim", keywords.get("keepdims", len(arguments) > 1 and arguments[1]))
    kept = tuple(1 if at in dropped else size for at, size in enumerate(of.shape) if keeps or at not in dropped)
    result = Array(kept)
    return (result, result) if torch and name in _OF_TWO else result


def _parts(name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any], *, torch: bool) -> Any:
    """Return the parts into which an array is cut; PyTorch's split is given their size, and NumPy's their number."""
    number = arguments[0] if arguments else keywords.get("chunks", keywords.get("split_size_or_sections"))
    axis = arguments[1] if len(arguments) > 1 else next((keywords[one] for one in _AXES if one in keywords), 0)
    rank = len(of.shape)
    if not isinstance(axis, int) or not -rank <= axis < rank:
        return None
    axis %= rank
    size = of.shape[axis]
    if isinstance(number, tuple):
        if not torch and name != "chunk":
            return None  # NumPy cuts at these indices
        if name == "split" and size != UNKNOWN and all(isinstance(one, int) for one in number) and sum(number) != size:
            return None
        sizes = number if len(number) <= MOST_PARTS else ()
    elif isinstance(number, int) and number > 0 and size != UNKNOWN:
        count = -(-size // number) if name == "split" and torch else number
        if not 0 < count <= MOST_PARTS or size % count:
            return None
        sizes = (size // count,) * count
    elif isinstance(number, int) and name == "chunk" and 0 < number <= MOST_PARTS:
        sizes = (UNKNOWN,) * number
    else:
        return None
    if not sizes or not all(isinstance(one, int) for one in sizes):
        return None
    return tuple(Array((*of.shape[:axis], one, *of.shape[axis + 1 :])) for one in sizes)


def _expanded(of: Array, sizes: tuple[Any, ...]) -> Any:
    """Return an array that is stretched along its axes of 1."""
    if len(sizes) == 1 and isinstance(sizes[0], tuple):
        sizes = sizes[0]
    if not len(of.shape) <= len(sizes) <= MOST_AXES:
        return REFUSED if len(sizes) < len(of.shape) else None
    before = (1,) * (len(sizes) - len(of.shape)) + of.shape
    result = []
    for size, old in zip(sizes, before):
        if size is None or not isinstance(size, int):
            result.append(UNKNOWN)
        elif size == -1:
            result.append(old)
        elif old not in (1, UNKNOWN, size):
            return REFUSED
        else:
            result.append(size)
    return Array(tuple(result))


def _repeated(of: Array, times: tuple[Any, ...]) -> Any:
    if len(times) == 1 and isinstance(times[0], tuple):
        times = times[0]
    if not len(of.shape) <= len(times) <= MOST_AXES:
        return None
    before = (1,) * (len(times) - len(of.shape)) + of.shape
    sizes = [
        size * count if isinstance(count, int) and size != UNKNOWN else UNKNOWN for size, count in zip(before, times)
    ]
    return Array(tuple(sizes))


def _packed(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    """Return a packed sequence; REFUSED if there are not as many lengths as sequences."""
    x, lengths = (arguments + [keywords.get("lengths")] * 2)[:2]
    if not isinstance(x, Array) or len(x.shape) < 2:
        return Packed(UNKNOWN, UNKNOWN)
    first = arguments[2] if len(arguments) > 2 else keywords.get("batch_first")
    batch = x.shape[0 if first else 1]
    count = (
        len(lengths)
        if isinstance(lengths, tuple)
        else lengths.shape[0]
        if isinstance(lengths, Array) and lengths.shape
        else UNKNOWN
    )
    return REFUSED if differ(batch, count) else Packed(batch, x.shape[-1])


def _padded(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    """Return the tensor of a packed sequence, and its lengths."""
    packed = arguments[0] if arguments else None
    if not isinstance(packed, Packed):
        return (None, None)
    first = arguments[1] if len(arguments) > 1 else keywords.get("batch_first")
    steps = keywords.get("total_length")
    steps = steps if isinstance(steps, int) else UNKNOWN
    axes = (packed.batch, steps) if first else (steps, packed.batch)
    return (Array((*axes, packed.features)), Array((packed.batch,)))


def _padded_sequences(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    arrays = arguments[0] if arguments else None
    if not isinstance(arrays, tuple) or not arrays or not all(isinstance(one, Array) and one.shape for one in arrays):
        return None
    steps = [one.shape[0] for one in arrays]
    longest = UNKNOWN if UNKNOWN in steps else max(steps, default=UNKNOWN)
    axes = (len(arrays), longest) if keywords.get("batch_first") else (longest, len(arrays))
    return Array((*axes, *arrays[0].shape[1:]))


def _range(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    if len(arguments) == 1 and isinstance(arguments[0], int) and arguments[0] > 0:
        return Array((arguments[0],))
    if len(arguments) == 2 and all(isinstance(one, int) for one in arguments) and arguments[1] > arguments[0]:
        return Array((arguments[1] - arguments[0],))
    return Array((UNKNOWN,)) if arguments else None


def _data_set(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    return Loader(tuple(one if isinstance(one, Array) else None for one in arguments))


def _loader(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    batch = arguments[1] if len(arguments) > 1 else keywords.get("batch_size")
    of = arguments[0] if arguments else None
    return Loader(of.arrays, batch if isinstance(batch, int) else -1) if isinstance(of, Loader) else None


_Function = Callable[[list[Any], Mapping[str, Any]], Any]
_FUNCTIONS: dict[str, _Function] = {
    **dict.fromkeys(_JOINS, lambda a, k: joined(a[0] if a else None, _axis(a[1:], k, 0))),
    "hstack": lambda a, k: joined(a[0], 0 if _is_of_vectors(a[0]) else 1) if a else None,
    "stack": lambda a, k: stacked(a[0] if a else None, _axis(a[1:], k, 0)),
    "bmm": lambda a, k: _batched(*a) if len(a) == 2 else None,
    "one_hot": lambda a, k: _of_classes(a, k),
    "pack_padded_sequence": _packed,
    "pad_packed_sequence": _padded,
    "pad_sequence": _padded_sequences,
    "arange": _range,
    "eye": lambda a, k: Array((a[0], a[0])) if len(a) == 1 and isinstance(a[0], int) else None,
    "linspace": lambda a, k: Array((a[2],)) if len(a) > 2 and isinstance(a[2], int) else None,
    "TensorDataset": _data_set,
    "DataLoader": _loader,
    "ModuleList": lambda a, k: a[0] if a and isinstance(a[0], tuple) else None,
}


def _is_of_vectors(arrays: Any) -> bool:
    return isinstance(arrays, tuple) and all(isinstance(one, Array) and len(one.shape) == 1 for one in arrays)


def _of_classes(arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    of = arguments[0] if arguments else None
    number = arguments[1] if len(arguments) > 1 else keywords.get("num_classes")
    if not isinstance(of, Array):
        return None
    return Array((*of.shape, number if isinstance(number, int) and number > 0 else UNKNOWN))


def is_known_function(name: str) -> bool:
    return name in _FUNCTIONS


def of_function(name: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    """Return what a function of a library gives: a value, REFUSED, or None if it is not known."""
    return _FUNCTIONS[name](arguments, keywords)


def of_array(name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any], *, torch: bool) -> Any:
    """Return what a function or a method of an array gives: a value, REFUSED, or None if it is not known."""
    if name in ALIKE:
        return of
    if name in REDUCTIONS:
        return _reduced(name, of, arguments, keywords, torch=torch)
    if name in ("chunk", "split", "array_split", "tensor_split"):
        return _parts(name, of, arguments, keywords, torch=torch) if of.shape else None
    if name == "unbind":
        axis = _axis(arguments, keywords, 0)
        size = shapes.size_of(of, axis)
        if size is None or size > MOST_PARTS:
            return None
        axis %= len(of.shape)
        return (Array(of.shape[:axis] + of.shape[axis + 1 :]),) * size
    if name == "expand":
        return _expanded(of, tuple(arguments))
    if name in ("repeat", "tile"):
        return _repeated(of, tuple(arguments)) if not keywords else None
    if name in ("size", "shape") and not arguments and not keywords:
        return shapes.sizes_of(of.shape)
    if name == "size":
        return shapes.size_of(of, _axis(arguments, keywords))
    if name in ("dim", "ndimension"):
        return len(of.shape)
    if name == "numel" and of.is_known:
        return shapes.merged(of.shape)
    return None


def taken(of: Array, indices: list[Any]) -> Any:
    """Return what indices take from an array; REFUSED if there are too many.

    Parameters
    ----------
    of : Array
    indices : list
        For each index an int, a slice of ints or None, an Array of indices, None for a new axis, Ellipsis, or UNKNOWN_INDEX.
    """
    named = sum(one is not NEW_AXIS and one is not Ellipsis for one in indices)
    if named > len(of.shape):
        return REFUSED
    if Ellipsis in [one for one in indices if one is Ellipsis]:
        at = next(at for at, one in enumerate(indices) if one is Ellipsis)
        indices = [*indices[:at], *[slice(None)] * (len(of.shape) - named), *indices[at + 1 :]]
    left: list[int] = list(of.shape)
    result: list[int] = []
    arrays = 0
    for one in indices:
        if one is NEW_AXIS:
            result.append(1)
            continue
        size = left.pop(0)
        if isinstance(one, slice):
            result.append(_sliced(one, size))
        elif isinstance(one, Array):
            arrays += 1
            if arrays > 1:
                continue  # a second one goes with the first
            result.extend(one.shape)
        elif one is None:
            return None
    return Array((*result, *left))


# An index that adds an axis, such as None or np.newaxis.
NEW_AXIS = object()


def _sliced(part: slice, size: int) -> int:
    """Return the size of a slice, whose bounds are UNKNOWN_BOUND where the program does not tell them."""
    bounds = (part.start, part.stop, part.step)
    if UNKNOWN_BOUND in bounds or size == UNKNOWN and bounds != (None, None, None):
        return UNKNOWN
    if part.step == 0 or size == UNKNOWN:
        return UNKNOWN
    return len(range(*part.indices(size)))


UNKNOWN_BOUND = object()
