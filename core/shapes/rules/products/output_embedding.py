"""Scores of all words or items: the product with the transposed rows of an embedding."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import sure
from core.shapes.rules.products.matrix_product_facts import Operands
from core.shapes.rules.products.stacked_input_weights import MEET
from core.shapes.rules.rule import Rules, reason
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import failed_operation, failed_statement

WITH_EMBEDDING: Rules = (
    sure(
        "hidden-size",
        (MEET, reason("product-with-embedding", "height", "columns")),
        lambda f: (
            f"{f.projected}   # a projection to as many; make the layer once, in __init__\n"
            + advised_lines.making(f.cells, f"..., hidden_size={f.height}", "if it gives A")
        ),
        lambda f: f.projected,
        is_own=lambda f: f.projected,
    ),
)


def projected(reading: Reading, operands: Operands) -> str:
    """Return the reader's product with the transposed weights of a layer, with a projection of what they multiply; else an empty text."""
    own = failed_operation(reading)
    if own is None or not {"A", "B"} <= own.names.keys() or reading.framework != "PyTorch":
        return ""
    if not re.search(r"\w\.weight\.(?:T|t\(\)|transpose\(0, 1\))$", ast.unparse(own.names["B"])):
        return ""
    made = f"nn.Linear({operands.columns}, {operands.height})({ast.unparse(own.names['A'])})"
    return with_expression(failed_statement(reading), own.names["A"], made)
