"""Ten faults that are planted into healthy networks of any size, and what must be found."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.exchange.array_files import to_npz
from core.exchange.model_files import ModelContents, read_model

K, M, T = 24, 6, 120
Weights = dict[str, np.ndarray]
BLOCKS = {"RNN": 1, "LSTM": 4, "GRU": 3}
# The places of the blocks in the order of PyTorch.
INPUT, FORGET, CANDIDATE, OUTPUT = range(4)
RESET, UPDATE, NEW = range(3)


def weights(cell: str, seed: int = 0, layers: int = 1, *, ways: int = 1, k: int = K, m: int = M) -> Weights:
    """The weights of torch.nn at its start: uniform between ±1/√k."""
    rng, made = np.random.default_rng(seed), {}
    for layer in range(layers):
        for way in ("", "_reverse")[:ways]:
            rows = BLOCKS[cell] * k
            sizes = {"weight_ih": (rows, k * ways if layer else m), "weight_hh": (rows, k)}
            sizes |= {name: (rows,) for name in ("bias_ih", "bias_hh")}
            made |= {f"{name}_l{layer}{way}": rng.uniform(-1, 1, size) / np.sqrt(k) for name, size in sizes.items()}
    return made


def keras(cell: str, seed: int = 0, k: int = K, m: int = M) -> Weights:
    """The weights of keras.layers at its start: orthogonal and Glorot, with a forget bias of 1, in PyTorch's order."""
    rng, blocks = np.random.default_rng(seed), BLOCKS[cell]
    made = weights(cell, seed, k=k, m=m)
    made["weight_hh_l0"] = np.concatenate([np.linalg.qr(rng.normal(size=(k, k)))[0] for _ in range(blocks)])
    made["weight_ih_l0"] = rng.uniform(-1, 1, (blocks * k, m)) * np.sqrt(6 / (m + blocks * k))
    made["bias_ih_l0"], made["bias_hh_l0"] = np.zeros(blocks * k), np.zeros(blocks * k)
    if cell == "LSTM":
        made["bias_ih_l0"][k : 2 * k] = 1
    return made


def inputs(seed: int = 0, m: int = M) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((T, m, 1))


def contents_of(made: Weights) -> ModelContents:
    return read_model("a.npz", to_npz(made))


class Plant(NamedTuple):
    """A network with a fault, its input, and where the fault is.

    Attributes
    ----------
    weights : dict from str to ndarray
    xs : ndarray of shape (T, m, 1)
    layer, direction : int
    symbol : str
        Where, if there is one.
    units : tuple of int
        Which units or entries, if not all.
    """

    weights: Weights
    xs: np.ndarray
    layer: int = 0
    direction: int = 0
    symbol: str = ""
    units: tuple[int, ...] = ()


class Fault(NamedTuple):
    """A fault.

    Attributes
    ----------
    name, code : str
        What must be found.
    cells : tuple of str
        Those in which it makes sense.
    plant : callable
        Return the network, from the cell, the seed and k.
    """

    name: str
    code: str
    cells: tuple[str, ...]
    plant: Callable[[str, int, int], Plant]


ALL, GATED = ("RNN", "LSTM", "GRU"), ("LSTM", "GRU")


def _biases(made: Weights, k: int, block: int, value: float) -> None:
    made["bias_ih_l0"][block * k : (block + 1) * k] += value


def _dead(cell: str, seed: int, k: int) -> Plant:
    made, unit = weights(cell, seed, k=k), seed % k
    candidate = {"RNN": 0, "LSTM": CANDIDATE, "GRU": NEW}[cell]
    made["bias_ih_l0"][candidate * k + unit] = 20.0
    symbol = {"RNN": "h_t", "LSTM": "c_tilde", "GRU": "h_tilde"}[cell]
    return Plant(made, inputs(seed), symbol=symbol, units=(unit + 1,))


def _silent(cell: str, seed: int, k: int) -> Plant:
    """A unit whose output gate is always closed."""
    made, unit = weights(cell, seed, k=k), (seed + 1) % k
    made["bias_ih_l0"][OUTPUT * k + unit] = -20.0
    return Plant(made, inputs(seed), units=(unit + 1,))


def _forget(cell: str, seed: int, k: int) -> Plant:
    made = weights(cell, seed, k=k)
    _biases(made, k, FORGET, -6)
    return Plant(made, inputs(seed), symbol="b_f")


def _times_four(cell: str, seed: int, k: int) -> Plant:
    made = (keras if seed % 2 else weights)(cell, seed, k=k)
    made["weight_hh_l0"] = 4 * made["weight_hh_l0"]
    return Plant(made, inputs(seed))


def _swapped(cell: str, seed: int, k: int) -> Plant:
    # The orders of ONNX, and with each other gate in the place of the forget gate.
    order = ((0, 3, 1, 2), (1, 0, 2, 3), (0, 3, 2, 1))[seed % 3]
    made = {name: np.concatenate([np.split(w, 4)[at] for at in order]) for name, w in keras(cell, seed, k).items()}
    return Plant(made, inputs(seed), symbol=f"b_{'ifco'[order.index(FORGET)]}")


def _large(cell: str, seed: int, k: int) -> Plant:
    made, row = weights(cell, seed, k=k), (3 + seed) % k
    made["weight_ih_l0"][row] *= 1e6
    return Plant(made, inputs(seed))


def _constant(cell: str, seed: int, k: int) -> Plant:
    xs, entry = inputs(seed), seed % M
    xs[:, entry] = 0.7
    return Plant(weights(cell, seed, k=k), xs, symbol="x_t", units=(entry + 1,))


def _exploding(cell: str, seed: int, k: int) -> Plant:
    made, unit = weights(cell, seed, k=k), seed % k
    candidate = {"RNN": 0, "LSTM": CANDIDATE, "GRU": NEW}[cell] * k + unit
    made["weight_hh_l0"][candidate] = 0
    made["weight_hh_l0"][candidate, unit] = {"RNN": 1.5, "LSTM": 6.0, "GRU": 6.0}[cell]
    made["weight_ih_l0"][candidate] *= 1e-12
    made["bias_ih_l0"][candidate] = made["bias_hh_l0"][candidate] = 0
    return Plant(made, inputs(seed), units=(unit + 1,))


def _open(cell: str, seed: int, k: int) -> Plant:
    made = weights(cell, seed, k=k)
    gate = seed % 3
    block = {"LSTM": (OUTPUT, INPUT, FORGET), "GRU": (UPDATE, RESET, UPDATE)}[cell][gate]
    _biases(made, k, block, 20)
    symbol = {"LSTM": ("o_t", "i_t", "f_t"), "GRU": ("u_t", "r_t", "u_t")}[cell][gate]
    return Plant(made, inputs(seed), symbol=symbol)


def _zeroed(cell: str, seed: int, k: int) -> Plant:
    layer, way = seed % 2, seed % 3 % 2
    made = weights(cell, seed, 2, ways=2, k=k)
    for name in made:
        if name.startswith("weight") and name.endswith(f"l{layer}" + ("_reverse" if way else "")):
            made[name] *= 0
    return Plant(made, inputs(seed), layer=layer, direction=way)


def _twice(cell: str, seed: int, k: int) -> Plant:
    made, first, second = weights(cell, seed, 2, ways=2, k=k), seed % k, (seed + k // 2) % k
    end = "_l1_reverse"
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        for at in range(BLOCKS[cell]):
            made[name + end][at * k + second] = made[name + end][at * k + first]
    units = tuple(sorted((first + 1, second + 1)))
    return Plant(made, inputs(seed), layer=1, direction=1, symbol="h_t", units=units)


FAULTS = (
    Fault("a dead unit", "dead units", ALL, _dead),
    Fault("an output gate that is closed", "dead units", ("LSTM",), _silent),
    Fault("a forget bias of −6", "forget bias low", ("LSTM",), _forget),
    Fault("W_hh times 4", "large recurrence", ALL, _times_four),
    Fault("swapped gates", "swapped gates", ("LSTM",), _swapped),
    Fault("an overflow in float16", "float16", ALL, _large),
    Fault("a constant input", "constant input", ALL, _constant),
    Fault("an exploding direction", "exploding", ALL, _exploding),
    Fault("a gate with a bias of 20", "gate stuck open", GATED, _open),
    Fault("a zeroed layer", "zeroed layer", ALL, _zeroed),
    Fault("a unit copied twice", "copied units", ALL, _twice),
)
HEALTHY: dict[str, Callable[[int, int], tuple[Weights, np.ndarray]]] = {
    "RNN of PyTorch": lambda seed, k: (weights("RNN", seed, k=k), inputs(seed)),
    "LSTM of PyTorch, two layers, both ways": lambda seed, k: (weights("LSTM", seed, 2, ways=2, k=k), inputs(seed)),
    "GRU of PyTorch, two layers": lambda seed, k: (weights("GRU", seed, 2, k=k), inputs(seed)),
    "LSTM of Keras": lambda seed, k: (keras("LSTM", seed, k), inputs(seed)),
    "GRU of Keras": lambda seed, k: (keras("GRU", seed, k), inputs(seed)),
    "RNN of Keras": lambda seed, k: (keras("RNN", seed, k), inputs(seed)),
}
