"""Products and sums over a sequence that all cells share."""

from collections.abc import Callable

import numpy as np

from core.arrays import Array, expect_recurrence, expect_shape

# How many numbers stay in the nearest cache of a processor.
BLOCK = 2**13


def products_over_time(W: Array, xs: Array) -> Array:
    """Return W x_t for every step at once.

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
    """Return f(array), elementwise, in blocks along the first axis that stay in the cache.

    Returns
    -------
    ndarray of the shape of array
    """
    out = np.empty_like(array)
    rows = max(1, BLOCK * len(array) // array.size)
    for start in range(0, len(array), rows):
        out[start : start + rows] = f(array[start : start + rows])
    return out


def sums_of_outer_products(delta: Array, inputs: Array) -> Array:
    """Return the gradient with respect to W from that with respect to z = W v: the sum of delta v.T over steps and columns.

    Parameters
    ----------
    delta : ndarray of shape (T, k, B)
        The gradient with respect to z.
    inputs : ndarray of shape (T, q, B)
        v, what the weights multiply.

    Returns
    -------
    ndarray of shape (k, q)
    """
    return (delta @ inputs.transpose(0, 2, 1)).sum(axis=0)


def sums_over_time(delta: Array) -> Array:
    """Return the gradient with respect to b from that with respect to z = W v + b: the sum over steps and columns.

    Parameters
    ----------
    delta : ndarray of shape (T, k, B)

    Returns
    -------
    ndarray of shape (k, 1)
    """
    return delta.sum(axis=(0, 2))[:, None]


def expect_trace(h_t: Array, h_prev: Array, dh: Array) -> None:
    """Raise unless a gradient dh can go back through a trace.

    Parameters
    ----------
    h_t, h_prev : ndarray of shape (T, k, B)
        Of the trace.
    dh : ndarray
        The loss's derivatives with respect to each h_t.

    Raises
    ------
    ValueError
        If the trace is a single step without a time axis, if k != n, or if dh has another shape than h_t.
    """
    expect_shape("h_t of the trace", h_t, "(T, k, B)", ("T", "k", "B"))
    expect_recurrence(h_t[0], h_prev[0])
    if np.shape(dh) != h_t.shape:
        raise ValueError(
            f"dh must be (T, k, B) = {h_t.shape}, but it is {np.shape(dh)}. Give it the derivative of the loss with respect to "
            "each entry of h_t, and 0 where the loss does not depend on it."
        )
