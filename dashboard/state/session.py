"""The URL of this session. No other module reads `st.query_params`, and nothing writes them.

Only the browser writes the URL (`static/controls/url.js`). If the server must change a setting, it sends a numbered patch. The browser applies
it to the URL of that moment, and the page runs for the new URL.
"""

from collections.abc import Mapping
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from core.arrays import Array
from core.examples import EXAMPLES, first_of
from dashboard.server.base_path import served
from dashboard.state.custom_arrays import KEPT, read_kept
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import OPENING_PARAMS, VALUE_RULES
from dashboard.state.state import State, parse

# How many numbered entries each run sends again, because an earlier answer may have been lost.
LAST_ENTRIES = 8


def begin_run(page: str) -> tuple[State, dict[str, str]]:
    """Count a run, and return the state of the page for the URL.

    Parameters
    ----------
    page : str
        The path of the page.

    Returns
    -------
    state : State
    refused : dict from str to str
        The rule of each refused parameter. A parameter that occurs twice is refused.
    """
    st.session_state.run_number = st.session_state.get("run_number", 0) + 1
    return read(page)


def read(page: str) -> tuple[State, dict[str, str]]:
    """Return the state of the page and the refused parameters, as `begin_run`, in a callback."""
    query, repeated = {}, {}
    for name in st.query_params:
        texts = st.query_params.get_all(name)
        if len(texts) == 1:
            query[name] = texts[0]
        elif name in VALUE_RULES:
            repeated[name] = str(VALUE_RULES[name])
    state, refused = parse(page, query, stored())
    return state, refused | repeated


def parameter_names() -> set[str]:
    """Return the names of all query parameters in the URL."""
    return set(st.query_params)


def stored() -> dict[str, Array]:
    """Return the arrays of this session by their digests."""
    arrays: dict[str, Array] = st.session_state.setdefault("stored", {})
    return arrays


def kept_text() -> str:
    """Return the text of the parameter `kept`, or an empty text if it is missing or refused."""
    text = st.query_params.get(KEPT, "")
    return text if VALUE_RULES[KEPT].allows(text) else ""


def store(arrays: Mapping[str, Array]) -> None:
    """Store arrays by their digests, and drop those that the URL does not name; the browser still has them."""
    named = read_kept(kept_text()).values()
    here = {digest: array for digest, array in stored().items() if digest in named}
    st.session_state.stored = here | dict(arrays)


def url_of_run(state: State) -> dict[str, Any]:
    """Return what `url.js` must know about the URL of this run.

    Parameters
    ----------
    state : State

    Returns
    -------
    dict
        `page` and `query` tell the browser whether the URL has changed since. `number` counts the runs: without it, Streamlit would not pass on
        a run with the data of the one before, but a drag may have drawn another picture in between. `example` is the worked example,
        whose defaults the controls of the run have, and `examples` the example of each page's bare URL. `first` lists the own examples of pages.
        `opening` lists the parameters that leave a URL bare. `root` is the path of the app.
    """
    return {
        "number": st.session_state.get("run_number", 0),
        "page": state.page,
        "query": sorted(pairs()),
        "example": state.example,
        "examples": {path: first_of(path) for path in PAGES},
        "first": [name for name, example in EXAMPLES.items() if example.is_first],
        "opening": sorted(OPENING_PARAMS | ignored()),
        "root": served(""),
    }


def ignored() -> set[str]:
    """Return the names of the parameters that count as missing: unknown, refused or repeated."""
    return {name for name in st.query_params if not _is_taken(name)}


def _is_taken(name: str) -> bool:
    texts = st.query_params.get_all(name)
    return len(texts) == 1 and name in VALUE_RULES and VALUE_RULES[name].allows(texts[0])


def queue(kind: str, entry: Mapping[str, Any]) -> None:
    """Add a numbered entry for the browser, which applies it once.

    Parameters
    ----------
    kind : str
        A key of the session.
    entry : mapping from str to object
    """
    number, last = st.session_state.get(kind, (0, []))
    st.session_state[kind] = number + 1, [*last, {"number": number + 1, **entry}][-LAST_ENTRIES:]


def queued(kind: str) -> list[dict[str, Any]]:
    """Return the last numbered entries of a kind, which each run sends."""
    entries: list[dict[str, Any]] = st.session_state.get(kind, (0, []))[1]
    return entries


def patch(changes: Mapping[str, str | None], *, entry: bool = True) -> None:
    """Change the URL. Call it from a callback: the sidebar brings the patch with the run. A fragment must draw `screen.patches`.

    Parameters
    ----------
    changes : mapping from str to str or None
        The new text of each parameter; None removes it.
    entry : bool
        Whether the change adds a history entry or replaces the current one.
    """
    queue("patches", {"changes": dict(changes), "entry": entry})


def patches() -> dict[str, Any]:
    """Return the name of this session and its last patches; the browser applies each of them once."""
    return {"session": name(), "patches": queued("patches")}


def take_once(sent: object) -> bool:
    """Return whether the run has to do a numbered action of the browser, and count it as done.

    The browser sends its last action with every run, so that none is lost with its connection. An action that comes again, that was sent
    to another session or for another URL (the reader has gone back since) is not to be done.

    Parameters
    ----------
    sent : object
        With `session`, `number`, and the `path` and `query` of the URL. A client that is not ours may send anything.
    """
    if not isinstance(sent, Mapping) or sent.get("session") != name():
        return False
    number, query = sent.get("number"), sent.get("query")
    if not isinstance(number, int) or number <= st.session_state.get("done", 0):
        return False
    st.session_state.done = number
    url = st.context.url  # None in a test without a browser
    is_of_page = url is None or urlsplit(url).path.strip("/") == f"{sent.get('path')}".strip("/")
    return is_of_page and isinstance(query, list) and sorted(query, key=str) == sorted(pairs(), key=str)


def pairs() -> list[list[str]]:
    """Return the names and texts of the URL."""
    return [[name, text] for name in st.query_params for text in st.query_params.get_all(name)]


def name() -> str:
    """Return a random name of this session, by which the browser tells its numbers from those of another session."""
    if "session_name" not in st.session_state:
        st.session_state.session_name = token_hex(8)
    session_name: str = st.session_state.session_name
    return session_name
