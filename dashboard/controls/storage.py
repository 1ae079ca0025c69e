"""Arrays that do not fit in the URL: this tab of the browser stores them, and sends them to a session that lacks them.

The URL has the name and the digest of each array (`state/custom_arrays.py`). The session has the numbers while it lasts.
`static/controls/storage.js` keeps them in the tab's sessionStorage.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.arrays import Array
from core.exchange.array_files import read_arrays, to_npz
from dashboard.server import assets
from dashboard.server.assets import LOADER
from dashboard.state import custom_arrays, session
from dashboard.state.custom_arrays import KEPT, MOST_IN_LINK, TYPED, digest_of, read_kept
from dashboard.state.state import State
from dashboard.text import notices as text
from dashboard.text import words

# The last status of a digest: sent to the browser, the browser has no room for it, or the browser does not have it.
SENT, FULL, LOST = "sent", "full", "lost"

_keeper = st.components.v2.component("cellscope_keeper", js=LOADER)


def notices(state: State) -> list[str]:
    """Return sentences about arrays that the URL names and this session lacks."""
    missing, status = state.missing(session.stored()), _status()
    lost = [f"`{name}`" for name, digest in missing.items() if status.get(digest) == LOST]
    coming = [f"`{name}`" for name, digest in missing.items() if status.get(digest) != LOST]
    sentences = []
    if lost:
        sentences.append(text.LOST.format(names=words.listed(lost)))
    if coming:
        sentences.append(text.COMING.format(names=words.listed(coming)))
    return sentences


def storage_notice(state: State, *names: str) -> str:
    """Return sentences that say how long arrays beyond the link are kept, or an empty text if there are none."""
    here, status = session.stored(), _status()
    beyond = {name: digest for name, digest in read_kept(state.kept).items() if name in names and digest in here}
    kept = [name for name, digest in beyond.items() if status.get(digest) != FULL]
    full = [name for name, digest in beyond.items() if status.get(digest) == FULL]
    lines = []
    if kept:
        lines.append(text.KEPT.format(names=words.listed(kept), most=MOST_IN_LINK))
    if full:
        lines.append(text.FULL.format(names=words.listed(full), most=MOST_IN_LINK))
    return "  \n".join(lines)


def keep_in_browser(state: State) -> None:
    """Send the browser the arrays that do not fit in the URL, and ask it for those that this session lacks.

    Call it at the end of a run. If the URL carries everything, it draws no component.
    """
    digests, here = read_kept(state.kept), session.stored()
    status = st.session_state.storage_status = {
        digest: last for digest, last in _status().items() if digest in digests.values()
    }
    if not digests:
        return
    texts = {
        digest: b64encode(to_npz({name: here[digest]})).decode()
        for name, digest in digests.items()
        if digest in here and digest not in status
    }
    status |= dict.fromkeys(texts, SENT)
    st.session_state.asked = st.session_state.get("asked", 0) + 1
    data = {
        "modules": assets.url(),
        "part": "controls/storage.js",
        "texts": texts,
        "here": [digest for digest in digests.values() if digest in here and status[digest] != FULL],
        "wanted": [digest for digest in digests.values() if digest not in here and status.get(digest) != LOST],
        # A number that changes asks the browser in every run again, because an answer may have been lost.
        "asked": st.session_state.asked,
    }
    _keeper(key="keeper", data=data, on_answer_change=_on_answer)


def _on_answer() -> None:
    """Read the answer of the browser, and check it: a client that is not ours may send anything."""
    answer = st.session_state.keeper.answer
    if not isinstance(answer, dict):
        return
    here, status = session.stored(), _status()
    lacks, full, lost, found = (_part(answer, kind) for kind in ("lacks", "full", "lost", "found"))
    for name, digest in read_kept(session.kept_text()).items():
        if digest in here:
            if digest in lacks:
                status.pop(digest, None)
            if digest in full:
                status[digest] = FULL
        elif digest in found or digest in lost:
            array = _read(name, digest, found.get(digest))
            status[digest] = LOST if array is None else SENT
            if array is not None:
                session.store({digest: array})
    st.session_state.storage_status = status


def _part(answer: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return one part of the answer, by digest."""
    part = answer.get(kind)
    return part if isinstance(part, dict) else {}


def _read(name: str, digest: str, text: Any) -> Array | None:
    """Return the array in the text, or None if it does not have this name and digest."""
    if not isinstance(text, str):
        return None
    try:
        array = read_arrays("kept.npz", b64decode(text, validate=True)).get(name)
    except ValueError:
        return None
    return array if array is not None and array.ndim == 2 and digest_of(name, array) == digest else None


def _status() -> dict[str, str]:
    return dict(st.session_state.get("storage_status", {}))


def patch_arrays(
    arrays: Mapping[str, Array],
    changes: Mapping[str, str | None] = MappingProxyType({}),
    missing: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Replace all custom values by these arrays. Call it from a callback, like `session.patch`.

    Parameters
    ----------
    arrays : mapping from str to ndarray
    changes : mapping from str to str or None, optional
        Changes of other query parameters in the same history entry.
    missing : mapping from str to str, optional
        Digests by name of arrays that the URL still names although this session lacks them.
    """
    written = custom_arrays.write(arrays, missing)
    session.store(written.stored)
    # Ask again for arrays without room: the browser may have room now.
    st.session_state.storage_status = {digest: last for digest, last in _status().items() if last != FULL}
    session.patch({TYPED: written.typed or None, KEPT: written.kept or None, **changes})


def query_of(arrays: Mapping[str, Array]) -> dict[str, str | None]:
    """Return the query parameters that make these arrays the custom values, for a link within this session."""
    written = custom_arrays.write(arrays)
    session.store(written.stored)
    return {TYPED: written.typed or None, KEPT: written.kept or None}
