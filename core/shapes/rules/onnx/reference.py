"""Recurrent nodes in the reference evaluator of ONNX, which computes with NumPy: its own line tells which product failed."""

import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.read_layer import GATES
from core.shapes.rules.rule import Diagnosis, Facts, Rules, reason

_FRAME = re.compile(r"onnx[/\\]reference[/\\]ops[/\\]op_(lstm|gru|rnn)\.py\", line \d{1,6}, in \w{1,40} ([^^~]{1,300})")
_CELLS = {"lstm": "LSTM", "gru": "GRU", "rnn": "RNN"}

REFERENCE: Rules = (
    sure(
        "input-size",
        reason("onnx-weights-of-x", "came", "wanted"),
        lambda f: (
            f"W = np.zeros((1, {f.gates * f.k}, {f.came}), np.float32)   # (directions, {f.gates} · {f.k}, features), if x is right\n"
            "# or give X the features of W: (steps, batch, features)"
        ),
        lambda f: f.part == "x",
        lambda f: {"x": (-1, -1, f.wanted)},
    ),
    sure(
        "hidden-size",
        reason("onnx-weights-of-h", "came", "wanted"),
        "initial_h = np.zeros((1, {batch}, {wanted}), np.float32)   # (directions, batch, units)\n"
        "# or an R for this state: (directions, gates · units, units)",
        lambda f: f.part == "h",
    ),
    sure(
        "broadcast",
        reason("onnx-biases", "came", "wanted"),
        lambda f: (
            f"B = np.zeros((1, {2 * f.gates * f.k}), np.float32)   # one bias for W and one for R: 2 · {f.gates} · {f.k}"
        ),
        lambda f: f.part == "b",
    ),
    strong(
        "batch-first",
        (reason("onnx-batches", "came", "wanted"), reason("onnx-steps-first")),
        "X = X.swapaxes(0, 1)   # if X is (batch, steps, features)",
        lambda f: f.part == "batch",
    ),
    strong(
        "batch-size",
        reason("onnx-batches", "came", "wanted"),
        "initial_h = np.zeros((1, {came}, {k}), np.float32)   # (directions, batch, units)",
        lambda f: f.part == "batch",
    ),
)


def _part_of_product(line: str, right: Shape, gates: int) -> str:
    """Return which product of a cell's line failed, x or h; empty if both may have."""
    has_x, has_h = ("dot(x," in line, "dot(H_t," in line)
    if has_x != has_h:
        return "x" if has_x else "h"
    k = right[1] // gates
    if right[1] % gates:  # a part of the gates, such as the first two of a GRU
        k = right[0] if right[1] % right[0] == 0 else 0
    return "" if not has_x else "h" if k == right[0] else "x"


def of_onnx_reference(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a recurrent node by its two shapes; None if the text is of another program, or tells too little."""
    frames = _FRAME.findall(reading.whole)
    if not frames or not left or not right or min(*left, *right) < 1:
        return None
    cell, line = frames[-1]
    cell, facts = _CELLS[cell], Facts(came=left[-1], wanted=right[0], batch=left[0], gates=1, k=0, part="")
    facts.gates = GATES[cell]
    if reading.kind == "product" and len(left) == len(right) == 2:
        # A GRU multiplies its first two gates and the third apart.
        gates = 2 if "gates_" in line and cell == "GRU" else 1 if cell == "GRU" else facts.gates
        facts.part, facts.k = _part_of_product(line, right, gates), right[1] // gates
    elif reading.kind == "broadcast" and len(left) == 2:
        facts.k = left[1] // (2 if cell == "GRU" and "gates_b" in line else 1 if cell == "GRU" else facts.gates)
        facts.wanted = 2 * facts.gates * facts.k
        if len(right) == 1 or len(right) == 2 and right[0] == 1 != left[0]:
            facts.part, facts.came = "b", right[-1]
        elif len(right) == 2 and left[1] == right[1]:
            facts.part, facts.came, facts.wanted = "batch", left[0], right[0]
    return Diagnosis("weights-of-cell", facts, REFERENCE, {"k": facts.k}) if facts.part else None
