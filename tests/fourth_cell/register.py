"""A pytest plugin: with ``-p tests.fourth_cell.register`` there are four cells, in whatever is tested."""

from core.cells import CELLS
from tests.fourth_cell import mgu

CELLS["MGU"] = mgu
