"""What a browser may do with the dashboard."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Streamlit's scripts add styles to the page, and run the code of each component from a blob.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' blob: 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}


def inline_scripts() -> list[str]:
    """The sources of a Content-Security-Policy that allow the scripts within Streamlit's own page, and no others.

    Returns
    -------
    list of str
    """
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]


class Headers:
    """Adds to every response what a browser may do with it.

    Parameters
    ----------
    app : ASGI application
    frame_ancestors : str
        Who may show the dashboard in a frame, as in a Content-Security-Policy.
    """

    def __init__(self, app: ASGIApp, frame_ancestors: str):
        self.app = app
        scripts = " ".join([POLICY["script-src"], *inline_scripts()])
        policy = {**POLICY, "script-src": scripts, "frame-ancestors": frame_ancestors}
        self.headers = {
            "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in policy.items()),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
