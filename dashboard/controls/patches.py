"""The component that changes the URL after a callback in a fragment: the sidebar, which does so after a run, is not drawn there."""

import streamlit as st

from dashboard.server import assets
from dashboard.server.assets import LOADER
from dashboard.state import session

_component = st.components.v2.component("cellscope_patches", html='<p class="failed"></p>', js=LOADER)


def send_patches(key: str) -> None:
    """Send the session's patches of the URL to the browser. Call it in the fragment whose callbacks call `session.patch`.

    Parameters
    ----------
    key : str
    """
    data = {"modules": assets.url(), "part": "controls/patches.js", "changed": session.patches()}
    _component(key=f"patches {key}", data=data)
