"""The arguments of a model, a data set, a loss or a module in a line, by the names of advised lines."""

import ast
import re

# The name of a loss; "crit" begins a word.
LOSS = re.compile(r"(?:loss|(?<![a-z])crit|entropy|objective)\w{0,20}", re.IGNORECASE)

# Methods that call the layers inside.
OF_MODELS = {"predict", "fit", "evaluate", "train_on_batch", "forward", "apply", "load_state_dict", "set_weights"}


def _method(node: ast.AST) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def of_model(node: ast.expr) -> dict[str, ast.expr] | None:
    is_one = isinstance(node, ast.Call) and _method(node) in OF_MODELS and node.args
    if not is_one or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    names = {"x": node.args[0], "model": node.func.value}
    if isinstance(node.args[0], ast.List | ast.BinOp | ast.Dict):
        del names["x"]  # several inputs
    return names | ({"y": node.args[1]} if len(node.args) > 1 else {})


def of_model_with_inputs(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arguments of a model, where x is the last of several inputs, as that of a decoder is, and x1 the first."""
    names = of_model(node)
    if names is None or not isinstance(node, ast.Call):
        return names
    given = node.args[0]
    several = given.elts if isinstance(given, ast.List) else [given]
    if isinstance(given, ast.Dict | ast.BinOp) or not several:
        return names
    return names | {"x": several[-1]} | {f"x{at}": one for at, one in enumerate(several, 1)}


def of_model_with_targets(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arguments of a model, where y1 is the first of several targets."""
    names = of_model(node)
    if names is None or not isinstance(node, ast.Call) or len(node.args) < 2:
        return names
    return names | {"x": node.args[0], "y1": node.args[1]}


def sliced(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arrays of a data set."""
    is_one = isinstance(node, ast.Call) and _method(node) == "from_tensor_slices" and len(node.args) == 1
    arrays = getattr(node.args[0], "elts", []) if is_one and isinstance(node, ast.Call) else []
    return {"x": arrays[0], "y": arrays[1]} if len(arrays) == 2 else None


def of_keras_model(node: ast.expr) -> dict[str, ast.expr] | None:
    return of_model(node) if _method(node) in ("fit", "evaluate", "predict", "train_on_batch") else None


def of_keras_loss(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arguments of a loss of Keras, which takes the targets first."""
    is_one = isinstance(node, ast.Call) and len(node.args) == 2 and LOSS.search(ast.unparse(node.func))
    return dict(zip(("y", "x"), node.args)) if is_one and isinstance(node, ast.Call) else None
