"""From an error message, or from sizes, to the rule that is broken and the line to change."""

from collections.abc import Iterable

from core.shapes.checks import check
from core.shapes.explanation import MISTAKES, Cause, Explanation, Statement
from core.shapes.layer_shapes import GivenSizes, LayerSizes
from core.shapes.messages import Reading, read
from core.shapes.other_errors import kind_of_error
from core.shapes.rules import DIAGNOSES
from core.shapes.rules.read_layer import layer_of_program, told_cells
from core.shapes.user_code.advice_in_own_names import in_user_names
from core.shapes.user_code.failing_line import fitting

__all__ = ["MISTAKES", "Cause", "Explanation", "GivenSizes", "LayerSizes", "Statement", "check", "explain"]


def explain(message: str, cell: str = "") -> Explanation:
    """Return what an error message about shapes says, and the mistakes that may be its cause.

    Parameters
    ----------
    message : str
        Of PyTorch, Keras, TensorFlow, NumPy, JAX, Flax or ONNX Runtime; a whole traceback may be around it. It is read and
        never run.
    cell : str
        The reader's answer to which cell it is, for a message that does not tell.

    Returns
    -------
    Explanation
        Without causes, and with a note, where nothing was understood.
    """
    reading = read(message, cell)
    if reading is None:
        kind = kind_of_error(message)
        notes = (Statement(f"error-of-{kind}"),) if kind else ()
        return Explanation("", None, "", {}, notes=(Statement("unknown-message"), *notes))
    found = DIAGNOSES[reading.kind](reading)
    layer, given = layer_of_program(reading, found.given) or (found.layer, found.given)
    rest = found.notes, layer, given, found.product, told_cells(reading._replace(cell=""))
    line = reading.own[-1] if reading.own else None
    causes = _ranked(found.causes)
    if line:
        causes = tuple(one._replace(own=_own_lines(message, reading, one)) for one in causes)
    return Explanation(reading.framework, found.operation, reading.message, found.sizes, causes, *rest, line)


def _own_lines(message: str, reading: Reading, cause: Cause) -> str:
    """Return the lines of a cause in the reader's names; those that fit, if the message has the whole program."""
    line = reading.own[-1]
    own = in_user_names(cause.change, line, reading.kind)
    return fitting(message, line, own) if own and reading.operands and not line.file else own


def _ranked(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes by their fit, of each mistake only the best."""
    best: dict[str, Cause] = {}
    for cause in sorted(causes, key=lambda cause: -cause.fit):
        best.setdefault(cause.code, cause)
    return tuple(best.values())
