"""The equations of a step as LaTeX, with the numbers in them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from core.activations import Activation
from core.arrays import Array
from core.cells import CELLS
from core.cells.symbols import symbol_in_latex, symbol_of
from core.joins import in_order
from core.numerals import number
from core.scenario import Scenario
from core.time.unroll import bounded_steps, unroll

# As many columns as LaTeX's bmatrix takes.
MOST_COLUMNS = 10
OPERATORS = {"·": "", "+": "+", "∘": r"\circ"}


def latex(scenario: Scenario, cell: str, *, decimals: int, step: int | None = None) -> str:
    """The equations of one step with the numbers in them.

    Parameters
    ----------
    scenario : Scenario
    cell : str
        A name of CELLS.
    decimals : int
        The numbers are printed as the screen prints them with so many.
    step : int or None
        A step of the scenario's sequence, counted from 1, or the last one if there are fewer; None: one step from the scenario's
        own state and input.

    Returns
    -------
    str
        For amsmath. A result is said to be equal only where the numbers as they are printed make it so, and otherwise to be
        about that.

    Raises
    ------
    ValueError
        If a matrix is too wide for it, or the cell or the sequence cannot be with these sizes.
    """
    if scenario.n + scenario.m > MOST_COLUMNS:
        raise ValueError(
            f"n + m must be at most {MOST_COLUMNS} for a matrix of LaTeX, got {scenario.n + scenario.m}: make the cell smaller."
        )
    params, taken = scenario.step(cell) if step is None else _step_of_sequence(scenario, cell, step)
    activated = CELLS[cell].activated(params)
    drawn = getattr(CELLS[cell], "DRAWN", {}) if scenario.stochastic and step is None else {}
    lines, known = [], {*CELLS[cell].ARRAYS, "stacked"}

    def values(symbol: str) -> Array:
        return getattr(taken if symbol in taken._fields else params, symbol)

    def matrix(symbol: str) -> str:
        rows = (" & ".join(_digits(value, decimals) for value in row) for row in values(symbol).tolist())
        return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"

    def printed(symbol: str) -> Array:
        """In fractions, of which every sum and product is exact."""
        return np.array([[_printed(value, decimals) for value in row] for row in values(symbol).tolist()])

    def in_full(*symbols: str) -> bool:
        return all(np.array_equal(printed(symbol).astype(np.float64), values(symbol)) for symbol in symbols)

    def comes_to(side: Sequence[str]) -> Array:
        """What a side of an equation is by its printed numbers; products bind more than sums."""
        if "+" in side:
            at = side.index("+")
            return comes_to(side[:at]) + comes_to(side[at + 1 :])
        first, *rest = side
        total = printed(first)
        for operator, symbol in zip(rest[::2], rest[1::2]):
            total = total @ printed(symbol) if operator == "·" else total * printed(symbol)
        return total

    def apply(symbol: str, z: str, g: Activation) -> None:
        """What an activation makes of z; of a gate that was drawn first its probability."""
        made = drawn.get(symbol, symbol)
        called = f"P({name(symbol)} = 1)" if symbol in drawn else name(symbol)
        exact = in_full(made) and (g.is_exact or not values(z).any())
        function = g.latex or rf"\mathrm{{{g.symbol}}}"
        lines.append(f"{called} &= {function}({name(z)}) {_sign(exact)} {matrix(made)}")
        if symbol in drawn:
            lines.append(f"{name(symbol)} &= {matrix(symbol)} \\quad \\text{{(drawn)}}")
        known.add(symbol)

    def name(symbol: str) -> str:
        if symbol == "stacked":
            return f"[{'; '.join(in_order('h_{t-1}', 'x_t', scenario.order))}]"
        return symbol_in_latex(symbol_of(CELLS[cell], symbol))

    for row in CELLS[cell].EQUATIONS:
        at = row.index("=")
        left, (result, *after) = row[:at], row[at + 1 :]
        for symbol in left:
            if symbol in taken._fields and symbol not in known:  # such as tanh(c_t), which has no row of its own
                lines.append(f"{name(symbol)} &\\approx {matrix(symbol)}")
                known.add(symbol)
        sum_ = " ".join(
            part for symbol in left if (part := OPERATORS[symbol] if symbol in OPERATORS else matrix(symbol))
        )
        numbers = [symbol for symbol in (*left, result) if symbol not in OPERATORS]
        exact = in_full(*numbers) and np.array_equal(comes_to(left), printed(result))
        lines.append(f"{name(result)} &= {sum_} {_sign(exact)} {matrix(result)}")
        known.add(result)
        for symbol in after[1::2]:
            apply(symbol, *activated[symbol])
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}\n"


def _step_of_sequence(scenario: Scenario, cell: str, step: int) -> tuple[Any, Any]:
    """The parameters, and one step of the sequence."""
    params, state = scenario.initial_state(cell)
    trace, T = bounded_steps(unroll(CELLS[cell], params, state, scenario.sequence()))
    return params, type(trace)(*(symbol[min(step, T) - 1] for symbol in trace))


def _sign(exact: bool) -> str:
    return "=" if exact else r"\approx"


def _digits(value: float, decimals: int) -> str:
    mantissa, _, power = number(value, decimals).replace("−", "-").partition("e")
    return rf"{mantissa} \cdot 10^{{{power}}}" if power else mantissa


def _printed(value: float, decimals: int) -> Fraction:
    return Fraction(number(value, decimals).replace("−", "-"))
