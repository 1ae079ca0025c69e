"""The sentences of the page of a trained network."""

from collections.abc import Sequence

from core.number_format import number

PAGE = (
    "# My model\nOpen a trained RNN, LSTM or GRU. The page runs it over an input, shows its gates, and says what is wrong with it. "
    "Nothing in the file is executed."
)
OWN = "Cellscope trained this {cell} of {k} units to predict the next letter of a text."
OPENED = "The {cell} has {layers} of {k} units and {m} inputs."
LAYERS = {1: "one layer", 2: "two layers", 3: "three layers"}
MANY_LAYERS = "{count} layers"
LEFT_OUT = "Left out"
ASSUMED = {
    "tanh": "A file of PyTorch does not say the activation of an RNN: the page takes tanh.",
    "reset after": "The file does not say where the reset gate acts: the page takes reset_after=True.",
    "activations": "The file does not say the activations: the page takes those of Keras by default.",
}
OVERFLOW = "The numbers overflow over this input: take a shorter text."
STACK = "Network in the file"

WARNINGS = "## What is wrong"
NUMBERS = "## Numbers"
NOTHING = "The diagnosis has no warning over this input."
FINDINGS = {
    "zeroed layer": "All weights are 0: nothing comes through this layer.",
    "exchanged gates": "The biases of {symbol} have a median of {value}, as a forget bias has. The gates look exchanged: another framework has another order.",
    "float16": "The largest number is {value} times below the limit of float16: it overflows, or nearly does.",
    "exploding": "A gradient becomes {value} times as large on its way back: it explodes.",
    "large recurrence": "The recurrent weights have a median spectral radius of {value}, and the limit is {threshold}.",
    "forget bias low": "The median forget bias is {value}: the cell state ends after a step.",
    "gate stuck shut": "{symbol} is shut at {percent} % of the steps: {units}.",
    "gate stuck open": "{symbol} is open at {percent} % of the steps: {units}.",
    "dead units": "Dead at every step, because {symbol} is saturated or h_t is 0: {units}.",
    "copied units": "The same h_t at every step: {units}.",
    "constant units": "h_t does not move: {units}.",
    "constant input": "These entries of x_t are the same at every step: {units}.",
    "forget bias": "Median forget bias: {value}.",
    "horizon": "Gradient horizon: {value} steps. Over more, the median gain is below 10 %.",
    "radius": "Spectral radius of {symbol}: {value}.",
    "orthogonality": "Distance of {symbol} from an orthogonal matrix: {value}.",
    "headroom": "Headroom in float16: the largest number may grow {value} times.",
}
WHERE = "Layer {layer}, {direction}: {sentence}"
DIRECTIONS = ("forward", "backward")
UNITS = "{count} of {of} units ({named})"
ENTRIES = "entries {named}"
MOST_NAMED = 8
REPORT = "# Diagnosis of {name}\n\n{sentences}\n"
SAVE_REPORT = "Report (.md)"
OVER_TIME_TITLE = "Gates and state over time"
OVER_TIME = "Each row is a unit and each column a step."
OVER_TIME_ALT = "Every gate and the state of the {cell} at {T} steps."
SCATTER = "## Saturated gates"
SCATTER_TEXT = (
    "Each dot is a unit of a gate: the fraction of steps below 0.1 against that above 0.9. A dot at the right end is a gate that is "
    "always open. The picture follows Karpathy, Johnson and Li (2015)."
)
SCATTER_ALT = "The left-saturated and right-saturated fractions of each unit, by gate."
MEMORY = "Memory of each unit"
UNIT, HALF_LIFE = "unit", "half-life in steps"
SHUT, OPEN_GATE = "fraction of steps below 0.1", "fraction of steps above 0.9"


def layers(count: int) -> str:
    """Return the number of layers in words."""
    return LAYERS.get(count) or MANY_LAYERS.format(count=count)


def finding(
    code: str,
    layer: int,
    direction: int,
    symbol: str,
    units: Sequence[int],
    value: float,
    threshold: float | None,
    of: int,
) -> str:
    """Return the sentence of a finding.

    Parameters
    ----------
    code : str
        A key of FINDINGS.
    layer, direction : int
        Counted from 0.
    symbol : str
    units : sequence of int
        Counted from 1.
    value : float
    threshold : float, optional
    of : int
        How many units there are.
    """
    named = ", ".join(map(str, units[:MOST_NAMED])) + ("…" if len(units) > MOST_NAMED else "")
    told = (
        ENTRIES.format(named=named) if code == "constant input" else UNITS.format(count=len(units), of=of, named=named)
    )
    sentence = FINDINGS[code].format(
        symbol=symbol,
        value=number(value, 2),
        threshold=number(threshold or 0, 2),
        percent=number(100 * value, 0),
        units=told,
    )
    return WHERE.format(layer=layer + 1, direction=DIRECTIONS[direction], sentence=sentence)
