"""The array alias, the one place that checks shapes, and the one that compares arrays."""

from typing import NamedTuple, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray

# The largest array that can be typed, pasted or opened. In a sequence each step is a row.
MOST_ROWS = MOST_COLUMNS = 512

# The fix of the sizes of a matrix, by the axes that are wrong. The error ends it with a full stop.
FIXES = {
    ("1 row",): "Give it 1 row",
    ("rows",): "Give it {row} rows",
    ("1 column",): "Give it 1 column",
    ("columns",): "Give it {column} columns",
    ("1 row", "1 column"): "Give it 1 row and 1 column",
    ("1 row", "columns"): "Give it 1 row and {column} columns",
    ("rows", "1 column"): "Give it {row} rows and 1 column",
    ("rows", "columns"): "Give it {row} rows and {column} columns",
}


def expect_shape(name: str, array: Array, symbols: str, shape: tuple[int | str, ...]) -> None:
    """Raise unless `array` has the given shape.

    Parameters
    ----------
    name : str
        What the equations call the array, for the message.
    array : ndarray
        The array to check.
    symbols : str
        The rule in size letters, such as ``"(k, m)"``.
    shape : tuple of int or str
        The sizes that the letters stand for; a letter in place of a number leaves that axis free.

    Raises
    ------
    ValueError
        Naming the thing, the rule, what was given and how to fix it.

    Examples
    --------
    >>> expect_shape("W_hx", np.ones((3, 3)), "(k, m)", (3, 4))
    Traceback (most recent call last):
        ...
    ValueError: W_hx must be (k, m) = (3, 4), but it is (3, 3). Give it 4 columns.
    """
    given = np.shape(array)
    if len(given) == len(shape) and all(isinstance(size, str) or size == actual for size, actual in zip(shape, given)):
        return
    rule = f"({', '.join(map(str, shape))})"
    expected = symbols if symbols == rule else f"{symbols} = {rule}"
    raise ValueError(f"{name} must be {expected}, but it is {given}. {_fix(shape, given)}.")


def _fix(shape: tuple[int | str, ...], given: tuple[int, ...]) -> str:
    if len(given) != len(shape) or len(shape) > 2:
        return "Write a column as array.reshape(-1, 1), a matrix as a list of its rows"
    wrong = {
        axis: size
        for size, actual, axis in zip(shape, given, ("row", "column"))
        if not isinstance(size, str) and size != actual
    }
    return FIXES[tuple(f"1 {axis}" if size == 1 else f"{axis}s" for axis, size in wrong.items())].format(**wrong)


def expect_bounds(name: str, shape: tuple[int, ...]) -> None:
    """Raise unless an array has at most MOST_ROWS rows of MOST_COLUMNS numbers.

    Parameters
    ----------
    name : str
        What the equations call it, for the message.

    Raises
    ------
    ValueError
        Naming the array, the rule, its shape and a way out.
    """
    if any(size > most for size, most in zip(shape, (MOST_ROWS, MOST_COLUMNS))):
        raise ValueError(
            f"{name} must have at most {MOST_ROWS} rows of {MOST_COLUMNS} numbers, but it is {shape}. Use a part of it."
        )


def expect_finite(name: str, array: Array) -> None:
    """Raise unless every entry is a finite number.

    Parameters
    ----------
    name : str
        What the equations call the array, for the message.

    Raises
    ------
    ValueError
        If an entry is infinite or not a number.
    """
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, but it has inf or nan. End the sequence before its numbers overflow.")


def expect_recurrence(h_t: Array, h_prev: Array) -> None:
    """Raise unless h_t can take the place of h_{t-1} in the next step.

    Parameters
    ----------
    h_t : ndarray of shape (k, B)
    h_prev : ndarray of shape (n, B)

    Raises
    ------
    ValueError
        If k != n, saying why that matters and how to fix it.
    """
    k, n = len(h_t), len(h_prev)
    if k != n:
        raise ValueError(
            f"h_t must have n = {n} entries to be the next h_prev, but it has k = {k}. The weights have a column for each "
            f"entry of h_prev, so recurrence needs k = n. Set k to {n} or n to {k}."
        )


class Comparison(NamedTuple):
    """The agreement of two arrays.

    Attributes
    ----------
    largest_difference : float
        The largest absolute difference between corresponding entries.
    allclose : bool
        Whether `numpy.allclose` holds with its default tolerances.
    equal : bool
        Whether every entry is exactly equal.
    """

    largest_difference: float
    allclose: bool
    equal: bool


def compare(a: Array, b: Array) -> Comparison:
    """Compare two arrays of one shape, entry by entry.

    Parameters
    ----------
    a, b : ndarray of one shape

    Raises
    ------
    ValueError
        If the shapes differ: broadcasting would hide that.
    """
    expect_shape("b", b, "the shape of a", np.shape(a))
    return Comparison(
        largest_difference=float(np.max(np.abs(np.subtract(a, b)), initial=0)),
        allclose=bool(np.allclose(a, b)),
        equal=bool(np.array_equal(a, b)),
    )
