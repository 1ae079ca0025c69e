"""Keep one uploaded file for each session, where Streamlit keeps all of them until the session ends."""

import asyncio
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.server.streamlit_internals import UPLOAD_PATH, is_active_session, own_session, remove_uploads


class OneUpload:
    """Middleware that replaces a session's uploaded file by the next one. Streamlit would keep all until the session ends.

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
            try:
                await self.app(scope, receive, send)
            finally:
                if not is_active_session(session):  # the session ended meanwhile, so nothing else removes its file
                    remove_uploads(session)


def remove_own_uploads() -> None:
    """Remove the uploaded files of the session that runs now."""
    remove_uploads(own_session())
