"""Put pictures and plotly figures on the page.

A picture is one component for the whole page, drawn in place. Measured at 8x16 on two cores, where a rerun of an
empty app takes 35 ms: one plotly figure of the activation's curve, updated in place, cost 28 ms a rerun, each
further component some 4 ms before it drew anything, changed paragraphs with formulas some 15 ms together.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import streamlit as st
from plotly.graph_objects import Figure

from dashboard.drawing.panels import Picture
from dashboard.server import assets
from dashboard.server.assets import LOADER, STATIC
from dashboard.state import session
from dashboard.state.parameters import as_text
from dashboard.state.state import DEFAULTS, State
from dashboard.text.notices import NO_CHANNEL

_component = st.components.v2.component(
    "cellscope_picture",
    html="""
<div class="picture">
  <div class="notice" role="status"></div>
  <div class="remarks" role="status"></div>
  <nav aria-label="On this page" hidden></nav>
  <div class="panels"><p class="failed"></p></div>
  <div role="status"><div class="tip" hidden></div></div>
</div>
""",
    css=(STATIC / "picture/picture.css").read_text(),
    js=LOADER,
)


class Stage(NamedTuple):
    """The last stage that a page shows, and the start of the title of the panel that is new with it."""

    name: str
    panel: str


def show(
    picture: Picture,
    state: State | None,
    *,
    key: str = "picture",
    stage: Stage | None = None,
    panel: str | None = None,
    live: str | None = None,
    on_next: Callable[[], None] | None = None,
) -> None:
    """Put a picture on the page, or update the one that is there.

    Parameters
    ----------
    picture : Picture
    state : State, optional
        None for a picture that is the same in every run: the browser draws it once.
    key : str
        Streamlit's key of the component, which stays the same from run to run.
    stage : Stage, optional
        When it changes, the page scrolls to its panel.
    panel : str, optional
        The start of the title of a panel; the page scrolls to it and frames it.
    live : str, optional
        The path of the websocket at which the browser asks for pictures while you drag a slider. Only one picture of a page has it.
    on_next : callable, optional
        Called once for each click on a button at a drawing.
    """
    data = {
        "modules": assets.url(),
        "part": "picture/picture.js",
        "url": state and session.url_of_run(state),
        "picture": picture,
        "panel": panel,
        "stage": stage and stage._asdict(),
        "unit": {"name": "j", "default": as_text(DEFAULTS.j)},
        "projected": bool(state and state.is_projected),
    }
    events: dict[str, Any] = {"on_next_change": partial(_once, key, on_next)} if on_next else {}
    if live:
        data |= {"live": live, "no_channel": NO_CHANNEL}
    _component(key=key, data=data, **events)


def _once(key: str, on_next: Callable[[], None]) -> None:
    """Call a function for each click once. Call it from a callback."""
    if session.take_once(st.session_state[key].get("next")):
        on_next()


def show_figure(figure: Figure, *, key: str, alt: str) -> None:
    """Put a plotly figure on the page.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    key : str
    alt : str
        The text for a reader who cannot see it.
    """
    st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False})
