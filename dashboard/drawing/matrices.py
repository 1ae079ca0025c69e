"""Arrays in, items out: the matrices of a picture as plain data, which `static/picture` draws."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.sequence.unroll import OVERFLOW_LIMIT
from dashboard.drawing.colours import COLOUR_OF_GATE_NAME
from dashboard.drawing.scales import Scale, norm_scale, symmetric
from dashboard.text import drawing as text

Item = dict[str, Any]
Part = tuple[str, int, str]

# The looks of an outline, as `static/picture/block.js` draws them.
SOLID, DASHED = 1, 2
# A larger matrix is drawn as the means of blocks of its entries.
MOST_ROWS, MOST_COLUMNS = 64, 128
# A larger matrix has no printed numbers, so it is sent in single precision.
MOST_PRINTED = 1024
# The limit for all frames of a matrix together.
MOST_IN_FULL = 2**15
# In maps of norms the strongest colour stands for this quantile: the largest norm of all would make the others faint.
STRONGEST_QUANTILE = 0.8


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


def stacked(*blocks: Item) -> Item:
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
    headings: Sequence[str] | None = None,
    row_headings: Sequence[str] | None = None,
    axes: tuple[str, str] | None = None,
    nothing: str = text.NOT_A_NUMBER,
    product: Sequence[str] = (),
    tooltip_name: str = "",
    part_scales: Sequence[Scale] = (),
) -> Item:
    """Return a matrix of a picture as a heatmap.

    Parameters
    ----------
    symbol : str
        Its name in the equations; ``_h`` and ``_{hh}`` become subscripts. That of a gate has the gate's colour.
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
        Its entries at each position of the picture's `Playback`.
    over_time : bool
        Whether its columns are the positions of the `Playback`: the current one is marked.
    outlined : ndarray of the shape of array, optional
        The entries with an outline, SOLID or DASHED. A mean has a solid one if most of its entries have one.
    headings : sequence of str, optional
        A character above each column; none if columns are means.
    row_headings : sequence of str, optional
        A character beside each of the first rows; none if rows are means.
    axes : (str, str), optional
        The titles of the rows and of the columns.
    nothing : str
        The tooltip of a NaN.
    product : sequence of str
        The symbols of a matrix, of the column that it multiplies, and of a bias: the tooltip of a row shows how its
        products add up, if all of these stand in the same drawing.
    tooltip_name : str
        The name in tooltips, if it is not the symbol.
    part_scales : sequence of Scale
        Of a column or a single row whose parts are several quantities: the scale of each part, with the palette of `scale`.

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
        "colour": COLOUR_OF_GATE_NAME.get(symbol),
        "shape": f"({array.shape[0]}, {array.shape[1]})",
        "mean": _mean_note(np.diff(row_edges), np.diff(column_edges)) if mean else None,
        "rows": shown.shape[0],
        "columns": shown.shape[1],
        # By columns, as its frames would be, so that an array which is shown both ways is sent once.
        "values": packed(shown.T if over_time else shown, single),
        "frames": None if frames is None else packed(shrunk(frames), single_frames),
        "single_frames": single_frames,
        "nothing": nothing,
        "over_time": over_time,
        "outlined": None if outlined is None else packed(shrunk(outlined), single=True),
        "single": single,
        "scale": (scale if fixed else _stretched(scale, array))._asdict(),
        "part_scales": [part._asdict() for part in part_scales] if fixed else [],
        "row_parts": _named(rows),
        "axes": axes,
        **_headings(None if mean else headings, None if mean else row_headings),
        "column_parts": None if array.shape[1] == 1 else _named(columns),
        "row_edges": row_edges,
        "column_edges": column_edges,
        "units": units,
        "hover": hover,
        "product": list(product),
        "tooltip_name": tooltip_name,
    }


def finer(matrix: Item, more: int = 1) -> Item:
    """Return a matrix whose numbers have more decimals than those of the page: one, or another number of them."""
    return matrix | {"more_decimals": more} if more else matrix


def exercise_matrix(
    symbol: str,
    array: Array,
    needed: Sequence[tuple[int | None, int | None]] = (),
    used: Sequence[tuple[int | None, int | None]] = (),
) -> Item:
    """Return a matrix of an exercise with outlined parts: solid for what is needed, dashed for what was used instead.

    Parameters
    ----------
    symbol : str
    array : ndarray of shape (rows, columns)
    needed, used : sequence of (row, column)
        Counted from 0; None stands for all of them.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    outlined = np.zeros(array.shape)
    for places, look in ((used, DASHED), (needed, SOLID)):
        for row, column in places:
            outlined[slice(None) if row is None else row, slice(None) if column is None else column] = look
    return block(
        symbol,
        array,
        symmetric("", 10, clips=True),
        rows=[("row", array.shape[0], "")],
        columns=[("column", array.shape[1], "")],
        outlined=outlined if outlined.any() else None,
    )


def masked(symbol: str, shape: tuple[int, int], entry: tuple[int, int], value: float | None) -> Item:
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
        nothing=text.BLANK,
    )


def over_frames(symbol: str, frames: Array, row: str, column: str, scale: Scale | None = None) -> Item:
    """Return a matrix at each position of the picture's `Playback`.

    Parameters
    ----------
    symbol : str
    frames : ndarray of shape (steps, rows, columns)
        (steps, T, k) for entries over time: units are then its rows.
    row, column : str
        The names of its rows and columns; "step" if the columns are time steps.
    scale : Scale, optional
        By default its colours go up to the largest entry of all.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    if column == "step":
        frames = frames.transpose(0, 2, 1)
    with np.errstate(invalid="ignore"):
        frames = np.where(np.abs(frames) <= OVERFLOW_LIMIT, frames, np.nan)  # of a training that overflows
    scale = scale or symmetric("", float(np.nanmax(np.abs(frames), initial=0)) or 1.0)
    rows, columns = [(row, frames.shape[1], "")], [(column, frames.shape[2], "")]
    return block(symbol, frames[-1], scale, rows=rows, columns=columns, units=row == "unit", frames=frames)


def gradient_reach(maps: Mapping[str, Array], asked: Sequence[int]) -> list[Item]:
    """Return maps of the norm of each loss's gradient at each step, at each position of the picture's `Playback`.

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
    high = float(np.ceil(np.quantile(known, STRONGEST_QUANTILE))) if known.size else 0.0
    rows: list[Part] = [
        (text.LOSS_AT_STEP, len(asked), "")
        if len(asked) > 1
        else (text.LOSS_AT_ONE_STEP.format(step=asked[0] + 1), 1, "")
    ]
    return [
        block(
            symbol,
            values[-1],
            norm_scale(text.LOG_NORM, high),
            rows=rows,
            columns=[(text.AT_STEP, values.shape[2], "")],
            frames=values,
            nothing=text.NO_GRADIENT,
        )
        for symbol, values in logs.items()
    ]


def over_time(symbol: str, values: Array, nothing: str = text.NOT_A_NUMBER, *, scale: str = "") -> Item:
    """Return entries over time steps, which are its columns.

    Parameters
    ----------
    symbol : str
    values : ndarray of shape (T, entries)
    nothing : str
        What a tooltip says of NaN.
    scale : str, optional
        The name of the colours in the legend, which has none without it.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    limit = float(np.nanmax(np.abs(values), initial=0)) or 1.0
    rows, columns = [("entry", values.shape[1], "")], [("step", len(values), "")]
    return block(symbol, values.T, symmetric(scale, limit), rows=rows, columns=columns, nothing=nothing)


def per_step(symbol: str, rows: Array) -> Item:
    """Return the contribution of each time step as a row, in colours up to the largest entry."""
    limit = float(np.nanmax(np.abs(rows), initial=0)) or 1.0
    return block(
        symbol, rows, symmetric("", limit), rows=[("step", len(rows), "")], columns=[("column", rows.shape[1], "")]
    )


class Edge(NamedTuple):
    """A part of a side of a `box`: its name, its size if known, and whether the size matches.

    What has the kind of a part, such as ``"h"``, is filled alike in all boxes of the panel.
    """

    name: str
    size: int | None
    meets: bool = True
    kind: str = ""


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


def _headings(of_columns: Sequence[str] | None, of_rows: Sequence[str] | None) -> Item:
    """Return the characters above the columns and beside the rows of a block."""
    return {"headings": of_columns and list(of_columns), "row_headings": of_rows and list(of_rows)}


def _mean_note(heights: Array, widths: Array) -> str:
    """Return how many entries a mean has; the last ones of a part may have fewer."""
    size = f"{heights.max()}" if len(widths) == 1 else f"{heights.max()}×{widths.max()}"
    even, uneven = (
        (text.MEAN, text.MEAN_UP_TO) if len(widths) == 1 else (text.MEAN_OF_ENTRIES, text.MEAN_OF_ENTRIES_UP_TO)
    )
    return (uneven if np.ptp(heights) or np.ptp(widths) else even).format(size=size)


def packed(array: Array, single: bool) -> str:
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
