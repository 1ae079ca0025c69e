"""A real server without a browser: what it takes, what it sends, whom it answers, and how it stops."""

import asyncio
import os
import signal
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for_runs
from pathlib import Path
from unittest.mock import MagicMock
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest
import websockets
from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from dashboard import warm
from tests.client import Session, ShownError, ask, connect, status
from tests.dashboard.page import PAGES, open_link
from tests.live import DASHBOARD, Server, running

LARGEST = {"m": 512, "n": 512, "k": 512, "large": "true", "T": 512, "init": "normal", "y": "true"}
TOOLS = {"edit": "true", "take": "true"}
MOST_MB = 200


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(DASHBOARD) as server:
        yield server


async def open_page(server: Server, page: str = "", **query) -> list[ForwardMsg]:
    """All that is sent of a page when it is opened."""
    async with connect(server) as socket:
        return await Session(socket, page, urlencode(query)).rerun()


def test_no_choice_of_sizes_makes_a_session_take_more_than_200_MB(server):
    async def all_pages() -> None:
        async with connect(server) as socket:
            for seed, tools in enumerate(({}, TOOLS)):
                for page in PAGES:
                    await Session(socket, page, urlencode({**LARGEST, **tools, "seed": seed})).rerun()

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


def test_a_run_takes_its_turn_and_gives_it_back(monkeypatch):
    taken = MagicMock()
    monkeypatch.setattr(warm, "TURN", taken)
    assert not open_link().exception
    assert [name for name, *_ in taken.method_calls] == ["acquire", "release"]


@pytest.mark.parametrize(("wait", "order"), [(10, ["long", "other"]), (0.01, ["other", "long"])])
def test_a_run_waits_for_another_but_not_for_long(monkeypatch, wait, order):
    monkeypatch.setattr(warm, "LONGEST_WAIT", wait)
    done = []

    def run() -> None:
        with warm.turn():
            done.append("other")

    with ThreadPoolExecutor(1) as thread:
        with warm.turn():
            other = thread.submit(run)
            wait_for_runs([other], 0.5)
            assert warm.TURN.locked()
            done.append("long")
        other.result(10)
    assert done == order
    assert not warm.TURN.locked()


def test_the_server_for_a_class_looks_for_no_changed_files(server):
    ask(open_page(server))
    opened = [os.readlink(file) for file in Path(f"/proc/{server.pid}/fd").iterdir() if file.is_symlink()]
    assert opened and not any("inotify" in file for file in opened)
    assert status(server)["threads"] < 10


# ---- what is let out, and who is let in ----------------------------------------------------


def test_an_error_tells_a_reader_nothing_of_the_code(server):
    async def send_no_number() -> None:
        async with connect(server) as socket:
            session = Session(socket)
            elements = [answer.delta.new_element for answer in await session.rerun()]
            (seed,) = (element.number_input.id for element in elements if element.number_input.label == "Seed")
            session.said[seed] = WidgetState(id=seed, double_value=float("nan"))  # at which Streamlit itself raises
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
    with urllib.request.urlopen(asked_from_elsewhere(f"{server.url}/_stcore/health"), timeout=5) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers


def asked_from_elsewhere(url: str) -> urllib.request.Request:
    return urllib.request.Request(url, headers={"Origin": "http://198.51.100.9"})


def test_nobody_can_upload_without_the_token_of_a_reader(server):
    file = urllib.request.Request(f"{server.url}/_stcore/upload_file/a/b", data=b"1", method="PUT")
    with pytest.raises(HTTPError, match="403"):
        urllib.request.urlopen(file, timeout=5)


# ---- how it stops --------------------------------------------------------------------------


def test_it_stops_when_told_and_says_so_to_its_readers():
    async def stopped(server: Server) -> int:
        async with connect(server) as socket:
            await Session(socket).rerun()
            server.process.terminate()
            await asyncio.wait_for(socket.wait_closed(), 5)
            return socket.close_code

    with running(DASHBOARD) as server:
        assert ask(stopped(server)) == websockets.CloseCode.SERVICE_RESTART
        assert server.process.wait(5) == -signal.SIGTERM
