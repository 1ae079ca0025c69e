"""Sequences of inputs: an impulse, a step, a sine, and a word. `core.scenario` samples noise."""

from collections.abc import Callable

import numpy as np

from core.arrays import Array

# Steps that one round of the sine takes.
PERIOD = 16

# The factors of the single step's input at the steps 1 to T.
PROFILES: dict[str, Callable[[Array], Array]] = {
    "impulse": lambda t: (t == 1).astype(int),
    "step": lambda t: (t > len(t) // 2).astype(int),
    # Exactly 0 where the sine crosses 0, without the rounding error.
    "sine": lambda t: np.where(t % (PERIOD // 2) == 0, 0.0, np.sin(2 * np.pi * t / PERIOD)),
}


def shaped(profile: str, x_t: Array, T: int) -> Array:
    """Return one input at every step, times a profile over time.

    Parameters
    ----------
    profile : {"impulse", "step", "sine"}
        1 at the first step alone; 0 in the first half and 1 in the second; or a sine with a period of PERIOD steps.
    x_t : ndarray of shape (m, B)

    Returns
    -------
    ndarray of shape (T, m, B)
    """
    return np.multiply.outer(PROFILES[profile](np.arange(1, T + 1)), x_t)


def alphabet(word: str) -> str:
    """Return the different characters of a word, in the order in which they first appear."""
    return "".join(dict.fromkeys(word))


def one_hot(word: str, m: int) -> Array:
    """Return a word as a sequence of columns, each 1 in the entry of its character and 0 elsewhere.

    Parameters
    ----------
    word : str
        At least one character.
    m : int
        Entries of a column; those beyond the word's different characters stay 0.

    Returns
    -------
    ndarray of shape (len(word), m, 1)

    Raises
    ------
    ValueError
        If the word is empty, or has more than m different characters.
    """
    characters = alphabet(word)
    if not word:
        raise ValueError("The word is empty. Type at least one character.")
    if len(characters) > m:
        raise ValueError(
            f"The word has {len(characters)} different characters, but m is {m}. Set m to {len(characters)} or more, or choose a "
            "word with fewer different characters."
        )
    columns = np.eye(m, dtype=int)[[characters.index(character) for character in word]]
    return columns[:, :, None]
