"""Arrays in, items out: the matrices, plots and charts of a picture, as plain data that `static/picture` draws."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.time.unroll import LARGEST
from dashboard.drawing.scales import CURVE, FAINT, GRID, SHADE, SLOPE, USUAL, Scale, symmetric

Item = dict[str, Any]
Part = tuple[str, int, str]

# A larger matrix is drawn as the means of blocks of its entries.
MOST_ROWS, MOST_COLUMNS = 64, 128
# A larger matrix has no printed numbers, so it is sent in single precision.
MOST_PRINTED = 1024
# The same for all frames of a matrix together.
MOST_IN_FULL = 2**15


# ---- picture equations ---------------------------------------------------------------------


def op(symbol: str, *, align: bool = False) -> Item:
    """Return an operator between two matrices of a picture, such as ``"·"``.

    Parameters
    ----------
    symbol : str
    align : bool
        Whether it starts at the x of the aligned operators in the other rows, if there is room.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    return {"kind": "op", "symbol": symbol, "align": align}


def over(*blocks: Item) -> Item:
    """Return blocks on top of each other."""
    return {"kind": "column", "parts": list(blocks)}


def block(
    symbol: str,
    array: Array,
    scale: Scale,
    *,
    rows: Sequence[Part],
    columns: Sequence[Part] = (("column", 1, ""),),
    fixed: bool = True,
    units: bool = False,
    hover: Sequence[str] | None = None,
    frames: Array | None = None,
    over_time: bool = False,
    outlined: Array | None = None,
    headings: str | None = None,
    nothing: str = "not a number",
    product: Sequence[str] = (),
) -> Item:
    """Return a matrix of a picture as a heatmap.

    Parameters
    ----------
    symbol : str
        Its name in the equations; ``_h`` and ``_{hh}`` become subscripts.
    array : ndarray of shape (rows, columns)
    scale : Scale
    rows, columns : sequence of (name, size, label)
        The concatenated parts of the axis: the name of an entry, the number of entries, and the label
        of the part. Two parts have an outline each.
    fixed : bool
        Whether the colours are those of `scale`. Otherwise they are stretched to this array.
    units : bool
        Whether its rows are the hidden units: the selected one is marked in all such blocks.
    hover : sequence of str, optional
        The text of each row's tooltip in place of the entry's value.
    frames : ndarray of shape (steps, rows, columns), optional
        Its entries at each position of the picture's `Scrub`.
    over_time : bool
        Whether its columns are the positions of the `Scrub`: the current one is marked.
    outlined : ndarray of bool of the shape of array, optional
        The entries with an outline. A mean has one if most of its entries have one.
    headings : str, optional
        A character above each column; none if columns are means.
    nothing : str
        The tooltip of a NaN.
    product : sequence of str
        The symbols of a matrix, of the column that it multiplies, and of a bias: the tooltip of a row shows how its
        products add up, if all of these stand in the same drawing.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    row_edges = _edges(rows, -(-array.shape[0] // (MOST_ROWS if units else MOST_COLUMNS)))
    column_edges = _edges(columns, -(-array.shape[1] // MOST_COLUMNS))
    mean = len(row_edges) <= array.shape[0] or len(column_edges) <= array.shape[1]

    def shrunk(array: Array) -> Array:
        return block_means(array, row_edges, column_edges) if mean else array

    shown = shrunk(array)
    single = shown.size > MOST_PRINTED
    single_frames = single or (frames is not None and len(frames) * shown.size > MOST_IN_FULL)
    return {
        "kind": "block",
        "symbol": symbol,
        "shape": f"({array.shape[0]}, {array.shape[1]})",
        "mean": _mean_note(np.diff(row_edges), np.diff(column_edges)) if mean else None,
        "rows": shown.shape[0],
        "columns": shown.shape[1],
        # By columns, as its frames would be, so that an array which is shown both ways is sent once.
        "values": _packed(shown.T if over_time else shown, single),
        "frames": None if frames is None else _packed(shrunk(frames), single_frames),
        "single_frames": single_frames,
        "nothing": nothing,
        "over_time": over_time,
        "outlined": None if outlined is None else _packed(shrunk(outlined), single=True),
        "single": single,
        "scale": (scale if fixed else _stretched(scale, array))._asdict(),
        "row_parts": _named(rows),
        "headings": None if mean or headings is None else list(headings),
        "column_parts": None if array.shape[1] == 1 else _named(columns),
        "row_edges": row_edges,
        "column_edges": column_edges,
        "units": units,
        "hover": hover,
        "product": list(product),
    }


def given(symbol: str, array: Array, marked: Sequence[tuple[int | None, int | None]] = ()) -> Item:
    """Return a matrix of an exercise with outlined parts.

    Parameters
    ----------
    symbol : str
    array : ndarray of shape (rows, columns)
    marked : sequence of (row, column)
        Counted from 0; None stands for all of them.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    outlined = np.zeros(array.shape)
    for row, column in marked:
        outlined[slice(None) if row is None else row, slice(None) if column is None else column] = 1
    return block(
        symbol,
        array,
        symmetric("", 10, clips=True),
        rows=[("row", array.shape[0], "")],
        columns=[("column", array.shape[1], "")],
        outlined=outlined if marked else None,
    )


def blank(symbol: str, shape: tuple[int, int], entry: tuple[int, int], value: float | None) -> Item:
    """Return a matrix of an exercise without its entries. One entry is outlined, and shown once it is known.

    Parameters
    ----------
    symbol : str
    shape : (int, int)
    entry : (int, int)
        Its row and column, counted from 0.
    value : float, optional

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    matrix, outlined = np.full(shape, np.nan), np.zeros(shape)
    outlined[entry] = 1
    if value is not None:
        matrix[entry] = value
    return block(
        symbol,
        matrix,
        symmetric("", 10, clips=True),
        rows=[("row", shape[0], "")],
        columns=[("column", shape[1], "")],
        outlined=outlined,
        nothing="not told",
    )


def series(values: Sequence[float]) -> Array:
    """Return numbers as the values of a `Line`; NaN for a missing one."""
    return np.array(values, dtype=np.float64)


def log10(values: Sequence[float]) -> list[float]:
    """Return decimal logarithms; NaN for 0 and below."""
    numbers = np.array(values, dtype=np.float64)
    positive = np.where(numbers > 0, numbers, np.nan)
    return np.log10(positive).tolist()


def over_frames(symbol: str, frames: Array, row: str, column: str) -> Item:
    """Return a matrix at each position of the picture's `Scrub`, in colours up to the largest entry of all.

    Parameters
    ----------
    symbol : str
    frames : ndarray of shape (steps, rows, columns)
        (steps, T, k) for entries over time: units are then its rows.
    row, column : str
        The names of its rows and columns; "step" if the columns are time steps.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    if column == "step":
        frames = frames.transpose(0, 2, 1)
    with np.errstate(invalid="ignore"):
        frames = np.where(np.abs(frames) <= LARGEST, frames, np.nan)  # of a training that overflows
    limit = float(np.nanmax(np.abs(frames), initial=0)) or 1.0
    rows, columns = [(row, frames.shape[1], "")], [(column, frames.shape[2], "")]
    return block(
        symbol, frames[-1], symmetric("", limit), rows=rows, columns=columns, units=row == "unit", frames=frames
    )


def brought_back(maps: Mapping[str, Array], asked: Sequence[int]) -> list[Item]:
    """Return maps of the norm of each loss's gradient at each step, at each position of the picture's `Scrub`.

    Parameters
    ----------
    maps : mapping from str to ndarray of shape (steps, asked, T)
        The norms along each part of the state, by the symbols of the maps. All maps have the same colours.
    asked : sequence of int
        The steps of the rows, counted from 0.

    Returns
    -------
    list of dict
        Parts of a `Picture`.
    """
    logs = {}
    for symbol, frames in maps.items():
        possible = np.arange(frames.shape[2]) <= np.array(asked)[:, None]
        with np.errstate(divide="ignore"):
            logs[symbol] = np.log10(np.where(possible & (frames > 0), frames, np.nan))
    known = np.concatenate([values[np.isfinite(values)] for values in logs.values()])
    high = float(np.ceil(np.quantile(known, USUAL))) if known.size else 0.0
    rows: list[Part] = [
        ("loss at step", len(asked), "") if len(asked) > 1 else (f"loss at step {asked[0] + 1}, row", 1, "")
    ]
    return [
        block(
            symbol,
            values[-1],
            Scale("log₁₀ of the length", "sequential", high - FAINT, high, clips=True),
            rows=rows,
            columns=[("at step", values.shape[2], "")],
            frames=values,
            nothing="nothing comes back from here",
        )
        for symbol, values in logs.items()
    ]


def by_steps(symbol: str, rows: Array) -> Item:
    """Return the contribution of each time step as a row, in colours up to the largest entry."""
    limit = float(np.nanmax(np.abs(rows), initial=0)) or 1.0
    return block(
        symbol, rows, symmetric("", limit), rows=[("step", len(rows), "")], columns=[("column", rows.shape[1], "")]
    )


def riding(
    name: str, g: Callable[[Array], Array], z: Array, *, bounds: tuple[float, float], low: float, high: float
) -> Item:
    """Return an activation with a dot for each unit, at each position of the picture's `Scrub`.

    Parameters
    ----------
    name : str
    g : callable
        The activation.
    z : ndarray of shape (steps, k)
    bounds : tuple of float
        The activation is saturated outside of these, and shaded there.
    low, high : float
        The ends of the vertical axis.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    z = np.clip(np.nan_to_num(z), -LARGEST, LARGEST)
    ticks = np.linspace(low, high, 5).tolist()
    lines = [Line(name, g(GRID), CURVE)]
    return plot(name, lines, z[-1], g(z[-1]), bounds=bounds, y_ticks=ticks, colour=CURVE, frames=(z, g(z)))


class Edge(NamedTuple):
    """A part of a side of a `box`: its name, its size if known, and whether the size matches."""

    name: str
    size: int | None
    meets: bool = True


def box(symbol: str, rows: Sequence[Edge], columns: Sequence[Edge], largest: int) -> Item:
    """Return a matrix without entries, in true proportion to the others of its panel.

    Parameters
    ----------
    symbol : str
    rows, columns : sequence of Edge
        The concatenated parts of each side.
    largest : int
        The longest side of all boxes of the panel.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    height, width = (
        "?" if any(part.size is None for part in parts) else sum(part.size or 0 for part in parts)
        for parts in (rows, columns)
    )
    return {
        "kind": "box",
        "symbol": symbol,
        "shape": f"({height}, {width})",
        "rows": [part._asdict() for part in rows],
        "columns": [part._asdict() for part in columns],
        "largest": largest,
    }


def _named(parts: Sequence[Part]) -> list[dict[str, str | int]]:
    """Return the parts of an axis as dicts."""
    return [{"name": name, "size": size, "label": label} for name, size, label in parts]


def _mean_note(heights: Array, widths: Array) -> str:
    """Return how many entries a mean has; the last ones of a part may have fewer."""
    size = f"{heights.max()}" if len(widths) == 1 else f"{heights.max()}×{widths.max()}"
    uneven = "up to " if np.ptp(heights) or np.ptp(widths) else ""
    return f"mean of {uneven}{size}" if len(widths) == 1 else f"each cell the mean of {uneven}{size}"


def _packed(array: Array, single: bool) -> str:
    """Return the numbers as base64, which parses many times faster than a list."""
    return b64encode(array.astype(np.float32 if single else np.float64).tobytes()).decode()


def _stretched(scale: Scale, array: Array) -> Scale:
    """Return the scale up to the largest magnitude of one array. It has no label, so no legend lists it."""
    largest = float(np.max(np.abs(array), where=np.isfinite(array), initial=0)) or 1.0
    return Scale("", scale.palette, -largest if scale.low < 0 else 0, largest)


def _edges(parts: Sequence[Part], factor: int) -> list[int]:
    """Return the first index of each block of an axis, and its end. No block reaches across two parts."""
    edges: list[int] = []
    start = 0
    for _, size, _ in parts:
        edges += range(start, start + size, factor)
        start += size
    return [*edges, start]


def block_means(array: Array, row_edges: Sequence[int], column_edges: Sequence[int]) -> Array:
    """Return the means of the blocks between the edges, without NaNs.

    Parameters
    ----------
    array : ndarray of shape (..., rows, columns)
    row_edges, column_edges : sequence of int
        The first index of each block, and the end of the axis.

    Returns
    -------
    ndarray of shape (..., len(row_edges) - 1, len(column_edges) - 1)
    """

    def sums(numbers: Array) -> Array:
        numbers = numbers.astype(np.float64, copy=False)
        return np.add.reduceat(np.add.reduceat(numbers, column_edges[:-1], axis=-1), row_edges[:-1], axis=-2)

    unknown = np.isnan(array)
    if not unknown.any():
        return sums(array) / np.outer(np.diff(row_edges), np.diff(column_edges))
    with np.errstate(invalid="ignore"):
        return sums(np.where(unknown, 0, array)) / sums(~unknown)


class Line(NamedTuple):
    """A function over GRID, or a quantity of a `chart`.

    Attributes
    ----------
    label : str
    values : ndarray of shape (points,)
    colour : str
    dashed : bool
    places : ndarray of shape (points,), optional
        The position of each point on the axis. Without them the points are evenly spaced over the whole axis.
    """

    label: str
    values: Array
    colour: str
    dashed: bool = False
    places: Array | None = None


def plot(
    name: str,
    lines: Sequence[Line],
    z: Array,
    g_z: Array,
    *,
    bounds: tuple[float, float],
    y_ticks: Sequence[float],
    colour: str,
    frames: tuple[Array, Array] | None = None,
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
    colour : str
        The colour of the dots.
    frames : two ndarrays of shape (steps, k), optional
        z and g_z at each position of the panel's `Scrub`.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    low, high = float(GRID[0]), float(GRID[-1])
    return {
        "kind": "curve",
        "symbol": name,
        **_axes(lines, (low, high), list(range(-8, 9, 2)), y_ticks, x_label="z"),
        "dots": _packed(np.stack([z, g_z], axis=-1), single=False),
        "frames": None if frames is None else _packed(np.stack(frames, axis=-1), single=True),
        "colour": colour,
        "bounds": [max(bounds[0], low), min(bounds[1], high)],
        "shade": SHADE,
    }


def chart(lines: Sequence[Line], *, x_label: str, y_label: str, steps: Array | None = None) -> Item:
    """Return quantities as lines over their places or over 0, 1, 2 and so on. The axes include all values and 0.

    Parameters
    ----------
    lines : sequence of Line
        Lines without places have the same length. A value that is not finite leaves a gap. A line without a label is not in
        the legend.
    x_label, y_label : str
    steps : ndarray of shape (steps,), optional
        The place of each position of the picture's `Scrub` on the axis: the current one is marked.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    values = np.concatenate([line.values for line in lines])
    finite = values[np.isfinite(values)]
    last = max(1.0, *(len(line.values) - 1 if line.places is None else float(line.places.max()) for line in lines))
    x_ticks, y_ticks = _ticks(0, last, least=1), _ticks(min(0, finite.min(initial=0)), max(0, finite.max(initial=0)))
    return {
        "kind": "chart",
        **_axes(lines, (0, last), [tick for tick in x_ticks if tick <= last], y_ticks, x_label=x_label),
        "y_label": y_label,
        "steps": None if steps is None else _packed(steps, single=True),
    }


def _axes(
    lines: Sequence[Line],
    x_range: tuple[float, float],
    x_ticks: Sequence[float],
    y_ticks: Sequence[float],
    *,
    x_label: str,
) -> Item:
    """Return the lines and both axes of a plot."""
    return {
        "x_range": x_range,
        "y_range": [y_ticks[0], y_ticks[-1]],
        "x_ticks": x_ticks,
        "y_ticks": list(y_ticks),
        "x_label": x_label,
        "lines": [
            {
                "label": line.label,
                "colour": line.colour,
                "dash": [6, 4] if line.dashed else [],
                "values": _packed(line.values, single=True),
                "places": None if line.places is None else _packed(line.places, single=True),
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
    return (step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)).round(12).tolist()


def curve(name: str, g: Array, dg: Array, z: Array, g_z: Array, bounds: tuple[float, float]) -> Item:
    """Return an activation and its derivative over z, with a dot for each unit on the activation.

    Parameters
    ----------
    name : str
        The name of g.
    g, dg : ndarray of the shape of GRID
        The activation and its derivative on GRID.
    z, g_z : ndarray of shape (k,)
        The units' pre-activations and outputs.
    bounds : tuple of float
        g is saturated outside of these, and shaded there.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    y_ticks = np.linspace(round(float(min(g.min(), 0)), 3), round(float(max(g.max(), dg.max())), 3), 5).tolist()
    lines = [Line(f"{name}(z)", g, CURVE), Line(f"{name}′(z)", dg, SLOPE, dashed=True)]
    return plot(name, lines, z, g_z, bounds=bounds, y_ticks=y_ticks, colour=CURVE)
