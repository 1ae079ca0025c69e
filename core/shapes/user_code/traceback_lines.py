"""The reader's own lines in a traceback: the lines of the frames that are not a library's."""

import ast
import re
from typing import NamedTuple

from core.shapes.user_code.syntax_trees import statements_of, tree_of

# More than any reader pastes; they bound the time. The message is at the end, and Keras says its arguments after it.
LONGEST = 20_000
LONGEST_LINE = 500
_LIBRARY = re.compile(
    r"site-packages|dist-packages|^torch[/\\]|[/\\]torch[/\\]nn[/\\]|[/\\]sklearn[/\\]\w{1,30}[/\\]|lib[/\\]python|^<(?!ipython|stdin|string|module|cell)|conda|\.venv"
    r"|__autograph_generated_file"
)
_PYTHON = re.compile(r'File "([^"\n]{1,300})", line (\d{1,6})(?:, in ([^\n]{1,200}))?$')
# Notebooks write `Cell In[3], line 5`, `File ~/train.py:12, in ...` or `<ipython-input-3-4f> in <module>`.
_NOTEBOOK = re.compile(
    r"(?:Cell )?(In ?\[\d{1,6}\])|File ([^\s:]{1,300}):(\d{1,6})\b|([^\s]{1,300}) in \S{1,100}\(|(<ipython-input-[^>]{1,80}>)"
)
# The debugger of Python writes `> train.py(87)<module>()`, and the line after an arrow; the first mark may be cut off.
_DEBUGGER = re.compile(r"(?:> )?([^\s()]{1,300})\((\d{1,6})\)[\w<>]{1,100}\(\)$")
_HALTED = re.compile(r"-> (.{1,500})$")
# A line that is quoted in a sentence.
_QUOTED_LINE = re.compile(r"\b(?:this|following|that) line(?: is| of code)?:? {1,3}(.{5,300})$")
_ANNOUNCED = re.compile(r"\b(?:this|following|that) line\b.{0,80}:\s*$")
_IN_QUOTES = re.compile(r"[`\"]([^`\"]{1,100} = [^`\"]{3,200})[`\"]")
_OPERATIONS = ast.Call | ast.BinOp | ast.Subscript | ast.Attribute | ast.AugAssign
_ARROW = re.compile(r"-{2,8}> ?(\d{1,6}) (.{1,500})$")
_MESSAGE = re.compile(r"[\w.]{0,80}(?:Error|Exception|Warning)\b:?")
_FOLDED = re.compile(r"\d{1,3} frames\b")
_CARETS = re.compile(r"[~^ ]+$")


class UserLine(NamedTuple):
    """A line of the reader's program.

    Attributes
    ----------
    file : str
        Its last part.
    number : int
    code : str
    marked : (int, int)
        The columns that the traceback marks; (0, 0) if it marks none.
    is_quoted : bool
        Whether a sentence has it in quotation marks, and does not say that it failed.
    function : str
        The function that it stands in; empty if the text does not tell it.
    """

    file: str
    number: int
    code: str
    marked: tuple[int, int] = (0, 0)
    is_quoted: bool = False
    function: str = ""

    def marks(self, node: ast.expr | ast.AugAssign) -> bool:
        """Whether the traceback marks just this part of the line."""
        return self.marked == (node.col_offset, node.end_col_offset)


def user_lines(text: str) -> tuple[UserLine, ...]:
    """Return the lines of the reader's own program, the innermost last."""
    lines = text[-LONGEST:].splitlines()
    found = []
    # A line that is quoted alone, without the file above it, is the reader's; Colab folds the frames after it.
    file, is_own = "", not any(_FOLDED.match(line.strip()) for line in lines)
    for at, line in enumerate(lines):
        stripped = line.strip()[:LONGEST_LINE]
        if frame := _PYTHON.match(stripped):
            if not _LIBRARY.search(frame[1]) and (own := _python_line(frame, lines[at + 1 : at + 12])):
                found.append(own)
        elif arrow := _ARROW.match(stripped):
            if is_own:
                found.append(UserLine(file, int(arrow[1]), arrow[2].strip()))
        elif halted := _HALTED.match(stripped):
            place = _DEBUGGER.match(lines[at - 1].strip()[:LONGEST_LINE]) if at else None
            if place and not _LIBRARY.search(place[1]):
                found.append(UserLine(_last_part(place[1]), int(place[2]), halted[1].strip()))
        elif place := _NOTEBOOK.match(stripped):
            file = next(name for at, name in enumerate(place.groups()) if name and at != 2)
            is_own = not _LIBRARY.search(file)
            file = _last_part(file)
    return tuple(found[::-1] if _is_innermost_first(lines) else found) or _quoted_line(lines) or _line_above(lines)


def innermost_line(text: str) -> UserLine | None:
    """Return the line of the last frame of a traceback, which may be a library's; None if the text has no frame."""
    lines = text[-LONGEST:].splitlines()
    frames = [(at, frame) for at, one in enumerate(lines) if (frame := _PYTHON.match(one.strip()[:LONGEST_LINE]))]
    return _python_line(frames[-1][1], lines[frames[-1][0] + 1 :][:11]) if frames else None


# The lines around the one that failed, as notebooks quote them: `      4 x = ...`.
_NUMBERED = re.compile(r"(?:-{2,8}>)? {0,8}\d{1,6} (.{1,500})$")


def lines_around(text: str) -> list[str]:
    """Return the lines of the reader's own cells and files that the traceback of a notebook quotes."""
    is_own, found = False, []
    for line in text[-LONGEST:].splitlines():
        stripped = line.strip()[:LONGEST_LINE]
        if place := _NOTEBOOK.match(stripped):
            is_own = not _LIBRARY.search(next(name for at, name in enumerate(place.groups()) if name and at != 2))
        elif is_own and (numbered := _NUMBERED.match(stripped)):
            found.append(numbered[1])
    return found


def _line_above(lines: list[str]) -> tuple[UserLine, ...]:
    """Return the only line above the message, which is the one that failed; empty if the text has other lines above it."""
    at = [number for number, line in enumerate(lines) if line.strip() and not _CARETS.match(line)][:2]
    if len(at) < 2 or not _MESSAGE.match(lines[at[1]].strip()[:LONGEST_LINE]):
        return ()
    code = lines[at[0]][:LONGEST_LINE].strip()
    tree = tree_of(code)
    return (
        (UserLine("", at[0] + 1, code),)
        if _may_fail(tree) and (not isinstance(tree, ast.Expr) or isinstance(tree.value, ast.Call))
        else ()
    )


def _quoted_line(lines: list[str]) -> tuple[UserLine, ...]:
    """Return the line that a sentence quotes, as in "the error is in this line x = f(y)"; empty if there are none or more."""
    quoted: list[tuple[int, str, bool]] = []
    for at, line in enumerate(lines, 1):
        line = line[:LONGEST_LINE]
        if _ANNOUNCED.search(line):
            after = [
                (at + more, one[:LONGEST_LINE], False)
                for more, one in enumerate(lines[at : at + 3], 1)
                if one.strip(" `\t")
            ]
            quoted += after[:1]
        elif found := _QUOTED_LINE.search(line):
            quoted.append((at, found[1], False))
        elif (found := _IN_QUOTES.search(line)) and tree_of(line.strip()) is None:
            quoted.append((at, found[1], True))
    codes = [(at, code.strip(" `'\"\t"), is_quoted) for at, code, is_quoted in quoted]
    told = [UserLine("", at, code, is_quoted=is_quoted) for at, code, is_quoted in codes if _may_fail(tree_of(code))]
    return tuple(told) if len(told) == 1 else ()


# Modules that only the library itself calls.
_INTERNAL = {"_VF", "_C", "_functions", "forward_call", "_call_impl", "_wrapped_call_impl"}


def _may_fail(tree: ast.stmt | None) -> bool:
    """Whether a line computes anything and is not one of a library, so that a message may be about it."""
    if isinstance(tree, ast.Raise):
        return False
    nodes = list(ast.walk(tree)) if tree is not None else []
    is_internal = any(getattr(one, "id", getattr(one, "attr", "")) in _INTERNAL for one in nodes)
    return not is_internal and any(isinstance(one, _OPERATIONS) for one in nodes)


def _is_innermost_first(lines: list[str]) -> bool:
    """Whether the message stands before all frames, as some editors show it: they list the innermost frame first."""
    frames = [at for at, line in enumerate(lines) if _PYTHON.match(line.strip()[:LONGEST_LINE])]
    messages = [at for at, line in enumerate(lines) if _MESSAGE.match(line.strip()[:LONGEST_LINE])]
    if not frames or not messages or any("most recent call last" in line for line in lines):
        return False
    return messages[0] < frames[0] and messages[-1] < frames[0]


def _last_part(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _python_line(frame: re.Match[str], after: list[str]) -> UserLine | None:
    """Return the line of a frame; newer versions of Python mark the part that failed, and may quote several lines."""
    indent = len(after[0]) - len(after[0].lstrip()) if after else 0
    quoted: list[str] = []
    marked = (0, 0)
    for line in after:
        own_indent = len(line) - len(line.lstrip())
        if own_indent < indent or not line.strip() or len(line) > LONGEST_LINE or _MESSAGE.match(line.strip()):
            break
        if _CARETS.match(line) and quoted:
            if len(quoted) == 1:
                marked = len(line) - len(line.lstrip()) - indent, len(line.rstrip()) - indent
            continue
        quoted.append(line[indent:])
    code = "\n".join(quoted) if len(quoted) > 1 and tree_of("\n".join(quoted)) else quoted[0].strip() if quoted else ""
    if len(parts := statements_of(code)) > 1:  # with semicolons between them
        at, part = next((one for one in parts[::-1] if one[0] <= marked[0]), parts[-1]) if any(marked) else parts[-1]
        code, marked = part, (max(marked[0] - at, 0), max(marked[1] - at, 0))
    # TensorFlow marks the frames of its own functions with stars.
    function = re.split(r"[ (*]", (frame[3] or "").rpartition(".")[2])[0]
    return UserLine(_last_part(frame[1]), int(frame[2]), code, marked, function=function) if code else None
