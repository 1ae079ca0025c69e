"""The equations of a step as LaTeX, with the numbers in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from core.activations import Activation
from core.arrays import Array
from core.cells import CELLS
from core.cells.symbols import symbol_in_latex, symbol_of
from core.concatenation import in_order
from core.number_format import number
from core.scenario import Scenario
from core.sequence.layers import named_results
from core.sequence.sequence_run import run_sequence

# As many columns as LaTeX's bmatrix takes.
MOST_COLUMNS = 10
OPERATORS = {"·": "", "+": "+", "∘": r"\circ"}


def latex(scenario: Scenario, cell: str, *, decimals: int, step: int | None = None) -> str:
    """Return the equations of one step with the numbers in them.

    Parameters
    ----------
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
            f"n + m must be at most {MOST_COLUMNS} for a matrix in LaTeX, but it is {scenario.n + scenario.m}. Make the cell smaller."
        )
    params, taken, results = (*scenario.step(cell), {}) if step is None else _step_of_sequence(scenario, cell, step)
    sampled_gates = getattr(CELLS[cell], "GATE_PROBABILITIES", {}) if scenario.stochastic and step is None else {}
    numbers = _Numbers(scenario, cell, decimals, params, taken)
    activated = CELLS[cell].activated(params)
    lines: list[str] = []
    known = {*CELLS[cell].ARRAYS, "stacked"}
    for row in CELLS[cell].EQUATIONS:
        at = row.index("=")
        left, (result, *after) = row[:at], row[at + 1 :]
        for symbol in left:
            if symbol in taken._fields and symbol not in known:  # such as tanh(c_t), which has no row of its own
                lines.append(f"{numbers.name(symbol)} &\\approx {numbers.matrix(symbol)}")
        lines.append(numbers.equation(left, result))
        for symbol in after[1::2]:
            lines += numbers.activation(symbol, *activated[symbol], probability=sampled_gates.get(symbol))
        known |= {*left, result, *after[1::2]}
    lines += [f"{_in_code(name)} &\\approx {_matrix(array, decimals)}" for name, array in results.items()]
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}\n"


@dataclass(frozen=True)
class _Numbers:
    """The arrays of a step by the symbols of its equations, and their LaTeX."""

    scenario: Scenario
    cell: str
    decimals: int
    params: Any
    step: Any

    def values(self, symbol: str) -> Array:
        return getattr(self.step if symbol in self.step._fields else self.params, symbol)

    def name(self, symbol: str) -> str:
        if symbol == "stacked":
            return f"[{'; '.join(in_order('h_{t-1}', 'x_t', self.scenario.order))}]"
        return symbol_in_latex(symbol_of(CELLS[self.cell], symbol))

    def matrix(self, symbol: str) -> str:
        return _matrix(self.values(symbol), self.decimals)

    def printed(self, symbol: str) -> Array:
        """Return the printed numbers as fractions, of which every sum and product is exact."""
        return np.array([[_printed(value, self.decimals) for value in row] for row in self.values(symbol).tolist()])

    def in_full(self, *symbols: str) -> bool:
        """Whether the printed numbers are the exact ones."""
        return all(np.array_equal(self.printed(symbol).astype(np.float64), self.values(symbol)) for symbol in symbols)

    def result_of(self, side: Sequence[str]) -> Array:
        """Return the result of a side of an equation with its printed numbers; products bind more than sums."""
        if "+" in side:
            at = side.index("+")
            return self.result_of(side[:at]) + self.result_of(side[at + 1 :])
        first, *rest = side
        total = self.printed(first)
        for operator, symbol in zip(rest[::2], rest[1::2]):
            total = total @ self.printed(symbol) if operator == "·" else total * self.printed(symbol)
        return total

    def equation(self, left: Sequence[str], result: str) -> str:
        """Return the line of an equation; its sign is = only if the printed numbers make it so."""
        parts = (OPERATORS[symbol] if symbol in OPERATORS else self.matrix(symbol) for symbol in left)
        side = " ".join(part for part in parts if part)
        numbers = [symbol for symbol in (*left, result) if symbol not in OPERATORS]
        exact = self.in_full(*numbers) and np.array_equal(self.result_of(left), self.printed(result))
        return f"{self.name(result)} &= {side} {_sign(exact)} {self.matrix(result)}"

    def activation(self, symbol: str, z: str, g: Activation, *, probability: str | None) -> list[str]:
        """Return the line of an activation; for a sampled gate that of its probability, and its own."""
        made = probability or symbol
        called = f"P({self.name(symbol)} = 1)" if probability else self.name(symbol)
        exact = self.in_full(made) and (g.is_exact or not self.values(z).any())
        function = g.latex or rf"\mathrm{{{g.symbol}}}"
        lines = [f"{called} &= {function}({self.name(z)}) {_sign(exact)} {self.matrix(made)}"]
        if probability:
            lines.append(f"{self.name(symbol)} &= {self.matrix(symbol)} \\quad \\text{{(drawn)}}")
        return lines


def _step_of_sequence(scenario: Scenario, cell: str, step: int) -> tuple[Any, Any, dict[str, Array]]:
    """Return the parameters, one step of the sequence, and the results of all layers if there are several or two directions."""
    run = run_sequence(scenario, cell)
    taken = type(run.trace)(*(symbol[min(step, len(run.xs)) - 1] for symbol in run.trace))
    return run.params, taken, named_results(run.network) if run.network else {}


def _in_code(name: str) -> str:
    """Return the LaTeX of an expression of PyTorch."""
    return r"\texttt{" + name.replace("_", r"\_") + "}"


def _matrix(array: Array, decimals: int) -> str:
    rows = (" & ".join(_digits(value, decimals) for value in row) for row in array.tolist())
    return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"


def _sign(exact: bool) -> str:
    return "=" if exact else r"\approx"


def _digits(value: float, decimals: int) -> str:
    mantissa, _, power = number(value, decimals).replace("−", "-").partition("e")
    return rf"{mantissa} \cdot 10^{{{power}}}" if power else mantissa


def _printed(value: float, decimals: int) -> Fraction:
    return Fraction(number(value, decimals).replace("−", "-"))
