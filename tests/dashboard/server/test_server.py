"""A real server without a browser: what it takes, what it sends, whom it answers, and how it stops."""

import asyncio
import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for_runs
from math import prod
from pathlib import Path
from threading import Event
from unittest.mock import MagicMock, patch
from urllib.error import HTTPError
from urllib.parse import urlencode
from weakref import WeakValueDictionary

import pytest
import uvicorn
import websockets
from streamlit import config
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.exchange.array_files import MOST_BYTES
from core.exchange.matrix_text import TOO_MANY
from core.exchange.model_files import MOST_BYTES as MOST_BYTES_OF_MODEL
from dashboard.__main__ import main
from dashboard.server import scheduling, uploads
from dashboard.server.uploads import OneUpload
from dashboard.text.markdown import escape_markdown
from tests.client import Session, ShownError, ask, connect, status, upload
from tests.dashboard.page import PAGES, Shown, open_link
from tests.dashboard.server.test_drag_socket import LIVE
from tests.live import DASHBOARD, PATIENCE, ROOT, Server, await_health, free_port, open_url, running

LARGEST = {"m": 512, "n": 512, "k": 512, "large": "true", "T": 512, "init": "normal", "y": "true"}
TOOLS = {"edit": "true", "take": "true"}
MOST_MB = 200


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(DASHBOARD) as server:
        yield server


async def open_page(server: Server, page: str = "", origin: str | None = None, **query) -> list[ForwardMsg]:
    """All that is sent of a page when it is opened."""
    async with connect(server, origin) as socket:
        return await Session(socket, page, urlencode(query)).rerun()


@pytest.mark.slow
def test_no_choice_of_sizes_makes_a_session_take_more_than_200_MB(server):
    async def all_pages() -> None:
        async with connect(server) as socket:
            for page in PAGES:
                await Session(socket, page, urlencode({**LARGEST, **TOOLS})).rerun()

    ask(open_page(server))
    before = status(server)["MB"]
    ask(all_pages())
    assert status(server)["most MB"] - before < MOST_MB


def test_nothing_is_sent_by_reference_that_a_browser_may_have_let_go(server):
    answers = ask(open_page(server, **LARGEST))
    assert max(answer.ByteSize() for answer in answers) > 100_000
    assert not any(answer.metadata.cacheable or answer.HasField("ref_hash") for answer in answers)


def test_no_garbage_is_collected_after_every_rerun():
    assert config.get_option("runner.postScriptGC") is False


def test_a_run_takes_the_lock_and_releases_it(monkeypatch):
    taken = MagicMock()
    monkeypatch.setattr(scheduling, "RUN_LOCK", taken)
    assert not open_link().exception
    # The live part begins within the run, which has the lock already.
    assert [name for name, *_ in taken.method_calls] == ["acquire", "release"]


@pytest.mark.parametrize(
    ("wait", "looked_on", "order"), [(PATIENCE, 0.3, ["long", "other"]), (0.01, PATIENCE, ["other", "long"])]
)
def test_a_run_waits_for_another_but_not_for_long(monkeypatch, wait, looked_on, order):
    monkeypatch.setattr(scheduling, "LONGEST_WAIT", wait)
    done = []

    def run() -> None:
        with scheduling.run_lock():
            done.append("other")

    with ThreadPoolExecutor(1) as thread:
        with scheduling.run_lock():
            other = thread.submit(run)
            wait_for_runs([other], looked_on)
            assert scheduling.RUN_LOCK.locked()
            done.append("long")
        other.result(PATIENCE)
    assert done == order
    assert not scheduling.RUN_LOCK.locked()


def test_what_takes_long_is_done_aside_two_at_a_time():
    inside, gate = [], Event()

    def compute(name: str) -> None:
        with scheduling.run_lock(), scheduling.heavy_compute(long=True):
            inside.append(name)
            assert gate.wait(PATIENCE)

    with ThreadPoolExecutor(3) as threads:
        others = [threads.submit(compute, name) for name in "abc"]
        until = time.monotonic() + PATIENCE
        while len(inside) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        with scheduling.RUN_LOCK:  # as anybody's quick run takes it
            wait_for_runs(others, 0.1)
        assert len(inside) == 2
        gate.set()
        for other in others:
            other.result(PATIENCE)
    assert sorted(inside) == ["a", "b", "c"]
    assert [scheduling.LONG_COMPUTATIONS.acquire(blocking=False) for _ in range(3)] == [True, True, False]
    scheduling.LONG_COMPUTATIONS.release(2)
    assert not scheduling.RUN_LOCK.locked()
    with scheduling.run_lock(), scheduling.heavy_compute(long=False):
        assert scheduling.RUN_LOCK.locked()


def test_the_server_for_a_class_looks_for_no_changed_files(server):
    ask(open_page(server))
    opened = [os.readlink(file) for file in Path(f"/proc/{server.pid}/fd").iterdir() if file.is_symlink()]
    assert opened and not any("inotify" in file for file in opened)
    assert status(server)["threads"] < 10


# ---- what is let out, and who is let in ----------------------------------------------------


def test_an_error_tells_a_reader_nothing_of_the_code(server):
    async def send_no_number() -> None:
        async with connect(server) as socket:
            session = Session(socket, query="edit=true")
            elements = [answer.delta.new_element for answer in await session.rerun()]
            (row,) = (element.number_input.id for element in elements if "set_at" in element.number_input.id)
            session.said[row] = WidgetState(id=row, double_value=float("nan"))  # at which Streamlit itself raises
            await session.rerun()

    with pytest.raises(ShownError, match="The original error message is redacted") as shown:
        ask(send_no_number())
    assert "NaN" not in str(shown.value)
    assert shown.value.trace == []


def test_nothing_is_reported_to_anybody(server):
    (new,) = (answer.new_session for answer in ask(open_page(server)) if answer.HasField("new_session"))
    assert not new.config.gather_usage_stats


def test_a_page_from_elsewhere_cannot_open_a_session(server):
    async def from_elsewhere() -> None:
        async with connect(server, origin="http://198.51.100.9"):
            pass

    with pytest.raises(websockets.InvalidStatus, match="403"):
        ask(from_elsewhere())
    with open_url(asked_from_elsewhere(f"{server.url}/_stcore/health"), timeout=PATIENCE) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers


def asked_from_elsewhere(url: str) -> urllib.request.Request:
    return urllib.request.Request(url, headers={"Origin": "http://198.51.100.9"})


def test_nobody_can_upload_without_the_token_of_a_reader(server):
    file = urllib.request.Request(f"{server.url}/_stcore/upload_file/a/b", data=b"1", method="PUT")
    with pytest.raises(HTTPError, match="403"):
        open_url(file, timeout=PATIENCE)


# ---- what is uploaded ------------------------------------------------------------------------

FILE = [b"1" * 1_000_000] * 19


def test_the_uploads_of_a_session_take_the_memory_of_one_file_and_of_none_once_it_is_opened(server):
    async def open_after_many() -> None:
        async with connect(server) as socket:
            session = Session(socket, query="take=true")
            elements = [answer.delta.new_element for answer in await session.rerun()]
            (uploader,) = (element.file_uploader.id for element in elements if element.HasField("file_uploader"))
            before = status(server)["MB"]
            for _ in range(6):
                file = await session.ask_to_upload("W_hh.csv")
                upload(server, file, FILE)
            assert status(server)["MB"] - before < 2 * 19
            session.said[uploader] = state = WidgetState(id=uploader)
            state.file_uploader_state_value.uploaded_file_info.append(file)
            assert any(escape_markdown(TOO_MANY) in error for error in errors(await session.rerun()))
            assert status(server)["MB"] - before < 19
            # Whatever is changed before the answer comes is sent with the same file once more.
            assert errors(await session.rerun()) == []

    ask(open_after_many())


def errors(answers: list[ForwardMsg]) -> list[str]:
    elements = (answer.delta.new_element for answer in answers)
    return [element.alert.body for element in elements if element.alert.format == Alert.ERROR]


def test_uploads_at_once_take_turns_and_what_comes_after_the_session_is_not_kept():
    """The same without a server: here it is certain what comes first."""
    files, active = MemoryUploadedFileManager(""), {"here", "other"}

    def kept() -> list[str]:
        return [file.name for session in ("here", "other") for file in files.get_files(session, names)]

    async def receive_file(scope: dict, receive: Callable, send: None) -> None:
        _, _, session, name = scope["path"][1:].split("/")
        await receive()
        files.add_file(session, UploadedFileRec(name, name, "", b""))

    async def upload_many() -> None:
        app, events = OneUpload(receive_file), {name: asyncio.Event() for name in names}

        async def start(session: str, name: str) -> asyncio.Task:
            scope = {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{session}/{name}"}

            async def receive() -> dict:
                await events[name].wait()
                return {}

            task = asyncio.create_task(app(scope, receive, None))
            await asyncio.sleep(0)
            return task

        first, second, third = await start("here", "a"), await start("here", "b"), await start("other", "c")
        events["b"].set(), events["c"].set()
        await third
        assert kept() == ["c"] and not second.done()
        events["a"].set()
        await first
        await second
        assert kept() == ["b", "c"]
        last = await start("here", "d")
        active.remove("here")
        events["d"].set()
        await last
        assert kept() == ["c"]
        assert not app.turns

    names = "abcd"
    runtime = MagicMock(uploaded_file_mgr=files, is_active_session=active.__contains__)
    with patch("dashboard.server.streamlit_internals.get_instance", return_value=runtime):
        ask(upload_many())


def model_of(mb: int) -> bytes:
    """A file of an LSTM with an output layer of so many MB."""
    header, start = {}, 0
    for name, shape in {"weight_ih_l0": [8, 3], "weight_hh_l0": [8, 2], "head.weight": [mb * 2**18]}.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, start := start + 4 * prod(shape)]}
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(start)


def test_two_large_model_files_are_open_at_once_and_a_third_one_is_refused(server):
    large = model_of(60)

    async def open_file(session: Session, data: bytes) -> list[ForwardMsg]:
        elements = [answer.delta.new_element for answer in await session.rerun()]
        ids = [element.file_uploader.id for element in elements if element.HasField("file_uploader")]
        file = await session.ask_to_upload("a.safetensors")
        await asyncio.to_thread(upload, server, file, [data])
        session.said[ids[0]] = state = WidgetState(id=ids[0])
        state.file_uploader_state_value.uploaded_file_info.append(file)
        return await session.rerun()

    async def open_three() -> None:
        async with connect(server) as first, connect(server) as second:
            async with connect(server) as third, connect(server) as fourth:
                for socket in (first, second):
                    answers = await open_file(Session(socket, "model"), large)
                    assert errors(answers) == [] and any("2 units" in f"{answer}" for answer in answers)
                # A small file is still taken.
                assert errors(await open_file(Session(third, "model"), model_of(1))) == []
                with pytest.raises(HTTPError) as refused:
                    await open_file(Session(fourth, "model"), large)
                assert refused.value.code == 503
                refused.value.close()

    ask(open_three())


@pytest.fixture
def held(monkeypatch):
    """The slots by session, with "here" and "other" active."""
    slots = WeakValueDictionary()
    monkeypatch.setattr(uploads, "_slots", slots)
    monkeypatch.setattr(uploads, "_arriving", {})
    monkeypatch.setattr(uploads, "is_active_session", {"here", "other"}.__contains__)
    return slots


def test_garbage_is_collected_only_for_a_session_that_has_ended(held, monkeypatch):
    kept = [uploads.LargeFileSlot(), uploads.LargeFileSlot()]
    collected = []

    def collect():
        collected.append(True)
        kept.pop()

    monkeypatch.setattr(gc, "collect", collect)
    held["here"], held["other"] = kept
    assert uploads._take("third") is None and not collected
    del held["other"]
    held["ended"] = kept[1]
    assert uploads._take("third") and collected == [True]


def test_sessions_that_ask_at_once_do_not_get_more_slots_than_there_are(held, monkeypatch):
    make = uploads.LargeFileSlot

    def slowly():
        time.sleep(0.01)
        return make()

    monkeypatch.setattr(uploads, "LargeFileSlot", slowly)
    with ThreadPoolExecutor(8) as pool:
        slots = list(pool.map(uploads._take, "abcdefgh"))
    assert sum(slot is not None for slot in slots) == uploads.MOST_LARGE


def test_the_largest_upload_is_the_same_everywhere():
    said = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert said["server"]["maxUploadSize"] == uploads.MOST_MB_OF_MODEL == MOST_BYTES_OF_MODEL // 2**20
    assert uploads.MOST_MB == MOST_BYTES // 2**20
    nginx = (ROOT / "deploy" / "nginx.conf").read_text()
    assert f"client_max_body_size {uploads.MOST_MB_OF_MODEL + 1}m;" in nginx
    assert f"up to {uploads.MOST_MB_OF_MODEL} MB" in " ".join((ROOT / "docs" / "deploy.md").read_text().split())


# ---- how it stops --------------------------------------------------------------------------


@pytest.mark.slow
def test_it_stops_when_told_and_says_so_to_its_readers():
    async def stopped(server: Server) -> int:
        async with connect(server) as socket:
            await Session(socket).rerun()
            server.process.terminate()
            await asyncio.wait_for(socket.wait_closed(), PATIENCE)
            return socket.close_code

    with running(DASHBOARD) as server:
        assert ask(stopped(server)) == websockets.CloseCode.SERVICE_RESTART
        assert server.process.wait(PATIENCE) == -signal.SIGTERM


# ---- what it is told when it starts ----------------------------------------------------------


def test_what_cannot_be_served_is_refused_in_a_line_before_anything_is_served(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for options, words in {
            ("--port", "99999999"): r"--port: .*\b1 to 65535\b",
            ("--port", "0"): r"--port: .*\b1 to 65535\b",
            ("--port", "-1"): r"--port: .*\b1 to 65535\b",
            ("--port", "x"): r"--port: .*\b1 to 65535\b",
            ("--port", str(taken.getsockname()[1])): "address already in use",
            ("--host", "192.0.2.1"): "cannot assign requested address",
            ("--host", "nowhere.invalid"): r"http://nowhere\.invalid:8501\b",
            ("--host", "a" * 100): r"http://a{100}:8501 .*\bname\b",
            ("--host", "..."): r"http://\.\.\.:8501 .*\bname\b",
            ("--host", ""): "host .*empty",
            ("--frame-ancestors", "'self'\nX-Header: 1"): "--frame-ancestors: .*sources",
            ("--frame-ancestors", "'self'; script-src *"): "--frame-ancestors: .*sources",
            ("--frame-ancestors", "'self', script-src *"): "--frame-ancestors: .*sources",
            ("--frame-ancestors", "жж"): "--frame-ancestors: .*sources",
            ("--frame-ancestors", ""): "--frame-ancestors: .*sources",
        }.items():
            with (
                ThreadPoolExecutor(1) as thread,  # in the test's own a browser's loop may be running
                patch.object(sys, "argv", ["dashboard", *options]),
                patch.object(uvicorn, "run") as run,
                pytest.raises(SystemExit) as end,
            ):
                thread.submit(main).result()
            said = capsys.readouterr()
            assert end.value.code == 2 and not run.called and not said.out, options
            assert re.search(words, said.err.splitlines()[-1]), options
            assert "Traceback" not in said.err


@pytest.mark.slow
def test_an_address_of_ipv6_is_served_and_said_as_a_browser_takes_it():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    port = free_port()
    url = f"http://[::1]:{port}"
    command = [sys.executable, "-m", "dashboard", "--host", "::1", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert re.search(rf" {re.escape(url)}\. ", process.stdout.readline())
            await_health(process, url)
            ask(open_page(Server(url, process), origin=url))
        finally:
            process.terminate()


# ---- pictures of a drag --------------------------------------------------------------------------


async def answers(server: Server, *texts: str | bytes, path: str = "") -> list[Shown]:
    """What a session's own address answers, until it is closed."""
    async with connect(server) as socket:
        session = Session(socket, path, urlencode(LIVE[path]))
        await session.rerun()
        async with websockets.connect(session.live) as line:
            for text in texts:
                await line.send(text)
            try:
                return [Shown(await line.recv()) for _ in texts]
            except websockets.ConnectionClosed:
                return []


@pytest.mark.parametrize("path", ["", "gradients"])
def test_each_request_has_its_answer_in_its_turn(server, path):
    sizes = ("4", "2", "7")
    found = ask(answers(server, *(urlencode(LIVE[path] | {"k": k}) for k in sizes), path=path))
    assert found == [Shown(open_link(path, **LIVE[path] | {"k": k})) for k in sizes]


@pytest.mark.parametrize("text", [f"k={'9' * 10**6}", b"k=7", b""])
def test_what_no_browser_says_ends_the_line_and_nothing_else(server, text):
    assert ask(answers(server, text)) == []
    assert len(ask(answers(server, ""))) == 1


def test_of_two_lines_to_one_session_the_newer_one_is_answered(server):
    async def two() -> Shown:
        async with connect(server) as socket:
            session = Session(socket, "", urlencode(LIVE[""]))
            await session.rerun()
            async with websockets.connect(session.live) as first, websockets.connect(session.live) as second:
                with pytest.raises(websockets.ConnectionClosed):
                    await first.recv()  # it is closed at once, without a word from its browser
                await second.send(urlencode(LIVE[""]))
                answer = await second.recv()
        return Shown(answer)

    assert ask(two()) == Shown(open_link(**LIVE[""]))


def test_nobody_is_answered_who_does_not_know_the_address(server):
    async def guess() -> None:
        async with websockets.connect(server.url.replace("http", "ws", 1) + "/live/guessed"):
            pass

    with pytest.raises(websockets.InvalidStatus):
        ask(guess())


NUMPY_WATCHED = """
import os, runpy, sys
import streamlit.web.cli

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))

assert "numpy" not in sys.modules
sys.meta_path.insert(0, Watch())
runpy.run_path(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("start", ["streamlit_app.py", "__main__.py"])
def test_numpy_has_one_thread_however_the_server_is_started(start):
    alone = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", NUMPY_WATCHED, str(ROOT / "dashboard" / start)]
    shown = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert shown.stdout == "1\n"
