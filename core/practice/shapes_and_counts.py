"""Exercises about the shape of an array, and about the number of trainable parameters."""

from collections.abc import Mapping

import numpy as np

from core.arrays import Array
from core.cells import CELLS, lstm
from core.concatenation import concatenate_weights, stack_input
from core.exchange.weight_layouts import layout_of, to_keras, to_pytorch
from core.practice.exercise import Answer, Draft, Mark, Mistake, Sentence
from core.practice.sampling import arithmetic

# The sizes of level 1 are small, so that the shapes can be drawn on paper.
MOST_SIZE = {1: 6, 2: 12, 3: 64}


def sizes_of(**sizes: int) -> dict[str, Array]:
    """Return sizes as arrays without axes."""
    return {name: np.array(size) for name, size in sizes.items()}


def empty_arrays(cell: str, m: int, k: int) -> dict[str, Array]:
    """Return a cell's arrays, all 0, with n = k."""
    letters = {"m": m, "n": k, "k": k, "1": 1}
    return {
        name: np.zeros([letters[axis] for axis in spec.axes])
        for name, spec in CELLS[cell].ARRAYS.items()
        if spec.kind != "input"
    }


def array_shape(rng: np.random.Generator, level: int) -> Draft:
    """Ask for the shape of a concatenation, of an LSTM's weights in one matrix, or of a framework's weights."""
    m, k = (int(size) for size in rng.integers(2, MOST_SIZE[level], 2, endpoint=True))
    if level == 3:
        return framework_shape(rng, m, k)
    n = k if level == 2 else int(rng.integers(2, MOST_SIZE[level], endpoint=True))
    W_h = concatenate_weights(np.zeros((k, n)), np.zeros((k, m)))
    answer: tuple[int, ...]
    if level == 1 and rng.integers(2):
        symbol, sizes, question, stage = "stacked", {"n": n, "m": m}, "shape_of_stacked_input", "rows_of_both"
        counted, parts = {"rows": n + m}, Sentence("rows_of_each", {"n": n, "m": m})
        answer = stack_input(np.zeros((n, 1)), np.zeros((m, 1))).shape
        gives = {"side_by_side": (n, 2), "transposed": (1, n + m), "sizes_multiplied": (n * m, 1)}
        gives |= {"only_h": (n, 1), "only_x": (m, 1)}
    elif level == 1:
        symbol, sizes, question, stage = "W_h", {"m": m, "n": n, "k": k}, "shape_of_weights", "columns_of_both"
        counted, parts = {"k": k, "columns": n + m}, Sentence("columns_of_each", {"k": k, "n": n, "m": m})
        answer = W_h.shape
        gives = {"on_top": (2 * k, n), "transposed": (n + m, k), "sizes_multiplied": (k, n * m)}
        gives |= {"only_h": (k, n), "only_x": (k, m)}
    else:
        symbol, sizes, question, stage = "W", {"m": m, "k": k}, "shape_of_all_weights", "rows_of_four"
        counted = {"rows": 4 * k, "columns": k + m}
        parts = Sentence("shape_of_each", {"k": k, "columns": k + m})
        b = np.zeros((k, 1))
        answer = lstm.LSTMParams(W_h, W_h, W_h, W_h, b, b, b, b).W.shape
        gives = {"transposed": (k + m, 4 * k), "sizes_multiplied": (4 * k, k * m), "side_by_side": (k, 4 * (k + m))}
        gives |= {"only_h": (4 * k, k), "only_x": (4 * k, m)}
    mistakes = {name: Mistake(given) for name, given in gives.items()}
    if level == 2:
        mistakes |= blocks_mistakes(4, {blocks: (blocks * k, k + m) for blocks in (1, 3)})
    return Draft(
        answer=answer,
        mistakes=mistakes,
        question=Sentence(question, sizes),
        given=sizes_of(**sizes),
        asked=Mark(symbol),
        stages={"parts": parts, "concatenation": Sentence(stage, counted | {"shape": answer})},
        optional={"sizes_for_shape": Mistake((n, m))} if level == 1 else {},
    )


def blocks_mistakes(right: int, gives: Mapping[int, Answer]) -> dict[str, Mistake]:
    """Return the mistakes of taking another number of blocks."""
    return {
        f"blocks:{blocks}": Mistake(wrong, details={"blocks": blocks, "right": right})
        for blocks, wrong in gives.items()
    }


def framework_shape(rng: np.random.Generator, m: int, k: int) -> Draft:
    """Ask for the shape of one of the two weights that PyTorch or Keras keeps."""
    cell = ("LSTM", "GRU")[rng.integers(2)]
    arrays = empty_arrays(cell, m, k)
    part, in_keras = int(rng.integers(2)), bool(rng.integers(2))
    kept = to_keras(cell, arrays) if in_keras else list(to_pytorch(cell, arrays).values())
    framework = "Keras" if in_keras else "PyTorch"
    name = (("weight_ih_l0", "weight_hh_l0"), ("kernel", "recurrent_kernel"))[in_keras][part]
    blocks, entries = len(layout_of(cell, "PyTorch").blocks), (m, k)[part]

    def laid(rows: int, columns: int) -> tuple[int, ...]:
        return (columns, rows) if in_keras else (rows, columns)

    others = {other: laid(other * k, entries) for other in (1, 7 - blocks)}
    # The array multiplies one of x_t and h_prev.
    symbols = ("x_t", "h_prev")
    factors = {"array": name, "symbol": symbols[part], "other": symbols[1 - part]}
    return Draft(
        answer=kept[part].shape,
        mistakes={
            "transposed": Mistake(laid(blocks * k, entries)[::-1]),
            "other_size": Mistake(laid(blocks * k, (k, m)[part]), details=factors),
            "concatenated": Mistake(laid(blocks * k, k + m)),
            "sizes_of_layer_multiplied": Mistake(laid(blocks * k, k * m), details=factors),
            **blocks_mistakes(blocks, others),
        },
        question=Sentence("shape_in_framework", {"array": name, "framework": framework, "cell": cell, "m": m, "k": k}),
        given=sizes_of(m=m, k=k),
        asked=Mark(name),
        stages={
            "blocks": Sentence("blocks", {"cell": cell, "blocks": blocks, "k": k}),
            "layout": Sentence("transposed" if in_keras else "row_for_each_unit", {"shape": kept[part].shape}),
        },
    )


def parameter_count(rng: np.random.Generator, level: int) -> Draft:
    """Ask for the number of trainable parameters of a cell; at level 3 as PyTorch counts them."""
    cell = {1: ("RNN",), 2: ("LSTM",), 3: ("LSTM", "GRU")}[level][rng.integers({1: 1, 2: 1, 3: 2}[level])]
    m, k = (int(size) for size in rng.integers(2, MOST_SIZE[level], 2, endpoint=True))
    arrays = empty_arrays(cell, m, k)
    if level == 3:
        answer = sum(part.size for part in to_pytorch(cell, arrays).values())
    else:
        answer = sum(part.size for part in arrays.values())
    blocks, biases = len(layout_of(cell, "PyTorch").blocks), 2 if level == 3 else 1

    def parameters(blocks: int, columns: int, biases: int) -> int:
        return blocks * (k * columns + biases * k)

    gives = {
        "no_biases": parameters(blocks, k + m, 0),
        "single_bias": parameters(blocks, k + m, 0) + blocks * biases,
        "sizes_multiplied": parameters(blocks, k * m, biases),
        "only_h": parameters(blocks, k, biases),
        "only_x": parameters(blocks, m, biases),
        ("one_bias" if level == 3 else "two_biases"): parameters(blocks, k + m, 3 - biases),
    }
    others = {1: (4,), 3: (1, 4), 4: (1, 3)}[blocks]
    swapped = blocks * (m * (k + m) + biases * m)
    mixed_up_sizes = {"sizes_swapped": Mistake(float(swapped))}
    if blocks > 1:
        of_one = parameters(blocks, k + m, 0) + biases * k
        mixed_up_sizes["biases_of_one"] = Mistake(float(of_one), details={"blocks": blocks})
    return Draft(
        answer=float(answer),
        mistakes={
            **{name: Mistake(float(wrong)) for name, wrong in gives.items()},
            **blocks_mistakes(blocks, {other: float(parameters(other, k + m, biases)) for other in others}),
        },
        question=Sentence(
            "parameter_count_in_pytorch" if level == 3 else "parameter_count", {"cell": cell, "m": m, "k": k}
        ),
        given=sizes_of(m=m, k=k),
        asked=Mark("count"),
        stages={
            "concatenation": Sentence("weights_of_row", {"columns": k + m}),
            "product": Sentence("weights", {"formula": f"{blocks} · {k} · {k + m} = {blocks * k * (k + m)}"}),
            "bias": Sentence(
                "biases_and_total",
                {"formula": f"{blocks} · {k} · {biases} = {blocks * k * biases}", "total": answer},
            ),
        },
        optional=mixed_up_sizes | arithmetic(1, float(answer)),
        reached={"concatenation": (float(k + m),)},
    )
