"""`unroll` beside torch.nn.RNN, LSTM and GRU: float64, one thread, hidden and input 256, T = 256.

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
from core.cells import CELLS, gru, lstm, rnn
from core.time.unroll import unroll

SIZE = STEPS = 256
ROUNDS = 15


def small(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape) / np.sqrt(SIZE)


def make(name: str, B: int):
    """A cell's parameters and its state."""
    gate, square, bias, h = small(SIZE, 2 * SIZE), small(SIZE, SIZE), small(SIZE, 1), np.zeros((SIZE, B))
    return {
        "RNN": lambda: (rnn.RNNParams(square, square, bias, tanh), rnn.RNNState(h)),
        "LSTM": lambda: (lstm.LSTMParams(*[gate] * 4, *[bias] * 4), lstm.LSTMState(h, h)),
        "GRU": lambda: (gru.GRUParams(gate, gate, square, square, *[bias] * 4), gru.GRUState(h)),
    }[name]()


def milliseconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    torch.set_num_threads(1)
    for B in (1, 32):
        for name, cell in CELLS.items():
            params, state = make(name, B)
            xs = np.random.default_rng(1).standard_normal((STEPS, SIZE, B))
            module = getattr(torch.nn, name)(SIZE, SIZE, dtype=torch.float64)
            tensor = torch.from_numpy(np.ascontiguousarray(xs.transpose(0, 2, 1)))
            ours, theirs = [], []
            with torch.no_grad():
                for _ in range(ROUNDS):
                    ours.append(milliseconds(lambda: unroll(cell, params, state, xs)))
                    theirs.append(milliseconds(lambda: module(tensor)))
            a, b = statistics.median(ours[3:]), statistics.median(theirs[3:])
            print(f"{name:>4} batch {B:2}: {a:6.1f} ms, torch {b:6.1f} ms: {a / b:.2f}x  (target 1x)")


if __name__ == "__main__":
    main()
