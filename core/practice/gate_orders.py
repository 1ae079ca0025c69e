"""Exercises about the order of the gates in a framework's weights."""

import numpy as np

from core.exchange.weight_layouts import layout_of
from core.practice.exercise import Answer, Draft, Mark, Mistake, Sentence
from core.practice.shapes_and_counts import MOST_SIZE, sizes_of

FRAMEWORKS = ("PyTorch", "Keras", "ONNX")
# The letters of the gates and of the candidate in the order of the equations.
GATES = {"LSTM": "fico", "GRU": "ruh"}


def order_in(cell: str, framework: str) -> str:
    """Return the gates of a cell in the order of a framework.

    Parameters
    ----------
    cell : {"LSTM", "GRU"}
    framework : {"PyTorch", "Keras", "ONNX"}

    Returns
    -------
    str
        Letters of GATES.
    """
    layout = layout_of(cell, framework)
    # In W_fh and W_hh, the letter after W_ names the gate.
    blocks = [W[2] for W, *_ in layout.blocks]
    order = {"PyTorch": range(len(blocks)), "Keras": layout.keras_order, "ONNX": layout.onnx_order}[framework]
    return "".join(blocks[at] for at in order)


def other_orders(cell: str, framework: str) -> dict[str, str]:
    """Return the orders that a learner may confuse with that of a framework, each once, by the names of the mistakes."""
    right = order_in(cell, framework)
    orders: dict[str, str] = {}
    every = {f"order_of:{other}": order_in(cell, other) for other in FRAMEWORKS} | {"order_of_equations": GATES[cell]}
    for mistake, order in every.items():
        if order != right and order not in orders.values():
            orders[mistake] = order
    return orders


def order_details(framework: str, right: str, mistake: str, order: str) -> dict[str, object]:
    """Return the values for the sentence on a wrong order."""
    return {"framework": framework, "order": right, "other": mistake.partition(":")[2], "order_used": order}


def gate_order(rng: np.random.Generator, level: int) -> Draft | None:
    """Sample the order of the gates in a framework's weights, from level 2 on the rows of one gate."""
    cell = ("LSTM", "GRU")[rng.integers(2)]
    framework = FRAMEWORKS[rng.integers(3)]
    return full_gate_order(rng, cell, framework) if level == 1 else rows_of_gate(rng, level, cell, framework)


def full_gate_order(rng: np.random.Generator, cell: str, framework: str) -> Draft:
    """Ask for the order of all gates."""
    right, others = order_in(cell, framework), other_orders(cell, framework)
    # Each exercise numbers the gates differently, so that the answers cannot be memorized.
    number = {gate: at for at, gate in enumerate(rng.permutation([*GATES[cell]]).tolist())}
    mistakes = {
        mistake: Mistake(tuple(number[gate] for gate in order), details=order_details(framework, right, mistake, order))
        for mistake, order in others.items()
    }
    mistakes["positions"] = Mistake(tuple(right.index(gate) for gate in number))
    return Draft(
        answer=tuple(number[gate] for gate in right),
        mistakes=mistakes,
        question=Sentence(
            {"LSTM": "order_of_lstm", "GRU": "order_of_gru"}[cell],
            {"framework": framework} | {f"gate_{at}": gate for gate, at in number.items()},
        ),
        given={},
        asked=Mark("W"),
        stages={"order": order_stage(framework, right)},
    )


def order_stage(framework: str, order: str) -> Sentence:
    """Return the stage with the order of a framework."""
    return Sentence("order", {"framework": framework, "gates": order})


def rows_of_gate(rng: np.random.Generator, level: int, cell: str, framework: str) -> Draft | None:
    """Ask for the first row of one gate, at level 3 also for its last row; in Keras for columns."""
    right, others = order_in(cell, framework), other_orders(cell, framework)
    gates = GATES[cell]
    k = int(rng.integers(3, MOST_SIZE[level], endpoint=True))
    gate = gates[rng.integers(len(gates))]
    place = right.index(gate)
    wrong: dict[str, int] = {}
    for mistake, order in others.items():
        if (taken := order.index(gate)) != place and taken not in wrong.values():
            wrong[mistake] = taken
    if not wrong:
        return None

    def rows(at: int, shift: int = 0, longer: int = 0) -> Answer:
        first = at * k + shift
        return float(first) if level == 2 else (first, first + k - 1 + longer)

    mistakes = {
        mistake: Mistake(rows(at), details=order_details(framework, right, mistake, others[mistake]))
        for mistake, at in wrong.items()
    }
    mistakes["counted_from_1"] = Mistake(rows(place, 1))
    if level == 2 and place:
        mistakes["block_number"] = Mistake(float(place), details={"k": k})
    if level == 3:
        mistakes["one_too_far"] = Mistake(rows(place, 0, 1), details={"k": k})
    line = "column" if framework == "Keras" else "row"
    optional = {
        f"rows_of_other:{at}": Mistake(rows(at), details={"gate_used": other, "gate": gate})
        for at, other in enumerate(right)
        if other != gate
    }
    if level == 2:
        optional[f"last_{line}"] = Mistake(float(place * k + k - 1), details={"gate": gate})
    return Draft(
        answer=rows(place),
        mistakes=mistakes,
        question=Sentence(
            f"first_{line}" if level == 2 else f"first_and_last_{line}",
            {"framework": framework, "cell": cell, "k": k, "gate": gate},
        ),
        given=sizes_of(k=k),
        asked=Mark("W"),
        stages={
            "order": order_stage(framework, right),
            "rows": Sentence(
                f"{line}s_of_block", {"place": place, "k": k, "first": place * k, "last": place * k + k - 1}
            ),
        },
        optional=optional,
    )
