"""The settings of the page of a model."""

from core.exchange.model_files.contents import MOST_NAMES
from core.model_diagnosis import DEFAULT
from core.model_diagnosis.inputs import FIRST_AXES, MOST_STEPS, READINGS
from core.model_diagnosis.networks import NETWORKS
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import Number, OneOf, Word

# By field of `core.model_diagnosis.Thresholds` that a reader can move: its lowest and its highest value, and its meaning.
LIMITS = {
    "open": (0.5, 0.9999, "a gate is open above this value"),
    "closed": (0.0001, 0.5, "a gate is closed below this value"),
    "stuck": (0.5, 1.0, "a gate is stuck if it is open or closed at this fraction of the steps"),
    "stuck_units": (0.01, 1.0, "a whole gate is stuck if at least this fraction of its units is stuck"),
    "frozen": (1e-9, 0.1, "a gate of one unit is stuck if it is this close to 0 or to 1 at every step"),
    "slope": (1e-9, 0.5, "a unit is dead if its relative derivative is below this at every step"),
    "moves": (1e-9, 0.5, "a unit is constant if h_t moves by at most this much"),
    "copied": (1e-12, 0.1, "units are copies if their h_t differ by less than this"),
    "forget_bias": (-20.0, 5.0, "a smaller median forget bias is a warning"),
    "swapped": (0.1, 4.9, "a larger median of another bias looks like a forget bias"),
    "gain": (1.0, 1e9, "a larger gain of a gradient is a warning"),
    "horizon": (1e-9, 1.0, "the median gain at which the gradient horizon ends"),
    "headroom": (1.0, 1e6, "a smaller headroom in float16 is a warning"),
    "recurrence": (
        0.1,
        1000.0,
        "a larger norm factor of the recurrent weights is a warning if they also exceed `limit_ratio`",
    ),
    "ratio": (
        0.1,
        1000.0,
        "for `limit_recurrence`, the size of the recurrent weights divided by that of the input weights",
    ),
    "alone": (0.1, 1000.0, "a larger norm factor of the recurrent weights is a warning in any case"),
    "small_recurrence": (1e-9, 1.0, "a smaller norm factor of the recurrent weights is a warning"),
    "radius": (
        0.1,
        1000.0,
        "a larger spectral radius is a warning if it is also above 3 times the norm factor",
    ),
    "rank": (1e-9, 0.5, "singular values below this fraction of the largest one do not count in the rank"),
    "sparse": (0.01, 1.0, "a larger fraction of recurrent weights that are 0 is a warning"),
    "large_input": (1.0, 1e6, "a larger root mean square of an input is a warning"),
    "small_input": (1e-9, 1.0, "a smaller range of W_x x_t is a warning"),
    "sequences": (0.2, 1.0, "a larger correlation of neighbouring sequences shows swapped axes"),
    "transposed": (0.01, 1.0, "a larger difference of the correlations of rows and columns shows transposed weights"),
    "correlation": (0.01, 1.0, "a larger correlation of two matrices shows another order of the gates"),
    "pattern": (
        1.0,
        100.0,
        "above this many standard deviations from chance, the pattern of a reset gate shows that it is swapped",
    ),
    "signs": (
        2.5,
        100.0,
        "above this many standard deviations from chance, the signs of weights show that the candidate is misplaced",
    ),
    "certain": (
        2.5,
        100.0,
        "above this many standard deviations from chance, other patterns of the weights are certain",
    ),
}
# By field, the end of its query parameter, if links have another word than the page.
_IN_LINKS = {"closed": "shut", "swapped": "exchanged"}
# The query parameter of each.
LIMIT_PARAMS = {field: f"limit_{_IN_LINKS.get(field, field)}" for field in LIMITS}

RECORDS = (
    Parameter(
        "network",
        OneOf(NETWORKS),
        "which of Cellscope's networks the model page shows until a file is opened",
        default=NETWORKS[0],
        pages=("model",),
    ),
    Parameter(
        "passage",
        Word(200),
        "the text that a network reads, one character a step",
        default="the cat sat on the mat and the dog sat on the log",
        pages=("model",),
    ),
    Parameter(
        "tokens",
        OneOf(READINGS),
        "whether the tokens of the text are its characters (`letters`) or the whole numbers in it (`indices`)",
        default=READINGS[0],
        pages=("model",),
    ),
    Parameter(
        "first_axis",
        OneOf(FIRST_AXES),
        "whether the first axis of an input file with several sequences counts the steps or the sequences (batch_first)",
        default=FIRST_AXES[0],
        pages=("model",),
    ),
    Parameter(
        "nonlinearity",
        OneOf(("tanh", "relu")),
        "the activation of an RNN in a model file that does not say it",
        default="tanh",
        pages=("model",),
    ),
    Parameter(
        "shown_network",
        # Each network has more than one name in its file.
        Number(1, MOST_NAMES, whole=True),
        "the number of the network that the page of a model shows, in a file with several",
        default=1,
        pages=("model",),
    ),
    Parameter(
        "shown_layer",
        Number(1, 16, whole=True),
        "the layer that the pictures of a model show",
        default=1,
        pages=("model",),
    ),
    Parameter(
        "shown_direction",
        OneOf(("forward", "backward")),
        "the direction that the pictures of a model show",
        default="forward",
        pages=("model",),
    ),
    Parameter(
        "shown_step",
        Number(1, MOST_STEPS, whole=True),
        "the step that the pictures of a model mark; a unit opens on its page with the numbers of this step",
        default=1,
        pages=("model",),
    ),
    *(
        Parameter(
            LIMIT_PARAMS[field],
            Number(low, high),
            f"in the diagnosis of a model, {meaning}",
            default=getattr(DEFAULT, field),
            pages=("model",),
        )
        for field, (low, high, meaning) in LIMITS.items()
    ),
)
