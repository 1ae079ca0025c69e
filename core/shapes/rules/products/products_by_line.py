"""Matrix products of which the reader's line tells more than the sizes, and scores of all words by an embedding."""

import ast
import re

from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.products.matrix_product_facts import Operands
from core.shapes.rules.products.stacked_input_weights import MEET
from core.shapes.rules.rule import Diagnosis, Facts, Rules, always, reason
from core.shapes.user_code.changed_calls import line_with, with_expression
from core.shapes.user_code.evidence import failed_operation, failed_statement
from core.shapes.user_code.operations import is_join
from core.shapes.user_code.products_of_line import weights_of_product
from core.shapes.user_code.syntax_trees import last_name


def joins_for_weights(reading: Reading) -> bool:
    """Whether the reader's line multiplies a concatenation by weights with a name."""
    own = failed_operation(reading)
    if own is None or not {"A", "B"} <= own.names.keys() or not isinstance(own.names["B"], ast.Name | ast.Attribute):
        return False
    return is_join(own.names["A"])


_QUERY = re.compile(r"(?:q|query|queries|dec\w*|s|s_?prev|h_?t|h|state)$")
_KEYS = re.compile(r"(?:k|keys?|H|hs|enc\w*|memory|values?|states|annotations)$")
_SCORES = re.compile(r"scor|energ|alpha|attn|attend|attention|align")


def scores_of_attention(reading: Reading) -> str:
    """Return the reader's line with a score for each key, where the names tell a query and keys; empty if they tell none."""
    own, statement = failed_operation(reading), failed_statement(reading)
    if own is None or not {"A", "B"} <= own.names.keys() or reading.framework not in ("NumPy", "JAX"):
        return ""
    if weights_of_product(reading):
        return ""
    # A state that becomes its own product is multiplied by weights.
    target = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
    if target == ast.unparse(own.names["A"]):
        return ""
    query, keys = (last_name(own.names[name]) for name in "AB")
    is_score = bool(_SCORES.search(target) or _SCORES.search(reading.own[-1].function))
    if not _KEYS.match(keys) or not (is_score or _QUERY.match(query)) or not isinstance(own.node, ast.expr):
        return ""
    library = "jnp" if reading.framework == "JAX" else "np"
    A, B = (ast.unparse(own.names[name]) for name in "AB")
    lines = {
        f"{library}.einsum('...d,...td->...t', {A}, {B})": "a score for each step, of one query for each sequence",
        f"{A} @ {library}.swapaxes({B}, -1, -2)": "if there are several queries for each sequence",
    }
    return "\n".join(f"{with_expression(statement, own.node, code)}   # {words}" for code, words in lines.items())


UNTURNED = sure(
    "transpose",
    "product-turned-by-argument",
    "{line}   # without the transpose, the inner sizes are equal",
    is_own=always,
)


VECTOR_FOR_EACH = sure(
    "unbatched",
    reason("product-of-vector-for-each", "steps", "vectors"),
    "{A} @ {B}[..., None]   # (batch, steps, 1): a number for each step of each sequence",
)


def with_vector_for_each(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of sequences times one vector for each of them, which lacks an axis; None for factors of other shapes."""
    names = "AB" if len(left) > len(right) else "BA"
    steps, vectors = (left, right) if names == "AB" else (right, left)
    is_one_each = len(steps) == 3 and len(vectors) == 2 and steps[0] == vectors[0] != vectors[1] == steps[2] > 0
    if not is_one_each or weights_of_product(reading) == names[1]:
        return None
    facts = Facts(A=names[0], B=names[1], steps=names[0], vectors=names[1], shape=vectors)
    return Diagnosis("matrix-product", facts, VECTOR_FOR_EACH)


def without_transpose(reading: Reading, operands: Operands) -> Diagnosis | None:
    """Return the diagnosis of an argument that transposes weights which fit as they are; None if the line has none."""
    if operands.columns != operands.height:
        return None
    line = re.sub(r", ?(?:transpose|adjoint)_[ab]=True", "", reading.own_code)
    if not reading.own or line == reading.own_code:
        return None
    return Diagnosis("matrix-product", Facts(line=line), UNTURNED)


OF_SCORES = sure("transpose", reason("product-of-sequences", "left"), "A @ B.T   # a score for each two steps")


def of_scores(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a product of TensorFlow of two sequences with the same features; None if it is another."""
    are_sequences = len(left) == len(right) > 2 and left[:-2] == right[:-2] and left[-1] == right[-1] != right[-2]
    if reading.framework != "Keras" or not are_sequences:
        return None
    return Diagnosis("matrix-product", Facts(left=format_shape(left)), OF_SCORES)


# How people name the index of a step.
_OF_STEP = re.compile(r"t|i?_?step|time|ts")

STEP_OF_LAST_AXIS = strong(
    "inner-dimension",
    (MEET, reason("product-step-of-last-axis", "columns", "indexed", "height", "width")),
    "{step_of_last_axis}   # if {indexed} is ({columns}, {height}, steps)",
    lambda f: f.step_of_last_axis and not f.turns and f.width not in (None, 1) and 1 not in (f.columns, f.height),
    is_own=always,
)


def step_of_last_axis(reading: Reading) -> tuple[str, str]:
    """Return the reader's product with the index of a step on the last of three axes, and the array; empty if B has none."""
    own = failed_operation(reading)
    B = own.names.get("B") if own else None
    if not isinstance(B, ast.Subscript) or not _OF_STEP.fullmatch(ast.unparse(B.slice)):
        return "", ""
    array = ast.unparse(B.value)
    return with_expression(failed_statement(reading), B, f"{array}[:, :, {ast.unparse(B.slice)}]"), array


WITH_EMBEDDING: Rules = (
    sure(
        "hidden-size",
        (MEET, reason("product-with-embedding", "height", "columns")),
        lambda f: (
            f"{f.projected}   # a projection to as many; make the layer once, in __init__\n"
            + advised_lines.making(f.cells, f"..., hidden_size={f.height}", "if it gives A")
        ),
        lambda f: f.projected,
        is_own=lambda f: f.projected,
    ),
)


def projected(reading: Reading, operands: Operands) -> str:
    """Return the reader's product with the transposed weights of a layer, with a projection of what they multiply; else an empty text."""
    own = failed_operation(reading)
    if own is None or not {"A", "B"} <= own.names.keys() or reading.framework != "PyTorch":
        return ""
    if not re.search(r"\w\.weight\.(?:T|t\(\)|transpose\(0, 1\))$", ast.unparse(own.names["B"])):
        return ""
    made = f"nn.Linear({operands.columns}, {operands.height})({ast.unparse(own.names['A'])})"
    return line_with(reading, own.names["A"], made)
