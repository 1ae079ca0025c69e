"""The two joins behind one product: weights side by side, inputs on top of each other.

``W_h = [W_hh | W_hx]`` is the horizontal join and ``[h; x]`` the vertical one. ``order`` says which
part comes first, in both: ``"hx"`` as in Elman-style formulas, ``"xh"`` as in many LSTM texts.
"""

import numpy as np

from core.arrays import Array, expect_shape

ORDERS = ("hx", "xh")
STACK_NAMES = {"hx": "[h; x]", "xh": "[x; h]"}


def expect_order(order: str) -> None:
    """Raise unless `order` is one of ORDERS."""
    if order not in ORDERS:
        raise ValueError(f'order must be "hx" (h first) or "xh" (x first), but it is {order!r}.')


def other_order(order: str) -> str:
    """Return the other one of ORDERS."""
    return ORDERS[1 - ORDERS.index(order)]


def in_order(h_part, x_part, order: str = "hx") -> tuple:
    """Return two parts in the order of the concatenation.

    Parameters
    ----------
    h_part, x_part : object
        What belongs to h and what belongs to x.
    order : {"hx", "xh"}
        Which of them comes first.

    Returns
    -------
    tuple
        ``(h_part, x_part)`` or ``(x_part, h_part)``.

    Raises
    ------
    ValueError
        If `order` is neither.
    """
    expect_order(order)
    return (h_part, x_part) if order == "hx" else (x_part, h_part)


def concatenate_weights(W_hh: Array, W_hx: Array, order: str = "hx") -> Array:
    """Join the weights horizontally: ``W_h = [W_hh | W_hx]``.

    Parameters
    ----------
    W_hh : ndarray of shape (k, n)
        Weights from the previous hidden state.
    W_hx : ndarray of shape (k, m)
        Weights from the input.
    order : {"hx", "xh"}
        Which block of columns comes first.

    Returns
    -------
    ndarray of shape (k, n + m)

    Raises
    ------
    ValueError
        If the blocks are not matrices with the same number of rows, or `order` is unknown.
    """
    expect_shape("W_hh", W_hh, "(k, n)", ("k", "n"))
    expect_shape("W_hx", W_hx, "(k, m)", (W_hh.shape[0], "m"))
    return np.concatenate(in_order(W_hh, W_hx, order), axis=1)


def split_columns(W: Array, n: int, order: str = "hx") -> tuple[Array, Array]:
    """Take joined weights apart again: the columns of h_{t-1} and those of x_t.

    Parameters
    ----------
    W : ndarray of shape (k, n + m)
    n : int
        Entries of h_{t-1}.
    order : {"hx", "xh"}
        Which block of columns comes first.

    Returns
    -------
    W_h : ndarray of shape (k, n)
    W_x : ndarray of shape (k, m)
        Views, not copies.
    """
    expect_order(order)
    if order == "hx":
        return W[:, :n], W[:, n:]
    return W[:, W.shape[1] - n :], W[:, : W.shape[1] - n]


def split_rows(stacked: Array, n: int, order: str = "hx") -> tuple[Array, Array]:
    """Take a stacked input apart again, or a gradient with respect to it: the rows of h_{t-1} and those of x_t.

    Parameters
    ----------
    stacked : ndarray of shape (n + m, B)
    n : int
        Entries of h_{t-1}.
    order : {"hx", "xh"}
        Which of them is on top.

    Returns
    -------
    of_h : ndarray of shape (n, B)
    of_x : ndarray of shape (m, B)
        Views, not copies.
    """
    of_h, of_x = split_columns(stacked.T, n, order)
    return of_h.T, of_x.T


def stack_over_time(h_first: Array, xs: Array, order: str = "hx") -> tuple[Array, Array]:
    """Return the stacked inputs of a sequence, with only the first h_{t-1} written: the caller writes the others.

    Parameters
    ----------
    h_first : ndarray of shape (n, B)
        The hidden state before the first step.
    xs : ndarray of shape (T, m, B)
    order : {"hx", "xh"}
        Which of them is on top.

    Returns
    -------
    stacked : ndarray of shape (T + 1, n + m, B)
        The last is the place for h_T; its part of x is 0.
    h : ndarray of shape (T + 1, n, B)
        The part of h in all of them, a view.
    """
    T, m, B = xs.shape
    n = len(h_first)
    stacked = np.empty((T + 1, n + m, B))
    h, x = (stacked[:, :n], stacked[:, n:]) if order == "hx" else (stacked[:, m:], stacked[:, :m])
    h[0], x[:T], x[T] = h_first, xs, 0
    return stacked, h


def stack_input(h_prev: Array, x_t: Array, order: str = "hx") -> Array:
    """Join the previous hidden state and the input vertically: ``[h; x]``.

    Parameters
    ----------
    h_prev : ndarray of shape (n, B)
        The previous hidden state, a column for each sequence of the batch.
    x_t : ndarray of shape (m, B)
        The input, likewise.
    order : {"hx", "xh"}
        Which of them is on top.

    Returns
    -------
    ndarray of shape (n + m, B)

    Raises
    ------
    ValueError
        If they are not columns of one batch, or `order` is unknown.
    """
    expect_shape("h_prev", h_prev, "(n, B)", ("n", "B"))
    expect_shape("x_t", x_t, "(m, B)", ("m", h_prev.shape[1]))
    return np.concatenate(in_order(h_prev, x_t, order), axis=0)


def stacked_product(
    W_hh: Array,
    W_hx: Array,
    h_prev: Array,
    x_t: Array,
    order: str = "hx",
    stack_order: str | None = None,
) -> Array:
    """Return the product of the joined weights and the stacked input: ``W_h [h; x]``.

    Parameters
    ----------
    W_hh, W_hx : ndarray of shape (k, n) and (k, m)
    h_prev, x_t : ndarray of shape (n, B) and (m, B)
    order : {"hx", "xh"}
        The order of the columns of W_h.
    stack_order : {"hx", "xh"}, optional
        The order of the stack; that of the columns unless given. A different one is the classic
        mistake: the shapes still fit, and the product is wrong.

    Returns
    -------
    ndarray of shape (k, B)

    Raises
    ------
    ValueError
        As `concatenate_weights` and `stack_input`.
    """
    return concatenate_weights(W_hh, W_hx, order) @ stack_input(h_prev, x_t, stack_order or order)


def products(W: Array, stacked: Array) -> Array:
    """Return each weight times the entry of the stacked input that it multiplies.

    Parameters
    ----------
    W : ndarray of shape (rows, n + m)
    stacked : ndarray of shape (n + m, 1)

    Returns
    -------
    ndarray of shape (rows, n + m)
        The sum of each row is that of ``W @ stacked``.
    """
    return W * stacked.T


def back_to_stack(W: Array, delta: Array) -> Array:
    """Return the gradient with respect to the stacked input of ``z = W [h; x] + b``: ``W.T @ delta``.

    Parameters
    ----------
    W : ndarray of shape (k, n + m)
        The joined weights.
    delta : ndarray of shape (k, B)
        The gradient with respect to z, a column for each sequence of the batch.

    Returns
    -------
    ndarray of shape (n + m, B)
        Cut where the stack was joined, it is the gradient with respect to h_{t-1} and to x_t.

    Raises
    ------
    ValueError
        If delta has not an entry for each row of W.
    """
    expect_shape("W", W, "(k, n + m)", ("k", "n + m"))
    expect_shape("delta", delta, "(k, B)", (W.shape[0], "B"))
    return W.T @ delta


def ways_agree(h_part: Array, x_part: Array, axis: int, order: str = "hx") -> bool:
    """Whether `numpy.concatenate` gives what `numpy.vstack` (axis 0) or `numpy.hstack` (axis 1) gives.

    Parameters
    ----------
    h_part, x_part : ndarray
        What is joined.
    axis : {0, 1}
    order : {"hx", "xh"}
    """
    parts = in_order(h_part, x_part, order)
    stack = (np.vstack, np.hstack)[axis]
    return np.array_equal(np.concatenate(parts, axis=axis), stack(parts))
