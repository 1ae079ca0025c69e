"""Advised lines in the reader's own names, after the line that failed.

A rule advises ``h0 = torch.zeros(1, x.size(0), 64)``. If ``out, hn = self.gru(seq, state)`` failed, then x is ``seq`` and h0 is
``state``, so the reader's line is ``state = torch.zeros(1, seq.size(0), 64)``. `_rewritten` chooses by the form of the advised
line: one that makes a layer, an expression for the one that failed, a loop, a call, or an assignment.
"""

import ast
import copy
import re
from collections.abc import Sequence
from typing import NamedTuple

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
from core.shapes.user_code.syntax_trees import (
    changed,
    expression,
    function_of,
    last_name,
    renamed,
    tree_of,
    with_code,
)
from core.shapes.user_code.traceback_lines import UserLine

# The names that advised lines use for what the failing operation is given, and for what it gives.
_NAMES = set(
    "x h0 c0 h c state layer cell linear output h_n c_n A B a b logits targets lengths target_lengths packed value outputs "
    "initial_state bias sequences sequence batches t dim step index saved model y mask x1 y1".split()
)
# Calls that change nothing if they are done twice.
_TWICE = (".transpose(1, 2)", ".transpose(0, 1)", ".T")


def _names_in(tree: ast.AST | None) -> set[str]:
    return {node.id for node in ast.walk(tree or ast.Pass()) if isinstance(node, ast.Name)}


class _Place(NamedTuple):
    """The place for an advised line: the reader's line, the operation in it that failed, and the kind of the message."""

    line: UserLine
    operation: Operation
    kind: str

    @property
    def names(self) -> dict[str, ast.expr]:
        """The expressions of the reader that the names of advised lines stand for."""
        return self.operation.names

    @property
    def call(self) -> ast.expr | ast.AugAssign:
        return self.operation.node

    def has_names_of(self, advised: ast.AST) -> bool:
        """Whether the reader has all names of advised code."""
        return (_names_in(advised) & _NAMES) <= self.names.keys()

    def with_new(self, old: ast.AST, new: ast.expr) -> str:
        """Return the reader's line with an expression in the place of another one, wherever that stands but as a target."""
        tree, place = tree_of(self.line.code), ast.unparse(old)
        if tree is None:
            return ""

        def is_it(node: ast.expr) -> bool:
            is_target = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            return ast.unparse(node) == place and not is_target

        code = ast.unparse(changed(tree, lambda node: new if is_it(node) else None))
        for twice in _TWICE:
            code = code.replace(twice * 2, "")
        return re.sub(r"\s+pass$", "", code) if self.line.code.endswith(":") else code


def _code(tree: ast.AST) -> str:
    """Return the code of a tree that has new nodes."""
    return ast.unparse(ast.fix_missing_locations(tree))


# ---- a layer that is made ----------------------------------------------------------------------


def _made_anew(call: ast.Call, at: _Place) -> str:
    """Return the line that makes a layer under the reader's name: ``self.gru = nn.GRU(...)`` for ``nn.GRU(...)``.

    A recurrent layer takes no more than x and a state.
    """
    kind = last_name(call.func)
    name = at.names.get("linear" if kind == "Linear" else "layer")
    takes_more = kind in RECURRENT and len(getattr(at.call, "args", ())) > 2
    is_named = name is not None and is_stored(name) and not takes_more
    return f"{ast.unparse(name)} = {ast.unparse(renamed(call, at.names))}" if name is not None and is_named else ""


# ---- an expression in the place of the one that failed ------------------------------------------


def _as_called(code: str, call: ast.AST) -> str:
    """Return an advised call as the reader has it: ``model.evaluate(x, y)`` for fit, ``a @ b`` for torch.bmm(a, b)."""
    if code.startswith("model.fit(") and function_of(call) in ("evaluate", "train_on_batch"):
        return code.replace("model.fit(", f"model.{function_of(call)}(", 1)
    if code.startswith("torch.bmm(") and isinstance(call, ast.BinOp):  # one factor may have two axes alone
        return " @ ".join(map(ast.unparse, expression(code).args)).replace("(1, 2)", "(-1, -2)")  # type: ignore[attr-defined]
    return code


def _expression(advised: ast.Expr, at: _Place) -> str:
    """Return the reader's line with an advised expression for the one that failed; empty if it is about another line."""
    if not _names_in(advised) & _NAMES or not at.has_names_of(advised):
        return ""
    part = advised.value if isinstance(advised.value, ast.Subscript) else None  # of what the call returns
    call = part.value if part else advised.value
    if "model" in at.names and function_of(call) != function_of(at.call):
        return ast.unparse(renamed(advised, at.names))  # a line before the reader's, such as compile
    new = renamed(advised.value, at.names)
    if isinstance(call, ast.Call) and ast.unparse(call).startswith("model."):
        new = _of_model_anew(at.operation, call)
        new = ast.Subscript(new, renamed(part.slice, at.names), ast.Load()) if part else new
    return at.with_new(at.call, new)


def _of_model_anew(operation: Operation, advised: ast.Call) -> ast.expr:
    """Return the reader's call of a model with the data and the arguments of the advised one."""
    own, new = copy.deepcopy(operation.node), renamed(advised, operation.names)
    if not isinstance(own, ast.Call) or last_name(own.func) != last_name(advised.func):
        return new
    data = dict(zip("xy", new.args))
    for one in own.keywords:  # the reader's line may have the data by name
        one.value = data.pop(one.arg or "", one.value)
    given = [*data.values(), *new.args[2:]]
    own.args[: len(given)] = given
    return _with_keywords(own, new.keywords)


def _with_keywords(call: ast.Call, keywords: list[ast.keyword]) -> ast.Call:
    """Return a call with these arguments by keyword, in the place of its own of the same name."""
    new = {one.arg for one in keywords}
    call.keywords = [one for one in call.keywords if one.arg not in new] + keywords
    return call


# ---- a loop over the steps ----------------------------------------------------------------------


def _loop(advised: ast.For, at: _Place) -> str:
    """Return the loop over steps in the reader's names: ``for x_t in seq: hx = cell(x_t, hx)``."""
    own_line = tree_of(at.line.code)
    target = own_line.targets[0] if isinstance(own_line, ast.Assign) else None
    # Without a state of its own, the call begins with zeros, and the loop gives each step what the call gives.
    kept = dict(zip("hc", target.elts if isinstance(target, ast.Tuple) else [target])) if target else {}
    names = kept | {name: own for name, own in at.names.items() if name != "t"}
    if not _names_in(advised) & _NAMES - {"t"} <= names.keys():
        return ""
    return re.sub(r":\n +", ": ", _code(renamed(advised, names)))


# ---- a call of the layer ------------------------------------------------------------------------


def second_of_state(line: UserLine, h: ast.expr) -> ast.Name | None:
    """Return the c of a pair (h, c) that the reader's line gives a value, where the line reads h alone."""
    for node in ast.walk(tree_of(line.code) or ast.Pass()):
        match node:
            case ast.Tuple(elts=[first, ast.Name(id=c)], ctx=ast.Store()) if ast.unparse(first) == ast.unparse(h):
                return ast.Name(c, ast.Load())
    return None


def _with_second_state(at: _Place, advised: ast.Assign) -> _Place:
    """Return the place with a c0 beside the reader's h0: the c that the line stores, or zeros like h0."""
    h = at.names.get("h0")
    if h is None or "c0" in at.names:
        return at
    zeros = "keras.ops.zeros_like" if "initial_state" in ast.unparse(advised) else "torch.zeros_like"
    c = second_of_state(at.line, h) or expression(f"{zeros}({ast.unparse(h)})")
    return at._replace(operation=at.operation._replace(names=at.names | {"c0": c, "c": c}))


def _own_targets(own: ast.expr, advised: ast.expr) -> ast.expr:
    """Return the reader's targets in the form of the advised ones: ``out, (h, c)`` of ``out, h, c`` for ``output, (h_n, c_n)``."""
    if not isinstance(advised, ast.Tuple):
        return own
    first, *rest = own.elts if isinstance(own, ast.Tuple) else [own]
    if len(advised.elts) != 2:
        return ast.Tuple([first, *advised.elts[1:]], ast.Store())
    is_pair = isinstance(advised.elts[1], ast.Tuple)
    match rest:
        case [h, c] if is_pair:
            state: ast.expr = ast.Tuple([h, c], ast.Store())
        case [ast.Tuple(elts=[state, *_])] | [ast.Tuple(elts=[state, *_]), _] if not is_pair:
            pass
        case [state] | [state, _]:
            pass
        case _:
            state = ast.Name("_", ast.Store())
    return ast.Tuple([first, state], ast.Store())


def _called_anew(advised: ast.Assign, at: _Place) -> str:
    """Return the reader's call with what the advised call is given, and targets for what that returns.

    ``out, (hn, _) = self.rnn(seq)`` for ``output, h_n = layer(x)`` is ``out, hn = self.rnn(seq)``.
    """
    at = _with_second_state(at, advised)
    if not at.has_names_of(advised.value):
        return ""
    call, target = renamed(advised.value, at.names), advised.targets[0]
    is_about_targets = at.kind in ("unpack", "unpack_three") and ast.unparse(advised.value) == "layer(x)"
    if is_about_targets and isinstance(at.call, ast.Call):
        call = copy.deepcopy(at.call)
    elif ast.unparse(call) == ast.unparse(at.call) and "h0" in at.names:
        # The reader's one name holds the pair.
        state = ast.Subscript(at.names["h0"], ast.Constant(0), ast.Load())
        call = renamed(advised.value, at.names | {"h0": state, "h": state})
    match tree_of(at.line.code):
        case ast.Assign(targets=[own_target, *_], value=ast.Call()):
            return _code(ast.Assign([_own_targets(own_target, target)], call))
        case ast.Return():
            return at.with_new(at.call, call)
    return "" if isinstance(target, ast.Tuple) else at.with_new(at.call, call)


def _packed_anew(advised: ast.expr, at: _Place) -> str:
    """Return the reader's line with the advised arguments in its call that packs; ``...`` stands for the reader's own."""
    if not at.has_names_of(advised):
        return ""
    own = copy.deepcopy(at.call)
    if not isinstance(own, ast.Call) or not isinstance(advised, ast.Call):
        return at.with_new(at.call, renamed(advised, at.names))
    own.args[:2] = [renamed(one, at.names) for one in advised.args if ast.unparse(one) != "..."]
    return at.with_new(at.call, _with_keywords(own, advised.keywords))


def _with_axis(axis: ast.expr, at: _Place) -> str:
    """Return the reader's line with another axis in the call that failed: ``torch.cat([a, b], dim=1)`` for ``dim = 1``."""
    call = copy.deepcopy(at.call)
    old = axis_of_call(call)
    if "dim" not in at.names or not isinstance(call, ast.Call):
        return ""
    call.args = [axis if one is old else one for one in call.args]
    for one in call.keywords:
        one.value = axis if one.value is old else one.value
    return at.with_new(at.call, call)


# ---- a value that is stored ---------------------------------------------------------------------


def _is_given_twice(line: UserLine, node: ast.expr) -> bool:
    """Whether a line names an array once more than where it stands as a whole."""
    if not isinstance(node, ast.Name):
        return False
    nodes = list(ast.walk(tree_of(line.code) or ast.Pass()))
    given = [[*map(ast.unparse, arguments_of(one).values())] for one in nodes if isinstance(one, ast.Call)]
    # The targets of an autoencoder are its inputs, so both change.
    return sum(isinstance(one, ast.Name) and one.id == node.id for one in nodes) > 1 + ([node.id] * 2 in given)


def _is_step(node: ast.expr) -> bool:
    """Whether an expression takes an entry of an array; one of a dictionary, or the weights of one gate, have a place of their own."""
    is_key = isinstance(node, ast.Subscript) and isinstance(getattr(node.slice, "value", None), str)
    return isinstance(node, ast.Subscript) and not is_key and not WEIGHTS.search(ast.unparse(node))


def _pair_stored(advised: ast.Assign, at: _Place, h: str, c: str) -> str:
    """Return the line for h and c where one name of the reader holds both: ``state = torch.zeros(...), torch.zeros(...)``."""
    own = at.names[h]
    names = at.names | {name: ast.Subscript(own, ast.Constant(index), ast.Load()) for index, name in enumerate((h, c))}
    targets = [node.id for target in advised.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    of_each = advised.value.elts if isinstance(advised.value, ast.Tuple) else [advised.value] * len(targets)
    parts = [dict(zip(targets, of_each)).get(name, names[name]) for name in (h, c)]
    new = ast.Tuple([renamed(part, names) for part in parts], ast.Load())
    if is_stored(own):
        return f"{ast.unparse(own)} = {_code(new)}"
    return "" if _names_in(advised.value) & _NAMES else at.with_new(own, new)


def _belongs_into_call(target: str, own: ast.expr, at: _Place) -> bool:
    """Whether a new value of the reader's expression belongs where that stands in the line, not into a line before it."""
    return (
        # A value of another shape does not fit where one step of an array was.
        _is_step(own)
        or not is_stored(own)
        # A method may be called again, with what it stored in an attribute.
        or "model" in at.names
        and isinstance(own, ast.Attribute)
        # An array that the line joins may be read in its old shape after it.
        or at.kind == "concatenate_rank"
        and "np." not in at.line.code
        # A line before a loss that a loop computes would change the same targets again.
        or target == "targets"
        and isinstance(own, ast.Name)
        and not _is_given_twice(at.line, own)
    )


def _stored(advised: ast.Assign, at: _Place) -> str:
    """Return the assignment before the reader's line, or the line with the new value in the place of the old one."""
    targets = [node.id for target in advised.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    for h, c in (("h0", "c0"), ("h", "c")):
        if c in _names_in(advised) and c not in at.names and h in at.names:
            return _pair_stored(advised, at, h, c)
    if not at.has_names_of(advised):
        return ""
    if len(targets) == 1 and (own := at.names.get(targets[0])) is not None:
        new = renamed(advised.value, at.names)
        # Before the line, another size would reach all that the line gives a model under this name.
        if "model" in at.names and _is_given_twice(at.line, own):
            return with_code(at.line.code, (own, ast.unparse(new)))
        if _belongs_into_call(targets[0], own, at):
            return at.with_new(own, new)
    if not all(is_stored(at.names[name]) for name in targets if name in at.names):
        return ""
    own_line = renamed(advised, at.names)
    # One name may stand for two of the advised line.
    own_line.targets = list({ast.unparse(one): one for one in own_line.targets}.values())
    return _code(own_line)


# ---- all forms ----------------------------------------------------------------------------------


def _rewritten(code: str, at: _Place) -> str:
    """Return an advised line in the reader's names; empty if a name stands for nothing in the reader's line."""
    (advised,) = ast.parse(_as_called(code, at.call)).body
    match advised:
        case ast.Expr(value=ast.Call() as call) if code.startswith("nn.") and "nn.init" not in code:
            return _made_anew(call, at)
        case ast.Expr():
            return _expression(advised, at)
        case ast.For():
            return _loop(advised, at)
        case ast.Assign(value=ast.Call(func=ast.Name(id="layer" | "cell" | "linear"))):
            return _called_anew(advised, at)
        case ast.Assign(targets=[ast.Name(id="packed")], value=value):
            return _packed_anew(value, at)
        case ast.Assign(targets=[ast.Name(id="dim")], value=axis):
            return _with_axis(axis, at)
        case ast.Assign(targets=[ast.Name(id="x")], value=value) if at.kind == "reshape":
            return at.with_new(at.call, renamed(value, at.names))
        case ast.Assign():
            return _stored(advised, at)
    return ""


def _all_turned(code: str, at: _Place) -> str:
    """Return the line with all its products turned as an advised one; empty if it has one product, or no weights."""
    if code not in ("A.T @ B", "A @ B.T", "B @ A.T"):
        return ""
    nodes = [node for node in ast.walk(tree_of(at.line.code) or ast.Pass()) if isinstance(node, ast.expr)]
    products = [(node, names) for node in nodes if (names := product_of(node))]
    weights = weights_in(at.names)
    if len(products) < 2 or not weights:
        return ""
    in_rows = code == "B @ A.T" or code == "A @ B.T" and weights == "A"
    turned = expression("B @ A.T" if in_rows else code)
    # A product whose weights stand on the other side has its own order.
    for node, names in products:
        if weights_in(names) == weights:
            at = at._replace(line=at.line._replace(code=at.with_new(node, renamed(turned, names))))
    return f"{at.line.code}   # if {'each sequence is a row' if in_rows else 'all are to be transposed'}"


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


def _in_own(advised: str, at: _Place) -> str:
    """Return an advised line, with its comment, in the reader's names; empty if it can't be, or if the reader has it already."""
    code, mark, condition = advised.partition("   # ")
    own_tree = tree_of(at.line.code)
    if tree_of(code) is None:  # a size in it is unknown
        return ""
    own_names = _names_in(own_tree)
    # The reader's call that packs may have more arguments than the advised one.
    if own_names - _NAMES and own_names <= _names_in(tree_of(code)) and not code.startswith("packed = "):
        return advised
    new = _rewritten(code, at)
    if not new or new == ast.unparse(own_tree or ast.Pass()):
        return ""
    condition = _comment_in_own(condition, at.names)
    is_same_line = new.split()[0] == at.line.code.split()[0]
    if (
        condition
        and is_same_line
        and ".transpose(" in code
        and new.count(".transpose(") < at.line.code.count(".transpose(")
    ):
        condition = "without the transpose"  # the one advised undoes the reader's
    others = _all_turned(code, at)
    if code == "B @ A.T" and others:
        return others  # one product in rows and another in columns would not fit
    return "\n".join(filter(None, (f"{new}{mark}{condition}", others)))


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
    own = [_in_own(one, _Place(line, operation, kind)) for one in advised]
    lines = "\n".join(new or old for new, old in zip(own, advised)).splitlines()
    # Two advised lines may be one in the reader's names.
    once: dict[str, str] = {}
    for one in lines:
        once.setdefault(one.partition("   # ")[0], one)
    return "\n".join(once.values()) if any(own) else ""


def without_name_of_model(line: str, program: Sequence[UserStatement]) -> str:
    """Return an advised line without "name = " if the program uses that name for a whole model, not for one layer."""
    name, _, made = line.partition(" = nn.")
    values = [one.value for one in program if one.target == name]
    if not made or not values or not isinstance(values[-1], ast.Call):
        return line
    kind = function_of(values[-1])
    return line if kind in LAYERS - {"Sequential"} or not kind[:1].isupper() else f"nn.{made}"
