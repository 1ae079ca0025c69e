"""The number format of the texts of exercises."""

from collections.abc import Mapping

import numpy as np

from core.arrays import Array


def format_number(value: float) -> str:
    """Return a number with at most 4 decimals."""
    text = f"{abs(value):.4f}".rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and text != "0" else text


def relation(*values: float | Array) -> str:
    """Return the sign before a result: ``"≈"`` if one of the written numbers is rounded, else ``"="``.

    Parameters
    ----------
    *values : float or ndarray
        The result and the numbers that it is computed from.
    """
    return "=" if all(np.all(np.abs(np.round(value, 4) - value) < 1e-9) for value in values) else "≈"


def format_term(value: float) -> str:
    """Return a number after an operator, in brackets if it is negative."""
    text = format_number(value)
    return f"({text})" if text.startswith("−") else text


def format_column(values: Array) -> str:
    """Return a column as a list on one line."""
    return f"[{', '.join(format_number(value) for value in values.ravel().tolist())}]"


def decimals_of(given: Mapping[str, Array]) -> int:
    """Return the number of decimals that show all given numbers exactly, at most 3."""
    return next((d for d in range(3) if all(np.array_equal(np.round(array, d), array) for array in given.values())), 3)
