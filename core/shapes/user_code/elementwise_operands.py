"""The two arrays that an operation combines entry by entry, and whether they are predictions and targets by their names."""

import ast
import re

from core.shapes.shape_inference.library_calls import OF_ENTRIES
from core.shapes.user_code.syntax_trees import function_of, is_of_module, last_name

TARGETS = re.compile(
    r"(?:y|yb|y_?(?:true|batch|train|test|val)|(?:\w+_)?(?:targets?|labels?|truth|gold)(?:_\w+)?|tgt|trg|tags?)$"
)
PREDICTIONS = re.compile(r"(?:\w+_)?(?:pred\w*|outputs?|out|logits?|scores?|probs?|forecasts?)$|(?:y_?)?hat$")
# A name in capitals, such as PAD or config.PAD_IDX: a number by Python's convention. Arrays have fewer, such as X or WX.
_CONSTANT = re.compile(r"[A-Z][A-Z_]{2,}[A-Z0-9_]*$")
_COMPARED = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE


def entries_of(node: ast.AST) -> dict[str, ast.expr] | None:
    """Return the two arrays that an operator, a function or a method combines entry by entry; None if it is none."""
    found = _operands(node)
    return None if found is None or any(_CONSTANT.match(last_name(one)) for one in found.values()) else found


def _operands(node: ast.AST) -> dict[str, ast.expr] | None:
    match node:
        case ast.AugAssign(value=ast.Call(func=ast.Attribute(attr="item") | ast.Name(id="int" | "float"))):
            return None  # a sum of numbers
        case ast.AugAssign(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
            return {"a": node.target, "b": node.value}
        case ast.BinOp(left=ast.Constant()) | ast.BinOp(right=ast.Constant()):
            return None
        case ast.BinOp(op=ast.Sub()):
            return {"a": node.left, "b": node.right} | _of_loss(node.left, node.right)
        case ast.BinOp(op=ast.Add() | ast.Mult() | ast.Div()):
            return {"a": node.left, "b": node.right}
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if isinstance(
            operator, _COMPARED
        ) and not isinstance(right, ast.Constant):
            return {"a": left, "b": right} | _of_loss(left, right)
        case ast.Call(args=[first, second, *_]) if function_of(node) in OF_ENTRIES and is_of_module(node):
            return {"a": first, "b": second} | ({"mask": first} if function_of(node) == "where" else {})
        case ast.Call(func=ast.Attribute(value=array, attr="masked_fill"), args=[mask, _]):
            return {"a": mask, "b": array, "mask": mask}
        case ast.Call(func=ast.Attribute(value=array, attr="masked_fill_"), args=[mask, _]):
            return {"a": array, "b": mask, "mask": mask}
        case ast.Call(func=ast.Attribute(value=array), args=[other]) if function_of(node) in OF_ENTRIES:
            return {"a": array, "b": other}
        case ast.Call(args=[first, second]) if function_of(node) in ("add", "multiply", "subtract", "mul"):
            return {"a": first, "b": second}  # a layer of Keras, or a function by its bare name
    return None


def _of_loss(a: ast.expr, b: ast.expr) -> dict[str, ast.expr]:
    """Return the predictions and the targets of a difference; empty if the names tell none."""
    for logits, targets in ((a, b), (b, a)):
        if PREDICTIONS.match(_name_of(logits)) and TARGETS.match(_name_of(targets)):
            return {"logits": logits, "targets": targets}
    return {}


def _name_of(node: ast.expr) -> str:
    """Return the last name of an array, also of one that is squeezed."""
    if isinstance(node, ast.Call) and function_of(node) == "squeeze":
        node = node.args[0] if is_of_module(node) and node.args else getattr(node.func, "value", node)
    return last_name(node)
