"""Sums and products entry by entry, and assignments."""

import re
from typing import NamedTuple

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading, sizes_in
from core.shapes.rules import advised_lines
from core.shapes.rules.reading import cells_of, is_round
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.rules.scalers import of_scaler
from core.shapes.user_code.evidence import (
    has_batch_in_rows,
    is_of_fit,
    is_product_of_entries,
    layers_of_sum,
    mask_of_product,
    scanned_array,
    weights_of_sum,
)

ENTRY_BY_ENTRY = Statement("entry-by-entry")
NO_SIZES = Statement("no-sizes")

# ---- two shapes that do not stretch to each other ----------------------------------------------

_TWO_SHAPES = reason("broadcast-shapes", "left", "right")


def _b_as_a(facts: Facts) -> dict[str, Shape]:
    return {"b": facts.left}


def _b_anew(facts: Facts) -> str:
    if len(facts.left) == len(facts.right) == 2 and facts.right == (facts.left[1], 1):
        return "b = b.reshape(1, -1)   # a bias in rows is (1, k); in columns (k, 1)"
    if len(facts.right) == 1 and len(facts.left) == 2 and facts.right[0] == facts.left[0]:
        # A vector is stretched along the first axis; as a column, along the last.
        return "b = b.reshape(-1, 1)   # a bias in columns is (k, 1); in rows (k,)"
    shape = format_shape(facts.left[-1:] if len(facts.right) == 1 else facts.left)
    return f"b = {advised_lines.zeros(facts.framework)}({shape})   # if b is a bias or a state: as many entries as it is added to"


def _state_anew(facts: Facts) -> str:
    zeros = advised_lines.zeros(facts.framework)
    if -1 in (*facts.left, *facts.right):
        return "# the state must be made for the batch of this x"
    return (
        f"b = {zeros}({format_shape(facts.left)})   # if b is the state, or is made from it\n"
        f"a = {zeros}({format_shape(facts.right)})   # if a is the state, or is made from it"
    )


def _b_conform(facts: Facts) -> dict[str, Shape]:
    is_column = len(facts.right) == 1 and len(facts.left) == 2 and facts.right[0] == facts.left[0]
    return {"b": (facts.left[0], 1)} if is_column else _b_as_a(facts)


def _in_place(facts: Facts) -> str:
    """Return the lines for a += b, whose result has another shape than a."""
    a, result = facts.left, facts.right
    lines = [f"a = a + b   # if it is a += b, and the result is meant to be {format_shape(result)}"]
    axes = tuple(axis for axis, (one, other) in enumerate(zip(a, result)) if one == 1 != other)
    if len(a) == 1 and result == a * 2:
        # A column and a vector make a matrix.
        lines.insert(0, f"b = b.reshape(-1)   # if it is a += b, and b is ({a[0]}, 1)")
    elif len(a) == len(result) and axes:
        lines.insert(0, f"b = b.sum({axes}, keepdims=True)   # if it is a += b, and a is the gradient of a bias")
    return "\n".join(lines)


class StackedGates(NamedTuple):
    """The factor of a product that holds all gates, their number, the units of one, and the axis along which they stand."""

    name: str
    gates: int
    units: int
    axis: int


class OneGate(NamedTuple):
    """The weights of one gate in a sum with all gates: their name, whether they are the left factor, the gates and the units of one."""

    weights: str
    is_left: bool
    gates: int
    units: int


def _gates_and_units(one: int, other: int) -> tuple[int, int]:
    """Return how many gates the larger size holds, 0 if it is none of 3 or 4 times the smaller one, and the units of one."""
    units, all_units = sorted((one, other))
    gates = next((number for number in (4, 3) if all_units == number * units), 0)
    return gates if is_round(units) else 0, units


def _stacked_gates(reading: Reading, left: int, right: int, axis: int) -> StackedGates | None:
    """Return the factor that holds all gates where the other has one; None if the reader's line is no product of these."""
    gates, units = _gates_and_units(left, right)
    if not gates or not is_product_of_entries(reading):
        return None
    return StackedGates("a" if left > right else "b", gates, units, axis)


def _one_gate(facts: Facts) -> str:
    """Return the line that splits the gates and takes one of them."""
    name, gates, _, axis = facts.stacked_gates
    if facts.framework == "PyTorch":
        parts = f"{name}.chunk({gates}, dim={axis})"
    else:
        parts = f"{advised_lines.library(facts.framework)}.split({name}, {gates}, axis={axis})"
    return f"{name} = {parts}[0]   # the first of {gates} gates"


_OF_GATES = Rule(
    "broadcast",
    Fit.STRONG,
    (
        reason(
            "broadcast-gates",
            name=lambda f: f.stacked_gates.name,
            gates=lambda f: f.stacked_gates.gates,
            k=lambda f: f.stacked_gates.units,
        ),
    ),
    _one_gate,
    lambda f: f.stacked_gates,
)


def _weights_of_gates(facts: Facts) -> str:
    """Return the line that makes weights for all gates."""
    name, is_left, gates, units = facts.one_gate
    shape = f"{gates * units}, {name}.shape[1]" if is_left else f"{name}.shape[0], {gates * units}"
    return f"{name} = {advised_lines.zeros(facts.framework)}(({shape}))   # weights of all {gates} gates"


def _predicted_as_targets(facts: Facts) -> str:
    """Return the line that makes the last layers of a model give as many steps, or outputs, as the targets have."""
    targets = facts.left[facts.at]
    if facts.at == len(facts.left) - 1:
        return f"Dense({targets})   # the last layer"
    return f"layers.RepeatVector({targets})   # if it makes the steps of the predictions"


BROADCAST: Rules = (
    _OF_GATES,
    Rule(
        "broadcast",
        Fit.SURE,
        (reason("target-sizes", got="left", wanted="right"),),
        _predicted_as_targets,
        lambda f: f.at,
        lambda f: {"targets": f.right},
    ),
    Rule(
        "batch-first",
        Fit.SURE,
        (_TWO_SHAPES, reason("scan-first-axis")),
        lambda f: f"{f.scanned} = jnp.swapaxes({f.scanned}, 0, 1)   # before the scan: (steps, batch, features)",
        lambda f: f.scanned,
    ),
    Rule(
        "broadcast",
        Fit.STRONG,
        (
            reason(
                "broadcast-one-gate",
                name=lambda f: f.one_gate.weights,
                gates=lambda f: f.one_gate.gates,
                size=lambda f: f.one_gate.gates * f.one_gate.units,
                k=lambda f: f.one_gate.units,
            ),
        ),
        _weights_of_gates,
        lambda f: f.one_gate,
    ),
    Rule(
        "broadcast",
        Fit.SURE,
        (_TWO_SHAPES, reason("broadcast-conforms")),
        _in_place,
        lambda f: not f.differ and f.left != f.right,
    ),
    Rule(
        "transpose",
        Fit.LIKELY,
        (_TWO_SHAPES, reason("broadcast-turned")),
        "b = b.T",
        lambda f: len(f.left) == len(f.right) == 2 and f.left == f.right[::-1] and f.left[0] != f.left[1],
        _b_as_a,
    ),
    Rule(
        "batch-size",
        lambda f: Fit.POSSIBLE if f.in_columns else Fit.STRONG,
        (_TWO_SHAPES, reason("broadcast-batch-in-rows"), reason("scan-first-axis-or-not", when=lambda f: f.may_scan)),
        _state_anew,
        lambda f: f.one_differs and f.left[1:] == f.right[1:] and f.left[0] != f.right[0],
        _b_as_a,
    ),
    Rule(
        "batch-size",
        Fit.LIKELY,
        (_TWO_SHAPES, reason("broadcast-batch-in-columns")),
        _state_anew,
        lambda f: (
            f.one_differs
            and f.in_columns
            and f.left[0] == f.right[0]
            and is_round(f.left[0])
            and f.left[0] > max(f.left[1], f.right[1])
        ),
        _b_as_a,
    ),
    Rule(
        "broadcast",
        Fit.PLAUSIBLE,
        (
            _TWO_SHAPES,
            reason(
                "broadcast-neither",
                a=lambda f: f.differ[0][0],
                b=lambda f: f.differ[0][1],
                when=lambda f: bool(f.differ),
            ),
        ),
        _b_anew,
        lambda f: bool(f.differ) or f.left == f.right,
        _b_conform,
    ),
)


@diagnoses("broadcast")
def broadcast(reading: Reading) -> Diagnosis:
    rows = has_batch_in_rows(reading)
    left, right = reading.shape("left"), reading.shape("right")
    if _is_in_scaler(reading) and left[:-1] == right[:-1] != ():
        return of_scaler(right[-1], left[-1])
    at = [axis for axis, sizes in enumerate(zip(left, right)) if sizes[0] != sizes[1] and 1 not in sizes]
    is_one_axis = len(left) == len(right) and len(at) == 1
    gates = _stacked_gates(reading, left[at[0]], right[at[0]], at[0]) if is_one_axis else None
    found = of_two_shapes(
        reading.framework, left, right, rows=rows, gates=gates, one_gate=_one_gate_of_sum(reading, left, right)
    )
    are_batches = len(left) == len(right) == 2 and left[1] == right[1]
    found.facts.scanned = scanned_array(reading) if are_batches else ""
    found.facts.may_scan = reading.framework == "JAX" and not reading.own
    # In training Keras subtracts the predictions from the targets.
    found.facts.at = at[0] if is_one_axis and is_of_fit(reading) else 0
    return found


def _is_in_scaler(reading: Reading) -> bool:
    """Whether the error is within a scaler of scikit-learn: by its file in the traceback, or by the line that failed."""
    failed = reading.own[-1].code if reading.own else ""
    return bool(re.search(r"sklearn[/\\]preprocessing", reading.whole) or re.search(r"\binverse_transform\(", failed))


def _one_gate_of_sum(reading: Reading, left: Shape, right: Shape) -> OneGate | None:
    """Return the weights of one gate in a sum with all gates; None if the reader's line is no sum of these."""
    if len(left) != len(right) or not left:
        return None
    smaller, larger = sorted((left, right))
    at = next((axis for axis, (a, b) in enumerate(zip(smaller, larger)) if a != b), 0)
    gates, units = _gates_and_units(smaller[at], larger[at])
    if 4 * smaller[at] == 3 * larger[at] and is_round(larger[at] // 4):
        gates, units = 4, larger[at] // 4  # the weights of a GRU beside those of an LSTM
    weights = weights_of_sum(reading, "b" if smaller == right else "a") if gates else None
    return OneGate(*weights, gates, units) if weights else None


def of_two_shapes(
    framework: str,
    left: Shape,
    right: Shape,
    *,
    rows: bool = False,
    gates: StackedGates | None = None,
    one_gate: OneGate | None = None,
) -> Diagnosis:
    """Return the diagnosis of an operation entry by entry.

    Parameters
    ----------
    framework : str
    left, right : Shape
    rows : bool
        Whether each sequence is a row.
    gates : StackedGates, optional
        Where the reader's line multiplies all gates by one state.
    one_gate : OneGate, optional
        Where the reader's line adds one gate to all gates.
    """
    differ = [(a, b) for a, b in zip(left[::-1], right[::-1]) if a != b and 1 not in (a, b)]
    facts = Facts(
        framework=framework,
        left=left,
        right=right,
        stacked_gates=gates,
        one_gate=one_gate,
        differ=differ,
        one_differs=len(left) == len(right) >= 2 and len(differ) == 1,
        scanned="",
        may_scan=False,
        at=0,
        # NumPy by hand has a column for each sequence, the others a row.
        in_columns=framework == "NumPy" and len(left) == 2 and not rows,
    )
    return Diagnosis(ENTRY_BY_ENTRY, facts, BROADCAST)


# ---- the same in PyTorch, which names one axis -------------------------------------------------

# More rows than any batch has.
FEWEST_WORDS = 1000
_ONE_AXIS = reason("broadcast-axis", "axis", "left", "right")


def _layers_of_one_size(facts: Facts) -> str:
    """Return the lines that give one of two added layers as many outputs as the other; more of them come first."""
    a, b = facts.layers
    lines = [
        (facts.left, f"{b} = nn.Linear(..., out_features={facts.left})"),
        (facts.right, f"{a} = nn.Linear(..., out_features={facts.right})"),
    ]
    return "\n".join(f"{line}   # if {size} is right" for size, line in sorted(lines, reverse=True))


BROADCAST_AXIS: Rules = (
    Rule(
        "broadcast",
        Fit.SURE,
        (_ONE_AXIS, reason("target-of-fit", "axis")),
        "layers.RepeatVector({left})   # if axis {axis} has the steps, and it makes those of the predictions\n"
        "Dense({left})   # the last layer, if axis {axis} has the outputs",
        lambda f: f.of_fit and f.axis,
    ),
    Rule(
        "shifted-targets",
        Fit.STRONG,
        (_ONE_AXIS, reason("target-steps", of_x="left", of_targets="right")),
        lambda f: advised_lines.without_a_step(f.left, f.right, "targets", "logits = logits[:, :-1]"),
        lambda f: f.of_loss and not f.of_fit and f.axis == 1 and abs(f.left - f.right) == 1,
    ),
    Rule(
        "broadcast",
        Fit.STRONG,
        (_ONE_AXIS, reason("target-of-last-step")),
        "logits = logits[:, -1]   # the last step",
        lambda f: f.of_loss and not f.of_fit and f.predicts_steps,
    ),
    Rule(
        "broadcast",
        Fit.STRONG,
        (_ONE_AXIS, reason("target-lacks-one")),
        "logits = logits.squeeze(-1)   # one prediction for each target",
        lambda f: f.of_loss and not f.of_fit and f.lacks_one,
    ),
    Rule(
        "broadcast",
        Fit.STRONG,
        (_ONE_AXIS, reason("target-has-one")),
        "targets = targets.squeeze(-1)   # one target for each prediction",
        lambda f: f.of_loss and not f.of_fit and f.has_one,
    ),
    Rule(
        "broadcast",
        Fit.LIKELY,
        (_ONE_AXIS,),
        "# predictions and targets must have one shape",
        lambda f: f.of_loss and not f.of_fit and not f.predicts_steps and not f.lacks_one and not f.has_one,
    ),
    _OF_GATES,
    Rule(
        "hidden-size",
        Fit.STRONG,
        (_ONE_AXIS, reason("broadcast-two-layers")),
        _layers_of_one_size,
        lambda f: f.layers and f.axis >= 1 and not f.of_loss,
    ),
    Rule(
        "packed",
        Fit.STRONG,
        (reason("mask-of-steps", "left", "right"),),
        "{mask} = {mask}[:, :{left}]   # as many steps as the longest sequence\n"
        "output, _ = pad_packed_sequence(packed, batch_first=True, total_length={right})   # or all {right} steps",
        lambda f: f.axis == 1 and f.mask and f.left < f.right,
    ),
    Rule(
        "checkpoint",
        Fit.LIKELY,
        (_ONE_AXIS, reason("broadcast-axis-words")),
        "nn.Embedding({right}, ...)   # if b has a row for each word",
        lambda f: f.axis == 0 and min(f.left, f.right) >= FEWEST_WORDS and not f.of_loss,
    ),
    Rule(
        "batch-size",
        Fit.LIKELY,
        (_ONE_AXIS, reason("broadcast-axis-batch")),
        "# a and b must be of the same batch",
        lambda f: f.axis == 0 and not f.is_place and not f.of_loss and not f.of_fit,
    ),
    Rule(
        "broadcast",
        Fit.LIKELY,
        (_ONE_AXIS,),
        "# what is put there must have {left} entries along axis {axis}, or 1",
        lambda f: f.is_place,
    ),
    Rule(
        "broadcast",
        Fit.LIKELY,
        (_ONE_AXIS, reason("broadcast-axis-print", when=lambda f: not f.has_own)),
        lambda f: (
            f"b = torch.zeros({f.left}{', 1' if f.axis == 0 else ''})   # if b is a bias that is added to a\n"
            "b = torch.zeros_like(a)   # if b is a state that the gate a multiplies"
            + (
                "\nb = b.T   # if b has steps and batch in the other order, such as a mask"
                if f.axis == 1 and not f.has_own
                else ""
            )
        ),
        lambda f: not f.is_place and not f.of_loss and not f.of_fit and f.axis < 2 and not f.layers,
    ),
    # Three axes are (batch, steps, features): x is added to what a layer made of it.
    Rule(
        "broadcast",
        Fit.LIKELY,
        (_ONE_AXIS, reason("broadcast-axis-features")),
        lambda f: "\n".join(
            [
                *(
                    []
                    if f.is_product
                    else [
                        advised_lines.making(f.cells, f"..., hidden_size={f.right}", "if it gives a, and b is its x"),
                        f"a + nn.Linear({f.right}, {f.left})(b)   # a projection of b; make the layer once, in __init__",
                    ]
                ),
                "a = a.unsqueeze(-1)   # if a has one number for each step, such as a weight of attention",
                "b = b.unsqueeze(-1)   # if b has it",
            ]
        ),
        lambda f: not f.is_place and not f.of_loss and not f.of_fit and f.axis >= 2,
    ),
)


# PyTorch warns of two shapes before a loss broadcasts them.
_WARNED = re.compile(
    r"target size \(torch\.Size\(\[([\d, ]{1,60})\]\)\) that is different to the input size \(torch\.Size\(\[([\d, ]{1,60})\]"
)


def _predictions_and_targets(reading: Reading) -> tuple[Shape, Shape]:
    """Return the shapes of predictions and targets by a warning above the message; without one, two empty shapes."""
    warned = _WARNED.search(reading.whole)
    targets, predictions = map(sizes_in, warned.groups()) if warned else ((), ())
    return predictions, targets


@diagnoses("broadcast_axis")
def broadcast_axis(reading: Reading) -> Diagnosis:
    sizes = {"left": reading.size("left"), "right": reading.size("right")}
    axis = reading.size("axis")
    predictions, targets = _predictions_and_targets(reading)
    facts = Facts(
        framework=reading.framework,
        axis=axis,
        is_place="expanded" in reading.message,
        of_loss="_loss" in reading.whole,
        # The targets lack the axis of steps, or the one of a single prediction.
        predicts_steps=bool(targets) and predictions[:1] + predictions[2:] == targets,
        is_product=is_product_of_entries(reading),
        has_one=bool(targets) and targets == (*predictions, 1),
        lacks_one=bool(targets) and predictions == (*targets, 1),
        layers=layers_of_sum(reading),
        has_own=bool(reading.own),
        of_fit=is_of_fit(reading),
        stacked_gates=_stacked_gates(reading, sizes["left"], sizes["right"], axis),
        mask=mask_of_product(reading),
        cells=cells_of(reading),
        **sizes,
    )
    return Diagnosis(ENTRY_BY_ENTRY, facts, BROADCAST_AXIS, sizes)


BROADCAST_NONE: Rules = (
    Rule("broadcast", Fit.PLAUSIBLE, (reason("broadcast-unsaid"),), "# print both shapes before the sum"),
)


@diagnoses("broadcast_none")
def broadcast_none(reading: Reading) -> Diagnosis:
    return Diagnosis(ENTRY_BY_ENTRY, Facts(), BROADCAST_NONE, notes=(NO_SIZES,))
