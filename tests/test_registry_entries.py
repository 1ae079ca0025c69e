"""A registry is a plug: one record of an optimiser, an initializer, an activation, a task, an experiment or an example opens every page."""

import os
import subprocess
import sys

import pytest

from tests.live import ROOT


@pytest.mark.slow
def test_entries_from_outside_open_every_page():
    own = ["-n", "0", "-q", "-p", "no:cacheprovider", "-p", "tests.registry_entries.register"]
    command = [sys.executable, "-m", "pytest", *own, "tests/registry_entries/checks.py"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
