"""Every sentence on a training is true: over random setups its code and its values are found again in another way."""

import re
import string
from collections import Counter
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.training import (
    CLIPS,
    OBSTACLE_OF,
    OBSTACLES,
    OPTIMISERS,
    RULES,
    STATES,
    TASKS,
    Learner,
    Recording,
    TrainingRun,
    TrainingSetup,
    changed,
    helped,
    measure,
    params_at,
    train,
    trainable,
    validation_set,
    verdict,
)
from core.training.measurements import NOTABLY_MORE_SATURATED, SATURATING_BIAS, Measurements
from core.training.thresholds import (
    EQUAL_UNITS,
    HIGHLY_SATURATED,
    LARGE_LOG_GAIN,
    LARGE_RATIO,
    LEARNED,
    NOTABLY_LOWER,
    SMALL_RATIO,
)
from dashboard.text import training, training_findings, training_wait, words
from dashboard.text.plural import fill
from tests.bench import diagnosis as bench
from tests.dashboard.page import Shown, open_link
from tests.sentences import pattern, says

COUNT = 60
OVERFLOWING = TrainingSetup("brackets", "RNN", g="relu", scale=3.0, optimiser="SGD", clip="none", updates=9)
# Training results that random setups seldom reach.
SELDOM = (
    TrainingSetup("parity", "RNN", k=8, T=10, scale=0.0, updates=20),
    TrainingSetup("parity", "LSTM", k=8, T=4, rate=0.05, updates=80),
    OVERFLOWING,
    replace(OVERFLOWING, clip="norm", clip_at=1e6),
    replace(OVERFLOWING, scale=10.0, k=32, T=100, init="normal"),
    TrainingSetup("echo", "RNN", k=8, scale=0.3, updates=20),
    TrainingSetup("echo", "LSTM", k=8, scale=0.3, forget_bias=0.0, updates=20),
    TrainingSetup("echo", "LSTM", init="normal", T=30, scale=4.0, rate=0.005, updates=20),
    TrainingSetup("echo", "RNN", g="sigmoid", updates=20),
    TrainingSetup("adding", "LSTM", optimiser="SGD", clip="value", clip_at=1e-5, updates=20),
    TrainingSetup("text", "LSTM", k=4, T=5, rate=1e-4, updates=50),
    TrainingSetup("sine", "LSTM", k=2, T=8, updates=40),
    bench.FAULTS["saturated-by-updates"],
    bench.FAULTS["unclipped"],
    bench.FAULTS["dead"],
    TrainingSetup("parity", "RNN", k=1, T=5, updates=300),
    TrainingSetup("parity", "RNN", k=1, T=20, updates=300),
    TrainingSetup("text", "LSTM", k=4, T=5, batch=4, rate=1e-3, updates=300),
)


@cache
def trained() -> list[Recording]:
    """Small trainings of every cell, task, optimiser, clip and start, from ones that learn to ones that overflow."""
    rng = np.random.default_rng(19)
    options: dict[str, tuple[Any, ...]] = {
        "k": (2, 8, 12),
        "T": (2, 6, 15, 25),
        "batch": (4, 16),
        "init": ("normal", "glorot", "orthogonal"),
        "scale": (0.05, 0.5, 1.0, 2.0, 5.0, 10.0),
        "forget_bias": (-5.0, 0.0, 1.0, 5.0),
        "g": tuple(ACTIVATIONS),
        "rate": (1e-6, 0.01, 0.05, 2.0),
        "clip_at": (0.01, 1.0, 10.0),
        "updates": (0, 12, 30, 40, 50, 60),
    }
    options |= {"cell": tuple(trainable()), "task": tuple(TASKS), "optimiser": tuple(OPTIMISERS), "clip": tuple(CLIPS)}
    drawn = [{name: values[rng.integers(len(values))] for name, values in options.items()} for _ in range(COUNT)]
    setups = [TrainingSetup(**choices, seed=seed) for seed, choices in enumerate(drawn)]
    assert all({choices[name] for choices in drawn} == {*values} for name, values in options.items())
    return [train(setup) for setup in (*setups, *SELDOM)]


def losses_of(recording: Recording) -> tuple[np.ndarray, float]:
    """The loss on the validation sequences in each frame, and of the best constant prediction, by their definitions."""
    return _losses_by_setup(recording.setup)


@cache
def _losses_by_setup(setup: TrainingSetup) -> tuple[np.ndarray, float]:
    recording = next(recording for recording in trained() if recording.setup == setup)
    batch, task = validation_set(recording.setup), TASKS[recording.setup.task]
    learner = Learner(recording.setup)

    def loss(y: np.ndarray) -> float:
        if task.loss == "squared":
            each = ((y - batch.targets) ** 2).sum(axis=1)
        else:
            shifted = y - y.max(axis=1, keepdims=True)
            each = np.log(np.exp(shifted).sum(axis=1)) - (shifted * batch.targets).sum(axis=1)
        return float(np.average(each.mean(axis=1), weights=batch.weights))

    found = []
    with np.errstate(over="ignore", invalid="ignore"):
        for frame in range(len(recording.updates)):
            h = learner.trace(params_at(recording, frame), batch.xs).h_t
            found.append(loss(recording.weights["W_y"][frame] @ h + recording.weights["b_y"][frame]))
    mean = np.average(batch.targets.mean(axis=2), axis=0, weights=batch.weights)[:, None]
    constant = mean if task.loss == "squared" else np.log(np.maximum(mean, 1e-300))
    return np.array(found), loss(np.broadcast_to(constant, batch.targets.shape))


def gain_of(recording: Recording, frame: int) -> float:
    """The gain from the last step back to the first in a frame, by products of the Jacobians, as a decimal logarithm."""
    cell: Any = CELLS[recording.setup.cell]
    learner, params = Learner(recording.setup), params_at(recording, frame)
    trace = learner.trace(params, validation_set(recording.setup).xs[..., :1])
    if not np.abs(trace.h_t).max() <= 1e30:
        return np.nan
    product, log_of_all = None, 0.0
    for J in cell.jacobian(params, trace)[1:]:
        product = J if product is None else J @ product
        size = np.abs(product).max()
        if size == 0:
            return -np.inf
        product, log_of_all = product / size, log_of_all + np.log10(size)
    return log_of_all + np.log10(np.linalg.norm(product) / np.sqrt(len(product)))


def saturated_of(recording: Recording, frame: int) -> dict[str, tuple[float, float]]:
    """The fraction near the lower end and near the upper end, of each activation with two ends, by its derivative."""
    cell: Any = CELLS[recording.setup.cell]
    params = params_at(recording, frame)
    trace = Learner(recording.setup).trace(params, validation_set(recording.setup).xs)
    found = {}
    for name, (z, g) in cell.activated(params).items():
        if np.isfinite(g.high):
            values = getattr(trace, z)
            flat = g.df(values) < 0.05 * g.max_df
            found[name] = (float(np.mean(flat & (values < 0))), float(np.mean(flat & (values > 0))))
    return found


def state_expected(recording: Recording) -> str:
    losses, constant = losses_of(recording)
    first, last = losses[0], losses[-1]
    if recording.stopped:
        return "diverged"
    if recording.setup.updates == 0:
        return "untrained"
    typical = typical_expected(losses)
    if min(last, typical) > 3 * first and min(last, typical) > 3 * constant:
        return "diverged"
    if last < LEARNED * first and last < LEARNED * constant:
        return "learned"
    if typical < NOTABLY_LOWER * first and typical < NOTABLY_LOWER * constant:
        return "learning"
    return "learning" if last < NOTABLY_LOWER * first and falls(losses) else "still"


def typical_expected(losses: np.ndarray) -> float:
    return sorted_middle(losses[-max(3, len(losses) // 10) :])


def sorted_middle(losses: np.ndarray) -> float:
    ordered, half = sorted(losses), (len(losses) - 1) // 2
    return (ordered[half] + ordered[len(losses) // 2]) / 2


def causes_expected(recording: Recording, state: str) -> list[str]:
    """The codes of the causes, worst first, from numbers computed here."""
    setup, losses = recording.setup, losses_of(recording)[0]
    start = saturated_of(recording, 0)
    gains = [gain_of(recording, 0), gain_of(recording, -1)]
    largest_gain = np.nanmax([*(gain_of(recording, frame) for frame in range(len(recording.updates))), -np.inf])
    closed = setup.cell == "LSTM" and setup.forget_bias < -SATURATING_BIAS
    open_gates = {name for name in ("f_t", "o_t") if setup.cell == "LSTM" and is_open_on_the_probe(recording, name)}
    harmful = max(
        (
            sum(ends)
            for name, ends in start.items()
            # c_t adds up over the steps, whatever the weights.
            if name not in open_gates | {"tanh_c_t"} | ({"f_t"} if closed else set())
        ),
        default=0,
    )
    at_once = bool(recording.stopped) and len(recording.norms) == 1 and not recording.norms[0] <= 1e30
    unclipped = setup.clip == "none" and setup.optimiser == "SGD" and unexplained_norm(recording)[0] > 20
    cut = int(np.sum(recording.norms[: len(recording.norms) - 1] > setup.clip_at))
    updates = updates_of(recording)
    is_small = setup.optimiser == "SGD" and bool(updates) and np.median(updates) < 1e-3
    below = losses[-1] / losses_of(recording)[1] if falls(losses) else np.inf
    longest = max(updates, default=0)
    jumps = setup.scale >= 0.5 and longest > LARGE_RATIO and (longest > 1 or not below < NOTABLY_LOWER)
    is_stuck = losses[-1] >= (NOTABLY_LOWER if falls(losses) else 0.5) * min(losses[0], losses_of(recording)[1])
    vanishes = is_stuck and setup.task in ("echo", "adding") and min(gains) < -LARGE_LOG_GAIN
    is_cut = setup.clip == "norm" and 2 * cut > setup.updates
    is_halved = setup.clip == "value" and np.mean(recording.clipped < 0.5 * recording.norm) > 0.5
    h_t = recording.symbols["h_t"][0].astype(float)
    unfinished, failed = state in ("still", "learning"), state in ("still", "learning", "diverged")
    best = np.nanmin(losses)
    was_lower = best < NOTABLY_LOWER * min(losses[0], losses[-1]) and not falls(losses)
    harms = jumps or was_lower or losses[-1] > 3 * max(losses[0], losses_of(recording)[1])
    is_relu = (setup.cell, setup.g) == ("RNN", "relu")
    dies = is_relu and inactive_of(recording, 0) < 0.99 < inactive_of(recording, -1)
    bursts = failed and not recording.stopped and unclipped and harms
    holds = {
        "overflow-at-once": at_once,
        "overflow-unclipped": bool(recording.stopped) and unclipped and not at_once,
        "overflow": bool(recording.stopped) and not at_once and not unclipped,
        "alike": state == "still" and setup.k > 1 and np.ptp(h_t, axis=1).max() < EQUAL_UNITS,
        "forget-gate-shut": state == "still" and closed,
        "saturated-at-start": unfinished and is_stuck and harmful > HIGHLY_SATURATED,
        "small-start": state == "still" and setup.scale < 0.5 and -np.inf < gains[0] < -0.5 * (setup.T - 1),
        "unclipped": bursts,
        "grew": state == "diverged" and not recording.stopped and not bursts,
        "jumps": unfinished and jumps and not bursts,
        "saturated-by-updates": unfinished
        and grows_saturated(recording)
        and setup.rate >= {"Adam": 0.1, "SGD": 1.0}[setup.optimiser]
        and not (falls(losses) or jumps or bursts or (is_stuck and harmful > HIGHLY_SATURATED)),
        "dead": unfinished and dies and not (jumps or vanishes),
        "exploding": failed
        and largest_gain > LARGE_LOG_GAIN
        and (not falls(losses) or gains[1] > LARGE_LOG_GAIN or (gains[0] > LARGE_LOG_GAIN and not below < 0.5)),
        "clip-decides": unfinished and is_small and is_cut,
        "entry-clip-decides": unfinished and is_small and is_halved,
        "hardly-moves": unfinished
        and bool(updates)
        and np.median(updates) < SMALL_RATIO
        and (setup.optimiser == "SGD" or setup.rate < 0.01)
        and not (jumps or bursts or dies or (is_small and (is_cut or is_halved))),
        "flat-activation": unfinished and vanishes and (setup.task, setup.cell, setup.g) == ("echo", "RNN", "sigmoid"),
        "vanishing": unfinished and vanishes and not (state == "still" and closed),
        "was-lower": failed and not recording.stopped and was_lower,
        "still-falling": state == "learning" and falls(losses) and not (jumps or bursts),
    }
    codes = [code for code, is_found in holds.items() if is_found]
    return codes or last_resort_expected(recording, state)


def inactive_of(recording: Recording, frame: int) -> float:
    """The fraction of values of h_t that are 0, on the validation sequences."""
    trace = Learner(recording.setup).trace(params_at(recording, frame), validation_set(recording.setup).xs)
    return float(np.mean(trace.h_t == 0))


def unexplained_norm(recording: Recording) -> tuple[float, int]:
    """The largest norm that the learning rate does not explain, and after how many updates it was."""
    if recording.setup.rate > {"Adam": 0.01, "SGD": 0.1}[recording.setup.optimiser]:
        return float(recording.norms[0]), 0
    norms = recording.norms.tolist()[: max(1, len(recording.norms) - 1)]
    return float(recording.norms[norms.index(max(norms))]), norms.index(max(norms))


def grows_saturated(recording: Recording) -> bool:
    start, end = saturated_of(recording, 0), saturated_of(recording, -1)
    return any(sum(end[name]) > sum(start[name]) + 0.5 for name in start)


def last_resort_expected(recording: Recording, state: str) -> list[str]:
    """The codes of the causes that are named only if there is no other one."""
    if state not in ("still", "learning"):
        return []
    setup, losses, updates = recording.setup, losses_of(recording)[0], updates_of(recording)
    few = ["few-updates"] if setup.updates < 300 else []
    usual_rate = {"Adam": 0.01, "SGD": 0.1}[setup.optimiser]
    is_lowest = losses[-1] == np.min(losses)
    creeps = ["creeps"] if updates and np.median(updates) < 1e-3 and setup.rate < usual_rate and is_lowest else []
    if few or creeps or state == "learning":
        return [*few, *creeps] or ["not-yet"]
    is_late = recording.updates[np.argmin(losses)] > 0.9 * setup.updates
    return ["still-falling-high"] if is_late and falls(losses, 0.98) else ["constant", "plateau"]


def updates_of(recording: Recording) -> list[float]:
    """The update-to-weight ratio of the matrix of the cell that moves most, frame by frame."""
    names = [name for name, W in recording.weights.items() if W.shape[2] > 1 and name != "W_y"]
    rows = ([recording.ratio[name][frame] for name in names] for frame in range(len(recording.updates)))
    sound = ([ratio for ratio in row if np.isfinite(ratio)] for row in rows)
    return [max(row) for row in sound if row]


def falls(losses: np.ndarray, trend: float = NOTABLY_LOWER) -> bool:
    quarter = len(losses) // 4
    if quarter < 3 or NOTABLY_LOWER * losses[-1] > np.min(losses):
        return False
    return bool(np.log(losses[-quarter:]).mean() < np.log(losses[-2 * quarter : -quarter]).mean() + np.log(trend))


def growth_expected(recording: Recording, state: str) -> set[str]:
    start, end = saturated_of(recording, 0), saturated_of(recording, -1)
    has_grown = state == "learned" and any(sum(end[name]) > sum(start[name]) + NOTABLY_MORE_SATURATED for name in start)
    return (
        {{"echo": "grown-to-keep", "parity": "grown-to-switch"}.get(recording.setup.task, "grown")}
        if has_grown
        else set()
    )


def is_open_on_the_probe(recording: Recording, name: str) -> bool:
    z = np.log(recording.symbols[name][0].astype(float)) - np.log1p(
        -recording.symbols[name][0].astype(float).clip(max=1 - 1e-16)
    )
    return bool(np.sum(z > SATURATING_BIAS) > np.sum(z < -SATURATING_BIAS))


@pytest.mark.slow
def test_the_state_of_a_training_is_what_its_losses_say():
    states = Counter()
    for recording in trained():
        found = verdict(recording)
        assert found.state == state_expected(recording), recording.setup
        assert len(found.of("state")) == 1
        states[found.state] += 1
    assert {*states} == {*STATES}


@pytest.mark.slow
def test_a_cause_is_named_where_the_numbers_show_it_and_nowhere_else():
    named = Counter()
    for recording in trained():
        found = verdict(recording)
        codes = [finding.code for finding in found.of("cause")]
        assert codes == causes_expected(recording, found.state), recording.setup
        assert {finding.code for finding in found.of("growth")} == growth_expected(recording, found.state), (
            recording.setup
        )
        assert found.named == tuple(codes or [found.state])
        assert bool(codes) == (found.state not in ("learned", "untrained"))
        named.update(finding.code for finding in found.of("cause", "growth"))
    assert {*named} == {rule.code for rule in RULES if rule.topic in ("cause", "growth")}


@pytest.mark.slow
def test_every_sign_has_a_change_that_is_a_setup_with_a_label_and_a_second_one_stays_within_the_bounds():
    for recording in trained():
        for obstacle in OBSTACLE_OF.values():
            setup = recording.setup
            for _ in range(12):
                before, setup = setup, changed(setup, obstacle.code)
                label = training_findings.change(obstacle.change(before))
                assert says(label, training_findings.TRY) and "{" not in label
        for finding in verdict(recording).of("cause"):
            if finding.code not in ("constant", "vanishing", "still-falling", "not-yet", "exploding"):
                assert changed(recording.setup, finding.code) != recording.setup, finding.code


@pytest.mark.slow
@pytest.mark.parametrize("fault", bench.FAULTS)
def test_three_changes_at_most_lead_from_a_fault_to_a_cell_that_learns(fault):
    for seed in bench.SEEDS:
        setup = replace(bench.FAULTS[fault], seed=seed)
        for _ in range(3):
            setup = changed(setup, bench.named(setup, seed)[0])
            found = verdict(train(setup))
            if found.state == "learned":
                break
        needs_more = found.named[0] == "still-falling" and changed(setup, "still-falling").updates > setup.updates
        assert found.state == "learned" or needs_more, (seed, found.named)


def test_a_clip_that_leaves_updates_of_a_usual_size_is_no_obstacle():
    setup = bench.FAULTS["overflow-unclipped"]
    clipped = train(changed(setup, "overflow-unclipped"))
    assert clipped.clipped_updates > setup.updates / 2 and min(updates_of(clipped)) > 1e-3
    assert "clip-decides" not in verdict(clipped).named


@pytest.mark.parametrize(
    ("setup", "state", "code"),
    [
        # Its loss falls at the end, but one update was four times as long as the weights.
        (TrainingSetup(rate=1.0, updates=300), "learning", "jumps"),
        # Its last loss is by chance far below those before.
        (TrainingSetup(cell="RNN", T=100, updates=300), "still", "vanishing"),
    ],
)
def test_a_low_loss_at_the_end_does_not_hide_what_stands_in_the_way(setup, state, code):
    found = verdict(train(setup))
    assert (found.state, found.named) == (state, (code,))
    assert verdict(train(changed(setup, code))).state == "learned"


@pytest.mark.parametrize("rate", [0.7, 1.0])
def test_a_loss_that_has_risen_from_its_lowest_value_is_not_said_to_fall(rate):
    made = train(TrainingSetup("adding", rate=rate, updates=400))
    assert made.validation_loss[-1] > 1.2 * made.validation_loss.min()
    found = verdict(made)
    assert found.state == "still" and found.named[0] == "jumps" and "was-lower" in found.named


@pytest.mark.parametrize("more", [{"optimiser": "SGD", "rate": 0.1}, {"T": 30}])
def test_weights_near_0_make_the_units_nearly_alike(more):
    setup = TrainingSetup(scale=0.01, **more)
    assert verdict(train(setup)).named[0] == "alike"
    assert verdict(train(changed(setup, "alike"))).state == "learned"


# Its loss is 0 after some updates, and large again at the end.
SMALL_TEXT = TrainingSetup("text", "RNN", k=8, optimiser="SGD", updates=20)
WAS_ZERO = TrainingSetup("echo", "RNN", g="relu", optimiser="SGD", init="normal", scale=3.0, rate=0.1, updates=300)


def test_a_loss_that_was_once_0_is_lower_than_any_other():
    made = train(WAS_ZERO)
    assert made.validation_loss.min() == 0 < made.validation_loss[-1] and verdict(made).state == "still"
    assert "was-lower" in verdict(made).named


# Each pair explains one number twice, or calls for opposite changes.
EXCLUDING = (
    ("overflow-at-once", "overflow-unclipped"),
    ("overflow-at-once", "overflow"),
    ("overflow-unclipped", "overflow"),
    ("overflow-at-once", "grew"),
    ("overflow-unclipped", "grew"),
    ("overflow", "grew"),
    ("unclipped", "grew"),
    ("dead", "hardly-moves"),
    ("dead", "jumps"),
    ("dead", "constant"),
    ("unclipped", "jumps"),
    ("unclipped", "overflow"),
    ("unclipped", "clip-decides"),
    ("unclipped", "hardly-moves"),
    ("unclipped", "still-falling"),
    ("small-start", "saturated-at-start"),
    ("forget-gate-shut", "vanishing"),
    ("saturated-by-updates", "jumps"),
    ("saturated-by-updates", "still-falling"),
    ("saturated-by-updates", "saturated-at-start"),
    ("jumps", "hardly-moves"),
    ("jumps", "clip-decides"),
    ("jumps", "entry-clip-decides"),
    ("jumps", "creeps"),
    ("jumps", "still-falling"),
    ("clip-decides", "hardly-moves"),
    ("entry-clip-decides", "hardly-moves"),
    ("was-lower", "still-falling"),
    ("creeps", "constant"),
    ("creeps", "not-yet"),
    ("creeps", "plateau"),
    ("creeps", "still-falling-high"),
    ("few-updates", "constant"),
    ("few-updates", "plateau"),
    ("few-updates", "not-yet"),
    ("few-updates", "still-falling"),
    ("few-updates", "still-falling-high"),
    ("still-falling-high", "constant"),
    ("still-falling-high", "plateau"),
    ("constant", "alike"),
    ("not-yet", "saturated-at-start"),
)
# Setups in which two findings of a pair were found once.
CLOSE = (
    TrainingSetup("adding", rate=3.0, updates=300),
    TrainingSetup("echo", k=1, T=10, updates=20),
    TrainingSetup("text", k=4, T=5, rate=1e-4, updates=50),
    TrainingSetup("echo", k=8, T=10, scale=8.0, updates=100),
    TrainingSetup(
        *("brackets", "RNN", 4, 5), init="orthogonal", optimiser="SGD", rate=0.1, clip_at=1e-3, updates=20, seed=3
    ),
    TrainingSetup(
        "sine", "RNN", 4, 5, 4, "orthogonal", 5.0, g="relu", optimiser="SGD", rate=3.0, clip="none", updates=20
    ),
    TrainingSetup("adding", k=8, T=30, init="normal", scale=2.0, rate=1.0, clip="none", updates=60, seed=2),
)


def sampled(seed: int, count: int) -> list[TrainingSetup]:
    """Sample setups with few units, steps and updates, and with settings from too small to too large."""
    rng = np.random.default_rng(seed)
    options: dict[str, tuple[Any, ...]] = {
        "k": (2, 4, 8),
        "T": (3, 5, 10),
        "batch": (4,),
        "init": ("normal", "glorot", "orthogonal"),
        "scale": (0.05, 0.4, 0.5, 1.0, 2.0, 5.0),
        "forget_bias": (-5.0, 0.0, 1.0, 5.0),
        "rate": (1e-5, 8e-4, 0.01, 0.1, 1.0, 5.0),
        "clip_at": (1e-5, 1e-3, 0.01, 1.0),
        "updates": (12, 20, 40),
    }
    options |= {"cell": tuple(trainable()), "task": tuple(TASKS), "optimiser": tuple(OPTIMISERS), "clip": tuple(CLIPS)}
    options |= {"g": tuple(ACTIVATIONS)}
    choices = ({name: values[rng.integers(len(values))] for name, values in options.items()} for _ in range(count))
    return [TrainingSetup(**chosen, seed=seed) for chosen in choices]


@pytest.mark.parametrize(
    "setups", [CLOSE, sampled(0, 30), pytest.param(sampled(1, 300), marks=pytest.mark.slow)], ids=["close", "30", "300"]
)
def test_no_two_findings_exclude_each_other(setups):
    for setup in setups:
        named = verdict(train(setup)).named
        assert not [pair for pair in EXCLUDING if {*pair} <= {*named}], setup


RECORDED = TrainingSetup("echo", "RNN", k=3, T=4, updates=50)


def with_losses(first: float, *last: float) -> Recording:
    """A training whose validation loss stays, in parts of that of the best constant, and then has these last values."""
    recording = train(RECORDED)
    frames = len(recording.updates)
    losses = np.concatenate([np.full(frames - len(last), first), last]) * recording.constant
    return recording._replace(validation_loss=losses)


@pytest.mark.parametrize(
    ("last", "state", "code"),
    [
        ((1.0, 1.0, 1.0, 1.0, 0.6), "still", "low-by-chance"),
        ((0.6, 0.6, 0.6, 0.6, 1.0), "learning", "mostly-below-constant"),
        ((0.6, 0.6, 0.6, 0.6, 9.0), "learning", "mostly-below-constant"),
        ((0.6, 0.6, 0.6, 0.6, 0.6), "learning", "below-constant"),
        ((9.0, 9.0, 9.0, 9.0, 9.0), "diverged", "grew"),
        ((1.0, 1.0, 1.0, 1.0, 1.0), "still", "still"),
    ],
)
def test_a_single_loss_at_the_end_decides_nothing_by_chance(last, state, code):
    found = verdict(made := with_losses(1.0, *last))
    assert (found.state, found.of("state")[0].code) == (state, code)
    said = training_findings.findings(made, found.of("state"))
    for number in {last[-1], sorted_middle(np.array(last))} if "var" in said else ():
        assert words.in_sentence(number * made.constant, 3) in said


def test_a_change_that_is_better_by_its_last_loss_alone_does_not_help():
    before = with_losses(1.0, 1.0)
    assert helped(before, with_losses(1.0, 0.7)) == "no better"
    assert helped(before, with_losses(1.0, *[0.7] * 5)) == "better"


@pytest.mark.parametrize(("own", "changed"), [((0.8, 0.8, 0.8, 0.5, 0.8), 0.6), ((0.6, 0.6, 0.6, 0.6, 0.9), 0.6)])
def test_a_change_whose_last_loss_and_median_disagree_has_both_numbers(own, changed):
    before, after = with_losses(1.0, *own), with_losses(1.0, *[changed, 0.75, 0.75, 0.75, changed])
    said = training_findings.compared(before, after)
    medians = [sorted_middle(np.array(own)), 0.75]
    assert helped(before, after) == "no better"
    assert all(words.in_sentence(loss * before.constant, 3) in said for loss in (own[-1], changed, *medians))
    unclear = training_findings.TRIES["unclear"].format(name="a", numbers=said)
    assert training_findings.try_of("a", "learning", before, after) == unclear


def test_adam_at_the_usual_rate_is_not_called_slow_after_a_gradient_that_exploded():
    setup = TrainingSetup("brackets", "RNN", T=30, g="relu", init="orthogonal", scale=3.0, clip="none", updates=200)
    measured = measure(train(setup))
    assert measured.usual_update < SMALL_RATIO and "exploding" in bench.named(setup, 0)
    assert "hardly-moves" not in bench.named(setup, 0)


@pytest.mark.parametrize("cell", ["GRU", "LSTM"])
@pytest.mark.parametrize("updates", [300, 5000])
def test_more_units_are_suggested_to_a_cell_with_one_unit_and_are_no_finding(cell, updates):
    setup = TrainingSetup("parity", cell, k=1, T=10, updates=300, seed={"GRU": 0, "LSTM": 1}[cell])
    # A recording at the limit of the updates takes long, and its losses are like these.
    recording = train(setup)._replace(setup=replace(setup, updates=updates))
    recording = recording if updates == 300 else recording._replace(norms=np.full(updates + 1, recording.norms[0]))
    found = verdict(recording)
    assert found.state != "learned" and "more-units" not in found.named
    assert [finding.code for finding in found.of("suggestion")] == ["more-units"]
    assert changed(recording.setup, "more-units") == replace(recording.setup, k=8)
    assert verdict(train(changed(setup, "more-units"))).state == "learned"


def test_more_units_are_suggested_beside_no_measured_reason_and_not_beyond_the_limit():
    one = verdict(train(TrainingSetup(k=1, updates=300)))
    assert one.named == ("vanishing",) and one.of("suggestion")
    slow = verdict(train(TrainingSetup(k=1, rate=1e-5, updates=30)))
    assert slow.named[0] == "hardly-moves" and not slow.of("suggestion")
    most = TrainingSetup("parity", "RNN", k=32, T=80, updates=300)
    assert changed(most, "more-units") == most


def test_fewer_steps_are_called_another_task_that_shows_only_the_reason():
    own = TrainingSetup("parity", "RNN", k=8, T=80, updates=0)
    before, after = train(own), train(changed(own, "constant"))
    label = training_findings.CHANGES["T",].format(T=20)
    assert training_findings.change({"T": 20}) == training_findings.TRY.format(change=label)
    said = training_findings.try_of("T = 20", "learned", before, after)
    assert said.endswith(training_findings.EASIER.format(T=80))
    assert training_findings.try_of("T = 20", "still", before, after).endswith(training_findings.OTHER_TASK)
    # A changed training that learns, but no more than the one before it.
    short = train(TrainingSetup(k=1, updates=3))
    worse = training_findings.TRIES["no better"]
    assert training_findings.try_of("a", "learning", short, short) == worse.format(
        name="a", numbers=training_findings.compared(short, short)
    )
    same = training_findings.try_of("a", "learned", before, before)
    assert same == training_findings.TRIES["learned"].format(
        name="a", numbers=training_findings.compared(before, before)
    )


def test_a_state_that_adds_up_over_many_steps_is_not_blamed_on_large_weights():
    setup = TrainingSetup("adding", T=60, forget_bias=5.0, updates=60)
    recording = train(setup)
    assert sum(saturated_of(recording, 0)["tanh_c_t"]) > HIGHLY_SATURATED
    assert "saturated-at-start" not in verdict(recording).named


def test_an_rnn_with_relu_whose_gradient_vanishes_learns_with_tanh():
    setup = TrainingSetup(cell="RNN", g="relu", T=30, updates=300)
    assert verdict(train(setup)).named == ("vanishing",)
    assert verdict(train(changed(setup, "vanishing"))).state == "learned"


def test_both_changes_for_an_activation_that_shrinks_the_gradient_let_it_learn():
    setup = TrainingSetup("echo", "RNN", k=13, T=26, g="sigmoid", updates=300, seed=2)
    assert verdict(train(setup)).named == ("flat-activation", "vanishing")
    for code, cell in (("flat-activation", "RNN"), ("vanishing", "GRU")):
        advised = changed(setup, code)
        assert advised.cell == cell and verdict(train(advised)).state == "learned"


@pytest.mark.parametrize(("g", "seed"), [("relu", 1), ("relu", 2), ("tanh", 1), ("sigmoid", 1)])
def test_an_rnn_whose_gradient_vanishes_in_the_adding_task_learns_as_a_gru(g, seed):
    setup = TrainingSetup("adding", "RNN", T=40, g=g, scale=0.7, updates=300, seed=seed)
    assert verdict(train(setup)).named[0] == "vanishing"
    advised = changed(setup, "vanishing")
    assert advised.cell == "GRU" and verdict(train(advised)).state == "learned"


@pytest.mark.parametrize("seed", range(5))
def test_the_change_for_a_gru_whose_gradient_vanishes_lets_it_learn(seed):
    setup = TrainingSetup(cell="GRU", T=25, updates=300, seed=seed)
    assert verdict(train(setup)).named == ("vanishing",)
    assert verdict(train(changed(setup, "vanishing"))).state == "learned"


def test_no_loss_falls_to_the_same_number():
    setup = TrainingSetup("echo", k=8, rate=8e-4, updates=60)
    found = verdict(train(setup)).of("cause")
    assert [finding.code for finding in found] == ["few-updates", "creeps"]
    assert not [
        finding for finding in found if re.search(r"from (\S+) to \1\b", training_findings.sentence(setup, finding))
    ]


# The learning rates are at most the usual one, so it is the gradient that makes an update too large.
@pytest.mark.parametrize(
    ("setup", "code"),
    [
        (TrainingSetup("brackets", "RNN", g="relu", optimiser="SGD", clip="none", updates=200), "unclipped"),
        (
            TrainingSetup("text", "RNN", g="relu", init="orthogonal", optimiser="SGD", clip="none", updates=200),
            "unclipped",
        ),
        (
            TrainingSetup(
                *("brackets", "RNN"), g="relu", init="orthogonal", scale=1.5, optimiser="SGD", clip="none", updates=200
            ),
            "overflow-unclipped",
        ),
    ],
)
def test_a_large_gradient_that_nothing_clips_comes_before_a_usual_learning_rate(setup, code):
    recording = train(setup)
    found = verdict(recording)
    assert found.named[0] == code and not {"jumps", "grew", "overflow"} & {*found.named}
    values = next(finding for finding in found.of("cause") if finding.code == code).values
    assert values["norm"] == recording.norms[values["norm_at"]] > 20
    assert verdict(train(changed(setup, code))).state == "learned"


def test_a_learning_rate_is_not_called_too_small_where_all_units_are_inactive():
    setup = replace(bench.FAULTS["dead"], task="adding", seed=1)
    recording = train(setup)
    assert recording.saturated["h_t"][-1] > 0.99 and measure(recording).usual_update < SMALL_RATIO
    assert verdict(recording).named[0] == "vanishing" and "hardly-moves" not in verdict(recording).named


def test_a_gradient_that_explodes_only_between_the_first_frame_and_the_last_is_found():
    setup = TrainingSetup("echo", "RNN", T=30, scale=3.0, clip="none", updates=200, seed=3)
    recording = train(setup)
    at = int(np.argmax(recording.gain))
    assert max(recording.gain[[0, -1]]) < LARGE_LOG_GAIN < recording.gain[at]
    (found,) = [finding for finding in verdict(recording).of("cause") if finding.code == "exploding"]
    assert (found.values["gain"], found.values["gain_at"]) == (recording.gain[at], recording.updates[at])
    assert verdict(train(changed(setup, "exploding"))).state == "learned"


def test_a_gradient_that_first_explodes_and_then_vanishes_has_both_moments():
    setup = TrainingSetup("echo", "RNN", k=8, g="relu", init="normal", scale=2.0, rate=1.0, clip="none", updates=60)
    found = {finding.code: finding for finding in verdict(train(setup)).of("cause")}
    sentences = [training_findings.sentence(setup, found[code]) for code in ("exploding", "vanishing")]
    causes = training_findings.SENTENCES["cause"]
    assert says(sentences[0], causes["exploding"], gain_at=training_findings.AFTER_UPDATE.format(update=2), T=setup.T)
    assert says(sentences[1], causes["vanishing"], gain_at=training_findings.AFTER_UPDATE.format(update=60), T=setup.T)


def test_of_a_change_whose_training_was_stopped_nothing_is_said():
    before, stopped = train(SMALL_TEXT), train(replace(changed(SMALL_TEXT, "few-updates"), updates=0))
    assert helped(before, stopped) == "untrained" and training_findings.TRIED["untrained"] == ""


def so_far(setup: TrainingSetup, made: int) -> Recording:
    """A training that was paused after some updates."""
    run = TrainingRun(setup)
    while next(run) < made:
        pass
    return run.so_far()


@pytest.mark.parametrize("made", [1, 12])
def test_a_training_that_was_stopped_is_called_so_and_too_few_updates_are_no_reason(made):
    paused = so_far(SMALL_TEXT, made)
    found = verdict(paused)
    assert found.state in ("still", "learning") and found.named == (found.state,)
    said = training.state_of("a", "It is.", paused, has_learned=False, is_alone=True)
    values = {"last": made, "updates": SMALL_TEXT.updates, "text": "It is.", "open": training.OPEN}
    assert said == fill(training.RESULT_SO_FAR, values)
    assert training.OPEN not in training.state_of("a", "It is.", paused, has_learned=True, is_alone=True)


def test_only_the_trainings_that_were_stopped_are_counted():
    setup = TrainingSetup("echo", k=3, T=4, updates=20)
    other, whole = replace(setup, updates=40), train(setup)
    stopped = training_wait.stopped_after
    assert stopped([whole], [setup]) == ""
    assert stopped([whole, so_far(other, 7)], [setup, other]) == training_wait.STOPPED.format(made=7, total=40)
    both = stopped([so_far(setup, 5), so_far(other, 7)], [setup, other])
    assert both == training_wait.STOPPED_SEVERAL.format(made=12, total=60)
    assert stopped([train(replace(setup, updates=0))], [setup]) == training_wait.STOPPED_WITHOUT_UPDATES


def test_of_a_change_whose_training_was_stopped_early_the_updates_are_counted():
    before, after = train(SMALL_TEXT), so_far(changed(SMALL_TEXT, "few-updates"), 5)
    assert helped(before, after) == "interrupted"
    numbers = training_findings.compared(before, after)
    said = training_findings.try_of("300 updates", verdict(after).state, before, after)
    assert said == training_findings.TRIES["interrupted"].format(
        name="300 updates", made=5, updates=after.setup.updates, numbers=numbers
    )


def test_a_ratio_below_the_usual_one_is_not_written_as_that():
    values = {"ratio": 0.00056, "norm": 2765.765}
    assert training_findings.written(TrainingSetup(), values) == {"ratio": "5.6·10⁻⁴", "norm": "2.8·10³"}
    assert training_findings.written(TrainingSetup(), {"ratio": 0.0}) == {"ratio": "0"}


def test_a_cell_without_a_matrix_has_a_verdict():
    shown = Shown(open_link("training", story="own", task="sine", trained="RNN", units="1", length="4", updates="9"))
    assert shown.panels[training.VERDICT]["callout"].startswith(fill(training.RESULT, {"last": 9, "text": ""}))


# The accuracy of the first one falls, that of the second one is written as the same, and that of the third one rises.
@pytest.mark.parametrize(
    ("setup", "code", "result"),
    [
        (replace(WAS_ZERO, clip="none"), "exploding", "better"),
        (replace(SMALL_TEXT, g="sigmoid", T=10, init="normal", scale=2.0, clip="value"), "hardly-moves", "better"),
        (replace(SMALL_TEXT, g="relu", T=5, init="orthogonal", scale=0.3, clip="none"), "small-start", "no better"),
    ],
)
def test_a_change_is_compared_by_the_loss_that_decides_whether_it_helped(setup, code, result):
    before, after = train(setup), train(changed(setup, code))
    assert helped(before, after) == result
    losses = {
        "after": words.in_sentence(after.validation_loss[-1], 3),
        "before": words.in_sentence(before.validation_loss[-1], 3),
    }
    assert training_findings.compared(before, after) == training_findings.LOSSES.format(**losses)


def test_no_rnn_and_no_gru_is_advised_about_a_gate():
    for cell in ("RNN", "GRU"):
        for obstacle in OBSTACLES:
            if obstacle.code != "forget-gate-shut":
                assert "forget_bias" not in obstacle.change(TrainingSetup(cell=cell))


@pytest.mark.parametrize("fault", bench.FAULTS)
def test_a_planted_fault_is_named_first(fault):
    assert bench.named(bench.FAULTS[fault], 0)[0] == fault


@pytest.mark.parametrize("seed", bench.SEEDS)
def test_saturation_comes_first_while_the_loss_falls_above_that_of_the_best_constant(seed):
    setup = TrainingSetup("brackets", "GRU", init="normal", scale=5.0, updates=60)
    assert bench.named(setup, seed)[0] == "saturated-at-start"


def test_a_sentence_writes_the_name_of_a_person_with_a_capital():
    change = OBSTACLE_OF["saturated-at-start"].change(TrainingSetup(scale=5.0))
    named = training_findings.CHANGES["init", "scale"].format(init="Glorot", scale=1)
    assert training_findings.change(change) == training_findings.TRY.format(change=named)
    assert training_findings.change(change, is_tried=True) == training_findings.TRIED_ALREADY.format(change=named)
    assert training.name_of({"init": "glorot"}) == "Glorot weights"


# All of these learn with 300 updates.
@pytest.mark.parametrize(
    "setup",
    [
        TrainingSetup(updates=5),
        TrainingSetup("brackets", "GRU", updates=3),
        TrainingSetup(T=40, updates=15),
        TrainingSetup(T=60, updates=20),
        TrainingSetup("parity", updates=50),
        TrainingSetup("sine", "RNN", updates=1),
    ],
)
def test_no_task_is_too_hard_after_few_updates_and_the_change_makes_the_usual_number(setup):
    (found,) = verdict(train(setup)).of("cause")
    assert found.code == "few-updates" and found.values["made"] == setup.updates
    assert changed(setup, found.code) == replace(setup, updates=300)


@pytest.mark.slow
def test_both_reasons_are_named_for_a_loss_that_stays_and_falls_only_after_hundreds_of_updates_more():
    setup = TrainingSetup("adding", T=50, updates=300)
    assert verdict(train(setup)).named == ("constant", "plateau")
    longer = changed(setup, "plateau")
    assert longer == replace(setup, updates=1200) and verdict(train(longer)).state == "learned"


def test_a_change_to_more_updates_stays_within_the_limit_on_the_steps():
    for batch, updates in ((16, 300), (128, 78)):
        assert changed(TrainingSetup(T=100, batch=batch, updates=5), "few-updates").updates == updates


@pytest.mark.parametrize("code", ["few-updates", "still-falling-high", "plateau"])
def test_more_updates_are_advised_only_below_the_limit_on_the_steps(code):
    for updates, is_advised in ((77, True), (78, False)):
        setup = TrainingSetup(T=100, batch=128, updates=updates)
        measured = cast(Measurements, SimpleNamespace(setup=setup, best_at=updates, updates_made=updates))
        assert OBSTACLE_OF[code].applies(measured) == is_advised
        assert (changed(setup, code) != setup) == is_advised


@pytest.mark.parametrize("healthy", bench.HEALTHY)
def test_a_healthy_training_has_learned_and_nothing_else_is_found(healthy):
    assert bench.named(bench.HEALTHY[healthy], 0) == ("learned",)


@pytest.mark.slow
@pytest.mark.parametrize("seed", bench.SEEDS[1:])
def test_the_diagnosis_holds_with_other_seeds(seed):
    for fault, setup in bench.FAULTS.items():
        assert bench.named(setup, seed)[0] == fault
    for setup in bench.HEALTHY.values():
        assert bench.named(setup, seed) == ("learned",)


@pytest.mark.slow
def test_the_sentences_have_the_numbers_of_the_training():
    for recording in trained():
        losses, constant = losses_of(recording)
        start, end = saturated_of(recording, 0), saturated_of(recording, -1)
        cut = int(np.sum(recording.norms[: len(recording.norms) - 1] > recording.setup.clip_at))
        expected = {
            "first": losses[0],
            "last": losses[-1],
            "left": losses[-1] / losses[0],
            "constant": constant,
            "made": len(recording.norms) - 1,
            "updates": len(recording.norms) - 1,
            "stopped_at": len(recording.norms),
            "cut": cut,
            "at": recording.setup.clip_at,
            "bias": recording.setup.forget_bias,
            "growth": max((sum(end[name]) - sum(start[name]) for name in start), default=0),
            "typical": typical_expected(losses),
            "typical_over": np.ptp(recording.updates[-max(3, len(losses) // 10) :]),
            "units": recording.setup.k,
            "best": np.nanmin(losses),
            "best_at": recording.updates[np.argmin(np.nan_to_num(losses, nan=np.inf))],
            "rate": recording.setup.rate,
            "scale": recording.setup.scale,
            "T": recording.setup.T,
            "undone": recording.setup.updates - len(recording.norms) + 1,
            "unlike": np.ptp(recording.symbols["h_t"][0], axis=1).max(),
            "times": losses[-1] / max(losses[0], constant),
            "of_constant": losses[-1] / constant,
            "of_best": losses[-1] / np.nanmin(losses),
            "part": cut / max(1, len(recording.norms) - 1),
            "gain_at": len(recording.norms) - 1,
        }
        of_frames = [gain_of(recording, frame) for frame in range(len(recording.updates))]
        gains = of_frames[0], of_frames[-1]
        is_first = not gains[0] > gains[1]
        smallest = {"gain": np.fmin(*gains), "gain_at": 0 if is_first else len(recording.norms) - 1}
        by_code = {
            "jumps": {"ratio": max(updates_of(recording), default=np.nan)},
            "hardly-moves": {"ratio": np.median(updates_of(recording) or [np.nan])},
            "vanishing": smallest,
            "small-start": {
                "gain": gain_of(recording, 0),
                "per_step": gain_of(recording, 0) / (recording.setup.T - 1),
            },
            "flat-activation": smallest | {"derivative": 0.25},
            "entry-clip-decides": {"part": np.mean(recording.clipped < 0.5 * recording.norm)},
            "exploding": {"gain": np.nanmax([*of_frames, -np.inf]), "gain_at": recording.updates[np.argmax(of_frames)]},
            "overflow-unclipped": dict(zip(("norm", "norm_at"), unexplained_norm(recording))),
            "unclipped": dict(zip(("norm", "norm_at"), unexplained_norm(recording))),
            "dead": {"inactive": inactive_of(recording, -1), "inactive_before": inactive_of(recording, 0)},
            "creeps": {"ratio": np.median(updates_of(recording) or [np.nan])},
        }
        for finding in verdict(recording).findings:
            for name, value in finding.values.items():
                if name == "activation":
                    assert finding.values["fraction"] == pytest.approx(sum(start[value]))
                elif name == "grown":
                    for activation, before, after in value:
                        assert (before, after) == pytest.approx((sum(start[activation]), sum(end[activation])))
                elif name not in ("fraction", "threshold", "trend"):
                    number = (expected | by_code.get(finding.code, {}))[name]
                    assert value == pytest.approx(number, rel=1e-6, nan_ok=True), (name, recording.setup)


@pytest.mark.slow
def test_a_clip_is_said_to_set_the_length_only_of_plain_gradient_descent():
    said = Counter()
    for recording in trained():
        setup, norms = recording.setup, recording.norms[: len(recording.norms) - 1]
        expected = [setup.clip]
        if setup.clip == "norm" and np.sum(norms > setup.clip_at) > len(norms) / 2:
            expected.append("undone" if OPTIMISERS[setup.optimiser].is_scale_invariant else "sets-length")
        codes = [finding.code for finding in verdict(recording).of("clip")]
        assert codes == expected, setup
        said.update(codes)
    assert {*said} == {"none", "norm", "value", "sets-length", "undone"}


@pytest.mark.slow
def test_adam_goes_as_far_whether_all_gradients_are_shortened_or_not():
    setup = TrainingSetup(init="normal", T=30, scale=4.0, rate=0.005, updates=60)
    codes = [finding.code for finding in verdict(train(setup)).of("clip")]
    assert "undone" in codes

    def way(optimiser: str, clip: str) -> float:
        # A rate at which nothing overflows without a clip.
        rate = {"SGD": 1e-6, "Adam": 0.005}[optimiser]
        recording = train(replace(setup, optimiser=optimiser, clip=clip, clip_at=0.01, rate=rate))
        return float(np.linalg.norm(recording.weights["W_f"][-1] - recording.weights["W_f"][0]))

    assert 0.5 < way("Adam", "norm") / way("Adam", "none") < 2
    assert way("SGD", "norm") < 0.1 * way("SGD", "none")


def test_every_rule_has_a_sentence_whose_numbers_it_gives():
    assert {(rule.topic, rule.code) for rule in RULES} == {
        (topic, code) for topic, sentences in training_findings.SENTENCES.items() for code in sentences
    }
    measured = measure(train(SELDOM[1]))
    for rule in RULES:
        asked = {
            name for _, name, *_ in string.Formatter().parse(training_findings.SENTENCES[rule.topic][rule.code]) if name
        }
        assert asked <= {*rule.values(measured)}, rule.code


@pytest.mark.slow
def test_a_sentence_is_written_with_its_numbers():
    for recording in trained():
        for finding in verdict(recording).findings:
            text = training_findings.sentence(recording.setup, finding)
            assert text.endswith(".") and not re.search(r"[{}]|nan|\binf", text), text


@pytest.mark.parametrize(
    ("link", "state"),
    [
        ({"task": "echo", "units": "4", "length": "4", "updates": "80", "rate": "0.05"}, "learned"),
        ({"task": "echo", "units": "4", "length": "4", "updates": "20", "rate": "0.000001"}, "still"),
        (
            {"trained": "RNN", "g": "relu", "start_scale": "10", "length": "100", "task": "brackets", "clip": "none"},
            "overflowed-at-first",
        ),
    ],
)
def test_the_callout_has_the_verdict_and_the_reasons_stand_below_it(link, state):
    shown = Shown(open_link("training", story="own", **{"updates": "20", **link}))
    at_last = fill(training.RESULT, {"last": int(link.get("updates", "20")), "text": ""})
    opening = "" if state == "overflowed-at-first" else pattern(at_last)
    assert re.fullmatch(
        opening + pattern(training_findings.SENTENCES["state"][state]), shown.panels[training.VERDICT]["callout"]
    )
    found = shown.panels[training.VERDICT]["findings"]
    assert bool(found) == (state != "learned") and training.WHY not in shown.panels
    assert all(training_findings.NUMBERS.values()) and {finding["proof"] for finding in found} <= shown.panels.keys()


def test_only_0_is_written_as_0_percent_and_only_1_as_100_percent():
    written = {0.0: "0%", 1.0: "100%", 0.5: "50%", 63 / 64: "98%", 0.9999: "99.99%", 0.0001: "0.01%", 0.996: "99.6%"}
    assert {fraction: words.percentage(fraction) for fraction in written} == written
