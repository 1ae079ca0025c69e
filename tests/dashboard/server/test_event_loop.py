"""The class server's event loop: nothing that other threads put to it is lost, and it is woken once for many things."""

import asyncio
import os
import resource
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest
import uvicorn
from streamlit import config
from streamlit.runtime import runtime
from uvicorn.importer import import_from_string

from dashboard import __main__ as server
from dashboard.server.event_loop import Loop
from tests.live import PATIENCE, free_port


@pytest.fixture
def loop() -> Iterator[Loop]:
    """A loop that runs in a thread of its own."""
    loop = Loop()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(loop.run_forever)
        yield loop
        asyncio.SelectorEventLoop.call_soon_threadsafe(loop, loop.stop)  # or a faulty one would go on for ever
    loop.close()


def test_all_that_many_threads_put_to_it_is_done_in_their_order(loop):
    done, last = [], Event()

    def put(name: int) -> None:
        for at in range(5000):
            loop.call_soon_threadsafe(done.append, (name, at))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(put, range(4)))
    loop.call_soon_threadsafe(last.set)
    assert last.wait(PATIENCE)
    assert [[at for by, at in done if by == name] for name in range(4)] == 4 * [list(range(5000))]


def test_it_is_never_left_asleep(loop):
    """Each waits for the one before, so that the loop goes to sleep in between."""
    for _ in range(2000):
        done = Event()
        loop.call_soon_threadsafe(done.set)
        assert done.wait(PATIENCE)


def test_it_is_woken_once_for_all_that_comes_while_it_is_busy(loop, monkeypatch):
    woken, busy, go_on, last = [], Event(), Event(), Event()
    wake = asyncio.SelectorEventLoop.call_soon_threadsafe
    monkeypatch.setattr(
        asyncio.SelectorEventLoop, "call_soon_threadsafe", lambda *given: woken.append(given) or wake(*given)
    )
    loop.call_soon_threadsafe(lambda: busy.set() or go_on.wait(PATIENCE))
    assert busy.wait(PATIENCE)
    woken.clear()
    for _ in range(50):
        loop.call_soon_threadsafe(lambda: None)
    loop.call_soon_threadsafe(last.set)
    go_on.set()
    assert last.wait(PATIENCE)
    assert len(woken) <= 1


def test_it_can_be_debugged(loop):
    done = Event()
    loop.set_debug(True)
    loop.call_soon_threadsafe(done.set)
    assert done.wait(PATIENCE)


@contextmanager
def no_more_files() -> Iterator[None]:
    """This process can open no more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = [os.open(os.devnull, os.O_RDONLY)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 1, hard))
    try:
        while True:  # until every number below is taken
            opened.append(os.dup(opened[0]))
    except OSError:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for file in opened:
            os.close(file)


async def serve_without_files() -> tuple[int, bytes]:
    """How often the loop complains of one connection that it cannot accept, and what comes once it can."""
    loop, failed, complaints = asyncio.get_running_loop(), asyncio.Event(), 0

    def complain(loop: asyncio.AbstractEventLoop, context: dict) -> None:
        nonlocal complaints
        complaints += 1
        failed.set()

    loop.set_exception_handler(complain)

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"here")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(greet, "127.0.0.1", 0, backlog=100) as server, asyncio.timeout(PATIENCE):
        with socket.socket() as browser:
            browser.setblocking(False)
            with no_more_files():
                await loop.sock_connect(browser, server.sockets[0].getsockname())
                await failed.wait()
                for _ in range(100):
                    await asyncio.sleep(0)
            found = await loop.sock_recv(browser, 100)
        return complaints, found


def test_a_connection_that_cannot_be_accepted_is_reported_once_and_accepted_later(loop):
    serving = asyncio.run_coroutine_threadsafe(serve_without_files(), loop)
    assert serving.result(PATIENCE) == (1, b"here")


def test_the_server_for_a_class_runs_on_it(monkeypatch):
    given = {}
    monkeypatch.setattr("sys.argv", ["dashboard", "--port", str(free_port())])
    monkeypatch.setattr("sys.setswitchinterval", lambda _: None)
    monkeypatch.setattr(config, "set_option", lambda *_: None)
    monkeypatch.setattr(runtime, "MESSAGE_FLUSH_INTERVAL_SECS", 1.0)  # which raises where Streamlit has none
    monkeypatch.setattr(server.st, "App", lambda *_, **__: None)
    monkeypatch.setattr(uvicorn, "run", lambda _, **options: given.update(options))
    with ThreadPoolExecutor(1) as thread:  # in the test's own a browser's loop may be running
        thread.submit(server.main).result()
    assert import_from_string(given["loop"]) is Loop
    assert runtime.MESSAGE_FLUSH_INTERVAL_SECS < 0.005
