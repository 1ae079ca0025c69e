"""From an error message, or from sizes, to the rule that is broken and the line to change."""

from collections.abc import Iterable

from core.shapes.checks import check
from core.shapes.explanation import MISTAKES, Cause, Explanation, Statement
from core.shapes.layer import GivenSizes, LayerSizes
from core.shapes.messages import read
from core.shapes.rules import DIAGNOSES

__all__ = ["MISTAKES", "Cause", "Explanation", "GivenSizes", "LayerSizes", "Statement", "check", "explain"]


def explain(message: str) -> Explanation:
    """Return what an error message about shapes says, and the mistakes that may be its cause.

    Parameters
    ----------
    message : str
        Of PyTorch, Keras, TensorFlow, NumPy, JAX, Flax or ONNX Runtime; a whole traceback may be around it. It is read and
        never run.

    Returns
    -------
    Explanation
        Without causes, and with a note, where nothing was understood.
    """
    reading = read(message)
    if reading is None:
        return Explanation("", None, "", {}, notes=(Statement("unknown-message"),))
    found = DIAGNOSES[reading.kind](reading)
    rest = found.notes, found.layer, found.given, found.product
    return Explanation(reading.framework, found.operation, reading.message, found.sizes, _ranked(found.causes), *rest)


def _ranked(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes by their fit, of each mistake only the best."""
    best: dict[str, Cause] = {}
    for cause in sorted(causes, key=lambda cause: -cause.fit):
        best.setdefault(cause.code, cause)
    return tuple(best.values())
