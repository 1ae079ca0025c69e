"""The scenario that a page shows, for the editor and the save panel, which need not know the pages."""

from typing import NamedTuple

from core.scenario import Scenario

# Which numbers the exported code has; `text/save_panel.py` has a sentence for each.
OF_CELL_PAGES = "cell pages"
OF_THIS_PAGE = "page"
# Those of the page, but with the stacked input in the order of the columns of W_h.
IN_ORDER = "page in order"


class PageScenario(NamedTuple):
    """The scenario that a page shows, and which part of it.

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
        Which numbers the scenario has: OF_CELL_PAGES, OF_THIS_PAGE or IN_ORDER.
    """

    scenario: Scenario
    cell: str = "RNN"
    sequence: bool = False
    gains: bool = False
    step: int | None = None
    numbers: str = OF_CELL_PAGES
