"""Activations and their derivatives are right to the last few bits, in the middle and in both tails."""

import math

import hypothesis.strategies as st
import mpmath
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS, relu, sigmoid, tanh

# sech is not how core computes the derivatives, so the two can only agree by being right.
REFERENCES = {
    "sigmoid.f": (sigmoid.f, lambda z: 1 / (1 + mpmath.exp(-z))),
    "sigmoid.df": (sigmoid.df, lambda z: mpmath.sech(z / 2) ** 2 / 4),
    "tanh.f": (tanh.f, mpmath.tanh),
    "tanh.df": (tanh.df, lambda z: mpmath.sech(z) ** 2),
}
EXTREMES = [
    np.array([-1000.0, 1000.0, -1e308, 1e308]),
    np.array([-1000.0, 1000.0, -3e38, 3e38], np.float32),
    np.array([-1000.0, 1000.0, -65504.0, 65504.0], np.float16),
    np.array([-1000, 1000, np.iinfo(np.int64).min, np.iinfo(np.int64).max]),
]
every_activation = pytest.mark.parametrize("g", ACTIVATIONS.values(), ids=ACTIVATIONS)
every_curve = pytest.mark.parametrize("g", [sigmoid, tanh], ids=lambda g: g.name)
finite = st.floats(allow_nan=False, allow_infinity=False)


def points() -> np.ndarray:
    """Some 4000 points: everywhere, the middle, where the values become 1, and down to where the slopes become 0."""
    rng = np.random.default_rng(0)
    near_zero = 10.0 ** rng.uniform(-300, 0, 200)
    ends = [rng.uniform(low, high, 400) for low, high in ((15, 45), (18.5, 19.5), (340, 374), (700, 746))]
    one_side = np.concatenate([near_zero, *ends, [0.0, 19.03, 372.7, 373.2, 708.0, 745.0]])
    return np.concatenate([one_side, -one_side, rng.uniform(-700, 700, 400), rng.uniform(-4, 4, 400)])


@pytest.mark.parametrize(("function", "reference"), REFERENCES.values(), ids=REFERENCES)
def test_values_are_within_4_units_in_the_last_place_and_the_smallest_within_their_spacing(function, reference):
    z = points()
    with mpmath.workdps(60):
        exact = [reference(mpmath.mpf(float(point))) for point in z]
        errors = np.array([float(abs(mpmath.mpf(float(value)) - true)) for value, true in zip(function(z), exact)])
    size = np.array([float(abs(true)) for true in exact])
    units = np.where(size >= np.finfo(np.float64).tiny, 4, 1)
    wrong = errors > units * np.spacing(size)
    assert z[wrong].tolist() == []


@pytest.mark.parametrize("g", [sigmoid, tanh], ids=lambda g: g.name)
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_short_slope_is_the_long_one_correctly_rounded(g, dtype):
    z = np.random.default_rng(0).uniform(-120, 120, 5000).astype(dtype)
    with np.errstate(under="ignore"):
        assert_array_equal(g.df(z), g.df(z.astype(np.float64)).astype(dtype), strict=True)


@pytest.mark.parametrize(("dtype", "z"), [(np.float64, 373.2597), (np.float32, 52.679), (np.float16, 9.36)])
def test_the_slope_of_tanh_lives_down_to_half_the_smallest_number(dtype, z):
    edge = dtype(z)
    assert tanh.df(dtype(edge * dtype(0.999))) > 0 == tanh.df(dtype(edge * dtype(1.001)))


def test_tanh_is_1_only_from_where_1_is_the_nearest_number():
    edge = 27.5 * math.log(2)
    assert tanh.f(np.array([19.0, edge - 1e-3, edge + 1e-3])).tolist() == [1 - 2**-53, 1 - 2**-53, 1]


def test_the_derivative_is_alive_where_the_value_prints_1():
    assert sigmoid.f(np.array(92.0)) == 1
    assert_allclose(sigmoid.df(np.array(92.0)), 1.1e-40, rtol=0.02)


def test_the_textbook_derivatives_die_where_the_true_ones_live():
    s, t = sigmoid.f(np.array(40.0)), tanh.f(np.array(20.0))
    assert s * (1 - s) == 0 < sigmoid.df(np.array(40.0))
    assert 1 - t**2 == 0 < tanh.df(np.array(20.0))


@every_activation
@pytest.mark.parametrize("z", EXTREMES, ids=lambda z: z.dtype.name)
def test_no_finite_z_overflows(g, z):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        values, slopes = g.f(z), g.df(z)
    assert np.all(np.isfinite(values)) and np.all(np.isfinite(slopes))


@every_activation
def test_derivatives_agree_with_central_differences(g):
    z, step = np.linspace(-8, 8, 400), 1e-5  # an even number of points: ReLU has no slope at 0
    assert_allclose(g.df(z), (g.f(z + step) - g.f(z - step)) / (2 * step), rtol=0, atol=1e-9)


@every_activation
@given(z=finite)
def test_bounds_hold(g, z):
    low, high = g.range
    assert (low, high) == (g.low, g.high)
    assert low <= g.f(np.array(z)) <= high
    assert 0 <= g.df(np.array(z)) <= g.max_df


@every_curve
def test_bounds_are_reached(g):
    assert g.df(np.array(0.0)) == g.max_df
    assert (g.f(np.array(-1000.0)), g.f(np.array(1000.0))) == g.range


@given(z=finite)
def test_sigmoid_of_the_opposite_is_the_rest(z):
    assert_allclose(sigmoid.f(np.array(-z)), 1 - sigmoid.f(np.array(z)), rtol=0, atol=2**-52)


@given(z=st.floats(-1e300, 1e300))
def test_tanh_is_a_stretched_sigmoid(z):
    assert_allclose(tanh.f(np.array(z)), 2 * sigmoid.f(np.array(2 * z)) - 1, rtol=0, atol=2**-50)


@every_curve
@given(z=finite)
def test_slopes_are_even(g, z):
    assert g.df(np.array(z)) == g.df(np.array(-z))


def test_relu_keeps_what_is_positive_and_is_flat_at_0():
    z = np.array([-2.0, -0.0, 0.0, 5e-324, 3.0])
    assert_array_equal(relu.f(z), [0, 0, 0, 5e-324, 3])
    assert_array_equal(relu.df(z), [0, 0, 0, 1, 1])


@every_activation
@pytest.mark.parametrize(
    ("given_dtype", "expected"),
    [(np.float16, np.float16), (np.float32, np.float32), (np.float64, np.float64), (int, np.float64)],
)
def test_floats_keep_their_precision_and_integers_become_float64(g, given_dtype, expected):
    z = np.array([[-2], [0], [3]], given_dtype)
    for result in (g.f(z), g.df(z)):
        assert (result.dtype, result.shape) == (expected, z.shape)


@pytest.mark.parametrize(
    ("dtype", "z"), [(np.float64, 36.7), (np.float32, 16.6), (np.float16, 7.6)], ids=lambda v: str(v)
)
def test_sigmoid_is_exactly_1_once_its_rest_is_under_half_a_bit(dtype, z):
    edge = (np.finfo(dtype).nmant + 1) * np.log(2)
    assert edge == pytest.approx(z, abs=0.05)
    below, above = sigmoid.f(np.array([edge - 0.05, edge + 0.05], dtype))
    assert below < 1 == above


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_short_tanh_is_the_long_one_correctly_rounded(dtype):
    z = np.random.default_rng(0).uniform(-12, 12, 5000).astype(dtype)
    exact = np.array([math.tanh(value) for value in z.tolist()]).astype(dtype)
    assert_array_equal(tanh.f(z), exact, strict=True)


def test_tanh_of_float32_is_1_from_where_it_rounds_to_1():
    assert_array_equal(tanh.f(np.array([9.0, 9.01, 9.011], np.float32)) == 1, [False, False, True])
