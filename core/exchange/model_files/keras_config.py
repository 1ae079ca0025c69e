"""The recurrent layers in the configuration of a Keras model: their cells, their order, and what keeps a layer from being taken."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.exchange.model_files.contents import MOST_NAMES, RESET_BEFORE

RECURRENT = {cell.LAYOUT.keras: name for name, cell in CELLS.items() if cell.LAYOUT}
# Layers whose output is their input when the network is not in training.
PASSING_LAYERS = {
    *("InputLayer", "Dropout", "SpatialDropout1D", "GaussianDropout", "GaussianNoise", "AlphaDropout"),
    *("ActivityRegularization", "Identity", "Masking"),
}
MOST_NESTED = 12
# The most characters of a name. Each layer inside of another one repeats its name.
MOST_OF_NAME = 200


class LayerConfig(NamedTuple):
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


class ModelConfig:
    """The recurrent layers in the configuration of a model, none without one.

    Attributes
    ----------
    layers : list of LayerConfig
        In the order of the configuration.
    """

    def __init__(self, config: object = None) -> None:
        self.layers = layers_of_config(config) if config else []
        # The first of several with the same path or name.
        self._by_path = {one.path: one for one in reversed(self.layers)}
        self._by_name = {one.name: one for one in reversed(self.layers)}
        self._places = {one.path: at for at, one in enumerate(self.layers)}

    def of(self, path: str) -> LayerConfig | None:
        """Return the configuration of the layer whose arrays are at a path.

        A .keras file numbers its layers in their paths. In the older .h5 files, a path has the names of the layers.
        """
        if not self.layers or not path.startswith("model_weights/"):
            return self._by_path.get(layer_path(path))
        # The name of a model, which may also be that of a layer, stands before the names of its layers.
        for part in reversed(parts := path.split("/")):
            for name in (part, *(f"{before}/{part}" for before in parts)):
                if name in self._by_name:
                    return self._by_name[name]
        return None

    def place(self, path: str) -> int:
        """Return the place of the layer whose arrays are at a path, after all others if it has none."""
        at = self.of(path)
        return self._places[at.path] if at else len(self.layers)


def layer_path(path: str) -> str:
    """Return the path of the layer that has a cell, in the form of `LayerConfig.path`."""
    return re.sub(r"/((forward|backward)_layer/)?cell$", "", path)


def layers_of_config(config: object) -> list[LayerConfig]:
    """Return the recurrent layers of a configuration, in its order.

    Keras counts the layers of each class, and puts the arrays of the second LSTM under ``layers/lstm_1``.
    """
    return _layers_of_model(config, "", 0, "")[0]


def _layers_of_model(config: object, path: str, depth: int, source: str) -> tuple[list[LayerConfig], str]:
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
    if depth > MOST_NESTED or not isinstance(layers, list):
        return [], ""
    if len(layers) > MOST_NAMES:
        raise ValueError(f"The configuration has {len(layers)} layers. Save a model of at most {MOST_NAMES}.")
    counts: dict[str, int] = {}
    found_here: list[LayerConfig] = []
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
            read = _input_names(layer.get("inbound_nodes"))
            last = handed.get(read[0], "") if len(read) == 1 else ""
        elif is_functional:
            last = source
        inside, handed_on = _layers_of_model(layer, f"{own}/", depth + 1, last)
        here = _of_layer(layer, own, last)
        if here and _has_several_inputs(layer.get("inbound_nodes")):
            here = [one._replace(has_state=True) for one in here]
        found_here += [*inside, *here]
        if here and layer["class_name"] != "TimeDistributed":
            # Keras hands on the outputs of a layer that starts at the end in that order, so no network goes on there.
            last = "" if here[-1].is_reverse else here[-1].path
        elif layer["class_name"] not in PASSING_LAYERS:
            last = handed_on
        handed[str(_options(layer).get("name", ""))] = last
    outputs = _input_names(inner.get("output_layers"))
    if is_functional:
        last = handed.get(outputs[0], "") if len(outputs) == 1 else ""
    return found_here, last


def _snake(name: str) -> str:
    """Return the name that Keras makes of a class for the paths of its arrays."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name[:MOST_OF_NAME]))
    return re.sub(r"\W+", "", words.lower())


def _options(layer: object) -> dict[str, Any]:
    """Return the options of a layer, a cell or a model, none if the file has none."""
    options = layer.get("config") if isinstance(layer, dict) else None
    return options if isinstance(options, dict) else {}


def _name(options: Mapping[str, Any], default: str) -> str:
    """Return the name in the options of a layer, cut off if it is too long to be one."""
    return str(options.get("name", default))[:MOST_OF_NAME]


def _input_names(nodes: object) -> list[str]:
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
    return isinstance(nodes, list) and any(len(_input_names([node])) > 1 for node in nodes)


def masks_steps(config: object) -> bool:
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


def _of_layer(layer: Mapping[str, Any], path: str, source: str) -> list[LayerConfig]:
    """Return what the configuration of one layer says, if it is recurrent: one record, or one for each of its stacked cells."""
    options = _options(layer)
    if layer["class_name"] == "Bidirectional":
        return _of_bidirectional(options, path, source)
    if layer["class_name"] == "TimeDistributed":  # what the layer reads are steps of another axis
        return _of_direction(_part(options, "layer"), f"{path}/layer", "")
    return _of_direction(layer, path, source)


def _of_bidirectional(options: Mapping[str, Any], path: str, source: str) -> list[LayerConfig]:
    """Return what the configuration of a Bidirectional layer says."""
    forward, backward = _part(options, "layer"), _part(options, "backward_layer")
    own = _name(_options(backward), f"backward_{_name(_options(forward), '')}")
    first = _of_direction(forward, path, source)
    # Keras 2 writes a backward layer only if it is not that of the forward layer.
    second = _of_direction(backward, path, source) if backward else first
    reason = ""
    if options.get("merge_mode", "concat") != "concat":
        reason = "merge"
    elif len(first) > 1:
        reason = "several cells"
    elif [(one.cell, one.g, one.reason) for one in first] != [(one.cell, one.g, one.reason) for one in second]:
        reason = "unlike directions"
    name = _name(options, path)
    return [
        one._replace(
            name="/".join([name, *one.name.split("/")[1:]]),
            is_reverse=False,
            reason=reason or one.reason,
            backward=own,
        )
        for one in first
    ]


def _part(options: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the configuration of a layer or a cell inside of a layer, empty if there is none."""
    return options[name] if isinstance(options.get(name), dict) else {}


def _of_direction(layer: Mapping[str, Any], path: str, source: str) -> list[LayerConfig]:
    """Return what the configuration of a layer of one direction says, if it is recurrent."""
    options = _options(layer)
    name, is_reverse = _name(options, path), bool(options.get("go_backwards"))
    if layer.get("class_name") != "RNN":
        return _of_cell(layer, path, name, is_reverse, source) if _kind(layer) in RECURRENT else []
    cell = _part(options, "cell")
    cells = _options(cell).get("cells")
    if cell.get("class_name") != "StackedRNNCells" or not isinstance(cells, list):
        return _of_cell(cell, path, name, is_reverse, source)
    counts: dict[str, int] = {}
    layers: list[LayerConfig] = []
    for one in cells:
        if not isinstance(one, dict):
            continue
        snake = _snake(str(one.get("class_name")))
        at = counts.setdefault(snake, 0)
        counts[snake] += 1
        own = f"{path}/cell/cells/{snake}{f'_{at}' if at else ''}"
        of_cell = f"{name}/{_name(_options(one), snake)}"
        layers += _of_cell(one, own, of_cell, is_reverse, layers[-1].path if layers else source)
    return layers


def _kind(layer: Mapping[str, Any]) -> str:
    """Return the class of a layer or of a cell, without the suffix Cell."""
    return str(layer.get("class_name")).removesuffix("Cell")


def _of_cell(cell: Mapping[str, Any], path: str, name: str, is_reverse: bool, source: str) -> list[LayerConfig]:
    """Return what the configuration of a recurrent layer or a cell says."""
    kind, options = _kind(cell), _options(cell)
    if kind not in RECURRENT:
        return [LayerConfig(path, name, "RNN", "tanh", is_reverse, "another cell", source)]
    own, reason = RECURRENT[kind], ""
    g, of_gates = options.get("activation", "tanh"), options.get("recurrent_activation", "sigmoid")
    if not isinstance(g, str) or g not in (ACTIVATIONS if chooses_activation(CELLS[own]) else ("tanh",)):
        g, reason = "tanh", "activation"
    if of_gates != "sigmoid":
        reason = reason or "activation"
    if options.get("quantization_config") or options.get("dtype") == "int8":
        reason = reason or "quantized"
    if own == "GRU" and not options.get("reset_after", True):
        own = RESET_BEFORE
    return [LayerConfig(path, name, own, g, is_reverse, reason, source)]
