"""Lines that led to the one that failed: where its arguments were made, and the shapes that they write out."""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, shape
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.model_arguments import LOSS, OF_MODELS
from core.shapes.user_code.operations import is_layer
from core.shapes.user_code.syntax_trees import MODULES, calls_in, function_of, root_of, tree_of
from core.shapes.user_code.traceback_lines import LONGEST_LINE, UserLine

# Names that a line reads and that are no arguments of its function.
_NO_ARGUMENTS = MODULES | {"keras", "layers", "pd", "self"}
# Methods that a library calls, so that the line above them calls a model.
_CALLED_BY_LIBRARY = {"call", "__call__", "forward", "train_step", "test_step", "predict_step"}
_RECEIVED = re.compile(r"Arguments received by [\w.]{1,80}\.call\(\):((?: [•*] \w{1,60}=.{0,400}?){1,12})(?= [A-Z]|$)")
_PARAMETER = re.compile(r" [•*] (\w{1,60})=")


def received_arrays(reading: Reading) -> tuple[tuple[Shape, str], ...]:
    """Return the shapes and the data types of what the innermost call of Keras received; empty if the message does not list it."""
    listed = reading.whole.rpartition("Arguments received by ")[2] if "Arguments received by" in reading.whole else ""
    found = re.findall(r"\bshape=(\([\w, ]{1,60}\)), dtype=(\w{1,20})", listed[: LONGEST_LINE * 4])
    return tuple((shape(sizes), dtype) for sizes, dtype in found)


class Argument(NamedTuple):
    """An expression of a line that the operation that failed is given, as it is or under the name of a parameter."""

    line: UserLine
    node: ast.expr


def followed(reading: Reading, node: ast.expr) -> Iterator[tuple[Argument, ...]]:
    """Return an expression of the line that failed, and what each line above gives for the array in it.

    Parameters
    ----------
    reading : Reading
    node : ast.expr
        Of the innermost line.

    Returns
    -------
    iterator of tuple of Argument
        Of several arguments, each may be the one; no line above them follows.
    """
    found: tuple[ast.expr, ...] = (node,)
    lines = reading.own
    for at in range(len(lines) - 1, -1, -1):
        yield tuple(Argument(lines[at], one) for one in found)
        root = root_of(found[0])
        if at == 0 or len(found) > 1 or not isinstance(root, ast.Name):
            return
        found = _given(reading, lines[at - 1], lines[at], root)
        if not found:
            return


# Functions that leave the axes of an array as they are.
_ENTRY_BY_ENTRY = {
    "relu",
    "tanh",
    "sigmoid",
    "leaky_relu",
    "gelu",
    "elu",
    "dropout",
    "float",
    "long",
    "to",
    "contiguous",
}


def with_same_axes(node: ast.expr) -> ast.expr:
    """Return the array within calls of layers of self and of functions that keep the number of axes."""
    while isinstance(node, ast.Call) and len(node.args) == 1:
        is_layer_of_self = ast.unparse(node.func).startswith("self.")
        if not is_layer_of_self and function_of(node) not in _ENTRY_BY_ENTRY:
            break
        node = node.args[0]
    return node


def call_above(outer: UserLine, inner: UserLine) -> ast.Call | None:
    """Return the call in a line that led to the next line of the traceback; None if more than one may have."""
    calls = calls_in(tree_of(outer.code))
    marked = [one for one in calls if outer.marks(one)]
    if inner.function in _CALLED_BY_LIBRARY:
        named = [one for one in calls if is_layer(one) or function_of(one) in OF_MODELS]
    else:
        named = [one for one in calls if function_of(one) == inner.function != ""]
    marked = [one for one in marked if one in named]
    return marked[0] if marked else named[0] if len(named) == 1 else None


def _given(reading: Reading, outer: UserLine, inner: UserLine, parameter: ast.Name) -> tuple[ast.expr, ...]:
    """Return what a line gives for a name of the function that it calls; all arguments that may be it if the text does not tell it."""
    call = call_above(outer, inner)
    if call is None or any(isinstance(one, ast.Starred) for one in call.args):
        return ()
    by_keyword = {one.arg: one.value for one in call.keywords if one.arg}
    if parameter.id in by_keyword:
        return (by_keyword[parameter.id],)
    if inner.function in _CALLED_BY_LIBRARY:
        # Keras lists the arguments of the innermost call in the order of its parameters.
        listed = _RECEIVED.search(reading.whole)
        names = _PARAMETER.findall(listed[1]) if listed and inner is reading.own[-1] else []
        if parameter.id in names[: len(call.args)]:
            return (call.args[names.index(parameter.id)],)
        if len(call.args) == 1 or function_of(call) in OF_MODELS:
            return tuple(call.args[:1])
    same = tuple(one for one in call.args if getattr(root_of(one), "id", "") == parameter.id)
    if same:
        return same
    if inner.function in _CALLED_BY_LIBRARY:
        # The line reads the other arguments of the method by the names that the caller has for them.
        rest = tuple(one for one in call.args if getattr(root_of(one), "id", "") not in _read(inner))
        return rest if len(rest) == 1 else ()
    read, models = _read(inner), set(_read(inner)) - set(_read(inner, with_models=False))
    known = {getattr(one, "id", "") for one in call.args} | by_keyword.keys()
    given = tuple(one for one in call.args if getattr(one, "id", "") not in read)
    begins = [one for one in given if getattr(root_of(one), "id", "")[:1].lower() == parameter.id[:1].lower()]
    if len(begins) == 1 and sum(one[:1].lower() == parameter.id[:1].lower() for one in read) == 1:
        return tuple(begins)
    for names in (read, [one for one in read if one not in models]):
        left = [name for name in names if name not in known]
        # A model is given by its name.
        pairs = [(name, one) for name, one in zip(left, given) if name not in models or isinstance(one, ast.Name)]
        if len(pairs) == len(left) == len(given) and parameter.id in left:
            return (given[left.index(parameter.id)],)
    return _alike(given, parameter.id) or given


def _alike(given: Sequence[ast.expr], parameter: str) -> tuple[ast.expr, ...]:
    """Return the arguments whose name begins or ends with that of a parameter, such as x_train for X."""
    return tuple(one for one in given if parameter.lower() in getattr(root_of(one), "id", "").lower().split("_"))


def _read(line: UserLine, *, with_models: bool = True) -> list[str]:
    """Return the names that a line reads, once each and in their order, without those of modules and functions."""
    tree = tree_of(line.code) or ast.Pass()
    calls = calls_in(tree)
    # A model may belong to the whole program, and a constant has capitals.
    models = {id(part) for one in calls for part in (one.func, root_of(one.func), getattr(one.func, "value", None))}
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    names = [one for one in names if one.id not in _NO_ARGUMENTS and not hasattr(builtins, one.id)]
    names = [one for one in names if len(one.id) == 1 or not one.id.isupper()]
    if not with_models:
        names = [one for one in names if id(one) not in models]
    ordered = sorted(names, key=lambda one: (one.lineno, one.col_offset))
    return list(dict.fromkeys(one.id for one in ordered))


# How people name several sequences.
_BATCH = re.compile(r"batch|^x_?b$|xb$|_b$|^X|train|data|[^s]s$")
_SHAPED = {"randn", "rand", "zeros", "ones", "empty", "view", "reshape", "randint", "random"}


def _size(node: ast.expr, reading: Reading) -> int | None:
    """Return a size that a line writes: -1 for one that it does not tell, None for what is no size."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Name(id=name):
            return reading.numbers.get(name, -1)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)) | ast.Attribute() | ast.Call() | ast.Subscript():
            return -1
    return None


def _sizes(call: ast.Call, reading: Reading) -> Shape:
    """Return the sizes that a call is given, one by one or as a tuple; empty if it has none."""
    tuples = [one.elts for one in call.args if isinstance(one, ast.Tuple | ast.List)]
    sizes = [_size(one, reading) for one in (tuples[-1] if tuples else call.args)]
    return tuple(one for one in sizes if one is not None) if None not in sizes else ()


def shapes_of_callers(reading: Reading) -> tuple[Shape, ...]:
    """Return the shapes that the lines write out which called the failing one; -1 stands for a size that is not told."""
    return tuple(
        sizes
        for line in reading.own[:-1]
        for node in calls_in(tree_of(line.code), *_SHAPED)
        if len(sizes := _sizes(node, reading)) > 1
    )


def is_written(reading: Reading, *sizes: int) -> bool:
    """Whether a line that called the failing one writes a shape of three axes that begins with these sizes."""
    return any(
        len(shape) == 3 and all(one in (-1, size) for one, size in zip(shape, sizes)) and set(sizes) & set(shape)
        for shape in shapes_of_callers(reading)
    )


def given_by_caller(reading: Reading) -> ast.Name | None:
    """Return the variable that the line which called the failing method gives it alone; None if there is no such line."""
    if len(reading.own) < 2 or reading.own[-1].function not in ("", "forward"):
        return None
    line = reading.own[-2]
    calls = calls_in(tree_of(line.code))
    marked = [one for one in calls if line.marks(one)] or [one for one in calls if is_layer(one) and one.args]
    if len(marked) != 1 or len(marked[0].args) != 1 or marked[0].keywords:
        return None
    (given,) = marked[0].args
    return given if isinstance(given, ast.Name) else None


def with_batch_of_one(reading: Reading) -> str:
    """Return the line that called the model, with its sample as a batch of one; empty if it gives a batch by its name."""
    return lines_with_axis(reading).get(0, "")


def lines_with_axis(reading: Reading) -> dict[int, str]:
    """Return the line that called the model, with an axis at 0 for one sequence, or at 1 for samples without steps.

    Of a batch by its name only the latter; it comes first if the line has a loss of x.
    """
    given = given_by_caller(reading)
    if given is None:
        return {}
    line = tree_of(reading.own[-2].code)
    has_loss = any(LOSS.search(ast.unparse(one.func)) for one in calls_in(line))
    places = (1,) if _BATCH.search(given.id) else (1, 0) if has_loss and given.id == "x" else (0, 1)
    return {at: with_expression(line, given, f"{given.id}.unsqueeze({at})") for at in places}
