"""The words of the settings below the sliders of a cell."""

# The label of an initializer, and what it does; without an entry, its name and nothing.
INITIALIZERS = {
    "fill": "One value",
    "ramp": "1, 2, 3, …",
    "normal": "Normal",
    "uniform": "Uniform",
    "glorot": "Glorot",
    "orthogonal": "Orthogonal",
}
MADE = {
    "fill": "Each array has one value everywhere.",
    "ramp": "1, 2, 3 and so on, row by row.",
    "normal": "Random, from the normal distribution N(0, 1).",
    "uniform": "Random, evenly from −1 to 1.",
    "glorot": "Random, evenly between ±√(6 / (rows + columns)), by Glorot and Bengio.",
    "orthogonal": "Random, with rows or columns of length 1 at right angles.",
}
# The heading of the sliders on a phone.
SLIDERS = "Sliders"
# The group of settings that most readers leave as they are.
MORE = "More"
