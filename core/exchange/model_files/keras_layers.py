"""The recurrent layers of a Keras file, by the paths of its arrays and, if it has one, its configuration."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from core.arrays import Array
from core.cells import CELLS
from core.exchange.model_files.contents import (
    BLOCKS,
    RESET_BEFORE,
    Budget,
    FileArray,
    FoundDirection,
    FoundLayer,
    LeftOut,
    ModelContents,
    NamesInside,
    Network,
    Refused,
    expect_layers,
    expect_matrices,
    expect_networks,
    expect_sizes,
    networks_by_sizes,
    networks_by_source,
)
from core.exchange.model_files.keras_config import LayerConfig, ModelConfig, layer_path, masks_steps
from core.exchange.weight_layouts import arrays_from_blocks

KINDS = ("kernel", "recurrent_kernel", "bias")
# The first is Keras 3's numbering in .weights.h5, the second the names of older files and of an .npz.
NUMBERED = re.compile(r"(?P<path>(?:.*/)?cell(?:/cells/[^/]+)?)/vars/(?P<kind>[0-2])")
NAMED = re.compile(r"(?P<path>(?:.*/)?)(?P<kind>recurrent_kernel|kernel|bias)(?::0)?")
DIRECTION = re.compile(r"(?P<start>.*/|)(?P<end>forward|backward)_[^/]*(?P<rest>.*)")
# An array of a cell itself, whose number is not that of a weight of Keras.
OWN = re.compile(r"vars/\d+")
CHANGES = {
    "layer normalization": re.compile(r"norm", re.IGNORECASE),
    "peepholes": re.compile("peephole", re.IGNORECASE),
}


def has_names(names: Mapping[str, FileArray]) -> bool:
    """Whether a file has the recurrent weights of a Keras layer."""
    return any(path_and_kind(name)[1] == "recurrent_kernel" for name in names)


def path_and_kind(name: str) -> tuple[str, str]:
    """Return the layer's path of an array, and its kind; an empty kind for an array of another layer."""
    if match := NUMBERED.fullmatch(name):
        return match["path"], KINDS[int(match["kind"])]
    if match := NAMED.fullmatch(name):
        return match["path"].rstrip("/"), match["kind"]
    return name, ""


def read(tensors: Mapping[str, FileArray], config: object = None) -> ModelContents:
    """Return the recurrent layers of a Keras file.

    Parameters
    ----------
    tensors : mapping from str to FileArray
        By path.
    config : object, optional
        The configuration of the model, read as JSON. Nothing in it is run.
    """
    groups: dict[str, dict[str, FileArray]] = {}
    for name, tensor in tensors.items():
        path, kind = path_and_kind(name)
        groups.setdefault(path, {})[kind or name] = tensor
    recurrent = {path: kinds for path, kinds in groups.items() if "recurrent_kernel" in kinds}
    expect_layers(len(recurrent))
    known, budget, within = ModelConfig(config), Budget(), NamesInside(groups)
    found: list[tuple[FoundLayer, LayerConfig | None]] = []
    left_out: list[LeftOut] = []
    for paths in _in_order(_directions(recurrent, known), known):
        first, _ = paths[0]
        layer_config = known.of(first)
        name = layer_config.name if layer_config else _name(first)
        try:
            if layer_config and layer_config.reason:
                raise Refused(layer_config.reason)
            if len(paths) > 2:
                raise Refused("several cells")
            _expect_plain(within.of(f"{first}/"))
            found.append((_layer(name, paths, recurrent, budget, layer_config), layer_config))
        except Refused as why:
            left_out.insert(0, LeftOut(name, str(why)))
    left_out += [
        LeftOut(f"initial_state of {layer.name}", "initial state") for layer, one in found if one and one.has_state
    ]
    left_out += [LeftOut(path, "not recurrent") for path in groups if path not in recurrent]
    layers = [layer for layer, _ in found]
    networks = _networks(found) if known.layers else networks_by_sizes(layers)
    assumed = _assumed(found) | ({"masking"} if masks_steps(config) else set())
    if not known.layers and len(networks) < len(layers):
        assumed.add("order of layers")
    return expect_networks(networks, left_out, sorted(assumed))


def _layer(
    name: str,
    paths: Sequence[tuple[str, bool]],
    recurrent: Mapping[str, Mapping[str, FileArray]],
    budget: Budget,
    config: LayerConfig | None,
) -> FoundLayer:
    directions, cells = [], []
    for path, is_reverse in paths:
        cell, arrays = _arrays(recurrent[path], budget, config)
        is_last_first = is_reverse or bool(config and config.is_reverse)
        directions.append(FoundDirection(arrays, is_last_first, "bias" in recurrent[path]))
        cells.append((cell, recurrent[path]["kernel"].shape))
    if len(set(cells)) > 1:
        raise Refused("unlike directions")
    return FoundLayer(name, cells[0][0], directions, config.g if config else "tanh")


def _assumed(found: Sequence[tuple[FoundLayer, LayerConfig | None]]) -> set[str]:
    """Return what the layers do not say of themselves."""
    assumed = set()
    for layer, config in found:
        if not config:
            assumed.add("activations")
        if "GRU" in layer.cell and not config and not layer.directions[0].has_bias:
            assumed.add("reset after")
        if config and config.has_state:
            assumed.add("initial state")
    return assumed


def _name(path: str) -> str:
    """Return the name of a layer without a configuration."""
    parts = layer_path(path).split("/")
    return parts[-2] if len(parts) > 1 and parts[-1].endswith("cell") and "cells" not in parts else parts[-1]


def _expect_plain(inside: Sequence[str]) -> None:
    """Raise Refused if something inside of a layer changes what its weights mean."""
    if any(OWN.fullmatch(name) for name in inside):
        raise Refused("another cell")
    for reason, pattern in CHANGES.items():
        if any(pattern.search(name) for name in inside):
            raise Refused(reason)


def _networks(found: Sequence[tuple[FoundLayer, LayerConfig | None]]) -> list[Network]:
    """Return the networks: a layer stands on the one that it reads."""
    return networks_by_source(
        (layer, layer_config.source, [layer_config.path]) if layer_config else (layer, "", [])
        for layer, layer_config in found
    )


def _directions(recurrent: Mapping[str, object], known: ModelConfig) -> list[list[tuple[str, bool]]]:
    """Return the paths of each layer: one, or the forward one before the backward one."""
    layers: dict[str, list[tuple[str, bool]]] = {}
    for path in recurrent:
        if layer_config := known.of(path):
            # With a configuration, no name of a layer is mistaken for that of a direction.
            is_backward = bool(layer_config.backward) and bool(
                {layer_config.backward, "backward_layer"} & set(path.split("/"))
            )
            layers.setdefault(layer_config.path, []).append((path, is_backward))
            continue
        match = DIRECTION.fullmatch(path)
        key = match["start"] + "*" if match else path
        layers.setdefault(key, []).append((path, bool(match and match["end"] == "backward")))
    return [sorted(paths, key=lambda one: one[1]) for paths in layers.values()]


def _in_order(layers: list[list[tuple[str, bool]]], known: ModelConfig) -> list[list[tuple[str, bool]]]:
    """Return layers in the order of the configuration, or else by the places of their names in the file and by their numbers."""
    # An .npz has the names in the order of the model, and HDF5 in that of the alphabet.
    places: dict[str, int] = {}

    def place(layer: list[tuple[str, bool]]) -> tuple[int, int, int]:
        match = re.fullmatch(r"(.*?)_?(\d{0,6})", layer_path(layer[0][0]))
        assert match
        return known.place(layer[0][0]), places.setdefault(match[1], len(places)), int(match[2] or 0)

    return sorted(layers, key=place)


def _arrays(kinds: Mapping[str, FileArray], budget: Budget, config: LayerConfig | None) -> tuple[str, dict[str, Array]]:
    if not {"kernel", "recurrent_kernel"} <= kinds.keys():
        raise Refused("incomplete")
    W_x, W_h, b = kinds["kernel"], kinds["recurrent_kernel"], kinds.get("bias")
    expect_matrices(W_x, W_h)
    if W_x.shape[1] != W_h.shape[1]:
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
    arrays = arrays_from_blocks(name, budget.take(W_x).T, budget.take(W_h).T, biases[0], biases[1], layout.keras_order)
    return RESET_BEFORE if name == "GRU" and before else name, arrays
