"""Serve the dashboard for a class: `python -m dashboard --host 0.0.0.0 --port 8501`.

The same app as `streamlit run dashboard`, on the same server, but messages leave sooner, a session has one uploaded file
at most, and each response says what a browser may do with it.
"""

import asyncio
import re
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, ArgumentTypeError

import streamlit as st
import uvicorn
from starlette.middleware import Middleware

from dashboard.server.access_control import METRICS, AccessControl
from dashboard.server.app import PAGES, routes, warmed
from dashboard.server.headers import Headers
from dashboard.server.streamlit_internals import send_messages_every
from dashboard.server.uploads import OneUpload
from dashboard.state import page_list

# Printable ASCII, but for what ends a source list or the whole policy.
SOURCES = re.compile(r"[ !-+\--:<-~]+")


def port(text: str) -> int:
    """Return the port in a text.

    Raises
    ------
    ArgumentTypeError
        If there is no such port. The system would choose another one for 0, which no reader could know.
    """
    if not re.fullmatch("[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError("must be a whole number from 1 to 65535, such as 8501")
    return int(text)


def sources(text: str) -> str:
    """Return the text if it is a source list of a Content-Security-Policy and nothing more.

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
    middleware = [
        Middleware(Headers, frame_ancestors=options.frame_ancestors),
        Middleware(AccessControl, closed=(METRICS,)),
        Middleware(OneUpload),
    ]
    # Python lets a thread wait 5 ms for another one, and Streamlit as long between two bundles of what it sends: each is
    # a third of a quick answer.
    sys.setswitchinterval(0.001)
    send_messages_every(0.001)
    app = st.App(PAGES, lifespan=warmed, routes=routes(page_list.PAGES), middleware=middleware)
    print(f"Cellscope is served at {url}. Stop it with Ctrl+C.", flush=True)
    # Given an address and not a socket, asyncio turns Nagle's algorithm off.
    uvicorn.run(
        app,
        host=options.host,
        port=options.port,
        loop="dashboard.server.event_loop:Loop",
        log_level="warning",
        timeout_graceful_shutdown=5,
        server_header=False,
        ws_per_message_deflate=False,  # as in Streamlit: it costs time and memory
    )


if __name__ == "__main__":
    main()
