"""Arrays that expand or expand_as gives the sizes of another one, such as the state of an encoder and a mask."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading, shape
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.user_code.changed_calls import changed_call, expression
from core.shapes.user_code.evidence import nodes_of_line
from core.shapes.user_code.operations import function_of, is_stored, root_of

_SIZES = reason("broadcast-axis", "axis", "left", "right")
# A size that stays as it is has -1 in the message; no assignment has one.
_BOTH = re.compile(r"[^T]{0,60}Target sizes: (\[[\d, -]{1,80}\])\.\s{0,3}Tensor sizes: (\[[\d, ]{1,80}\])")
_TARGET = re.compile(r"Target sizes: \[[^\]]{0,80}-1")

EXPANDED: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (_SIZES, reason("expanded-lacks-axis", "expanded", at="lacked")),
        lambda f: f.with_axis or f"{f.expanded} = {f.expanded}.unsqueeze({f.lacked})   # before expand: an axis of 1",
        lambda f: f.lacked > 0,
        is_own=lambda f: f.with_axis,
    ),
    Rule(
        "batch-size",
        Fit.STRONG,
        (_SIZES, reason("beam-search")),
        "b = b.index_select(0, order)   # order: which sequences the search keeps; fairseq gives it to reorder_encoder_out",
        lambda f: f.of_beam,
    ),
    Rule(
        "steps",
        Fit.STRONG,
        (_SIZES, reason("mask-expanded", "expanded", array="left", mask="right")),
        "{expanded} = torch.arange({left})[:, None] < lengths   # if axis 0 has the steps: a mask of as many steps as the array\n"
        "# or give the predictions the {right} steps of the targets",
        lambda f: f.of_mask and f.axis == 0 and f.left > f.right and not f.of_beam,
    ),
    Rule(
        "batch-size",
        Fit.STRONG,
        (_SIZES, reason("expanded-for-other-batch", "expanded", wanted="left", got="right")),
        "# give {expanded} and the array whose size is read the same batch: {right} or {left} sequences",
        lambda f: f.is_expanded and f.axis == 0 and not (f.of_beam or f.of_mask or f.lacked),
    ),
)


def _lacked_axis(reading: Reading) -> int:
    """Return the axis that an array lacks beside the sizes it is expanded to; 0 if none does, or if the message has no sizes."""
    found = _BOTH.search(reading.after)
    target, given = map(shape, found.groups()) if found else ((), ())
    places = [at for at in range(1, len(target)) if (*target[:at], *target[at + 1 :]) == given]
    return places[0] if places and len(set(given)) == len(given) else 0


def _with_axis(reading: Reading, at: int) -> str:
    """Return the reader's line with an axis of 1 at this place before expand; empty if it has no such call."""

    def widened(call: ast.Call) -> None:
        if isinstance(call.func, ast.Attribute):
            call.func.value = expression(f"{ast.unparse(call.func.value)}.unsqueeze({at})")

    return changed_call(reading, ("expand", "expand_as"), widened) if at else ""


def facts_of_expanded(reading: Reading, axis: int, left: int, right: int) -> Facts:
    """Return what the rules for an array that is expanded refer to."""
    of_call = "expanded" in reading.message
    found = [
        root_of(node.func.value)
        for node in nodes_of_line(reading)
        if function_of(node) in ("expand", "expand_as")
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
    ]
    name = ast.unparse(found[0]) if len(found) == 1 and is_stored(found[0]) else ""
    lacked = _lacked_axis(reading) if of_call else 0
    is_smaller = axis == 0 and of_call and left < right
    return Facts(
        is_expanded=of_call and bool(name or _TARGET.search(reading.whole)),
        expanded=name or "b",
        lacked=lacked,
        with_axis=_with_axis(reading, lacked),
        of_mask=of_call and "mask" in name,
        of_beam=is_smaller
        and bool(
            re.search(
                r"\bbeam|fairseq-generate|sequence_generator|reorder_encoder_out|encoder\w{0,30}\.unsqueeze\(1\)\.expand\(",
                reading.whole,
            )
        ),
    )
