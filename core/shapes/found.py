"""What the functions for each kind of message share."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.cells import CELLS
from core.shapes.explanation import Cause
from core.shapes.layer import GivenSizes, LayerSizes, Shape
from core.shapes.messages import Reading

# More layers than anybody stacks.
MOST_STACKED = 64
_LAYOUTS = {name: cell.LAYOUT for name, cell in CELLS.items() if cell.LAYOUT}
GATES = {name: len(layout.blocks) for name, layout in _LAYOUTS.items()}


class Found(NamedTuple):
    """What a message of one kind tells: the parts of an Explanation that follow from its sizes."""

    operation: str
    sizes: Mapping[str, int]
    causes: Iterable[Cause]
    notes: tuple[str, ...] = ()
    layer: LayerSizes | None = None
    given: GivenSizes | None = None
    product: tuple[Shape, Shape] | None = None


def is_round(size: int) -> bool:
    """Whether it looks like a number of units that somebody chose: a power of two, or a round number."""
    return size >= 16 and (size & (size - 1) == 0 or size % 50 == 0) or size in (20, 24, 40, 48, 60, 80, 96, 192, 384)


def cell_of(reading: Reading) -> str:
    """The cell that the words around a message name; an LSTM where they name none."""
    names = re.findall(r"LSTM|lstm|GRU|gru|RNN(?!\w*time|Layer)|rnn", reading.whole)
    last = names[-1].upper() if names else "LSTM"
    return last if last in GATES else "LSTM"


def keras_cell(reading: Reading) -> str | None:
    """The cell of Keras in whose call a message was raised, by its name here."""
    return next((name for name, layout in _LAYOUTS.items() if f"{layout.keras}Cell.call" in reading.whole), None)


def stand_in(framework: str, cell: str, **sizes: Any) -> LayerSizes | None:
    """A layer as far as a message tells of it; none if there is no such layer."""
    try:
        return LayerSizes(framework, cell, **sizes)
    except ValueError:
        return None


def given_to(layer: LayerSizes | None, x: Shape, **states: Any) -> GivenSizes | None:
    """What a stand-in is given; none if some size is not said."""
    try:
        return GivenSizes(x, **states) if layer else None
    except ValueError:
        return None


def listed(sizes: Shape) -> str:
    return ", ".join("?" if size < 0 else str(size) for size in sizes)


def shown(sizes: Shape) -> str:
    return f"({listed(sizes)}{',' if len(sizes) == 1 else ''})"


def sizes_in(text: str) -> Shape:
    return tuple(int(size) for size in re.findall(r"\d+", text))
