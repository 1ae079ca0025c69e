"""The reader's lines with a whole array where an index left an axis or entries out, in the line that failed or above it."""

import ast
import re
from collections.abc import Iterator

from core.shapes.layer_shapes import Shape, unknown_sizes
from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.data_sets import data_set_made, data_set_trained
from core.shapes.user_code.evidence import failed_operation, makes_own_state, nodes_of_line
from core.shapes.user_code.frames import Argument, followed, with_same_axes
from core.shapes.user_code.keras_calls import named_input
from core.shapes.user_code.model_arguments import LOSS
from core.shapes.user_code.operations import operation_in
from core.shapes.user_code.syntax_trees import argument, function_of, with_code
from core.shapes.user_code.whole_arrays import fits, whole, without_new

_OF_MODEL = ("fit", "evaluate", "predict", "train_on_batch", "predict_on_batch")
_INPUT_OF_CELL = re.compile(r"(?:lstm|gru|rnn)_cell\w{0,8}/MatMul(?!_)")
_ANY = -1


def _shapes_of_x(reading: Reading) -> tuple[Shape, Shape] | None:
    """Return the shape of x that a message tells, and the one that the layer needs; None if it is of no x."""
    values = reading.values
    if reading.kind == "expected_shape":
        return reading.shape("got"), reading.shape("expected")
    if reading.framework == "PyTorch" and reading.kind == "rank" and values.get("got", "").isdecimal():
        return unknown_sizes(reading.size("got")), unknown_sizes(max(reading.sizes("allowed"), default=0))
    if reading.kind == "state_rank" and values.get("way") != "batched" and makes_own_state(reading):
        return unknown_sizes(2), unknown_sizes(3)  # a model that makes the state of a batch was given one sequence
    if reading.kind == "rank" and "shape" in values and values["allowed"].isdecimal():
        got, axes = reading.shape("shape"), reading.size("allowed")
        return (got, unknown_sizes(axes)) if abs(len(got) - axes) == 1 else None
    if reading.kind == "features" and "shape" in values and values.get("axis") == "-1":
        got = reading.shape("shape")
        return got, (*unknown_sizes(len(got) - 1), reading.size("expected"))
    if reading.kind == "dimensions" and _INPUT_OF_CELL.search(values.get("node", "")):
        (*_, came), (wanted, *_) = reading.shape("a"), reading.shape("b")
        return (_ANY, _ANY, came), (_ANY, _ANY, wanted)
    return None


def _shapes_of_targets(reading: Reading) -> tuple[Shape, Shape] | None:
    """Return the shape of the targets that a message tells, and that of the predictions; None if it is of no targets."""
    if reading.kind == "keras_target":
        return reading.shape("got"), reading.shape("expected")
    if reading.kind == "keras_steps":
        return reading.shape("got"), reading.shape("expected")[:-1]
    if reading.kind == "dimensions" and re.search(r"\bcompile_loss/|\bloss\w{0,10}/", reading.values.get("node", "")):
        return reading.shape("a"), reading.shape("b")
    if reading.kind == "broadcast" and reading.framework == "Keras" and LOSS.search(reading.code):
        return reading.shape("left"), reading.shape("right")
    return None


def _call(reading: Reading) -> ast.Call | None:
    """Return the only call of a model or a loss in the line that failed."""
    calls = [
        one
        for one in nodes_of_line(reading)
        if isinstance(one, ast.Call) and (function_of(one) in _OF_MODEL or LOSS.fullmatch(function_of(one)))
    ]
    return calls[0] if len(calls) == 1 else None


def _x_of(reading: Reading) -> ast.expr | None:
    """Return what the line that failed gives a model or a layer as x."""
    if not reading.own:
        return None
    if (named := named_input(reading)) is not None:
        return named
    call = _call(reading)
    if call is not None and function_of(call) in _OF_MODEL:
        given = argument(call, "x", at=0)
        return None if isinstance(given, ast.List | ast.Dict | ast.Tuple) else given
    # A product within a cell is of the layer that the line calls.
    own = failed_operation(reading) or operation_in(reading.own[-1], "features")
    return own.names.get("x") if own is not None else None


def _targets_of(reading: Reading) -> ast.expr | None:
    """Return the targets that the line that failed gives: the second argument of a model, and the first of a loss."""
    call = _call(reading)
    if call is None:
        return None
    return argument(call, "y", "y_true", at=1 if function_of(call) in _OF_MODEL else 0)


def _advised(one: Argument, new: ast.expr) -> str:
    code = ast.unparse(ast.fix_missing_locations(new))
    made = with_code(one.line.code, (one.node, code))
    return f"{made}   # {code} in place of {ast.unparse(one.node)}" if made else ""


def _changed(reading: Reading, node: ast.expr | None, shapes: tuple[Shape, Shape] | None) -> Iterator[str]:
    """Return the line in which an index gives the array its wrong shape, changed; nothing if no index tells it."""
    if node is None or shapes is None or not reading.own:
        return
    got, wanted = shapes
    for arguments in followed(reading, with_same_axes(node)):
        found = [(one, new) for one in arguments if (new := whole(one.node, got, wanted)) is not None]
        if len(found) == 1:
            (one, new), is_sample = found[0], len(got) < len(wanted) and fits(got, wanted[1:])
            # In the line that failed, x[0][None] is the shortest way to one sample.
            if not is_sample or one.line is not reading.own[-1] or ":" not in ast.unparse(new):
                yield _advised(one, new)
            return
        if len(arguments) != 1 or (below := without_new(arguments[0].node, got, wanted)) is None:
            return
        got, wanted = below


def _same_samples(reading: Reading) -> Iterator[str]:
    """Return the lines with all samples where an index leaves some out."""
    call = _call(reading)
    sizes = (reading.values.get("x", ""), reading.values.get("got", ""))
    if reading.kind != "samples" or call is None or not all(map(str.isdecimal, sizes)) or len(call.args) < 2:
        return
    of_x, of_y = map(int, sizes)
    fewer = call.args[0] if of_x < of_y else call.args[1]
    yield from _changed(reading, fewer, ((min(of_x, of_y),), (max(of_x, of_y),)))


def _data_set_in_batches(reading: Reading) -> Iterator[str]:
    """Return the line that groups the samples of a data set, or takes away one grouping of two."""
    name, made, shapes = data_set_trained(reading), data_set_made(reading), _shapes_of_x(reading)
    if not name and made is None or shapes is None:
        return
    got, wanted = shapes
    # Without any size, the first axis is that of the batch.
    if fits((_ANY, *got), wanted) and len(got) > 1 - (wanted[0] > 0) and max(got) > 0:
        batch = f".batch({wanted[0]}, drop_remainder=True)" if wanted[0] > 0 else ".batch(32)"
        if made is not None:
            line = line_with(reading, made, ast.unparse(made) + batch)
        else:
            line = f"{name} = {name}{batch}"
        yield f"{line}   # if the data set gives single samples"
    elif name and fits(got[1:], wanted) and len(got) > 2:
        yield f"{name} = {name}.unbatch()   # if batch() was called twice"


def lines_with_whole_arrays(reading: Reading) -> tuple[str, ...]:
    """Return the reader's lines without an index that leaves out what the message says is missing.

    The line may be the one that failed, or one that called its function.
    """
    found = [
        *_data_set_in_batches(reading),
        *_changed(reading, _x_of(reading), _shapes_of_x(reading)),
        *_changed(reading, _targets_of(reading), _shapes_of_targets(reading)),
        *_same_samples(reading),
    ]
    return tuple(dict.fromkeys(filter(None, found)))
