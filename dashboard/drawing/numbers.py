"""Numbers as they are printed, and arithmetic with the numbers plugged in."""

from collections.abc import Mapping, Sequence
from csv import writer
from io import StringIO
from math import prod

import numpy as np

from core.arrays import Array
from core.numerals import number

# The arithmetic of one unit names at most this many products; of the rest it gives the sum.
MOST_TERMS = 12
# For up to this many units each one's arithmetic is sent along, to be shown on pointing at it.
MOST_HOVERED = 32


def products(weights: Array, inputs: Array, decimals: int, factors: Sequence[str] | None = None) -> str:
    """One row times the stack, with the numbers plugged in.

    Parameters
    ----------
    weights : ndarray of shape (p,)
        A row of W.
    inputs : ndarray of shape (p,)
        The stack that it multiplies.
    decimals : int
    factors : sequence of str, optional
        The first inputs in words, from `_factors`, where many rows share them.

    Returns
    -------
    str
        Such as ``"1·1 + 1·1 + 9·9"``; of a long row the first terms and the sum of the others.
    """
    named = _named(weights)
    factors = factors or _factors(inputs, decimals)
    terms = [f"{_factor(w, decimals)}·{factor}" for w, factor in zip(weights[:named].tolist(), factors)]
    if named < len(weights):
        terms.append(f"({len(weights) - named} more products: {number(_rest(weights, inputs), decimals)})")
    return " + ".join(terms)


def _named(row: Array) -> int:
    """How many products of a row are spelled out."""
    return len(row) if len(row) <= MOST_TERMS else MOST_TERMS - 2


def _rest(weights: Array, inputs: Array) -> float:
    """What the products that are not spelled out come to."""
    named = _named(weights)
    return (weights[named:] @ inputs[named:]).item()


def _factors(inputs: Array, decimals: int) -> list[str]:
    return [_factor(value, decimals) for value in inputs[: _named(inputs)].tolist()]


def _factor(value: float, decimals: int) -> str:
    text = number(value, decimals)
    return f"({text})" if value < 0 else text


def arithmetic(W_h: Array, stacked: Array, z_t: Array, b_h: Array | None, decimals: int) -> list[str] | None:
    """For each unit the whole sum: products, bias if there is one to add, and result.

    Parameters
    ----------
    W_h : ndarray of shape (k, p)
    stacked : ndarray of shape (p, 1)
    z_t : ndarray of shape (k, 1)
        What the sum comes to.
    b_h : ndarray of shape (k, 1) or None
    decimals : int

    Returns
    -------
    list of str or None
        None for many units: there the inspected one alone is spelled out.
    """
    if len(W_h) > MOST_HOVERED:
        return None
    bias = np.zeros_like(z_t) if b_h is None else b_h
    inputs, named = stacked[:, 0], _named(stacked)
    factors, spelled_out = _factors(inputs, decimals), inputs[:named].tolist()
    lines = []
    for row, b, z in zip(W_h, bias[:, 0].tolist(), z_t[:, 0].tolist()):
        shown = products(row, inputs, decimals, factors) + ("" if b_h is None else f" + {_factor(b, decimals)}")
        terms = [*zip(row[:named].tolist(), spelled_out), (_rest(row, inputs),), (b,)]
        lines.append(f"{shown} {_relation(terms, z, decimals)} {number(z, decimals)}")
    return lines


def with_symbol(symbol: str, line: str) -> str:
    """A line of arithmetic with the name of its result in front, by the sign that the line itself has.

    Parameters
    ----------
    symbol : str
    line : str
        From `arithmetic`.

    Returns
    -------
    str
        Such as ``"z_f = 1·2 + 3 = 5"``.
    """
    return f"{symbol} {'≈' if '≈' in line else '='} {line}"


def applied(name: str, z: Array, g_z: Array, decimals: int, *, exact: bool = False) -> list[str] | None:
    """For each unit what a function makes of its z, such as ``"σ(0) = 0.50"``.

    Parameters
    ----------
    name : str
    z, g_z : ndarray of shape (k, 1)
    decimals : int
    exact : bool
        Whether the results are what they print, as ReLU's are. Powers of e are exact at 0 alone: elsewhere
        σ and tanh never are the printed number, not even 1.

    Returns
    -------
    list of str or None
        None for many units, as `arithmetic`.
    """
    if len(z) > MOST_HOVERED:
        return None
    pairs = zip(z[:, 0].tolist(), g_z[:, 0].tolist())
    return [
        f"{name}({number(a, decimals)}) {equals(decimals, a, b) if exact or a == 0 else '≈'} {number(b, decimals)}"
        for a, b in pairs
    ]


def added(first: Array, second: Array, total: Array, decimals: int) -> list[str] | None:
    """For each unit a sum of two, such as ``"2 + 243 = 245"``.

    Parameters
    ----------
    first, second, total : ndarray of shape (k, 1)
    decimals : int

    Returns
    -------
    list of str or None
        None for many units, as `arithmetic`.
    """
    if len(total) > MOST_HOVERED:
        return None
    rows = zip(first[:, 0].tolist(), second[:, 0].tolist(), total[:, 0].tolist())
    return [
        f"{number(a, decimals)} + {_factor(b, decimals)} {_relation([(a,), (b,)], c, decimals)} {number(c, decimals)}"
        for a, b, c in rows
    ]


def multiplied(name: str, first: Array, second: Array, product: Array, decimals: int) -> list[str] | None:
    """For each unit a product of two, such as ``"f∘c: 0.50·3 = 1.50"``.

    Parameters
    ----------
    name : str
        What the product is called.
    first, second, product : ndarray of shape (k, 1)
    decimals : int

    Returns
    -------
    list of str or None
        None for many units, as `arithmetic`.
    """
    if len(product) > MOST_HOVERED:
        return None
    rows = zip(first[:, 0].tolist(), second[:, 0].tolist(), product[:, 0].tolist())
    return [
        f"{name}: {number(a, decimals)}·{_factor(b, decimals)} {_relation([(a, b)], c, decimals)} {number(c, decimals)}"
        for a, b, c in rows
    ]


def of_unit(lines: Sequence[str] | None) -> str:
    """The line of the one unit that was asked for.

    Parameters
    ----------
    lines : sequence of str or None
        From `arithmetic`, `applied`, `added` or `multiplied` of a single row, of which they always have a line.

    Returns
    -------
    str
    """
    assert lines is not None, "only of many units there are no lines"
    (line,) = lines
    return line


def _relation(terms: Sequence[tuple[float, ...]], result: float, decimals: int) -> str:
    """``"="`` where a sum of products, as it is printed, is exactly the printed result; else ``"≈"``.

    It is added up in whole numbers: float64 may lose the last digits of a product and arrive at the result all the same.
    """
    if any(_is_rounded(value, decimals) for term in ((result,), *terms) for value in term):
        return "≈"
    unit = 10**decimals
    total = sum(prod(round(factor * unit) for factor in term) * unit ** (2 - len(term)) for term in terms)
    return "=" if total == round(result * unit) * unit else "≈"


def _is_rounded(value: float, decimals: int) -> bool:
    return round(value, decimals) != value or abs(value) >= 1e6


def equals(decimals: int, *values: Array | float) -> str:
    """``"="`` where all the values are printed in full, and ``"≈"`` where some are rounded for the screen.

    Parameters
    ----------
    decimals : int
    values : ndarray or float
        What stands on both sides.

    Returns
    -------
    str
    """
    return "=" if all(np.all(_in_full(value, decimals)) for value in values) else "≈"


def _in_full(value: Array | float, decimals: int) -> Array:
    """Whether `number` prints it with all its digits: from a million on it rounds whole numbers too."""
    return (np.round(value, decimals) == value) & (np.abs(value) < 1e6)


def csv(columns: Mapping[str, Sequence[object]]) -> str:
    """A table as comma-separated values, with all digits.

    Parameters
    ----------
    columns : mapping from str to sequence
        The columns by their headings.

    Returns
    -------
    str
    """
    text = StringIO()
    rows = writer(text, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()
