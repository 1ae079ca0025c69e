"""A cell while it learns, as a recording of a few dozen frames."""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.cells.protocol import state_after_step
from core.initialize import child
from core.saturation import is_saturated
from core.sequence.bptt import log_gain_to_first, parts_at_each_step
from core.sequence.unroll import OVERFLOW_LIMIT
from core.training.learner import Learner, Overflow, overflow_of
from core.training.optimisers import CLIPS, OPTIMISERS, initial_state
from core.training.readout import accuracy, constant_accuracy, constant_loss, predict
from core.training.tasks import TASKS, Batch
from core.training.training_setup import TrainingSetup

# With 500 updates, one frame for every ten of them.
FRAMES = 51
# Sequences that the cell is never trained on.
VALIDATION_SEQUENCES = 64
# A unit is saturated where less than this fraction of its maximum derivative is left.
SATURATED = 0.05
# By how much parameters are moved to either side for central differences.
WIDTH = 1e-5

Report = Callable[[int, int], None]


class Recording(NamedTuple):
    """A training. A frame is the cell after so many updates, with the update that follows from it.

    F frames, evenly spread over the updates from 0 on, at most FRAMES, and one more at the last update of a training that was
    paused. Where not said otherwise all is finite, except in the
    only frame of a training whose numbers overflow before the first update.

    Attributes
    ----------
    setup : TrainingSetup
    updates : ndarray of int of shape (F,)
        How many were made before each frame.
    loss, validation_loss : ndarray of shape (F,)
        On the sequences of the update, and on sequences that the cell is never trained on.
    accuracy : ndarray of shape (F,)
        On those; NaN for a task without classes.
    weights : dict from str to ndarray of shape (F, rows, columns)
        The arrays of the cell's parameters, W_y and b_y.
    xs : ndarray of shape (T, m)
        The probe: the first of the validation sequences.
    symbols : dict from str to ndarray of float32 of shape (F, T, k)
        Gates, other activations and states on the probe, by the names of the step's fields.
    last_step : dict from str to ndarray of shape (F, entries)
        Every symbol of the probe's last step, by the names of the step's fields.
    saturated : dict from str to ndarray of shape (F,)
        Of each activation, by its name, the fraction of units, steps and validation sequences at which less than SATURATED of its
        maximum derivative is left.
    norm, clipped : ndarray of shape (F,)
        The gradient's norm, before and after clipping.
    ratio : dict from str to ndarray of shape (F,)
        The update-to-weight ratio of each array; NaN where its norm is 0.
    gain : ndarray of shape (F,)
        Of the probe's last state by its first, as a decimal logarithm; -inf where nothing comes back.
    gradient_reach : dict from str to ndarray of float32 of shape (F, asked, T)
        What the loss at each step at which something is asked alone brings back to each step of the probe: by the parts of
        the state, h_t first, the norm of the derivative with respect to that part.
    check : dict from str to ndarray of shape (F,)
        If the setup asks for it, how far the gradient with respect to each of the weights is from central differences, as a
        fraction of its norm; else empty.
    norms : ndarray of float32 of shape (updates_made + 1,)
        The gradient's norm before each update, and after the last; the last one may be infinite or NaN where it was stopped.
    stopped : Overflow or None
        The number that ended it at the update after the last one; None if no number overflowed.
    """

    setup: TrainingSetup
    updates: Array
    loss: Array
    validation_loss: Array
    accuracy: Array
    weights: dict[str, Array]
    xs: Array
    symbols: dict[str, Array]
    last_step: dict[str, Array]
    saturated: dict[str, Array]
    norm: Array
    clipped: Array
    ratio: dict[str, Array]
    gain: Array
    gradient_reach: dict[str, Array]
    check: dict[str, Array]
    norms: Array
    stopped: Overflow | None

    @property
    def updates_made(self) -> int:
        """The number of updates that were made."""
        return len(self.norms) - 1

    @property
    def is_interrupted(self) -> bool:
        """Whether the training was paused before its last update, and could go on."""
        return self.stopped is None and self.updates_made < self.setup.updates

    @property
    def constant(self) -> float:
        """The loss of the best constant prediction on the validation sequences."""
        return constant_loss(validation_set(self.setup), TASKS[self.setup.task].loss)

    @property
    def most_frequent(self) -> float:
        """The accuracy of always answering the most frequent class of the validation sequences."""
        return constant_accuracy(validation_set(self.setup))

    @property
    def longest_update(self) -> float:
        """The update-to-weight ratio of the matrix that the last update changes most; NaN where all are 0."""
        ratios = [ratio[-1] for name, ratio in self.ratio.items() if self.weights[name].shape[2] > 1]
        return float(max((ratio for ratio in ratios if np.isfinite(ratio)), default=np.nan))

    @property
    def clipped_updates(self) -> int:
        """The number of updates whose gradient had a larger norm than `clip_at`."""
        return int((self.norms[:-1] > self.setup.clip_at).sum())

    @property
    def usual_norm(self) -> float:
        """The median of the gradient's norms; NaN where none is finite."""
        finite = self.norms[np.isfinite(self.norms)]
        return float(np.median(finite)) if finite.size else np.nan

    @property
    def largest_norm_at(self) -> int:
        """After how many updates the gradient of an update had its largest norm."""
        return int(np.argmax(self.norms[: max(1, self.updates_made)]))

    @property
    def peak_norms(self) -> tuple[Array, Array]:
        """The largest norm of the gradient since the frame before, before and after clipping, of shape (F,).

        A clip of single entries changes each norm differently, so these are then the norms in the frames themselves.
        """
        if self.setup.clip == "value":
            return self.norm, self.clipped
        peaks = np.array(
            [self.norms[0]] + [self.norms[before + 1 : u + 1].max() for before, u in pairwise(self.updates)]
        )
        return peaks, np.minimum(peaks, self.setup.clip_at) if self.setup.clip == "norm" else peaks

    @property
    def asked(self) -> Array:
        """The steps at which something is asked, counted from 0."""
        return np.flatnonzero(validation_set(self.setup).weights)

    @property
    def targets(self) -> Array:
        """The targets of the probe, of shape (T, p); NaN at steps at which nothing is asked."""
        validation = validation_set(self.setup)
        return np.where(validation.weights[:, None] > 0, validation.targets[..., 0], np.nan)

    @property
    def nbytes(self) -> int:
        """The size of its arrays in bytes."""
        return _nbytes(self)

    def single_frame(self, frame: int) -> "Recording":
        """Return one frame as a recording of its own.

        Parameters
        ----------
        frame : int
            From 0; -1 is the last.

        Returns
        -------
        Recording
            It shares no array with this recording that has a row for each frame, so it keeps none of the other frames in memory.
        """

        def alone(field: Any) -> Any:
            return {name: alone(part) for name, part in field.items()} if isinstance(field, dict) else field[[frame]]

        whole = ("setup", "xs", "norms", "stopped")
        return self._replace(**{name: alone(field) for name, field in self._asdict().items() if name not in whole})


class _Moment(NamedTuple):
    """θ after u updates, and the update that follows."""

    u: int
    theta: Array
    batch: Batch
    loss: float
    gradient: Array
    clipped: Array
    change: Array


def train(setup: TrainingSetup, report: Report | None = None) -> Recording:
    """Train a cell.

    Parameters
    ----------
    report : callable, optional
        It is told before each update how many are made, and of how many. What it raises ends the training.

    Returns
    -------
    Recording
        It follows from the setup alone.
    """
    steps = TrainingRun(setup)
    while True:
        try:
            made = next(steps)
        except StopIteration as end:
            return end.value
        if report is not None:
            report(made, setup.updates)


class TrainingRun(Iterator[int]):
    """A training that is made update by update, so that the caller can pause between two of them.

    Each item is how many updates are made: one before each update, and one after the last. The value of the StopIteration
    after them is the recording.

    Parameters
    ----------
    setup : TrainingSetup
    """

    def __init__(self, setup: TrainingSetup) -> None:
        self._setup, self._validation = setup, validation_set(setup)
        self._learner = Learner(setup)
        count = min(FRAMES, setup.updates + 1)
        self._at_frames = set(np.linspace(0, setup.updates, count).round().astype(int).tolist())
        self._frames: list[dict[str, Any]] = []
        self._norms: list[float] = []
        self._last: _Moment | None = None
        self._steps = self._train()

    def __next__(self) -> int:
        return next(self._steps)

    @property
    def nbytes(self) -> int:
        """The size of its frames in bytes."""
        return sum(_nbytes(frame.values()) for frame in self._frames)

    def so_far(self) -> Recording:
        """Return the recording of the updates that are made, of which at least the first item tells. The training can go on.

        Its last frame is after the last update. Not to be called while another thread makes an update.
        """
        assert self._last is not None, "no item was taken"
        return self._recording(self._last, None)

    def _train(self) -> Generator[int, None, Recording]:
        setup, learner, draw = self._setup, self._learner, TASKS[self._setup.task].draw
        batches = child(setup.seed, "training sequences")
        optimise, clip = OPTIMISERS[setup.optimiser].step, CLIPS[setup.clip]
        theta, state = learner.theta, initial_state(learner.theta.size)
        for u in range(setup.updates + 1):
            batch = draw(batches, setup.T, setup.batch)
            loss, gradient, overflow = learner.loss_and_gradient(theta, batch)
            clipped = clip(gradient, setup.clip_at)
            change, state = optimise(clipped, state, setup.rate, setup.momentum)
            overflow = overflow or overflow_of("parameter", np.abs(theta + change).max())
            self._norms.append(float(np.linalg.norm(gradient)))
            moment = _Moment(u, theta, batch, loss, gradient, clipped, change)
            if overflow:
                # The last frame is the last one whose numbers are sound.
                return self._recording(self._last or moment, overflow)
            self._last = moment
            if u in self._at_frames:
                self._frames.append(self._frame(moment))
            yield u
            theta = theta + change
        return self._recording(moment, None)

    def _frame(self, moment: _Moment) -> dict[str, Any]:
        return _frame(self._setup, self._learner, moment, self._validation)

    def _recording(self, last: _Moment, overflow: Overflow | None) -> Recording:
        """Return the recording whose last frame is at a moment."""
        has_frame = bool(self._frames) and self._frames[-1]["updates"] == last.u
        frames = self._frames if has_frame else [*self._frames, self._frame(last)]
        return _recording(self._setup, frames, self._validation, np.array(self._norms), overflow)


def validation_set(setup: TrainingSetup) -> Batch:
    """Return the validation set, on which the cell is never trained; its first sequence is the probe.

    Returns
    -------
    Batch
        With VALIDATION_SEQUENCES columns. Of the text they are other samples from the same characters.
    """
    # The name determines the numbers, also those of links to trainings.
    return TASKS[setup.task].draw(child(setup.seed, "held-out sequences"), setup.T, VALIDATION_SEQUENCES)


def first_column(batch: Batch) -> Batch:
    """Return the first sequence of a batch, as a batch of its own."""
    return Batch(batch.xs[..., :1], batch.targets[..., :1], batch.weights)


def _nbytes(fields: Iterable[Any]) -> int:
    """Return the size in bytes of the arrays among some fields, and in those that are dictionaries."""
    arrays = (part for field in fields for part in (field.values() if isinstance(field, dict) else (field,)))
    return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


# ---- frames ---------------------------------------------------------------------------------


def _frame(setup: TrainingSetup, learner: Learner, moment: _Moment, validation: Batch) -> dict[str, Any]:
    """Return the fields of a recording at one moment."""
    arrays, changes = learner.arrays(moment.theta), learner.arrays(moment.change)
    params, readout = learner.at(moment.theta)
    trace, result = learner.forward_loss(moment.theta, validation)
    probe = type(trace)(*(symbol[..., :1] for symbol in trace))
    J = learner.cell.jacobian(params, probe) if np.abs(probe.h_t).max() <= OVERFLOW_LIMIT else None
    activated = learner.cell.activated(params)
    shown = dict.fromkeys([*activated, *state_after_step(learner.cell).values()])
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return {
            "updates": moment.u,
            "loss": moment.loss,
            "validation_loss": result.loss,
            "accuracy": accuracy(predict(readout, trace.h_t), validation)
            if learner.loss == "cross-entropy"
            else np.nan,
            "weights": arrays,
            "symbols": {name: getattr(probe, name)[..., 0].astype(np.float32) for name in shown},
            # A view would keep the whole trace of every frame in memory.
            "last_step": {name: symbol[-1, :, 0].copy() for name, symbol in probe._asdict().items()},
            "saturated": {
                name: is_saturated(getattr(trace, z), g, SATURATED).mean() for name, (z, g) in activated.items()
            },
            "norm": np.linalg.norm(moment.gradient),
            "clipped": np.linalg.norm(moment.clipped),
            "ratio": {
                name: np.linalg.norm(changes[name]) / (np.linalg.norm(W) or np.nan) for name, W in arrays.items()
            },
            "gain": np.nan if J is None else log_gain_to_first(J),
            "gradient_reach": _gradient_reach(J, VALIDATION_SEQUENCES * result.dh[..., 0], validation, learner),
            "check": _check(setup, learner, moment) if setup.check else {},
        }


def _recording(
    setup: TrainingSetup, frames: list[dict[str, Any]], validation: Batch, norms: Array, stopped: Overflow | None
) -> Recording:
    """Return the recording of some frames."""
    over_frames: dict[str, Any] = {}
    for name, first in frames[0].items():
        if isinstance(first, dict):
            over_frames[name] = {part: np.array([frame[name][part] for frame in frames]) for part in first}
        else:
            over_frames[name] = np.array([frame[name] for frame in frames])
    with np.errstate(over="ignore"):
        norms = norms.astype(np.float32)
    return Recording(setup=setup, xs=validation.xs[..., 0].copy(), norms=norms, stopped=stopped, **over_frames)


def _gradient_reach(J: Array | None, dh: Array, batch: Batch, learner: Learner) -> dict[str, Array]:
    """Return the norms that each loss brings back; NaN if the probe overflows, because a Jacobian then has no meaning."""
    asked, names = np.flatnonzero(batch.weights), [*state_after_step(learner.cell).values()]
    if J is None:
        return {name: np.full((len(asked), len(dh)), np.nan, np.float32) for name in names}
    parts = np.split(parts_at_each_step(J, dh)[asked], len(names), axis=-1)
    return {name: np.linalg.norm(part, axis=-1).astype(np.float32) for name, part in zip(names, parts, strict=True)}


def _check(setup: TrainingSetup, learner: Learner, moment: _Moment) -> dict[str, float]:
    """Return the difference of the gradient and central differences along one random direction, for each array."""
    rng, errors = child(setup.seed, f"check {moment.u}"), {}
    for name, (part, _) in learner.parts.items():
        move = np.zeros_like(moment.theta)
        move[part] = WIDTH * rng.standard_normal(part.stop - part.start)
        above, below = (learner.forward_loss(moment.theta + side, moment.batch)[1].loss for side in (move, -move))
        numeric, exact = (above - below) / 2, moment.gradient @ move
        length = WIDTH * np.linalg.norm(moment.gradient[part])
        errors[name] = float(abs(numeric - exact) / length) if length else abs(numeric) / WIDTH
    return errors
