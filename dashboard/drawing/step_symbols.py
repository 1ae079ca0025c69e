"""The symbols of the equations at one step of a cell with a stacked input."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from core import concatenation
from core.arrays import Array
from core.initialize import RANDOM
from dashboard.drawing import matrices, scales
from dashboard.drawing.arithmetic import number
from dashboard.drawing.matrices import Item, Part
from dashboard.drawing.scales import Scale
from dashboard.state.state import State
from dashboard.text import words

# The scale of h, of a candidate and of tanh(c) is that of the diagram.
STATE_SCALE = scales.symmetric(words.OUTPUT_SCALE, 1, clips=True)


@dataclass(frozen=True, eq=False)
class StepSymbols:
    """The symbols of the equations at one step, as all panels draw them.

    Attributes
    ----------
    state : State
    params, step : object
        Of the cell; the step has a stacked input.
    """

    state: State
    params: Any
    step: Any

    @cached_property
    def j(self) -> int:
        """The selected unit, counted from 1."""
        return self.state.unit

    @property
    def row(self) -> slice:
        """The row of the selected unit."""
        return slice(self.j - 1, self.j)

    @property
    def k(self) -> int:
        return self.state.scenario.k

    @cached_property
    def decimals(self) -> int:
        return self.state.decimals

    @cached_property
    def weights(self) -> Scale:
        """The scale of weights, biases and inputs."""
        return scales.weight_scale(words.WEIGHT_SCALE, is_random=self.state.scenario.init in RANDOM)

    @cached_property
    def sums(self) -> Scale:
        """The scale of z and its terms: that of the biases they are added to."""
        return self.weights._replace(label=words.SUM_SCALE)

    @cached_property
    def outputs(self) -> Scale:
        """The scale of h."""
        return STATE_SCALE

    @cached_property
    def columns_of_W(self) -> Sequence[Part]:
        scenario = self.state.scenario
        return concatenation.in_order(("h", scenario.n, "h"), ("x", scenario.m, "x"), scenario.order)

    @cached_property
    def stack_order(self) -> str:
        return self.state.scenario.order

    @cached_property
    def stack_name(self) -> str:
        return concatenation.STACK_NAMES[self.stack_order]

    @property
    def h_rows(self) -> Part:
        return "h", self.state.scenario.n, "h_{t−1}"

    @property
    def x_rows(self) -> Part:
        return "x", self.state.scenario.m, "x_t"

    @cached_property
    def parts_of_stack(self) -> Sequence[Part]:
        return concatenation.in_order(self.h_rows, self.x_rows, self.stack_order)

    @cached_property
    def scales_of_stack(self) -> Sequence[Scale]:
        return concatenation.in_order(self.outputs, self.weights, self.stack_order)

    @cached_property
    def matrix(self) -> partial[Item]:
        """`matrices.block` in the colours of the page."""
        return partial(matrices.block, fixed=self.state.fixed_colours)

    @cached_property
    def column_of_units(self) -> partial[Item]:
        """`matrix` with a row for each unit."""
        return partial(self.matrix, rows=[("unit", self.k, "")], units=True)

    # It stands in several places. The browser receives a block once only if all places have the same object.

    @cached_property
    def stack(self) -> Item:
        scales = self.scales_of_stack
        return self.matrix(
            self.stack_name, self.step.stacked, self.weights, rows=self.parts_of_stack, part_scales=scales
        )

    def entry(self, array: Array) -> str:
        """Return the entry of the selected unit."""
        return number(array[self.j - 1, 0], self.decimals)
