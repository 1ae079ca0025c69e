"""The sentences on the screen follow docs/style.md: their length, their terms, their openings, and the form of errors.

An exception has a reason. The test also fails for an exception that is no longer needed, so the list only shrinks.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.live import ROOT

# Every string of these is on the screen, and of the others the errors.
SENTENCES = sorted(
    [
        *(ROOT / "dashboard/text").glob("*.py"),
        *(ROOT / "dashboard/state/parameters").glob("*.py"),
    ]
)
# These have lists on the screen, and dashboard/text/words.py joins them.
LISTS = [
    file
    for folder in ("text", "views")
    for file in (ROOT / "dashboard" / folder).rglob("*.py")
    if file.name != "words.py"
]
ERRORS = sorted(file for folder in ("core", "dashboard") for file in (ROOT / folder).rglob("*.py"))
LONGEST = 25

# Words that have another term on the screen, by pattern.
TERMS = {
    r"plain (recurrent )?cell": "RNN",
    r"stack(ed)?\b(?! input)(?!_)": "stacked input, or layers",
    r"join(s|ed)?": "concatenate",
    r"slopes?": "derivative",
    r"(the|what|a|an|this|its|largest|saturated|same) shares?|shares? of": "fraction",
    r"(is|are|be|,) drawn|drawn (at random|by|from)|(same|other) draws|draws the same": "sample",
    r"(gradient|derivative)s? by(?! hand)": "with respect to",
    r"flat ends?|far out": "saturated",
    r"(come|comes|came|bring|brings|brought) back": "flow back, or be left",
    r"dials?|scrub\w*": "slider",
    r"(your|my) own (numbers|weights)|own numbers|numbers of (your|its|their) own": "custom values",
    r"(the|its|this) address": "URL",
    r"inspect(ed|s)?": "select",
    r", for (an?|both|h_t|it|its|no|of|such|that|which|with)": "because",
    r"as above|pointed at|is told|is said|thrown|let go|deed": "a plain verb",
    r"learned numbers|numbers? (is|are) learned|Learned:": "trainable parameters",
    r"exchang(e|es|ed|ing)": "swap",
    r"shut": "closed",
    r"held out|right answers": "validation set, or accuracy",
    r"W_?\{?h\}? of the plain": "RNN",
}
FORBIDDEN = {re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE): term for pattern, term in TERMS.items()}
# Verbs in -ise and their nouns, such as optimiser. One word alone may be the name of a query parameter.
WITH_S = re.compile(r"\b\w+(?:al|im|ogn|an|nt|ard|ar|or|en|er)is(?:e[srd]?|ers|ing|ations?)\b", re.IGNORECASE)
OPENING = re.compile(r"(What|Who|Whoever|Whose)\b[^?]*\b(is|are|was|were)\b[^?]*$")
# In an error, the way out is a sentence of its own.
BLAME = re.compile(r"\bgot\b|: (add|change|choose|correct|end|give|make|open|paste|save|set|take|turn|type|write)\b")
END = re.compile(r"(?<=[.?!])[”)*]*\s+|\n+")
MARKS = re.compile(r"\$[^$]*\$|`[^`]*`")
LIST_SIGNS = (", ", "; ", " and ", " or ")
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{\w*[^{}]*\}")

# The reason by file, or by file and the beginning of a sentence.
EXCEPTIONS: dict[str, str] = {
    "core/exchange/matrix_text.py: {}: {}": "the error of an array, which ends with a full stop, after its name",
}


class Fault(NamedTuple):
    """A broken rule in a sentence.

    Attributes
    ----------
    where : str
        The file.
    line : int
    rule, sentence : str
    """

    where: str
    line: int
    rule: str
    sentence: str


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every string that is no docstring; a value of an f-string is a placeholder."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None
    }
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        else:
            waiting += ast.iter_child_nodes(node)


def errors(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the message of every ValueError that is raised with a text."""
    for node in ast.walk(tree):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ValueError"
        if is_call and node.args and isinstance(node.args[0], ast.Constant | ast.JoinedStr):
            yield from texts(node.args[0])


def joined_lists(tree: ast.AST) -> list[int]:
    """Return the lines that join a list for the screen by hand; in an error it may be code."""
    of_errors = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Raise) for one in ast.walk(node)}
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "join" and isinstance(node.value, ast.Constant)
        if node.value.value in LIST_SIGNS and id(node) not in of_errors
    ]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without formulas in LaTeX and code."""
    return [one for one in END.split(MARKS.sub("F", text)) if one]


def words(sentence: str) -> int:
    """Return the number of words; a placeholder is one."""
    return len([word for word in PLACEHOLDER.sub("x", sentence).split() if re.search(r"\w", word)])


def broken(sentence: str) -> Iterator[str]:
    """Yield the rules that a sentence breaks."""
    if words(sentence) > LONGEST:
        yield f"a sentence has at most {LONGEST} words, and this has {words(sentence)}"
    if OPENING.match(sentence):
        yield "a sentence starts with its subject, not with a clause"
    if " " in sentence:
        plain = PLACEHOLDER.sub("x", sentence)
        if found := WITH_S.search(plain):
            yield f"“{found[0]}” should be spelled with -ize"
        for pattern, term in FORBIDDEN.items():
            if found := pattern.search(plain):
                yield f"“{found[0]}” should be: {term}"


def broken_error(message: str) -> Iterator[str]:
    """Yield the rules that an error breaks."""
    if not message.endswith("."):
        yield "an error ends with a full stop"
    if found := BLAME.search(message):
        yield f"an error states the value, and the way out in a sentence of its own, without “{found[0]}”"


def faults(name: str, source: str, *, is_text: bool) -> Iterator[Fault]:
    """Yield the broken rules of a file.

    Parameters
    ----------
    name, source : str
    is_text : bool
        Whether all its strings are on the screen, and not only its errors.
    """
    tree = ast.parse(source)
    for line, text in texts(tree) if is_text else errors(tree):
        for sentence in sentences(text):
            for rule in broken(sentence):
                yield Fault(name, line, rule, sentence)
    for line, message in errors(tree):
        for rule in broken_error(message):
            yield Fault(name, line, rule, message)


@cache
def all_faults() -> list[Fault]:
    return [
        fault
        for file in sorted({*SENTENCES, *ERRORS})
        for fault in faults(named(file), file.read_text(encoding="utf-8"), is_text=file in SENTENCES)
    ]


def named(file: Path) -> str:
    return f"{file.relative_to(ROOT)}"


def exceptions(fault: Fault) -> set[str]:
    """Return the entries of EXCEPTIONS that allow a fault."""
    return {key for key in EXCEPTIONS if f"{fault.where}: {fault.sentence}".startswith(key)}


def test_every_sentence_keeps_the_rules():
    wrong = [
        f"{fault.where}, line {fault.line}: {fault.rule}: {fault.sentence}"
        for fault in all_faults()
        if not exceptions(fault)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_list_is_joined_by_hand():
    lines = {named(file): joined_lists(ast.parse(file.read_text(encoding="utf-8"))) for file in LISTS}
    assert {file: found for file, found in lines.items() if found} == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("', '.join(things)", [1]),
        ("x = 1\n'{} a'.format(' and '.join(things))", [2]),
        ("' '.join(sentences)", []),
        ("raise ValueError(', '.join(names))", []),
    ],
)
def test_a_list_joined_by_hand_is_found(source, lines):
    assert joined_lists(ast.parse(source)) == lines


def test_every_exception_is_needed():
    assert EXCEPTIONS.keys() == {key for fault in all_faults() for key in exceptions(fault)}


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        (f"A = '{'word ' * 25}'", 0),
        (f"A = '{'word ' * 26}'", 1),
        ("A = 'word ' " + "'word. Word ' " * 25, 0),
        ("A = 'What is saturated is grey.'", 1),
        ("A = 'What is saturated?'", 0),
        ("A = 'The slope is 1.'", 1),
        ("A = 'The {slope} is 1.'", 0),
        ("'''The slope.'''", 0),
        ("A = {'slope': 1}", 0),
        ("A = 'It has a new optimiser.'", 1),
        ("A = 'It may otherwise raise noise.'", 0),
        ("raise ValueError('m is 0. Set it to 1.')", 0),
        ("raise ValueError(f'm is {m}')", 1),
        ("raise ValueError(f'm must be 1, got {m}: set it to 1.')", 1),
    ],
)
def test_a_broken_rule_is_found(source, rules):
    assert len(list(faults("a.py", source, is_text=True))) == rules
