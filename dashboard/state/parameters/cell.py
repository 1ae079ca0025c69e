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
GATE_HELP = "Leave empty to initialize this gate like the others. Enter a number to give all its weights that value, times the scale."

RECORDS = (
    Parameter(
        EXAMPLE,
        OneOf(tuple(EXAMPLES)),
        "the worked example that sets the defaults of the other parameters",
        "Worked example",
        "Sets the sizes, the weights and all other numbers of the cell. You stay on this page.",
    ),
    Parameter(
        "m",
        SIZE,
        "number of entries of the input x_t",
        "m: entries of xₜ",
        "xₜ is the input. In other texts m may be the batch size. Here the batch size is 1.",
        slider_range=SMALL,
    ),
    Parameter(
        "n",
        SIZE,
        "number of entries of the previous hidden state h_{t−1}",
        "n: entries of hₜ₋₁",
        "hₜ₋₁ is the previous hidden state. Wₕₕ has a column for each of its entries.",
        slider_range=SMALL,
    ),
    Parameter(
        "k",
        SIZE,
        "number of hidden units, the entries of h_t",
        "k: hidden units",
        "The number of entries of hₜ. Each unit has one row of weights in Wₕ.",
        slider_range=SMALL,
    ),
    Parameter(
        "large",
        FLAG,
        "whether the sliders of m, n and k reach 512",
        "Sizes up to 512",
        "Extends the size sliders to 512. To turn this off, first reduce every size to 32 or less.",
        default=False,
    ),
    Parameter(
        "g",
        OneOf(tuple(ACTIVATIONS)),
        "the activation of the RNN",
        "Activation g of the RNN",
        "The LSTM and the GRU always use σ and tanh.",
    ),
    Parameter(
        "order",
        OneOf(ORDERS),
        "whether h or x comes first, in the stacked input and in the columns of W_h",
        "Order of [h; x]",
        "Whether hₜ₋₁ or xₜ comes first, both in the stacked input and in the columns of Wₕ.",
    ),
    Parameter(
        "scale",
        OneOf(
            tuple(f"{scale:g}" for scale in SCALES),
            "a number from 0.01 to 100 with at most two significant digits, written like 0.5 or 12",
        ),
        "multiplies every weight",
        "Weight scale",
        "Multiplies every weight. Biases and inputs do not change.",
        slider_range=SliderRange(0.01, 100),
    ),
    Parameter(
        "init",
        OneOf(tuple(INITIALIZERS)),
        "the initialization of all arrays",
        "Initialization",
        "How the weights and the inputs get their values.",
    ),
    Parameter(
        "w_hh",
        FILL,
        EVERY_VALUE,
        "Wₕₕ",
        "The columns for h in every weight matrix of the RNN, the LSTM and the GRU.",
    ),
    Parameter(
        "w_hx",
        FILL,
        EVERY_VALUE,
        "Wₕₓ",
        "The columns for x in every weight matrix of the RNN, the LSTM and the GRU.",
    ),
    Parameter("h", FILL, EVERY_VALUE, "hₜ₋₁"),
    Parameter("x", FILL, EVERY_VALUE, "xₜ"),
    Parameter("c", FILL, EVERY_VALUE, "cₜ₋₁", pages=("lstm",)),
    Parameter("b", FILL, EVERY_VALUE, "Bias"),
    Parameter(
        "stochastic",
        FLAG,
        "whether gates are sampled as 0 or 1, which a standard LSTM does not do",
        "Sample the LSTM's gates: 0 or 1",
        "Samples each entry of a gate: it is 1 with probability σ(z), and otherwise 0. The standard LSTM does not do this.",
    ),
    Parameter(
        "b_normal",
        FLAG,
        "whether the biases are sampled from N(0, 1)",
        "Random bias b ~ N(0, 1)",
        "If it is off, every bias has the value of the field Bias.",
    ),
    Parameter(
        "seed",
        Number(0, LARGEST_SEED, whole=True),
        "the seed of all random samples",
        "Seed",
        "The same seed gives the same random numbers, on every page and after every reload.",
        slider_range=SliderRange(0, 99),
    ),
    *(
        Parameter(
            f"w_{gate}", FILL, ONE_GATE, f"W_{gate}", GATE_HELP, pages=("lstm", "saturation", "sequence", "gradients")
        )
        for gate in GATES
    ),
    Parameter(
        "forget_bias",
        Number(-10, 10),
        "a number that is added to the forget gate's bias",
        "Forget bias",
        "Added to every entry of b_f, the bias of the forget gate. Keras starts with 1, and PyTorch around 0.",
        pages=("lstm", "saturation", "sequence", "gradients"),
        slider_range=SliderRange(-10, 10, 0.5),
    ),
    Parameter(
        "p",
        Number(1, SMALL_SIZE, whole=True),
        "number of entries of the output y_t",
        "p: entries of yₜ",
        pages=("lstm",),
    ),
    Parameter("w_y", FILL, "the value of every weight of the output layer with `init=fill`", "W_y", pages=("lstm",)),
    Parameter(
        TYPED,
        Typed(),
        "custom values: the name of each array, its rows and their numbers",
    ),
    Parameter(
        KEPT,
        Kept(),
        "custom values beyond those of `typed`, which are stored in this tab (sessionStorage): the name and a digest of each array",
    ),
)
