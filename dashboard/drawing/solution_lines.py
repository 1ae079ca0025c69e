"""The lines of an answer as pictures: a row over the inputs that it multiplies."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.cells.symbols import text_in_symbols
from core.practice.exercise_number_format import decimals_beyond
from core.practice.solution_lines import SolutionLine, SolutionTerm
from dashboard.drawing import matrices
from dashboard.drawing.matrices import Item
from dashboard.text.practice import SUM_OF_ENTRIES


class Decimals(NamedTuple):
    """The numbers of decimals of a drawing of an exercise.

    Attributes
    ----------
    given : int
        Of the given numbers.
    asked : int
        Of an answer, and of every number that is computed.
    """

    given: int
    asked: int


def line_row(line: SolutionLine, label: str, decimals: Decimals, *, blank: bool = False) -> list[Item]:
    """Return a line as a row of a panel.

    Parameters
    ----------
    line : SolutionLine
    label : str
        The word before it.
    decimals : Decimals
    blank : bool
        Whether its numbers are left for the reader to work out.

    Returns
    -------
    list of dict
    """
    found = [matrices.op(label)]
    for number, term in enumerate(line.terms):
        found += [matrices.op("+")] * bool(number) + [term_item(term, decimals)]
    symbol = SUM_OF_ENTRIES.format(symbol=line.symbol) if line.is_of_entries else line.symbol
    found += [matrices.op("="), number_item(symbol, None if blank else line.total, decimals)]
    if line.activation:
        found += [
            matrices.op(f"→ {line.activation} →"),
            number_item(line.result, None if blank else line.gives, decimals),
        ]
    return found


def term_item(term: SolutionTerm, decimals: Decimals) -> Item:
    """Return a term as a matrix of one row, above the inputs on their side if it has some."""
    rows = [(term.above, term.upper), *([(term.below, term.lower)] if term.lower else [])]
    items = []
    for symbol, values in rows:
        array = np.array([values])
        items.append(computed(matrices.exercise_matrix(text_in_symbols(symbol), array), array, decimals))
    return matrices.stacked(*items) if len(items) > 1 else items[0]


def number_item(symbol: str, value: float | None, decimals: Decimals) -> Item:
    """Return a number with an outline; a blank if it is None."""
    known = [] if value is None else [value]
    return computed(matrices.masked(text_in_symbols(symbol), (1, 1), (0, 0), value), known, decimals)


def computed(matrix: Item, values: ArrayLike, decimals: Decimals) -> Item:
    """Return a matrix with the decimals of an answer if it has numbers that are not given."""
    return matrices.finer(matrix, decimals_beyond(np.asarray(values, np.float64), *decimals))
