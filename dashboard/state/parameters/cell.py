"""The worked example, and the sizes, weights, biases, inputs and custom values of the cell."""

from core.activations import ACTIVATIONS
from core.cells.lstm import GATES
from core.concatenation import ORDERS
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from dashboard.state.custom_arrays import KEPT, TYPED, Kept, Typed
from dashboard.state.parameters.record import SMALL, Parameter, SliderRange
from dashboard.state.parameters.rules import FILL, FLAG, SIZE, SMALL_SIZE, Number, OneOf

EXAMPLE = "example"
LARGEST_SEED = 2**31 - 1
# 0.010, 0.011 ... 0.099, 0.10 ... 99, 100: two significant digits everywhere.
SCALES = [float(f"{mantissa}e{power}") for power in (-3, -2, -1, 0) for mantissa in range(10, 100)] + [100.0]
EVERY_VALUE = "the value of every entry with `init=fill`; the bias `b` has it with every `init`"
ONE_GATE = "the value of all weights of one gate; if it is missing, they follow `init`"

RECORDS = (
    Parameter(EXAMPLE, OneOf(tuple(EXAMPLES)), "the worked example that sets the defaults of the other parameters"),
    Parameter("m", SIZE, "number of entries of the input x_t", slider_range=SMALL),
    Parameter("n", SIZE, "number of entries of the previous hidden state h_{t−1}", slider_range=SMALL),
    Parameter("k", SIZE, "number of hidden units, the entries of h_t", slider_range=SMALL),
    Parameter("large", FLAG, "whether the sliders of m, n and k reach 512", default=False),
    Parameter("g", OneOf(tuple(ACTIVATIONS)), "the activation of the RNN"),
    Parameter("order", OneOf(ORDERS), "whether h or x comes first, in the stacked input and in the columns of W_h"),
    Parameter(
        "scale",
        OneOf(
            tuple(f"{scale:g}" for scale in SCALES),
            "a number from 0.01 to 100 with at most two significant digits, written like 0.5 or 12",
        ),
        "multiplies every weight",
        slider_range=SliderRange(0.01, 100),
    ),
    Parameter("init", OneOf(tuple(INITIALIZERS)), "the initialization of all arrays"),
    Parameter("w_hh", FILL, EVERY_VALUE),
    Parameter("w_hx", FILL, EVERY_VALUE),
    Parameter("h", FILL, EVERY_VALUE),
    Parameter("x", FILL, EVERY_VALUE),
    Parameter("c", FILL, EVERY_VALUE, pages=("lstm",)),
    Parameter("b", FILL, EVERY_VALUE),
    Parameter("stochastic", FLAG, "whether gates are sampled as 0 or 1, which a standard LSTM does not do"),
    Parameter("b_normal", FLAG, "whether the biases are sampled from N(0, 1)"),
    Parameter(
        "seed", Number(0, LARGEST_SEED, whole=True), "the seed of all random samples", slider_range=SliderRange(0, 99)
    ),
    *(Parameter(f"w_{gate}", FILL, ONE_GATE, pages=("lstm", "saturation", "sequence", "gradients")) for gate in GATES),
    Parameter(
        "forget_bias",
        Number(-10, 10),
        "a number that is added to the forget gate's bias",
        pages=("lstm", "saturation", "sequence", "gradients"),
        slider_range=SliderRange(-10, 10, 0.5),
    ),
    Parameter("p", Number(1, SMALL_SIZE, whole=True), "number of entries of the output y_t", pages=("lstm",)),
    Parameter("w_y", FILL, "the value of every weight of the output layer with `init=fill`", pages=("lstm",)),
    Parameter(TYPED, Typed(), "custom values: the name of each array, its rows and their numbers"),
    Parameter(
        KEPT,
        Kept(),
        "custom values beyond those of `typed`, which are stored in this tab (sessionStorage): the name and a digest of each array",
    ),
)
