"""Advised lines in the reader's own code: the names of the line that failed, then a pipeline of steps from line to line."""

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator

from core.shapes.explanation import Cause
from core.shapes.messages import Reading
from core.shapes.shape_inference.program import trace_shapes
from core.shapes.user_code.data_sets import data_set_made, data_set_trained, of_data_set
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.given_whole import lines_with_whole_arrays
from core.shapes.user_code.keras_calls import named_input, with_functions_of_reader, with_own_loss, with_validation_data
from core.shapes.user_code.keras_model_layers import keras_layers, with_own_arguments
from core.shapes.user_code.model_building import in_form_of_line, with_modules_of_keras
from core.shapes.user_code.model_lines import in_model
from core.shapes.user_code.name_substitution import in_user_names, without_name_of_model
from core.shapes.user_code.recurrent_lines import calls_folded_model
from core.shapes.user_code.syntax_trees import tree_of
from core.shapes.user_code.trials import written_out

# A step takes an advised line, and returns it closer to the reader's code; several lines if the change has several places.
Step = Callable[[str], str]


def in_own_lines(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes with their lines in the reader's own code."""
    return tuple(one._replace(own=_own_lines(reading, one)) for one in causes)


def _own_lines(reading: Reading, cause: Cause) -> str:
    """Return the lines of a cause in the reader's names, and with the reader's arguments; empty if the text has neither."""
    if cause.own:  # the rule changed the reader's line itself
        return "\n".join(_through(_modules(reading), cause.own.splitlines()))
    named = _in_names_of_line(reading, cause.change)
    advised = (named or cause.change).splitlines()
    lines = _through(_steps(reading, is_named=bool(named)), advised)
    return "\n".join(lines) if named or lines != advised else ""


def _through(steps: Iterable[Step], lines: list[str]) -> list[str]:
    for step in steps:
        lines = [new for line in lines for new in step(line).splitlines()]
    return lines


def _modules(reading: Reading) -> Iterator[Step]:
    """Yield the steps for a line that the rule has written in the reader's names already."""
    yield lambda line: _with_module(line, reading.whole)
    if reading.framework == "Keras":
        yield lambda line: with_modules_of_keras(line, reading)


def _steps(reading: Reading, *, is_named: bool) -> Iterator[Step]:
    """Yield the steps for a line, in their order, for the framework of the message."""
    yield lambda line: without_name_of_model(line, reading.program)
    if reading.framework == "Keras":
        if is_named:
            yield lambda line: with_validation_data(line, reading)
        if name := data_set_trained(reading):
            yield lambda line: of_data_set(line, name)
        yield lambda line: with_functions_of_reader(line, reading)
        yield lambda line: with_own_loss(line, reading)
        yield lambda line: with_modules_of_keras(line, reading)
    yield lambda line: written_out(line, reading.program)
    if reading.framework == "Keras":
        layers = keras_layers(reading.whole)
        yield lambda line: with_own_arguments(line, layers)
    if reading.framework == "PyTorch" and reading.own:
        yield lambda line: _with_module(line, reading.whole)
    yield lambda line: _in_model(line, reading)


def _in_names_of_line(reading: Reading, change: str) -> str:
    """Return advised lines in the names of the line that failed; empty if that line does not have what they change."""
    if not reading.own:
        return ""
    # A Sequential is called in the reader's line, and one of its layers failed.
    is_within_model = "modules/container.py" in reading.below_own and not _gets_input(reading)
    is_within_model = is_within_model or calls_folded_model(reading)
    # A data set has no index, so what the lines change is not in the reader's line.
    is_direct = not is_within_model and data_set_made(reading) is None
    of_keras = reading.framework == "Keras"
    x = named_input(reading) if of_keras else None
    named = in_user_names(change, reading.own[-1], reading.kind, x) if is_direct else ""
    return (in_form_of_line(change, reading) if of_keras else "") or named


def _gets_input(reading: Reading) -> bool:
    """Whether the layer of a Sequential that failed gets the array of the reader's call, by the shape that the message states."""
    call = failed_operation(reading)
    x = ast.unparse(call.names["x"]) if call is not None and "x" in call.names else ""
    of_layer = [one for one in reading.stated.values() if isinstance(one, tuple)]
    # Its layers add no axes, so too many come from outside.
    has_more = reading.kind == "layer_rank" and max(map(len, of_layer), default=0) > max(reading.sizes("allowed"))
    return bool(x) and (has_more or reading.arrays.get(x, ()) in of_layer)


# Functions of torch.nn.utils.rnn that advised lines call by their bare names.
_OF_UTILS = re.compile(r"(?<![\w.])(?:pad_packed_sequence|pack_padded_sequence)(?=\()")


def _with_module(line: str, text: str) -> str:
    """Return an advised line with the module of a function that the reader's text does not name, so may not import."""
    return _OF_UTILS.sub(lambda match: match[0] if match[0] in text else f"torch.nn.utils.rnn.{match[0]}", line)


def _in_model(line: str, reading: Reading) -> str:
    """Return an advised call of ``linear`` as the line of the reader's model that has it."""
    program = trace_shapes(reading.pasted) if "linear(" in line else None
    return in_model(line, program.lines) if program else line


# Causes that are as likely as an index that leaves out an axis of the targets.
_OF_TARGETS = ("return-sequences", "class-axis", "shifted-targets")


def with_whole_arrays(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes, the first of them with the lines whose index leaves out what the message says is missing."""
    if not causes or not (lines := lines_with_whole_arrays(reading)):
        return causes
    advised = [one for one in causes[0].lines if not one.startswith("#")]
    known = {one.partition("   # ")[0] for one in lines}
    advised = [one for one in advised if one.partition("   # ")[0] not in known]
    own = [*advised, *lines] if causes[0].code in _OF_TARGETS else [*lines, *advised]
    return (causes[0]._replace(own="\n".join(own)), *causes[1:])


# The modules of the frameworks under their usual names, and the layers after the one that the text is about.
KNOWN_NAMES = {"torch", "nn", "np", "tf", "keras", "layers", "jnp", "jax", "linear", "output", "h_n", *dir(builtins)}
_OPERANDS = {"a", "b"}
_WORD = r"[^\W\d]\w*"


def unknown_names(line: str, known: set[str]) -> set[str]:
    """Return the names in a line of code that neither the line makes for itself nor the reader's text has.

    The factors A and B of a product are known, because a sentence gives their shapes.
    """
    tree = tree_of(line.partition("   # ")[0])
    nodes = list(ast.walk(tree)) if tree is not None else []
    made = {one.arg for one in nodes if isinstance(one, ast.arg)}
    for loop in nodes:
        if isinstance(loop, ast.For | ast.comprehension):
            made |= {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
    named = [one for one in nodes if isinstance(one, ast.Name)]
    read = {one.id for one in named if isinstance(one.ctx, ast.Load) and one.id.islower() or one.id in _OPERANDS}
    return read - made - known


def with_known_names(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes without the less likely ones whose lines all have names that the reader's text lacks.

    A text without the line that failed has no names that a line could use.
    """
    if not reading.own:
        return causes
    code = " ".join([*(one.code for one in reading.own), *(one.code for one in reading.program)])
    # As words of a sentence, these letters are no names. A message of PyTorch calls the operands so.
    letters = _OPERANDS if "tensor a (" in reading.message else _OPERANDS & {*re.findall(_WORD, code)}
    known = {*re.findall(_WORD, reading.whole), *KNOWN_NAMES} - _OPERANDS | letters
    return tuple(
        one
        for one in causes
        if one.fit == causes[0].fit or not one.lines or not all(unknown_names(line, known) for line in one.lines)
    )


# A gate and its weights or bias, by their last letter: f = sigmoid(W_f @ x + b_f).
_GATE_OF_LINE = re.compile(r"(?:self\.)?([zrifg])(?:_?t|_?gate)? = ")
_PARAMETER_OF_GATE = r"\b[bWUV]_?[xhi]?{}\b"


def with_other_gates(reading: Reading, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """Return the causes, with a note on lines that change a parameter of one gate: the other gates may have the same mistake."""
    gate = _GATE_OF_LINE.match(reading.own_code)
    parameter = re.compile(_PARAMETER_OF_GATE.format(gate[1])) if gate else None
    if parameter is None or not parameter.search(reading.own_code):
        return causes
    return tuple(
        one._replace(own="\n".join(_for_each_gate(line, parameter) for line in one.lines)) if one.own else one
        for one in causes
    )


def _for_each_gate(line: str, parameter: re.Pattern[str]) -> str:
    code, mark, comment = line.partition("   # ")
    if not parameter.search(code):
        return line
    return f"{code}   # {comment}{'; ' * bool(mark)}the other gates may need the same"
