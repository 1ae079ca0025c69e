"""Shapes of predictions, as `wanted`, and of targets, as `got`, in a loss of Keras, also of other steps."""

import re

from core.shapes.layer_shapes import Shape
from core.shapes.rules.rule import Facts

# More outputs than these are rather samples.
MOST_CLASSES = 200


def differ_in_steps_too(facts: Facts) -> bool:
    """Whether predictions and targets differ in their steps as well as in their columns."""
    is_sequence = len(facts.wanted) == len(facts.got) == 3
    return is_sequence and facts.wanted[1] != facts.got[1] and min(facts.wanted[1], facts.got[1]) > 1


def are_turned(facts: Facts) -> bool:
    """Whether the targets have steps and columns the other way round than the predictions."""
    _, steps, columns = facts.wanted if len(facts.wanted) == 3 else (0, 0, 0)  # noqa: PLR2004 (axes)
    return steps != columns and facts.got == (facts.wanted[0], columns, steps)


def lacks_rows(facts: Facts) -> bool:
    """Whether the predicted images have fewer rows and columns than those of the targets."""
    wanted, got = facts.wanted, facts.got
    is_of_images = len(wanted) == len(got) >= 4 and wanted[-1] == got[-1] and min(*wanted[-3:], *got[-3:]) > 0
    return is_of_images and all(one < other for one, other in zip(wanted[-3:-1], got[-3:-1]))


def lacks_outputs(facts: Facts) -> bool:
    """Whether a loss of numbers gets one number for each sample, and several outputs."""
    is_one = len(facts.wanted) == 2 and facts.wanted[1] > 1 and facts.got in (facts.wanted[:1], (*facts.wanted[:1], 1))
    return facts.is_loss_of_numbers and is_one


def lacks_column(facts: Facts) -> bool:
    """Whether the targets lack the last axis of predictions with one output."""
    return facts.wanted == (*facts.got, 1)


def are_maps(facts: Facts) -> bool:
    """Whether the predictions still have rows and columns of an image, and the targets are one row for each sample."""
    return len(facts.wanted) == 4 and len(facts.got) <= 2 and min(facts.wanted[1:]) > 1  # noqa: PLR2004 (axes)


def has_outputs_of_samples(facts: Facts) -> bool:
    """Whether the last layer has as many outputs as there are samples, and each sample has one number."""
    wanted, got = facts.wanted, facts.got
    # With a known batch, the first size of the targets is that of a batch, which may equal the number of outputs by chance.
    is_open = wanted[:1] == (-1,) and len(wanted) > 1
    return is_open and got[:1] == wanted[-1:] and got[0] > MOST_CLASSES and set(got[1:]) <= {1}


def have_one_step(facts: Facts) -> bool:
    """Whether the targets have an axis of one step, and the predictions none."""
    return len(facts.got) == len(facts.wanted) + 1 == 3 and facts.got[1] == 1


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
    repeated = f"layers.RepeatVector({of_targets})   # after a recurrent layer that returns its last step: it makes the steps of the predictions\n"
    if facts.of_autoencoder:
        rest = of_targets - steps
        layer = f"ZeroPadding1D((0, {rest}))" if rest > 0 else f"Cropping1D((0, {-rest}))"
        lines = (
            f"layers.{layer}   # after the last layer, if the steps are no multiple of the poolings\n"
            'layers.Conv1D(..., padding="same")   # each convolution, if the poolings divide the steps\n',
            repeated,
        )
        return "".join(lines if facts.of_convolution else lines[::-1]).strip()
    if steps == 2 * of_targets:
        joined = "layers.Concatenate(axis=-1)   # if two arrays are concatenated along their steps\n"
        # A series has one number at each step, and words have a column for each.
        repeated = repeated + joined if facts.wanted[2] == 1 else joined + repeated
    if of_targets > steps:
        return f"{repeated}y = y[:, :{steps}]   # if the first steps are enough"
    return f"{repeated}layers.Lambda(lambda h: h[:, -{of_targets}:])   # after the last layer, if the targets are the last {of_targets} steps"
