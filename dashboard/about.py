"""What a page is about, so that editing and taking away need not know the pages."""

from contextvars import ContextVar
from typing import NamedTuple

from core.scenario import Scenario

# What the code has, by what the page shows.
OF_CELL_PAGES = "the numbers that the pages about a cell show"
OF_THIS_PAGE = "the numbers of this page"


class About(NamedTuple):
    """What stands on the page.

    Attributes
    ----------
    scenario : Scenario
        As the page takes it.
    cell : str
        A name of CELLS: whose arrays come first and whose code is given.
    sequence : bool
        All steps of the scenario's sequence, rather than one.
    gains : bool
        Of a sequence what comes back through it.
    step : int or None
        Of a sequence the step in the equations, counted from 1.
    numbers : str
        Which numbers the scenario has; a page about no cell shows none of them.
    """

    scenario: Scenario
    cell: str = "RNN"
    sequence: bool = False
    gains: bool = False
    step: int | None = None
    numbers: str = OF_CELL_PAGES


_told: ContextVar[About] = ContextVar("about")


def tell(about: About) -> None:
    """For a page: say what it is about."""
    _told.set(about)


def told() -> About:
    """What the page that has run is about."""
    return _told.get()
