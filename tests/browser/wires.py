"""The websockets between a page and its server: what goes over them can be delayed, held back and cut."""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Error, Page, WebSocketRoute

STREAM, LIVE = "**/_stcore/stream", "**/live/*"
Send = Callable[[], None]


class Way:
    """One direction of a websocket. Everything arrives in its order.

    Parameters
    ----------
    delay : callable
        Gives the seconds that the next message takes.
    """

    def __init__(self, delay: Callable[[], float]):
        self.delay = delay
        self.under_way: deque[Send] = deque()
        self.arrives = 0.0

    def take(self, send: Send) -> None:
        """Send it after its delay, and after all that was taken before."""
        delay = self.delay()
        if not delay and not self.under_way:
            return send()
        loop = asyncio.get_running_loop()
        self.under_way.append(send)
        self.arrives = max(self.arrives, loop.time() + delay)
        loop.call_at(self.arrives, self._arrive)

    def _arrive(self) -> None:
        send = self.under_way.popleft()
        with suppress(Error):  # closed meanwhile
            send()


class Wires:
    """All websockets of a page to its server, of one kind.

    Parameters
    ----------
    page : playwright.sync_api.Page
        Before it is opened.
    pattern : str
        STREAM or LIVE.
    delays : tuple of float, optional
        The shortest and the longest delay of a message in seconds.
    draw : random.Random, optional
    """

    def __init__(
        self,
        page: Page,
        pattern: str,
        delays: tuple[float, float] = (0, 0),
        draw: random.Random | None = None,
    ):
        self.delays, self.draw = delays, draw or random.Random(0)
        self.open: list[tuple[WebSocketRoute, WebSocketRoute]] = []
        self.opened = 0
        self.is_refused = False
        # Who is held back: "browser" or "server", or nobody. And what waits for that.
        self.held = ""
        self.waiting: list[tuple[Send, bytes | str]] = []
        self.said: list[tuple[str, bytes | str]] = []
        page.route_web_socket(pattern, self._connected)

    def cut(self) -> None:
        """End all connections. New ones can be opened, unless `is_refused` is set."""
        while self.open:
            for end in self.open.pop():
                with suppress(Error):
                    end.close()

    def let_go(self, most: int | None = None) -> None:
        """Send what was held back, in its order, and hold nothing back any more; or send only so many messages of it."""
        waiting, self.waiting = self.waiting[:most], self.waiting[len(self.waiting[:most]) :]
        if most is None:
            self.held = ""
        for send, _ in waiting:
            send()

    def _connected(self, socket: WebSocketRoute) -> None:
        self.opened += 1
        if self.is_refused:
            return socket.close()
        there = socket.connect_to_server()
        self.open.append((socket, there))
        for who, end, other in (("browser", socket, there), ("server", there, socket)):
            end.on_message(self._passing_on(who, other.send))

    def _passing_on(self, who: str, send: Callable[[bytes | str], None]) -> Callable[[bytes | str], None]:
        way = Way(lambda: self.draw.uniform(*self.delays))

        def take(message: bytes | str) -> None:
            self.said.append((who, message))
            if self.held == who:
                self.waiting.append((lambda: send(message), message))
            else:
                way.take(lambda: send(message))

        return take
