"""From an error message, or from sizes, to the rule that is broken and the line to change.

`explain` reads a message, or a whole traceback, in five stages:

1. Read: `messages.read` finds the wording among those of `pytorch_patterns`, `keras_patterns` and so on. The result is a
   `Reading`: the kind of message, the values in it, and the reader's line that failed. `user_code` finds that line and what its
   names stand for; `shape_inference` follows the shapes through the reader's program. Nothing is run.
2. Diagnose: `rules` has one diagnosis for each kind of message. It gathers facts, and names a table of rules.
3. Apply the rules: each rule that applies is a `Cause` with a fit, the codes of its sentences, and an advised line.
4. Rewrite: `own_lines` writes the line with the reader's names, layers, model and data set, step by step.
5. Try: `user_code.trials` puts each line into the program, and follows the shapes again. Lines that do not help come last.
   Less likely causes without a line in names that the text has are left out.

To add a wording, add a line to a table of patterns. To add a cause, search `rules` for the kind of message, and add a rule to
its table; `rules.rule` explains the parts of a rule. Its sentence belongs in `dashboard/text/shape_causes.py`.
To see the effect, print ``*explain(text).causes`` for a pasted text.
"""

from collections.abc import Iterable

from core.shapes.checks import check
from core.shapes.explanation import MISTAKES, Cause, Explanation, Fit, Statement
from core.shapes.layer_shapes import GivenSizes, LayerSizes
from core.shapes.messages import Reading, read, without_quotation_marks
from core.shapes.other_errors import kind_of_error
from core.shapes.own_lines import in_own_lines, with_known_names, with_other_gates, with_whole_arrays
from core.shapes.rules import DIAGNOSES
from core.shapes.rules.data_splits import causes_of_parts
from core.shapes.rules.read_layer import layer_of_program, told_cells
from core.shapes.shape_inference.program import trace_shapes
from core.shapes.user_code.trials import TrialOutcome, outcomes

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
    message = without_quotation_marks(message)
    reading = read(message, cell)
    if reading is None:
        kind = kind_of_error(message)
        return Explanation("", None, "", {}, notes=(Statement(f"error-of-{kind}" if kind else "unknown-message"),))
    found = DIAGNOSES[reading.kind](reading)
    causes = _ranked(found.causes)
    for stage in (in_own_lines, with_whole_arrays, _with_parts, _that_fit, with_known_names, with_other_gates):
        causes = stage(reading, causes)
    layer, given = layer_of_program(reading, found.given) or (found.layer, found.given)
    rest = found.notes, layer, given, found.product, told_cells(reading._replace(cell=""))
    line = reading.own[-1] if reading.own else None
    return Explanation(reading.framework, found.statement, reading.message, found.sizes, causes, *rest, line)


def _ranked(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes by their fit, of each mistake only the best."""
    best: dict[str, Cause] = {}
    for cause in sorted(causes, key=lambda cause: -cause.fit):
        best.setdefault(cause.code, cause)
    return tuple(best.values())


def _with_parts(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes, before them two arrays of the line that are of different parts of the data, if it has such."""
    first = causes_of_parts(reading)
    return (*first, *(one for one in causes if one.code not in [other.code for other in first]))


def _that_fit(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes with the lines after which the shapes of the reader's program fit, if one is known to.

    Causes of which every line fails then come last.
    """
    program = trace_shapes(reading.pasted) if reading.own else None
    advised = [one.lines for one in causes]
    if program is None or not any(advised):
        return causes
    found = iter(outcomes(program, reading.own[-1], [one for lines in advised for one in lines]))
    came = [[next(found) for _ in lines] for lines in advised]
    if not any(TrialOutcome.FITS in one for one in came):
        return causes
    chosen = []
    for cause, lines, of_lines in zip(causes, advised, came):
        fits = [one for one, outcome in zip(lines, of_lines) if outcome is TrialOutcome.FITS]
        fails = all(outcome is TrialOutcome.FAILS for outcome in of_lines)
        kept = cause._replace(own="\n".join(fits)) if fits and cause.own else cause
        chosen.append(kept._replace(fit=min(cause.fit, Fit.REMOTE)) if fails else kept)
    return tuple(sorted(chosen, key=lambda cause: -cause.fit))
