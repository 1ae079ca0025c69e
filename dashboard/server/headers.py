"""The security headers of every response, which limit what a browser may do with the dashboard."""

from base64 import b64encode
from hashlib import sha256

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.server.streamlit_internals import inline_scripts

# Streamlit's scripts add inline styles, and run the code of each component from a blob: URL.
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


def allowed_scripts() -> list[str]:
    """Return the sources of a Content-Security-Policy that allow the scripts within Streamlit's own page, and no others.

    Returns
    -------
    list of str
    """
    return [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in inline_scripts()]


class Headers:
    """Middleware that adds the security headers to every response.

    Parameters
    ----------
    app : ASGI application
    frame_ancestors : str
        The sites that may show the dashboard in a frame, as in a Content-Security-Policy.
    """

    def __init__(self, app: ASGIApp, frame_ancestors: str):
        self.app = app
        scripts = " ".join([POLICY["script-src"], *allowed_scripts()])
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
