"""Predictions of a model of Keras that have other steps than their targets."""

import re

from core.shapes.layer_shapes import Shape
from core.shapes.rules.rule import Facts


def have_other_steps(wanted: Shape, got: Shape) -> bool:
    """Whether predictions and targets differ in the number of steps alone."""
    is_sequence = len(wanted) == len(got) == 3 and min(wanted[1], got[1]) > 1
    return is_sequence and wanted[1] != got[1] and wanted[::2] == got[::2]


# The last layer of the model in the words of TensorFlow, or in those of the reader.
FROM_CONVOLUTION = re.compile(
    r"/(?:conv1d|up_sampling1d|cropping1d|zero_padding1d)\w{0,20}/|UpSampling1D\(|Conv1DTranspose\("
)


def with_steps_of_targets(facts: Facts) -> str:
    """Return the lines after which predictions and targets have the same steps."""
    steps, of_targets = facts.wanted[1], facts.got[1]
    repeated = f"layers.RepeatVector({of_targets})   # if it makes the steps of the predictions\n"
    if facts.of_autoencoder:
        rest = of_targets - steps
        layer = f"ZeroPadding1D((0, {rest}))" if rest > 0 else f"Cropping1D((0, {-rest}))"
        lines = (
            f"layers.{layer}   # after the last layer, if the steps are no multiple of the poolings\n"
            'layers.Conv1D(..., padding="same")   # each convolution, if the poolings divide the steps\n',
            repeated,
        )
        return "".join(lines if facts.of_convolution else lines[::-1]).strip()
    if of_targets > steps:
        return f"{repeated}y = y[:, :{steps}]   # if the first steps are enough"
    return f"{repeated}layers.Lambda(lambda h: h[:, -{of_targets}:])   # after the last layer, if the targets are the last {of_targets} steps"
