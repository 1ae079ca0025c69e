"""Training: watch a cell learn, and see why a saturated one does not."""

from typing import Any

import streamlit as st

from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.training import BOUNDS, EXPERIMENTS, OBSTACLE_OF, SATURATED, TrainingSetup, changed, has_forget_gate, largest
from dashboard.controls import widgets
from dashboard.controls.page_scenario import PageScenario
from dashboard.controls.widgets import control
from dashboard.drawing.panels import as_picture
from dashboard.drawing.picture_component import show
from dashboard.server.assets import STATIC
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import VALUE_RULES
from dashboard.state.state import State
from dashboard.text import training as text
from dashboard.text import training_wait
from dashboard.views.training.panels import panels
from dashboard.views.training.trained_cell import save
from dashboard.views.training.trainings import Trainings, name_of_try, names_of, names_of_tries
from dashboard.views.training.waiting import watched

# The query parameters of the fields of a training setup that a change sets, where the names differ.
PARAMETER_OF = {
    "cell": "trained",
    "k": "units",
    "T": "length",
    "init": "start",
    "scale": "start_scale",
    "forget_bias": "start_bias",
}


def page(state: State) -> None:
    """Draw the page."""
    story = state.settings.story
    st.markdown(text.introduction(story))
    st.html(STATIC / "controls/sticky_controls.css")
    try:
        setups = setups_of(state)
    except ValueError as error:
        widgets.draw(state, "settings", [_questions(state)], *_setup_controls(state))
        st.error(f"{error}")
        return
    tries = _tries(state, setups[0]) if story == "own" else ()
    names = names_of_tries(setups[0], tries) if story == "own" else names_of(setups)
    keep = [_keep(state, tries[-1], setups[0])] if tries else []
    controls = [*_setup_controls(state), keep] if story == "own" else []
    widgets.draw(state, "settings", [_questions(state)], *controls)
    which = which_of(state, setups)
    unit = min(state.unit, setups[which].k)
    trainings = Trainings(names, watched(setups), which, text.experiment(story).answer, story == "own", tries, unit)
    show(as_picture(panels(trainings), decimals=state.decimals, unit=unit - 1), state)
    if story in text.FURTHER:
        label, choices = text.FURTHER[story]
        st.page_link(PAGES["training"].script, label=label, query_params={"story": "own", **choices})
    save(state, trainings.shown)
    st.caption(text.CLOSING.format(saturated=SATURATED))


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    try:
        setups = setups_of(state)
    except ValueError:
        return PageScenario(state.scenario, state.settings.trained)
    return PageScenario(state.scenario, setups[which_of(state, setups)].cell)


def which_of(state: State, setups: tuple[TrainingSetup, ...]) -> int:
    """Return the index of the training that the panels on one training show."""
    return min(state.settings.watched, len(setups)) - 1


def _questions(state: State) -> widgets.Control:
    """Return the choice of an experiment: a card with its question for each."""
    cards = [
        {"value": story, "label": text.experiment(story).question, "patch": {"watched": None, "change": None}}
        for story in VALUE_RULES["story"].options
    ]
    return control(state, "story", options=cards, bare=True, cards=True)


def _setup_controls(state: State) -> list[list[widgets.Control]]:
    cell = state.settings.trained
    listed = ("task", "trained", *(["g"] if chooses_activation(CELLS[cell]) else []), "optimiser", "clip", "start")
    bias = ["start_bias"] if has_forget_gate(cell) else []
    numbers = ("units", "length", "start_scale", *bias, "rate", "clip_at", "updates")
    # The result of a try on one setup does not hold for another one.
    clears = {"clears": ["change", "watched"]}
    labels = {"g": {"label": text.ACTIVATION}}
    selects = {name: control(state, name, kind="select", **clears, **labels.get(name, {})) for name in listed}
    for option in selects["trained"]["options"]:
        # An RNN learns few tasks with the sigmoid function, the default of this setting.
        if chooses_activation(CELLS[option["value"]]):
            option["patch"] = {"trained": option["value"], "g": "tanh", **dict.fromkeys(clears["clears"])}
    limits = {
        "length": _limit(state, "length", "T", "updates"),
        "updates": _limit(state, "updates", "updates", "length"),
    }
    return [
        [*selects.values()],
        [control(state, name, **clears, **limits.get(name, {})) for name in numbers],
    ]


def _limit(state: State, name: str, field: str, other: str) -> dict[str, Any]:
    """Return the largest value of a setting that leaves the training short enough beside another one, and the reason if it is that."""
    beside = getattr(state.settings, other)
    most = largest(field, beside)
    return {
        "largest": most,
        "limit": training_wait.LIMITS[name].format(other=beside) if most < BOUNDS[field][1] else "",
    }


def _keep(state: State, change: str, setup: TrainingSetup) -> widgets.Control:
    """Return the button that makes the change against a finding part of the training setup."""
    values = {PARAMETER_OF.get(name, name): value for name, value in OBSTACLE_OF[change].change(setup).items()}
    label = text.KEEP.format(name=name_of_try(setup, change))
    return widgets.action("keep", label, {**state.patch(values), "change": None, "watched": None}, help=text.KEEP_HELP)


def _tries(state: State, own: TrainingSetup) -> tuple[str, ...]:
    """Return the codes of the findings whose changes are tried, without those that change nothing."""
    codes = (state.settings.change or "").split(",")
    return tuple(code for code in codes if code and changed(own, code) != own)


def setups_of(state: State) -> tuple[TrainingSetup, ...]:
    """Return the training setups of the chosen experiment, or the reader's own and the changed ones.

    Raises
    ------
    ValueError
        If no training can have the reader's settings together.
    """
    settings = state.settings
    if settings.story != "own":
        return EXPERIMENTS[settings.story]
    own = setup_of(state)
    # A dictionary, because two findings may have the same change.
    return tuple(dict.fromkeys([own, *(changed(own, code) for code in _tries(state, own))]))


def setup_of(state: State) -> TrainingSetup:
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
