"""The documents: their links and paths lead somewhere, the README stays short, and the parameter table is that of the records."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest

from dashboard.state.parameters import table
from tests.test_texts import WITH_S

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
ARCHITECTURE = ROOT / "docs" / "architecture.md"
MOST_LINES = 130

FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
# In code, a path from the root of the repository, such as docs/guide.md or tests/core/golden/make_*.py.
PATH = re.compile(r"`((?:core|dashboard|deploy|docs|tests|\.ci|\.streamlit)/[\w./*-]*)`")
# A folder or a file in the drawing of the folders, such as cells/ or protocol.py.
NAME = re.compile(r"(?<![\w./])(?:\w+/|\w+\.py)(?![\w/])")
# A row of the table of folders and their files.
ROW = re.compile(r"^\| `([\w./]+/)` \| (.+) \|$", re.MULTILINE)


def read(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def links(text: str) -> list[str]:
    """Return the targets of all links and pictures that lead to a file or a heading."""
    found = LINK.findall(CODE.sub("", FENCED.sub("", text)))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(text: str) -> set[str]:
    """Return the anchors of all headings, as GitHub makes them; a repeated one gets a number."""
    found = Counter[str]()
    names = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", plain.lower().strip()).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if found[name] else name)
        found[name] += 1
    return names


def dead_links(document: Path, text: str) -> list[str]:
    """Return the targets that do not exist."""
    dead = []
    for target in links(text):
        path, _, anchor = unquote(target).partition("#")
        file = document.parent / path if path else document
        known = anchors(text if file == document else read(file)) if anchor and file.is_file() else {""}
        if not file.exists() or anchor not in known:
            dead.append(target)
    return dead


def lost_paths(text: str) -> list[str]:
    """Return the paths in code that do not exist."""
    return [path for path in PATH.findall(FENCED.sub("", text)) if not any(ROOT.glob(path))]


def missing_paths(text: str) -> list[str]:
    """Return the names in the drawing of the folders that do not exist: from the root, in their part, or in a folder of their line."""
    (drawing,) = re.findall(r"^## The folders\n+```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lost = []
    part = ROOT
    for line in drawing.splitlines():
        if not line.startswith(" "):
            part = ROOT / line.split()[0]
        folders = [ROOT, part]
        for name in NAME.findall(line):
            places = [folder / name for folder in folders if (folder / name).exists()]
            folders += [place for place in places if place.is_dir()]
            lost += [] if places else [name]
    return lost


def lost_files_of_folders(text: str) -> list[str]:
    """Return the files in the table that do not exist in the folder of their row, or from the root."""
    return [
        f"{folder}{name}"
        for folder, files in ROW.findall(text)
        for name in re.findall(r"`([\w./]+)`", files)
        if not any((place / name).exists() for place in (ROOT, ROOT / folder))
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_link_between_documents_leads_somewhere(document):
    assert dead_links(document, read(document)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_path_in_a_document_exists(document):
    assert lost_paths(read(document)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_document_is_spelled_as_the_screen_is(document):
    assert WITH_S.findall(CODE.sub("", FENCED.sub("", read(document)))) == []


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("[a](docs/guide.md) and ![b](docs/lstm.gif)", []),
        ("[a](docs/guide.md#the-url) and [b](#here-it-is)\n\n## Here it is", []),
        ("[a](https://example.org/#none) and `[b](none.md)`", []),
        ("[a](#again-1)\n\n# Again\n\n# Again", []),
        ("[a](docs/none.md)", ["docs/none.md"]),
        ("[a](docs/guide.md#none)", ["docs/guide.md#none"]),
        ("[a](#none)\n\n```\n# None\n```", ["#none"]),
    ],
)
def test_a_dead_link_is_found(text, dead):
    assert dead_links(ROOT / "README.md", text) == dead


def test_a_lost_path_is_found():
    assert lost_paths("`core/cells/`, `tests/core/golden/make_*.py` and `dashboard/none.py`") == ["dashboard/none.py"]


def test_every_room_of_the_house_exists():
    assert missing_paths(read(ARCHITECTURE)) == []


def test_every_file_in_the_table_of_folders_exists():
    assert lost_files_of_folders(read(ARCHITECTURE)) == []


def test_a_lost_room_and_a_lost_file_of_a_folder_are_found():
    folders = "## The folders\n\n```\ncore/    numbers, no screens.\n    cells/   protocol.py and none.py\n    attic/   nothing\n```\n"
    assert missing_paths(folders) == ["none.py", "attic/"]
    assert lost_files_of_folders("| `core/sequence/` | `bptt.py`: gains; `none.py` |\n") == ["core/sequence/none.py"]


def test_the_readme_is_short_and_links_to_every_document():
    readme = read(ROOT / "README.md")
    assert len(readme.splitlines()) <= MOST_LINES
    linked = {(ROOT / target.partition("#")[0]).resolve() for target in links(readme)}
    assert set(DOCUMENTS) - linked == {ROOT / "README.md"}


def test_the_parameter_table_is_printed_from_the_records():
    assert table() in read(ROOT / "docs" / "parameters.md"), "python -m dashboard.state.parameters prints it"
