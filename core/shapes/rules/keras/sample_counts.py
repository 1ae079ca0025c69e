"""Inputs and targets of a model of Keras with other numbers of samples, and calls with whole batches alone."""

import ast
import re
from fractions import Fraction

from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, always, diagnoses, reason
from core.shapes.user_code.evidence import calls_of_line, failed_operation
from core.shapes.user_code.keras_calls import targets_of_fit, turned_samples
from core.shapes.user_code.syntax_trees import function_of, with_code

# How much of the data people hold out for a test.
_PARTS = (0.1, 0.15, 0.2, 0.25, 0.3, 1 / 3, 0.4)


def _same_samples(facts: Facts) -> str:
    """Return the lines that leave out the samples without a window or without a target, or swap axes if the numbers are far apart."""
    of_x, of_targets = facts.of_x, facts.of_targets
    if 1 in (of_x, of_targets):
        return _in_rows(facts)
    words = "# cut x and y from the data with the same rule, so that each window of x has one y"
    if facts.parts and any(abs((of_x + of_targets) * part - of_targets) < 1 for part in _PARTS):
        return f"{facts.parts} = train_test_split(X, Y)   # with your arguments: both parts of X come first\n{words}"
    if of_targets > of_x > of_targets // 2:
        from_start = (
            "y = y[:len(x)]   # if the targets begin with that of the first window, and the last ones have no window"
        )
        from_end = f"y = y[{of_targets - of_x}:]   # if the targets begin with the first value of the series, and {of_targets - of_x} is the length of a window"
        # A window is seldom one step long, and a loop often ends one step early.
        starts = of_targets - of_x == 1 or facts.is_cut
        return "\n".join((from_start, from_end) if starts else (from_end, from_start))
    if of_x > of_targets > of_x // 2:
        return f"x = x[:{of_targets}]   # if the last windows have no target\n{words}"
    return f"{turned_samples(facts.arrays[of_x > of_targets])}\n{words}"


def _in_rows(facts: Facts) -> str:
    """Return the lines that make several samples of one, which may be a row of all of them, or the only one."""
    if facts.of_targets == 1:
        return "y = y.reshape(-1, 1)   # one row for each sample, if all targets are in one row"
    return "x = x[0]   # if its first axis of 1 was added before that of the samples"


SAMPLES = sure(
    "batch-size",
    (
        reason("samples", "of_x", "of_targets"),
        reason(
            "samples-in-one",
            name=lambda f: "y" if f.of_targets == 1 else "x",
            when=lambda f: 1 in (f.of_x, f.of_targets),
        ),
    ),
    _same_samples,
)


# The metrics of scikit-learn take the targets first, and the predictions second.
_METRIC = re.compile(r"mean_\w{1,20}_error|\w{1,20}_score|confusion_matrix|classification_report")


def _cut_for_metric(facts: Facts) -> str:
    """Return the reader's line with the longer of the two cut to the samples of the other."""
    targets, predictions = map(ast.unparse, facts.compared)
    more = abs(facts.of_targets - facts.of_predictions)
    if facts.of_targets < facts.of_predictions:
        cut = with_code(facts.code, (facts.compared[1], f"{predictions}[:{facts.of_targets}]"))
        return f"{cut}   # if the last {more} have no target"
    from_end, from_start = (
        with_code(facts.code, (facts.compared[0], f"{targets}[{index}]"))
        for index in (f"{more}:", f":{facts.of_predictions}")
    )
    return f"{from_end}   # if the first {more} have no window\n{from_start}   # if the last {more} have none"


METRIC_SAMPLES = sure(
    "batch-size", reason("metric-samples", "of_targets", "of_predictions"), _cut_for_metric, is_own=always
)


@diagnoses("samples")
def samples(reading: Reading) -> Diagnosis:
    """Diagnose two arrays with other numbers of samples: of a fit, a split or a metric."""
    of_x, of_targets = reading.size("x"), reading.size("got")
    metric = next(
        (one for one in calls_of_line(reading) if _METRIC.fullmatch(function_of(one)) and len(one.args) > 1), None
    )
    if metric is not None:
        facts = Facts(of_targets=of_x, of_predictions=of_targets, compared=metric.args[:2], code=reading.own_code)
        return Diagnosis("samples", facts, METRIC_SAMPLES)
    sizes = {"batch": of_x, "targets": of_targets}
    facts = Facts(of_x=of_x, of_targets=of_targets, is_cut=_begin_later(reading), parts=_parts_of_split(reading))
    facts.arrays = _whole_arrays(reading)
    return Diagnosis("samples", facts, SAMPLES, sizes)


def _whole_arrays(reading: Reading) -> tuple[str, str]:
    """Return x and y, under the names of the arrays if the reader's line gives the first rows of both."""
    operation = failed_operation(reading)
    given = [operation.names.get(name) for name in "xy"] if operation else []
    whole = [one.value.id for one in given if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name)]
    return (whole[0], whole[1]) if len(whole) == 2 else ("x", "y")  # noqa: PLR2004 (the two arrays)


def _parts_of_split(reading: Reading) -> str:
    """Return the names of the parts of a split, where the reader's fit gives the x and y of its training by their usual names."""
    given = next((one.args[:2] for one in calls_of_line(reading, "fit") if len(one.args) > 1), [])
    names = [one.id for one in given if isinstance(one, ast.Name)]
    if len(names) != 2 or not re.fullmatch(r"[xX]_?train\w* [yY]_?train\w*", " ".join(names)):
        return ""
    of_x, of_y = ((one, one.replace("train", "test", 1)) for one in names)
    return ", ".join((*of_x, *of_y))


_CUT_AT_START = re.compile(r"\[[^\[\]:,]{1,60}:")


def _begin_later(reading: Reading) -> bool:
    """Whether the reader's program cuts the first values of the series from the targets, as in y = series[steps:]."""
    name = targets_of_fit(reading)
    return any(one.target == name and _CUT_AT_START.search(ast.unparse(one.value)) for one in reading.program)


MOST_PARTS = 20


def unit_of_parts(reading: Reading, batch: int) -> int:
    """Return the number whose multiples give whole batches in the part for validation too; 0 if the text has no such part."""
    split = re.search(r"\bvalidation_split ?= ?(0?\.\d{1,4})\b", reading.whole)
    parts = Fraction(split[1]).denominator if split else 0
    return batch * parts if parts <= MOST_PARTS else 0


def _cut(name: str, counted: str, unit: int) -> str:
    """Return the code of as many samples of an array as whole batches have."""
    return f"{name}[:len({counted}) // {unit} * {unit}]"


def predicted(batch: int) -> str:
    """Return the call that predicts from whole batches alone."""
    return f"model.predict({_cut('x', 'x', batch)}, batch_size={batch})"


def predicted_filled(batch: int) -> str:
    """Return the call that predicts from all samples, after the last batch has been filled with the first ones again."""
    filled = f"np.resize(x, (-(-len(x) // {batch}) * {batch}, *x.shape[1:]))"
    return f"model.predict({filled}, batch_size={batch})[:len(x)]   # the last batch filled with samples that are then left out"


def fitted(batch: int, unit: int = 0) -> str:
    """Return the call that trains with whole batches alone, of a number of samples that has this unit if any."""
    return f"model.fit({_cut('x', 'x', unit or batch)}, {_cut('y', 'x', unit or batch)}, batch_size={batch})"


def whole_batches(batch: int, unit: int = 0) -> str:
    """Return the lines that train a model with whole batches alone, of a number of samples that has this unit if any."""
    if unit:
        return f"{fitted(batch, unit)}   # whole batches in both parts"
    return f"{fitted(batch)}   # whole batches alone\n# with validation_split, both parts must be multiples of {batch}"
