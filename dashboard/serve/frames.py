"""The pictures of a drag: they come from here, and not from a run of the page.

To a run Streamlit's browser answers with several passes through all elements of the page, which takes longer than the picture.
So a page leaves here what draws its live part, and while a dial is dragged its browser asks for that over a websocket. Once the
dial is let go, the page runs.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from secrets import token_urlsafe
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dashboard.serve.paths import served
from dashboard.serve.warm import turn

# In characters: more than all dials can say.
LONGEST = 2000
# From what the dials say, by name, to what is drawn of it, ready to be JSON.
Draw = Callable[[Mapping[str, str]], Any]


class Live:
    """What draws the live part of the page that a session shows.

    Attributes
    ----------
    token : str
        What its address has, which nobody can guess: who has it sees the reader's numbers.
    draw : Draw
    socket : WebSocket, optional
        By which its browser asks: the newest one.
    """

    def __init__(self, draw: Draw):
        self.token = token_urlsafe(16)
        self.draw = draw
        self.socket: WebSocket | None = None


# Of its own: who waits for a long one to be drawn must not hold up Streamlit's files.
_threads = CapacityLimiter(64)
# Each is kept by its session, and goes with it.
_all: WeakValueDictionary[str, Live] = WeakValueDictionary()


def offer(draw: Draw) -> str:
    """Leave what draws the live part of this session's page, in the place of what was left before.

    Parameters
    ----------
    draw : Draw
        Called in threads of their own, outside of any run: it must know all else by itself.

    Returns
    -------
    str
        The path of a websocket: to what the dials say, as JSON, it answers with the picture of it.
    """
    if "live_part" not in st.session_state:
        live = st.session_state.live_part = Live(draw)
        _all[live.token] = live
    st.session_state.live_part.draw = draw
    return served(f"live/{st.session_state.live_part.token}")


def routes() -> list[WebSocketRoute]:
    """Where the pictures are asked for.

    Returns
    -------
    list of starlette.routing.WebSocketRoute
    """
    return [WebSocketRoute(served("live/{token}"), _answer)]


async def _answer(socket: WebSocket) -> None:
    """Draw one picture after the other, until the browser goes or another line is opened in the place of this one."""
    token = socket.path_params["token"]
    if token not in _all:  # of a session that has ended, or that is on another server
        await socket.close()
        return
    await socket.accept()
    if live := _all.get(token):
        live.socket = socket
    del live  # it goes with its session, also while the line is open
    with suppress(WebSocketDisconnect):
        while (message := await socket.receive())["type"] == "websocket.receive":
            if not await _reply(socket, token, message.get("text")):
                await socket.close()
                return


async def _reply(socket: WebSocket, token: str, text: Any) -> bool:
    """Whether there was something to draw; the session may go as soon as it is drawn."""
    live, said = _all.get(token), _read(text)
    if live is None or live.socket is not socket or said is None:
        return False
    await socket.send_text(await run_sync(drawn, live.draw, said, limiter=_threads))
    return True


def _read(text: Any) -> dict[str, str] | None:
    """What dials say, or None: somebody's own client may send anything."""
    try:
        said = json.loads(text if len(text) <= LONGEST else "")
    except (TypeError, ValueError, RecursionError):
        return None
    is_said = isinstance(said, dict) and all(isinstance(value, str) for value in said.values())
    return said if is_said else None


def drawn(draw: Draw, said: Mapping[str, str]) -> str:
    """The answer to what the dials say, in its turn.

    Parameters
    ----------
    draw : Draw
    said : mapping from str to str

    Returns
    -------
    str
        JSON.
    """
    with turn():
        return json.dumps(draw(said))
