"""Functions for recurrent cells in TensorFlow 1, and products in its graphs."""

import re
from math import prod

from core.shapes.layer_shapes import Shape, format_shape, unknown_sizes
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import plausible, strong, sure
from core.shapes.rules.keras.sequences import sequence_returned
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.keras_model_layers import keras_layers

LIST_OF_STEPS: Rules = rules_of(
    "list_of_steps",
    "input-of-layer",
    sure(
        "inputs",
        "list-of-steps",
        "x = tf.unstack(x, axis=1)   # a list of steps, each (batch, features), for static_rnn\n"
        "outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)   # or this function, for (batch, steps, features)",
    ),
)

PRODUCT_OF_STEPS = strong(
    "unbatched",
    reason("product-of-steps", "a", "b"),
    "A = A[:, -1]   # the last step, if each sequence has one output\n"
    "tf.tensordot(A, B, 1)   # in place of tf.matmul, for an output at each step",
)


def shapes_of_op(reading: Reading, op: str) -> tuple[Shape, ...]:
    """Return the shapes of the inputs of an operation that failed, as TensorFlow names them; none if it is another one."""
    listed = re.search(rf"\(op: '{op}'\) with input shapes: ((?:\[[\d,? ]{{1,80}}\](?:, )?){{1,4}})", reading.whole)
    return tuple(map(shape, re.findall(r"\[[^\]]+\]", listed[1]))) if listed else ()


def product_of_steps(reading: Reading) -> Diagnosis | None:
    """Return the diagnosis of all steps times a matrix in tf.matmul; None if a message on ranks is about something else."""
    shapes = shapes_of_op(reading, "MatMul")
    if [len(sizes) for sizes in shapes] != [3, 2]:
        return None
    a, b = shapes
    return Diagnosis("matrix-product", Facts(a=format_shape(a), b=format_shape(b)), PRODUCT_OF_STEPS)


# An input of TimeDistributed without steps, for which old versions of Keras have no words.
TIME_DISTRIBUTED_UNSAID: Rules = rules_of(
    "time_distributed_unsaid",
    "axes-of-x",
    strong("return-sequences", "one-vector-unsaid", lambda f: sequence_returned(f.layers, True)),
    facts=lambda reading: {"layers": keras_layers(reading.whole)},
)


EXACT_RANK: Rules = (
    strong(
        "unbatched",
        reason("axes", axes=lambda f: len(f.x), allowed="wanted"),
        "x = x[:, -1]   # the last step, if each sequence has one output\n"
        "x = tf.reshape(x, (-1, {last}))   # a row for each step",
        lambda f: (len(f.x), f.wanted) == (3, 2) and f.x[-1] > 0,
    ),
    plausible(
        "unbatched",
        reason("axes", axes=lambda f: len(f.x), allowed="wanted"),
        "# give the function an array of {wanted} axes",
        lambda f: (len(f.x), f.wanted) != (3, 2) or f.x[-1] < 1,
    ),
)


@diagnoses("exact_rank")
def exact_rank(reading: Reading) -> Diagnosis:
    """Diagnose a function of TensorFlow 1 that takes one number of axes only."""
    x = reading.shape("shape")
    if reading.size("allowed") == 0 and "concat(" in reading.whole:
        return DIAGNOSES["concat_arguments"](reading)  # an array where the axis belongs
    return Diagnosis("axes-of-x", Facts(x=x, wanted=reading.size("allowed"), last=x[-1] if x else 0), EXACT_RANK)


# ---- the order of axes in a loop of TensorFlow 1 -----------------------------------------------


def _axes_of_dynamic_rnn(facts: Facts) -> str:
    """Return the lines that give tf.nn.dynamic_rnn three axes."""
    if len(facts.x) == 2:
        return (
            "x = tf.expand_dims(x, -1)   # (batch, steps, 1), if each step is one number\n"
            "x = tf.expand_dims(x, 1)   # (batch, 1, features), one step"
        )
    rest = facts.x[2:]
    features = prod(rest) if rest and min(rest) > 0 else "features"
    return f"x = tf.reshape(x, [tf.shape(x)[0], tf.shape(x)[1], {features}])   # (batch, steps, features)"


DYNAMIC_RNN = strong(
    "unbatched",
    reason("axes", "axes", allowed=lambda f: "3"),
    _axes_of_dynamic_rnn,
)


@diagnoses("transposed_in_graph")
def transposed_in_graph(reading: Reading) -> Diagnosis:
    """Diagnose the swap of batch and steps with which tf.nn.dynamic_rnn begins, or another transpose of other axes."""
    axes = reading.size("axes")
    if reading.size("named") != 3 or axes == 3 or "dynamic_rnn" not in reading.whole:
        return DIAGNOSES["transposed_axes"](reading)
    x = next(iter(shapes_of_op(reading, "Transpose")), ()) or unknown_sizes(axes)
    return Diagnosis("axes-of-x", Facts(x=x, axes=axes), DYNAMIC_RNN)


# ---- shapes that a graph of TensorFlow 1 needs while it is made ---------------------------------

OPEN_STEPS = strong(
    "steps",
    reason("steps-unknown-in-graph", "x"),
    "input_shape=(steps, {features})   # in the first layer: the number of steps, in place of None\n"
    "outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)   # in place of tf.unstack and static_rnn: any number of steps",
)


@diagnoses("open_steps")
def open_steps(reading: Reading) -> Diagnosis:
    """Diagnose an array that is taken apart along an axis whose size is not known."""
    x = reading.shape("x")
    features = input_features(reading) or (x[-1] if x and x[-1] > 0 else "features")
    return Diagnosis("shape-of-x", Facts(x=format_shape(x), features=features), OPEN_STEPS)


def input_features(reading: Reading) -> str:
    """Return the features in the input_shape of the text whose steps are None; empty if it has none."""
    told = re.search(r"(?:input_shape|shape) ?= ?\(None, ?(\w{1,40})\)", reading.whole)
    return told[1] if told else ""
