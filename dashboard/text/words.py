"""Words that the numbers choose, so that no sentence says more than its numbers."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import floor, inf
from typing import Any

from core import saturation
from core.activations import Activation
from core.cells.protocol import Cell
from core.cells.symbols import symbol_of, text_in_symbols
from core.number_format import number

SUPERSCRIPTS = str.maketrans("-−0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# The scales of the colours, where all cells share them.
WEIGHT_SCALE, MEMORY_SCALE, SUM_SCALE = (
    "weights, biases, inputs",
    "c and its summands",
    "z and its summands",
)
GATE_SCALE, OUTPUT_SCALE = "gates", "h and tanh"

# Initializers whose names are those of people.
NAMES_OF_PEOPLE = {"glorot": "Glorot"}


def listed(things: Iterable[str]) -> str:
    """Return a list in words, such as ``"h, c and x"``."""
    *some, last = things
    return f"{', '.join(some)} and {last}" if some else last


def enumerated(things: Iterable[str]) -> str:
    """Return a list without "and", such as ``"RNN 0.5, LSTM 0.2"``."""
    return ", ".join(things)


def clauses(things: Iterable[str]) -> str:
    """Return clauses as one sentence, without its full stop."""
    return "; ".join(things)


def percent(share: float) -> str:
    """Return a fraction that is neither 0 nor 1, such as ``"about 33%"``; never 0% or 100%.

    Parameters
    ----------
    share : float
        In [0, 1].

    Returns
    -------
    str
    """
    if share < 0.01:
        return "less than 1%"
    return "more than 99%" if share > 0.99 else f"about {share:.0%}"


def percentage(fraction: float) -> str:
    """Return a fraction with as many decimals as it needs so that only 0 is ``"0%"`` and only 1 is ``"100%"``.

    Parameters
    ----------
    fraction : float
        In [0, 1].
    """
    decimals = 0
    while 0 < fraction < 1 and float(f"{fraction:.{decimals + 2}f}") in (0, 1):
        decimals += 1
    return f"{fraction:.{decimals}%}"


def relative(fraction: float, decimals: int) -> str:
    """Return a gate or a relative derivative in percent, such as ``"7%"`` or ``"less than 1%"``; only 1 is ``"100%"``.

    Parameters
    ----------
    fraction : float
        In [0, 1].
    decimals : int
        Those of an entry: a percentage has two fewer.
    """
    if fraction in (0, 1):
        return f"{fraction:.0%}"
    digits = max(decimals - 2, 0)
    least = f"{10.0**-digits:.{digits}f}"
    if 0 < fraction < float(least) / 100:
        return f"less than {least}%"
    shown = f"{fraction:.{digits}%}"
    if fraction < 1 and float(shown[:-1]) == 100:
        return f"more than {100 - float(least):.{digits}f}%"
    return shown


# ---- gradients through time ----------------------------------------------------------------


def plain(value: Any, digits: int = 3) -> str:
    """Return a value as a sentence has it: 0.00001 and not 1e-05, Glorot and not glorot."""
    if isinstance(value, float):
        return f"{Decimal(f'{value:.{digits}g}'):f}".replace("-", "−")
    return NAMES_OF_PEOPLE.get(value, str(value))


def in_sentence(value: float, decimals: int) -> str:
    """Return a number with its power of ten as a sentence has it: ``"2.40·10⁻⁴"`` and not ``"2.40e−4"``."""
    return with_powers(number(value, decimals))


def with_powers(line: str) -> str:
    """Return a line of numbers with their powers of ten as a sentence has them, such as ``"σ′(9.03) ≈ 1.19·10⁻⁴"``."""
    return re.sub(r"(?<=\d)e(−?\d+)", lambda power: f"·10{power[1].translate(SUPERSCRIPTS)}", line)


def gain(log: float, decimals: int, *, exact: bool = False) -> str:
    """Return a gain from its decimal logarithm, such as ``"0.29"`` or ``"1.8·10⁻⁹"``.

    The gain may be far below the smallest float. It has at least two significant digits.

    Parameters
    ----------
    log : float
        -inf for a gain of 0.
    decimals : int
    exact : bool
        Whether a gain of 0 is exact and not a number too small for float64.

    Returns
    -------
    str
    """
    if log == -inf:
        return "0" if exact else "0 in float64"
    digits = max(decimals, 2)
    power = floor(log)
    mantissa = round(10 ** (log - power), digits - 1)
    if mantissa >= 10:
        mantissa, power = mantissa / 10, power + 1
    if -3 <= power < digits:
        return number(mantissa * 10**power, digits - 1 - power)
    return f"{mantissa:.{digits - 1}f}·10{f'{power}'.translate(SUPERSCRIPTS)}"


def rate(log: float, steps_back: int, decimals: int) -> str:
    """Return the factor which, at each step, gives a gain; with two more decimals than an entry.

    Parameters
    ----------
    log : float
        The decimal logarithm of the gain, finite.
    steps_back : int
        At least 1.
    decimals : int

    Returns
    -------
    str
    """
    return in_sentence(10 ** (log / steps_back), min(decimals + 2, 6))


# ---- saturation ----------------------------------------------------------------------------


def beyond(g: Activation, threshold: float) -> tuple[str, str]:
    """Return the bounds of saturated outputs, with three decimals: for σ at 5% ``("0.013", "0.987")``.

    Parameters
    ----------
    g : Activation
        Sigmoid or tanh.
    threshold : float
        A fraction in (0, 1), as in `core.saturation.is_saturated`.

    Returns
    -------
    low, high : str
        A saturated output is below about the one or above about the other.
    """
    low, high = saturation.outputs_at_bounds(g, threshold)
    return number(low, 3), number(high, 3)


# By whether the activation saturates below and above; "both" if it does so at one distance from 0.
OUTSIDE_BOUNDS: dict[str | tuple[bool, bool], str] = {
    "both": "beyond z = ±{high}",
    (True, True): "below z = {low} and above z = {high}",
    (True, False): "below z = {low}",
    (False, True): "above z = {high}",
    (False, False): "nowhere",
}


def outside_bounds(g: Activation, threshold: float) -> str:
    """Return where less than a fraction of the maximum derivative is left, such as ``"beyond z = ±2.94"``."""
    low, high = g.bounds(threshold)
    case = "both" if low == -high and high < inf else (low > -inf, high < inf)
    return OUTSIDE_BOUNDS[case].format(low=number(low, 2), high=number(high, 2))


# With an activation that saturates, and with ReLU.
SATURATED_OVER_TIME = "Over all steps ({where}), {counts} are saturated."
INACTIVE_OVER_TIME = "Over all steps ({where}), {counts} are inactive."
OF_VALUES = "{count.saturated} of {count.values} {g} values ({symbols})"


def saturated_over_time(
    where: str,
    counts: Mapping[Activation, saturation.Count],
    cell: Cell,
    activated: Mapping[str, tuple[str, Activation]],
) -> str:
    """Return how many values of each activation of a cell or a layer are saturated over a sequence, or inactive.

    Parameters
    ----------
    where : str
        The name of the cell, or the layer.
    counts : mapping from Activation to Count
    cell : Cell
    activated : mapping from str to (str, Activation)
        From `Cell.activated`.
    """
    symbols = {of: enumerated(symbol_of(cell, name) for name, (_, g) in activated.items() if g == of) for of in counts}
    template = SATURATED_OVER_TIME if any(g.saturates for g in counts) else INACTIVE_OVER_TIME
    listed_counts = listed(OF_VALUES.format(count=count, g=g.symbol, symbols=symbols[g]) for g, count in counts.items())
    return template.format(where=where, counts=listed_counts)


# The formula of each activation; one without an entry has no sentence.
FORMULAS = {
    "sigmoid": "σ(z) = 1 / (1 + e⁻ᶻ)",
    "tanh": "tanh(z) = (eᶻ − e⁻ᶻ) / (eᶻ + e⁻ᶻ)",
    "relu": "ReLU(z) = max(z, 0)",
}


# ---- symbols -------------------------------------------------------------------------------


def in_symbols(text: str) -> str:
    """Return a text with the symbols of the screen in place of names in code.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    said = subscripts(text_in_symbols(text))
    said = re.sub(r"_h\b", "ₕ", said.replace("_{hh}", "ₕₕ").replace("_{hx}", "ₕₓ"))
    return re.sub(r"_(\d)\b", lambda digit: chr(ord("₀") + int(digit[1])), said)


def subscripts(text: str) -> str:
    """Return a text with the time as subscript letters.

    Parameters
    ----------
    text : str
        With h_t and h_{t−1}.
    """
    return text.replace("_{t−1}", "ₜ₋₁").replace("_t", "ₜ")


def without_braces(text: str) -> str:
    """Return a text with its subscripts in one line, such as W_hh for W_{hh} and h_(t−1) for h_{t−1}."""
    return re.sub(r"_\{([^{}]*)\}", r"_(\1)", re.sub(r"_\{(\w+)\}", r"_\1", text))


# A remark about an unrolled cell.
RECURS = (
    "k = {k} but n = {n}: this cell can compute only one step, because h_t has k entries and W_{{hh}} expects n. "
    "This page uses n = {k}. To set n to {k} on every page, open Cell in the sidebar and press “Make it recurrent”."
)


def recurs(n: int, k: int) -> list[str]:
    """Return a remark if the unrolled cell has another n than the chosen one."""
    if k == n:
        return []
    return [RECURS.format(n=n, k=k)]
