"""One update beside torch's, forward, backward and Adam: float64, one thread, k = 16, T = 30, 32 sequences.

    pip install torch && python -m tests.bench.training

torch is needed by this bench alone; without it our times stand alone. The two take turns, and the ratio is that of the
medians. Both see the same sequences of the adding problem and the squared error of a linear readout of the last h_t.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported

import importlib.util
import statistics
import time
from collections.abc import Callable

import numpy as np

from core.cells import CELLS
from core.training import TASKS, Batch, Learner, TrainingSetup, train, trainable
from core.training.optimisers import adam, fresh

ROUNDS = 60
TARGET = 1.5


def ours(setup: TrainingSetup, batch: Batch) -> Callable[[], None]:
    learner = Learner(setup)
    theta, memory = learner.theta, fresh(learner.theta.size)

    def update() -> None:
        nonlocal theta, memory
        change, memory = adam(learner.loss_and_gradient(theta, batch).gradient, memory, setup.rate, 0)
        theta = theta + change

    return update


def torchs(setup: TrainingSetup, batch: Batch) -> Callable[[], None]:
    import torch

    torch.set_num_threads(1)
    m, p = batch.xs.shape[1], batch.targets.shape[1]
    layer = getattr(torch.nn, CELLS[setup.cell].LAYOUT.pytorch)(m, setup.k, dtype=torch.float64)
    readout = torch.nn.Linear(setup.k, p, dtype=torch.float64)
    optimiser = torch.optim.Adam([*layer.parameters(), *readout.parameters()], lr=setup.rate)
    xs = torch.from_numpy(np.ascontiguousarray(batch.xs.transpose(0, 2, 1)))
    target = torch.from_numpy(batch.targets[-1].T.copy())

    def update() -> None:
        optimiser.zero_grad()
        hs, _ = layer(xs)
        torch.nn.functional.mse_loss(readout(hs[-1]), target).backward()
        optimiser.step()

    return update


def milliseconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    has_torch = importlib.util.find_spec("torch") is not None
    if not has_torch:
        print("torch is not installed: no ratios.")
    for name in trainable():
        setup = TrainingSetup(task="adding", cell=name, k=16, T=30, batch=32)
        batch = TASKS["adding"].draw(np.random.default_rng(0), 30, 32)
        runs = [ours(setup, batch), torchs(setup, batch)] if has_torch and CELLS[name].LAYOUT else [ours(setup, batch)]
        times = [[milliseconds(run) for run in runs] for _ in range(ROUNDS)][5:]
        a, *b = (statistics.median(column) for column in zip(*times))
        beside = f", torch {b[0]:5.2f} ms: {a / b[0]:.2f}x  (target {TARGET}x)" if b else ""
        print(f"{name:>4}: {a:5.2f} ms an update{beside}")
    seconds = [milliseconds(lambda: train(TrainingSetup())) / 1000 for _ in range(5)]
    print(
        f"{TrainingSetup().updates} updates of the default setup: {statistics.median(seconds):.2f} s, at best {min(seconds):.2f} s"
    )


if __name__ == "__main__":
    main()
