"""The shape of every tensor of a recurrent layer, by hand and in the frameworks.

References
----------
PyTorch, torch.nn.RNN, LSTM and GRU, "Variables" and "Inputs"; Keras, keras.layers.SimpleRNN, LSTM and GRU.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import prod
from string import Formatter
from typing import Any, NamedTuple

from core.cells import CELLS
from core.exchange.weight_layouts import layout_of

Shape = tuple[int, ...]

FRAMEWORKS = ("PyTorch", "Keras", "NumPy")
# How many axes x may have.
AXES = {"PyTorch": (2, 3), "Keras": (3,), "NumPy": (2,)}
LARGEST = 2**31 - 1
MOST_LAYERS = 1000


def format_sizes(sizes: Shape) -> str:
    """Return sizes as code lists them; a negative one is unknown."""
    return ", ".join("?" if size < 0 else str(size) for size in sizes)


def format_shape(sizes: Shape) -> str:
    """Return a shape as code writes it, such as ``(3,)``."""
    return f"({format_sizes(sizes)}{',' if len(sizes) == 1 else ''})"


def differing_axes(a: Shape, b: Shape) -> list[int]:
    """Return the axes that two shapes have in common, and along which their sizes differ."""
    return [axis for axis, (left, right) in enumerate(zip(a, b)) if left != right]


def lacks_steps(shorter: Shape, longer: Shape) -> bool:
    """Whether a shape is the other one without its several steps: (batch, features) for (batch, steps, features)."""
    return len(longer) > 1 < longer[1] and longer[:1] + longer[2:] == shorter


# More axes than an array has, however many a text tells.
MOST_AXES = 32


def unknown_sizes(axes: int) -> Shape:
    """Return a shape of which only the number of axes is known."""
    return (-1,) * min(axes, MOST_AXES)


def value_of(name: str, values: Mapping[str, Any]) -> Any:
    """Return a value by its name, or an attribute or an entry of it, such as ``gates.name`` and ``got[-1]``."""
    path, _, at = name.partition("[")
    name, *attributes = path.split(".")
    value = reduce(getattr, attributes, values[name])
    return value[int(at[:-1])] if at else value


class _Template(Formatter):
    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        value = value_of(field_name, kwargs)
        return format_shape(value) if isinstance(value, tuple) else value, field_name


def filled(template: str, values: Mapping[str, Any]) -> str:
    """Return a template with values in its placeholders, shapes as code writes them."""
    return _Template().vformat(template, (), values)


@dataclass(frozen=True)
class LayerSizes:
    """The sizes and options of a recurrent layer.

    Attributes
    ----------
    framework : str
        One of FRAMEWORKS. NumPy stands for the equations by hand, with columns and one matrix for each gate.
    cell : str
        A name of CELLS.
    m, k : int
        input_size and hidden_size.
    layers : int
        How many of them on top of each other.
    bidirectional, batch_first : bool
        As in PyTorch. A layer of Keras always has the batch first.
    proj_size : int
        Of PyTorch's LSTM: entries of h if they are fewer than k, or 0.
    """

    framework: str = "PyTorch"
    cell: str = "LSTM"
    m: int = 10
    k: int = 20
    layers: int = 1
    bidirectional: bool = False
    batch_first: bool = False
    proj_size: int = 0

    def __post_init__(self) -> None:
        if self.framework not in FRAMEWORKS:
            raise ValueError(f"framework is {self.framework!r:.40}. Choose one of {', '.join(FRAMEWORKS)}.")
        if self.cell not in CELLS:
            raise ValueError(f"cell is {self.cell!r:.40}. Choose one of {', '.join(CELLS)}.")
        for name, most in (("m", LARGEST), ("k", LARGEST), ("layers", MOST_LAYERS)):
            if not 1 <= getattr(self, name) <= most:
                raise ValueError(f"{name} is {getattr(self, name)}. Choose a number from 1 to {most}.")
        if self.framework != "NumPy":
            layout_of(self.cell, self.framework)
        if self.proj_size and (self.framework, self.cell) != ("PyTorch", "LSTM"):
            raise ValueError(
                f"proj_size is {self.proj_size}. Set it to 0, because only PyTorch's LSTM has a projection."
            )
        if not 0 <= self.proj_size < self.k:
            raise ValueError(f"proj_size is {self.proj_size}. Choose a number less than hidden_size = {self.k}.")

    @property
    def gates(self) -> int:
        """How many blocks of k rows its weights have."""
        if self.framework == "NumPy":
            return sum(made.axes == "kn" for made in CELLS[self.cell].ARRAYS.values())
        return len(self.blocks)

    @property
    def blocks(self) -> tuple[tuple[str, str, str, str | None], ...]:
        """The blocks of rows as frameworks keep them."""
        return layout_of(self.cell, self.framework).blocks

    @property
    def directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def h(self) -> int:
        """Entries of h in one direction."""
        return self.proj_size or self.k

    @property
    def output(self) -> int:
        """Entries of the output at one step: h of all directions."""
        return self.directions * self.h

    @property
    def has_c(self) -> bool:
        """Whether its state is the pair (h, c)."""
        return "c_prev" in CELLS[self.cell].ARRAYS

    def inputs(self, layer: int) -> int:
        """Return the number of entries in the input of a layer; layer 0 is the first."""
        return self.output if layer else self.m


@dataclass(frozen=True)
class GivenSizes:
    """The shapes of the inputs of a layer.

    Attributes
    ----------
    x : Shape
    h0, c0 : Shape, optional
        Without them the layer starts from zeros.
    linear : (in_features, out_features), optional
        Of the linear layer that takes the output.
    """

    x: Shape
    h0: Shape | None = None
    c0: Shape | None = None
    linear: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for name in ("x", "h0", "c0", "linear"):
            shape = getattr(self, name)
            if shape is not None and not all(isinstance(size, int) and 0 <= size <= LARGEST for size in shape):
                raise ValueError(f"{name} is {shape!r:.80}. Enter whole numbers from 0 to {LARGEST}.")


class Tensor(NamedTuple):
    """A tensor of a layer.

    Attributes
    ----------
    name : str
    formula : str
        Of its shape, by letters.
    shape : Shape
    counts : bool
        Whether it is learned, and so one of the parameters.
    place : {"", "initial", "layer", "forward-layer", "backward-layer", "of-layer", "of-backward-layer", "of-backward"}
        What else its name says: where it belongs, if the name itself does not.
    layer : int
        The number of the layer from 1 that it is a weight of, or 0.
    """

    name: str
    formula: str
    shape: Shape
    counts: bool = False
    place: str = ""
    layer: int = 0

    @property
    def size(self) -> int:
        """The number of its entries."""
        return prod(self.shape)


def steps_and_batch(layer: LayerSizes, x: Shape) -> tuple[int, int]:
    """Return the steps and the batch that a layer reads from the axes of x.

    Returns
    -------
    T, B : int
        1 where x has no such axis.
    """
    if layer.framework == "NumPy":
        return 1, x[1] if len(x) > 1 else 1
    if len(x) < 3:
        return (x[0] if x else 1), 1
    batch_first = layer.batch_first or layer.framework == "Keras"
    return (x[1], x[0]) if batch_first else (x[0], x[1])


def expected(layer: LayerSizes, x: Shape) -> dict[str, Shape]:
    """Return the shapes of x, h0 and c0 that conform, with the steps and the batch of this x."""
    T, B = steps_and_batch(layer, x)
    shapes: dict[str, Shape]
    if layer.framework == "NumPy":
        shapes = {"x": (layer.m, B), "h0": (layer.k, B), "c0": (layer.k, B)}
    elif layer.framework == "Keras":
        shapes = {"x": (B, T, layer.m), "h0": (B, layer.k), "c0": (B, layer.k)}
    else:
        states = layer.layers * layer.directions
        batch = () if len(x) == 2 else (B,)
        axes = (B, T) if layer.batch_first else (T, B)
        shapes = {
            "x": (*(axes if batch else (T,)), layer.m),
            "h0": (states, *batch, layer.h),
            "c0": (states, *batch, layer.k),
        }
    return shapes if layer.has_c else {name: shape for name, shape in shapes.items() if name != "c0"}


def tensors(layer: LayerSizes, given: GivenSizes) -> list[Tensor]:
    """Return every tensor of a layer: its inputs, its weights and its outputs, with the steps and the batch of x."""
    make = {"PyTorch": _of_pytorch, "Keras": _of_keras, "NumPy": _by_hand}[layer.framework]
    made = list(make(layer, given))
    if given.linear:
        inside, outside = given.linear
        if layer.framework == "PyTorch":
            made += [Tensor("Linear.weight", "out_features, in_features", (outside, inside), True)]
        else:
            made += [Tensor("Dense.kernel", "in, out", (inside, outside), True)]
        made += [Tensor("Linear.bias" if layer.framework == "PyTorch" else "Dense.bias", "out", (outside,), True)]
    return made


def _of_pytorch(layer: LayerSizes, given: GivenSizes) -> Iterator[Tensor]:
    g, k, h, D, out = layer.gates, layer.k, layer.h, layer.directions, layer.output
    T, B = steps_and_batch(layer, given.x)
    batched = len(given.x) != 2
    conforming = expected(layer, given.x)
    H = "proj_size" if layer.proj_size else "k"
    axes = ("B, T" if layer.batch_first else "T, B") if batched else "T"
    yield Tensor("x", f"{axes}, m", conforming["x"])
    middle = ", B" if batched else ""
    yield Tensor("h0", f"layers·D{middle}, {H}", conforming["h0"])
    if layer.has_c:
        yield Tensor("c0", f"layers·D{middle}, k", conforming["c0"])
    for number, reverse in product(range(layer.layers), ("", "_reverse")[:D]):
        end, of, rows = f"_l{number}{reverse}", (True, "", number + 1), f"{_times(g)}k"
        columns = f"D·{H}" if number else "m"
        yield Tensor(f"weight_ih{end}", f"{rows}, {columns}", (g * k, layer.inputs(number)), *of)
        yield Tensor(f"weight_hh{end}", f"{rows}, {H}", (g * k, h), *of)
        yield Tensor(f"bias_ih{end}", rows, (g * k,), *of)
        yield Tensor(f"bias_hh{end}", rows, (g * k,), *of)
        if layer.proj_size:
            yield Tensor(f"weight_hr{end}", "proj_size, k", (h, k), *of)
    batch = (B,) if batched else ()
    steps = ((B, T) if layer.batch_first else (T, B)) if batched else (T,)
    yield Tensor("output", f"{axes}, D·{H}", (*steps, out))
    yield Tensor("h_n", f"layers·D{middle}, {H}", (layer.layers * D, *batch, h))
    if layer.has_c:
        yield Tensor("c_n", f"layers·D{middle}, k", (layer.layers * D, *batch, k))


def _of_keras(layer: LayerSizes, given: GivenSizes) -> Iterator[Tensor]:
    g, k, D = layer.gates, layer.k, layer.directions
    T, B = steps_and_batch(layer, given.x)
    yield Tensor("x", "B, T, m", (B, T, layer.m))
    for name in ("h", "c") if layer.has_c else ("h",):
        yield Tensor(name, "B, k", (B, k), place="initial")
    two_biases = any(second for *_, second in layer.blocks)
    columns = f"{_times(g)}k"
    for number, place in product(range(layer.layers), ("forward-layer", "backward-layer") if D == 2 else ("layer",)):
        of = (True, place, number + 1)
        yield Tensor("kernel", f"{'m' if not number else 'D·k'}, {columns}", (layer.inputs(number), g * k), *of)
        yield Tensor("recurrent_kernel", f"k, {columns}", (k, g * k), *of)
        if two_biases:
            yield Tensor("bias", f"2, {columns}", (2, g * k), *of)
        else:
            yield Tensor("bias", columns, (g * k,), *of)
    yield Tensor("output, return_sequences=True", "B, T, D·k", (B, T, layer.output))
    yield Tensor("output, return_sequences=False", "B, D·k", (B, layer.output))


def _by_hand(layer: LayerSizes, given: GivenSizes) -> Iterator[Tensor]:
    k, cell = layer.k, CELLS[layer.cell]
    _, B = steps_and_batch(layer, given.x)
    yield Tensor("x_t", "m, B", (layer.m, B))
    for name in ("h", "c") if layer.has_c else ("h",):
        yield Tensor(f"{name}_{{t−1}}", "k, B", (k, B))
    learned = [
        (name, made.axes)
        for name, made in cell.ARRAYS.items()
        if made.axes in ("kn", "km", "k1") and made.kind != "input"
    ]
    places = ("of-layer", "of-backward-layer") if layer.layers > 1 else ("", "of-backward")
    for number, place in product(range(layer.layers), places[: layer.directions]):
        for name, axes in learned:
            columns = {"n": k, "m": layer.inputs(number), "1": 1}[axes[1]]
            formula = {"n": "k, k", "m": "k, D·k" if number else "k, m", "1": "k, 1"}[axes[1]]
            yield Tensor(name, formula, (k, columns), True, place, number + 1)
    yield Tensor("[h; x]", "k + m, B", (k + layer.m, B))
    yield Tensor("h_t", "k, B", (k, B))


def _times(g: int) -> str:
    """Return the number of gates as a factor before a letter; empty for 1."""
    return f"{g}" if g > 1 else ""


def parameter_count(layer: LayerSizes, given: GivenSizes) -> tuple[int, str]:
    """Return the number of trainable parameters, and the sum that gives it.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes

    Returns
    -------
    count : int
    terms : str
        Such as ``"80·10 + 80·20 + 80 + 80"``; what all layers after the first have stands in brackets.
    """

    def learned(layers: int) -> list[Tensor]:
        return [tensor for tensor in tensors(replace(layer, layers=layers), given) if tensor.counts]

    after = len(learned(1)) - (2 if given.linear else 0)
    first, linear = learned(1)[:after], learned(1)[after:]
    parts = [_terms(first)]
    count = _sum(first) + _sum(linear)
    if layer.layers > 1:
        later = learned(2)[after : 2 * after]
        count += (layer.layers - 1) * _sum(later)
        parts.append(f"{layer.layers - 1}·({_terms(later)})" if layer.layers > 2 else _terms(later))
    if linear:
        parts.append(_terms(linear))
    return count, " + ".join(parts)


def _sum(some: list[Tensor]) -> int:
    return sum(tensor.size for tensor in some)


def _terms(some: list[Tensor]) -> str:
    return " + ".join("·".join(map(str, tensor.shape)) for tensor in some)
