"""Words that the numbers choose, so that no sentence says more than its numbers."""

import re
from collections.abc import Iterable, Mapping
from math import ceil, floor, inf, log10

from core import saturation
from core.activations import Activation
from core.numerals import number
from core.practice.symbols import named

# Two results for the same derivatives agree if they differ by less than this fraction of the largest one.
AGREES = 1e-3


def steps(count: int) -> str:
    """Return a number of steps, such as ``"1 step"``."""
    return f"{count} step{'' if count == 1 else 's'}"


def listed(things: Iterable[str]) -> str:
    """Return a list in words, such as ``"h, c and x"``."""
    *some, last = things
    return f"{', '.join(some)} and {last}" if some else last


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


def part_of_all(share: float) -> str:
    """Return a counted fraction, which may be ``"none"`` or ``"all"``.

    Parameters
    ----------
    share : float
        In [0, 1].

    Returns
    -------
    str
    """
    return {0.0: "none", 1.0: "all"}.get(share) or percent(share)


# ---- gradients through time ----------------------------------------------------------------


def gain(log: float, decimals: int, *, exact: bool = False) -> str:
    """Return a gain from its decimal logarithm, which may be far below the smallest float.

    With fewer than two decimals an exponent says too little: 10^0 might be 0.4 or 3.

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
    return f"10^{number(round(log, digits), digits)}"


def rate(log: float, steps_back: int, decimals: int) -> str:
    """Return the average factor of each step in a gain, with two more decimals than an entry.

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
    return number(10 ** (log / steps_back), min(decimals + 2, 6))


def fate(log: float, steps_back: int, decimals: int) -> str:
    """Return what happens to the norm of a gradient, with the average factor of a step if it changes.

    A gradient vanishes or explodes only over more than one step.

    Parameters
    ----------
    log : float
        The decimal logarithm of the gain.
    steps_back : int
        At least 1.
    decimals : int

    Returns
    -------
    str
        The words after "the norm of the gradient".
    """
    if log == -inf:
        return "vanishes: in float64 nothing of it is left"
    if abs(log) <= log10(2):
        return f"is about kept over {steps(steps_back)}, to between half and twice of what it was"
    if log < 0:
        vanishes = log < -1 and steps_back > 1
        comes_to = "vanishes: less than a tenth of it is left" if vanishes else "shrinks to less than half"
    else:
        explodes = log > 1 and steps_back > 1
        comes_to = "explodes: it becomes more than ten times as large" if explodes else "grows to more than twice"
    factor = rate(log, steps_back, decimals)
    return f"is multiplied by {factor} at each step on average, and over {steps(steps_back)} it {comes_to}"


def gradient_check(errors: Mapping[str, float], *, bends: bool) -> str:
    """Return the meaning of the differences in a gradient check.

    Parameters
    ----------
    errors : mapping from str to float
        By cell, the largest difference as a fraction of the largest derivative.
    bends : bool
        Whether an activation has a bend, as ReLU has.

    Returns
    -------
    str
    """
    apart = [name for name, error in errors.items() if error >= AGREES]
    if not apart:
        return "What is left is rounding and the width of the differences."
    return (
        f"Of {' and '.join(apart)} this check tells nothing here: so small a step is lost when the state is rounded"
        + (", or it crosses the bend of ReLU." if bends else ".")
    )


# ---- saturation ----------------------------------------------------------------------------


def beyond(g: Activation, threshold: float) -> tuple[str, str]:
    """Return the bounds of saturated outputs, rounded so that they hold: for σ at 5% ``("0.02", "0.98")``.

    Parameters
    ----------
    g : Activation
        Sigmoid or tanh.
    threshold : float
        A fraction in (0, 1), as in `core.saturation.is_saturated`.

    Returns
    -------
    low, high : str
        A saturated output is below the one or above the other.
    """
    low, high = saturation.outputs_at_bounds(g, threshold)
    return number(ceil(100 * low) / 100, 2), number(floor(100 * high) / 100, 2)


def range_of(g: Activation) -> str:
    """Return the range of an activation's outputs, such as ``"between 0 and 1"``."""
    return "never below 0" if g.high == inf else f"between {number(g.low, 0)} and {number(g.high, 0)}"


# The formula of each activation.
FORMULAS = {
    "sigmoid": "σ(z) = 1 / (1 + e^(−z))",
    "tanh": "tanh(z) = (e^z − e^(−z)) / (e^z + e^(−z))",
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
    said = subscripts(named(text))
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


def recurs(n: int, k: int) -> list[str]:
    """Return a remark if the unrolled cell has another n than the chosen one."""
    if k == n:
        return []
    return [
        f"k = {k} but n = {n}: of such a cell only one step can be computed, for its h_t has {k} entries and W_{{hh}} a column for each "
        f"of {n}. Here n is taken as {k}; the button under Cell in the sidebar sets it."
    ]
