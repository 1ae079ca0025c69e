"""Exercises about the order of the gates in a framework's weights."""

import numpy as np

from core.cells import lstm
from core.exchange.weight_layouts import layout_of
from core.practice.exercise import Answer, Draft, Mark, Mistake
from core.practice.shapes_and_counts import MOST_SIZE, sizes_of

FRAMEWORKS = ("PyTorch", "Keras", "ONNX")
WITH_ARTICLE = {"LSTM": "an LSTM", "GRU": "a GRU"}
# By what holds a unit of a gate, and by level.
QUESTIONS = {
    ("row", 2): (
        "{framework} stores the input weights of {cell} with k = {k} hidden units in one array, with {k} rows for each gate and for the candidate. "
        "Which is the first row of the {gate}, counted from 0?"
    ),
    ("row", 3): (
        "{framework} stores the input weights of {cell} with k = {k} hidden units in one array, with {k} rows for each gate and for the candidate. "
        "Which are the first and the last row of the {gate}, counted from 0?"
    ),
    ("column", 2): (
        "{framework} stores the input weights of {cell} with k = {k} hidden units in one array, with {k} columns for each gate and for the candidate. "
        "Which is the first column of the {gate}, counted from 0?"
    ),
    ("column", 3): (
        "{framework} stores the input weights of {cell} with k = {k} hidden units in one array, with {k} columns for each gate and for the candidate. "
        "Which are the first and the last column of the {gate}, counted from 0?"
    ),
}
STAGES = {
    "row": "block {place}: rows {place} · {k} = {first} to {last}",
    "column": "block {place}: columns {place} · {k} = {first} to {last}",
}
GATES = {"LSTM": ("f", "i", "c", "o"), "GRU": ("r", "u", "h")}
ROLES = {"r": "reset gate", "u": "update gate", "h": "candidate"} | lstm.ROLES


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
            f"{framework} stores the input weights of {WITH_ARTICLE[cell]} in one array: the gates and the candidate, one after another. "
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
        question=QUESTIONS[line, level].format(framework=framework, cell=WITH_ARTICLE[cell], k=k, gate=ROLES[gate]),
        given=sizes_of(k=k),
        asked=Mark("W"),
        stages={
            "order": f"{framework}: {', '.join(ROLES[other] for other in right)}",
            "rows": STAGES[line].format(place=place, k=k, first=place * k, last=place * k + k - 1),
        },
        optional=optional,
    )
