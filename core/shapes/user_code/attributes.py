"""The array of which a line asks a method or an attribute that a list lacks."""

import ast

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
