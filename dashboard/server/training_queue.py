"""The order of trainings: which one runs next, and how many come before another. It has no thread, no lock and no clock."""

from collections.abc import Hashable

from core.cells import CELLS
from core.training import FRAMES, TrainingSetup

# In seconds: how long a training runs before the queue chooses the next one.
TIME_SLICE = 0.5
# The work of one frame in updates, and of one matrix product in entries of the hidden state, both measured roughly.
FRAME, PRODUCT = 3, 160


def work(setup: TrainingSetup, made: int = 0) -> float:
    """Estimate the work that is left of a training.

    Parameters
    ----------
    setup : TrainingSetup
    made : int
        The number of updates that are made.

    Returns
    -------
    float
        In an arbitrary unit: only the order of two such numbers is meaningful.
    """
    products = sum("·" in row for row in CELLS[setup.cell].EQUATIONS)
    update = setup.T * products * (PRODUCT + setup.k * setup.batch)
    frames = min(FRAMES, setup.updates + 1)
    left = 1 - made / (setup.updates + 1)
    return update * left * (setup.updates + 1 + FRAME * frames)


class TrainingQueue:
    """Trainings and the readers who wait for them.

    Every second turn goes to the training that has waited longest, and every other one to the training with the least work
    left. So a short training overtakes long ones, and a long one still gets half of all turns once it is the oldest.

    Readers who wait for the same setup share one training. A reader has one place. If the same reader asks for a second setup,
    that one gets a place when the reader's first one is done or given up.
    """

    def __init__(self) -> None:
        # The setups of each reader in the order of the requests. The first one has the reader's place.
        self._asked: dict[Hashable, list[TrainingSetup]] = {}
        # The trainings that have a place and the work left of each. The one that has waited longest comes first.
        self._line: dict[TrainingSetup, float] = {}
        self._is_oldest_next = False

    def join(self, reader: Hashable, setup: TrainingSetup) -> None:
        """Let a reader wait for a setup."""
        self._asked.setdefault(reader, []).append(setup)
        self._renew()

    def leave(self, reader: Hashable, setup: TrainingSetup) -> None:
        """Remove a reader who waits for a setup. The training is removed too if nobody else waits for it."""
        self._asked[reader].remove(setup)
        self._renew()

    def end(self, setup: TrainingSetup) -> None:
        """Remove a training that is done or has failed, so that no reader waits for it."""
        for reader, setups in self._asked.items():
            self._asked[reader] = [other for other in setups if other != setup]
        self._renew()

    def next_setup(self) -> TrainingSetup | None:
        """Return the training that runs next, or None if nobody waits."""
        if not self._line:
            return None
        self._is_oldest_next = not self._is_oldest_next
        return next(iter(self._line)) if self._is_oldest_next else min(self._line, key=self._line.__getitem__)

    def progress(self, setup: TrainingSetup, made: int) -> None:
        """Record how many updates of a training are made."""
        if setup in self._line:
            self._line[setup] = work(setup, made)

    def before(self, setup: TrainingSetup) -> int:
        """Return how many trainings must end before this one gets a turn, if no shorter one joins them.

        That is 0 for the oldest training and for the one with the least work left: both get turns.
        """
        if setup not in self._line:
            return len(self._line)
        by_age = [*self._line]
        by_work = sorted(by_age, key=self._line.__getitem__)
        return min(by_age.index(setup), by_work.index(setup))

    def _renew(self) -> None:
        """Give a place to the first setup of each reader, at the end of the line, and take it from all others."""
        self._asked = {reader: setups for reader, setups in self._asked.items() if setups}
        first = dict.fromkeys(setups[0] for setups in self._asked.values())
        kept = {setup: left for setup, left in self._line.items() if setup in first}
        self._line = kept | {setup: work(setup) for setup in first if setup not in kept}
