"""Arrays that are put into a place of another shape."""

import ast
import re
from typing import NamedTuple

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, format_shape, format_sizes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.read_layer import is_power, like_batch
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason
from core.shapes.rules.sums.column_and_vector import SQUARE, square_of
from core.shapes.shape_inference.array_shapes import places_in
from core.shapes.user_code.evidence import failed_statement
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.window_loops import shorter_at_the_end

# Names of masks and of several indices, which keep their axis.
_OF_SEVERAL = re.compile(r"mask|valid|order|perm|indices|ids\b|rows|sel|\[")
_STEPS = ("t", "step", "time", "timestep")
# A column as a row is rather a transpose.
FEWEST_AXES = 3
_PUT = reason("assign", "place", "value")


def _fit_of_moved(facts: Facts) -> Fit:
    """Return how well an index on another axis fits, whose size no message has; a batch of another size is as common."""
    if facts.value[1:] != facts.place[1:]:
        return Fit.LIKELY
    if facts.moved.of_step and not is_power(facts.place[0]):
        return Fit.STRONG
    return Fit.STRONG if like_batch(facts.value[0]) and not like_batch(facts.place[0]) else Fit.PLAUSIBLE


ASSIGN: Rules = (
    SQUARE,
    strong("unbatched", (_PUT, reason("target-axis-of-one")), own="squeezed"),
    likely(
        "transpose",
        (_PUT, reason("assign-turned")),
        lambda f: "{} = {}{}".format(
            *(f.parts or ("h", "h")),
            ".T" if f.value == f.place[::-1] else f".reshape({format_shape(f.place) if len(f.place) > 1 else '-1'})",
        ),
        lambda f: f.is_turned and not f.squeezed,
        is_own=lambda f: f.parts,
    ),
    sure(
        "indexing",
        (_PUT, reason("assign-empty")),
        "outputs[-{length}:] = h",
        lambda f: f.is_empty,
        own="last_rows",
        note="the last rows, if they are meant",
    ),
    sure(
        "indexing",
        (_PUT, reason("assign-nothing")),
        "# print where the slice on the right begins, and len of its array: it must begin before the end",
        lambda f: f.is_nothing,
    ),
    sure(
        "steps",
        (_PUT, reason("series-ends-in-window", length="window", wanted="place[0]", rows="value[0]")),
        own="whole_windows",
    ),
    strong(
        "broadcast",
        (_PUT, reason("assign-slice", places="place[0]", rows="value[0]")),
        when=lambda f: (
            f.resliced and f.value[1:] == f.place[1:] and not f.is_turned and not f.is_empty and not f.is_nothing
        ),
        own="resliced",
    ),
    sure(
        "steps",
        (_PUT, reason("slice-too-long", wanted="place[0]", rows="value[0]")),
        own="cut",
        note="as many steps as the place has",
    ),
    Rule(
        "indexing",
        _fit_of_moved,
        (_PUT, reason("assign-on-other-axis", at="moved.taken", size="moved.size", axis="moved.fitting")),
        lambda f: f.moved.line,
        lambda f: f.moved and not (f.cut or f.square or f.is_square or f.is_empty or f.whole_windows),
        is_own=lambda f: f.moved,
    ),
    likely(
        "batch-size",
        (_PUT, reason("assign-batch")),
        lambda f: (
            f"outputs[t, :{f.value[0]}] = h"
            if f.value[0] < f.place[0] and not f.has_own
            else f"# the place must be for {advised_lines.counted(f.value[0], 'sequence', 'sequences')}"
        ),
        lambda f: (
            not f.is_turned
            and not f.is_empty
            and not f.resliced
            and not f.remade
            and not f.is_nothing
            and not f.whole_windows
            and len(f.value) == len(f.place) > 1
            and f.value[1:] == f.place[1:]
        ),
    ),
    strong(
        "broadcast",
        (
            _PUT,
            reason("assign-square", k="place[0]"),
            reason("column-of-square", when=lambda f: not f.has_column),
            reason("vector-of-square", when=lambda f: f.has_column),
        ),
        lambda f: (
            f"b = b.reshape(-1, 1)   # if b is a bias of shape ({f.place[0]},), where it is made\n"
            "x = x.reshape(-1, 1)   # if x is a vector, where it is made: its product with weights is one as well"
            if f.has_column
            else f"b = b.reshape(-1)   # if b is a bias of shape ({f.place[0]}, 1)"
        ),
        lambda f: f.is_square,
    ),
    Rule(
        "ragged",
        lambda f: Fit.SURE if f.of_new_array else Fit.POSSIBLE if f.has_own else Fit.LIKELY,
        (_PUT, reason("ragged-shapes")),
        "outputs = np.stack([one[:{length}] for one in arrays])   # if all are to be cut to the same length",
        lambda f: len(f.value) > 1 and f.value[:-1] == f.place and not f.square and not f.is_turned and not f.is_square,
    ),
    plausible(
        "broadcast",
        _PUT,
        lambda f: (
            f"outputs = {f.zeros}((len(outputs), {format_sizes(f.value)}))   # where it is made, before the loop"
            if len(f.value) > len(f.place) or len(f.value) == len(f.place) == 1 and f.of_rows
            else f.remade or f"# the place must be {format_shape(f.value)}"
        ),
        lambda f: not (f.is_square or f.square or f.is_empty or f.is_nothing),
    ),
)


def _put_into(reading: Reading) -> tuple[ast.Subscript, str] | None:
    """Return the place in an array to which the reader's line assigns, and the name of the value; None if it does not."""
    match failed_statement(reading):
        case ast.Assign(targets=[ast.Subscript() as place, *_], value=value) if is_stored(value):
            return place, ast.unparse(value)
    return None


def _last_rows(reading: Reading) -> str:
    """Return the reader's line with a slice of the last rows, as many as its value has; empty if it puts no name into a slice."""
    if (found := _put_into(reading)) is None:
        return ""
    place, value = found
    rest = place.slice.elts[1:] if isinstance(place.slice, ast.Tuple) else []
    others = "".join(f", {ast.unparse(one)}" for one in rest)
    return f"{ast.unparse(place.value)}[-len({value}):{others}] = {value}"


def _resliced(reading: Reading) -> str:
    """Return the reader's line with a slice of as many rows as its value has; empty if it puts no name into such a slice."""
    if (found := _put_into(reading)) is None:
        return ""
    place, value = found
    first, *rest = place.slice.elts if isinstance(place.slice, ast.Tuple) else [place.slice]
    if not isinstance(first, ast.Slice) or first.step or not (first.lower or first.upper):
        return ""
    array = ast.unparse(place.value)
    others = "".join(f", {ast.unparse(one)}" for one in rest)
    start, end = (ast.unparse(one) if one else "" for one in (first.lower, first.upper))
    lines = []
    if not start.startswith("-"):
        lines.append(
            f"{array}[{start}:{f'{start} + ' if start else ''}len({value}){others}] = {value}   # if its start is right"
        )
    if end and not end.startswith("-"):
        lines.append(f"{array}[{end} - len({value}):{end}{others}] = {value}   # if its end is right")
    elif start and not end:
        lines.append(f"{array}[-len({value}):{others}] = {value}   # if it goes to the end")
    return "\n".join(lines)


def _parts(reading: Reading) -> tuple[str, str]:
    """Return the place and the value of the reader's assignment, as code that takes a method; both empty if it is none."""
    match failed_statement(reading):
        case ast.Assign(targets=[target], value=ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript() as value):
            return ast.unparse(target), ast.unparse(value)
        case ast.Assign(targets=[target], value=value):
            return ast.unparse(target), f"({ast.unparse(value)})"
    return "", ""


def _squeezed(reading: Reading, place: Shape, value: Shape) -> str:
    """Return the reader's line with the value without an axis of 1 that the place lacks; empty if there is no such axis."""
    at = next((at for at in range(len(value)) if value == (*place[:at], 1, *place[at:])), None)
    target, given = _parts(reading)
    if at is None or len(value) < FEWEST_AXES or not target or reading.framework != "PyTorch":
        return ""
    return f"{target} = {given}.squeeze({at})"


def _with_shorter_slice(reading: Reading, place: Shape, value: Shape) -> str:
    """Return the reader's line with a slice that is cut to the rows of its place; empty if it puts no slice that is too long."""
    match failed_statement(reading):
        case ast.Assign(
            targets=[ast.Subscript() as target], value=ast.Subscript(slice=ast.Slice(upper=ast.BinOp())) as given
        ):
            is_longer = bool(place) and len(place) == len(value) and value[0] > place[0] and value[1:] == place[1:]
            return f"{ast.unparse(target)} = {ast.unparse(given)}[:{place[0]}]" if is_longer else ""
    return ""


def _remade(reading: Reading, place: Shape, value: Shape) -> str:
    """Return the array with as many rows as the value has, if all its rows are assigned, as in y[:, :, t]; else an empty text."""
    match failed_statement(reading):
        case ast.Assign(
            targets=[ast.Subscript(value=array, slice=ast.Tuple(elts=[ast.Slice(None, None, None), *_]))]
        ) if is_stored(array) and len(place) == len(value) > 1 and place[1:] == value[1:]:
            made, zeros = ast.unparse(array), "torch.zeros" if reading.framework == "PyTorch" else "np.zeros"
            return f"{made} = {zeros}(({value[0]}, *{made}.shape[1:]))   # where it is made, before the loop"
    return ""


def _puts_row(reading: Reading) -> bool:
    """Whether the reader's line puts a vector into a row of a table, by a single index."""
    match failed_statement(reading):
        case ast.Assign(targets=[ast.Subscript(value=array, slice=ast.Name() | ast.Call())]) if is_stored(array):
            return True
    return False


class _Moved(NamedTuple):
    """A line with its index on another axis: the axis it takes now, the size that this one must have, where it fits, and whether a step is its name."""

    line: str
    taken: int
    size: int
    fitting: int
    of_step: bool


def _on_other_axis(reading: Reading, place: Shape, value: Shape) -> _Moved | None:
    """Return the reader's line with its index on the only axis where the value may fit; None if there is no such axis.

    The array has the axes of the place and the one that the index takes, whose size the message leaves out.
    """
    match failed_statement(reading):
        case ast.Assign(targets=[ast.Subscript(value=array, slice=index)], value=given):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
        case _:
            return None
    slices = [one for one in parts if isinstance(one, ast.Slice)]
    indices = [one for one in parts if one not in slices]
    are_whole = not any(one.lower or one.upper or one.step for one in slices)
    if len(indices) != 1 or not are_whole or not 1 < len(place) == len(value) or isinstance(indices[0], ast.Tuple):
        return None
    code, taken = ast.unparse(indices[0]), parts.index(indices[0])
    if isinstance(indices[0], ast.Constant) or _OF_SEVERAL.search(code):
        return None
    fitting = [
        axis
        for axis in range(len(place) + 1)
        if axis != taken
        and all(
            wanted in (None, size)
            for wanted, size in zip(_without(axis, (*place[:taken], None, *place[taken:])), value)
        )
    ]
    if len(fitting) != 1:
        return None
    places = ", ".join([":"] * fitting[0] + [code])
    size = value[taken - (fitting[0] < taken)]
    return _Moved(f"{ast.unparse(array)}[{places}] = {ast.unparse(given)}", taken, size, fitting[0], code in _STEPS)


def _without(axis: int, shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return shape[:axis] + shape[axis + 1 :]


@diagnoses("assign")
def assign(reading: Reading) -> Diagnosis:
    # An assignment knows all sizes, and a call of expand may leave one open.
    if "expand(" in reading.message and (-1 in reading.shape("left") or ".expand(" in reading.code):
        return DIAGNOSES["repeat_rank"](reading)
    place, value = reading.shape("left"), reading.shape("right")
    window, whole_windows = shorter_at_the_end(reading, place, value)
    same_entries = [size for size in value if size != 1] == [size for size in place if size != 1]
    facts = Facts(
        place=place,
        value=value,
        squeezed=_squeezed(reading, place, value),
        parts=_parts(reading) if all(_parts(reading)) else (),
        zeros="torch.zeros" if reading.framework == "PyTorch" else "np.zeros",
        is_turned=same_entries or value == place[::-1],
        # A slice without rows, whose start is not before its end.
        is_empty=place[:1] == (0,) and value[1:] == place[1:],
        # A slice on the right that begins behind the last row raises no error itself.
        is_nothing=0 in value and 0 not in place,
        square=square_of(reading),
        length=value[0] if value else 0,
        last_rows=_last_rows(reading),
        moved=_on_other_axis(reading, place, value),
        whole_windows=whole_windows,
        window=window,
        resliced=_resliced(reading) if value[:1] != place[:1] and value and place else "",
        has_own=bool(reading.own),
        cut=_with_shorter_slice(reading, place, value),
        of_rows=_puts_row(reading),
        remade=_remade(reading, place, value),
        of_new_array=bool(re.search(r"\b(?:np|numpy)\.(?:as)?array\(", reading.own_code)),
        is_square=value in (place[:1] * 2, (place[0] ** 2,)) and place[1:] in ((), (1,)) and not square_of(reading),
        # A state that is made a vector for its place was a column.
        has_column=len(place) == len(value),
    )
    return Diagnosis("assignment", facts, ASSIGN)


# ---- np.broadcast_to ---------------------------------------------------------------------------


def _stretched(facts: Facts) -> str:
    """Return the lines that give an array the axes of 1 along which it can be repeated."""
    left, right = facts.left, facts.right
    if places := places_in(left, right) if len(left) < len(right) else "":
        return f"b = np.broadcast_to(b[{places}], {format_shape(right)})   # repeated along each new axis"
    if len(left) > len(right):
        return f"b = np.broadcast_to(b, {format_shape(left)})   # at least the axes that it has"
    return "# each size of b must be 1, or the one that is wanted"


BROADCAST_TO: Rules = first_of(
    strong("broadcast", reason("broadcast-to", "left", "right"), _stretched, lambda f: f.left),
    strong(
        "broadcast",
        "broadcast-to-unsaid",
        "b = b.reshape(b.shape[-1])   # if its other axes are 1\n# or a shape with at least as many axes as b",
    ),
)


@diagnoses("broadcast_to")
def broadcast_to(reading: Reading) -> Diagnosis:
    """Diagnose an array that is to be repeated to a shape, as for a bias or a state of each of a batch."""
    return Diagnosis("assignment", Facts(left=reading.shape("left"), right=reading.shape("right")), BROADCAST_TO)


@diagnoses("broadcast_to_unsaid")
def broadcast_to_unsaid(reading: Reading) -> Diagnosis:
    return Diagnosis("assignment", Facts(left=()), BROADCAST_TO)
