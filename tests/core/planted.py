"""Ten faults that are planted into healthy networks, and what must be found."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.exchange.array_files import to_npz
from core.exchange.model_files import Network, read_network

K, M, T = 24, 6, 120
Weights = dict[str, np.ndarray]


def weights(cell: str, seed: int = 0, layers: int = 1) -> Weights:
    """The weights of torch.nn at its start: uniform between ±1/√k."""
    rng, blocks = np.random.default_rng(seed), {"RNN": 1, "LSTM": 4, "GRU": 3}[cell]
    made = {}
    for layer in range(layers):
        sizes = {"weight_ih": (blocks * K, K if layer else M), "weight_hh": (blocks * K, K)}
        sizes |= {name: (blocks * K,) for name in ("bias_ih", "bias_hh")}
        made |= {f"{name}_l{layer}": rng.uniform(-1, 1, size) / np.sqrt(K) for name, size in sizes.items()}
    return made


def keras_lstm(seed: int = 0) -> Weights:
    """The weights of keras.layers.LSTM at its start: orthogonal, with a forget bias of 1, in PyTorch's order."""
    rng, made = np.random.default_rng(seed), weights("LSTM", seed)
    made["weight_hh_l0"] = np.concatenate([np.linalg.qr(rng.normal(size=(K, K)))[0] for _ in range(4)])
    made["bias_ih_l0"], made["bias_hh_l0"] = np.repeat([0.0, 1, 0, 0], K), np.zeros(4 * K)
    return made


def inputs(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((T, M, 1))


def network(made: Weights) -> Network:
    return read_network("a.npz", to_npz(made))


class Fault(NamedTuple):
    """A fault.

    Attributes
    ----------
    name : str
    plant : callable
        Return the weights and the inputs.
    code : str
        What must be found.
    layer : int
    symbol : str
        Where, if there is one.
    units : tuple of int
        Which units or entries, if not all.
    """

    name: str
    plant: Callable[[int], tuple[Weights, np.ndarray]]
    code: str
    layer: int = 0
    symbol: str = ""
    units: tuple[int, ...] = ()


def _changed(change: Callable[[Weights], object], cell: str = "LSTM", layers: int = 1) -> Callable[[int], tuple]:
    def plant(seed: int) -> tuple[Weights, np.ndarray]:
        made = weights(cell, seed, layers)
        change(made)
        return made, inputs(seed)

    return plant


def _dead(made: Weights) -> None:
    made["bias_ih_l0"][4] = 20.0


def _forget(made: Weights) -> None:
    made["bias_ih_l0"][K : 2 * K] -= 6


def _times_four(made: Weights) -> None:
    made["weight_hh_l0"] *= 4


def _exchanged(seed: int) -> tuple[Weights, np.ndarray]:
    made = keras_lstm(seed)
    # In the order of ONNX: i, o, f, c.
    return {name: np.concatenate([np.split(w, 4)[at] for at in (0, 3, 1, 2)]) for name, w in made.items()}, inputs(seed)


def _large(made: Weights) -> None:
    made["weight_ih_l0"][3] *= 1e5


def _constant(seed: int) -> tuple[Weights, np.ndarray]:
    xs = inputs(seed)
    xs[:, 2] = 0.7
    return weights("GRU", seed), xs


def _exploding(made: Weights) -> None:
    made["weight_hh_l0"][0] = 0
    made["weight_hh_l0"][0, 0] = 1.5
    made["weight_ih_l0"][0] *= 1e-9
    made["bias_ih_l0"][0] = made["bias_hh_l0"][0] = 0


def _open(made: Weights) -> None:
    made["bias_ih_l0"][3 * K :] += 20


def _zeroed(made: Weights) -> None:
    for name in made:
        if name.endswith("l1"):
            made[name] *= 0


def _twice(made: Weights) -> None:
    for at in range(3):
        for name in made:
            made[name][at * K + 7] = made[name][at * K + 2]
    made["weight_hh_l0"][:, 7] = made["weight_hh_l0"][:, 2]


FAULTS = (
    Fault("a dead unit", _changed(_dead, "RNN"), "dead units", symbol="h_t", units=(5,)),
    Fault("a forget bias of −6", _changed(_forget), "forget bias low", symbol="b_f"),
    Fault("W_hh times 4", _changed(_times_four), "large recurrence"),
    Fault("exchanged gates", _exchanged, "exchanged gates", symbol="b_c"),
    Fault("an overflow in float16", _changed(_large, "GRU"), "float16"),
    Fault("a constant input", _constant, "constant input", symbol="x_t", units=(3,)),
    Fault("an exploding direction", _changed(_exploding, "RNN"), "exploding"),
    Fault("an output gate with a bias of 20", _changed(_open), "gate stuck open", symbol="o_t"),
    Fault("a zeroed layer", _changed(_zeroed, layers=2), "zeroed layer", layer=1),
    Fault("a unit copied twice", _changed(_twice, "GRU"), "copied units", symbol="h_t", units=(3, 8)),
)
HEALTHY: dict[str, Callable[[int], tuple[Weights, np.ndarray]]] = {
    "RNN of PyTorch": lambda seed: (weights("RNN", seed), inputs(seed)),
    "LSTM of PyTorch, two layers": lambda seed: (weights("LSTM", seed, 2), inputs(seed)),
    "GRU of PyTorch": lambda seed: (weights("GRU", seed), inputs(seed)),
    "LSTM of Keras": lambda seed: (keras_lstm(seed), inputs(seed)),
    "GRU with an orthogonal W_hh": lambda seed: (
        weights("GRU", seed)
        | {
            "weight_hh_l0": np.concatenate(
                [np.linalg.qr(np.random.default_rng(seed + at).normal(size=(K, K)))[0] for at in range(3)]
            )
        },
        inputs(seed),
    ),
}
