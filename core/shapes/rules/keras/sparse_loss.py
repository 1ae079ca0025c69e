"""The sparse loss of Keras, whose targets lack the last axis of the predictions."""

from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.keras.losses import ALL_STEPS, LAST_STEP
from core.shapes.rules.keras.sample_counts import whole_batches
from core.shapes.rules.losses.losses import SHIFTED_STEPS, steps_apart
from core.shapes.rules.losses.target_counts import LOSS
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rules, diagnoses, reason
from core.shapes.user_code.keras_calls import predictions_of_loss
from core.shapes.user_code.keras_model_layers import keras_layers


@diagnoses("keras_steps")
def keras_steps(reading: Reading) -> Diagnosis:
    """Diagnose the sparse loss, whose targets lack the last axis of the predictions."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    all_steps = len(got) > len(wanted) - 1 if len(got) != len(wanted) - 1 else None
    if (len(wanted), len(got)) == (3, 2) and got[1] == 1 < wanted[1]:
        all_steps = False
    # Here it is the loss for columns that fits targets of as many columns as there are predictions.
    steps = steps_apart(wanted, got) if len(got) == 2 else None
    facts = Facts(
        wanted=wanted,
        got=got,
        all_steps=all_steps,
        steps=steps,
        layers=keras_layers(reading.whole),
        predictions=predictions_of_loss(reading),
        is_one_hot=got[-1:] == wanted[-1:] != (-1,) and got[-1:] > (1,),
    )
    if got == wanted or _are_flattened(facts):
        facts.all_steps = None
    return Diagnosis(LOSS, facts, KERAS_STEPS)


def _are_turned(facts: Facts) -> bool:
    """Whether the predictions have the steps first, and the targets the batch."""
    wanted, got = facts.wanted, facts.got
    return len(wanted) == 3 and got == wanted[1::-1] and wanted[0] != wanted[1]


def _are_flattened(facts: Facts) -> bool:
    """Whether the predictions have all steps of the batch on their first axis, and the targets still have both."""
    wanted, got = facts.wanted, facts.got
    return len(wanted) == len(got) == 2 and min(got) > 1 and wanted[0] == got[0] * got[1]


KERAS_STEPS: Rules = (
    sure(
        "transpose",
        (reason("target-sizes", "got", "wanted"), reason("steps-before-batch")),
        "{predictions} = tf.transpose({predictions}, (1, 0, 2))   # before this line: (batch, steps, classes)",
        _are_turned,
    ),
    SHIFTED_STEPS,
    sure(
        "flattened",
        (
            reason("target-sizes", "got", "wanted"),
            reason("predictions-flattened", of_x="wanted[0]", batch="got[0]", steps="got[1]"),
        ),
        "y = tf.reshape(y, [-1])   # one class index for each step of all sequences",
        _are_flattened,
    ),
    ALL_STEPS,
    LAST_STEP,
    likely(
        "class-axis",
        (reason("target-sizes", "got", "wanted"), reason("target-one-hot", when=lambda f: f.is_one_hot)),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class',
        lambda f: f.all_steps is None and f.got == f.wanted,
    ),
    plausible(
        "batch-size",
        reason("target-sizes", "got", "wanted"),
        "# x and y must have the same batch and the same steps",
        lambda f: (
            f.all_steps is None and not f.steps and f.got != f.wanted and not _are_turned(f) and not _are_flattened(f)
        ),
    ),
)


OTHER_BATCHES = strong(
    "batch-size",
    reason("loss-batches-of", of_targets="got[0]", of_x="wanted[0]"),
    lambda f: whole_batches(f.wanted[0]),
)


STATE_OF_ATTENTION = strong(
    "batch-size",
    reason("state-for-memory", "asked", "memory"),
    "cell.zero_state(tf.shape(encoder_outputs)[0], tf.float32)   # the batch of what the encoder gave, not a constant",
)


@diagnoses("sparse_condition")
def sparse_condition(reading: Reading) -> Diagnosis:
    """Diagnose the sparse loss in a graph of TensorFlow, which compares the shape of the labels with that of the logits."""
    got, wanted = reading.sizes("got"), reading.sizes("expected")
    if "calling zero_state of AttentionWrapper" in reading.whole and len(got) == len(wanted) == 1:
        facts = Facts(asked=got[0], memory=wanted[0])
        return Diagnosis("initial-state", facts, STATE_OF_ATTENTION, {"batch": wanted[0]})
    if len(got) == len(wanted) > 0 and got[0] != wanted[0] and got[1:] == wanted[1:]:
        if len(got) > 1 or min(got[0], wanted[0]) * 2 > max(got[0], wanted[0]):
            return Diagnosis(LOSS, Facts(wanted=wanted, got=got), OTHER_BATCHES, {"batch": wanted[0]})
    shapes = {"got": f"({', '.join(map(str, got))},)", "expected": f"({', '.join(map(str, wanted))}, -1)"}
    return DIAGNOSES["keras_samples" if len(got) == len(wanted) == 1 else "keras_steps"](
        reading._replace(values=shapes)
    )
