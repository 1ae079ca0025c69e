"""The input that a network is examined on: a text, one letter a step, or noise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Array
from core.exchange.model_files.network import FoundLayer
from core.time.inputs import alphabet
from core.training.tasks import TEXT

MOST_STEPS, STEPS_OF_NOISE = 2048, 100
# Weights times steps that take about a second.
MOST_PRODUCTS = 10**8


@dataclass(frozen=True)
class Input:
    """An input.

    Attributes
    ----------
    xs : ndarray of shape (T, m, 1)
    letters : str, optional
        The letter of each step; None for noise.
    distinct : int
        How many different letters the text has.
    has_unknown : bool
        Whether the text has letters that the network was not trained on.
    is_cut : bool
        Whether there were more steps.
    key : tuple
        What the input follows from.
    """

    xs: Array
    letters: str | None
    distinct: int
    has_unknown: bool
    is_cut: bool
    key: tuple[object, ...]


def input_of(m: int, layers: Sequence[FoundLayer], passage: str, *, is_own: bool, seed: int) -> Input:
    """Return the input of a network.

    Parameters
    ----------
    m : int
        Entries of x_t.
    layers : sequence of FoundLayer
        Their sizes bound the number of steps.
    passage : str
        The text.
    is_own : bool
        Whether it is a network of Cellscope, whose alphabet is that of its training. That of a file is taken as sorted.
    seed : int
        Of the noise that takes the place of a text with more letters than m.
    """
    known = alphabet(TEXT) if is_own else "".join(sorted(set(passage)))
    cost = sum(len(layer.directions) * 4 * layer.k * (layer.k + layer.m) for layer in layers)
    steps = max(8, min(MOST_STEPS, MOST_PRODUCTS // cost))
    distinct = len(set(passage))
    key = (m, passage, is_own, seed, steps)
    if len(known) > m:
        xs = np.random.default_rng(seed).standard_normal((min(steps, STEPS_OF_NOISE), m, 1))
        return Input(xs, None, distinct, False, steps < STEPS_OF_NOISE, key)
    letters = passage[:steps]
    xs = np.zeros((len(letters), m, 1))
    for at, letter in enumerate(letters):
        if letter in known:
            xs[at, known.index(letter)] = 1
    return Input(
        xs, letters, distinct, any(letter not in known for letter in letters), len(letters) < len(passage), key
    )
