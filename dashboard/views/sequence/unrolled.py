"""A cell over a sequence, and the drawings of its symbols, which look the same in every panel of the page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

from core import joins, saturation
from core.activations import Activation
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import Symbol
from core.initialize import RANDOM
from core.scenario import Scenario
from core.time.unroll import bounded_steps, unroll
from dashboard.drawing import items, scales
from dashboard.drawing.items import op
from dashboard.drawing.panels import literal
from dashboard.state.state import State
from dashboard.text import sequence as text
from dashboard.text import words


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
    """

    state: State
    scenario: Scenario
    remarks: list[str]
    cell: Any
    params: Any
    first: Any
    trace: Any
    T: int

    @property
    def t(self) -> int:
        """The selected step, counted from 1."""
        return min(self.state.settings.t, self.T)

    @property
    def is_word(self) -> bool:
        return self.scenario.input == "word"

    @property
    def carried(self) -> list[str]:
        """The symbols of the state after a step."""
        return [f"{field}_t" for field in self.first._fields]

    @cached_property
    def activated(self) -> dict[str, tuple[str, Activation]]:
        """The symbol and the activation that each activated symbol is made with."""
        return self.cell.activated(self.params)

    @cached_property
    def flat(self) -> dict[str, Array]:
        """Whether each unit is saturated at each step, a column each, by activated symbol."""
        return {
            symbol: saturation.is_saturated(getattr(self.trace, z)[:, :, 0].T, g, self.state.threshold)
            for symbol, (z, g) in self.activated.items()
        }

    def shown(self, symbol: str) -> Symbol:
        """Return the name and the kind of a symbol on the screen."""
        if symbol == "stacked":
            return Symbol(joins.STACK_NAMES[self.scenario.order], "input")
        return self.cell.SYMBOLS.get(symbol) or Symbol(symbol, "input" if symbol == "x_t" else "sum")

    def now(self, symbol: str) -> items.Item:
        """Return a symbol of the selected step, which moves with time."""
        values = getattr(self.trace, symbol)
        return items.block(
            self.shown(symbol).text,
            values[self.t - 1],
            self._scale_of(symbol),
            frames=values,
            fixed=self.state.fixed_colours,
            **self._rows_of(symbol),
        )

    def over_time(self, symbol: str) -> items.Item:
        """Return a symbol at every step, one column each."""
        return items.block(
            self.shown(symbol).text,
            getattr(self.trace, symbol)[:, :, 0].T,
            self._scale_of(symbol),
            columns=[("t", self.T, "")],
            over_time=True,
            outlined=self.flat.get(symbol),
            headings=self.scenario.word if self.is_word else None,
            fixed=self.state.fixed_colours,
            **self._rows_of(symbol),
        )

    def equations(self, rows: Sequence[Sequence[str]]) -> list[list[items.Item]]:
        """Return rows of symbols and operators with the numbers of the selected step.

        A symbol of the step that occurs twice is the same item: it is sent once.
        """
        drawn: dict[str, items.Item] = {}
        return [[self._part(symbol, row, drawn) for symbol in symbols] for row, symbols in enumerate(rows)]

    def _part(self, symbol: str, row: int, drawn: dict[str, items.Item]) -> items.Item:
        """Return one item of a row of equations: a symbol of the step, a parameter, or an operator."""
        if symbol == "stacked" and row:  # drawn above already
            return op(self.shown(symbol).text)
        if symbol in self.trace._fields:
            if symbol not in drawn:
                drawn[symbol] = self.now(symbol)
            return drawn[symbol]
        if not hasattr(self.params, symbol):
            return op(symbol, align=symbol == "=")
        return self._parameter(symbol)

    def _parameter(self, symbol: str) -> items.Item:
        """Return the matrix of a parameter."""
        n, m = self.scenario.n, self.scenario.m
        columns: dict[str, Any] = {}
        if symbol.startswith("W"):
            joined = joins.in_order(("h", n, "h"), ("x", m, "x"), self.scenario.order)
            columns = {"columns": {"W_hh": [("h", n, "")], "W_hx": [("x", m, "")]}.get(symbol, joined)}
        return items.block(
            self.shown(symbol).text,
            getattr(self.params, symbol),
            self._weights,
            rows=[("unit", self.scenario.k, "")],
            units=True,
            fixed=self.state.fixed_colours,
            **columns,
        )

    def _rows_of(self, symbol: str) -> dict[str, Any]:
        """Return the row labels of a symbol of the step."""
        n, m = self.scenario.n, self.scenario.m
        if symbol == "stacked":
            return {"rows": joins.in_order(("h", n, "h_{t−1}"), ("x", m, "x_t"), self.scenario.order)}
        return {"rows": [("x", m, "")]} if symbol == "x_t" else {"rows": [("unit", self.scenario.k, "")], "units": True}

    @property
    def _weights(self) -> scales.Scale:
        return scales.weight_scale(text.WEIGHTS, is_random=self.scenario.init in RANDOM)

    def _scale_of(self, symbol: str) -> scales.Scale:
        """Return the colour scale of a symbol of the step."""
        kind = self.shown(symbol).kind
        squeezed = scales.symmetric(text.OUTPUTS, 1, clips=True)
        sums = scales.symmetric(text.SUMS, 10, clips=True)
        if symbol in self.activated and kind == "sum":
            return scales.sequential(text.GATES, 1) if self.activated[symbol][1].low == 0 else squeezed
        if kind == "slope":
            return scales.sequential("g′", self.params.g.max_df)
        return {
            "input": self._weights,
            "memory": scales.weight_scale(text.MEMORY, is_random=self.scenario.init in RANDOM),
            "state": squeezed if all(isfinite(g.high) for _, g in self.activated.values()) else sums,
            "sum": sums,
        }[kind]


def unroll_cell(state: State) -> Unrolled:
    """Return the cell over the chosen input, or over noise if that input is not possible."""
    scenario, remarks = state.recurrent(), words.recurs(state.scenario.n, state.scenario.k)
    try:
        xs = scenario.sequence()
    except ValueError as error:
        scenario = replace(scenario, input="noise")
        xs = scenario.sequence()
        remarks.append(literal(text.UNTIL_THEN.format(reason=error)))
    cell = CELLS[scenario.cell]
    params, first = scenario.initial_state(scenario.cell)
    trace, T = bounded_steps(unroll(cell, params, first, xs))
    if T < len(xs):
        remarks.append(text.OVERFLOW.format(T=T))
    return Unrolled(
        state=state, scenario=scenario, remarks=remarks, cell=cell, params=params, first=first, trace=trace, T=T
    )
