"""The lines of an answer as pictures: rows, and the columns that they multiply."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Array
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
        Of an answer; 0 if it is a whole number.
    """

    given: int
    asked: int

    @property
    def computed(self) -> int:
        """The number of decimals of a computed number that is not whole."""
        return self.asked or 2

    @property
    def exact(self) -> int:
        """The number of decimals to which a computed number must be whole to be drawn as a whole number."""
        # With a whole answer, a tanh of 0.9999 counts as 1. Otherwise only the last binary digits may be off.
        return 9 if self.asked else 2


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
        found += [matrices.op("+")] * bool(number) + term_items(term, decimals, is_of_entries=line.is_of_entries)
    symbol = SUM_OF_ENTRIES.format(symbol=line.symbol) if line.is_of_entries else line.symbol
    found += [
        matrices.op("→" if line.is_of_entries else "="),
        number_item(symbol, None if blank else line.total, decimals),
    ]
    if line.activation:
        found += [
            matrices.op(f"→ {line.activation} →"),
            number_item(line.result, None if blank else line.gives, decimals),
        ]
    return found


def term_items(term: SolutionTerm, decimals: Decimals, *, is_of_entries: bool = False) -> list[Item]:
    """Return a term as a row and the column that it multiplies; of entries, as two columns that are multiplied entry by entry."""
    upper, lower = (with_whole_numbers(values, decimals)[:, None] for values in (term.upper, term.lower))
    factors = [(term.above, upper if is_of_entries else upper.T), *([(term.below, lower)] if term.lower else [])]
    items: list[Item] = []
    for symbol, array in factors:
        items += [matrices.op("∘" if is_of_entries else "·")] * bool(items)
        items.append(computed(matrices.exercise_matrix(text_in_symbols(symbol), array), array, decimals))
    return items


def number_item(symbol: str, value: float | None, decimals: Decimals) -> Item:
    """Return a number with an outline; a blank if it is None."""
    known = with_whole_numbers(() if value is None else (value,), decimals)
    shown = float(known[0]) if known.size else None
    return computed(matrices.masked(text_in_symbols(symbol), (1, 1), (0, 0), shown), known, decimals)


def with_whole_numbers(values: ArrayLike, decimals: Decimals) -> Array:
    """Return values, with a whole number in the place of each that rounds to one: 0 and not 4e−18."""
    exact = np.array(values, np.float64)
    whole = np.round(exact)
    return np.where(np.round(exact, decimals.exact) == whole, whole, exact)


def computed(matrix: Item, values: ArrayLike, decimals: Decimals) -> Item:
    """Return a matrix with the decimals of an answer if it has numbers that are not given."""
    more = decimals_beyond(np.asarray(values, np.float64), decimals.given, decimals.computed)
    return matrices.finer(matrix, more)
