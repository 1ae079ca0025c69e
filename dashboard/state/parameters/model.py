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
    "stuck_units": (
        0.01,
        1.0,
        "a whole gate is stuck if at least this fraction of its units is stuck",
        "Stuck fraction of units",
        "A whole gate is stuck if at least this fraction of its units is stuck.",
    ),
    "frozen": (
        1e-9,
        0.1,
        "a gate of one unit is stuck if it is this close to 0 or to 1 at every step",
        "Margin of a stuck gate",
        "The gate of a single unit is stuck if it is this close to 0, or to 1, at every step.",
    ),
    "slope": (
        1e-9,
        0.5,
        "a unit is inactive if its relative derivative is below this at every step",
        "Relative derivative below",
        "A unit is inactive if its derivative is below this fraction of the maximum at every step.",
    ),
    "moves": (
        1e-9,
        0.5,
        "a unit is constant if h_t moves by at most this much",
        "Largest movement of h_t",
        "A unit is constant if its h_t moves by at most this much.",
    ),
    "copied": (
        1e-12,
        0.1,
        "units are copies if their h_t differ by less than this",
        "Difference of copies below",
        "Units are copies of each other if their h_t differ by less than this.",
    ),
    "forget_bias": (
        -20.0,
        5.0,
        "a smaller median forget bias is a warning",
        "Forget bias below",
        "A smaller median is a warning if the mean of f_t is below 0.5.",
    ),
    "exchanged": (
        0.1,
        4.9,
        "a larger median of another bias looks like a forget bias",
        "Swapped forget bias above",
        "If the median of another bias is larger, it looks like a forget bias.",
    ),
    "gain": (
        1.0,
        1e9,
        "a larger gain of a gradient is a warning",
        "Gradient gain above",
        "A gradient explodes if its norm grows by more than this factor.",
    ),
    "horizon": (
        1e-9,
        1.0,
        "the median gain at which the gradient horizon ends",
        "Gain at the horizon",
        "The gradient horizon is the largest number of steps back with at least this median gain.",
    ),
    "headroom": (
        1.0,
        1e6,
        "a smaller headroom in float16 is a warning",
        "Headroom in float16 below",
        "The headroom is the factor by which the largest number may still grow in float16.",
    ),
    "recurrence": (
        0.1,
        1000.0,
        "a larger gain of the recurrent weights is a warning if they also exceed `limit_ratio`",
        "Recurrent gain above",
        "A larger root mean square gain of the recurrent weights is a warning if they are also larger than the input weights.",
    ),
    "ratio": (
        0.1,
        1000.0,
        "for `limit_recurrence`, the size of the recurrent weights divided by that of the input weights",
        "Ratio of weights above",
        "The recurrent weights must also be larger than the input weights by this factor.",
    ),
    "alone": (
        0.1,
        1000.0,
        "a larger gain of the recurrent weights is a warning in any case",
        "Any recurrent gain above",
        "A larger root mean square gain of the recurrent weights is a warning, whatever the input weights are.",
    ),
    "small_recurrence": (
        1e-9,
        1.0,
        "a smaller gain of the recurrent weights is a warning",
        "Recurrent gain below",
        "A smaller root mean square gain of the recurrent weights is a warning.",
    ),
    "radius": (
        0.1,
        1000.0,
        "a larger spectral radius is a warning if it is also above 3 times the root mean square gain",
        "Spectral radius above",
        "A larger spectral radius is a warning if it is also above 3 times the root mean square gain.",
    ),
    "rank": (
        1e-9,
        0.5,
        "singular values below this fraction of the largest one do not count in the rank",
        "Singular values below",
        "Singular values below this fraction of the largest one do not count in the rank.",
    ),
    "sparse": (
        0.01,
        1.0,
        "a larger fraction of recurrent weights that are 0 is a warning",
        "Weights of 0 above",
        "A larger fraction of recurrent weights that are exactly 0 is a warning.",
    ),
    "large_input": (
        1.0,
        1e6,
        "a larger root mean square of an input is a warning",
        "Large input above",
        "A larger root mean square of an entry of x_t is a warning if it saturates gates.",
    ),
    "small_input": (
        1e-9,
        1.0,
        "a smaller range of W_x x_t is a warning",
        "Small input below",
        "A smaller range of W_x x_t in every unit is a warning.",
    ),
    "sequences": (
        0.2,
        1.0,
        "a larger correlation of neighbouring sequences shows swapped axes",
        "Correlation of sequences above",
        "A larger correlation of neighbouring sequences shows that the axes are swapped.",
    ),
    "transposed": (
        0.01,
        1.0,
        "a larger difference of the correlations of rows and columns shows transposed weights",
        "Transposition above",
        "The correlation of the rows minus that of the columns. A larger difference shows transposed weights.",
    ),
    "correlation": (
        0.01,
        1.0,
        "a larger correlation of two matrices shows another order of the gates",
        "Correlation of gates above",
        "A larger correlation of another pair than i_t and o_t shows that the gates are in another order.",
    ),
    "pattern": (
        1.0,
        100.0,
        "above this many standard deviations from chance, the pattern of a reset gate shows that it is swapped",
        "Swapped gate above",
        "The pattern of a reset gate in the update gate's place, in standard deviations from chance.",
    ),
    "signs": (
        2.5,
        100.0,
        "above this many standard deviations from chance, the signs of weights show that the candidate is misplaced",
        "Candidate signs above",
        "How far the signs in the candidate's place depend on those of a gate, in standard deviations from chance.",
    ),
    "certain": (
        2.5,
        100.0,
        "above this many standard deviations from chance, other patterns of the weights are certain",
        "Other patterns above",
        "Swapped and transposed weights, a common sign and lost biases are found above this, in standard deviations from chance.",
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
        "nonlinearity",
        OneOf(("tanh", "relu")),
        "the activation of an RNN in a model file that does not say it",
        "Activation of the RNN",
        default="tanh",
        pages=("model",),
    ),
    Parameter(
        "shown_network",
        # Each network has more than one name in its file.
        Number(1, MOST_NAMES, whole=True),
        "the number of the network that the page of a model shows, in a file with several",
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
        "the step that the pictures of a model mark; a unit opens on its page with the numbers of this step",
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
