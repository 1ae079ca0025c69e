"""Advised lines in the reader's own names, after the line that failed."""

import ast
import copy
import re
from collections.abc import Sequence

from core.shapes.shape_inference.layer_calls import LAYERS, RECURRENT
from core.shapes.user_code.model_arguments import arguments_of
from core.shapes.user_code.operations import (
    WEIGHTS,
    Operation,
    axis_of_call,
    is_stored,
    operation_in,
    product_of,
    weights_in,
)
from core.shapes.user_code.program import UserStatement
from core.shapes.user_code.syntax_trees import changed, expression, function_of, renamed, tree_of, with_code
from core.shapes.user_code.traceback_lines import UserLine

# The names that advised lines use for what the failing operation is given, and for what it gives.
_NAMES = {
    *("x", "h0", "c0", "h", "c", "state", "layer", "cell", "linear", "output", "h_n", "c_n", "A", "B", "a", "b"),
    *(
        "logits",
        "targets",
        "lengths",
        "target_lengths",
        "packed",
        "value",
        "outputs",
        "initial_state",
        "bias",
        "sequences",
    ),
    *("sequence", "batches", "t", "dim", "step", "index", "saved"),
    *("model", "y", "mask", "x1", "y1"),
}


# Calls that change nothing if they are done twice.
_TWICE = (".transpose(1, 2)", ".transpose(0, 1)", ".T")


def _replaced(line: UserLine, old: ast.AST, new: ast.expr) -> str:
    """Return a line with an expression in the place of another one."""
    tree = tree_of(line.code)
    if tree is None:
        return ""
    place = ast.unparse(old)

    def is_it(node: ast.expr) -> bool:
        is_target = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        return ast.unparse(node) == place and not is_target

    code = ast.unparse(changed(tree, lambda node: new if is_it(node) else None))
    for twice in _TWICE:
        code = code.replace(twice * 2, "")
    return re.sub(r"\s+pass$", "", code) if line.code.endswith(":") else code


def _is_given_twice(line: UserLine, node: ast.expr | None) -> bool:
    """Whether a line names an array once more than where it stands as a whole."""
    if not isinstance(node, ast.Name):
        return False
    tree = tree_of(line.code) or ast.Pass()
    found = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and one.id == node.id]
    # The targets of an autoencoder are its inputs, so both change.
    are_targets = any(
        [ast.unparse(given) for given in arguments_of(one).values()] == [node.id] * 2
        for one in ast.walk(tree)
        if isinstance(one, ast.Call)
    )
    return len(found) > 1 + are_targets


def _used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in _NAMES}


def _remade(call: ast.Call, operation: Operation) -> str:
    """Return the line that makes a layer and keeps it under the reader's name; a recurrent one takes no more than x and a state."""
    names, kind = operation.names, getattr(call.func, "attr", "")
    name = names.get("linear" if kind == "Linear" else "layer")
    name = None if kind in RECURRENT and len(getattr(operation.node, "args", ())) > 2 else name
    made = renamed(call, names)
    return f"{ast.unparse(name)} = {ast.unparse(made)}" if name is not None and is_stored(name) else ""


def second_of_state(line: UserLine, h: ast.expr) -> ast.Name | None:
    """Return the c of a pair (h, c) that the reader's line gives a value, where the line reads h alone."""
    tree = tree_of(line.code)
    for node in ast.walk(tree or ast.Pass()):
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store) and len(node.elts) == 2:
            first, second = node.elts
            if ast.unparse(first) == ast.unparse(h) and isinstance(second, ast.Name):
                return ast.Name(second.id, ast.Load())
    return None


def _called_anew(line: UserLine, operation: Operation, advised: ast.Assign, *, of_targets: bool) -> str:
    """Return the reader's call with what the advised call gives, and targets for what that returns.

    Where the message is about the targets alone, the call stays as it is.
    """
    names = dict(operation.names)
    if "h0" in names and "c0" not in names and (c := second_of_state(line, names["h0"])):
        names["c0"] = names["c"] = c
    if "h0" in names and "c0" not in names:
        zeros = "keras.ops.zeros_like" if "initial_state" in ast.unparse(advised) else "torch.zeros_like"
        names["c0"] = names["c"] = expression(f"{zeros}({ast.unparse(names['h0'])})")
    if not _used(advised.value) <= names.keys():
        return ""
    call = renamed(advised.value, names)
    if of_targets and isinstance(operation.node, ast.Call):
        call = copy.deepcopy(operation.node)
    elif ast.unparse(call) == ast.unparse(operation.node) and "h0" in operation.names:
        # The reader's one name holds the pair.
        state = ast.Subscript(operation.names["h0"], ast.Constant(0), ast.Load())
        call = renamed(advised.value, names | {"h0": state, "h": state})
    tree = tree_of(line.code)
    if isinstance(tree, ast.Return):
        return _replaced(line, operation.node, call)
    if isinstance(tree, ast.Assign) and isinstance(tree.value, ast.Call):
        own_target, target = tree.targets[0], advised.targets[0]
        if isinstance(target, ast.Tuple):
            first = own_target.elts[0] if isinstance(own_target, ast.Tuple) else own_target
            second = (
                own_target.elts[1] if isinstance(own_target, ast.Tuple) and len(own_target.elts) in (2, 3) else None
            )
            if (
                isinstance(own_target, ast.Tuple)
                and len(own_target.elts) == 3
                and isinstance(target.elts[-1], ast.Tuple)
            ):
                second = ast.Tuple(own_target.elts[1:], ast.Store())  # output, h, c
            if isinstance(second, ast.Tuple) and not isinstance(target.elts[1], ast.Tuple):
                second = second.elts[0]
            rest = [second or ast.Name("_", ast.Store())] if len(target.elts) == 2 else target.elts[1:]
            own_target = ast.Tuple([first, *rest], ast.Store())
        return ast.unparse(ast.fix_missing_locations(ast.Assign([own_target], call)))
    return "" if isinstance(advised.targets[0], ast.Tuple) else _replaced(line, operation.node, call)


def _is_step(node: ast.expr | None) -> bool:
    """Whether an expression takes an entry of an array; one of a dictionary, or the weights of one gate, have a place of their own."""
    is_key = isinstance(node, ast.Subscript) and isinstance(getattr(node.slice, "value", None), str)
    return isinstance(node, ast.Subscript) and not is_key and not WEIGHTS.search(ast.unparse(node))


def _stored(line: UserLine, operation: Operation, advised: ast.Assign, kind: str) -> str:
    """Return the assignment before the reader's line, or the line with the new value in the place of the old one."""
    names = dict(operation.names)
    targets = [node.id for target in advised.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    pairs = [(h, c) for h, c in (("h0", "c0"), ("h", "c")) if c in targets and c not in names and h in names]
    if pairs:
        # One name holds the pair.
        (h, c), own = pairs[0], names[pairs[0][0]]
        names |= {
            h: ast.Subscript(own, ast.Constant(0), ast.Load()),
            c: ast.Subscript(own, ast.Constant(1), ast.Load()),
        }
        parts = advised.value.elts if isinstance(advised.value, ast.Tuple) else [advised.value] * 2
        new: ast.expr = ast.Tuple([renamed(part, names) for part in parts], ast.Load())
        if is_stored(own):
            return f"{ast.unparse(own)} = {ast.unparse(ast.fix_missing_locations(new))}"
        return _replaced(line, own, new) if _used(advised.value) == set() else ""
    if not _used(advised) <= names.keys():
        return ""
    # A value of another shape does not fit where one step of an array was.
    is_step = len(targets) == 1 and _is_step(names.get(targets[0]))
    # Before the line, another size would reach all that the line gives a model under this name.
    if len(targets) == 1 and "model" in names and _is_given_twice(line, names.get(targets[0])):
        new_value = renamed(advised.value, names)
        return with_code(line.code, (names[targets[0]], ast.unparse(new_value)))
    # A method may be called again, with what it stored in an attribute.
    if len(targets) == 1 and "model" in names and isinstance(names.get(targets[0]), ast.Attribute):
        return _replaced(line, names[targets[0]], renamed(advised.value, names))
    # An array that the line joins may be read in its old shape after it.
    if kind == "concatenate_rank" and "np." not in line.code and targets[0] in names:
        return _replaced(line, names[targets[0]], renamed(advised.value, names))
    # A line before a loss that a loop computes would change the same targets again, so the change goes into the call.
    given = names.get("targets")
    if targets == ["targets"] and isinstance(given, ast.Name) and not _is_given_twice(line, given):
        return _replaced(line, given, renamed(advised.value, names))
    if not is_step and all(is_stored(names[name]) for name in targets if name in names):
        own_line = renamed(advised, names)
        # One name may stand for two of the advised line.
        own_line.targets = list({ast.unparse(one): one for one in own_line.targets}.values())
        return ast.unparse(ast.fix_missing_locations(own_line))
    if len(targets) == 1:
        return _replaced(line, names[targets[0]], renamed(advised.value, names))
    return ""


def _all_turned(code: str, line: UserLine, operation: Operation) -> str:
    """Return the line with all its products turned as an advised one; empty if it has one product, or no weights."""
    nodes = [node for node in ast.walk(tree_of(line.code) or ast.Pass()) if isinstance(node, ast.expr)]
    products = [(node, names) for node in nodes if (names := product_of(node))]
    weights = weights_in(operation.names)
    if len(products) < 2 or not weights:
        return ""
    in_rows = code == "B @ A.T" or code == "A @ B.T" and weights == "A"
    turned = expression("B @ A.T" if in_rows else code)
    turned_line = line
    # A product whose weights stand on the other side has its own order.
    for node, names in (one for one in products if weights_in(one[1]) == weights):
        turned_line = turned_line._replace(code=_replaced(turned_line, node, renamed(turned, names)))
    return f"{turned_line.code}   # if {'each sequence is a row' if in_rows else 'all are to be transposed'}"


def _packed_anew(operation: Operation, advised: ast.expr) -> ast.expr:
    """Return the reader's call with the arguments of the advised one in addition."""
    own = copy.deepcopy(operation.node)
    if not isinstance(own, ast.Call) or not isinstance(advised, ast.Call):
        return renamed(advised, operation.names)
    given = [one for one in advised.args if ast.unparse(one) != "..."]  # which stands for the reader's own
    own.args[:2] = [renamed(one, operation.names) for one in given]
    new = {one.arg for one in advised.keywords}
    own.keywords = [one for one in own.keywords if one.arg not in new] + advised.keywords
    return own


def _of_model_anew(operation: Operation, advised: ast.Call) -> ast.expr:
    """Return the reader's call of a model with the data and the arguments of the advised one."""
    own = copy.deepcopy(operation.node)
    new = renamed(advised, operation.names)
    if not isinstance(own, ast.Call) or getattr(own.func, "attr", "") != getattr(advised.func, "attr", ""):
        return new
    given = dict(zip("xy", new.args))
    for one in own.keywords:  # the reader's line may have the data by name
        one.value = given.pop(one.arg or "", one.value)
    new.args = list(given.values()) + new.args[2:]
    own.args = [*new.args, *own.args[len(new.args) :]]
    told = {one.arg for one in new.keywords}
    own.keywords = [one for one in own.keywords if one.arg not in told] + new.keywords
    return own


def _with_axis(line: UserLine, operation: Operation, axis: ast.expr) -> str:
    """Return the reader's line with another axis in the call that failed."""
    call = copy.deepcopy(operation.node)
    old = axis_of_call(call)
    for one in getattr(call, "keywords", ()):
        one.value = axis if one.value is old else one.value
    if isinstance(call, ast.Call):
        call.args = [axis if one is old else one for one in call.args]
    return _replaced(line, operation.node, call) if isinstance(call, ast.expr) else ""


def _rewritten(code: str, line: UserLine, operation: Operation, kind: str) -> str:
    """Return an advised line in the reader's names; empty if a name stands for nothing in the reader's line."""
    if code.startswith("model.fit(") and function_of(operation.node) in ("evaluate", "train_on_batch"):
        code = code.replace("model.fit(", f"model.{function_of(operation.node)}(", 1)
    (advised,) = ast.parse(code).body
    if code.startswith("torch.bmm(") and isinstance(operation.node, ast.BinOp):  # one factor may have two axes alone
        left, right = advised.value.args  # type: ignore[attr-defined]
        code = f"{ast.unparse(left)} @ {ast.unparse(right)}".replace("(1, 2)", "(-1, -2)")
        advised = ast.Expr(expression(code))
    if isinstance(advised, ast.Expr):
        if isinstance(advised.value, ast.Call) and code.startswith("nn.") and "nn.init" not in code:
            return _remade(advised.value, operation)
        # A line without any such name is about another line of the program.
        if not _used(advised) or not _used(advised) <= operation.names.keys():
            return ""
        part = advised.value if isinstance(advised.value, ast.Subscript) else None  # of what the call returns
        call = part.value if part else advised.value
        if "model" in operation.names and function_of(call) != function_of(operation.node):
            return ast.unparse(renamed(advised, operation.names))  # a line before the reader's, such as compile
        if isinstance(call, ast.Call) and code.startswith("model."):
            made = _of_model_anew(operation, call)
            index = part and renamed(part.slice, operation.names)
            return _replaced(line, operation.node, ast.Subscript(made, index, ast.Load()) if index else made)
        return _replaced(line, operation.node, renamed(advised.value, operation.names))
    if isinstance(advised, ast.For):
        own_line = tree_of(line.code)
        target = own_line.targets[0] if isinstance(own_line, ast.Assign) else None
        # Without a state of its own, the call begins with zeros, and the loop gives each step what the call gives.
        kept = dict(zip("hc", target.elts if isinstance(target, ast.Tuple) else [target])) if target else {}
        names = kept | {name: own for name, own in operation.names.items() if name != "t"}
        if not _used(advised) - {"t"} <= names.keys():
            return ""
        own_loop = renamed(advised, names)
        return re.sub(r":\n +", ": ", ast.unparse(ast.fix_missing_locations(own_loop)))
    if isinstance(advised, ast.Assign):
        if isinstance(advised.value, ast.Call) and getattr(advised.value.func, "id", "") in ("layer", "cell", "linear"):
            of_targets = kind in ("unpack", "unpack_three") and ast.unparse(advised.value) == "layer(x)"
            return _called_anew(line, operation, advised, of_targets=of_targets)
        if getattr(advised.targets[0], "id", "") == "packed":
            if not _used(advised.value) <= operation.names.keys():
                return ""
            return _replaced(line, operation.node, _packed_anew(operation, advised.value))
        if getattr(advised.targets[0], "id", "") == "dim":
            return _with_axis(line, operation, advised.value) if "dim" in operation.names else ""
        if kind == "reshape" and getattr(advised.targets[0], "id", "") == "x":
            return _replaced(line, operation.node, renamed(advised.value, operation.names))
        return _stored(line, operation, advised, kind)
    return ""


def without_name_of_model(line: str, program: Sequence[UserStatement]) -> str:
    """Return an advised line without "name = " if the program uses that name for a whole model, not for one layer."""
    name, _, made = line.partition(" = nn.")
    values = [one.value for one in program if one.target == name]
    if not made or not values or not isinstance(values[-1], ast.Call):
        return line
    kind = function_of(values[-1])
    return line if kind in LAYERS - {"Sequential"} or not kind[:1].isupper() else f"nn.{made}"


def in_user_names(change: str, line: UserLine, kind: str, x: ast.expr | None = None) -> str:
    """Return the advised lines in the reader's own names.

    Parameters
    ----------
    change : str
        One advised line or several, each with its condition in a comment.
    line : UserLine
        The line that failed.
    kind : str
        Of the message.
    x : ast.expr, optional
        What x stands for, where the message tells it.

    Returns
    -------
    str
        Empty if no line can be written so.
    """
    operation = operation_in(line, kind)
    if operation is None:
        return ""
    if x is not None:
        operation = operation._replace(names=operation.names | {"x": x})
    advised = [one for one in change.splitlines() if not one.startswith("#")]
    own = [_in_own(one, line, operation, kind) for one in advised]
    lines = "\n".join(new or old for new, old in zip(own, advised)).splitlines()
    # Two advised lines may be one in the reader's names.
    once: dict[str, str] = {}
    for one in lines:
        once.setdefault(one.partition("   # ")[0], one)
    return "\n".join(once.values()) if any(own) else ""


# The names in a comment. The letter a is also an article, so it counts only before or after certain words.
_IN_COMMENTS = re.compile(
    r"\b[ABb]\b|\ba(?= (?:is|has|\+=)(?: |$))|(?:(?<= to )|(?<=gate ))a$|\b(?:logits|targets|h0|x|sequence)\b(?! comes)|\bh(?= comes)"
)


def _comment_in_own(comment: str, names: dict[str, ast.expr]) -> str:
    """Return the condition of a line with the reader's names for what they stand for."""

    def own(match: re.Match[str]) -> str:
        node = names.get(match[0])
        return ast.unparse(node) if node is not None and is_stored(node) else match[0]

    return _IN_COMMENTS.sub(own, comment)


def _is_in_own_names(code: str, line: UserLine) -> bool:
    """Whether an advised line has all names of the reader's line, and some that no advised line has by itself."""
    own, new = (
        {node.id for node in ast.walk(tree_of(one) or ast.Pass()) if isinstance(node, ast.Name)}
        for one in (line.code, code)
    )
    return bool(own - _NAMES) and own <= new


def _in_own(advised: str, line: UserLine, operation: Operation, kind: str) -> str:
    code, mark, condition = advised.partition("   # ")
    if tree_of(code) is None:  # a size in it is unknown
        return ""
    # The reader's call that packs may have more arguments than the advised one.
    if _is_in_own_names(code, line) and not code.startswith("packed = "):
        return advised
    new = _rewritten(code, line, operation, kind)
    if not new or new == ast.unparse(tree_of(line.code) or ast.Pass()):
        return ""  # what the reader has already
    condition = _comment_in_own(condition, operation.names)
    if condition and ".transpose(" in code and new.count(".transpose(") < line.code.count(".transpose("):
        condition = "without the transpose"  # the one advised undoes the reader's
    others = _all_turned(code, line, operation) if code in ("A.T @ B", "A @ B.T", "B @ A.T") else ""
    if code == "B @ A.T" and others:
        return others  # one product in rows and another in columns would not fit
    return "\n".join(filter(None, (f"{new}{mark}{condition}", others)))
