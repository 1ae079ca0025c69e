"""A cell with a readout, as one long vector of parameters: its loss and its gradient on sequences."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.cells import CELLS
from core.initialize import child, glorot
from core.scenario import Scenario
from core.sequence.unroll import OVERFLOW_LIMIT, unroll
from core.training.readout import Readout, ReadoutLoss, readout_loss
from core.training.tasks import TASKS, Batch
from core.training.training_setup import TrainingSetup

# The scale of the readout's weights at the start: small, so that a training starts near the uninformed loss.
READOUT = 0.3


class Overflow(NamedTuple):
    """The number that ends a training.

    Attributes
    ----------
    quantity : {"h_t", "loss", "gradient", "parameter"}
    is_nan : bool
        Whether it is NaN, or else beyond OVERFLOW_LIMIT.
    """

    quantity: str
    is_nan: bool


class LossAndGradient(NamedTuple):
    """The loss on some sequences, and its derivative with respect to all parameters.

    Attributes
    ----------
    loss : float
    gradient : ndarray of shape (size,)
    overflow : Overflow or None
        None if all numbers are sound.
    """

    loss: float
    gradient: Array
    overflow: Overflow | None


class Learner:
    """The parameters of a cell and of its readout, by their names, in one vector θ.

    Parameters
    ----------
    setup : TrainingSetup

    Attributes
    ----------
    parts : dict from str to (slice, tuple of int)
        Where each array is in θ, and its shape: the arrays of Params in their order, W_y, b_y.
    theta : ndarray of shape (size,)
        θ before the first update.
    """

    def __init__(self, setup: TrainingSetup) -> None:
        task = TASKS[setup.task]
        self.cell: Any = CELLS[setup.cell]
        self.loss = task.loss
        scenario = Scenario(
            *(task.m, setup.k, setup.k),
            **{name: getattr(setup, name) for name in ("init", "seed", "scale", "g", "forget_bias")},
        )
        self.params, self.state = scenario.params_and_initial_state(setup.cell)
        W_y = READOUT * glorot(child(setup.seed, "W_y"), (task.p, setup.k))
        arrays = arrays_of(self.params) | Readout(W_y, np.zeros((task.p, 1)))._asdict()
        ends = np.cumsum([array.size for array in arrays.values()])
        self.parts = {
            name: (slice(int(end) - array.size, int(end)), array.shape)
            for end, (name, array) in zip(ends, arrays.items(), strict=True)
        }
        self.theta = _in_one(arrays.values())

    def arrays(self, theta: Array) -> dict[str, Array]:
        """Return views of the arrays in a vector, by their names.

        Parameters
        ----------
        theta : ndarray of shape (size,)
        """
        return {name: theta[part].reshape(shape) for name, (part, shape) in self.parts.items()}

    def at(self, theta: Array) -> tuple[Any, Readout]:
        """Return the cell's parameters and the readout at θ.

        Parameters
        ----------
        theta : ndarray of shape (size,)
        """
        arrays = self.arrays(theta)
        readout = Readout(arrays.pop("W_y"), arrays.pop("b_y"))
        return replace(self.params, **arrays), readout

    def trace(self, params: Any, xs: Array) -> Any:
        """Take the steps of sequences, from an initial state of 0.

        Parameters
        ----------
        params
            Of the cell.
        xs : ndarray of shape (T, m, B)

        Returns
        -------
        NamedTuple
            The cell's step, each field with a leading time axis.
        """
        state = type(self.state)(*(np.zeros((len(part), xs.shape[2])) for part in self.state))
        if not hasattr(self.cell, "trace"):
            return unroll(self.cell, params, state, xs)
        # Without the checks of `unroll`, which cost a step: all shapes follow from the setup.
        with np.errstate(over="ignore", invalid="ignore"):
            return self.cell.trace(params, state, xs)

    def forward_loss(self, theta: Array, batch: Batch) -> tuple[Any, ReadoutLoss]:
        """Return the trace over some sequences, and the loss of its predictions.

        Parameters
        ----------
        theta : ndarray of shape (size,)

        Returns
        -------
        trace : NamedTuple
        result : ReadoutLoss
            Infinite or NaN where a number overflows.
        """
        params, readout = self.at(theta)
        trace = self.trace(params, batch.xs)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return trace, readout_loss(readout, trace.h_t, batch, self.loss)

    def loss_and_gradient(self, theta: Array, batch: Batch) -> LossAndGradient:
        """Return the loss on some sequences, and its exact gradient.

        Parameters
        ----------
        theta : ndarray of shape (size,)
        """
        trace, result = self.forward_loss(theta, batch)
        overflow = overflow_of("h_t", np.abs(trace.h_t).max()) or overflow_of("loss", result.loss)
        if overflow:
            return LossAndGradient(result.loss, np.full(theta.shape, np.nan), overflow)
        by = self.cell.backward(self.at(theta)[0], trace, result.dh)
        gradient = _in_one([*(getattr(by, name) for name in self.parts if name in by._fields), *result.readout])
        return LossAndGradient(result.loss, gradient, overflow_of("gradient", np.abs(gradient).max()))


def arrays_of(params: Any) -> dict[str, Array]:
    """Return the arrays of a cell's parameters, by their names, in the order of its fields.

    Parameters
    ----------
    params
        Of a cell.
    """
    named = {field.name: getattr(params, field.name) for field in fields(params)}
    return {name: array for name, array in named.items() if isinstance(array, np.ndarray)}


def overflow_of(quantity: str, largest: float) -> Overflow | None:
    """Return the overflow of an array, or None if there is none.

    Parameters
    ----------
    quantity : str
        As of `Overflow`.
    largest : float
        The largest magnitude in the array.
    """
    if np.isnan(largest):
        return Overflow(quantity, is_nan=True)
    return None if largest <= OVERFLOW_LIMIT else Overflow(quantity, is_nan=False)


def _in_one(arrays: Iterable[Array]) -> Array:
    return np.concatenate([array.ravel() for array in arrays]).astype(np.float64, copy=False)
