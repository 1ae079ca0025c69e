"""Keep one uploaded file for each session, where Streamlit keeps all of them until the session ends, and few large ones in all."""

import asyncio
import gc
from threading import Lock
from weakref import WeakValueDictionary

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.server.streamlit_internals import (
    UPLOAD_PATH,
    is_active_session,
    own_session,
    remove_uploads,
    uploaded_bytes,
)

# In MB. `maxUploadSize` of .streamlit/config.toml and deploy/nginx.conf have the second one.
MOST_MB, MOST_MB_OF_MODEL = 20, 200
MOST_LARGE = 2
# In bytes, with what a browser sends around a file.
LARGE_BYTES = MOST_MB * 2**20
MULTIPART_OVERHEAD = 2**16


class LargeFileSlot:
    """Held by a session with a file of more than MOST_MB MB, or its network, in memory. It is free again when the object ends."""


_slots: WeakValueDictionary[str, LargeFileSlot] = WeakValueDictionary()
# The slots of those files that have arrived and were not opened yet.
_arriving: dict[str, LargeFileSlot] = {}
# Sessions ask in their own threads, and the event loop asks for the files that arrive.
_taking = Lock()


def _take(session: str) -> LargeFileSlot | None:
    """Return the slot of a session, or None if others have all."""
    with _taking:
        for other in list(_arriving):
            if other != session and not is_active_session(other):
                _arriving.pop(other, None)
        slot = _slots.get(session)
        if slot is None and len(_slots) >= MOST_LARGE and not all(map(is_active_session, list(_slots))):
            # The state of a session that has ended is part of a cycle, and nothing frees it soon.
            gc.collect()
        if slot is None and len(_slots) < MOST_LARGE:
            slot = _slots[session] = LargeFileSlot()
        return slot


def own_slot() -> LargeFileSlot | None:
    """Return the slot of the session that runs now, or None if others have all."""
    return _take(own_session())


def is_full() -> bool:
    """Whether other sessions than the one that runs now have all large files."""
    return len(_slots) >= MOST_LARGE and own_session() not in _slots


class OneUpload:
    """Middleware that replaces a session's uploaded file by the next one. Streamlit would keep all until the session ends.

    It refuses a file of more than MOST_MB MB while MOST_LARGE other sessions have one.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self.turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = UPLOAD_PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if not upload:
            await self.app(scope, receive, send)
            return
        session = upload[1]
        turn = self.turns.setdefault(session, asyncio.Lock())
        async with turn:
            remove_uploads(session)
            _arriving.pop(session, None)
            try:
                await self._upload(session, scope, receive, send)
            finally:
                if not is_active_session(session):  # the session ended meanwhile, so nothing else removes its file
                    remove_uploads(session)
                if uploaded_bytes(session) <= LARGE_BYTES:
                    _arriving.pop(session, None)

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on an upload, up to MOST_MB MB or more with a slot."""
        count = 0

        async def counted_on() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            return message

        async def counted() -> Message:
            message = await counted_on()
            if count > LARGE_BYTES + MULTIPART_OVERHEAD and session not in _arriving:
                if not (is_active_session(session) and (slot := _take(session))):
                    raise TooMany
                _arriving[session] = slot
            return message

        try:
            await self.app(scope, counted, send)
        except TooMany:
            # Read on, because a browser does not see an answer that comes while it still sends.
            while count <= MOST_MB_OF_MODEL * 2**20 + MULTIPART_OVERHEAD and (await counted_on()).get("more_body"):
                pass
            await PlainTextResponse("Too many large files", 503)(scope, receive, send)


class TooMany(Exception):
    """Raised while a file of more than MOST_MB MB arrives for which there is no room."""


def remove_own_uploads() -> None:
    """Remove the uploaded files of the session that runs now."""
    remove_uploads(own_session())
    _arriving.pop(own_session(), None)
