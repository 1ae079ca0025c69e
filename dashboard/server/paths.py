"""Where the server serves something."""

import streamlit as st


def served(path: str) -> str:
    """Where the server serves something.

    Parameters
    ----------
    path : str
        Without a slash at its start; of a page that of its link.

    Returns
    -------
    str
        A path on the server, which may have one of its own that all start with.
    """
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{'/' + base if base else ''}/{path}"
