"""Calls in the reader's line of which the traceback hides the frames below."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_operation

_MODEL = re.compile(r"(?:self\.)?(?:\w*_)?(?:model|net(?:work)?)$", re.IGNORECASE)


def calls_folded_model(reading: Reading) -> bool:
    """Whether the reader's line calls a model by its name, and Colab folds the frames in which a layer of it failed."""
    call = failed_operation(reading) if re.search(r"\b\d{1,3} frames\b", reading.whole) else None
    layer = call.names.get("layer") if call else None
    return layer is not None and bool(_MODEL.match(ast.unparse(layer)))
