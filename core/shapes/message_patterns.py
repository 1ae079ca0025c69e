"""The wordings of error messages about shapes, by framework."""

from collections.abc import Iterator
from typing import NamedTuple

from core.shapes.array_patterns import ARRAYS
from core.shapes.keras_patterns import KERAS
from core.shapes.onnx_patterns import ONNX
from core.shapes.pytorch_patterns import PYTORCH


class MessagePattern(NamedTuple):
    """The wording of a message.

    Attributes
    ----------
    framework : str
        Whose it is; empty if it is of Python itself.
    kind : str
        What it is about: a name of `core.shapes.rules.DIAGNOSES`.
    text : str
        With ``{name:kind}`` for what changes.
    """

    framework: str
    kind: str
    text: str


def _patterns(table: str) -> Iterator[MessagePattern]:
    """Yield the patterns of a table: lines such as ``kind: text`` below the framework in brackets, and comments."""
    framework = ""
    for line in table.splitlines():
        if line.startswith("["):
            framework = line[1:-1]
        elif line and not line.startswith("#"):
            kind, _, text = line.partition(": ")
            yield MessagePattern(framework, kind, text)


PATTERNS = tuple(one for table in (PYTORCH, KERAS, ARRAYS, ONNX) for one in _patterns(table))
