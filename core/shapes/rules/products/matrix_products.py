"""Matrix products."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, strong, sure, weak
from core.shapes.rules.joins.joined_arguments import along_features
from core.shapes.rules.keras.cells import in_graph, in_keras_cell, operands_of_call
from core.shapes.rules.keras.custom_layers import of_own_weights
from core.shapes.rules.keras.merges import of_attention
from core.shapes.rules.layers.layer_features import features
from core.shapes.rules.products import products_by_line
from core.shapes.rules.products.flax_cells import failed_flax_cell, in_flax_cell, in_flax_linear
from core.shapes.rules.products.inner_sizes import (
    BACKWARD,
    BY_HAND,
    OF_INNER_SIZES,
    OF_OTHER_UNITS,
    OTHER_ARRAY,
    OTHER_FORMS,
    backward_lines,
    facts_of_forms,
    lacks_a_part,
    missing_part,
    of_scanned_state,
    of_weights,
    with_expected_array,
    with_other_part,
)
from core.shapes.rules.products.linear import linear_rules, may_be_outputs, swapped_sizes, tied_rules, turned_features
from core.shapes.rules.products.matrix_product_facts import (
    Operands,
    layer_before_linear,
    layers_of_kernel,
    product_facts,
    sizes_of_kernel,
)
from core.shapes.rules.products.products_by_line import WITH_EMBEDDING, projected
from core.shapes.rules.products.recurrent_weights import not_square_by_line
from core.shapes.rules.products.stacked_input_weights import (
    LONE_PART,
    MEET,
    SHARED,
    UNKNOWN,
    B_of_all_columns,
    B_with_width,
    with_x,
)
from core.shapes.rules.read_layer import is_round, keras_cell
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_found, reason
from core.shapes.rules.states.state_in_cell import of_state_of_steps
from core.shapes.rules.sums.column_and_vector import AMONG_COLUMNS, SQUARE, square_of, vector_among_columns
from core.shapes.rules.sums.elementwise import of_two_shapes
from core.shapes.rules.tensorflow.nodes import of_node
from core.shapes.user_code.changed_calls import joined_along_features
from core.shapes.user_code.evidence import failed_operation, reshape_to_constant_batch
from core.shapes.user_code.products_of_line import expected_by_name, with_size_of_other, with_weights_exchanged
from core.shapes.user_code.step_and_slice import with_slice_on_last_axis
from core.shapes.user_code.syntax_trees import last_name

_PRODUCT = "matrix-product"
# PyTorch's file of recurrent layers, without that of its functions which pack.
_OF_RECURRENT = re.compile(r"modules[\\/]rnn\.py")
# The keys of an attention in a product with its queries.
_TURNED_BY_ARGUMENT = re.compile(r"\b(?:transpose|adjoint)_b ?= ?True")


def _weights_anew(facts: Facts) -> str:
    """Return the line that makes the weights for what they multiply, or has the size that fits where it writes one.

    It is empty for W.T, which cannot be assigned.
    """
    if facts.resized:
        return facts.resized
    if facts.is_turned_already:
        return ""
    if facts.framework == "Keras" and facts.of_joined:
        return f"B = tf.Variable(tf.random.normal(({facts.columns}, {facts.width})))   # weights for all of A, where they are made"
    if facts.framework == "Keras" and not facts.of_graph:
        return (
            f"# A must have {advised_lines.counted(facts.height, 'column', 'columns')},"
            f" or B {advised_lines.counted(facts.columns, 'row', 'rows')}"
        )
    zeros = advised_lines.zeros(facts.framework)
    # A matrix on its side keeps its sizes in the other order.
    rows = facts.columns if facts.rows == facts.height else facts.rows or "A.shape[0]"
    width = facts.height if facts.width == facts.columns else facts.width or "B.shape[1]"
    of_B = (
        ""
        if facts.vector or facts.columns == 1 == facts.width
        else f"B = {zeros}(({facts.columns}, {width}))   # if B holds the weights: new ones for this A"
    )
    return of_weights(
        facts, f"A = {zeros}(({rows}, {facts.height}))   # if A holds the weights: new ones for this B", of_B
    )


# ---- a matrix on its side, or h without x ------------------------------------------------------


def _fit_of_turned(facts: Facts) -> Fit:
    return Fit.SURE if 1 in (facts.height, facts.columns) else Fit.STRONG


# One array times itself, as for the similarity of its rows.
WITH_ITSELF = sure(
    "transpose",
    (MEET, reason("product-with-itself")),
    "A @ B.T   # a number for each two rows",
    lambda f: f.with_itself,
    lambda f: {"B": f.A[::-1]},
)

_H_WITHOUT_X = Rule(
    "inner-dimension",
    lambda f: Fit.LIKELY if may_be_outputs(f) else Fit.STRONG,
    (MEET, reason("product-h-alone", "columns", "height", "rest")),
    with_x,
    lambda f: (
        f.A_turns
        and f.columns > f.height
        and not (f.columns_of_gates or f.of_backward or f.of_sum or f.of_x or f.is_alike)
    ),
    lambda f: {"B": (f.columns, *([] if f.vector else [-1 if f.width is None else f.width]))},
)


_TURNED: Rules = (
    sure("transpose", (MEET, reason("product-of-attention")), when=lambda f: f.scores and f.only_inner, own="scores"),
    sure("inner-dimension", (MEET, reason("weights-crossed")), own="crossed"),
    sure(
        "transpose",
        (MEET, reason("dot-outer")),
        "A @ B.T",
        lambda f: f.gives_gradient and f.columns == f.width == 1,
        lambda f: {"B": f.B[::-1]},
    ),
    products_by_line.STEP_OF_LAST_AXIS,
    AMONG_COLUMNS,
    *OTHER_FORMS,
    BACKWARD,
    OTHER_ARRAY,
    OF_OTHER_UNITS,
    _H_WITHOUT_X,
    Rule(
        "transpose",
        _fit_of_turned,
        (MEET, reason("product-turned", name=lambda f: "A", turned=lambda f: f.A[::-1])),
        lambda f: (
            "A @ B.T   # an outer product\nA.T @ B   # a single number"
            if f.is_alike and f.columns == 1
            else "A.T @ B" + "\nA @ B.T" * f.is_alike
        ),
        lambda f: f.A_turns,
        lambda f: {"A": f.A[::-1]},
    ),
    _H_WITHOUT_X._replace(
        when=lambda f: (
            f.A_turns and f.columns > f.height and (f.columns_of_gates or f.of_backward) and not (f.of_sum or f.of_x)
        )
    ),
    Rule(
        "transpose",
        _fit_of_turned,
        (MEET, reason("product-turned", name=lambda f: "B", turned=lambda f: f.B[::-1])),
        # Weights on the left of rows: the rows stay rows if the weights come last.
        lambda f: (
            "B @ A.T   # if each sequence is a row\nA @ B.T   # if each sequence is to be a column"
            if f.weights == "A" and (f.of_stack or f.height > 1 and not f.of_backward)
            else "A @ B.T\nB @ A   # if each sequence is a column"
            if f.is_followed and f.rows == f.width and not f.A_turns
            else "A @ B.T"
        ),
        lambda f: f.B_turns,
        lambda f: {"B": f.B[::-1]},
    ),
    WITH_ITSELF,
    strong(
        "unbatched",
        (MEET, reason("product-of-numbers", "columns")),
        "A[..., None] @ B   # an axis of one feature\nA @ B.T   # if B is a row",
        lambda f: f.only_inner and f.height == 1 and f.weights == "B" and f.of_step and f.framework in BY_HAND,
    ),
    strong(
        "transpose",
        (MEET, reason("product-row-for-column")),
        "A @ B.T   # if B is a row\nA @ B.ravel()   # if the line has vectors of one axis, and B has one row",
        lambda f: f.only_inner and f.height == 1,
        lambda f: {"B": (f.columns, 1)},
    ),
    strong(
        "transpose",
        (MEET, reason("product-row-for-column")),
        lambda f: (
            "A @ B.T   # if B is a column: an outer product\n" * (f.weights != "B")
            + f"A.T @ B   # if A is a column of {f.height}"
        ),
        lambda f: f.only_inner and f.height != 1 and f.columns == 1,
        lambda f: {"A": (1, f.height)} if f.weights == "B" else {"B": (1, f.height)},
    ),
    likely(
        "transpose",
        (MEET, reason("product-gates-turned", gates="times")),
        lambda f: (
            f"A.T @ B   # if A has {advised_lines.counted(f.height, 'row', 'rows')}"
            if f.columns > f.height
            else f"A @ B.T   # if B has {advised_lines.counted(f.columns, 'column', 'columns')}"
        ),
        # Weights of all gates on their side multiply a state, whose units they have.
        lambda f: f.only_inner and f.times and (f.of_named_state or not f.has_own),
        B_of_all_columns,
    ),
    strong(
        "inner-dimension",
        (MEET, reason("product-square", "columns", "height")),
        lambda f: (
            f"B = {advised_lines.zeros(f.framework)}(({f.columns}, {f.width or 1}))   # a state with an entry for each column of A"
        ),
        lambda f: f.rows == f.columns and f.weights != "B" and not f.turns and is_round(f.columns) and not f.of_stack,
        B_with_width,
    ),
    Rule(
        "inner-dimension",
        lambda f: Fit.STRONG if f.resized else Fit.PLAUSIBLE if f.of_stack else Fit.WEAK,
        (MEET,),
        _weights_anew,
        conform=lambda f: {"B": (f.columns, f.width or -1)} if f.weights == "B" else {"A": (f.A[0], f.height)},
        is_own=lambda f: f.resized,
    ),
    *OF_INNER_SIZES,
)

# ---- a linear layer after the recurrent one ----------------------------------------------------


def _is_flattened(facts: Facts) -> bool:
    """Whether steps and batch may have been exchanged before a linear layer that takes all steps."""
    rows, columns, height, per_step = facts.rows, facts.columns, facts.height, facts.per_step
    return bool(
        rows
        and not facts.turns
        and columns % height
        and height % columns
        and facts.width != rows
        and height % rows == 0
        and columns % per_step == 0
        and per_step > 1
        and columns // per_step > 1
        and is_round(per_step)
    )


_LINEAR: Rules = (
    strong(
        "batch-first",
        (
            MEET,
            reason(
                "product-steps-and-batch",
                "height",
                "columns",
                "rows",
                "per_step",
                steps=lambda f: f.columns // f.per_step,
            ),
        ),
        "linear(output.transpose(0, 1).flatten(1))",
        _is_flattened,
    ),
    *linear_rules(MEET, keeps_linear=True),
    *tied_rules(MEET),
)

# ---- weights for a stacked input, and something else -------------------------------------------


_STACK: Rules = (
    Rule(
        "inner-dimension",
        lambda f: Fit.WEAK if f.of_module else Fit.POSSIBLE,
        (MEET, reason("product-part-missing", "columns", "height", "rest", missing=missing_part)),
        lambda f: f.joined or advised_lines.stacked_product(f.framework, missing_part(f)),
        lacks_a_part,
        B_of_all_columns,
        lambda f: f.joined,
    ),
)

PRODUCT: Rules = (*WITH_EMBEDDING, SQUARE, *SHARED, *_TURNED, *_STACK)

CONSTANT_BATCH = strong(
    "batch-size",
    (MEET, reason("reshape-to-constant-batch", "batch")),
    "{reshaped}   # the batch of this call",
    lambda f: f.reshaped,
)
PRODUCT_OF_LINEAR: Rules = (
    CONSTANT_BATCH,
    along_features(MEET, "columns", "height"),
    swapped_sizes(MEET),
    turned_features(MEET),
    *_LINEAR,
)
# The linear layer comes before causes that fit as well, because it makes most products of PyTorch.
PRODUCT_WITH_LINEAR: Rules = (*SHARED, CONSTANT_BATCH, *_LINEAR, *_TURNED, *_STACK)


# A caller makes the state by the name of the units, so that it is rather right than the weights.
_STATE_FOR_UNITS = r"(?:zeros|ones|randn?|normal)\([^()]{0,40}(?:hid|unit)"


def of_operands(reading: Reading, operands: Operands, *, linear: bool = False, vector: bool = False) -> Diagnosis:
    """Return the diagnosis of a product A·B. The parameters are those of `product_facts`."""
    facts = product_facts(reading, operands, linear=linear, vector=vector)
    facts.along_features = joined_along_features(reading, operands.columns, operands.height, ("0",))
    facts.reshaped, facts.batch = reshape_to_constant_batch(reading, operands.rows or 0)
    facts.has_own = bool(reading.own)
    facts.is_made_for_units = re.search(_STATE_FOR_UNITS, " ".join(one.code for one in reading.own[:-1]))
    facts.square, facts.is_followed = square_of(reading), bool(reading.operands)
    facts.of_joined = products_by_line.joins_for_weights(reading)
    facts.scan, facts.backward = of_scanned_state(reading, facts), backward_lines(reading, operands)
    facts.joined = with_other_part(reading, facts) if facts.is_known and facts.is_bare else ""
    facts.expected, facts.other_array = expected_by_name(reading), with_expected_array(reading)
    facts.resized = with_size_of_other(reading, operands.columns, operands.height)
    facts.crossed, own = with_weights_exchanged(reading), failed_operation(reading)
    vars(facts).update(facts_of_forms(reading, operands))
    is_square = facts.gives_gradient and facts.rows == facts.columns != 1 == facts.height
    vars(facts).update(vector_among_columns(reading, facts.A, is_column=True) if is_square else {"made_column": ""})
    facts.scores = products_by_line.scores_of_attention(reading)
    facts.of_step = own is not None and isinstance(own.names.get("A"), ast.Subscript)
    facts.projected = projected(reading, operands)
    facts.step_of_last_axis, facts.indexed = products_by_line.step_of_last_axis(reading)
    facts.with_itself = own is not None and "A" in own.names and ast.dump(own.names["A"]) == ast.dump(own.names["B"])
    facts.sliced = with_slice_on_last_axis(reading)
    if not facts.is_known or facts.sliced:
        return Diagnosis(_PRODUCT, facts, UNKNOWN)
    # The node of a product in a graph of TensorFlow names its cell, if it is in one.
    node = reading.values.get("node", "")
    is_named = bool(re.search(r"cell|lstm|gru|rnn", node, re.IGNORECASE))
    facts.of_graph = bool(node) and not is_named and facts.gates <= 1
    rules = (
        LONE_PART
        if facts.lone and not (facts.exchanged or facts.of_line)
        else PRODUCT_WITH_LINEAR
        if linear
        else _TURNED
        if facts.of_graph
        else PRODUCT
    )
    if linear and (facts.of_module or own is not None and "linear" in own.names):
        rules = PRODUCT_OF_LINEAR  # a linear layer failed, so B holds its weights
    layer, given = (layer_before_linear if linear else layers_of_kernel)(reading, operands)
    sizes = {"A-columns": operands.columns, "B-rows": operands.height} | sizes_of_kernel(operands)
    return Diagnosis(_PRODUCT, facts, rules, sizes, (), layer, given, (facts.A, facts.B))


VECTORS: Rules = (
    strong("transpose", (reason("dot", "left", "right"), reason("dot-outer")), "np.outer(A, B)"),
    weak("inner-dimension", reason("dot", "left", "right"), "# both vectors must have as many entries"),
)

# ---- the messages ------------------------------------------------------------------------------


@diagnoses("product")
def product(reading: Reading) -> Diagnosis:
    """Diagnose A·B of two matrices, or of a matrix and a vector."""
    left, right = reading.shape("left"), reading.shape("right")
    if reading.operands:
        left, right = (one.shape for one in reading.operands)
    own = failed_operation(reading)
    named = last_name(own.names["linear"]) if own is not None and "linear" in own.names else ""
    is_recurrent = _OF_RECURRENT.search(reading.below_own) or re.fullmatch(r"\w*(?:lstm|gru|rnn)\d?", named, re.I)
    if reading.framework == "PyTorch" and is_recurrent:
        # PyTorch compares the features of a packed sequence in the product with the weights of all gates alone.
        values = {"expected": str(right[0]), "got": str(left[-1]), "rows": str(right[-1])}
        return features(reading._replace(values=values))
    return _of_shapes(reading, left, right)


def _of_attention(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    is_other_width = len(left) == len(right) == 3 and left[-1] != right[-1]
    is_attention = is_other_width and _TURNED_BY_ARGUMENT.search(reading.code)
    return of_attention(reading, left[-1], right[-1], name="A") if is_attention else None


def _of_inner_sizes(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two shapes of one size each: vectors, or the inner sizes that JAX names alone."""
    if len(left) != 1 or len(right) != 1:
        return None
    if failed := failed_flax_cell(reading):
        return in_flax_cell(reading, *failed, left[0], right[0])
    if found := in_flax_linear(reading, left[0], right[0]):
        return found
    if (cell := keras_cell(reading)) and (operands := operands_of_call(reading, cell, left[0], right[0])):
        return in_keras_cell(reading, cell, operands)
    if reading.framework == "NumPy":
        return Diagnosis(_PRODUCT, Facts(left=left[0], right=right[0]), VECTORS)
    return of_operands(reading, Operands(None, left[0], right[0], None))


# The diagnoses of a product of two shapes in which the reader's line is asked, in this order.
_BY_LINE = (
    products_by_line.with_vector_for_each,
    not_square_by_line,
    products_by_line.of_scores,
    _of_attention,
    _of_inner_sizes,
)


def _of_shapes(reading: Reading, left: Shape, right: Shape) -> Diagnosis:
    if found := first_found(_BY_LINE, reading, left, right):
        return found
    if len(right) == 1:
        return of_operands(reading, Operands(left[-2], left[-1], right[0], None), vector=True)
    if len(left) == 1:
        return of_operands(reading, Operands(None, left[0], right[-2], right[-1]))
    rows, width = (size if size > 0 else None for size in (left[-2], right[-1]))
    operands = Operands(rows, left[-1], right[-2], width)
    if found := products_by_line.without_transpose(reading, operands):
        return found
    if reading.framework == "Keras" and (found := of_own_weights(reading, left, right) or in_graph(reading, operands)):
        return found
    own = failed_operation(reading)
    has_own_product = (
        own is not None and "A" in own.names or "@" in reading.own_code and "F.linear(" not in reading.whole
    )
    is_linear = "linear" in reading.whole.lower() or rows != 1 or width != 1
    by_hand = reading.framework != "PyTorch" or has_own_product or not is_linear
    return of_operands(reading, operands, linear=not by_hand)


@diagnoses("product_vector")
def product_vector(reading: Reading) -> Diagnosis:
    rows, columns = reading.shape("left")
    return of_operands(reading, Operands(rows, columns, reading.size("right"), None), vector=True)


@diagnoses("product_inner")
def product_inner(reading: Reading) -> Diagnosis:
    """Diagnose NumPy's matmul, whose message has the two inner sizes only."""
    if reading.operands:
        return _of_shapes(reading, *(one.shape for one in reading.operands))
    columns, height = reading.size("left"), reading.size("right")
    if reading.size("at") == 0:
        columns, height = height, columns
    return of_operands(reading, Operands(None, columns, height, None))


@diagnoses("dimensions")
def dimensions(reading: Reading) -> Diagnosis:
    """Diagnose TensorFlow 1's words for an operation that failed; the kernel of a cell is (m + k, g·k)."""
    a, b = reading.shape("a"), reading.shape("b")
    if "adj_y=true" in reading.whole and len(a) == len(b) == 3 and a[-1] != b[-1] and min(a[-1], b[-1]) > 0:
        return of_attention(reading, a[-1], b[-1])
    operation = re.search(r"\}\}'? ?= ?(\w{1,40})\[", reading.message)
    if found := of_state_of_steps(reading) or products_by_line.with_vector_for_each(reading, a, b):
        return found
    if operation and operation[1].startswith("BatchMatMul") and len(a) == len(b) > 2 and a[-1] != b[-2]:
        of_layer = re.search(r"calling (?:Additive)?Attention\.call|attention\w{0,10}/", reading.whole)
        return of_attention(reading, a[-1], b[-2]) if of_layer else _of_shapes(reading, a, b)
    if operation and operation[1].startswith("BatchMatMul") and len(a) > len(b) == 2 and a[-1] != b[0]:
        return _of_shapes(reading, a[-2:], b)  # the same weights for each step
    if "MatMul" not in (operation[1] if operation else reading.message) or len(a) != 2 or len(b) != 2:
        return of_node(reading, a, b) or of_two_shapes(reading.framework, a, b)
    operands = Operands(a[0] if a[0] > 0 else None, a[1], b[0], b[1])
    return of_own_weights(reading, a, b) or in_graph(reading, operands) or of_operands(reading, operands)
