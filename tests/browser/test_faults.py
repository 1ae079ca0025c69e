"""What goes wrong in a class: reloads, second tabs, lost connections. Every choice is still there."""

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, closing, suppress
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from websockets import ClientConnection

from tests.browser.conftest import new_context
from tests.browser.page import lead, slider, unfold, until, visit
from tests.client import Session, connect
from tests.dashboard.page import PAGES
from tests.live import DASHBOARD, Server, at_rest, await_picture, running

CLASS = 300
# Of every page choices of which some only it has.
LINKS = {
    "": "stage=activate&order=xh&typed=b_h~1~2~3~4",
    "lstm": "forget_bias=2.5&y=true&p=2&typed=b_f~1~2~3~4",
    "saturation": "source=typed&z=1.5&threshold=12",
    "sequence": "cell=GRU&input=word&word=anna&m=3",
    "gradients": "T=12&forget_bias=-1",
}
SHARED = "n=4&k=4&init=normal&seed=7&g=tanh"


def fields(page: Page) -> list[str]:
    """What every field, toggle and slider says."""
    return page.locator("input").evaluate_all(
        "all => all.map(it => it.type === 'checkbox' ? `${it.checked}` : it.value)"
    )


def assert_fields(page: Page, said: list[str]) -> None:
    assert fields(page) == said


def show_three_decimals(page: Page) -> None:
    """On a page whose lead has some, so that it is seen when the answer is there."""
    text = lead(page).inner_text()
    unfold(page, "Look")
    slider(page, "Decimals").press("ArrowRight")
    page.wait_for_url("**decimals=3*")
    expect(lead(page)).not_to_have_text(text)
    at_rest(page)


# A reload opens the link once more, so one page stands for all where time is short.
@pytest.mark.parametrize(
    "path", [path if path == "lstm" else pytest.param(path, marks=pytest.mark.slow) for path in PAGES]
)
def test_a_reload_keeps_every_choice(page, server, path):
    visit(page, f"{server}/{path}?{SHARED}&{LINKS[path]}")
    if path in ("", "lstm"):
        show_three_decimals(page)
    before, address, said = lead(page).inner_text(), page.url, fields(page)
    page.reload()
    await_picture(page)
    expect(lead(page)).to_have_text(before)
    until(page, lambda: assert_fields(page, said))
    assert page.url == address
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.slow
def test_the_list_of_examples_is_there_again_after_a_reload(page, server):
    page.goto(f"{server}/examples?{SHARED}")
    for _ in range(2):
        expect(page.get_by_role("heading", name="Worked examples")).to_be_visible()
        expect(page.get_by_role("link", name="LSTM step", exact=True)).to_have_attribute(
            "href", re.compile("k=4.*seed=7")
        )
        page.reload()
    assert "seed=7" in page.url


@pytest.mark.slow
def test_two_tabs_know_nothing_of_each_other(page, server):
    with closing(page.context.new_page()) as other:
        visit(page, f"{server}/?{SHARED}")
        visit(other, f"{server}/?{SHARED}")
        before = lead(other).inner_text()
        assert lead(page).inner_text() == before
        slider(page, "Scale of the weights").press("ArrowRight")
        page.wait_for_url("**scale=*")
        expect(lead(page)).not_to_have_text(before)
        changed = lead(page).inner_text()
        show_three_decimals(other)
        assert "scale" not in other.url and "decimals" not in page.url
        expect(lead(page)).to_have_text(changed)
        page.reload()
        await_picture(page)
        expect(lead(page)).to_have_text(changed)


class Relay:
    """What stands between the readers and a server, and can lose all their connections at once."""

    def __init__(self, server: Server):
        self.server = server
        self.connections: set[asyncio.StreamWriter] = set()

    async def listen(self) -> Server:
        """Start, and give what a reader takes for the server."""
        listening = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.serving = asyncio.create_task(listening.serve_forever())  # until it is cancelled
        return self.server._replace(url=f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}")

    async def drop_all(self) -> int:
        """Reset every connection, and give how many there were."""
        held = list(self.connections)
        for connection in held:
            connection.transport.abort()
        return len(held)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection(*self.server.url.removeprefix("http://").split(":"))
        self.connections.add(writer)
        await asyncio.gather(_pass_on(reader, to_server), _pass_on(from_server, writer))
        self.connections.discard(writer)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with closing(writer), suppress(ConnectionError):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()


@pytest.fixture
def beside() -> Iterator[Callable[[Coroutine], Any]]:
    """Runs a coroutine beside the browser, whose own loop has this thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(coroutine: Coroutine) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result()

    yield run
    run(_cancel_all())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.slow
def test_three_hundred_lost_connections_come_back_with_what_they_had(browser, beside):
    async def shown(socket: ClientConnection, seed: int) -> str:
        answers = await Session(socket, query=f"n=4&k=4&init=normal&seed={seed}").rerun()
        components = [answer.delta.new_element.bidi_component for answer in answers]
        (picture,) = (found for found in components if found.component_name == "cellscope_picture")
        return picture.json

    async def drop_all_at_once(server: Server, relay: Relay) -> list[str]:
        """What each of them saw until then."""
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(connect(server)) for _ in range(CLASS - 1)]
            pictures = await asyncio.gather(*map(shown, sockets, range(CLASS - 1)))
            assert await relay.drop_all() >= CLASS
            return pictures

    async def come_back(server: Server, seed: int) -> str:
        async with connect(server) as socket:
            return await shown(socket, seed)

    async def all_come_back(server: Server) -> list[str]:
        return await asyncio.gather(*(come_back(server, seed) for seed in range(CLASS - 1)))

    with running(DASHBOARD) as server, closing(new_context(browser)) as context:
        page = context.new_page()
        relay = Relay(server)
        relayed = beside(relay.listen())
        visit(page, f"{relayed.url}/lstm?{SHARED}&{LINKS['lstm']}")
        show_three_decimals(page)
        before = lead(page).inner_text()
        pictures = beside(drop_all_at_once(relayed, relay))
        assert len(set(pictures)) == CLASS - 1
        assert beside(all_come_back(relayed)) == pictures
        expect(page.get_by_role("button", name="Restart")).to_be_enabled()  # connected again
        slider(page, "Scale of the weights").press("ArrowLeft")
        expect(lead(page)).not_to_have_text(before)
        slider(page, "Scale of the weights").press("ArrowRight")
        expect(lead(page)).to_have_text(before)
        assert all(part in page.url for part in ("decimals=3", "forget_bias=2.5", "b_f~1~2~3~4", "seed=7"))
