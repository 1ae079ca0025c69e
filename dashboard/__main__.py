"""Serve the dashboard for a class: `python -m dashboard --host 0.0.0.0 --port 8501`.

The same app as `streamlit run dashboard`, on the same server, but: answers leave at once (TCP_NODELAY), everything is
imported before the first reader comes, what is then in memory is kept out of every garbage collection, and each
response says what a browser may do with it.
"""

import re
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import streamlit
import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime import runtime
from streamlit.starlette import App

from dashboard.warm import warm

HERE = Path(__file__).parent
# Streamlit styles from scripts, and loads our picture's module from a blob.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' blob: 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}


def inline_scripts() -> list[str]:
    """The sources of a Content-Security-Policy that allow the scripts within Streamlit's own page, and no others.

    Returns
    -------
    list of str
    """
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]


class Headers:
    """Adds to every response what a browser may do with it.

    Parameters
    ----------
    app : ASGI application
    frame_ancestors : str
        Who may show the dashboard in a frame, as in a Content-Security-Policy.
    """

    def __init__(self, app: ASGIApp, frame_ancestors: str):
        self.app = app
        scripts = " ".join([POLICY["script-src"], *inline_scripts()])
        policy = {**POLICY, "script-src": scripts, "frame-ancestors": frame_ancestors}
        self.headers = {
            "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in policy.items()),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


@asynccontextmanager
async def warmed(app: App) -> AsyncIterator[None]:
    """Warm before the first reader."""
    warm()
    yield


def main() -> None:
    parser = ArgumentParser(prog="python -m dashboard", formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for all")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument(
        "--frame-ancestors",
        default="* file:",
        help="who may embed it: a Content-Security-Policy source list, such as 'self'",
    )
    options = parser.parse_args()
    # To look for changes in every module takes nine tenths of a reader's first answer, and holds up all the others.
    config.set_option("server.fileWatcherType", "none")
    headers = Middleware(Headers, frame_ancestors=options.frame_ancestors)
    # Python lets a thread wait 5 ms for another one, and Streamlit as long between two bundles of what it sends: each is
    # a third of a quick answer.
    sys.setswitchinterval(0.001)
    runtime.MESSAGE_FLUSH_INTERVAL_SECS = 0.001
    app = App(HERE / "streamlit_app.py", lifespan=warmed, middleware=[headers])
    print(f"Cellscope is served at http://{options.host}:{options.port}. Stop it with Ctrl+C.", flush=True)
    # Given an address and not a socket, asyncio turns Nagle's algorithm off.
    uvicorn.run(
        app,
        host=options.host,
        port=options.port,
        loop="dashboard.loop:Loop",
        log_level="warning",
        timeout_graceful_shutdown=5,
        server_header=False,
        ws_per_message_deflate=False,  # as in Streamlit: it costs time and memory
    )


if __name__ == "__main__":
    main()
