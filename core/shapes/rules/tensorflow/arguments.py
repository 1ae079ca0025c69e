"""Functions of TensorFlow that take a number, a vector or a matrix, and received an argument of other axes or in another place."""

import ast
import copy
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import format_shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible, possible, strong, sure
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import calls_of_line, failed_statement
from core.shapes.user_code.syntax_trees import calls_in

# ---- a number in the place of an array, and an array in the place of a number ------------------

_OF_BATCH = "state = layer.get_initial_state(batch_size=tf.shape(x)[0])   # in Keras 3: the batch size, not x itself"

# A shape made of an array and a number, as Keras 3 makes one for a state of zeros from what should be the batch.
STACKED_NUMBER: Rules = rules_of(
    "stacked_number",
    "stack",
    Rule(
        "swapped-arguments",
        lambda f: Fit.SURE if f.of_state else Fit.PLAUSIBLE,
        (reason("state-for-batch-size", "left"),),
        _OF_BATCH,
    ),
    plausible(
        "unbatched",
        reason("number-among-arrays", "left"),
        "# all that is stacked must have the same shape",
        lambda f: not f.of_state,
    ),
    facts=lambda reading: {"of_state": "get_initial_state" in reading.whole},
)


CONCAT_ARGUMENTS = Rule(
    "swapped-arguments",
    lambda f: Fit.SURE if f.is_named else Fit.LIKELY,
    (reason("concat-arguments"),),
    lambda f: (
        f"{f.swapped or 'tf.concat([h, x], axis=1)'}   # the arrays first, then the axis\n"
        "# if the line is in a library: its version is for TensorFlow before 1.0, so install one that belongs to yours"
    ),
    is_own=lambda f: f.swapped,
)


def _with_arrays_first(reading: Reading) -> str:
    """Return the reader's line with the two arguments of its concat in the other order; empty if none begins with a number."""
    tree = copy.deepcopy(failed_statement(reading))
    for call in calls_in(tree, "concat"):
        if len(call.args) == 2 and isinstance(call.args[0], ast.Constant):
            call.args.reverse()
            return ast.unparse(tree or call)
    return ""


@diagnoses("concat_arguments")
def concat_arguments(reading: Reading) -> Diagnosis:
    facts = Facts(is_named="concat(" in reading.whole, swapped=_with_arrays_first(reading))
    return Diagnosis("join", facts, CONCAT_ARGUMENTS)


NUMBER_EXPECTED = plausible(
    "one-number",
    reason("number-expected", "got"),
    "x = tf.reduce_mean(x)   # if it is a loss\n# or give the function the single number that it expects here",
)


@diagnoses("number_expected")
def number_expected(reading: Reading) -> Diagnosis:
    """Diagnose an array in the place of a number, such as the arrays of a concat in the place of its axis."""
    if re.search(r"\bconcat\((?:axis|concat_dim|-?\d)\b", reading.whole):
        return concat_arguments(reading)
    return Diagnosis("one-number", Facts(got=reading.shape("got")), NUMBER_EXPECTED)


# ---- one row in a product ----------------------------------------------------------------------

ROW_IN_PRODUCT = strong(
    "unbatched",
    reason("row-in-product", "shape"),
    "A = A[None]   # a batch of one row\ntf.linalg.matvec(B, A, transpose_a=True)   # a vector times a matrix",
)


@diagnoses("row_in_product")
def row_in_product(reading: Reading) -> Diagnosis:
    """Diagnose a vector in the place of a matrix; more axes are those of steps."""
    shape = reading.shape("shape")
    if len(shape) != 1:
        return DIAGNOSES["rank_of"](reading)
    return Diagnosis("matrix-product", Facts(shape=shape), ROW_IN_PRODUCT)


# ---- an index beyond the last ------------------------------------------------------------------

SLICE_INDEX: Rules = (
    sure("unbatched", "number-has-no-axes", _OF_BATCH, lambda f: f.of_number),
    plausible(
        "index-range",
        reason("slice-index", "got", "axis"),
        "for t in range(x.shape[{axis}]): x_t = tf.gather(x, t, axis={axis})   # the entries that x has",
        lambda f: not f.of_number,
    ),
    plausible(
        "unbatched",
        reason("slice-of-shape", axes="got"),
        "x = x[..., None]   # if x is (samples, steps), and each step is one number\n"
        "x = x[None]   # if x is one sample, (steps, features)",
        lambda f: not f.of_number and f.axis == 0 and f.got in (1, 2),
    ),
)


@diagnoses("slice_index")
def slice_index(reading: Reading) -> Diagnosis:
    """Diagnose an index of TensorFlow, which may be that of an array or that of its shape."""
    got, axis = reading.size("got"), reading.size("axis")
    # The shape of a number is empty, and Keras takes the batch from the shape.
    is_empty = got == axis == 0
    facts = Facts(
        got=got,
        axis=axis,
        of_number=is_empty and "get_initial_state" in reading.whole,
    )
    return Diagnosis("index", facts, SLICE_INDEX)


# ---- the lengths of sequences ------------------------------------------------------------------

SEQUENCE_LENGTH: Rules = rules_of(
    "sequence_length",
    "lengths",
    sure(
        "lengths",
        reason("lengths-as-vector", "got"),
        "length = tf.reduce_sum(tf.cast(tf.reduce_any(tf.not_equal(x, 0), axis=2), tf.int32), axis=1)"
        "   # if padded steps are all 0, and x is (batch, steps, features)",
    ),
    facts=lambda reading: {"got": format_shape(reading.shape("got"))},
)


REVERSED_LENGTHS: Rules = rules_of(
    "reversed_lengths",
    "lengths",
    strong(
        "lengths",
        reason("length-beyond-steps", "at", "axis"),
        "lengths = tf.minimum(lengths, tf.shape(x)[{axis}])   # at most the steps of x\n"
        "tf.reverse_sequence(x, lengths, seq_axis=1, batch_axis=0)   # if x is (batch, steps, features)",
    ),
)


REVERSED_BATCH: Rules = rules_of(
    "reversed_batch",
    "lengths",
    strong(
        "lengths",
        reason("lengths-of-batch", "got", "x"),
        "# lengths needs an entry for each of the {x} sequences\n"
        "tf.reverse_sequence(x, lengths, seq_axis=1, batch_axis=0)   # if x is (batch, steps, features)",
    ),
)


# The argument of dynamic_rnn and its relatives, and not a size that the program gives this name.
_LENGTH_AS_NUMBER = re.compile(r"rnn\((?:[^()]|\([^()]{0,80}\)){0,200}?\bsequence_length ?= ?(\d{1,9})\b")

SAME_RANK: Rules = first_of(
    sure(
        "lengths",
        reason("length-as-number", "length"),
        "sequence_length=tf.fill([batch_size], {length})   # a length for each sequence",
        lambda f: f.length,
    ),
    possible("unbatched", reason("axes-of-both", "left", "right"), "# both arrays must have as many axes"),
)


@diagnoses("same_rank")
def same_rank(reading: Reading) -> Diagnosis:
    """Diagnose two arrays of TensorFlow 1 with other numbers of axes, such as a number for the lengths of all sequences."""
    named = _LENGTH_AS_NUMBER.search(reading.whole)
    facts = Facts(left=reading.values["left"], right=reading.values["right"], length=named[1] if named else "")
    return Diagnosis("lengths" if named else "axis", facts, SAME_RANK)


SELECTED_ENTRIES: Rules = (
    sure(
        "broadcast",
        reason("condition-lacks-axes", "condition", "then"),
        "{line}   # the same for all entries of a sequence, or of a step",
        lambda f: f.line,
        is_own=lambda f: f.is_own,
    ),
    strong(
        "broadcast",
        reason("condition-of-other-sizes", "condition", "then", "other"),
        "# print the three shapes: from the last axis, all sizes must be equal or 1",
        lambda f: not f.line,
    ),
)


@diagnoses("selected_entries")
def selected_entries(reading: Reading) -> Diagnosis:
    """Diagnose tf.where, whose condition often has one number for each of the batch."""
    condition, then = reading.shape("condition"), reading.shape("then")
    calls = [one for one in calls_of_line(reading, "where") if one.args]
    line = ""
    if then[: len(condition)] == condition and len(condition) < len(then):
        given = ast.unparse(calls[0].args[0]) if calls else "condition"
        line = f"{given}[...{', None' * (len(then) - len(condition))}]"
        line = line_with(reading, calls[0].args[0], line) if calls else line
    shapes = {name: format_shape(reading.shape(name)) for name in ("condition", "then", "other")}
    return Diagnosis("entry-by-entry", Facts(line=line, is_own=bool(calls), **shapes), SELECTED_ENTRIES)


# A loop over the steps of x that ends beyond another array of steps, such as the mask.
READ_BEYOND: Rules = rules_of(
    "read_beyond",
    "axes-of-x",
    Rule(
        "steps",
        lambda f: Fit.STRONG if f.of_mask else Fit.PLAUSIBLE,
        (reason("steps-beyond", "steps", "size"),),
        "mask = tf.sequence_mask(lengths, maxlen=x.shape[1])   # as many steps as x\n"
        "x = x[:, :{size}]   # or no more steps than the mask has",
    ),
    facts=lambda reading: {"steps": reading.size("got") + 1, "of_mask": "mask" in reading.whole.lower()},
)
