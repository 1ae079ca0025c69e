"""The arguments that the reader's line gives to a model of Keras and to its loss."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_statement, nodes_of_line
from core.shapes.user_code.operations import function_of
from core.shapes.user_code.traceback_lines import tree_of

# Words of a traceback of TensorFlow, whose tensors have no attribute T.
OF_TENSORFLOW = re.compile(r"tensorflow[/\\.]|\[Op:|import tensorflow|\btf\.")
_LOSS_OF_COLUMNS = re.compile(r"(?<![a-z_])softmax_cross_entropy_with_logits(?:_v2)?\(")


def _calls_of_model(reading: Reading) -> list[ast.Call]:
    """Return the calls in the reader's line that train or evaluate a model."""
    calls = (node for node in nodes_of_line(reading) if isinstance(node, ast.Call))
    return [one for one in calls if function_of(one) in ("fit", "evaluate") and isinstance(one.func, ast.Attribute)]


def data_set_of_fit(reading: Reading) -> str:
    """Return the name of the data set that the reader's line trains a model with; empty if it gives x and y, or no name."""
    for call in _calls_of_model(reading):
        given = call.args + [one.value for one in call.keywords if one.arg == "x"]
        if len(given) == 1 and isinstance(given[0], ast.Name) and all(one.arg != "y" for one in call.keywords):
            return given[0].id
    return ""


def sample_weights(reading: Reading) -> str:
    """Return the code of the sample_weight in the reader's line; empty if it has none."""
    given = [one.value for call in _calls_of_model(reading) for one in call.keywords if one.arg == "sample_weight"]
    return ast.unparse(given[0]) if given else ""


def with_all_classes(reading: Reading, classes: int) -> str:
    """Return the reader's line with the number of classes in each to_categorical that lacks it; empty if none does."""
    tree = copy.deepcopy(failed_statement(reading))
    lacking = [
        node
        for node in ast.walk(tree or ast.Pass())
        if isinstance(node, ast.Call)
        and function_of(node) == "to_categorical"
        and len(node.args) == 1
        and not node.keywords
    ]
    for call in lacking:
        call.keywords = [ast.keyword("num_classes", ast.Constant(classes))]
    return ast.unparse(tree) if tree is not None and lacking else ""


def loss_of_indices(reading: Reading) -> str:
    """Return the reader's line with TensorFlow's loss for class indices; empty if it calls no loss for columns."""
    line = reading.own[-1].code if reading.own else ""
    changed = _LOSS_OF_COLUMNS.sub("sparse_softmax_cross_entropy_with_logits(", line)
    return "" if changed == line else changed


class _Transposed(ast.NodeTransformer):
    """Writes the attribute T of arrays as a call of a function."""

    def __init__(self, function: str) -> None:
        self.function = ast.parse(function, mode="eval").body

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # noqa: N802 (the name that ast calls)
        self.generic_visit(node)
        return ast.Call(self.function, [node.value], []) if node.attr == "T" else node


def with_transpose_of_tensorflow(advised: str, code: str) -> str:
    """Return an advised line with a transpose that TensorFlow has, by the module that the reader's line computes with."""
    line, mark, condition = advised.partition("   # ")
    tree = tree_of(line)
    if tree is None or not re.search(r"\.T\b", line):
        return advised
    module = re.search(r"\b(?:keras\.ops|ops|K)\.(?=\w)", code)
    new = _Transposed(f"{module[0] if module else 'tf.'}transpose").visit(copy.deepcopy(tree))
    return f"{ast.unparse(ast.fix_missing_locations(new))}{mark}{condition}"
