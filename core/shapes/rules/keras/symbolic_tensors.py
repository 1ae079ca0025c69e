"""Functions of NumPy or TensorFlow in a line that builds a model of Keras, whose tensors have no numbers yet."""

import ast
import copy
import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.evidence import failed_statement

_LIBRARIES = {"np": "NumPy", "numpy": "NumPy"} | dict.fromkeys(
    ("tf", "tensorflow", "tf.math", "tf.nn", "tf.linalg"), "TensorFlow"
)
# Functions that keras.ops has under the same name, with the same arguments.
_SAME = frozenset(
    "abs argmax argmin concatenate cos cumsum dot einsum exp expand_dims flip log matmul max maximum mean min minimum"
    " moveaxis multiply ones_like pad power prod repeat reshape roll sin sqrt square squeeze stack std subtract sum swapaxes"
    " tanh tensordot tile transpose var where zeros_like add cast sigmoid softmax relu one_hot shape".split()
)
_OTHER = {"concat": "concatenate", "reduce_mean": "mean", "reduce_sum": "sum", "reduce_max": "max", "reduce_min": "min"}

# Arguments that functions of keras.ops take by keyword, by their names there and in TensorFlow.
_KEYWORDS = {
    "keep_dims": "keepdims",
    "perm": "axes",
    "values": "xs",
    "multiples": "repeats",
    "paddings": "pad_width",
    "depth": "num_classes",
} | {name: name for name in ("axis", "keepdims", "axes", "repeats", "xs", "pad_width", "constant_values", "newshape")}

SYMBOLIC: Rules = (
    Rule(
        "symbolic",
        Fit.SURE,
        (reason("symbolic-tensor", "library"),),
        "{line}   # the same function for a tensor of the model",
        lambda f: f.line,
        is_own=lambda f: f.line,
    ),
    Rule(
        "symbolic",
        Fit.SURE,
        (reason("symbolic-tensor", "library"),),
        "# a layer or a function of keras.ops in place of the call, such as keras.ops.mean(x, axis=1)\n"
        "# or the call after training, with the numbers that model.predict returns",
        lambda f: not f.line,
    ),
)


class _ForKeras(ast.NodeTransformer):
    """Writes calls of NumPy and TensorFlow as those of keras.ops, and remembers their library and whether one is left."""

    def __init__(self, ops: str) -> None:
        self.ops, self.library, self.is_whole = ops, "", True

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: N802 (the name that ast calls)
        self.generic_visit(node)
        module, _, name = ast.unparse(node.func).rpartition(".")
        library = _LIBRARIES.get(module, "")
        if not library:
            return node
        name = _OTHER.get(name, name)
        if name in _SAME and all(one.arg in _KEYWORDS for one in node.keywords):
            self.library = library
            node.func = ast.parse(f"{self.ops}.{name}", mode="eval").body
            node.keywords = [ast.keyword(_KEYWORDS[one.arg or ""], one.value) for one in node.keywords]
        else:
            self.is_whole = False
        return node


@diagnoses("symbolic")
def symbolic(reading: Reading) -> Diagnosis:
    # A line with tf may stand in a program that does not import keras.
    ops = "tf.keras.ops" if re.search(r"\btf\.", reading.own_code) else "keras.ops"
    tree, writer = copy.deepcopy(failed_statement(reading)), _ForKeras(ops)
    changed = ast.unparse(ast.fix_missing_locations(writer.visit(tree))) if tree is not None else ""
    told = "TensorFlow" if "TensorFlow function" in reading.message else "NumPy"
    facts = Facts(line=changed if writer.library and writer.is_whole else "", library=writer.library or told)
    return Diagnosis(Statement("tensor-of-model"), facts, SYMBOLIC)
