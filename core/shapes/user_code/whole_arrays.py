"""Indices in the reader's lines that take away the axis or the entries which an operation lacks, or add an axis too many."""

import ast
import copy
from collections.abc import Iterator

from core.shapes.layer_shapes import Shape
from core.shapes.user_code.syntax_trees import argument, expression, function_of

_ALL = ast.Slice()


def _elements(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _is_new(node: ast.expr) -> bool:
    """Whether an index adds an axis."""
    return ast.unparse(node) in ("None", "np.newaxis", "tf.newaxis", "newaxis", "numpy.newaxis", "jnp.newaxis")


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None


def _is_one(node: ast.expr) -> bool:
    """Whether an index takes one entry, so that its axis is gone; the name of an index has at most two letters."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Constant):
        return type(inner.value) is int
    return isinstance(node, ast.Name) and (len(node.id) <= 2 or node.id in ("idx", "index"))


def fits(one: Shape, other: Shape) -> bool:
    """Whether two shapes may be the same; -1 stands for an unknown size."""
    return len(one) == len(other) and all(a == b or min(a, b) < 0 for a, b in zip(one, other))


def _indexed(value: ast.expr, elements: list[ast.expr]) -> ast.expr:
    """Return an array with an index, without it where that takes all."""
    while elements and (_is_all(elements[-1]) or isinstance(elements[-1], ast.Constant) and elements[-1].value is ...):
        elements = elements[:-1]
    if not elements:
        return value
    index = elements[0] if len(elements) == 1 else ast.Tuple(elements, ast.Load())
    return ast.Subscript(value, index, ast.Load())


def _kept(node: ast.expr) -> ast.expr:
    """Return the index that takes the same entry, and keeps its axis."""
    code = ast.unparse(node)
    if code == "-1":
        return ast.Slice(node, None, None)
    after = str(int(code) + 1) if code.lstrip("-").isdecimal() else f"{code} + 1"
    return ast.Slice(None if code == "0" else node, expression(after), None)


def _only_entry(node: ast.expr) -> ast.expr | None:
    """Return the index of the entry that a slice takes alone, such as -1 of the slice -1: and t of t:t + 1."""
    if not isinstance(node, ast.Slice) or node.step is not None:
        return None
    start, stop = (ast.unparse(one) if one is not None else "" for one in (node.lower, node.upper))
    is_one = (start, stop) in (("-1", ""), ("", "1")) or start.isdecimal() and stop == str(int(start) + 1)
    return (node.lower or ast.Constant(0)) if is_one or start and stop == f"{start} + 1" else None


def _places(elements: list[ast.expr], axes: int) -> list[int]:
    """Return for each index the axis of the result that it makes, or before which its axis is gone."""
    dots = next((at for at, one in enumerate(elements) if isinstance(one, ast.Constant) and one.value is ...), None)
    made = [0 if _is_one(one) else 1 for one in elements]
    if dots is not None:
        made[dots] = axes - (sum(made) - 1)
    return [sum(made[:at]) for at in range(len(elements))]


def _with_axis(node: ast.Subscript, got: Shape, wanted: Shape) -> Iterator[ast.expr]:
    """Return the array with an axis that an index took away."""
    elements = _elements(node)
    places = _places(elements, len(got))
    for at in reversed(range(len(elements))):
        if not _is_one(elements[at]) or not fits((*got[: places[at]], -1, *got[places[at] :]), wanted):
            continue
        size = wanted[places[at]]
        is_sample = size == 1 or at == 0 and size < 0
        yield _indexed(node.value, [*elements[:at], _kept(elements[at]) if is_sample else _ALL, *elements[at + 1 :]])


def _without_axis(node: ast.Subscript, got: Shape, wanted: Shape) -> Iterator[ast.expr]:
    """Return the array without an axis that an index added, or kept with a slice of one entry."""
    elements = _elements(node)
    places = _places(elements, len(got))
    for at in range(len(elements)):
        only = _only_entry(elements[at])
        if (_is_new(elements[at]) or only) and fits((*got[: places[at]], *got[places[at] + 1 :]), wanted):
            yield _indexed(node.value, [*elements[:at], *([only] if only else []), *elements[at + 1 :]])


def _length(node: ast.expr, whole: int) -> int | None:
    """Return how many entries a part of an axis has; -1 if a constant tells it for no known axis, None if none tells it."""
    if not isinstance(node, ast.Slice) or node.step is not None or _is_all(node):
        return None
    try:
        lower, upper = (None if one is None else int(ast.unparse(one)) for one in (node.lower, node.upper))
    except ValueError:
        return None
    if lower is None or upper is None or (lower < 0) != (upper < 0):
        return len(range(whole)[slice(lower, upper)]) if whole > 0 else None
    return len(range(max(abs(lower), abs(upper)))[slice(lower, upper)])


def _with_all_entries(node: ast.Subscript, got: Shape, wanted: Shape) -> Iterator[ast.expr]:
    """Return the array with all entries of the axis of which an index takes too few."""
    elements = _elements(node)
    places = _places(elements, len(got))
    for at, place in enumerate(places):
        rest = (*got[:place], -1, *got[place + 1 :])
        if place < len(got) and got[place] > 0 and fits(rest, wanted) and got[place] != wanted[place]:
            if _length(elements[at], wanted[place]) == got[place]:
                yield _indexed(node.value, [*elements[:at], _ALL, *elements[at + 1 :]])


def whole(node: ast.expr, got: Shape, wanted: Shape) -> ast.expr | None:
    """Return an array without the index that gave it another shape; None if no index tells it.

    Parameters
    ----------
    node : ast.expr
        Such as ``x[:, 0]``.
    got, wanted : tuple of int
        Its shape, and the one that it needs; -1 stands for an unknown size.
    """
    changes = {-1: _with_axis, 0: _with_all_entries, 1: _without_axis}
    change = changes.get(len(got) - len(wanted))
    if change is None:
        return None
    if not isinstance(node, ast.Subscript):
        return _without_call(node, got, wanted)
    if found := next(change(node, got, wanted), None):
        return found
    # Below the axes that the index only adds.
    inner = without_new(node, got, wanted)
    made = whole(node.value, *inner) if inner else None
    return ast.Subscript(made, node.slice, ast.Load()) if made is not None else None


def _without_call(node: ast.expr, got: Shape, wanted: Shape) -> ast.expr | None:
    """Return the array that a call gives the axis which is too many."""
    axis = argument(node, "axis", at=1)
    if len(got) != len(wanted) + 1 or function_of(node) != "expand_dims" or not isinstance(node, ast.Call) or not axis:
        return None
    code = ast.unparse(axis)
    if not code.lstrip("-").isdecimal():
        return None
    at = int(code) % len(got)
    return copy.deepcopy(node.args[0]) if fits((*got[:at], *got[at + 1 :]), wanted) else None


def without_new(node: ast.expr, got: Shape, wanted: Shape) -> tuple[Shape, Shape] | None:
    """Return both shapes without the axes that an index adds; None if it does anything else, or if the axes do not tell it."""
    if isinstance(node, ast.Name):
        return got, wanted
    if not isinstance(node, ast.Subscript):
        return None
    elements = _elements(node)
    if not all(_is_new(one) or _is_all(one) or isinstance(one, ast.Constant) and one.value is ... for one in elements):
        return None
    new = [place for one, place in zip(elements, _places(elements, len(got))) if _is_new(one)]
    if any(at >= min(len(got), len(wanted)) for at in new):
        return None
    pair = tuple(tuple(size for at, size in enumerate(one) if at not in new) for one in (got, wanted))
    return pair[0], pair[1]
