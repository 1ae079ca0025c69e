"""Who may open a websocket, how many files the server may open, and that it asks nobody on the Internet."""

import asyncio
import resource
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest
import requests
import websockets
from starlette.datastructures import Headers
from streamlit import config, net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from dashboard.server import access_control, open_file_limit
from dashboard.server.streamlit_internals import never_ask_for_own_address
from tests.client import Session, ask, connect
from tests.dashboard.page import Shown
from tests.live import DASHBOARD, PATIENCE, PLAIN, Server, open_url, running

FEW = 1024  # the usual soft limit of a terminal
FOREIGN = [
    "http://evil.example",
    "http://198.51.100.9",
    "http://127.0.0.1.evil.example",
    "http://evil.example:8501",
    "null",
    "file://",
    "http://[",
]


@pytest.fixture(scope="module", params=[DASHBOARD, PLAIN], ids=["python -m dashboard", "streamlit run dashboard"])
def server(request) -> Iterator[tuple[Server, socket.socket]]:
    """A server that started with few files, and the silent proxy by which alone it could reach the Internet."""
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.create_server(("127.0.0.1", 0)) as proxy, pytest.MonkeyPatch.context() as patched:
        proxy.setblocking(False)
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            patched.setenv(name, f"http://127.0.0.1:{proxy.getsockname()[1]}")
        for name in ("no_proxy", "NO_PROXY"):
            patched.setenv(name, "127.0.0.1")
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(few, FEW), most))
        try:
            with running(request.param) as started:
                yield started, proxy
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))


# ---- files -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_server_may_open_as_many_files_as_the_system_allows(server):
    (limits,) = (
        line.removeprefix("Max open files").split()
        for line in Path(f"/proc/{server[0].pid}/limits").read_text().splitlines()
        if line.startswith("Max open files")
    )
    soft, hard, _ = limits
    assert soft == hard


class Limited:
    """A system that lets a process open only so many files."""

    RLIMIT_NOFILE = 7

    def __init__(self, soft: int, hard: int, most: int | None = None):
        self.limits = soft, hard
        self.most = most

    def getrlimit(self, which: int) -> tuple[int, int]:
        return self.limits

    def setrlimit(self, which: int, limits: tuple[int, int]) -> None:
        if self.most is not None and not 0 <= limits[0] <= self.most:
            raise ValueError("refused")
        self.limits = limits


@pytest.mark.parametrize(
    ("system", "soft", "is_said"),
    [
        (Limited(1024, 20_000), 20_000, False),
        (Limited(256, 1024), 1024, True),
        (Limited(256, -1), -1, False),
        (Limited(256, -1, open_file_limit.MOST_ON_MACOS), open_file_limit.MOST_ON_MACOS, False),
        (Limited(256, 2**63 - 1, open_file_limit.MOST_ON_MACOS), open_file_limit.MOST_ON_MACOS, False),
        (Limited(256, 4096, 0), 256, True),
    ],
)
def test_too_few_files_for_a_class_are_reported_in_one_line(monkeypatch, capsys, system, soft, is_said):
    monkeypatch.setattr(open_file_limit, "resource", system)
    open_file_limit.raise_limit()
    assert system.limits[0] == soft
    said = capsys.readouterr()
    assert not said.out and said.err.count("\n") == is_said
    assert (str(soft) in said.err.split()) == is_said


def test_a_system_without_such_a_limit_is_left_alone(monkeypatch, capsys):
    monkeypatch.setattr(open_file_limit, "resource", None)
    open_file_limit.raise_limit()
    assert not capsys.readouterr().err


# ---- origins ---------------------------------------------------------------------------------


async def refusal(opening: websockets.connect) -> int:
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with opening:
            pass
    return refused.value.response.status_code


def test_pages_of_other_sites_are_refused_and_nobody_outside_is_asked(server):
    started, proxy = server

    async def attack() -> list[int]:
        async with connect(started) as stream:
            session = Session(stream, query=urlencode({"init": "normal"}))
            await session.rerun()
            answers = [refusal(connect(started, origin)) for origin in FOREIGN]
            answers += [refusal(websockets.connect(session.live, origin=origin)) for origin in FOREIGN]
            found = await asyncio.gather(*answers, session.move())
            await session.hang_up()
            return found[:-1]

    assert ask(attack()) == [403] * 2 * len(FOREIGN)
    with pytest.raises(BlockingIOError):
        proxy.accept()


def test_pages_of_the_server_itself_and_programs_are_let_in(server):
    started, _ = server

    async def shown(origin: str | None) -> Shown:
        async with connect(started, origin) as stream:
            session = Session(stream)
            await session.rerun()
            async with websockets.connect(session.live, origin=origin) as line:
                await line.send("{}")
                return Shown(await line.recv())

    assert ask(shown(started.url)) == ask(shown(None))


def from_here(origin: str, host: str) -> bool:
    return access_control.is_from_here(Headers({"origin": origin, "host": host}))


def test_behind_a_proxy_the_origin_is_compared_with_the_host_that_the_reader_sees():
    assert from_here("https://school.example", "school.example")
    assert from_here("http://school.example:8500", "school.example:8500")
    assert not from_here("https://school.example", "127.0.0.1:8501")
    assert not from_here("http://school.example:8500", "school.example:8501")


@pytest.mark.parametrize(
    ("option", "setting"),
    [("server.corsAllowedOrigins", ["https://school.example"]), ("browser.serverAddress", "school.example")],
)
def test_streamlits_own_settings_let_an_origin_in(option, setting):
    with patch.dict(config._config_options), patch.object(requests, "get") as get:
        never_ask_for_own_address()
        config._config_options[option] = changed = SimpleNamespace(**vars(config._config_options[option]))
        changed.value, changed.where_defined = setting, "here"
        assert from_here("https://school.example", "127.0.0.1:8501")
        assert not from_here("https://evil.example", "127.0.0.1:8501")
        assert not get.called


def test_streamlit_asks_for_the_servers_address_where_it_is_kept_from_asking():
    with patch.object(net_util, "get_external_ip", return_value="192.0.2.7") as asked:
        assert is_url_from_allowed_origins("http://192.0.2.7")
        assert asked.called


def test_a_refused_origin_is_reported_once(caplog):
    access_control._warn.cache_clear()
    for _ in range(3):
        assert not from_here("http://evil.example", "here.example")
    (record,) = caplog.records
    assert "http://evil.example" in record.getMessage() and "here.example" in record.getMessage()


# ---- paths -----------------------------------------------------------------------------------


def test_only_the_server_for_a_class_hides_its_metrics(server):
    started, _ = server
    is_for_a_class = "run" not in started.process.args
    try:
        with open_url(f"{started.url}/{access_control.METRICS}", timeout=PATIENCE) as answer:
            status = answer.status
    except HTTPError as refused:
        status = refused.code
    assert status == (404 if is_for_a_class else 200)
