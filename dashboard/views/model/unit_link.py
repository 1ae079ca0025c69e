"""The link that shows a unit of a model on the page of its cell, with the weights and the step as custom values."""

import streamlit as st

from core.cells.protocol import chooses_activation, state_arrays
from core.model_diagnosis import DirectionRun
from dashboard.controls import storage
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import LARGEST_SIZE, SMALL_SIZE
from dashboard.state.state import State, patch_of, scenario_of_arrays, to_query
from dashboard.text import model as text

# By the name of the cell in a file; no page shows the GRU of the paper.
PATHS = {"RNN": "", "LSTM": "lstm", "GRU": "gru"}
# Steps that go along, for the sequence page.
MOST_STEPS = 20


def link(state: State, shown: DirectionRun, cell: str, g: str, step: int) -> None:
    """Draw the link to the page of the cell, if it shows so many units.

    Parameters
    ----------
    state : State
    shown : DirectionRun
    cell, g : str
        Of the layer, as its file has them.
    step : int
        Counted from 1, in the order in which the direction reads.
    """
    m = shown.xs.shape[1]
    if cell not in PATHS or shown.k > SMALL_SIZE or m > LARGEST_SIZE:
        return
    page = PAGES[PATHS[cell]]
    unit = min(state.settings.j, shown.k)
    st.page_link(
        page.script,
        label=text.SHOW_UNIT.format(unit=unit, page=page.title),
        icon=":material/arrow_forward:",
        help=text.COPIES,
        query_params=_query(state, shown, cell, g, step),
    )
    st.caption(text.COPIES)


def _query(state: State, shown: DirectionRun, cell: str, g: str, step: int) -> dict[str, str]:
    """Return the query of the other page: the weights, the state before the step and the inputs from it on.

    Whatever would hide or change one of the arrays is turned off.
    """
    at, k = step - 1, shown.k
    states = {name: getattr(shown.trace, name)[at, :, :1] for name in state_arrays(shown.cell)}
    xs = shown.xs[at : at + MOST_STEPS, :, 0]
    given = scenario_of_arrays(
        state,
        {**shown.arrays, **states, "x_t": xs[0][:, None], "xs": xs},
        n=k,
        k=k,
        cell=cell,
        g=g if chooses_activation(shown.cell) else state.scenario.g,
        T=max(2, len(xs)),
        order="hx",
    )
    view_settings = state.view_settings() | {"j": min(state.settings.j, k), "t": 1}
    changes = patch_of(state, given, view_settings) | storage.query_of(given.overrides())
    return {name: value for name, value in (to_query(state) | changes).items() if value is not None}
