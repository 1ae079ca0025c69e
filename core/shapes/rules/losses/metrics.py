"""Predictions and targets in metrics, tables and plots, after the network."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import failed_statement, nodes_of_line
from core.shapes.user_code.operations import is_stored

METRIC = "metric"


def _lacks_first(facts: Facts) -> bool:
    """Whether the first entries have no prediction."""
    return facts.missing > 0


_AFTER_WINDOW = reason("rows-after-window", "missing", when=_lacks_first)


def _of_several_labels(facts: Facts) -> str:
    """Return the line for scores of several labels and the one for scores of one class, the likelier first."""
    scores, labels = ("y_true", "y_pred") if facts.true == "continuous-multioutput" else ("y_pred", "y_true")
    lines = [
        f"{scores} = ({scores} > 0.5).astype(int)   # if a sample may have several labels, as after a sigmoid",
        f"{labels}, {scores} = {labels}.argmax(axis=1), {scores}.argmax(axis=1)   # if it has one class, as after a softmax",
    ]
    return "\n".join(reversed(lines) if facts.of_one_class else lines)


MIXED_TARGETS = sure(
    "class-targets",
    reason("metric-of-scores", "kinds"),
    lambda f: _of_several_labels(f) if f.of_labels else _both_as_classes(f),
)


def _both_as_classes(facts: Facts) -> str:
    """Return the lines that make class indices of both arrays, or words where none is known."""
    lines = _as_classes("y_true", facts.true, facts.predicted), _as_classes("y_pred", facts.predicted, facts.true)
    return "\n".join(filter(None, lines)) or "# compare class indices with class indices"


def _as_classes(name: str, kind: str, other: str) -> str:
    """Return the line that makes class indices of an array of a kind; empty if it has them, or if its kind is unknown."""
    if kind == "multilabel-indicator":
        return f"{name} = {name}.argmax(axis=1)   # one-hot targets as class indices"
    if kind == "continuous-multioutput":
        return f"{name} = {name}.argmax(axis=1)   # the scores of all classes as the class of the largest"
    if kind != "continuous":
        return ""
    if other == "multiclass":
        return f"{name} = np.rint({name}).astype(int).ravel()   # a predicted number as the nearest class"
    return f"{name} = ({name} > 0.5).astype(int).ravel()   # a probability as a class"


@diagnoses("mixed_targets")
def mixed_targets(reading: Reading) -> Diagnosis:
    """Diagnose two kinds of targets, of which scikit-learn names that of y_true first."""
    true, predicted = reading.values["a"], reading.values["b"]
    facts = Facts(
        true=true,
        predicted=predicted,
        kinds=f"{true} and {predicted}",
        # One-hot targets are such an indicator too.
        of_labels={true, predicted} == {"multilabel-indicator", "continuous-multioutput"},
        of_one_class=bool(re.search(r"softmax|(?<!binary_)\bcategorical_cross|argmax|to_categorical", reading.whole)),
    )
    return Diagnosis(METRIC, facts, MIXED_TARGETS)


ONE_COLUMN: Rules = rules_of(
    "one_column",
    METRIC,
    sure(
        "class-targets",
        reason("metric-of-columns", "got"),
        lambda f: "y = y.ravel()   # a column as a vector" if f.got[1:] == (1,) else "y = y.argmax(axis=1)   # one-hot",
    ),
)


METRIC_AXES: Rules = (
    likely(
        "unbatched",
        "metric-axes",
        "y, prediction = y.reshape(-1), prediction.reshape(-1)   # before the metric: all samples and steps in one vector\n"
        "prediction = prediction[:, -1]   # if y has one value for each sequence; or no return_sequences in the last layer",
    ),
)


METRIC_COLUMNS: Rules = rules_of(
    "metric_columns",
    METRIC,
    strong(
        "broadcast",
        reason("metric-columns", "of_y", "got"),
        "Dense({of_y}, ...)   # the last layer: a unit for each column of the targets\n"
        "prediction = prediction[:, -{of_y}:]   # if only the last column or step is compared",
    ),
)


DATA_FRAME: Rules = first_of(
    strong(
        "steps",
        (reason("frame-sizes", "got", "wanted"), reason("rows-after-window", missing=lambda f: f.wanted[0] - f.got[0])),
        "pd.DataFrame(prediction, index=data.index[-{got[0]}:])   # the last {got[0]} rows",
        lambda f: f.got[0] < f.wanted[0],
    ),
    strong(
        "broadcast",
        reason("frame-sizes", "got", "wanted"),
        "pd.DataFrame(prediction, columns=data.columns[:{got[-1]}])   # a name for each column",
    ),
)


@diagnoses("data_frame")
def data_frame(reading: Reading) -> Diagnosis:
    """Diagnose a table of pandas with other rows or columns than its data."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    return Diagnosis(METRIC, Facts(wanted=wanted or (0,), got=got or (0,)), DATA_FRAME)


OF_TABLE = strong(
    "steps",
    (reason("rows-of-table", "rows", "got"), _AFTER_WINDOW),
    lambda f: (
        f"{f.table} = {f.table}.iloc[{f.missing}:]   # before the column is added: the first window has no value before its end"
        if _lacks_first(f)
        else f"{f.column} = {f.column}[:{f.rows}]   # if the first {f.rows} are those of the table"
    ),
    is_own=lambda f: f.column != "prediction",
)


COLUMNS_OF_TABLE = strong("steps", "columns-of-table", lambda f: f.line, is_own=lambda f: f.is_own)


@diagnoses("columns_of_table")
def columns_of_table(reading: Reading) -> Diagnosis:
    """Diagnose a table of pandas from columns of different lengths, such as targets and predictions from windows."""
    made = [node for node in nodes_of_line(reading) if isinstance(node, ast.Dict) and len(node.values) > 1]
    columns = made[0] if len(made) == 1 else None
    values = list(map(ast.unparse, columns.values)) if columns else ["y", "prediction"]
    rows = f"min({', '.join(f'len({one})' for one in values)})"
    written = ast.unparse(columns) if columns else '{"y": y, "prediction": prediction}'
    cut = f"{{name: one[-{rows}:] for name, one in {written}.items()}}"
    line = line_with(reading, columns, cut) if columns else f"table = pd.DataFrame({cut})"
    return Diagnosis(
        METRIC, Facts(line=f"{line}   # the last rows, which all have", is_own=columns is not None), COLUMNS_OF_TABLE
    )


def _column_of_line(reading: Reading) -> tuple[str, str]:
    """Return the table and the values that the reader's line puts into a column of it, such as table["y"] = prediction."""
    match failed_statement(reading):
        case ast.Assign(targets=[ast.Subscript(value=table)], value=column) if is_stored(table) and is_stored(column):
            return ast.unparse(table), ast.unparse(column)
    return "table", "prediction"


@diagnoses("column_of_table")
def column_of_table(reading: Reading) -> Diagnosis:
    """Diagnose a column for a table of pandas that has more or fewer rows."""
    rows, got = reading.size("expected"), reading.size("got")
    table, column = _column_of_line(reading)
    return Diagnosis(METRIC, Facts(rows=rows, got=got, missing=rows - got, table=table, column=column), OF_TABLE)


PLOTTED = strong(
    "steps",
    (reason("points-of-plot", "left", "right"), _AFTER_WINDOW),
    lambda f: (
        f"x = x[-{f.right}:]   # the last {f.right} places, if the first window has no value before its end"
        if _lacks_first(f)
        else f"y = y[:{f.left}]   # if the first {f.left} are those of x"
    ),
)


@diagnoses("plotted")
def plotted(reading: Reading) -> Diagnosis:
    """Diagnose a curve with more or fewer values than places."""
    left, right = (next(iter(reading.shape(name)), 0) for name in ("left", "right"))
    return Diagnosis(METRIC, Facts(left=left, right=right, missing=left - right), PLOTTED)
