"""Who a reader is, where readers share something out."""

from collections.abc import Hashable

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME


def reader() -> Hashable:
    """Return what stands for the reader of this run.

    Returns
    -------
    hashable
        The same for all tabs of one browser. Without cookies, each call is a reader of its own.
    """
    # Streamlit writes the same token with another mask each time.
    token, _ = decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))
    return token or object()
