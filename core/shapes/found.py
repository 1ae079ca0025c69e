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
# The LSTM comes first, because it stands for all of them where nothing names a layer.
GATES = dict(sorted(((name, len(layout.blocks)) for name, layout in _LAYOUTS.items()), key=lambda cell: -cell[1]))
# How a text names a cell, the surest way first: by PyTorch's own functions, by the class, and in another name.
_NAMES = (
    r"_VF\.(lstm|gru|rnn)",
    r"\b(lstm|gru|rnn)(?:_tanh|_relu)?(?:_cell)?\(\): argument",
    r"\b(?:Simple)?(LSTM|GRU|RNN)(?:Cell)?\b",
    r"(?<![A-Za-z])(?:lstm|gru)(?![a-z])|LSTM|GRU",
)


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


def named_cell(reading: Reading) -> str | None:
    """Return the cell that a text names, or None if it names none.

    A whole traceback has files named rnn.py in its lines, which belong to every recurrent layer of PyTorch, so file names
    don't count. Neither does a variable named rnn, because people keep LSTMs in it.
    """
    words = re.sub(r'File "[^"]{0,500}"', " ", reading.whole).split()
    text = " ".join(word for word in words if not re.search(r"\.py\b|nn\.utils\.rnn", word))
    for pattern in _NAMES:
        if names := re.findall(pattern, text):
            return names[-1].upper()
    return None


def cells_of(reading: Reading, among: tuple[str, ...] = tuple(GATES)) -> tuple[str, ...]:
    """Return the cell that a text names; where it names none of them, all that the message may come from."""
    named = named_cell(reading)
    return (named,) if named in among else among


def making(cells: tuple[str, ...], arguments: str, when: str = "", suffix: str = "") -> str:
    """Return the line of PyTorch that makes a layer. Its comment names the other layers that it may be.

    Parameters
    ----------
    cells : tuple of str
        From `cells_of`.
    arguments : str
        ``...`` stands for the reader's own.
    when : str
        The condition under which the line is right.
    suffix : {"", "Cell"}
    """
    others = f"or {', '.join(f'{cell}{suffix}' for cell in cells[1:])}" if len(cells) > 1 else ""
    comment = "; ".join(part for part in (others, when) if part)
    return f"nn.{cells[0]}{suffix}({arguments}){f'   # {comment}' if comment else ''}"


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


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count and its noun, such as "1 row" and "2 rows"."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def sizes_in(text: str) -> Shape:
    return tuple(int(size) for size in re.findall(r"\d+", text))
