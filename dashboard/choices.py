"""Every choice there is, said once: what a link may say of it, what its widget is called, and where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import parse_qsl

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS, RANDOM
from core.joins import ORDERS
from core.scenario import INPUTS, SOURCES, Scenario
from core.shapes.layer import FRAMEWORKS, MOST_LAYERS
from core.training import BOUNDS, CLIPS, OPTIMISERS, STORIES, TASKS, trainable
from dashboard import own_numbers
from dashboard.questions import QUESTIONS

SMALL_SIZE, LARGEST_SIZE = 32, 512
LARGEST_FILL = 1000.0
LARGEST_SEED = 2**31 - 1
# 0.010, 0.011 ... 0.099, 0.10 ... 99, 100: two significant digits everywhere.
SCALES = [float(f"{mantissa}e{power}") for power in (-3, -2, -1, 0) for mantissa in range(10, 100)] + [100.0]
TYPED_Z = "typed"
COMPARE = "compare"
# The paths of the pages that show a cell with the reader's numbers.
OF_A_CELL = ("", "lstm", "saturation", "sequence", "gradients")
PROJECTOR = "projector"
STAGES = ("join", "multiply", "bias", "activate", "all")


# ---- what a link may say -------------------------------------------------------------------


class Rule(Protocol):
    """What the text of a parameter must be; its own text says so."""

    def allows(self, text: str) -> bool:
        """Whether a link may say this."""


@dataclass(frozen=True)
class Number:
    """A parameter that is a number between two bounds."""

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
    """A parameter that is one of some words."""

    options: tuple[str, ...]
    rule: str = ""

    def allows(self, text: str) -> bool:
        return text in self.options

    def __str__(self) -> str:
        return self.rule or f"one of {', '.join(self.options)}"


@dataclass(frozen=True)
class Word:
    """A parameter that is a short text of printable characters."""

    longest: int

    def allows(self, text: str) -> bool:
        return 0 < len(text) <= self.longest and text.isprintable()

    def __str__(self) -> str:
        return f"1 to {self.longest} printable characters"


@dataclass(frozen=True)
class Sizes:
    """A parameter that is a shape, such as 5,3,10; empty where there is none."""

    least: int
    most: int
    may_be_empty: bool = True

    def allows(self, text: str) -> bool:
        sizes = text.split(",") if text else []
        if not sizes:
            return self.may_be_empty
        return self.least <= len(sizes) <= self.most and all(SIZE_OF_LAYER.allows(size) for size in sizes)

    def __str__(self) -> str:
        many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{many} sizes with commas, such as 5,3"


class Frozen:
    """A parameter that is other parameters, as an address of their own would say them."""

    def allows(self, text: str) -> bool:
        return read_frozen(text) is not None

    def __str__(self) -> str:
        return "the parameters that numbers follow from, as an address says them, such as `example=lab&scale=0.5`"


def _bounds(field: str) -> Number:
    """The rule of a number of a recipe."""
    return Number(*BOUNDS[field])


# ---- the choices ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Track:
    """The slider of a dial, from end to end; the field beside it takes all that the rule allows."""

    low: float
    high: float
    step: float = 1


@dataclass(frozen=True)
class Choice:
    """One choice: a parameter of the address, and most often a widget.

    Attributes
    ----------
    name : str
        The parameter, and the widget's key.
    rule : Rule
        What a link may say, and what the widget's bounds are.
    meaning : str
        What it is, for the README.
    label, help : str
        Of the widget.
    default : object
        Of a choice that is no field of `Scenario`, which has its own default there; None where there is none.
    is_look : bool
        Whether it is only how numbers are looked at: no worked example sets it, unless it says something of its own.
    pages : sequence of str
        The paths of the pages that alone have the widget; none where it stands in the sidebar.
    track : Track, optional
        Of a choice that has a dial, and no widget of Streamlit's.
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
# The kinds of exercises, in the words of the selectbox.
EXERCISES = {
    "z": "One entry of z",
    "value": "One entry of h",
    "slope": "A slope",
    "lstm-c": "The cell state of an LSTM",
    "lstm-h": "The hidden state of an LSTM",
    "gru-z": "The candidate of a GRU, before its tanh",
    "gru-h": "The hidden state of a GRU",
    "shape": "Shapes",
    "count": "How many numbers are learned",
    "order": "The order of the gates",
    "left": "What is left after T steps",
    "saturated": "Which unit is saturated",
    "forgets": "Which of two cells forgets",
    "chain": "A whole step of an LSTM",
}
SIZE_OF_LAYER = Number(1, 10**6, whole=True)
EVERY_VALUE = "the values for `fill` (the bias for all)"
ONE_GATE = "all weights of one gate; without it they are made like the others"
GATE_HELP = "Empty: made like all weights, as the sidebar says. A number: all weights of this gate, times the scale."

_ALL = (
    Choice(
        own_numbers.EXAMPLE,
        OneOf(tuple(EXAMPLES)),
        "the worked example that everything else starts from",
        "Worked example",
        "Sets the choices below. All but the lab are made for the LSTM.",
    ),
    Choice(
        "m",
        SIZE,
        "entries of x_t",
        "m: entries of xₜ",
        "xₜ is the input. In other texts m may be the batch size. Here the batch is one column.",
        track=SMALL,
    ),
    Choice(
        "n",
        SIZE,
        "entries of h_{t−1}",
        "n: entries of hₜ₋₁",
        "hₜ₋₁ is the previous hidden state. Wₕₕ has a column for each of its entries.",
        track=SMALL,
    ),
    Choice(
        "k",
        SIZE,
        "units",
        "k: units",
        "The entries of hₜ, the new hidden state. Each unit is a row of Wₕ.",
        track=SMALL,
    ),
    Choice(
        "large", FLAG, "sizes up to 512", "Sizes up to 512", "It can be switched off once every size is 32 or less."
    ),
    Choice("j", SIZE, "the inspected unit, at most k", "Inspect unit j", default=1, is_look=True),
    Choice(
        "threshold",
        Number(1, 50, whole=True),
        "saturated below this share of the largest slope, in percent",
        "Saturated below",
        "A unit counts as saturated when less than this share of the activation's largest slope (its derivative) is left at its z.",
        default=5,
        is_look=True,
    ),
    Choice(
        "g",
        OneOf(tuple(ACTIVATIONS)),
        "the activation of the plain cell",
        "Activation g of the plain cell",
        "The plain cell is the vanilla or Elman RNN. The LSTM and the GRU have σ and tanh in fixed places.",
    ),
    Choice(
        "order",
        OneOf(ORDERS),
        "which comes first in both joins",
        "Order of the stack",
        "Which comes first: hₜ₋₁ (hx) or xₜ (xh). So it is in the stack from top to bottom, and in Wₕ from left to right.",
    ),
    Choice(
        "scale",
        OneOf(
            tuple(f"{scale:g}" for scale in SCALES),
            "a number from 0.01 to 100 with at most two significant digits, written like 0.5 or 12",
        ),
        "multiplies every weight",
        "Scale of the weights",
        "Multiplies every weight; neither the bias nor the inputs.",
        track=Track(0.01, 100),
    ),
    Choice(
        "init",
        OneOf(tuple(INITIALIZERS)),
        "how the numbers are made",
        "Numbers",
        "Glorot and orthogonal are rules for weights: there hₜ₋₁, xₜ and cₜ₋₁ are drawn from N(0, 1).",
    ),
    Choice(
        "w_hh",
        FILL,
        EVERY_VALUE,
        "Wₕₕ",
        "The h-columns of every weight matrix: Wₕₕ in the plain cell, and in the gates of an LSTM alike.",
    ),
    Choice(
        "w_hx",
        FILL,
        EVERY_VALUE,
        "Wₕₓ",
        "The x-columns of every weight matrix: Wₕₓ in the plain cell, and in the gates of an LSTM alike.",
    ),
    Choice("h", FILL, EVERY_VALUE, "hₜ₋₁"),
    Choice("x", FILL, EVERY_VALUE, "xₜ"),
    Choice("c", FILL, EVERY_VALUE, "cₜ₋₁", pages=("lstm",)),
    Choice("b", FILL, EVERY_VALUE, "b"),
    Choice(
        "stochastic",
        FLAG,
        "sample the gates: 0 or 1, not the standard LSTM",
        "Sample the LSTM's gates: 0 or 1",
        "Bernoulli-sampled gates, not the standard LSTM: each unit of f, i and o is 1 with the gate's value as its probability, else 0.",
    ),
    Choice(
        "b_normal",
        FLAG,
        "draw the biases from N(0, 1)",
        "Random bias b ~ N(0, 1)",
        "As in the lab. Without it every bias has the value above.",
    ),
    Choice(
        "seed",
        Number(0, LARGEST_SEED, whole=True),
        "the seed of all that is drawn",
        "Seed",
        "The same seed draws the same numbers, on every page and after every reload.",
        track=Track(0, 99),
    ),
    Choice(
        "decimals",
        Number(0, 6, whole=True),
        "how many decimals are printed",
        "Decimals",
        "A number without decimals is that number exactly, in the computer's float64; 1.00 is rounded for the screen.",
        default=2,
        is_look=True,
    ),
    Choice(
        "colours",
        OneOf(("fixed", "matrix")),
        "whether colours mean the same in all matrices, or each has its own scale",
        "Colours",
        "Fixed colours mean the same while you drag; per matrix, each has its own extremes.",
        default="fixed",
        is_look=True,
    ),
    Choice(
        "view",
        OneOf(("page", PROJECTOR)),
        "how the page is laid out: for who sits before it, or large and without the sidebar for a room",
        "View",
        "For a room: large drawings, and no sidebar. The arrow keys go from stage to stage or from panel to panel; Escape goes back.",
        default="page",
    ),
    Choice(
        "stage",
        OneOf(STAGES),
        "how far the hidden-state page is revealed",
        "Show",
        default="all",
        is_look=True,
        pages=("",),
    ),
    Choice(
        "predict",
        FLAG,
        "predict the output of the inspected unit before it is shown",
        "Predict first",
        "The output of the inspected unit stays hidden until you have said what it is.",
        default=False,
        is_look=True,
        pages=("", "lstm", "saturation", "sequence"),
    ),
    Choice(
        "unmatched",
        FLAG,
        "swap the stack without W_h's columns",
        "Swap only the stack",
        "Swap the stack, but not the columns of Wₕ that go with it: the classic mistake.",
        default=False,
        is_look=True,
        pages=("",),
    ),
    *(
        Choice(
            f"w_{gate}", FILL, ONE_GATE, f"$W_{gate}$", GATE_HELP, pages=("lstm", "saturation", "sequence", "gradients")
        )
        for gate in "fico"
    ),
    Choice(
        "forget_bias",
        Number(-10, 10),
        "added to the forget gate's bias",
        "Forget bias",
        "Added to every entry of the forget gate's bias b_f. Keras starts with 1, PyTorch around 0.",
        pages=("lstm", "saturation", "sequence", "gradients"),
        track=Track(-10, 10, 0.5),
    ),
    Choice("y", FLAG, "show the optional output", "Optional output yₜ", default=False, is_look=True, pages=("lstm",)),
    Choice(
        "p",
        Number(1, SMALL_SIZE, whole=True),
        "entries of the optional output y_t",
        "p: entries of yₜ",
        pages=("lstm",),
    ),
    Choice("w_y", FILL, "the weights of the optional output for `fill`", "W_y", pages=("lstm",)),
    Choice(
        "source",
        OneOf((*SOURCES, TYPED_Z)),
        "whose z the saturation page is about",
        "Whose z",
        "The plain cell's hidden state; the LSTM's forget gate, input gate, candidate or output gate; the GRU's reset or update gate; or a "
        "value of your own, to which the sidebar's activation is applied.",
        default="hidden",
        is_look=True,
        pages=("saturation",),
    ),
    Choice(
        "z",
        FILL,
        "the typed z, at scale 1",
        "z at scale 1",
        default=2.0,
        is_look=True,
        pages=("saturation",),
        track=Track(-10, 10, 0.1),
    ),
    Choice(
        "T",
        SIZE,
        "steps over time",
        "T: steps",
        "How many steps are taken, and how many a gradient comes back through. A word and pasted numbers have steps of their own.",
        is_look=True,
        pages=("saturation", "sequence", "gradients"),
        track=Track(1, 64),
    ),
    Choice(
        "cell",
        OneOf(tuple(CELLS)),
        "the cell of a sequence, and the one whose gradients are put in words and in code",
        "Cell",
        is_look=True,
        pages=("sequence", "gradients", "shapes"),
    ),
    *(
        Choice(name, rule, meaning, label, help, default=default, pages=("shapes",))
        for name, rule, meaning, label, help, default in (
            ("framework", OneOf(FRAMEWORKS), "whose layer the shapes page is about", "Framework", None, "PyTorch"),
            ("input_size", SIZE_OF_LAYER, "its m", "input_size, m", "Entries of x at one step.", 10),
            ("hidden_size", SIZE_OF_LAYER, "its k", "hidden_size, k", "Units. In Keras it is called units.", 32),
            ("num_layers", Number(1, MOST_LAYERS, whole=True), "how many of them", "num_layers", None, 1),
            ("bidirectional", FLAG, "whether it has two directions", "bidirectional", None, False),
            (
                "batch_first",
                FLAG,
                "whether x is (batch, steps, features)",
                "batch_first",
                "Of PyTorch. Keras always has the batch first.",
                False,
            ),
            (
                "proj_size",
                Number(0, 10**6, whole=True),
                "the entries of h of PyTorch's LSTM, if fewer than k",
                "proj_size",
                "Of PyTorch's LSTM: the entries of h, if they are fewer than k. 0 means none.",
                0,
            ),
            (
                "x_shape",
                Sizes(1, 4, may_be_empty=False),
                "the shape of x",
                "Shape of x",
                "Sizes with commas: 5,32,10",
                "5,32,10",
            ),
            ("h0_shape", Sizes(1, 4), "the shape of h0", "Shape of h0", "Empty: the layer starts from zeros.", ""),
            (
                "c0_shape",
                Sizes(1, 4),
                "the shape of c0",
                "Shape of c0",
                "Of an LSTM. Empty: the layer starts from zeros.",
                "",
            ),
            (
                "linear",
                Sizes(2, 2),
                "the linear layer after it: in_features,out_features",
                "Linear after it",
                "in_features,out_features of the linear layer that takes the output. Empty: none.",
                "",
            ),
        )
    ),
    *(
        Choice(name, rule, meaning, label, help, default=default, pages=("training",))
        for name, rule, meaning, label, help, default in (
            (
                "story",
                OneOf((*STORIES, "own")),
                "a comparison of trainings, or a recipe of one's own",
                "Story",
                None,
                next(iter(STORIES)),
            ),
            ("task", OneOf(tuple(TASKS)), "what the cell is taught", "Task", None, "echo"),
            ("trained", OneOf(tuple(trainable())), "the cell that is trained", "Cell", None, "LSTM"),
            ("units", _bounds("k"), "its k", "k: units", None, 16),
            ("length", _bounds("T"), "the steps of each sequence", "T: steps", None, 20),
            ("start", OneOf(RANDOM), "how its weights are drawn", "Weights at the start", None, "glorot"),
            ("start_scale", _bounds("scale"), "multiplies them", "Scale at the start", None, 1.0),
            (
                "start_bias",
                _bounds("forget_bias"),
                "its forget bias at the start",
                "Forget bias at the start",
                None,
                1.0,
            ),
            ("optimiser", OneOf(tuple(OPTIMISERS)), "how the weights follow the gradient", "Optimiser", None, "Adam"),
            ("rate", _bounds("rate"), "how far an update goes", "Learning rate", None, 0.01),
            ("clip", OneOf(tuple(CLIPS)), "how a long gradient is cut", "Clip by", None, "norm"),
            ("clip_at", _bounds("clip_at"), "at which length, or at which largest entry", "Clip at", None, 1.0),
            ("updates", _bounds("updates"), "how many updates are made", "Updates", None, 300),
        )
    ),
    Choice(
        "kind",
        OneOf(tuple(EXERCISES)),
        "what an exercise asks for",
        "What to practise",
        default="z",
        pages=("practice",),
    ),
    Choice(
        "level",
        Number(1, 3, whole=True),
        "of an exercise: 1 for the head, 2 and 3 for a calculator",
        "Level",
        "1: whole numbers, in the head. 2: one decimal and a pocket calculator. 3: two decimals and larger sizes.",
        default=1,
        pages=("practice",),
    ),
    Choice(
        "number",
        Number(1, 999, whole=True),
        "which exercise of a kind, a level and a seed",
        "Exercise",
        default=1,
        pages=("practice",),
    ),
    Choice(
        "input",
        OneOf(INPUTS),
        "what a sequence is made of",
        "Input",
        "Gaussian white noise, which is numbers from N(0, 1) each drawn by itself; the sidebar's xₜ as an impulse at step 1, as a step "
        "halfway, or as a sine of 16 steps; a word, one character a step; or numbers that you paste.",
        is_look=True,
        pages=("sequence",),
    ),
    Choice(
        "word",
        Word(SMALL_SIZE),  # each of its characters may need an entry of x_t
        "the word whose characters are the steps",
        "Word",
        is_look=True,
        pages=("sequence",),
    ),
    Choice(
        "t",
        SIZE,
        "the step that is shown",
        "t: step shown",
        default=1,
        is_look=True,
        pages=("sequence",),
        track=Track(1, 64),
    ),
    Choice("edit", FLAG, "editing numbers", "Edit numbers", "Type or paste numbers of your own, for any matrix."),
    Choice(
        "array",
        OneOf(tuple(Scenario().shapes()), "the name of an array, such as W_hh or b_f"),
        "the array that is edited",
        "Numbers of",
        pages=OF_A_CELL,
    ),
    Choice(
        "take", FLAG, "saving, opening and sharing", "Save, open, share", "A link, files, and code for what you see."
    ),
    Choice(
        "question",
        Number(1, len(QUESTIONS), whole=True),
        "the question that the screen answers: it is told above the page, and its panel has a frame",
    ),
    Choice(
        COMPARE,
        Frozen(),
        "the choices that were frozen as A: the pictures show them beside those of now",
    ),
    Choice(
        own_numbers.PARAMETER,
        own_numbers.Typed(),
        "numbers of your own by array: a name, its rows and their numbers",
    ),
    Choice(
        own_numbers.KEPT,
        own_numbers.Kept(),
        "numbers of your own beyond those, which the tab of your browser keeps: each array's name, and 12 digits that stand for "
        "its numbers",
    ),
)


# ---- what follows from them ----------------------------------------------------------------

CHOICES = {choice.name: choice for choice in _ALL}
PARAMETERS: dict[str, Any] = {name: choice.rule for name, choice in CHOICES.items()}
# What a saved scenario has: the choices that numbers follow from, and those of how they are looked at.
OF_NUMBERS = tuple(field.name for field in fields(Scenario) if field.name != "arrays")
OF_LOOKS = {name: choice.default for name, choice in CHOICES.items() if choice.is_look and choice.default is not None}
# Of the layer that the shapes page is about.
OF_LAYER = tuple(name for name, choice in CHOICES.items() if choice.pages == ("shapes",))
# What a picture follows from, beside the example and the reader's own numbers.
OF_PICTURES = (*OF_NUMBERS, *OF_LOOKS, "view")
# What of the choices is frozen as A, beside the example that they start from and the reader's own numbers.
OF_FROZEN = (*OF_NUMBERS, "z")
DIALS = tuple(name for name, choice in CHOICES.items() if choice.track)
# How a page is laid out: with nothing else in its address it opens on its own example.
OF_OPENING = {"view"}
# What a reader takes along to every page; a page without its widget leaves it as it is.
EVERYWHERE = {COMPARE, *DIALS, *(name for name in (*OF_NUMBERS, *OF_LOOKS, "large", "view") if not CHOICES[name].pages)}
OF_PAGES = tuple(name for name, choice in CHOICES.items() if choice.pages and not choice.track)


# A run asks many times for the same text.
@lru_cache(maxsize=64)
def read_frozen(text: str) -> Mapping[str, str] | None:
    """What is frozen as A, or None where it cannot be taken.

    Parameters
    ----------
    text : str

    Returns
    -------
    mapping from str to str, optional
        From parameters to their texts, each of which its rule allows.
    """
    names = (own_numbers.EXAMPLE, own_numbers.PARAMETER, *OF_FROZEN)
    try:
        said = parse_qsl(text, keep_blank_values=True, strict_parsing=True, max_num_fields=len(names))
    except ValueError:
        return None
    frozen = dict(said)
    is_allowed = all(name in names and PARAMETERS[name].allows(one) for name, one in said)
    return MappingProxyType(frozen) if said and is_allowed and len(frozen) == len(said) else None


def of_text(name: str, text: str) -> Any:
    """The value of a dial, or of a choice of OF_FROZEN, that an allowed text stands for."""
    rule = PARAMETERS[name]
    if rule is FLAG:
        return text == "true"
    if isinstance(rule, Number):
        return int(float(text)) if rule.whole else float(text)
    return float(text) if name == "scale" else text


def of_cell(*cells: str) -> dict[str, list[str]]:
    """The choices that only some cells have: what is added to a bias, and what is in the place of weights.

    Parameters
    ----------
    *cells : str
        Names of CELLS.

    Returns
    -------
    dict from {"added", "instead"} to list of str
    """
    arrays = [made for cell in cells for made in CELLS[cell].ARRAYS.values()]
    return {
        kind: [name for name in dict.fromkeys(getattr(made, kind) for made in arrays) if name]
        for kind in ("added", "instead")
    }


def as_text(value: object) -> str:
    """A widget's value as a link would say it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def is_allowed(name: str, value: object) -> bool:
    """Whether a widget may hold the value: in all its digits, of which a text shows a few."""
    if isinstance(value, float):
        return value in SCALES if name == "scale" else PARAMETERS[name].allows(repr(value))
    return PARAMETERS[name].allows(as_text(value))


def expect_allowed(choices: Mapping[str, object]) -> None:
    """Raise unless a link could say all the choices.

    Parameters
    ----------
    choices : mapping from str to object

    Raises
    ------
    ValueError
        Naming the first choice that is out of bounds, and the rule.
    """
    for name, value in choices.items():
        if value is not None and not is_allowed(name, value):
            raise ValueError(f"{name} must be {PARAMETERS[name]}: change it in the file.")


def table() -> str:
    """The README's table of all parameters, in which those that mean the same share a row.

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
