"""The arguments that the reader's line gives to a model of Keras and to its loss."""

import ast
import copy
import re
from math import prod
from typing import Any

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.elementwise_operands import TARGETS
from core.shapes.user_code.evidence import calls_of_line, failed_statement, is_named_as_state, value_of
from core.shapes.user_code.keras_model_layers import KerasLayer, keras_layers
from core.shapes.user_code.model_arguments import LOSS
from core.shapes.user_code.operations import Operation, is_stored, operation_in
from core.shapes.user_code.syntax_trees import (
    argument,
    calls_in,
    expression,
    function_of,
    give,
    root_of,
    tree_of,
    with_code,
)

# Words of a traceback of TensorFlow, whose tensors have no attribute T.
OF_TENSORFLOW = re.compile(r"tensorflow[/\\.]|\[Op:|import tensorflow|\btf\.")
_INPUT_SHAPE = re.compile(
    r"(?:LSTM(?:[123]D)?|GRU|RNN|Bidirectional|layer_(?:lstm|gru|simple_rnn))\((?:[^()]|\([^()]{0,80}\)){0,200}?"
    r"input_shape ?= ?(\((?:[^()]|\([^()]{0,40}\)){1,80}\)|\w{1,40}\.shape(?:\[1:\])?(?!\w|\[)|dim\(\w{1,40}(?:\[[^\]\n]{0,40}\])?\))"
)
_RUN = ("fit", "evaluate", "predict", "train_on_batch")
_LOSS_OF_COLUMNS = re.compile(r"(?<![a-z_])softmax_cross_entropy_with_logits(?:_v2)?\(")


def _calls_of_model(reading: Reading) -> list[ast.Call]:
    """Return the calls in the reader's line that train or evaluate a model."""
    return [one for one in calls_of_line(reading, "fit", "evaluate") if isinstance(one.func, ast.Attribute)]


def gives_data_alone(reading: Reading) -> bool:
    """Whether the reader's fit or evaluate gives a model no targets, so that what it gives yields both."""
    return any(len(one.args) == 1 for one in _calls_of_model(reading))


def data_set_of_fit(reading: Reading) -> str:
    """Return the name of what may be a data set in the reader's fit, evaluate or loop; empty if it gives x and y, or no name."""
    for call in _calls_of_model(reading):
        if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            return call.args[0].id
    loop = failed_statement(reading)
    through = loop.iter if isinstance(loop, ast.For) else None
    if isinstance(through, ast.Call) and function_of(through) == "enumerate" and through.args:
        through = through.args[0]
    if isinstance(through, ast.Call) and isinstance(through.func, ast.Attribute) and through.func.attr == "take":
        through = through.func.value
    return through.id if isinstance(through, ast.Name) else ""


def array_of_model(reading: Reading) -> tuple[str, str]:
    """Return the name of the array that the reader's line gives a model, and that of the model; both empty if it gives none."""
    for call in calls_of_line(reading, *_RUN):
        if (
            isinstance(call.func, ast.Attribute)
            and call.args
            and is_stored(call.args[0])
            and not data_set_of_fit(reading)
        ):
            return ast.unparse(call.args[0]), ast.unparse(call.func.value)
    return "", ""


# Keras adds a number to the name of a layer for each call.
_EMBEDDING = re.compile(r"\bembedding(?:_(\d{1,6}))?_\d{1,6}/")


def indices_of_embedding(reading: Reading) -> str:
    """Return the name of the array whose indices an embedding of the reader's model reads; empty if it is not known."""
    model = next(iter(calls_of_line(reading, *_RUN)), None)
    if model is None or not model.args or data_set_of_fit(reading) and not isinstance(model.args[0], ast.List):
        return ""
    given = model.args[0]
    if isinstance(given, ast.List) and given.elts:
        number = _EMBEDDING.search(reading.whole)
        given = given.elts[min(int(number[1] or 0), len(given.elts) - 1)] if number else given.elts[-1]
    root = root_of(given)
    return ast.unparse(root) if isinstance(root, ast.Name | ast.Attribute) else ""


_COMPILED = re.compile(r"""\w+\.compile\(['"]adam['"], ['"](\w+)['"]\)""")
_FUNCTION = re.compile(r"\b(?:sparse_categorical|categorical|binary)_crossentropy(?=\()")


def with_own_loss(advised: str, reading: Reading) -> str:
    """Return an advised compile as the change of the loss that the reader's own loop of training calls."""
    code, mark, comment = advised.partition("   # ")
    compiled, line = _COMPILED.fullmatch(code), reading.own_code
    if not compiled or re.search(r"\.(?:fit|evaluate|train_on_batch)\(", line):
        return advised
    if _FUNCTION.search(line):
        return f"{_FUNCTION.sub(compiled[1], line)}{mark}{comment}"
    for node in calls_of_line(reading):
        if len(node.args) == 2 and LOSS.search(name := ast.unparse(node.func)) and ".losses." not in name:
            kind = "".join(map(str.capitalize, compiled[1].split("_")))
            module = "tf.keras" if any("tf." in one.code for one in reading.own) else "keras"
            if "logit" in ast.unparse(node.args[1]).lower():
                return f"{name} = {module}.losses.{kind}(from_logits=True){mark}{comment}"
            return f"{name} = {module}.losses.{kind}(){mark}{comment}; from_logits=True without a softmax"
    return advised


def predictions_of_loss(reading: Reading) -> str:
    """Return the name of the predictions, the second argument of a loss of Keras in the reader's line."""
    for node in calls_of_line(reading):
        if len(node.args) > 1 and LOSS.search(ast.unparse(node.func)):
            return node.args[1].id if isinstance(node.args[1], ast.Name) else "y_pred"
    return "y_pred"


def merged_layers(reading: Reading) -> tuple[str, str, str] | None:
    """Return two layers that the reader's line merges, by their names, and the module of its layers; None if it does not."""
    for node in calls_of_line(reading):
        given = node.args[0] if node.args else None
        if isinstance(given, ast.List) and len(given.elts) == 2:
            first, second = given.elts
            if isinstance(first, ast.Name) and isinstance(second, ast.Name):
                made = node.func.func if isinstance(node.func, ast.Call) else node.func
                module = ast.unparse(made).rpartition(".")[0]
                return first.id, second.id, f"{module}." if module else ""
    return None


def in_statement(reading: Reading, layer: KerasLayer, new: str) -> str:
    """Return the assignment of the reader's program that makes a layer, with new code for it; the code alone if none does, or several."""
    made = [
        one
        for one in reading.program
        if ast.dump(layer.call) in (ast.dump(one.value), ast.dump(getattr(one.value, "func", ast.Pass())))
    ]
    is_one = len({one.code for one in made}) == 1 and reading.pasted.count(layer.code) == 1
    return (with_expression(tree_of(made[0].code), layer.call, new) if is_one else "") or new


def recurrent_line(reading: Reading, name: str, units: int, condition: str, *, all_steps: bool = True) -> str:
    """Return the reader's line that gives a name what a recurrent layer returns, with all steps or one, and so many units.

    Returns
    -------
    str
        With a new line; a line without the reader's names where the text lacks it, and empty if another layer makes it.
    """
    made = next((one for one in reading.program[::-1] if one.target == name and one.code != reading.own_code), None)
    call = made.value.func if made and isinstance(made.value, ast.Call) else None
    if call is not None and is_stored(call):  # layer = LSTM(8), and h = layer(x)
        made = next((one for one in reading.program[::-1] if one.target == ast.unparse(call)), made)
        call = made.value if made else None
    layers = keras_layers(ast.unparse(call)) if isinstance(call, ast.Call) else ()
    if made and call and layers and layers[0].is_recurrent:
        line = with_expression(tree_of(made.code), call, layers[0].with_output(units, all_steps=all_steps))
        return f"{line}   # {condition}" if line else ""
    if (
        layers
        and layers[0].kind in ("Embedding", "Conv1D", "Dense")
        or function_of(made.value if made else ast.Pass()) == "Input"
    ):
        return ""
    steps = ", return_sequences=True" * all_steps
    return f"LSTM({units or '...'}{steps})   # {condition}; or GRU, SimpleRNN"


_INPUT = re.compile(r"Input (\d{1,2}) with name '|and path '(\d{1,2})'")


def named_input(reading: Reading) -> ast.expr | None:
    """Return which of several inputs in the reader's line the message is about, by its number; None if it tells none."""
    found = _INPUT.search(reading.whole, max(reading.whole.rfind(reading.message) - 200, 0))
    calls = [one for one in calls_of_line(reading, *_RUN) if one.args]
    if not found or len(calls) != 1:
        return None
    at, given = int(found[1] or found[2]), calls[0].args[0]
    more = given.right if isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add) else None
    listed = given.left if isinstance(given, ast.BinOp) else given
    if not isinstance(listed, ast.List):
        return None
    if at < len(listed.elts):
        return listed.elts[at]
    return ast.Subscript(more, ast.Constant(at - len(listed.elts)), ast.Load()) if more is not None else None


def trains_on_inputs(reading: Reading) -> bool:
    """Whether the reader's fit gives a model its inputs as its targets too, as an autoencoder gets them."""
    pairs = [list(map(ast.unparse, one.args[:2])) for one in _calls_of_model(reading)]
    return any(len(one) > 1 and one[0] == one[1] for one in pairs)


def targets_of_fit(reading: Reading) -> str:
    """Return the name of the targets in the reader's fit; empty if it gives several, or none by a name."""
    for call in _calls_of_model(reading):
        given = root_of(call.args[1]) if len(call.args) > 1 else None
        return given.id if isinstance(given, ast.Name) else ""
    return ""


_OF_ENCODER = re.compile(r"enc|src|source|inp", re.IGNORECASE)
_OF_DECODER = re.compile(r"dec|tgt|target|out", re.IGNORECASE)


def inputs_in_other_order(reading: Reading) -> dict[str, Any]:
    """Return the reader's line with two inputs in the other order, and whether the decoder's came first by its name."""
    calls = [one for one in calls_of_line(reading, *_RUN) if one.args]
    given = calls[0].args[0] if len(calls) == 1 else None
    if not isinstance(given, ast.List) or len(given.elts) != 2:
        return {"other_order": "", "decoder_first": False}
    first, second = map(ast.unparse, given.elts)
    return {
        "other_order": with_code(reading.own_code, (given, f"[{second}, {first}]")),
        "decoder_first": bool(_OF_DECODER.match(first) and _OF_ENCODER.match(second)),
    }


def _copied_run(reading: Reading) -> tuple[ast.stmt, ast.Call]:
    """Return a copy of the reader's line, and the only call in it that gives a model data; a call without any if there is none."""
    tree = copy.deepcopy(failed_statement(reading)) or ast.Pass()
    calls = calls_in(tree, *_RUN)
    return tree, calls[0] if len(calls) == 1 else ast.Call(ast.Name("fit"), [], [])


def with_same_samples(reading: Reading, sizes: Shape, fewest: int) -> str:
    """Return the reader's line with the first samples of the inputs that have more, or with the axis of samples that they lack.

    If only one of several has far fewer, the line before that swaps its first two axes.

    Parameters
    ----------
    reading : Reading
    sizes : tuple of int
        The number of samples of each input, and of the targets if they count too.
    fewest : int
        The number that all must have.

    Returns
    -------
    str
        Empty if the line gives no list of as many inputs.
    """
    tree, call = _copied_run(reading)
    given = argument(call, at=0)
    arrays = given.values if isinstance(given, ast.Dict) else given.elts if isinstance(given, ast.List) else []
    targets = call.args[1:2] if arrays and len(sizes) == len(arrays) + 1 else []
    inputs = [*arrays, *targets]
    if not arrays or len(inputs) != len(sizes):
        return ""
    for at, (one, size) in enumerate(zip(inputs, sizes)):
        if size > fewest:
            is_cut = isinstance(one, ast.Subscript) and re.fullmatch(r":\w+", ast.unparse(one.slice))
            code = ast.unparse(one.value if is_cut and isinstance(one, ast.Subscript) else one)
            cut = "None" if fewest == 1 and not is_cut else f":{fewest}"
            inputs[at] = expression(f"{code}[{cut}]")
    few = [ast.unparse(one) for one, size in zip(inputs, sizes) if size == fewest]
    arrays[:] = inputs[: len(arrays)]
    call.args[1 : 1 + len(targets)] = inputs[len(arrays) :]
    line = f"{ast.unparse(ast.fix_missing_locations(tree))}   # if the first samples belong together"
    if len(few) == 1 < fewest and len({*sizes}) == 2 < len(sizes) and max(sizes) > 2 * fewest and few[0].isidentifier():
        return f"{turned_samples(few[0])}\n{line}"
    return line


def turned_samples(name: str) -> str:
    """Return the line for an array with far fewer samples than the others, whose first axis may be that of the steps."""
    return f"{name} = np.swapaxes({name}, 0, 1)   # if its axis 1 has the samples"


def with_first_inputs(reading: Reading, count: int) -> str:
    """Return the reader's line with as many inputs in its list as the model has; empty if it gives a model no list of more.

    Of a list that is added to another, such as the states in [target] + states, the last ones stay: the outputs come first.
    """
    tree, call = _copied_run(reading)
    given = argument(call, at=0)
    if isinstance(given, ast.BinOp) and isinstance(given.left, ast.List) and 0 < len(given.left.elts) < count:
        rest = len(given.left.elts) - count
        given.right = ast.Subscript(given.right, ast.Slice(lower=ast.Constant(rest)), ast.Load())
    elif isinstance(given, ast.List) and 0 < count < len(given.elts):
        given.elts = given.elts[:count]
    else:
        return ""
    return ast.unparse(tree)


def with_missing_input(reading: Reading) -> str:
    """Return the reader's line with one more array in its list of inputs; empty if it gives a model no list.

    A decoder that is given its states lacks the output of its encoder, which stands before them.
    """
    tree, call = _copied_run(reading)
    given = argument(call, at=0)
    if not isinstance(given, ast.List):
        return ""
    states = [at for at, one in enumerate(given.elts) if is_named_as_state(one)]
    name = "encoder_outputs" if states else "other_input"
    given.elts.insert(states[0] if states else len(given.elts), ast.Name(name, ast.Load()))
    return ast.unparse(tree)


def with_input_of_name(reading: Reading, name: str) -> str:
    """Return the reader's line with another array in the dictionary of a model's inputs; empty if it gives none."""
    tree, call = _copied_run(reading)
    given = argument(call, at=0)
    if not isinstance(given, ast.Dict) or not name.isidentifier():
        return ""
    given.keys.append(ast.Constant(name))
    given.values.append(ast.Name(name, ast.Load()))
    return ast.unparse(tree)


def sample_weights(reading: Reading) -> str:
    """Return the code of the sample_weight in the reader's line; empty if it has none."""
    given = (argument(call, "sample_weight") for call in _calls_of_model(reading))
    return next((ast.unparse(one) for one in given if one is not None), "")


def with_other_input(reading: Reading) -> str:
    """Return the reader's line that makes a Model, with another Input in its list, or such a line."""
    tree = copy.deepcopy(failed_statement(reading))
    for node in calls_in(tree):
        if not function_of(node).endswith("Model"):
            continue
        given = argument(node, "inputs", "input") or argument(node, at=0)
        if given is None:
            continue
        listed = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
        give(node, ast.List([*listed, ast.Name("other_input", ast.Load())], ast.Load()), "inputs", "input", at=0)
        return ast.unparse(tree)  # type: ignore[arg-type]
    return "model = keras.Model([first_input, other_input], output)"


def with_all_classes(reading: Reading, classes: int) -> str:
    """Return the reader's line with the number of classes in each to_categorical that lacks it; empty if none does."""
    tree = copy.deepcopy(failed_statement(reading))
    lacking = [one for one in calls_in(tree, "to_categorical") if len(one.args) == 1 and not one.keywords]
    for call in lacking:
        call.keywords = [ast.keyword("num_classes", ast.Constant(classes))]
    return ast.unparse(tree) if tree is not None and lacking else ""


def loss_of_indices(reading: Reading) -> str:
    """Return the reader's line with TensorFlow's loss for class indices; empty if it calls no loss for columns."""
    line = reading.own_code
    changed = _LOSS_OF_COLUMNS.sub("sparse_softmax_cross_entropy_with_logits(", line)
    return "" if changed == line else changed


class _Transposed(ast.NodeTransformer):
    """Writes the attribute T of arrays as a call of a function."""

    def __init__(self, function: str) -> None:
        self.function = expression(function)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # noqa: N802 (the name that ast calls)
        self.generic_visit(node)
        return ast.Call(self.function, [node.value], []) if node.attr == "T" else node


# The functions of keras.ops that TensorFlow has too, some under another name.
_OPS = re.compile(
    r"\btf\.(concat(?=\()|concatenate|expand_dims|zeros|reshape|repeat|squeeze|argmax|transpose|tanh|sigmoid)\b"
)


def with_functions_of_reader(advised: str, reading: Reading) -> str:
    """Return an advised line with functions of keras.ops, where the reader's line has these; else with a transpose of TensorFlow."""
    code = reading.code
    ops = re.search(r"\b(?:(?:tf\.)?keras\.)?ops\.(?=[a-z])", code)
    if not ops and not OF_TENSORFLOW.search(reading.whole):
        return advised
    if ops and not re.search(r"\btf\.(?!keras)", code):
        advised = _OPS.sub(lambda match: ops[0] + {"concat": "concatenate"}.get(match[1], match[1]), advised)
    line, mark, condition = advised.partition("   # ")
    tree = tree_of(line)
    if tree is None or not re.search(r"\.T\b", line):
        return advised
    # A batch of matrices keeps its first axis.
    if re.search(r"[(\[]\w{1,9}(?:, ?\w{1,9}){2,3}[)\]]", reading.message):
        call = rf"{ops[0]}swapaxes(\1, -1, -2)" if ops else r"tf.linalg.matrix_transpose(\1)"
        turned = re.sub(r"([\w.]+)\.T\b", call, line)
        return f"{turned}{mark}{condition}"
    module = re.search(r"\b(?:keras\.ops|ops|K)\.(?=\w)", code)
    new = _Transposed(f"{module[0] if module else 'tf.'}transpose").visit(copy.deepcopy(tree))
    return f"{ast.unparse(ast.fix_missing_locations(new))}{mark}{condition}"


def with_validation_data(advised: str, reading: Reading) -> str:
    """Return an advised line, and after one that changes x or y of a fit the same for its validation data."""
    code, lines = advised.partition("   # ")[0], [advised]
    for call in _calls_of_model(reading):
        pair = argument(call, "validation_data")
        for given, held_out in zip(call.args, pair.elts if isinstance(pair, ast.Tuple) else ()):
            if isinstance(given, ast.Name) and isinstance(held_out, ast.Name) and code.startswith(f"{given.id} = "):
                new = re.sub(rf"\b{given.id}\b", held_out.id, code)
                lines.append(f"{new}   # or this, if {given.id} is right and {held_out.id} is not")
    return "\n".join(lines)


def with_open_axis(reading: Reading, size: int, wanted: int) -> str:
    """Return the reader's tf.reshape of so many entries with the first size open, and with the last one; empty if it has none."""
    calls = calls_of_line(reading, "reshape")
    sizes = calls[0].args[1] if len(calls) == 1 and len(calls[0].args) == 2 else None
    if not isinstance(sizes, ast.List | ast.Tuple) or len(sizes.elts) < 2 or "-1" in map(ast.unparse, sizes.elts):
        return ""
    constants = [one.value for one in sizes.elts if isinstance(one, ast.Constant)]
    if not all(type(one) is int and one > 0 for one in constants):
        return ""
    lines = []
    for at, where in ((0, "first"), (len(sizes.elts) - 1, "last")):
        others = [ast.literal_eval(one) if isinstance(one, ast.Constant) else 0 for one in sizes.elts]
        del others[at]
        if not all(others) or not size % prod(others):
            lines.append(f"{with_code(reading.own_code, (sizes.elts[at], '-1'))}   # if only the {where} size is wrong")
    # More entries than the shape has are often those of the steps, which belong to the last axis.
    return "\n".join(lines[::-1] if size > wanted else lines)


def _entry_by_entry(reading: Reading) -> Operation | None:
    """Return the sum, difference or product that failed in the reader's line; None if none did."""
    own = operation_in(reading.own[-1], "broadcast") if reading.own else None
    return own if own is not None and isinstance(own.node, ast.BinOp) else None


def _made_name(reading: Reading, function: ast.expr) -> str:
    """Return the name of a function, with the code that makes it in the reader's program."""
    return f"{ast.unparse(function)} {ast.unparse(value_of(reading, function) or ast.Pass())}"


def sides_of_difference(reading: Reading, left: Shape, right: Shape) -> tuple[Shape, Shape] | None:
    """Return the predictions and the targets of a loss or a difference in the reader's line; None if it is none."""
    own = _entry_by_entry(reading)
    if any(LOSS.search(_made_name(reading, one.func)) and len(one.args) == 2 for one in calls_of_line(reading)):
        return right, left  # Keras subtracts the predictions from the targets
    if own is None or not isinstance(own.node, ast.BinOp) or not isinstance(own.node.op, ast.Sub):
        return None
    if "logits" not in own.names:
        return None
    return (left, right) if own.names["logits"] is own.names["a"] else (right, left)


def with_axis_of_targets(reading: Reading) -> str:
    """Return the reader's line that compares targets with predictions by itself, with a last axis of 1 for the targets; empty if none does."""
    own = _entry_by_entry(reading)
    if own is None:
        return ""
    targets = [
        one
        for one in map(own.names.get, "ab")
        if one is not None and is_stored(one) and TARGETS.match(ast.unparse(one))
    ]
    line = failed_statement(reading)
    return with_expression(line, targets[0], f"{ast.unparse(targets[0])}[..., None]") if len(targets) == 1 else ""


def input_shape_in_text(reading: Reading) -> str:
    """Return the input_shape of a recurrent layer of Keras as the reader's text has it; empty if it has none."""
    # Without the word, the pattern would try each layer of a long text in vain.
    found = _INPUT_SHAPE.findall(reading.whole) if "input_shape" in reading.whole else []
    written = found[-1] if found else ""
    return written[1:-1].strip() if written.startswith("(") else written


_RESHAPED = re.compile(r"reshape\(|expand_dims\(|newaxis|\bNone\]|\[None\b|pad_sequences\(")


def validation_left_out(reading: Reading) -> tuple[str, str]:
    """Return the inputs of training and validation in the fit that failed, where only the first are reshaped before it.

    Both are empty otherwise.
    """
    for call in calls_of_line(reading, "fit"):
        keywords = {one.arg: one.value for one in call.keywords}
        pair = keywords.get("validation_data", keywords.get("validation_set"))
        x = next(iter(call.args), keywords.get("x"))
        held_out = pair.elts[0] if isinstance(pair, ast.Tuple | ast.List) and pair.elts else None
        if isinstance(x, ast.Name) and isinstance(held_out, ast.Name):
            reshaped = {one.target for one in reading.program if _RESHAPED.search(one.code)}
            return (x.id, held_out.id) if x.id in reshaped and held_out.id not in reshaped else ("", "")
    return "", ""
