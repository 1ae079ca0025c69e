"""Matrix products of which the reader's line tells more than the sizes."""

import ast
import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.matrix_product_facts import Operands
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, always, reason
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.operations import function_of


def joins_for_weights(reading: Reading) -> bool:
    """Whether the reader's line multiplies a concatenation by weights with a name."""
    own = failed_operation(reading)
    if own is None or not {"A", "B"} <= own.names.keys() or not isinstance(own.names["B"], ast.Name | ast.Attribute):
        return False
    return function_of(own.names["A"]) in ("concat", "concatenate")


UNTURNED: Rules = (
    Rule(
        "transpose",
        Fit.SURE,
        (
            reason(
                "product-turned-by-argument",
            ),
        ),
        "{line}   # without the transpose, the inner sizes are equal",
        is_own=always,
    ),
)


def without_transpose(reading: Reading, operands: Operands) -> Diagnosis | None:
    """Return the diagnosis of an argument that transposes weights which fit as they are; None if the line has none."""
    if operands.columns != operands.height:
        return None
    line = re.sub(r", ?(?:transpose|adjoint)_[ab]=True", "", reading.own_code)
    if not reading.own or line == reading.own_code:
        return None
    return Diagnosis(Statement("matrix-product"), Facts(line=line), UNTURNED)
