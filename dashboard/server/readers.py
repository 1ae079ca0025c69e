"""Who a reader is, where readers share something out."""

from collections.abc import Hashable

from dashboard.server.streamlit_internals import browser_token


def reader() -> Hashable:
    """Return what stands for the reader of this run.

    Returns
    -------
    hashable
        The same for all tabs of one browser. Without cookies, each call is a reader of its own.
    """
    return browser_token() or object()
