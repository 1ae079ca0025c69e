"""Two replicas behind nginx: browsers are spread and stay, and when one replica is gone all go on at the other."""

import os
import re
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.exchange.scenario_json import to_json
from core.scenario import Scenario
from dashboard.text import sidebar
from tests.browser.page import followed, lead, slider, visit
from tests.client import ask, connect
from tests.live import DASHBOARD, PATIENCE, ROOT, Server, await_health, free_port, open_url, running

pytestmark = pytest.mark.slow
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
# nginx spreads new browsers by chance: with so many all at one replica would be one chance in 500 000.
MOST = 20


@pytest.fixture(scope="module")
def replicas() -> Iterator[list[Server]]:
    with running(DASHBOARD) as one, running(DASHBOARD) as other:
        yield [one, other]


@pytest.fixture(scope="module")
def balanced(replicas: list[Server], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address at which nginx, with our own configuration, serves both."""
    if NGINX is None:
        missing = "no nginx found: install it (Debian: apt-get install nginx-light) to run this test"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    port, folder = free_port(), tmp_path_factory.mktemp("nginx")
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    for written, real in (("8501", replicas[0]), ("8502", replicas[1])):
        text = text.replace(f"127.0.0.1:{written}", real.url.removeprefix("http://"))
    text = text.replace("listen 8500", f"listen 127.0.0.1:{port}")
    (folder / "nginx.conf").write_text(f"pid {folder}/nginx.pid;\ndaemon off;\n{text}")
    process = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        await_health(process, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def sessions(server: Server) -> int:
    """How many connections from nginx the replica holds."""
    port = f":{int(server.url.rsplit(':', 1)[1]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(port) and row[3] == "01" for row in rows)


def upload(page: Page, file: Path, scenario: Scenario) -> None:
    """Open a file: it goes to the server beside the session, and has to come to the same replica."""
    file.write_text(to_json(scenario, {}))
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url(f"**seed={scenario.seed}*")
    followed(page)


def test_streamlits_scripts_are_sent_compressed(balanced):
    with open_url(balanced, timeout=PATIENCE) as answer:
        script = re.search(r'src="\.?(/static/js/[^"]+\.js)"', answer.read().decode())[1]
    asked = urllib.request.Request(balanced + script, headers={"Accept-Encoding": "gzip"})
    with open_url(asked, timeout=PATIENCE) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"


def one_for_each(replicas: list[Server], balanced: str) -> list[str]:
    """Cookies that nginx gives to new browsers: one that leads to each replica."""

    async def where(cookie: str) -> list[int]:
        async with connect(Server(balanced, process=None), cookie=cookie):
            return [sessions(replica) for replica in replicas]

    found = {}
    for _ in range(MOST):
        with open_url(balanced, timeout=PATIENCE) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        found[tuple(ask(where(cookie)))] = cookie
        if len(found) == len(replicas):
            return [found[1, 0], found[0, 1]]
    pytest.fail("all browsers went to one replica")


def test_a_replica_that_is_killed_takes_nobodys_numbers_along(browser: Browser, replicas, balanced, tmp_path):
    pages, shown = [], []
    for seed, cookie in enumerate(one_for_each(replicas, balanced), 1):
        context = browser.new_context()
        name, _, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": balanced}])
        pages.append(page := context.new_page())
        visit(page, f"{balanced}/?take=true")
        upload(page, tmp_path / "scenario.json", Scenario(seed=seed, n=4, k=4, init="normal"))
        shown.append(lead(page).inner_text())
    assert all(map(sessions, replicas))
    assert len(set(shown)) == len(shown)
    os.kill(replicas[0].pid, signal.SIGKILL)
    page.wait_for_timeout(1500)
    for seed, (page, text) in enumerate(zip(pages, shown, strict=True), 1):
        expect(page.get_by_role("button", name=sidebar.RESTART)).to_be_enabled(timeout=20_000)
        slider(page, "Weight scale").press("ArrowLeft")
        expect(lead(page)).not_to_have_text(text, timeout=20_000)
        slider(page, "Weight scale").press("ArrowRight")
        expect(lead(page)).to_have_text(text, timeout=20_000)
        assert f"seed={seed}" in page.url
    followed(page)
    upload(page, tmp_path / "scenario.json", Scenario(seed=99, n=4, k=4, init="normal"))
    for page in pages:
        page.context.close()
