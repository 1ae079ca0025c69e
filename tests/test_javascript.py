"""The JavaScript without a browser: its types, and the tests in `js/`. Both need Node.js, which nothing else needs."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dashboard.server.assets import LOADER, modules

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


# A component that gets new data is called again. Streamlit may clean up after the first call only then.
CALLS = """
import { strictEqual } from "node:assert"
globalThis.document = { baseURI: import.meta.url, fonts: { load: async () => {} } }
globalThis.calls = []
const { default: call } = await import("./loader.mjs")
const parentElement = { querySelector: () => null }
const ends = [1, 2].map((number) => call({ parentElement, data: { modules: "parts/0/", part: "part.mjs", number } }))
const settled = async () => {
  await cellscope.parts
  await new Promise(setImmediate)
}
ends[0]()
await settled()
strictEqual(calls.join(), "draw 2")
ends[1]()
await settled()
strictEqual(calls.join(), "draw 2,unmount 2")
"""
PART = """
export const draw = ({ data }) => calls.push(`draw ${data.number}`)
export const unmount = ({ data }) => calls.push(`unmount ${data.number}`)
"""


def test_a_component_that_is_called_twice_stays_drawn(tmp_path: Path):
    parts = tmp_path / "parts" / "0"
    parts.mkdir(parents=True)
    (parts / "part.mjs").write_text(PART)
    (tmp_path / "loader.mjs").write_text(LOADER.replace(json.dumps(list(modules())), '["part.mjs"]'))
    (tmp_path / "calls.mjs").write_text(CALLS)
    run(str(tmp_path / "calls.mjs"), subject="the loader of components is")


def test_the_tests_in_javascript_pass():
    run("--test", subject="layout, scales, number formats, drag channel and URL in JavaScript are")
