"""Arrays that expand or repeat gives more entries, such as the state of an encoder and a mask."""

import ast
import re
from collections.abc import Callable

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import attribute_of, expression, root_of

_SIZES = reason("broadcast-axis", "axis", "left", "right")
# A size that stays as it is has -1 in the message; no assignment has one.
_BOTH = re.compile(r"[^T]{0,60}Target sizes: (\[[\d, -]{1,80}\])\.\s{0,3}Tensor sizes: (\[[\d, ]{1,80}\])")
_TARGET = re.compile(r"Target sizes: \[[^\]]{0,80}-1")

EXPANDED: Rules = (
    sure(
        "indexing",
        (_SIZES, reason("assign-nothing")),
        "# print what is put there, and what it is made of: it must have {left} entries along axis {axis}",
        lambda f: f.is_place and f.right == 0,
    ),
    sure(
        "unbatched",
        (_SIZES, reason("expanded-lacks-axis", "expanded", at="lacked")),
        "{expanded} = {expanded}.unsqueeze({lacked})   # before expand: an axis of 1",
        lambda f: f.lacked > 0,
        own="with_axis",
    ),
    strong(
        "batch-size",
        (_SIZES, reason("expanded-for-other-batch", "expanded", wanted="left", got="right")),
        "# give {expanded} and the array whose size is read the same batch: {right} or {left} sequences",
        lambda f: f.is_expanded and f.axis == 0 and not f.lacked,
    ),
)


def _target_and_given(reading: Reading) -> tuple[Shape, Shape]:
    found = _BOTH.search(reading.after)
    return (shape(found[1]), shape(found[2])) if found else ((), ())


def _lacked_axis(target: Shape, given: Shape) -> int:
    """Return the axis that an array lacks beside the sizes it is expanded to; 0 if none does, or if the message has no sizes."""
    places = [at for at in range(1, len(target)) if (*target[:at], *target[at + 1 :]) == given]
    return places[0] if places and len(set(given)) == len(given) else 0


def _with_axis(reading: Reading, at: int) -> str:
    """Return the reader's line with an axis of 1 at this place before expand; empty if it has no such call."""

    def widened(call: ast.Call) -> None:
        if isinstance(call.func, ast.Attribute):
            call.func.value = expression(f"{attribute_of(call.func.value, 'unsqueeze')}({at})")

    return changed_call(reading, ("expand", "expand_as"), widened) if at else ""


def facts_of_expanded(reading: Reading, axis: int, left: int, right: int) -> dict[str, object]:
    """Return what the rules for an array that is expanded refer to."""
    of_call = "expanded" in reading.message
    found = [
        root_of(node.func.value)
        for node in calls_of_line(reading, "expand", "expand_as")
        if isinstance(node.func, ast.Attribute)
    ]
    name = ast.unparse(found[0]) if len(found) == 1 and is_stored(found[0]) else ""
    target, given = _target_and_given(reading) if of_call else ((), ())
    lacked = _lacked_axis(target, given)
    return {
        "is_expanded": of_call and bool(name or _TARGET.search(reading.whole)),
        "expanded": name or "b",
        "lacked": lacked,
        "with_axis": _with_axis(reading, lacked),
    }


REPEAT_RANK: Rules = first_of(
    strong(
        "unbatched",
        (reason("repeat-axes"), reason("repeat-of-steps")),
        lambda f: "\n".join(f.at_each_step),
        lambda f: f.at_each_step,
        is_own=lambda f: f.at_each_step,
    ),
    strong(
        "unbatched",
        (reason("repeat-axes"), reason("repeat-of-state")),
        "x = x[-1]   # the last layer, if x is h_n, (layers × directions, batch, units)\n"
        "x = x.squeeze(0)   # if its first axis is 1",
    ),
)


@diagnoses("repeat_rank")
def repeat_rank(reading: Reading) -> Diagnosis:
    """Diagnose a repeat that gives fewer numbers than the array has axes: one number is most often that of the steps."""

    def repeated(axis: int) -> Callable[[ast.Call], None]:
        def change(call: ast.Call) -> None:
            call.func = expression(f"{ast.unparse(call.func).removesuffix('.repeat')}.unsqueeze({axis}).repeat")
            call.args = [expression("1"), *call.args] if axis else [*call.args, expression("1")]
            call.args.append(expression("1"))

        return change

    calls = [one for one in calls_of_line(reading, "repeat") if isinstance(one.func, ast.Attribute)]
    is_one = len(calls) == 1 and len(calls[0].args) == 1
    ways = {1: "(batch, units), the same at each step, with batch_first", 0: "or without batch_first"} if is_one else {}
    lines = [f"{changed_call(reading, ('repeat',), repeated(axis))}   # {way}" for axis, way in ways.items()]
    return Diagnosis("axis", Facts(at_each_step=lines), REPEAT_RANK)
