"""A cell is a plug: with a fourth one, from one module and one line, every page, every file and every law has it."""

import os
import subprocess
import sys

import pytest

from tests.live import ROOT

LAWS = (
    *("core/test_cells.py", "core/test_scenario.py", "core/test_generated_code.py"),
    *("dashboard/views/test_sequence.py", "dashboard/views/test_gradients.py", "dashboard/views/test_saturation.py"),
    *("dashboard/controls/test_editor.py", "dashboard/controls/test_save_panel.py"),
)


@pytest.mark.slow
def test_a_cell_from_outside_is_everywhere():
    own = ["-n", "0", "-q", "-p", "no:cacheprovider", "-p", "tests.fourth_cell.register"]
    # Of the laws those that name the cell or its pre-activation, and those that draw any cell.
    files = ["tests/fourth_cell/checks.py", *(f"tests/{file}" for file in LAWS)]
    command = [sys.executable, "-m", "pytest", *own, "-k", "checks or test_cells or MGU or [a] or [a-", *files]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
