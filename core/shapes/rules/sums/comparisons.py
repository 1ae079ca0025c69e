"""Predictions and targets that the reader's line subtracts or compares entry by entry."""

import ast
import re

from core.shapes.layer_shapes import Shape, differing_axes, lacks_steps
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, always, reason
from core.shapes.user_code.evidence import nodes_of_line
from core.shapes.user_code.syntax_trees import with_code

# How people name what a model predicts, and what it should.
_COMPARED = re.compile(r"pred|hat|out(?:put)?s?\b|forecast|logits|target|label|true|truth|\by\w{0,10}", re.IGNORECASE)
_PREDICTED = re.compile(r"pred|hat\b|out(?:put)?s?\b|forecast|recon", re.IGNORECASE)


def _first_of(facts: Facts) -> str:
    return f"{facts.line}   # the first {facts.fewer} of the longer one, if they belong together"


LACKS_STEPS = strong(
    "return-sequences",
    reason("one-lacks-steps", "longer", "shorter"),
    lambda f: f"{f.line}   # the last step; or return_sequences=False in the last recurrent layer of Keras",
    is_own=always,
)


COMPARED: Rules = (
    strong(
        "batch-size",
        (reason("broadcast-shapes", "left", "right"), reason("compared-samples")),
        _first_of,
        lambda f: f.axis == 0,
        is_own=always,
    ),
    strong(
        "steps",
        (reason("broadcast-shapes", "left", "right"), reason("sum-of-other-steps", left="left[1]", right="right[1]")),
        lambda f: (
            f"layers.RepeatVector({f.steps})   # in the model, if it makes the steps of {f.predicted}\n{_first_of(f)}"
        ),
        lambda f: f.predicted,
        is_own=always,
    ),
    strong(
        "broadcast",
        (reason("broadcast-shapes", "left", "right"), reason("compared-columns")),
        _first_of,
        lambda f: f.axis > 0 and not f.predicted,
        is_own=always,
    ),
)


def of_compared(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of predictions and targets of which one has more samples or columns; None if the line has none."""
    if found := _of_steps_and_vectors(reading, left, right):
        return found
    differ = differing_axes(left, right)
    if reading.framework == "PyTorch" or len(left) != len(right) or len(differ) != 1 or not reading.own:
        return None
    axis = differ[0]
    of_steps = axis == 1 < len(left) - 1
    if axis not in (0, 1, len(left) - 1) or 1 in (left[axis], right[axis]):
        return None
    pairs = [pair for node in nodes_of_line(reading) if (pair := _pair(node))]
    # Neither is a bias if both have three axes, so one name tells enough.
    named = [[bool((_PREDICTED if of_steps else _COMPARED).search(ast.unparse(one))) for one in pair] for pair in pairs]
    pairs = [pair for pair, of_pair in zip(pairs, named) if sum(of_pair) == (1 if of_steps else 2)]
    if len(pairs) != 1:
        return None
    is_second = of_steps and bool(_PREDICTED.search(ast.unparse(pairs[0][1])))
    longer = pairs[0][left[axis] < right[axis]]
    fewer = min(left[axis], right[axis])
    cut = f"[:{fewer}]" if axis == 0 else f"[:, :{fewer}]" if of_steps else f"[..., :{fewer}]"
    changed = with_code(reading.own_code, (longer, f"{_whole(longer, axis)}{cut}"))
    facts = Facts(left=left, right=right, axis=axis, fewer=fewer, line=changed)
    facts.predicted = ast.unparse(pairs[0][is_second]) if of_steps else ""
    facts.steps = (left if is_second else right)[axis]
    return Diagnosis("entry-by-entry", facts, COMPARED)


def _of_steps_and_vectors(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of predictions for each step and targets for each sequence; None if these are none."""
    longer, shorter = sorted((left, right), key=len, reverse=True)
    if len(longer) != 3 or not lacks_steps(shorter, longer):
        return None
    pairs = [pair for node in nodes_of_line(reading) if (pair := _pair(node))]
    predicted = pairs[0][longer is right] if len(pairs) == 1 else None
    if predicted is None or not _PREDICTED.search(ast.unparse(predicted)):
        return None
    changed = with_code(reading.own_code, (predicted, f"{_whole(predicted, 1)}[:, -1]"))
    return Diagnosis("entry-by-entry", Facts(longer=longer, shorter=shorter, line=changed), LACKS_STEPS)


def _pair(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Return the two sides of a difference, or of a comparison."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return node.left, node.right
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return node.left, node.comparators[0]
    return None


def _whole(node: ast.expr, axis: int) -> str:
    """Return an expression without a cut of its first entries, which another cut takes the place of."""
    is_cut = isinstance(node, ast.Subscript) and axis == 0 and re.fullmatch(r":\w+", ast.unparse(node.slice))
    code = ast.unparse(node.value if is_cut and isinstance(node, ast.Subscript) else node)
    return code if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call) else f"({code})"
