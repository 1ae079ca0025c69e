"""The recurrent layers of an ONNX file: its nodes LSTM, GRU and RNN.

References
----------
ONNX operators, https://onnx.ai/onnx/operators/.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.exchange.model_files.contents import (
    RESET_BEFORE,
    Budget,
    FileArray,
    FoundDirection,
    FoundLayer,
    LeftOut,
    ModelContents,
    Network,
    Refused,
    expect_layers,
    expect_networks,
    expect_sizes,
    has_nonzero,
    networks_by_source,
    with_embeddings,
)
from core.exchange.model_files.onnx_constants import OPERATORS
from core.exchange.model_files.onnx_graph import COPIES, OnnxNode, read_graph
from core.exchange.weight_layouts import arrays_from_blocks

# The newer exporter of PyTorch writes torch.nn.RNN as single products, and both write torch.nn.LSTMCell so.
NO_NODE = (
    "The ONNX file has no node LSTM, GRU or RNN. In PyTorch, export an RNN with torch.onnx.export(..., dynamo=False), "
    "and save a cell such as nn.LSTMCell as .safetensors."
)
# The activations of each node in one direction, unless the file names others.
NODES = {"RNN": ["tanh"], "GRU": ["sigmoid", "tanh"], "LSTM": ["sigmoid", "tanh", "tanh"]}
# Nodes that only move the numbers of their first input, and how many of them can follow each other.
PASSING, MOST_PASSING = (*COPIES, "Transpose", "Reshape", "Squeeze", "Unsqueeze", "Dropout"), 20
# These, and nodes that take or repeat numbers of their first input.
SELECTING = (*PASSING, "Expand", "Slice", "Gather", "Split", "Tile")
# A node of ONNX Runtime.
QUANTIZED = ("DynamicQuantizeLSTM",)


def read(data: bytes) -> ModelContents:
    """Return the recurrent nodes of an ONNX file.

    Raises
    ------
    ValueError
        If it is damaged, or has none that can be taken.
    """
    nodes, tensors, inside = read_graph(data)
    used = [node for node in nodes if node.op in NODES]
    expect_layers(len(used))
    refused = [LeftOut(node.name or node.op, "quantized") for node in nodes if node.op in QUANTIZED]
    refused += [LeftOut(node.name or node.op, "inside") for node in inside if node.op in (*NODES, *QUANTIZED)]
    quantized = set[str]()
    for node in nodes:
        is_moved = node.op in (*COPIES, *OPERATORS) and not quantized.isdisjoint(node.inputs)
        quantized.update(_outputs(node) if is_moved or node.op == "DequantizeLinear" else ())
    budget, layers = Budget(), []
    for node in used:
        try:
            if not quantized.isdisjoint(node.inputs[1:4]):
                raise Refused("quantized")
            layers.append((node, _layer(node, tensors, budget)))
        except Refused as reason:
            refused.insert(0, LeftOut(node.name or node.op, str(reason)))
    taken = [node for node, _ in layers]
    made_by = {output: node for node in nodes for output in _outputs(node)}
    starts = _starts(taken, made_by, tensors)
    states = [name for name, is_state in starts.items() if is_state]
    assumed = ["initial state"] if states else []
    assumed += ["sequence lengths"] if any("".join(node.inputs[4:5]) for node in taken) else []
    names = {*starts, *_read_by(used, made_by, tensors)}
    own = {name: one for name, one in tensors.items() if not one.depth}
    # Whole numbers along one axis are sizes and places, which exporters write by the dozen.
    others = [name for name, one in own.items() if name not in names and (one.is_float or len(one.shape) > 1)]
    left_out = [
        *refused,
        *(LeftOut(name, "initial state") for name in states),
        *(LeftOut(name, "not recurrent") for name in others),
    ]
    tables = {
        node.inputs[0]: own[node.inputs[0]]
        for node in nodes
        if node.op == "Gather" and node.inputs and node.inputs[0] in own
    }
    return with_embeddings(expect_networks(_networks(layers, made_by), left_out, assumed, NO_NODE), tables)


def _networks(layers: Sequence[tuple[OnnxNode, FoundLayer]], made_by: Mapping[str, OnnxNode]) -> list[Network]:
    """Return the networks: a layer stands on the one whose outputs it reads."""
    return networks_by_source((layer, _source(node.inputs[0], made_by), _outputs(node)) for node, layer in layers)


def _starts(
    taken: Sequence[OnnxNode], made_by: Mapping[str, OnnxNode], tensors: Mapping[str, FileArray]
) -> dict[str, bool]:
    """Return the arrays that the initial states of layers are made of, by name: whether it is one other than 0 itself."""
    # Each array once, because many layers may start from one state.
    starts: dict[str, bool] = {}
    left = [name for node in taken for name in node.inputs[5:7]]
    while left:
        name = left.pop()
        if not name or name in starts:
            continue
        node = made_by.get(name)
        if name in tensors and not tensors[name].depth:
            starts[name] = has_nonzero(tensors[name])
        elif node and node.op == "ConstantOfShape":
            value = node.options.get("value")
            starts[name] = isinstance(value, FileArray) and has_nonzero(value)
        else:
            ends = {"Concat": None, **dict.fromkeys(SELECTING, 1)}
            read = node.inputs[: ends[node.op]] if node and node.op in ends else []
            starts[name] = not read
            left += read
    return starts


def _read_by(used: Sequence[OnnxNode], made_by: Mapping[str, OnnxNode], tensors: Mapping[str, FileArray]) -> set[str]:
    """Return the names of the arrays that nodes read, and of those that these are made of."""
    left, found = [name for node in used for name in node.inputs], set[str]()
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += made_by[name].inputs if name in tensors and name in made_by else []
    return found


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
    return [name for name in outputs if isinstance(name, str) and name] if isinstance(outputs, list) else []


def _layer(node: OnnxNode, tensors: Mapping[str, FileArray], budget: Budget) -> FoundLayer:
    cell, inputs, options = node.op, [*node.inputs, *[""] * 8], node.options
    if "clip" in options or options.get("input_forget"):
        raise Refused("clip")
    if inputs[7]:
        raise Refused("peepholes")
    if inputs[1] not in tensors or inputs[2] not in tensors or (inputs[3] and inputs[3] not in tensors):
        raise Refused("computed")
    given = options.get("direction")
    direction = str(given[0]) if isinstance(given, list) else "forward"
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
    names = [str(name).lower() for name in given] if isinstance(given, list) else own * ways
    if chooses_activation(CELLS[cell]) and names and set(names) <= {names[0]} and names[0] in ACTIVATIONS:
        return names[0]
    if names != own * ways:
        raise Refused("activation")
    return "tanh"
