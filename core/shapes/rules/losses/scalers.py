"""Scalers of scikit-learn, which read the columns to which they were fitted."""

import ast
import copy
import re
from collections.abc import Callable

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.losses.metrics import METRIC, METRIC_AXES
from core.shapes.rules.read_layer import is_round
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import failed_statement
from core.shapes.user_code.removed_code import without_calls
from core.shapes.user_code.syntax_trees import calls_in, expression, function_of, last_name, tree_of

# People who write a cell by hand try it with few units.
MOST_UNITS_BY_HAND = 30
_NAME_OF_METRIC = re.compile(
    r"(?:r2|f1|accuracy|precision|recall)_score|mean_(?:squared|absolute)\w{0,30}|confusion_matrix"
)

_OF_TARGET = "target_scaler = MinMaxScaler().fit(y.reshape(-1, 1))   # or a scaler of its own for the target, before the training"

_METHODS = ("fit", "transform", "fit_transform", "inverse_transform")


def _called(reading: Reading) -> tuple[ast.stmt, ast.Call] | None:
    """Return the call of a scaler's method with one array, and its statement; None if there is none.

    It stands in the reader's line, or if this line is within a scaler of the reader's own, in the line that called it.
    """
    called: tuple[str, ...] = _METHODS
    for line in reversed(reading.own):
        statement = tree_of(line.code)
        for call in calls_in(statement, *called) if called else ():
            if statement and len(call.args) == 1:
                return statement, call
        called = (line.function,) if line.function in _METHODS else ()
    return None


def _line_with(reading: Reading, method: str, x: str, change: Callable[[str, str], str]) -> str:
    """Return the reader's line with a changed call of a scaler, of which the change gets the method and the array.

    Without such a line the method and the array are those given.
    """
    found = _called(reading)
    if found is None:
        return change(method, x)
    statement, called = found
    given = ast.unparse(called.args[0])
    bound = given if isinstance(called.args[0], ast.Name | ast.Attribute | ast.Subscript | ast.Call) else f"({given})"
    return with_expression(statement, called, change(ast.unparse(called.func), bound))


SCALER = sure(
    "scaler",
    (
        reason("scaler-columns", "wanted", "got", when=lambda f: not f.is_guess),
        reason("scaler-may-be-meant", "wanted", when=lambda f: f.is_guess),
    ),
    lambda f: (
        f"{f.line}   # if the target is column 0\n{_OF_TARGET}"
        if f.got == 1
        else f"# give the scaler the {f.wanted} columns to which it was fitted"
    ),
    is_own=lambda f: f.got == 1 and f.is_own,
)


def of_scaler(reading: Reading, wanted: int, got: int, axes: int = 2) -> Diagnosis:
    """Return the diagnosis of a scaler of scikit-learn that was fitted to other columns."""
    rows = f".reshape(-1, {got})" if axes > 2 else ""
    line = _line_with(
        reading,
        "scaler.inverse_transform",
        "prediction",
        lambda method, x: f"{method}(np.repeat({x}{rows}, {wanted}, axis=1))[:, [0]]",
    )
    facts = Facts(wanted=wanted, got=got, line=line, is_own=_called(reading) is not None, is_guess=False)
    return Diagnosis("columns-of-scaler", facts, SCALER)


# How people name the statistics of columns.
_STATISTIC = re.compile(
    r"(?:\w{1,20}_)?(?:lo|hi|low|high|mins?|max|maxs|mean|means|std|mu|sd|sigma|avg|scale)_?$", re.IGNORECASE
)

OWN_SCALER = strong(
    "scaler",
    reason("scaler-columns", "wanted", "got"),
    lambda f: (
        "\n".join(f.lines)
        if f.got < f.wanted and f.lines
        else f"# compute {f.names} over the {f.got} columns of this array"
    ),
    is_own=lambda f: f.got < f.wanted and f.lines,
)


OF_ROWS = strong(
    "scaler",
    reason("statistics-of-rows", "rows", "names"),
    "mean, std = x.mean(axis=0), x.std(axis=0)   # where {names} are computed: a number for each column",
)


class _OfColumns(ast.NodeTransformer):
    """Takes the last entry of each statistic in an expression, or the first of several columns."""

    def __init__(self, columns: int) -> None:
        self.index = expression("x[-1]" if columns == 1 else f"x[:{columns}]").slice  # type: ignore[attr-defined]

    def _taken(self, node: ast.expr, name: str) -> ast.expr:
        return ast.Subscript(node, self.index, ast.Load()) if _STATISTIC.match(name) else node

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802 (the name that ast calls)
        return self._taken(node, node.id) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # noqa: N802
        return self._taken(node, node.attr) if isinstance(node.ctx, ast.Load) else node


def of_own_scaler(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a scaling by hand, with statistics of other columns; None if the reader's line is none.

    Statistics with an entry for each row or step are none of columns.
    """
    tree = copy.deepcopy(failed_statement(reading))
    nodes = list(ast.walk(tree or ast.Pass()))
    named = [node for node in nodes if isinstance(node, ast.Name | ast.Attribute)]
    found = {ast.unparse(node) for node in named if _STATISTIC.match(last_name(node))}
    vector, table = sorted((left, right), key=len)
    is_called = any(map(function_of, nodes))
    owners = [node.value for node in named if isinstance(node, ast.Attribute)]
    has_table = any(
        isinstance(node.ctx, ast.Load) and node not in owners and not _STATISTIC.match(last_name(node))
        for node in named
    )
    if tree is None or is_called or not has_table or len(found) < 2 or len(vector) != 1 or len(table) < 2:
        return None
    if vector[0] in table[:-1]:
        facts = Facts(rows=vector[0], names=" and ".join(sorted(found)))
        return Diagnosis("columns-of-scaler", facts, OF_ROWS) if is_in_own_scaler(reading) else None
    got = table[-1]
    last, first = (
        ast.unparse(ast.fix_missing_locations(_OfColumns(one).visit(copy.deepcopy(tree)))) for one in (1, got)
    )
    lines = [f"{last}   # the column of the target, if it is the last"]
    if got > 1:
        lines.append(f"{first}   # if this array has the first {got} columns")
    # Several predicted steps of one target are scaled where they are computed, and columns in a method of a scaler.
    lines = lines[::-1] if is_in_own_scaler(reading) else lines
    facts = Facts(wanted=vector[0], got=got, names=" and ".join(sorted(found)), lines=lines)
    return Diagnosis("columns-of-scaler", facts, OWN_SCALER)


@diagnoses("scaler")
def scaler(reading: Reading) -> Diagnosis:
    return of_scaler(reading, reading.size("expected"), reading.size("got"))


# A table with other columns than those of the scaler, by their names.
SCALER_NAMES: Rules = rules_of(
    "scaler_names",
    "columns-of-scaler",
    sure(
        "scaler",
        "scaler-names",
        lambda f: (
            f"{f.own}   # all columns of the training; take columns away after the scaler\n" * bool(f.own)
            + "# or fit the scaler to the columns that this table has"
        ),
        is_own=lambda f: f.own,
    ),
    facts=lambda reading: {"own": without_calls(reading, frozenset(("drop",)))},
)


SCALER_AXES = sure("scaler", reason("scaler-axes", "got"), "{line}   # each feature over all samples and steps")


@diagnoses("scaler_axes")
def scaler_axes(reading: Reading) -> Diagnosis:
    """Diagnose sequences, which have an axis more than a table."""
    if _NAME_OF_METRIC.search(reading.code):
        return Diagnosis(METRIC, Facts(), METRIC_AXES)
    line = _line_with(
        reading,
        "x = scaler.fit_transform",
        "x",
        lambda method, x: f"{method}({x}.reshape(-1, {x}.shape[-1])).reshape({x}.shape)",
    )
    return Diagnosis("columns-of-scaler", Facts(got=reading.size("got"), line=line), SCALER_AXES)


SCALER_VECTOR: Rules = rules_of(
    "scaler_vector",
    "columns-of-scaler",
    sure(
        "scaler",
        "scaler-vector",
        "x = x.reshape(-1, 1)   # before the scaler: a table of one column\n"
        "x = x.reshape(1, -1)   # if x is one sample of several columns",
    ),
)


# Columns of a table, and not a batch.
_MOST_COLUMNS = 24


def is_of_scaler_alone(reading: Reading, left: Shape, right: Shape) -> bool:
    """Whether the words are those of a scaler that gets one column, in a text without the line that failed."""
    is_column = len(left) == len(right) == 2 and left[0] == right[0] and left[1] == 1 < right[1]
    is_table = is_column and right[1] <= _MOST_COLUMNS < right[0]
    return is_table and not reading.own and reading.message.startswith("non-broadcastable output")


def or_scaler(found: Diagnosis, reading: Reading, left: Shape, right: Shape) -> Diagnosis:
    """Return the diagnosis of an operation in place, with a scaler as the cause before its own."""
    scaled = of_scaler(reading, right[-1], left[-1])
    scaled.facts.is_guess = True
    return found._replace(rules=(*scaled.table, *found.table), facts=Facts(**vars(found.facts) | vars(scaled.facts)))


def is_in_own_scaler(reading: Reading) -> bool:
    """Whether the error is within a scaler of the reader's own, by the name of its function."""
    return bool(reading.own) and reading.own[-1].function in ("transform", "inverse_transform")


def is_in_scaler(reading: Reading) -> bool:
    """Whether the error is within a scaler: by the file of scikit-learn, by the line that failed, or by the name of its function."""
    # A scaler works in place, so without the line that failed the words tell as well.
    in_place = "non-broadcastable" in reading.message
    failed = reading.own_code if reading.own else reading.whole if in_place else ""
    rows, *rest = reading.shape("left")
    if in_place and not reading.own and rest == [1] and not is_round(rows) and rows > MOST_UNITS_BY_HAND:
        return True  # one column of many samples: a bias has round numbers of units, or few
    return is_in_own_scaler(reading) or bool(
        re.search(r"sklearn[/\\]preprocessing", reading.whole) or re.search(r"\binverse_transform\b", failed)
    )
