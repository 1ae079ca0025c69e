"""The layers and losses of PyTorch: what they give, and what they refuse, by the shapes of their arguments."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.shapes.layer_shapes import Shape
from core.shapes.shape_inference.array_shapes import MOST_AXES, REFUSED, UNKNOWN, Array, differ, merged
from core.shapes.shape_inference.library_calls import Packed

# The names of the first arguments of each, and those with a default.
_OF_RECURRENT = ("input_size", "hidden_size", "num_layers")
_OF_CONVOLUTION = ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation")
_OF_POOLING = ("kernel_size", "stride", "padding", "dilation")
_ARGUMENTS = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "Conv1d": _OF_CONVOLUTION,
    "Conv2d": _OF_CONVOLUTION,
    "MaxPool1d": _OF_POOLING,
    "AvgPool1d": _OF_POOLING,
    "MaxPool2d": _OF_POOLING,
    "AvgPool2d": _OF_POOLING,
    "AdaptiveAvgPool1d": ("output_size",),
    "AdaptiveMaxPool1d": ("output_size",),
    "BatchNorm1d": ("num_features",),
    "BatchNorm2d": ("num_features",),
    "LayerNorm": ("normalized_shape",),
    "Flatten": ("start_dim", "end_dim"),
    "Unflatten": ("dim", "unflattened_size"),
    "MultiheadAttention": ("embed_dim", "num_heads"),
}
_ENTRY_BY_ENTRY = frozenset(
    "ReLU Tanh Sigmoid Softmax LogSoftmax GELU LeakyReLU ELU SiLU Softplus Identity Dropout Dropout1d Dropout2d PReLU"
    " Hardtanh AlphaDropout ReLU6 SELU".split()
)
_OF_CLASSES = frozenset("CrossEntropyLoss NLLLoss cross_entropy nll_loss".split())
_OF_NUMBERS = frozenset(
    "MSELoss L1Loss SmoothL1Loss HuberLoss BCELoss BCEWithLogitsLoss mse_loss l1_loss smooth_l1_loss huber_loss"
    " binary_cross_entropy binary_cross_entropy_with_logits".split()
)
RECURRENT = frozenset("LSTM GRU RNN LSTMCell GRUCell RNNCell".split())
LOSSES = _OF_CLASSES | _OF_NUMBERS
LAYERS = (
    RECURRENT
    | _ARGUMENTS.keys()
    | _ENTRY_BY_ENTRY
    | frozenset(name for name in LOSSES if name[0].isupper())
    | {"Sequential"}
)


def argument_names(kind: str) -> tuple[str, ...]:
    """Return the names of the first arguments of a class."""
    return _OF_RECURRENT if kind in RECURRENT else _ARGUMENTS.get(kind, ())


@dataclass(frozen=True)
class UserLayer:
    """A layer of PyTorch, its arguments by name as far as they are known, and the layers that it is made of."""

    kind: str
    arguments: dict[str, Any]
    parts: tuple[Any, ...] = field(default=())

    @property
    def is_recurrent(self) -> bool:
        return self.kind in RECURRENT

    @property
    def is_loss(self) -> bool:
        return self.kind in LOSSES

    @property
    def wanted(self) -> int | None:
        """The size of the last axis that it takes; None if it is unknown, or if it takes indices."""
        name = "input_size" if self.is_recurrent else "in_features" if self.kind == "Linear" else ""
        return self.arguments.get(name)

    def size(self, name: str, default: int = UNKNOWN) -> int:
        value = self.arguments.get(name, default)
        return value if isinstance(value, int) else UNKNOWN

    def of(self, given: list[Any]) -> Any:
        """Return what the layer gives: a value, REFUSED, or None if it is not known."""
        if self.kind == "Sequential":
            return self._in_turn(given)
        if self.kind in _ENTRY_BY_ENTRY:
            x = given[0] if given else None
            return REFUSED if isinstance(x, tuple) else x
        if self.is_loss:
            return loss_of(self.kind, given)
        if self.is_recurrent:
            return _of_cell(self, given) if self.kind.endswith("Cell") else _of_recurrent(self, given)
        x = given[0] if given else None
        if isinstance(x, tuple | Packed):
            return REFUSED
        return _GIVES[self.kind](self, x) if self.kind in _GIVES else None

    def _in_turn(self, given: list[Any]) -> Any:
        value: Any = given[0] if given else None
        for part in self.parts:
            value = part.of([value]) if isinstance(part, UserLayer) else None
            if value is REFUSED:
                return REFUSED
        return value


def layer_of(kind: str, arguments: list[Any], keywords: dict[str, Any]) -> UserLayer:
    """Return the layer that a class of PyTorch makes."""
    if kind == "Sequential":
        return UserLayer(kind, {}, tuple(arguments))
    named = dict(zip(_ARGUMENTS.get(kind, _OF_RECURRENT), arguments)) | keywords
    return UserLayer(kind, {name: value if _is_argument(name, value) else None for name, value in named.items()})


def _is_argument(name: str, value: Any) -> bool:
    """Whether a value is a number, or the sizes that a normalization takes."""
    is_sizes = isinstance(value, tuple) and all(isinstance(one, int) for one in value)
    return isinstance(value, int) or name == "normalized_shape" and is_sizes and len(value) <= MOST_AXES


# ---- recurrent layers ----------------------------------------------------------------------------


def _of_recurrent(layer: UserLayer, given: list[Any]) -> Any:
    """Return the output at every step and the last state."""
    x, state = (given + [None, None])[:2]
    if isinstance(x, tuple):
        return REFUSED
    units, directions = layer.size("hidden_size"), 2 if layer.arguments.get("bidirectional") is True else 1
    layers = layer.size("num_layers", 1)
    slices = directions * layers if layers != UNKNOWN else UNKNOWN
    out = layer.size("proj_size", 0) or units
    wide = directions * out if out != UNKNOWN else UNKNOWN
    if isinstance(x, Packed):
        if differ(x.features, layer.size("input_size")):
            return REFUSED
        axes: Shape = (x.batch,)
        output: Any = Packed(x.batch, wide)
    else:
        if isinstance(x, Array) and (len(x.shape) not in (2, 3) or differ(x.shape[-1], layer.size("input_size"))):
            return REFUSED
        shape = x.shape if isinstance(x, Array) else (UNKNOWN,) * 3
        axes = () if len(shape) == 2 else (shape[0 if layer.arguments.get("batch_first") is True else 1],)
        output = Array((*shape[:-1], wide))
    h, c = Array((slices, *axes, out)), Array((slices, *axes, units))
    if _refuses_state(layer, state, h, c) if isinstance(x, Array | Packed) else _is_other_kind(layer, state):
        return REFUSED
    return (output, (h, c)) if layer.kind == "LSTM" else (output, h)


def _is_other_kind(layer: UserLayer, state: Any) -> bool:
    """Whether a pair stands for one tensor, or the reverse."""
    is_pair = isinstance(state, tuple)
    return is_pair if not layer.kind.startswith("LSTM") else isinstance(state, Array)


def _refuses_state(layer: UserLayer, state: Any, h: Array, c: Array) -> bool:
    if state is None:
        return False
    if _is_other_kind(layer, state):
        return True
    given = state if isinstance(state, tuple) else (state,)
    wanted = (h, c) if layer.kind.startswith("LSTM") else (h,)
    return len(given) != len(wanted) or any(_unlike(one, other.shape) for one, other in zip(given, wanted))


def _unlike(given: Any, wanted: Shape) -> bool:
    """Whether an array has certainly another shape."""
    if not isinstance(given, Array):
        return False
    return len(given.shape) != len(wanted) or any(map(differ, given.shape, wanted))


def _of_cell(layer: UserLayer, given: list[Any]) -> Any:
    x, state = (given + [None, None])[:2]
    if isinstance(x, tuple | Packed):
        return REFUSED
    if isinstance(x, Array) and (len(x.shape) not in (1, 2) or differ(x.shape[-1], layer.size("input_size"))):
        return REFUSED
    axes = x.shape[:-1] if isinstance(x, Array) else (UNKNOWN,)
    h = Array((*axes, layer.size("hidden_size")))
    if _refuses_state(layer, state, h, h) if isinstance(x, Array) else _is_other_kind(layer, state):
        return REFUSED
    return (h, h) if layer.kind == "LSTMCell" else h


# ---- other layers --------------------------------------------------------------------------------


def _linear(layer: UserLayer, x: Any) -> Any:
    if not isinstance(x, Array):
        return None
    if not x.shape or differ(x.shape[-1], layer.size("in_features")):
        return REFUSED
    return Array((*x.shape[:-1], layer.size("out_features")))


def _embedding(layer: UserLayer, x: Any) -> Any:
    return Array((*x.shape, layer.size("embedding_dim"))) if isinstance(x, Array) else None


def _window(layer: UserLayer, size: int, default_stride: int) -> int:
    """Return the steps that are left after a window passed over them."""
    kernel, stride, padding, dilation = (
        layer.size("kernel_size"),
        layer.size("stride", default_stride),
        layer.size("padding", 0),
        layer.size("dilation", 1),
    )
    if UNKNOWN in (size, kernel, stride, padding, dilation) or stride < 1:
        return UNKNOWN
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def _convolved(layer: UserLayer, x: Any) -> Any:
    axes = 1 if layer.kind.endswith("1d") else 2
    if not isinstance(x, Array):
        return None
    if len(x.shape) not in (axes + 1, axes + 2):
        return REFUSED
    before, channels, steps = x.shape[: -axes - 1], x.shape[-axes - 1], x.shape[-axes:]
    is_convolution = layer.kind.startswith("Conv")
    if is_convolution and differ(channels, layer.size("in_channels")):
        return REFUSED
    out = layer.size("out_channels") if is_convolution else channels
    if layer.kind.startswith("Adaptive"):
        left: tuple[int, ...] = (layer.size("output_size"),) * axes
    else:
        left = tuple(_window(layer, size, 1 if is_convolution else layer.size("kernel_size")) for size in steps)
    if any(size < 1 and size != UNKNOWN for size in left):
        return REFUSED
    return Array((*before, out, *left))


def _normalized(layer: UserLayer, x: Any) -> Any:
    if not isinstance(x, Array):
        return None
    if layer.kind == "LayerNorm":
        told = layer.arguments.get("normalized_shape")
        sizes = told if isinstance(told, tuple) else (layer.size("normalized_shape"),)
        return REFUSED if len(x.shape) < len(sizes) or any(map(differ, x.shape[-len(sizes) :], sizes)) else x
    allowed = (2, 3) if layer.kind == "BatchNorm1d" else (4,)
    if len(x.shape) not in allowed or differ(x.shape[1], layer.size("num_features")):
        return REFUSED
    return x


def _flattened(layer: UserLayer, x: Any) -> Any:
    if not isinstance(x, Array):
        return None
    rank = len(x.shape)
    first, last = layer.size("start_dim", 1), layer.arguments.get("end_dim", -1)
    if not isinstance(last, int) or not -rank <= first < rank or not -rank <= last < rank:
        return None
    first, last = first % rank, last % rank
    return Array((*x.shape[:first], merged(x.shape[first : last + 1]), *x.shape[last + 1 :]))


_GIVES: dict[str, Callable[[UserLayer, Any], Any]] = {
    "Linear": _linear,
    "Embedding": _embedding,
    "BatchNorm1d": _normalized,
    "BatchNorm2d": _normalized,
    "LayerNorm": _normalized,
    "Flatten": _flattened,
    **dict.fromkeys(
        (
            "Conv1d",
            "Conv2d",
            "MaxPool1d",
            "MaxPool2d",
            "AvgPool1d",
            "AvgPool2d",
            "AdaptiveAvgPool1d",
            "AdaptiveMaxPool1d",
        ),
        _convolved,
    ),
}


# ---- losses --------------------------------------------------------------------------------------


def loss_of(kind: str, given: list[Any]) -> Any:
    """Return a single number; REFUSED if the predictions and the targets do not fit."""
    logits, targets = (given + [None, None])[:2]
    if not isinstance(logits, Array) or not isinstance(targets, Array):
        return REFUSED if isinstance(logits, tuple | Packed) else Array(())
    x, y = logits.shape, targets.shape
    if kind in _OF_NUMBERS:
        return REFUSED if len(x) != len(y) or any(map(differ, x, y)) else Array(())
    if len(x) == len(y):  # targets like probabilities, if they are of floats
        return REFUSED if any(map(differ, x, y)) else Array(())
    if len(x) - 1 != len(y) or len(x) < 1:
        return REFUSED
    rest = x[:1] + x[2:] if len(x) > 1 else ()
    return REFUSED if any(map(differ, rest, y)) else Array(())
