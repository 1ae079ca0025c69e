"""What the cells share on their way over a sequence."""

from collections.abc import Callable

import numpy as np

from core.arrays import Array

# How many numbers stay in the nearest cache of a processor.
BLOCK = 2**13


def products_over_time(W: Array, xs: Array) -> Array:
    """W x_t for every step at once.

    Parameters
    ----------
    W : ndarray of shape (k, m)
    xs : ndarray of shape (T, m, B)

    Returns
    -------
    ndarray of float64 of shape (T, k, B)
    """
    W, xs = W.astype(np.float64), xs.astype(np.float64, copy=False)
    if xs.shape[2] == 1:
        return (xs[:, :, 0] @ W.T)[:, :, None]
    return W @ xs


def in_blocks(f: Callable[[Array], Array], array: Array) -> Array:
    """f(array), elementwise, in blocks along the first axis that stay in the cache.

    Parameters
    ----------
    f : callable
    array : ndarray

    Returns
    -------
    ndarray of the shape of array
    """
    out = np.empty_like(array)
    rows = max(1, BLOCK * len(array) // array.size)
    for start in range(0, len(array), rows):
        out[start : start + rows] = f(array[start : start + rows])
    return out
