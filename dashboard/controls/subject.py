"""The subject of a page. The editor and the save panel read it, so they need not know the pages."""

from typing import NamedTuple

from core.scenario import Scenario

# Which numbers the exported code has.
OF_CELL_PAGES = "the numbers that the pages about a cell show"
OF_THIS_PAGE = "the numbers of this page"


class About(NamedTuple):
    """The subject of a page.

    Attributes
    ----------
    scenario : Scenario
        With the changes that the page makes, such as n = k.
    cell : str
        A name of CELLS. Its arrays come first in the editor, and the code is that of this cell.
    sequence : bool
        Whether the page shows all steps of the scenario's sequence, and not one step.
    gains : bool
        Whether the NumPy code prints the gains back through the sequence.
    step : int or None
        The step of a sequence in the equations, counted from 1.
    numbers : str
        Which numbers the scenario has.
    """

    scenario: Scenario
    cell: str = "RNN"
    sequence: bool = False
    gains: bool = False
    step: int | None = None
    numbers: str = OF_CELL_PAGES
