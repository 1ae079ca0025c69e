"""The event loop of the server for a class."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any


class Loop(asyncio.SelectorEventLoop):
    """An event loop that is woken once for all that other threads have put to it meanwhile.

    A run of the app tells the loop of each of its fifty messages. Each time asyncio writes to a socket, and while a
    thread writes it is without Python's lock: it would wait fifty times for what the loop then does.
    """

    _waking = False

    def call_soon_threadsafe(  # type: ignore[override]  # asyncio's types tie args to the callback
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if self.get_debug():  # which lets no other thread put anything to it but so
            return super().call_soon_threadsafe(callback, *args, context=context)
        # In this order: what is put before the look at `_waking` is there when `_woken` clears it.
        handle = self.call_soon(callback, *args, context=context)
        if not self._waking:
            self._waking = True
            super().call_soon_threadsafe(self._woken)
        return handle

    def _woken(self) -> None:
        self._waking = False

    def _accept_connection(  # type: ignore[override]  # asyncio's own, of which no type is known
        self, protocol_factory: Any, sock: Any, sslcontext: Any, server: Any, backlog: int, *timeouts: Any
    ) -> None:
        """Accept one connection for each time that the system reports some.

        asyncio would try as often as connections may wait. When no more files can be opened, it would log each attempt and
        repeat each one a second later, with more and more of them.
        """
        super()._accept_connection(protocol_factory, sock, sslcontext, server, 1, *timeouts)  # type: ignore[misc]
