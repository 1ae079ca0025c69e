"""Sums and products entry by entry, of which the message names one axis.

PyTorch says ``The size of tensor a (5) must match the size of tensor b (7) at non-singleton dimension 1``. Here `left` is 5, `right`
is 7, and `axis` is 1. Each group of rules has a function that reads the facts of its rules; `_FACTS` lists these functions.
"""

import ast
import re
from typing import Any

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import lacks_steps
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.axes.expanded import EXPANDED, facts_of_expanded
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.layers.attention_masks import AXIS_OF_FOUR, is_of_scores
from core.shapes.rules.layers.positional_encodings import OF_PLACES, facts_of_places
from core.shapes.rules.read_layer import cells_of, is_round
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, always, diagnoses, first_of, reason, rules_of
from core.shapes.rules.sums.compared_losses import OF_LOSS, facts_of_loss, predictions_and_targets, without_more_steps
from core.shapes.rules.sums.elementwise import ENTRY_BY_ENTRY
from core.shapes.rules.sums.masked_fill import FILLED_MASKS, facts_of_mask
from core.shapes.rules.sums.own_operands import OF_OPERANDS, facts_of_operands, lines_without_names, names_of_operands
from core.shapes.rules.sums.stacked_gates import (
    OF_GATES,
    OF_WEIGHTS_FOR_THREE,
    gates_and_units,
    gates_from_weights_for_three,
    stacked_gates,
)
from core.shapes.rules.sums.sums_by_line import OF_LINE, facts_of_line
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import (
    failed_operation,
    is_loss,
    is_number_of_steps,
    is_of_fit,
    is_product_of_entries,
    layers_of_sum,
    takes_last_step,
)
from core.shapes.user_code.index_lines import step_on_other_axis
from core.shapes.user_code.operands import (
    is_sum_of_entries,
    mask_of_product,
    only_mask,
    parameter_of_entries,
    state_of_sum,
)

NO_SIZES = Statement("no-sizes")


# Convolutions, or data of five axes: (batch, steps, channels, rows, columns).
_IMAGES = re.compile(r"[Cc]onv|\bimg|image|\brandn?\((?:\d{1,4}, ?){4}\d")
# More rows than any batch has.
FEWEST_WORDS = 1000
_BIAS = re.compile(r"(?:b|bias)(?:_\w+)?$")
_ONE_AXIS = reason("broadcast-axis", "axis", "left", "right")


def _layers_of_one_size(facts: Facts) -> str:
    """Return the lines that give one of two added layers as many outputs as the other; more of them come first."""
    a, b = facts.layers
    lines = [
        (facts.left, f"{b} = nn.Linear(..., out_features={facts.left})"),
        (facts.right, f"{a} = nn.Linear(..., out_features={facts.right})"),
    ]
    return "\n".join(f"{line}   # if {size} is right" for size, line in sorted(lines, reverse=True))


def _is_of_two_directions(facts: Facts) -> bool:
    """Whether one factor, or term, has the features of two directions and the other those of one."""
    smaller, larger = sorted((facts.left, facts.right))
    is_of_features = facts.axis >= 2 or facts.axis == 1 and facts.has_own
    is_other = facts.fills_mask or facts.is_place or facts.of_loss or facts.of_fit or facts.layers
    return larger == 2 * smaller and is_round(smaller) and is_of_features and not is_other


def _both_directions(facts: Facts) -> str:
    """Return the lines that add both directions, or make the layer of one direction."""
    name, smaller = ("a", facts.right) if facts.left > facts.right else ("b", facts.left)
    added = f"{name} = {name}.reshape(*{name}.shape[:-1], 2, {smaller}).sum(-2)   # the sum of both directions"
    one = advised_lines.making(facts.cells, "..., bidirectional=False", f"one direction of {smaller} units")
    return f"{added}\n{one}"


def _of_other_sizes(facts: Facts) -> str:
    """Return the lines for two operands whose names tell nothing of their axes."""
    lines = []
    if facts.gates:
        name = "a" if facts.left > facts.right else "b"
        of_gate = f"{name} = {name}.chunk({facts.gates}, dim=-1)[0]"
        lines.append(f"{of_gate}   # if it holds all {facts.gates} gates: the one that is meant")
    # Three axes are (batch, steps, features): x is added to what a layer made of it.
    if facts.axis == 2 and not facts.is_product:
        made = advised_lines.making(facts.cells, f"..., hidden_size={facts.right}", "if it gives a, and b is its x")
        projection = f"a + nn.Linear({facts.right}, {facts.left})(b)"
        lines += [made, f"{projection}   # a projection of b; make the layer once, in __init__"]
    if facts.is_sum and facts.b != "b" and _BIAS.match(facts.b):
        lines.append(f"{facts.b} = torch.zeros({facts.left})   # if {facts.b} is a bias that is added to {facts.a}")
    rest = f"# {facts.a} and {facts.b} must have the same size along axis {facts.axis}, or one of them the size 1"
    if (facts.a, facts.b) == ("a", "b") and facts.axis < 2:
        rest = "b = torch.zeros_like(a)   # if b is a state that the gate a multiplies"
        lines += [facts.without_names] * bool(facts.without_names)
    elif facts.without_names:
        rest = facts.without_names
    return "\n".join([*lines, rest])


BROADCAST_AXIS: Rules = (
    OF_WEIGHTS_FOR_THREE,
    *OF_PLACES,
    *OF_LINE,
    sure(
        "broadcast",
        (_ONE_AXIS, reason("target-of-fit", "axis")),
        "layers.RepeatVector({left})   # if axis {axis} has the steps, and it makes those of the predictions\n"
        "Dense({left})   # the last layer, if axis {axis} has the outputs",
        lambda f: f.of_fit and f.axis,
    ),
    *OF_LOSS,
    OF_GATES,
    *FILLED_MASKS,
    strong(
        "hidden-size",
        (_ONE_AXIS, reason("broadcast-two-layers")),
        _layers_of_one_size,
        lambda f: f.layers and f.axis >= 1 and not (f.of_loss or f.are_of_other_axes),
    ),
    strong(
        "packed",
        reason("mask-of-steps", "left", "right"),
        "{mask} = {mask}[:, :{left}]   # as many steps as the longest sequence\n"
        "output, _ = pad_packed_sequence(packed, batch_first=True, total_length={right})   # or all {right} steps",
        lambda f: f.axis == 1 and f.mask and f.left < f.right and not f.are_of_other_axes,
    ),
    *EXPANDED,
    likely(
        "checkpoint",
        (_ONE_AXIS, reason("broadcast-axis-words")),
        "nn.Embedding({right}, ...)   # if b has a row for each word",
        lambda f: f.axis == 0 and min(f.left, f.right) >= FEWEST_WORDS and not (f.of_loss or f.is_expanded),
    ),
    strong(
        "batch-size",
        (_ONE_AXIS, reason("state-of-other-batch", "state")),
        lambda f: (
            f"{f.step_of_x}\n" * bool(f.step_of_x)
            + f"{f.state} = torch.zeros({f.batch}, *{f.state}.shape[1:])   # if a new sequence begins: a state for this batch"
            + "\n# if a loop takes its steps from an array whose first axis is the batch: loop over array.transpose(0, 1)"
            * (not f.step_of_x)
        ),
        lambda f: f.axis == 0 and f.state,
    ),
    strong(
        "batch-first",
        (_ONE_AXIS, reason("step-may-be-sequence")),
        "{step}",
        lambda f: f.step and not f.is_place,
        is_own=always,
    ),
    likely(
        "batch-size",
        (
            _ONE_AXIS,
            reason("loss-lost-batch", "a", "b", when=lambda f: f.of_loss),
            reason("broadcast-axis-batch", when=lambda f: not f.of_loss),
        ),
        lambda f: (
            f"# {f.a} and {f.b} must be of the same batch"
            + ": where each is made, a sum or a mean leaves out the features, dim=-1, and not the batch" * f.of_loss
        ),
        lambda f: (
            f.axis == 0
            and not (f.is_place or f.of_fit or f.state or f.fitting)
            and not (f.predicts_steps or f.lacks_one or f.has_one)
        ),
    ),
    likely(
        "broadcast",
        (_ONE_AXIS, reason("slice-past-end", when=lambda f: f.left == f.right + 1 > 2)),
        lambda f: (
            f"start = random.randrange(len(data) - {f.left})   # if it is a window at a random start: it ends within the data\n"
            * (f.left == f.right + 1 > 2 and f.axis == 0)
            + f"# what is put there must have {f'{f.left} entries' if f.left > 1 else 'one entry'} along axis {f.axis}"
            + ", or 1" * (f.left > 1)
        ),
        lambda f: f.is_place and f.right and not f.put and not (f.lacked or f.axis == 0 and f.is_expanded),
    ),
    Rule(
        "broadcast",
        # A sum of x and the output tells no more of two directions than of another number of units.
        lambda f: Fit.STRONG if f.axis == 2 and f.is_sum and _is_of_two_directions(f) else Fit.LIKELY,
        (
            _ONE_AXIS,
            reason("broadcast-axis-print", when=lambda f: not f.has_own and f.axis < 2),
            reason("broadcast-axis-features", when=lambda f: f.axis == 2),
            reason("may-be-gates", "gates", larger=lambda f: max(f.left, f.right), when=lambda f: f.gates),
        ),
        _of_other_sizes,
        lambda f: (
            not (f.is_place or f.of_loss or f.of_fit or f.fills_mask or f.fitting or f.halved)
            and f.axis <= 2
            and not (f.parameter if f.axis == 2 else f.layers)
        ),
    ),
    Rule(
        "hidden-size",
        lambda f: Fit.STRONG if f.axis >= 2 else Fit.LIKELY,
        (
            _ONE_AXIS,
            reason(
                "broadcast-two-directions",
                larger=lambda f: max(f.left, f.right),
                smaller=lambda f: min(f.left, f.right),
            ),
        ),
        _both_directions,
        _is_of_two_directions,
    ),
    strong(
        "input-size",
        (_ONE_AXIS, reason("parameter-of-other-features", name="parameter")),
        lambda f: (
            f"{f.parameter} = nn.Parameter(torch.{'zeros' if re.search('bias|beta', f.parameter) else 'ones'}({f.of_x}))"
            "   # where the layer is made: for as many features as x has"
        ),
        lambda f: f.parameter,
    ),
    *OF_OPERANDS,
    *AXIS_OF_FOUR,
)


# A size of 0 is that of an empty slice, and no layer is made for it.
EMPTY_OPERAND: Rules = first_of(
    sure(
        "layers-directions",
        (_ONE_AXIS, reason("slice-is-empty", name="empty"), reason("slices-of-directions")),
        lambda f: (
            advised_lines.making(f.cells, "..., bidirectional=True", "if both directions are meant")
            + f"\n{f.without_empty}   # for one direction"
        ),
        lambda f: f.without_empty,
    ),
    strong(
        "indexing",
        (_ONE_AXIS, reason("slice-is-empty", name="empty")),
        "# {empty} must have entries along axis {axis}: print the shape of what it is taken from",
    ),
)


def _of_empty(reading: Reading, axis: int, left: int, right: int) -> Diagnosis | None:
    """Return the diagnosis of an operand without entries, such as the slice of a second direction; None if both have some."""
    if left and right or "expanded" in reading.message:
        return None
    own = failed_operation(reading)
    names, node = (own.names, own.node) if own is not None and {"a", "b"} <= own.names.keys() else ({}, None)
    parts = [names[name] for name in ("ab" if left else "ba") if names]
    arrays = {ast.unparse(one.value) if isinstance(one, ast.Subscript) else ast.unparse(one) for one in parts}
    without = line_with(reading, node, ast.unparse(parts[0])) if isinstance(node, ast.expr) else ""
    facts = Facts(
        axis=axis,
        left=left,
        right=right,
        empty=ast.unparse(parts[1]) if parts else "one array",
        without_empty=without if len(arrays) == 1 else "",
        cells=cells_of(reading),
    )
    return Diagnosis(ENTRY_BY_ENTRY, facts, EMPTY_OPERAND, {"left": left, "right": right})


def _compares_with_targets(reading: Reading) -> bool:
    """Whether the reader's line subtracts targets from predictions, or compares them, by their names."""
    own = failed_operation(reading)
    return own is not None and "logits" in own.names and isinstance(own.node, ast.BinOp | ast.Compare)


def _facts_of_targets(reading: Reading, axis: int, left: int, right: int) -> dict[str, Any]:
    """Return what a loss compares: ``mse(pred, y)``, or ``((pred - y) ** 2).mean()``."""
    predictions, targets = predictions_and_targets(reading)
    own = failed_operation(reading)
    names_loss = "_loss" in reading.below_own or is_loss(reading) or _compares_with_targets(reading)
    return {
        "of_loss": names_loss or bool(predictions),
        "of_fit": is_of_fit(reading),
        "compares": own is not None and isinstance(own.node, ast.Compare),
        "predictions": predictions,
        "targets": targets,
        **facts_of_loss(reading, axis),
        # The targets lack the axis of steps, or the one of a single prediction.
        "predicts_steps": lacks_steps(targets, predictions),
        "has_one": bool(targets) and targets == (*predictions, 1),
        "lacks_one": bool(targets) and predictions == (*targets, 1),
        "more_steps": without_more_steps(reading, left, right) if axis == 1 else "",
        "of_steps": is_number_of_steps(reading, right),
        "takes_last": takes_last_step(reading) or bool(re.search(r"\[(?::, ?)?-1\b", reading.own_code)),
    }


def _facts_of_parameter(reading: Reading, axis: int, left: int, right: int) -> dict[str, Any]:
    """Return a parameter of a layer in the line, such as ``self.gamma * x``, and the size of the other operand."""
    parameter, of_left = parameter_of_entries(reading)
    is_of_axis = axis >= 2 or re.search(r"\.b(?:_|$)|bias", parameter)
    return {"parameter": parameter if is_of_axis else "", "of_x": right if of_left else left}


def _facts_of_terms(reading: Reading, axis: int, left: int, right: int) -> dict[str, Any]:
    """Return what a sum of two layers adds, such as ``self.W(x) + self.U(h)``, and all gates beside one."""
    state, is_left = state_of_sum(reading) if axis == 0 else ("", False)
    return {
        "is_product": is_product_of_entries(reading),
        "is_sum": is_sum_of_entries(reading),
        "layers": layers_of_sum(reading),
        "state": state,
        "batch": right if is_left else left,
        "gates": 0 if reading.own or not axis else gates_and_units(left, right)[0],
        "step": step_on_other_axis(reading) if axis == 0 and not predictions_and_targets(reading)[0] else "",
        "stacked_gates": stacked_gates(reading, left, right, axis),
        "cell_units": gates_from_weights_for_three(reading, left, right) if axis else 0,
        "cells": cells_of(reading),
    }


def _mask(reading: Reading) -> str:
    """Return the mask that the reader's line multiplies by; of a text with packed sequences, its only mask."""
    # Without the line that failed, a packed sequence in the text tells as well.
    is_unsaid = not reading.own and re.search(r"pad_packed_sequence|pack_padded_sequence", reading.whole)
    packs = re.search(r"\bpack(?:ed)?(?:_|\b)", reading.whole)
    return mask_of_product(reading) or ("mask" if is_unsaid else "") or (only_mask(reading) if packs else "")


def _facts_of_text(reading: Reading, axis: int, left: int, right: int) -> dict[str, Any]:
    """Return the names of the two operands, and what the whole text is about."""
    a, b = names_of_operands(reading)
    return {
        "a": a,
        "b": b,
        "mask": _mask(reading),
        "has_own": bool(reading.own),
        "of_images": bool(_IMAGES.search(reading.whole)),
        "of_scores": is_of_scores(reading),
        "without_names": lines_without_names(reading, axis, left, right),
    }


# Each takes the reading, the axis and both sizes, and returns facts by their names.
_FACTS = (
    _facts_of_targets,
    _facts_of_parameter,
    _facts_of_terms,
    _facts_of_text,
    facts_of_mask,
    facts_of_line,
    facts_of_operands,
    facts_of_places,
    facts_of_expanded,
)


def _sizes(reading: Reading) -> tuple[int, int]:
    """Return the two sizes of the message; those of predictions first, also in ``y - pred``."""
    left, right = reading.size("left"), reading.size("right")
    own = failed_operation(reading)
    is_reverse = own is not None and "logits" in own.names and own.names["logits"] is own.names.get("b")
    return (right, left) if is_reverse else (left, right)


@diagnoses("broadcast_axis")
def broadcast_axis(reading: Reading) -> Diagnosis:
    axis, (left, right) = reading.size("axis"), _sizes(reading)
    if found := _of_empty(reading, axis, reading.size("left"), reading.size("right")):
        return found
    facts = Facts(framework=reading.framework, axis=axis, left=left, right=right)
    for facts_of in _FACTS:
        vars(facts).update(facts_of(reading, axis, left, right))
    return Diagnosis(ENTRY_BY_ENTRY, facts, BROADCAST_AXIS, {"left": left, "right": right})


BROADCAST_NONE: Rules = rules_of(
    "broadcast_none",
    ENTRY_BY_ENTRY,
    plausible("broadcast", "broadcast-unsaid", "# print both shapes before the sum"),
    notes=(NO_SIZES,),
)
