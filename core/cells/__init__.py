"""The cells, by their names, and what each of them has to offer."""

from typing import Any, Protocol

from core.activations import Activation
from core.arrays import Array
from core.cells import gru, lstm, rnn


class Cell(Protocol):
    """A module with a cell's equations. State and Step are NamedTuples, and Params is a frozen dataclass.

    A cell that carries part of its state over through a gate also has ``direct_path(step)``, that gate.

    Attributes
    ----------
    EQUATIONS : tuple of tuple of str
        The equations as rows of symbols, fields of Params and of Step, with operators between them.
    """

    EQUATIONS: tuple[tuple[str, ...], ...]

    def activated(self, params: Any) -> dict[str, tuple[str, Activation]]:
        """Which fields of a step are an activation of which others."""

    def step(self, params: Any, state: Any, x_t: Array) -> Any:
        """One step: every symbol of the equations."""

    def next_state(self, step: Any) -> Any:
        """The state that the next step starts from; it raises if k != n."""

    def trace(self, params: Any, state: Any, xs: Array) -> Any:
        """The steps over a sequence, every symbol with a leading time axis."""

    def jacobian(self, params: Any, step: Any) -> Array:
        """The derivatives of the next state by the state, exactly; of a trace, for every step."""


CELLS: dict[str, Cell] = {"RNN": rnn, "LSTM": lstm, "GRU": gru}
