"""A real server without a browser: what one session may take of it, and what is sent."""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.client import Session, connect, status
from tests.dashboard.page import PAGES
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

    asyncio.run(open_page(server))
    before = status(server)["MB"]
    asyncio.run(all_pages())
    assert status(server)["most MB"] - before < MOST_MB


def test_nothing_is_sent_by_reference_that_a_browser_may_have_let_go(server):
    answers = asyncio.run(open_page(server, **LARGEST))
    assert max(answer.ByteSize() for answer in answers) > 100_000
    assert not any(answer.metadata.cacheable or answer.HasField("ref_hash") for answer in answers)
