"""The mask of a masked_fill that has other steps than the array, or an axis less."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.read_layer import is_power
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import expression

_SCORES = re.compile(r"(?:score|attn|att|energy|energies|\be|weights|logits|align)\w{0,10}\.masked_fill")


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


def _name_of_mask(reading: Reading) -> str:
    """Return the reader's name of the mask, or mask if the line has none."""
    given = [call.args[0] for call in calls_of_line(reading, "masked_fill", "masked_fill_") if call.args]
    return ast.unparse(given[0]) if len(given) == 1 and is_stored(given[0]) else "mask"


def _masks_with_axes(reading: Reading, axis: int) -> list[str]:
    """Return the reader's masked_fill with a mask of (batch, steps) that has one more axis, or two for several heads."""

    def indexed(index: str) -> str:
        def change(call: ast.Call) -> None:
            call.args[0] = expression(f"({ast.unparse(call.args[0])}){index}")

        return changed_call(reading, ("masked_fill", "masked_fill_"), change)

    ways = {".unsqueeze(-1)": "steps, 1", ".unsqueeze(1)": "steps, steps"} if axis == 1 else {}
    if axis == 2:
        of_scores = {"[:, None, None]": "heads, steps, steps"}
        of_features = {".unsqueeze(-1)": "steps, features"}
        ways = of_scores | of_features if _SCORES.search(reading.own_code) else of_features | of_scores
    return [
        f"{line}   # if the mask is (batch, steps), and the array is (batch, {axes})"
        for index, axes in ways.items()
        if (line := indexed(index))
    ]


def facts_of_mask(reading: Reading, axis: int, left: int, right: int) -> dict[str, object]:
    """Return the facts of `FILLED_MASKS`."""
    fills = "masked_fill" in reading.code
    # masked_fill_ names the array first, and masked_fill the mask.
    filled, filled_by = (left, right) if "masked_fill_(" in reading.whole else (right, left)
    return {
        "fills_mask": fills,
        "filled": filled,
        "filled_by": filled_by,
        "filler": _name_of_mask(reading),
        "with_axes": _masks_with_axes(reading, axis) if fills else [],
    }
