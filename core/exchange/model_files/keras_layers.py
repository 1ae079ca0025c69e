"""The recurrent layers of a Keras file, by the paths of its arrays and, if it has one, its configuration."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.exchange.model_files.network import (
    BLOCKS,
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
    expect_sizes,
    found,
    in_blocks,
    linked,
    stacked,
)

KINDS = ("kernel", "recurrent_kernel", "bias")
# The first is Keras 3's numbering in .weights.h5, the second the names of older files and of an .npz.
NUMBERED = re.compile(r"(?P<path>(?:.*/)?cell(?:/cells/[^/]+)?)/vars/(?P<kind>[0-2])")
NAMED = re.compile(r"(?P<path>(?:.*/)?)(?P<kind>recurrent_kernel|kernel|bias)(?::0)?")
DIRECTION = re.compile(r"(?P<start>.*/|)(?P<end>forward|backward)_[^/]*(?P<rest>.*)")
CHANGES = {
    "layer normalisation": re.compile(r"norm", re.IGNORECASE),
    "peepholes": re.compile("peephole", re.IGNORECASE),
}
RECURRENT = {cell.LAYOUT.keras: name for name, cell in CELLS.items() if cell.LAYOUT}
# Layers whose output is their input when the network is not in training.
PASSING = {
    *("InputLayer", "Dropout", "SpatialDropout1D", "GaussianDropout", "GaussianNoise", "AlphaDropout"),
    *("ActivityRegularization", "Identity", "Masking"),
}
DEPTH = 12


class Config(NamedTuple):
    """A recurrent layer in the configuration of a model.

    Attributes
    ----------
    path : str
        Where its arrays are.
    name : str
        Its own name; for a cell of StackedRNNCells, the layer's name before it, such as rnn/lstm_cell.
    cell : str
        A name of CELLS_OF_FILES.
    g : str
    is_reverse : bool
        Whether it starts at the end without the wrapper Bidirectional.
    reason : str
        The code of REFUSALS if it cannot be taken, else empty.
    source : str
        The path of the recurrent layer whose output it reads, empty if it reads something else.
    backward : str
        The name of its backward layer, empty if it has one direction.
    has_state : bool
        Whether the model gives it an initial state.
    """

    path: str
    name: str
    cell: str
    g: str
    is_reverse: bool
    reason: str
    source: str = ""
    backward: str = ""
    has_state: bool = False


class Configs:
    """The recurrent layers in the configuration of a model, none without one.

    Attributes
    ----------
    every : list of Config
        In the order of the configuration.
    """

    def __init__(self, config: object = None) -> None:
        self.every = configured(config) if config else []
        # The first of several with the same path or name.
        self._by_path = {one.path: one for one in reversed(self.every)}
        self._by_name = {one.name: one for one in reversed(self.every)}
        self._places = {one.path: at for at, one in enumerate(self.every)}

    def of(self, path: str) -> Config | None:
        """Return the configuration of the layer whose arrays are at a path.

        A .keras file numbers its layers in their paths. In the older .h5 files, a path has the names of the layers.
        """
        if not path.startswith("model_weights/"):
            return self._by_path.get(_layer_path(path))
        # The name of a model, which may also be that of a layer, stands before the names of its layers.
        for part in reversed(parts := path.split("/")):
            for name in (part, *(f"{before}/{part}" for before in parts)):
                if name in self._by_name:
                    return self._by_name[name]
        return None

    def place(self, path: str) -> int:
        """Return the place of the layer whose arrays are at a path, after all others if it has none."""
        at = self.of(path)
        return self._places[at.path] if at else len(self.every)


def has_names(names: Mapping[str, Tensor]) -> bool:
    """Whether a file has the recurrent weights of a Keras layer."""
    return any(path_and_kind(name)[1] == "recurrent_kernel" for name in names)


def path_and_kind(name: str) -> tuple[str, str]:
    """Return the layer's path of an array, and its kind; an empty kind for an array of another layer."""
    if match := NUMBERED.fullmatch(name):
        return match["path"], KINDS[int(match["kind"])]
    if match := NAMED.fullmatch(name):
        return match["path"].rstrip("/"), match["kind"]
    return name, ""


def read(tensors: Mapping[str, Tensor], config: object = None) -> Network:
    """Return the recurrent layers of a Keras file.

    Parameters
    ----------
    tensors : mapping from str to Tensor
        By path.
    config : object, optional
        The configuration of the model, read as JSON. Nothing in it is run.
    """
    groups: dict[str, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        path, kind = path_and_kind(name)
        groups.setdefault(path, {})[kind or name] = tensor
    recurrent = {path: kinds for path, kinds in groups.items() if "recurrent_kernel" in kinds}
    expect_layers(len(recurrent))
    refused: list[LeftOut] = []
    states: list[LeftOut] = []
    known = Configs(config)
    budget, assumed = Budget(), {"masking"} if _skips_steps(config) else set()
    layers: list[FoundLayer] = []
    at_of: list[Config | None] = []
    for ends in _in_order(_directions(recurrent, known), known):
        at = known.of(ends[0][0])
        name = at.name if at else _name(ends[0][0])
        try:
            if at and at.reason:
                raise Refused(at.reason)
            if len(ends) > 2:
                raise Refused("stacked cells")
            _expect_plain(ends[0][0], groups)
            directions, cells = [], []
            for path, is_reverse in ends:
                cell, arrays = _arrays(recurrent[path], budget, at)
                is_last_first = is_reverse or bool(at and at.is_reverse)
                directions.append(FoundDirection(arrays, is_last_first, "bias" in recurrent[path]))
                cells.append(cell)
            if len(set(cells)) > 1:
                raise Refused("sizes")
            if not at:
                assumed.add("activations")
            if "GRU" in cells[0] and not at and "bias" not in recurrent[ends[0][0]]:
                assumed.add("reset after")
            if at and at.has_state:
                assumed.add("initial state")
                states.append(LeftOut(f"initial_state of {name}", "initial state"))
            layers.append(FoundLayer(name, cells[0], directions, at.g if at else "tanh"))
            at_of.append(at)
        except Refused as why:
            refused.insert(0, LeftOut(name, str(why)))
    stacks = _stacks(layers, at_of) if known.every else linked(layers)
    if not known.every and len(stacks) < len(layers):
        assumed.add("order of layers")
    others = [LeftOut(path, "not recurrent") for path in groups if path not in recurrent]
    return found(stacks, [*refused, *states, *others], sorted(assumed))


def _name(path: str) -> str:
    """Return the name of a layer without a configuration."""
    parts = _layer_path(path).split("/")
    return parts[-2] if len(parts) > 1 and parts[-1].endswith("cell") and "cells" not in parts else parts[-1]


def _expect_plain(path: str, groups: Mapping[str, object]) -> None:
    """Raise Refused if something inside of a layer changes what its weights mean."""
    for reason, pattern in CHANGES.items():
        if any(other.startswith(f"{path}/") and pattern.search(other.removeprefix(path)) for other in groups):
            raise Refused(reason)


def _stacks(layers: Sequence[FoundLayer], at_of: Sequence[Config | None]) -> list[Stack]:
    """Return the stacks: a layer stands on the one that it reads.

    After a layer that starts at the end Keras hands its outputs on in that order, so a stack ends there.
    """
    return stacked(
        (layer, at.source, [] if [one.is_reverse for one in layer.directions] == [True] else [at.path])
        if at
        else (layer, "", [])
        for layer, at in zip(layers, at_of)
    )


def _directions(recurrent: Mapping[str, object], known: Configs) -> list[list[tuple[str, bool]]]:
    """Return the paths of each layer: one, or the forward one before the backward one."""
    layers: dict[str, list[tuple[str, bool]]] = {}
    for path in recurrent:
        if at := known.of(path):
            # With a configuration, no name of a layer is mistaken for that of a direction.
            is_backward = bool(at.backward) and bool({at.backward, "backward_layer"} & set(path.split("/")))
            layers.setdefault(at.path, []).append((path, is_backward))
            continue
        match = DIRECTION.fullmatch(path)
        key = match["start"] + "*" if match else path
        layers.setdefault(key, []).append((path, bool(match and match["end"] == "backward")))
    return [sorted(paths, key=lambda one: one[1]) for paths in layers.values()]


def _in_order(layers: list[list[tuple[str, bool]]], known: Configs) -> list[list[tuple[str, bool]]]:
    """Return layers in the order of the configuration, or else by their numbers."""

    def place(layer: list[tuple[str, bool]]) -> tuple[int, str, int]:
        path = _layer_path(layer[0][0])
        match = re.fullmatch(r"(.*?)_?(\d{0,6})", path)
        assert match
        return known.place(layer[0][0]), match[1], int(match[2] or 0)

    return sorted(layers, key=place)


def _layer_path(path: str) -> str:
    """Return the path of the layer that has a cell, in the form of `Config.path`."""
    return re.sub(r"/((forward|backward)_layer/)?cell$", "", path)


def _arrays(kinds: Mapping[str, Tensor], budget: Budget, config: Config | None) -> tuple[str, dict[str, Array]]:
    if not {"kernel", "recurrent_kernel"} <= kinds.keys():
        raise Refused("incomplete")
    W_x, W_h, b = kinds["kernel"], kinds["recurrent_kernel"], kinds.get("bias")
    if len(W_x.shape) != 2 or len(W_h.shape) != 2 or W_x.shape[1] != W_h.shape[1]:
        raise Refused("sizes")
    (m, _), (k, rows) = W_x.shape, W_h.shape
    name = BLOCKS[expect_sizes(rows, k, m)]
    layout = CELLS[name].LAYOUT
    assert layout
    if config and config.cell.partition("_")[0] != name:
        raise Refused("sizes")
    if (
        b is not None
        and b.shape not in ((rows,), (2, rows))
        or (b is not None and b.shape == (2, rows) and name != "GRU")
    ):
        raise Refused("sizes")
    biases = np.zeros((2, rows))
    if b is not None:
        bias = budget.take(b)
        biases[: 1 if bias.ndim == 1 else 2] = bias
    before = config.cell == RESET_BEFORE if config else b is not None and b.shape == (rows,)
    arrays = in_blocks(name, budget.take(W_x).T, budget.take(W_h).T, biases[0], biases[1], layout.keras_order)
    return RESET_BEFORE if name == "GRU" and before else name, arrays


# ---- the configuration ---------------------------------------------------------------------------


def configured(config: object) -> list[Config]:
    """Return the recurrent layers of a configuration, in its order.

    Keras counts the layers of each class, and puts the arrays of the second LSTM under ``layers/lstm_1``.
    """
    return _configured(config, "", 0, "")[0]


def _configured(config: object, path: str, depth: int, source: str) -> tuple[list[Config], str]:
    """Return the recurrent layers of a model, and the path of the one whose output is its output, if there is one.

    Parameters
    ----------
    config : object
    path : str
        Where the arrays of the model are.
    depth : int
        How many models it is inside of.
    source : str
        The path of the recurrent layer whose output it reads, if there is one.
    """
    inner = _options(config)
    layers = inner.get("layers")
    if depth > DEPTH or not isinstance(layers, list):
        return [], ""
    if len(layers) > MOST_NAMES:
        raise ValueError(f"The configuration has {len(layers)} layers. Save a model of at most {MOST_NAMES}.")
    counts: dict[str, int] = {}
    found_here: list[Config] = []
    # In a functional model, what each layer hands on, by name.
    handed: dict[str, str] = {}
    is_functional, last = isinstance(inner.get("output_layers"), list), source
    for layer in layers:
        if not isinstance(layer, dict) or not isinstance(layer.get("class_name"), str):
            continue
        snake = _snake(layer["class_name"])
        at = counts.setdefault(snake, 0)
        counts[snake] += 1
        own = f"{path}layers/{snake}{f'_{at}' if at else ''}"
        if is_functional and layer["class_name"] != "InputLayer":
            read = _inbound(layer.get("inbound_nodes"))
            last = handed.get(read[0], "") if len(read) == 1 else ""
        elif is_functional:
            last = source
        inside, handed_on = _configured(layer, f"{own}/", depth + 1, last)
        here = _of_layer(layer, own, last)
        if here and _has_several_inputs(layer.get("inbound_nodes")):
            here = [one._replace(has_state=True) for one in here]
        found_here += [*inside, *here]
        if here and layer["class_name"] != "TimeDistributed":
            last = here[-1].path
        elif layer["class_name"] not in PASSING:
            last = handed_on
        handed[str(_options(layer).get("name", ""))] = last
    outputs = _inbound(inner.get("output_layers"))
    if is_functional:
        last = handed.get(outputs[0], "") if len(outputs) == 1 else ""
    return found_here, last


def _snake(name: str) -> str:
    """Return the name that Keras makes of a class for the paths of its arrays."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name))
    return re.sub(r"\W+", "", words.lower())


def _options(layer: object) -> dict[str, Any]:
    """Return the options of a layer, a cell or a model, none if the file has none."""
    options = layer.get("config") if isinstance(layer, dict) else None
    return options if isinstance(options, dict) else {}


def _inbound(nodes: object) -> list[str]:
    """Return the name of the layer of each tensor that a layer of a functional model reads, or that a model returns."""
    names: list[str] = []
    left = [nodes]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            history = one.get("keras_history")
            left += one.values() if history is None else [history]
        elif isinstance(one, list):
            # A tensor is [name, node, number], in Keras 2 followed by further arguments.
            is_tensor = (
                len(one) >= 3 and isinstance(one[0], str) and isinstance(one[1], int) and isinstance(one[2], int)
            )
            names += one[:1] if is_tensor else []
            left += one[3:] if is_tensor else one
    return names


def _has_several_inputs(nodes: object) -> bool:
    """Whether a layer of a functional model reads several tensors at a time: a recurrent one its input and its initial state."""
    return isinstance(nodes, list) and any(len(_inbound([node])) > 1 for node in nodes)


def _skips_steps(config: object) -> bool:
    """Whether a model has a layer that masks steps."""
    left = [config]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if one.get("class_name") == "Masking" or one.get("mask_zero") is True:
                return True
            left += one.values()
        elif isinstance(one, list):
            left += one
    return False


def _of_layer(layer: Mapping[str, Any], path: str, source: str) -> list[Config]:
    """Return what the configuration of one layer says, if it is recurrent: one record, or one for each of its stacked cells."""
    options = _options(layer)
    if layer["class_name"] == "Bidirectional":
        return _of_both(options, path, source)
    if layer["class_name"] == "TimeDistributed":  # what the layer reads are steps of another axis
        return _of_way(_part(options, "layer"), f"{path}/layer", "")
    return _of_way(layer, path, source)


def _of_both(options: Mapping[str, Any], path: str, source: str) -> list[Config]:
    """Return what the configuration of a Bidirectional layer says."""
    forward, backward = _part(options, "layer"), _part(options, "backward_layer")
    own = _options(backward).get("name", f"backward_{_options(forward).get('name', '')}")
    first = _of_way(forward, path, source)
    # Keras 2 writes a backward layer only if it is not that of the forward layer.
    second = _of_way(backward, path, source) if backward else first
    reason = ""
    if options.get("merge_mode", "concat") != "concat":
        reason = "merge"
    elif len(first) > 1:
        reason = "stacked cells"
    elif [(one.cell, one.g, one.reason) for one in first] != [(one.cell, one.g, one.reason) for one in second]:
        reason = "unlike directions"
    name = str(options.get("name", path))
    return [
        one._replace(
            name="/".join([name, *one.name.split("/")[1:]]),
            is_reverse=False,
            reason=reason or one.reason,
            backward=str(own),
        )
        for one in first
    ]


def _part(options: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the configuration of a layer or a cell inside of a layer, empty if there is none."""
    return options[name] if isinstance(options.get(name), dict) else {}


def _of_way(layer: Mapping[str, Any], path: str, source: str) -> list[Config]:
    """Return what the configuration of a layer of one direction says, if it is recurrent."""
    options = _options(layer)
    name, is_reverse = str(options.get("name", path)), bool(options.get("go_backwards"))
    if layer.get("class_name") != "RNN":
        return _of_cell(layer, path, name, is_reverse, source)
    cell = _part(options, "cell")
    cells = _options(cell).get("cells")
    if cell.get("class_name") != "StackedRNNCells" or not isinstance(cells, list):
        return _of_cell(cell, path, name, is_reverse, source)
    counts: dict[str, int] = {}
    every: list[Config] = []
    for one in cells:
        if not isinstance(one, dict):
            continue
        snake = _snake(str(one.get("class_name")))
        at = counts.setdefault(snake, 0)
        counts[snake] += 1
        own = f"{path}/cell/cells/{snake}{f'_{at}' if at else ''}"
        of_cell = f"{name}/{_options(one).get('name', snake)}"
        every += _of_cell(one, own, of_cell, is_reverse, every[-1].path if every else source)
    return every


def _of_cell(cell: Mapping[str, Any], path: str, name: str, is_reverse: bool, source: str) -> list[Config]:
    """Return what the configuration of a layer or a cell says, if it is one of RECURRENT."""
    kind, options = str(cell.get("class_name")).removesuffix("Cell"), _options(cell)
    if kind not in RECURRENT:
        return []
    own, reason = RECURRENT[kind], ""
    g, of_gates = options.get("activation", "tanh"), options.get("recurrent_activation", "sigmoid")
    if not isinstance(g, str) or g not in (ACTIVATIONS if chooses_activation(CELLS[own]) else ("tanh",)):
        g, reason = "tanh", "activation"
    if of_gates != "sigmoid":
        reason = reason or "activation"
    if options.get("quantization_config") or options.get("dtype") == "int8":
        reason = reason or "quantised"
    if own == "GRU" and not options.get("reset_after", True):
        own = RESET_BEFORE
    return [Config(path, name, own, g, is_reverse, reason, source)]
