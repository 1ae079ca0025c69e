"""Firefox by WebDriver BiDi, of which this speaks as much as a few tests need: Playwright drives only a Firefox of its own."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.live import PATIENCE, free_port

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
# Nothing is asked of anybody else.
SETTINGS = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}
# Looks for an element in the page and in the components within it.
FIND = """(selector) => {
  const within = (root) => root.querySelector(selector) ?? [...root.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot && within(shadowRoot)).find(Boolean)
  return within(document)
}"""


class Tab:
    """A tab of Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the answer to a command; what it tells besides is left out."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv(PATIENCE))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def back(self) -> None:
        self.send("browsingContext.traverseHistory", context=self.context, delta=-1)

    def resize(self, width: int, height: int) -> None:
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def evaluate(self, function: str, *values: Any) -> Any:
        """Return what a JavaScript function of `find` and of these values returns."""
        texts = ", ".join(json.dumps(value) for value in values)
        expression = f"Promise.resolve((({function}))({FIND}{', ' if texts else ''}{texts})).then((found) => JSON.stringify(found ?? null))"
        target = {"context": self.context}
        answer = self.send("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def until(self, function: str, *values: Any) -> Any:
        """Return what a function returns as soon as this is true."""
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last:
            found = self.evaluate(function, *values)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"not within {PATIENCE} s: {function} {values}")

    def pointer(self, *actions: dict[str, Any]) -> None:
        """Move the mouse, press its button or release it."""
        source = {"type": "pointer", "id": "mouse", "actions": list(actions)}
        self.send("input.performActions", context=self.context, actions=[source])

    def release(self) -> None:
        """Release all that is pressed."""
        self.send("input.releaseActions", context=self.context)

    def press(self, key: str) -> None:
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.send(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )


DOWN, UP = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}


def at(x: float, y: float) -> dict[str, Any]:
    """Return the move of the mouse to a place in the window."""
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 20}


@contextmanager
def firefox(profile: Path) -> Iterator[Tab]:
    """Run Firefox with a profile of its own, and end it."""
    assert FIREFOX
    port = free_port()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items()]
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    options = ("--headless", "--no-remote", "--profile", str(profile), f"--remote-debugging-port={port}")
    process = subprocess.Popen([FIREFOX, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connected(port) as socket:
            yield Tab(socket)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def connected(port: int) -> ClientConnection:
    """Return a connection to Firefox, which takes a while to listen."""
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        with suppress(OSError, WebSocketException):
            return connect(f"ws://127.0.0.1:{port}/session", max_size=None, proxy=None)
        time.sleep(0.2)
    raise TimeoutError(f"Firefox did not listen within {PATIENCE} s")
