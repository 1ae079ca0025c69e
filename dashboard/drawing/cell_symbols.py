"""The symbols of a step as matrices: their names, the scales of their colours and the labels of their rows, for every cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core import concatenation
from core.activations import Activation
from core.arrays import Array
from core.cells.protocol import Symbol
from core.initialize import RANDOM
from core.scenario import Scenario
from dashboard.drawing import matrices, scales
from dashboard.drawing.matrices import Item
from dashboard.drawing.scales import Scale
from dashboard.text import words


@dataclass(frozen=True, eq=False)
class CellSymbols:
    """The symbols of a cell's step.

    Attributes
    ----------
    scenario : Scenario
    cell : module
        Of CELLS.
    params : object
        Of the cell.
    fixed : bool
        As of `matrices.block`.
    """

    scenario: Scenario
    cell: Any
    params: Any
    fixed: bool

    @cached_property
    def activated(self) -> Mapping[str, tuple[str, Activation]]:
        """The pre-activation and the activation of each activated symbol."""
        return self.cell.activated(self.params)

    @cached_property
    def weights(self) -> Scale:
        """The scale of weights, biases and inputs."""
        return scales.weight_scale(words.WEIGHT_SCALE, is_random=self.scenario.init in RANDOM)

    def shown(self, symbol: str) -> Symbol:
        """Return the name and the kind of a symbol on the screen."""
        if symbol == "stacked":
            return Symbol(concatenation.STACK_NAMES[self.scenario.order], "input")
        return self.cell.SYMBOLS.get(symbol) or Symbol(symbol, "input" if symbol == "x_t" else "sum")

    def block(self, symbol: str, values: Array, *, scale: Scale | None = None, **options: Any) -> Item:
        """Return a symbol of the step as a matrix.

        Parameters
        ----------
        symbol : str
            A field of the step.
        values : ndarray of shape (entries, columns)
        scale : Scale, optional
            That of the symbol unless given.
        **options
            Of `matrices.block`.
        """
        return matrices.block(
            self.shown(symbol).text,
            values,
            scale or self.scale_of(symbol),
            **self._rows(symbol),
            part_scales=self._scales_of_stack if symbol == "stacked" and scale is None else (),
            fixed=self.fixed,
            **options,
        )

    @property
    def _scales_of_stack(self) -> Sequence[Scale]:
        """The scales of the parts of the stacked input: those of h_{t−1} and x_t."""
        return concatenation.in_order(self.scale_of("h_prev"), self.weights, self.scenario.order)

    def _rows(self, symbol: str) -> dict[str, Any]:
        """Return the row labels of a symbol of the step. Entries of h_{t−1} are units where n = k."""
        n, m, k = self.scenario.n, self.scenario.m, self.scenario.k
        if symbol == "stacked":
            return {"rows": concatenation.in_order(("h", n, "h_{t−1}"), ("x", m, "x_t"), self.scenario.order)}
        if symbol == "x_t" or (symbol == "h_prev" and n != k):
            return {"rows": [(symbol[0], n if symbol == "h_prev" else m, "")]}
        return {"rows": [("unit", k, "")], "units": True}

    def scale_of(self, symbol: str) -> Scale:
        """Return the colour scale of a symbol of the step."""
        kind = self.shown(symbol).kind
        squeezed = scales.symmetric(words.OUTPUT_SCALE, 1, clips=True)
        sums = self.weights._replace(label=words.SUM_SCALE)
        if symbol in self.activated and kind == "sum":
            return scales.sequential(words.GATE_SCALE, 1) if self.activated[symbol][1].low == 0 else squeezed
        if kind == "slope":
            return scales.sequential("g′", self.params.g.max_df)
        return {
            "input": self.weights,
            "memory": scales.weight_scale(words.MEMORY_SCALE, is_random=self.scenario.init in RANDOM),
            "state": squeezed if all(g.is_bounded for _, g in self.activated.values()) else sums,
            "sum": sums,
        }[kind]
