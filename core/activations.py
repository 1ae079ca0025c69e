"""Activation functions and their derivatives, accurate in both tails.

A derivative always takes the pre-activation z, never the output: s(1 - s) and 1 - t**2 round to
exactly 0 where the true derivative is still 1e-16, so they cannot show what a saturated unit has left.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Array


@dataclass(frozen=True)
class Activation:
    """An activation function g, its derivative, and their bounds.

    Attributes
    ----------
    name, symbol : str
        What code and equations call it.
    f : callable
        g(z), elementwise. Whole numbers become float64; floats keep their precision. Neither
        overflows nor warns at any finite z.
    df : callable
        g'(z), elementwise, of the pre-activation z.
    into : callable
        g(z) of a float64 array, written into a second one of its shape: the same numbers to a few units in the
        last place, for loops where every microsecond counts. It may warn of an overflow, which does no harm.
    max_df : float
        The largest value of g'.
    low, high : float
        The limits of g(z).
    bounds : callable
        From a fraction of `max_df` to the interval of z, low and high, outside which less than that is left.
    df_of_output : callable, optional
        g'(z) of g(z), as textbooks write it. None where g(z) does not give g'(z); the pages then leave the comparison out.
    is_exact : bool
        Whether g(z) is the exact value, without rounding.
    saturates : bool
        Whether a unit with a small derivative is saturated. False for a function that is exactly 0 at z <= 0 with a derivative
        of 0, such as ReLU: there a unit is inactive.
    has_kink : bool
        Whether g has no derivative at 0, where central differences then disagree with g'.
    latex : str
        LaTeX of the function's name; empty for `symbol` in upright letters.
    numpy : tuple of str
        NumPy code that defines ``name`` and ``dname``, its derivative. It may call those of activations before this one in
        ACTIVATIONS. Empty where there is no code, which the exports then say.
    pytorch, keras : str
        The function of PyTorch, such as ``"torch.sigmoid"``, and the name of the activation in Keras; empty where they have none.
    """

    name: str
    symbol: str
    f: Callable[[Array], Array]
    df: Callable[[Array], Array]
    into: Callable[[Array, Array], Array]
    max_df: float
    low: float
    high: float
    bounds: Callable[[float], tuple[float, float]]
    df_of_output: Callable[[Array], Array] | None = None
    is_exact: bool = False
    saturates: bool = True
    has_kink: bool = False
    latex: str = ""
    numpy: tuple[str, ...] = ()
    pytorch: str = ""
    keras: str = ""

    @property
    def range(self) -> tuple[float, float]:
        """The limits of g(z), low and high."""
        return self.low, self.high

    @property
    def is_bounded(self) -> bool:
        """Whether g(z) has a limit on both sides."""
        return bool(np.isfinite(self.range).all())


def _as_float(z: Array) -> Array:
    z = np.asarray(z)
    return z if np.issubdtype(z.dtype, np.floating) else z.astype(np.float64)


def _sigmoid(z: Array) -> Array:
    """Return 1 / (1 + exp(-z)) from the exponential of -abs(z), which cannot overflow."""
    z = _as_float(z)
    with np.errstate(under="ignore"):
        e = np.exp(-np.abs(z))
        return np.where(z >= 0, 1, e) / (1 + e)


def _in_float64(f: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Compute f in float64 and round once, because each step in a narrower type would lose digits."""

    def rounded(z: Array) -> Array:
        z = _as_float(z)
        with np.errstate(under="ignore"):
            return f(z.astype(np.float64, copy=False)).astype(z.dtype, copy=False)

    return rounded


@_in_float64
def _sigmoid_df(z: Array) -> Array:
    """Return sigmoid(z) sigmoid(-z) = e / (1 + e)**2 with e = exp(-abs(z)), which is even in z."""
    e = np.exp(-np.abs(z))
    return np.minimum(e / np.square(1 + e), 0.25)  # next to 0 rounding can pass the maximum


def _sigmoid_into(z: Array, out: Array) -> Array:
    """Write 1 / (1 + exp(-z)): where exp overflows to inf the result is 0, and the true value below 1e-308."""
    np.negative(z, out=out)
    np.exp(out, out=out)
    out += 1
    return np.reciprocal(out, out=out)


@_in_float64
def _tanh(z: Array) -> Array:
    """Return 1 - 2 e / (1 + e) with e = exp(-2 abs(z)) from abs(z) = 1 on, because NumPy's own tanh is 1 too early, from 19 on."""
    size = np.abs(z)
    e = np.exp(-2 * np.clip(size, 1, 20))
    return np.where(size < 1, np.tanh(z), np.copysign(1 - 2 * e / (1 + e), z))


@_in_float64
def _tanh_df(z: Array) -> Array:
    """Return 4 e / (1 + e)**2 with e = exp(-2 abs(z)), since tanh(z) = 2 sigmoid(2 z) - 1.

    From abs(z) = 20 on 1 + e is 1. There the square of 2 exp(-abs(z)) keeps the digits that e loses where it underflows.
    """
    size = np.abs(z)
    e = np.exp(-2 * np.minimum(size, 20))
    return np.where(size < 20, np.minimum(4 * e / np.square(1 + e), 1), np.square(2 * np.exp(-size)))


def _tanh_into(z: Array, out: Array) -> Array:
    return np.tanh(z, out=out)


def _relu(z: Array) -> Array:
    return np.maximum(_as_float(z), 0)


def _relu_df(z: Array) -> Array:
    """Return 1 for z > 0 and 0 elsewhere; at 0, where there is no derivative, the usual choice is 0."""
    z = _as_float(z)
    return (z > 0).astype(z.dtype)


def _relu_into(z: Array, out: Array) -> Array:
    return np.maximum(z, 0, out=out)


def _sigmoid_bounds(share: float) -> tuple[float, float]:
    """Return twice the bounds of tanh, because sigmoid(z) is (1 + tanh(z / 2)) / 2."""
    low, high = _sech_bounds(share)
    return 2 * low, 2 * high


def _sech_bounds(share: float) -> tuple[float, float]:
    """Return where sech(z)**2 falls to the fraction: z = arcosh(1 / sqrt(fraction))."""
    z = float(np.arccosh(1 / np.sqrt(share)))
    return -z, z


sigmoid = Activation(
    "sigmoid",
    "σ",
    _sigmoid,
    _sigmoid_df,
    _sigmoid_into,
    max_df=0.25,
    low=0.0,
    high=1.0,
    bounds=_sigmoid_bounds,
    df_of_output=lambda s: s * (1 - s),
    latex=r"\sigma",
    numpy=(
        "def sigmoid(z):\n    e = np.exp(-np.abs(z))  # never overflows\n    return np.where(z >= 0, 1, e) / (1 + e)",
        "def dsigmoid(z):\n    return sigmoid(z) * sigmoid(-z)",
    ),
    pytorch="torch.sigmoid",
    keras="sigmoid",
)
tanh = Activation(
    "tanh",
    "tanh",
    _tanh,
    _tanh_df,
    _tanh_into,
    max_df=1.0,
    low=-1.0,
    high=1.0,
    bounds=_sech_bounds,
    df_of_output=lambda t: 1 - t * t,
    latex=r"\tanh",
    numpy=("tanh = np.tanh", "def dtanh(z):\n    return 4 * dsigmoid(2 * z)"),
    pytorch="torch.tanh",
    keras="tanh",
)
relu = Activation(
    "relu",
    "ReLU",
    _relu,
    _relu_df,
    _relu_into,
    max_df=1.0,
    low=0.0,
    high=np.inf,
    bounds=lambda share: (0.0, np.inf),
    is_exact=True,
    saturates=False,
    has_kink=True,
    latex=r"\mathrm{ReLU}",
    numpy=("def relu(z):\n    return np.maximum(z, 0)", "def drelu(z):\n    return (z > 0) * 1.0"),
    pytorch="torch.relu",
    keras="relu",
)

# To add an activation, add its record here.
ACTIVATIONS = {activation.name: activation for activation in (sigmoid, tanh, relu)}
