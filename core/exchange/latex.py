"""The equations of a step as LaTeX, with the numbers in them."""

import re

import numpy as np

from core.activations import Activation
from core.arrays import Array
from core.cells import CELLS
from core.joins import in_order
from core.scenario import Scenario

# As many columns as LaTeX's bmatrix takes.
MOST_COLUMNS = 10
SIGNS = {"sigmoid": r"\sigma", "tanh": r"\tanh", "relu": r"\mathrm{ReLU}"}
OPERATORS = {"·": "", "+": "+", "∘": r"\circ"}


def latex(scenario: Scenario, cell: str, *, decimals: int) -> str:
    """The equations of one step with the numbers in them.

    Parameters
    ----------
    scenario : Scenario
    cell : str
        A name of CELLS.
    decimals : int
        To how many the numbers are rounded.

    Returns
    -------
    str
        For amsmath. There is "=" where all numbers of a line are exact as they are written, and "≈" elsewhere.

    Raises
    ------
    ValueError
        If a matrix is too wide for it, or the cell cannot be with these sizes.
    """
    if scenario.n + scenario.m > MOST_COLUMNS:
        raise ValueError(
            f"n + m must be at most {MOST_COLUMNS} for a matrix of LaTeX, got {scenario.n + scenario.m}: make the cell smaller."
        )
    params, step = scenario.step(cell)
    activated = CELLS[cell].activated(params)
    drawn = getattr(CELLS[cell], "DRAWN", {}) if scenario.stochastic else {}
    lines, known = [], {*CELLS[cell].ARRAYS, "stacked"}

    def values(symbol: str) -> Array:
        return getattr(step if symbol in step._fields else params, symbol)

    def matrix(symbol: str) -> str:
        rows = (" & ".join(_digits(value, decimals) for value in row) for row in values(symbol).tolist())
        return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"

    def apply(symbol: str, z: str, g: Activation) -> None:
        """What an activation makes of z; of a gate that was drawn first its probability."""
        if symbol in drawn:
            lines.append(f"P({name(symbol)} = 1) &= {SIGNS[g.name]}({name(z)}) \\approx {matrix(drawn[symbol])}")
            lines.append(f"{name(symbol)} &= {matrix(symbol)} \\quad \\text{{(drawn)}}")
        else:
            lines.append(f"{name(symbol)} &= {SIGNS[g.name]}({name(z)}) \\approx {matrix(symbol)}")
        known.add(symbol)

    def name(symbol: str) -> str:
        if symbol == "stacked":
            return f"[{'; '.join(in_order('h_{t-1}', 'x_t', scenario.order))}]"
        found = CELLS[cell].SYMBOLS.get(symbol)
        return in_latex(found.text if found else symbol)

    for row in CELLS[cell].EQUATIONS:
        at = row.index("=")
        left, (result, *after) = row[:at], row[at + 1 :]
        for symbol in left:
            if symbol in step._fields and symbol not in known:
                if symbol in activated:  # such as tanh(c_t), which has no row of its own
                    lines.append(f"{name(symbol)} &\\approx {matrix(symbol)}")
                else:
                    lines.append(f"{name(symbol)} &{_sign(decimals, values(symbol))} {matrix(symbol)}")
                known.add(symbol)
        sum_ = " ".join(
            part for symbol in left if (part := OPERATORS.get(symbol, "") if symbol in OPERATORS else matrix(symbol))
        )
        exact = _sign(decimals, *(values(symbol) for symbol in (*left, result) if symbol not in OPERATORS))
        lines.append(f"{name(result)} &= {sum_} {exact} {matrix(result)}")
        known.add(result)
        for symbol in after[1::2]:
            apply(symbol, *activated[symbol])
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}\n"


def in_latex(text: str) -> str:
    """A symbol as it stands on the screen, in LaTeX.

    Parameters
    ----------
    text : str
        Such as ``"f_t∘c_{t−1}"``.

    Returns
    -------
    str
    """
    text = re.sub("(.)\u0303", r"\\tilde \1", text)  # a letter with a tilde over it
    return text.replace("−", "-").replace("∘", r" \circ ").replace("tanh", r"\tanh").replace("′", "'")


def _sign(decimals: int, *arrays: Array) -> str:
    exact = all(np.all(np.round(array, decimals) == array) for array in arrays)
    return "=" if exact else r"\approx"


def _digits(value: float, decimals: int) -> str:
    text = f"{round(value, decimals) + 0.0:.{decimals}f}"  # no minus zero
    return text.rstrip("0").rstrip(".") if "." in text else text
