"""How flat an activation is where a pre-activation stands."""

import numpy as np

from core.activations import Activation
from core.arrays import Array


def gradient_share(z: Array, g: Activation) -> Array:
    """The share of the largest possible gradient that is left at z: g'(z) / max g'.

    Parameters
    ----------
    z : ndarray
        Pre-activations.
    g : Activation

    Returns
    -------
    ndarray of the shape of z, in [0, 1]
    """
    return g.df(z) / g.max_df


def is_saturated(z: Array, g: Activation, threshold: float) -> Array:
    """Whether less than `threshold` of the largest possible gradient is left at z.

    Parameters
    ----------
    z : ndarray
        Pre-activations.
    g : Activation
    threshold : float
        A share in (0, 1).

    Returns
    -------
    ndarray of bool of the shape of z
    """
    return gradient_share(z, g) < threshold


def saturation_bounds(g: Activation, threshold: float) -> tuple[float, float]:
    """The interval of z outside which g is saturated.

    sigmoid' is sech(z/2)**2 / 4 and tanh' is sech(z)**2, so the share of the gradient falls to s at
    z = arcosh(1 / sqrt(s)), twice that for sigmoid. ReLU is flat at and below 0 and nowhere above.

    Parameters
    ----------
    g : Activation
        sigmoid, tanh or ReLU.
    threshold : float
        A share in (0, 1).

    Returns
    -------
    low, high : float
    """
    if g.name == "relu":
        return 0.0, np.inf
    z = float(np.arccosh(1 / np.sqrt(threshold)))
    z = 2 * z if g.name == "sigmoid" else z
    return -z, z
