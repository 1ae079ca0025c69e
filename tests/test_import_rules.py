"""Imports point one way: from the pages down to `core`, which knows none of them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "dashboard", "tests")
FILES = sorted(file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))

# A folder imports from the folders above its own in this list, and its modules may import each other. The last ones are the entry points.
FLOORS = (
    ("core",),
    ("dashboard.server", "dashboard.text"),
    ("dashboard.state",),
    ("dashboard.drawing",),
    ("dashboard.controls",),
    ("dashboard.views",),
    ("dashboard.__main__", "dashboard.pages", "dashboard.streamlit_app"),
)
# The libraries of each folder beside the standard library.
LIBRARIES = {
    "core": ("numpy", "pyfive"),
    "dashboard.server": ("anyio", "starlette", "streamlit"),
    "dashboard.text": (),
    "dashboard.state": ("streamlit",),
    "dashboard.drawing": ("numpy", "plotly", "streamlit"),
    "dashboard.controls": ("numpy", "pandas", "segno", "streamlit"),
    "dashboard.views": ("streamlit",),
    "dashboard": ("starlette", "streamlit", "uvicorn"),
}
# Within `core` too: a cell knows nothing of scenarios, trainings and files.
OF_CELLS = ("core.activations", "core.arrays", "core.cells", "core.concatenation", "numpy")
VIEWS = ("dashboard.views", "views")  # Streamlit puts dashboard/ itself on sys.path


def module(file: PurePath) -> str:
    """The dotted name of a file."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def folder(name: str) -> str:
    """Return the folder or the entry point of a module."""
    return next(own for floor in FLOORS for own in floor if is_within(name, (own,)))


def allowed(name: str) -> tuple[str, ...]:
    """Return what a module may import beside the standard library."""
    own = folder(name)
    at = next(at for at, floor in enumerate(FLOORS) if own in floor)
    # A view imports no other view.
    inner = ".".join(name.split(".")[:3]) if own == "dashboard.views" else own
    libraries = LIBRARIES.get(own) or (() if own in LIBRARIES else LIBRARIES["dashboard"])
    return (*(below for floor in FLOORS[:at] for below in floor), inner, *libraries)


def imported(file: PurePath, source: str) -> Iterator[str]:
    """The full dotted name of everything that the source imports, wherever in it."""
    package = file.parent.parts
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            parts = (*above, node.module) if node.module else above
            yield from (".".join((*parts, alias.name)) for alias in node.names)


def is_within(name: str, modules: tuple[str, ...]) -> bool:
    return any(f"{name}.".startswith(f"{module}.") for module in modules)


def wrong_imports(file: PurePath, source: str) -> list[str]:
    rules = [] if file.parts[0] == "tests" or module(file) == "dashboard" else [allowed(module(file))]
    if file.is_relative_to("core/cells"):
        rules.append(OF_CELLS)
    return [
        name
        for name in imported(file, source)
        if (is_within(name, VIEWS) and not file.is_relative_to("dashboard/views"))
        or any(not is_within(name, (*rule, *sys.stdlib_module_names)) for rule in rules)
    ]


def test_every_module_has_a_floor():
    listed = tuple(name for floor in FLOORS for name in floor)
    names = {module(file) for file in FILES if file.parts[0] != "tests"} - {"dashboard"}
    assert {name for name in names if not is_within(name, listed)} == set()
    assert {name for name in listed if not any(is_within(module, (name,)) for module in names)} == set()


def test_imports_point_one_way():
    wrong = {str(file): wrong_imports(file, (ROOT / file).read_text(encoding="utf-8")) for file in FILES}
    assert {file: names for file, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("core/cells/lstm.py", "import streamlit as st"),
        ("core/cells/lstm.py", "from dashboard.drawing import panels"),
        ("dashboard/text/words.py", "from dashboard.drawing.arithmetic import sums_of_products"),
        ("dashboard/text/words.py", "from dashboard.state.state import State"),
        ("dashboard/text/words.py", "import numpy as np"),
        ("dashboard/state/state.py", "from dashboard.drawing import panels"),
        ("dashboard/state/parameters/cell.py", "from dashboard.controls.widgets import slider"),
        ("dashboard/server/drag_socket.py", "from dashboard.state.state import parse"),
        ("dashboard/drawing/panels.py", "def draw():\n    from dashboard.controls.widgets import slider"),
        ("dashboard/drawing/matrices.py", "import pandas as pd"),
        ("dashboard/controls/widgets.py", "import plotly.graph_objects as go"),
        ("dashboard/views/lstm.py", "import numpy as np"),
        ("dashboard/views/lstm.py", "import plotly.graph_objects as go"),
        ("dashboard/views/lstm.py", "from dashboard.views import saturation"),
        ("dashboard/views/lstm.py", "from . import saturation"),
        ("dashboard/streamlit_app.py", "from dashboard.views.lstm import page"),
        ("dashboard/streamlit_app.py", "from .views import lstm"),
        ("dashboard/streamlit_app.py", "import views.lstm"),
        ("tests/dashboard/views/test_lstm.py", "from dashboard import views"),
    ],
)
def test_an_import_against_the_arrows_is_caught(file, source):
    assert len(wrong_imports(PurePath(file), source)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("core/cells/lstm.py", "import numpy as np\nfrom typing import NamedTuple\nfrom . import rnn"),
        ("dashboard/drawing/matrices.py", "import numpy as np\nfrom core.arrays import Array"),
        (
            "dashboard/drawing/plotly_charts.py",
            "import plotly.graph_objects as go\nfrom dashboard.drawing.colours import LINES",
        ),
        ("dashboard/controls/widgets.py", "import streamlit as st\nfrom core.scenario import Scenario"),
        ("dashboard/views/lstm.py", "from dashboard.drawing import panels\nfrom dashboard.state.state import State"),
        ("dashboard/views/training/__init__.py", "from dashboard.views.training.waiting import watched"),
        ("dashboard/state/session.py", "import streamlit as st\nfrom dashboard.state.state import parse"),
        ("dashboard/server/drag_socket.py", "import anyio\nfrom dashboard.server.scheduling import run_lock"),
        ("dashboard/streamlit_app.py", "import gc\nimport streamlit as st\nfrom dashboard.controls import widgets"),
    ],
)
def test_imports_along_the_arrows_are_let_through(file, source):
    assert wrong_imports(PurePath(file), source) == []


def test_no_module_hides_one_of_pythons_own():
    names = {file.stem for file in (ROOT / "dashboard").iterdir()}  # which Streamlit itself puts on sys.path
    assert names & sys.stdlib_module_names == set()


def test_one_module_knows_private_parts_of_streamlit():
    public = ("streamlit", "streamlit.typing")
    private = {
        str(file)
        for file in FILES
        if file.parts[0] == "dashboard"
        for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        if (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("streamlit")
            and node.module not in public
        )
        or (isinstance(node, ast.Import) and any(alias.name.startswith("streamlit.") for alias in node.names))
    }
    assert private == {"dashboard/server/streamlit_internals.py"}
