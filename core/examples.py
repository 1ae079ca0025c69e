"""The worked examples: named scenarios, each on the page that it opens, and some with a mistake.

Their numbers come from the hidden-state lab and from a question about the sizes in an LSTM with its answer.
"""

from typing import NamedTuple

import numpy as np

from core.arrays import Array
from core.scenario import Scenario

# Its numbers are the defaults of every URL that names no example; a page may open on another one (`first_of`).
DEFAULT_EXAMPLE = "lab"


class Example(NamedTuple):
    """A worked example.

    Attributes
    ----------
    scenario : Scenario
    page : str
        The path of the page that it opens on, which has its story.
    is_first : bool
        Whether the page opens on it where nothing is chosen.
    """

    scenario: Scenario
    page: str = "lstm"
    is_first: bool = False


def first_of(page: str) -> str:
    """Return the name of the example that a bare URL of a page opens: DEFAULT_EXAMPLE for a page without one of its own.

    Parameters
    ----------
    page : str
        Its path.
    """
    own = (name for name, example in EXAMPLES.items() if example.is_first and example.page == page)
    return next(own, DEFAULT_EXAMPLE)


def _column(*entries: float) -> Array:
    return _matrix(*([entry] for entry in entries))


def _matrix(*rows: list[float]) -> Array:
    array = np.array(rows)
    array.flags.writeable = False
    return array


def _blocks(gate: str, h_columns: Array, x_columns: Array) -> dict[str, Array]:
    return {f"W_{gate}h": h_columns, f"W_{gate}x": x_columns}


def _no_weights(**choices) -> Scenario:
    """Return gates that depend on their biases alone, with 3 units and 2 entries in x_t."""
    return Scenario(**{"m": 2, "n": 3, "k": 3, "w_hh": 0.0, "w_hx": 0.0, "x": 1.0} | choices)


# σ(40) is 1 and σ(−800) is 0 in float64.
OPEN, CLOSED = _column(40, 40, 40), _column(-800, -800, -800)
FIRST_THREE = _matrix([1, 2, 3], [5, 6, 7], [3, 4, 5])
LAST_THREE = _matrix([4, 5, 6], [8, 9, 10], [6, 7, 8])
QUESTION = {"b_f": _column(1, 2, 3), "h_prev": _column(4, 5, 6), "x_t": _column(1, 2, 3)}

EXAMPLES = {
    "first-step": Example(
        Scenario(
            m=2,
            n=3,
            k=3,
            init="normal",
            g="tanh",
            cell="RNN",
            arrays={
                "W_hh": _matrix([0.5, -1, 0.25], [1, 0.5, -0.5], [-1, 0.5, 0.5]),
                "W_hx": _matrix([0.5, -0.5], [0.5, 1], [1, 0.5]),
                "b_h": _column(0, -0.25, 0.25),
                "h_prev": _column(0.5, -0.5, 1),
                "x_t": _column(1, -1),
            },
        ),
        page="",
        is_first=True,
    ),
    DEFAULT_EXAMPLE: Example(Scenario(), page=""),
    "keep-write-forget": Example(
        Scenario(
            m=2,
            n=3,
            k=3,
            init="normal",
            scale=0.3,
            seed=2,
            arrays={
                "b_f": _column(3, 0, -3),
                "b_i": _column(-3, 3, -3),
                "b_c": _column(0, 1, 0),
                "b_o": _column(2, 2, 2),
                "h_prev": _column(0.8, -0.6, 0.5),
                "c_prev": _column(2, -1, 1.5),
            },
        ),
        is_first=True,
    ),
    "keep-or-replace": Example(
        Scenario(
            m=2,
            n=3,
            k=3,
            init="normal",
            scale=0.4,
            seed=2,
            cell="GRU",
            arrays={"b_u": _column(3, -3, 0.1), "b_r": _column(0, 2, -3), "h_prev": _column(0.8, -0.6, 0.5)},
        ),
        page="gru",
        is_first=True,
    ),
    "spread": Example(
        Scenario(m=4, n=12, k=12, init="normal", g="tanh", scale=0.5, seed=1),
        page="saturation",
        is_first=True,
    ),
    "letters": Example(
        Scenario(m=4, n=4, k=4, init="normal", scale=1.5, seed=3, cell="LSTM", input="word", word="hello"),
        page="sequence",
        is_first=True,
    ),
    "vanishing": Example(
        Scenario(m=3, n=8, k=8, init="glorot", g="tanh", T=30, forget_bias=3.0, cell="LSTM"),
        page="gradients",
        is_first=True,
    ),
    "forget-layer": Example(
        Scenario(
            m=3, n=3, k=3, order="xh", w_hh=0.0, w_hx=0.0, arrays=QUESTION | _blocks("f", LAST_THREE, FIRST_THREE)
        ),
    ),
    "forget-layer-hx": Example(
        Scenario(
            m=3, n=3, k=3, order="hx", w_hh=0.0, w_hx=0.0, arrays=QUESTION | _blocks("f", FIRST_THREE, LAST_THREE)
        ),
    ),
    "input-gate": Example(
        Scenario(
            m=3,
            n=3,
            k=3,
            order="xh",
            w_hh=0.0,
            w_hx=0.0,
            arrays=QUESTION
            | _blocks("f", LAST_THREE, FIRST_THREE)
            | _blocks("i", *[_matrix([1, 1, 1], [2, 2, 2], [3, 3, 3])] * 2)
            | {"b_i": _column(1, 1, 1)},
        ),
    ),
    "hadamard": Example(
        _no_weights(
            arrays={"b_f": OPEN, "b_i": CLOSED, "b_o": _column(-800, -800, 40), "c_prev": _column(0, 40, 40)},
        ),
    ),
    "stochastic-gates": Example(
        _no_weights(
            stochastic=True,
            seed=1,
            arrays={
                "b_f": _column(0, np.log(4), np.log(9)),
                "b_i": CLOSED,
                "b_o": OPEN,
                "c_prev": _column(1, 2, 3),
            },
        ),
    ),
    "carousel": Example(
        _no_weights(arrays={"b_f": OPEN, "b_i": CLOSED, "c_prev": _column(-2, 0.5, 3)}),
    ),
    "saturated-cell": Example(
        _no_weights(
            arrays={"b_f": OPEN, "b_i": OPEN, "b_c": OPEN, "b_o": OPEN, "c_prev": _column(3, 6, 20)},
        ),
    ),
    "forget-bias-0": Example(
        Scenario(m=3, n=4, k=4, init="normal", scale=0.05),
    ),
    "forget-bias-1": Example(
        Scenario(m=3, n=4, k=4, init="normal", scale=0.05, forget_bias=1.0),
    ),
}
