"""Everything that a training follows from."""

from collections.abc import Collection
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.initialize import RANDOM
from core.training.optimisers import CLIPS, OPTIMISERS
from core.training.tasks import TASKS

# The least and the most of each number, and whether it is whole.
BOUNDS: dict[str, tuple[float, float, bool]] = {
    "k": (1, 32, True),
    "T": (2, 100, True),
    "batch": (1, 128, True),
    "scale": (0, 10, False),
    "forget_bias": (-10, 10, False),
    "rate": (1e-6, 10, False),
    "momentum": (0, 0.999, False),
    "clip_at": (1e-6, 1e6, False),
    "updates": (0, 5000, True),
    "seed": (0, 2**31 - 1, True),
}
# Steps of sequences in all updates together: half a minute of the largest cell.
MOST_STEPS = 10**6


@dataclass(frozen=True)
class TrainingSetup:
    """The settings that a recording follows from. The defaults take about two seconds.

    Attributes
    ----------
    task : str
        A name of TASKS, which also gives the sizes of the input and of the target.
    cell : str
        A name of CELLS, of one that has `backward`.
    k : int
        Units.
    T : int
        Steps of each sequence.
    batch : int
        Sequences for each update, drawn afresh.
    init : str
        A name of RANDOM: equal units would get equal gradients, and stay equal.
    scale : float
        Multiplies every weight of the cell at the start; neither its biases, which are 0, nor the readout.
    forget_bias : float
        The bias of the forget gate at the start.
    g : str
        A name of ACTIVATIONS, for the plain cell.
    optimiser : str
        A name of OPTIMISERS.
    rate : float
        How far an update goes, the learning rate.
    momentum : float
        Of SGD; Adam has its own.
    clip : str
        A name of CLIPS.
    clip_at : float
        The longest gradient, or the largest entry of it, that is let through.
    updates : int
    seed : int
        What the weights, the sequences and the directions of `check` are drawn from.
    check : bool
        Compare the gradient with central differences at every frame.

    Raises
    ------
    ValueError
        In one line, for the first field that is not what it must be.
    """

    task: str = "echo"
    cell: str = "LSTM"
    k: int = 16
    T: int = 20
    batch: int = 16
    init: str = "glorot"
    scale: float = 1.0
    forget_bias: float = 1.0
    g: str = "tanh"
    optimiser: str = "Adam"
    rate: float = 0.01
    momentum: float = 0.9
    clip: str = "norm"
    clip_at: float = 1.0
    updates: int = 500
    seed: int = 0
    check: bool = False

    def __post_init__(self) -> None:
        names: dict[str, Collection[str]] = {
            "task": TASKS,
            "cell": CELLS,
            "init": RANDOM,
            "g": ACTIVATIONS,
            "optimiser": OPTIMISERS,
            "clip": CLIPS,
        }
        for field, known in names.items():
            given = getattr(self, field)
            if not isinstance(given, str) or given not in known:
                raise ValueError(f"{field} must be one of {', '.join(known)}, but it is {_shown(given)}.")
        if not hasattr(CELLS[self.cell], "backward"):
            raise ValueError(
                f"The {self.cell} has no backward pass, so it cannot be trained. Set cell to one of {', '.join(trainable())}."
            )
        for field, (least, most, whole) in BOUNDS.items():
            given = getattr(self, field)
            is_number = isinstance(given, Integral if whole else Real) and not isinstance(given, bool)
            if not is_number or not least <= given <= most:
                number = "a whole number" if whole else "a number"
                raise ValueError(f"{field} must be {number} from {least:g} to {most:.10g}, but it is {_shown(given)}.")
        if not isinstance(self.check, bool):
            raise ValueError(f"check must be True or False, but it is {_shown(self.check)}.")
        steps = self.updates * self.batch * self.T
        if steps > MOST_STEPS:
            raise ValueError(
                f"The training has {steps} steps: {self.updates} updates × {self.batch} sequences × {self.T} time steps. Set updates "
                f"to at most {MOST_STEPS // (self.batch * self.T)}, or use fewer time steps, because the limit is {MOST_STEPS}."
            )


def largest(field: str, other: int) -> int:
    """Return the largest number of updates beside so many time steps, or of time steps beside so many updates.

    Parameters
    ----------
    field : {"updates", "T"}
    other : int
        The value of the other field.
    """
    least, most, _ = BOUNDS[field]
    return int(max(least, min(most, MOST_STEPS // (TrainingSetup.batch * max(1, other)))))


def trainable() -> list[str]:
    """Return the names of CELLS that have a `backward`."""
    return [name for name, cell in CELLS.items() if hasattr(cell, "backward")]


def _shown(given: Any) -> str:
    """Return a value in one short line; Python itself refuses to print the largest whole numbers."""
    if isinstance(given, int) and abs(given) > 10**30:
        return "a far larger one" if given > 0 else "a far smaller one"
    return repr(given)[:60]
