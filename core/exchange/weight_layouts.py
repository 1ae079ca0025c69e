"""The weights of a cell as PyTorch and Keras keep them, and back: other layouts, other orders of the gates.

PyTorch keeps (g k, m) and (g k, k) for the input and the hidden state, with a bias for each; its gates are i, f, g, o
in an LSTM and r, z, n in a GRU. Keras keeps the transposes and one bias; its gates are i, f, c, o and z, r, h.

References
----------
PyTorch, torch.nn.LSTM and torch.nn.GRU; Keras, keras.layers.LSTM and keras.layers.GRU (reset_after=True).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core.arrays import Array, expect_shape
from core.cells import CELLS
from core.cells.protocol import Layout

PYTORCH = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")


def to_pytorch(cell: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the parameters of torch.nn.RNN, LSTM or GRU with one layer.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    arrays : mapping from str to ndarray
        The cell's arrays by their names in `Scenario.shapes`, with k = n.

    Returns
    -------
    dict from str to ndarray
        weight_ih_l0 (g k, m), weight_hh_l0 (g k, k), bias_ih_l0 and bias_hh_l0 (g k,).

    Raises
    ------
    ValueError
        If PyTorch has no such layer.
    """
    blocks = layout_of(cell, "PyTorch").blocks
    zero = np.zeros_like(arrays[blocks[0][2]])
    columns = {
        "weight_ih_l0": [arrays[x] for _, x, _, _ in blocks],
        "weight_hh_l0": [arrays[h] for h, _, _, _ in blocks],
        "bias_ih_l0": [arrays[b][:, 0] for _, _, b, _ in blocks],
        "bias_hh_l0": [(zero if b is None else arrays[b])[:, 0] for _, _, _, b in blocks],
    }
    return {name: np.concatenate(parts).astype(np.float64) for name, parts in columns.items()}


def from_pytorch(parameters: Mapping[str, Array]) -> tuple[str, dict[str, Array]]:
    """Return our arrays from the parameters that `to_pytorch` makes. A missing bias is 0; two biases are added where only their sum counts.

    Parameters
    ----------
    parameters : mapping from str to ndarray
        Of one layer, by names that end in those of PYTORCH.

    Returns
    -------
    cell : str
        A name of CELLS.
    arrays : dict from str to ndarray

    Raises
    ------
    ValueError
        If the shapes are those of none of PyTorch's layers.
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
    layouts = {len(cell.LAYOUT.blocks) * k: name for name, cell in CELLS.items() if cell.LAYOUT}
    if rows not in layouts:
        *some, last = sorted(layouts)
        known = f"{', '.join(map(str, some))} or {last}"
        raise ValueError(
            f"weight_hh_l0 must have {known} rows for k = {k}, but it has {rows}. Use one layer without proj_size."
        )
    cell = layouts[rows]
    expect_shape("weight_ih_l0", W_ih, "(g·k, m)", (rows, "m"))
    b_ih, b_hh = (np.reshape(of.get(f"bias_{side}_l0", np.zeros(rows)), (-1, 1)) for side in ("ih", "hh"))
    for name, b in (("bias_ih_l0", b_ih), ("bias_hh_l0", b_hh)):
        expect_shape(name, b, "(g·k, 1)", (rows, 1))
    return cell, arrays_from_blocks(cell, W_ih, W_hh, b_ih[:, 0], b_hh[:, 0])


def arrays_from_blocks(
    cell: str, W_ih: Array, W_hh: Array, b_ih: Array, b_hh: Array, order: Sequence[int] | None = None
) -> dict[str, Array]:
    """Return our arrays from the blocks of rows of a layer.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    W_ih, W_hh : ndarray of shape (g k, m) and (g k, k)
    b_ih, b_hh : ndarray of shape (g k,)
    order : sequence of int, optional
        The blocks in the order of the file, by their places in PyTorch's; those of PyTorch if it is missing.
    """
    layout = layout_of(cell, "PyTorch")
    k = W_hh.shape[1]
    places = list(order or range(len(layout.blocks)))
    arrays: dict[str, Array] = {}
    for at, (h, x, first, second) in enumerate(layout.blocks):
        block = slice(places.index(at) * k, (places.index(at) + 1) * k)
        one, two = b_ih[block, None], b_hh[block, None]
        arrays |= {h: W_hh[block], x: W_ih[block], first: one if second else one + two}
        if second:
            arrays[second] = two
    return arrays


def to_keras(cell: str, arrays: Mapping[str, Array]) -> list[Array]:
    """Return the list that `set_weights` of keras.layers.SimpleRNN, LSTM or GRU takes.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    arrays : mapping from str to ndarray
        As in `to_pytorch`.

    Returns
    -------
    list of ndarray
        kernel (m, g k), recurrent kernel (k, g k), and bias (g k,), or (2, g k) where both biases count.

    Raises
    ------
    ValueError
        If Keras has no such layer.
    """
    layout = layout_of(cell, "Keras")
    W_ih, W_hh, b_ih, b_hh = (
        np.concatenate([np.split(part, len(layout.blocks))[at] for at in layout.keras_order])
        for part in to_pytorch(cell, arrays).values()
    )
    two_biases = any(second for *_, second in layout.blocks)
    return [W_ih.T, W_hh.T, np.stack([b_ih, b_hh]) if two_biases else b_ih + b_hh]


def layout_of(cell: str, framework: str) -> Layout:
    """Return the layout of a cell's weights in the frameworks.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    framework : str
        For the message.

    Raises
    ------
    ValueError
        If they have no such layer.
    """
    layout = CELLS[cell].LAYOUT
    if layout is None:
        raise ValueError(f"{framework} has no {cell} layer. Export the NumPy code instead.")
    return layout
