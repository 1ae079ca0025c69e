"""One uploaded file for each session: Streamlit keeps all of them until the session ends."""

import asyncio
import re
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

# The address of an upload, and its session.
UPLOAD = re.compile("/_stcore/upload_file/([^/]+)/[^/]+")


class OneUpload:
    """Lets a session have one uploaded file: the next one takes its place. Streamlit keeps all until the session ends.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self.turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = UPLOAD.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if not upload:
            await self.app(scope, receive, send)
            return
        session, streamlit_runtime = upload[1], get_instance()
        turn = self.turns.setdefault(session, asyncio.Lock())
        async with turn:
            streamlit_runtime.uploaded_file_mgr.remove_session_files(session)
            try:
                await self.app(scope, receive, send)
            finally:
                if not streamlit_runtime.is_active_session(session):  # it ended meanwhile: nobody else lets go of it
                    streamlit_runtime.uploaded_file_mgr.remove_session_files(session)


def let_go_of_uploads() -> None:
    """Forget the files of the session that runs now: Streamlit has no public function for this."""
    context = get_script_run_ctx()
    assert context is not None, "only a session's own run can let go of its files"
    context.uploaded_file_mgr.remove_session_files(context.session_id)
