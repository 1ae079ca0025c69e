"""Advised lines for a model of Keras that is trained with a data set of TensorFlow, which has x and y in one object."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.keras_calls import data_set_of_fit
from core.shapes.user_code.syntax_trees import expression, function_of, tree_of

DATASET = re.compile(r"from_tensor_slices\(|from_generator\(|tf\.data\.|\btfds\.|\bDataset\b")
# How people name a data set, which the text may not make.
_NAME = re.compile(r"(?<![a-z])(?:(?:train_?|val_?|valid_?|test_?)?ds|train|val|valid|test)$|data_?set", re.IGNORECASE)
_BATCH = re.compile(r"batch_size=(\d{1,9})")


class _Renamed(ast.NodeTransformer):
    """Gives one name another, and takes functions of TensorFlow in place of methods and of those of NumPy."""

    def __init__(self, name: str, new: str) -> None:
        self.name, self.new = name, new

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802 (the name that ast calls)
        return ast.Name(self.new, node.ctx) if node.id == self.name else node

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        code, arguments = ast.unparse(node.func), [ast.unparse(one) for one in node.args]
        if code == f"{self.new}.argmax" and len(arguments) == 1:
            return _expression(f"tf.argmax({self.new}, {arguments[0]})")
        if code == f"{self.new}.reshape" and arguments:
            return _expression(f"tf.reshape({self.new}, ({', '.join(arguments)}))")
        if code == "np.swapaxes" and arguments[1:] == ["1", "2"]:
            return _expression(f"tf.transpose({arguments[0]}, [0, 2, 1])")
        if code == "len":
            return _expression(f"tf.shape({arguments[0]})[0]")
        return node


def _expression(code: str) -> ast.expr:
    return expression(code)


def data_set_trained(reading: Reading) -> str:
    """Return the name of the data set that the reader's line trains a model with; empty if it is given no data set."""
    name = data_set_of_fit(reading)
    return name if DATASET.search(reading.whole) or _NAME.search(name) else ""


def data_set_made(reading: Reading) -> ast.Call | None:
    """Return the call that makes a data set within the reader's fit, evaluate or predict; None if it gives no such call."""
    given = [one.args[0] for one in calls_of_line(reading, "fit", "evaluate", "predict") if one.args]
    made = [one for one in given if isinstance(one, ast.Call) and DATASET.search(ast.unparse(one.func))]
    return made[0] if len(made) == 1 else None


def of_data_set(advised: str, name: str) -> str:
    """Return an advised line that changes x or y as a change of the data set that gives them."""
    code, mark, comment = advised.partition("   # ")
    tree = tree_of(code)
    if isinstance(tree, ast.Expr) and function_of(tree.value) == "fit" and (batch := _BATCH.search(code)):
        return f"{name} = {name}.unbatch().batch({batch[1]}, drop_remainder=True)   # batches of {batch[1]} alone"
    if not isinstance(tree, ast.Assign) or (target := ast.unparse(tree.targets[0])) not in (name, "x", "y"):
        return advised
    if target in (name, "x") and ast.unparse(tree.value) in (f"{target}[None]", f"{target}.batch(32)"):
        return f"{name} = {name}.batch(32)   # if the data set gives single samples"
    methods = re.findall(rf"\b{name}\.(\w+)\(", code)
    if set(methods) - {"argmax", "reshape", "astype"}:
        return advised  # of the data set itself
    role = "y" if target == "y" else "x"
    made = ast.unparse(ast.fix_missing_locations(_Renamed(target, role).visit(copy.deepcopy(tree.value))))
    if re.search(r"\bnp\.|\bkeras\.utils\.|\blayers\.", made) or not re.search(rf"\b{role}\b", made):
        return advised
    pair = f"({made}, y)" if role == "x" else f"(x, {made})"
    return f"{name} = {name}.map(lambda x, y: {pair}){mark}{comment}"
