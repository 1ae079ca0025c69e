"""Two operands of the reader's line that do not match along one axis: the axes that each has by its name, and the line that fits."""

import ast
import re
from collections.abc import Callable

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.rule import Facts, Reason, Rule, Rules, always, reason
from core.shapes.rules.sums.fitting_operands import Fitting, fitting_lines
from core.shapes.rules.sums.probable_axes import FEATURES, NAMES_OF_AXES, OTHER, STEPS, written
from core.shapes.user_code.evidence import failed_operation, layers_of_sum
from core.shapes.user_code.traceback_lines import UserLine

# How much less probable another reading may be, and still stand beside the best.
_NEARLY, _NEARLY_OTHER = 0.5, 0.3
_MOST_LINES = 2
# The difference at which two readings are as probable.
_ALIKE = 0.1
# The rest of a model takes these as they are: the output of a recurrent layer, a state, and a context.
_KEPT = re.compile(r"(?:out\w*|y|o|h\w*|ctx|context)\b")
# How people name the two layers of a gate, which read one step and the state.
_OF_GATES = re.compile(r"\b[xhi]2[hig]|[xhi]h$|\b[WU]_?[xh]|\b[WUV]_?[rzifocg]$")
_PROJECTED = re.compile(r"self\.|torch\.|nn\.|F\.|(?:x|emb\w*|e|inp\w*|res\w*|g|gate\w*|[zrif])\b")


def _kind(one: Fitting) -> str:
    """Return the mistake that a fitting line mends."""
    if "nn.Linear(" in one.line or OTHER[FEATURES] in one.met:
        return "hidden-size"
    if OTHER[STEPS] in one.met or not {*one.met} <= NAMES_OF_AXES.keys():
        return "steps"
    is_turned = len(one.axes[0]) == len(one.axes[1]) and sorted(one.axes[0]) == sorted(one.axes[1])
    return "batch-first" if is_turned else "broadcast"


def _order(one: Fitting, left: int, right: int) -> int:
    """Return how little a reader would choose to project this operand: the wider one, and not an output."""
    is_of_a = f"nn.Linear({left}, {right})" in one.line
    changed, kept = one.operands if is_of_a else one.operands[::-1]
    is_wider = (left > right) == is_of_a
    several = 3 * one.line.count("nn.Linear(")
    return several + 2 * (bool(_KEPT.match(changed)) - bool(_KEPT.match(kept))) - 2 * (
        bool(_PROJECTED.match(changed)) - bool(_PROJECTED.match(kept))
    ) - is_wider  # fmt: skip


def names_of_operands(reading: Reading) -> tuple[str, str]:
    """Return the code of the predictions and the targets, or of the two operands; a and b where the text lacks the line."""
    names = own.names if (own := failed_operation(reading)) else {}
    for a, b in (("logits", "targets"), ("a", "b")):
        if a in names and b in names:
            return ast.unparse(names[a]), ast.unparse(names[b])
    return "a", "b"


def facts_of_operands(reading: Reading, axis: int, left: int, right: int) -> dict[str, object]:
    """Return the facts of `OF_OPERANDS`: what the operands may be, by the mistake, the most probable first."""
    own = failed_operation(reading)
    layers = layers_of_sum(reading) or ("", "")
    if own is not None and names_of_operands(reading) == ("a", "b") or all(map(_OF_GATES.search, layers)):
        return {"fitting": {}, "are_of_other_axes": False}  # such names tell nothing
    if (
        own is not None
        and ("b" not in own.names or "logits" in own.names)
        or not axis
        and "arange(" not in reading.own_code
    ):
        return {"fitting": {}, "are_of_other_axes": False}
    found: dict[str, list[Fitting]] = {}
    lines = fitting_lines(reading, axis, left, right, reading.operands)
    for one in lines:
        same = found.setdefault(_kind(one), [])
        most = _NEARLY if same or one is lines[0] else _NEARLY_OTHER
        if one.cost <= lines[0].cost + most and one.line not in [other.line for other in same]:
            same.append(one)
    if widths := found.get("hidden-size"):
        widths.sort(key=lambda one: _order(one, left, right))
    return {
        "fitting": {kind: same[:_MOST_LINES] for kind, same in found.items() if same},
        "is_marked": own is not None,
        "are_of_other_axes": own is not None and bool(lines) and _kind(lines[0]) in ("broadcast", "batch-first"),
    }


def lines_without_names(reading: Reading, axis: int, left: int, right: int) -> str:
    """Return lines for two operands of which the text has no names, or of three axes, each with the axes for which it is right."""
    if axis < 2 and names_of_operands(reading) != ("a", "b"):
        return ""
    unnamed = reading._replace(own=(UserLine("", 0, "a * b"),))
    found = [one for one in fitting_lines(unnamed, axis, left, right) if "nn.Linear(" not in one.line]
    lines: dict[str, str] = {}
    for one in found:
        name, new = next(pair for pair in zip("ab", one.line.split(" * ")) if pair[0] != pair[1])
        lines.setdefault(f"{name} = {new}", f"if a is {written(one.axes[0])}, and b is {written(one.axes[1])}")
    return "\n".join([f"{code}   # {when}" for code, when in lines.items()][:_MOST_LINES])


def _lines(kind: str, facts: Facts) -> str:
    lines = []
    for one in facts.fitting[kind]:
        a, b = one.operands
        if kind == "hidden-size":
            size = facts.right if f"nn.Linear({facts.left}, {facts.right})" in one.line else facts.left
            lines.append(f"{one.line}   # a projection to {size} features; make the layer once, in __init__")
        elif kind == "steps" and f":{min(facts.left, facts.right)}" in one.line:
            lines.append(f"{one.line}   # the {min(facts.left, facts.right)} steps that both have")
        else:
            lines.append(f"{one.line}   # if {a} is {written(one.axes[0])}, and {b} is {written(one.axes[1])}")
    return "\n".join(lines)


def _are_alike(found: list[Fitting]) -> bool:
    """Whether the names tell the axes of another line as well as those of the first."""
    return len(found) > 1 and found[0].axes != found[1].axes and found[1].cost < found[0].cost + _ALIKE


# The operands of a reading and their axes, under the names that the sentences give them.
_OPERANDS: dict[str, Callable[[Fitting], str]] = {
    "a": lambda one: one.operands[0],
    "b": lambda one: one.operands[1],
    "axes_a": lambda one: written(one.axes[0]),
    "axes_b": lambda one: written(one.axes[1]),
}


def _of_first(kind: str, code: str, *names: str, are_alike: bool = False) -> Reason:
    """Return the sentence about the most probable reading of a kind."""
    of_operands = {
        name: lambda f, made=_OPERANDS[name]: made(f.fitting[kind][0]) for name in names if name in _OPERANDS
    }
    return reason(
        code,
        *(name for name in names if name not in _OPERANDS),
        **of_operands,
        when=lambda f: _are_alike(f.fitting[kind]) == are_alike if kind == "broadcast" else True,
    )


def _rule(kind: str, *why: Reason) -> Rule:
    return Rule(
        kind,
        lambda f: (Fit.STRONG if f.is_marked else Fit.LIKELY) if next(iter(f.fitting)) == kind else Fit.PLAUSIBLE,
        (reason("broadcast-axis", "axis", "left", "right"), *why),
        lambda f: _lines(kind, f),
        lambda f: (
            kind in f.fitting
            and not (f.is_place or f.of_loss or f.of_fit or f.parameter or f.positions or f.with_axes)
            and not (kind == "hidden-size" and (f.layers or f.stacked_gates))
        ),
        is_own=always,
    )


_AXES = ("a", "b", "axes_a", "axes_b")

OF_OPERANDS: Rules = (
    _rule(
        "broadcast",
        _of_first("broadcast", "operands-of-other-axes", *_AXES),
        _of_first("broadcast", "operands-may-be-of-other-axes", "a", "b", are_alike=True),
    ),
    _rule("batch-first", _of_first("batch-first", "operands-of-other-order", *_AXES)),
    _rule("hidden-size", _of_first("hidden-size", "operands-of-other-features", "a", "b", "left", "right")),
    _rule("steps", _of_first("steps", "operands-of-other-steps", "a", "b", "left", "right")),
)
