"""The reader's line that gives several names the parts of one value."""

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import line_with, with_expression
from core.shapes.user_code.evidence import (
    calls_of_line,
    failed_statement,
    is_loss_call,
    is_named_as_state,
    nodes_of_line,
    value_of,
)
from core.shapes.user_code.operations import JOINS, is_stored
from core.shapes.user_code.syntax_trees import function_of, root_of, tree_of
from core.shapes.user_code.traceback_lines import LONGEST_LINE, innermost_line

if TYPE_CHECKING:
    from core.shapes.messages import Reading

# The line before the message, where no traceback marks it.
_BEFORE = re.compile(r"(?:\w{1,40}, ?){1,5}\w{1,40} = [\w.]{1,80}(?:\(\))?(?= (?:\w{1,40}Error: ?)?$)")


class Unpacked(NamedTuple):
    """A line that gives several names the parts of a value.

    Attributes
    ----------
    targets : tuple of str
    value : str
        The code that is unpacked; of a loop, what it goes through.
    shape_of : str
        The array of which the value is the shape; empty if it is none.
    is_call, is_loop : bool
    """

    targets: tuple[str, ...]
    value: str
    shape_of: str = ""
    is_call: bool = False
    is_loop: bool = False


def unpacked(reading: "Reading") -> Unpacked | None:
    """Return what the reader's line unpacks; None if the text has no such line."""
    code = reading.own_code or _line_before(reading)
    tree = tree_of(code) if code else None
    if not isinstance(tree, ast.For | ast.Assign):
        return None
    target = tree.target if isinstance(tree, ast.For) else tree.targets[0]
    # Python allows `() = x`.
    if not isinstance(target, ast.Tuple) or not target.elts:
        return None
    if isinstance(tree, ast.For):
        return _of_loop(target, tree.iter)
    targets, value = tuple(map(ast.unparse, target.elts)), tree.value
    if isinstance(value, ast.Attribute) and value.attr == "shape":
        return Unpacked(targets, ast.unparse(value), ast.unparse(value.value))
    if isinstance(value, ast.Call) and isinstance(called := value.func, ast.Attribute):
        if called.attr == "size" and not value.args:
            return Unpacked(targets, ast.unparse(value), ast.unparse(called.value))
    return Unpacked(targets, ast.unparse(value), is_call=not is_stored(value))


def _of_loop(target: ast.Tuple, through: ast.expr) -> Unpacked:
    """Return what a loop unpacks in each round; enumerate gives a number beside it."""
    inner = target.elts[-1]
    if isinstance(inner, ast.Tuple) and isinstance(through, ast.Call) and function_of(through) == "enumerate":
        target, through = inner, through.args[0] if through.args else through
    return Unpacked(tuple(map(ast.unparse, target.elts)), ast.unparse(through), is_loop=True)


def _line_before(reading: "Reading") -> str:
    """Return the line that stands just before the message."""
    end = reading.whole.rfind(reading.message)
    found = _BEFORE.search(reading.whole[max(end - LONGEST_LINE, 0) : end])
    return found[0] if found else ""


def all_after_output(line: Unpacked | None) -> str:
    """Return lines that unpack what a call returns, with one name for all after the first part; empty if it is no such line."""
    if line is None or not line.is_call or line.is_loop or len(line.targets) != 2 or "cell" in line.value.lower():
        return ""
    after = f"{line.targets[0]}, *{line.targets[1]} = {line.value}"
    return f"{_output_alone(line)}{after}" if line.targets[1].isidentifier() else ""


def loop_over_all_parts(reading: "Reading") -> str:
    """Return the reader's loop with one name for all parts between the first and the last ones; empty if it has no two names."""
    tree = tree_of(reading.own_code)
    target = tree.target if isinstance(tree, ast.For) else None
    inner = target.elts[-1] if isinstance(target, ast.Tuple) and target.elts else None
    parts = inner if isinstance(inner, ast.Tuple) else target
    if not isinstance(tree, ast.For) or not isinstance(parts, ast.Tuple) or len(parts.elts) < 2:
        return ""
    parts.elts.insert(-1, ast.Starred(ast.Name("_", ast.Store()), ast.Store()))
    loop = ast.For(tree.target, tree.iter, [ast.Pass()], [], lineno=1)
    return ast.unparse(ast.fix_missing_locations(loop)).splitlines()[0]


def _output_alone(line: Unpacked) -> str:
    """Return the line that takes what a whole model returns as its output; empty if the line calls something else."""
    is_model = re.match(r"(?:self\.)?\w{0,20}(?:net|model)\(", line.value)
    return f"{line.targets[0]} = {line.value}   # if the model returns its output alone\n" if is_model else ""


def parts_of_keras(reading: "Reading", line: Unpacked | None) -> str:
    """Return the reader's line with a name for the output and each state of an LSTM of Keras; empty if it calls no layer."""
    if line is None or not line.is_call or line.is_loop or len(line.targets) != 2 or not reading.own:
        return ""
    third = next(name for name in ("c", "state_c", "cell_state") if not re.search(rf"\b{name}\b", reading.own_code))
    return (
        f"{', '.join((*line.targets, third))} = {line.value}   # what an LSTM of Keras returns with return_state=True"
    )


def states_joined(reading: "Reading") -> str:
    """Return the lines that give the two states of the reader's line both directions of a layer; empty if it names no two."""
    line = unpacked(reading)
    if line is None or len(line.targets) != 3:
        return ""
    _, h, c = line.targets
    return (
        f"\n{h} = layers.Concatenate()([h_forward, h_backward])   # and below it, for a decoder with twice the units"
        f"\n{c} = layers.Concatenate()([c_forward, c_backward])   # and this"
    )


_QUOTES = "'\""


# The second parameter of a function of PyTorch; the input is the first.
_SECOND = {"target", "hx", "other"}
# Calls that give a tuple whose first part is the one that people use.
_OF_PAIRS = re.compile(r"lstm|gru|rnn|pad_packed|\bmax\(|\bsort\(", re.IGNORECASE)


def _parameter(reading: Reading, what: str) -> str:
    """Return the parameter of which the library's line that failed asks this; empty if none does, or more than one may."""
    line = innermost_line(reading.pasted)
    nodes = ast.walk(tree_of(line.code) or ast.Pass()) if line else ()
    asked = [one for one in nodes if isinstance(one, ast.Attribute) and one.attr == what]
    asked = [one for one in asked if line and line.marks(one)] or asked
    return ast.unparse(asked[0].value) if len(asked) == 1 else ""


def _tuple_of_line(reading: Reading) -> tuple[ast.expr | None, bool]:
    """Return the part of the reader's line that is the tuple, None if the text does not tell it, and whether it is asked for what it lacks."""
    what = reading.values.get("what", "").strip(_QUOTES)
    nodes = list(nodes_of_line(reading))
    asked = [one.value for one in nodes if isinstance(one, ast.Attribute) and one.attr == what != ""]
    asked = [one for one in asked if ast.unparse(one) != "self"]
    of_library = f".{what}" in reading.below_own if what else "'input'" in reading.message
    if not of_library:
        return (asked[0] if asked else None), True
    calls = [one for one in nodes if isinstance(one, ast.Call) and one.args]
    marked = [one for one in calls if reading.own and reading.own[-1].marks(one)]
    named = [
        one
        for one in calls
        if re.search(rf"\b{re.escape(function_of(one))}\(\): {re.escape(reading.message)}", reading.whole)
    ]
    chosen = next((one[0] for one in (marked, named, calls) if len(one) == 1), None)
    parameter = _parameter(reading, what) if what else "input"
    given = chosen.args[parameter in _SECOND :] if chosen and parameter else []
    return (given[0] if given else None), False


def first_of_tuple(reading: Reading) -> str:
    """Return the line that takes the first part of the tuple in the reader's line; empty if the text does not tell which it is.

    It unpacks the tuple at the call that made it, if the text has that, or before a return that gives back a state.
    """
    node, is_asked = _tuple_of_line(reading)
    if node is None:
        return ""
    root = root_of(node) if not is_asked else node
    name, line, made = ast.unparse(root), failed_statement(reading), value_of(reading, node)
    returned = line.value.elts[1:] if isinstance(line, ast.Return) and isinstance(line.value, ast.Tuple) else []
    states = [ast.unparse(one) for one in returned if is_named_as_state(getattr(one, "elts", [one])[0])]
    second = states[0] if len(states) == 1 and name not in states else ""
    is_call = isinstance(made, ast.Call) and _OF_PAIRS.search(ast.unparse(made).partition("(")[0] + "(")
    if isinstance(node, ast.Name) and (is_call or second):
        return f"{name}, {second or '_'} = {ast.unparse(made) if is_call and made else name}"
    if is_asked or not is_stored(root):
        return line_with(reading, node, f"{ast.unparse(node)}[0]").removesuffix("pass").rstrip()
    return f"{name} = {name}[0]"


def first_parts(reading: Reading) -> str:
    """Return the reader's line with the first part of what it joins, or gives a loss as predictions; empty if it does neither.

    Of what it joins, the message names the first tuple; the second line takes the first part of each.
    """
    line = failed_statement(reading)
    joined = [one.args[0] for one in calls_of_line(reading, *JOINS) if one.args and hasattr(one.args[0], "elts")]
    if "as element" in reading.message and len(joined) == 1:
        at, parts = reading.size("at"), joined[0].elts  # type: ignore[attr-defined]
        ways = [parts[at : at + 1], parts]
    elif "loss" in reading.below_own and (calls := [one for one in nodes_of_line(reading) if is_loss_call(one)]):
        ways = [[one for one in calls[0].args[:1] if isinstance(one, ast.Call)]]  # type: ignore[attr-defined]
    else:
        return ""
    lines = [_with_first_of(line, given) for given in ways if given]
    return "\n".join(dict.fromkeys(lines))


def _with_first_of(line: ast.stmt | None, given: Sequence[ast.expr]) -> str:
    """Return a line with the first part of each of these expressions."""
    for one in {ast.unparse(one): one for one in given}.values():
        line = ast.parse(with_expression(line, one, f"{ast.unparse(one)}[0]") or "pass").body[0]
    return ast.unparse(line or ast.Pass())
