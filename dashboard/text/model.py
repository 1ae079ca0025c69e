"""The sentences of the page of a trained network."""

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
