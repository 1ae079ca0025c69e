"""The tasks: sequences sampled from a generator, with targets at some or all of their steps."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.arrays import Array
from core.sequence.inputs import PERIOD, alphabet, one_hot

# The text of the task of that name; its end leads on to its beginning.
TEXT = "the cat sat on the mat and the dog sat on the log "
# Brackets are open inside each other at most as deep as this.
DEEPEST = 5
# The standard deviation of what is added to the sine.
NOISE = 0.1


class Batch(NamedTuple):
    """Sequences with their targets.

    Attributes
    ----------
    xs : ndarray of shape (T, m, B)
        The inputs.
    targets : ndarray of shape (T, p, B)
        For cross-entropy 1 in the entry of the right class and 0 elsewhere.
    weights : ndarray of shape (T,)
        How much each step counts in the loss, 1 in sum; 0 where nothing is asked.
    """

    xs: Array
    targets: Array
    weights: Array


class Task(NamedTuple):
    """Something that a cell can be taught.

    Attributes
    ----------
    m, p : int
        Entries of the input and of the target.
    loss : {"squared", "cross-entropy"}
    draw : callable
        From a generator, T and B to a Batch.
    """

    m: int
    p: int
    loss: str
    draw: Callable[[np.random.Generator, int, int], Batch]


def _at_the_end(T: int) -> Array:
    return np.eye(T)[-1]


def _at_every_step(T: int) -> Array:
    return np.full(T, 1 / T)


def _classes(classes: Array, p: int) -> Array:
    """Return 1 in the entry of each class, of shape (..., p, B) for classes of shape (..., B)."""
    return np.moveaxis(np.eye(p)[classes], -1, -2)


def _echo(rng: np.random.Generator, T: int, B: int) -> Batch:
    bits = rng.integers(0, 2, (T, B))
    is_first = np.broadcast_to(np.eye(T)[0][:, None], (T, B))
    xs = np.stack([2.0 * bits - 1, is_first], axis=1)
    return Batch(xs, np.broadcast_to(_classes(bits[0], 2), (T, 2, B)), _at_the_end(T))


def _adding(rng: np.random.Generator, T: int, B: int) -> Batch:
    """Sample the task of Hochreiter and Schmidhuber (1997), experiment 4, with one mark in each half as in later texts."""
    numbers, marks, columns = rng.uniform(0, 1, (T, B)), np.zeros((T, B)), np.arange(B)
    marks[rng.integers(0, T // 2, B), columns] = 1
    marks[rng.integers(T // 2, T, B), columns] = 1
    total = (numbers * marks).sum(axis=0)
    return Batch(np.stack([numbers, marks], axis=1), np.broadcast_to(total, (T, 1, B)), _at_the_end(T))


def _brackets(rng: np.random.Generator, T: int, B: int) -> Batch:
    opens, depth, depths = rng.integers(0, 2, (T, B)).astype(bool), np.zeros(B, int), np.zeros((T, 1, B))
    for t in range(T):
        opens[t] = (opens[t] | (depth == 0)) & (depth < DEEPEST)
        depth = depth + np.where(opens[t], 1, -1)
        depths[t, 0] = depth
    return Batch(np.stack([opens, ~opens], axis=1).astype(float), depths, _at_every_step(T))


def _parity(rng: np.random.Generator, T: int, B: int) -> Batch:
    bits = rng.integers(0, 2, (T, B))
    return Batch(2.0 * bits[:, None] - 1, _classes(bits.cumsum(axis=0) % 2, 2), _at_every_step(T))


def _sine(rng: np.random.Generator, T: int, B: int) -> Batch:
    t, phase = np.arange(T + 1)[:, None, None], rng.uniform(0, 2 * np.pi, B)
    values = np.sin(2 * np.pi * t / PERIOD + phase) + NOISE * rng.standard_normal((T + 1, 1, B))
    return Batch(values[:-1], values[1:], _at_every_step(T))


def _text(rng: np.random.Generator, T: int, B: int) -> Batch:
    characters = one_hot(TEXT, len(alphabet(TEXT)))[..., 0].astype(float)
    places = (rng.integers(0, len(TEXT), B) + np.arange(T + 1)[:, None]) % len(TEXT)
    columns = characters[places].transpose(0, 2, 1)
    return Batch(columns[:-1], columns[1:], _at_every_step(T))


# To add a task, add its record here.
TASKS = {
    "echo": Task(2, 2, "cross-entropy", _echo),
    "adding": Task(2, 1, "squared", _adding),
    "brackets": Task(2, 1, "squared", _brackets),
    "parity": Task(1, 2, "cross-entropy", _parity),
    "sine": Task(1, 1, "squared", _sine),
    "text": Task(len(alphabet(TEXT)), len(alphabet(TEXT)), "cross-entropy", _text),
}
