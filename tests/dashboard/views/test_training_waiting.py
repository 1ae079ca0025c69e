"""The wait for a training, on a real server: a place in the queue, Stop with the updates made, and readers who close their tab."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from urllib.parse import urlencode

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from dashboard.text import training_wait
from tests.client import Session, ask, connect
from tests.live import PATIENCE, WITHOUT_RECORDINGS, Server, open_url, running
from tests.sentences import says

LONG, SHORTER, SHORT = 624, 150, 20


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(WITHOUT_RECORDINGS) as server:
        yield server


def cookie_of(server: Server) -> str:
    """A new browser's cookie."""
    with open_url(f"{server.url}/_stcore/health", timeout=PATIENCE) as answer:
        return answer.headers["Set-Cookie"].partition(";")[0]


class Reader(Session):
    """A tab on the page, and what it shows of a training.

    Attributes
    ----------
    bar : str
        What stands beside the progress bar.
    info : str
        The last notice.
    buttons : dict from str to str
        The ids of buttons by their labels.
    """

    def __init__(self, socket, **setup):
        super().__init__(socket, "training", urlencode({"story": "own", "trained": "LSTM"} | setup))
        self.bar, self.info, self.buttons = "", "", {}

    def _take(self, answer):
        super()._take(answer)
        element = answer.delta.new_element
        if element.HasField("progress"):
            self.bar = element.progress.text
        if element.HasField("alert"):
            self.info = element.alert.body
        if element.HasField("button"):
            self.buttons[element.button.label] = element.button.id

    async def sees(self, before: int) -> None:
        """Wait until so many others are before this reader's training, which has made no update yet."""
        await self.first(lambda element: self.bar == training_wait.progress(0, LONG, before))

    async def sees_it_go_on(self, updates: int = LONG) -> None:
        """Wait until some updates are made."""
        await self.first(lambda element: self.bar == training_wait.progress(self.made, updates, 0) and self.made > 0)

    @property
    def made(self) -> int:
        return int(self.bar.split()[1]) if self.bar else 0

    async def press(self, label: str) -> None:
        if label not in self.buttons:
            await self.first(lambda element: label in self.buttons)
        self.said[self.buttons[label]] = WidgetState(id=self.buttons[label], trigger_value=True)
        await self.say()
        del self.said[self.buttons[label]]


async def tab(stack: AsyncExitStack, server: Server, cookie: str | None = None, **setup) -> Reader:
    """Open the page, and do not wait for its end."""
    long = {"units": "32", "length": "100", "task": "text", "updates": LONG}
    reader = Reader(await stack.enter_async_context(connect(server, cookie=cookie)), **long | setup)
    await reader.say()
    return reader


@pytest.mark.slow
def test_readers_see_their_place_and_a_short_training_does_not_wait_for_long_ones(server):
    async def wait() -> None:
        async with AsyncExitStack() as stack:
            first = await tab(stack, server, seed=1)
            await first.sees_it_go_on()
            second = await tab(stack, server, seed=2)
            await second.sees(1)
            third = await tab(stack, server, seed=3)
            await third.sees(2)
            short = await tab(stack, server, seed=4, units=4, length=5, updates=SHORT)
            await short.answer()
            assert first.made < LONG and not second.made and not third.made
            await first.socket.close()
            await second.sees_it_go_on()
            await third.sees(1)

    ask(wait())


def test_a_reader_who_waits_can_stop_and_gives_the_place_back(server):
    async def wait() -> None:
        async with AsyncExitStack() as stack:
            first = await tab(stack, server, seed=11)
            await first.sees_it_go_on()
            second = await tab(stack, server, seed=12)
            await second.sees(1)
            third = await tab(stack, server, seed=13)
            await third.sees(2)
            await second.press(training_wait.STOP)
            await second.answer()
            assert training_wait.TRAIN in second.buttons
            await third.sees(1)
            await third.press(training_wait.STOP)
            await third.answer()

    ask(wait())


def test_a_training_pauses_with_the_tab_of_its_last_reader(server):
    async def wait() -> None:
        async with AsyncExitStack() as stack:
            first = await tab(stack, server, seed=21)
            await first.sees_it_go_on()
            waiting = await tab(stack, server, seed=22)
            await waiting.sees(1)
            await first.socket.close()
            await waiting.sees_it_go_on()
            again = await tab(stack, server, seed=21)  # it waits, and has the updates that were made before
            await again.first(lambda element: again.made > 0)
            made = again.made
            assert again.bar == training_wait.progress(made, LONG, 1)
            await again.press(training_wait.STOP)
            await again.answer()
            assert says(again.info, training_wait.STOPPED, made=made, total=LONG)

    ask(wait())


def test_a_reader_who_stops_keeps_these_updates_while_another_reader_trains_the_same_setup_to_its_end(server):
    async def wait() -> None:
        async with AsyncExitStack() as stack:
            first = await tab(stack, server, seed=41, updates=SHORTER)
            await first.sees_it_go_on(SHORTER)
            second = await tab(stack, server, seed=41, updates=SHORTER)
            await second.sees_it_go_on(SHORTER)
            await first.press(training_wait.STOP)
            await first.answer()
            stopped = first.info
            assert says(stopped, training_wait.STOPPED, total=SHORTER)
            await second.answer()
            assert not second.info, "a reader who did not stop has all updates"
            first.info = ""
            await first.rerun()
            assert first.info == stopped
            await first.press(training_wait.TRAIN)
            first.info = ""
            await first.answer()
            assert not first.info

    ask(wait())


def test_the_tabs_of_one_browser_have_one_place(server):
    async def wait() -> None:
        async with AsyncExitStack() as stack:
            browser = cookie_of(server)
            tabs = [await tab(stack, server, browser, seed=31)]
            await tabs[0].sees_it_go_on()
            tabs += [await tab(stack, server, browser, seed=seed) for seed in (32, 33)]
            await asyncio.gather(*(reader.sees(1) for reader in tabs[1:]))
            other = await tab(stack, server, cookie_of(server), seed=34)
            await other.sees(1)
            await tabs[0].socket.close()
            await other.sees_it_go_on()

    ask(wait())
