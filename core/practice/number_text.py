"""Numbers as the texts of exercises write them."""

from collections.abc import Mapping

import numpy as np

from core.arrays import Array


def counted(number: int, thing: str) -> str:
    """A number of things, such as ``"1 step"`` and ``"2 steps"``.

    Parameters
    ----------
    number : int
    thing : str

    Returns
    -------
    str
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def written(value: float) -> str:
    """A number in words: at most 4 decimals.

    Parameters
    ----------
    value : float

    Returns
    -------
    str
    """
    text = f"{abs(value):.4f}".rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and text != "0" else text


def comes_to(*values: float | Array) -> str:
    """The sign before a result: ``"="`` if all numbers beside it are written in full, and ``"≈"`` if one is rounded.

    Parameters
    ----------
    *values : float or ndarray
        The result, and what it comes from.

    Returns
    -------
    str
    """
    return "=" if all(np.all(np.abs(np.round(value, 4) - value) < 1e-9) for value in values) else "≈"


def term(value: float) -> str:
    """A number behind an operator, with brackets around a negative one.

    Parameters
    ----------
    value : float

    Returns
    -------
    str
    """
    text = written(value)
    return f"({text})" if text.startswith("−") else text


def listed(values: Array) -> str:
    """A column as a list on one line.

    Parameters
    ----------
    values : ndarray

    Returns
    -------
    str
    """
    return f"[{', '.join(written(value) for value in values.ravel().tolist())}]"


def decimals_of(given: Mapping[str, Array]) -> int:
    """How many decimals show all that is given exactly, at most 3.

    Parameters
    ----------
    given : mapping from str to ndarray

    Returns
    -------
    int
    """
    return next((d for d in range(3) if all(np.array_equal(np.round(array, d), array) for array in given.values())), 3)
