"""One direction of a layer over its input, with what the findings and the pictures ask of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from core.activations import Activation
from core.arrays import Array
from core.cells.protocol import Cell, carrying_gate, state_after_step
from core.model_diagnosis.sampled_gains import SampledGains
from core.model_diagnosis.thresholds import ALIKE, DEFAULT, ZERO, Thresholds
from core.saturation import Count, count_by_activation, is_saturated


class OpenAndClosed(NamedTuple):
    """How often each unit of a gate is closed, and open.

    Attributes
    ----------
    closed, open : ndarray of shape (k,)
        The fraction of steps below, and above, the two thresholds.
    """

    closed: Array
    open: Array


@dataclass(frozen=True)
class DirectionRun:
    """One direction of a layer over its input.

    Attributes
    ----------
    layer, direction : int
        Counted from 0.
    cell : module
    arrays : mapping from str to ndarray
        The weights and biases by the names of the cell.
    params, trace : object
        Of the cell.
    xs : ndarray of shape (T, m, B)
        In the order in which this direction reads it.
    gains : SampledGains
    thresholds : Thresholds
    is_one_hot : bool
        Whether each step of the network's input is one token.
    reads_indices : bool
        Whether the reader gave the index of each token.
    has_bias : bool
        Whether the file has biases; without them, all are 0.
    """

    layer: int
    direction: int
    cell: Cell
    arrays: Mapping[str, Array]
    params: Any
    trace: Any
    xs: Array
    gains: SampledGains
    thresholds: Thresholds = DEFAULT
    is_one_hot: bool = False
    reads_indices: bool = False
    has_bias: bool = True

    @property
    def k(self) -> int:
        return self.trace.h_t.shape[1]

    @property
    def T(self) -> int:
        return len(self.xs)

    def _of_kind(self, kind: str, axes: str) -> dict[str, Array]:
        return {
            name: self.arrays[name]
            for name, spec in self.cell.ARRAYS.items()
            if spec.kind == kind and spec.axes == axes
        }

    @cached_property
    def recurrent(self) -> dict[str, Array]:
        """The recurrent weights of each block, by name."""
        return self._of_kind("weights", "kn")

    @cached_property
    def of_input(self) -> dict[str, Array]:
        """The input weights of each block, by name."""
        return self._of_kind("weights", "km")

    @property
    def recurrent_weights(self) -> Array:
        """The recurrent weights of all blocks, of shape (blocks k, k)."""
        return np.concatenate(list(self.recurrent.values()))

    @property
    def input_weights(self) -> Array:
        """The input weights of all blocks, of shape (blocks k, m)."""
        return np.concatenate(list(self.of_input.values()))

    @property
    def weights(self) -> Array:
        """All recurrent weights and input weights, as one vector."""
        return np.concatenate([self.recurrent_weights.ravel(), self.input_weights.ravel()])

    @cached_property
    def biases(self) -> dict[str, Array]:
        """The biases, by name."""
        return self._of_kind("bias", "k1")

    @cached_property
    def distinct_units(self) -> Array:
        """The indices of the units, with only the first one of those that have the same weights and biases."""
        arrays = (*self.recurrent.values(), *self.of_input.values(), *self.biases.values())
        return np.sort(np.unique(np.hstack(arrays).round(ALIKE), axis=0, return_index=True)[1])

    @cached_property
    def fraction_of_zeros(self) -> float:
        """The fraction of the recurrent weights that are 0, apart from diagonals and from rows and columns of 0."""
        used = np.abs(self.recurrent_weights) >= ZERO
        used.reshape(-1, self.k, self.k)[:, range(self.k), range(self.k)] = False
        rows, columns = used.any(axis=1), used.any(axis=0)
        on_diagonals = np.count_nonzero(rows.reshape(-1, self.k) & columns)
        count = np.count_nonzero(rows) * np.count_nonzero(columns) - on_diagonals
        return 1 - np.count_nonzero(used) / count if count else 0.0

    @cached_property
    def candidate_weights(self) -> str:
        """The name of the recurrent weights that no gate has."""
        gates = {joined.W_h for joined in self.cell.PRE_ACTIVATIONS.values() if joined.g and joined.g.name == "sigmoid"}
        return next(name for name in self.recurrent if name not in gates)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The symbols of the state after a step, such as h_t and c_t."""
        return tuple(state_after_step(self.cell).values())

    @cached_property
    def gate_symbols(self) -> tuple[str, ...]:
        """The symbols that let something through."""
        activated = self.cell.activated(self.params)
        return tuple(name for name, (_, g) in activated.items() if g.name == "sigmoid" and name not in self.states)

    @cached_property
    def candidate(self) -> str:
        """The symbol of what a unit may write: the first activation that is no gate."""
        return next(name for name in self.cell.activated(self.params) if name not in self.gate_symbols)

    @cached_property
    def carrying_gate(self) -> str | None:
        """The symbol of the gate that carries the state on; None for a cell without one."""
        return carrying_gate(self.cell, self.params, self.trace)

    @cached_property
    def carrying_bias(self) -> str | None:
        """The name of that gate's bias."""
        if self.carrying_gate is None:
            return None
        return next(
            joined.b
            for joined, symbol in zip(self.cell.PRE_ACTIVATIONS.values(), self.cell.activated(self.params))
            if symbol == self.carrying_gate
        )

    @cached_property
    def gates(self) -> dict[str, OpenAndClosed]:
        """How often the units of each gate are open and closed, by symbol."""
        bounds = self.thresholds
        values = {symbol: over_all(getattr(self.trace, symbol)) for symbol in self.gate_symbols}
        return {
            symbol: OpenAndClosed((gate < bounds.closed).mean(axis=1), (gate > bounds.open).mean(axis=1))
            for symbol, gate in values.items()
        }

    def saturated_values(self, threshold: float) -> dict[Activation, Count]:
        """Return how many values of each activation are saturated, as `is_saturated` says."""
        if threshold not in self._saturated_values:
            activated = self.cell.activated(self.params).values()
            flat = ((g, is_saturated(getattr(self.trace, z), g, threshold)) for z, g in activated)
            self._saturated_values[threshold] = count_by_activation(flat)
        return self._saturated_values[threshold]

    @cached_property
    def _saturated_values(self) -> dict[float, dict[Activation, Count]]:
        """The results by threshold: over a long input they take longer than a rerun of the page may."""
        return {}

    @cached_property
    def half_lives(self) -> Array | None:
        """The steps after which each unit has half of what it kept: ln 0.5 / mean ln of its gate, of shape (k,)."""
        if self.carrying_gate is None:
            return None
        with np.errstate(divide="ignore"):
            logs = np.log(over_all(getattr(self.trace, self.carrying_gate))).mean(axis=1)
            return np.log(0.5) / np.where(logs < 0, logs, -0.0)

    @cached_property
    def median_half_life(self) -> float | None:
        """The median of these steps over the units."""
        return None if self.half_lives is None else float(np.median(self.half_lives))


def over_all(values: Array) -> Array:
    """Return values of shape (T, k, B) as (k, T B)."""
    return np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)
