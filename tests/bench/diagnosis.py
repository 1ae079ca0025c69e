"""The diagnosis of trainings with a planted fault, and of healthy ones, over 5 seeds.

    python -m tests.bench.diagnosis

For each fault, the table has the finding that is expected first, and how often it is; then how the advised change ends. A healthy
training has learned, and nothing else is found. Its seconds are those of one processor, for all trainings together.
"""

import time
from collections import Counter
from dataclasses import replace

from core.training import TrainingSetup, changed, train, verdict

SEEDS = range(5)
SMALL = TrainingSetup(k=8, T=10, updates=150)
# By the finding that must come first.
FAULTS = {
    "hardly-moves": replace(SMALL, rate=1e-5),
    "jumps": replace(SMALL, task="parity", cell="RNN", rate=1.0, T=20),
    "saturated-by-updates": replace(SMALL, task="parity", cell="RNN", optimiser="SGD", rate=1.0),
    "overflow": replace(SMALL, task="brackets", optimiser="SGD", rate=3.0, clip="none"),
    "overflow-unclipped": TrainingSetup(
        "brackets", "RNN", k=16, g="relu", scale=2.2, optimiser="SGD", clip="none", updates=100
    ),
    "unclipped": TrainingSetup(
        "brackets", "RNN", g="relu", init="orthogonal", optimiser="SGD", clip="none", updates=200
    ),
    "dead": TrainingSetup(
        "brackets", "RNN", k=12, T=22, g="relu", init="orthogonal", optimiser="SGD", rate=0.5, updates=150
    ),
    "exploding": TrainingSetup("brackets", "RNN", k=32, T=30, g="relu", scale=2.5, updates=60),
    "flat-activation": replace(SMALL, cell="RNN", g="sigmoid", scale=4.0, T=20),
    "vanishing": replace(SMALL, cell="RNN", scale=0.5, T=30),
    "saturated-at-start": replace(SMALL, init="normal", scale=6.0, T=20),
    "small-start": TrainingSetup("parity", "RNN", scale=0.1),
    "forget-gate-shut": replace(SMALL, forget_bias=-8.0, T=20),
    "alike": replace(SMALL, cell="RNN", task="parity", scale=0.0),
    "clip-decides": replace(SMALL, optimiser="SGD", rate=0.1, clip_at=1e-3),
    "entry-clip-decides": replace(SMALL, optimiser="SGD", rate=0.1, clip="value", clip_at=1e-5, task="adding"),
    "still-falling": replace(SMALL, task="brackets", updates=15),
    "few-updates": replace(SMALL, task="parity", T=40, updates=100),
    "still-falling-high": replace(SMALL, task="text", k=16, rate=3e-4, updates=300),
    "constant": replace(SMALL, task="parity", cell="RNN", T=80, updates=300),
}
HEALTHY = {
    "LSTM, echo": SMALL,
    "GRU, brackets": replace(SMALL, cell="GRU", task="brackets", T=15, updates=200),
    "RNN, sine": replace(SMALL, cell="RNN", task="sine", T=20, updates=200),
    "GRU, parity": replace(SMALL, cell="GRU", task="parity", T=5, rate=0.02, updates=250),
    "LSTM, adding": replace(SMALL, task="adding", updates=400),
}


def named(setup: TrainingSetup, seed: int) -> tuple[str, ...]:
    """Return the codes of what is found in a training, worst first."""
    return verdict(train(replace(setup, seed=seed))).named


def main() -> None:
    start = time.process_time()
    for code, setup in FAULTS.items():
        found = [named(setup, seed) for seed in SEEDS]
        right = sum(codes[0] == code for codes in found)
        after = Counter(named(changed(setup, code), seed)[0] for seed in SEEDS)
        ends = ", ".join(f"{end} {count}" for end, count in after.most_common())
        print(f"{code:20} first in {right} of {len(SEEDS)}; after the change: {ends}")
        for codes in found:
            if codes[0] != code:
                print(f"{'':20} found {', '.join(codes)}")
    for name, setup in HEALTHY.items():
        found = [named(setup, seed) for seed in SEEDS]
        print(f"{name:20} nothing else in {found.count(('learned',))} of {len(SEEDS)}")
    print(f"{time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
