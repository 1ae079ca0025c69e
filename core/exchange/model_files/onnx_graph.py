"""The nodes and the arrays of an ONNX file.

References
----------
onnx.proto, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import prod
from typing import NamedTuple

import numpy as np

from core.exchange.model_files.contents import MOST_NAMES, FileArray, floats_from_bytes
from core.exchange.model_files.onnx_constants import MOST_INDICES, OPERATORS, result_of
from core.exchange.model_files.protocol_buffers import (
    DAMAGED,
    MessageReader,
    add_part,
    as_bytes,
    count_of_varints,
    numbers_of_16_bits,
    packed_numbers,
    signed,
    to_varint,
)

EXTERNAL = (
    "The ONNX file keeps its weights in another file. In PyTorch, use torch.onnx.export(..., external_data=False)."
)
TOO_MANY = f"The ONNX file has more than {MOST_NAMES} nodes and arrays. Export the recurrent layers alone."
# The most axes of an array.
MOST_AXES = 8
# The largest depth of graphs within graphs. A Loop in an If in a function has depth 3.
DEPTH = 12
# Nodes that only pass the numbers of an array on.
COPIES = ("Identity", "Cast")
# An attribute of a node.
Option = int | list[str] | list[int] | FileArray
# The floating-point types that a cell can have, by their number in TensorProto.data_type.
FLOAT_TYPES = {1: "<f4", 10: "<f2", 11: "<f8", 16: "BF16"}
# The whole numbers in TensorProto.data_type that say how a node moves others.
INT64 = 7


@dataclass
class OnnxNode:
    """A node of the graph.

    Attributes
    ----------
    op, name : str
    inputs : list of str
    options : mapping from str to Option
        Its attributes, as far as a recurrent node has them.
    """

    op: str = ""
    name: str = ""
    inputs: list[str] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)


class OnnxGraph(NamedTuple):
    """The graph of an ONNX file.

    Attributes
    ----------
    nodes : list of OnnxNode
    tensors : dict from str to FileArray
        Its arrays by name.
    inside : list of OnnxNode
        The nodes of the graphs in its nodes, such as the body of a Loop, and of its functions.
    """

    nodes: list[OnnxNode]
    tensors: dict[str, FileArray]
    inside: list[OnnxNode]


def read_graph(data: bytes) -> OnnxGraph:
    """Return the graph of an ONNX file.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    reader = MessageReader()
    fields = [field for field in reader.fields(memoryview(data)) if field.number in (7, 25)]
    graphs = [as_bytes(value) for number, value in fields if number == 7]
    if len(graphs) != 1:
        raise ValueError("The file is not an ONNX model, because it has no graph. Choose another file.")
    nodes: list[OnnxNode] = []
    tensors: dict[str, FileArray] = {}
    inside: list[OnnxNode] = []
    for number, value in fields:
        if number == 25:
            _nodes_inside(reader, as_bytes(value), 7, inside, 1)
    for number, value in reader.fields(graphs[0]):
        if number == 1:
            node, output = _node(reader, as_bytes(value), inside)
            nodes.append(node)
            if node.op == "Constant" and (constant := _constant(node.options)):
                tensors[output] = constant
        elif number == 5:
            name, tensor = _tensor(reader, as_bytes(value))
            tensors[name] = tensor
        if len(nodes) + len(tensors) > MOST_NAMES:
            raise ValueError(TOO_MANY)
    for node in nodes:
        given = [tensors[name] for name in node.inputs if name in tensors]
        if not given or len(given) < len(node.inputs):
            continue
        made = (
            given[0] if node.op in COPIES else result_of(node.op, node.options, given) if node.op in OPERATORS else None
        )
        if made:
            tensors[node.options["output"][0]] = made  # type: ignore[index, assignment]
    return OnnxGraph(nodes, tensors, inside)


def _constant(options: dict[str, Option]) -> FileArray | None:
    """Return the value of a node Constant if it is an array or whole numbers."""
    value = options.get("value")
    if isinstance(value, FileArray):
        return value
    numbers = options.get("value_ints", options.get("value_int"))
    if isinstance(numbers, int):
        return _whole((), [numbers])
    return _whole((len(numbers),), numbers) if isinstance(numbers, list) else None


def _whole(shape: tuple[int, ...], numbers: Sequence[int | str]) -> FileArray:
    return FileArray(shape, False, lambda: np.array(numbers, np.int64).reshape(shape))


def _nodes_inside(reader: MessageReader, data: memoryview, number: int, inside: list[OnnxNode], depth: int) -> None:
    """Add the nodes in the field `number` of a graph or a function, and the nodes of the graphs in them."""
    if depth > DEPTH:
        raise ValueError(DAMAGED)
    for own, value in reader.fields(data):
        if own == number:
            inside.append(_node(reader, as_bytes(value), inside, depth)[0])
            if len(inside) > MOST_NAMES:
                raise ValueError(TOO_MANY)


def _node(reader: MessageReader, data: memoryview, inside: list[OnnxNode], depth: int = 0) -> tuple[OnnxNode, str]:
    node, outputs = OnnxNode(), []
    for number, value in reader.fields(data):
        if number == 1:
            node.inputs.append(reader.text(value))
        elif number == 2:
            outputs.append(reader.text(value))
        elif number == 3:
            node.name = reader.text(value)
        elif number == 4:
            node.op = reader.text(value)
        elif number == 5:
            node.options |= _attribute(reader, as_bytes(value), inside, depth)
    node.options["output"] = outputs[:1] or [""]
    return node, (outputs or [""])[0]


def _attribute(reader: MessageReader, data: memoryview, inside: list[OnnxNode], depth: int) -> dict[str, Option]:
    """Return an attribute by its name, and add the nodes of a graph in it."""
    name, texts, value = "", [], None
    parts: list[int | memoryview] = []
    made: Option | None = None
    for number, value in reader.fields(data):
        if number == 1:
            name = reader.text(value)
        elif number == 3 and isinstance(value, int):
            made = signed(value)
        elif number == 8:
            parts.append(value)
        elif number in (4, 9):
            texts.append(reader.text(value))
        elif number == 5:
            made = _tensor(reader, as_bytes(value))[1]
        elif number in (6, 11):
            _nodes_inside(reader, as_bytes(value), 1, inside, depth + 1)
        elif number in (2, 7) and made is None:
            made = 1  # a number: only whether there is one matters
    return {name: texts or _integers(parts, MOST_INDICES) or (1 if made is None else made)}


def _integers(parts: Sequence[int | memoryview], most: int) -> list[int]:
    """Return signed numbers of a field; of more than `most`, one more, so that the list is seen to be too long."""
    every = (one for part in parts for one in ([part] if isinstance(part, int) else packed_numbers(part)))
    return [signed(one) for one in islice(every, most + 1)]


def _tensor(reader: MessageReader, data: memoryview) -> tuple[str, FileArray]:
    sizes: list[int | memoryview] = []
    name, type_, raw = "", 0, None
    parts: list[memoryview] = []
    halves: list[memoryview | bytearray] = []
    whole: list[int | memoryview] = []
    for number, value in reader.fields(data):
        if number == 1:
            sizes.append(value)
        elif number == 2 and isinstance(value, int):
            type_ = value
        elif number == 8:
            name = reader.text(value)
        elif number == 9:
            raw = as_bytes(value)
        elif number in (4, 10):
            parts.append(as_bytes(value))
        elif number == 5:
            add_part(halves, to_varint(value) if isinstance(value, int) else value)
        elif number == 7:
            whole.append(value)
        elif number == 13 or (number == 14 and value == 1):
            raise ValueError(EXTERNAL)
    dims = _integers(sizes, MOST_AXES)
    if len(dims) > MOST_AXES or not all(0 <= size < 2**48 for size in dims):
        raise ValueError(DAMAGED)
    shape, size = tuple(dims), prod(dims)
    code = FLOAT_TYPES.get(type_)
    if type_ == INT64 and size <= MOST_INDICES:
        if raw is not None and len(raw) == 8 * size:
            numbers = np.frombuffer(raw, "<i8").tolist()
        else:
            numbers = _integers(whole, MOST_INDICES)
        return name, _whole(shape, numbers)
    if code is None:
        return name, FileArray(shape, False, lambda: np.zeros(0))
    width = {"BF16": 2}.get(code) or int(code[2])
    # float_data and double_data, or the bits of 16-bit numbers as whole numbers in int32_data.
    count, body = _body(raw, parts, halves, width)
    if count != size * width:
        raise ValueError("An array of the ONNX file holds more or fewer numbers than its shape says. Export it again.")
    return name, FileArray(shape, True, lambda: floats_from_bytes(body(), code, shape))


def _body(
    raw: memoryview | None, parts: Sequence[memoryview], halves: Sequence[memoryview | bytearray], width: int
) -> tuple[int, Callable[[], bytes | memoryview]]:
    """Return the number of bytes of an array and a function that joins them, which takes memory only for an array that is read."""
    if raw is not None:
        return len(raw), lambda: raw
    if width > 2:
        return sum(map(len, parts)), lambda: b"".join(parts)
    return 2 * sum(map(count_of_varints, halves)), lambda: numbers_of_16_bits(halves)
