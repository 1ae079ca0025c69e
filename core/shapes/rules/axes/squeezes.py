"""Axes that a squeeze removes, which must have size 1."""

import ast
import re

from core.shapes.layer_shapes import format_shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.syntax_trees import expression, give

# The array of a squeeze in a node of TensorFlow.
_GIVEN = re.compile(r"Squeeze\w{0,3}\[.{1,200}?with input shapes: (\[[\d?,]{1,60}\])")


def _squeezed_at(reading: Reading, axis: int) -> str:
    """Return the reader's line with another axis in its squeeze; empty if it has no such call."""

    def changed(call: ast.Call) -> None:
        give(call, expression(str(axis)), "axis", "dim", at=-1)

    return changed_call(reading, ("squeeze",), changed)


SQUEEZE: Rules = (
    strong(
        "reshape",
        "squeeze-of-more",
        "x = x.squeeze()   # all axes of size 1, and no other\nx = x[..., 0]   # if the first entry of the last axis is meant",
        own="lines",
    ),
)


@diagnoses("squeeze")
def squeeze(reading: Reading) -> Diagnosis:
    """Diagnose an axis of more entries, by the sizes in the message or without them."""
    given = _GIVEN.search(reading.whole)
    sizes = shape(given[1]) if given else ()
    # From the end, because a batch of one has an axis of 1 too.
    ones = [at - len(sizes) for at, size in enumerate(sizes) if size == 1][::-1]
    if not sizes and reading.own:
        ones = [-1]
    lines = [
        f"{line}   # the axis of size 1 in {format_shape(sizes)}" for at in ones if (line := _squeezed_at(reading, at))
    ]
    if not sizes:
        lines = [f"{one.partition('   # ')[0]}   # if the last axis has size 1" for one in lines]
    return Diagnosis("axis", Facts(lines="\n".join(lines)), SQUEEZE)
