"""The findings on how a file was written: gates in another order, transposed, swapped or copied weights, a common sign,
lost biases, and rounding."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.arrays import Array
from core.model_diagnosis.direction_run import DirectionRun
from core.model_diagnosis.finding import ModelFinding, finding_on, is_zero
from core.model_diagnosis.initial_weights import ALL, FEWEST_WEIGHTS, is_orthogonal, start_of
from core.model_diagnosis.thresholds import (
    BY_CHANCE,
    CLEARLY_MORE,
    FEWEST_LEVELS,
    FEWEST_UNITS,
    LARGER_WEIGHTS,
    MOST_LEVELS,
    OFF_GRID,
    WEAK_PATTERN,
)


def _correlations(matrices: Sequence[Array]) -> Array:
    """Return the correlations of the entries of matrices, 0 where all entries of one are the same."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(np.corrcoef([W.ravel() for W in matrices]))


def _alignment(grams: Sequence[Array]) -> float:
    """Return the mean correlation of the entries off the diagonals, over all pairs of matrices."""
    off = ~np.eye(len(grams[0]), dtype=bool)
    table = _correlations([gram[off] for gram in grams])
    return float(table[np.triu_indices(len(grams), 1)].mean())


def _centered(values: Array) -> Array:
    """Return values minus their mean, which is exactly 0 for equal values."""
    from_first = values - values[:1]
    return from_first - from_first.mean() if len(values) else values


def _centered_blocks(run: DirectionRun) -> tuple[dict[str, Array], dict[str, Array]]:
    """Return the recurrent weights between different units, with a diagonal of 0, and the input weights, by block.

    Both are minus their mean, because weights of another mean than 0 agree without any training.
    """
    off = ~np.eye(run.k, dtype=bool)
    of_h = {name: np.zeros_like(W) for name, W in run.recurrent.items()}
    for name, W in run.recurrent.items():
        of_h[name][off] = _centered(W[off])
    return of_h, {name: _centered(W.ravel()).reshape(W.shape) for name, W in run.of_input.items()}


def _offset(W: Array) -> float:
    """Return how far the mean of the recurrent weights between different units is from 0, in standard deviations from chance."""
    off = W[~np.eye(len(W), dtype=bool)]
    size = float(np.linalg.norm(off))
    return float(off.sum()) / size if size else 0.0


def _has_common_sign(run: DirectionRun) -> bool:
    """Whether the recurrent weights of all blocks have a mean of the same sign, far from 0.

    If h_t of a unit and its candidate change their signs, the network computes the same. So training has no reason to give all
    weights one sign. Blocks that start so look alike for another reason than their gates.
    """
    # The one block of an RNN can have such a mean in a sound network.
    if len(run.recurrent) < 2 or len(run.distinct_units) < FEWEST_UNITS:
        return False
    offsets = [_offset(W) for W in run.recurrent.values()]
    return min(offsets) > run.thresholds.certain or max(offsets) < -run.thresholds.certain


def _common_sign(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if the weights seem to have started from a constant or from numbers of one sign."""
    if _has_common_sign(run):
        positive = [float((W > 0).mean()) for W in run.recurrent.values()]
        yield finding_on(run, "common sign", bound="certain", value=max(min(positive), 1 - max(positive)))


def _orientation(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if the blocks agree more in their rows than in their columns.

    All blocks read the same state, so training aligns their columns more than their rows. If it is the other way round, the
    matrices are transposed.
    """
    # The one block of an RNN could be compared with its input weights only, and those agree with its rows in some sound networks.
    count, units = len(run.recurrent), len(run.distinct_units)
    if count < 2 or units < FEWEST_UNITS or any(map(is_zero, run.recurrent.values())) or _has_common_sign(run):
        return
    # The rows of copied units agree in every block, without any transposition.
    blocks = [W[run.distinct_units] for W in _centered_blocks(run)[0].values()]
    rows, columns = _alignment([W @ W.T for W in blocks]), _alignment([W.T @ W for W in blocks])
    # The correlation of two independent matrices with so many units, over all pairs of blocks.
    chance = 2 / np.sqrt(units * (units - 1) * count * (count - 1))
    least = max(2 * run.thresholds.transposed, run.thresholds.certain * chance)
    if rows > least and rows - columns > run.thresholds.transposed:
        numbers = {"columns": columns}
        yield finding_on(run, "transposed recurrence", bound="transposed", value=rows, numbers=numbers)


def _signs(recurrent: Mapping[str, Array], of_input: Mapping[str, Array]) -> dict[frozenset[str], float]:
    """Return how far the rows of each pair of blocks agree in sign, in standard deviations from chance, by their names.

    If h_t of a unit and its candidate change their signs, the network computes the same. So the sign of a candidate's row is that of
    its start, and random beside the row of a gate. The rows of two gates have no such freedom, and training makes them agree.
    """
    blocks = {
        name: np.hstack([W_h * (1 - np.eye(len(W_h))), W_x])
        for (name, W_h), W_x in zip(recurrent.items(), of_input.values(), strict=True)
    }
    names, signs = list(blocks), {}
    for at, first in enumerate(names):
        for second in names[:at]:
            products = (blocks[first] * blocks[second]).sum(axis=1)
            size = float(np.linalg.norm(products))
            signs[frozenset((first, second))] = float(products.sum()) / size if size else 0.0
    return signs


def _swapped_update(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if the reset gate and the update gate of a GRU are in each other's places.

    The reset gate multiplies W_hh h + b_hh. So training changes a row of its weights like that row of W_hh if this sum is positive,
    and the other way round if it is negative. On average the sum has the sign of b_hh. The update gate has no such pattern.
    """
    blocks = run.cell.LAYOUT.blocks if run.cell.LAYOUT else ()
    inner = next((bias for *_, bias in blocks if bias), None)
    if inner is None or run.k < FEWEST_UNITS or any(map(is_zero, run.recurrent.values())) or _has_common_sign(run):
        return
    update = next(each.W_h for each in run.cell.PRE_ACTIVATIONS.values() if each.b == run.carrying_bias)
    reset = next(name for name in run.recurrent if name not in (update, run.candidate_weights))
    of_h, of_x = _centered_blocks(run)
    joined = {gate: np.hstack([of_h[gate], from_x]) for gate, from_x in zip(of_h, of_x.values(), strict=True)}

    def pattern(gate: str) -> float:
        products = (joined[gate] * joined[run.candidate_weights]).sum(axis=1) * np.sign(run.arrays[inner][:, 0])
        size = float(np.linalg.norm(products))
        return float(products.sum()) / size if size else 0.0

    of_update, of_reset = pattern(update), pattern(reset)
    ratio = float(np.linalg.norm(run.recurrent[reset]) / np.linalg.norm(run.recurrent[update]))
    # The update gate has the larger weights in nearly all trained networks.
    if of_update > run.thresholds.pattern and of_reset < WEAK_PATTERN and ratio > LARGER_WEIGHTS:
        numbers = {"reset": of_reset, "ratio of the gates": ratio}
        yield finding_on(run, "swapped update gate", bound="pattern", symbol=reset, value=of_update, numbers=numbers)


def _misplaced_candidate(run: DirectionRun) -> ModelFinding | None:
    """Return a finding if the signs in the place of the candidate are those of a gate, and those of another block are free."""
    if len(run.recurrent) < 3 or any(map(is_zero, run.recurrent.values())):
        return None
    signs, name = _signs(run.recurrent, run.of_input), run.candidate_weights
    largest = {block: max(abs(value) for pair, value in signs.items() if block in pair) for block in run.recurrent}
    free = min(largest, key=largest.__getitem__)
    if free == name or largest[free] > BY_CHANCE or largest[name] < run.thresholds.signs:
        return None
    # With free signs, the mean of the weights is close to 0.
    if abs(_offset(run.recurrent[free])) > BY_CHANCE:
        return None
    numbers = {"chance": largest[free]}
    return finding_on(run, "misplaced candidate", bound="signs", symbol=free, value=largest[name], numbers=numbers)


def _reading_alike(run: DirectionRun) -> tuple[float, float]:
    """Return how far units that write alike are read alike, in standard deviations from chance: by W_h, and by W_x in its place.

    Two units with similar rows of the candidate have similar h_t, so training changes their columns of the recurrent weights
    alike. A change of the signs of h_t and of the candidate does not matter, because it changes a row and a column.
    """
    recurrent, of_input = _centered_blocks(run)
    pairs = np.triu_indices(run.k, 1)
    name = run.candidate_weights
    rows = np.hstack([recurrent[name], of_input[list(of_input)[list(recurrent).index(name)]]])
    written = (rows @ rows.T)[pairs]
    read = [np.concatenate(list(blocks.values())) for blocks in (recurrent, of_input)]
    of_h, of_x = (float(_correlations([written, (W.T @ W)[pairs]])[0, 1] * np.sqrt(len(written))) for W in read)
    return of_h, of_x


def _swapped(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if the recurrent weights are in the place of the input weights, and the other way round."""
    if run.k < FEWEST_UNITS or run.input_weights.shape[1] != run.k:
        return
    of_h, of_x = _reading_alike(run)
    if of_x > run.thresholds.certain and of_h <= BY_CHANCE:
        yield finding_on(run, "swapped weights", bound="certain", value=of_x, numbers={"recurrent": of_h})


def _gate_order(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if the gates are in another order than usual.

    Either a gate is in the place of the candidate, or other gates of an LSTM than its input and output gates agree most.
    """
    if _has_common_sign(run):
        return
    if found := _misplaced_candidate(run):
        yield found
        return
    if run.k < FEWEST_UNITS or any(map(is_zero, run.recurrent.values())) or not (usual := _usual_pair(run)):
        return
    names = list(run.recurrent)
    of_h, of_x = (_by_pair(names, list(blocks.values())) for blocks in (run.recurrent, run.of_input))
    first, second = sorted(of_h, key=of_h.__getitem__, reverse=True)[:2]
    if first == usual or of_h[first] < run.thresholds.correlation or of_h[first] - of_h[second] < CLEARLY_MORE:
        return
    # A task can align other gates too, which the input weights then show. No task aligns a candidate, because its signs are free.
    if run.candidate_weights not in first and of_x[usual] > of_x[first]:
        return
    name = next(name for name in names if name in first - usual)
    numbers = {"usual": of_h[usual]}
    yield finding_on(run, "unusual gate order", bound="correlation", symbol=name, value=of_h[first], numbers=numbers)


def _usual_pair(run: DirectionRun) -> frozenset[str]:
    """Return the recurrent weights of an LSTM's input and output gates by name; nothing for another cell."""
    bias = run.carrying_bias
    if bias is None or run.cell.ARRAYS[bias].offset_param != "forget_bias":
        return frozenset()
    return frozenset(each.W_h for each in run.cell.PRE_ACTIVATIONS.values() if each.b != bias) - {run.candidate_weights}


def agrees_with_usual_order(run: DirectionRun, bias: str) -> bool:
    """Whether the place of a bias is that of an input or output gate, and these two agree most in the input weights of a trained layer.

    Then a large median bias there is not a forget bias. Swapped weights count as the usual order, because they say nothing about the gates.
    """
    if any(_swapped(run)):
        return True
    usual = _usual_pair(run)
    gates = {each.b: each.W_h for each in run.cell.PRE_ACTIVATIONS.values() if each.W_h != run.candidate_weights}
    # At their start, weights show nothing of their gates, but biases do.
    if gates.get(bias) not in usual or start_of(run) in (ALL, None) or all(map(is_orthogonal, run.recurrent.values())):
        return False
    of_x = _by_pair(list(run.recurrent), list(run.of_input.values()))
    return of_x[usual] > of_x[frozenset(gates.values()) - {gates[bias]}]


def _by_pair(names: Sequence[str], matrices: Sequence[Array]) -> dict[frozenset[str], float]:
    """Return the correlation of each pair of matrices by their names."""
    table = _correlations(matrices)
    return {frozenset((names[i], names[j])): float(table[i, j]) for i in range(len(names)) for j in range(i)}


def _shows_training(run: DirectionRun) -> bool:
    """Whether the signs of two gates agree, or the similarities of units by their recurrent and by their input weights.

    Weights that are sampled independently have neither, whatever the distribution and the mean of each block are.
    """
    recurrent, of_input = _centered_blocks(run)
    if max(map(abs, _signs(recurrent, of_input).values()), default=0) > run.thresholds.signs:
        return True
    off = np.triu_indices(run.k, 1)
    rows = [np.hstack(list(blocks.values())) for blocks in (recurrent, of_input)]
    similarities = [(W @ W.T)[off] for W in rows]
    return bool(_correlations(similarities)[0, 1] > run.thresholds.certain / np.sqrt(len(off[0])))


def _lost_biases(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if a trained layer has biases, and all of them are 0."""
    if not (run.has_bias and run.biases) or run.k < FEWEST_UNITS:
        return
    if all(map(is_zero, run.biases.values())) and _shows_training(run):
        yield finding_on(run, "lost biases", value=0.0)


def levels(values: Array) -> int | None:
    """Return the number of levels of the grid through 0 on which numbers lie; None if they lie on none, or are too few to say."""
    found = np.unique(np.append(values, 0.0))
    gaps = np.diff(found)
    # In float32, a level has several neighbouring numbers.
    apart = gaps[gaps > 1e-5 * np.abs(found).max()]
    if len(apart) + 1 < FEWEST_LEVELS:
        return None
    places = found / apart.min()
    count = int(np.rint(places[-1]) - np.rint(places[0])) + 1
    is_grid = bool(np.abs(places - np.rint(places)).max() < OFF_GRID)
    return count if is_grid and count <= MOST_LEVELS else None


def _rounded(run: DirectionRun) -> Iterator[ModelFinding]:
    """Yield a finding if the recurrent weights, or those of each unit, lie on a grid, as after quantization to 8 bits."""
    if run.k >= FEWEST_UNITS and (count := _levels_of(run.recurrent_weights)):
        bits = float(np.ceil(np.log2(count)))
        yield finding_on(run, "rounded weights", value=float(count), numbers={"bits": bits})


def _levels_of(W: Array) -> int | None:
    """Return the levels of a matrix, or the most of its rows; None if one of them lies on no grid."""
    # A few rows of a large matrix tell that it lies on none.
    if len(np.unique(W[:8])) <= MOST_LEVELS and (whole := levels(W)):
        return whole
    most = 0
    for row in W:
        count = levels(row)
        if count is None:
            return None
        most = max(most, count)
    return most


def same_weights(runs: Sequence[DirectionRun]) -> Iterator[ModelFinding]:
    """Yield a finding for each direction whose recurrent weights are those of an earlier direction or layer."""
    for at, run in enumerate(runs):
        W = run.recurrent_weights
        other = next((each for each in runs[:at] if np.array_equal(each.recurrent_weights, W)), None)
        if other and len(np.unique(W)) >= FEWEST_WEIGHTS:
            yield finding_on(run, "same weights", value=float(W.size), other=(other.layer, other.direction))


RULES_OF_CONVERSION = (_common_sign, _swapped, _orientation, _gate_order, _swapped_update, _lost_biases, _rounded)
