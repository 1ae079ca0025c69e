"""Arrays in, pictures out: the page's equations as rows of matrices, with the words beside them.

A picture is plain data, which `static/picture/picture.js` draws in one component for the whole page. Each item of a row says
of which kind it is: `static/picture/items.js` has the same kinds. Colours of numbers live here; all palettes are safe for
colour-blind readers.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.time.unroll import LARGEST
from dashboard.numerals import number

Picture = dict[str, Any]
Item = dict[str, Any]
Part = tuple[str, int, str]

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
# Of lines that stand for one thing each, such as a cell.
LINES = (CURVE, SLOPE, OTHER, "#8e6bbf")

# No more cells than this are drawn of one matrix: each cell of a larger one is the mean of a block.
MOST_ROWS, MOST_COLUMNS = 64, 128
# Over how many powers of ten a length goes from the brightest colour to the darkest.
FAINT = 6
# Up to which share of them all: one explosion at the end would make all before it dark.
USUAL = 0.8
# Up to this many cells numbers may be printed, so they travel in full precision.
MOST_PRINTED = 1024
# As frames more numbers may, but not without end.
MOST_IN_FULL = 2**15

# z for the curves. Where it ends, sigmoid and tanh are saturated by any standard.
GRID = np.linspace(-8, 8, 161)


class Scale(NamedTuple):
    """What the colours of a matrix mean: a palette between two values."""

    label: str
    palette: str
    low: float
    high: float
    clips: bool = False


def weight_scale(label: str, *, is_random: bool) -> Scale:
    """For weights and inputs: what is drawn seldom goes beyond 3, and what is typed seldom beyond 10."""
    return symmetric(label, 3 if is_random else 10, clips=True)


def symmetric(label: str, limit: float, *, clips: bool = False) -> Scale:
    """A diverging scale about 0; if it clips, all that is beyond the limit looks like the limit."""
    return Scale(label, "diverging", -limit, limit, clips)


def sequential(label: str, high: float) -> Scale:
    """A scale from 0 up."""
    return Scale(label, "sequential", 0, high)


# ---- picture equations ---------------------------------------------------------------------


def op(symbol: str, *, align: bool = False) -> Item:
    """An operator between two matrices of a picture, such as ``"·"``.

    Parameters
    ----------
    symbol : str
    align : bool
        Start where the aligned operators of the other rows start, if there is room.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    return {"kind": "op", "symbol": symbol, "align": align}


def over(*blocks: Item) -> Item:
    """Blocks on top of each other."""
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
    """One matrix of a picture, as a heatmap with square cells.

    Parameters
    ----------
    symbol : str
        What the equations call it; ``_h`` and ``_{hh}`` become subscripts.
    array : ndarray of shape (rows, columns)
    scale : Scale
    rows, columns : sequence of (name, size, label)
        The parts that the axis is joined of: what an entry is called, how many there are, and the
        label of the part. A join of two parts shows both outlines.
    fixed : bool
        Whether the colours mean what `scale` says, rather than being stretched to this array.
    units : bool
        Whether its rows are the units of the cell: the inspected one is marked in all such blocks.
    hover : sequence of str, optional
        What pointing at a row shows in place of the entry's value.
    frames : ndarray of shape (steps, rows, columns), optional
        What it becomes at each step of the picture's `Scrub`.
    over_time : bool
        Whether its columns are the steps of the `Scrub`: the one that is shown is marked.
    outlined : ndarray of bool of the shape of array, optional
        The entries to draw an outline around; of a mean, where they are most of its entries.
    headings : str, optional
        A character for each column, which stands above it; where columns are means there are none.
    nothing : str
        What pointing at a NaN says.
    product : sequence of str
        The symbols of a matrix and of a column of which it is the product, and of a bias that is added: pointing at a row
        shows how its products add up, where all of these stand in the same drawing.

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
        # By columns, as its frames would be: what is shown both ways then travels once.
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
    """A matrix of an exercise, with parts of it outlined.

    Parameters
    ----------
    symbol : str
    array : ndarray of shape (rows, columns)
    marked : sequence of (row, column)
        Counted from 0; None is all of them.

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
    """A matrix of which one entry is asked for, and none is shown but the asked one once it is known.

    Parameters
    ----------
    symbol : str
    shape : (int, int)
    entry : (int, int)
        Its row and its column, counted from 0.
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
    """Numbers as the values of a `Line`; NaN where there is none."""
    return np.array(values, dtype=np.float64)


def log10(values: Sequence[float]) -> list[float]:
    """Decimal logarithms, NaN of what has none."""
    numbers = np.array(values, dtype=np.float64)
    positive = np.where(numbers > 0, numbers, np.nan)
    return np.log10(positive).tolist()


def over_frames(symbol: str, frames: Array, row: str, column: str) -> Item:
    """A matrix at each step of the picture's `Scrub`, in colours up to the largest of all.

    Parameters
    ----------
    symbol : str
    frames : ndarray of shape (steps, rows, columns)
        Or, of what has steps of time, (steps, T, k): units are then its rows.
    row, column : str
        What its rows and columns are called; "step" where the columns are steps of time.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    if column == "step":
        frames = frames.transpose(0, 2, 1)
    with np.errstate(invalid="ignore"):
        frames = np.where(np.abs(frames) <= LARGEST, frames, np.nan)  # of a training that overflows at once
    limit = float(np.nanmax(np.abs(frames), initial=0)) or 1.0
    rows, columns = [(row, frames.shape[1], "")], [(column, frames.shape[2], "")]
    return block(
        symbol, frames[-1], symmetric("", limit), rows=rows, columns=columns, units=row == "unit", frames=frames
    )


def brought_back(maps: Mapping[str, Array], asked: Sequence[int]) -> list[Item]:
    """How long what each step's loss sends back is when it comes to each step, at each step of the picture's `Scrub`.

    Parameters
    ----------
    maps : mapping from str to ndarray of shape (steps, asked, T)
        The lengths along each part of the state, by the symbols of the maps. All maps have the same colours.
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
    """What each step adds, a row for each, in colours up to the largest of all."""
    limit = float(np.nanmax(np.abs(rows), initial=0)) or 1.0
    return block(
        symbol, rows, symmetric("", limit), rows=[("step", len(rows), "")], columns=[("column", rows.shape[1], "")]
    )


def riding(
    name: str, g: Callable[[Array], Array], z: Array, *, bounds: tuple[float, float], low: float, high: float
) -> Item:
    """An activation with each unit as a dot on it, at each step of the picture's `Scrub`.

    Parameters
    ----------
    name : str
    g : callable
        The activation.
    z : ndarray of shape (steps, k)
    bounds : tuple of float
        Outside of these it is saturated, and shaded.
    low, high : float
        The ends of the axis upwards.

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
    """A part of a side of a `box`: what its entries are of, how many or None, and whether they meet as many."""

    name: str
    size: int | None
    meets: bool = True


def box(symbol: str, rows: Sequence[Edge], columns: Sequence[Edge], largest: int) -> Item:
    """A matrix of which only the sizes are known, in true proportion to the others of its panel.

    Parameters
    ----------
    symbol : str
    rows, columns : sequence of Edge
        The parts that each side is joined of.
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
    """The parts of an axis, with what each of their values is."""
    return [{"name": name, "size": size, "label": label} for name, size, label in parts]


def _mean_note(heights: Array, widths: Array) -> str:
    """Of how many entries the shown cells are the means; at the end of a part there may be fewer."""
    size = f"{heights.max()}" if len(widths) == 1 else f"{heights.max()}×{widths.max()}"
    uneven = "up to " if np.ptp(heights) or np.ptp(widths) else ""
    return f"mean of {uneven}{size}" if len(widths) == 1 else f"each cell the mean of {uneven}{size}"


def _packed(array: Array, single: bool) -> str:
    """The numbers as base64, which parses many times faster than a list of them."""
    return b64encode(array.astype(np.float32 if single else np.float64).tobytes()).decode()


def _stretched(scale: Scale, array: Array) -> Scale:
    """The same kind of scale, but to the largest magnitude of one array, and so in no legend."""
    largest = float(np.max(np.abs(array), where=np.isfinite(array), initial=0)) or 1.0
    return Scale("", scale.palette, -largest if scale.low < 0 else 0, largest)


def _edges(parts: Sequence[Part], factor: int) -> list[int]:
    """Where the shown cells of an axis begin, and its end; no cell reaches from one part into the next."""
    edges: list[int] = []
    start = 0
    for _, size, _ in parts:
        edges += range(start, start + size, factor)
        start += size
    return [*edges, start]


def block_means(array: Array, row_edges: Sequence[int], column_edges: Sequence[int]) -> Array:
    """The means of the blocks between the edges, of what in them is a number at all.

    Parameters
    ----------
    array : ndarray of shape (..., rows, columns)
    row_edges, column_edges : sequence of int
        Where each block begins, and last the end of the axis.

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
        Where on the axis each point stands. Without them the points are evenly spaced from one end of the axis to the other.
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
    """Functions of z as lines, with each unit as a dot on one of them.

    The axes never move: a unit outside of them is drawn at the edge as a triangle.

    Parameters
    ----------
    name : str
        The function that the dots lie on.
    lines : sequence of Line
        Each of the shape of GRID, whose ends are the ends of the axis.
    z, g_z : ndarray of shape (k,)
        The units' pre-activations, and the function's values there.
    bounds : tuple of float
        Outside of these the activation is saturated, and shaded.
    y_ticks : sequence of float
        Ascending; the lines are cut off beyond the first and the last.
    colour : str
        Of the dots.
    frames : two ndarrays of shape (steps, k), optional
        z and g_z at each step of the panel's `Scrub`.

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
    """Some quantities over their places, or else over 0, 1, 2 and so on, on axes that hold all of them and 0.

    Parameters
    ----------
    lines : sequence of Line
        Those without places are all of one length. Where a value is not finite nothing is drawn; a line without a label is
        not in the legend.
    x_label, y_label : str
    steps : ndarray of shape (steps,), optional
        Where on the axis the steps of the picture's `Scrub` stand: the one that is shown is marked.

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
    """The lines of a plot, and both axes."""
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
    """Some round numbers, evenly spaced, from one at or below the lowest value to one at or above the highest."""
    if low == high:
        return [low, low + 1]
    power = max(least, 10.0 ** np.floor(np.log10((high - low) / 5)))
    step = next(power * mantissa for mantissa in (1, 2, 5, 10) if (high - low) / (power * mantissa) <= 6)
    return (step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)).round(12).tolist()


def curve(name: str, g: Array, dg: Array, z: Array, g_z: Array, bounds: tuple[float, float]) -> Item:
    """An activation and its derivative over z, with each unit as a dot on the activation.

    Parameters
    ----------
    name : str
        What g is called.
    g, dg : ndarray of the shape of GRID
        The activation and its derivative on GRID.
    z, g_z : ndarray of shape (k,)
        The units' pre-activations and outputs.
    bounds : tuple of float
        Outside of these g is saturated, and shaded.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    y_ticks = np.linspace(round(float(min(g.min(), 0)), 3), round(float(max(g.max(), dg.max())), 3), 5).tolist()
    lines = [Line(f"{name}(z)", g, CURVE), Line(f"{name}′(z)", dg, SLOPE, dashed=True)]
    return plot(name, lines, z, g_z, bounds=bounds, y_ticks=y_ticks, colour=CURVE)


class Step(NamedTuple):
    """One position of a scrub: its label, and what the panel's title and note say there."""

    label: str
    title: str
    note: str


class Fit(NamedTuple):
    """How large the cells of a panel should be, unless the width of the page makes them smaller.

    Attributes
    ----------
    axis : str
        "rows" or "columns".
    pixels : float
        Into how many those of the largest block should fit.
    smallest : float
        What the side of a cell may become for it.
    """

    axis: str
    pixels: float
    smallest: float


class Scrub(NamedTuple):
    """A slider within a panel, which is played in the browser without asking the server; a picture has one at most.

    Attributes
    ----------
    label : str
    steps : sequence of Step
        As many as the frames of the picture's blocks and curves.
    start : int
        The step at which it stands.
    reported : bool
        Whether a setting in the URL follows the step, as `screen.Steps` says.
    pace : sequence of float, optional
        The share of its time that a play spends on each step; without it they are alike.
    """

    label: str
    steps: Sequence[Step]
    start: int
    reported: bool = False
    pace: Sequence[float] | None = None


def panel(
    title: str,
    text: str,
    *rows: Sequence[Item],
    alt: str,
    code: Sequence[str] = (),
    note: str = "",
    exactly: str = "",
    scrub: Scrub | None = None,
    fit: Fit | None = None,
) -> Item:
    """One section of a picture: a heading, a few sentences, and rows of matrices and operators.

    Parameters
    ----------
    title, text : str
        Plain words; ``_h`` and ``_{hh}`` become subscripts, unless they come from `literal`.
    rows : sequences of items
        From `block`, `box`, `over`, `op`, `plot`, `curve` and `chart`. Each is drawn on one line where it fits.
    alt : str
        What a reader who cannot see the rows should know of them.
    code : sequence of str
        Lines of code under the rows.
    note : str
        What the numbers now say, under the rows.
    exactly : str
        What only an expert asks for, folded below all else.
    scrub : Scrub, optional
        Moves the blocks and curves of the picture that have frames.
    fit : Fit, optional

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    parts = [part for row in rows for item in row for part in (item["parts"] if item["kind"] == "column" else [item])]
    scales = dict.fromkeys(Scale(**part["scale"]) for part in parts if part["kind"] == "block")
    return {
        "title": title,
        "text": text,
        "rows": [list(row) for row in rows],
        "alt": alt,
        "code": list(code),
        "note": note,
        "exactly": exactly,
        "side": "",
        "scrub": scrub and {**scrub._asdict(), "steps": [step._asdict() for step in scrub.steps]},
        "fit": fit and fit._asdict(),
        "legends": [
            {
                "label": scale.label,
                "palette": scale.palette,
                "low": ("≤ " if scale.clips else "") + number(scale.low, 2),
                "high": ("≥ " if scale.clips else "") + number(scale.high, 2),
            }
            for scale in scales
            if scale.label
        ],
    }


def remark(text: str) -> Item:
    """What is to be said before all panels, such as that something is not shown as it was asked for.

    Parameters
    ----------
    text : str
        As of a panel.

    Returns
    -------
    dict
    """
    return {"kind": "remark", "text": text}


def beside(a: Sequence[Item], b: Sequence[Item]) -> list[Item]:
    """The panels of two sets of choices, each of A's before that of B with its title; words that are the same stand once.

    Parameters
    ----------
    a, b : sequence of panels and remarks
        Of what is frozen and of what follows the dials: A has no scrub of its own.

    Returns
    -------
    list of panels and remarks
        The browser compares the numbers of each panel of B with those of the panel of A before it.
    """
    remarks = [remark(f"A: {text}") for text in _remarks(a)] + [remark(text) for text in _remarks(b)]
    a, b = _panels(a), _panels(b)
    steps = _steps(a)
    start = steps[0][0] if steps and steps != _steps(b) else None
    waiting = {panel["title"]: panel for panel in a}
    paired = remarks
    for panel in b:
        other = waiting.pop(panel["title"], None)
        if other == panel and not panel["rows"]:
            paired.append(panel)
            continue
        if other:
            paired.append(_frozen(other, start))
        paired.append(panel | {"side": "B", "alt": f"B: {panel['alt']}"})
    return paired + [_frozen(panel, start) for panel in waiting.values()]


def _panels(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.get("kind") != "remark"]


def _remarks(items: Sequence[Item]) -> list[str]:
    return [item["text"] for item in items if item.get("kind") == "remark"]


def _steps(panels: Sequence[Item]) -> list[tuple[int, list[str]]]:
    """Where the scrub of some panels starts, and its steps: where they are the same, one scrub can move both."""
    scrubs = [panel["scrub"] for panel in panels if panel["scrub"]]
    return [(scrub["start"], [step["label"] for step in scrub["steps"]]) for scrub in scrubs]


def _frozen(panel: Item, start: int | None) -> Item:
    """A panel of A: its drawing, at the step where its scrub starts if it has one of its own, and what its numbers say."""
    at_start = panel["scrub"]["steps"][panel["scrub"]["start"]] if panel["scrub"] else panel
    rows = panel["rows"] if start is None else [[_still(item, start) for item in row] for row in panel["rows"]]
    return panel | {
        "side": "A",
        "title": at_start["title"],
        "note": at_start["note"],
        "text": "" if rows else panel["text"],
        "alt": f"A, frozen: {panel['alt']}",
        "code": [],
        "scrub": None,
        "rows": rows,
    }


def _still(item: Item, start: int) -> Item:
    """The item as it is at the step where its scrub starts."""
    if item["kind"] == "column":
        return item | {"parts": [_still(part, start) for part in item["parts"]]}
    return item | {"frames": None, "still": start} if item.get("frames") or item.get("over_time") else item


def page(panels: Sequence[Item], *, decimals: int, unit: int) -> Picture:
    """All that one page draws.

    Parameters
    ----------
    panels : sequence of panels and remarks
        From top to bottom; the remarks stand above all panels.
    decimals : int
        How many decimals are printed; the values themselves are not rounded.
    unit : int
        The inspected unit, counted from 0.

    Returns
    -------
    dict
    """
    blocks: dict[int, tuple[int, Item]] = {}
    drawn = [
        {**panel, "rows": [[_refer(item, blocks) for item in row] for row in panel["rows"]]}
        for panel in _panels(panels)
    ]
    packed: dict[str, int] = {}
    return {
        "remarks": _remarks(panels),
        "panels": drawn,
        "blocks": [_pooled(block, packed) for _, block in blocks.values()],
        "packed": list(packed),
        "palettes": PALETTES,
        "decimals": decimals,
        "unit": unit,
    }


def _refer(item: Item, blocks: dict[int, tuple[int, Item]]) -> Item:
    """The item with each block replaced by its place among them: one that is drawn twice travels once."""
    if item["kind"] == "column":
        return item | {"parts": [_refer(part, blocks) for part in item["parts"]]}
    if item["kind"] != "block":
        return item
    return {"kind": "block", "index": blocks.setdefault(id(item), (len(blocks), item))[0]}


def _pooled(block: Item, packed: dict[str, int]) -> Item:
    """The block with its numbers replaced by where they are: the same numbers travel once."""
    numbers = {name: block[name] for name in ("values", "frames", "outlined") if block[name] is not None}
    return block | {name: packed.setdefault(text, len(packed)) for name, text in numbers.items()}


def literal(text: str) -> str:
    """A text that is not ours, for the words of a panel: as it is, without subscripts."""
    return text.replace("_", "__")
