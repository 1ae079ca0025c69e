"""The arrays that the reader's program trains a model of Keras with."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import nodes_of_line
from core.shapes.user_code.operations import function_of

_RESHAPED = re.compile(r"reshape\(|expand_dims\(|newaxis|\bNone\]|\[None\b|pad_sequences\(")


def validation_left_out(reading: Reading) -> tuple[str, str]:
    """Return the inputs of training and validation in the fit that failed, where only the first are reshaped before it.

    Both are empty otherwise.
    """
    for call in nodes_of_line(reading):
        if function_of(call) != "fit":
            continue
        keywords = {one.arg: one.value for one in getattr(call, "keywords", ())}
        pair = keywords.get("validation_data", keywords.get("validation_set"))
        x = next(iter(getattr(call, "args", ())), keywords.get("x"))
        held_out = pair.elts[0] if isinstance(pair, ast.Tuple | ast.List) and pair.elts else None
        if isinstance(x, ast.Name) and isinstance(held_out, ast.Name):
            reshaped = {one.target for one in reading.program if _RESHAPED.search(one.code)}
            return (x.id, held_out.id) if x.id in reshaped and held_out.id not in reshaped else ("", "")
    return "", ""
