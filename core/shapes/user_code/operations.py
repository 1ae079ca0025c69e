"""The operation that failed in the reader's line, and what the names of advised lines stand for in it."""

import ast
import builtins
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from core.shapes.user_code.elementwise_operands import entries_of
from core.shapes.user_code.model_arguments import (
    OF_MODELS,
    of_keras_loss,
    of_keras_model,
    of_model,
    of_model_with_inputs,
    of_model_with_targets,
    sliced,
)
from core.shapes.user_code.syntax_trees import argument, function_of, is_of_module, root_of, tree_of
from core.shapes.user_code.traceback_lines import UserLine

# Methods and attributes of arrays, which are no layers.
OF_ARRAYS = {
    *("size", "shape", "dim", "ndim", "dtype", "device", "T", "data", "numel", "item"),
    *("swapaxes", "repeat", "to"),
    *("permute", "transpose", "view", "reshape", "flatten", "squeeze", "unsqueeze", "contiguous"),
    *("float", "long", "half", "numpy", "detach", "clone", "astype", "mean", "sum", "max", "argmax", "softmax"),
}


def of_attribute(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the variable of which an expression asks such an attribute; None if it asks nothing, or the result of a call."""
    if not isinstance(node, ast.Attribute) or node.attr not in OF_ARRAYS:
        return None
    return {"x": node.value} if isinstance(node.value, ast.Name | ast.Attribute) else None


_PRODUCTS = {"dot", "matmul", "mm", "bmm", "mv", "addmm"}
JOINS = {"cat", "concatenate", "concat", "stack", "hstack", "vstack", "Concatenate", "column_stack"}
_CONVERSIONS = {"detach", "to", "cuda", "cpu", "contiguous", "clone", "float"}
_ARRAYS = {"array", "asarray", "tensor", "convert_to_tensor", "constant"}
# Functions of PyTorch whose second argument is an axis.
_WITH_AXIS = {"cat", "concat", "concatenate", "stack", "softmax", "log_softmax", "sum", "mean", "argmax", "cumsum"}
# Methods of models that are given a layer, not its input.
_OF_BUILDING = {"add", "append", "insert"}
WEIGHTS = re.compile(
    r"(?:^|[._\['\"])[WUV](?:_?[a-z]{0,4}\d?)?(?:['\"]?\])?(?:\[(?:\d|[gikl]|['\"]\w{1,9}['\"])\])?(?:\.T)?$|weight|kernel",
    re.ASCII,
)
_BIAS = re.compile(r"(?:^|[._])b(?:_?[a-z]{1,3})?\d?$|bias", re.ASCII)
# Longer names with a capital are those of classes.
LONGEST_LETTERS = 2


# Functions that read the names of advised lines from an expression; they return None if it is another operation.
_Reads = Callable[[Any], dict[str, ast.expr] | None]


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


def is_layer(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id):
        return False  # such as print
    # A class that is called makes a layer; what it returns may be called. A name such as W or Ua is a layer of attention.
    is_of_self = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "self"
    is_class = function_of(node)[:1].isupper() and len(function_of(node)) > LONGEST_LETTERS
    if not isinstance(node.func, ast.Call) and is_class and not is_of_self:
        return False
    # A module has none of the methods of arrays but `to`, so self.flatten is a layer.
    of_arrays = {"to"} if is_of_self else OF_ARRAYS
    return not is_of_module(node) and function_of(node) not in OF_MODELS | of_arrays | _OF_BUILDING


def is_stored(node: ast.expr) -> bool:
    """Whether an expression can be given a value, as no transpose can."""
    if isinstance(node, ast.Subscript):
        return is_stored(node.value)
    return isinstance(node, ast.Name) or isinstance(node, ast.Attribute) and node.attr not in ("T", "mT", "shape")


def _operands(node: ast.AST) -> list[ast.expr]:
    """Return what a function of a library is given, or the array whose method is called and what that is given."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return []
    return node.args if is_of_module(node) else [node.func.value, *node.args]


def _of_method(node: ast.AST) -> ast.expr | None:
    """Return the array whose method is called; None for a function of a library, and for a layer of self."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or is_of_module(node):
        return None
    return node.func.value if ast.unparse(node.func.value) != "self" else None


def _given(functions: Collection[str], *names: str) -> _Reads:
    """Return what reads the first arguments of a call of one of these functions."""

    def read(node: ast.expr) -> dict[str, ast.expr] | None:
        is_one = isinstance(node, ast.Call) and function_of(node) in functions and len(node.args) >= len(names)
        return dict(zip(names, node.args)) if is_one and isinstance(node, ast.Call) else None

    return read


def _of_parts(functions: Collection[str], *names: str) -> _Reads:
    """Return what reads the array of such a call, a method or a function, or the array and all arguments."""

    def read(node: ast.expr) -> dict[str, ast.expr] | None:
        parts = _operands(node) if function_of(node) in functions else []
        return dict(zip(names, parts)) if parts and len(names) in (1, len(parts)) else None

    return read


def _of_methods(
    functions: Collection[str], name: str, part: Callable[[ast.expr], ast.expr] = lambda node: node
) -> _Reads:
    """Return what reads the array, or a part of it, of which one of these methods is called."""

    def read(node: ast.expr) -> dict[str, ast.expr] | None:
        array = _of_method(node) if function_of(node) in functions else None
        return {name: part(array)} if array is not None else None

    return read


def _pair(parts: Sequence[ast.expr]) -> dict[str, ast.expr] | None:
    """Return two arrays that are joined, by all the names that advised lines have for them."""
    return dict(zip("abhx", [*parts, *parts])) if len(parts) == 2 else None


def product_of(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the factors A and B of a matrix product; None if it is none."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return {"A": node.left, "B": node.right}
    parts = _operands(node) if function_of(node) in _PRODUCTS else []
    return dict(zip("AB", parts)) if len(parts) == 2 else None


def _batched_product(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the factors of a batch of matrix products."""
    names = product_of(node)
    return names | {"a": names["A"], "b": names["B"]} if names else None


def _linear(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and is_layer(node) and len(node.args) == 1:
        root = root_of(node.args[0])
        return {"layer": node.func, "linear": node.func, "output": root, "h_n": root, "x": node.args[0]}
    return None


def _without_conversions(node: ast.expr) -> ast.expr:
    """Return the array of which an expression gives a copy with the same shape, as h0.detach() does."""
    while isinstance(node, ast.Call) and function_of(node) in _CONVERSIONS and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node


_OF_STATE = re.compile(r"h(?:\d|x|id|_|$)|state|init")


def _layer(node: ast.expr) -> dict[str, ast.expr] | None:
    if not isinstance(node, ast.Call) or not is_layer(node) or not 1 <= len(node.args) + len(node.keywords) <= 3:
        return None
    given = [*node.args, *(one.value for one in node.keywords if one.arg in ("hx", "initial_state"))]
    if not given or isinstance(given[0], ast.Constant):
        return None
    names = {"layer": node.func, "cell": node.func, "linear": node.func, "x": given[0], "output": root_of(given[0])}
    if isinstance(given[0], ast.Subscript) and isinstance(given[0].slice, ast.Name | ast.Constant):
        names |= {"sequence": given[0].value, "t": given[0].slice}
    match given[0]:
        case ast.Subscript(value=batches, slice=ast.Tuple(elts=[ast.Slice(), ast.Name()])):  # x[:, t]
            names["batches"] = batches
    if len(given) == 2:
        pair = given[1].elts if isinstance(given[1], ast.Tuple | ast.List) else [given[1]]
        for name, part in zip(("h0", "c0"), pair):
            kept = _without_conversions(part)
            names |= {name: kept, name[0]: kept}
        names |= {"state": given[1], "initial_state": given[1]}
        is_first, is_second = (isinstance(one, ast.Name) and bool(_OF_STATE.match(one.id)) for one in given)
        if is_first and not is_second:
            names |= {"x": given[1], "state": given[0]}  # the state came first
    elif len(given) == 3:
        names |= {"h0": given[1], "c0": given[2], "h": given[1], "c": given[2]}
        if re.search(r"hid|state", ast.unparse(given[1])):  # a model of the reader's: no layer takes a state and more
            names = {name: names[name] for name in names.keys() - {"layer", "cell", "linear"}}
    return names


def is_join(node: ast.AST) -> bool:
    """Whether a function is called that puts arrays together along an axis."""
    return function_of(node) in JOINS


def _join(node: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call) and function_of(node) in JOINS and node.args:
        if isinstance(node.args[0], ast.Name | ast.ListComp):
            return {"sequences": node.args[0]}
        return _pair(getattr(node.args[0], "elts", []))
    return None


def _merged(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return two layers in the list that a layer of several inputs is called with."""
    is_one = isinstance(node, ast.Call) and len(node.args) == 1
    return _pair(getattr(node.args[0], "elts", [])) if is_one and isinstance(node, ast.Call) else None


def _joined_arguments(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return two arrays that stand as arguments of a join, and not in a list."""
    return _pair(node.args) if isinstance(node, ast.Call) and function_of(node) in JOINS else None


def _appended(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the two arrays of np.append, which joins them."""
    is_one = isinstance(node, ast.Call) and function_of(node) == "append" and is_of_module(node)
    return _pair(node.args[:2]) if is_one and isinstance(node, ast.Call) else None


def makes_array(node: ast.expr) -> bool:
    """Whether a function of a library is called that makes an array of a list."""
    return isinstance(node, ast.Call) and function_of(node) in _ARRAYS and is_of_module(node)


def _made_array(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return what an array is made of: one variable with the sequences, or a list of two variables."""
    if not isinstance(node, ast.Call) or not makes_array(node) or not node.args:
        return None
    parts = getattr(node.args[0], "elts", [])
    if len(parts) == 2 and all(map(is_stored, parts)):
        return {"h": parts[0], "x": parts[1]}
    return {"sequences": node.args[0]}


def _is_number(node: ast.expr) -> bool:
    """Whether a number is written there, which is no array."""
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _loss(node: ast.expr) -> dict[str, ast.expr] | None:
    if not isinstance(node, ast.Call) or any(map(_is_number, node.args)) or hasattr(builtins, function_of(node)):
        return None
    if len(node.args) == 2 and function_of(node) not in OF_ARRAYS:
        return dict(zip(("logits", "targets"), node.args))
    return None


def _ctc_loss(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the four arguments of a CTCLoss."""
    if isinstance(node, ast.Call) and len(node.args) == 4:
        return dict(zip(("logits", "targets", "lengths", "target_lengths"), node.args))
    return None


def _masked(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the mask that a call of attention is given by keyword."""
    masks = [one.value for one in getattr(node, "keywords", ()) if (one.arg or "").endswith("mask")]
    if not isinstance(node, ast.Call) or len(masks) != 1 or not is_stored(masks[0]):
        return None
    return {"layer": node.func, "mask": masks[0]}


def _biased(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the bias that is added last in a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and is_bias(node.right):
        return {"b": node.right}
    return None


def _indexed(node: ast.expr) -> dict[str, ast.expr] | None:
    return {"output": node.value} if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else None


def _assigned(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the array of whose entries one gets a value."""
    is_place = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    return {"outputs": node.value} if is_place and isinstance(node, ast.Subscript) and is_stored(node.value) else None


def is_bias(node: ast.expr) -> bool:
    """Whether an expression has the name of a bias."""
    return bool(_BIAS.search(ast.unparse(node)))


def _taken(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the array of an index, such as that of a step."""
    return {"x": node.value} if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) else None


def _shape_of(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the array whose shape is read."""
    read = node.func if isinstance(node, ast.Call) and not node.args else node
    is_shape = isinstance(read, ast.Attribute) and read.attr == ("size" if isinstance(node, ast.Call) else "shape")
    return {"x": read.value} if is_shape and isinstance(read, ast.Attribute) else None


def _method(node: ast.expr) -> dict[str, ast.expr] | None:
    array = _of_method(node)
    is_one = array is not None and isinstance(node, ast.Call) and node.args
    return {"output": array} if is_one and array is not None else None


def axis_of_call(node: ast.AST) -> ast.expr | None:
    """Return the axis that a call gives, by keyword as dim or axis, or in its place after the arrays."""
    is_second = isinstance(node, ast.Call) and function_of(node) in _WITH_AXIS and is_of_module(node)
    axis = argument(node, "dim", "axis") or (argument(node, at=1) if is_second else None)
    return axis if isinstance(axis, ast.Constant | ast.UnaryOp) else None


def _of_axis(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the axis that a call gives, and the array of a library's function."""
    axis = axis_of_call(node)
    if axis is None or not isinstance(node, ast.Call):
        return None
    of_array = isinstance(node.func, ast.Attribute) and is_of_module(node) and len(node.args) == 1
    return {"dim": axis} | ({"output": node.args[0]} if of_array and not hasattr(node.args[0], "elts") else {})


def _of_named_axis(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the axis that a call gives by its name."""
    axis = argument(node, "dim", "axis")
    return {"dim": axis} if isinstance(axis, ast.Constant) and function_of(node) not in JOINS - {"stack"} else None


def _initialized(node: ast.expr) -> dict[str, ast.expr] | None:
    is_one = isinstance(node, ast.Call) and "init" in ast.unparse(node.func) and node.args
    return {"bias": node.args[0]} if is_one and isinstance(node, ast.Call) else None


def _applied(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return what a function of a library is applied to."""
    parts = _operands(node) if _of_method(node) is None else []
    return {"output": parts[0]} if parts else None


def _loaded(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the tensors that a module loads. The module is seldom the layer of the message: most hold it with others."""
    is_loading = isinstance(node, ast.Call) and function_of(node) == "load_state_dict" and bool(node.args)
    if not is_loading or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    return {"saved": node.args[0], "model": node.func.value}


_PACK = _given(("pack_padded_sequence",), "x", "lengths")
_SPLIT = _given(("split",), "a")
_reshape = _of_parts(("reshape", "view"), "x")
_gathered = _of_parts(("gather",), "output", "dim", "index")
_of_array = _of_methods(OF_ARRAYS, "output")
_repeated = _of_methods(("repeat", "expand"), "x", root_of)  # without the axes that the line gives it before
_transposed = _of_methods(("permute", "t"), "x")
_SCALED = _given(("fit", "transform", "fit_transform", "inverse_transform"), "x")
# Each kind of message stands once: with the readings that are tried in turn.
_READS: tuple[tuple[tuple[_Reads, ...], str], ...] = (
    ((product_of, _linear, of_model), "product product_vector product_inner"),
    ((_batched_product,), "product_batches batches_of_product batch_unsaid"),
    ((product_of,), "matmul dot batch_rank"),
    ((product_of, _layer), "rank_of"),
    ((product_of, of_keras_model, entries_of), "dimensions"),
    ((of_keras_model,), "texts metric_outputs object_array plain_list"),
    ((of_keras_model, _layer, of_model), "features rank expected_shape"),
    (
        (_layer,),
        "channels layer_rank short_sequence pool attention layer_norm batch_norm vocabulary state state_order state_units batch "
        "state_rank unpack unpack_three one_value",
    ),
    ((_shape_of, _layer), "unpack_states"),
    ((_layer, _of_array, _applied), "pair"),
    ((entries_of, of_keras_model), "broadcast"),
    ((entries_of, _loss), "broadcast_axis"),
    ((_join,), "concatenate concatenate_shapes concatenate_rank_shapes both_shapes stack stack_none"),
    ((_join, _merged), "concatenate_layer"),
    ((_merged,), "dot_of_layers"),
    ((_join, _appended), "concatenate_rank"),
    ((_of_named_axis, _loss, _join), "no_axis"),
    (
        (_loss,),
        "target_of_vector loss_axes number_sized taken targets target_shape target_rank target_size "
        "target_type target_fractions target_scalar class_negative",
    ),
    ((_masked, _layer), "padding_mask attention_mask"),
    ((_ctc_loss,), "ctc_batch ctc_steps ctc_labels ctc_targets ctc_negative ctc_whole"),
    ((_made_array,), "ragged"),
    ((_biased, _assigned), "assign"),
    ((_SPLIT,), "split split_sizes"),
    ((_linear, _of_array, _applied), "packed_output"),
    ((_loaded,), "checkpoint checkpoint_keys"),
    ((_PACK,), "lengths lengths_kind descending empty_sequence selected"),
    ((_PACK, _layer), "exceeded"),
    ((_reshape, _layer), "reshape"),
    ((_reshape,), "view open_axes"),
    ((_of_axis, _method, _loss), "no_dimension"),
    ((_initialized,), "initializer"),
    ((_indexed,), "indices tuple_index list_index"),
    ((_gathered,), "gather gather_sizes"),
    ((_method,), "index_type"),
    ((_repeated,), "repeat_rank"),
    ((_transposed,), "transposed_axes"),
    ((_shape_of,), "shape_index"),
    ((_SCALED,), "scaler_vector"),
    ((_taken,), "index_range scalar_index mask_axis"),
    ((entries_of,), "tuple_operand"),
    ((_join, _joined_arguments), "join_unsaid scalars_joined joined_arguments"),
    ((of_model,), "inputs_of_samples keras_samples sparse_condition incompatible stateful stateful_samples"),
    ((of_model, sliced), "samples"),
    ((of_model_with_inputs, of_keras_loss), "keras_target keras_steps"),
    ((of_model_with_targets,), "structures"),
    ((of_model_with_inputs, _layer), "inputs"),
    ((of_keras_model, _loss), "class_number"),
    ((of_attribute,), "list_given"),
)
# By the kind of a message, what may be the operation that failed.
_BY_KIND = {kind: reads for reads, kinds in _READS for kind in kinds.split()}


# How people name the layers that a kind of message is about.
_RECURRENT_LAYER = re.compile(r"lstm|gru|rnn|enc|dec|cell")
_NAMES_OF_LAYERS = {
    "batch_norm": re.compile(r"norm|bn"),
    "layer_norm": re.compile(r"norm|ln"),
    "channels": re.compile(r"conv|cnn"),
    "vocabulary": re.compile(r"emb"),
    "features": _RECURRENT_LAYER,
    "rank": _RECURRENT_LAYER,
    "state_rank": _RECURRENT_LAYER,
    "state": _RECURRENT_LAYER,
    "product": re.compile(r"fc|lin|dense|head|proj|out|cls|classif"),
}


def _last_name(node: ast.AST) -> str:
    return ast.unparse(node.func).rpartition(".")[2].lower() if isinstance(node, ast.Call) else ""


def operation_in(line: UserLine, kind: str) -> Operation | None:
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
        marked = [one for one in found if line.marks(one.node)]
        # If calls are nested, the layer is the one that gets a state, or that has the name of such a layer.
        named = [
            one for one in found if kind in _NAMES_OF_LAYERS and _NAMES_OF_LAYERS[kind].search(_last_name(one.node))
        ]
        # A line takes apart the whole value that it assigns.
        whole = [one for one in found if kind.startswith("unpack") and one.node is getattr(tree, "value", None)]
        for chosen in (marked, whole, found, [one for one in found if "h0" in one.names], named):
            if len(chosen) == 1:
                return chosen[0]
    return None


def weights_in(names: dict[str, ast.expr]) -> str:
    """Return which operand of a product, A or B, has the name of weights; empty if neither has, or both."""
    named = [name for name in "AB" if WEIGHTS.search(ast.unparse(names[name]))]
    return named[0] if len(named) == 1 else ""
