"""Lines that give the input of a model of Keras the axes that it needs."""

import re
from math import isqrt

from core.shapes.layer_shapes import Shape, format_sizes
from core.shapes.rules.keras.ranks import indices_or_vectors
from core.shapes.rules.read_layer import is_round

# The shape of one sample, by its name.
_OF_SAMPLE = re.compile(r"(?:dim\()?\w{0,30}(?:sample|frame|image|img|sequence)(?!s)", re.IGNORECASE)
# Red, green and blue, and how much each pixel covers.
MOST_CHANNELS = 4
# Images are seldom more at a time.
MOST_FRAMES = 64
# Nobody trains a model with fewer samples.
FEWEST_SAMPLES = 8


def _three_axes(x: Shape, *, of_data: bool) -> str:
    """Return the lines that give x the axes (samples, steps, features); empty if its own tell too little."""
    if len(x) == 2 and min(x[1:]) > 0:
        rows = isqrt(x[1])
        if rows**2 == x[1] and rows > 7 and not is_round(x[1]):
            return f"x = x.reshape(-1, {rows}, {rows})   # {rows} steps of {rows}, such as the rows of an image"
        if x[1] == 1:
            return _of_model(x) + "x = x[..., None]   # (samples, 1, 1): one step of one feature"
        # So few rows are rather the steps of one sample.
        one_sample = f"x = x[None]   # one sample of {x[0]} steps\n" * (of_data and 1 < x[0] <= FEWEST_SAMPLES)
        return (
            one_sample
            + _of_model(x)
            + f"x = x[..., None]   # (samples, {x[1]}, 1): each entry is a step of one feature\n"
            f"x = x[:, None]   # (samples, 1, {x[1]}): one step"
        )
    if len(x) == 1:
        return (
            "x = np.lib.stride_tricks.sliding_window_view(x, steps)[..., None]   # windows of one series: (samples, steps, 1)\n"
            "x = x[None, :, None]   # or the whole series as one sample: (1, steps, 1)"
        )
    if len(x) == 4 and x[1] == 1 < min(x[2:]):
        return f"x = x[:, 0]   # (samples, {x[2]}, {x[3]}), without the axis of 1; and Input(({x[2]}, {x[3]})) in the model"
    if len(x) == 4 and x[3] == 1 < min(x[1:3]):
        return f"x = x[..., 0]   # (samples, {x[1]}, {x[2]}), without the axis of 1; and Input(({x[1]}, {x[2]})) in the model"
    if len(x) == 4 and x[2] == 1 < min(x[1], x[3]) and of_data:
        return "x = x[:, :, 0]   # without its axis of 1"
    if len(x) == 4 and min(x[1:]) > 0 and of_data:
        turned = f"np.swapaxes(x, 1, 2).reshape(-1, {x[2]}, {x[1] * x[3]})"
        return (
            f"x = x.reshape(-1, {x[1]}, {x[2] * x[3]})   # each row of {x[2]}·{x[3]} entries is a step\n"
            f"x = {turned}   # if axis 2 has the {x[2]} steps"
        )
    if len(x) == 4 and min(x[1:]) > 0:
        turned = f"layers.Reshape(({x[2]}, {x[1] * x[3]}))(layers.Permute((2, 1, 3))(x))"
        return (
            f"x = layers.Reshape(({x[1]}, {x[2] * x[3]}))(x)   # each row of {x[2]}·{x[3]} entries is a step\n"
            f"x = {turned}   # if axis 2 has the {x[2]} steps"
        )
    if len(x) == 5:
        return "x = layers.TimeDistributed(layers.Flatten())(x)   # the image of each step as one vector"
    return ""


def axes_for_keras(x: Shape, wanted: int, *, of_data: bool = False) -> str:
    """Return the lines that give x as many axes, of data that a model gets or of what a layer inside gives."""
    if wanted == 3 and (lines := _three_axes(x, of_data=of_data)):
        return lines
    if len(x) == 1 and wanted == 2:
        one = f"x = x[None]   # one sample: (1, {x[0]})"
        return f"{one}\nx = x[:, None]   # {x[0]} samples of one entry" if x[0] > 1 else one
    if len(x) == wanted + 1 > 3 and x[1] == 1 and 1 not in x[2:-1]:
        return f"x = x[:, 0]   # ({', '.join(['samples', *format_sizes(x[2:]).split(', ')])}), without the axis of 1"
    if len(x) == 5 and wanted == 4:
        return (
            "layers.TimeDistributed(layers.Conv2D(...))   # or of another layer of images: it reads the image of each step\n"
            "x = x.reshape(-1, *x.shape[2:])   # or each image as a sample of its own"
        )
    if len(x) + 1 == wanted > 3 and min(x[1:]) <= 0:
        return (
            "x = x[:, None]   # if the axis of steps is missing: each sample is a sequence of one step\n"
            "x = x[..., None]   # if the axis of channels is missing: images of one channel"
        )
    if len(x) + 1 == wanted == 5 and x[-1] in (1, 3) and min(x) > 0:
        one_sample = f"x = x[None]   # one sample of {x[0]} steps: (1, {format_sizes(x)})"
        one_step = f"x = x[:, None]   # each of the {x[0]} is a sequence of one step"
        return "\n".join((one_sample, one_step) if x[0] <= MOST_FRAMES else (one_step, one_sample))
    if len(x) + 1 == wanted == 5 and x[1] == x[2] and 0 < x[3] <= MOST_CHANNELS:
        return (
            f"Input((None, {format_sizes(x[1:])}))   # the steps first, then rows, columns and channels of an image; the data needs the same\n"
            "x = x[:, None]   # or each image as a sequence of one step"
        )
    if len(x) + 1 == wanted > 3 and min(x[1:]) > 0:
        sizes = format_sizes((*x[1:], 1))
        return f"Input(({sizes}))   # images of one channel\nx = x[..., None]   # the same for the data: (samples, {sizes})"
    if wanted == 5:
        return "x = x.reshape(samples, timesteps, rows, columns, channels)"
    if wanted == 1 and len(x) == 2:
        one_hot = f"x = x.argmax(1)   # if it has a column for each of {x[1]} classes: the class index of each sample"
        return "x = x.reshape(-1)   # one entry for each sample" if x[1] == 1 else one_hot
    if wanted == 4:
        return "x = x.reshape(samples, rows, columns, channels)"
    return indices_or_vectors(x) if (len(x), wanted) == (3, 2) else "x = x.reshape(samples, timesteps, features)"


def axes_of_input_shape(written: str, wanted: int, got: int) -> str:
    """Return the lines that correct the input_shape of the reader's text, or the data that it is taken from.

    Parameters
    ----------
    written : str
        From `input_shape_in_text`.
    wanted, got : int
        The axes that the layer takes and receives, with that of the samples.

    Returns
    -------
    str
        Empty if the text tells no such shape, or one of other axes.
    """
    name, _, rest = written.partition(".shape[1:]")
    if written and not rest and name != written and (wanted, got) == (3, 2):
        return (
            f"{name} = {name}[..., None]   # before this line: (samples, steps, 1), each entry is a step of one feature\n"
            f"{name} = {name}[:, None]   # before this line: (samples, 1, features), one step"
        )
    sizes = [size.strip() for size in written.split(",") if size.strip()]
    if len(sizes) + 1 != got or wanted != 3 or written.endswith(".shape") or written.startswith("dim("):
        return ""
    if got == 2:
        return f"input_shape=({sizes[0]}, 1)   # (steps, features)\nx = x[..., None]   # and the same for the data"
    if got == 4 and sizes[-1] == "1" and sizes[0] == sizes[1]:  # an image of one channel
        return (
            f"input_shape=({', '.join(sizes[:2])})   # (steps, features)\nx = x[..., 0]   # and the same for the data"
        )
    return f"input_shape=({', '.join(sizes[1:])})   # (steps, features): Keras adds the samples" if got == 4 else ""


def axes_of_whole_shape(written: str, wanted: int, x: Shape, got: int) -> str:
    """Return the lines for an input_shape that is the shape of a whole array, with its samples.

    Parameters
    ----------
    written : str
        From `input_shape_in_text`, in Python or in R.
    wanted, got : int
        The axes that the layer takes and receives, with that of the samples.
    x : tuple of int
        The shape of the data; empty if it is not known.

    Returns
    -------
    str
        Empty if the text tells another input_shape, or if the axes do not follow from it.
    """
    of_r = written.startswith("dim(")
    if not (of_r or written.endswith(".shape")) or _OF_SAMPLE.match(written):
        return ""
    if got == wanted + 1:
        return f"input_shape={written}[{'-1' if of_r else '1:'}]   # without the samples: Keras adds that axis"
    if (wanted, len(x)) != (3, 2) or min(x) < 1:
        return ""
    return (
        f"input_shape={'c' if of_r else ''}(1, {x[1]})   # (steps, features), without the {x[0]} samples: Keras adds that axis\n"
        f"x = {f'array(x, c(nrow(x), 1, {x[1]}))' if of_r else 'x[:, None]'}   # and the data with each row as one step\n"
        f"x = {'array(x, c(1, dim(x)))' if of_r else 'x[None]'}   # in place of both, if x is one sequence of {x[0]} steps"
    )


def _of_model(x: Shape) -> str:
    """Return the line for the input of a model: without a known batch, Keras reads the shape that the model was told."""
    return (
        f"Input(({x[1]}, 1))   # if the input of the model is ({x[1]},); the data needs the same\n" if x[0] < 0 else ""
    )
