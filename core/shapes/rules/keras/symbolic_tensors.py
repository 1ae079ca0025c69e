"""Functions of NumPy or TensorFlow in a line that builds a model of Keras, whose tensors have no numbers yet."""

import ast
import copy

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.evidence import failed_statement

_LIBRARIES = {"np": "NumPy", "numpy": "NumPy", "tf": "TensorFlow", "tensorflow": "TensorFlow"}
# Functions that keras.ops has under the same name, with the same arguments.
_SAME = frozenset(
    "abs argmax argmin concatenate cos cumsum dot einsum exp expand_dims flip log matmul max maximum mean min minimum"
    " moveaxis multiply ones_like pad power prod repeat reshape roll sin sqrt square squeeze stack std subtract sum swapaxes"
    " tanh tensordot tile transpose var where zeros_like add cast sigmoid softmax relu one_hot shape".split()
)
_OTHER = {"concat": "concatenate", "reduce_mean": "mean", "reduce_sum": "sum", "reduce_max": "max", "reduce_min": "min"}

SYMBOLIC: Rules = (
    Rule(
        "symbolic",
        Fit.SURE,
        (reason("symbolic-tensor", "library"),),
        lambda f: f"{f.line}   # the same function for a tensor of the model",
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
    """Writes calls of NumPy and TensorFlow as those of keras.ops, and remembers their library."""

    library = ""

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: N802 (the name that ast calls)
        self.generic_visit(node)
        module, _, name = ast.unparse(node.func).rpartition(".")
        library = _LIBRARIES.get(module.partition(".")[0], "")
        name = _OTHER.get(name, name)
        if library and name in _SAME:
            self.library = library
            node.func = ast.parse(f"keras.ops.{name}", mode="eval").body
        return node


@diagnoses("symbolic")
def symbolic(reading: Reading) -> Diagnosis:
    tree, writer = copy.deepcopy(failed_statement(reading)), _ForKeras()
    changed = ast.unparse(ast.fix_missing_locations(writer.visit(tree))) if tree is not None else ""
    told = "TensorFlow" if "TensorFlow function" in reading.message else "NumPy"
    facts = Facts(line=changed if writer.library else "", library=writer.library or told)
    return Diagnosis(Statement("tensor-of-model"), facts, SYMBOLIC)
