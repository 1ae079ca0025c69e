"""Functions fit a screen, modules fit a sitting, and docstrings and comments start with the thing: `core` and `dashboard` are held to it.

An exception has a reason. The test also fails for an exception that is no longer needed, so the list only shrinks.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import NamedTuple

import pytest

from tests.live import ROOT

FILES = sorted(file for folder in ("core", "dashboard") for file in (ROOT / folder).rglob("*.py"))
# In lines; a function's without its docstring.
LONGEST_FUNCTION, LONGEST_MODULE = 60, 500
# Openings that name the thing by a clause about it.
CLAUSES = re.compile(r"What |Of |The same\b|Who\b|Whoever\b")

# The reason by file, for all faults of a file, or by file and function.
EXCEPTIONS: dict[str, str] = {}


class Fault(NamedTuple):
    """A broken rule.

    Attributes
    ----------
    where : str
        The file, and the function or class after a colon if it is not the module.
    line : int
    rule : str
    """

    where: str
    line: int
    rule: str


def faults(name: str, source: str) -> Iterator[Fault]:
    """The broken rules of a file."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        comment = token.string.lstrip("#! ")
        if token.type == tokenize.COMMENT and CLAUSES.match(comment) and not before_is_comment(source, token.start[0]):
            yield Fault(name, token.start[0], f"a comment starts with the thing, not with “{comment.split()[0]}”")
    lines = len(source.splitlines())
    if lines > LONGEST_MODULE:
        yield Fault(name, 1, f"a module has at most {LONGEST_MODULE} lines, and this has {lines}")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        is_module, is_function = isinstance(node, ast.Module), not isinstance(node, ast.Module | ast.ClassDef)
        where = name if is_module else f"{name}:{node.name}"
        line = 1 if is_module else node.lineno
        docstring = ast.get_docstring(node) or ""
        if CLAUSES.match(docstring):
            yield Fault(where, line, f"a docstring starts with the thing or a verb, not with “{docstring.split()[0]}”")
        if is_function and (length := lines_of(node)) > LONGEST_FUNCTION:
            yield Fault(where, line, f"a function has at most {LONGEST_FUNCTION} lines, and this has {length}")


def before_is_comment(source: str, line: int) -> bool:
    """Whether a comment goes on from the line before."""
    return line > 1 and source.splitlines()[line - 2].lstrip().startswith("#")


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring."""
    first, length = function.body[0], function.end_lineno - function.lineno + 1
    return length if ast.get_docstring(function) is None else length - (first.end_lineno - first.lineno + 1)


def exceptions(fault: Fault) -> set[str]:
    """The entries of EXCEPTIONS that allow a fault."""
    return {fault.where, fault.where.partition(":")[0]} & EXCEPTIONS.keys()


@cache
def all_faults() -> list[Fault]:
    return [fault for file in FILES for fault in faults(f"{file.relative_to(ROOT)}", file.read_text(encoding="utf-8"))]


def test_every_file_keeps_the_rules():
    wrong = [f"{fault.where}, line {fault.line}: {fault.rule}" for fault in all_faults() if not exceptions(fault)]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_needed():
    assert EXCEPTIONS.keys() == {name for fault in all_faults() for name in exceptions(fault)}


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("def f():\n" + "    x = 1\n" * 60, 1),
        ("def f():\n    '''Return 1.\n" + "\n" * 60 + "    '''\n    return 1\n", 0),
        ("class A:\n    def f(self):\n" + "        x = 1\n" * 60, 1),
        ("x = 1\n" * 501, 1),
        ("'''What this is.'''\n", 1),
        ("def f():\n    '''Of one thing the other.'''\n", 1),
        ("def f():\n    '''Whether it is.'''\n", 0),
        ("def f():\n    '''The same, of another.'''\n", 1),
        ("def f():\n    '''Return one.'''\n", 0),
        ("# What this is.\nx = 1\n", 1),
        ("# The limit,\n# Of the whole.\nx = 1\n", 0),
        ("x = 1  # Of one thing the other\n", 1),
    ],
)
def test_a_broken_rule_is_found(source, rules):
    assert len(list(faults("a.py", source))) == rules
