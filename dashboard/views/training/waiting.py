"""The wait for a training: its progress, the number of trainings before it, and Stop.

Streamlit keeps a button's callback until the next run, and a callback keeps the variables of its module. In the page's own module
these are the recordings and all pictures of them, so the callbacks are here.
"""

import streamlit as st

from core.training import Recording, TrainingSetup
from dashboard.server.reader_id import reader
from dashboard.server.training_cache import kept, recording, stop, stopped
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
    # In this session only, so that no other reader can stop or continue this reader's trainings.
    stops: dict[TrainingSetup, int | None] | None = st.session_state.get("stopped_at")
    if stops and setups == tuple(stops):
        recordings = [stopped(setup, made) for setup, made in stops.items()]
        if notice := text.stopped_after(recordings, setups):
            st.info(notice)
            st.button(text.TRAIN, on_click=go_on)
        return recordings
    found = [whole for setup in setups if (whole := kept(setup))]
    if len(found) == len(setups):
        return found
    with place.container(horizontal=True, vertical_alignment="center"):
        label, bar = "", st.empty()
        st.button(text.STOP, on_click=stop_all, args=(setups,))

    def on_progress(made: int, total: int, before: int) -> None:
        nonlocal label
        if label != text.progress(made, total, before):
            label = text.progress(made, total, before)
            bar.progress(made / max(1, total), label)
        else:
            # Read the session's state, so that Streamlit can end the run of a reader who has left.
            st.session_state.get("stopped_at")

    recordings = [recording(setup, reader(), on_progress) for setup in setups]
    place.empty()
    return recordings


def stop_all(setups: tuple[TrainingSetup, ...]) -> None:
    """Stop these trainings for this session, each at the update that it has reached, unless all have ended before.

    Parameters
    ----------
    setups : tuple of TrainingSetup
    """
    stops = {setup: stop(setup) for setup in setups}
    st.session_state.stopped_at = None if set(stops.values()) == {None} else stops


def go_on() -> None:
    """Continue the trainings that this session has stopped."""
    st.session_state.stopped_at = None
