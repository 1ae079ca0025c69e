"""Refuse websockets that pages of other sites open, and paths that are not for readers."""

import logging
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from dashboard.server.base_path import served
from dashboard.server.streamlit_internals import is_origin_allowed

# Answers with the number of readers. To answer, Streamlit walks through the state of all sessions.
METRICS = "_stcore/metrics"


class AccessControl:
    """Middleware that answers 403 to websockets of other sites, and 404 to some paths.

    Without it, any page that is open in a reader's browser could open sessions on this server.

    Parameters
    ----------
    app : ASGI application
    closed : sequence of str, optional
        Paths without a slash at their start.
    """

    def __init__(self, app: ASGIApp, closed: tuple[str, ...] = ()):
        self.app = app
        self.closed = {served(path) for path in closed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not is_from_here(Headers(scope=scope)):
            await WebSocket(scope, receive, send).close()
        elif scope["type"] == "http" and scope["path"] in self.closed:
            await PlainTextResponse("Not Found", 404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def is_from_here(headers: Headers) -> bool:
    """Whether Streamlit's own rule and settings let a page open a websocket.

    The page's origin must be the server's, which the header Host names, or an option such as `server.corsAllowedOrigins` must allow
    it. Programs other than browsers send no origin.

    Parameters
    ----------
    headers : starlette.datastructures.Headers
    """
    origin, host = headers.get("origin"), headers.get("host")
    try:
        if is_origin_allowed(origin, host):
            return True
    except ValueError:  # the header is no origin
        pass
    _warn(origin, host)
    return False


# Log each origin once, because a page may try many times a second.
@lru_cache(maxsize=100)
def _warn(origin: str | None, host: str | None) -> None:
    logging.getLogger(__name__).warning(
        "Refused a websocket that a page of %.200r opened at %.200r. If this page is Cellscope's own, let the proxy "
        "before the server pass on the header Host, or name the origin in server.corsAllowedOrigins.",
        origin,
        host,
    )
