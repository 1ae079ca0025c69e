"""The JavaScript without a browser: its types, and the tests in `js/`. Both need Node.js, which nothing else needs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

JS = Path(__file__).parent / "js"
NODE = shutil.which("node")
TSC = JS / "node_modules" / "typescript" / "bin" / "tsc"


def missing() -> str:
    """What has to be installed before these tests can run."""
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True).stdout if NODE else "v0.0"
    major, minor = version.strip("v\n").split(".")[:2]
    if (int(major), int(minor)) < (20, 19):
        return "Node.js 20.19 or newer"
    return "" if TSC.exists() else "`npm ci` in tests/js"


def run(*arguments: str, subject: str) -> None:
    """Run Node.js in `js/`, and show what it prints if it fails."""
    if needed := missing():
        message = f"{subject} left out: this needs {needed}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    done = subprocess.run([NODE, *arguments], cwd=JS, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_types_of_all_modules_fit_together():
    run(str(TSC), "--noEmit", subject="the types of the JavaScript are")


def test_the_tests_in_javascript_pass():
    run("--test", subject="layout, scales, number formats, drag channel and URL in JavaScript are")
