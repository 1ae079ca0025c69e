"""The page of a model with two layers of 512 units over 512 steps, and another reader's slider beside it.

    PYTHONPATH=. python -m tests.bench.model_page

prints the seconds until the findings are there, the messages of progress, and the times of a slider with and without it.
"""

import asyncio
import os
import statistics
import time
from io import BytesIO
from pathlib import Path

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.exchange.array_files import to_safetensors
from tests.client import Session, connect, upload
from tests.core.planted_faults import weights
from tests.live import DASHBOARD, Server, running

K, M, T = 512, 64, 512
ROUNDS = 40


def npy(array: np.ndarray) -> bytes:
    file = BytesIO()
    np.save(file, array)
    return file.getvalue()


async def open_file(server: Server, session: Session, place: int, name: str, data: bytes) -> list[ForwardMsg]:
    """Open a file in one of the fields of the page."""
    ids = [
        answer.delta.new_element.file_uploader.id
        for answer in await session.rerun()
        if answer.delta.new_element.HasField("file_uploader")
    ]
    file = await session.ask_to_upload(name)
    await asyncio.to_thread(upload, server, file, [data])
    session.said[ids[place]] = state = WidgetState(id=ids[place])
    state.file_uploader_state_value.uploaded_file_info.append(file)
    return await session.rerun()


async def moves(reader: Session, until: asyncio.Event | None = None) -> list[float]:
    """The milliseconds that a slider's pictures take, for ROUNDS or until something has ended."""
    took: list[float] = []
    while not until.is_set() if until else len(took) < ROUNDS:
        took.append(await reader.move())
        await asyncio.sleep(0.05)
    return took


def processor(server: Server) -> float:
    """The seconds of the processor that the server has taken."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def findings(server: Server, session: Session, seed: int) -> str:
    """Open another input, and give what it takes until the findings are there."""
    xs = np.random.default_rng(seed).standard_normal((T, M))
    start, before = time.perf_counter(), processor(server)
    answers = await open_file(server, session, 0, "a.npy", npy(xs))
    progress = sum(answer.delta.new_element.HasField("progress") for answer in answers)
    took, seconds = time.perf_counter() - start, processor(server) - before
    return f"{took:.1f} s, of the processor {seconds:.1f} s, with {progress} messages of progress"


async def measure(server: Server) -> None:
    async with connect(server) as mine, connect(server) as mine_too, connect(server) as other:
        reader, done = Session(other), asyncio.Event()
        await reader.rerun()
        data = to_safetensors(weights("LSTM", layers=2, k=K, m=M))
        sessions = [Session(socket, "model") for socket in (mine, mine_too)]
        for session in sessions:
            await open_file(server, session, 0, "a.safetensors", data)
        print(f"findings: {await findings(server, sessions[0], 0)}")
        alone = await moves(reader)
        beside = asyncio.create_task(moves(reader, done))
        print(f"findings beside a slider: {await findings(server, sessions[1], 1)}")
        done.set()
        for name, times in {"alone": alone, "meanwhile": await beside}.items():
            print(f"a slider {name}: median {statistics.median(times):.0f} ms, {len(times)} pictures")


if __name__ == "__main__":
    with running(DASHBOARD) as server:
        asyncio.run(measure(server))
