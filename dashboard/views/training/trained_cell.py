"""The trained cell: take it to the other pages, or save it as a file."""

from functools import partial

import streamlit as st

from core.exchange.array_files import to_npz, to_safetensors
from core.training import Recording, arrays_on_probe, saved_at
from dashboard.controls import storage
from dashboard.state.state import State, patch_of, scenario_of_arrays
from dashboard.text import training as text

# The other pages show a trained cell after so many steps of its probe, because its initial state is 0.
STEPS_BEHIND = 1


def save(state: State, shown: Recording) -> None:
    """Draw the buttons that take the trained cell to the other pages or save it."""
    updates = [int(update) for update in shown.updates]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        update = st.selectbox(text.CELL_AT, updates, index=len(updates) - 1, key="frame", width=200)
        # Keep one frame in the session: the whole recording may leave the cache before the reader clicks the button.
        taken = shown.single_frame(updates.index(update))
        st.button(text.TAKE, on_click=take, args=(state, taken))
        file = f"cellscope-{shown.setup.cell.lower()}-update-{update}"
        for ending, write in {"npz": to_npz, "safetensors": to_safetensors}.items():
            st.download_button(
                text.SAVE.format(ending=ending),
                partial(write, saved_at(taken, 0)),
                f"{file}.{ending}",
                on_click="ignore",
            )
    st.caption(text.TAKEN)


def take(state: State, recording: Recording) -> None:
    """Make a trained cell and its probe the custom values of all pages; `recording` has one frame.

    The pages of one step have step 2 of the probe, and a sequence goes on from there to the probe's end. Whatever would hide or
    change one of the arrays is turned off.
    """
    setup = recording.setup
    arrays = arrays_on_probe(recording, 0, STEPS_BEHIND)
    given = scenario_of_arrays(state, arrays, n=setup.k, k=setup.k, cell=setup.cell, g=setup.g, T=setup.T)
    view_settings = state.view_settings() | {"j": min(state.unit, setup.k), "t": 1}
    storage.patch_arrays(given.overrides(), patch_of(state, given, view_settings))
