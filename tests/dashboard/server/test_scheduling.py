"""One reader cannot hold up the others: how the pictures of drags take turns, whatever a browser or an attacker asks for.

The sockets are stand-ins within this process, so that each test decides what happens first.
"""

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import Event, Lock
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from starlette.websockets import WebSocket
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from core.sequence import bptt
from dashboard.server import drag_socket, scheduling
from tests.client import ask
from tests.dashboard.page import open_link
from tests.live import PATIENCE

MANY = 70  # more than there are places for quick pictures
HEAVY = {"m": "512", "n": "512", "k": "512", "T": "512", "init": "normal", "large": "true"}


class Line:
    """A browser's websocket to a session, and what the server does with it.

    Parameters
    ----------
    token : str
    """

    def __init__(self, token: str):
        self.to_server: asyncio.Queue = asyncio.Queue()
        self.answers: asyncio.Queue = asyncio.Queue()
        self.is_open = asyncio.Event()
        self.was_closed = False
        scope = {"type": "websocket", "path": "/", "headers": [], "query_string": b"", "path_params": {"token": token}}
        self.to_server.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(drag_socket._answer(WebSocket(scope, self.to_server.get, self._sent)))

    async def _sent(self, message: dict) -> None:
        if message["type"] == "websocket.accept":
            self.is_open.set()
        elif message["type"] == "websocket.close":
            self.was_closed = True
        else:
            self.answers.put_nowait(json.loads(message["text"]))

    def say(self, **said: str) -> None:
        self.to_server.put_nowait({"type": "websocket.receive", "text": urlencode(said)})

    async def answer(self) -> dict:
        async with asyncio.timeout(PATIENCE):
            return await self.answers.get()

    def leave(self) -> None:
        self.to_server.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def end(self) -> None:
        """Wait until the server has nothing to do with it any more."""
        async with asyncio.timeout(PATIENCE):
            await self.task


class Drawing:
    """Draws what it is asked for, once it may.

    Parameters
    ----------
    is_long : bool, optional
        Whether it takes long, as `heavy_compute` has it.
    """

    def __init__(self, is_long: bool = False):
        self.is_long = is_long
        self.may_go_on = Event()
        self.lock = Lock()
        self.begun: list[dict] = []
        self.inside, self.most = 0, 0

    def __call__(self, said: dict) -> dict:
        with scheduling.heavy_compute(long=self.is_long):
            with self.lock:
                self.begun.append(said)
                self.inside += 1
                self.most = max(self.most, self.inside)
            assert self.may_go_on.wait(PATIENCE)
            with self.lock:
                self.inside -= 1
        return said


def session(draw: drag_socket.Draw) -> drag_socket.LivePicture:
    live = drag_socket.LivePicture(draw)
    drag_socket._all[live.token] = live
    return live


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def quick_reader() -> AsyncIterator[Callable]:
    """Another reader, whose drags are answered at once; the test ends where one is not."""
    live = session(dict)
    line = Line(live.token)

    async def drag() -> None:
        line.say(k="3")
        assert await line.answer() == {"k": "3"}

    yield drag
    line.leave()
    await line.end()


@pytest.mark.parametrize("is_long", [False, True], ids=["quick", "long"])
def test_a_session_with_many_lines_draws_one_picture_at_a_time_and_only_for_the_newest(is_long):
    async def attack() -> None:
        drawing = Drawing(is_long)
        live = session(drawing)
        lines = []
        async with quick_reader() as drag:
            for at in range(MANY):
                lines.append(line := Line(live.token))
                line.say(k=f"{at}")
                if not at:
                    await until(lambda: bool(drawing.begun))
                await line.is_open.wait()
            for line in lines[1:-1]:  # all but the one whose picture is being drawn
                await line.end()
            await drag()
            assert drawing.begun == [{"k": "0"}]
            drawing.may_go_on.set()
            assert await lines[-1].answer() == {"k": f"{MANY - 1}"}
            await lines[0].end()
            assert all(line.answers.empty() for line in lines)
            lines[-1].leave()
            await lines[-1].end()
        assert drawing.begun == [{"k": "0"}, {"k": f"{MANY - 1}"}] and drawing.most == 1

    ask(attack())


def test_many_readers_with_long_pictures_do_not_hold_up_a_quick_one():
    async def drag_all() -> None:
        drawing = Drawing(is_long=True)
        sessions = [session(drawing) for _ in range(MANY)]
        lines = [Line(live.token) for live in sessions]
        async with quick_reader() as drag:
            for at, line in enumerate(lines):
                line.say(k=f"{at}")
            await until(lambda: drawing.inside == 2)
            for _ in range(3):
                await drag()
            assert len(drawing.begun) == 2
            drawing.may_go_on.set()
            for at, line in enumerate(lines):
                assert await line.answer() == {"k": f"{at}"}
                line.leave()
                await line.end()
        assert drawing.most == 2

    ask(drag_all())
    assert [scheduling.LONG_COMPUTATIONS.acquire(blocking=False) for _ in range(3)] == [True, True, False]
    scheduling.LONG_COMPUTATIONS.release(2)


@pytest.mark.parametrize("goes", ["the line", "the session", "to another line"])
def test_a_long_picture_that_nobody_waits_for_any_more_is_not_drawn(goes):
    async def leave_while_waiting() -> None:
        drawing = Drawing(is_long=True)
        drawing.may_go_on.set()
        sessions = [session(drawing)]
        token = sessions[0].token
        line = Line(token)
        with scheduling.LONG_COMPUTATIONS, scheduling.LONG_COMPUTATIONS:  # two others are drawn
            line.say(k="1")
            line.say(k="2")
            await until(lambda: drag_socket._long.borrowed_tokens == 1)
            others = []
            if goes == "the line":
                line.leave()
                await until(line.to_server.empty)
            elif goes == "the session":
                sessions.clear()
                gc.collect()
                assert token not in drag_socket._all
            else:
                others.append(Line(token))
                await others[0].is_open.wait()
        await line.end()
        assert drawing.begun == [] and line.answers.empty()
        for other in others:
            other.say(k="3")
            assert await other.answer() == {"k": "3"}
            other.leave()
            await other.end()

    ask(leave_while_waiting())


def test_what_waits_behind_a_picture_is_dropped_when_its_line_is_closed():
    async def leave() -> None:
        drawing = Drawing()
        live = session(drawing)
        line = Line(live.token)
        for at in range(5):
            line.say(k=f"{at}")
        await until(lambda: bool(drawing.begun))
        line.leave()
        await until(line.to_server.empty)
        drawing.may_go_on.set()
        await line.end()
        assert drawing.begun == [{"k": "0"}]

    ask(leave())


def test_a_line_with_more_requests_than_any_browser_of_ours_sends_is_closed():
    async def flood() -> None:
        drawing = Drawing()
        live = session(drawing)
        line = Line(live.token)
        for _ in range(2 * drag_socket.MOST_WAITING):
            line.say(k="1")
        await until(lambda: line.was_closed)
        drawing.may_go_on.set()
        await line.end()
        assert len(drawing.begun) <= 1

    ask(flood())


def test_a_message_that_is_too_long_ends_its_line_while_a_picture_is_drawn():
    async def send() -> None:
        drawing = Drawing()
        live = session(drawing)
        line = Line(live.token)
        line.say(k="1")
        await until(lambda: bool(drawing.begun))
        line.say(k="9" * drag_socket.LONGEST_MESSAGE)
        await until(lambda: line.was_closed)
        assert drawing.inside == 1
        drawing.may_go_on.set()
        await line.end()

    ask(send())


def test_a_drawing_that_fails_ends_its_line_and_no_other():
    async def fail() -> None:
        live = session(lambda said: 1 // 0)
        line = Line(live.token)
        line.say(k="1")
        with pytest.raises(ExceptionGroup) as raised:
            await line.end()
        assert raised.group_contains(ZeroDivisionError)
        live.draw = dict
        again = Line(live.token)
        again.say(k="2")
        assert await again.answer() == {"k": "2"}
        again.leave()
        await again.end()

    ask(fail())


# ---- runs of the page --------------------------------------------------------------------------


def test_a_page_whose_reader_leaves_while_it_waits_for_its_long_turn_computes_nothing(monkeypatch):
    class Left:
        """The turn of a long computation, before which the reader leaves."""

        def __enter__(self) -> None:
            get_script_run_ctx().script_requests.request_stop()

        def __exit__(self, *_) -> None:
            pass

    monkeypatch.setattr(scheduling, "LONG_COMPUTATIONS", Left())
    with patch.object(bptt, "log_gains") as compute:
        at = open_link("gradients", **HEAVY)
    assert not compute.called and not at.exception
    assert not scheduling.RUN_LOCK.locked()


def test_a_page_whose_reader_stays_computes_in_its_long_turn():
    with patch.object(bptt, "log_gains", side_effect=StopException) as compute:
        open_link("gradients", **HEAVY)
    assert compute.called
