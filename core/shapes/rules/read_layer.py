"""The layer that a message is about, as far as its text tells."""

import re
from typing import Any

from core.cells import CELLS
from core.shapes.layer_shapes import GivenSizes, LayerSizes, Shape
from core.shapes.messages import Reading

# More layers than anybody stacks.
MOST_STACKED = 64
# Fewer units may be a sum that comes out by chance.
FEWEST_UNITS = 8
# How people name a state among the inputs of a model.
NAME_OF_STATE = re.compile(r"^[hc](?:_?(?:[0nt]|in|prev)|x)?$|^(?:hidden|cell)|state|init", re.IGNORECASE)
_LAYOUTS = {name: cell.LAYOUT for name, cell in CELLS.items() if cell.LAYOUT}
# The LSTM comes first, because it stands for all of them where nothing names a layer.
GATES = dict(sorted(((name, len(layout.blocks)) for name, layout in _LAYOUTS.items()), key=lambda cell: -cell[1]))
# How a text names a cell, the surest way first: by PyTorch's own functions, by the class, and in another name.
_NAMES = (
    r"_VF\.(lstm|gru|rnn)",
    r"\b(lstm|gru|rnn)(?:_tanh|_relu)?(?:_cell)?\(\): argument",
    r"\blayer [\"']?(?:[a-z]{1,20}_)?(lstm|gru|rnn)(?:_\d{1,6})?\b",
    # In prose an RNN is any of the three.
    r"\b(LSTM|GRU)(?:Cell)?\b|\b(?:Simple)?(RNN)(?:Cell)?(?=[(:.])|\b(?:Simple(RNN)|(RNN)Cell)\b",
    r"(?<![A-Za-z])(?:lstm|gru)(?![a-z])|LSTM|GRU",
)


# The two methods of a layer in PyTorch's own file, where the classes stand in the order RNN, LSTM, GRU.
_CHECKED = re.compile(
    r'\brnn\.py", line (\d{1,5}), in forward\b.{0,400}?\brnn\.py", line (\d{1,5}), in check_forward_args\b'
)


def _layer_by_lines(text: str) -> str | None:
    """Return the layer whose method forward checked its arguments, by the lines of PyTorch's file; None if none did.

    Only an LSTM has a check of its own, and it stands just above forward. RNN and GRU share that of their base class at the top
    of the file. From PyTorch 1.2 to 2.14, RNN is at most 2.1 times and GRU at least 3.7 times as far down as that check.
    """
    found = _CHECKED.findall(text)
    if not found:
        return None
    forward, check = map(int, found[-1])
    if forward > _LINES_OF_BASE and forward < 1.5 * check:
        return "LSTM"
    return "GRU" if forward > 2.8 * check else "RNN"


# The first versions have the method forward of an RNN in the base class.
_LINES_OF_BASE = 400


def is_round(size: int) -> bool:
    """Whether a size looks like a chosen number of units: a power of two, or a round number."""
    return size >= 16 and (size & (size - 1) == 0 or size % 50 == 0) or size in (20, 24, 40, 48, 60, 80, 96, 192, 384)


def is_power(size: int) -> bool:
    """Whether a size is a power of two that a batch or a layer may have."""
    return size >= 16 and size & (size - 1) == 0


def like_batch(size: int) -> bool:
    """Whether a size looks like a chosen batch."""
    return size & (size - 1) == 0 or size % 10 == 0


def like_steps(size: int) -> bool:
    """Whether a size looks like a chosen number of steps: days, hours and months are multiples of 7 and of 12."""
    return size >= FEWEST_UNITS and (like_batch(size) or not all(size % one for one in (5, 7, 12)))


def named_cell(reading: Reading) -> str | None:
    """Return the cell that a text names, or the reader's answer, or None.

    A whole traceback has files named rnn.py in its lines, which belong to every recurrent layer of PyTorch, so file names
    don't count. Neither does a variable named rnn, because people keep LSTMs in it.
    """
    words = re.sub(r'File "[^"]{0,500}"', " ", reading.whole).split()
    if by_lines := _layer_by_lines(reading.whole):
        return by_lines
    text = " ".join(word for word in words if not re.search(r"\.py\b|nn\.utils\.rnn", word))
    for pattern in _NAMES:
        if names := [next(filter(None, found.groups()), found[0]) for found in re.finditer(pattern, text)]:
            return names[-1].upper()
    return reading.cell or None


def cells_of(reading: Reading, among: tuple[str, ...] = tuple(GATES)) -> tuple[str, ...]:
    """Return the cell that a text names; if it names none of these, all of them."""
    named = named_cell(reading)
    return (named,) if named in among else among


def told_cells(reading: Reading) -> tuple[str, ...]:
    """Return the cell that a text tells, or all that it may be about."""
    if reading.kind == "state":
        # PyTorch counts the tensors of an LSTM's state, hidden[0] and hidden[1]; those of a GRU and an RNN are one.
        return ("LSTM",) if reading.values["which"] else cells_of(reading, ("GRU", "RNN"))
    one = keras_cell(reading)
    return (one,) if one else cells_of(reading)


def keras_cell(reading: Reading) -> str | None:
    """Return the cell of Keras in whose call a message was raised, by its name here."""
    whole = reading.whole
    return next((name for name, of in _LAYOUTS.items() if re.search(rf"\b{of.keras}(?:Cell)?\.call\b", whole)), None)


def stand_in(framework: str, cell: str, **sizes: Any) -> LayerSizes | None:
    """Return a layer as far as a message tells it; None if there is no such layer."""
    try:
        return LayerSizes(framework, cell, **sizes)
    except ValueError:
        return None


def layer_of_program(reading: Reading, given: GivenSizes | None) -> tuple[LayerSizes, GivenSizes] | None:
    """Return the layer that failed and its inputs as the reader's program makes them; None if it does not tell all sizes.

    Parameters
    ----------
    reading : Reading
    given : GivenSizes, optional
        The inputs by the message, of which the states are kept.
    """
    made, x = reading.layer, reading.given[0] if reading.given else None
    if made is None or not made.is_recurrent or made.kind.endswith("Cell") or x is None or given is None:
        return None
    names = {"m": "input_size", "k": "hidden_size", "layers": "num_layers", "bidirectional": "", "batch_first": ""}
    sizes = {name: made.arguments[of or name] for name, of in names.items() if (of or name) in made.arguments}
    if not {"m", "k"} <= sizes.keys() or None in sizes.values():
        return None
    layer = stand_in(reading.framework, made.kind, **sizes)
    inputs = given_to(layer, x.shape, h0=given.h0, c0=given.c0)
    return (layer, inputs) if layer and inputs else None


def given_to(layer: LayerSizes | None, x: Shape, **states: Any) -> GivenSizes | None:
    """Return the inputs of a stand-in; None if a size is unknown."""
    try:
        return GivenSizes(x, **states) if layer else None
    except ValueError:
        return None


def axes_given(reading: Reading, x: Shape) -> int:
    """Return how many axes the input has: by the message, or by its shape where the message has no number.

    PyTorch 1.11 added a batch to an input of four axes before it counted them.
    """
    if "got" not in reading.values:
        return len(x)
    told = reading.size("got")
    known = reading.given[0].shape if reading.framework == "PyTorch" and reading.given and reading.given[0] else ()
    return len(known) if len(known) == told - 1 > 3 else told
