"""From an error message, or from sizes, to the rule that is broken and the line to change."""

from core.shapes.causes import KINDS
from core.shapes.checks import check
from core.shapes.explanation import RULES, Cause, Explanation
from core.shapes.layer import GivenSizes, LayerSizes
from core.shapes.messages import read

__all__ = ["RULES", "Cause", "Explanation", "GivenSizes", "LayerSizes", "check", "explain"]


def explain(message: str) -> Explanation:
    """What an error message about shapes says, and what may have been done wrong.

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
        return _not_understood(
            "No known message about shapes is in this text. Paste the line with the sizes in it, or choose the sizes instead."
        )
    found = KINDS[reading.kind](reading)
    causes = sorted(found.causes, key=lambda cause: -cause.fit)
    best = {cause.code: cause for cause in reversed(causes)}
    once = tuple(cause for cause in causes if best[cause.code] is cause)
    rest = found.notes, found.layer, found.given, found.product
    return Explanation(reading.framework, found.operation, reading.message, found.sizes, once, *rest)


def _not_understood(note: str) -> Explanation:
    return Explanation("", "", "", {}, notes=(note,))
