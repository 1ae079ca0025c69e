"""Plots and charts of a picture: functions of z with the units as dots, and quantities over steps or updates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.activations import Activation
from core.arrays import Array
from core.sequence.unroll import OVERFLOW_LIMIT
from dashboard.drawing.colours import ACTIVATION, DASHED, Hue
from dashboard.drawing.matrices import Item, packed
from dashboard.drawing.scales import SHADE

# The z of the curves. At its ends sigmoid and tanh are saturated by any threshold.
GRID = np.linspace(-8, 8, 161)


def series(values: Sequence[float]) -> Array:
    """Return numbers as the values of a `Line`; NaN for a missing one."""
    return np.array(values, dtype=np.float64)


def log10(values: Sequence[float]) -> list[float]:
    """Return decimal logarithms; NaN for 0 and below."""
    numbers = np.array(values, dtype=np.float64)
    positive = np.where(numbers > 0, numbers, np.nan)
    return np.log10(positive).tolist()


def animated_activation(
    name: str,
    g: Activation,
    z: Array,
    *,
    bounds: tuple[float, float],
    low: float,
    high: float,
    colour: Hue,
    in_row: int,
    beside: int = 1,
    dots: Hue | None = None,
    others: Sequence[tuple[Hue, Array]] = (),
) -> Item:
    """Return an activation with a dot for each unit, at each position of the picture's `Playback`; it has the width of its panel.

    Parameters
    ----------
    name : str
        What the activation gives, such as ``"f_t"``.
    g : Activation
    z : ndarray of shape (steps, k)
    bounds : tuple of float
        The activation is saturated outside of these, and shaded there.
    low, high : float
        The ends of the vertical axis.
    colour : Hue
        The colour of the line.
    in_row, beside : int
        As for `plot`.
    dots : Hue, optional
        The colour of the dots; by default that of the line.
    others : sequence of (Hue, ndarray of shape (steps, units))
        The z of units of other cells at each position: rings of their own colour.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    of_all = [
        np.clip(np.nan_to_num(values), -OVERFLOW_LIMIT, OVERFLOW_LIMIT) for values in (z, *(zs for _, zs in others))
    ]
    (z, g_z), *of_others = [(values, g.f(values)) for values in of_all]
    ticks = np.linspace(low, high, 5).tolist()
    # Such as tanh(c_t), which is no activation of a pre-activation z.
    argument = name.removeprefix(f"{g.symbol}(").removesuffix(")") if name.startswith(g.symbol) else "z"
    made = plot(
        name,
        [Line("", g.f(GRID), colour)],
        z[-1],
        g_z[-1],
        bounds=bounds,
        y_ticks=ticks,
        y_label=f"{name} = {g.symbol}(z)" if argument == "z" else name,
        colour=dots or colour,
        frames=(z, g_z),
        widest=None,
        in_row=in_row,
        beside=beside,
    )
    rings = [
        {"colour": hue, "units": zs.shape[1], "frames": packed(np.stack([zs, gs], axis=-1), single=True)}
        for (hue, _), (zs, gs) in zip(others, of_others, strict=True)
    ]
    return made | {"rings": rings, "x_label": argument}


class Line(NamedTuple):
    """A function over GRID, or a quantity of a `chart`.

    Attributes
    ----------
    label : str
    values : ndarray of shape (points,)
    colour : Hue
    dash : tuple of int
        The lengths of dashes and gaps in pixels; empty for a solid line.
    places : ndarray of shape (points,), optional
        The position of each point on the axis. Without them the points are evenly spaced over the whole axis.
    """

    label: str
    values: Array
    colour: Hue
    dash: tuple[int, ...] = ()
    places: Array | None = None


def plot(
    name: str,
    lines: Sequence[Line],
    z: Array,
    g_z: Array,
    *,
    bounds: tuple[float, float],
    y_ticks: Sequence[float],
    colour: Hue,
    y_label: str = "",
    frames: tuple[Array, Array] | None = None,
    widest: int | None = 400,
    in_row: int = 1,
    beside: int = 1,
) -> Item:
    """Return functions of z as lines, with a dot for each unit on one of them.

    The axes never move. A unit outside of them is a triangle at the edge.

    Parameters
    ----------
    name : str
        The function that the dots lie on.
    lines : sequence of Line
        Each of the shape of GRID, whose ends are the ends of the axis.
    z, g_z : ndarray of shape (k,)
        The units' pre-activations, and the function's values there.
    bounds : tuple of float
        The activation is saturated outside of these, and shaded there.
    y_ticks : sequence of float
        Ascending; lines are clipped at the first and the last.
    colour : Hue
        The colour of the dots.
    y_label : str
        The title of the vertical axis; by default the function of z that the dots lie on.
    frames : two ndarrays of shape (steps, k), optional
        z and g_z at each position of the panel's `Playback`.
    widest : int, optional
        The largest width in pixels; None for the width of the panel.
    in_row : int
        How many such plots the row has: in the projector view they share its line.
    beside : int
        How many of them share a line elsewhere, if there is room.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    low, high = float(GRID[0]), float(GRID[-1])
    return {
        "kind": "curve",
        "symbol": name,
        **_axes(lines, (low, high), list(range(-8, 9, 2)), y_ticks, x_label="z", y_label=y_label or f"{name}(z)"),
        "dots": packed(np.stack([z, g_z], axis=-1), single=False),
        "frames": None if frames is None else packed(np.stack(frames, axis=-1), single=True),
        "colour": colour,
        "bounds": [max(bounds[0], low), min(bounds[1], high)],
        "shade": SHADE,
        "widest": widest,
        "in_row": in_row,
        "beside": beside,
        "rings": [],
        "is_scatter": False,
    }


def scatter(
    name: str,
    x: Array,
    y: Array,
    colour: Hue,
    *,
    x_label: str,
    y_label: str,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    widest: int | None = 400,
    in_row: int = 1,
) -> Item:
    """Return a dot for each unit over two quantities; a click selects a unit.

    Parameters
    ----------
    name : str
        What the units are those of.
    x, y : ndarray of shape (k,)
        A unit beyond the axes is drawn at their edge.
    colour : Hue
    x_label, y_label : str
        The titles of the axes.
    x_range, y_range : tuple of float, optional
        The ends of the axes; those of the numbers by default.
    widest : int, optional
    in_row : int
        As for `plot`.
    """
    x_low, x_high = x_range or (float(x.min()), float(x.max()))
    finite = y[np.isfinite(y)]
    y_low, y_high = y_range or (min(0.0, float(finite.min(initial=0))), max(0.0, float(finite.max(initial=0))))
    x_ticks, y_ticks = _ticks(x_low, x_high), _ticks(y_low, y_high)
    ends = (x_ticks[0], x_ticks[-1])
    # A line without points, for its name above the axes.
    named = Line(name, np.full(2, np.nan), colour)
    return {
        "kind": "curve",
        "symbol": name,
        **_axes([named], ends, x_ticks, y_ticks, x_label=x_label, y_label=y_label),
        "dots": packed(np.stack([x, y], axis=-1), single=False),
        "frames": None,
        "colour": colour,
        "bounds": list(ends),
        "shade": SHADE,
        "widest": widest,
        "in_row": in_row,
        "beside": 1,
        "rings": [],
        "is_scatter": True,
    }


def chart(
    lines: Sequence[Line],
    *,
    x_label: str,
    y_label: str,
    steps: Array | None = None,
    keyed: bool = False,
    whole: Sequence[Line] = (),
) -> Item:
    """Return quantities as lines over their places or over 0, 1, 2 and so on, in the width of the panel.

    The axes include 0 and all values, or those of `whole`.

    Parameters
    ----------
    lines : sequence of Line
        Lines without places have the same length. A value that is not finite leaves a gap. A line without a label is not in
        the legend.
    x_label, y_label : str
        The titles of the axes.
    steps : ndarray of shape (steps,), optional
        The place of each position of the picture's `Playback` on the axis: the current one is marked.
    keyed : bool
        Whether the key of the picture names the lines. The chart itself names them in a saved file, on paper and in a small window.
    whole : sequence of Line
        Those of the lines that the vertical axis includes, if it does not include all: the others leave the chart.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    values = np.concatenate([line.values for line in whole or lines])
    finite = values[np.isfinite(values)]
    last = max(1.0, *(len(line.values) - 1 if line.places is None else float(line.places.max()) for line in lines))
    x_ticks, y_ticks = _ticks(0, last, least=1), _ticks(min(0, finite.min(initial=0)), max(0, finite.max(initial=0)))
    return {
        "kind": "chart",
        **_axes(lines, (0, last), [x for x in x_ticks if x <= last], y_ticks, x_label=x_label, y_label=y_label),
        "steps": None if steps is None else packed(steps, single=True),
        "keyed": keyed,
    }


def _axes(
    lines: Sequence[Line],
    x_range: tuple[float, float],
    x_ticks: Sequence[float],
    y_ticks: Sequence[float],
    *,
    x_label: str,
    y_label: str,
) -> Item:
    """Return the lines and both axes of a plot."""
    return {
        "x_range": x_range,
        "y_range": [y_ticks[0], y_ticks[-1]],
        "x_ticks": x_ticks,
        "y_ticks": list(y_ticks),
        "x_label": x_label,
        "y_label": y_label,
        "lines": [
            {
                "label": line.label,
                "colour": line.colour,
                "dash": [*line.dash],
                "values": packed(line.values, single=True),
                "places": None if line.places is None else packed(line.places, single=True),
            }
            for line in lines
        ],
    }


def _ticks(low: float, high: float, least: float = 0.0) -> list[float]:
    """Return evenly spaced round numbers from at or below `low` to at or above `high`."""
    if low == high:
        return [low, low + 1]
    power = max(least, 10.0 ** np.floor(np.log10((high - low) / 5)))
    step = next(power * mantissa for mantissa in (1, 2, 5, 10) if (high - low) / (power * mantissa) <= 6)
    # An accuracy of 1 may be 1 and a rounding error, which deserves no tick of its own.
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    return (step * np.arange(first, last + 1)).round(12).tolist()


def curve(g: Activation, z: Array, g_z: Array, bounds: tuple[float, float]) -> Item:
    """Return an activation and its derivative over z, with a dot for each unit on the activation.

    Parameters
    ----------
    g : Activation
    z, g_z : ndarray of shape (k,)
        The units' pre-activations and outputs.
    bounds : tuple of float
        g is saturated outside of these, and shaded there.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    up, slope = g.f(GRID), g.df(GRID)
    y_ticks = np.linspace(round(float(min(up.min(), 0)), 3), round(float(max(up.max(), slope.max())), 3), 5).tolist()
    lines = [Line(f"{g.symbol}(z)", up, ACTIVATION), Line(f"{g.symbol}′(z)", slope, ACTIVATION, DASHED)]
    y_label = f"{g.symbol}(z), {g.symbol}′(z)"
    return plot(g.symbol, lines, z, g_z, bounds=bounds, y_ticks=y_ticks, y_label=y_label, colour=ACTIVATION)
