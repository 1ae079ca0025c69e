"""Training: watch a cell learn, and see why a saturated one does not."""

import streamlit as st

from core.training import EXPERIMENTS, SATURATED, TASKS, TrainingSetup
from dashboard.controls import widgets
from dashboard.controls.subject import Subject
from dashboard.controls.widgets import control, select
from dashboard.drawing.panels import as_picture
from dashboard.drawing.screen import show
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import PARAMETERS
from dashboard.state.state import State
from dashboard.text import training as text
from dashboard.views.training.board import Board, names_of
from dashboard.views.training.panels import panels
from dashboard.views.training.progress import watched
from dashboard.views.training.trained_cell import save


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.INTRODUCTION)
    story = state.settings.story
    widgets.draw(state, "settings", [control(state, "story")], *(_recipe_controls(state) if story == "own" else ()))
    question, answer = text.TOLD.get(story, ("", ""))
    if question:
        st.markdown(question)
    if story in text.FURTHER:
        label, choices = text.FURTHER[story]
        st.page_link(PAGES["training"].script, label=label, query_params={"story": "own", **choices})
    try:
        recipes = (recipe_of(state),) if story == "own" else EXPERIMENTS[story]
    except ValueError as error:
        st.error(f"{error} {text.SHOWN_INSTEAD}")
        recipes = (TrainingSetup(updates=100),)
    names = names_of(recipes)
    which = names.index(watch(names)) if len(names) > 1 else 0
    board = Board(names, watched(recipes), which, answer)
    unit = min(state.unit, board.shown.setup.k)
    show(as_picture(panels(board, unit), decimals=state.decimals, unit=unit - 1), state)
    save(state, board.shown)
    st.markdown(text.closing(SATURATED, TASKS))


def subject(state: State) -> Subject:
    """Return what the page is about."""
    story = state.settings.story
    if story == "own":
        return Subject(state.scenario, state.settings.trained)
    watched = dict(zip(names_of(EXPERIMENTS[story]), EXPERIMENTS[story])).get(st.session_state.get("watched", ""))
    return Subject(state.scenario, (watched or EXPERIMENTS[story][0]).cell)


def watch(names: list[str]) -> str:
    """Draw the choice of a recording, and return the name of the chosen one."""
    if len(names) > 3:  # too many for a phone
        return st.selectbox(text.WATCH, names, key="watched", width=180)
    return st.segmented_control(text.WATCH, names, default=names[0], required=True, key="watched")


def _recipe_controls(state: State) -> list[list[widgets.Control]]:
    task = select(
        state, "task", {name: name for name in PARAMETERS["task"].options}
    )  # too many for a phone side by side
    names = ("units", "length", "start_scale", "start_bias", "rate", "clip_at", "updates")
    return [
        [task, *(control(state, name) for name in ("trained", "optimiser", "clip", "start"))],
        [control(state, name) for name in names],
    ]


def recipe_of(state: State) -> TrainingSetup:
    """Return the chosen training setup.

    Raises
    ------
    ValueError
        If no training can have these settings together.
    """
    settings = state.settings
    return TrainingSetup(
        task=settings.task,
        cell=settings.trained,
        k=settings.units,
        T=settings.length,
        init=settings.start,
        scale=settings.start_scale,
        forget_bias=settings.start_bias,
        g=state.scenario.g,
        optimiser=settings.optimiser,
        rate=settings.rate,
        clip=settings.clip,
        clip_at=settings.clip_at,
        updates=settings.updates,
        seed=state.seed,
    )
