"""The mask of a masked_fill that has other steps than the array, or an axis less."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.read_layer import is_power
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import calls_of_line, failed_operation
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import root_of

_SCORES = re.compile(r"(?:(?:score|attn|att|energy|energies|weights|logits|align)\w{0,10}|\b[es])\.masked_fill")
# Code that gives the scores of attention.
_PRODUCT = re.compile(r" @ |matmul\(|bmm\(|einsum\(|score|energ|logits|align")
# How many heads an attention has.
_HEADS = (2, 4, 8, 12, 16)


def _lacks_axis(facts: Facts) -> bool:
    """Whether the mask rather lacks an axis: it is seldom shorter than its array, and a batch is rather a power of two."""
    is_batch = is_power(facts.filled_by) and not is_power(facts.filled)
    return bool(facts.with_axes) and (facts.filled > facts.filled_by or is_batch)


def _mask_of_array(facts: Facts) -> str:
    """Return the lines that give a mask the axes or the steps of the array that it fills, the likelier first."""
    shorter = f"{facts.filler} = {facts.filler}[..., :{facts.filled}]   # if both have as many axes, and the first {facts.filled} steps are those of the array"
    if facts.filled >= facts.filled_by:
        shorter = f"# if both have as many axes: make the mask from the sequences of this array, {facts.filled} steps"
    lines = [*facts.with_axes, shorter]
    return "\n".join(lines if _lacks_axis(facts) else lines[::-1])


def _rule(mistake: str, *, lacks_axis: bool) -> Rule:
    return strong(
        mistake,
        (
            reason("broadcast-axis", "axis", "left", "right"),
            reason("mask-of-other-steps", array="filled", mask="filled_by"),
        ),
        _mask_of_array,
        lambda f: f.fills_mask and _lacks_axis(f) == lacks_axis,
        is_own=lambda f: f.with_axes,
    )


FILLED_MASKS: Rules = (_rule("broadcast", lacks_axis=True), _rule("steps", lacks_axis=False))


def _mask_of_line(reading: Reading, axis: int) -> ast.expr | None:
    """Return the mask that the reader's line gives a masked_fill, or adds to the scores of attention; None if it has none."""
    given = [call.args[0] for call in calls_of_line(reading, "masked_fill", "masked_fill_") if call.args]
    own = failed_operation(reading)
    if axis < 3 and own is not None and isinstance(own.node, ast.BinOp) and isinstance(own.node.op, ast.Add):
        pairs = ((own.node.left, own.node.right), (own.node.right, own.node.left))
        given += [
            mask
            for mask, scores in pairs
            if "mask" in ast.unparse(root_of(mask)) and _PRODUCT.search(ast.unparse(scores))
        ]
    return given[0] if len(given) == 1 else None


def _masks_with_axes(reading: Reading, mask: ast.expr, axis: int, size: int) -> list[str]:
    """Return the reader's line with a mask of (batch, steps) that has one more axis, or two for several heads."""

    def indexed(index: str) -> str:
        return line_with(reading, mask, f"({ast.unparse(mask)}){index}")

    is_of_scores = bool(_SCORES.search(reading.own_code)) or "masked_fill" not in reading.own_code
    if axis == 1 and size in _HEADS and is_of_scores:
        lines = [f"{indexed('.unsqueeze(1)')}   # the same mask for each of {size} heads, if axis 1 has the heads"]
        return [
            *lines,
            f"{indexed('.unsqueeze(-1)')}   # if the mask is (batch, steps), and the array is (batch, steps, 1)",
        ]
    call = next(iter(calls_of_line(reading, "masked_fill", "masked_fill_")), None)
    filled = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
    squeezed = []
    if axis == 1 and is_of_scores and filled is not None and is_stored(filled):
        new = line_with(reading, filled, f"{ast.unparse(filled)}.squeeze(-1)")
        squeezed = [f"{new}   # if the array is (batch, steps, 1), and the weights are to be (batch, steps)"]
    ways = {".unsqueeze(-1)": "steps, 1", ".unsqueeze(1)": "steps, steps"} if axis == 1 else {}
    if axis == 2:
        of_scores = {"[:, None, None]": "heads, steps, steps"}
        of_features = {".unsqueeze(-1)": "steps, features"}
        ways = of_scores | of_features if is_of_scores else of_features | of_scores
    return squeezed + [
        f"{line}   # if the mask is (batch, steps), and the array is (batch, {axes})"
        for index, axes in ways.items()
        if (line := indexed(index))
    ]


def facts_of_mask(reading: Reading, axis: int, left: int, right: int) -> dict[str, object]:
    """Return the facts of `FILLED_MASKS`."""
    mask, own = _mask_of_line(reading, axis), failed_operation(reading)
    fills = "masked_fill" in reading.code
    # masked_fill_ names the array first, and masked_fill the mask.
    is_first = "masked_fill_(" not in reading.whole if fills or own is None else mask is own.names.get("a")
    filled, filled_by = (right, left) if is_first else (left, right)
    return {
        "fills_mask": fills or mask is not None,
        "filled": filled,
        "filled_by": filled_by,
        "filler": ast.unparse(mask) if mask is not None and is_stored(mask) else "mask",
        "with_axes": _masks_with_axes(reading, mask, axis, filled) if mask is not None else [],
    }
