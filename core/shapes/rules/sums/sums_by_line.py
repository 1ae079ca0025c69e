"""Two sizes along one axis whose cause the reader's line tells: padding, copied weights, a bias."""

import ast
import re
from typing import NamedTuple

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.read_layer import is_round
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.user_code.changed_calls import with_argument_as
from core.shapes.user_code.evidence import failed_operation, is_number_of_steps
from core.shapes.user_code.named_weights import is_from_h_to_h
from core.shapes.user_code.operands import beside, table_of_steps, with_other_half, with_step_of_term
from core.shapes.user_code.operations import WEIGHTS, is_bias, is_stored, product_of
from core.shapes.user_code.syntax_trees import root_of

_COPIED = re.compile(r"weight\w{0,10}(?:\.data)?\.copy_\(|weight\w{0,10}\[:\w{0,20}\] ?=")
_OF_SEQUENCES = re.compile(r"[(\[](\d{1,6}), ?(\d{1,6}), ?(\d{1,6})[)\]]")
_ONE_AXIS = reason("broadcast-axis", "axis", "left", "right")
# The sequences of a list, with the steps first.
_TURNED = "[one.transpose(0, 1) for one in {}]"


def _bias_of_sum(reading: Reading) -> str:
    """Return the bias that the reader's line adds to products where it failed; empty if neither term has such a name."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.BinOp) or not isinstance(own.node.op, ast.Add):
        return ""
    if not any(isinstance(one, ast.expr) and product_of(one) for one in ast.walk(own.node)):
        return ""
    named = [one for one in (own.names["a"], own.names["b"]) if is_stored(one) and is_bias(one)]
    return ast.unparse(named[0]) if len(named) == 1 else ""


class _Weights(NamedTuple):
    """The weights by which a term of a sum multiplies its rows, such as W in x @ W or x @ W.T, and whether they are transposed."""

    name: str
    is_turned: bool


def _weights_of_terms(reading: Reading) -> tuple[_Weights, _Weights] | None:
    """Return the weights of the two products that the reader's line adds where it failed; None if it adds something else."""
    own = failed_operation(reading)
    node = own.node if own is not None else None
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    found = []
    for term in (node.left, node.right):
        factor = (product_of(term) or {}).get("B")
        weights = factor.value if isinstance(factor, ast.Attribute) and factor.attr == "T" else factor
        weights = root_of(weights) if weights is not None else None
        if weights is None or not is_stored(weights) or not WEIGHTS.search(ast.unparse(weights)):
            return None
        found.append(_Weights(ast.unparse(weights), weights is not factor))
    return found[0], found[1]


def _with_units_of_other(facts: Facts) -> str:
    """Return the lines that make the weights of one term for as many units as the other has; those of h are square."""
    lines: list[str] = []
    for (name, is_turned), units in zip(facts.terms, (facts.right, facts.left)):
        if is_from_h_to_h(name):
            lines.insert(0, f"{name} = nn.Parameter(torch.randn({units}, {units}) * 0.1)   # if h has {units} units")
        else:
            sizes = f"{units}, {name}.shape[1]" if is_turned else f"{name}.shape[0], {units}"
            lines.append(
                f"{name} = nn.Parameter(torch.randn({sizes}) * 0.1)   # after it was made, if h has {units} units"
            )
    return "\n".join(lines)


def facts_of_line(reading: Reading, axis: int, left: int, right: int) -> dict[str, object]:
    """Return the facts of `OF_LINE`."""
    code = reading.own_code
    own, column = failed_operation(reading), _bias_of_sum(reading) if axis == 0 else ""
    return {
        "beside": beside(reading, axis),
        "table": table_of_steps(reading, axis, left, right),
        "labels": _labels_of_comparison(reading) if axis == 1 and right > MOST_COLUMNS >= left else "",
        "are_steps": _are_steps(reading, axis, left, right),
        "are_near": axis == 1 and _are_near(left, right),
        "are_told": axis == 1
        and left != right
        and not code
        and all(is_number_of_steps(reading, size) for size in (left, right)),
        "scales": bool(_SCALES.search(code)),
        "padded": with_argument_as(reading, ("pad_sequence",), _TURNED) if axis >= 1 else "",
        "copies": bool(_COPIED.search(code)),
        "copied_turned": with_argument_as(reading, ("copy_",), "{}.T") if not _EMBEDDING.search(code) else "",
        "copied_below": code.replace(".copy_(", f"[{left - right}:].copy_(", 1) if ".copy_(" in code else "",
        "column": column,
        "is_second": own is not None and "b" in own.names and ast.unparse(own.names["b"]) == column,
        "terms": _weights_of_terms(reading) if axis >= 1 else None,
        "step_of_x": with_step_of_term(reading, axis) if axis < 2 else "",
        **dict(zip(("halved", "other_half"), with_other_half(reading, left, right))),
    }


_EMBEDDING = re.compile("emb|lookup|word|vocab", re.IGNORECASE)


def _with_copied_size(facts: Facts) -> str:
    if facts.axis == 0:
        anew = f"nn.Embedding({facts.right}, ...)   # if the layer is an embedding: a row for each vector"
        more = facts.left - facts.right
        if not facts.copied_below or not 0 < more <= MOST_SPECIAL:
            return anew
        of_rest = advised_lines.counted(more, "row is a special word", "rows are special words")
        return f"{facts.copied_below}   # if the first {of_rest}, such as padding\n{anew}"
    if facts.copied_turned:
        return f"{facts.copied_turned}   # other libraries keep the weights of a layer transposed: (inputs, units)"
    return f"nn.Embedding(..., embedding_dim={facts.right})   # if the layer is an embedding; the next layer then needs input_size={facts.right}"


# A subtraction of a mean, and a division by a deviation.
_SCALES = re.compile(r"- ?[\w.\[\]'\"]{0,40}(?:mean|mu)\b.{0,40}/ ?[\w.\[\]'\"]{0,40}(?:scale|std|sigma)\w{0,2}\b")
# Fewer entries are rather those of a batch.
FEWEST_IN_TABLE = 5
# Shorter sequences differ by more.
FEWEST_STEPS = 100
# A large multiple of it is a width: gates times units, or heads times their width.
OF_WIDTHS = 64
# Padding, unknown words, the start and the end of a sequence have rows of their own.
MOST_SPECIAL = 4
# More columns than a table of classes has.
MOST_COLUMNS = 1000
_LABELS = re.compile(r"== ?(\w{0,20}(?:y_true|labels?|targets?))\b|\b(\w{0,20}(?:y_true|labels?|targets?)) ?==")


def _labels_of_comparison(reading: Reading) -> str:
    """Return the name of the labels that a line of the text compares with predictions; empty if there is none."""
    found = _LABELS.search(reading.code) or _LABELS.search(reading.whole)
    if "argmax" in reading.own_code:
        return ""  # of class indices already
    return (found[1] or found[2]) if found else ""


def _are_near(left: int, right: int) -> bool:
    """Whether two sizes are those of long sequences, of which one has a few steps more."""
    smaller, larger = sorted((left, right))
    if any(is_round(size) or size % OF_WIDTHS == 0 for size in (smaller, larger)):
        return False
    return FEWEST_STEPS < smaller < larger <= smaller + 2


def _are_steps(reading: Reading, axis: int, left: int, right: int) -> bool:
    """Whether the text has two shapes that differ in their steps alone: (batch, steps, features)."""
    if axis != 1:
        return False
    shapes = [tuple(map(int, found)) for found in _OF_SEQUENCES.findall(reading.whole)]
    return any((one[0], right, one[2]) in shapes for one in shapes if one[1] == left)


OF_LINE: Rules = (
    sure("broadcast", (_ONE_AXIS, reason("half-beside-whole", name="halved")), own="other_half", note="both halves"),
    sure(
        "layers-directions",
        (_ONE_AXIS, reason("half-beyond-end", name="halved")),
        lambda f: advised_lines.making(
            f.cells, "..., bidirectional=True", "if the two halves are those of its directions"
        ),
        lambda f: f.halved and not f.other_half,
    ),
    sure(
        "class-axis",
        (_ONE_AXIS, reason("labels-of-samples", "labels", samples="right", classes="left")),
        "{labels} = torch.nn.functional.one_hot({labels}.long(), {left})   # if they are class indices, and the metric compares columns\n"
        "# or a metric for class indices: predictions.argmax(-1) == {labels}",
        lambda f: f.labels,
    ),
    strong(
        "scaler",
        (_ONE_AXIS, reason("scaler-columns", wanted="right", got="left")),
        "# compute the mean and the deviation over the {left} features of this array, or give it the {right} features of theirs",
        lambda f: f.scales and f.axis,
    ),
    strong(
        "steps",
        (_ONE_AXIS, reason("sum-steps-near", steps=lambda f: abs(f.left - f.right))),
        lambda f: (
            f"{'ab'[f.left < f.right]} = {'ab'[f.left < f.right]}[:, :{min(f.left, f.right)}]   # the steps that both have\n"
            "# or make both from one sequence: its length, or a rounding, may differ"
        ),
        lambda f: f.are_near and not f.are_steps,
    ),
    strong(
        "steps",
        (_ONE_AXIS, reason("sum-steps-told")),
        lambda f: (
            f"logits = logits[:, -{f.right}:]   # if the targets are the last {f.right} of {f.left} steps"
            if f.left > f.right
            else f"targets = targets[:, -{f.left}:]   # if only the last {f.left} of {f.right} steps are predicted"
        ),
        lambda f: f.are_told,
    ),
    sure(
        "steps",
        (_ONE_AXIS, reason("sum-steps-of-text")),
        lambda f: (
            f"{'ab'[f.left < f.right]} = {'ab'[f.left < f.right]}[:, :{min(f.left, f.right)}]   # if the steps of both begin together\n"
            "# or make both from the same sequences, with the same padding"
        ),
        lambda f: f.are_steps,
    ),
    Rule(
        "indexing",
        # Sizes that are no numbers of units are those of a batch and of steps.
        lambda f: Fit.LIKELY if is_round(f.left) and is_round(f.right) else Fit.SURE,
        (_ONE_AXIS, reason("term-of-all-steps")),
        "{step_of_x}",
        lambda f: f.terms and f.step_of_x and f.axis == 1,
        is_own=lambda f: f.step_of_x,
    ),
    strong(
        "hidden-size",
        (_ONE_AXIS, reason("terms-of-other-units", a=lambda f: f.terms[0].name, b=lambda f: f.terms[1].name)),
        _with_units_of_other,
        lambda f: f.terms,
        is_own=lambda f: f.terms,
    ),
    sure("unbatched", (_ONE_AXIS, reason("axis-beside", "axis")), own="beside"),
    sure(
        "transpose",
        (_ONE_AXIS, reason("padded-along-first-axis", "axis")),
        "{padded}   # if each sequence is (features, steps)",
        lambda f: f.padded,
    ),
    strong(
        "steps",
        (_ONE_AXIS, reason("table-of-steps")),
        when=lambda f: f.table and not f.of_loss and not f.beside and min(f.left, f.right) >= FEWEST_IN_TABLE,
        own="table",
        note="as many of its rows as there are steps",
    ),
    sure(
        "checkpoint",
        reason("copied-weights", "axis", "left", "right"),
        _with_copied_size,
        lambda f: f.copies,
        is_own=lambda f: f.copied_below and f.axis == 0 or f.copied_turned,
    ),
    sure(
        "broadcast",
        (_ONE_AXIS, reason("bias-in-rows", name="column")),
        # An assignment would make a name of the program one of the function.
        lambda f: (
            ("a + b.reshape(1, -1)" if f.is_second else "a.reshape(1, -1) + b")
            + "   # a bias for sequences in rows: (1, units)"
        ),
        lambda f: f.column,
    ),
)
