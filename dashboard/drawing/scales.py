"""Colours: what the entries of a matrix mean. All palettes are safe for colour-blind readers."""

from typing import NamedTuple

import numpy as np

# From dark blue at 0 to yellow at 1, the same in both themes.
CIVIDIS = ["#00224e", "#2a3f6d", "#575d6d", "#7c7b78", "#a59c74", "#d2c060", "#fee838"]
PALETTES = {
    # Blue below 0 and red above, after ColorBrewer's RdBu; the middle is close to the page's own background.
    "diverging": {
        "light": ["#053061", "#2166ac", "#4393c3", "#92c5de", "#f7f7f7", "#f4a582", "#d6604d", "#b2182b", "#67001f"],
        "dark": ["#a6d4f2", "#6bb2e0", "#3a86bd", "#255a85", "#22262e", "#8a3a2e", "#c4563f", "#ec8a68", "#ffcbb0"],
    },
    "sequential": {"light": CIVIDIS, "dark": CIVIDIS},
}
CURVE, SLOPE, OTHER, SHADE = "#3b82c4", "#e07b39", "#2f9e77", "#8a8f98"
# The colours of lines that stand for one thing each, such as a cell.
LINES = (CURVE, SLOPE, OTHER, "#8e6bbf")
# One hue for each gate and candidate, by what it gives, after Okabe and Ito: safe for colour-blind readers.
_KEEP, _WRITE, _CANDIDATE, _SHOW = (
    {"light": light, "dark": dark}
    for light, dark in (("#0072b2", "#56b4e9"), ("#007a5a", "#2bc49a"), ("#b84e00", "#f0884a"), ("#8449a6", "#c79be0"))
)
GATE_COLOURS = {
    **{"f_t": _KEEP, "i_t": _WRITE, "c_tilde": _CANDIDATE, "o_t": _SHOW},
    **{"u_t": _KEEP, "r_t": _SHOW, "h_tilde": _CANDIDATE},
}
# A norm goes through this many powers of ten from the brightest colour to the darkest.
FAINT = 6
# The brightest colour stands for this quantile: the largest norm of all would make the others dark.
USUAL = 0.8

# The z of the curves. At its ends sigmoid and tanh are saturated by any threshold.
GRID = np.linspace(-8, 8, 161)


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


def sequential(label: str, high: float) -> Scale:
    """Return a scale from 0 to `high`."""
    return Scale(label, "sequential", 0, high)
