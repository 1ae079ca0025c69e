"""All private parts of Streamlit that Cellscope uses, each behind a function that says what it is for.

`tests/dashboard/server/test_streamlit_internals.py` holds every name and signature, so a new version of Streamlit fails there first.
"""

import re
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit import net_util
from streamlit.runtime import get_instance, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

# The files of its browser side.
STATIC = Path(st.__file__).parent / "static"

# The path of an upload, with the id of its session.
UPLOAD_PATH = re.compile("/_stcore/upload_file/([^/]+)/[^/]+")


def is_in_run() -> bool:
    """Whether this thread runs a page for a session."""
    return get_script_run_ctx(suppress_warning=True) is not None


def own_session() -> str:
    """Return the id of the session that this thread runs for."""
    context = get_script_run_ctx()
    assert context is not None, "no session runs in this thread"
    return context.session_id


def is_active_session(session: str) -> bool:
    """Whether a session has not ended."""
    return get_instance().is_active_session(session)


def remove_uploads(session: str) -> None:
    """Remove the uploaded files of a session, which Streamlit keeps until the session ends."""
    get_instance().uploaded_file_mgr.remove_session_files(session)


def uploaded_bytes(session: str) -> int:
    """Return the size of the uploaded files of a session."""
    manager = get_instance().uploaded_file_mgr
    return sum(len(file.data) for file in list(getattr(manager, "file_storage", {}).get(session, {}).values()))


def is_origin_allowed(origin: str | None, host: str | None) -> bool:
    """Whether Streamlit's rule and options let a page of this origin open a websocket.

    Raises
    ------
    ValueError
        If the text is no origin.
    """
    return _is_origin_allowed(origin, host)


def never_ask_for_own_address() -> None:
    """Keep Streamlit from asking a service on the Internet for the server's address.

    Streamlit would ask for each unknown origin, and all readers would wait for up to two seconds.
    """
    net_util.get_external_ip = lambda: None


def browser_token() -> bytes | None:
    """Return the random token of the reader's browser from its cookie, or None without cookies."""
    # Streamlit writes the same token with another mask each time.
    token, _ = decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))
    return token


def send_messages_every(seconds: float) -> None:
    """Set the pause between two bundles of messages to a browser."""
    runtime.MESSAGE_FLUSH_INTERVAL_SECS = seconds  # type: ignore[misc]  # Streamlit calls it final


@cache
def html_page() -> str:
    """Return Streamlit's own HTML page, which is the same at all paths."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


def inline_scripts() -> list[str]:
    """Return the texts of the scripts within Streamlit's own HTML page."""
    return re.findall(r"<script>(.*?)</script>", html_page(), re.DOTALL)


@cache
def formula_fonts() -> tuple[str, ...]:
    """Return the paths of the font of variables in formulas, as Streamlit serves it: one, or none in another version."""
    return tuple(font.relative_to(STATIC).as_posix() for font in STATIC.glob("static/media/KaTeX_Math-Italic.*.woff2"))
