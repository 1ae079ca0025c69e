"""The wait for a training: its progress, the number of trainings before it, and Stop.

Streamlit keeps a button's callback until the next run, and a callback keeps the variables of its module. In the page's own module
these are the films and all pictures of them, so the callbacks are here.
"""

import streamlit as st

from core.training import Recording, TrainingSetup
from dashboard.server.reader_id import reader
from dashboard.server.training_cache import film, kept, untrained
from dashboard.text import training as text


def watched(recipes: tuple[TrainingSetup, ...]) -> list[Recording]:
    """Return the recordings of training setups. While they are made, show the progress and a button that stops them.

    Parameters
    ----------
    recipes : tuple of TrainingSetup

    Returns
    -------
    list of Recording
        Of a training that was stopped, the cell before its first update.
    """
    place = st.empty()
    if stopped := recipes == st.session_state.get("not_trained"):
        st.info(text.STOPPED)
        st.button(text.TRAIN, on_click=train, args=(None,))
    if stopped or all(map(kept, recipes)):
        return [kept(recipe) or untrained(recipe) for recipe in recipes]
    with place.container(horizontal=True, vertical_alignment="center"):
        said = text.progress(0, recipes[0].updates, 0)
        bar = st.progress(0.0, said)
        st.button(text.STOP, on_click=train, args=(recipes,))

    def tell(made: int, total: int, before: int) -> None:
        nonlocal said
        if said != text.progress(made, total, before):
            said = text.progress(made, total, before)
            bar.progress(made / max(1, total), said)
        else:
            # Read the session's state, so that Streamlit can end the run of a reader who has left.
            st.session_state.get("not_trained")

    films = [film(recipe, reader(), tell) for recipe in recipes]
    place.empty()
    return films


def train(stopped: tuple[TrainingSetup, ...] | None) -> None:
    """Stop the training of these recipes; with None, stop none and go on.

    Parameters
    ----------
    stopped : tuple of TrainingSetup, optional
    """
    st.session_state.not_trained = stopped
