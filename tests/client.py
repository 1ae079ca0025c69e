"""A reader without a browser: a session over a websocket, in Streamlit's own protocol."""

import asyncio
import json
import random
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import websockets
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.live import Server, open_url

LONGEST_ANSWER = 300  # seconds, of 300 at once on a busy machine
# Of the whole page, and of its live part.
DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class ShownError(Exception):
    """What came is an error in place of the page.

    Parameters
    ----------
    message : str
    trace : sequence of str
        Its lines.
    """

    def __init__(self, message: str, trace: Sequence[str] = ()):
        super().__init__(message)
        self.trace = list(trace)


class Session:
    """One reader: a websocket, the URL, and what the widgets of the page say.

    Parameters
    ----------
    socket : websockets.ClientConnection
    page : str
        The page's path.
    query : str
        The query of the URL. Only `change` changes it, as in a browser.
    shown : str
        The component that every answer must have.
    """

    def __init__(
        self, socket: websockets.ClientConnection, page: str = "", query: str = "", *, shown: str = "cellscope_picture"
    ):
        self.socket = socket
        self.page, self.query, self.shown = page, query, shown
        self.said: dict[str, WidgetState] = {}
        self.script = ""  # the page that the server says it shows
        self.components: dict[str, BidiComponent] = {}  # the last one of each name
        self.controls: dict[str, dict] = {}
        self.live, self.line = "", None

    async def rerun(self) -> list[ForwardMsg]:
        """Send what the widgets say, and give the whole answer."""
        await self.say()
        return await self.answer()

    async def say(self) -> None:
        """Send what the widgets say, as a browser does."""
        await self._say()

    async def _say(self, *, is_history: bool = False) -> None:
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = self.query
        if self.script:
            rerun.page_script_hash = self.script
        else:
            rerun.page_name = self.page
        rerun.is_history_navigation = is_history
        rerun.widget_states.widgets.extend(self.said.values())
        await self.socket.send(message.SerializeToString())

    async def first(self, is_it: Callable[[Message], bool]) -> None:
        """Wait until such an element comes."""
        async with asyncio.timeout(LONGEST_ANSWER):
            async for data in self.socket:
                self._take(answer := ForwardMsg.FromString(data))
                if is_it(answer.delta.new_element):
                    return
        raise ConnectionError("the server closed the session")

    async def answer(self) -> list[ForwardMsg]:
        """The rest of an answer, to its end."""
        async with asyncio.timeout(LONGEST_ANSWER):
            return await self._answer()

    async def _answer(self) -> list[ForwardMsg]:
        answers = []
        async for data in self.socket:
            answers.append(answer := ForwardMsg.FromString(data))
            self._take(answer)
            if answer.HasField("script_finished") and answer.script_finished in DONE:
                components = {answer.delta.new_element.bidi_component.component_name for answer in answers}
                if self.shown and self.shown not in components:
                    raise ShownError(f"the answer has no {self.shown}")
                return answers
        raise ConnectionError("the server closed the session")

    async def move(self) -> float:
        """Drag the slider of the weights' scale, and give the milliseconds until the picture has followed."""
        said = dict(parse_qsl(self.query)) | self._another_scale()
        start = time.perf_counter()
        self.line = self.line or await websockets.connect(self.live, max_size=None, open_timeout=LONGEST_ANSWER)
        await self.line.send(urlencode(said))
        async with asyncio.timeout(LONGEST_ANSWER):
            await self.line.recv()
        return 1000 * (time.perf_counter() - start)

    async def let_go(self) -> float:
        """Release the slider at another scale, and give the milliseconds until the whole page has followed."""
        start = time.perf_counter()
        await self.change(**self._another_scale())
        return 1000 * (time.perf_counter() - start)

    async def change(self, **changes: str) -> list[ForwardMsg]:
        """Change the URL, and give the whole answer."""
        await self.say_change(**changes)
        return await self.answer()

    async def say_change(self, **changes: str) -> None:
        """Change the URL, and send what a browser sends after a `popstate`."""
        self.query = urlencode(dict(parse_qsl(self.query)) | changes)
        await self._say(is_history=True)

    async def hang_up(self) -> None:
        """Close the line by which the pictures of a drag come."""
        if self.line:
            await self.line.close()
        self.line = None

    def _another_scale(self) -> dict[str, str]:
        scale = self.controls["scale"]
        others = [text for text in scale["options"] if text not in (scale["default"], scale["text"])]
        return {"scale": random.choice(others)}

    async def ask_to_upload(self, name: str) -> UploadedFileInfo:
        """Ask for a place for a file, and give what is to be said of the file once it is there."""
        message = BackMsg()
        message.file_urls_request.file_names.append(name)
        await self.socket.send(message.SerializeToString())
        async for data in self.socket:
            answer = ForwardMsg.FromString(data)
            if answer.HasField("file_urls_response"):
                (urls,) = answer.file_urls_response.file_urls
                return UploadedFileInfo(file_id=urls.file_id, name=name, file_urls=urls)
        raise ConnectionError("the server closed the session")

    def _take(self, answer: ForwardMsg) -> None:
        """Take up what the answer says of the page, its controls and its widgets."""
        if answer.HasField("page_info_changed"):
            raise ShownError("the server has changed the URL")
        if answer.HasField("navigation"):
            self.script = answer.navigation.page_script_hash
        kind = answer.delta.new_element.WhichOneof("type")
        if kind == "exception":
            exception = answer.delta.new_element.exception
            raise ShownError(exception.message, exception.stack_trace)
        component = answer.delta.new_element.bidi_component
        if component.component_name:
            self.components[component.component_name] = component
        if component.component_name == "cellscope_controls":
            groups = json.loads(component.json)["groups"]
            self.controls |= {control["name"]: control for group in groups for control in group["controls"]}
        if component.component_name == "cellscope_picture":
            path = json.loads(component.json).get("live")
            self.live = f"ws://{self.socket.request.headers['Host']}{path}" if path else ""
        if kind in STATES:
            widget = getattr(answer.delta.new_element, kind)
            if widget.id not in self.said or widget.set_value:
                self.said[widget.id] = STATES[kind](widget)


def _slider(slider: Message) -> WidgetState:
    state = WidgetState(id=slider.id)
    if slider.type == Slider.SELECT_SLIDER:
        chosen = slider.raw_value if slider.set_value else [slider.options[int(slider.default[0])]]
        state.string_array_value.data.extend(chosen)
    else:
        state.double_array_value.data.extend(slider.value if slider.set_value else slider.default)
    return state


def _button_group(group: Message) -> WidgetState:
    state = WidgetState(id=group.id)
    default = [group.options[at].content for at in group.default]
    state.string_array_value.data.extend(group.raw_values if group.set_value else default)
    return state


def _selectbox(box: Message) -> WidgetState:
    return WidgetState(id=box.id, string_value=box.raw_value if box.set_value else box.options[box.default])


def _checkbox(box: Message) -> WidgetState:
    return WidgetState(id=box.id, bool_value=box.value if box.set_value else box.default)


def _number_input(field: Message) -> WidgetState:
    return WidgetState(id=field.id, double_value=field.value if field.set_value else field.default)


# What a browser says of a widget that it shows for the first time, or that the server set.
STATES = {
    "slider": _slider,
    "button_group": _button_group,
    "selectbox": _selectbox,
    "checkbox": _checkbox,
    "number_input": _number_input,
}


def connect(server: Server, origin: str | None = None, cookie: str | None = None) -> websockets.connect:
    """Open a websocket to the app of a server.

    Parameters
    ----------
    server : Server
    origin : str, optional
        The page that asks for it.
    cookie : str, optional
        What the browser was given: its name and value.
    """
    address = server.url.replace("http", "ws", 1) + "/_stcore/stream"
    return websockets.connect(
        address,
        subprotocols=["streamlit"],
        origin=origin,
        additional_headers={"Cookie": cookie} if cookie else None,
        max_size=None,
        open_timeout=LONGEST_ANSWER,
    )


def upload(server: Server, file: UploadedFileInfo, parts: Iterable[bytes]) -> None:
    """Send a file in parts, as a browser does.

    Parameters
    ----------
    server : Server
    file : UploadedFileInfo
        From `Session.ask_to_upload`.
    parts : iterable of bytes
    """
    with open_url(f"{server.url}/_stcore/health", timeout=LONGEST_ANSWER) as answer:
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
    head = f'--end\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
    request = urllib.request.Request(
        server.url + file.file_urls.upload_url,
        data=chain([head.encode()], parts, [b"\r\n--end--\r\n"]),
        headers={
            "Cookie": cookie,
            "X-Xsrftoken": cookie.partition("=")[2],
            "Content-Type": "multipart/form-data; boundary=end",
        },
        method="PUT",
    )
    open_url(request, timeout=LONGEST_ANSWER).close()


def ask(coroutine: Coroutine) -> Any:
    """Run it to its end in a thread of its own: in a test's thread the browser's loop may be running.

    Parameters
    ----------
    coroutine : coroutine

    Returns
    -------
    object
        What it returns.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def status(server: Server) -> dict[str, float]:
    """The memory of a server in MB, now and at its most, and its threads.

    Parameters
    ----------
    server : Server
    """
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    values = {name: value.split()[0] for name, _, value in (line.partition(":\t") for line in lines) if value.strip()}
    return {
        "MB": int(values["VmRSS"]) / 1024,
        "most MB": int(values["VmHWM"]) / 1024,
        "threads": int(values["Threads"]),
    }
