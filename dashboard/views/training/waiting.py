"""The wait for a training: its progress, the number of trainings before it, and Stop.

Streamlit keeps a button's callback until the next run, and a callback keeps the variables of its module. In the page's own module
these are the recordings and all pictures of them, so the callbacks are here.
"""

import streamlit as st

from core.training import Recording, TrainingSetup
from dashboard.server.reader_id import reader
from dashboard.server.training_cache import kept, recording, so_far, untrained
from dashboard.text import training_wait as text


def watched(setups: tuple[TrainingSetup, ...]) -> list[Recording]:
    """Return the recordings of training setups. While they are made, show the progress and a button that stops them.

    Parameters
    ----------
    setups : tuple of TrainingSetup

    Returns
    -------
    list of Recording
        Of a training that was stopped, the updates that were made; without any, the cell before its first update.
    """
    place = st.empty()
    if all(map(kept, setups)) or setups == st.session_state.get("not_trained"):
        recordings = [kept(setup) or so_far(setup) or untrained(setup) for setup in setups]
        if made := text.stopped_after(recordings, setups):
            st.info(made)
            st.button(text.TRAIN, on_click=train, args=(None,))
        return recordings
    with place.container(horizontal=True, vertical_alignment="center"):
        label, bar = "", st.empty()
        st.button(text.STOP, on_click=train, args=(setups,))

    def on_progress(made: int, total: int, before: int) -> None:
        nonlocal label
        if label != text.progress(made, total, before):
            label = text.progress(made, total, before)
            bar.progress(made / max(1, total), label)
        else:
            # Read the session's state, so that Streamlit can end the run of a reader who has left.
            st.session_state.get("not_trained")

    recordings = [recording(setup, reader(), on_progress) for setup in setups]
    place.empty()
    return recordings


def train(stopped: tuple[TrainingSetup, ...] | None) -> None:
    """Stop the training of these setups; with None, stop none and go on.

    Parameters
    ----------
    stopped : tuple of TrainingSetup, optional
    """
    st.session_state.not_trained = stopped
