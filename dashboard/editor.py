"""Numbers of the reader's own, in the place of those that the choices make: cell by cell, a row at once, or pasted."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.arrays import Array, expect_shape
from core.cells import CELLS
from core.exchange.array_files import to_csv
from core.exchange.typed import LARGEST, parse, whole
from core.scenario import ARRAYS
from dashboard import chosen, controls, own_numbers
from dashboard.about import About

# Beyond this many rows or columns a grid is slow and a text or a file serves better.
LARGEST_GRID = 64


class Grid(NamedTuple):
    """What the grid was last opened on; changes since then are kept by its widget."""

    name: str
    base: Array
    version: int

    @property
    def key(self) -> str:
        return f"grid {self.version}"


def editor(about: About) -> None:
    """Draw what edits one array.

    Parameters
    ----------
    about : About
        What the page that is shown is about: the arrays of its cell come first.
    """
    scenario = chosen.scenario()
    shapes = scenario.shapes()
    with st.container(border=True):
        name = controls.edited(list(dict.fromkeys([*CELLS[about.cell].ARRAYS, *shapes])))
        shape, current = shapes[name], scenario.numbers(name)
        if max(shape) <= LARGEST_GRID:
            grid = _opened(name, current)
            st.data_editor(
                # Of whole numbers the grid would take no decimals.
                pd.DataFrame(grid.base.astype(np.float64), index=_labels(shape[0]), columns=_labels(shape[1])),
                key=grid.key,
                on_change=_take_cells,
                args=(name, shape),
                height="content" if shape[0] <= 12 else 400,
            )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            which = st.segmented_control("Set a", ("row", "column"), default="row", required=True, key="set_which")
            at = st.number_input("number", 1, shape[which == "column"], key=f"set_at {which} {shape}", width=120)
            value = st.number_input("to", -1e6, 1e6, 0.0, step=1.0, format="%g", key="set_to", width=120)
            st.button("Set", on_click=_set_line, args=(name, current, which, at, value))
        text = st.text_area(
            f"Paste all of {name}: {shape[0]} rows of {shape[1]}",
            key="block",
            height=80,
            on_change=_take_block,
            args=(name, shape),
            help="From a spreadsheet, as lines of numbers, as nested lists or as np.array(...).",
        )
        if text and text != st.session_state.get("refused_block"):
            st.session_state.lost_block = name, shape
            st.rerun()
        with st.container(horizontal=True):
            st.button(
                f"Drop my numbers of {name}",
                on_click=own_numbers.drop,
                args=(name,),
                disabled=name not in own_numbers.arrays(),
            )
            used = scenario.array(name)  # as every file has it that can be opened
            st.download_button(f"{name}.csv", to_csv(used), f"{name}.csv", "text/csv", on_click="ignore")
            st.button(
                "Drop all my numbers", on_click=own_numbers.replace, args=({},), disabled=not own_numbers.arrays()
            )
        if refused := st.session_state.pop("edit_refused", None):
            st.error(refused)
        if scenario.scale != 1 and name.startswith("W"):
            st.caption(
                f"These are the weights at scale 1; the pages and the .csv have them times the scale, {scenario.scale:g}."
            )
        elif not np.array_equal(used, current):
            st.caption(f"The pages and the .csv have {name} with the forget bias added, {scenario.forget_bias:g}.")
        if promise := own_numbers.promise(*own_numbers.NAMES):
            st.info(promise)


def _opened(name: str, current: Array) -> Grid:
    """The grid as it was opened; opened anew if the numbers have changed since by anything but the grid itself."""
    grid: Grid | None = st.session_state.get("grid")
    if grid is None or grid.name != name or not np.array_equal(_changed(grid), current):
        grid = Grid(name, current, grid.version + 1 if grid else 0)
        st.session_state.grid = grid
    return grid


def _changed(grid: Grid) -> Array:
    """What was opened, with what the widget holds in its place; NaN where that is no finite number."""
    changed = grid.base.astype(np.float64)
    columns = _labels(changed.shape[1])
    for row, cells in _edits(grid).items():
        for column, value in cells.items():
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST
            at = range(len(changed)).index(int(row)), columns.index(column)
            changed[at] = value if number else np.nan
    return changed


def _labels(count: int) -> list[str]:
    """What the grid calls its rows or its columns."""
    return [str(1 + at) for at in range(count)]


def _edits(grid: Grid) -> dict[int, dict[str, Any]]:
    return st.session_state.get(grid.key, {}).get("edited_rows", {})


def _take_cells(name: str, shape: tuple[int, int]) -> None:
    """Take what was typed into the grid, or name the cell that cannot be taken and keep what was there."""
    grid: Grid = st.session_state.grid
    said = st.session_state[grid.key]
    try:
        changed = _changed(grid)
    except (AttributeError, ValueError):  # of a client of somebody's own making
        changed = np.full((0, 0), np.nan)
    if said.get("added_rows") or said.get("deleted_rows") or changed.shape != shape:
        _refuse(f"{name} must stay {shape}: rows and columns follow from the sizes m, n and k.")
        return
    bad = np.argwhere(~(np.abs(changed) <= LARGEST))
    if len(bad):
        row, column = bad[0] + 1
        _refuse(f"{name}, row {row}, column {column} must be a finite number of at most 10^9.")
        return
    _keep(name, changed)


def _refuse(why: str) -> None:
    """Say why, and open the grid anew: it would go on showing what was refused."""
    st.session_state.edit_refused = f"{why} What was there is kept."
    if "grid" in st.session_state:
        st.session_state.grid = st.session_state.grid._replace(name="")


def _keep(name: str, array: Array) -> None:
    """Make it the reader's own. Where one value stands for all weights of its gate, they become so with it."""
    changed, instead = {name: whole(array)}, ARRAYS[name].instead
    said: dict[str, str | None] = {}
    if instead and st.session_state.get(instead) is not None:
        scenario = chosen.scenario()
        blocks = [block for block, made in ARRAYS.items() if made.instead == instead]
        changed = {block: scenario.numbers(block) for block in blocks} | changed
        st.session_state[instead] = said[instead] = None
    own_numbers.keep(changed, said)


def _set_line(name: str, current: Array, which: str, at: int, value: float) -> None:
    changed = current.astype(np.float64)
    changed[(at - 1,) if which == "row" else (slice(None), at - 1)] = value
    _keep(name, changed)


def take_lost_block() -> None:
    """Take the text of the box if no callback has taken or refused it; to be called before any widget is drawn.

    The browser gives a new session the text that was pasted while the server was away, but that session calls no callback for it.
    """
    lost = st.session_state.pop("lost_block", None)
    if lost and st.session_state.get("block"):
        _take_block(*lost)


def _take_block(name: str, shape: tuple[int, int]) -> None:
    """Take a pasted block; a row of numbers may stand for a column."""
    try:
        block = parse(st.session_state.block)
        if 1 in shape and block.shape == shape[::-1]:
            block = block.T
        expect_shape(name, block, str(shape), shape)
    except ValueError as error:
        st.session_state.refused_block = st.session_state.block
        _refuse(str(error))
    else:
        _keep(name, block)
        st.session_state.block = ""
