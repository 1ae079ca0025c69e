"""The event loop of the class server."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any


class Loop(asyncio.SelectorEventLoop):
    """An event loop that wakes once for all callbacks that other threads have added meanwhile.

    A run of the app adds a callback for each of its fifty messages. For each one asyncio would write to a socket, and the thread
    releases Python's lock while it writes. So the run would wait fifty times for what the loop does then.
    """

    _waking = False

    def call_soon_threadsafe(  # type: ignore[override]  # asyncio's types tie args to the callback
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if self.get_debug():  # then asyncio lets other threads call no other method
            return super().call_soon_threadsafe(callback, *args, context=context)
        # Keep this order: a callback that is added before `_waking` is read is there when `_woken` clears the flag.
        handle = self.call_soon(callback, *args, context=context)
        if not self._waking:
            self._waking = True
            super().call_soon_threadsafe(self._woken)
        return handle

    def _woken(self) -> None:
        self._waking = False

    def _accept_connection(  # type: ignore[override]  # private in asyncio, without types
        self, protocol_factory: Any, sock: Any, sslcontext: Any, server: Any, backlog: int, *timeouts: Any
    ) -> None:
        """Accept one connection each time the system reports waiting connections.

        asyncio would try as many times as the backlog is long. When no more files can be opened, it would log each attempt and
        schedule each one again for a second later, so the attempts would multiply.
        """
        super()._accept_connection(protocol_factory, sock, sslcontext, server, 1, *timeouts)  # type: ignore[misc]
