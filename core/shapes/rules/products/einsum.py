"""Einsum: letters that stand for two sizes, and subscripts that do not fit their operands."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import plausible, possible, strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.evidence import failed_statement, is_named_as_state
from core.shapes.user_code.syntax_trees import expression

_EINSUM = "einsum"
_ONE_SIZE = "# one letter must stand for one size: in 'ij,jb->ib' the columns of the first are the rows of the second"

_LETTER = reason("einsum-letter", first="letter[0]", second="letter[1]")

EINSUM: Rules = (
    plausible(
        "batch-size",
        reason("einsum-batches", left="left[0]", right="right[0]"),
        "# a and b must have the same first axis",
        lambda f: len(f.left) == len(f.right) == 3 and f.left[0] != f.right[0],
    ),
    possible(
        "inner-dimension",
        (
            _LETTER._replace(when=lambda f: f.letter),
            reason("einsum-sizes", "left", "right", when=lambda f: not (f.letter or f.common)),
            reason(
                "einsum-sizes-with-common",
                "left",
                "right",
                common="common[0]",
                when=lambda f: not f.letter and bool(f.common),
            ),
        ),
        _ONE_SIZE,
    ),
)


def _sizes_of_letter(reading: Reading) -> Shape:
    """Return the two sizes for which one letter of an einsum stands; nothing if the message does not tell.

    NumPy gives the axes of all arrays one order, in which those of one letter meet.
    """
    remapped = re.match(r"(\([\d, newaxis]{1,120}\)) ?(?:\(|$|[^(\da-z])", reading.after)
    if not remapped:
        return ()
    meet = zip(reversed(shape(reading.values["l"])), reversed(shape(remapped[1])))
    return next(((a, b) for a, b in meet if a != b and min(a, b) > 1), ())


@diagnoses("einsum")
def einsum(reading: Reading) -> Diagnosis:
    left, right = reading.shape("left"), reading.shape("right")
    letter = _sizes_of_letter(reading)
    facts = Facts(
        left=left,
        right=right,
        common=[size for size in left if size in right],
        letter=letter,
    )
    return Diagnosis(_EINSUM, facts, EINSUM)


EINSUM_LABEL = strong("inner-dimension", reason("einsum-label", "label", "left", "right"), _ONE_SIZE)


@diagnoses("einsum_label")
def einsum_label(reading: Reading) -> Diagnosis:
    """Diagnose a label that stands for two sizes."""
    sizes = {name: reading.values[name] for name in ("left", "right")}
    return Diagnosis(_EINSUM, Facts(label=reading.values["label"].strip("'"), **sizes), EINSUM_LABEL)


EINSUM_SIZES = strong(
    "inner-dimension",
    reason("einsum-of-tensorflow", "left", "right", "axis", "got"),
    "x = layers.Dense({left})(x)   # a projection of the array with {right}, if axis {axis} has its features\n"
    "# or layers with as many units for both arrays",
)


@diagnoses("einsum_sizes")
def einsum_sizes(reading: Reading) -> Diagnosis:
    """Diagnose an einsum of TensorFlow, of which one array has another size for a letter than the one before."""
    sizes = {name: reading.values[name] for name in ("left", "right", "axis")}
    return Diagnosis(_EINSUM, Facts(got=reading.shape("got"), **sizes), EINSUM_SIZES)


SUBSCRIPTS: Rules = rules_of(
    "subscripts",
    _EINSUM,
    strong("unbatched", reason("einsum-operand-axes", "operand"), "h = h.reshape(-1, 1)   # a batch of one column"),
)


EQUATION_LETTERS = strong(
    "unbatched",
    reason("einsum-letters", "operand", "letters", "axes"),
    lambda f: "\n".join(
        filter(
            None,
            (
                f"{f.of_last}   # if it is (layers, batch, units), as h_n: the state of the last layer"
                * bool(f.of_last),
                f"# one letter for each axis of operand {f.operand}: {f.axes} letters",
            ),
        )
    ),
)


def _with_state_of_last_layer(reading: Reading, operand: int) -> str:
    """Return the reader's line with the last layer's part of an operand of an einsum; empty if the line has no such operand."""

    def of_last_layer(call: ast.Call) -> None:
        if len(call.args) > operand + 1 and is_named_as_state(call.args[operand + 1]):
            call.args[operand + 1] = expression(f"{ast.unparse(call.args[operand + 1])}[-1]")

    changed = changed_call(reading, ("einsum",), of_last_layer)
    return changed if changed and changed != ast.unparse(failed_statement(reading) or ast.Pass()) else ""


@diagnoses("equation_letters")
def equation_letters(reading: Reading) -> Diagnosis:
    """Diagnose an equation with another number of letters than its operand has axes."""
    facts = Facts(operand=reading.size("at"), letters=reading.size("letters"), axes=reading.size("got"))
    has_layers = facts.axes == facts.letters + 1
    facts.of_last = _with_state_of_last_layer(reading, facts.operand) if has_layers else ""
    return Diagnosis(_EINSUM, facts, EQUATION_LETTERS)
