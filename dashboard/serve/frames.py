"""The pictures of a drag: they come from here, and not from a run of the page.

To a run Streamlit's browser answers with several passes through all elements of the page, which takes longer than the picture.
So a page leaves here what draws its live part, and while a dial is dragged its browser asks for that over a websocket. Once the
dial is let go, the page runs.
"""

import json
from asyncio import Lock
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from secrets import token_urlsafe
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from anyio import CancelScope, CapacityLimiter, WouldBlock, create_memory_object_stream, create_task_group
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from anyio.to_thread import run_sync
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dashboard.serve.paths import served
from dashboard.serve.warm import TakesLong, turn

# In characters: more than all dials can say.
LONGEST = 2000
# How many requests may wait on one line. A browser of ours has two that are not answered yet.
MOST_WAITING = 64
# From what the dials say, by name, to what is drawn of it, ready to be JSON.
Draw = Callable[[Mapping[str, str]], Any]
Said = dict[str, str]


class Live:
    """What draws the live part of the page that a session shows.

    Attributes
    ----------
    token : str
        What its address has, which nobody can guess: who has it sees the reader's numbers.
    draw : Draw
    line : CancelScope, optional
        Of the newest websocket by which its browser asks. To cancel it closes that.
    drawing : Lock
        One picture at a time is drawn for each session.
    """

    def __init__(self, draw: Draw):
        self.token = token_urlsafe(16)
        self.draw = draw
        self.line: CancelScope | None = None
        self.drawing = Lock()


class NotWanted(Exception):
    """Raised before a picture is drawn that nobody waits for any more."""


# Threads of their own: drawing must not delay Streamlit's files, and a long picture must not delay a quick one. Each is first
# tried among the quick ones, so only here do pictures wait for the long ones before them.
_quick, _long = CapacityLimiter(64), CapacityLimiter(2)
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
    asked, requests = create_memory_object_stream[Said](MOST_WAITING)
    async with asked, requests, create_task_group() as tasks:
        line = tasks.cancel_scope
        if live := _all.get(token):
            if live.line:
                live.line.cancel()
            live.line = line
        del live  # it goes with its session, also while the line is open
        tasks.start_soon(_draw_each, socket, token, line, requests)
        has_left = await _listen(socket, asked)
        line.cancel()  # what waits is not drawn, and what is being drawn is not sent
        if not has_left:
            with CancelScope(shield=True):
                await socket.close()


async def _listen(socket: WebSocket, asked: MemoryObjectSendStream[Said]) -> bool:
    """Pass on requests until the browser goes, or sends what no browser of ours sends; return whether it has gone.

    It listens while a picture is drawn: a browser that goes is noticed at once, and a message that is too long is not kept.
    """
    while (message := await socket.receive())["type"] == "websocket.receive":
        said = _read(message.get("text"))
        if said is None:
            return False
        try:
            asked.send_nowait(said)
        except WouldBlock:
            return False
    return True


async def _draw_each(
    socket: WebSocket, token: str, line: CancelScope, requests: MemoryObjectReceiveStream[Said]
) -> None:
    """Answer each request in its turn; the session may go as soon as its picture is drawn."""

    def expect_wanted() -> None:
        if line.cancel_called or token not in _all:
            raise NotWanted

    with suppress(WebSocketDisconnect, NotWanted):
        async for said in requests:
            live = _all.get(token)
            if live is None:
                break
            draw, drawing = live.draw, live.drawing
            del live
            async with drawing:  # of a line before this one, a picture may still be drawn
                text = await _drawn(draw, said, expect_wanted)
            expect_wanted()
            await socket.send_text(text)
        await socket.close()
    line.cancel()


async def _drawn(draw: Draw, said: Said, expect_wanted: Callable[[], None]) -> str:
    """Draw a picture among the quick ones, or if it takes long, among the few long ones."""
    with suppress(TakesLong):
        return await run_sync(partial(drawn, draw, said, expect_wanted, may_take_long=False), limiter=_quick)
    return await run_sync(drawn, draw, said, expect_wanted, limiter=_long)


def _read(text: Any) -> Said | None:
    """What dials say, or None: somebody's own client may send anything."""
    try:
        said = json.loads(text if len(text) <= LONGEST else "")
    except (TypeError, ValueError, RecursionError):
        return None
    is_said = isinstance(said, dict) and all(isinstance(value, str) for value in said.values())
    return said if is_said else None


def drawn(
    draw: Draw,
    said: Mapping[str, str],
    expect_wanted: Callable[[], None] = lambda: None,
    *,
    may_take_long: bool = True,
) -> str:
    """The answer to what the dials say, in its turn.

    Parameters
    ----------
    draw : Draw
    said : mapping from str to str
    expect_wanted, may_take_long : optional
        As of `turn`.

    Returns
    -------
    str
        JSON.
    """
    with turn(may_take_long=may_take_long, expect_wanted=expect_wanted):
        expect_wanted()
        return json.dumps(draw(said))
