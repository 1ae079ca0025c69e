"""Colour scales: what the entries of a matrix mean. All palettes are safe for colour-blind readers."""

from typing import NamedTuple

import numpy as np

# From the page's own background at 0 to amber at 1: as for all palettes, more is stronger, in light and in dark.
AMBER = {
    "light": ["#f7f7f7", "#fbeba0", "#f4ce38", "#d6a200", "#a57700", "#745200"],
    "dark": ["#22262e", "#4d4526", "#857321", "#c3a622", "#fee838"],
}
# The colour of the saturated part of an axis.
SHADE = "#8a8f98"
# Blue below 0 and red above, after ColorBrewer's RdBu; the middle is close to the page's own background.
RED_BLUE = {
    "light": ["#053061", "#2166ac", "#4393c3", "#92c5de", "#f7f7f7", "#f4a582", "#d6604d", "#b2182b", "#67001f"],
    "dark": ["#8fd0ff", "#4aa3e6", "#2f74ab", "#264a68", "#22262e", "#66352d", "#ad4c37", "#ee7648", "#ffb07a"],
}
# The colours of a gain: faint where the gradient has vanished, the text colour at a gain of 1, and red above 1. Up to 1 they are
# the colours of the wires in `static/picture/chain.js`.
GRADIENT_GAIN = {
    "light": ["#e3e3e3", "#161513", "#8c0a1e", "#f0183c"],
    "dark": ["#32312f", "#fafafa", "#ff9a8a", "#ff3b30"],
}


def _with_root_above_middle(stops: list[str]) -> list[str]:
    """Return the stops of a palette in even steps: linear up to the middle, and with the square root beyond it, where few values are large."""
    beyond = np.linspace(0, 1, 33)
    places = np.concatenate([beyond[:-1], 1 + (len(stops) - 2) * np.sqrt(beyond)])
    parts = np.array([list(bytes.fromhex(stop[1:])) for stop in stops])
    of_stop = np.arange(len(stops))
    mixed = np.column_stack([np.interp(places, of_stop, part) for part in parts.T])
    return [f"#{bytes(colour).hex()}" for colour in mixed.round().astype(np.uint8)]


PALETTES = {
    "diverging": RED_BLUE,
    # The norm of a gradient has no 1 from which on it grows.
    "ink": {theme: stops[:2] for theme, stops in GRADIENT_GAIN.items()},
    "left": {theme: _with_root_above_middle(stops) for theme, stops in GRADIENT_GAIN.items()},
    "sequential": AMBER,
    # From the page's own background to the grey of saturated parts of an axis. Amber is a large derivative, so saturated entries are not.
    "shaded": {"light": ["#f7f7f7", SHADE], "dark": ["#22262e", SHADE]},
}
# A norm goes through this many powers of ten from the strongest colour to the faintest.
POWERS_TO_FAINT = 6


class Scale(NamedTuple):
    """A palette between two values."""

    label: str
    palette: str
    low: float
    high: float
    clips: bool = False


def weight_scale(label: str, *, is_random: bool) -> Scale:
    """Return the scale of weights and inputs: random ones seldom exceed 3, and typed ones seldom 10."""
    return symmetric(label, 3 if is_random else 10, clips=True)


def symmetric(label: str, limit: float, *, clips: bool = False) -> Scale:
    """Return a diverging scale about 0. If it clips, values beyond the limit have the colour of the limit."""
    return Scale(label, "diverging", -limit, limit, clips)


def gain_scale(label: str, limit: float) -> Scale:
    """Return the scale of what is left of a gradient, by the logarithm of its gain. It clips."""
    return Scale(label, "left", -limit, limit, clips=True)


def norm_scale(label: str, high: float) -> Scale:
    """Return the scale of the norm of a gradient, by its logarithm, in the ink of `gain_scale`. It clips."""
    return Scale(label, "ink", high - POWERS_TO_FAINT, high, clips=True)


def sequential(label: str, high: float) -> Scale:
    """Return a scale from 0 to `high`."""
    return Scale(label, "sequential", 0, high)


# The scale of 0 and 1 for whether a unit is saturated. It needs no legend.
SHADED = Scale("", "shaded", 0, 1)
