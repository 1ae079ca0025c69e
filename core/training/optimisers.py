r"""Optimisers and clipping: from a gradient to an update. All parameters are one vector θ, and their gradient is g.

.. math::
    \text{SGD with momentum:}\quad v ← μ v + g, \quad θ ← θ - η v \\
    \text{Adam:}\quad a ← β_1 a + (1 - β_1) g, \quad s ← β_2 s + (1 - β_2) g^2, \quad
        θ ← θ - η \frac{a / (1 - β_1^u)}{\sqrt{s / (1 - β_2^u)} + ε}

References
----------
Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1, with its β_1, β_2 and ε. Momentum
is that of torch.optim.SGD. Clipping by norm: Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent
neural networks", ICML 2013, algorithm 1. torch.nn.utils.clip_grad_norm_ divides by norm + 1e-6 instead of by the norm: it
agrees with `clip_norm` to about 1e-6 of the norm, and everything else here agrees with PyTorch to rounding errors.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.arrays import Array

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


class OptimiserState(NamedTuple):
    """The state of an optimiser between two updates.

    Attributes
    ----------
    u : int
        Updates so far.
    first, second : ndarray
        Running sums or means of gradients and, with Adam, of their squares.
    """

    u: int
    first: Array
    second: Array


def initial_state(size: int) -> OptimiserState:
    """Return the state before the first update of `size` parameters."""
    return OptimiserState(0, np.zeros(size), np.zeros(size))


def sgd(gradient: Array, state: OptimiserState, rate: float, momentum: float) -> tuple[Array, OptimiserState]:
    """Take a step of gradient descent with momentum.

    Parameters
    ----------
    gradient : ndarray of shape (size,)
    rate, momentum : float
        η and μ.

    Returns
    -------
    change : ndarray of shape (size,)
        What is to be added to the parameters.
    state : OptimiserState
    """
    v = momentum * state.first + gradient
    return -rate * v, OptimiserState(state.u + 1, v, state.second)


def adam(gradient: Array, state: OptimiserState, rate: float, momentum: float) -> tuple[Array, OptimiserState]:
    """Take a step of Adam: each parameter moves by about the rate, however large its gradient.

    Parameters
    ----------
    gradient : ndarray of shape (size,)
    rate : float
        η.
    momentum : float
        Not used: β_1 is Adam's own.

    Returns
    -------
    change : ndarray of shape (size,)
        What is to be added to the parameters.
    state : OptimiserState
    """
    u = state.u + 1
    first = BETA_1 * state.first + (1 - BETA_1) * gradient
    second = BETA_2 * state.second + (1 - BETA_2) * np.square(gradient)
    change = -rate / (1 - BETA_1**u) * first / (np.sqrt(second / (1 - BETA_2**u)) + EPSILON)
    return change, OptimiserState(u, first, second)


class Optimiser(NamedTuple):
    """The record of an optimiser.

    Attributes
    ----------
    name : str
    step : callable
        Of a gradient, a state, the learning rate and the momentum: the change of the parameters, and the new state.
    is_scale_invariant : bool, optional
        Whether the steps stay the same if all gradients are multiplied by a constant. If it is missing, the page has no sentence on the effect of clipping.
    usual_rate : float
        The learning rate to try when another one fails.
    """

    name: str
    step: Callable[[Array, OptimiserState, float, float], tuple[Array, OptimiserState]]
    is_scale_invariant: bool | None = None
    usual_rate: float = 0.01


# To add an optimiser, add its record here.
OPTIMISERS = {
    optimiser.name: optimiser
    for optimiser in (
        Optimiser("SGD", sgd, is_scale_invariant=False, usual_rate=0.1),
        Optimiser("Adam", adam, is_scale_invariant=True),
    )
}


def unclipped(gradient: Array, at: float) -> Array:
    """Return the gradient unchanged."""
    return gradient


def clip_norm(gradient: Array, at: float) -> Array:
    """Return the gradient, shortened to the norm `at` if it is longer; its direction stays.

    Parameters
    ----------
    gradient : ndarray of shape (size,)

    Returns
    -------
    ndarray of shape (size,)
    """
    norm = np.linalg.norm(gradient)
    return gradient * (at / norm) if norm > at else gradient


def clip_value(gradient: Array, at: float) -> Array:
    """Return the gradient with every entry between -at and at; its direction may change.

    Parameters
    ----------
    gradient : ndarray of shape (size,)

    Returns
    -------
    ndarray of shape (size,)
    """
    return np.clip(gradient, -at, at)


# To add a way to clip, add its function here.
CLIPS: dict[str, Callable[[Array, float], Array]] = {"none": unclipped, "norm": clip_norm, "value": clip_value}
