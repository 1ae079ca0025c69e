"""The container file, without a container: what it copies is enough to run what it runs."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.client import Session, connect
from tests.live import ROOT, Server, await_health, free_port

LINES = (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
INSTRUCTIONS = [tuple(line.split(maxsplit=1)) for line in LINES if line and not line.startswith("#")]


def instruction(name: str) -> str:
    (rest,) = (rest for instruction, rest in INSTRUCTIONS if instruction == name)
    return rest


def command(text: str, port: int) -> list[str]:
    """As it is run in the container, but by this Python and at another port."""
    python, *rest = (part.replace("8501", str(port)) for part in json.loads(text))
    assert python == "python"
    return [sys.executable, *rest]


async def opened(server: Server) -> bool:
    async with connect(server) as socket:
        return bool(await Session(socket).rerun())


def test_the_container_runs_with_what_is_copied_into_it(tmp_path: Path):
    for name, rest in INSTRUCTIONS:
        if name == "COPY":
            source, target = (Path(part) for part in rest.split())
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, tmp_path / target)
    port = free_port()
    healthy = command(instruction("HEALTHCHECK").split("CMD", 1)[1], port)
    assert subprocess.run(healthy, stderr=subprocess.DEVNULL).returncode
    process = subprocess.Popen(command(instruction("CMD"), port), cwd=tmp_path)
    try:
        server = Server(f"http://127.0.0.1:{port}", process)
        await_health(process, server.url)
        assert not subprocess.run(healthy).returncode
        assert asyncio.run(opened(server))
    finally:
        process.terminate()
        process.wait(10)


def test_the_container_does_not_run_as_root():
    assert instruction("USER") not in ("root", "0")
