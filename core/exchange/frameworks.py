"""The weights of a cell as PyTorch and Keras keep them, and back: other layouts, other orders of the gates.

PyTorch keeps (g k, m) and (g k, k) for the input and the hidden state, with a bias for each; its gates are i, f, g, o
in an LSTM and r, z, n in a GRU. Keras keeps the transposes and one bias; its gates are i, f, c, o and z, r, h.

References
----------
PyTorch, torch.nn.LSTM and torch.nn.GRU; Keras, keras.layers.LSTM and keras.layers.GRU (reset_after=True).
"""

from collections.abc import Mapping

import numpy as np

from core.arrays import Array, expect_shape

# The blocks of rows in the order of PyTorch: our arrays for h, for x, and the bias of each; 0 where there is none.
BLOCKS = {
    "RNN": [("W_hh", "W_hx", "b_h", None)],
    "LSTM": [(f"W_{gate}h", f"W_{gate}x", f"b_{gate}", None) for gate in "ifco"],
    "GRU": [("W_rh", "W_rx", "b_r", None), ("W_uh", "W_ux", "b_u", None), ("W_hh", "W_hx", "b_hx", "b_hh")],
}
# Where Keras has another order: by the places in PyTorch's.
KERAS_ORDER = {"RNN": [0], "LSTM": [0, 1, 2, 3], "GRU": [1, 0, 2]}
PYTORCH = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")


def to_pytorch(cell: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The parameters of torch.nn.RNN, LSTM or GRU with one layer.

    Parameters
    ----------
    cell : {"RNN", "LSTM", "GRU"}
    arrays : mapping from str to ndarray
        The cell's arrays by their names in `Scenario.shapes`, with k = n.

    Returns
    -------
    dict from str to ndarray
        weight_ih_l0 (g k, m), weight_hh_l0 (g k, k), bias_ih_l0 and bias_hh_l0 (g k,).
    """
    blocks = BLOCKS[cell]
    zero = np.zeros_like(arrays[blocks[0][2]])
    columns = {
        "weight_ih_l0": [arrays[x] for _, x, _, _ in blocks],
        "weight_hh_l0": [arrays[h] for h, _, _, _ in blocks],
        "bias_ih_l0": [arrays[b][:, 0] for _, _, b, _ in blocks],
        "bias_hh_l0": [(zero if b is None else arrays[b])[:, 0] for _, _, _, b in blocks],
    }
    return {name: np.concatenate(parts).astype(np.float64) for name, parts in columns.items()}


def from_pytorch(parameters: Mapping[str, Array]) -> tuple[str, dict[str, Array]]:
    """What `to_pytorch` makes, back to our arrays; a bias that is missing is 0, and two become one where only their sum counts.

    Parameters
    ----------
    parameters : mapping from str to ndarray
        Of one layer, by names that end in those of PYTORCH.

    Returns
    -------
    cell : {"RNN", "LSTM", "GRU"}
    arrays : dict from str to ndarray

    Raises
    ------
    ValueError
        If the shapes are of none of the three.
    """
    ours = [(full.split(".")[-1], array) for full, array in parameters.items() if full.split(".")[-1] in PYTORCH]
    of = dict(ours)
    if len(of) != len(ours) or not {*PYTORCH[:2]} <= {*of}:
        raise ValueError(
            f"The parameters must be those of one layer in one direction: {', '.join(PYTORCH)}, each once."
        )
    W_ih, W_hh = of["weight_ih_l0"], of["weight_hh_l0"]
    expect_shape("weight_hh_l0", W_hh, "(g·k, k)", ("g·k", "k"))
    rows, k = W_hh.shape
    cell = {k: "RNN", 3 * k: "GRU", 4 * k: "LSTM"}.get(rows)
    if cell is None:
        raise ValueError(
            f"weight_hh_l0 must have k, 3·k or 4·k = {k}, {3 * k} or {4 * k} rows, got {rows}: take one layer without proj_size."
        )
    expect_shape("weight_ih_l0", W_ih, "(g·k, m)", (rows, "m"))
    b_ih, b_hh = (np.reshape(of.get(f"bias_{side}_l0", np.zeros(rows)), (-1, 1)) for side in ("ih", "hh"))
    for name, b in (("bias_ih_l0", b_ih), ("bias_hh_l0", b_hh)):
        expect_shape(name, b, "(g·k, 1)", (rows, 1))
    arrays = {}
    for at, (h, x, b, second) in enumerate(BLOCKS[cell]):
        block = slice(at * k, (at + 1) * k)
        arrays |= {h: W_hh[block], x: W_ih[block], b: b_ih[block] if second else b_ih[block] + b_hh[block]}
        if second:
            arrays[second] = b_hh[block]
    return cell, arrays


def to_keras(cell: str, arrays: Mapping[str, Array]) -> list[Array]:
    """What `set_weights` of keras.layers.SimpleRNN, LSTM or GRU takes.

    Parameters
    ----------
    cell : {"RNN", "LSTM", "GRU"}
    arrays : mapping from str to ndarray
        As in `to_pytorch`.

    Returns
    -------
    list of ndarray
        kernel (m, g k), recurrent kernel (k, g k), and bias (g k,), or (2, 3 k) of a GRU.
    """
    blocks = len(BLOCKS[cell])
    W_ih, W_hh, b_ih, b_hh = (
        np.concatenate([np.split(part, blocks)[at] for at in KERAS_ORDER[cell]])
        for part in to_pytorch(cell, arrays).values()
    )
    return [W_ih.T, W_hh.T, np.stack([b_ih, b_hh]) if cell == "GRU" else b_ih + b_hh]
