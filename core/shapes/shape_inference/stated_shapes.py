"""Shapes that a text states beside the name of an array, such as "x has shape (32, 10, 5)" or a comment."""

import re

from core.shapes.layer_shapes import Shape
from core.shapes.user_code.traceback_lines import LONGEST

_SIZES = r"(?:torch\.Size\(|TensorShape\()?[(\[]{1,2} ?(\d{1,9}(?:, ?\d{1,9}){0,5}),? ?[)\]]{1,2}"
_NAME = r"(?<![\w.])([A-Za-z_]\w{0,40}(?:\.(?!shape|size)\w{1,40})?)"
# How a name and its shape stand together.
_STATED = (
    re.compile(rf"{_NAME}`? ?(?:is|has)(?: of)?(?: a| the)? ?(?:shape|size)s?(?: of| is|:|=)? ?{_SIZES}"),
    re.compile(rf"{_NAME}\.(?:shape|size\(\)) ?(?:is|=|==|:|->|=>|#|>>>|gives|returns|prints|outputs)? ?{_SIZES}"),
    re.compile(rf"(?:[Ss]hape|[Ss]ize) of (?:the |my )?`?{_NAME}`?(?: is|:| ?=)? ?{_SIZES}"),
    re.compile(rf"{_NAME} ?(?:: ?|-> ?|=> ?)(?:[Tt]ensor(?: of)? )?(?:shape|size|torch\.Size)(?: ?=| of|:)? ?{_SIZES}"),
)
# Words that stand there and are no names.
_SHAPE_WORDS = {
    "shape",
    "size",
    "input",
    "target",
    "Expected",
    "expected",
    "got",
    "tensor",
    "Tensor",
    "It",
    "it",
    "which",
}


def stated_shapes(text: str) -> dict[str, Shape]:
    """Return the shapes by the names that the words give them; a name with two shapes is left out."""
    text = text[-LONGEST:]
    found: dict[str, set[Shape]] = {}
    for pattern in _STATED:
        for match in pattern.finditer(text):
            if match[1] not in _SHAPE_WORDS:
                sizes = tuple(int(size) for size in re.findall(r"\d+", match[2]))
                found.setdefault(match[1], set()).add(sizes)
    return {name: shapes.pop() for name, shapes in found.items() if len(shapes) == 1 and 0 not in next(iter(shapes))}
