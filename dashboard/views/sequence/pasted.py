"""The field for the numbers of a sequence."""

import streamlit as st

from core.exchange.matrix_text import parse_matrix
from dashboard.controls import storage
from dashboard.controls.patches import send_patches
from dashboard.state import session
from dashboard.state.custom_arrays import digest_of
from dashboard.state.state import State
from dashboard.text import sequence as text
from dashboard.text.plural import fill


@st.fragment
def paste(state: State) -> None:
    """Draw the field for the numbers of a sequence; a refused text changes nothing, and the reason stands below the field."""
    send_patches("pasted")
    xs = state.custom_values(session.stored()).get("xs")
    lines = "" if xs is None else "\n".join(" ".join(map(str, row)) for row in xs.tolist())
    # With the digest in the key, the back button shows a new field with the numbers of the URL.
    key = f"pasted {'' if xs is None else digest_of('xs', xs)}"
    st.text_area(
        text.PASTE,
        lines,
        key=key,
        on_change=_take_sequence,
        args=(state, key),
        height=96,
        placeholder=text.PASTE_PLACEHOLDER,
        help=text.PASTE_HELP,
    )
    if refused := st.session_state.pop("pasted_refused", None):
        st.error(refused)
    if promise := storage.storage_notice(state, "xs"):
        st.info(promise)


def _take_sequence(state: State, key: str) -> None:
    try:
        xs = parse_matrix(st.session_state[key])
    except ValueError as error:
        st.session_state.pasted_refused = text.REFUSED.format(reason=error)
        return
    m, columns = state.scenario.m, xs.shape[1]
    if columns != m:
        st.session_state.pasted_refused = fill(text.OTHER_WIDTH, {"m": m, "columns": columns})
        return
    missing = {name: digest for name, digest in state.missing(session.stored()).items() if name != "xs"}
    storage.patch_arrays({**state.custom_values(session.stored()), "xs": xs}, missing=missing)
