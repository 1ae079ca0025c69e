"""The container file, without a container: what it copies is enough to run what it runs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client import Session, ask, connect
from tests.live import ROOT, Server, free_port, running

LINES = (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
INSTRUCTIONS = [tuple(line.split(maxsplit=1)) for line in LINES if line and not line.startswith("#")]


def instruction(name: str) -> str:
    (rest,) = (rest for instruction, rest in INSTRUCTIONS if instruction == name)
    return rest


def arguments(command: str) -> list[str]:
    """What Python is given in the container."""
    python, *rest = json.loads(command)
    assert python == "python"
    return rest


async def opened(server: Server) -> bool:
    async with connect(server) as socket:
        return bool(await Session(socket).rerun())


@pytest.mark.slow
def test_the_container_runs_with_what_is_copied_into_it(tmp_path: Path):
    for name, rest in INSTRUCTIONS:
        if name == "COPY":
            source, target = (Path(part) for part in rest.split())
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / source, tmp_path / target)
    port = free_port()
    check = arguments(instruction("HEALTHCHECK").split("CMD", 1)[1])
    healthy = [sys.executable, *(part.replace("8501", str(port)) for part in check)]
    assert subprocess.run(healthy, stderr=subprocess.DEVNULL).returncode
    dash_m, *module, default = arguments(instruction("CMD"))
    assert (dash_m, default) == ("-m", "8501")
    with running(module, port, tmp_path) as server:
        assert not subprocess.run(healthy).returncode
        assert ask(opened(server))


def test_no_tool_for_tests_is_installed_in_the_container(tmp_path: Path):
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    commands = [rest for name, rest in INSTRUCTIONS if name == "RUN"]
    (install,) = (at for at, command in enumerate(commands) if command.startswith("pip install"))
    for command in commands[:install]:
        subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    installed = (tmp_path / "requirements.txt").read_text()
    assert "streamlit" in installed and "pytest" not in installed


def test_the_container_does_not_run_as_root():
    assert instruction("USER") not in ("root", "0")
