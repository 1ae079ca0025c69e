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
        "T: steps",
        "The number of steps of the sequence. A word or pasted numbers set T to their length.",
        is_view_setting=True,
        pages=("saturation", "sequence", "gradients"),
        slider_range=SliderRange(1, 64),
    ),
    Parameter(
        "cell",
        OneOf(tuple(CELLS)),
        "the cell of the sequence page; the cell that the text and the code of the gradients page are about",
        "Cell",
        is_view_setting=True,
        pages=("sequence", "gradients", "shapes"),
    ),
    Parameter(
        "input",
        OneOf(INPUTS),
        "the input of the sequence page",
        "Input",
        "Gaussian white noise: independent samples from N(0, 1). Impulse, step and sine: the xₜ of the page LSTM step, times a signal. "
        "Word: one letter per step. Numbers: pasted values.",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "word",
        Word(SMALL_SIZE),  # each character may need its own entry of x_t
        "the word of `input=word`, one character a step",
        "Word",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "layers",
        Number(1, MOST_LAYERS, whole=True),
        "the number of layers of the cell of the sequence page",
        "Layers",
        "Each layer reads the outputs of the one below it. Custom values belong to layer 1; the weights of the others are random.",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "directions",
        OneOf(DIRECTIONS),
        "whether a second cell of each layer of the sequence page reads the sequence from its end",
        "Directions",
        "With two, a second cell with random weights reads the sequence from its end. PyTorch calls this bidirectional.",
        is_view_setting=True,
        pages=("sequence",),
    ),
    Parameter(
        "t",
        SIZE,
        "the selected time step",
        "t: step shown",
        default=1,
        is_view_setting=True,
        pages=("sequence",),
        slider_range=SliderRange(1, 64),
    ),
)
