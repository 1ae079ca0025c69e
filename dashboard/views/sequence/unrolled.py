"""A cell over a sequence, and the drawings of its symbols, which look the same in every panel of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core import concatenation, saturation
from core.activations import Activation
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import Symbol, carrying_gate, state_after_step
from core.scenario import Scenario
from core.sequence.inputs import alphabet
from core.sequence.layers import NetworkTrace
from core.sequence.sequence_run import run_sequence
from dashboard.drawing import matrices
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.matrices import op
from dashboard.drawing.panels import HeatmapSize, literal
from dashboard.state.state import State
from dashboard.text import sequence as text
from dashboard.text import words

# The sizes of the maps. With few units there is room for letters above the columns and numbers in the entries.
FIT = HeatmapSize("rows", pixels=100, smallest=6)
FEW, FIT_OF_FEW = 8, HeatmapSize("rows", pixels=160, smallest=28)


@dataclass(frozen=True, kw_only=True)
class Unrolled:
    """A cell over a sequence.

    Attributes
    ----------
    state : State
    scenario : Scenario
        As it is unrolled: with n = k, and with noise if the chosen input is not possible.
    remarks : list of str
        Why the sequence is not the one that was asked for.
    cell : module
        Of CELLS.
    params, first : object
        Of the cell; the state is that before the first step.
    trace : NamedTuple
        Every symbol over time.
    T : int
        How many steps there are before numbers overflow.
    network : NetworkTrace, optional
        All layers and directions, if there is more than one; `trace` is then the forward direction of layer 1.
    """

    state: State
    scenario: Scenario
    remarks: list[str]
    cell: Any
    params: Any
    first: Any
    trace: Any
    T: int
    network: NetworkTrace | None = None

    @property
    def t(self) -> int:
        """The selected step, counted from 1."""
        return min(self.state.settings.t, self.T)

    @property
    def is_word(self) -> bool:
        return self.scenario.input == "word"

    @property
    def fit(self) -> HeatmapSize:
        """The size of the maps."""
        return FIT_OF_FEW if self.scenario.k <= FEW else FIT

    @property
    def carried(self) -> list[str]:
        """The symbols of the state after a step."""
        return [*state_after_step(self.cell).values()]

    @cached_property
    def symbols(self) -> CellSymbols:
        """The drawings of the symbols of a step."""
        return CellSymbols(self.scenario, self.cell, self.params, self.state.fixed_colours)

    @property
    def activated(self) -> Mapping[str, tuple[str, Activation]]:
        """The symbol and the activation that each activated symbol is made with."""
        return self.symbols.activated

    @property
    def saturates(self) -> bool:
        """Whether a unit with a small derivative is saturated, or else inactive, as with ReLU."""
        return any(g.saturates for _, g in self.activated.values())

    def direct_gate(self, trace: Any) -> tuple[str, Array | None]:
        """Return the gate on the wire of the state, and the mean of its units at each step of a trace of the cell.

        Returns
        -------
        str, ndarray of shape (T,)
            Nothing for a cell without such a gate.
        """
        gate = carrying_gate(self.cell, self.params, trace)
        return (gate, getattr(trace, gate).mean(axis=(1, 2))) if gate else ("", None)

    @cached_property
    def flat(self) -> dict[str, Array]:
        """Whether each unit is saturated at each step, a column each, by activated symbol."""
        return {
            symbol: saturation.is_saturated(getattr(self.trace, z)[:, :, 0].T, g, self.state.threshold_fraction)
            for symbol, (z, g) in self.activated.items()
        }

    def shown(self, symbol: str) -> Symbol:
        """Return the name and the kind of a symbol on the screen."""
        return self.symbols.shown(symbol)

    @cached_property
    def _drawn(self) -> dict[str, matrices.Item]:
        """The symbols of the selected step that are drawn, by name. A symbol in several places is the same item: it is sent once."""
        return {}

    def now(self, symbol: str) -> matrices.Item:
        """Return a symbol of the selected step. It moves with time, unless its step is to be predicted."""
        if symbol not in self._drawn:
            values = getattr(self.trace, symbol)
            frames = None if self.state.settings.predict else values
            self._drawn[symbol] = self.symbols.block(symbol, values[self.t - 1], frames=frames)
        return self._drawn[symbol]

    def over_time(self, symbol: str) -> matrices.Item:
        """Return a symbol at every step, one column each."""
        return self.symbols.block(
            symbol,
            getattr(self.trace, symbol)[:, :, 0].T,
            columns=[("t", self.T, "")],
            over_time=True,
            outlined=self.flat.get(symbol),
            headings=self.scenario.word if self.is_word else None,
            row_headings=alphabet(self.scenario.word) if self.is_word and symbol == "x_t" else None,
        )

    def equations(self, rows: Sequence[Sequence[str]]) -> list[list[matrices.Item]]:
        """Return rows of symbols and operators with the numbers of the selected step."""
        return [[self._part(symbol, row) for symbol in symbols] for row, symbols in enumerate(rows)]

    def _part(self, symbol: str, row: int) -> matrices.Item:
        """Return one item of a row of equations: a symbol of the step, a parameter, or an operator."""
        if symbol == "stacked" and row:  # drawn above already
            return op(self.shown(symbol).text)
        if symbol in self.trace._fields:
            return self.now(symbol)
        if not hasattr(self.params, symbol):
            return op(symbol, align=symbol == "=")
        return self._parameter(symbol)

    def _parameter(self, symbol: str) -> matrices.Item:
        """Return the matrix of a parameter."""
        n, m = self.scenario.n, self.scenario.m
        columns: dict[str, Any] = {}
        if symbol.startswith("W"):
            joined = concatenation.in_order(("h", n, "h"), ("x", m, "x"), self.scenario.order)
            columns = {"columns": {"W_hh": [("h", n, "")], "W_hx": [("x", m, "")]}.get(symbol, joined)}
        return matrices.block(
            self.shown(symbol).text,
            getattr(self.params, symbol),
            self.symbols.weights,
            rows=[("unit", self.scenario.k, "")],
            units=True,
            fixed=self.state.fixed_colours,
            **columns,
        )


def unroll_cell(state: State) -> Unrolled:
    """Return the cell over the chosen input, or over noise if that input is not possible."""
    scenario, remarks = state.recurrent(), words.recurs(state.scenario.n, state.scenario.k)
    try:
        xs = scenario.sequence()
    except ValueError as error:
        scenario = replace(scenario, input="noise")
        xs = scenario.sequence()
        remarks.append(literal(text.UNTIL_THEN.format(reason=error)))
    run = run_sequence(scenario, scenario.cell)
    T = len(run.xs)
    if T < len(xs):
        remarks.append(text.OVERFLOW.format(T=T))
    return Unrolled(
        state=state,
        scenario=scenario,
        remarks=remarks,
        cell=CELLS[scenario.cell],
        params=run.params,
        first=run.first,
        trace=run.trace,
        T=T,
        network=run.network,
    )
