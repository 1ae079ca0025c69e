"""The neutral form of a model file: its recurrent layers in our names, what was left out, and what was assumed."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

import numpy as np

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.cells.gru import reset_before
from core.cells.protocol import Cell, chooses_activation, state_arrays
from core.sequence.layers import Direction, Layer

# The GRU of the paper, and of Keras with reset_after=False, has the same arrays as ours.
RESET_BEFORE = "GRU_reset_before"
CELLS_OF_FILES: dict[str, Cell] = {**CELLS, RESET_BEFORE: reset_before}
MOST_UNITS, MOST_INPUTS, MOST_LAYERS = 1024, 8192, 16
# In all recurrent layers together: two layers of 1024 units on 1024 inputs, and 136 MB as float64.
MOST_NUMBERS = 17 * 2**20
MOST_NAMES = 20_000
# The characters of all names together.
MOST_OF_NAMES = 4 * 2**20
LONG_NAMES = f"The names of the arrays have more than {MOST_OF_NAMES // 2**20} million characters together."
# Layers of a file in all its networks, with one direction each.
MOST_OF_FILE = 256
# The most numbers that are read to make the weights of an ONNX file.
MOST_READ = 4 * MOST_NUMBERS
# In all embeddings together: 32 MB as float64.
MOST_EMBEDDED = 4 * 2**20


class FileArray(NamedTuple):
    """An array of a file that has not been read yet.

    Attributes
    ----------
    shape : tuple of int
    is_float : bool
        Whether it holds floating-point numbers.
    read : callable
        Return its numbers as float64.
    cost : int
        The numbers that are read and copied for it, if it is made of other arrays.
    depth : int
        The number of nodes of ONNX that make it, one after the other.
    """

    shape: tuple[int, ...]
    is_float: bool
    read: Callable[[], Array]
    cost: int = 0
    depth: int = 0


def floats_from_bytes(data: bytes | memoryview, code: str, shape: tuple[int, ...]) -> Array:
    """Return floating-point numbers of a type of NumPy, or of BF16, as float64."""
    if code == "BF16":
        # The upper half of a float32. A shift in place needs no second copy.
        bits = np.frombuffer(data, "<u2").astype("<u4")
        bits <<= 16
        return bits.view("<f4").astype(np.float64).reshape(shape)
    return np.frombuffer(data, code).astype(np.float64).reshape(shape)


@dataclass(frozen=True)
class FoundDirection:
    """The weights of one direction of a layer.

    Attributes
    ----------
    arrays : mapping from str to ndarray
        The arrays of the cell, without its inputs.
    is_reverse : bool
    has_bias : bool
        Whether the file has biases; without them, all are 0.
    """

    arrays: Mapping[str, Array]
    is_reverse: bool = False
    has_bias: bool = True


@dataclass(frozen=True)
class FoundLayer:
    """A recurrent layer of a file.

    Attributes
    ----------
    name : str
        As the file has it.
    cell : str
        A name of CELLS_OF_FILES.
    directions : sequence of FoundDirection
    g : str
        The activation of an RNN, a name of ACTIVATIONS.
    """

    name: str
    cell: str
    directions: Sequence[FoundDirection]
    g: str = "tanh"

    @property
    def m(self) -> int:
        """Entries of x_t."""
        return next(array.shape[1] for name, array in self.directions[0].arrays.items() if is_of_input(name))

    @property
    def k(self) -> int:
        """Units of one direction."""
        return len(next(iter(self.directions[0].arrays.values())))

    @property
    def rows(self) -> int:
        """Entries of its output."""
        return self.k * len(self.directions)

    def layer(self, B: int = 1) -> Layer:
        """Return the layer with a state of 0 for B sequences."""
        cell = CELLS_OF_FILES[self.cell]
        zero = {name: np.zeros((self.k, B)) for name in state_arrays(cell)}
        return Layer(
            cell,
            [
                Direction(*cell.build({**one.arrays, **zero}, order="hx", g=ACTIVATIONS[self.g]), one.is_reverse)
                for one in self.directions
            ],
        )


class Network(NamedTuple):
    """Layers of a file that read each other's outputs.

    Attributes
    ----------
    name : str
        What the names of its layers start with; empty if they start with nothing.
    layers : list of FoundLayer
        From the bottom.
    """

    name: str
    layers: list[FoundLayer]


def with_activation(network: Network, g: str) -> Network:
    """Return a network whose layers have an activation, if their cell can have it."""
    layers = [replace(one, g=g) if chooses_activation(CELLS_OF_FILES[one.cell]) else one for one in network.layers]
    return Network(network.name, layers)


def lacks_activation(contents: "ModelContents", network: Network) -> bool:
    """Whether a file does not say the activation that layers of a network can choose."""
    can_choose = any(chooses_activation(CELLS_OF_FILES[one.cell]) for one in network.layers)
    return can_choose and not {"tanh", "activations"}.isdisjoint(contents.assumed)


class LeftOut(NamedTuple):
    """Arrays of a file that were not taken.

    Attributes
    ----------
    name : str
    reason : str
        A code: "not recurrent", "initial state", "projection", "layer normalization", "peepholes", "quantized", "activation",
        "incomplete", "sizes" and so on.
    """

    name: str
    reason: str


class Embedding(NamedTuple):
    """The table of an embedding layer, whose rows a recurrent layer reads.

    Attributes
    ----------
    name : str
    rows : ndarray of shape (tokens, m)
    """

    name: str
    rows: Array


class ModelContents(NamedTuple):
    """The recurrent part of a model file.

    Attributes
    ----------
    networks : list of Network
        At least one.
    left_out : list of LeftOut
    assumed : list of str
        Codes of what the file does not say: "tanh", "gate order", "reset after", "activations", "initial state", "masking",
        "order of layers", "sequence lengths", "one of several files".
    embeddings : sequence of Embedding
        Those as wide as the input of a network.
    """

    networks: list[Network]
    left_out: list[LeftOut]
    assumed: list[str]
    embeddings: Sequence[Embedding] = ()

    @property
    def nbytes(self) -> int:
        """Bytes of the weights and of the embeddings."""
        weights = (
            array.nbytes
            for network in self.networks
            for layer in network.layers
            for direction in layer.directions
            for array in direction.arrays.values()
        )
        return sum(weights) + sum(one.rows.nbytes for one in self.embeddings)


# The codes of LeftOut for a recurrent layer whose weights have another meaning here, or cannot be shown.
REFUSALS = frozenset(
    {
        "projection",
        "layer normalization",
        "peepholes",
        "quantized",
        "activation",
        "factors",
        "incomplete",
        "sizes",
        "merge",
        "several cells",
        "another cell",
        "unlike directions",
        "clip",
        "convolution",
        "inside",
        "computed",
        "too large",
        "not finite",
    }
)


def is_of_input(name: str) -> bool:
    """Whether an array of a cell has a column for each entry of x_t."""
    return name.startswith("W") and name.endswith("x")


class Refused(Exception):
    """The reason, a code of REFUSALS, for which a layer is left out."""


def expect_matrices(W_x: FileArray, W_h: FileArray) -> None:
    """Raise Refused if the weights of a layer are no matrices."""
    dims = len(W_x.shape), len(W_h.shape)
    if dims != (2, 2):
        raise Refused("convolution" if min(dims) > 2 else "sizes")


def expect_sizes(rows: int, k: int, m: int) -> int:
    """Return the number of blocks of rows of a layer; raise Refused if there is no cell with so many or if it is too large."""
    if not (k and m and rows % k == 0 and rows // k in BLOCKS):
        raise Refused("sizes")
    if k > MOST_UNITS or m > MOST_INPUTS:
        raise Refused("too large")
    return rows // k


BLOCKS: dict[int, str] = {len(cell.LAYOUT.blocks): name for name, cell in CELLS.items() if cell.LAYOUT}


NONE_FOUND = (
    "The file has no recurrent layer with the array names of PyTorch, Keras or ONNX. Save an RNN, LSTM or GRU with the names of its "
    "framework, such as weight_hh_l0."
)


class LayerRefused(ValueError):
    """A file has recurrent layers, but none that can be taken.

    Attributes
    ----------
    layer : LeftOut
        The first one.
    """

    def __init__(self, layer: LeftOut) -> None:
        super().__init__(f"The recurrent layer {layer.name[:60]!r} cannot be taken ({layer.reason}).")
        self.layer = layer


def expect_networks(
    networks: Iterator[Network] | Sequence[Network],
    left_out: list[LeftOut],
    assumed: Sequence[str],
    missing: str = NONE_FOUND,
) -> ModelContents:
    """Return the contents of a file, if there is a network.

    Raises
    ------
    LayerRefused
        If a layer was refused.
    ValueError
        With the sentence `missing` if there is no layer.
    """
    networks = list(networks)
    if not networks:
        for one in left_out:
            if one.reason in REFUSALS:
                raise LayerRefused(one)
        raise ValueError(missing)
    return ModelContents(networks, left_out, sorted(set(assumed)))


def with_embeddings(contents: ModelContents, tables: Mapping[str, FileArray]) -> ModelContents:
    """Return contents with those tables that are as wide as the input of one of the networks.

    Parameters
    ----------
    contents : ModelContents
    tables : mapping from str to FileArray
        Arrays that are embeddings by their names, or by the node that reads them.
    """
    widths, left, taken = {network.layers[0].m for network in contents.networks}, MOST_EMBEDDED, []
    reasons = {}
    for name, table in tables.items():
        if len(table.shape) != 2 or not table.is_float or table.shape[1] not in widths or not table.shape[0]:
            continue
        if prod(table.shape) > left:
            reasons[name] = "large embedding"
            continue
        rows = table.read()
        if np.all(np.isfinite(rows)):
            left -= rows.size
            taken.append(Embedding(name, rows))
        else:
            reasons[name] = "not finite"
    names = {one.name for one in taken}
    left_out = [
        LeftOut(one.name, reasons.get(one.name, one.reason)) for one in contents.left_out if one.name not in names
    ]
    return contents._replace(left_out=left_out, embeddings=taken)


def networks_by_source(layers: Iterable[tuple[FoundLayer, str, Sequence[str]]]) -> list[Network]:
    """Return the networks: a layer stands on the one whose output it reads, if that has as many entries as it reads.

    Parameters
    ----------
    layers : iterable of (FoundLayer, str, sequence of str)
        Each with the name of the recurrent layer's output that it reads, empty if it reads something else, and with the names of its
        own outputs that a layer can stand on.
    """
    networks: list[Network] = []
    # By an output of its last layer.
    open_networks: dict[str, Network] = {}
    for layer, source, outputs in layers:
        network = open_networks.pop(source, None)
        if network and network.layers[-1].rows == layer.m:
            network.layers.append(layer)
        else:
            network = Network(layer.name, [layer])
            networks.append(network)
        open_networks |= dict.fromkeys(outputs, network)
    return networks


def networks_in_order(layers: Sequence[FoundLayer]) -> list[Network]:
    """Return layers in their order as networks: one whose m is the output of the last one reads it."""
    networks: list[Network] = []
    for layer in layers:
        if networks and networks[-1].layers[-1].rows == layer.m:
            networks[-1].layers.append(layer)
        else:
            networks.append(Network(layer.name, [layer]))
    return networks


def networks_by_sizes(layers: Sequence[FoundLayer]) -> list[Network]:
    """Return layers without a known order as networks: a layer stands on another one, or below it, where their sizes match."""
    networks: list[Network] = []
    for layer in layers:
        below = next((network for network in networks if network.layers[-1].rows == layer.m), None)
        above = next((at for at, network in enumerate(networks) if network.layers[0].m == layer.rows), None)
        if below:
            below.layers.append(layer)
        elif above is not None:
            networks[above] = Network(layer.name, [layer, *networks[above].layers])
        else:
            networks.append(Network(layer.name, [layer]))
    return networks


def has_nonzero(tensor: FileArray) -> bool:
    """Whether an initial state, which is never large, has another number than 0."""
    return tensor.is_float and prod(tensor.shape) <= MOST_EMBEDDED and bool(np.any(tensor.read()))


def expect_array_names(names: Collection[str]) -> None:
    """Raise ValueError if a file has no array, or more of them or longer names than can be searched in a second."""
    if not 0 < len(names) <= MOST_NAMES:
        raise ValueError(f"The file holds {len(names)} arrays. Save it with 1 to {MOST_NAMES} arrays.")
    if sum(map(len, names)) > MOST_OF_NAMES:
        raise ValueError(f"{LONG_NAMES} Save it with shorter names.")


class NamesInside:
    """The names of a file in the order of the alphabet, where those with one prefix follow each other.

    Layers inside of layers share their names. The characters of all answers are counted, so that a small file cannot keep the page busy.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names, self.left = sorted(names), MOST_OF_NAMES

    def of(self, prefix: str) -> list[str]:
        """Return the ends of the names that start with a prefix.

        Raises
        ------
        ValueError
            If the answers have too many characters together.
        """
        start, stop = bisect_left(self.names, prefix), len(self.names)
        if prefix:
            # The first text after all those with the prefix.
            stop = bisect_left(self.names, prefix[:-1] + chr(ord(prefix[-1]) + 1))
        inside = [name[len(prefix) :] for name in self.names[start:stop]]
        self.left -= sum(map(len, inside))
        if self.left < 0:
            raise ValueError(f"{LONG_NAMES} Save the layers beside each other, and not inside of each other.")
        return inside


def expect_layers(count: int) -> None:
    """Raise ValueError if a file has too many recurrent layers to read in a second."""
    if count > MOST_OF_FILE:
        raise ValueError(f"The file has {count} recurrent layers. Save at most {MOST_OF_FILE} of them.")


class Budget:
    """The numbers that may still be read from a file."""

    def __init__(self) -> None:
        self.left, self.read_left = MOST_NUMBERS, MOST_READ

    def take(self, tensor: FileArray) -> Array:
        """Return the numbers of a tensor.

        Raises
        ------
        Refused
            If they are quantized or not finite, or made of too many others.
        ValueError
            If the file has more numbers than may be read.
        """
        if not tensor.is_float:
            raise Refused("quantized")
        # A refused array costs nothing, so the layers after it can be read.
        if tensor.cost > self.read_left:
            raise Refused("computed")
        self.read_left -= tensor.cost
        self.left -= prod(tensor.shape)
        if self.left < 0:
            raise ValueError(f"The recurrent layers must have at most {MOST_NUMBERS} weights together.")
        array = tensor.read()
        if not np.all(np.isfinite(array)):
            raise Refused("not finite")
        return array
