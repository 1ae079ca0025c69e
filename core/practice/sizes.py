"""Exercises about shapes, counts and the order of the gates, and about finding one unit among several."""

from collections.abc import Mapping
from functools import reduce
from math import prod

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array
from core.cells import CELLS, lstm
from core.concatenation import concatenate_weights, stack_input
from core.exchange.weight_layouts import layout_of, to_keras, to_pytorch
from core.practice.exercise import DECIMALS, PRECISION_ASKED, ROUNDING_ERROR, Answer, Draft, Mark, Mistake
from core.practice.exercise_number_format import format_column, format_number, relation
from core.practice.gated import over_steps
from core.practice.sampling import arithmetic, gate_values, rounded, rounding
from core.saturation import is_saturated

# The sizes of level 1 are small, so that the shapes can be drawn on paper.
MOST_SIZE = {1: 6, 2: 12, 3: 64}
FRAMEWORKS = ("PyTorch", "Keras", "ONNX")
WITH_ARTICLE = {"LSTM": "an LSTM", "GRU": "a GRU"}
GATES = {"LSTM": ("f", "i", "c", "o"), "GRU": ("r", "u", "h")}
ROLES = {"r": "reset gate", "u": "update gate", "h": "candidate"} | lstm.ROLES
# A unit is saturated if less than this fraction of the maximum derivative is left.
FLAT = 0.05


def sizes_of(**sizes: int) -> dict[str, Array]:
    """Return sizes as arrays without axes."""
    return {name: np.array(size) for name, size in sizes.items()}


def empty_arrays(cell: str, m: int, k: int) -> dict[str, Array]:
    """Return a cell's arrays, all 0, with n = k."""
    letters = {"m": m, "n": k, "k": k, "1": 1}
    return {
        name: np.zeros([letters[axis] for axis in made.axes])
        for name, made in CELLS[cell].ARRAYS.items()
        if made.kind != "input"
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
        symbol, sizes, question = (
            "stacked",
            {"n": n, "m": m},
            "h_prev has the shape (n, 1) and x_t has the shape (m, 1).",
        )
        stages = f"n + m = {n + m} rows and 1 column"
        answer = stack_input(np.zeros((n, 1)), np.zeros((m, 1))).shape
        gives = {"side_by_side": (n, 2), "transposed": (1, n + m), "sizes_multiplied": (n * m, 1)}
        gives |= {"only_h": (n, 1), "only_x": (m, 1)}
    elif level == 1:
        symbol, sizes, question = (
            "W_h",
            {"m": m, "n": n, "k": k},
            "W_hh has the shape (k, n), W_hx has the shape (k, m), and W_h = [W_hh | W_hx].",
        )
        stages = f"k = {k} rows and n + m = {n + m} columns"
        answer = W_h.shape
        gives = {"on_top": (2 * k, n), "transposed": (n + m, k), "sizes_multiplied": (k, n * m)}
        gives |= {"only_h": (k, n), "only_x": (k, m)}
    else:
        symbol, sizes = "W", {"m": m, "k": k}
        question = "An LSTM has m inputs and k hidden units. W is the vertical concatenation of W_f, W_i, W_c and W_o."
        stages = f"4 · k = {4 * k} rows and k + m = {k + m} columns"
        b = np.zeros((k, 1))
        answer = lstm.LSTMParams(W_h, W_h, W_h, W_h, b, b, b, b).W.shape
        gives = {"transposed": (k + m, 4 * k), "sizes_multiplied": (4 * k, k * m), "side_by_side": (k, 4 * (k + m))}
        gives |= {"only_h": (4 * k, k), "only_x": (4 * k, m)}
    mistakes = {name: Mistake(given) for name, given in gives.items()}
    if level == 2:
        mistakes |= blocks_mistakes(4, {blocks: (blocks * k, k + m) for blocks in (1, 3)})
    named = ", ".join(f"{letter} = {size}" for letter, size in sizes.items())
    return Draft(
        answer=answer,
        mistakes=mistakes,
        question=f"{question} The sizes are {named}. What is the shape of {'[h_prev; x_t]' if symbol == 'stacked' else symbol}? "
        "Give the rows, then the columns.",
        given=sizes_of(**sizes),
        asked=Mark(symbol),
        stages={"concatenation": f"{stages}: {answer}"},
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
        question=(
            f"What is the shape of {name} in a {'Keras' if in_keras else 'PyTorch'} {cell} layer with m = {m} inputs and "
            f"k = {k} hidden units? Give the rows, then the columns."
        ),
        given=sizes_of(m=m, k=k),
        asked=Mark(name),
        stages={
            "blocks": f"{cell}: {blocks} blocks of k = {k}",
            "layout": f"{'Keras stores the transpose' if in_keras else 'one row for each unit of each block'}: {kept[part].shape}",
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
    return Draft(
        answer=float(answer),
        mistakes={
            **{name: Mistake(float(wrong)) for name, wrong in gives.items()},
            **blocks_mistakes(blocks, {other: float(parameters(other, k + m, biases)) for other in others}),
        },
        question=(
            f"How many trainable parameters does {'a PyTorch' if level == 3 else 'an'} {cell} have with m = {m} inputs and "
            f"k = n = {k} hidden units{'' if level == 3 else ' and one bias for each row'}?"
        ),
        given=sizes_of(m=m, k=k),
        asked=Mark("count"),
        stages={
            "concatenation": f"each row of a block has k + m = {k + m} weights",
            "product": f"{blocks} · {k} · {k + m} = {blocks * k * (k + m)} weights",
            "bias": f"{blocks} · {k} · {biases} = {blocks * k * biases} biases, {answer} parameters in total",
        },
        optional=arithmetic(1, float(answer)),
        reached={"concatenation": (float(k + m),)},
    )


# ---- the order of the gates --------------------------------------------------------------------


def order_in(cell: str, framework: str) -> tuple[str, ...]:
    """Return the gates of a cell in the order of a framework.

    Parameters
    ----------
    cell : {"LSTM", "GRU"}
    framework : {"PyTorch", "Keras", "ONNX"}

    Returns
    -------
    tuple of str
        Letters of GATES.
    """
    layout = layout_of(cell, framework)
    # In W_fh and W_hh, the letter after W_ names the gate.
    blocks = [W[2] for W, *_ in layout.blocks]
    order = {"PyTorch": range(len(blocks)), "Keras": layout.keras_order, "ONNX": layout.onnx_order}[framework]
    return tuple(blocks[at] for at in order)


def other_orders(cell: str, framework: str) -> dict[str, tuple[str, ...]]:
    """Return the orders that a learner may confuse with that of a framework, each once."""
    right = order_in(cell, framework)
    orders: dict[str, tuple[str, ...]] = {}
    for other in (*FRAMEWORKS, "the equations"):
        order = GATES[cell] if other == "the equations" else order_in(cell, other)
        if order != right and order not in orders.values():
            orders[other] = order
    return orders


def order_details(framework: str, right: tuple[str, ...], other: str, order: tuple[str, ...]) -> dict[str, object]:
    """Return the values for the sentence on a wrong order: both orders, by the letters of their gates."""
    return {"framework": framework, "right": ", ".join(right), "other": other, "taken": ", ".join(order)}


def gate_order(rng: np.random.Generator, level: int) -> Draft | None:
    """Sample the order of the gates in a framework's weights, from level 2 on the rows of one gate."""
    cell = ("LSTM", "GRU")[rng.integers(2)]
    framework = FRAMEWORKS[rng.integers(3)]
    return full_gate_order(rng, cell, framework) if level == 1 else rows_of_gate(rng, level, cell, framework)


def full_gate_order(rng: np.random.Generator, cell: str, framework: str) -> Draft:
    """Ask for the order of all gates."""
    right, others = order_in(cell, framework), other_orders(cell, framework)
    # Each exercise numbers the gates differently, so that the answers cannot be memorized.
    number = {gate: at for at, gate in enumerate(rng.permutation(GATES[cell]).tolist())}
    mistakes = {
        f"order_of:{other}": Mistake(
            tuple(number[gate] for gate in order), details=order_details(framework, right, other, order)
        )
        for other, order in others.items()
    }
    mistakes["positions"] = Mistake(tuple(right.index(gate) for gate in number))
    numbered = ", ".join(f"{at} = {ROLES[gate]}" for gate, at in number.items())
    return Draft(
        answer=tuple(number[gate] for gate in right),
        mistakes=mistakes,
        question=(
            f"{framework} stores the weights of {WITH_ARTICLE[cell]} in one array: the gates and the candidate, one after another. "
            f"In which order are they? Write their numbers: {numbered}."
        ),
        given={},
        asked=Mark("W"),
        stages={"order": f"{framework}: {', '.join(ROLES[gate] for gate in right)}"},
    )


def rows_of_gate(rng: np.random.Generator, level: int, cell: str, framework: str) -> Draft | None:
    """Ask for the first row of one gate, at level 3 also for its last row."""
    right, others = order_in(cell, framework), other_orders(cell, framework)
    gates = GATES[cell]
    k = int(rng.integers(3, MOST_SIZE[level], endpoint=True))
    gate = gates[rng.integers(len(gates))]
    place = right.index(gate)
    wrong: dict[str, int] = {}
    for other, order in others.items():
        if (taken := order.index(gate)) != place and taken not in wrong.values():
            wrong[other] = taken
    if not wrong:
        return None

    def rows(at: int, shift: int = 0, longer: int = 0) -> Answer:
        first = at * k + shift
        return float(first) if level == 2 else (first, first + k - 1 + longer)

    mistakes = {
        f"order_of:{other}": Mistake(rows(at), details=order_details(framework, right, other, others[other]))
        for other, at in wrong.items()
    }
    mistakes["counted_from_1"] = Mistake(rows(place, 1))
    if level == 2 and place:
        mistakes["block_number"] = Mistake(float(place), details={"k": k})
    if level == 3:
        mistakes["one_too_far"] = Mistake(rows(place, 0, 1), details={"k": k})
    line = "column" if framework == "Keras" else "row"
    optional = {
        f"rows_of_other:{at}": Mistake(rows(at), details={"other": ROLES[other], "meant": ROLES[gate]})
        for at, other in enumerate(right)
        if other != gate
    }
    if level == 2:
        optional["last_row"] = Mistake(float(place * k + k - 1), details={"line": line, "gate": ROLES[gate]})
    return Draft(
        answer=rows(place),
        mistakes=mistakes,
        question=(
            f"{framework} stores the weights of {WITH_ARTICLE[cell]} with k = {k} hidden units in one array, with {k} {line}s for each gate and for the candidate. "
            + (
                f"Which is the first {line} of the {ROLES[gate]}, counted from 0?"
                if level == 2
                else f"Which are the first and the last {line} of the {ROLES[gate]}, counted from 0?"
            )
        ),
        given=sizes_of(k=k),
        asked=Mark("W"),
        stages={
            "order": f"{framework}: {', '.join(ROLES[other] for other in right)}",
            "rows": f"block {place}: {line}s {place} · {k} = {place * k} to {place * k + k - 1}",
        },
        optional=optional,
    )


# ---- one unit of several -----------------------------------------------------------------------


def saturated_unit(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for the saturated unit, counted from 1."""
    k = {1: 5, 2: 5, 3: 8}[level]
    # Whole numbers leave too little room between the bounds of tanh.
    g = sigmoid if level == 1 else (sigmoid, tanh)[rng.integers(2)]
    scale = 10 ** DECIMALS[level]
    _, bound = g.bounds(FLAT)
    sign = int(rng.choice((-1, 1)))

    def between(low: float, high: float) -> int:
        """Sample in units of the last decimal."""
        return int(rng.integers(np.ceil(low * scale), np.floor(high * scale), endpoint=True))

    # The saturated unit, the outermost unit on the other side, one nearer to its bound, the one nearest to 0, and others.
    out, end = sign * between(bound + 0.3, bound + 5), -sign * between(0.6 * bound, 0.9 * bound)
    near = sign * between(abs(end) / scale, 0.97 * bound)
    rest = [int(rng.choice((-1, 1))) * between(0, abs(end) / scale) for _ in range(k - 3)]
    nearest = min(rest, key=abs)
    if sum(abs(z) == abs(nearest) for z in rest) > 1 or end in rest or near in (-end, *rest):
        return None
    rest.remove(nearest)
    places = rng.permutation(k)
    z_t = np.empty((k, 1), dtype=np.int64)
    z_t[places, 0] = [out, end, near, nearest, *rest]
    z_t = z_t if level == 1 else z_t / scale
    flat = is_saturated(z_t, g, FLAT)[:, 0]
    answer = int(np.flatnonzero(flat)[0])
    end_of_axis = "largest_z" if sign < 0 else "smallest_z"
    unit = {name: int(places[at]) for at, name in enumerate(("out", end_of_axis, "near_bound", "nearest_0"))}

    def choosing(unit: int) -> Mistake:
        """Return the mistake of choosing another unit."""
        below = {"unit": unit + 1, "z": format_number(abs(float(z_t[unit, 0]))), "bound": f"{bound:.2f}"}
        return Mistake(float(unit + 1), Mark("z_t", unit), Mark("z_t", answer), below)

    return Draft(
        answer=float(answer + 1),
        mistakes={name: choosing(unit[name]) for name in (end_of_axis, "near_bound", "nearest_0")},
        question=(
            f"With g = {g.symbol}, a unit is saturated if |z| is above {bound:.2f}, because its derivative is then below 5% of the "
            f"maximum. Which unit is saturated, counted from 1?"
        ),
        given={"z_t": z_t},
        asked=Mark("z_t"),
        stages={
            "pre-activation": f"|z_t| = {format_column(np.abs(z_t))}",
            "bound": f"only |{format_number(float(z_t[answer, 0]))}| is above {bound:.2f}, so unit {answer + 1} is saturated",
        },
        optional={f"near_bound:{at}": choosing(at) for at in range(k) if at not in (answer, *unit.values())},
        alike={"unit_from_0": Mistake(float(answer)), "z_for_unit": Mistake(float(z_t[answer, 0]))},
    )


def forgetting_unit(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for c_T in the unit that forgets more, from the forget gates of two units."""
    T = {1: 3, 2: 3, 3: 4}[level]
    # 64 stays a whole number after three factors of quarters.
    start = {1: 64.0, 2: 10.0, 3: 10.0}[level]
    f_t = rng.integers(1, 4, (2, T), endpoint=True) / 4 if level == 1 else gate_values(rng, level, (2, T))
    c_0, nothing = np.full((2, 1), start), np.zeros((2, T))
    kept = over_steps(f_t, nothing, nothing, c_0)[:, 0]
    unit = int(kept.argmin())
    if kept[unit] > 0.8 * kept[1 - unit]:
        return None
    answer, gates = float(kept[unit]), f_t[unit].tolist()
    meant = Mark("f_t", unit)
    products = [
        f"{' · '.join(map(format_number, (start, *row)))} {relation(c)} {format_number(c)}"
        for row, c in zip(f_t.tolist(), kept.tolist(), strict=True)
    ]
    return Draft(
        answer=answer,
        mistakes={
            "keeps_more": Mistake(float(kept[1 - unit]), Mark("f_t", 1 - unit), meant),
            "sum_for_product": Mistake(start * sum(gates), meant, meant),
            "last_gate": Mistake(start * gates[-1], Mark("f_t", unit, T - 1), meant),
            "one_step_less": Mistake(start * prod(gates[:-1]), None, meant, {"steps": T - 1, "all": T}),
            "forget_complement": Mistake(start * prod(1 - gate for gate in gates), meant, meant),
            "lost": Mistake(start - answer),
        },
        question=(
            f"Entry (j, t) of f_t is the forget gate of unit j at step t. Both units start at c_0 = {format_number(start)}, and "
            f"their input gates are 0. What is c_T after T = {T} steps in the unit that forgets more? {PRECISION_ASKED[level]}"
        ),
        given={"f_t": f_t, "c_0": c_0},
        asked=Mark("c_t"),
        stages={
            "product": "; ".join(f"unit {number}: {text}" for number, text in enumerate(products, 1)),
            "smaller": f"unit {unit + 1} forgets more, and {format_number(answer)} is left",
        },
        optional={"no_start": Mistake(prod(gates), meant, Mark("c_0", unit))}
        | rounding(level, lambda digits: reduce(lambda c, gate: rounded(c * gate, digits), gates, start))
        | arithmetic(level, answer),
        alike={"unit_for_content": Mistake(unit + 1.0)},
        # The error is largest if the gates are multiplied first, the largest ones last.
        slack=start * reduce(lambda lost, gate: lost * gate + ROUNDING_ERROR, sorted(gates)[1:], 0.0)
        if level == 3
        else 0.0,
    )
