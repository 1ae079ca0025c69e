"""Sentences about one cell, by its name in `core.cells.CELLS`; a cell without them has none on its pages."""

from core.cells import CELLS
from core.cells.symbols import symbol_of

# The direct path of a cell that has one.
ALONG = {
    "LSTM": "Along c alone, the gradient of an LSTM is multiplied by f_t at each step.",
    "GRU": "Along h alone, the gradient of a GRU is multiplied by u_t, the fraction of h_{t−1} that the cell keeps.",
}
DIRECT_PATHS = {
    "LSTM": (
        f"{ALONG['LSTM']} The gain of an LSTM averages over all directions of h and c (2k entries). The gain of its direct path averages over the directions of c (k entries). "
        "Even if all weights for h are 0, these two averages differ, by a factor of at most √(2k/k) = √2. "
        "In the chart above, its solid line then lies at most 0.15 (log₁₀ of √2) below its dashed line."
    ),
    "GRU": ALONG["GRU"],
}
# The direct path past a gate.
PAST_GATE = {
    cell: f"{path} This direct path has no derivative g′(z), so the cell can carry a gradient far."
    for cell, path in ALONG.items()
}
# Differences between the equations of frameworks and texts.
REMARKS = {"GRU": "Here, as in PyTorch and Keras, u_t multiplies h_{t−1}. Some texts swap u_t and 1 − u_t."}


def z_formula(source: str) -> str:
    """Return the formula of a pre-activation, for a sentence on one that has no name, such as that of a gate.

    Parameters
    ----------
    source : str
        A name of `core.scenario.SOURCES`.
    """
    cell = next(cell for cell in CELLS.values() if source in cell.PRE_ACTIVATIONS)
    joined = cell.PRE_ACTIVATIONS[source]
    return f"{symbol_of(cell, joined.W)}·[h; x] + {symbol_of(cell, joined.b)}"
