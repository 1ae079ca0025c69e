"""The websocket that sends pictures while a slider is dragged, without a run of the page.

After a run, Streamlit's code in the browser goes several times through all elements of the page, which takes longer than drawing the
picture. So each run leaves a function here that draws its picture, and the browser asks for pictures over a websocket. The page
runs after the release.
"""

import json
from asyncio import Lock
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

import streamlit as st
from anyio import CancelScope, CapacityLimiter, WouldBlock, create_memory_object_stream, create_task_group
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from anyio.to_thread import run_sync
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dashboard.server.base_path import served
from dashboard.server.scheduling import TakesLong, run_lock

# The longest message in characters. It exceeds the longest query, which has custom values and as many again for A of a comparison.
LONGEST_MESSAGE = 40_000
# How many requests may wait on one websocket. Our browser code never has more than two unanswered requests.
MOST_WAITING = 64
# A function that returns the picture for a query as plain data for JSON.
Draw = Callable[[Mapping[str, str]], Any]
Query = dict[str, str]


class LivePicture:
    """The picture of the page that a session shows.

    Attributes
    ----------
    token : str
        The last part of the websocket's URL. It must be impossible to guess, because it gives access to the reader's numbers.
    draw : Draw
    newest : CancelScope, optional
        The scope of the newest websocket. Cancelling it closes the websocket.
    lock : Lock
        Held while a picture is drawn, so that each session draws one at a time.
    """

    def __init__(self, draw: Draw):
        self.token = token_urlsafe(16)
        self.draw = draw
        self.newest: CancelScope | None = None
        self.lock = Lock()


class NotWanted(Exception):
    """Raised instead of drawing a picture that nobody waits for anymore."""


# Separate limits, so that drawing does not delay Streamlit's files and a slow picture does not delay a quick one. Each picture is
# first tried under the quick limit; a slow one then waits under the long limit for other slow ones.
_quick, _long = CapacityLimiter(64), CapacityLimiter(2)
# Each value is referenced by its session only, and disappears with it.
_all: WeakValueDictionary[str, LivePicture] = WeakValueDictionary()


def offer(draw: Draw) -> str:
    """Replace the function that draws the picture of this session's page.

    Parameters
    ----------
    draw : Draw
        Called in other threads, outside of any run, so it must not use Streamlit.

    Returns
    -------
    str
        The path of the websocket. It takes queries as in a URL and answers with pictures.
    """
    if "live_picture" not in st.session_state:
        live = st.session_state.live_picture = LivePicture(draw)
        _all[live.token] = live
    st.session_state.live_picture.draw = draw
    return served(f"live/{st.session_state.live_picture.token}")


def routes() -> list[WebSocketRoute]:
    """Return the routes of the websocket.

    Returns
    -------
    list of starlette.routing.WebSocketRoute
    """
    return [WebSocketRoute(served("live/{token}"), _answer)]


async def _answer(socket: WebSocket) -> None:
    """Draw one picture after the other until the browser disconnects or opens another websocket."""
    token = socket.path_params["token"]
    if token not in _all:  # the session has ended or runs on another server
        await socket.close()
        return
    await socket.accept()
    asked, requests = create_memory_object_stream[Query](MOST_WAITING)
    async with asked, requests, create_task_group() as tasks:
        scope = tasks.cancel_scope
        if live := _all.get(token):
            if live.newest:
                live.newest.cancel()
            live.newest = scope
        del live  # no reference may keep it while the websocket is open, because it disappears with its session
        tasks.start_soon(_answer_each, socket, token, scope, requests)
        has_left = await _listen(socket, asked)
        scope.cancel()  # waiting requests are not drawn, and the picture in progress is not sent
        if not has_left:
            with CancelScope(shield=True):
                await socket.close()


async def _listen(socket: WebSocket, asked: MemoryObjectSendStream[Query]) -> bool:
    """Pass on requests until the browser disconnects or sends an invalid message; return whether it has disconnected.

    It also listens while a picture is drawn, so it notices a disconnection at once and keeps no message that is too long.
    """
    while (message := await socket.receive())["type"] == "websocket.receive":
        query = _read(message.get("text"))
        if query is None:
            return False
        try:
            asked.send_nowait(query)
        except WouldBlock:
            return False
    return True


async def _answer_each(
    socket: WebSocket, token: str, scope: CancelScope, requests: MemoryObjectReceiveStream[Query]
) -> None:
    """Answer the requests in order, and stop when the session has ended."""

    def expect_wanted() -> None:
        if scope.cancel_called or token not in _all:
            raise NotWanted

    with suppress(WebSocketDisconnect, NotWanted):
        async for query in requests:
            live = _all.get(token)
            if live is None:
                break
            draw, lock = live.draw, live.lock
            del live
            async with lock:  # an earlier websocket of this session may still draw a picture
                text = await _draw_under_limits(draw, query, expect_wanted)
            expect_wanted()
            await socket.send_text(text)
        await socket.close()
    scope.cancel()


async def _draw_under_limits(draw: Draw, query: Query, expect_wanted: Callable[[], None]) -> str:
    """Draw a picture under the limit for quick ones, or under the limit for long ones if it takes long."""
    with suppress(TakesLong):
        return await run_sync(partial(drawn, draw, query, expect_wanted, may_take_long=False), limiter=_quick)
    return await run_sync(drawn, draw, query, expect_wanted, limiter=_long)


def _read(text: Any) -> Query | None:
    """Return the query in a message, or None if it has none, because a client that is not ours may send anything.

    A parameter that occurs twice counts as missing, as in a run.
    """
    if not isinstance(text, str) or len(text) > LONGEST_MESSAGE:
        return None
    texts = parse_qs(text, keep_blank_values=True)
    return {name: first for name, (first, *others) in texts.items() if not others}


def drawn(
    draw: Draw,
    query: Mapping[str, str],
    expect_wanted: Callable[[], None] = lambda: None,
    *,
    may_take_long: bool = True,
) -> str:
    """Return the picture for a query, drawn while this thread has the lock of runs.

    Parameters
    ----------
    draw : Draw
    query : mapping from str to str
    expect_wanted, may_take_long : optional
        As for `run_lock`.

    Returns
    -------
    str
        JSON.
    """
    with run_lock(may_take_long=may_take_long, expect_wanted=expect_wanted):
        expect_wanted()
        return json.dumps(draw(query))
