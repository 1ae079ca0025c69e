"""Matrices as people write them, and as a link carries them."""

import re
from collections.abc import Iterable, Mapping
from io import StringIO
from itertools import islice

import numpy as np

from core.arrays import MOST_COLUMNS, MOST_ROWS, Array

# Characters for one number: all its digits, and the spaces around it.
DIGITS = 40
# Far beyond what any cell is given, and far from where floats end.
LARGEST_VALUE = 1e9
TOO_MANY = f"The text is too large. Paste at most {MOST_ROWS} rows of {MOST_COLUMNS} numbers."

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
# The start of np.array(...); a dtype at its end is left out.
WRAPPER = re.compile(r"(\w{1,20}\.)?(array|asarray|matrix|tensor)\(")
ROW = re.compile(r"\[([^\[\]]*)\]")
# With a null character in the place of each row [...]: one or more rows, with or without brackets around all of them.
LISTS = re.compile(r"\0(,?\0)*,?|\[\0(,?\0)*,?\]")
# In a link these separate arrays, rows and numbers: characters that an address does not escape.
ARRAYS, ROWS, NUMBERS = "~~", "~", "_"


def parse_matrix(text: str) -> Array:
    """Read a matrix from a spreadsheet's cells, lines of numbers, nested lists or ``np.array(...)``.

    Parameters
    ----------
    text : str
        Numbers of one row are separated by tabs, commas, semicolons or spaces; rows by line ends, or by brackets.

    Returns
    -------
    ndarray of shape (rows, columns)
        Of int64 if all numbers are whole and small, else of float64. A flat list is a column.

    Raises
    ------
    ValueError
        If it is empty, too large, ragged, or one of its entries is not a finite number.
    """
    if len(text) > MOST_ROWS * MOST_COLUMNS * DIGITS:
        raise ValueError(TOO_MANY)
    text = text.strip(" \r\n").replace("−", "-")
    wrapper = WRAPPER.match(text)
    if wrapper and text.endswith(")"):
        text = text[wrapper.end() :].partition("dtype")[0].rstrip(" \r\n,)")
    if not text.startswith("["):
        return _matrix(map(_cells, (line for line in text.splitlines() if line.strip())))
    around = "".join(ROW.sub("\0", text).split())
    if not LISTS.fullmatch(around):
        raise ValueError("The brackets do not match. Write a matrix as [[1, 2], [3, 4]].")
    matrix = _matrix(_cells(row[1]) for row in ROW.finditer(text))
    return matrix.T if around == "\0" else matrix


def read_table(text: str, most_rows: int, most_columns: int, most_numbers: int) -> tuple[Array, int]:
    """Read the first lines of a table, with a header or without one.

    Parameters
    ----------
    text : str
        One row on each line. A first line without any number is a header.
    most_rows : int
        The number of rows that are read; the others are left.
    most_columns, most_numbers : int

    Returns
    -------
    array : ndarray of shape (rows, columns)
    count : int
        The number of rows of the whole table.

    Raises
    ------
    ValueError
        If it is empty, too large, ragged, or one of its entries is not a finite number.
    """
    too_long = f"A line of the table is too long. Write one step on each line, with at most {most_columns} numbers."
    lines = list(islice((line for line in StringIO(text) if line.strip()), most_rows + 1))
    count = len(lines) if len(lines) <= most_rows else text.strip().count("\n") + 1
    first = 1
    if len(lines) > 1 and not any(
        NUMBER.fullmatch(cell.strip('"')) for cell in _cells(lines[0], most_columns, too_long)
    ):
        lines, first, count = lines[1:], 2, count - 1
    lines = lines[:most_rows]
    if not lines:
        raise ValueError("The table has no numbers. Write one step on each line.")
    rows, width = [], len(_cells(lines[0], most_columns, too_long))
    if width * len(lines) > most_numbers:
        raise ValueError(f"The table must have at most {most_numbers} numbers. Use fewer lines.")
    for at, line in enumerate(lines, first):
        cells = _cells(line, most_columns, too_long)
        if len(cells) != width:
            raise ValueError(
                f"Line {at} must have as many numbers as line {first}. It has {len(cells)}, and line {first} has {width}."
            )
        try:
            # Python takes 1_0 for a number.
            row = np.full(width, np.nan) if "_" in line else np.array(cells, np.float64)
        except ValueError:
            row = np.full(width, np.nan)
        if not np.all(np.abs(row) <= LARGEST_VALUE):
            row = np.array([_number(cell, at, place) for place, cell in enumerate(cells, 1)])
        rows.append(row)
    return np.array(rows), count


def _cells(row: str, most: int = MOST_COLUMNS, refusal: str = TOO_MANY) -> list[str]:
    """Return the cells of a row. Between tabs, as in a spreadsheet, an empty cell counts and a comma is part of its number."""
    if len(row) > most * DIGITS:
        raise ValueError(refusal)
    if "\t" in row:
        return [cell.strip() for cell in row.split("\t")]
    # Between semicolons, too, a comma is part of its number.
    separator = ";" if ";" in row else ","
    cells = row.strip().removesuffix(separator).split(separator)
    return [cell.strip() for cell in cells] if len(cells) > 1 else row.strip(" ,;").split()


def _matrix(rows: Iterable[list[str]]) -> Array:
    rows = list(islice(rows, MOST_ROWS + 1))
    if not rows or not rows[0]:
        raise ValueError("There are no numbers. Write one row on each line, with spaces or commas between the numbers.")
    width = len(rows[0])
    if len(rows) > MOST_ROWS or width > MOST_COLUMNS:
        raise ValueError(TOO_MANY)
    for at, row in enumerate(rows, 1):
        if len(row) != width:
            raise ValueError(f"Row {at} must have as many numbers as row 1. It has {len(row)}, and row 1 has {width}.")
    return as_integers(
        np.array([[_number(cell, at, place) for place, cell in enumerate(row, 1)] for at, row in enumerate(rows, 1)])
    )


def _number(cell: str, row: int, column: int) -> float:
    value = float(cell) if len(cell) <= DIGITS and NUMBER.fullmatch(cell) else np.nan
    if not abs(value) <= LARGEST_VALUE:
        raise ValueError(
            f"Row {row}, column {column} is not a finite number of at most 10^9. Write it like -1.5 or 2e-3."
        )
    return value


def as_integers(array: Array) -> Array:
    """Return an array as int64 if all numbers are whole and small, because whole-number arrays compare exactly.

    Returns
    -------
    ndarray of the same shape
        Large ones stay floats, so that no sum of products of them leaves int64.
    """
    return array.astype(np.int64) if np.all((array == np.round(array)) & (np.abs(array) < 2**16)) else array


def to_link(arrays: Mapping[str, Array]) -> str:
    """Return arrays by name as text that a URL can hold as it is, and that gives the same numbers back.

    Parameters
    ----------
    arrays : mapping from str to ndarray of shape (rows, columns)

    Returns
    -------
    str
        Such as ``"W_hh~1_2~3_4~~b_h~0.5~1"``.
    """
    rows = {name: [NUMBERS.join(map(_shortest, row)) for row in array.tolist()] for name, array in arrays.items()}
    return ARRAYS.join(ROWS.join([name, *lines]) for name, lines in rows.items())


def _shortest(value: float) -> str:
    return repr(value).removesuffix(".0").replace("e+", "e")


def from_link(text: str) -> dict[str, Array]:
    """Return the arrays of a text from `to_link`.

    Returns
    -------
    dict from str to ndarray of shape (rows, columns)

    Raises
    ------
    ValueError
        If it is not such a text, or one of its numbers is not finite.
    """
    arrays = {}
    for part in text.split(ARRAYS) if text else []:
        name, *rows = part.split(ROWS)
        if not rows or name in arrays:
            raise ValueError("Each array must have a name of its own and rows, such as W_hh~1_2~3_4.")
        try:
            arrays[name] = _matrix([row.split(NUMBERS) for row in rows])
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return arrays
