"""The arguments of a model, a data set, a loss or a module in a line, by the names of advised lines."""

import ast
import re

# The name of a loss; "crit" begins a word.
LOSS = re.compile(r"(?:loss|(?<![a-z])crit|entropy|objective)\w{0,20}", re.IGNORECASE)

# Methods that call the layers inside.
OF_MODELS = {"predict", "fit", "evaluate", "train_on_batch", "forward", "apply", "load_state_dict", "set_weights"}


def _method(node: ast.AST) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def arguments_of(node: ast.Call) -> dict[str, ast.expr]:
    """Return the first argument of a model's method as x, and the second one as y, by their place or by these names."""
    given = dict(zip("xy", node.args)) | {one.arg: one.value for one in node.keywords if one.arg}
    return {name: given[name] for name in "xy" if name in given}


def with_data_in_front(tree: ast.stmt | None) -> ast.stmt | None:
    """Return a statement whose models get x and y by their place, where the reader gives them by name."""
    for node in ast.walk(tree or ast.Pass()):
        if isinstance(node, ast.Call) and _method(node) in OF_MODELS:
            node.args[:2] = arguments_of(node).values()
            node.keywords = [one for one in node.keywords if one.arg not in ("x", "y")]
    return tree


def of_model(node: ast.expr) -> dict[str, ast.expr] | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or _method(node) not in OF_MODELS:
        return None
    given = arguments_of(node)
    if "x" not in given:
        return None
    if isinstance(given["x"], ast.List | ast.BinOp | ast.Dict):
        del given["x"]  # several inputs
    return given | {"model": node.func.value}


def of_model_with_inputs(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arguments of a model, where x is the last of several inputs, as that of a decoder is, and x1 the first."""
    names = of_model(node)
    if names is None or not isinstance(node, ast.Call):
        return names
    given = arguments_of(node)["x"]
    several = given.elts if isinstance(given, ast.List) else [given]
    if isinstance(given, ast.Dict | ast.BinOp) or not several:
        return names
    return names | {"x": several[-1]} | {f"x{at}": one for at, one in enumerate(several, 1)}


def of_model_with_targets(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arguments of a model, where y1 is the first of several targets."""
    names = of_model(node)
    if names is None or "y" not in names or not isinstance(node, ast.Call):
        return names
    return names | {"x": arguments_of(node)["x"], "y1": names["y"]}


def sliced(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arrays of a data set."""
    is_one = isinstance(node, ast.Call) and _method(node) == "from_tensor_slices" and len(node.args) == 1
    arrays = getattr(node.args[0], "elts", []) if is_one and isinstance(node, ast.Call) else []
    return {"x": arrays[0], "y": arrays[1]} if len(arrays) == 2 else None


def of_keras_model(node: ast.expr) -> dict[str, ast.expr] | None:
    return of_model(node) if _method(node) in ("fit", "evaluate", "predict", "train_on_batch") else None


def of_keras_loss(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the arguments of a loss of Keras, which takes the targets first."""
    if not isinstance(node, ast.Call) or not LOSS.search(ast.unparse(node.func)):
        return None
    roles = {"labels": "y", "y_true": "y", "logits": "x", "y_pred": "x"}
    named = {roles[one.arg]: one.value for one in node.keywords if one.arg in roles}
    given = dict(zip("yx", node.args)) | named
    return given if len(given) == len(node.args) + len(named) == 2 else None
