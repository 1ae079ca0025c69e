"""Windows of a series that a loop of the reader's program copies, such as ``series[i:i + n]``."""

import ast
import re
from collections.abc import Iterator

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_statement

_NAME = re.compile(r"[\w.]+")


def _length(window: ast.Slice, start: str) -> str:
    """Return the length of a slice that begins at a place and ends a length after it; empty if it has another form."""
    end = window.upper
    if not isinstance(end, ast.BinOp) or not isinstance(end.op, ast.Add) or window.step:
        return ""
    parts = [ast.unparse(end.left), ast.unparse(end.right)]
    return parts[1 - parts.index(start)] if parts.count(start) == 1 else ""


def _windows(line: ast.stmt | None) -> Iterator[tuple[str, str, str]]:
    """Yield the series, the start and the length of each window in the value of an assignment."""
    for node in ast.walk(line.value) if isinstance(line, ast.Assign) else ():
        if isinstance(node, ast.Subscript):
            window = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
            if isinstance(window, ast.Slice) and isinstance(window.lower, ast.Name):
                yield ast.unparse(node.value), window.lower.id, _length(window, window.lower.id)


def shorter_at_the_end(reading: Reading, place: Shape, value: Shape) -> tuple[str, str]:
    """Return the length of the windows that the reader's line copies, and the loops that stop at the last whole one.

    With a target after each window, the last whole window is one step earlier.

    Returns
    -------
    tuple of str
        Both empty if the line puts no window into a longer place, or if its length is not that of the place.
    """
    if not (0 < len(value) == len(place) and value[1:] == place[1:] and 0 < value[0] < place[0]):
        return "", ""
    for series, start, length in _windows(failed_statement(reading)):
        known = reading.numbers.get(length, int(length) if length.isdecimal() else place[0])
        if not length or known != place[0]:
            continue
        return length, _whole_windows(reading, series, start, length)
    return "", ""


def _whole_windows(reading: Reading, series: str, start: str, length: str) -> str:
    """Return the loops that stop at the last whole window, the likeliest first."""
    count = f"len({series}) - {length if _NAME.fullmatch(length) else f'({length})'}"
    whole = f"for {start} in range({count} + 1):   # all whole windows"
    before = f"for {start} in range({count}):   # if each window has the step after it as its target"
    return "\n".join((before, whole) if _has_targets(reading) else (whole, before))


def loop_of_windows(reading: Reading, name: str) -> str:
    """Return the loops that fill a list with whole windows alone; empty if no loop of the program appends windows to it."""
    found = re.search(
        rf"\bfor (\w{{1,40}}) in range\([^:]{{1,80}}\): .{{0,300}}?\b{re.escape(name)}\.append\( ?"
        r"([\w.]{1,60})\[\1 ?: ?\1 ?\+ ?([\w.]{1,40})(?:, ?[^\]]{1,40})?\]",
        reading.whole,
    )
    return _whole_windows(reading, found[2], found[1], found[3]) if found else ""


def _has_targets(reading: Reading) -> bool:
    """Whether the program also makes targets: by their name, or as the second of two values of the reader's call."""
    makes_pair = any(re.match(r"\w{1,40}, ?\w{1,40} ?=", line.code) for line in reading.own[:-1])
    named = r"\b(?:y|targets?|labels?)(?:_\w{1,20})?(?:\[\w{1,20}\] ?=|\.append\()"
    return makes_pair or bool(re.search(named, reading.whole))
