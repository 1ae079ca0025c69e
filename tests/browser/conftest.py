"""One server and one browser for all browser tests, and a page that minds what it asks for."""

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.live import CHROMIUM, PATIENCE, WITHOUT_RECORDINGS, launch, running

# A proxy that is not there, for all but our own servers: what is asked of anybody else never leaves this machine.
NOWHERE = {"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"}
VIEWPORT = {"width": 1280, "height": 900}
# Without a graphics card, layers of their own cost a fifth of the processor's time and look the same.
ONE_LAYER = "--blink-settings=acceleratedCompositingEnabled=false"

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running(WITHOUT_RECORDINGS) as server:
        yield server.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = "no Chromium found: install it (Debian: apt-get install chromium) to run the browser tests"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = launch(playwright, ONE_LAYER)
        yield browser
        browser.close()


@contextmanager
def no_trouble(context: BrowserContext, server: str) -> Iterator[None]:
    """Fails the test on a request to anywhere else, and on an error in a page."""
    troubles = []
    listeners = {
        "request": lambda request: troubles.append(request.url) if is_outside(request.url, server) else None,
        "weberror": lambda error: troubles.append(str(error.error)),
        "console": lambda message: troubles.append(message.text) if is_trouble(message, server) else None,
    }
    for event, listener in listeners.items():
        context.on(event, listener)
    yield
    for event, listener in listeners.items():
        context.remove_listener(event, listener)
    assert troubles == []


def new_context(browser: Browser, **options) -> BrowserContext:
    """A browser of one's own, with time to wait."""
    context = browser.new_context(**{"viewport": VIEWPORT, "proxy": NOWHERE} | options)
    context.set_default_timeout(PATIENCE * 1000)
    return context


@pytest.fixture
def context(browser: Browser, server: str) -> Iterator[BrowserContext]:
    context = new_context(browser)
    with no_trouble(context, server):
        yield context
        context.close()


@pytest.fixture(scope="session")
def shared(browser: Browser) -> Page:
    page = new_context(browser).new_page()
    page.add_init_script = None  # a script would stay for all later tests: `tab` is closed after its own
    return page


@pytest.fixture
def page(shared: Page, server: str) -> Iterator[Page]:
    """A page that other tests had before: what a new one reads anew takes Chromium three times as long."""
    shared.set_viewport_size(VIEWPORT)
    shared.emulate_media(color_scheme="light")
    shared.mouse.move(0, 0)
    with no_trouble(shared.context, server):
        yield shared
        shared.goto("about:blank")


@pytest.fixture
def tab(shared: Page, server: str) -> Iterator[Page]:
    """One more tab of the browser of `page`, with a history and a storage of its own."""
    with no_trouble(shared.context, server), closing(shared.context.new_page()) as tab:
        yield tab


def is_outside(url: str, server: str) -> bool:
    return not url.startswith((server, server.replace("http", "ws"), "data:", "blob:", "file:"))


def is_trouble(message: ConsoleMessage, server: str) -> bool:
    """Whether it is an error: all but those that Streamlit makes itself.

    Where a link leads beyond the first page, it looks for its server under that page's address before it finds it at the root,
    and says that there is no such page. And it asks for the file of a download button, or for an image, once more when a newer run
    has already put another one in its place.
    """
    expected = re.escape(server) + r"/([^/]+/_stcore/(health|host-config)|media/.*)"
    own_words = (
        "The page that you have requested does not seem to exist.",
        "Client Error: Download Button source error",
        "Client Error: Image source error",
    )
    from_streamlit = message.text.startswith(own_words) or re.fullmatch(expected, message.location["url"])
    return message.type == "error" and not from_streamlit
