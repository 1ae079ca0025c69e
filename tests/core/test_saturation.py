"""A unit is saturated where less than the threshold is left of the largest gradient."""

from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core import saturation
from core.activations import ACTIVATIONS, relu, sigmoid, tanh
from core.cells.rnn import step
from core.initialize import INITIALIZERS, RANDOM
from core.saturation import (
    FAN_INS,
    FLOATS,
    FRESH_CELLS,
    SCALES,
    expected_fraction,
    expected_median_slope,
    fresh_z,
    growth,
    growth_over_fan_in,
    growth_over_scale,
    is_saturated,
    naive_df,
    normal_std,
    precision,
    relative_derivative,
    saturated_at,
    saturated_over_inputs,
    scales_with,
)
from core.scenario import Scenario

every_known_variance = pytest.mark.parametrize("init", [name for name in RANDOM if INITIALIZERS[name].variance])
every_curve = pytest.mark.parametrize("g", [sigmoid, tanh], ids=lambda g: g.name)
THRESHOLDS = (1e-12, 0.01, 0.05, 0.5, 0.99)


def test_all_3_units_of_the_lab_are_saturated():
    params, state, x_t = Scenario().step_arguments("RNN")
    assert is_saturated(step(params, state, x_t).z_t, params.g, 0.01).sum() == 3


@every_curve
def test_exactly_the_threshold_is_left_at_the_bounds(g):
    for threshold in THRESHOLDS:
        assert_allclose(relative_derivative(np.array(g.bounds(threshold)), g), threshold, rtol=1e-12)


@pytest.mark.parametrize("g", ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_to_be_saturated_is_to_be_outside_the_bounds(g):
    z = np.random.default_rng(0).uniform(-40, 40, 2000)
    for threshold in THRESHOLDS:
        low, high = g.bounds(threshold)
        assert_array_equal(is_saturated(z, g, threshold), (z < low) | (z > high), err_msg=f"{threshold}")


@every_curve
def test_nothing_is_lost_at_0_and_ever_more_away_from_it(g):
    share = relative_derivative(np.linspace(0, 300, 1000), g)
    assert share[0] == 1
    assert np.all(np.diff(share) < 0)


def test_relu_is_saturated_up_to_0_and_nowhere_above():
    assert relu.bounds(0.01) == (0, np.inf)
    z = np.array([-1.0, 0.0, 5e-324, 1e308])
    assert_array_equal(is_saturated(z, relu, 0.01), [True, True, False, False])


@pytest.mark.parametrize("g", ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_what_is_saturated_is_so_at_one_end_and_never_at_both(g):
    z = np.concatenate([np.random.default_rng(0).uniform(-40, 40, (2000, 1)), [[0.0], [-1e308], [1e308]]])
    for threshold in THRESHOLDS:
        low, high = saturated_at(z, g, threshold)
        assert_array_equal(low | high, is_saturated(z, g, threshold), err_msg=f"{threshold}")
        assert not np.any(low & high), threshold
        assert np.all(z[low] <= 0) and np.all(z[high] > 0), threshold


@every_curve
def test_to_be_saturated_at_an_end_is_to_be_beyond_its_bound(g):
    z = np.random.default_rng(1).uniform(-40, 40, 2000)
    for threshold in THRESHOLDS:
        low, high = saturated_at(z, g, threshold)
        assert_array_equal(low, z < g.bounds(threshold)[0], err_msg=f"{threshold}")
        assert_array_equal(high, z > g.bounds(threshold)[1], err_msg=f"{threshold}")


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99), st.sampled_from(list(ACTIVATIONS.values())))
def test_a_unit_is_saturated_for_all_inputs_for_some_or_for_none(k, inputs, seed, g):
    z = np.random.default_rng(seed).normal(0, 5, (k, inputs))
    always, sometimes = saturated_over_inputs(z, g, 0.05)
    for row, for_all, for_some in zip(z, always, sometimes, strict=True):
        flat = [bool(is_saturated(value, g, 0.05)) for value in row]
        assert (for_all, for_some) == (all(flat), any(flat) and not all(flat))


# ---- how it grows -----------------------------------------------------------------------------


def test_the_scales_go_from_a_hundredth_to_a_hundred_ten_to_a_decade():
    assert_allclose([SCALES[0], SCALES[-1]], [0.01, 100], rtol=1e-15)
    assert_allclose(SCALES[10:] / SCALES[:-10], 10, rtol=1e-12)
    assert_allclose(SCALES[1:] / SCALES[:-1], 10**0.1, rtol=0.05)


@given(st.floats(0.01, 100))
@example(1.0)
@example(100.0)
@example(0.011)
def test_a_scale_stands_among_the_others_exactly_and_once(scale):
    scales, index = scales_with(scale)
    assert scales[index] == scale
    assert np.all(np.diff(scales) > 0)
    assert set(scales.tolist()) == {*SCALES.tolist(), scale}


# As many draws as there are probabilities, so evenly spread that no luck is in them.
NORMAL = np.array([NormalDist().inv_cdf((i + 0.5) / 20_001) for i in range(20_001)])
STDS = (0.1, 1, 3, 10, 200)


@pytest.mark.parametrize("g", ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_the_expected_fraction_is_that_of_a_normal_sample(g):
    for threshold, std in product(THRESHOLDS, STDS):
        counted = is_saturated(std * NORMAL, g, threshold).mean()
        assert expected_fraction(std, g, threshold) == pytest.approx(counted, abs=1e-4), (threshold, std)


@every_curve
def test_the_expected_median_is_that_of_a_normal_sample(g):
    for std in STDS:
        assert expected_median_slope(std, g) == pytest.approx(np.median(g.df(std * NORMAL)), rel=0.02), std


@every_known_variance
@pytest.mark.parametrize(("m", "n", "k"), [(32, 32, 32), (60, 8, 24), (16, 40, 64)])
def test_fresh_cells_have_the_standard_deviation_that_follows_from_their_sizes(init, m, n, k):
    z = fresh_z(init, m, n, k, seed=1)
    assert z.shape == (FRESH_CELLS, k)
    assert z.std() == pytest.approx(normal_std(init, m, n, k, 1), rel=0.05)
    assert abs(z.mean()) < 0.05 * z.std()
    assert normal_std(init, m, n, k, 2.5) == pytest.approx(2.5 * normal_std(init, m, n, k, 1))


def test_the_standard_deviation_is_known_for_the_known_ones():
    assert normal_std("normal", 3, 2, 3, 1) == pytest.approx(5**0.5)
    assert normal_std("glorot", 8, 8, 8, 1) == pytest.approx(2**0.5)
    assert normal_std("orthogonal", 8, 8, 8, 3) == pytest.approx(3 * 2**0.5)


@pytest.mark.parametrize("init", RANDOM)
def test_the_seed_decides_the_fresh_cells_and_nobody_can_change_them(init):
    first = fresh_z(init, 3, 4, 5, 7)
    fresh_z.cache_clear()
    assert_array_equal(fresh_z(init, 3, 4, 5, 7), first)
    assert not np.any(fresh_z(init, 3, 4, 5, 8) == first)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0


@every_curve
def test_growth_is_the_quantiles_of_each_cells_own_fraction_and_median(g):
    z = np.random.default_rng(0).normal(0, 4, (3, 40, 7))
    grown = growth(z, [4, 4, 4], g, 0.05)
    for point in range(3):
        fractions = [is_saturated(cell, g, 0.05).mean() for cell in z[point]]
        medians = [np.median(g.df(cell)) for cell in z[point]]
        assert_allclose(grown.fraction_band[:, point], np.quantile(fractions, [0.05, 0.95]))
        assert_allclose(grown.slope_band[:, point], np.quantile(medians, [0.05, 0.95]))
        assert grown.fraction[point] == pytest.approx(is_saturated(z[point], g, 0.05).mean())
        assert grown.slope[point] == np.median(g.df(z[point]))
    assert grown.expected_fraction[0] == expected_fraction(4, g, 0.05)
    assert grown.expected_slope[0] == expected_median_slope(4, g)


@every_known_variance
@every_curve
def test_what_is_expected_of_a_wide_cell_lies_within_the_band(g, init):
    grown = growth_over_scale(init, 64, 64, 64, g, 0.05, 3)
    for (low, high), middle in ((grown.fraction_band, grown.fraction), (grown.slope_band, grown.slope)):
        assert np.all(low <= middle + 1 / 64) and np.all(middle <= high + 1 / 64)
    # Of 64 units the fraction goes in steps of 1 / 64.
    low, high = grown.fraction_band
    assert np.all((low - 1 / 64 <= grown.expected_fraction) & (grown.expected_fraction <= high + 1 / 64))
    low, high = grown.slope_band
    assert np.all((0.98 * low <= grown.expected_slope) & (grown.expected_slope <= 1.02 * high))
    assert np.all(np.diff(grown.fraction) >= 0) and np.all(np.diff(grown.slope) <= 0)


def test_normal_weights_saturate_as_the_fan_in_grows_and_the_others_keep_their_size():
    spread = {}
    for init in ("normal", "glorot", "orthogonal"):
        grown = growth_over_fan_in(init, 64, 1.0, tanh, 0.05, 0)
        assert grown.fraction_band.shape == (2, len(FAN_INS))
        spread[init] = grown.expected_fraction[-1] - grown.expected_fraction[0]
        # A unit more or less of 64, and of few inputs the sum is not yet normal.
        assert_allclose(grown.fraction[3:], grown.expected_fraction[3:], atol=0.04)
    assert spread["normal"] > 0.5
    assert max(spread["glorot"], spread["orthogonal"]) < 0.3


@pytest.mark.parametrize("scale", [0.5, 7.0])
def test_the_two_axes_agree_where_they_cross(scale):
    half = FAN_INS[-1] // 2
    z = scale * fresh_z("normal", half, half, 8, 5)
    expected = growth(z[None], [normal_std("normal", half, half, 8, scale)], tanh, 0.05)
    across = growth_over_fan_in("normal", 8, scale, tanh, 0.05, 5)
    for ours, theirs in zip(across, expected, strict=True):
        assert_array_equal(ours[..., -1], theirs[..., 0])


# ---- floating-point types ---------------------------------------------------------------------


def lost(g, dtype) -> saturation.Precision:
    """From which z on this type has lost something."""
    return next(row for row in precision(g) if row.type == dtype.__name__)


every_type = pytest.mark.parametrize("dtype", FLOATS.values(), ids=FLOATS)


@pytest.mark.parametrize(
    ("g", "dtype", "z"),
    [
        *[(sigmoid, dtype, z) for dtype, z in ((np.float64, 36.74), (np.float32, 16.64), (np.float16, 7.63))],
        *[(tanh, dtype, z) for dtype, z in ((np.float64, 19.06), (np.float32, 9.01), (np.float16, 4.51))],
    ],
)
def test_a_type_rounds_to_the_limit_from_the_z_that_is_known(g, dtype, z):
    assert lost(g, dtype).limit_reached == pytest.approx(z, abs=0.01)


@every_type
@every_curve
def test_each_z_is_the_very_first(g, dtype):
    for first, holds in (
        (lost(g, dtype).limit_reached, lambda z: g.f(z) == 1),
        (lost(g, dtype).limit_reached, lambda z: naive_df(z, g) == 0),
        (lost(g, dtype).slope_vanishes, lambda z: g.df(z) == 0),
    ):
        z = dtype(first)
        assert holds(z) and not holds(np.nextafter(z, dtype(0)))
        assert np.all(holds(np.geomspace(first, 1000, 500).astype(dtype)))


@every_type
@every_curve
def test_the_naive_slope_is_0_where_there_is_one_left(g, dtype):
    _, naive, stable = lost(g, dtype)
    between = np.linspace(naive * 1.001, stable * 0.999, 50).astype(dtype)
    assert np.all(naive_df(between, g) == 0)
    assert np.all(g.df(between) > 0)


@every_curve
def test_in_the_middle_the_naive_slope_is_right(g):
    z = np.linspace(-3, 3, 101)
    assert_allclose(naive_df(z, g), g.df(z), rtol=1e-12)


@every_curve
@pytest.mark.parametrize("z", [-1e9, -7.0, 0.0, 0.3, 17.0, 1e9])
@pytest.mark.filterwarnings("error")
def test_one_z_in_each_type_is_what_that_type_makes_of_it(g, z):
    exact, single, half = saturation.in_each_type(z, g)
    assert (exact.g_z, exact.slope) == (float(g.f(np.float64(z))), float(g.df(np.float64(z))))
    for row, eps in ((single, 1e-6), (half, 1e-2)):
        assert row.g_z == pytest.approx(exact.g_z, rel=eps, abs=1e-3)
        assert row.slope == pytest.approx(exact.slope, rel=3 * eps, abs=1e-6)


@given(st.integers(2, 30), st.integers(1, 5), st.integers(0, 99))
def test_a_play_takes_longest_where_most_happens_and_nowhere_stands_still(scales, k, seed):
    z = np.random.default_rng(seed).normal(size=(1, k, 1)) * np.geomspace(0.01, 100, scales)[:, None, None]
    pace = saturation.pace(sigmoid.f(z), saturation.is_saturated(z, sigmoid, 0.05))
    assert_allclose(pace.sum(), 1)
    assert pace.min() >= 0.3 / scales - 1e-12
    alike = saturation.pace(np.ones((scales, k, 1)), np.zeros((scales, k, 1), bool))
    assert_allclose(alike, 1 / scales)
    jump = np.where(np.arange(scales) < scales - 1, 0.0, 1.0)[:, None, None] * np.ones((1, k, 1))
    assert saturation.pace(jump, np.zeros(jump.shape, bool)).argmax() == scales - 2
