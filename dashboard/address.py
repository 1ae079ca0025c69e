"""The address as the server says it: by itself Streamlit takes from it, and writes to it, what widgets say."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state


class Held(NamedTuple):
    """What was said of some parameters.

    Attributes
    ----------
    run : int
        The number of the run before.
    names : frozenset of str
        Of the parameters.
    address : dict from str to str
        All of it.
    """

    run: int
    names: frozenset[str]
    address: dict[str, str]


def say(said: Mapping[str, str | None]) -> None:
    """Change the address, as one entry of the browser's history.

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
        st.session_state.held = Held(_run() if unheard else held.run, held.names, st.query_params.to_dict())


def hold(names: Iterable[str]) -> None:
    """Hold what was just said of these against what the browser says before it can have heard it.

    Streamlit's browser does not know what the dials wrote to the address themselves: until it hears it from the server, it
    asks with the address before.

    Parameters
    ----------
    names : iterable of str
    """
    st.session_state.held = Held(_run(), frozenset(names), st.query_params.to_dict())


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


def is_overtaken() -> bool:
    """Whether the browser asks with another address than the one that is held, which it may hear only now and take for newer."""
    held = _held()
    return held is not None and held.address != st.query_params.to_dict()


def is_step_of_history() -> bool:
    """Whether this run was asked for by back or forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def is_bound(name: str) -> bool:
    """Whether a widget on the page is bound to the parameter."""
    with get_session_state().query_params() as address:
        return address.is_bound(name)


def _held() -> Held | None:
    """What is held in this run: what was said for it or for the one before."""
    held: Held | None = st.session_state.get("held")
    return held if held and _run() - held.run <= 2 else None


def _unheard() -> dict[str, str | None]:
    """What is held and the browser has not heard yet; a step of the history brings an address of its own."""
    held = _held()
    if held is None or is_step_of_history():
        return {}
    return {name: held.address.get(name) for name in held.names if held.address.get(name) != st.query_params.get(name)}


def _run() -> int:
    """The number of the last run of the whole page."""
    return st.session_state.get("run", 0)
