"""The metrics of Keras that need a column for each class, and the weights of its loss."""

import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.sequences import sequence_returned
from core.shapes.rules.rule import Diagnosis, Facts, Rules, reason, rules_of
from core.shapes.user_code.keras_calls import sample_weights
from core.shapes.user_code.keras_model_layers import keras_layers

# Precision, Recall, AUC and others of Keras compare in these files, entry by entry.
_OF_CLASS_METRIC = re.compile(r"confusion_metrics\.py|metrics_utils\.py|node:? LogicalAnd")
# The loss multiplies its values by the weights of the samples, which may be a mask.
_WEIGHTED = re.compile(r"compile_loss/\w{1,60}/mul(?:/|\}|\b)|values \* sample_weight")

CLASS_METRIC = sure(
    "class-axis",
    reason("metric-of-classes", "predicted", "targets", "classes"),
    'model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])   # a metric for class indices\n'
    "y = keras.utils.to_categorical(y, {classes})   # or a column for each class, with the loss categorical_crossentropy",
)

METRIC_OUTPUTS: Rules = rules_of(
    "metric_outputs",
    "loss",
    sure(
        "class-axis",
        (reason("target-sizes", "got", "wanted"), reason("metric-of-outputs")),
        lambda f: (
            'y = y[..., None].astype("float32")   # one column, as the predictions have'
            if f.wanted[-1:] == (1,)
            else f"y = keras.utils.to_categorical(y{f', {f.wanted[-1]}' if f.wanted[-1:] > (0,) else ''})"
            "   # a column for each class, with the loss categorical_crossentropy"
        ),
    ),
)


LOSS_WEIGHTS: Rules = (
    sure(
        "broadcast",
        reason("weights-of-steps", "losses", "weights"),
        "{name} = {name}.mean(axis=1)   # one weight for each sequence\n"
        "LSTM(..., return_sequences=True)   # if the targets have the steps too; or GRU, SimpleRNN",
        lambda f: f.name,
    ),
    strong(
        "return-sequences",
        reason("weights-of-mask", "losses", "weights"),
        lambda f: sequence_returned(f.layers, False),
        lambda f: not f.name,
    ),
    strong(
        "broadcast",
        reason("weights-of-steps", "losses", "weights"),
        "sample_weight = sample_weight.mean(axis=1)   # one weight for each sequence",
        lambda f: f.may_have_weights,
    ),
)


WEIGHTS_OF_OUTPUTS = strong(
    "broadcast",
    reason("weights-of-outputs", "losses", "weights"),
    "# the vector in the loss needs {losses} entries: one for each output of the model\n"
    "Dense({weights})   # or the last layer, if the targets get as many columns",
)


WEIGHTS_OF_OTHER_STEPS = sure(
    "steps",
    reason("weights-of-other-steps", "losses", "weights"),
    lambda f: (
        f"{f.name} = {f.name}[:, -{f.steps}:]   # if the targets lack the first steps\n{f.name} = {f.name}[:, :{f.steps}]   # if they lack the last ones"
        if f.weights[1] > f.steps
        else "# make the weights from the targets that the model is trained with: one for each step"
    ),
)


def of_metric_or_weights(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a metric of classes, or of the weights of a loss; None if the text tells of neither."""
    if not left or not right:
        return None
    if (
        len(left) == len(right) == 2
        and left[0] == right[0]
        and min(left[1], right[1]) > 1
        and _WEIGHTED.search(reading.whole)
    ):
        facts = Facts(losses=left, weights=right, steps=left[1], name=sample_weights(reading) or "sample_weight")
        return Diagnosis("loss", facts, WEIGHTS_OF_OTHER_STEPS)
    weights, losses = sorted((left, right), key=len)
    if (
        len(weights) == 1 < len(losses)
        and 1 < losses[-1] != weights[0] > 1
        and weights != losses[:1]
        and _WEIGHTED.search(reading.whole)
    ):
        return Diagnosis("loss", Facts(losses=losses[-1], weights=weights[0]), WEIGHTS_OF_OUTPUTS)
    if min(*left, *right) < 1:
        return None
    targets, predicted = sorted((left[-1], right[-1]))
    is_multiple = left[:-1] == right[:-1] and targets < predicted and predicted % targets == 0
    if is_multiple and _OF_CLASS_METRIC.search(reading.whole):
        facts = Facts(predicted=predicted, targets=targets, classes=predicted // targets)
        return Diagnosis("loss", facts, CLASS_METRIC)
    losses, weights = sorted((left, right), key=len)
    if len(losses) == 1 and len(weights) == 2 and weights[:1] == losses and _WEIGHTED.search(reading.whole):
        name = sample_weights(reading)
        facts = Facts(
            losses=losses,
            weights=weights,
            name=name,
            may_have_weights=not name and not reading.own,
            layers=keras_layers(reading.whole),
        )
        return Diagnosis("loss", facts, LOSS_WEIGHTS)
    return None
