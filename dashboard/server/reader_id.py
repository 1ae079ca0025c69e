"""The identity of a reader, so that readers can share something fairly."""

from collections.abc import Hashable

from dashboard.server.streamlit_internals import browser_token


def reader() -> Hashable:
    """Return an object that identifies the reader of this run.

    Returns
    -------
    hashable
        Equal for all tabs of one browser. Without cookies, each call returns a new identity.
    """
    return browser_token() or object()
