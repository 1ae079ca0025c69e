"""The diagram of the cell of an exercise, with a blank for each number that is not given."""

import numpy as np

from core.cells import lstm
from core.practice import Exercise
from core.practice.gated import lstm_step
from core.scenario import Scenario
from dashboard.drawing import diagram
from dashboard.drawing.items import Item
from dashboard.drawing.symbols import CellSymbols

# The kinds that give the values of the gates of an LSTM, and ask for a vector of its diagram.
LSTM_KINDS = ("lstm-c", "lstm-h")


def cell_diagram(one: Exercise, threshold: float, *, solved: bool) -> list[Item]:
    """Return the diagram of an LSTM with the given values of its gates, and blanks for all other numbers.

    Parameters
    ----------
    one : Exercise
    threshold : float
        As of `saturation.is_saturated`.
    solved : bool
        Whether the diagram shows all that follows from the given numbers.

    Returns
    -------
    list of items
        Empty for other kinds, and for level 1, whose gates of 0 and 1 have no finite z.
    """
    if one.kind not in LSTM_KINDS or one.level == 1:
        return []
    blank = np.full_like(one.given["c_prev"], np.nan)
    step = lstm_step(**{"o_t": blank, **one.given})
    # The exercise is about no input, and `lstm_step` makes one up.
    shown = {*step._fields} - {"h_prev", "x_t", "stacked"} if solved else {*one.given, "z_f", "z_i", "z_c", "z_o"}
    step = step._replace(**{name: np.full_like(getattr(step, name), np.nan) for name in {*step._fields} - shown})
    k = len(blank)
    W, b = np.zeros((k, k + 1)), np.zeros((k, 1))
    symbols = CellSymbols(Scenario(1, k, k), lstm, lstm.LSTMParams(W, W, W, W, b, b, b, b), fixed=True)

    def block(name: str) -> Item:
        values = getattr(step, name)
        outlined = np.zeros_like(values)
        if name == one.asked.symbol:
            outlined[one.asked.row] = 1
        return symbols.block(name, values, outlined=outlined if outlined.any() else None, nothing="not told")

    return [diagram.diagram(symbols, threshold=threshold, block=block)]
