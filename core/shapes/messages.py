"""Reading the sizes from an error message about shapes, which is never run.

A pattern is the library's own wording with names in place of what changes. Every name stands for something of bounded length, so
that the longest hostile text is read in time that grows with its length and no faster.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.message_patterns import PATTERNS
from core.shapes.shape_inference.array_shapes import Array
from core.shapes.shape_inference.layer_calls import UserLayer
from core.shapes.user_code.failing_line import find, is_only_candidate
from core.shapes.user_code.named_weights import with_mark, with_mark_of_whole
from core.shapes.user_code.program import UserStatement, user_program
from core.shapes.user_code.traceback_lines import LONGEST, UserLine, user_lines

# The beginning of a pattern may stand in a text more than once.
MOST_TRIED = 5
LONGEST_NUMBER = 9
_SIZE = rf"\d{{1,{LONGEST_NUMBER}}}"

# The marks of quotations in a forum or a mail, each within another.
_QUOTED = re.compile(r"^(?: {0,3}>{1,3} ?)+", re.MULTILINE)

# A word processor or a blog sets these in place of the marks of Python.
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")

# Markdown takes out the marks around a name.
_WORDINGS = (*PATTERNS, *(one._replace(text=one.text.replace("`", "")) for one in PATTERNS if "`" in one.text))

# The pattern of each kind of name; a shape's text is read by `shape`.
_KINDS = {
    "int": _SIZE,
    "shape": r"(?:torch\.Size|TensorShape)?[(\[{]{1,2}(?:\d|\?|-1|None|newaxis)[\w ,?-]{0,120}[)\]}]{1,2}",
    "flat": r"\([\w, ?-]{0,120}\)",
    "sizes": rf"{_SIZE}(?:, ?{_SIZE}){{0,9}}",
    "by": rf"{_SIZE} ?x ?{_SIZE}",
    "dims": r"\d{1,9}(?:x\d{1,9}){0,8}",
    # Attributes of an array that a list of Python lacks.
    "attribute": r"(?:shape|size|dim|ndim|to|cuda|cpu|device|dtype|float|long|half|astype|unsqueeze|squeeze|view"
    r"|reshape|permute|transpose|contiguous|flatten|detach|numpy|data|requires_grad|T|mean|sum|max|argmax|backward|softmax|new_zeros"
    r"|numel|masked_fill|clone|item)",
    "sequence": r"(?:list|tuple|numpy\.ndarray|ndarray|DataFrame|Series)\b",
    "word": r"[\w.:/'\"-]{1,80}",
    "some": r"[^\n]{0,160}?",
    "node": r"[^\n]{0,500}?",
}

_SHAPE = re.compile(_KINDS["shape"])


class Reading(NamedTuple):
    """A message that was read.

    Attributes
    ----------
    framework, kind : str
        Of its pattern.
    message : str
        The words that were read.
    values : dict from str to str
        What stands in the place of each name.
    whole : str
        All that was pasted, for the words around it.
    cell : str
        The reader's answer to which cell it is; empty if there is none.
    own : tuple of UserLine
        The lines of the reader's own program in a traceback, the innermost last; without a traceback, the line of the program
        that fits the message, if there is one.
    program : tuple of UserStatement
        The assignments of the reader's program, as far as the text has them.
    operands : (Array, Array), optional
        What the operation that failed combines, if it follows from the program.
    given : tuple of Array or None
        The arguments of the layer or the loss that failed, as far as they follow from the program.
    numbers : mapping from str to int
        The whole numbers of the program by their names.
    layer : UserLayer, optional
        The layer that failed, as the program makes it.
    arrays : mapping from str to Shape
        The shapes of the program's arrays by their names.
    pasted : str
        The text with its lines as they were.
    """

    framework: str
    kind: str
    message: str
    values: dict[str, str]
    whole: str
    cell: str = ""
    own: tuple[UserLine, ...] = ()
    program: tuple[UserStatement, ...] = ()
    operands: tuple[Array, Array] | None = None
    given: tuple[Array | None, ...] = ()
    numbers: Mapping[str, int] = {}
    layer: UserLayer | None = None
    arrays: Mapping[str, Shape] = {}
    pasted: str = ""

    @property
    def own_code(self) -> str:
        """The reader's line that failed; empty if the text has none."""
        return self.own[-1].code if self.own else ""

    @property
    def code(self) -> str:
        """The reader's line that failed, or the whole text if it has none."""
        return self.own_code or self.whole

    @property
    def below_own(self) -> str:
        """The text after the reader's line that failed, with the frames that it called; the whole text if it has none."""
        code = " ".join(self.code.split())
        return self.whole.rpartition(code)[2] if self.own else self.whole

    @property
    def after(self) -> str:
        """The text after the words that were read."""
        return self.whole[self.whole.rfind(self.message) + len(self.message) :]

    @property
    def stated(self) -> dict[str, int | Shape | str]:
        """The values: sizes as numbers, shapes as their sizes, and anything else as it stands."""
        return {
            name: int(text) if text.isdecimal() else shape(text) if _SHAPE.fullmatch(text) else text
            for name, text in self.values.items()
        }

    def size(self, name: str) -> int:
        """Return a size by its name in the pattern."""
        return int(self.values[name])

    def sizes(self, name: str) -> Shape:
        """Return all the numbers by their name in the pattern."""
        return sizes_in(self.values[name])

    def shape(self, name: str) -> Shape:
        """Return a shape by its name in the pattern; -1 stands for an unknown size."""
        return shape(self.values[name])


def _after(kind: str, text: str) -> str:
    """Return what stands after a name; the first versions of PyTorch forgot the space after some numbers."""
    return f" ?{re.escape(text[1:])}" if kind == "int" and text.startswith(" ") else re.escape(text)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Return the wording as a regular expression."""
    parts = re.split(r"\{(\w+):(\w+)\}", text)
    named = "".join(
        f"(?P<{name}>{_KINDS[kind]})" + _after(kind, then)
        for name, kind, then in zip(*(parts[at::3] for at in (1, 2, 3)))
    )
    return re.compile(re.escape(parts[0]) + named)


def sizes_in(text: str) -> Shape:
    """Return all the numbers in a text."""
    return tuple(int(size) for size in re.findall(r"\d+", text))


def shape(text: str) -> Shape:
    """Return the sizes in a text such as ``(2, None, 32)``; -1 stands for an unknown one."""
    sizes = re.findall(rf"-1\b|{_SIZE}|None|\?|newaxis", text)
    return tuple(-1 if size in ("-1", "None", "?", "newaxis") else int(size) for size in sizes)


# The line of Keras that takes the number of units.
_OF_UNITS = re.compile(r"\bunits <= 0|int\(units\)")
# Python says these words of any list and of any tuple. A layer or a cell of Keras that lacks a state quotes its arguments,
# or its line; a tuple of states is no shape.
_ALSO_TOLD = {
    "list index out of range": re.compile(
        r"Arguments received by \w{1,60}\.call\(\):.{0,1500}?\b(?:initial_state|states)=(?!None\b)|\bstates\[[12]\]"
    ),
    "'<=' not supported between instances of 'tuple' and 'int'": _OF_UNITS,
    "int() argument must be a string, a bytes-like object or a number, not 'tuple'": _OF_UNITS,
    "int() argument must be a string, a bytes-like object or a real number, not 'tuple'": _OF_UNITS,
    "tuple index out of range": re.compile(r"^(?!.*\bstates\[\d\])"),
}


def _is_told(wording: str, text: str) -> bool:
    """Whether a text tells all that the words of a message need to be about shapes."""
    also = _ALSO_TOLD.get(wording)
    return also is None or also.search(text) is not None


# A warning tells the file of a library, and quotes a line of it below.
_WARNED = re.compile(
    r"(^[^\n]{0,300}(?:site|dist)-packages[^\n]{0,300}Warning: [^\n]{0,1000}\n)  [^\n]{0,300}", re.MULTILINE
)


def without_quotation_marks(text: str) -> str:
    """Return a text with straight quotes, and without the marks of a quotation, or of Python's prompt, before its lines."""
    return _QUOTED.sub("", text.translate(_STRAIGHT))


def read(text: str, cell: str = "") -> Reading | None:
    """Return the last known message in a text, which may be a whole traceback.

    Parameters
    ----------
    text : str
        Without marks of quotations. Its last LONGEST characters are looked at.
    cell : str
        The reader's answer to which cell it is.

    Returns
    -------
    Reading or None
        None where there is none.
    """
    pasted, own, program = text, user_lines(text), user_program(text)
    # A terminal may have broken the lines anywhere.
    text = " ".join(text[-LONGEST:].split())
    found: list[tuple[int, int, Reading]] = []
    for pattern in _WORDINGS:
        beginning, end = pattern.text.split("{")[0], len(text)
        for _ in range(MOST_TRIED):
            end = text.rfind(beginning, 0, end + len(beginning) - 1)
            if end < 0:
                break
            if (match := _pattern(pattern.text).match(text, end)) and _is_told(pattern.text, text):
                reading = Reading(
                    pattern.framework, pattern.kind, match[0], match.groupdict(), text, cell, own, program
                )
                found.append((end, len(match[0]), reading))
                break
    if not found:
        return None
    reading = max(found, key=lambda one: one[:2])[2]
    # Keras calls PyTorch, TensorFlow or JAX.
    if "Exception encountered when calling" in text:
        reading = reading._replace(framework="Keras")
    # JAX has messages in the words of NumPy.
    elif reading.framework == "NumPy" and re.search(r"JAX has removed|packages/(?:jax|flax|optax)/", text):
        reading = reading._replace(framework="JAX")
    own = tuple(one for one in own if not one.is_quoted or is_only_candidate(one, reading.kind, pasted))
    if own and reading.kind == "product":
        own = (*own[:-1], with_mark(own[-1], reading.shape("left") or (0,), reading.shape("right") or (0,)))
    if own and reading.kind == "broadcast" and "result" in reading.values:
        own = (*own[:-1], with_mark_of_whole(own[-1]))
    reading = reading._replace(own=own)
    failed = find(reading, _WARNED.sub(r"\1", pasted))
    return reading._replace(
        # A line that is quoted without its file tells less than the one that fits the message.
        own=own if any(line.file for line in own) else failed.lines or own,
        operands=failed.operands,
        given=failed.given,
        numbers=failed.numbers,
        layer=failed.layer,
        arrays=failed.arrays,
        pasted=pasted,
    )
