"""Serve the dashboard for a class: `python -m dashboard --host 0.0.0.0 --port 8501`.

The same app as `streamlit run dashboard`, on the same server, but: answers leave at once (TCP_NODELAY), everything is
imported before the first reader comes, what is then in memory is kept out of every garbage collection, a session has
one uploaded file at most, and each response says what a browser may do with it.
"""

import asyncio
import re
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, ArgumentTypeError
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from weakref import WeakValueDictionary

import streamlit
import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime import get_instance, runtime
from streamlit.starlette import App

from dashboard.warm import warm

HERE = Path(__file__).parent
# The address of an upload, and its session.
UPLOAD = re.compile("/_stcore/upload_file/([^/]+)/[^/]+")
# Printable ASCII, but for what ends a source list or the whole policy.
SOURCES = re.compile(r"[ !-+\--:<-~]+")
# Streamlit's scripts add styles to the page, and load our picture's module from a blob.
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


class OneUpload:
    """Lets a session have one uploaded file: the next one takes its place. Streamlit keeps all until the session ends.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self.turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = UPLOAD.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if not upload:
            await self.app(scope, receive, send)
            return
        session, streamlit_runtime = upload[1], get_instance()
        turn = self.turns.setdefault(session, asyncio.Lock())
        async with turn:
            streamlit_runtime.uploaded_file_mgr.remove_session_files(session)
            try:
                await self.app(scope, receive, send)
            finally:
                if not streamlit_runtime.is_active_session(session):  # it ended meanwhile: nobody else lets go of it
                    streamlit_runtime.uploaded_file_mgr.remove_session_files(session)


@asynccontextmanager
async def warmed(app: App) -> AsyncIterator[None]:
    """Warm before the first reader."""
    warm()
    yield


def port(text: str) -> int:
    """The port that a text says.

    Raises
    ------
    ArgumentTypeError
        If there is no such port. With 0 the system would pick one, which no reader could know.
    """
    if not re.fullmatch("[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError("must be a whole number from 1 to 65535, such as 8501")
    return int(text)


def sources(text: str) -> str:
    """The text, if in a Content-Security-Policy it is a source list and nothing more.

    Raises
    ------
    ArgumentTypeError
    """
    if not SOURCES.fullmatch(text):
        raise ArgumentTypeError(
            "must be sources with spaces between them, such as \"'self' https://school.example\": "
            "leave out line ends, semicolons, commas and what is not ASCII"
        )
    return text


async def expect_free(host: str, port: int) -> None:
    """Raise unless the server will be able to listen there, by trying it.

    Raises
    ------
    OSError
        If the host is not an address of this machine, or the port is taken or not allowed.
    UnicodeError
        If no host can have that name.
    """
    if not host:  # which asyncio takes for all addresses
        raise OSError("the host is empty")
    server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port, start_serving=False)
    if not server.sockets:
        raise OSError("this machine has no such kind of address")
    server.close()


def main() -> None:
    parser = ArgumentParser(prog="python -m dashboard", formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for all")
    parser.add_argument("--port", type=port, default=8501)
    parser.add_argument(
        "--frame-ancestors",
        type=sources,
        default="* file:",
        help="who may embed it: a Content-Security-Policy source list, such as 'self'",
    )
    options = parser.parse_args()
    host = f"[{options.host}]" if ":" in options.host else options.host
    url = f"http://{host}:{options.port}"
    try:
        asyncio.run(expect_free(options.host, options.port))
    except OSError as error:
        why = str(error.strerror or error).rpartition(": ")[2]  # before it asyncio repeats the address
        parser.error(f"{url} cannot be served: {why}. Choose another --host or --port.")
    except UnicodeError:
        parser.error(f"{url} cannot be served: no host has such a name. Choose another --host.")
    # To look for changes in every module takes nine tenths of a reader's first answer, and holds up all the others.
    config.set_option("server.fileWatcherType", "none")
    middleware = [Middleware(Headers, frame_ancestors=options.frame_ancestors), Middleware(OneUpload)]
    # Python lets a thread wait 5 ms for another one, and Streamlit as long between two bundles of what it sends: each is
    # a third of a quick answer.
    sys.setswitchinterval(0.001)
    runtime.MESSAGE_FLUSH_INTERVAL_SECS = 0.001
    app = App(HERE / "streamlit_app.py", lifespan=warmed, middleware=middleware)
    print(f"Cellscope is served at {url}. Stop it with Ctrl+C.", flush=True)
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
