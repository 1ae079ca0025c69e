"""Functions of NumPy or TensorFlow in a line that builds a model of Keras, whose tensors have no numbers yet."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.changed_calls import keyword, with_expression
from core.shapes.user_code.evidence import failed_statement
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import expression

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
    sure(
        "symbolic", reason("symbolic-tensor", "library"), own="line", note="the same function for a tensor of the model"
    ),
    sure(
        "symbolic",
        reason("symbolic-tensor", "library"),
        "# a layer or a function of keras.ops in place of the call, such as keras.ops.mean(x, axis=1)\n"
        "# or the call after training, with the numbers that model.predict returns",
        lambda f: not f.line,
    ),
)

# How many parts a recurrent layer returns with its states, where another layer than an LSTM has one state.
_PARTS_OF_GRU = 2

SYMBOLIC_PARTS: Rules = first_of(
    sure(
        "state-tuple",
        reason("unpacked-layer", "count"),
        lambda f: (
            f"{f.layer} = layers.{'GRU' if f.count == _PARTS_OF_GRU else 'LSTM'}(..., return_state=True)"
            "   # the recurrent layer, where it is made"
        ),
        lambda f: f.line or f.layer,
        own="line",
    ),
    sure(
        "symbolic",
        "symbolic-loop",
        "{x} = keras.ops.unstack({x}, axis=1)   # before a loop over the steps: a list, if their number is fixed\n"
        "{x} = layers.TimeDistributed(layer)({x})   # in place of a loop that calls a layer for each step",
        is_own=lambda f: f.x != "x",
    ),
)


@diagnoses("symbolic_parts")
def symbolic_parts(reading: Reading) -> Diagnosis:
    """Diagnose a tensor of a model that is unpacked, as the states of a layer that returns none, or a loop over it."""
    tree = failed_statement(reading)
    target, value = (tree.targets[0], tree.value) if isinstance(tree, ast.Assign) else (None, None)
    called = value.func if isinstance(value, ast.Call) and isinstance(target, ast.Tuple) else None
    facts = Facts(count=0, line="", layer="", x="x")
    if isinstance(tree, ast.For) and is_stored(tree.iter):
        facts.x = ast.unparse(tree.iter)
    if called is not None and isinstance(target, ast.Tuple):
        facts.count, facts.layer = len(target.elts), ast.unparse(called) if is_stored(called) else ""
    if isinstance(called, ast.Call):
        made = copy.deepcopy(called)
        # Bidirectional takes the argument from the layer in it.
        recurrent = next((one for one in made.args if isinstance(one, ast.Call)), made)
        kept = [one for one in recurrent.keywords if one.arg != "return_state"]
        recurrent.keywords = [*kept, keyword("return_state", "True")]
        facts.line = with_expression(tree, called, ast.unparse(made))
    return Diagnosis("tensor-of-model", facts, SYMBOLIC_PARTS)


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
            node.func = expression(f"{self.ops}.{name}")
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
    return Diagnosis("tensor-of-model", facts, SYMBOLIC)
