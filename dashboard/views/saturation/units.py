"""The units that all panels of the page show: one pre-activation at many scales of the weights."""

from dataclasses import dataclass
from functools import cached_property

from core import saturation
from core.activations import Activation
from core.arrays import Array
from core.scenario import Scenario
from dashboard.drawing import arithmetic, matrices, scales
from dashboard.drawing.arithmetic import of_unit
from dashboard.state.parameters import TYPED_Z
from dashboard.state.state import State
from dashboard.text import saturation as text
from dashboard.text import words


@dataclass(frozen=True)
class Units:
    """The units of one pre-activation z at many scales of the weights.

    Attributes
    ----------
    state : State
    g : Activation
    scales : ndarray
    here : int
        The index of the scenario's own scale.
    z_at : ndarray of shape (scales, k, 1)
    """

    state: State
    g: Activation
    scales: Array
    here: int
    z_at: Array

    @property
    def scenario(self) -> Scenario:
        return self.state.scenario

    @property
    def source(self) -> str:
        return self.state.settings.source

    @property
    def is_typed(self) -> bool:
        """Whether z is a typed number, and the only unit."""
        return self.source == TYPED_Z

    @property
    def k(self) -> int:
        return self.z_at.shape[1]

    @cached_property
    def j(self) -> int:
        """The selected unit, counted from 1."""
        return min(self.state.unit, self.k)

    @property
    def flat(self) -> str:
        """The word for a unit on a flat part of the curve."""
        return text.flat(saturates=self.g.saturates)

    @property
    def output(self) -> str:
        """The output on the screen."""
        return f"{self.g.symbol}(z)"

    @property
    def derivative(self) -> str:
        """The derivative of the activation on the screen."""
        return f"{self.g.symbol}′"

    @cached_property
    def g_at(self) -> Array:
        """g(z) at all scales."""
        return self.g.f(self.z_at)

    @cached_property
    def dg_at(self) -> Array:
        """g′(z) at all scales."""
        return self.g.df(self.z_at)

    def applied(self, name: str, z: Array, values: Array) -> str:
        """Return a function of one z, both of shape (1, 1), with its value, as a sentence has them."""
        return words.with_powers(
            of_unit(arithmetic.applied(name, z, values, self.state.decimals, exact=self.g.is_exact))
        )

    def selected_at(self, at: int) -> tuple[str, str]:
        """Return the output and the derivative of the selected unit at one of the scales, with its z."""
        of_j = slice(at, at + 1), self.j - 1
        z = self.z_at[of_j]
        return self.applied(self.g.symbol, z, self.g_at[of_j]), self.applied(self.derivative, z, self.dg_at[of_j])


def units_of(state: State) -> Units:
    """Return the units at all scales."""
    scenario, settings = state.scenario, state.settings
    is_typed = settings.source == TYPED_Z
    pre_activation = scenario.typed_z(settings.z) if is_typed else scenario.pre_activation(settings.source)
    factors, here = saturation.scales_with(scenario.scale)
    return Units(state, pre_activation.g, factors, here, pre_activation.z_over(factors))


def column(units: Units, name: str, values_at: Array, scale: scales.Scale, *, moves: bool = True) -> matrices.Item:
    """Return values of the units as a column, which may move with the scale.

    Its colours are always fixed: a colour scale of its own at each step would hide the change.
    """
    return matrices.block(
        name,
        values_at[units.here],
        scale,
        rows=[("unit", units.k, "")],
        units=True,
        frames=values_at if moves else None,
    )
