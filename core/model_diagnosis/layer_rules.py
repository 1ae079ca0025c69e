"""The findings on a recurrent layer over real inputs: a code, the units and steps concerned, and the numbers that prove it.

References
----------
Karpathy, Johnson and Li, "Visualizing and understanding recurrent networks", arXiv:1506.02078 (2015): gates that are left or
right saturated. Jozefowicz, Zaremba and Sutskever, "An empirical exploration of recurrent network architectures", ICML 2015: the
forget bias.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.arrays import Array
from core.model_diagnosis.conversion_rules import RULES_OF_CONVERSION, agrees_with_usual_order, same_weights
from core.model_diagnosis.direction_run import DirectionRun, over_all
from core.model_diagnosis.finding import NUMBER, WARNING, ModelFinding, finding_on, is_zero, units_of
from core.model_diagnosis.initial_weights import ALL, RECURRENT, start_of
from core.model_diagnosis.input_rules import RULES_OF_INPUT
from core.model_diagnosis.sampled_gains import horizon
from core.model_diagnosis.thresholds import (
    EXACT_RADIUS,
    FEWEST_STEPS,
    FEWEST_UNITS,
    LARGEST_FORGET_BIAS,
    LARGEST_OF_FLOAT16,
    MEAN_OF_FORGETTING,
    PART,
    PRODUCTS,
    STANDS_OUT,
    ZERO,
)
from core.saturation import relative_derivative
from core.sequence import bptt

# By code, worst first, and a cause before its effects: a constant input or large weights can saturate gates and units.
ORDER = (
    *(
        "zeroed layer",
        "zeroed block",
        "small recurrence",
        "common sign",
        "swapped gates",
        "misplaced candidate",
        "swapped update gate",
        "unusual gate order",
        "transposed recurrence",
        "swapped weights",
        "same weights",
        "lost biases",
        "sparse recurrence",
        "low rank",
        "low rank block",
        "unread units",
        "constant input",
        "padded input",
        "padded tokens",
        "swapped axes",
        "large input",
        "small input",
        "large recurrence",
    ),
    *(
        "copied units",
        "float16",
        "exploding",
        "outlying eigenvalue",
        "forget bias low",
        "gate stuck closed",
        "gate stuck open",
        "stuck gates",
        "dead units",
    ),
    *(
        "constant units",
        "unread input",
        "untrained layer",
        "untrained recurrence",
        "untrained backward recurrence",
        "rounded weights",
    ),
)


def findings(runs: Sequence[DirectionRun]) -> list[ModelFinding]:
    """Return the findings on all directions, worst first, and then the numbers."""
    found = [finding for run in runs for rule in RULES for finding in rule(run)]
    starts = [(run, start_of(run)) for run in runs if not _is_zeroed(run)]
    judged = [(run, start) for run, start in starts if start is not None]
    # Without a trained layer beside it, this is a network before its training, and no fault.
    is_network = all(start == ALL for _, start in judged)
    of_all = ("initial weights", NUMBER) if is_network else ("untrained layer", WARNING)
    first, last = [], max((run.layer for run in runs), default=0)
    for run, start in judged:
        if start == RECURRENT:
            # output[-1] holds the first step of a backward direction, where no state has arrived. A layer above reads all steps.
            is_output = run.direction and run.layer == last
            code = "untrained backward recurrence" if is_output else "untrained recurrence"
            first.append(finding_on(run, code, value=float(np.abs(run.recurrent_weights).max())))
        elif start == ALL:
            first.append(finding_on(run, *of_all, value=float(np.abs(run.weights).max())))
    # It explains the other numbers, so it stands above them.
    return sorted(
        [*first, *same_weights(runs), *found],
        key=lambda finding: ORDER.index(finding.code) if finding.code in ORDER else len(ORDER),
    )


# ---- weights -------------------------------------------------------------------------------------


def _is_zeroed(run: DirectionRun) -> bool:
    """Whether all weights are 0, so that all else on the layer follows from it."""
    return all(map(is_zero, (*run.recurrent.values(), *run.of_input.values())))


def estimate_spectral_radius(W: Array) -> float:
    """Return `bptt.spectral_radius`; for a large matrix, an estimate from the growth of products."""
    if len(W) <= EXACT_RADIUS:
        return bptt.spectral_radius(W)
    v, logs = np.random.default_rng(0).standard_normal((len(W), 4)), []
    for _ in range(PRODUCTS):
        v = W @ v
        norm = np.linalg.norm(v)
        if norm == 0:
            return 0.0
        logs.append(np.log(norm))
        v /= norm
    return float(np.exp(np.mean(logs[PRODUCTS // 2 :])))


def size(W: Array) -> float:
    """Return the root mean square gain over all directions."""
    return float(np.linalg.norm(W) / np.sqrt(len(W)))


def _zeroed(run: DirectionRun) -> Iterator[ModelFinding]:
    if _is_zeroed(run):
        yield finding_on(run, "zeroed layer")
        return
    for name, W in (*run.recurrent.items(), *run.of_input.items()):
        if is_zero(W):
            yield finding_on(run, "zeroed block", symbol=name)


def _recurrent_gain(run: DirectionRun) -> float:
    """Return the median over the blocks of the root mean square gain."""
    return float(np.median([size(block) for block in run.recurrent.values()]))


def _is_sparse(run: DirectionRun) -> bool:
    return run.k >= FEWEST_UNITS and run.fraction_of_zeros > run.thresholds.sparse


def _sparse(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if many recurrent weights are 0 here and there, as dropout leaves them."""
    if _is_sparse(run):
        value = float((np.abs(run.recurrent_weights) < ZERO).mean())
        yield finding_on(run, "sparse recurrence", bound="sparse", value=value)


def _recurrence(run: DirectionRun) -> Iterator[ModelFinding]:
    bounds, name = run.thresholds, run.candidate_weights
    W = run.recurrent[name]
    gain = _recurrent_gain(run)
    stds = [float(np.std(np.concatenate(list(blocks.values())))) for blocks in (run.recurrent, run.of_input)]
    ratio = stds[0] / stds[1] if stds[1] else np.inf
    radius = estimate_spectral_radius(W)
    yield finding_on(run, "radius", NUMBER, symbol=name, value=radius)
    distance = float(np.linalg.norm(W.T @ W - np.eye(len(W))) / np.sqrt(len(W)))
    yield finding_on(run, "orthogonality", NUMBER, symbol=name, value=distance)
    # Dropout enlarges the weights that it keeps.
    if _is_sparse(run):
        return
    # The recurrent weights of a trained cell grow as well, but then its input weights have grown too.
    if gain > bounds.alone or (gain > bounds.recurrence and ratio > bounds.ratio):
        bound = "alone" if gain > bounds.alone else "recurrence"
        yield finding_on(run, "large recurrence", bound=bound, value=gain, numbers={"ratio": ratio, "radius": radius})
    elif radius > bounds.radius and radius > STANDS_OUT * size(W):
        units = _largest_parts(_leading_direction(W))
        yield finding_on(
            run,
            "outlying eigenvalue",
            bound="radius",
            symbol=name,
            units=units,
            value=radius,
            numbers={"size": size(W)},
        )


def _collapsed(run: DirectionRun) -> bool:
    """Whether the recurrent weights are so small that a state hardly reaches the next step."""
    return not is_zero(run.recurrent_weights) and _recurrent_gain(run) < run.thresholds.small_recurrence


def _small_recurrence(run: DirectionRun) -> Iterator[ModelFinding]:
    if _collapsed(run):
        yield finding_on(run, "small recurrence", bound="small_recurrence", value=_recurrent_gain(run))


def rank(W: Array, least: float) -> int:
    """Return the number of singular values above a fraction of the largest one."""
    squares = np.linalg.eigvalsh(W.T @ W)
    return int((squares > least**2 * squares[-1]).sum())


def _distinct_units(run: DirectionRun) -> int:
    """Return how many units differ in their weights or biases; all of them if the steps are too few to find copied units."""
    return run.k if run.T < FEWEST_STEPS else len(run.distinct_units)


def _ranks_and_unread_units(run: DirectionRun) -> Iterator[ModelFinding]:
    # The columns and ranks of a sparse matrix are what chance left.
    if _collapsed(run) or is_zero(run.recurrent_weights) or _is_sparse(run):
        return
    unread = np.abs(run.recurrent_weights).max(axis=0) < ZERO
    if unread.any():
        yield finding_on(run, "unread units", symbol="h_t", units=units_of(unread), value=float(unread.sum()))
    # Half as many as there are columns to read. A trained matrix keeps the full rank of its start.
    most = (run.k - int(unread.sum())) // 2
    ranks = {name: rank(W, run.thresholds.rank) for name, W in run.recurrent.items() if not is_zero(W)}
    low = {name: each for name, each in ranks.items() if each <= most}
    # Copied units are a finding of their own, and lower the rank of all blocks.
    distinct = _distinct_units(run) if low else run.k
    low = {name: each for name, each in low.items() if each <= distinct // 2}
    if len(low) == len(ranks) > 1:
        yield finding_on(run, "low rank", bound="rank", value=float(max(low.values())))
        return
    for name, each in low.items():
        yield finding_on(run, "low rank block", bound="rank", symbol=name, value=float(each))


def _leading_direction(W: Array) -> Array:
    """Return the magnitudes of the direction that many products with W leave."""
    v = np.random.default_rng(0).standard_normal(len(W))
    for _ in range(PRODUCTS):
        v = W @ v
        v /= np.linalg.norm(v) or 1
    return np.abs(v)


def _largest_parts(direction: Array) -> tuple[int, ...]:
    return units_of(direction >= PART * direction.max())


def _biases(run: DirectionRun) -> Iterator[ModelFinding]:
    name, bounds = run.carrying_bias, run.thresholds
    if name is None or _is_zeroed(run):
        return
    medians = {bias: float(np.median(values)) for bias, values in run.biases.items()}
    carried = medians[name]
    extremes = {"lowest": float(run.biases[name].min()), "highest": float(run.biases[name].max())}
    yield finding_on(run, "forget bias", NUMBER, symbol=name, value=carried, numbers=extremes)
    # The update gate of a GRU has no such start, and a trained one may well forget.
    if run.cell.ARRAYS[name].offset_param != "forget_bias":
        return
    mean = float(getattr(run.trace, run.carrying_gate or "").mean())
    # The inputs may open the gate in spite of its bias.
    if carried < bounds.forget_bias and mean < MEAN_OF_FORGETTING:
        numbers = extremes | {"mean": mean}
        yield finding_on(run, "forget bias low", bound="forget_bias", symbol=name, value=carried, numbers=numbers)
    for other in medians.keys() - {name}:
        median = medians[other]
        alike = np.mean(run.biases[other] > bounds.swapped / 2) >= 0.9
        rest = max(abs(value) for bias, value in medians.items() if bias != other)
        if (
            alike
            and bounds.swapped < median < LARGEST_FORGET_BIAS
            and rest < median / 2
            and not agrees_with_usual_order(run, other)
        ):
            numbers = {"forget bias": carried, "largest of the others": rest}
            yield finding_on(run, "swapped gates", bound="swapped", symbol=other, value=median, numbers=numbers)


# ---- gates and units -----------------------------------------------------------------------------


def _gates(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding for each gate that is stuck as a whole, and one for all gates that are stuck in some units only."""
    bounds = run.thresholds
    if run.T < FEWEST_STEPS or _is_zeroed(run):
        return
    in_units: list[ModelFinding] = []
    for symbol, gate in run.gates.items():
        values = over_all(getattr(run.trace, symbol))
        for code, fraction, frozen in (
            ("gate stuck closed", gate.closed, (values < bounds.frozen).all(axis=1)),
            ("gate stuck open", gate.open, (values > 1 - bounds.frozen).all(axis=1)),
        ):
            stuck: Any = fraction >= bounds.stuck
            # Memory is an open gate, so only one that never forgets at all is a finding.
            is_memory = code == "gate stuck open" and symbol == run.carrying_gate
            is_whole = stuck.mean() >= bounds.stuck_units and not is_memory
            stuck = stuck if is_whole else frozen
            if not stuck.any():
                continue
            found = finding_on(
                run,
                code,
                bound="stuck" if is_whole else "frozen",
                symbol=symbol,
                units=units_of(stuck),
                value=float(fraction[stuck].mean()),
                numbers={"mean": float(values[stuck].mean())},
            )
            if is_whole:
                yield found
            else:
                in_units.append(found)
    # One cause, such as a large input, sticks units of every gate, some open and some closed.
    yield from in_units if len(in_units) < 2 else [_together(run, in_units)]


def _together(run: DirectionRun, found: Sequence[ModelFinding]) -> ModelFinding:
    """Return one finding for several gates that are stuck in some units."""
    count = Counter(unit for one in found for unit in one.units)
    units = tuple(sorted(count, key=lambda unit: (-count[unit], unit)))
    parts = tuple(sorted(found, key=lambda one: -len(one.units)))
    return finding_on(run, "stuck gates", bound="frozen", units=units, value=float(len(units)), parts=parts)


def _units_of_h(run: DirectionRun) -> Iterator[ModelFinding]:
    bounds, T = run.thresholds, run.T
    if T < FEWEST_STEPS or _is_zeroed(run):
        return
    h = over_all(run.trace.h_t)
    z, g = run.cell.activated(run.params)[run.candidate]
    slopes = relative_derivative(over_all(getattr(run.trace, z)), g).max(axis=1)
    largest = np.abs(h).max(axis=1)
    # Small inputs move all units little, and none of them is to blame.
    moved = np.ptp(h, axis=1)
    least = bounds.moves * min(1.0, float(moved.max()))
    dead = (slopes < bounds.slope) | (largest < least) | (largest == 0)
    if dead.any():
        numbers = {"slope": float(slopes[dead].min()), "largest": float(largest[dead].max())}
        yield finding_on(
            run,
            "dead units",
            bound="slope",
            symbol=run.candidate,
            units=units_of(dead),
            value=float(dead.sum()),
            numbers=numbers,
        )
    # The first steps leave the initial state, by far more than small inputs move a unit.
    later = np.ptp(over_all(run.trace.h_t[T // 4 :]), axis=1)
    still = (later <= bounds.moves * min(1.0, float(later.max()))) & ~dead
    if still.any():
        yield finding_on(
            run,
            "constant units",
            bound="moves",
            symbol="h_t",
            units=units_of(still),
            steps=(T // 4 + 1, T),
            value=float(still.sum()),
            numbers={"range": float(later[still].max())},
        )
    yield from _copied(run, h, ~(dead | still), bounds.copied * min(1.0, float(moved.max())))


def _copied(run: DirectionRun, h: Array, moving: Array, same: float) -> Iterator[ModelFinding]:
    places = np.flatnonzero(moving)
    # Equal rows are neighbours in the order of one projection, so that not all pairs are compared.
    places = places[np.argsort(h[places] @ np.random.default_rng(0).standard_normal(h.shape[1]), kind="stable")]
    distances = np.abs(np.diff(h[places], axis=0)).max(axis=1, initial=0)
    groups = np.split(places, np.flatnonzero(distances >= same) + 1)
    for group in sorted(sorted(group.tolist()) for group in groups if len(group) > 1):
        units = tuple(unit + 1 for unit in group)
        largest = float(np.ptp(h[group], axis=0).max())
        yield finding_on(
            run,
            "copied units",
            bound="copied",
            symbol="h_t",
            units=units,
            value=float(len(units)),
            numbers={"difference": largest},
        )


def _memory(run: DirectionRun) -> Iterator[ModelFinding]:
    lives = run.half_lives
    if lives is None or run.T < FEWEST_STEPS:
        return
    numbers = {"shortest": float(lives.min()), "longest": float(lives.max())}
    yield finding_on(run, "memory", NUMBER, symbol=run.carrying_gate or "", value=run.median_half_life, numbers=numbers)


# ---- gradients, precision ------------------------------------------------------------------------


def _gains(run: DirectionRun) -> Iterator[ModelFinding]:
    gains, least = run.gains, run.thresholds.horizon
    distance = horizon(gains.logs, least)
    # Over one step, no gradient flows back.
    if run.T > 1:
        code = "horizon of the input" if distance == run.T - 1 else "horizon"
        yield finding_on(run, code, NUMBER, bound="horizon", value=float(distance))
    largest = 10 ** min(gains.largest, 300.0)
    if gains.largest > 0:
        yield finding_on(run, "largest gain", NUMBER, value=largest, steps=gains.steps)
    if largest > run.thresholds.gain:
        distance = gains.steps[1] - gains.steps[0]
        numbers = {"distance": float(distance), "each step": 10 ** min(gains.largest / distance, 300.0)}
        units = _largest_parts(gains.direction)
        yield finding_on(run, "exploding", bound="gain", units=units, steps=gains.steps, value=largest, numbers=numbers)


def _float16(run: DirectionRun) -> Iterator[ModelFinding]:
    # The state before a step is that after the one before it, and would only hide its name.
    steps_of = {name: values for name, values in run.trace._asdict().items() if not name.endswith("_prev")}
    sizes = {**steps_of, **run.arrays}
    largest = {name: float(np.abs(values).max(initial=0)) for name, values in sizes.items()}
    name = max(largest, key=largest.__getitem__)
    headroom = LARGEST_OF_FLOAT16 / largest[name] if largest[name] else np.inf
    numbers = {"largest": largest[name]}
    yield finding_on(run, "headroom", NUMBER, symbol=name, value=headroom, numbers=numbers)
    if headroom < run.thresholds.headroom:
        values = np.abs(sizes[name])
        rows = over_all(values) if values.ndim == 3 else values
        units = units_of(rows.max(axis=1) > LARGEST_OF_FLOAT16 / run.thresholds.headroom)
        at = int(np.argmax(values.reshape(len(values), -1).max(axis=1))) + 1
        steps = (at, at) if values.ndim == 3 else None
        yield finding_on(
            run, "float16", bound="headroom", symbol=name, units=units, steps=steps, value=headroom, numbers=numbers
        )


RULES = (
    *(_zeroed, _small_recurrence, _sparse, _recurrence, _ranks_and_unread_units, *RULES_OF_CONVERSION),
    *(_biases, _gates, _units_of_h, _memory, _gains, _float16, *RULES_OF_INPUT),
)
