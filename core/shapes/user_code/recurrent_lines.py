"""The lines of the reader's program that make recurrent layers and cells, and those that call them."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.shape_inference.layer_calls import RECURRENT
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import failed_operation, failed_statement, is_named_as_state
from core.shapes.user_code.frames import Argument, followed
from core.shapes.user_code.syntax_trees import (
    calls_in,
    expression,
    function_of,
    is_given_true,
    last_name,
    renamed,
    root_of,
    tree_of,
)

_MODEL = re.compile(r"(?:self\.)?(?:\w*_)?(?:model|net(?:work)?)$", re.IGNORECASE)


def tells_batch_first(reading: Reading) -> bool | None:
    """Return whether the only recurrent layer in the reader's program has batch_first=True; None if there are none or more."""
    made = [
        one.value
        for one in reading.program
        if isinstance(one.value, ast.Call)
        and function_of(one.value) in RECURRENT
        and one.value.args + one.value.keywords
    ]
    made = [one for one in made if not function_of(one).endswith("Cell")]
    return is_given_true(made[0], "batch_first") if len(made) == 1 else None


def carried_state(reading: Reading) -> tuple[str, ...]:
    """Return the names under which the reader's outermost call gives a state and gets it back, as in out, h = net(x, h).

    Returns
    -------
    tuple of str
        The names of h and c, or that of h alone, or the name of a pair and "of-lstm"; empty if no line carries a state,
        and if an encoder made it.
    """
    if re.search(r"dec(?![a-z])|decoder|encoder", " ".join(one.code for one in reading.own), re.IGNORECASE):
        return ()
    for line in reading.own:
        match tree_of(line.code):
            case ast.Assign(targets=[ast.Tuple(elts=[_, got])], value=ast.Call(args=[_, given], keywords=[])) if (
                ast.unparse(given) == ast.unparse(got)
            ):
                if isinstance(given, ast.Tuple):
                    names = tuple(map(ast.unparse, given.elts))
                    return names if len(names) == 2 and all(map(str.isidentifier, names)) else ()
                if not isinstance(given, ast.Name):
                    return ()
                return (given.id, "of-lstm") if "[" in reading.values.get("which", "") else (given.id,)
    return ()


def begun_anew(reading: Reading, batch_of_x: str) -> str:
    """Return the line that gives a state to the function whose loop carries it, with None in its place; empty if there is none.

    A state that an attribute keeps from call to call is None where its batch is another than that of x.
    """
    call = failed_operation(reading)
    state = call.names.get("state") if call is not None else None
    is_batch = gives_back_state(reading) or reading.shape("got")[1] > 1
    if call is not None and isinstance(state, ast.Attribute) and is_batch:
        kept = f"{ast.unparse(state)}[0]" if "[" in reading.values.get("which", "") else ast.unparse(state)
        batch = ast.unparse(renamed(expression(batch_of_x), call.names))
        return f"if {ast.unparse(state)} is not None and {kept}.size(1) != {batch}: {ast.unparse(state)} = None"
    above = [given for given in followed(reading, state) if len(given) == 1][1:] if state is not None else []
    carries = [_is_carried(one) for (one,) in above]
    if len(above) < 2 or carries[-1] or not any(carries):
        return ""
    (given,) = above[-1]
    if not is_named_as_state(given.node):
        return ""
    return with_expression(tree_of(given.line.code), given.node, "None")


def loops_with_state(reading: Reading) -> bool:
    """Whether the reader's line, or one that called it, gives the new state the name of one that it gave, as a loop does."""
    calls = [(line, call) for line in reading.own[:-1] for call in calls_in(tree_of(line.code))]
    given = [Argument(line, one) for line, call in calls for one in call.args if is_named_as_state(one)]
    return gives_back_state(reading) or any(map(_is_carried, given))


def kept_state(reading: Reading, shape: str = "") -> str:
    """Return the line that begins without a state where the reader's line keeps the new one in an attribute; empty if it does not."""
    call = failed_operation(reading)
    state = call.names.get("state") if call is not None else None
    if not isinstance(state, ast.Attribute) or not gives_back_state(reading):
        return ""
    return f"{ast.unparse(state)} = None   # where it is made: the layer then begins with zeros{f', {shape}' * bool(shape)}"


def _is_carried(given: Argument) -> bool:
    """Whether the line that gives a state gets it back under the same name."""
    tree = tree_of(given.line.code)
    stored = [one for node in getattr(tree, "targets", ()) for one in ast.walk(node) if isinstance(one, ast.expr)]
    return ast.unparse(given.node) in map(ast.unparse, stored)


_SINGLE_STEP = r"\bdec|decod|unsqueeze\(1\)|\btoken|_step\b|(?:view|reshape)\(\(?1, (?!-1,)[^,]{1,60}, "


def gives_back_state(reading: Reading) -> bool:
    """Whether the reader's line gives the new state the name of the one that it was given, as a loop over steps does."""
    call = failed_operation(reading)
    state = call.names.get("state") if call is not None else None
    return state is not None and _is_carried(Argument(reading.own[-1], state))


def gives_single_step(reading: Reading) -> bool:
    """Whether the reader's lines give a layer one step of a batch, as a decoder does; a caller may give a batch of one."""
    is_told = any(re.search(_SINGLE_STEP, one.code) for one in reading.own)
    return is_told or "unsqueeze(0)" in reading.own_code


def replaces_x(reading: Reading) -> bool:
    """Whether the reader's line gives the output of the layer the name of its x, as in x, _ = self.lstm(x)."""
    call, statement = failed_operation(reading), failed_statement(reading)
    if call is None or "x" not in call.names or not isinstance(statement, ast.Assign):
        return False
    target = statement.targets[0]
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return ast.unparse(first) == ast.unparse(call.names["x"])


def calls_folded_model(reading: Reading) -> bool:
    """Whether the reader's line calls a model by its name, and Colab folds the frames in which a layer of it failed."""
    call = failed_operation(reading) if re.search(r"\b\d{1,3} frames\b", reading.whole) else None
    layer = call.names.get("layer") if call else None
    return layer is not None and bool(_MODEL.match(ast.unparse(layer)))


def takes_name(reading: Reading) -> bool:
    """Whether the reader's line gives the layer a variable as it is, so that an earlier line gave it its shape."""
    call = failed_operation(reading)
    return call is not None and isinstance(call.names.get("x"), ast.Name | ast.Attribute)


def flattens_steps(reading: Reading) -> bool:
    """Whether the reader's line flattens what it gives the layer, and this has not the name of a state."""
    call = failed_operation(reading)
    x = call.names.get("x") if call is not None else None
    return isinstance(x, ast.Call) and "flatten" in function_of(x).lower() and not is_named_as_state(root_of(x))


def takes_last_state(reading: Reading) -> bool | None:
    """Return whether the reader's line gives the layer a part of what has the name of a state; None if it has no such call."""
    call = failed_operation(reading)
    x = call.names.get("x") if call is not None else None
    return None if x is None else isinstance(x, ast.Subscript) and is_named_as_state(root_of(x))


_OUTPUT = re.compile(r"(?:\w+_)?(?:out|output|outs|outputs)$|(?:lstm|gru|rnn|dec\w*|enc\w*)_?\w{0,6}$", re.IGNORECASE)


def given_state(reading: Reading) -> str:
    """Return what the whole array that the line gives a layer is by its name: "state", "output", or nothing."""
    call = failed_operation(reading)
    x = call.names.get("x") if call is not None else None
    if not isinstance(x, ast.Name):
        return ""
    return "state" if is_named_as_state(x) else "output" if _OUTPUT.match(x.id) else ""


def takes_result(reading: Reading) -> bool:
    """Whether the array that the line gives a layer, or takes a part of, may come from another one by its name."""
    call = failed_operation(reading)
    root = root_of(call.names["x"]) if call is not None and "x" in call.names else None
    return root is None or is_named_as_state(root) or bool(re.match(rf"x\d?$|{_OUTPUT.pattern}", last_name(root), re.I))


def takes_embedding(reading: Reading) -> bool:
    """Whether the x of the reader's call has the name of an embedding, or of words."""
    call = failed_operation(reading)
    given = ast.unparse(call.names["x"]) if call is not None and "x" in call.names else ""
    return bool(re.search(r"emb|token|word|text|sent", given, re.IGNORECASE))


_INDICES = re.compile(r"(?:ids|idx|tokens?|indices|words?|chars?|letters?)$")


def gives_indices(reading: Reading) -> bool:
    """Whether the x of the reader's call has the name of indices, or a line above casts it to the type of a layer."""
    call = failed_operation(reading)
    x = call.names.get("x") if call is not None else None
    if x is None:
        return False
    given = [one.node for arguments in followed(reading, x) for one in arguments if len(arguments) == 1]
    is_cast = any(re.fullmatch(r"\w+(?:\.\w+)*\.float\(\)", ast.unparse(one)) for one in given)
    return is_cast or any(_INDICES.search(last_name(root_of(one))) for one in given)
