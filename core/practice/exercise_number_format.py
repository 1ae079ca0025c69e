"""The number format of the texts of exercises."""

from collections.abc import Mapping

import numpy as np

from core.arrays import Array
from core.practice.exercise import ASKED, EXACT, Answer, Exercise


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


def given_text(array: Array) -> str:
    """Return an array on one line: a number, a column in brackets, or the rows of a matrix."""
    if array.ndim == 0:
        return format_number(float(array))
    if array.shape[1] == 1:
        return format_column(array)
    return f"[{'; '.join(format_column(row) for row in array)}]"


def answer_text(answer: Answer) -> str:
    """Return an answer as text: a number, or whole numbers in brackets."""
    return f"({', '.join(map(str, answer))})" if isinstance(answer, tuple) else format_number(answer)


def key_text(exercise: Exercise) -> str:
    """Return the answer of an exercise with as many decimals as the question asks for."""
    answer = exercise.answer
    return answer_text(answer if isinstance(answer, tuple) else round(answer, ASKED[exercise.level]))


def decimals_of(given: Mapping[str, Array]) -> int:
    """Return the number of decimals that show all given numbers exactly, at most 3."""
    return next((d for d in range(3) if all(np.array_equal(np.round(array, d), array) for array in given.values())), 3)


def decimals_beyond(values: Array, decimals: int, asked: int) -> int:
    """Return how many decimals beyond those of the given numbers show values as exactly as an answer.

    Parameters
    ----------
    values : ndarray
        With NaN for blanks.
    decimals : int
        Of the given numbers.
    asked : int
        The number of decimals of an answer.
    """
    known = values[~np.isnan(values)]
    return 0 if np.allclose(known, np.round(known, decimals), rtol=0, atol=EXACT) else max(0, asked - decimals)
