"""The nodes LSTM, GRU and RNN of an ONNX file, by a reader of the few fields of its protocol buffers that they need.

References
----------
ONNX, https://onnx.ai/onnx/operators/ and onnx.proto; Protocol Buffers, https://protobuf.dev/programming-guides/encoding/.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

import numpy as np

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.exchange.model_files.network import (
    MOST_NAMES,
    RESET_BEFORE,
    Budget,
    FoundDirection,
    FoundLayer,
    LeftOut,
    Network,
    Refused,
    Stack,
    Tensor,
    expect_layers,
    expect_network,
    expect_sizes,
    has_nonzero,
    stacks_by_source,
    with_embeddings,
)
from core.exchange.weight_layouts import arrays_from_blocks

DAMAGED = "The ONNX file is damaged: its protocol buffers cannot be read."
# The newer exporter of PyTorch writes torch.nn.RNN as single products.
NO_NODE = (
    "The ONNX file has no node LSTM, GRU or RNN. In PyTorch, export an RNN with torch.onnx.export(..., dynamo=False)."
)
EXTERNAL = (
    "The ONNX file keeps its weights in another file. In PyTorch, use torch.onnx.export(..., external_data=False)."
)
MOST_FIELDS = 400_000
# Of TensorProto.data_type: the floating-point types that a cell can have.
FLOAT_TYPES = {1: "<f4", 10: "<f2", 11: "<f8", 16: "BF16"}
# The activations of each node in one direction, unless the file names others.
NODES = {"RNN": ["tanh"], "GRU": ["sigmoid", "tanh"], "LSTM": ["sigmoid", "tanh", "tanh"]}
# Nodes that only move the numbers of their first input, and how many of them can follow each other.
PASSING, MOST_PASSING = ("Transpose", "Reshape", "Squeeze", "Unsqueeze", "Identity", "Cast", "Dropout"), 20
# These, and nodes that take or repeat numbers of their first input.
SELECTING = (*PASSING, "Expand", "Slice", "Gather", "Split", "Tile")
# Of ONNX Runtime.
QUANTISED = ("DynamicQuantizeLSTM",)


class Field(NamedTuple):
    """One field of a message.

    Attributes
    ----------
    number : int
    value : int or memoryview
    """

    number: int
    value: "int | memoryview"


@dataclass
class Wire:
    """A reader of messages that counts their fields, so that a small file cannot keep it busy.

    Attributes
    ----------
    left : int
    """

    left: int = MOST_FIELDS

    def fields(self, data: memoryview) -> Iterator[Field]:
        """Yield the fields of a message; groups are not in use any more.

        Raises
        ------
        ValueError
            If the message is damaged.
        """
        at, end = 0, len(data)
        while at < end:
            self.left -= 1
            if self.left < 0:
                raise ValueError(DAMAGED)
            key, at = _varint(data, at)
            kind = key & 7
            if kind == 0:
                value, at = _varint(data, at)
                yield Field(key >> 3, value)
                continue
            length, at = _varint(data, at) if kind == 2 else ({1: 8, 5: 4}.get(kind, -1), at)
            if length < 0 or at + length > end:
                raise ValueError(DAMAGED)
            yield Field(key >> 3, data[at : at + length])
            at += length


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise ValueError(DAMAGED)


def _bytes(value: "int | memoryview") -> memoryview:
    if isinstance(value, int):
        raise ValueError(DAMAGED)
    return value


def _text(value: "int | memoryview") -> str:
    return bytes(_bytes(value)[:400]).decode("utf-8", "replace")


@dataclass
class OnnxNode:
    """A node of the graph.

    Attributes
    ----------
    op, name : str
    inputs : list of str
    options : mapping from str to int, list of str or Tensor
        Its attributes, as far as a recurrent node has them.
    """

    op: str = ""
    name: str = ""
    inputs: list[str] = field(default_factory=list)
    options: dict[str, "int | list[str] | Tensor"] = field(default_factory=dict)


def read(data: bytes) -> Network:
    """Return the recurrent nodes of an ONNX file.

    Raises
    ------
    ValueError
        If it is damaged, or has none that can be taken.
    """
    wire, graphs = Wire(), []
    for number, value in wire.fields(memoryview(data)):
        if number == 7:
            graphs.append(_bytes(value))
    if len(graphs) != 1:
        raise ValueError("The file is not an ONNX model, because it has no graph.")
    nodes, tensors = _graph(wire, graphs[0])
    used = [node for node in nodes if node.op in NODES]
    expect_layers(len(used))
    refused = [LeftOut(node.name or node.op, "quantised") for node in nodes if node.op in QUANTISED]
    budget, layers = Budget(), []
    for node in used:
        try:
            layers.append((node, _layer(node, tensors, budget)))
        except Refused as reason:
            refused.insert(0, LeftOut(node.name or node.op, str(reason)))
    taken = [node for node, _ in layers]
    starts = _starts(taken, nodes, tensors)
    states = [name for name, is_state in starts.items() if is_state]
    assumed = ["initial state"] if states else []
    assumed += ["sequence lengths"] if any("".join(node.inputs[4:5]) for node in taken) else []
    names = {*starts, *(name for node in used for name in node.inputs)}
    # Whole numbers along one axis are sizes and places, which exporters write by the dozen.
    others = [name for name, one in tensors.items() if name not in names and (one.is_float or len(one.shape) > 1)]
    left_out = [
        *refused,
        *(LeftOut(name, "initial state") for name in states),
        *(LeftOut(name, "not recurrent") for name in others),
    ]
    tables = {
        node.inputs[0]: tensors[node.inputs[0]]
        for node in nodes
        if node.op == "Gather" and node.inputs and node.inputs[0] in tensors
    }
    return with_embeddings(expect_network(_stacks(layers, nodes), left_out, assumed, NO_NODE), tables)


def _stacks(layers: Sequence[tuple[OnnxNode, FoundLayer]], nodes: Sequence[OnnxNode]) -> list[Stack]:
    """Return the stacks: a layer stands on the one whose outputs it reads."""
    made_by = {output: node for node in nodes for output in _outputs(node)}
    return stacks_by_source((layer, _source(node.inputs[0], made_by), _outputs(node)) for node, layer in layers)


def _starts(taken: Sequence[OnnxNode], nodes: Sequence[OnnxNode], tensors: Mapping[str, Tensor]) -> dict[str, bool]:
    """Return the arrays that the initial states of layers are made of, by name: whether it is one other than 0 itself."""
    made_by = {output: node for node in nodes for output in _outputs(node)}
    # Each array once, because many layers may start from one state.
    starts: dict[str, bool] = {}
    left = [name for node in taken for name in node.inputs[5:7]]
    while left:
        name = left.pop()
        if not name or name in starts:
            continue
        node = made_by.get(name)
        if name in tensors:
            starts[name] = has_nonzero(tensors[name])
        elif node and node.op == "ConstantOfShape":
            value = node.options.get("value")
            starts[name] = isinstance(value, Tensor) and has_nonzero(value)
        else:
            ends = {"Concat": None, **dict.fromkeys(SELECTING, 1)}
            read = node.inputs[: ends[node.op]] if node and node.op in ends else []
            starts[name] = not read
            left += read
    return starts


def _source(name: str, made_by: Mapping[str, OnnxNode]) -> str:
    """Return the output of a recurrent node that an array has the numbers of; an empty text for other arrays."""
    for _ in range(MOST_PASSING):
        node = made_by.get(name)
        if node and node.op in NODES:
            return name
        if not node or node.op not in PASSING or not node.inputs:
            return ""
        name = node.inputs[0]
    return ""


def _outputs(node: OnnxNode) -> list[str]:
    """Return the name of the first output, which of a recurrent node has every step."""
    outputs = node.options["output"]
    return [name for name in outputs if name] if isinstance(outputs, list) else []


def _graph(wire: Wire, graph: memoryview) -> tuple[list[OnnxNode], dict[str, Tensor]]:
    nodes, tensors = [], {}
    for number, value in wire.fields(graph):
        if number == 1:
            node, output = _node(wire, _bytes(value))
            nodes.append(node)
            if node.op == "Constant" and isinstance(constant := node.options.get("value"), Tensor):
                tensors[output] = constant
        elif number == 5:
            name, tensor = _tensor(wire, _bytes(value))
            tensors[name] = tensor
        if len(nodes) + len(tensors) > MOST_NAMES:
            raise ValueError(f"The ONNX file must have at most {MOST_NAMES} nodes and arrays.")
    # A node that only passes an array on.
    for node in nodes:
        if node.op == "Identity" and node.inputs and node.inputs[0] in tensors:
            tensors[node.options["output"][0]] = tensors[node.inputs[0]]  # type: ignore[index]
    return nodes, tensors


def _node(wire: Wire, data: memoryview) -> tuple[OnnxNode, str]:
    node, outputs = OnnxNode(), []
    for number, value in wire.fields(data):
        if number == 1:
            node.inputs.append(_text(value))
        elif number == 2:
            outputs.append(_text(value))
        elif number == 3:
            node.name = _text(value)
        elif number == 4:
            node.op = _text(value)
        elif number == 5:
            node.options |= _attribute(wire, _bytes(value))
    node.options["output"] = outputs[:1] or [""]
    return node, (outputs or [""])[0]


def _attribute(wire: Wire, data: memoryview) -> dict[str, "int | list[str] | Tensor"]:
    """Return an attribute by its name; a graph inside of it is not looked at."""
    name, texts, value = "", [], None
    made: int | list[str] | Tensor | None = None
    for number, value in wire.fields(data):
        if number == 1:
            name = _text(value)
        elif number == 3 and isinstance(value, int):
            made = value
        elif number in (4, 9):
            texts.append(_text(value))
        elif number == 5:
            made = _tensor(wire, _bytes(value))[1]
        elif number in (2, 7) and made is None:
            made = 1  # a number: only whether there is one matters
    return {name: texts or (1 if made is None else made)}


def _tensor(wire: Wire, data: memoryview) -> tuple[str, Tensor]:
    dims: list[int] = []
    name, type_, raw = "", 0, None
    parts: list[memoryview] = []
    halves: list[bytes | memoryview] = []
    for number, value in wire.fields(data):
        if number == 1:
            dims += [value] if isinstance(value, int) else list(_packed(value))
        elif number == 2 and isinstance(value, int):
            type_ = value
        elif number == 8:
            name = _text(value)
        elif number == 9:
            raw = _bytes(value)
        elif number in (4, 10):
            parts.append(_bytes(value))
        elif number == 5:
            halves.append(_written(value) if isinstance(value, int) else value)
        elif number == 13 or (number == 14 and value == 1):
            raise ValueError(EXTERNAL)
        if len(dims) > 8:
            raise ValueError(DAMAGED)
    if any(size >= 2**48 for size in dims):
        raise ValueError(DAMAGED)
    code = FLOAT_TYPES.get(type_)
    if code is None:
        return name, Tensor(tuple(dims), False, lambda: np.zeros(0))
    width = {"BF16": 2}.get(code) or int(code[2])
    # float_data and double_data, or the bits of 16-bit numbers as whole numbers in int32_data.
    body = raw if raw is not None else b"".join(parts) if width > 2 else _halves(b"".join(halves))
    if len(body) != prod(dims) * width:
        raise ValueError("An array of the ONNX file holds more or fewer numbers than its shape says.")

    def read() -> Array:
        if code == "BF16":
            return (np.frombuffer(body, "<u2").astype("<u4") << 16).view("<f4").astype(np.float64).reshape(dims)
        return np.frombuffer(body, code).astype(np.float64).reshape(dims)

    return name, Tensor(tuple(dims), True, read)


def _packed(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _written(value: int) -> bytes:
    """Return a small number as a varint."""
    return bytes([value & 127 | 128, value >> 7 & 127 | 128, value >> 14 & 127])


def _halves(data: bytes) -> bytes:
    """Return numbers of 16 bits from their varints."""
    every = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(every < 128)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    lengths = ends - starts + 1
    if len(data) and (not len(ends) or ends[-1] != len(data) - 1 or lengths.max() > 3):
        raise ValueError(DAMAGED)
    values = np.zeros(len(ends), np.uint32)
    for at in range(3):
        has = lengths > at
        values[has] |= (every[starts[has] + at] & 127).astype(np.uint32) << (7 * at)
    return values.astype("<u2").tobytes()


# ---- a recurrent node ----------------------------------------------------------------------------


def _layer(node: OnnxNode, tensors: Mapping[str, Tensor], budget: Budget) -> FoundLayer:
    cell, inputs, options = node.op, [*node.inputs, *[""] * 8], node.options
    if "clip" in options or options.get("input_forget"):
        raise Refused("clip")
    if inputs[7]:
        raise Refused("peepholes")
    if inputs[1] not in tensors or inputs[2] not in tensors or (inputs[3] and inputs[3] not in tensors):
        raise Refused("computed")
    given = options.get("direction")
    direction = given[0] if isinstance(given, list) else "forward"
    ways = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}.get(direction)
    W, R = tensors[inputs[1]], tensors[inputs[2]]
    if ways is None or len(W.shape) != 3 or len(R.shape) != 3 or W.shape[0] != len(ways) or R.shape[0] != len(ways):
        raise Refused("sizes")
    (_, rows, m), (_, rows_of_h, k) = W.shape, R.shape
    layout = CELLS[cell].LAYOUT
    assert layout
    if rows != rows_of_h or expect_sizes(rows, k, m) != len(layout.blocks):
        raise Refused("sizes")
    B = tensors[inputs[3]] if inputs[3] else None
    if B is not None and B.shape != (len(ways), 2 * rows):
        raise Refused("sizes")
    g = _activation(cell, options.get("activations"), len(ways))
    biases = np.zeros((len(ways), 2 * rows)) if B is None else budget.take(B)
    directions = [
        FoundDirection(
            arrays_from_blocks(cell, W_x, W_h, b[:rows], b[rows:], layout.onnx_order), is_reverse, B is not None
        )
        for W_x, W_h, b, is_reverse in zip(budget.take(W), budget.take(R), biases, ways)
    ]
    before = cell == "GRU" and not options.get("linear_before_reset", 0)
    return FoundLayer(node.name or cell, RESET_BEFORE if before else cell, directions, g)


def _activation(cell: str, given: object, ways: int) -> str:
    """Return the activation of a node; raise Refused if its cell cannot have it here."""
    own = NODES[cell]
    names = [name.lower() for name in given] if isinstance(given, list) else own * ways
    if chooses_activation(CELLS[cell]) and names and set(names) <= {names[0]} and names[0] in ACTIVATIONS:
        return names[0]
    if names != own * ways:
        raise Refused("activation")
    return "tanh"
