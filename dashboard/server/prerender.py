"""A process that makes the films of the stories for its server: `python -m dashboard.server.prerender` and the server's process id.

It writes them to its output, one after the other. It ends with its server.
"""

import os
import pickle
import signal
import sys
from typing import BinaryIO

# Before NumPy is there: more threads would only be in the way of the server's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from core.training import EXPERIMENTS, train  # noqa: E402


def make(out: BinaryIO, server: int) -> None:
    """Make them in the order of the page.

    Parameters
    ----------
    out : binary file
    server : int
        The id of the process that reads it.
    """
    for recipes in EXPERIMENTS.values():
        for recipe in recipes:
            pickle.dump(train(recipe, lambda done, total: _end_without(server)), out)
            out.flush()


def _end_without(server: int) -> None:
    if os.getppid() != server:
        sys.exit()


if __name__ == "__main__":
    # What is pressed in the server's terminal is for the server, and this ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(19)
    make(sys.stdout.buffer, int(sys.argv[1]))
