"""The axes of what a layer of Keras receives, where the model in the reader's text or the layer's name tells more than their number."""

import re
from typing import Any

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.sequences import sequence_returned
from core.shapes.rules.keras.states import has_batch_of_fit
from core.shapes.rules.read_layer import is_round, like_batch
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.user_code.evidence import gives_step, has_sequences_of_lengths, tells_features, tells_open_steps
from core.shapes.user_code.frames import received_arrays
from core.shapes.user_code.keras_model_layers import KerasLayer, keras_layers, pooled_before
from core.shapes.user_code.model_building import building_of

# The default size of a batch in Keras.
BATCH_OF_KERAS = 32

# An input with two sizes for each sample, and an Embedding.
_TABLE_FOR_EMBEDDING = re.compile(
    r"Input\((?:shape ?= ?)?\((?:[\w. ]|\([\w.]{0,40}\)){1,60}, ?[\w. ]{1,40}\).{0,300}Embedding\("
)
_FAILED_LAYER = re.compile(r"layer [\"']?([a-z]\w{0,40})")


def failed_layer(reading: Reading) -> str:
    """Return the name of the layer before the words of the message; empty if there is none."""
    named = _FAILED_LAYER.search(reading.whole[: reading.whole.rfind(reading.message)][-80:])
    return named[1] if named else ""


def _is_of_dense(reading: Reading) -> bool:
    """Whether a Dense gets all steps, which the first versions of Keras refused."""
    if reading.framework != "Keras":
        return False
    return failed_layer(reading).startswith("dense") or "previous layer has output_shape" in reading.message


def _is_of_embedding(reading: Reading) -> bool:
    """Whether the layer that takes two axes is an Embedding, by its name, or because the shape of the input is among its arguments."""
    if reading.framework != "Keras":
        return False
    if re.match(
        r"embedding\w{0,20}_input", reading.values.get("of", "")
    ):  # the name that Keras gives to the input of a first layer
        return True
    if not re.search(r"\bEmbedding\w{0,20}\(", reading.whole):
        return False
    if of := reading.values.get("of", ""):  # an input of the model
        return not re.match(r"(?:dense|lstm|gru|flatten|conv)", of)
    if failed := failed_layer(reading):
        return failed.startswith("embedding")
    return bool(re.search(r"Embedding\([^()]{0,160}input_shape", reading.whole))


# A recurrent layer in a printed summary, with the axes of its output.
_IN_SUMMARY = re.compile(r"\((?:LSTM|GRU|SimpleRNN|Bidirectional)\) [\[(]{1,2}(?:None|\d{1,9}), (\d{1,9}), \d{1,9}\)")


def tells_sample(reading: Reading, x: Shape) -> bool:
    """Whether x is one sample: it has the features of the program's input, or the steps of the layers in a summary.

    Without a line, so is what a model received with another number of rows than a batch has.
    """
    in_summary = _IN_SUMMARY.search(reading.whole)
    if not reading.own and "Arguments received by" in reading.whole and not like_batch(x[0]):
        return True
    return tells_features(reading, x[1]) or bool(in_summary and int(in_summary[1]) == x[0] > 1)


def is_one_step(reading: Reading, x: Shape) -> bool:
    """Whether x is one step of a batch, as a decoder gets it: no array has steps, and a state or the indices have the same batch."""
    others = [one for one in received_arrays(reading) if one[0] != x]
    has_steps = any(len(one) > 2 or len(one) == 2 and "int" in dtype for one, dtype in others)
    has_state = bool(re.search(r"initial_state ?=|hidden|state", reading.own_code))
    is_of_batch = any(one == x[:1] or len(one) == 2 and one[:1] == x[:1] and has_state for one, _ in others)
    return len(x) == 2 and x[0] > 0 and not has_steps and (is_of_batch or gives_step(reading))


def trains_rows(reading: Reading, x: Shape) -> bool:
    """Whether the rows of x are rather samples than the steps of one sample: a fit gets more of them than are in a batch."""
    line = reading.code
    if ".fit(" not in line or not reading.own and "predict(" in line or not x:
        return False
    in_summary = _IN_SUMMARY.search(reading.whole)
    told = re.search(r"batch_size ?= ?(\w{1,40})", line)
    batch = reading.numbers.get(told[1], int(told[1]) if told[1].isdecimal() else 0) if told else BATCH_OF_KERAS
    return x[0] > max(batch, 1) and not (in_summary and int(in_summary[1]) == x[0])


def indices_or_vectors(x: Shape) -> str:
    """Return the lines that give a layer of two axes an x of three."""
    if x[2] == 1 != x[1]:
        return f"x = x[..., 0]   # (samples, {x[1]}), without the last axis" if x[1] > 0 else "x = x[..., 0]"
    if x[1] == 1:
        return "x = x[:, 0]   # the only step of each sample: (samples, features)"
    return (
        "x = x.argmax(-1)   # if x is one-hot, and the layer takes the index of each step\n"
        "x = x.reshape(len(x), -1)   # if the layer takes one vector for each sample"
    )


def one_sample_or_rows(facts: Facts) -> str:
    """Return the lines for an x of two axes with the features of the model: each row is a sample, or a step of one."""
    of_dataset = f"dataset = dataset.batch(32)   # {'of' if facts.of_dataset else 'if a data set gives'} samples of {facts.x[0]} steps"
    lines = [
        f"x = x[None]   # one sample of {facts.x[0]} steps",
        f"x = x[:, None]   # (samples, 1, {facts.x[1]}): one step",
    ]
    if facts.trains_rows:
        lines.reverse()
    if facts.of_dataset:
        return "\n".join([of_dataset, *lines])
    return "\n".join(lines if facts.reading.own else [lines[0], of_dataset, lines[1]])


def is_first_recurrent(reading: Reading) -> bool:
    """Whether the text has a model whose only recurrent layer follows other layers; a notebook's traceback repeats it."""
    layers = keras_layers(reading.whole.split("Traceback (most recent call last)")[0])
    return sum(one.is_recurrent for one in layers) == 1 and not layers[0].is_recurrent


def axes_of_told(reading: Reading) -> int:
    """Return the axes that the recurrent layer of the text takes: a ConvLSTM2D reads images, and others features."""
    images = re.search(r"LSTM_?([123])D", reading.whole, re.IGNORECASE)
    return 3 + int(images[1]) if images else 3


# Layers of one image or of one sequence.
_OF_WINDOWS = re.compile(r"(?:max|average|global|conv|separable|depthwise|up_?sampling|zero_padding|cropping)")


def _at_each_step(reading: Reading, wanted: int, got: int) -> str:
    """Return the reader's line with its layer at each step, where it gets one axis more than it takes; empty if it does not."""
    failed = failed_layer(reading)
    # Behind a Conv2D, the axis too much is one of images and not that of the steps.
    of_image = "1d" in failed and "Conv2D(" in reading.whole
    building = building_of(reading) if got == wanted + 1 and _OF_WINDOWS.match(failed) and not of_image else None
    return building.wrapped("TimeDistributed") if building else ""


def facts_of_model(reading: Reading, x: Shape, wanted: int, got: int, layers: tuple[KerasLayer, ...]) -> dict[str, Any]:
    """Return the facts of AXES_IN_MODEL for a message with the shape x, or without one."""
    is_keras = reading.framework == "Keras"
    is_column = is_keras and (wanted, got) == (3, 2) and x[1:] == (1,) and x[0] > 1
    is_ragged = is_column and has_sequences_of_lengths(reading, x[0])
    is_batch = is_column and (x[0] == BATCH_OF_KERAS or has_batch_of_fit(reading, x[0]))
    is_row = is_column and not is_ragged and not is_batch and tells_features(reading, x[0])
    return {
        "pooled": pooled_before(layers) if is_keras and (wanted, got, x) == (3, 2, ()) else "",
        "of_cell": (wanted, got) == (2, 3) and is_keras and bool(re.search(r"cell(?:_|$)", failed_layer(reading))),
        "of_dense": (wanted, got) == (2, 3) and _is_of_dense(reading),
        "of_columns": (wanted, got, x) == (3, 4, ()) and bool(_TABLE_FOR_EMBEDDING.search(reading.whole)),
        "of_indices": (wanted, got) == (2, 3) and _is_of_embedding(reading),
        "of_last_image": is_keras
        and (wanted, got) == (5, 4)
        and x[:1] == (-1,)
        and bool(re.match(r"conv_lst_?m2d_[1-9]|conv3d|(?:max|average|global_\w+)_pooling3d", failed_layer(reading)))
        # A layer of volumes may also get images of a Conv2D, or lack the axis of channels.
        and bool(re.search(r"conv_?lst_?m", reading.whole, re.IGNORECASE)),
        "filters": x[-1] if x else "...",
        "of_flat_images": is_keras
        and got == 2 < wanted
        and failed_layer(reading).startswith(("conv", "max_pooling", "average_pooling"))
        and not failed_layer(reading).startswith("conv_lst")
        and "Flatten(" in reading.whole,
        "of_each": _at_each_step(reading, wanted, got),
        "is_ragged": is_ragged,
        "is_row": is_row,
        "is_column": is_column and not is_ragged and not is_row and tells_open_steps(reading),
        # The words of an old Keras, which made a column of an array of objects.
        "may_be_ragged": is_column and not (is_ragged or is_row or is_batch) and "got array" in reading.message,
    }


def is_of_model(facts: Facts) -> bool:
    """Whether a rule of AXES_IN_MODEL applies that leaves no doubt on the number of axes."""
    return bool(
        facts.pooled
        or facts.of_cell
        or facts.of_dense
        or facts.of_columns
        or facts.of_indices
        or facts.of_each
        or facts.of_last_image
        or facts.of_flat_images
        or facts.is_ragged
        or facts.is_row
    )


AXES_IN_MODEL: Rules = (
    sure(
        "unbatched",
        (reason("axes", "allowed", axes="got"), reason("cell-of-step")),
        "outputs = layers.RNN(cell, return_sequences=True)(x)   # the cell over all steps",
        lambda f: f.of_cell,
    ),
    strong(
        "embedding",
        (reason("axes", "allowed", axes="got"), reason("embedding-of-columns")),
        "keras.Input((steps,))   # if the Embedding gets word indices, (samples, steps)\n"
        "# without the Embedding, if x has features at each step",
        lambda f: f.of_columns,
    ),
    strong(
        "embedding",
        (reason("axes", "allowed", axes="got"), reason("vectors-for-embedding")),
        lambda f: (
            "x = x[..., 0]   # the last axis has one entry: the index of each step"
            if f.x[2:] == (1,)
            else "x = np.argmax(x, axis=-1)   # if x is one-hot: the index of each step\n"
            "# without the Embedding, if x has features at each step: a recurrent layer takes them as they are"
        ),
        lambda f: f.of_indices,
    ),
    strong(
        "flattened",
        (reason("axes", "allowed", axes="got"), reason("pooled-before", "pooled")),
        lambda f: (
            f"{f.pooled.replace('Global', '', 1).replace('()', '(2)')}   # in place of {f.pooled}: it keeps the steps"
        ),
        lambda f: f.pooled,
    ),
    strong(
        "return-sequences",
        (reason("axes", "allowed", axes="got"), reason("dense-of-steps")),
        lambda f: (
            "layers.TimeDistributed(layers.Dense(units))   # at each step, if the next layer or the targets have steps\n"
            + sequence_returned(f.layers, False)
        ),
        lambda f: f.of_dense,
    ),
    strong(
        "return-sequences",
        (reason("axes", "allowed", axes="got"), reason("images-of-last-step")),
        "ConvLSTM2D({filters}, ..., return_sequences=True)   # the layer before this one",
        lambda f: f.of_last_image,
    ),
    strong(
        "flattened",
        (reason("axes", "allowed", axes="got"), reason("flat-before-convolution")),
        "x = layers.Flatten()(x)   # after the last convolution: behind the loop, if the layers are made in one",
        lambda f: f.of_flat_images,
    ),
    strong(
        "unbatched",
        reason("axes", "allowed", axes="got"),
        "{of_each}   # the same layer at each step",
        lambda f: f.of_each,
    ),
    sure(
        "ragged",
        (reason("ragged-as-objects", samples="x[0]"), reason("ragged")),
        advised_lines.PADDED_FOR_KERAS,
        lambda f: f.is_ragged,
    ),
    strong(
        "unbatched",
        reason("row-without-batch", features="x[0]"),
        "dataset = dataset.batch(32)   # if it gives samples of (steps, {x[0]}); of a table with rows of {x[0]}, make windows first\n"
        "x = x[None, None]   # or one row as one sample of one step: (1, 1, {x[0]})",
        lambda f: f.is_row,
    ),
    Rule(
        "ragged",
        lambda f: Fit.LIKELY if f.is_column else Fit.POSSIBLE,
        (
            reason("column-for-features", samples="x[0]", when=lambda f: f.is_column),
            reason("ragged", when=lambda f: f.is_column),
            reason("column-of-lists", samples="x[0]", when=lambda f: not f.is_column),
        ),
        advised_lines.PADDED_FOR_KERAS,
        lambda f: f.is_column or f.may_be_ragged,
    ),
)


# More entries than a layer has units, or a sample has features, if it is no round number.
_MOST_FEATURES = 256


def is_flat(reading: Reading, x: Shape) -> bool:
    """Whether a layer inside a model gets vectors that a Flatten made, by its name or by their number of entries."""
    # A graph of TensorFlow says the last of itself.
    runs = ".fit(" in reading.own_code
    is_inside = (
        len(x) == 2
        and (x[0] < 0 or runs and x[-1] > _MOST_FEATURES)
        and "must have rank at least" not in reading.message
    )
    return is_inside and ("Flatten(" in reading.whole or x[-1] > _MOST_FEATURES and not is_round(x[-1]))
