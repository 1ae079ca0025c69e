"""The images of one step, which a ConvLSTM of Keras gets."""

import re

from core.shapes.layer_shapes import Shape, format_sizes
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, first_of, reason

_SHAPES = reason("shape-of-x", "wanted", "got")

IMAGES: Rules = first_of(
    strong(
        "unbatched",
        (_SHAPES, reason("batch-lacks")),
        "x = x[None]   # one sample of {steps} steps",
        lambda f: f.lacks_batch,
    ),
    strong(
        "input-size",
        (_SHAPES,),
        lambda f: f"Input((None, {format_sizes(f.got[1:])}))   # the steps, then rows, columns and channels",
    ),
)


def of_image_cell(reading: Reading, wanted: Shape, got: Shape) -> Diagnosis | None:
    """Return the diagnosis of a step of a ConvLSTM; None if the words are about another layer."""
    if "layer 'conv_lstm_cell" not in reading.whole or len(wanted) != 4 or len(got) != 4:
        return None
    listed = re.search(r"sequences=tf\.Tensor\(shape=(\([\w, ]{1,60}\))", reading.whole)
    x = shape(listed[1]) if listed else ()
    # Keras adds an axis of channels to data that lacks the axis of samples.
    facts = Facts(wanted=wanted, got=got, lacks_batch=x[1:4] == wanted[1:] and x[4:] == (1,), steps=next(iter(x), 0))
    return Diagnosis("shape-of-x", facts, IMAGES)
