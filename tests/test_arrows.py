"""Imports point one way.

views -> compare, controls, figures, words, picture, numerals, core; compare -> controls, screen, picture; controls -> dials -> screen -> picture; figures -> picture -> numerals -> core.arrays;
words -> numerals, core; verdicts -> words; core -> numpy.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "dashboard", "tests")
FILES = sorted(file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))

# Beside the standard library; a place that is not listed may import anything but a view.
ALLOWED = {
    "core": ("core", "numpy"),
    "core/cells": ("core.activations", "core.arrays", "core.cells", "core.joins", "numpy"),
    "dashboard/address.py": ("streamlit",),
    "dashboard/about.py": ("core.scenario",),
    "dashboard/choices.py": ("core", "dashboard.own_numbers", "dashboard.questions"),
    "dashboard/compare.py": (
        "core.scenario",
        "dashboard.choices",
        "dashboard.chosen",
        "dashboard.controls",
        "dashboard.dials",
        "dashboard.picture",
        "dashboard.screen",
        "dashboard.serve.frames",
        "dashboard.serve.warm",
    ),
    "dashboard/chosen.py": (
        "core",
        "dashboard.address",
        "dashboard.choices",
        "dashboard.dials",
        "dashboard.own_numbers",
        "streamlit",
    ),
    "dashboard/controls.py": (
        "core",
        "dashboard.address",
        "dashboard.choices",
        "dashboard.chosen",
        "dashboard.dials",
        "dashboard.own_numbers",
        "dashboard.widgets",
        "streamlit",
    ),
    "dashboard/links.py": (
        "core.examples",
        "dashboard.address",
        "dashboard.choices",
        "dashboard.chosen",
        "dashboard.own_numbers",
        "dashboard.questions",
        "dashboard.words",
        "streamlit",
    ),
    "dashboard/sidebar.py": (
        "core",
        "dashboard.address",
        "dashboard.choices",
        "dashboard.chosen",
        "dashboard.links",
        "dashboard.navigation",
        "dashboard.own_numbers",
        "dashboard.widgets",
        "streamlit",
    ),
    "dashboard/widgets.py": ("dashboard.choices", "dashboard.chosen", "streamlit"),
    "dashboard/dials.py": (
        "dashboard.address",
        "dashboard.choices",
        "dashboard.screen",
        "dashboard.serve.warm",
        "streamlit",
    ),
    "dashboard/editor.py": (
        "core",
        "dashboard.about",
        "dashboard.chosen",
        "dashboard.controls",
        "dashboard.own_numbers",
        "numpy",
        "pandas",
        "streamlit",
    ),
    "dashboard/export.py": (
        "core",
        "dashboard.about",
        "dashboard.choices",
        "dashboard.chosen",
        "dashboard.serve.uploads",
        "segno",
        "streamlit",
    ),
    "dashboard/figures.py": (
        "core.activations",
        "core.arrays",
        "core.saturation",
        "dashboard.picture",
        "numpy",
        "plotly",
    ),
    "dashboard/navigation.py": ("dashboard.screen", "dashboard.serve.paths", "streamlit"),
    "dashboard/numerals.py": ("core.arrays", "core.numerals", "numpy"),
    "dashboard/own_numbers.py": ("core", "dashboard.address", "streamlit"),
    "dashboard/picture.py": ("core.arrays", "core.time", "dashboard.numerals", "numpy"),
    "dashboard/questions.py": (),
    "dashboard/screen.py": (
        "dashboard.choices",
        "dashboard.picture",
        "dashboard.serve.paths",
        "plotly",
        "streamlit",
    ),
    "dashboard/serve/files.py": (),
    "dashboard/serve/gate.py": ("dashboard.serve.paths", "starlette", "streamlit"),
    "dashboard/serve/warm.py": ("dashboard.serve.files", "dashboard.serve.gate", "streamlit"),
    "dashboard/sketches.py": ("core", "dashboard.numerals", "dashboard.picture"),
    "dashboard/stories.py": ("core.examples", "dashboard.picture"),
    "dashboard/words.py": ("core", "dashboard.numerals"),
    "dashboard/verdicts.py": ("core", "dashboard.numerals", "dashboard.words"),
    "dashboard/serve/ahead.py": ("core",),
    "dashboard/serve/app.py": ("dashboard.serve.films", "dashboard.serve.warm", "streamlit"),
    "dashboard/serve/frames.py": ("anyio", "dashboard.serve.paths", "dashboard.serve.warm", "starlette", "streamlit"),
    "dashboard/serve/paths.py": ("streamlit",),
    "dashboard/serve/films.py": ("core", "dashboard.serve.training_queue", "dashboard.serve.warm"),
    "dashboard/serve/readers.py": ("streamlit",),
    "dashboard/serve/training_queue.py": ("core",),
    "dashboard/waiting.py": ("core.training", "dashboard.serve.films", "dashboard.serve.readers", "streamlit"),
    "dashboard/views": (
        "core",
        "dashboard.about",
        "dashboard.choices",
        "dashboard.chosen",
        "dashboard.compare",
        "dashboard.controls",
        "dashboard.figures",
        "dashboard.links",
        "dashboard.numerals",
        "dashboard.own_numbers",
        "dashboard.picture",
        "dashboard.questions",
        "dashboard.screen",
        "dashboard.serve.warm",
        "dashboard.sketches",
        "dashboard.stories",
        "dashboard.verdicts",
        "dashboard.waiting",
        "dashboard.words",
        "streamlit",
    ),
}
VIEWS = ("dashboard.views", "views")  # Streamlit puts dashboard/ itself on sys.path


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
    rules = [allowed for place, allowed in ALLOWED.items() if file.is_relative_to(place)]
    return [
        name
        for name in imported(file, source)
        if is_within(name, VIEWS) or any(not is_within(name, (*allowed, *sys.stdlib_module_names)) for allowed in rules)
    ]


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
        ("dashboard/figures.py", "from core.scenario import Scenario"),
        ("dashboard/picture.py", "def draw():\n    from streamlit import plotly_chart"),
        ("dashboard/picture.py", "from core import rnn"),
        ("dashboard/picture.py", "import core"),
        ("dashboard/controls.py", "from dashboard import picture"),
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
        ("dashboard/views/lstm.py", "from dashboard import picture\nfrom dashboard.chosen import scenario"),
        ("dashboard/streamlit_app.py", "import gc\nimport streamlit as st\nfrom dashboard import controls"),
    ],
)
def test_imports_along_the_arrows_are_let_through(file, source):
    assert wrong_imports(PurePath(file), source) == []


def test_no_module_hides_one_of_pythons_own():
    names = {file.stem for file in (ROOT / "dashboard").iterdir()}  # which Streamlit itself puts on sys.path
    assert names & sys.stdlib_module_names == set()
