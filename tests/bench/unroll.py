"""`unroll` beside the layers of torch.nn: float64, one thread, hidden and input 256, T = 256.

    pip install torch && OPENBLAS_NUM_THREADS=1 python -m tests.bench.unroll

torch is needed by this bench alone. `unroll` returns every symbol, torch the hidden states. The two take turns,
and the ratio is that of the medians.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported

import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from core.activations import tanh
from core.cells import CELLS, Cell
from core.sequence.unroll import unroll

SIZE = STEPS = 256
ROUNDS = 15


def small(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape) / np.sqrt(SIZE)


def make(cell: Cell, B: int):
    """A cell's parameters and its state."""
    made = {"weights": small(SIZE, SIZE), "bias": small(SIZE, 1), "input": np.zeros((SIZE, B))}
    return cell.build({name: made[numbers.kind] for name, numbers in cell.ARRAYS.items()}, order="hx", g=tanh)


def milliseconds(run: Callable[..., object], *given: object) -> float:
    start = time.perf_counter()
    run(*given)
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    torch.set_num_threads(1)
    for B in (1, 32):
        for name, cell in CELLS.items():
            if cell.LAYOUT is None:
                continue
            params, state = make(cell, B)
            xs = np.random.default_rng(1).standard_normal((STEPS, SIZE, B))
            module = getattr(torch.nn, cell.LAYOUT.pytorch)(SIZE, SIZE, dtype=torch.float64)
            tensor = torch.from_numpy(np.ascontiguousarray(xs.transpose(0, 2, 1)))
            ours, theirs = [], []
            with torch.no_grad():
                for _ in range(ROUNDS):
                    ours.append(milliseconds(unroll, cell, params, state, xs))
                    theirs.append(milliseconds(module, tensor))
            a, b = statistics.median(ours[3:]), statistics.median(theirs[3:])
            print(f"{name:>4} batch {B:2}: {a:6.1f} ms, torch {b:6.1f} ms: {a / b:.2f}x  (target 1x)")


if __name__ == "__main__":
    main()
