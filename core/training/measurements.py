"""The values of a training that the rules of `verdict` and `obstacles` may look at."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nan

import numpy as np

from core.activations import Activation, sigmoid
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_after_step
from core.saturation import outputs_at_bounds
from core.sequence.unroll import OVERFLOW_LIMIT
from core.training.optimisers import OPTIMISERS
from core.training.readout import Readout
from core.training.recording import SATURATED, Recording
from core.training.recording_frame import params_at
from core.training.thresholds import DIVERGED, LARGE_RATIO, NOTABLY_LOWER, RATE_FACTOR, SMALL_START, WHOLE_RATIO
from core.training.training_setup import TrainingSetup

# A loss falls if its mean over the last quarter is below this fraction of that over the quarter before.
FALLING_TREND = 0.9
# With fewer frames the loss of one of them, which may be low or high by chance, decides how the loss goes on.
FEWEST_FRAMES = 3
# An activation has grown saturated if its fraction grew by more than this.
NOTABLY_MORE_SATURATED = 0.1
# A forget bias from here on saturates the gate, whatever the weights.
SATURATING_BIAS = sigmoid.bounds(SATURATED)[1]
# Gates that do no harm where they are saturated at 1: they let everything through.
HARMLESS_AT_1 = {"LSTM": ("f_t", "o_t")}
# Tasks whose only question comes after the last step, and is about earlier inputs.
MEMORY_TASKS = ("echo", "adding")


def has_forget_gate(cell: str) -> bool:
    """Whether the forget bias is added to a bias of a cell.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    """
    return any(spec.offset_param == "forget_bias" for spec in CELLS[cell].ARRAYS.values())


@dataclass(frozen=True)
class Measurements:
    """The values that the rules may look at.

    Attributes
    ----------
    setup : TrainingSetup
    updates_made : int
    is_interrupted : bool
        Whether the training was paused before its last update.
    overflowed : bool
        Whether a number overflowed, which ends a training.
    first, last, best : float
        The loss on the validation sequences: before the first update, in the last frame, and the lowest.
    typical : float
        The median of this loss in the last frames: a single frame may be low or high by chance.
    typical_over : int
        How many updates lie between the first and the last of these frames.
    best_at : int
        After how many updates it was lowest.
    constant : float
        The loss of the best constant prediction.
    trend : float
        The geometric mean of the loss over the last quarter of the frames, divided by that of the quarter before. NaN with too few frames.
    largest_gain, largest_gain_at : float, int
        The largest gain in any frame, and after how many updates it was measured.
    gains : (float, float)
        From the last step back to the first, in the first and in the last frame, as decimal logarithms; NaN where one has no meaning.
    saturated : mapping from str to (float, float)
        The saturated fraction in the first and in the last frame, of each activation that has two flat ends.
    inactive : (float, float)
        The inactive fraction in the first and in the last frame, of the only activation of a cell if it does not saturate; else NaN.
    harmless : frozenset of str
        Those of them that large weights do not explain, or that do no harm: an activation of a state, such as tanh(c_t), which adds up over
        the steps, and gates that are mostly saturated at 1 in the first frame.
    first_norm, largest_norm : float
        The norm of the first gradient, and of the largest one of an update.
    largest_norm_at : int
        After how many updates the largest one was.
    clipped_updates : int
        How many updates the clip shortened.
    halved : float
        The fraction of the frames in which the clip left less than half of the gradient's norm.
    usual_update, longest_update : float
        The update-to-weight ratio of the matrix of the cell that moves most: its median over the frames, and its largest value.
    unlike : float
        The largest difference between two hidden units at one step, in the first frame of the probe.
    max_derivative : float
        Of the only activation of a cell, if it has two flat ends; NaN for a cell with several.
    """

    setup: TrainingSetup
    updates_made: int
    is_interrupted: bool
    overflowed: bool
    first: float
    last: float
    best: float
    typical: float
    typical_over: int
    best_at: int
    constant: float
    trend: float
    largest_gain: float
    largest_gain_at: int
    gains: tuple[float, float]
    saturated: Mapping[str, tuple[float, float]]
    inactive: tuple[float, float]
    harmless: frozenset[str]
    first_norm: float
    largest_norm: float
    largest_norm_at: int
    clipped_updates: int
    halved: float
    usual_update: float
    longest_update: float
    unlike: float
    max_derivative: float

    @property
    def stopped_at(self) -> int:
        """The update at which a number overflowed, counted from 1."""
        return self.updates_made + 1

    @property
    def is_scale_invariant(self) -> bool | None:
        """Whether the optimizer takes the same steps for gradients times a constant; None if its record does not say it."""
        return OPTIMISERS[self.setup.optimiser].is_scale_invariant

    @property
    def is_falling(self) -> bool:
        """Whether the loss still falls at the end: it has not risen from its lowest value again."""
        return self.trend < FALLING_TREND and self.last * NOTABLY_LOWER <= self.best

    @property
    def is_forget_gate_closed(self) -> bool:
        """Whether the forget bias alone saturates the forget gate at 0."""
        return has_forget_gate(self.setup.cell) and self.setup.forget_bias <= -SATURATING_BIAS

    @property
    def overflowed_at_once(self) -> bool:
        """Whether the first pass overflowed, which no learning rate and no clip can change."""
        return self.overflowed and self.updates_made == 0 and not self.first_norm <= OVERFLOW_LIMIT

    @property
    def most_saturated(self) -> tuple[str, float]:
        """The activation of which the weights saturate most at the start, and its fraction."""
        starts = {name: start for name, (start, _) in self.saturated.items() if name not in self.harmless}
        if self.is_forget_gate_closed:
            starts.pop("f_t", None)
        name = max(starts, key=lambda name: starts[name], default="")
        return name, starts.get(name, 0.0)

    @property
    def grown(self) -> tuple[tuple[str, float, float], ...]:
        """The activations that grew saturated, with the fraction in the first and in the last frame."""
        return tuple(
            (name, start, end) for name, (start, end) in self.saturated.items() if end > start + NOTABLY_MORE_SATURATED
        )

    @property
    def most_grown(self) -> tuple[str, float, float]:
        """The activation that grew saturated most, with the fraction in the first and in the last frame."""
        name = max(self.saturated, key=lambda name: self.saturated[name][1] - self.saturated[name][0], default="")
        return name, *self.saturated.get(name, (0.0, 0.0))

    @property
    def is_rate_large(self) -> bool:
        """Whether the learning rate is at least RATE_FACTOR times the usual one of the optimizer."""
        return self.setup.rate >= RATE_FACTOR * OPTIMISERS[self.setup.optimiser].usual_rate

    @property
    def is_rate_low(self) -> bool:
        """Whether the learning rate is below the usual one of the optimizer."""
        return self.setup.rate < OPTIMISERS[self.setup.optimiser].usual_rate

    @property
    def unexplained_norm(self) -> tuple[float, int]:
        """The largest norm that the learning rate does not explain, and after how many updates: the first one at a higher rate than usual."""
        is_usual = self.setup.rate <= OPTIMISERS[self.setup.optimiser].usual_rate
        return (self.largest_norm, self.largest_norm_at) if is_usual else (self.first_norm, 0)

    @property
    def could_clip(self) -> bool:
        """Whether clipping would shorten large updates, and nothing is clipped."""
        return self.setup.clip == "none" and self.is_scale_invariant is False

    @property
    def of_best(self) -> float:
        """The last loss, divided by the lowest."""
        return self.last / self.best if self.best else inf

    @property
    def of_first(self) -> float:
        """The last loss, divided by the larger of the first loss and that of the best constant prediction."""
        return self.last / max(self.first, self.constant)

    @property
    def has_grown(self) -> bool:
        """Whether the loss is far above the first one and that of the best constant prediction."""
        return self.of_first > DIVERGED

    @property
    def was_lower(self) -> bool:
        """Whether the loss had fallen, and has risen again."""
        has_fallen = self.best < NOTABLY_LOWER * self.first and not self.is_falling
        return has_fallen and not self.overflowed and self.of_best > 1 / NOTABLY_LOWER

    @property
    def has_jumped(self) -> bool:
        """Whether an update is too long. While the loss falls below the constant, only one that is longer than the weights is."""
        is_lower = self.is_falling and self.last < NOTABLY_LOWER * self.constant
        return self.setup.scale >= SMALL_START and self.longest_update > (WHOLE_RATIO if is_lower else LARGE_RATIO)

    @property
    def is_mostly_clipped(self) -> bool:
        """Whether the clip shortened more than half of the updates."""
        return self.clipped_updates > self.updates_made / 2

    @property
    def smallest_gain(self) -> float:
        """The smaller one of the gains in the first and in the last frame."""
        return float(np.fmin(*self.gains))

    @property
    def smallest_gain_at(self) -> int:
        """After how many updates the smallest gain was measured."""
        return 0 if self.gains[0] == self.smallest_gain else self.updates_made


def measure(recording: Recording) -> Measurements:
    """Return the values of a recording that the rules may look at."""
    cell = CELLS[recording.setup.cell]
    activations = cell.activated(params_at(recording, 0))
    of_states = {name for name, (z, _) in activations.items() if z in state_after_step(cell).values()}
    two_ended = {name: g for name, (_, g) in activations.items() if g.is_bounded}
    gates = HARMLESS_AT_1.get(recording.setup.cell, ())
    updates = _updates_of_cell(recording)
    h_t = recording.symbols["h_t"][0]
    fractions = {name: (float(values[0]), float(values[-1])) for name, values in recording.saturated.items()}
    largest_gain = int(np.argmax(np.where(np.isnan(recording.gain), -np.inf, recording.gain)))
    best = int(np.argmin(np.where(np.isfinite(recording.validation_loss), recording.validation_loss, np.inf)))
    return Measurements(
        setup=recording.setup,
        updates_made=recording.updates_made,
        is_interrupted=recording.is_interrupted,
        overflowed=bool(recording.stopped),
        first=float(recording.validation_loss[0]),
        last=float(recording.validation_loss[-1]),
        best=float(recording.validation_loss[best]),
        typical=typical_loss(recording),
        typical_over=int(np.ptp(recording.updates[-_last_frames(recording) :])),
        best_at=int(recording.updates[best]),
        constant=recording.constant,
        trend=_trend(recording.validation_loss),
        largest_gain=float(recording.gain[largest_gain]),
        largest_gain_at=int(recording.updates[largest_gain]),
        gains=(float(recording.gain[0]), float(recording.gain[-1])),
        saturated={name: fractions[name] for name in two_ended},
        inactive=next(
            (fractions[name] for name, (_, g) in activations.items() if not g.saturates and len(activations) == 1),
            (nan, nan),
        ),
        harmless=frozenset(
            {name for name in gates if _is_mostly_at_1(recording.symbols[name][0], two_ended[name])} | of_states
        ),
        first_norm=float(recording.norms[0]),
        largest_norm=float(recording.norms[recording.largest_norm_at]),
        largest_norm_at=recording.largest_norm_at,
        clipped_updates=recording.clipped_updates,
        halved=float(np.mean(recording.clipped < recording.norm / 2)),
        usual_update=float(np.median(updates)) if updates.size else nan,
        longest_update=float(updates.max()) if updates.size else nan,
        unlike=float(np.ptp(h_t, axis=1).max()),
        max_derivative=next((g.max_df for g in two_ended.values()), nan) if len(activations) == 1 else nan,
    )


def typical_loss(recording: Recording) -> float:
    """Return the median of the validation loss in the last tenth of the frames, or in the last three if that is more."""
    return float(np.median(recording.validation_loss[-_last_frames(recording) :]))


def _last_frames(recording: Recording) -> int:
    return max(FEWEST_FRAMES, len(recording.updates) // 10)


def _updates_of_cell(recording: Recording) -> Array:
    """Return the update-to-weight ratio of the matrix of the cell that moves most, in each frame that has a finite one."""
    names = [name for name, W in recording.weights.items() if W.shape[2] > 1 and name not in Readout._fields]
    if not names:  # an RNN with one unit and one input
        return np.array([])
    ratios = np.array([recording.ratio[name] for name in names])
    ratios[~np.isfinite(ratios)] = -1
    largest = ratios.max(axis=0)
    return largest[largest >= 0]


def _trend(losses: Array) -> float:
    quarter = len(losses) // 4
    if quarter < FEWEST_FRAMES or not np.all(losses > 0) or not np.isfinite(losses).all():
        return nan
    logs = np.log(losses)
    return float(np.exp(logs[-quarter:].mean() - logs[-2 * quarter : -quarter].mean()))


def _is_mostly_at_1(gate: Array, g: Activation) -> bool:
    """Whether most of the saturated values of a gate are those near 1."""
    low, high = outputs_at_bounds(g, SATURATED)
    return bool(np.sum(gate > high) > np.sum(gate < low))
