"""Readers who lose their connections all at once, and come back."""

import asyncio
import json
from contextlib import AsyncExitStack, closing, suppress

from websockets import ClientConnection

from tests.client import Session, connect
from tests.live import Server


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


async def lose_all(relayed: Server, relay: Relay, count: int) -> None:
    """So many readers, each with a cell of their own, see after that what they saw before.

    Raises
    ------
    AssertionError
    """
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(relayed)) for _ in range(count)]
        pictures = await asyncio.gather(*map(_shown, sockets, range(count)))
        assert len(set(pictures)) == count
        assert await relay.drop_all() >= count
    assert await asyncio.gather(*(_come_back(relayed, seed) for seed in range(count))) == pictures


async def _shown(socket: ClientConnection, seed: int) -> str:
    answers = await Session(socket, query=f"n=4&k=4&init=normal&seed={seed}").rerun()
    components = [answer.delta.new_element.bidi_component for answer in answers]
    (picture,) = (found for found in components if found.component_name == "cellscope_picture")
    return json.dumps(json.loads(picture.json)["picture"])


async def _come_back(relayed: Server, seed: int) -> str:
    async with connect(relayed) as socket:
        return await _shown(socket, seed)
