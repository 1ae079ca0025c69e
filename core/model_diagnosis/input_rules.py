"""The findings on the input of a network: entries that are constant, large, small or unread, padding, and swapped axes."""

from collections.abc import Iterator

import numpy as np

from core.arrays import Array
from core.model_diagnosis.direction_run import DirectionRun, over_all
from core.model_diagnosis.finding import NUMBER, WARNING, ModelFinding, finding_on, is_zero, units_of
from core.model_diagnosis.thresholds import (
    CERTAIN_ORDER,
    FEW_NEIGHBOURS,
    FEWEST_STEPS,
    FRACTION_OF_PADDING,
    LARGE_Z,
    SAME,
    UNRELATED,
    USUAL_INPUT,
    ZERO,
)


def _inputs(run: DirectionRun) -> Iterator[ModelFinding]:
    if run.layer or run.direction or run.T < FEWEST_STEPS:
        return
    xs = over_all(run.xs)
    still = np.ptp(xs, axis=1) <= SAME * np.abs(xs).max(axis=1)
    if still.any():
        # A text has not every letter of its alphabet.
        code, level = ("absent input", NUMBER) if run.is_one_hot else ("constant input", WARNING)
        values = xs[still, 0]
        numbers = {"lowest": float(values.min()), "highest": float(values.max())}
        yield finding_on(
            run, code, level, symbol="x_t", units=units_of(still), value=float(still.sum()), numbers=numbers
        )
    W_x = np.concatenate(list(run.of_input.values()))
    sizes = np.sqrt((xs**2).mean(axis=1))
    large = sizes > run.thresholds.large_input
    product = float(np.median(np.abs(W_x @ xs)))
    if large.any() and product > LARGE_Z:
        yield finding_on(
            run,
            "large input",
            bound="large_input",
            symbol="x_t",
            units=units_of(large),
            value=float(sizes.max()),
            numbers={"product": product},
        )
    moves = float(np.ptp(W_x @ xs, axis=1).max())
    is_small = bool(sizes.max() < USUAL_INPUT)
    if not still.all() and not is_zero(W_x) and moves < run.thresholds.small_input and is_small:
        yield finding_on(
            run,
            "small input",
            bound="small_input",
            symbol="x_t",
            value=moves,
            numbers={"root mean square": float(sizes.max())},
        )
    unread = np.abs(W_x).max(axis=0) < ZERO
    if unread.any() and not unread.all():
        yield finding_on(run, "unread input", symbol="x_t", units=units_of(unread), value=float(unread.sum()))


def _at_end(which: Array) -> Array:
    """Return the number of steps at the end of each sequence, from the last one back, that are true in an array of shape (T, B)."""
    return np.logical_and.accumulate(which[::-1]).sum(axis=0)


def _padding(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if sequences end after different numbers of steps, and steps of 0 follow, or many steps of one token."""
    if run.layer or run.direction or run.T < FEWEST_STEPS:
        return
    if run.reads_indices:
        code, last = "padded tokens", run.xs[-1]
        padding = last[:, [_at_end((run.xs == last).all(axis=1)).argmax()]]
    else:
        code, padding = "padded input", np.zeros((run.xs.shape[1], 1))
    is_padding = (run.xs == padding).all(axis=1)
    after = _at_end(is_padding)
    if run.reads_indices:
        is_padded = after.min() < run.T and after.max() >= max(FEWEST_STEPS, FRACTION_OF_PADDING * run.T)
    else:
        # As many steps of 0 at each end may belong to the task.
        is_padded = len(np.unique(after)) > 1 and after.max() > 1
    # Such a step before the end may belong to the task, too.
    if is_padded and (is_padding.sum(axis=0) == after).all():
        numbers = {"padded": float((after > 0).sum()), "sequences": float(len(after)), "steps": float(run.T)}
        yield finding_on(run, code, symbol="x_t", value=float(after.max()), numbers=numbers)


def _correlation(values: Array, lag: int) -> float:
    """Return the correlation of numbers whose mean is about 0 with those so many places before them along the first axis."""
    later, earlier = values[lag:].ravel(), values[:-lag].ravel()
    size = float(np.linalg.norm(later) * np.linalg.norm(earlier))
    return float(later @ earlier) / size if size else 0.0


def _axes(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if neighbouring sequences are alike and neighbouring steps are not, as in an array with the batch first.

    The sequences of a batch have no order, so their neighbours are no more alike than others.
    """
    if run.layer or run.direction or min(run.T, run.xs.shape[2]) < FEWEST_STEPS:
        return
    # Without what all sequences share, such as the marker of a step.
    xs = run.xs - run.xs.mean(axis=2, keepdims=True)
    of_steps = max((_correlation(xs, lag) for lag in (1, 2, 3)), key=abs)
    sequences = np.moveaxis(xs, 2, 0)
    of_sequences = _correlation(sequences, 1)
    if abs(of_steps) > UNRELATED or of_sequences < run.thresholds.sequences:
        return
    rows = sequences.reshape(len(sequences), -1)
    pairs = rows @ rows.T
    norms = np.maximum(np.linalg.norm(rows, axis=1), ZERO)
    # In groups, such as noisy copies, the sequences on the two sides of a border are not alike.
    if np.quantile(np.diag(pairs, 1) / (norms[1:] * norms[:-1]), FEW_NEIGHBOURS) < UNRELATED:
        return
    others = pairs[np.triu_indices(len(pairs), 1)]
    # Neighbours against all pairs, in standard deviations of the mean that another order of the sequences would have.
    order = (np.diag(pairs, 1).mean() - others.mean()) * np.sqrt(len(pairs) - 1) / others.std()
    if order > CERTAIN_ORDER:
        numbers = {"steps alike": of_steps, "order": float(order)}
        yield finding_on(run, "swapped axes", bound="sequences", symbol="x_t", value=of_sequences, numbers=numbers)


RULES_OF_INPUT = (_inputs, _padding, _axes)
