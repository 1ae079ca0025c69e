"""Two shapes that a node of a graph of TensorFlow compares: predictions and targets, or two batches within a layer."""

import ast
import re
from math import prod

from core.shapes.layer_shapes import Shape, lacks_steps
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.custom_layers import of_own_weights
from core.shapes.rules.keras.layer_sums import of_layer_sum, of_positions
from core.shapes.rules.keras.losses import of_target
from core.shapes.rules.keras.metrics import of_metric_or_weights
from core.shapes.rules.keras.states import in_cell_of_layer
from core.shapes.rules.keras.weights import of_assigned
from core.shapes.rules.layers.attention_masks import of_mask_of_keras
from core.shapes.rules.losses.integer_labels import of_optax_loss
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rules, diagnoses, first_found, first_of, reason
from core.shapes.rules.sums.elementwise import of_two_shapes
from core.shapes.user_code.keras_calls import sides_of_difference
from core.shapes.user_code.keras_model_layers import keras_layers

_OF_LOSS = re.compile(
    r"node:? ?'?[\w/.-]{0,200}?(?:loss|mse|mae|mean_|squared|cross_?entropy|metric|accuracy|equal)", re.I
)
_OPERANDS = re.compile(r"= (\w{1,40})(?:\[[^\]]{0,80}\])?\(([^\s,()]{1,200}), ?([^\s,()]{1,200})\)")
_TARGETS = re.compile(r"IteratorGetNext|data_\d|label|target|y_true", re.IGNORECASE)
_PREDICTIONS = re.compile(r"sequential|model|functional|dense|lstm|gru|rnn|distributed|bidirectional", re.IGNORECASE)

LACKS_STEPS = strong(
    "return-sequences",
    reason("one-lacks-steps", "longer", "shorter"),
    lambda f: (
        f"LSTM(..., return_sequences={f.shorter == f.sides[0]})   # the last recurrent layer; or GRU, SimpleRNN"
        if f.sides
        else "LSTM(..., return_sequences=True)   # the last recurrent layer, if the targets have the steps\n"
        "LSTM(..., return_sequences=False)   # if the predictions have them; or GRU, SimpleRNN"
    ),
)


# Random numbers as one operand of a sum or a product.
_RANDOM = re.compile(r"(?:Mul|AddV?2?)\[[^\]]{0,40}\]\([^()]{0,160}random_(?:normal|uniform)")

RANDOM_NUMBERS = sure(
    "broadcast",
    (reason("broadcast-shapes", "left", "right"), reason("random-of-other-size")),
    "noise = keras.random.normal(keras.ops.shape(x))   # random numbers for each entry of the other array",
)

FLAT_METRIC = sure(
    "flattened",
    (reason("broadcast-shapes", "left", "right"), reason("metric-flattens")),
    'model.compile("adam", "sparse_categorical_crossentropy", metrics=["sparse_categorical_accuracy"])'
    '   # in place of "accuracy"',
)

LACKS_COLUMN: Rules = first_of(
    strong(
        "broadcast",
        (reason("target-sizes", got="shorter", wanted="longer"), reason("target-column")),
        "y = y[..., None]   # one column, as the predictions have; the same for the validation data",
        lambda f: not f.is_of_targets,
    ),
    strong(
        "broadcast",
        (reason("target-sizes", got="longer", wanted="shorter"), reason("target-axis-of-one")),
        "y = y[..., 0]   # the targets without their last axis; the same for the validation data",
    ),
)


def _trains(reading: Reading) -> bool:
    """Whether the text trains a model, so that two shapes may be those of predictions and targets."""
    return bool(re.search(r"\.(?:compile|fit|train_on_batch)\(", reading.whole)) and not reading.own


STATE_WITH_STEPS = strong(
    "unbatched",
    (reason("broadcast-shapes", "left", "right"), reason("state-has-steps", "units")),
    "keras.Input(({units},))   # each state: one vector for each sequence, without steps\n"
    "initial_state = [h[:, 0], c[:, 0]]   # or the states without their axis of 1",
)


def _of_state_with_steps(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of an initial state of three axes within a layer; None if the node is no such product."""
    in_layer = re.search(r"(?:lstm|gru|rnn)\w{0,20}/(?:mul|add)", reading.whole, re.IGNORECASE)
    if not in_layer or len(left) != 3 or len(right) != 3 or right[1] != 1 or "initial_state" not in reading.whole:
        return None
    return Diagnosis("initial-state", Facts(left=left, right=right, units=right[2]), STATE_WITH_STEPS)


LOSS_BATCHES = sure(
    "batch-size",
    reason("loss-batches", "fewer", "more"),
    "model.fit(x[:len(x) // {more} * {more}], y[:len(x) // {more} * {more}], batch_size={more})   # whole batches alone\n"
    "LSTM(..., input_shape=(steps, features))   # in place of batch_input_shape, if no state is to be kept; or GRU, SimpleRNN",
)


OTHER_STEPS = strong(
    "steps",
    reason("loss-steps", "left", "right"),
    "y = y[:, :{fewer}]   # if the targets have more steps than the predictions\n"
    "x = x[:, :{fewer}]   # if the predictions have more",
)


def _of_other_steps(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a loss or a metric of two numbers of steps, whose message does not tell which is which."""
    if len(left) != len(right) or len(left) < 2 or left[0] != right[0] or left[2:] != right[2:]:
        return None
    if min(left[1], right[1]) < 2 or left[1] == right[1] or not _OF_LOSS.search(reading.whole):
        return None
    return Diagnosis("loss", Facts(left=left[1], right=right[1], fewer=min(left[1], right[1])), OTHER_STEPS)


def _of_batches(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a loss of two batches: of a model with a fixed batch, and of data with another one."""
    is_batch = bool(left) and len(left) == len(right) and left[1:] == right[1:] and 1 not in (left[0], right[0])
    if not is_batch or min(left[0], right[0]) <= 0 or left == right or not _OF_LOSS.search(reading.whole):
        return None
    fewer, more = sorted((left[0], right[0]))
    return Diagnosis("loss", Facts(fewer=fewer, more=more), LOSS_BATCHES, {"batch": more})


def _of_random_numbers(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    is_of_features = left[:-1] == right[:-1] and left[-1:] != right[-1:]
    if not is_of_features or not _RANDOM.search(reading.message):
        return None
    return Diagnosis("entry-by-entry", Facts(left=left, right=right), RANDOM_NUMBERS)


def _of_targets(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of predictions and targets, if the node or the reader's line tells which is which."""
    sides = _sides(reading, left, right) if _OF_LOSS.search(reading.whole) else None
    if sides is None and left[:1] == right[:1] and len(left) == len(right):
        sides = sides_of_difference(reading, left, right)
    return of_target(reading, *sides) if sides else None


def _of_flat_metric(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    is_flat = {len(left), len(right)} == {1, 2} and prod(left) == prod(right)
    if not is_flat or not re.search(r"acc\w{0,8}/Equal", reading.whole):
        return None
    return Diagnosis("loss", Facts(left=left, right=right), FLAT_METRIC)


def _without_axis(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of predictions or targets that lack a last axis of 1, or the axis of the steps."""
    shorter, longer = sorted((left, right), key=len)
    if longer == (*shorter, 1) and len(shorter) > 1 and (_OF_LOSS.search(reading.whole) or _trains(reading)):
        layers = keras_layers(reading.whole)
        units = ast.unparse(layers[-1].inner.args[0]) if layers and layers[-1].inner.args else ""
        facts = Facts(longer=longer, shorter=shorter, is_of_targets=units == str(shorter[-1]))
        return Diagnosis("loss", facts, LACKS_COLUMN)
    # The sum in the call of a layer is no loss.
    is_sum = "[Op:AddV2]" in reading.whole and not _trains(reading)
    if not is_sum and lacks_steps(shorter, longer):
        facts = Facts(longer=longer, shorter=shorter, sides=sides_of_difference(reading, left, right))
        return Diagnosis("loss", facts, LACKS_STEPS)
    return None


# The diagnoses of two shapes in a graph of Keras, in this order: the surest first.
_IN_GRAPH = (
    _of_random_numbers,
    of_positions,
    of_own_weights,
    of_layer_sum,
    of_mask_of_keras,
    _of_state_with_steps,
    in_cell_of_layer,
    of_metric_or_weights,
    _of_batches,
    _of_targets,
    _of_other_steps,
    _of_flat_metric,
    _without_axis,
)


def of_node(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two shapes in a node of TensorFlow, or in a loss of Optax; None if the text tells no such node."""
    found = of_optax_loss(reading, left, right)
    return found or (first_found(_IN_GRAPH, reading, left, right) if reading.framework == "Keras" else None)


@diagnoses("both_shapes")
def both_shapes(reading: Reading) -> Diagnosis:
    """Diagnose TensorFlow's words for two shapes that must be equal, most often in a concatenation."""
    left, right = reading.shape("left"), reading.shape("right")
    if "(op: 'Assign')" in reading.whole:
        return of_assigned(reading, left, right)
    if re.search("concat", reading.whole, re.IGNORECASE) or len(left) != len(right):
        return DIAGNOSES["concatenate_shapes"](reading)
    return of_node(reading, left, right) or of_two_shapes(reading.framework, left, right)


def _sides(reading: Reading, left: Shape, right: Shape) -> tuple[Shape, Shape] | None:
    """Return the predictions and the targets, by the names of the operands or by the operation; None if neither tells."""
    operands = _OPERANDS.search(reading.whole)
    names = operands.groups()[1:] if operands else ("", "")
    is_first, is_second = (bool(_PREDICTIONS.search(name)) for name in names)
    if is_first == is_second:
        is_second, is_first = (bool(_TARGETS.search(name)) for name in names)
    if is_first == is_second:
        # Keras subtracts the predictions from the targets, and TensorFlow the reverse.
        operation = re.search(r"/(sub|SquaredDifference)\b", reading.whole)
        if not operation:
            return None
        is_first = operation[1] != "sub"
    return (left, right) if is_first else (right, left)
