"""From an error message, or from sizes, to the rule that is broken and the line to change."""

import re
from collections.abc import Iterable

from core.shapes.checks import check
from core.shapes.explanation import MISTAKES, Cause, Explanation, Fit, Statement
from core.shapes.layer_shapes import GivenSizes, LayerSizes
from core.shapes.messages import Reading, read, without_quotation_marks
from core.shapes.other_errors import kind_of_error
from core.shapes.rules import DIAGNOSES
from core.shapes.rules.parts_of_data import causes_of_parts
from core.shapes.rules.read_layer import layer_of_program, told_cells
from core.shapes.shape_inference.program import trace_shapes
from core.shapes.user_code.advice_in_own_names import in_user_names, without_name_of_model
from core.shapes.user_code.data_sets import data_set_made, data_set_trained, of_data_set
from core.shapes.user_code.given_whole import lines_with_whole_arrays
from core.shapes.user_code.keras_calls import named_input, with_functions_of_reader, with_own_loss, with_validation_data
from core.shapes.user_code.keras_model_layers import KerasLayer, keras_layers, with_own_arguments
from core.shapes.user_code.model_building import in_form_of_line, with_module_of_layers
from core.shapes.user_code.model_lines import in_model
from core.shapes.user_code.recurrent_lines import calls_folded_model
from core.shapes.user_code.traceback_lines import UserLine
from core.shapes.user_code.trials import TrialOutcome, outcomes, written_out

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
    layer, given = layer_of_program(reading, found.given) or (found.layer, found.given)
    rest = found.notes, layer, given, found.product, told_cells(reading._replace(cell=""))
    line = reading.own[-1] if reading.own else None
    causes = _ranked(found.causes)
    layers = keras_layers(reading.whole) if reading.framework == "Keras" else ()
    causes = tuple(one._replace(own=_own_lines(message, reading, one, layers)) for one in causes)
    causes = _with_parts(reading, _with_whole_arrays(reading, causes))
    if line:
        causes = _that_fit(message, line, causes)
    return Explanation(reading.framework, found.statement, reading.message, found.sizes, causes, *rest, line)


def _own_lines(message: str, reading: Reading, cause: Cause, layers: tuple[KerasLayer, ...]) -> str:
    """Return the lines of a cause in the reader's names, and with the reader's arguments; empty if the text has neither."""
    if cause.own:
        own_lines = [_with_module(one, reading.whole) for one in cause.own.splitlines()]
        return "\n".join(with_module_of_layers(one, reading) for one in own_lines)
    # A Sequential is called in the reader's line, and one of its layers failed.
    x = named_input(reading) if reading.framework == "Keras" else None
    is_direct = (
        bool(reading.own) and "modules/container.py" not in reading.below_own and not calls_folded_model(reading)
    )
    # A data set has no index, so what the lines change is not in the reader's line.
    is_direct = is_direct and data_set_made(reading) is None
    own = in_user_names(cause.change, reading.own[-1], reading.kind, x) if is_direct else ""
    if reading.own and reading.framework == "Keras":
        own = in_form_of_line(cause.change, reading) or own
    lines = (own or cause.change).splitlines()
    lines = [without_name_of_model(one, reading.program) for one in lines]
    if own and reading.framework == "Keras":
        lines = with_validation_data(lines, reading)
    if reading.framework == "Keras" and (name := data_set_trained(reading)):
        lines = [of_data_set(one, name) for one in lines]
    if reading.framework == "Keras":
        lines = [with_functions_of_reader(one, reading) for one in lines]
        lines = [with_module_of_layers(with_own_loss(one, reading), reading) for one in lines]
    written = [with_own_arguments(written_out(one, reading.program), layers) for one in lines]
    if reading.own and reading.framework == "PyTorch":
        written = [_with_module(one, reading.whole) for one in written]
    if any("linear(" in one for one in written) and (program := trace_shapes(message)):
        written = [in_model(one, program.lines) for one in written]
    return "\n".join(written) if own or written != cause.change.splitlines() else ""


# Causes that are as likely as an index that leaves out an axis of the targets.
_OF_TARGETS = ("return-sequences", "class-axis", "shifted-targets")


def _with_whole_arrays(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes, the first of them with the lines whose index leaves out what the message says is missing."""
    if not causes or not (lines := lines_with_whole_arrays(reading)):
        return causes
    advised = [one for one in (causes[0].own or causes[0].change).splitlines() if not one.startswith("#")]
    known = {one.partition("   # ")[0] for one in lines}
    advised = [one for one in advised if one.partition("   # ")[0] not in known]
    own = [*advised, *lines] if causes[0].code in _OF_TARGETS else [*lines, *advised]
    return (causes[0]._replace(own="\n".join(own)), *causes[1:])


def _with_parts(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes, before them two arrays of the line that are of different parts of the data, if it has such."""
    first = causes_of_parts(reading)
    return (*first, *(one for one in causes if one.code not in [other.code for other in first]))


# Functions of torch.nn.utils.rnn that advised lines call by their bare names.
_OF_UTILS = re.compile(r"(?<![\w.])(?:pad_packed_sequence|pack_padded_sequence)(?=\()")


def _with_module(line: str, text: str) -> str:
    """Return an advised line with the module of a function that the reader's text does not name, so may not import."""
    return _OF_UTILS.sub(lambda match: match[0] if match[0] in text else f"torch.nn.utils.rnn.{match[0]}", line)


def _that_fit(message: str, line: UserLine, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes with the lines after which the shapes of the reader's program fit, if one is known to.

    Causes of which every line fails then come last.
    """
    program = trace_shapes(message)
    advised = [(one.own or one.change).splitlines() for one in causes]
    if program is None or not any(advised):
        return causes
    found = iter(outcomes(program, line, [one for lines in advised for one in lines]))
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


def _ranked(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes by their fit, of each mistake only the best."""
    best: dict[str, Cause] = {}
    for cause in sorted(causes, key=lambda cause: -cause.fit):
        best.setdefault(cause.code, cause)
    return tuple(best.values())
