"""Evidence in the reader's own line: the names of what the failing operation is given."""

import ast
import re
from collections.abc import Iterator

from core.shapes.messages import Reading
from core.shapes.user_code.model_arguments import LOSS, with_data_in_front
from core.shapes.user_code.operations import Operation, is_layer, is_stored, operation_in
from core.shapes.user_code.syntax_trees import calls_in, function_of, is_given_true, last_name, root_of, tree_of

_STATE = re.compile(
    r"(?:h|c|hx|cx|hn|ht|hc|hid\w*|mem\w*|state\w*|prev\w*|init\w*|start\w*|zeros?\w*|[hc]_?(?:\d|t|n|0|prev|init|start|zero|last)\w*)$"
)
_FEATURES_FIRST = re.compile(r"(?:^|[^a-z])(?:conv|cnn|pool|mels?(?:[^a-z]|$)|mfcc|spec)", re.IGNORECASE)
# How people name a number of steps.
_STEPS = r"(?:bptt|seq\w*|(?:n_|num_|time_?)steps?|time ?steps?|look_?back|window\w*|max_?len\w*|steps"
_STEPS += r"|(?:n_|num_)(?:past|future)|horizon|pred(?:iction)?_len\w*|forecast_len\w*)"
_STEP = re.compile(r"x_?t$|x_?i$|token|tok$|step|dec(?:oder)?_in|prev_?(?:y|word|token|out)|char$")
_INITIAL = re.compile(r"0|init|zero|start|first")


def failed_operation(reading: Reading) -> Operation | None:
    """Return the operation that failed, if the text has the reader's line."""
    return operation_in(reading.own[-1], reading.kind) if reading.own else None


def failed_statement(reading: Reading) -> ast.stmt | None:
    return with_data_in_front(tree_of(reading.own_code))


def nodes_of_line(reading: Reading) -> Iterator[ast.AST]:
    """Return the nodes of the reader's line; none if the text lacks it, or if it is no whole statement."""
    return ast.walk(failed_statement(reading) or ast.Pass())


def calls_of_line(reading: Reading, *functions: str) -> list[ast.Call]:
    """Return the calls of these functions in the reader's line; all its calls if none are named."""
    return calls_in(failed_statement(reading), *functions)


def is_named_as_state(node: ast.expr) -> bool:
    """Whether an expression has the name of a state."""
    return bool(_STATE.match(last_name(node)))


def is_state_first(reading: Reading) -> bool:
    """Whether the reader's call gives a state in the place of x, and something else in the place of the state."""
    call = failed_operation(reading)
    if call is None or not isinstance(call.node, ast.Call) or len(call.node.args) != 2:
        return False
    first, second = map(last_name, call.node.args)
    return bool(_STATE.match(first) and second and not _STATE.match(second))


def has_features_first(reading: Reading) -> bool:
    """Whether the reader's call is given a convolution's output or a spectrogram, (batch, features, steps)."""
    given = reading.own_code.partition("(")[2]
    if made := _made_x(reading):
        given = made
    return bool(_FEATURES_FIRST.search(given)) and not re.search(r"permute|transpose|swapaxes|\.mT", given)


def is_in_file_of_convolution(reading: Reading) -> bool:
    """Whether the reader's line is in a file that is named after a convolution, such as cnn_lstm.py."""
    return bool(reading.own) and bool(_FEATURES_FIRST.search(reading.own[-1].file))


def value_of(reading: Reading, node: ast.expr) -> ast.expr | None:
    """Return what the reader's program last gave a name before the line that failed; None if the text lacks it.

    An attribute may have its only value in a method that stands below.
    """
    name, value = ast.unparse(node), None
    failed = reading.own_code
    for one in reading.program:
        if one.code == failed:
            break
        if one.target == name:
            value = one.value
    given = [one.value for one in reading.program if one.target == name] if name.startswith("self.") else []
    return given[0] if value is None and len(given) == 1 else value


def _made_x(reading: Reading) -> str:
    """Return the code that gives the x of the reader's call its value; empty if the text lacks it."""
    call = failed_operation(reading)
    x = call.names.get("x") if call is not None else None
    made = value_of(reading, x) if isinstance(x, ast.Name) else None
    return ast.unparse(made) if made is not None else ""


def concatenates_features(reading: Reading) -> bool:
    """Whether the x of the reader's call is a concatenation, in the call or in the line that gives x its value."""
    call = failed_operation(reading)
    given = ast.unparse(call.names["x"]) if call is not None and "x" in call.names else ""
    if re.fullmatch(r"(?:\w+_)?(?:rnn|lstm|gru|dec|decoder|cell)_in(?:put)?s?", given):
        return True  # the usual name of an embedding beside a context
    return bool(re.search(r"\b(?:cat|concat|concatenate|hstack)\(", given + " " + _made_x(reading)))


def is_loss(reading: Reading) -> bool:
    """Whether the reader's line calls a loss, by its name."""
    return bool(re.search(LOSS.pattern + r"\(", reading.own_code, LOSS.flags))


def is_loss_call(node: ast.AST) -> bool:
    """Whether a node is the call of a loss, by its name."""
    return isinstance(node, ast.Call) and bool(LOSS.search(ast.unparse(node.func)))


def flattens_steps(reading: Reading) -> bool:
    """Whether the reader's program gives x a shape of two axes, (batch, entries), before the line that failed."""
    return bool(re.search(r"(?:view|reshape)\([^,]{1,60}, -1\)|flatten\((?:1|start_dim=1)\)", _made_x(reading)))


def layer_of_call(reading: Reading) -> ast.Call | None:
    """Return the call that makes the layer that failed, if the text has the reader's program."""
    call = failed_operation(reading)
    if call is None or "layer" not in call.names:
        return None
    made = value_of(reading, call.names["layer"])
    return made if isinstance(made, ast.Call) else None


def reads_batch_first(reading: Reading) -> bool | None:
    """Return whether the reader's program makes the layer that failed with batch_first=True; None if the text lacks it."""
    made = layer_of_call(reading)
    return None if made is None else is_given_true(made, "batch_first")


def ties_weights(reading: Reading) -> bool:
    """Whether the reader's program gives one module the weights of another."""
    return any(one.target.endswith(".weight") and last_name(one.value) == "weight" for one in reading.program)


def layers_of_sum(reading: Reading) -> tuple[str, str] | None:
    """Return the layers whose results the reader's line adds, such as self.W(x) + self.U(h); None if it is no such sum."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.BinOp) or not isinstance(own.node.op, ast.Add):
        return None
    calls = [own.names["a"], own.names["b"]]
    if not all(isinstance(one, ast.Call) and is_layer(one) and is_stored(one.func) for one in calls):
        return None
    return ast.unparse(calls[0].func), ast.unparse(calls[1].func)  # type: ignore[attr-defined]


def is_of_fit(reading: Reading) -> bool:
    """Whether the reader's line trains or evaluates a model, so that a sum in it is of predictions and targets."""
    return bool(re.search(r"\.(?:fit|evaluate|train_on_batch)\(", reading.own_code))


def predicts(reading: Reading) -> bool:
    """Whether the reader's line gives a model of Keras the x of a prediction."""
    return ".predict" in reading.own_code


def takes_last_step(reading: Reading) -> bool:
    """Whether the reader's program takes the last step of an array, as in output[:, -1]."""
    return any(re.search(r"\[(?::, ?)?-1\b", one.code) for one in reading.program)


def unpacks_pair(reading: Reading) -> bool:
    """Whether the reader's line unpacks the pair (h, c), as only an LSTM returns it."""
    tree = failed_statement(reading)
    target = tree.targets[0] if isinstance(tree, ast.Assign) else None
    return isinstance(target, ast.Tuple) and bool(target.elts) and isinstance(target.elts[-1], ast.Tuple)


def is_added_below_another(reading: Reading) -> bool:
    """Whether the reader's line adds a layer to a model without the shape of an input, so that a layer is below it."""
    tree = failed_statement(reading)
    call = tree.value if isinstance(tree, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "add":
        return False
    return not re.search(r"input_(?:shape|dim|length)|batch_shape|batch_input_shape", reading.own_code)


def is_number_of_steps(reading: Reading, size: int) -> bool:
    """Whether the text names a size as a number of steps, such as seq_len = 24, or "70 is the value of bptt"."""
    before, after = (
        rf"\b{_STEPS}\W{{0,3}}(?:=|:|is|of)?\W{{0,3}}{size}\b",
        rf"\b{size}\b[a-z ]{{1,40}}\b{_STEPS}\b(?! ?[:=])",
    )
    if re.search(before, reading.whole) or re.search(after, reading.whole):
        return True
    return any(re.fullmatch(_STEPS, name) for name, value in reading.numbers.items() if value == size)


def runs_on_devices(reading: Reading) -> bool:
    """Whether the text tells that PyTorch's DataParallel runs the model, which splits its input over several devices."""
    return bool(re.search(r"DataParallel|data_parallel|parallel_apply|in replica \d|multi-?gpu", reading.whole, re.I))


def gives_step(reading: Reading) -> bool:
    """Whether the x of the reader's call is one step: the call takes and returns one state, or its names tell it."""
    call, statement = failed_operation(reading), failed_statement(reading)
    state = call.names.get("state") if call is not None else None
    if call is None or state is None or isinstance(state, ast.Call):
        return False
    if re.search(r"\bdec(?![a-z])|decod", ast.unparse(call.names["layer"])) or _STEP.match(last_name(call.names["x"])):
        return True
    stored = {
        node.id
        for node in ast.walk(statement or ast.Pass())
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return any(isinstance(node, ast.Name) and node.id in stored for node in ast.walk(state))


def rows_of_embedding(reading: Reading) -> str:
    """Return the number of rows of the only embedding in the reader's program, if it is no constant; else an empty text."""
    made = [
        one.value.args[0]
        for one in reading.program
        if isinstance(one.value, ast.Call) and function_of(one.value) == "Embedding" and one.value.args
    ]
    is_one = len(made) == 1 and isinstance(made[0], ast.Call | ast.Attribute | ast.Name)
    return ast.unparse(made[0]) if is_one else ""


_OTHER_LENGTHS = re.compile(
    r"(?:different|variable|varying|unequal)[ -](?:\w{1,12} )?(?:lengths?|sizes?|shapes?|numbers? of (?:time ?)?steps)|ragged",
    re.IGNORECASE,
)


# A list of lists, with comments. Possessive, because a space may belong to a comment or stand after it.
_ROWS = re.compile(r"\[(?: ?#[^\[\]]{0,40}+)?+(?: ?\[[^\[\]]{1,80}\],?(?: #[^\[\]]{0,40}+)?+){1,60} ?\]")


def has_sequences_of_lengths(reading: Reading, samples: int) -> bool:
    """Whether the text tells that the samples have different lengths: in words, as an array of one axis, or as a list."""
    if re.search(rf"\({samples}, ?\)", reading.whole) or _OTHER_LENGTHS.search(reading.whole):
        return True
    rows = _ROWS.findall(reading.whole)
    return len({row.count("[") for row in rows}) > 1


def tells_features(reading: Reading, features: int) -> bool:
    """Whether the program makes the input of its model with two sizes, of which the last is this number of features."""
    told = re.findall(r"(?:Input\((?:shape ?= ?)?|input_shape ?= ?)\([\w.]{1,40}, ?([\w.]{1,40})\)", reading.whole)
    told += (
        re.findall(r"\binput_dim ?= ?(\w{1,40})(?![\w.(\[])", reading.whole) if "Embedding" not in reading.whole else []
    )
    return any(size == str(features) or reading.numbers.get(size) == features for size in told)


def tells_open_steps(reading: Reading) -> bool:
    """Whether the program makes a model for sequences of any length, with several features at each step."""
    told = re.findall(
        r"(?:Input\((?:shape ?= ?)?|input_shape ?= ?)\(None, ?(\w{1,40}(?:\.shape\[\d\])?)\)", reading.whole
    )
    return bool(told) and all(reading.numbers.get(size, int(size) if size.isdecimal() else 1) > 1 for size in told)


def reshape_to_constant_batch(reading: Reading, rows: int) -> tuple[str, str]:
    """Return the line that flattens with the batch of the call, where the program names a constant batch, and that constant.

    Returns
    -------
    tuple of str
        Both empty if no line of the program makes so many rows with a constant.
    """
    for one in reversed(reading.program):
        call = one.value
        if not isinstance(call, ast.Call) or function_of(call) not in ("view", "reshape") or len(call.args) != 2:
            continue
        batch, rest = map(ast.unparse, call.args)
        value = reading.numbers.get(batch, int(batch) if batch.isdecimal() else 0)
        if rest == "-1" and value == rows > 1 and isinstance(call.func, ast.Attribute):
            x = ast.unparse(call.func.value)
            return f"{one.target} = {x}.reshape({x}.size(0), -1)", batch
    return "", ""


def is_product_of_entries(reading: Reading) -> bool:
    """Whether the reader's line multiplies entry by entry where it failed, as a gate does with a state."""
    own = failed_operation(reading)
    return own is not None and isinstance(own.node, ast.BinOp) and isinstance(own.node.op, ast.Mult)


def makes_own_state(reading: Reading) -> bool:
    """Whether a model's own line gives its layer a local state that is named as an initial one."""
    call = failed_operation(reading)
    if call is None or not isinstance(call.node, ast.Call) or not ast.unparse(call.node.func).startswith("self."):
        return False
    return bool(_INITIAL.search(_local_state(call)))


_MADE_STATE = re.compile(r"(?:self\.)?(?:h|c|hx|cx|hidden|state|init)\w{0,20}$")
_ZEROS = re.compile(r"(?:zeros|randn|rand|new_zeros|empty)\(")
_FROM_X = re.compile(r"\.size\(|\.shape|len\(")


def has_constant_batch(reading: Reading) -> bool | None:
    """Return whether the reader's program makes the initial states with a batch that is the same for each call.

    Returns
    -------
    bool or None
        None if the text has no such program.
    """
    if re.search(r"DataParallel|data_parallel|[Mm]ulti-? ?GPU|\bGPUs\b", reading.whole):
        return True  # it cuts the batch into parts, and with it a state that is given from outside
    made = [ast.unparse(one.value) for one in reading.program if _MADE_STATE.match(one.target)]
    made = [one for one in made if _ZEROS.search(one)]
    taken = any(_FROM_X.search(ast.unparse(one.value)) for one in reading.program if "batch" in one.target)
    is_argument = re.search(r"def (?:init|forward)\w{0,20}\(self, ?[^)]{0,80}\bb(?:atch|s)", reading.whole)
    if not made:
        return None
    is_attribute = any("self.batch" in one for one in made)
    return not taken and not any(map(_FROM_X.search, made)) and (is_attribute or not is_argument)


def has_state_of_layer(reading: Reading) -> bool:
    """Whether the reader's call is given a state that has no name of an initial one, so that another layer gave it."""
    call = failed_operation(reading)
    match failed_statement(reading), call.names.get("state") if call else None:
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id="_")])]), ast.Tuple():
            return False  # the line drops the new state, so h and c are rather made beside it
    name = _local_state(call) if call else ""
    return bool(name) and not _INITIAL.search(name)


def _local_state(call: Operation) -> str:
    """Return the name of the variable that is given to a layer as its state; empty if it is no single variable."""
    given = call.names.get("h0")
    root = root_of(given) if given is not None else None
    return root.id if isinstance(root, ast.Name) else ""


def takes_step(reading: Reading) -> bool:
    """Whether the reader's call is given a step by its index on the first axis, such as x[t]."""
    call = failed_operation(reading)
    return call is not None and "sequence" in call.names


def gives_x_alone(reading: Reading) -> bool:
    """Whether the reader's line calls the layer with one argument, so that no state stands in the place of x."""
    call = failed_operation(reading)
    return call is not None and "x" in call.names and "state" not in call.names and "h0" not in call.names


def takes_packed(reading: Reading) -> bool:
    """Whether the reader's call is given a packed sequence, by its name."""
    call = failed_operation(reading)
    return call is not None and "x" in call.names and "pack" in last_name(call.names["x"]).lower()
