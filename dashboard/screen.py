"""The one way by which every picture, and every plotly figure, reaches the screen.

A picture is one component for the whole page, drawn in place. Measured at 8x16 on two cores, where a rerun of an
empty app takes 35 ms: one plotly figure of the activation's curve, updated in place, cost 28 ms a rerun, each
further component some 4 ms before it drew anything, changed paragraphs with formulas some 15 ms together.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from plotly.graph_objects import Figure

from dashboard.choices import PROJECTOR
from dashboard.picture import Picture
from dashboard.serve.paths import served

STATIC = Path(__file__).parent / "static"

# The browser fetches the modules once and caches them; code that stood here would be sent again with every rerun.
LOADER = """
const parts = new Map()
export default function (component) {
  const { module, part } = component.data
  if (!parts.has(part)) {
    // This code runs from a blob: URL, which has no path that a relative address could start from.
    const url = new URL(module, document.baseURI).href
    parts.set(part, import(url).then(({ load }) => load(part)))
  }
  const failed = () => {
    parts.delete(part)
    component.parentElement.querySelector(".failed").textContent = "This part could not be loaded. Reload the page."
  }
  parts.get(part).then(({ draw }) => draw(component), failed)
  return () => parts.get(part)?.then(({ unmount }) => unmount(component))
}
"""

_component = st.components.v2.component(
    "cellscope_picture",
    html="""
<div class="picture">
  <div class="remarks" role="status"></div>
  <nav aria-label="On this page" hidden></nav>
  <div class="panels"><p class="failed"></p></div>
  <div role="status"><div class="tip" hidden></div></div>
</div>
""",
    css=(STATIC / "picture.css").read_text(),
    js=LOADER,
)


class Stage(NamedTuple):
    """How far a page is revealed, and the start of the title of the panel that is newest then."""

    name: str
    panel: str


def show(
    picture: Picture,
    *,
    key: str,
    on_unit: Callable[[int], None],
    on_step: Callable[[int], None] | None = None,
    stage: Stage | None = None,
    live: str | None = None,
) -> None:
    """Put a picture on the page, or update the one that is there.

    Parameters
    ----------
    picture : Picture
    key : str
        What keeps it the same one from rerun to rerun.
    on_unit : callable
        Called with the number of a unit, counted from 1, when one of its rows is clicked.
    on_step : callable, optional
        Called with a step, counted from 1, when a reported scrub is left there.
    stage : Stage, optional
        The panel of another one than before comes into sight.
    live : str, optional
        The path on the server at which the browser asks for the picture while a dial is dragged.
    """

    # The picture is in the live part: without a rerun of its own, nothing else would hear of it.
    def picked() -> None:
        on_unit(st.session_state[key].unit)
        st.rerun()

    def left() -> None:
        if on_step:
            on_step(st.session_state[key].step)
        st.rerun()

    data = {
        "module": module_url("link.js"),
        "part": "picture.js",
        "picture": picture,
        "run": live and st.session_state.run,  # only where a drag draws
        "request": st.session_state.get("request"),
        "panel": st.session_state.get("panel"),
        "stage": stage and stage._asdict(),
        "live": live,
        "projected": st.session_state.get("view") == PROJECTOR,
    }
    _component(key=key, data=data, on_unit_change=picked, on_step_change=left)


def show_figure(figure: Figure, *, key: str, alt: str) -> None:
    """Put a plotly figure on the page.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    key : str
    alt : str
        What a reader who cannot see it should know of it.
    """
    st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False})


def module_url(name: str) -> str:
    """Where the server serves a static file; a new digest makes browsers fetch it anew.

    Parameters
    ----------
    name : str
        Of a file in STATIC.

    Returns
    -------
    str
        A path on the server.
    """
    return f"{served(f'app/static/{name}')}?v={_digest()}"


@cache
def _digest() -> str:
    """Of all modules together, with which `static/link.js` asks for each of them."""
    modules = sorted(STATIC.glob("*.js"))
    return sha256(b"".join(sha256(module.read_bytes()).digest() for module in modules)).hexdigest()[:12]
