"""The cells, by their names, and what each of them has to offer."""

from typing import Any, Protocol

from core import gru, lstm, rnn
from core.arrays import Array


class Cell(Protocol):
    """A module with a cell's equations. State and Step are NamedTuples, and Params is a frozen dataclass.

    A cell that carries part of its state over through a gate also has ``direct_path(step)``, that gate.
    """

    def step(self, params: Any, state: Any, x_t: Array) -> Any:
        """One step: every symbol of the equations."""

    def next_state(self, step: Any) -> Any:
        """The state that the next step starts from; it raises if k != n."""

    def trace(self, params: Any, state: Any, xs: Array) -> Any:
        """The steps over a sequence, every symbol with a leading time axis."""

    def jacobian(self, params: Any, step: Any) -> Array:
        """The derivatives of the next state by the state, exactly; of a trace, for every step."""


CELLS: dict[str, Cell] = {"RNN": rnn, "LSTM": lstm, "GRU": gru}
