"""The picture of a page of a cell. One pure function draws it in a run, while a slider is dragged, and for A of a comparison."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from core.arrays import Array
from core.cells.symbols import symbol
from dashboard.controls import predict
from dashboard.controls.next_step import take_next_step
from dashboard.controls.page_scenario import PageScenario
from dashboard.controls.predict import Prediction
from dashboard.drawing.matrices import Item
from dashboard.drawing.panels import Picture, as_picture, beside, panel
from dashboard.drawing.picture_component import Stage, show
from dashboard.server import drag_socket
from dashboard.server.scheduling import collect_garbage
from dashboard.state import session
from dashboard.state.parameters import FROZEN_PARAMS, PARAMETERS, as_text
from dashboard.state.state import State, parse
from dashboard.text import compare as text
from dashboard.text import words
from dashboard.text.option_names import OPTIONS

# Returns the panels of a page, and the remarks above them.
Panels = Callable[[State], list[Item]]
Unit = Callable[[State], int]


def selected_unit(state: State) -> int:
    """Return the selected unit, counted from 1."""
    return state.unit


def live_picture(
    state: State,
    panels: Panels,
    *,
    prediction: Callable[[State], Prediction] | None = None,
    unit: Unit = selected_unit,
    stage: Stage | None = None,
    next_of: Callable[[State], PageScenario] | None = None,
) -> State:
    """Draw the picture of a page, and let it follow the sliders while you drag them.

    Parameters
    ----------
    state : State
    panels : callable
        A pure function.
    prediction : callable, optional
        Returns the output that **Predict first** hides, if the page has it.
    unit : callable, optional
        Returns the selected unit, counted from 1.
    stage
        As for `show`.
    next_of : callable, optional
        Returns the scenario of the page, if its diagram has the button **Next step**.

    Returns
    -------
    State
        The state that is drawn: after a right prediction, `predict` is off.
    """
    reveal = _reveal(state, prediction)
    panel = state.question.panel if state.question else None
    path = drag_socket.offer(partial(_asked, state.page, session.stored(), reveal, panels, unit))
    state = reveal(state)
    drawn = draw(state, panels, unit)
    on_next = partial(take_next_step, state.page, next_of) if next_of else None
    show(drawn, state, stage=stage, panel=panel, live=path, on_next=on_next)
    return state


def _reveal(state: State, prediction: Callable[[State], Prediction] | None) -> Callable[[State], State]:
    """Ask for the output that **Predict first** hides, and return the function that shows it after a right answer."""
    if not prediction or not state.settings.predict:
        return lambda state: state
    asked = prediction(state)
    return partial(predict.revealed, prediction, asked if predict.ask(state, asked) else None)


def _asked(
    page: str,
    stored: Mapping[str, Array],
    reveal: Callable[[State], State],
    panels: Panels,
    unit: Unit,
    query: Mapping[str, str],
) -> Picture:
    """Return the picture for a query, which need not come from our own browser code."""
    state, _ = parse(page, query, stored)
    return draw(reveal(state), panels, unit)


def draw(state: State, panels: Panels, unit: Unit = selected_unit) -> Picture:
    """Return the picture of a page, with A of a comparison beside it.

    Parameters
    ----------
    state : State
    panels, unit : callable
        As for `live_picture`.
    """
    shown = panels(state)
    if state.frozen and not state.settings.predict:  # A may show the output that the reader is to predict
        shown = [differences(state, state.frozen), *beside(panels(replace(state.frozen, current=state)), shown)]
    made = as_picture(shown, decimals=state.decimals, unit=unit(state) - 1)
    if state.is_large:
        collect_garbage()
    return made


def differences(state: State, frozen: State) -> Item:
    """Return the panel that lists the settings in which A and B differ.

    Parameters
    ----------
    state, frozen : State
        B and A.
    """
    lines = [
        text.SETTING.format(
            label=PARAMETERS[name].short_label, a=_text(name, frozen.value(name)), b=_text(name, state.value(name))
        )
        for name in FROZEN_PARAMS
        if frozen.value(name) != state.value(name)
    ]
    a, b = frozen.scenario.matching_arrays(), state.scenario.matching_arrays()
    typed = [name for name in {**b, **a} if not (name in a and name in b and np.array_equal(a[name], b[name]))]
    if typed:
        lines.append(text.TYPED.format(names=words.listed(map(symbol, typed))))
    return panel("", text.DIFFERENT if lines else text.SAME, alt="", note="\n".join(lines))


def _text(name: str, value: object) -> str:
    """Return a value of a setting as its control shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else OPTIONS.get(name, {}).get(str(value), as_text(value))
