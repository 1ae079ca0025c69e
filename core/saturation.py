"""The saturation of units: their relative derivative, the number of saturated units, and its growth with the scale."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from math import erfc, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from core.activations import Activation
from core.arrays import Array
from core.initialize import INITIALIZERS, child, variance

# From a hundredth to a hundred, ten to a decade, with two digits each.
SCALES = np.array([float(f"{scale:.1e}") for scale in 10 ** np.linspace(-2, 2, 41)])
# Half of a fan-in is h and half x.
FAN_INS = (2, 4, 8, 16, 32, 64, 128)
FLOATS: dict[str, type[np.floating[Any]]] = {"float64": np.float64, "float32": np.float32, "float16": np.float16}
# How many cells are drawn afresh, and the percentiles of them that the band is between.
FRESH_CELLS = 200
BAND = (0.05, 0.95)


def relative_derivative(z: Array, g: Activation) -> Array:
    """Return the relative derivative at z: g'(z) / max g'.

    Parameters
    ----------
    z : ndarray
        Pre-activations.

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
    threshold : float
        A fraction in (0, 1).

    Returns
    -------
    ndarray of bool of the shape of z
    """
    return relative_derivative(z, g) < threshold


class Count(NamedTuple):
    """The saturated values among all values of an activation."""

    saturated: int
    values: int


def count_by_activation(flat: Iterable[tuple[Activation, Array]]) -> dict[Activation, Count]:
    """Return how many values of each activation are saturated.

    Parameters
    ----------
    flat : iterable of (Activation, ndarray of bool)
        From `is_saturated`. An activation may have several arrays.
    """
    counts: dict[Activation, Count] = {}
    for g, which in flat:
        before = counts.get(g, Count(0, 0))
        counts[g] = Count(before.saturated + int(which.sum()), before.values + which.size)
    return counts


class Ends(NamedTuple):
    """The saturated units at each end of their activation.

    Attributes
    ----------
    low, high : ndarray of bool
        Near the lower limit, near the upper one.
    """

    low: Array
    high: Array


def saturated_at(z: Array, g: Activation, threshold: float) -> Ends:
    """Return the saturated units, by the end at which they are saturated.

    Parameters
    ----------
    z : ndarray
        Pre-activations.
    threshold : float
        A fraction in (0, 1), as in `is_saturated`.

    Returns
    -------
    Ends
        Of the shape of z.
    """
    flat = is_saturated(z, g, threshold)
    return Ends(low=flat & (z <= 0), high=flat & (z > 0))


def outputs_at_bounds(g: Activation, threshold: float) -> tuple[float, float]:
    """Return the outputs below and above which a unit is saturated.

    Parameters
    ----------
    g : Activation
        Sigmoid or tanh.
    threshold : float
        A fraction in (0, 1), as in `is_saturated`.

    Returns
    -------
    low, high : float
    """
    low, high = g.f(np.array(g.bounds(threshold))).tolist()
    return low, high


class OverInputs(NamedTuple):
    """The units that are saturated for all of the inputs, and those for some only.

    Attributes
    ----------
    always, sometimes : ndarray of bool of shape (k,)
    """

    always: Array
    sometimes: Array


def saturated_over_inputs(z: Array, g: Activation, threshold: float) -> OverInputs:
    """Tell the units that are saturated for all of these inputs from those that are for some.

    Parameters
    ----------
    z : ndarray of shape (k, B)
        Pre-activations, a column for each input.
    threshold : float
        A fraction in (0, 1), as in `is_saturated`.
    """
    flat = is_saturated(z, g, threshold)
    always: Array = np.all(flat, axis=1)
    sometimes: Array = np.any(flat, axis=1) & ~always
    return OverInputs(always, sometimes)


def scales_with(scale: float) -> tuple[Array, int]:
    """Return SCALES with one more among them, if it is missing.

    Returns
    -------
    scales : ndarray
        Ascending.
    index : int
        Where the given one is.
    """
    scales = np.union1d(SCALES, scale)
    return scales, int(np.searchsorted(scales, scale))


# The fraction of the playback time that is spread evenly, so that quiet steps still advance.
EVENLY = 0.3


def pace(g_z: Array, flat: Array) -> Array:
    """Return the fraction of its time that a playback over the scales spends on each: more where more changes.

    Parameters
    ----------
    g_z : ndarray of float, shape (scales, k, 1)
        The outputs at each scale.
    flat : ndarray of bool, shape (scales, k, 1)
        Which units are saturated there.

    Returns
    -------
    ndarray, shape (scales,)
        It sums to 1. What counts is how far the outputs move to the next scale, and how many units become saturated.
    """
    moved = np.zeros(len(g_z))
    for values in (g_z, flat.astype(np.float64)):
        moved[:-1] += np.abs(np.diff(values, axis=0)).mean(axis=(1, 2))
    even = np.full(len(g_z), 1 / len(g_z))
    return EVENLY * even + (1 - EVENLY) * moved / moved.sum() if moved.any() else even


# ---- how it grows with the weights' scale and the fan-in -------------------------------------


def normal_std(init: str, m: int, n: int, k: int, scale: float) -> float:
    """Return the standard deviation of z = W [h; x] over fresh weights, and inputs from N(0, 1), without a bias.

    The n + m products of a row are uncorrelated, so their variances add up: that of a weight times that of
    an input, which is 1.

    Parameters
    ----------
    init : str
        One of RANDOM.
    scale : float
        Multiplies every weight.
    """
    return scale * sqrt(n * variance(init, k, n) + m * variance(init, k, m))


def expected_fraction(std: float, g: Activation, threshold: float) -> float:
    """Return the fraction of units that is saturated if z is normal with mean 0.

    Parameters
    ----------
    std : float
        The standard deviation of z, above 0.
    threshold : float
        A fraction in (0, 1).

    Returns
    -------
    float
        P(z < low) + P(z > high) for the bounds of g at this threshold.
    """
    low, high = g.bounds(threshold)
    return (erfc(-low / (std * sqrt(2))) + erfc(high / (std * sqrt(2)))) / 2


def expected_median_slope(std: float, g: Activation) -> float:
    """Return the median of g'(z) if z is normal with mean 0, for sigmoid and tanh.

    Their slope falls with |z|, so its median is the slope at the median of |z|, which is the third quartile of z.

    Parameters
    ----------
    std : float
        The standard deviation of z.
    """
    return float(g.df(np.array(NormalDist(0, std).inv_cdf(0.75))))


@lru_cache(maxsize=64)
def fresh_z(init: str, m: int, n: int, k: int, seed: int) -> Array:
    """Return the pre-activations of many freshly sampled cells, with inputs from N(0, 1) and without a bias.

    Parameters
    ----------
    init : str
        One of RANDOM.
    seed : int
        What all of them follow from.

    Returns
    -------
    ndarray of shape (FRESH_CELLS, k)
        At scale 1; z is proportional to the scale. Kept from call to call, and so not writeable.
    """
    z = np.zeros((FRESH_CELLS, k, 1))
    for name, size in (("h", n), ("x", m)):
        rng = child(seed, f"fresh {init} {name}")
        z += INITIALIZERS[init].make(rng, (FRESH_CELLS, k, size), 1) @ rng.standard_normal((FRESH_CELLS, size, 1))
    z.flags.writeable = False
    return z[..., 0]


def fresh_fraction(
    init: str, m: int, n: int, k: int, scale: float, g: Activation, threshold: float, seed: int
) -> float:
    """Return the fraction of all units of many freshly sampled cells that is saturated.

    Parameters
    ----------
    init, m, n, k, seed
        As `fresh_z`.
    scale : float
        Of the weights.
    g, threshold
        As `is_saturated`.
    """
    return float(is_saturated(scale * fresh_z(init, m, n, k, seed), g, threshold).mean())


class Growth(NamedTuple):
    """The growth of saturation along an axis, over many cells, and the growth that follows if z is normal.

    Attributes
    ----------
    fraction : ndarray of shape (points,)
        The fraction of all units that is saturated.
    fraction_band : ndarray of shape (2, points)
        Of the fractions of the single cells, BAND.
    slope : ndarray of shape (points,)
        The median of g'(z) over all units.
    slope_band : ndarray of shape (2, points)
        Of the medians of the single cells, BAND.
    expected_fraction, expected_slope : ndarray of shape (points,)
        In closed form, from the standard deviation of z.
    """

    fraction: Array
    fraction_band: Array
    slope: Array
    slope_band: Array
    expected_fraction: Array
    expected_slope: Array


def growth(z: Array, stds: Sequence[float], g: Activation, threshold: float) -> Growth:
    """Return the saturation of many cells at each point of an axis.

    Parameters
    ----------
    z : ndarray of shape (points, seeds, k)
        Pre-activations.
    stds : sequence of float
        The standard deviation of z that is expected at each point.
    g : Activation
        Sigmoid or tanh.
    threshold : float
        A fraction in (0, 1).
    """
    slope = g.df(z)
    fraction = (slope < threshold * g.max_df).mean(axis=-1)  # is_saturated, without taking the slope again
    return Growth(
        fraction=fraction.mean(axis=-1),
        fraction_band=np.quantile(fraction, BAND, axis=-1),
        slope=np.median(slope, axis=(-2, -1)),
        slope_band=np.quantile(np.median(slope, axis=-1), BAND, axis=-1),
        expected_fraction=np.array([expected_fraction(std, g, threshold) for std in stds]),
        expected_slope=np.array([expected_median_slope(std, g) for std in stds]),
    )


@lru_cache(maxsize=64)
def growth_over_scale(init: str, m: int, n: int, k: int, g: Activation, threshold: float, seed: int) -> Growth:
    """Return how saturation grows over SCALES, the scale of the weights.

    Parameters
    ----------
    init, m, n, k, seed
        As `fresh_z`.
    g, threshold
        As `growth`.

    Returns
    -------
    Growth
        With a point for each scale.
    """
    z = np.multiply.outer(SCALES, fresh_z(init, m, n, k, seed))
    stds = [normal_std(init, m, n, k, scale) for scale in SCALES.tolist()]
    return growth(z, stds, g, threshold)


def growth_over_fan_in(init: str, k: int, scale: float, g: Activation, threshold: float, seed: int) -> Growth:
    """Return how saturation grows over FAN_INS, the fan-in n + m, half of which is h and half x.

    Parameters
    ----------
    init, k, seed
        As `fresh_z`.
    scale : float
        Of the weights.
    g, threshold
        As `growth`.

    Returns
    -------
    Growth
        With a point for each fan-in.
    """
    halves = [fan_in // 2 for fan_in in FAN_INS]
    z = scale * np.stack([fresh_z(init, half, half, k, seed) for half in halves])
    stds = [normal_std(init, half, half, k, scale) for half in halves]
    return growth(z, stds, g, threshold)


# ---- what a floating-point type makes of it --------------------------------------------------


def naive_df(z: Array, g: Activation) -> Array:
    """Return the derivative from the output, such as s (1 - s) or 1 - t**2, which rounds to 0 in the tails.

    It is here to be looked at; `Activation.df` is the one to use.

    Parameters
    ----------
    g : Activation
        One with `df_of_output`.

    Returns
    -------
    ndarray of the shape of z
    """
    assert g.df_of_output
    return g.df_of_output(g.f(z))


def _smallest_z(holds: Callable[[Array], Any], dtype: type[np.floating[Any]]) -> float:
    """Return the smallest z of a type, from 0 to 1000, from which on the condition holds, by bisection."""
    low, high = dtype(0), dtype(1000)
    while (middle := dtype((low + high) / 2)) not in (low, high):
        low, high = (low, middle) if holds(np.asarray(middle)) else (middle, high)
    return float(high)


class Precision(NamedTuple):
    """From which z on a floating-point type has lost something.

    Attributes
    ----------
    type : str
    limit_reached : float
        g(z), computed in this type, is exactly its upper limit, and the naive derivative so exactly 0.
    slope_vanishes : float
        The derivative of z, computed in this type, is exactly 0.
    """

    type: str
    limit_reached: float
    slope_vanishes: float


@cache
def precision(g: Activation) -> list[Precision]:
    """Return the z at which each of FLOATS loses its digits.

    Parameters
    ----------
    g : Activation
        Sigmoid or tanh.
    """
    return [
        Precision(
            type=name,
            limit_reached=_smallest_z(lambda z: g.f(z) == g.high, dtype),
            slope_vanishes=_smallest_z(lambda z: g.df(z) == 0, dtype),
        )
        for name, dtype in FLOATS.items()
    ]


class TypedValues(NamedTuple):
    """One z in a floating-point type.

    Attributes
    ----------
    type : str
    g_z, naive, slope : float
        The output, the derivative computed from it, and the stable derivative of z.
    """

    type: str
    g_z: float
    naive: float
    slope: float


def in_each_type(z: float, g: Activation) -> list[TypedValues]:
    """Return the output and both derivatives at one z in each of FLOATS.

    Parameters
    ----------
    g : Activation
        One with `df_of_output`.
    """
    with np.errstate(over="ignore"):  # a large z is infinite in float16
        typed = {name: np.asarray(dtype(z)) for name, dtype in FLOATS.items()}
    return [TypedValues(name, float(g.f(a)), float(naive_df(a, g)), float(g.df(a))) for name, a in typed.items()]
