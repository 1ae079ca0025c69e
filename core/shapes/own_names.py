"""Advised lines in the reader's own names, after the line that failed."""

import ast
import builtins
import copy
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from core.shapes.own_lines import OwnLine, tree_of

# The names that advised lines use for what the failing operation is given, and for what it gives.
_NAMES = {
    *("x", "h0", "c0", "h", "c", "state", "layer", "cell", "linear", "output", "h_n", "c_n", "A", "B", "a", "b"),
    *("logits", "targets", "lengths", "packed", "value", "outputs", "initial_state", "bias", "sequences"),
    *("sequence", "t"),
}
_PRODUCTS = {"dot", "matmul", "mm", "bmm", "mv", "addmm"}
_JOINS = {"cat", "concatenate", "concat", "stack", "hstack", "vstack", "Concatenate", "column_stack"}
_ARRAYS = {"array", "asarray", "tensor", "convert_to_tensor", "constant"}
_RESHAPES = {"reshape", "view"}
# Methods that call the layers inside.
_OF_MODELS = {"predict", "fit", "evaluate", "train_on_batch", "forward", "apply", "load_state_dict", "set_weights"}
# Methods of arrays, which are no layers.
_OF_ARRAYS = {
    "size",
    "dim",
    "squeeze",
    "unsqueeze",
    "view",
    "reshape",
    "permute",
    "transpose",
    "detach",
    "contiguous",
    "mean",
    "sum",
    "to",
}
# Methods of models that are given a layer, not its input.
_OF_BUILDING = {"add", "append", "insert"}
WEIGHTS = re.compile(r"(?:^|[._\['\"])[WUV](?:_?[a-z]{0,4}\d?)?(?:['\"]?\])?(?:\.T)?$|weight|kernel", re.ASCII)
_BIAS = re.compile(r"(?:^|[._])b(?:_?[a-z]{1,3})?\d?$|bias", re.ASCII)
_MODULES = {"np", "numpy", "torch", "tf", "jnp", "F", "nn", "math", "K", "jax"}


class Operation(NamedTuple):
    """The operation that failed, in the reader's line.

    Attributes
    ----------
    node : ast.expr or ast.AugAssign
    names : dict from str to ast.expr
        What the names of advised lines stand for.
    """

    node: ast.expr | ast.AugAssign
    names: dict[str, ast.expr]


def function_of(node: ast.AST) -> str:
    """Return the last name of a called function."""
    if not isinstance(node, ast.Call):
        return ""
    made = node.func.func if isinstance(node.func, ast.Call) else node.func  # layers.Concatenate()([a, b])
    return getattr(made, "attr", getattr(made, "id", ""))


def _of_module(node: ast.Call) -> bool:
    """Whether a function of a library is called, and not a method or a layer."""
    root = node.func
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in _MODULES


def _is_layer(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id):
        return False  # such as print
    # A class that is called makes a layer; what it returns may be called.
    if not isinstance(node.func, ast.Call) and function_of(node)[:1].isupper():
        return False
    return not _of_module(node) and function_of(node) not in _OF_MODELS | _OF_ARRAYS | _OF_BUILDING


def _root(node: ast.expr) -> ast.expr:
    """Return what a chain of indices and methods begins with."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not _of_module(node):
            node = node.func.value
        else:
            return node


def product_of(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the factors A and B of a matrix product; None if it is none."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return {"A": node.left, "B": node.right}
    if isinstance(node, ast.Call) and function_of(node) in _PRODUCTS and isinstance(node.func, ast.Attribute):
        parts = node.args if _of_module(node) else [node.func.value, *node.args]
        return dict(zip("AB", parts)) if len(parts) == 2 else None
    return None


def _linear(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and _is_layer(node) and len(node.args) == 1:
        return {"linear": node.func, "output": _root(node.args[0])}
    return None


def _layer(node: ast.expr) -> dict[str, ast.expr] | None:
    if not isinstance(node, ast.Call) or not _is_layer(node) or not 1 <= len(node.args) + len(node.keywords) <= 3:
        return None
    given = [*node.args, *(one.value for one in node.keywords if one.arg in ("hx", "initial_state"))]
    if not given:
        return None
    names = {"layer": node.func, "cell": node.func, "linear": node.func, "x": given[0], "output": _root(given[0])}
    if isinstance(given[0], ast.Subscript) and isinstance(given[0].slice, ast.Name | ast.Constant):
        names |= {"sequence": given[0].value, "t": given[0].slice}
    if len(given) == 2:
        pair = given[1].elts if isinstance(given[1], ast.Tuple | ast.List) else [given[1]]
        for name, part in zip(("h0", "c0"), pair):
            names |= {name: part, name[0]: part}
        names |= {"state": given[1], "initial_state": given[1]}
        if isinstance(given[0], ast.Name) and re.match(r"h(?:\d|x|id|_|$)|state|init", given[0].id):
            names |= {"x": given[1], "state": given[0]}  # the state came first
    elif len(given) == 3:
        names |= {"h0": given[1], "c0": given[2], "h": given[1], "c": given[2]}
    return names


def _join(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and function_of(node) in _JOINS and node.args:
        if isinstance(node.args[0], ast.Name | ast.ListComp):
            return {"sequences": node.args[0]}
        parts = getattr(node.args[0], "elts", [])
        return {"a": parts[0], "b": parts[1], "h": parts[0], "x": parts[1]} if len(parts) == 2 else None
    return None


def _made_array(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return what an array is made of: one variable with the sequences, or a list of two variables."""
    if not isinstance(node, ast.Call) or function_of(node) not in _ARRAYS or not _of_module(node) or not node.args:
        return None
    parts = getattr(node.args[0], "elts", [])
    if len(parts) == 2 and all(map(_is_stored, parts)):
        return {"h": parts[0], "x": parts[1]}
    return {"sequences": node.args[0]}


def _entries(node: ast.expr | ast.AugAssign) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        return {"a": node.target, "b": node.value}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        return {"a": node.left, "b": node.right}
    if (
        isinstance(node, ast.Call)
        and function_of(node) in ("add", "multiply", "subtract", "mul")
        and len(node.args) == 2
    ):
        return dict(zip("ab", node.args))
    return None


def _loss(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and len(node.args) == 2:
        return dict(zip(("logits", "targets"), node.args))
    return None


def _reshape(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and function_of(node) in _RESHAPES and isinstance(node.func, ast.Attribute):
        return {"x": node.args[0] if _of_module(node) and node.args else node.func.value}
    return None


def _pack(node: ast.expr) -> dict[str, ast.expr] | None:
    if function_of(node) == "pack_padded_sequence" and isinstance(node, ast.Call) and len(node.args) >= 2:
        return {"x": node.args[0], "lengths": node.args[1]}
    return None


def _biased(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the bias that is added last in a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _BIAS.search(ast.unparse(node.right)):
        return {"b": node.right}
    return None


def _indexed(node: ast.expr) -> dict[str, ast.expr] | None:
    return {"output": node.value} if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else None


def _method(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not _of_module(node) and node.args:
        return {"output": node.func.value}
    return None


def _of_array(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_ARRAYS:
        return {"output": node.func.value}
    return None


def _initialized(node: ast.expr) -> dict[str, ast.expr] | None:
    is_one = isinstance(node, ast.Call) and "init" in ast.unparse(node.func) and node.args
    return {"bias": node.args[0]} if is_one and isinstance(node, ast.Call) else None


def _of_model(node: ast.expr) -> dict[str, ast.expr] | None:
    is_one = isinstance(node, ast.Call) and function_of(node) in _OF_MODELS and node.args
    return {"x": node.args[0]} if is_one and isinstance(node, ast.Call) else None


_Reads = Callable[[Any], dict[str, ast.expr] | None]
_READS: tuple[tuple[tuple[_Reads, ...], str], ...] = (
    ((product_of, _linear, _of_model), "product product_vector product_inner product_batches"),
    ((product_of,), "matmul dot rank_of batch_rank dimensions"),
    ((_layer, _of_model), "features rank expected_shape"),
    ((_layer,), "state state_order state_units batch state_rank unpack unpack_three"),
    ((_layer, _of_array), "pair"),
    ((_entries,), "broadcast"),
    ((_entries, _loss), "broadcast_axis"),
    ((_join,), "concatenate concatenate_rank concatenate_shapes concatenate_layer stack stack_none"),
    ((_loss,), "targets target_shape target_rank target_size"),
    ((_made_array,), "ragged"),
    ((_biased,), "assign"),
    ((_linear,), "packed_output"),
    ((_pack,), "lengths descending empty_sequence"),
    ((_reshape,), "reshape view"),
    ((_method,), "no_dimension"),
    ((_initialized,), "initializer"),
    ((_indexed,), "indices tuple_index"),
)
# By the kind of a message, what may be the operation that failed.
_BY_KIND = {kind: reads for reads, kinds in _READS for kind in kinds.split()}


def operation_in(line: OwnLine, kind: str) -> Operation | None:
    """Return the operation of this kind that failed in a line; None if there is none, or more than one may be it."""
    tree = tree_of(line.code)
    if tree is None:
        return None
    for reads in _BY_KIND.get(kind, ()):
        found = [
            Operation(node, names)
            for node in ast.walk(tree)
            if isinstance(node, ast.expr | ast.AugAssign) and (names := reads(node))
        ]
        marked = [one for one in found if line.marked == (one.node.col_offset, one.node.end_col_offset)]
        # Of nested calls, the one that is given a state is the layer.
        for chosen in (marked, found, [one for one in found if "h0" in one.names]):
            if len(chosen) == 1:
                return chosen[0]
    return None


# ---- a changed line ----------------------------------------------------------------------------


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802 (the name that ast calls)
        if node.id not in self.names:
            return node
        own = copy.deepcopy(self.names[node.id])
        if isinstance(node.ctx, ast.Store) and isinstance(own, ast.Name | ast.Attribute | ast.Subscript):
            own.ctx = ast.Store()
        return own


class _Replaced(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.expr) -> None:
        self.place, self.new = ast.unparse(old), new

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and ast.unparse(node) == self.place:
            return self.new
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:  # noqa: N802
        is_it = isinstance(node.ctx, ast.Load) and node.id == self.place
        return self.new if is_it else node


def _replaced(line: OwnLine, old: ast.AST, new: ast.expr) -> str:
    """Return a line with an expression in the place of another one."""
    tree = tree_of(line.code)
    if tree is None:
        return ""
    changed = ast.unparse(ast.fix_missing_locations(_Replaced(old, new).visit(tree)))
    return re.sub(r"\s+pass$", "", changed) if line.code.endswith(":") else changed


def _is_stored(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) or isinstance(node, ast.Subscript) and _is_stored(node.value)


def _used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in _NAMES}


def _remade(call: ast.Call, names: dict[str, ast.expr]) -> str:
    """Return the line that makes a layer and keeps it under the reader's name."""
    name = names.get("linear", names.get("layer"))
    return f"{ast.unparse(name)} = {ast.unparse(call)}" if name is not None and _is_stored(name) else ""


def _called_anew(line: OwnLine, operation: Operation, advised: ast.Assign) -> str:
    """Return the reader's call with what the advised call gives, and targets for what that returns."""
    names = dict(operation.names)
    if "h0" in names and "c0" not in names:
        zeros = "keras.ops.zeros_like" if "initial_state" in ast.unparse(advised) else "torch.zeros_like"
        names["c0"] = names["c"] = ast.parse(f"{zeros}({ast.unparse(names['h0'])})", mode="eval").body
    if not _used(advised.value) <= names.keys():
        return ""
    call = _Renamed(names).visit(copy.deepcopy(advised.value))
    if ast.unparse(call) == ast.unparse(operation.node) and "h0" in operation.names:
        # The reader's one name holds the pair.
        state = ast.Subscript(operation.names["h0"], ast.Constant(0), ast.Load())
        call = _Renamed(names | {"h0": state, "h": state}).visit(copy.deepcopy(advised.value))
    tree = tree_of(line.code)
    if isinstance(tree, ast.Return):
        return _replaced(line, operation.node, call)
    if isinstance(tree, ast.Assign) and isinstance(tree.value, ast.Call):
        own_target, target = tree.targets[0], advised.targets[0]
        if isinstance(target, ast.Tuple):
            first = own_target.elts[0] if isinstance(own_target, ast.Tuple) else own_target
            second = own_target.elts[1] if isinstance(own_target, ast.Tuple) and len(own_target.elts) == 2 else None
            if isinstance(second, ast.Tuple) and not isinstance(target.elts[1], ast.Tuple):
                second = second.elts[0]
            own_target = ast.Tuple([first, second or ast.Name("_", ast.Store())], ast.Store())
        return ast.unparse(ast.fix_missing_locations(ast.Assign([own_target], call)))
    return "" if isinstance(advised.targets[0], ast.Tuple) else _replaced(line, operation.node, call)


def _stored(line: OwnLine, operation: Operation, advised: ast.Assign) -> str:
    """Return the assignment before the reader's line, or the line with the new value in the place of the old one."""
    names = dict(operation.names)
    targets = [node.id for target in advised.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    if "c0" in targets and "c0" not in names and "h0" in names:
        # One name holds the pair.
        own = names["h0"]
        names |= {
            "h0": ast.Subscript(own, ast.Constant(0), ast.Load()),
            "c0": ast.Subscript(own, ast.Constant(1), ast.Load()),
        }
        parts = advised.value.elts if isinstance(advised.value, ast.Tuple) else [advised.value] * 2
        new: ast.expr = ast.Tuple([_Renamed(names).visit(copy.deepcopy(part)) for part in parts], ast.Load())
        if _is_stored(own):
            return f"{ast.unparse(own)} = {ast.unparse(ast.fix_missing_locations(new))}"
        return _replaced(line, own, new) if _used(advised.value) == set() else ""
    if not _used(advised) <= names.keys():
        return ""
    # A value of another shape does not fit where one step of an array was.
    is_step = len(targets) == 1 and isinstance(names.get(targets[0]), ast.Subscript)
    if not is_step and all(_is_stored(names[name]) for name in targets if name in names):
        return ast.unparse(ast.fix_missing_locations(_Renamed(names).visit(copy.deepcopy(advised))))
    if len(targets) == 1:
        return _replaced(line, names[targets[0]], _Renamed(names).visit(copy.deepcopy(advised.value)))
    return ""


def weights_in(names: dict[str, ast.expr]) -> str:
    """Return which operand of a product, A or B, has the name of weights; empty if neither has, or both."""
    named = [name for name in "AB" if WEIGHTS.search(ast.unparse(names[name]))]
    return named[0] if len(named) == 1 else ""


def _all_turned(code: str, line: OwnLine, operation: Operation) -> str:
    """Return the line with all its products turned as an advised one; empty if it has one product, or no weights."""
    nodes = [node for node in ast.walk(tree_of(line.code) or ast.Pass()) if isinstance(node, ast.expr)]
    products = [(node, names) for node in nodes if (names := product_of(node))]
    weights = weights_in(operation.names)
    if len(products) < 2 or not weights:
        return ""
    in_rows = code == "A @ B.T" and weights == "A"
    turned = ast.parse("B @ A.T" if in_rows else code, mode="eval").body
    changed = line
    for node, names in products:
        changed = changed._replace(code=_replaced(changed, node, _Renamed(names).visit(copy.deepcopy(turned))))
    return f"{changed.code}   # if {'each sequence is a row' if in_rows else 'all are to be transposed'}"


def _packed_anew(operation: Operation, advised: ast.expr) -> ast.expr:
    """Return the reader's call with the arguments of the advised one in addition."""
    own = copy.deepcopy(operation.node)
    if not isinstance(own, ast.Call) or not isinstance(advised, ast.Call):
        return _Renamed(operation.names).visit(advised)
    own.args[:2] = [_Renamed(operation.names).visit(copy.deepcopy(one)) for one in advised.args]
    new = {one.arg for one in advised.keywords}
    own.keywords = [one for one in own.keywords if one.arg not in new] + advised.keywords
    return own


def _rewritten(code: str, line: OwnLine, operation: Operation, kind: str) -> str:
    """Return an advised line in the reader's names; empty if a name stands for nothing in the reader's line."""
    (advised,) = ast.parse(code).body
    if isinstance(advised, ast.Expr):
        if isinstance(advised.value, ast.Call) and code.startswith("nn.") and "nn.init" not in code:
            return _remade(advised.value, operation.names)
        # A line without any such name is about another line of the program.
        if not _used(advised) or not _used(advised) <= operation.names.keys():
            return ""
        return _replaced(line, operation.node, _Renamed(operation.names).visit(advised.value))
    if isinstance(advised, ast.Assign):
        if isinstance(advised.value, ast.Call) and getattr(advised.value.func, "id", "") in ("layer", "cell", "linear"):
            return _called_anew(line, operation, advised)
        if getattr(advised.targets[0], "id", "") == "packed":
            if not _used(advised.value) <= operation.names.keys():
                return ""
            return _replaced(line, operation.node, _packed_anew(operation, advised.value))
        if kind == "reshape":
            return _replaced(line, operation.node, _Renamed(operation.names).visit(advised.value))
        return _stored(line, operation, advised)
    return ""


def in_own_names(change: str, line: OwnLine, kind: str) -> str:
    """Return the advised lines in the reader's own names.

    Parameters
    ----------
    change : str
        One advised line or several, each with its condition in a comment.
    line : OwnLine
        The line that failed.
    kind : str
        Of the message.

    Returns
    -------
    str
        Empty if no line can be written so.
    """
    operation = operation_in(line, kind)
    if operation is None:
        return ""
    advised = [one for one in change.splitlines() if not one.startswith("#")]
    own = [_in_own(one, line, operation, kind) for one in advised]
    return "\n".join(new or old for new, old in zip(own, advised)) if any(own) else ""


# The names in a comment. The letter a is also an article, so it counts only before or after certain words.
_IN_COMMENTS = re.compile(
    r"\b[ABb]\b|\ba(?= (?:is|has|\+=)(?: |$))|(?:(?<= to )|(?<=gate ))a$|\b(?:logits|targets|h0|x|sequence)\b(?! comes)|\bh(?= comes)"
)


def _comment_in_own(comment: str, names: dict[str, ast.expr]) -> str:
    """Return the condition of a line with the reader's names for what they stand for."""

    def own(match: re.Match[str]) -> str:
        node = names.get(match[0])
        return ast.unparse(node) if node is not None and _is_stored(node) else match[0]

    return _IN_COMMENTS.sub(own, comment)


def _in_own(advised: str, line: OwnLine, operation: Operation, kind: str) -> str:
    code, mark, condition = advised.partition("   # ")
    new = _rewritten(code, line, operation, kind)
    if not new or new == ast.unparse(tree_of(line.code) or ast.Pass()):
        return ""  # what the reader has already
    condition = _comment_in_own(condition, operation.names)
    others = _all_turned(code, line, operation) if code in ("A.T @ B", "A @ B.T") else ""
    return "\n".join(filter(None, (f"{new}{mark}{condition}", others)))
