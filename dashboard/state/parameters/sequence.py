"""The steps, the input and the cell of a sequence."""

from core.cells import CELLS
from core.scenario import DIRECTIONS, INPUTS, MOST_LAYERS
from dashboard.state.parameters.record import Parameter, SliderRange
from dashboard.state.parameters.rules import SIZE, SMALL_SIZE, Number, OneOf, Word

RECORDS = (
    Parameter(
        "T",
        SIZE,
        "number of time steps",
        is_view_setting=True,
        pages=("saturation", "sequence", "gradients"),
        slider_range=SliderRange(1, 64),
    ),
    Parameter(
        "cell",
        OneOf(tuple(CELLS)),
        "the cell of the sequence page; the cell that the text and the code of the gradients page are about",
        is_view_setting=True,
        pages=("sequence", "gradients", "shapes"),
    ),
    Parameter("input", OneOf(INPUTS), "the input of the sequence page", is_view_setting=True, pages=("sequence",)),
    Parameter(
        "word",
        Word(SMALL_SIZE),  # each character may need its own entry of x_t
        "the word of `input=word`, one character a step",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "layers",
        Number(1, MOST_LAYERS, whole=True),
        "the number of layers of the cell of the sequence page",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "directions",
        OneOf(DIRECTIONS),
        "whether a second cell of each layer of the sequence page reads the sequence from its end",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "t",
        SIZE,
        "the selected time step",
        default=1,
        is_view_setting=True,
        pages=("sequence",),
        slider_range=SliderRange(1, 64),
    ),
)
