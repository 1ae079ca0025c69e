"""One step of a gated cell: the equation of a gate and its saturated units, alike for all such cells."""

import itertools
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple

import numpy as np

from core import concatenation, saturation
from core.activations import Activation
from core.arrays import Array
from dashboard.drawing import scales
from dashboard.drawing.arithmetic import applied, number, of_unit, sums_of_products, with_symbol
from dashboard.drawing.matrices import Item, op
from dashboard.drawing.scales import Scale
from dashboard.drawing.step_symbols import StepSymbols
from dashboard.text import gated_step as text
from dashboard.text import words

# The most decimals of a callout, for gates close to 0 or 1.
MOST_DIGITS = 12
GATE_SCALE = scales.sequential(text.GATE_SCALE, 1)


class Gate(NamedTuple):
    """A gate at this step, or a candidate that reads the stacked input as a gate does.

    Attributes
    ----------
    letter : str
    symbol : str
        Its name in the equations.
    g : Activation
    W, b, z : ndarray
    activated : ndarray of shape (k, 1)
        g(z): the gate itself, or the probability that a unit of a sampled gate is 1.
    value : ndarray of shape (k, 1)
    scale : Scale
    is_sampled : bool
    """

    letter: str
    symbol: str
    g: Activation
    W: Array
    b: Array
    z: Array
    activated: Array
    value: Array
    scale: Scale = GATE_SCALE
    is_sampled: bool = False

    @property
    def activated_symbol(self) -> str:
        return f"P({self.letter} = 1)" if self.is_sampled else self.symbol


# ---- a gate ----------------------------------------------------------------------------------


def equation(s: StepSymbols, gate: Gate, *, with_stack: bool) -> list[Item]:
    """Return W·[h; x] + b = z → gate.

    Parameters
    ----------
    s : StepSymbols
    gate : Gate
    with_stack : bool
        Whether it draws the stacked input, or names it only.
    """
    letter, decimals, column = gate.letter, s.decimals, s.column_of_units
    z_hover = sums_of_products(gate.W, s.step.stacked, gate.z, gate.b, decimals)
    product = (f"W_{letter}", s.stack_name, f"b_{letter}")
    hover = applied(gate.g.symbol, gate.z, gate.activated, decimals)
    drawn = [
        column(f"W_{letter}", gate.W, s.weights, columns=s.columns_of_W),
        *([op("·"), s.stack] if with_stack else [op(f"· {s.stack_name}")]),
        op("+", align=True),
        column(f"b_{letter}", gate.b, s.weights),
        op("="),
        column(f"z_{letter}", gate.z, s.sums, hover=z_hover, product=product),
        op(f"{gate.g.symbol} →"),
        column(gate.activated_symbol, gate.activated, gate.scale, hover=hover),
    ]
    if gate.is_sampled:
        drawn += [op(text.SAMPLED), column(gate.symbol, gate.value, GATE_SCALE)]
    return drawn


def rows_by_hand(s: StepSymbols, gates: Sequence[Gate]) -> list[list[Item]]:
    """Return the rows of drawings of the selected unit by hand: the stacked input on its side, its weights in each gate, and the products."""
    W = np.concatenate([gate.W[s.row] for gate in gates])
    b = np.concatenate([gate.b[s.row] for gate in gates])
    z = np.concatenate([gate.z[s.row] for gate in gates])
    rows = partial(s.matrix, rows=[(gate.letter, 1, gate.letter) for gate in gates])
    return [
        [
            s.matrix(
                s.stack_name,
                s.step.stacked.T,
                s.weights,
                rows=[("", 1, "")],
                columns=s.parts_of_stack,
                part_scales=s.scales_of_stack,
            )
        ],
        [rows(text.ROWS.format(j=s.j), W, s.weights, columns=s.columns_of_W)],
        [
            rows(text.PRODUCTS, concatenation.products(W, s.step.stacked), s.sums, columns=s.columns_of_W),
            *[op("+"), rows("b", b, s.weights), op("="), rows("z", z, s.sums)],
        ],
    ]


def line_of_gate(s: StepSymbols, gate: Gate, digits: int) -> str:
    """Return the arithmetic of a gate at the selected unit."""
    row = s.row
    z = of_unit(sums_of_products(gate.W[row], s.step.stacked, gate.z[row], gate.b[row], digits))
    line = text.SAMPLED_GATE_LINE if gate.is_sampled else text.GATE_LINE
    return line.format(
        name=gate.symbol,
        z=with_symbol(f"z_{gate.letter}", z),
        activated=of_unit(applied(gate.g.symbol, gate.z[row], gate.activated[row], digits)),
        value=s.entry(gate.value),
    )


# ---- what a unit keeps and writes --------------------------------------------------------------


class Mixture(NamedTuple):
    """The terms of the sum that the selected unit keeps and writes.

    Attributes
    ----------
    terms : sequence of (float, float)
        A gate, and the entry of which it lets a part through.
    total : str
        The sum of the parts, as it is printed with the decimals of the page.
    """

    terms: Sequence[tuple[float, float]]
    total: str

    def printed(self, digits: int) -> list[tuple[str, str]]:
        """Return the gates in percent and the entries."""
        return [(words.relative(gate, digits), number(entry, digits)) for gate, entry in self.terms]

    def adds_up(self, digits: int, decimals: int) -> bool:
        """Whether the terms give the total, if they are printed with these digits."""
        return gives(self.printed(digits), self.total, decimals)


def mixture(s: StepSymbols, *terms: tuple[Array, Array], total: Array) -> Mixture:
    """Return the terms of the selected unit from vectors of all units."""
    at = s.j - 1
    return Mixture([(float(gate[at, 0]), float(vector[at, 0])) for gate, vector in terms], s.entry(total))


def kept_and_written(decimals: int, shown: Mixture, *others: Mixture) -> list[str]:
    """Return the gates in percent and the entries, with enough digits to compute the total by hand.

    If a gate is too close to 0 or 1 for that, its bound and the entries have the decimals of the page.

    Parameters
    ----------
    decimals : int
        Those of the page.
    shown : Mixture
    *others : Mixture
        That of the other side of a comparison, which gets the same digits.

    Returns
    -------
    list of str
        The gate of the first term, its entry, the gate of the second term, and so on.
    """
    tried = range(decimals, MOST_DIGITS + 1)
    # A side whose total no digits give does not count.
    sides = [one for one in (shown, *others) if any(one.adds_up(digits, decimals) for digits in tried)]
    enough = (digits for digits in tried if all(one.adds_up(digits, decimals) for one in sides))
    digits = next(enough, decimals)
    return [text for term in shown.printed(digits) for text in term]


def gives(terms: Sequence[tuple[str, str]], total: str, decimals: int) -> bool:
    """Whether printed gates times printed entries add up to a printed total, rounded as `number` rounds.

    Parameters
    ----------
    terms : sequence of (str, str)
        From `Mixture.printed`. Of a gate that has only a bound, each possible value has to give the total.
    total : str
        From `number`.
    decimals : int
        Those of the total.
    """
    wanted = _exactly(total)
    unit = Decimal(1).scaleb(int(wanted.as_tuple().exponent) if "e" in total else -decimals)
    parts = [[gate * _exactly(entry) for gate in _bounds(text)] for text, entry in terms]
    sign = Decimal(1).copy_sign(wanted)
    beyond = [sign * sum(chosen) - abs(wanted) for chosen in itertools.product(*parts)]
    # Half of the last digit is rounded away from 0.
    return all(-unit / 2 <= difference < unit / 2 for difference in beyond)


def _exactly(text: str) -> Decimal:
    """Return a printed number."""
    return Decimal(text.replace("−", "-"))


def _bounds(share: str) -> list[Decimal]:
    """Return a printed percentage as a fraction, or both bounds of one that is less or more than a number."""
    shown = Decimal(share.split()[-1].removesuffix("%")) / 100
    if share.startswith("less"):
        return [Decimal(0), shown]
    return [shown, Decimal(1)] if share.startswith("more") else [shown]


# ---- saturation ------------------------------------------------------------------------------


def saturated_units(s: StepSymbols, *activated: tuple[Activation, Array]) -> str:
    """Return how many units are saturated, in a sentence.

    Parameters
    ----------
    s : StepSymbols
    *activated : (Activation, ndarray)
        The activation and the z of each gate, and at last those of the candidate.
    """
    *gates, candidate = (int(saturation.is_saturated(z, g, s.state.threshold_fraction).sum()) for g, z in activated)
    return text.saturated_units(gates=sum(gates), all_gates=len(gates) * s.k, candidate=candidate, k=s.k)


def slope(s: StepSymbols, g: Activation, symbol: str, at: Array) -> Item:
    """Return the derivative of every unit's activation."""
    name, dg = f"{g.symbol}′", g.df(at)
    hover = applied(name, at, dg, s.decimals)
    return s.column_of_units(f"{name}({symbol})", dg, scales.sequential(name, g.max_df), hover=hover)


def count(s: StepSymbols, name: str, g: Activation, at: Array) -> str:
    """Return how many units are saturated, and at which end."""
    low, high = (int(which.sum()) for which in saturation.saturated_at(at, g, s.state.threshold_fraction))
    return text.count(
        name,
        low=low,
        lower_limit=number(g.low, 0),
        high=high,
        upper_limit=number(g.high, 0),
        between=s.k - low - high,
    )
