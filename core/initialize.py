"""Ways to fill an array, all seeded.

Every initializer takes a Generator, a shape and a value, so that they can stand in for each other;
those that do not need one of them leave it alone. More axes before the last two make many matrices at once.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.arrays import Array

Shape = tuple[int, ...]


class Initializer(NamedTuple):
    """A way to fill an array.

    Attributes
    ----------
    name : str
    make : callable
        From a Generator, a shape and a value to an array.
    is_random : bool
        Whether the array depends on the seed.
    is_for_weights : bool
        Whether it is a rule for weight matrices only. States and inputs are then sampled from N(0, 1).
    variance : callable, optional
        From the rows and columns of a matrix to the variance of an entry.
    """

    name: str
    make: Callable[[np.random.Generator, Shape, float], Array]
    is_random: bool = True
    is_for_weights: bool = False
    variance: Callable[[int, int], float] | None = None


def child(seed: int, name: str) -> np.random.Generator:
    """Return the generator that belongs to one array of one seed.

    Each array draws from a child of its own, so a change of one array's shape leaves the others'
    numbers as they were.

    Parameters
    ----------
    seed : int
        The seed that the reader chose, not negative.
    name : str
        The array's name, such as ``"W_hh"``.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(name.encode())))


def fill(rng: np.random.Generator, shape: Shape, value: float = 1) -> Array:
    """Return one value everywhere; an integer makes an integer array, as `numpy.full` does.

    Parameters
    ----------
    rng : numpy.random.Generator
        Not used.

    Returns
    -------
    ndarray of the given shape
    """
    return np.full(shape, value)


def ramp(rng: np.random.Generator, shape: Shape, value: float = 1) -> Array:
    """Return 1, 2, 3, ... row by row, as integers, so that every entry differs from every other.

    Parameters
    ----------
    rng : numpy.random.Generator
        Not used.
    value : float
        Not used.

    Returns
    -------
    ndarray of int64 of the given shape
    """
    return np.arange(1, np.prod(shape) + 1, dtype=np.int64).reshape(shape)


def normal(rng: np.random.Generator, shape: Shape, value: float = 1) -> Array:
    """Sample independently from the standard normal distribution, N(0, 1).

    Parameters
    ----------
    value : float
        Not used.

    Returns
    -------
    ndarray of float64 of the given shape
    """
    return rng.standard_normal(shape)


def uniform(rng: np.random.Generator, shape: Shape, value: float = 1) -> Array:
    """Sample independently from the uniform distribution on [-1, 1).

    Parameters
    ----------
    value : float
        Not used.

    Returns
    -------
    ndarray of float64 of the given shape
    """
    return rng.uniform(-1, 1, shape)


def glorot(rng: np.random.Generator, shape: Shape, value: float = 1) -> Array:
    """Sample uniformly on [-a, a) with a = sqrt(6 / (rows + columns)): the variance is 2 / (rows + columns).

    W_hh and W_hx are drawn apart, and those of each gate too, each with a fan-in and a fan-out of its own. Frameworks
    differ: Keras draws W_hx of all gates at once, with a fan-out of 4 k in an LSTM, and an orthogonal W_hh; PyTorch
    draws both from the uniform distribution on [-1/sqrt(k), 1/sqrt(k)).

    Parameters
    ----------
    shape : tuple of int
        (..., fan-out, fan-in).
    value : float
        Not used.

    Returns
    -------
    ndarray of float64 of the given shape

    References
    ----------
    Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks",
    AISTATS 2010, equation 16.
    """
    limit = np.sqrt(6 / sum(shape[-2:]))
    return rng.uniform(-limit, limit, shape)


def orthogonal(rng: np.random.Generator, shape: Shape, value: float = 1) -> Array:
    """Sample orthonormal rows or columns, whichever are fewer, uniformly among all such matrices.

    Parameters
    ----------
    value : float
        Not used.

    Returns
    -------
    ndarray of float64 of the given shape

    References
    ----------
    Saxe, McClelland and Ganguli, "Exact solutions to the nonlinear dynamics of learning in deep
    linear neural networks", ICLR 2014. The signs of R's diagonal make the draw uniform: Mezzadri,
    "How to generate random matrices from the classical compact groups", 2007.
    """
    *many, rows, columns = shape
    Q, R = np.linalg.qr(rng.standard_normal((*many, max(rows, columns), min(rows, columns))))
    Q = Q * np.where(np.diagonal(R, axis1=-2, axis2=-1) < 0, -1, 1)[..., None, :]
    return Q if rows >= columns else np.swapaxes(Q, -2, -1)


# To add an initializer, add its record here.
INITIALIZERS = {
    initializer.name: initializer
    for initializer in (
        Initializer("fill", fill, is_random=False),
        Initializer("ramp", ramp, is_random=False),
        Initializer("normal", normal, variance=lambda rows, columns: 1.0),
        Initializer("uniform", uniform, variance=lambda rows, columns: 1 / 3),
        Initializer("glorot", glorot, is_for_weights=True, variance=lambda rows, columns: 2 / (rows + columns)),
        Initializer(
            "orthogonal", orthogonal, is_for_weights=True, variance=lambda rows, columns: 1 / max(rows, columns)
        ),
    )
}

RANDOM: tuple[str, ...] = tuple(name for name, initializer in INITIALIZERS.items() if initializer.is_random)


def variance(name: str, rows: int, columns: int) -> float:
    """Return the variance of an entry of a matrix, from the definition of the initializer.

    Parameters
    ----------
    name : str
        One of RANDOM.

    Raises
    ------
    ValueError
        If the record of the initializer has no variance.
    """
    known = INITIALIZERS[name].variance
    if known is None:
        raise ValueError(f"The variance of {name} is not known. Add it to the initializer's record.")
    return known(rows, columns)
