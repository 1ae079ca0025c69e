"""The paths of the server."""

import streamlit as st


def served(path: str) -> str:
    """Return the path at which the server serves something.

    Parameters
    ----------
    path : str
        Without a slash at its start; for a page its path in the page list.

    Returns
    -------
    str
        The path with the prefix of `server.baseUrlPath`, if the server has one.
    """
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{'/' + base if base else ''}/{path}"
