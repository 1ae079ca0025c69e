"""The names of the options of settings, and of the groups of settings; the labels are in `labels.py`."""

from dashboard.text.words import NAMES_OF_PEOPLE

# The label of an initializer, and what it does; without an entry, its name and nothing.
INITIALIZERS = {
    "fill": "One value",
    "ramp": "1, 2, 3, …",
    "normal": "Normal",
    "uniform": "Uniform",
    "orthogonal": "Orthogonal",
    **NAMES_OF_PEOPLE,
}
MADE = {
    "fill": "All entries of an array have the same value.",
    "ramp": "1, 2, 3 and so on, row by row.",
    "normal": "Random, from the normal distribution N(0, 1).",
    "uniform": "Random, from the uniform distribution between −1 and 1.",
    "glorot": "The weights are uniform between ±√(6 / (rows + columns)), after Glorot and Bengio. Random inputs and states are sampled from N(0, 1).",
    "orthogonal": "The weights are random, with orthogonal rows or columns of norm 1. Random inputs and states are sampled from N(0, 1).",
}
# The labels of options, by setting; without an entry, the option itself.
OPTIONS = {
    "nonlinearity": {"relu": "ReLU"},
    "source": {
        "hidden": "RNN",
        "f": "LSTM forget gate",
        "i": "LSTM input gate",
        "c": "LSTM candidate",
        "o": "LSTM output gate",
        "r": "GRU reset gate",
        "u": "GRU update gate",
        "typed": "Typed z",
    },
    "order": {"hx": "h above x", "xh": "x above h"},
    "directions": {"one": "Forward", "two": "Both"},
    "first_axis": {"time": "time (T, B, m)", "batch": "batch (B, T, m)"},
    "colours": {"fixed": "Shared", "matrix": "Per matrix"},
    "task": {
        "echo": "Recall the first bit",
        "adding": "Add two marked numbers",
        "brackets": "Count open brackets",
        "parity": "Even or odd number of 1s",
        "sine": "Next value of a sine",
        "text": "Next character of a text",
    },
    "init": INITIALIZERS,
    "start": INITIALIZERS,
    "clip": {"none": "None", "norm": "By norm", "value": "By value"},
    "tokens": {"letters": "Characters", "indices": "Numbers"},
}
# In a field whose value no array has.
CUSTOM = "custom"
CUSTOM_HELP = "Has no effect, because all arrays that it would set have custom values. Reset them under Edit values, or choose another worked example."
# The initialization, if no array follows it.
CUSTOM_INITIALIZATION = "Custom"
CUSTOM_INITIALIZATION_HELP = (
    "All arrays have custom values. Another choice replaces them. The back button of the browser undoes this."
)
PARTLY_LABEL = "{label} (except {arrays})"
PARTLY_CUSTOM = "{arrays}: custom values, which this field does not change."
# The heading of the sliders on a phone and in the projector view, and that of the settings in the projector view.
SLIDERS = "Sliders"
SETTINGS = "Settings"
# The group of settings that most readers leave as they are.
MORE = "More"
