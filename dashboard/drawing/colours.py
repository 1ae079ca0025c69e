"""The colours of gates, of lines, and of compared cells and trainings. `scales` has those of the entries of a matrix."""

from collections.abc import Iterable
from itertools import cycle
from statistics import mean

# A colour in the light theme and in the dark one.
Hue = dict[str, str]
# The colours of gates, candidates and lines. Readers with any colour vision can tell those of a chart apart, and the output
# gate and the update gate from the magenta of the selected unit (`picture/theme.js`): `tests/dashboard/drawing/test_colours.py` checks it.
_FORGET, _CANDIDATE, _INPUT, _OUTPUT, *_MORE = (
    {"light": light, "dark": dark}
    for light, dark in (
        ("#0042c7", "#6b96e6"),
        ("#a86200", "#ff6a33"),
        ("#228754", "#2ee59d"),
        ("#945cc1", "#965eff"),
        ("#3e006b", "#c4f520"),
        ("#7a0000", "#c16953"),
    )
)
# The colours of an LSTM's gates, and of the other lines in their charts.
LINES: tuple[Hue, ...] = (_FORGET, _CANDIDATE, _INPUT, _OUTPUT, *_MORE)
# The colours of compared trainings and cells. Readers with any colour vision can tell any two of them apart, and none is that of a gate.
COMPARED: tuple[Hue, ...] = (
    {"light": "#160c1b", "dark": "#feffcd"},
    {"light": "#e4244f", "dark": "#fb1e3d"},
    {"light": "#0074e3", "dark": "#9cfafc"},
    {"light": "#9f068b", "dark": "#9e72a2"},
    {"light": "#074306", "dark": "#7fae8d"},
    {"light": "#7508ff", "dark": "#e0c215"},
)
# Colours of compared initializers for a figure that does not know the theme: visible in both, and none is that of a gate.
COMPARED_IN_BOTH_THEMES = ("#b12aff", "#f32f05", "#058c99")
# From this mean of red, green and blue (0 to 255) on, a colour has a darker one that is still seen on the dark background.
BRIGHT = 160
# The colour of a line that others are compared with.
REFERENCE: Hue = {"light": "#6c7078", "dark": "#9a9ea6"}
# The colour of the curve of an activation: neutral, because each hue is a gate, a cell or a training.
ACTIVATION: Hue = {"light": "#31333f", "dark": "#e6e8ec"}
# The lengths of dashes and gaps of lines, in pixels. Several lines of the same colour differ by them.
DASHED = (6, 4)
DASHES = (DASHED, (2, 3), (12, 3, 2, 3), (14, 5), (9, 3, 2, 3, 2, 3), (1, 6))
# One hue for each gate, by what it gives. The candidates of both cells have the same, because they are the same: new content by tanh.
GATE_COLOURS: dict[str, Hue] = {
    **{"f_t": _FORGET, "i_t": _INPUT, "c_tilde": _CANDIDATE, "o_t": _OUTPUT, "h_tilde": _CANDIDATE},
    "r_t": {"light": "#015751", "dark": "#20fde0"},
    "u_t": {"light": "#0c77bf", "dark": "#29bcfe"},
}
# Names on the screen have the colours of their gates.
COLOUR_OF_GATE_NAME = {{"c_tilde": "c̃_t", "h_tilde": "h̃_t"}.get(gate, gate): hue for gate, hue in GATE_COLOURS.items()}


def hues_of(names: Iterable[str]) -> dict[str, Hue]:
    """Return the hue of each line by its name: that of its gate, or one that no gate of the chart has."""
    names = list(names)
    gates = {name: GATE_COLOURS[name] for name in names if name in GATE_COLOURS}
    others = cycle((*_MORE, *(hue for hue in LINES if hue not in (*_MORE, *gates.values()))))
    return {name: gates.get(name) or next(others) for name in names}


def of_dashed_line(hue: Hue) -> Hue:
    """Return the colour of a dashed line beside a solid line of this hue.

    It is darker. In the dark theme, the colour of a solid line that is not bright itself gives a paler one, because a darker one
    would be too near to the background.
    """
    is_bright = mean(_parts(hue["dark"])) > BRIGHT
    return {
        "light": _mixed(hue["light"], 0, 0.45),
        "dark": _mixed(hue["dark"], 0, 0.45) if is_bright else _mixed(hue["dark"], 255, 0.65),
    }


def _parts(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def _mixed(colour: str, end: int, part: float) -> str:
    """Return the colour at this part of the way to black (0) or white (255)."""
    return "#" + "".join(f"{round(value + part * (end - value)):02x}" for value in _parts(colour))
