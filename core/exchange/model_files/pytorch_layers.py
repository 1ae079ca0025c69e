"""The recurrent layers of a state_dict, by the names that PyTorch gives them."""

import re
from collections.abc import Iterator, Mapping

import numpy as np

from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.exchange.model_files.contents import (
    BLOCKS,
    MOST_LAYERS,
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
    has_nonzero,
    networks_in_order,
)
from core.exchange.weight_layouts import arrays_from_blocks

NAME = re.compile(
    r"(?P<prefix>(?:.*\.)?)(?P<kind>weight_ih|weight_hh|weight_hr|bias_ih|bias_hh)(?:_l(?P<layer>\d{1,3})(?P<end>_reverse)?)?"
)
# The recurrent weights of a layer that keeps them as factors: of a weight_norm, another parametrization, or pruning.
FACTOR = re.compile(
    r"(?P<prefix>(?:.*\.)?)(?:parametrizations\.weight_hh(?:_l\d{1,3}(?:_reverse)?)?\..*|weight_hh(?:_l\d{1,3}(?:_reverse)?)?_(?:v|orig))"
)
# An optimizer keeps arrays of the shapes and names of the weights.
OPTIMIZER = re.compile(
    r"(?:^|[._])(?:optim|optimizers?|optimizer_states?|(?:max_)?exp_avg(?:_sq)?|momentum_buffer)[._]"
)
# A trained start of the state, which its module hands to the layer.
INITIAL_STATE = re.compile(
    r"(?:^|[._])(?:[hc]_?0|init(?:ial)?_(?:[hc][0x]?|hidden|cell|states?)(?:_(?:[hc]|\d|states?))?|(?:hidden|cell|state)_init)$"
)
# Names beside a layer's own, in the same module, that change what its weights mean.
CHANGES = {
    "projection": re.compile(r"weight_hr"),
    "layer normalization": re.compile(r"(^|[._])(ln|layer_?norm\w*|norm\w*)([._\d]|$)", re.IGNORECASE),
    "peepholes": re.compile(r"peep|weight_c[ifoh]?([._]|$)|^w_c[ifo]$", re.IGNORECASE),
    "factors": re.compile(r"^parametrizations\.|^weight_[ih]h(_l\d+(_reverse)?)?_(g|v|orig|mask)$"),
    "quantized": re.compile(r"_packed_params|zero_point|(^|[._])scales?$|qweight"),
}

# Codes of what the names do not say. The weights of a GRU show the order of some trained networks only, so the page always says what
# it assumes. The forget bias shows that of an LSTM.
ASSUMED = {"GRU": "gate order"}


# A weight-dropped layer (AWD-LSTM) keeps its weights under a name with this end.
RAW = "_raw"


def has_names(names: Mapping[str, FileArray]) -> bool:
    """Whether a file has a name of a recurrent layer of PyTorch."""
    return any(NAME.fullmatch(name) or FACTOR.fullmatch(name) for name in names)


def read(tensors: Mapping[str, FileArray]) -> ModelContents:
    """Return the recurrent layers of a state_dict.

    The names do not say the activation of an RNN, so it has tanh: see `with_activation`.
    """
    tensors = _with_raw_weights(tensors)
    groups: dict[str, dict[tuple[int, bool], dict[str, FileArray]]] = {}
    others: list[str] = []
    for name, tensor in tensors.items():
        match = None if OPTIMIZER.search(name) else NAME.fullmatch(name)
        if match:
            place = (int(match["layer"] or 0), bool(match["end"]))
            groups.setdefault(match["prefix"], {}).setdefault(place, {})[match["kind"]] = tensor
        else:
            others.append(name)
            if (match := FACTOR.fullmatch(name)) and not OPTIMIZER.search(name):
                # A layer without another array is still named.
                groups.setdefault(match["prefix"], {})
    expect_layers(sum(map(len, groups.values())))
    refused: list[LeftOut] = []
    budget, within, networks = Budget(), NamesInside(others), []
    for prefix, places in groups.items():
        name = prefix.rstrip(".")
        try:
            _expect_plain(prefix, within.of(prefix), places)
            networks.append(Network(name, list(_layers(name, places, budget))))
        except Refused as reason:
            refused.insert(0, LeftOut(name, str(reason)))
    sizes = {(layer.k,) for network in networks for layer in network.layers}
    states = {name for name in others if _is_initial_state(name) and tensors[name].shape[-1:] in sizes}
    left_out = [LeftOut(name, "initial state" if name in states else "not recurrent") for name in others]
    assumed = ["initial state"] if any(has_nonzero(tensors[name]) for name in states) else []
    for network in networks:
        assumed += _assumed(network.layers[0].cell)
    together = _numbered(networks)
    assumed += ["order of layers"] if len(together) < len(networks) else []
    return expect_networks(together, refused + left_out, assumed)


def _with_raw_weights(tensors: Mapping[str, FileArray]) -> dict[str, FileArray]:
    """Return the arrays with the weights of weight-dropped layers under the names of their layers.

    `rnns.0.weight_hh_l0_raw` stands beside `rnns.0.weight_ih_l0` or beside `rnns.0.module.weight_ih_l0`. It takes the place of a copy in
    the layer, which may have been saved in training, with some weights dropped.
    """
    found = dict(tensors)
    modules = {name.rpartition(".weight_")[0] for name in tensors}
    for name in tensors:
        match = NAME.fullmatch(name.removesuffix(RAW)) if name.endswith(RAW) and not OPTIMIZER.search(name) else None
        if match:
            prefix, own = match["prefix"], match[0].removeprefix(match["prefix"])
            is_around = f"{prefix}module" in modules
            found[f"{prefix}module.{own}" if is_around else match[0]] = found.pop(name)
    return found


def _is_initial_state(name: str) -> bool:
    return bool(INITIAL_STATE.search(name)) and not OPTIMIZER.search(name)


def _assumed(cell: str) -> list[str]:
    """Return the codes of what the names of a cell do not say."""
    activation = ["tanh"] if chooses_activation(CELLS[cell]) else []
    return [*activation, ASSUMED[cell]] if cell in ASSUMED else activation


def _numbered(networks: list[Network]) -> list[Network]:
    """Return the networks, with those of numbered names that read each other as one, such as the cells of a ModuleList.

    They stay apart if all have as many inputs, because they may then read the same one.
    """
    groups: dict[str, list[Network]] = {}
    for network in networks:
        groups.setdefault(re.sub(r"\d+", "#", network.name), []).append(network)
    together: list[Network] = []
    for alike in groups.values():
        # By the numbers in their names, which may be too long for int.
        numbers = {network.name: [one.lstrip("0") for one in re.findall(r"\d+", network.name)] for network in alike}
        alike = sorted(alike, key=lambda network: [(len(one), one) for one in numbers[network.name]])
        layers = [layer for network in alike for layer in network.layers]
        is_chain = len(networks_in_order(layers)) == 1 and len({network.layers[0].m for network in alike}) > 1
        together += [Network(alike[0].name, layers)] if is_chain and len(layers) <= MOST_LAYERS else alike
    return together


def _expect_plain(prefix: str, inside: list[str], places: Mapping[tuple[int, bool], Mapping[str, FileArray]]) -> None:
    """Raise Refused if something in the module of a layer changes what its weights mean."""
    if any("weight_hr" in kinds for kinds in places.values()):
        raise Refused("projection")
    # Without a prefix, only arrays without one are of the same module.
    inside = [name for name in inside if prefix or "." not in name or name.startswith("parametrizations.")]
    for reason, pattern in CHANGES.items():
        if any(pattern.search(name) for name in inside):
            raise Refused(reason)


def _layers(
    name: str, places: Mapping[tuple[int, bool], Mapping[str, FileArray]], budget: Budget
) -> Iterator[FoundLayer]:
    both = any(is_reverse for _, is_reverse in places)
    count = 1 + max(layer for layer, _ in places)
    if count > MOST_LAYERS or len(places) != count * (2 if both else 1):
        raise Refused("incomplete")
    rows = None
    for at in range(count):
        directions, cell = [], ""
        for is_reverse in (False, True) if both else (False,):
            kinds = places.get((at, is_reverse), {})
            cell, arrays = _direction(kinds, budget, rows)
            directions.append(FoundDirection(arrays, is_reverse, has_bias="bias_ih" in kinds or "bias_hh" in kinds))
        layer = FoundLayer(f"{name} l{at}".strip() if count > 1 else name, cell, directions)
        if len({len(next(iter(one.arrays.values()))) for one in directions}) > 1:
            raise Refused("sizes")
        rows = layer.rows
        yield layer


def _direction(kinds: Mapping[str, FileArray], budget: Budget, m: int | None) -> tuple[str, dict[str, np.ndarray]]:
    if not {"weight_ih", "weight_hh"} <= kinds.keys():
        raise Refused("incomplete")
    W_ih, W_hh = kinds["weight_ih"], kinds["weight_hh"]
    expect_matrices(W_ih, W_hh)
    if W_ih.shape[0] != W_hh.shape[0]:
        raise Refused("sizes")
    rows, k = W_hh.shape
    cell = BLOCKS[expect_sizes(rows, k, W_ih.shape[1])]
    biases = [kinds.get(name) for name in ("bias_ih", "bias_hh")]
    if (m is not None and W_ih.shape[1] != m) or any(one is not None and one.shape != (rows,) for one in biases):
        raise Refused("sizes")
    b_ih, b_hh = (np.zeros(rows) if one is None else budget.take(one) for one in biases)
    return cell, arrays_from_blocks(cell, budget.take(W_ih), budget.take(W_hh), b_ih, b_hh)
