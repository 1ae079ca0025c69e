"""`core` returns numbers and codes: English in it is the message of an exception, or part of code and files that the reader takes along.

An exception has a reason. The test also fails for an exception that is no longer needed, so the list only shrinks.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from textwrap import dedent

import pytest

from tests.live import ROOT
from tests.test_texts import named, texts

FILES = sorted((ROOT / "core").rglob("*.py"))
# A lowercase word of plain English: no name in code and no formula.
WORD = re.compile(r"(?<![^\s(“])[a-z]{2,}(?=[,.;:?!)”]*(?:\s|$))")
FEWEST = 3
CODE = re.compile(r"[a-z-]+( [a-z-]+)*")

MESSAGE = "the message of an exception, which another function raises"
# The reason by file and the beginning of a text.
EXCEPTIONS: dict[str, str] = {
    "core/arrays.py: Give it ": MESSAGE,
    "core/cells/gru/description.py: ": "a comment in exported code",
    "core/cells/lstm/description.py: ": "a comment in exported code",
    "core/exchange/matrix_text.py: A line of the table": MESSAGE,
    "core/exchange/model_files/__init__.py: The file config.json": MESSAGE,
    "core/exchange/model_files/contents.py: The file has no recurrent layer": MESSAGE,
    "core/exchange/model_files/contents.py: The recurrent layer {} cannot be taken": MESSAGE,
    "core/exchange/notebook.py: ": "a notebook that the reader takes along",
    "core/exchange/scenario_json.py: The file is not JSON": MESSAGE,
    "core/shapes/": "the messages of libraries, and lines of code with comments that the reader takes along",
    "core/training/tasks.py: the cat sat on the mat": "the text of a task",
}


def raises(tree: ast.AST) -> list[ast.AST]:
    """Return the statements that raise, and the calls of functions that do, whose names begin with "expect_"."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and ast.unparse(node.func).startswith("expect_"))
    ]


@cache
def messages() -> frozenset[str]:
    """Return the names of constants and functions with which `core` makes the messages that it raises."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in FILES]
    return frozenset(
        node.id for tree in trees for one in raises(tree) for node in ast.walk(one) if isinstance(node, ast.Name)
    )


def names(statement: ast.stmt) -> set[str]:
    """Return the name of a function, or the names on the left side of an assignment."""
    if isinstance(statement, ast.FunctionDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def is_code(text: str) -> bool:
    """Whether a text is a code of lowercase words, or Python, with placeholders as names and perhaps without the body of a block."""
    line = dedent(text.replace("{}", "x")).strip()
    if CODE.fullmatch(text):
        return True
    for body in ("", " pass", "\n    pass"):
        try:
            ast.parse(line + body)
        except SyntaxError:
            continue
        return True
    return False


def english(source: str, messages: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the strings with words of English, apart from docstrings and from messages that are raised."""
    tree = ast.parse(source)
    tree.body = [statement for statement in tree.body if not names(statement) & messages]
    for one in raises(tree):
        # `texts` goes through the fields of a node, so without fields it skips the message.
        one._fields = ()
    for _, text in texts(tree):
        if len(WORD.findall(text)) >= FEWEST and not is_code(text):
            yield text


@cache
def found() -> list[str]:
    return [
        f"{named(file)}: {text}" for file in FILES for text in english(file.read_text(encoding="utf-8"), messages())
    ]


def test_core_has_no_sentences():
    assert [text for text in found() if not text.startswith(tuple(EXCEPTIONS))] == []


def test_every_exception_is_needed():
    assert [key for key in EXCEPTIONS if not any(text.startswith(key) for text in found())] == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("A = 'One gate of the cell is open.'", 1),
        ("def f(k):\n    return f'The cell has {k} units in it'", 1),
        ("'''The gates of the cell.'''", 0),
        ("def f():\n    raise ValueError('Give the cell a state.')", 0),
        ("expect_shape('the state of the cell, h', h)", 0),
        ("TOO_MANY = 'The file has too many arrays.'", 0),
        ("A = 'gate stuck open'", 0),
        ("A = 'for x in xs:   # the steps of one sequence'", 0),
        ("A = 'W_h·[h; x] + b_h'", 0),
    ],
)
def test_a_sentence_is_found(source, count):
    assert len(list(english(source, frozenset({"TOO_MANY"})))) == count
