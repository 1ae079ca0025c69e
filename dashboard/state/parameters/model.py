"""The settings of the page of a model."""

from core.exchange.model_files.network import MOST_NAMES
from core.model_diagnosis import DEFAULT
from core.model_diagnosis.inputs import FIRST_AXES, MOST_STEPS, READINGS
from core.model_diagnosis.networks import NETWORKS
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import Number, OneOf, Word

# By field of `core.model_diagnosis.Thresholds` that a reader can move: its lowest and its highest value, its meaning, label and help.
LIMITS = {
    "open": (0.5, 0.9999, "a gate is open above this value", "Gate open above", "A gate is between 0 and 1."),
    "shut": (0.0001, 0.5, "a gate is closed below this value", "Gate closed below", "A gate is between 0 and 1."),
    "stuck": (
        0.5,
        1.0,
        "a gate is stuck if it is open or closed at this fraction of the steps",
        "Stuck fraction of steps",
        "A gate is stuck if it is open, or closed, at this fraction of the steps or more.",
    ),
    "gain": (
        *(1.0, 1e9, "a larger gain of a gradient is a warning", "Gradient gain above"),
        "A gradient explodes if its norm grows by more than this factor.",
    ),
    "horizon": (
        *(1e-9, 1.0, "the median gain at which the gradient horizon ends", "Gain at the horizon"),
        "The gradient horizon is the largest number of steps back with at least this median gain.",
    ),
    "headroom": (
        *(1.0, 1e6, "a smaller headroom in float16 is a warning", "Headroom in float16 below"),
        "The headroom is the factor by which the largest number may still grow in float16.",
    ),
}
# The query parameter of each.
LIMIT_PARAMS = {field: f"limit_{field}" for field in LIMITS}

RECORDS = (
    Parameter(
        "network",
        OneOf(NETWORKS),
        "which of Cellscope's networks the model page shows until a file is opened",
        "Network",
        default=NETWORKS[0],
        pages=("model",),
    ),
    Parameter(
        "passage",
        Word(200),
        "the text that a network reads, one character a step",
        "Text",
        default="the cat sat on the mat and the dog sat on the log",
        pages=("model",),
    ),
    Parameter(
        "tokens",
        OneOf(READINGS),
        "whether the tokens of the text are its characters (`letters`) or the whole numbers in it (`indices`)",
        "Tokens",
        "The network reads one token a step: a character of the text, or a whole number in it, such as 5 0 12.",
        default=READINGS[0],
        pages=("model",),
    ),
    Parameter(
        "first_axis",
        OneOf(FIRST_AXES),
        "whether the first of three axes of an input file counts the steps or the sequences (batch_first)",
        "First axis",
        default=FIRST_AXES[0],
        pages=("model",),
    ),
    Parameter(
        "shown_network",
        # Each network has more than one name in its file.
        Number(1, MOST_NAMES, whole=True),
        "which network of a file with several the page of a model shows",
        "Network in the file",
        default=1,
        pages=("model",),
    ),
    Parameter(
        "shown_layer",
        Number(1, 16, whole=True),
        "the layer that the pictures of a model show",
        "Layer",
        default=1,
        pages=("model",),
    ),
    Parameter(
        "shown_direction",
        OneOf(("forward", "backward")),
        "the direction that the pictures of a model show",
        "Direction",
        default="forward",
        pages=("model",),
    ),
    Parameter(
        "shown_step",
        Number(1, MOST_STEPS, whole=True),
        "the step that the pictures of a model mark, and that a unit is taken from",
        default=1,
        pages=("model",),
    ),
    *(
        Parameter(
            LIMIT_PARAMS[field],
            Number(low, high),
            f"in the diagnosis of a model, {meaning}",
            label,
            help,
            default=getattr(DEFAULT, field),
            pages=("model",),
        )
        for field, (low, high, meaning, label, help) in LIMITS.items()
    ),
)
