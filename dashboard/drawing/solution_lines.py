"""The lines of an answer as pictures: a row over the inputs that it multiplies."""

import numpy as np

from core.cells.symbols import text_in_symbols
from core.practice.solution_lines import SolutionLine, SolutionTerm
from dashboard.drawing import matrices
from dashboard.drawing.matrices import Item
from dashboard.text.practice import SUM_OF_ENTRIES


def line_row(line: SolutionLine, label: str, *, blank: bool = False) -> list[Item]:
    """Return a line as a row of a panel.

    Parameters
    ----------
    line : SolutionLine
    label : str
        The word before it.
    blank : bool
        Whether its numbers are left for the reader to work out.

    Returns
    -------
    list of dict
    """
    found = [matrices.op(label)]
    for number, term in enumerate(line.terms):
        found += [matrices.op("+")] * bool(number) + [term_item(term)]
    symbol = SUM_OF_ENTRIES.format(symbol=line.symbol) if line.is_of_entries else line.symbol
    found += [matrices.op("="), number_item(symbol, None if blank else line.total)]
    if line.activation:
        found += [matrices.op(f"→ {line.activation} →"), number_item(line.result, None if blank else line.gives)]
    return found


def term_item(term: SolutionTerm) -> Item:
    """Return a term as a matrix of one row, above the inputs on their side if it has some."""
    upper = matrices.exercise_matrix(text_in_symbols(term.above), np.array([term.upper]))
    if not term.lower:
        return upper
    return matrices.stacked(upper, matrices.exercise_matrix(text_in_symbols(term.below), np.array([term.lower])))


def number_item(symbol: str, value: float | None) -> Item:
    """Return a number with an outline; a blank if it is None."""
    return matrices.masked(text_in_symbols(symbol), (1, 1), (0, 0), value)
