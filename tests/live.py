"""A real server and a real browser, for the browser tests and the benches."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, Playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Seconds for what takes one or two where nothing else runs: a busy machine is no failure.
PATIENCE = 60
# Below those that the system hands out by itself, and for each process from a place of its own on.
PORTS = cycle(range(10_000 + os.getpid() * 10 % 20_000, 32_000))


def free_port() -> int:
    """A port on which nothing listens, and which nobody is given until it is used."""
    for port in PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


# Past every proxy: `urlopen` keeps the one that the environment names when it is first called, as in a test of proxies.
open_url = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class Server(NamedTuple):
    """A server of ours: where it is, and its process."""

    url: str
    process: subprocess.Popen

    @property
    def pid(self) -> int:
        return self.process.pid


PLAIN = ("streamlit", "run", "dashboard", "--server.headless", "true", "--server.address", "127.0.0.1", "--server.port")
DASHBOARD = ("dashboard", "--host", "127.0.0.1", "--port")
WITHOUT_RECORDINGS = ("tests.without_recordings", *DASHBOARD[1:])


@contextmanager
def running(module: Sequence[str], port: int | None = None, root: Path = ROOT) -> Iterator[Server]:
    """Run one of our servers, from its root and with the settings there; the port is its last argument."""
    port = port or free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", *module, str(port)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    server = Server(f"http://127.0.0.1:{port}", process)
    try:
        await_health(process, server.url)
        yield server
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextmanager
def serve(script: str = "dashboard", port: int | None = None) -> Iterator[str]:
    """Run a Streamlit script with the project's own settings, and give its address."""
    with running([script if part == "dashboard" else part for part in PLAIN], port) as server:
        yield server.url


def await_health(server: subprocess.Popen, url: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError(f"the server stopped with exit code {server.returncode} before it answered")
        try:
            with open_url(f"{url}/_stcore/health", timeout=PATIENCE) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"no answer from {url} within {PATIENCE} s")


def launch(playwright: Playwright, *flags: str) -> Browser:
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])


def await_picture(page: Page) -> None:
    """Wait until the picture is drawn and the script has come to rest."""
    page.locator(".picture canvas >> visible=true").first.wait_for()
    at_rest(page)


def at_rest(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
