"""A scenario is a complete set of choices: the same choices make the same arrays."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.initialize import INITIALIZERS, RANDOM
from core.rnn import step
from core.scenario import Scenario


def arrays(scenario: Scenario) -> dict[str, np.ndarray]:
    params, state, x_t = scenario.rnn()
    return {"W_hh": params.W_hh, "W_hx": params.W_hx, "b_h": params.b_h, "h_prev": state.h, "x_t": x_t}


def test_the_defaults_are_the_lab():
    params, state, x_t = Scenario().rnn()
    lab = {
        "W_hh": np.full((3, 2), 1),
        "W_hx": np.full((3, 3), 9),
        "b_h": np.full((3, 1), 0),
        "h_prev": np.full((2, 1), 1),
        "x_t": np.full((3, 1), 9),
    }
    for name, array in arrays(Scenario()).items():
        assert_array_equal(array, lab[name], strict=True)
    assert (params.g.name, params.order) == ("sigmoid", "hx")
    assert_array_equal(step(params, state, x_t).z_t, np.full((3, 1), 245), strict=True)


@pytest.mark.parametrize("init", INITIALIZERS)
def test_the_scale_multiplies_the_weights_and_nothing_else(init):
    plain, scaled = (arrays(Scenario(init=init, scale=scale, b_normal=True)) for scale in (1, 2.5))
    for name in plain:
        assert_array_equal(scaled[name], plain[name] * (2.5 if name.startswith("W") else 1))


@pytest.mark.parametrize("scale", [1, 1.0, 2.0, 0])
def test_whole_values_stay_integers_under_a_whole_scale(scale):
    scenario = Scenario(w_hh=1.0, w_hx=9.0, h=1.0, x=9.0, b=0.0, scale=scale)
    assert all(array.dtype == np.int64 for array in arrays(scenario).values())


def test_a_fraction_makes_floats_of_what_it_touches_only():
    scaled = arrays(Scenario(scale=0.5))
    assert {name for name, array in scaled.items() if array.dtype == np.float64} == {"W_hh", "W_hx"}
    filled = arrays(Scenario(x=0.5))
    assert {name for name, array in filled.items() if array.dtype == np.float64} == {"x_t"}


@pytest.mark.parametrize("init", INITIALIZERS)
@pytest.mark.parametrize("b_normal", [False, True])
def test_the_seed_decides_exactly_what_is_random(init, b_normal):
    first, again, other = (Scenario(init=init, b_normal=b_normal, seed=seed) for seed in (3, 3, 4))
    for a, b in zip(arrays(first).values(), arrays(again).values(), strict=True):
        assert_array_equal(a, b, strict=True)
    differs = any(np.any(a != b) for a, b in zip(arrays(first).values(), arrays(other).values(), strict=True))
    assert differs == first.is_random == (init in RANDOM or b_normal)


@pytest.mark.parametrize("init", RANDOM)
def test_every_random_array_has_numbers_of_its_own(init):
    drawn = arrays(Scenario(m=3, n=3, k=3, init=init, b_normal=True))
    assert len({array.ravel()[0] for array in drawn.values()}) == len(drawn)


@pytest.mark.parametrize("init", ["normal", "glorot", "orthogonal"])
def test_inputs_are_data_and_not_weights(init):
    x_t = arrays(Scenario(m=10_000, n=1, k=1, init=init))["x_t"]
    assert_allclose([x_t.mean(), x_t.var()], [0, 1], atol=0.05)


def test_the_bias_is_a_value_or_a_normal_draw():
    assert_array_equal(Scenario(b=-2).bias("b_h"), np.full((3, 1), -2), strict=True)
    drawn = Scenario(k=10_000, b=7, b_normal=True).bias("b_h")
    assert drawn.shape == (10_000, 1)
    assert_allclose([drawn.mean(), drawn.var()], [0, 1], atol=0.05)


def test_gates_draw_biases_of_their_own():
    scenario = Scenario(b_normal=True)
    assert np.all(scenario.bias("b_f") != scenario.bias("b_i"))


@pytest.mark.parametrize("g", ACTIVATIONS)
@pytest.mark.parametrize("order", ["hx", "xh"])
def test_the_activation_and_the_order_reach_the_cell(g, order):
    params, _, _ = Scenario(g=g, order=order).rnn()
    assert (params.g, params.order) == (ACTIVATIONS[g], order)
