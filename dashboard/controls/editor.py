"""The editor of custom values: entry by entry, a row or column at once, or pasted."""

from itertools import dropwhile
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.arrays import Array, expect_shape
from core.cells import CELLS
from core.exchange.array_files import to_csv
from core.exchange.matrix_text import LARGEST_VALUE, as_integers, parse_matrix
from core.scenario import ARRAYS
from dashboard.controls import storage
from dashboard.controls.page_scenario import PageScenario
from dashboard.controls.patches import send_patches
from dashboard.state import session
from dashboard.state.custom_arrays import NAMES
from dashboard.state.state import State
from dashboard.text import editor as text

# A grid with more rows or columns is slow; a text or a file serves better.
LARGEST_GRID = 64


class Grid(NamedTuple):
    """The array that the grid was opened with; its widget keeps the changes since then.

    Attributes
    ----------
    name : str
    base : ndarray
    version : int
    numbers : sequence of ndarray
        The array of the URL, then the array after each change that has not reached the URL yet.
    """

    name: str
    base: Array
    version: int
    numbers: tuple[Array, ...]

    @property
    def key(self) -> str:
        return f"grid {self.version}"


class RefusedBlock(NamedTuple):
    """The pasted text that was refused for an array. The message stays as long as the box has this text."""

    name: str = ""
    pasted: str = ""
    why: str = ""


@st.fragment
def editor(state: State, page_scenario: PageScenario) -> None:
    """Draw the editor of one array. Every change becomes a patch of the URL, and the page runs for it.

    Parameters
    ----------
    state : State
    page_scenario : PageScenario
        The arrays of its cell come first.
    """
    _take_lost_block(state)
    send_patches("edits")
    scenario, custom = state.scenario, state.custom_values(session.stored())
    shapes = scenario.shapes()
    names = list(dict.fromkeys([*CELLS[page_scenario.cell].ARRAYS, *shapes]))
    name = state.settings.array if state.settings.array in names else names[0]
    with st.container(border=True):
        _choose_array(names, name)
        shape, current = shapes[name], scenario.base_array(name)
        if max(shape) <= LARGEST_GRID:
            _draw_grid(state, name, shape, current)
        _draw_fill(state, name, shape, current)
        pasted = st.text_area(
            text.PASTE.format(name=name, rows=shape[0], columns=shape[1]),
            key="block",
            height=80,
            on_change=_take_block,
            args=(state, name, shape),
            help=text.PASTE_HELP,
        )
        refused = st.session_state.get("refused_block", RefusedBlock())
        if pasted and pasted != refused.pasted:
            st.session_state.lost_block = name, shape
            st.rerun()
        if pasted and name == refused.name:
            st.error(refused.why)
        with st.container(horizontal=True):
            st.button(text.RESET.format(name=name), on_click=_drop, args=(state, [name]), disabled=name not in custom)
            used = scenario.array(name)  # the array as the pages show it, which every saved file has
            st.download_button(text.SAVE.format(name=name), to_csv(used), f"{name}.csv", "text/csv", on_click="ignore")
            st.button(text.RESET_ALL, on_click=_drop, args=(state, list(custom)), disabled=not custom)
        if why := st.session_state.pop("edit_refused", None):
            st.error(why)
        if scenario.scale != 1 and name.startswith("W"):
            st.caption(text.AT_SCALE_1.format(scale=scenario.scale))
        elif not np.array_equal(used, current):
            st.caption(text.WITHOUT_FORGET_BIAS.format(name=name, forget_bias=scenario.forget_bias))
        if promise := storage.storage_notice(state, *NAMES):
            st.info(promise)


def _choose_array(names: list[str], name: str) -> None:
    # With the value in the key, the back button shows a new widget with that value.
    key = f"array {name} {len(names)}"
    st.selectbox(text.ARRAY, names, index=names.index(name), key=key, on_change=_take_name, args=(key,), width=200)


def _take_name(key: str) -> None:
    session.patch({"array": st.session_state[key]})


def _draw_grid(state: State, name: str, shape: tuple[int, int], current: Array) -> None:
    grid = _opened(name, current)
    st.data_editor(
        # As floats: a grid of whole numbers accepts no decimals.
        pd.DataFrame(grid.base.astype(np.float64), index=_labels(shape[0]), columns=_labels(shape[1])),
        key=grid.key,
        on_change=_take_cells,
        args=(state, name, shape),
        height="content" if shape[0] <= 12 else 400,
    )


def _draw_fill(state: State, name: str, shape: tuple[int, int], current: Array) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = st.segmented_control(text.FILL, ("row", "column"), default="row", required=True, key="set_which")
        at = st.number_input(text.INDEX, 1, shape[which == "column"], key=f"set_at {which} {shape}", width=120)
        value = st.number_input(text.VALUE, -1e6, 1e6, 0.0, step=1.0, format="%g", key="set_to", width=120)
        st.button(text.FILL_LINE[which], on_click=_set_line, args=(state, name, current, which, at, value))


def _drop(state: State, names: list[str]) -> None:
    """Drop the custom values of these arrays; the settings make the numbers again."""
    mine = {name: array for name, array in state.custom_values(session.stored()).items() if name not in names}
    missing = {name: digest for name, digest in state.missing(session.stored()).items() if name not in names}
    storage.patch_arrays(mine, missing=missing if len(names) == 1 else {})


def _opened(name: str, current: Array) -> Grid:
    """Return the open grid, or a new one if anything but the grid has changed the array."""
    grid: Grid | None = st.session_state.get("grid")
    if grid is None or grid.name != name or not np.array_equal(_changed(grid), grid.numbers[-1]):
        expected: tuple[Array, ...] = ()
    elif np.array_equal(grid.numbers[-1], current):
        expected = (current,)
    else:
        expected = tuple(dropwhile(lambda numbers: not np.array_equal(numbers, current), grid.numbers))
    if grid and expected:
        grid = grid._replace(numbers=expected)
    else:
        grid = Grid(name, current, grid.version + 1 if grid else 0, (current,))
    st.session_state.grid = grid
    return grid


def _changed(grid: Grid) -> Array:
    """Return the array of the grid with the edits of its widget; NaN marks an edit that is not a finite number."""
    changed = grid.base.astype(np.float64)
    columns = _labels(changed.shape[1])
    for row, cells in _edits(grid).items():
        for column, value in cells.items():
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST_VALUE
            at = range(len(changed)).index(int(row)), columns.index(column)
            changed[at] = value if number else np.nan
    return changed


def _labels(count: int) -> list[str]:
    """Return the labels of the grid's rows or columns."""
    return [str(1 + at) for at in range(count)]


def _edits(grid: Grid) -> dict[int, dict[str, Any]]:
    return st.session_state.get(grid.key, {}).get("edited_rows", {})


def _take_cells(state: State, name: str, shape: tuple[int, int]) -> None:
    """Apply the edits of the grid, or name the entry that breaks the rule and keep the array."""
    grid: Grid = st.session_state.grid
    edited = st.session_state[grid.key]
    try:
        changed = _changed(grid)
    except (AttributeError, ValueError):  # from a client that is not ours
        changed = np.full((0, 0), np.nan)
    if edited.get("added_rows") or edited.get("deleted_rows") or changed.shape != shape:
        _refuse(text.OTHER_SHAPE.format(name=name, rows=shape[0], columns=shape[1]))
        return
    bad = np.argwhere(~(np.abs(changed) <= LARGEST_VALUE))
    if len(bad):
        row, column = bad[0] + 1
        _refuse(text.NOT_FINITE.format(name=name, row=row, column=column))
        return
    st.session_state.grid = grid._replace(numbers=(*grid.numbers, changed))
    _keep(state, name, changed)


def _refuse(why: str) -> None:
    """Store the message, and open the grid again, because it would still show the refused edit."""
    st.session_state.edit_refused = f"{why} {text.UNCHANGED}"
    if "grid" in st.session_state:
        st.session_state.grid = st.session_state.grid._replace(name="")


def _keep(state: State, name: str, array: Array) -> None:
    """Make the array a custom value; with it all weights of a gate whose setting has one value for them."""
    changed, instead = {name: as_integers(array)}, ARRAYS[name].constant_param
    changes: dict[str, str | None] = {}
    if instead and state.value(instead) is not None:
        blocks = [block for block, made in ARRAYS.items() if made.constant_param == instead]
        changed = {block: state.scenario.base_array(block) for block in blocks} | changed
        changes[instead] = None
    missing = {name: digest for name, digest in state.missing(session.stored()).items() if name not in changed}
    storage.patch_arrays({**state.custom_values(session.stored()), **changed}, changes, missing)


def _set_line(state: State, name: str, current: Array, which: str, at: int, value: float) -> None:
    grid: Grid | None = st.session_state.get("grid")
    if grid and (grid.name, grid.base.shape) != (name, current.shape):
        grid = None  # a large array has none
    numbers = grid.numbers if grid else (current,)  # the change before may not have reached the URL yet
    changed = numbers[-1].astype(np.float64)
    changed[(at - 1,) if which == "row" else (slice(None), at - 1)] = value
    _keep(state, name, changed)
    if grid:
        st.session_state.grid = Grid(name, changed, grid.version + 1, (*numbers, changed))


def _take_lost_block(state: State) -> None:
    """Apply the text of the box if no callback has done so. Call it before the box is drawn.

    A browser sends a new session the text that was pasted while the server was away, but Streamlit calls no callback for it.
    """
    lost = st.session_state.pop("lost_block", None)
    if lost and st.session_state.get("block"):
        _take_block(state, *lost)


def _take_block(state: State, name: str, shape: tuple[int, int]) -> None:
    """Apply the pasted text; a row of numbers may stand for a column."""
    try:
        block = parse_matrix(st.session_state.block)
        if 1 in shape and block.shape == shape[::-1]:
            block = block.T
        expect_shape(name, block, str(shape), shape)
    except ValueError as error:
        why = f"{error} {text.UNCHANGED}"
        st.session_state.refused_block = RefusedBlock(name, st.session_state.block, why)
    else:
        _keep(state, name, block)
        st.session_state.block = ""
