"""Numbers for exercises, and the mistakes that several kinds of exercise have in common."""

import numpy as np

from core.arrays import Array
from core.practice.exercise import DECIMALS, ROUNDING_ERROR, Mark, Mistake


def numbers(rng: np.random.Generator, level: int, shape: tuple[int, ...], most: int) -> Array:
    """Sample numbers of a level, none of them 0, between -most and most.

    Returns
    -------
    ndarray of the given shape
        Of int64 at level 1, else of float64.
    """
    scale = 10 ** DECIMALS[level]
    whole = rng.integers(-most * scale, most * scale, shape)
    whole += whole >= 0
    return whole if level == 1 else whole / scale


def signs(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Sample -1 and 1.

    Returns
    -------
    ndarray of int of the given shape
    """
    return 2 * rng.integers(0, 2, shape) - 1


def gate_values(rng: np.random.Generator, level: int, shape: tuple[int, ...]) -> Array:
    """Sample values of partly open gates, for the levels with decimals.

    Parameters
    ----------
    level : {2, 3}

    Returns
    -------
    ndarray of the given shape
        In (0, 1).
    """
    scale = 10 ** DECIMALS[level]
    return rng.integers(1, scale, shape) / scale


def other_rows(values: Array, symbol: str, row: int) -> dict[str, Mistake]:
    """Return the mistakes of taking another row, one for each.

    Parameters
    ----------
    values : ndarray of shape (k, 1)
        The result of every row.
    symbol : str
        The array in which the page outlines the wrong row.
    row : int
        The one that was asked for.
    """
    return {
        f"other_row:{other}": Mistake(
            value, Mark(symbol, other), Mark(symbol, row), {"row": other + 1, "meant": row + 1}
        )
        for other, value in enumerate(values[:, 0].tolist())
        if other != row
    }


def product_rounding_error(level: int, factors: int) -> float:
    """Return the error bound of a product of given numbers that is rounded to 3 decimals.

    Parameters
    ----------
    level : {2, 3}
    factors : int
        How many of them are multiplied: with few decimals the product has no more than 3.
    """
    return ROUNDING_ERROR if factors * DECIMALS[level] > 3 else 0.0


def arithmetic(level: int, answer: float) -> dict[str, Mistake]:
    """Return the mistakes in the arithmetic: the opposite sign and, for whole numbers, 1 or 10 too much or too few.

    They are optional: if a misconception gives the same number, the page names the misconception.
    """
    mistakes = {"sign": Mistake(-answer)}
    if level == 1:
        for off in (1, 10):
            mistakes |= {
                f"arithmetic:{way * off}": Mistake(answer + way * off, details={"off": off}) for way in (-1, 1)
            }
    return mistakes
