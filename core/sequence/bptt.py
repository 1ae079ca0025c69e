"""Gradients through time: exact Jacobians, their products, and their norms.

A gradient at step t reaches step s through d state_t / d state_s = J_t J_{t-1} ... J_{s+1}, where J_t is the
Jacobian of one step. How large such a product is, is told by its root mean square gain: the factor by which it
changes the length of a gradient, as a root mean square over all directions. It is 1 for the identity. Products
that become very small or very large are divided by their largest entry, and its logarithm is kept beside them, so that they
neither underflow nor overflow.

References
----------
Bengio, Simard and Frasconi, "Learning long-term dependencies with gradient descent is difficult", IEEE
Transactions on Neural Networks 5 (1994).
"""

from typing import Any

import numpy as np

from core.arrays import Array, expect_finite
from core.cells import Cell

# How many entries of the state one batched step moves, each in a column of its own.
MOVED_AT_ONCE = 64
# Multiplications for the products of all pairs of steps: a second or two.
AFFORDABLE = 10**10
# From here on they take longer than all else on a page.
LONG = AFFORDABLE // 100
# If the square of a product's norm is below this, or above its inverse, the product is divided by its largest entry.
SMALLEST = 1e-100


def log_gains(J: Array) -> Array:
    """Return the gain of d state_t / d state_s for every pair of steps, as a decimal logarithm.

    Parameters
    ----------
    J : ndarray of shape (T, q, q)
        The Jacobian of each step, from `Cell.jacobian` of a trace.

    Returns
    -------
    ndarray of shape (T, T)
        Entry t, s for s <= t, counted from 0; 0 on the diagonal. Above it, where nothing comes back, NaN; -inf
        where a product is exactly 0.

    Raises
    ------
    ValueError
        If an entry is not finite.
    """
    expect_finite("J", J)
    T, q, _ = J.shape
    logs = np.full((T, T), np.nan)
    np.fill_diagonal(logs, 0.0)
    # The products up to some step from each s before it, transposed: so those up to the next step are one product for all s.
    products, longer = np.empty((2, T, q, q))
    start, scale = np.eye(q) / np.sqrt(q), np.zeros(T)
    for t in range(1, T):
        products[t - 1] = start
        np.matmul(products[:t].reshape(-1, q), J[t].T, out=longer[:t].reshape(-1, q))
        products, longer = longer, products
        squares = np.einsum("sij,sij->s", products[:t], products[:t])
        far = np.flatnonzero((squares < SMALLEST) | (squares > 1 / SMALLEST))
        if len(far):
            largest = np.abs(products[far]).max(axis=(1, 2))
            largest = np.where(largest > 0, largest, 1)
            products[far] /= largest[:, None, None]
            scale[far] += np.log10(largest)
            squares[far] = np.einsum("sij,sij->s", products[far], products[far])
        with np.errstate(divide="ignore"):
            logs[t, :t] = scale[:t] + np.log10(squares) / 2
    return logs


def log_gain_to_first(J: Array) -> float:
    """Return the gain of d state_T / d state_1 alone, as a decimal logarithm, one product after the other.

    Parameters
    ----------
    J : ndarray of shape (T, q, q)
        The Jacobian of each step, from `Cell.jacobian` of a trace.

    Returns
    -------
    float
        The first column's last entry of `log_gains`; 0 if T is 1, and -inf where the product is exactly 0.
    """
    product, log = np.eye(J.shape[1]) / np.sqrt(J.shape[1]), 0.0
    for step in J[1:]:
        product = step @ product
        # First, or the squares of the small ones would be 0.
        largest = np.abs(product).max()
        if largest == 0:
            return -np.inf
        product /= largest
        length = np.linalg.norm(product)
        product /= length
        log += float(np.log10(largest) + np.log10(length))
    return log


def parts_at_each_step(J: Array, dh: Array) -> Array:
    """Return the exact derivative of each step's loss with respect to each state: d L_t / d state_s = dh_t d h_t / d state_s.

    Parameters
    ----------
    J : ndarray of shape (T, q, q)
        The Jacobian of each step, from `Cell.jacobian` of a trace. h is the first part of the state.
    dh : ndarray of shape (T, k)
        The derivative of each step's own loss by its h_t.

    Returns
    -------
    ndarray of shape (T, T, q)
        Entry t, s is that of the loss at step t with respect to the state at step s: its first k entries are those of h_s.
        0 where s > t. Their sum over t is the whole derivative with respect to the state that step s hands on.
    """
    T, k = dh.shape
    parts, back = np.zeros((T, T, J.shape[1])), np.zeros((T, J.shape[1]))
    for s in reversed(range(T)):
        back[s, :k] = dh[s]
        parts[s:, s] = back[s:]
        back[s:] = back[s:] @ J[s]
    return parts


def affordable_steps(q: int) -> int:
    """Return the number of steps for which `log_gains` takes no more than a second or two, and some 30 MB.

    Parameters
    ----------
    q : int
        Entries of the state.
    """
    return max(2, int(np.sqrt(AFFORDABLE / q**3)))


def takes_long(q: int, T: int) -> bool:
    """Whether `log_gains` takes so long that nobody else should have to wait for it.

    Parameters
    ----------
    q : int
        Entries of the state.
    T : int
        Steps.
    """
    return q**3 * T**2 > LONG


def log_direct(gates: Array) -> Array:
    """Return the product of the direct path's gates from the last step back to each, as a decimal logarithm.

    It is 0 where all gates are 1. The gain of `log_gains` is over all directions of the state, and in an LSTM only half
    of them are those of c: where nothing comes back but along c, that gain is smaller by a factor of sqrt(2).

    Parameters
    ----------
    gates : ndarray of shape (T, k, 1)
        From `direct_path` of a trace.

    Returns
    -------
    ndarray of shape (T,)
        The root mean square over the k units, as a decimal logarithm: entry s is that of the gates after step s.
        -inf where the product is 0 for every unit.
    """
    after = gates[:0:-1, :, 0]
    closed = np.cumsum(after == 0, axis=0) > 0
    squares = np.where(closed, -np.inf, 2 * np.cumsum(np.log10(np.where(after == 0, 1, after)), axis=0))
    largest = squares.max(axis=1, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0)
    with np.errstate(divide="ignore"):
        logs = (np.log10((10 ** (squares - shift)).mean(axis=1)) + shift[:, 0]) / 2
    return np.append(logs[::-1], 0.0)


def spectral_radius(J: Array) -> float:
    """Return the largest magnitude of an eigenvalue, which many equal steps multiply by.

    Parameters
    ----------
    J : ndarray of shape (q, q)
    """
    return float(np.abs(np.linalg.eigvals(J)).max())


def numeric_error(cell: Cell, params: Any, state: Any, x_t: Array) -> float:
    """Return the difference of `Cell.jacobian` and `numeric_jacobian`, as a fraction of the largest entry.

    Parameters
    ----------
    params, state
        Of this cell, with B = 1.
    x_t : ndarray of shape (m, 1)

    Returns
    -------
    float
        The largest difference of an entry; 0 if all entries of both are 0.
    """
    exact, numeric = cell.jacobian(params, cell.step(params, state, x_t)), numeric_jacobian(cell, params, state, x_t)
    return float(np.abs(exact - numeric).max() / (np.abs(exact).max() or 1))


def numeric_jacobian(cell: Cell, params: Any, state: Any, x_t: Array, width: float = 1e-6) -> Array:
    """Return the derivatives of `Cell.jacobian` by central differences of `step`.

    Parameters
    ----------
    params, state
        Of this cell, with B = 1.
    x_t : ndarray of shape (m, 1)
    width : float
        By how much each entry of the state is moved to either side.

    Returns
    -------
    ndarray of shape (q, q)
    """
    entries = np.concatenate(state)
    ends = np.cumsum([len(part) for part in state])[:-1]

    def after(moves: Array) -> Array:
        """Return the next state from many states at once, each moved in another entry."""
        states = np.split(entries + moves, ends)
        return np.concatenate(cell.next_state(cell.step(params, type(state)(*states), np.tile(x_t, moves.shape[1]))))

    moves = width * np.eye(len(entries))
    blocks = np.split(moves, range(MOVED_AT_ONCE, len(moves), MOVED_AT_ONCE), axis=1)
    return np.concatenate([after(block) - after(-block) for block in blocks], axis=1) / (2 * width)
