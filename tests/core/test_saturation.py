"""A unit is saturated where less than the threshold is left of the largest gradient."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS, relu, sigmoid, tanh
from core.rnn import step
from core.saturation import gradient_share, is_saturated
from core.scenario import Scenario

every_curve = pytest.mark.parametrize("g", [sigmoid, tanh], ids=lambda g: g.name)
every_threshold = pytest.mark.parametrize("threshold", [1e-12, 0.01, 0.05, 0.5, 0.99])


def test_all_3_units_of_the_lab_are_saturated():
    params, state, x_t = Scenario().rnn()
    assert is_saturated(step(params, state, x_t).z_t, params.g, 0.01).sum() == 3


@every_curve
@every_threshold
def test_exactly_the_threshold_is_left_at_the_bounds(g, threshold):
    assert_allclose(gradient_share(np.array(g.bounds(threshold)), g), threshold, rtol=1e-12)


@pytest.mark.parametrize("g", ACTIVATIONS.values(), ids=ACTIVATIONS)
@every_threshold
def test_to_be_saturated_is_to_be_outside_the_bounds(g, threshold):
    low, high = g.bounds(threshold)
    z = np.random.default_rng(0).uniform(-40, 40, 2000)
    assert_array_equal(is_saturated(z, g, threshold), (z < low) | (z > high))


@every_curve
def test_nothing_is_lost_at_0_and_ever_more_away_from_it(g):
    share = gradient_share(np.linspace(0, 300, 1000), g)
    assert share[0] == 1
    assert np.all(np.diff(share) < 0)


def test_relu_is_saturated_up_to_0_and_nowhere_above():
    assert relu.bounds(0.01) == (0, np.inf)
    z = np.array([-1.0, 0.0, 5e-324, 1e308])
    assert_array_equal(is_saturated(z, relu, 0.01), [True, True, False, False])
