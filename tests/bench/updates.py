"""How many updates the default training setup needs, for each task and cell: the source of USUAL_UPDATES.

    python -m tests.bench.updates

For each of three seeds, the table has the update after which the loss is notably below that of the best constant prediction, and the
update after which the cell has learned. A dash means that 300 updates were not enough.
"""

from collections.abc import Callable

from core.training import TASKS, USUAL_UPDATES, Recording, TrainingSetup, train, trainable
from core.training.thresholds import LEARNED, NOTABLY_LOWER

SEEDS = range(3)


def first_update(recording: Recording, holds: Callable[[float], bool]) -> str:
    """Return the first update of a recording whose validation loss meets a condition, or a dash."""
    pairs = zip(recording.updates, recording.validation_loss)
    return next((str(update) for update, loss in pairs if holds(float(loss))), "–")


def main() -> None:
    for task in TASKS:
        for cell in trainable():
            ends = []
            for seed in SEEDS:
                recording = train(TrainingSetup(task, cell, updates=USUAL_UPDATES, seed=seed))
                constant, first = recording.constant, float(recording.validation_loss[0])
                below = first_update(recording, lambda loss: loss < NOTABLY_LOWER * constant)
                learned = first_update(recording, lambda loss: loss < LEARNED * min(first, constant))
                ends.append(f"{below:>4} {learned:>4}")
            print(f"{task:9} {cell:5} {'   '.join(ends)}", flush=True)


if __name__ == "__main__":
    main()
