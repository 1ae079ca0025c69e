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
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.named_weights import is_from_h_to_h
from core.shapes.user_code.operands import beside, table_of_steps, with_other_half, with_step_of_term
from core.shapes.user_code.operations import WEIGHTS, is_stored, product_of
from core.shapes.user_code.syntax_trees import root_of

_COPIED = re.compile(r"weight\w{0,10}(?:\.data)?\.copy_\(|weight\w{0,10}\[:\w{0,20}\] ?=")
_ONE_AXIS = reason("broadcast-axis", "axis", "left", "right")
# The sequences of a list, with the steps first.
_TURNED = "[one.transpose(0, 1) for one in {}]"


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
    return {
        "beside": beside(reading, axis),
        "table": table_of_steps(reading, axis, left, right),
        "padded": with_argument_as(reading, ("pad_sequence",), _TURNED) if axis >= 1 else "",
        "copies": bool(_COPIED.search(code)),
        "copied_turned": with_argument_as(reading, ("copy_",), "{}.T") if not _EMBEDDING.search(code) else "",
        "copied_below": code.replace(".copy_(", f"[{left - right}:].copy_(", 1) if ".copy_(" in code else "",
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


# Fewer entries are rather those of a batch.
FEWEST_IN_TABLE = 5
# Padding, unknown words, the start and the end of a sequence have rows of their own.
MOST_SPECIAL = 4


OF_LINE: Rules = (
    sure("broadcast", (_ONE_AXIS, reason("half-beside-whole", name="halved")), own="other_half", note="both halves"),
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
)
