"""How flat an activation is where a pre-activation stands."""

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
