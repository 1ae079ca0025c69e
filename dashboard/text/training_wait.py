"""The texts on the wait for a training, and on one that was stopped."""

from collections.abc import Sequence

from core.training import Recording, TrainingSetup

STOPPED = "You stopped the training. The page shows the first {made} of {total} updates."
# Before the first update, or after readers stopped so many trainings that what this one showed is not kept.
STOPPED_WITHOUT_UPDATES = "You stopped the training. The page shows the cell without training."
STOPPED_SEVERAL = "You stopped the trainings. The page shows the first {made} of {total} updates in all."
TRAIN, STOP = "Continue the training", "Stop"
# Why a field takes no larger number, by the query parameter.
LIMITS = {
    "updates": "With {other} time steps, more updates would take too long.",
    "length": "With {other} updates, more time steps would take too long.",
}
# The progress bar of a training that is being made.
PROGRESS = "Training: {made} of {total} updates"
PROGRESS_BEHIND_ONE = "Training: {made} of {total} updates. 1 other training comes first."
PROGRESS_BEHIND_SEVERAL = "Training: {made} of {total} updates. {before} other trainings come first."


def progress(made: int, total: int, before: int) -> str:
    """Return the text beside the progress bar.

    Parameters
    ----------
    made, total : int
        Updates.
    before : int
        How many other trainings come first.

    Returns
    -------
    str
    """
    if not before:
        return PROGRESS.format(made=made, total=total)
    behind = PROGRESS_BEHIND_ONE if before == 1 else PROGRESS_BEHIND_SEVERAL
    return behind.format(made=made, total=total, before=before)


def stopped_after(recordings: Sequence[Recording], setups: Sequence[TrainingSetup]) -> str:
    """Return how many updates were made before the reader stopped; empty if all were made.

    Parameters
    ----------
    recordings : sequence of Recording
        The updates that were made of each training. One without updates may have another setup.
    setups : sequence of TrainingSetup
        Those of the whole trainings.
    """
    pairs = zip(recordings, setups, strict=True)
    opened = [(made, setup) for made, setup in pairs if made.setup != setup or made.is_interrupted]
    if not opened:
        return ""
    made, total = sum(one.updates_made for one, _ in opened), sum(setup.updates for _, setup in opened)
    stopped = STOPPED_WITHOUT_UPDATES if not made else STOPPED if len(opened) == 1 else STOPPED_SEVERAL
    return stopped.format(made=made, total=total)
