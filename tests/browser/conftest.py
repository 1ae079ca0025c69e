"""One server and one browser for all browser tests, and a page that minds what it asks for."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.live import CHROMIUM, launch, serve

# A proxy that is not there, for all but our own servers: what is asked of anybody else never leaves this machine.
NOWHERE = {"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"}


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with serve() as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = "no Chromium found: install it (Debian: apt-get install chromium) to run the browser tests"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser, server: str) -> Iterator[BrowserContext]:
    """A browser of one's own, that fails the test on a request to anywhere else or on an error in the page."""
    troubles = []
    context = browser.new_context(viewport={"width": 1280, "height": 900}, proxy=NOWHERE)
    context.on("request", lambda request: troubles.append(request.url) if is_outside(request.url, server) else None)
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("console", lambda message: troubles.append(message.text) if is_trouble(message, server) else None)
    yield context
    context.close()
    assert troubles == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def is_outside(url: str, server: str) -> bool:
    return not url.startswith((server, server.replace("http", "ws"), "data:", "blob:"))


def is_trouble(message: ConsoleMessage, server: str) -> bool:
    """Whether it is an error: all but those that Streamlit makes itself where a link leads beyond the first page.

    It looks for its server under that page's address before it finds it at the root; and it says that there is no such
    page.
    """
    expected = re.escape(server) + r"/[^/]+/_stcore/(health|host-config)"
    unknown = message.text.startswith("The page that you have requested does not seem to exist.")
    return message.type == "error" and not unknown and not re.fullmatch(expected, message.location["url"])
