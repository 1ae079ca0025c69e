"""One record for each query parameter: its rule, its meaning, its control and the pages that have it. No Streamlit."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import parse_qsl

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.cells.diagram import BEATS
from core.concatenation import ORDERS
from core.diagnosis.networks import NETWORKS
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS, RANDOM
from core.scenario import INPUTS, SOURCES, Scenario
from core.shapes.layer import FRAMEWORKS, MOST_LAYERS
from core.training import BOUNDS, CLIPS, EXPERIMENTS, OPTIMISERS, SIGN_OF, TASKS, trainable
from dashboard.state import custom_arrays
from dashboard.text.questions import QUESTIONS

SMALL_SIZE, LARGEST_SIZE = 32, 512
LARGEST_FILL = 1000.0
LARGEST_SEED = 2**31 - 1
# 0.010, 0.011 ... 0.099, 0.10 ... 99, 100: two significant digits everywhere.
SCALES = [float(f"{mantissa}e{power}") for power in (-3, -2, -1, 0) for mantissa in range(10, 100)] + [100.0]
TYPED_Z = "typed"
EXAMPLE, COMPARE = "example", "compare"
# The paths of the pages that show a cell with the reader's settings.
CELL_PAGES = ("", "lstm", "gru", "saturation", "sequence", "gradients")
PROJECTOR = "projector"
# The stages of the hidden-state page, whose last one all pages share. The diagram of a gated cell has its own.
STAGES = ("join", "multiply", "bias", "activate", "all")
STAGE_LIST, BEAT_LIST = ", ".join(STAGES[:-1]), ", ".join(BEATS)
# The gates and candidates that a link can open in the diagram.
GATE_NAMES = ("f", "i", "c", "o", "r", "u", "h")
# The lines of more trainings could not be told apart.
MOST_TRAININGS = 6


# ---- rules ---------------------------------------------------------------------------------


class Rule(Protocol):
    """The values that a query parameter can have; `str` describes them to the reader."""

    def allows(self, text: str) -> bool:
        """Whether the parameter can have this text."""


@dataclass(frozen=True)
class Number:
    """The rule of a number between two bounds."""

    low: float
    high: float
    whole: bool = False

    def allows(self, text: str) -> bool:
        try:
            value = float(text)
        except ValueError:
            return False
        return self.low <= value <= self.high and (not self.whole or value.is_integer())

    def __str__(self) -> str:
        return f"a {'whole ' if self.whole else ''}number from {self.low:.10g} to {self.high:.10g}"


@dataclass(frozen=True)
class OneOf:
    """The rule of one of several options."""

    options: tuple[str, ...]
    rule: str = ""

    def allows(self, text: str) -> bool:
        return text in self.options

    def __str__(self) -> str:
        return self.rule or f"one of {', '.join(self.options)}"


@dataclass(frozen=True)
class Word:
    """The rule of a short text of printable characters."""

    longest: int

    def allows(self, text: str) -> bool:
        return 0 < len(text) <= self.longest and text.isprintable()

    def __str__(self) -> str:
        return f"1 to {self.longest} printable characters"


@dataclass(frozen=True)
class Sizes:
    """The rule of a shape such as 5,3,10, which may be empty."""

    least: int
    most: int
    may_be_empty: bool = True
    longest = 40

    def allows(self, text: str) -> bool:
        sizes = text.split(",") if text else []
        if not sizes:
            return self.may_be_empty
        return self.least <= len(sizes) <= self.most and all(SIZE_OF_LAYER.allows(size) for size in sizes)

    def __str__(self) -> str:
        many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{many} sizes with commas, such as 5,3"


class Frozen:
    """The rule of `compare`, which holds other query parameters."""

    def allows(self, text: str) -> bool:
        return read_frozen(text) is not None

    def __str__(self) -> str:
        return "the query parameters that the arrays follow from, as in a URL of their own, such as `example=lab&scale=0.5`"


def _bounds(field: str) -> Number:
    """Return the rule of a number of a training setup."""
    return Number(*BOUNDS[field])


# ---- the records ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Track:
    """The ends and the step of a slider; the field beside it takes every value that the rule allows."""

    low: float
    high: float
    step: float = 1


@dataclass(frozen=True)
class Choice:
    """A query parameter, and the control of its setting.

    Attributes
    ----------
    name : str
        The query parameter and the control have the same name.
    rule : Rule
        The values that it can have, which are also the bounds of the control.
    meaning : str
        For the table of docs/parameters.md.
    label, help : str
        The control's texts; a parameter without a label has no control.
    default : object
        The value of a field of `Settings` that the URL leaves out. A field of `Scenario` has its default there.
    is_look : bool
        Whether it changes only how numbers are shown. Choosing a worked example keeps it, unless the example has a value of its own.
    pages : sequence of str
        The paths of the only pages that have the control; empty if every page has it.
    track : Track, optional
        The slider, if the control is one.
    """

    name: str
    rule: Rule
    meaning: str
    label: str = ""
    help: str | None = None
    default: Any = None
    is_look: bool = False
    pages: tuple[str, ...] = ()
    track: Track | None = None


SIZE = Number(1, LARGEST_SIZE, whole=True)
SMALL = Track(1, SMALL_SIZE)
FILL = Number(-LARGEST_FILL, LARGEST_FILL)
FLAG = OneOf(("true", "false"))
# The label of each kind of exercise.
EXERCISES = {
    "z": "One entry of z",
    "value": "One entry of h",
    "slope": "A derivative",
    "lstm-c": "The cell state of an LSTM",
    "lstm-h": "The hidden state of an LSTM",
    "gru-z": "The candidate of a GRU, before its tanh",
    "gru-h": "The hidden state of a GRU",
    "shape": "Shapes",
    "count": "Trainable parameters",
    "order": "The order of the gates",
    "left": "What is left after T steps",
    "saturated": "Which unit is saturated",
    "forgets": "Which unit forgets",
    "chain": "A whole step of an LSTM",
}
SIZE_OF_LAYER = Number(1, 10**6, whole=True)
EVERY_VALUE = "the value of every entry with `init=fill`; the bias `b` has it with every `init`"
ONE_GATE = "the value of all weights of one gate; if it is missing, they follow `init`"
GATE_HELP = "Leave empty to initialize this gate like the others. Enter a number to give all its weights that value, times the scale."

_ALL = (
    Choice(
        EXAMPLE,
        OneOf(tuple(EXAMPLES)),
        "the worked example that sets the defaults of the other parameters",
        "Worked example",
        "Sets the settings below. Most examples are about the LSTM.",
    ),
    Choice(
        "m",
        SIZE,
        "number of entries of the input x_t",
        "m: entries of xₜ",
        "xₜ is the input. In other texts m may be the batch size. Here the batch is one column.",
        track=SMALL,
    ),
    Choice(
        "n",
        SIZE,
        "number of entries of the previous hidden state h_{t−1}",
        "n: entries of hₜ₋₁",
        "hₜ₋₁ is the previous hidden state. Wₕₕ has a column for each of its entries.",
        track=SMALL,
    ),
    Choice(
        "k",
        SIZE,
        "number of hidden units, the entries of h_t",
        "k: hidden units",
        "The number of entries of hₜ. Each unit has one row of weights in Wₕ.",
        track=SMALL,
    ),
    Choice(
        "large",
        FLAG,
        "whether the sliders of m, n and k reach 512",
        "Sizes up to 512",
        "Extends the size sliders to 512. To turn this off, first reduce every size to 32 or less.",
        default=False,
    ),
    Choice(
        "j", SIZE, "the selected unit; the page takes k if it is larger", "Selected unit j", default=1, is_look=True
    ),
    Choice(
        "threshold",
        Number(1, 50, whole=True),
        "a unit is saturated below this percentage of the maximum derivative",
        "Saturated below",
        "A unit is saturated if its derivative g′(z) is below this percentage of the maximum derivative.",
        default=5,
        is_look=True,
    ),
    Choice(
        "g",
        OneOf(tuple(ACTIVATIONS)),
        "the activation of the RNN",
        "Activation g of the RNN",
        "The LSTM and the GRU always use σ and tanh.",
    ),
    Choice(
        "order",
        OneOf(ORDERS),
        "whether h or x comes first, in the stacked input and in the columns of W_h",
        "Order of [h; x]",
        "Whether hₜ₋₁ or xₜ comes first, both in the stacked input and in the columns of Wₕ.",
    ),
    Choice(
        "scale",
        OneOf(
            tuple(f"{scale:g}" for scale in SCALES),
            "a number from 0.01 to 100 with at most two significant digits, written like 0.5 or 12",
        ),
        "multiplies every weight",
        "Weight scale",
        "Multiplies every weight. Biases and inputs do not change.",
        track=Track(0.01, 100),
    ),
    Choice(
        "init",
        OneOf(tuple(INITIALIZERS)),
        "the initialization of all arrays",
        "Initialization",
        "Glorot and orthogonal apply to weights only. hₜ₋₁, xₜ and cₜ₋₁ are then sampled from N(0, 1).",
    ),
    Choice(
        "w_hh",
        FILL,
        EVERY_VALUE,
        "Wₕₕ",
        "The columns for h in every weight matrix of the RNN, the LSTM and the GRU.",
    ),
    Choice(
        "w_hx",
        FILL,
        EVERY_VALUE,
        "Wₕₓ",
        "The columns for x in every weight matrix of the RNN, the LSTM and the GRU.",
    ),
    Choice("h", FILL, EVERY_VALUE, "hₜ₋₁"),
    Choice("x", FILL, EVERY_VALUE, "xₜ"),
    Choice("c", FILL, EVERY_VALUE, "cₜ₋₁", pages=("lstm",)),
    Choice("b", FILL, EVERY_VALUE, "b"),
    Choice(
        "stochastic",
        FLAG,
        "whether gates are sampled as 0 or 1, which a standard LSTM does not do",
        "Sample the LSTM's gates: 0 or 1",
        "Bernoulli-sampled gates, which the standard LSTM does not have. A gate's value is the probability of 1.",
    ),
    Choice(
        "b_normal",
        FLAG,
        "whether the biases are sampled from N(0, 1)",
        "Random bias b ~ N(0, 1)",
        "If it is off, every bias has the value above.",
    ),
    Choice(
        "seed",
        Number(0, LARGEST_SEED, whole=True),
        "the seed of all random samples",
        "Seed",
        "The same seed gives the same random numbers, on every page and after every reload.",
        track=Track(0, 99),
    ),
    Choice(
        "decimals",
        Number(0, 6, whole=True),
        "the number of decimals on the screen",
        "Decimals",
        "“1” is exactly 1 in float64. “1.00” is rounded for display.",
        default=2,
        is_look=True,
    ),
    Choice(
        "colours",
        OneOf(("fixed", "matrix")),
        "`fixed`: one colour scale for all matrices; `matrix`: a scale for each matrix",
        "Colours",
        "Shared: one colour scale for all matrices. Per matrix: each matrix uses its own minimum and maximum.",
        default="fixed",
        is_look=True,
    ),
    Choice(
        "view",
        OneOf(("page", PROJECTOR)),
        "the layout: the normal page, or the projector view with large drawings and no sidebar",
        "View",
        "For a projector: large drawings and no sidebar. The arrow keys move between stages or panels. Escape leaves this view.",
        default="page",
    ),
    Choice(
        "stage",
        OneOf((*STAGES, *BEATS)),
        f"the last stage that is shown: {STAGE_LIST} on the hidden-state page, {BEAT_LIST} in the diagram of the LSTM and the GRU page; a page shows all for another's",
        "Show",
        default="all",
        is_look=True,
        pages=("", "lstm", "gru"),
    ),
    Choice(
        "node",
        OneOf(GATE_NAMES),
        "the gate of the diagram whose equation is shown",
        is_look=True,
        pages=("lstm", "gru"),
    ),
    Choice(
        "backward",
        FLAG,
        "whether the diagram shows the gradient of the sum of h_t at each wire, and not the values",
        default=False,
        is_look=True,
        pages=("", "lstm", "gru"),
    ),
    Choice(
        "predict",
        FLAG,
        "whether the page hides the output of the selected unit until you predict it",
        "Predict first",
        "Hides the output of the selected unit until you enter it correctly.",
        default=False,
        is_look=True,
        pages=("", "lstm", "gru", "saturation", "sequence"),
    ),
    Choice(
        "unmatched",
        FLAG,
        "whether the stacked input is swapped while the columns of W_h stay",
        "Swap only the input",
        "Swaps the stacked input, but not the columns of Wₕ: a common mistake.",
        default=False,
        is_look=True,
        pages=("",),
    ),
    *(
        Choice(
            f"w_{gate}", FILL, ONE_GATE, f"W_{gate}", GATE_HELP, pages=("lstm", "saturation", "sequence", "gradients")
        )
        for gate in "fico"
    ),
    Choice(
        "forget_bias",
        Number(-10, 10),
        "a number that is added to the forget gate's bias",
        "Forget bias",
        "Added to every entry of the forget gate's bias b_f. Keras starts with 1, and PyTorch around 0.",
        pages=("lstm", "saturation", "sequence", "gradients"),
        track=Track(-10, 10, 0.5),
    ),
    Choice(
        "y",
        FLAG,
        "whether the output layer is shown",
        "Output layer yₜ",
        default=False,
        is_look=True,
        pages=("lstm",),
    ),
    Choice(
        "p",
        Number(1, SMALL_SIZE, whole=True),
        "number of entries of the output y_t",
        "p: entries of yₜ",
        pages=("lstm",),
    ),
    Choice("w_y", FILL, "the value of every weight of the output layer with `init=fill`", "W_y", pages=("lstm",)),
    Choice(
        "source",
        OneOf((*SOURCES, TYPED_Z)),
        "the pre-activation z that the saturation page shows",
        "Pre-activation of",
        "The z of the RNN, the LSTM or the GRU, or a typed z with the activation of the RNN.",
        default="hidden",
        is_look=True,
        pages=("saturation",),
    ),
    Choice(
        "z",
        FILL,
        "the z of `source=typed`, at scale 1",
        "z at scale 1",
        default=2.0,
        is_look=True,
        pages=("saturation",),
        track=Track(-10, 10, 0.1),
    ),
    Choice(
        "T",
        SIZE,
        "number of time steps",
        "T: steps",
        "The number of steps of the sequence. A word and pasted numbers set it themselves.",
        is_look=True,
        pages=("saturation", "sequence", "gradients"),
        track=Track(1, 64),
    ),
    Choice(
        "cell",
        OneOf(tuple(CELLS)),
        "the cell of the sequence page; the cell that the text and the code of the gradients page are about",
        "Cell",
        is_look=True,
        pages=("sequence", "gradients", "shapes"),
    ),
    *(
        Choice(name, rule, meaning, label, help, default=default, pages=("shapes",))
        for name, rule, meaning, label, help, default in (
            (
                "framework",
                OneOf(FRAMEWORKS),
                "the framework of the layer on the shapes page",
                "Framework",
                None,
                "PyTorch",
            ),
            (
                "input_size",
                SIZE_OF_LAYER,
                "the layer's number of inputs m",
                "input_size, m",
                "The number of entries of x at one step.",
                10,
            ),
            (
                "hidden_size",
                SIZE_OF_LAYER,
                "the layer's number of hidden units k",
                "hidden_size, k",
                "The number of hidden units, which Keras calls units.",
                32,
            ),
            ("num_layers", Number(1, MOST_LAYERS, whole=True), "number of layers", "num_layers", None, 1),
            (
                "bidirectional",
                FLAG,
                "whether the layer also reads the sequence backwards",
                "bidirectional",
                None,
                False,
            ),
            (
                "batch_first",
                FLAG,
                "whether the first axis of x is the batch, as in (batch, steps, features)",
                "batch_first",
                "Only in PyTorch. Keras always has the batch first.",
                False,
            ),
            (
                "proj_size",
                Number(0, 10**6, whole=True),
                "number of entries of h after the projection of PyTorch's LSTM; 0 means no projection",
                "proj_size",
                "Only in PyTorch's LSTM: the number of entries of h if it is less than k. 0 means no projection.",
                0,
            ),
            (
                "x_shape",
                Sizes(1, 4, may_be_empty=False),
                "the shape of x",
                "Shape of x",
                "Sizes with commas, such as 5,32,10.",
                "5,32,10",
            ),
            (
                "h0_shape",
                Sizes(1, 4),
                "the shape of h0",
                "Shape of h0",
                "Leave empty for an initial state of zeros.",
                "",
            ),
            (
                "c0_shape",
                Sizes(1, 4),
                "the shape of c0",
                "Shape of c0",
                "Only for an LSTM. Leave empty for an initial state of zeros.",
                "",
            ),
            (
                "linear",
                Sizes(2, 2),
                "in_features and out_features of a linear layer that takes the output",
                "Output layer",
                "in_features,out_features of a linear layer that reads the output. Leave empty for none.",
                "",
            ),
        )
    ),
    *(
        Choice(name, rule, meaning, label, help, default=default, pages=("training",))
        for name, rule, meaning, label, help, default in (
            (
                "story",
                OneOf((*EXPERIMENTS, "own")),
                "the experiment, which compares trainings; `own` is a training setup of your own",
                "Question",
                None,
                next(iter(EXPERIMENTS)),
            ),
            ("task", OneOf(tuple(TASKS)), "the task that the cell learns", "Task", None, "echo"),
            ("trained", OneOf(tuple(trainable())), "the cell that is trained", "Cell", None, "LSTM"),
            ("units", _bounds("k"), "number of hidden units of the trained cell", "Hidden units", None, 16),
            ("length", _bounds("T"), "number of time steps of each training sequence", "Time steps", None, 20),
            ("start", OneOf(RANDOM), "the initialization of the trained cell", "Initial weights", None, "glorot"),
            ("start_scale", _bounds("scale"), "multiplies its weights at the start", "Initial scale", None, 1.0),
            (
                "start_bias",
                _bounds("forget_bias"),
                "its forget bias at the start",
                "Initial forget bias",
                None,
                1.0,
            ),
            ("optimiser", OneOf(tuple(OPTIMISERS)), "the optimiser", "Optimiser", None, "Adam"),
            ("rate", _bounds("rate"), "the learning rate", "Learning rate", None, 0.01),
            ("clip", OneOf(tuple(CLIPS)), "how gradients are clipped", "Gradient clipping", None, "norm"),
            (
                "clip_at",
                _bounds("clip_at"),
                "the norm, or the value of an entry, at which gradients are clipped",
                "Clip at",
                None,
                1.0,
            ),
            ("updates", _bounds("updates"), "number of updates", "Updates", None, 300),
            (
                "change",
                OneOf(tuple(SIGN_OF)),
                "the finding on your own training whose change is trained beside it",
                "",
                None,
                None,
            ),
            (
                "watched",
                Number(1, MOST_TRAININGS, whole=True),
                "which training of an experiment the panels on one training show",
                "",
                None,
                1,
            ),
        )
    ),
    Choice(
        "network",
        OneOf(NETWORKS),
        "the network of Cellscope on the page of a model, until a file is opened",
        "Network",
        default=NETWORKS[0],
        pages=("model",),
    ),
    Choice(
        "passage",
        Word(200),
        "the text that a network reads, one letter a step",
        "Text",
        default="the cat sat on the mat and the dog sat on the log",
        pages=("model",),
    ),
    Choice(
        "shown_layer",
        Number(1, 16, whole=True),
        "the layer that the pictures of a model show",
        "Layer",
        default=1,
        pages=("model",),
    ),
    Choice(
        "shown_direction",
        OneOf(("forward", "backward")),
        "the direction that the pictures of a model show",
        "Direction",
        default="forward",
        pages=("model",),
    ),
    Choice(
        "kind",
        OneOf(tuple(EXERCISES)),
        "the kind of exercise",
        "What to practise",
        default="z",
        pages=("practice",),
    ),
    Choice(
        "level",
        Number(1, 3, whole=True),
        "the difficulty: 1 is mental arithmetic, 2 and 3 need a calculator",
        "Level",
        "1: whole numbers, without a calculator. 2: one decimal, with a calculator. 3: two decimals and larger sizes.",
        default=1,
        pages=("practice",),
    ),
    Choice(
        "number",
        Number(1, 999, whole=True),
        "the number of the exercise among those of its kind, level and seed",
        "Exercise",
        default=1,
        pages=("practice",),
    ),
    Choice(
        "input",
        OneOf(INPUTS),
        "the input of the sequence page",
        "Input",
        "Gaussian white noise: independent samples from N(0, 1). Impulse, step and sine: the sidebar's xₜ over time. "
        "Word: one character per step. Numbers: pasted values.",
        is_look=True,
        pages=("sequence",),
    ),
    Choice(
        "word",
        Word(SMALL_SIZE),  # each character may need its own entry of x_t
        "the word of `input=word`, one character a step",
        "Word",
        is_look=True,
        pages=("sequence",),
    ),
    Choice(
        "t",
        SIZE,
        "the selected time step",
        "t: step shown",
        default=1,
        is_look=True,
        pages=("sequence",),
        track=Track(1, 64),
    ),
    Choice(
        "edit",
        FLAG,
        "whether the editor is open",
        "Edit values",
        "Type or paste custom values for any array.",
        default=False,
        pages=CELL_PAGES,
    ),
    Choice(
        "array",
        OneOf(tuple(Scenario().shapes()), "the name of an array, such as W_hh or b_f"),
        "the array in the editor",
        "Array",
        pages=CELL_PAGES,
    ),
    Choice(
        "take",
        FLAG,
        "whether **Save and share** is open",
        "Save and share",
        "Copy a link, save or open files, or export code.",
        default=False,
        pages=(*CELL_PAGES, "training"),
    ),
    Choice(
        "question",
        Number(1, len(QUESTIONS), whole=True),
        "the question that stands at the foot of the window; a frame marks the panel with the answer",
    ),
    Choice(
        COMPARE,
        Frozen(),
        "the frozen settings, A; the pictures show them beside the current ones, B",
    ),
    Choice(
        custom_arrays.TYPED,
        custom_arrays.Typed(),
        "custom values: the name of each array, its rows and their numbers",
    ),
    Choice(
        custom_arrays.KEPT,
        custom_arrays.Kept(),
        "custom values beyond those of `typed`, which are stored in this tab (sessionStorage): the name and a digest of each array",
    ),
)


# ---- groups of parameters, and their texts -------------------------------------------------

CHOICES = {choice.name: choice for choice in _ALL}
PARAMETERS: dict[str, Any] = {name: choice.rule for name, choice in CHOICES.items()}
# A saved scenario has the settings that numbers follow from, and those that change only how numbers are shown.
SCENARIO_PARAMS = tuple(field.name for field in fields(Scenario) if field.name != "arrays")
VIEW_PARAMS = {
    name: choice.default for name, choice in CHOICES.items() if choice.is_look and choice.default is not None
}
# The settings of the layer on the shapes page.
LAYER_PARAMS = tuple(name for name, choice in CHOICES.items() if choice.pages == ("shapes",))
# The settings that `compare` freezes, beside the worked example and the custom values in the URL.
FROZEN_PARAMS = (*SCENARIO_PARAMS, "z")
SLIDERS = tuple(name for name, choice in CHOICES.items() if choice.track)
# A URL with nothing but these counts as bare: the page opens on its own worked example.
OPENING_PARAMS = {"view"}
# The settings that only some pages have; they stay in the URL on the other pages.
PAGE_PARAMS = tuple(name for name, choice in CHOICES.items() if choice.pages)
# The parameters of one screen; a link to another page leaves them out.
SCREEN_PARAMS = ("edit", "array", "take", "question")


# Cached because a run reads the same text many times.
@lru_cache(maxsize=64)
def read_frozen(text: str) -> Mapping[str, str] | None:
    """Return the settings that `compare` freezes, or None if the text breaks its rule.

    Parameters
    ----------
    text : str

    Returns
    -------
    mapping from str to str, optional
        From parameter to text; every text follows the rule of its parameter.
    """
    names = (EXAMPLE, custom_arrays.TYPED, *FROZEN_PARAMS)
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, max_num_fields=len(names))
    except ValueError:
        return None
    frozen = dict(pairs)
    is_allowed = all(name in names and PARAMETERS[name].allows(one) for name, one in pairs)
    return MappingProxyType(frozen) if pairs and is_allowed and len(frozen) == len(pairs) else None


def of_text(name: str, text: str) -> Any:
    """Return the value of a query parameter whose text follows its rule."""
    rule = PARAMETERS[name]
    if rule is FLAG:
        return text == "true"
    if isinstance(rule, Number):
        return int(float(text)) if rule.whole else float(text) + 0.0  # -0 is 0, which a query may leave out
    return float(text) if name == "scale" else text


def as_text(value: object) -> str:
    """Return the text of a value in the URL, with all digits of a number."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def of_cell(*cells: str) -> dict[str, list[str]]:
    """Return the settings that only some cells have.

    Parameters
    ----------
    *cells : str
        Names of CELLS.

    Returns
    -------
    dict from {"offset_param", "constant_param"} to list of str
        Settings that are added to a bias, and settings that replace all weights of a gate.
    """
    arrays = [made for cell in cells for made in CELLS[cell].ARRAYS.values()]
    return {
        kind: [name for name in dict.fromkeys(getattr(made, kind) for made in arrays) if name]
        for kind in ("offset_param", "constant_param")
    }


def is_allowed(name: str, value: object) -> bool:
    """Whether the URL can hold the value."""
    if name == "scale":
        return value in SCALES
    return PARAMETERS[name].allows(as_text(value))


def expect_allowed(choices: Mapping[str, object]) -> None:
    """Raise ValueError unless every setting follows its rule.

    Parameters
    ----------
    choices : mapping from str to object
        Values of settings; None is always allowed.

    Raises
    ------
    ValueError
        The message names the first setting that breaks its rule, and the rule.
    """
    for name, value in choices.items():
        if value is not None and not is_allowed(name, value):
            raise ValueError(f"{name} must be {PARAMETERS[name]}. Change it in the file.")


def table() -> str:
    """Return the table of docs/parameters.md; query parameters with the same meaning and rule share a row.

    Returns
    -------
    str
        Markdown.
    """
    rows: dict[tuple[str, str], list[str]] = {}
    for name, choice in CHOICES.items():
        rows.setdefault((choice.meaning, str(choice.rule)), []).append(f"`{name}`")
    lines = [f"| {' '.join(names)} | {meaning} | {rule} |" for (meaning, rule), names in rows.items()]
    return "\n".join(["| parameter | meaning | values |", "| --- | --- | --- |", *lines]) + "\n"


if __name__ == "__main__":
    print(table())
