"""The dials: native sliders, each with a field for its number, that the live part of a page follows while they are dragged.

Streamlit's own slider speaks when it is let go. Ours says with each frame of the screen where it is, and the server answers with
a picture of that (`serve/frames.py`); where no such answer comes through, the fragment that `live` makes runs for it. Once it is
let go the address says so, and the whole page runs. What a dial says is not in the session but in the address, so that a link, a
reload and the back button bring it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from dashboard.address import hold, read
from dashboard.choices import CHOICES, DIALS, LARGEST_SIZE, PARAMETERS, SCALES, as_text, of_text
from dashboard.screen import LOADER, STATIC, module_url
from dashboard.serve.warm import turn

LIVE = "live"
SIZES = ("m", "n", "k")
EVERYWHERE = (*SIZES, "scale", "seed")
_SCALES = [as_text(scale) for scale in SCALES]

_component = st.components.v2.component(
    "cellscope_dials",
    html='<div class="dials" role="group" aria-label="Dials"></div><p class="failed"></p>',
    css=(STATIC / "dials.css").read_text(encoding="utf-8"),
    js=LOADER,
)


# ---- what they say -------------------------------------------------------------------------


def said(name: str, default: Any) -> Any:
    """What the address says of a dial.

    Parameters
    ----------
    name : str
        Of DIALS.
    default : object
        Where it stands if nothing is said, or nothing that the rule of the choice allows.

    Returns
    -------
    int or float
    """
    text = read(name)
    return of_text(name, text) if text is not None and PARAMETERS[name].allows(text) else default


def dragged() -> Mapping[Any, Any]:
    """Where dials are dragged to, if that is news since the whole page ran.

    Returns
    -------
    mapping
        From names to texts, of which `allowed` knows what dials can say: somebody's own client may send anything.
    """
    said = _state()["dragged"].get("said") if _is_news() else None
    return said if isinstance(said, dict) else {}


def allowed(said: Mapping[Any, Any]) -> dict[str, str]:
    """Of what somebody's own client says that which dials can say.

    Parameters
    ----------
    said : mapping

    Returns
    -------
    dict from str to str
    """
    return {
        name: text
        for name, text in said.items()
        if name in DIALS and isinstance(text, str) and PARAMETERS[name].allows(text)
    }


def settle() -> None:
    """At the start of a run of the whole page: what was dragged before is over, and the address has what became of it.

    The run has a number, which goes to the browser with the dials and the picture. Streamlit leaves out there what is the same
    as in the run before, but since then a dial may have been moved and another picture drawn.
    """
    st.session_state.settled, st.session_state.whole_for = _request(), None
    st.session_state.run = st.session_state.get("run", 0) + 1


def whole() -> None:
    """At the end of a run of the whole page: there is all that the live part is a part of, as its address says."""
    st.session_state.whole_for = st.query_params.to_dict()


def _is_news() -> bool:
    """Whether something was dragged since the whole page ran."""
    return _request() not in (None, st.session_state.get("settled"))


def _request() -> int | None:
    """The number of the last thing that was dragged; without one it could not be told from what is over."""
    there = _state().get("dragged")
    request = there.get("request") if isinstance(there, dict) else None
    return request if isinstance(request, int) else None


def _state() -> Any:
    return st.session_state.get("dials") or {}


# ---- the live part -------------------------------------------------------------------------


def live(draw: Callable[[], None]) -> None:
    """Draw a page's live part, and again whenever a dial says to the page that it moves.

    Parameters
    ----------
    draw : callable
        Draws what follows from what the controls say, and from where dials are dragged to.
    """

    @st.fragment(key=LIVE)
    def run() -> None:
        st.session_state.request = _request() if _is_news() else None
        with turn():
            draw()

    run()


# ---- the dials -----------------------------------------------------------------------------


def dials(defaults: Mapping[str, Any], *, large: bool, ends: Mapping[str, int]) -> None:
    """Draw the dials.

    Parameters
    ----------
    defaults : mapping from str to int or float
        Of DIALS, from left to right: where each stands if the address does not say it.
    large : bool
        Whether the sliders of the sizes reach up to the largest size.
    ends : mapping from str to int
        Where a slider ends that ends elsewhere now.
    """
    data = {
        "module": module_url("link.js"),
        "part": "dials.js",
        "run": st.session_state.run,  # as of a picture
        "dials": [_described(name, default, large=large, end=ends.get(name)) for name, default in defaults.items()],
    }
    st.html(STATIC / "dials_page.css")
    _component(key="dials", data=data, on_dragged_change=_redraw, on_left_change=_leave)


def _described(name: str, default: Any, *, large: bool, end: int | None) -> dict[str, Any]:
    """A dial as the browser has it."""
    choice, rule, value = CHOICES[name], PARAMETERS[name], said(name, default)
    track = choice.track
    assert track
    high = LARGEST_SIZE if large and name in SIZES else track.high if end is None else max(end, track.low + 1)
    if value > high or value < track.low:
        high = getattr(rule, "high", inf)
    is_scale = name == "scale"
    return {
        "name": name,
        "label": choice.label,
        "help": choice.help or "",
        "text": _exact(value),
        "default": _exact(default),
        "low": getattr(rule, "low", 0) if value < track.low else track.low,
        "high": high,
        "step": track.step,
        "smallest": SCALES[0] if is_scale else rule.low,
        "largest": SCALES[-1] if is_scale else rule.high,
        "whole": isinstance(default, int),
        "options": _SCALES if is_scale else None,
    }


def _exact(value: float) -> str:
    """In all its digits: a link may say a number that is none of the slider's."""
    return repr(value).removesuffix(".0")


def _redraw() -> None:
    """Of a dial that is dragged."""
    # After a run that was cut short, as by a lost connection, the browser may have a part of the page only: then all of it runs.
    # So it does for another address: what is chosen while a dial is dragged may come with it, and no run but this one follows.
    if st.session_state.get("whole_for") == st.query_params.to_dict():
        with suppress(StreamlitAPIException):  # where the page has changed and there is no live part
            st.rerun(LIVE)


def _leave() -> None:
    """Of dials that are let go: the address says where, and the whole page runs."""
    left = _state().get("left")
    there = left.get("said") if isinstance(left, dict) else None
    if not isinstance(there, dict):
        return
    address: dict[str, str | None] = {name: None for name in DIALS if there.get(name) == ""} | allowed(there)
    if not address:
        return
    st.session_state.whole_for = None  # what is there now is not of this address
    # Of fewer units the browser has inspected another one in the same address: its widget must not say the old one again.
    unit = left.get("unit")
    if isinstance(unit, int) and PARAMETERS["j"].allows(f"{unit}"):
        st.session_state.j = unit
        address["j"] = f"{unit}" if unit > 1 else None
    hold(address)
