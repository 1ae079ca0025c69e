"""The address as the server says it: by itself Streamlit takes from it, and writes to it, what widgets say."""

from collections.abc import Mapping
from time import monotonic
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state

# In seconds: by then the browser has heard what was said, or its connection is lost; then the dials say it once more.
LATE = 10


class Held(NamedTuple):
    """What dials were let go with, which the browser may not have heard yet.

    Attributes
    ----------
    at : float
        When it was said, in seconds.
    page : str
        The page that it was said on, by its hash.
    before : dict from str to str or None
        What the browser said of these parameters before.
    address : dict from str to str
        The whole address as it was said.
    """

    at: float
    page: str
    before: dict[str, str | None]
    address: dict[str, str]


def say(said: Mapping[str, str | None]) -> None:
    """Change the address, as one entry of the browser's history; what is held and unheard is said with it.

    Streamlit makes an entry of each parameter that is set by itself, and refuses to set one that is bound to a widget.
    So they are set in its own store, and sent together.

    Parameters
    ----------
    said : mapping from str to str or None
        None for what the address leaves out.
    """
    held, unheard = _held(), _unheard()
    with get_session_state().query_params() as address:
        for name, text in {**unheard, **said}.items():
            if text is None:
                address.discard_param_no_forward_msg(name)
            else:
                address.set_with_no_forward_msg(name, text)
        # A widget that is new in this run, as a slider with another end is, starts from the address: from this one.
        address.set_initial_query_params_from_current()
    st.query_params.update()
    if held:
        at = monotonic() if unheard else held.at
        st.session_state.held = held._replace(at=at, address=st.query_params.to_dict())


def hold(said: Mapping[str, str | None]) -> None:
    """Say what dials were let go with, and hold it against what the browser says before it can have heard it.

    Streamlit's browser does not know what the dials wrote to the address themselves: until it hears it from the server, it
    asks with the address before.

    Parameters
    ----------
    said : mapping from str to str or None
        As of `say`.
    """
    before = {name: st.query_params.get(name) for name in said}
    say(said)
    st.session_state.held = Held(monotonic(), _page(), before, st.query_params.to_dict())


def read(name: str) -> str | None:
    """What the address says of a parameter, or will say once the browser has heard it.

    Parameters
    ----------
    name : str

    Returns
    -------
    str or None
        None where it says nothing.
    """
    unheard = _unheard()
    return unheard[name] if name in unheard else st.query_params.get(name)


def set_right() -> None:
    """At the start of a run, where dials were let go just before: say the address once more, if the browser asks with another.

    The browser may hear only now what was said for the dials, and take that for the newest address.
    """
    held = _held()
    if held is None or held.address == st.query_params.to_dict():
        return
    say({})
    if is_step_of_history():
        # Of one step after the other, each page's address could come to the next one.
        st.session_state.held = None


def is_step_of_history() -> bool:
    """Whether this run was asked for by back or forward, or by a link to a page."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def is_bound(name: str) -> bool:
    """Whether a widget on the page is bound to the parameter."""
    with get_session_state().query_params() as address:
        return address.is_bound(name)


def _held() -> Held | None:
    held: Held | None = st.session_state.get("held")
    return held if held and monotonic() - held.at < LATE else None


def _unheard() -> dict[str, str | None]:
    """What is held, where the browser still says on the same page what it said before."""
    held = _held()
    if held is None or held.page != _page() or is_step_of_history():
        return {}
    return {
        name: held.address.get(name)
        for name, before in held.before.items()
        if st.query_params.get(name) == before != held.address.get(name)
    }


def _page() -> str:
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""
