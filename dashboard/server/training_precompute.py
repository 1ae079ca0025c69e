"""A process that makes the recordings of the experiments for its server.

`python -m dashboard.server.training_precompute <process id of the server>` writes them to its output one by one, and ends with its server.
"""

import os
import pickle
import signal
import sys
from typing import BinaryIO

from core.training import EXPERIMENTS, train


def make(out: BinaryIO, server: int) -> None:
    """Write the recordings in the order of the page.

    Parameters
    ----------
    out : binary file
    server : int
        The id of the process that reads them.
    """
    for setups in EXPERIMENTS.values():
        for setup in setups:
            pickle.dump(train(setup, lambda done, total: _end_without(server)), out)
            out.flush()


def _end_without(server: int) -> None:
    if os.getppid() != server:
        sys.exit()


if __name__ == "__main__":
    # Ctrl+C in the server's terminal is meant for the server, and this process ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(19)
    make(sys.stdout.buffer, int(sys.argv[1]))
