"""Lines of arithmetic with the numbers of an equation, rounded as the screen prints them."""

from collections.abc import Mapping, Sequence
from csv import writer
from io import StringIO
from math import prod

import numpy as np

from core.arrays import Array
from core.number_format import number
from dashboard.text.drawing import MORE_PRODUCTS

# A line of arithmetic lists at most this many products, and gives the sum of the others.
MOST_TERMS = 12
# With more units, no line per unit is sent for the tooltips.
MOST_HOVERED = 32


def products(weights: Array, inputs: Array, decimals: int, factors: Sequence[str] | None = None) -> str:
    """Return a row of W times the stacked input as a sum of products.

    Parameters
    ----------
    weights : ndarray of shape (p,)
        A row of W.
    inputs : ndarray of shape (p,)
        The stacked input.
    decimals : int
    factors : sequence of str, optional
        The first inputs as texts, from `_factors`, if many rows share them.

    Returns
    -------
    str
        Such as ``"1·1 + 1·1 + 9·9"``. A long row has its first products and the sum of the others.
    """
    named = _named(weights)
    factors = factors or _factors(inputs, decimals)
    terms = [f"{_factor(w, decimals)}·{factor}" for w, factor in zip(weights[:named].tolist(), factors)]
    if named < len(weights):
        terms.append(MORE_PRODUCTS.format(count=len(weights) - named, total=number(_rest(weights, inputs), decimals)))
    return " + ".join(terms)


def _named(row: Array) -> int:
    """Return how many products of a row are listed."""
    return len(row) if len(row) <= MOST_TERMS else MOST_TERMS - 2


def _rest(weights: Array, inputs: Array) -> float:
    """Return the sum of the products that are not listed."""
    named = _named(weights)
    return (weights[named:] @ inputs[named:]).item()


def _factors(inputs: Array, decimals: int) -> list[str]:
    return [_factor(value, decimals) for value in inputs[: _named(inputs)].tolist()]


def _factor(value: float, decimals: int) -> str:
    text = number(value, decimals)
    return f"({text})" if value < 0 else text


def sums_of_products(W_h: Array, stacked: Array, z_t: Array, b_h: Array | None, decimals: int) -> list[str] | None:
    """Return a line for each unit: products, bias if there is one, and result.

    Parameters
    ----------
    W_h : ndarray of shape (k, p)
    stacked : ndarray of shape (p, 1)
    z_t : ndarray of shape (k, 1)
        The sums.
    b_h : ndarray of shape (k, 1) or None
    decimals : int

    Returns
    -------
    list of str or None
        None for more than MOST_HOVERED units.
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
    """Return a line of arithmetic after the name of its result, with the relation of the line itself.

    Parameters
    ----------
    symbol : str
    line : str
        From `sums_of_products`.

    Returns
    -------
    str
        Such as ``"z_f = 1·2 + 3 = 5"``.
    """
    return f"{symbol} {'≈' if '≈' in line else '='} {line}"


def applied(name: str, z: Array, g_z: Array, decimals: int, *, exact: bool = False) -> list[str] | None:
    """Return a line for each unit with a function of its z, such as ``"σ(0) = 0.50"``.

    Parameters
    ----------
    name : str
    z, g_z : ndarray of shape (k, 1)
    decimals : int
    exact : bool
        Whether printed results are exact, as those of ReLU are. Powers of e are exact at 0 only, so σ and tanh are never
        exactly the printed number elsewhere, not even 1.

    Returns
    -------
    list of str or None
        None for many units, as `sums_of_products`.
    """
    if len(z) > MOST_HOVERED:
        return None
    pairs = zip(z[:, 0].tolist(), g_z[:, 0].tolist())
    return [
        f"{name}({number(a, decimals)}) {equals(decimals, a, b) if exact or a == 0 else '≈'} {number(b, decimals)}"
        for a, b in pairs
    ]


def added(first: Array, second: Array, total: Array, decimals: int) -> list[str] | None:
    """Return a line for each unit with a sum of two numbers, such as ``"2 + 243 = 245"``.

    Parameters
    ----------
    first, second, total : ndarray of shape (k, 1)
    decimals : int

    Returns
    -------
    list of str or None
        None for many units, as `sums_of_products`.
    """
    if len(total) > MOST_HOVERED:
        return None
    rows = zip(first[:, 0].tolist(), second[:, 0].tolist(), total[:, 0].tolist())
    return [
        f"{number(a, decimals)} + {_factor(b, decimals)} {_relation([(a,), (b,)], c, decimals)} {number(c, decimals)}"
        for a, b, c in rows
    ]


def multiplied(name: str, first: Array, second: Array, product: Array, decimals: int) -> list[str] | None:
    """Return a line for each unit with a product of two numbers, such as ``"f∘c: 0.50·3 = 1.50"``.

    Parameters
    ----------
    name : str
        The name of the product.
    first, second, product : ndarray of shape (k, 1)
    decimals : int

    Returns
    -------
    list of str or None
        None for many units, as `sums_of_products`.
    """
    if len(product) > MOST_HOVERED:
        return None
    rows = zip(first[:, 0].tolist(), second[:, 0].tolist(), product[:, 0].tolist())
    return [
        f"{name}: {number(a, decimals)}·{_factor(b, decimals)} {_relation([(a, b)], c, decimals)} {number(c, decimals)}"
        for a, b, c in rows
    ]


def of_unit(lines: Sequence[str] | None) -> str:
    """Return the line of a single unit.

    Parameters
    ----------
    lines : sequence of str or None
        From `sums_of_products`, `applied`, `added` or `multiplied` with one row, which always have a line for it.

    Returns
    -------
    str
    """
    assert lines is not None, "there are no lines for many units"
    (line,) = lines
    return line


def _relation(terms: Sequence[tuple[float, ...]], result: float, decimals: int) -> str:
    """Return ``"="`` if a sum of products is exactly the printed result, and ``"≈"`` otherwise.

    The sum is computed in whole numbers, because float64 may lose the last digits of a product and still reach the result.
    """
    if any(_is_rounded(value, decimals) for term in ((result,), *terms) for value in term):
        return "≈"
    unit = 10**decimals
    total = sum(prod(round(factor * unit) for factor in term) * unit ** (2 - len(term)) for term in terms)
    return "=" if total == round(result * unit) * unit else "≈"


def _is_rounded(value: float, decimals: int) -> bool:
    return round(value, decimals) != value or abs(value) >= 1e6


def equals(decimals: int, *values: Array | float) -> str:
    """Return ``"="`` if all values are printed in full, and ``"≈"`` if the screen rounds some of them.

    Parameters
    ----------
    decimals : int
    values : ndarray or float
        The numbers on both sides.

    Returns
    -------
    str
    """
    return "=" if all(np.all(_in_full(value, decimals)) for value in values) else "≈"


def _in_full(value: Array | float, decimals: int) -> Array:
    """Whether `number` prints all digits of a value. From a million on it rounds whole numbers too."""
    return (np.round(value, decimals) == value) & (np.abs(value) < 1e6)


def csv(columns: Mapping[str, Sequence[object]]) -> str:
    """Return a table as comma-separated values, with all digits.

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
