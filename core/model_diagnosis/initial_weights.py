"""Whether the weights of a layer are still those before the training, as PyTorch and Keras sample them.

References
----------
PyTorch, torch.nn.LSTM: uniform between ±1/√k. Keras, keras.layers.LSTM: orthogonal recurrent weights and, after Glorot and
Bengio, uniform input weights.
"""

from collections.abc import Sequence

import numpy as np

from core.arrays import Array
from core.exchange.model_files.contents import CELLS_OF_FILES, FoundDirection, FoundLayer, Network
from core.model_diagnosis.direction_run import DirectionRun

# Which weights are untrained: all, or only the recurrent ones.
ALL, RECURRENT = "all", "recurrent"
# Fewer weights can be in the range of their start by chance. They may be rounded, as in float16.
FEWEST_WEIGHTS, ROUNDING = 100, 1e-3
# The largest distance of a sorted weight, for a range of ±1, from its place in a uniform distribution, times the root of their number.
DISTANCE_OF_UNIFORM = 4.0


def start_of(run: DirectionRun) -> str | None:
    """Return ALL, RECURRENT or an empty text for a trained layer; None if its weights are too few to say."""
    return _start(run.recurrent_weights, run.input_weights)


def untrained_networks(networks: Sequence[Network]) -> list[int]:
    """Return the indices of the networks whose layers are all untrained, if layers of another network are trained.

    If no network is trained, the file may be from before the training.
    """
    if len(networks) < 2:
        return []
    starts = [
        [
            start
            for layer in network.layers
            for one in layer.directions
            if (start := _start_in_file(layer, one)) is not None
        ]
        for network in networks
    ]
    untrained = [at for at, of_layers in enumerate(starts) if of_layers and set(of_layers) == {ALL}]
    return untrained if any(start != ALL for of_layers in starts for start in of_layers) else []


def _start_in_file(layer: FoundLayer, direction: FoundDirection) -> str | None:
    specs = CELLS_OF_FILES[layer.cell].ARRAYS
    of_axes: dict[str, list[Array]] = {"kn": [], "km": []}
    for name, array in direction.arrays.items():
        if specs[name].axes in of_axes:
            of_axes[specs[name].axes].append(array)
    return _start(*map(np.concatenate, of_axes.values()))


def _start(W_h: Array, W_x: Array) -> str | None:
    """Return the start of a layer from the recurrent weights and the input weights of all blocks."""
    if W_h.size + W_x.size < FEWEST_WEIGHTS:
        return None
    bound = W_h.shape[1] ** -0.5
    if is_uniform(np.concatenate([W_h.ravel(), W_x.ravel()]), bound):
        return ALL
    # Keras samples an orthogonal array of shape (k, blocks k), which is W_h transposed.
    is_of_keras = is_orthogonal(W_h)
    if is_of_keras and is_uniform(W_x, float(np.sqrt(6 / sum(W_x.shape)))):
        return ALL
    return RECURRENT if W_h.size >= FEWEST_WEIGHTS and (is_of_keras or is_uniform(W_h, bound)) else ""


def is_orthogonal(W: Array) -> bool:
    """Whether the columns of a matrix are orthonormal, which training does not keep."""
    return bool(np.abs(W.T @ W - np.eye(W.shape[1])).max() < ROUNDING)


def is_uniform(weights: Array, bound: float) -> bool:
    """Whether weights are uniform between plus and minus a bound.

    The test is that of Kolmogorov and Smirnov.
    """
    # Before they are sorted, because most trained weights leave the bound.
    if max(weights.max(), -weights.min()) > bound * (1 + ROUNDING):
        return False
    scaled = np.sort(weights.ravel()) / bound
    expected = (2 * np.arange(len(scaled)) + 1) / len(scaled) - 1
    return bool(np.abs(scaled - expected).max() < DISTANCE_OF_UNIFORM / np.sqrt(len(scaled)))
