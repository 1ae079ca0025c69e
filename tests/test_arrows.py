"""Imports point one way: from the pages down to `core`, which knows none of them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "dashboard", "tests")
FILES = sorted(file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))

# A module imports from the layers above its own in this list. What is named is a module or a whole package, whose modules may import
# each other.
LAYERS = (
    ("core",),
    ("dashboard.numerals", "dashboard.questions", "dashboard.serve", "dashboard.text"),
    ("dashboard.about", "dashboard.picture", "dashboard.state"),
    (
        "dashboard.figures",
        "dashboard.predict",
        "dashboard.screen",
        "dashboard.sketches",
        "dashboard.storage",
        "dashboard.stories",
        "dashboard.waiting",
        "dashboard.words",
    ),
    (
        "dashboard.controls",
        "dashboard.editor",
        "dashboard.export",
        "dashboard.notices",
        "dashboard.verdicts",
    ),
    ("dashboard.live",),
    ("dashboard.sidebar", "dashboard.views"),
    ("dashboard.__main__", "dashboard.pages", "dashboard.streamlit_app"),
)
# The libraries of each module or package beside the standard library; a longer name counts before a shorter one.
LIBRARIES = {
    "core": ("numpy",),
    "dashboard": ("streamlit",),
    "dashboard.__main__": ("starlette", "streamlit", "uvicorn"),
    "dashboard.about": (),
    "dashboard.editor": ("numpy", "pandas", "streamlit"),
    "dashboard.export": ("segno", "streamlit"),
    "dashboard.figures": ("plotly",),
    "dashboard.live": ("numpy",),
    "dashboard.numerals": ("numpy",),
    "dashboard.picture": ("numpy",),
    "dashboard.questions": (),
    "dashboard.screen": ("plotly", "streamlit"),
    "dashboard.serve": ("anyio", "starlette", "streamlit"),
    "dashboard.sketches": (),
    "dashboard.state": (),
    "dashboard.state.session": ("streamlit",),
    "dashboard.stories": (),
    "dashboard.text": (),
    "dashboard.streamlit_app": ("starlette", "streamlit"),
    "dashboard.verdicts": (),
    "dashboard.words": (),
}
# Within `core` too: a cell knows nothing of scenarios, trainings and files.
OF_CELLS = ("core.activations", "core.arrays", "core.cells", "core.joins", "numpy")
VIEWS = ("dashboard.views", "views")  # Streamlit puts dashboard/ itself on sys.path


def module(file: PurePath) -> str:
    """The dotted name of a file."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def allowed(name: str) -> tuple[str, ...]:
    """What a module may import beside the standard library."""
    at, own = next((at, own) for at, layer in enumerate(LAYERS) for own in layer if is_within(name, (own,)))
    libraries = LIBRARIES[max((place for place in LIBRARIES if is_within(name, (place,))), key=len)]
    return (*(below for layer in LAYERS[:at] for below in layer), own, *libraries)


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
        if is_within(name, VIEWS) or any(not is_within(name, (*rule, *sys.stdlib_module_names)) for rule in rules)
    ]


def test_every_module_has_a_layer():
    listed = tuple(name for layer in LAYERS for name in layer)
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
        ("core/cells/lstm.py", "from dashboard import picture"),
        ("dashboard/numerals.py", "from dashboard.picture import Scale"),
        ("dashboard/picture.py", "import streamlit"),
        ("dashboard/picture.py", "import plotly.graph_objects as go"),
        ("dashboard/figures.py", "import streamlit"),
        ("dashboard/figures.py", "from dashboard.words import literal"),
        ("dashboard/state/state.py", "import streamlit as st"),
        ("dashboard/state/state.py", "from dashboard import picture"),
        ("dashboard/state/parameters.py", "from dashboard.controls import slider"),
        ("dashboard/serve/frames.py", "from dashboard.state.state import parse"),
        ("dashboard/picture.py", "def draw():\n    from streamlit import plotly_chart"),
        ("dashboard/picture.py", "from dashboard.state.state import State"),
        ("dashboard/controls.py", "from dashboard import sidebar"),
        ("dashboard/controls.py", "from dashboard import live"),
        ("dashboard/views/lstm.py", "import numpy as np"),
        ("dashboard/views/lstm.py", "import plotly.graph_objects as go"),
        ("dashboard/views/lstm.py", "from dashboard.views import saturation"),
        ("dashboard/views/lstm.py", "from . import saturation"),
        ("dashboard/streamlit_app.py", "from dashboard.views.lstm import page"),
        ("dashboard/streamlit_app.py", "from .views import lstm"),
        ("dashboard/streamlit_app.py", "import views.lstm"),
        ("tests/dashboard/test_lstm.py", "from dashboard import views"),
    ],
)
def test_an_import_against_the_arrows_is_caught(file, source):
    assert len(wrong_imports(PurePath(file), source)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("core/cells/lstm.py", "import numpy as np\nfrom typing import NamedTuple\nfrom . import rnn"),
        ("dashboard/picture.py", "import numpy as np\nfrom core.arrays import Array"),
        ("dashboard/figures.py", "import plotly.graph_objects as go\nfrom dashboard.picture import CURVE"),
        ("dashboard/controls.py", "import streamlit as st\nfrom core.scenario import Scenario"),
        ("dashboard/views/lstm.py", "from dashboard import picture\nfrom dashboard.state.state import State"),
        ("dashboard/state/session.py", "import streamlit as st\nfrom dashboard.state.state import parse"),
        ("dashboard/serve/frames.py", "import anyio\nfrom dashboard.serve.warm import turn"),
        ("dashboard/streamlit_app.py", "import gc\nimport streamlit as st\nfrom dashboard import controls"),
    ],
)
def test_imports_along_the_arrows_are_let_through(file, source):
    assert wrong_imports(PurePath(file), source) == []


def test_no_module_hides_one_of_pythons_own():
    names = {file.stem for file in (ROOT / "dashboard").iterdir()}  # which Streamlit itself puts on sys.path
    assert names & sys.stdlib_module_names == set()
