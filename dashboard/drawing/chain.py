"""An unrolled cell as a row of compact cells, with the wire of its state through all of them."""

from collections.abc import Sequence

import numpy as np

from core.arrays import Array
from dashboard.drawing.colours import Hue
from dashboard.drawing.matrices import Item, packed
from dashboard.drawing.scales import POWERS_TO_FAINT

# With more steps, the cells of a row would be too narrow to be seen.
MOST_STEPS = 64


def chain(
    symbol: str,
    through: Array | None,
    words: Sequence[str],
    *,
    second: str = "",
    end: str = "",
    labels: Sequence[str] = (),
    letters: Sequence[str] | None = None,
    colour: Hue | None = None,
    backward: bool = False,
    numbered: bool = True,
    over_time: bool = False,
) -> Item:
    """Return a row of compact cells, one for each step.

    Parameters
    ----------
    symbol : str
        The name of the wire through all cells.
    through : ndarray of shape (T,), optional
        How wide the wire is at each step, from 0 to 1; without it the wire is the same everywhere.
    words : sequence of str
        The tooltip of each step.
    second : str
        The name of a second wire, if the state has two parts.
    end : str
        A text at the end of a wire that goes backward.
    labels : sequence of str
        A text in each cell, where it fits.
    letters : sequence of str, optional
        A character above each cell.
    colour : Hue, optional
    backward : bool
        Whether the wire goes from the last step to the first, and fades where it becomes narrow.
    numbered : bool
        Whether the numbers of the steps stand below the cells.
    over_time : bool
        Whether the cells are the positions of the picture's `Playback`: the current one is framed.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    return {
        "kind": "chain",
        "symbol": symbol,
        "through": None if through is None else packed(through, single=True),
        "words": list(words),
        "second": second,
        "end": end,
        "labels": list(labels),
        "letters": None if letters is None else list(letters),
        "colour": colour,
        "backward": backward,
        "numbered": numbered,
        "over_time": over_time,
    }


def width_of_gradient(logs: Array) -> Array:
    """Return how wide the wire of a gradient is: 1 for a gain of 1 or more, and 0 from 10^−POWERS_TO_FAINT on.

    Parameters
    ----------
    logs : ndarray of shape (T,)
        The decimal logarithms of the gains; -inf where nothing comes back.
    """
    return np.clip(1 + logs / POWERS_TO_FAINT, 0, 1)
