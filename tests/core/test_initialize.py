"""Every initializer is seeded, and makes what its name promises."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.initialize import INITIALIZERS, RANDOM, child, fill, glorot, normal, orthogonal, ramp, uniform, variance
from core.scenario import Scenario

LARGE = (400, 500)


@pytest.mark.parametrize("name", INITIALIZERS)
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (4, 4)])
def test_the_same_seed_and_name_make_the_same_array(name, shape):
    first, second = (INITIALIZERS[name].make(child(7, "W_hh"), shape, 2) for _ in range(2))
    assert first.shape == shape
    assert_array_equal(first, second, strict=True)


@pytest.mark.parametrize("name", RANDOM)
def test_another_seed_or_name_makes_another_array(name):
    draws = [INITIALIZERS[name].make(child(*key), (3, 3), 1) for key in [(0, "W_hh"), (0, "W_hx"), (1, "W_hh")]]
    assert len({draw.tobytes() for draw in draws}) == len(draws)


@pytest.mark.parametrize("name", sorted(set(INITIALIZERS) - set(RANDOM)))
def test_what_is_not_random_ignores_the_seed(name):
    first, second = (INITIALIZERS[name].make(child(seed, "W_hh"), (3, 2), 4) for seed in (0, 1))
    assert_array_equal(first, second, strict=True)


@pytest.mark.parametrize("init", RANDOM)
def test_another_input_size_leaves_the_other_arrays_alone(init):
    (few, few_state, _), (many, many_state, _) = (Scenario(m=m, init=init).step_arguments("RNN") for m in (3, 8))
    assert_array_equal(few.W_hh, many.W_hh)
    assert_array_equal(few_state.h, many_state.h)
    assert few.W_hx.shape != many.W_hx.shape


def test_filling_with_an_integer_makes_integers():
    rng = child(0, "W_hh")
    assert_array_equal(fill(rng, (2, 3), 9), np.full((2, 3), 9), strict=True)
    assert_array_equal(fill(rng, (2, 3), 0.5), np.full((2, 3), 0.5), strict=True)


def test_a_ramp_counts_row_by_row():
    assert_array_equal(ramp(child(0, "W_hh"), (2, 3)), np.array([[1, 2, 3], [4, 5, 6]]), strict=True)


def test_normal_has_mean_0_and_variance_1():
    draw = normal(child(0, "W_hh"), LARGE)
    assert_allclose([draw.mean(), draw.var()], [0, 1], atol=0.02)


def test_uniform_fills_its_interval_evenly():
    draw = uniform(child(0, "W_hh"), LARGE)
    assert -1 <= draw.min() < -0.99 and 0.99 < draw.max() < 1
    assert_allclose([draw.mean(), draw.var()], [0, 1 / 3], atol=0.01)


def test_glorot_balances_fan_in_and_fan_out():
    draw, (rows, columns) = glorot(child(0, "W_hh"), LARGE), LARGE
    limit = np.sqrt(6 / (rows + columns))
    assert 0.99 * limit < np.abs(draw).max() <= limit
    assert_allclose(draw.var(), 2 / (rows + columns), rtol=0.02)


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (5, 5), (1, 4), (1, 1)])
def test_orthogonal_is_orthonormal_along_its_shorter_side(shape):
    Q = orthogonal(child(0, "W_hh"), shape)
    gram = Q.T @ Q if shape[0] >= shape[1] else Q @ Q.T
    assert_allclose(gram, np.eye(min(shape)), rtol=0, atol=1e-14)


def test_orthogonal_favours_no_sign():
    signs = [np.sign(orthogonal(child(seed, "W_hh"), (1, 1)).item()) for seed in range(200)]
    assert abs(np.mean(signs)) < 0.25


# ---- many matrices at once -------------------------------------------------------------------


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (1, 1)])
def test_one_of_many_matrices_is_made_like_one_alone(name, shape):
    alone, many = (INITIALIZERS[name].make(child(0, "W_hh"), size, 1) for size in (shape, (1, *shape)))
    assert_array_equal(many[0], alone, strict=True)


@pytest.mark.parametrize("name", [name for name in RANDOM if INITIALIZERS[name].variance])
@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5)])
def test_the_entries_of_many_matrices_have_the_variance_of_their_definition(name, shape):
    many = INITIALIZERS[name].make(child(0, "W_hh"), (4000, *shape), 1)
    assert many.shape == (4000, *shape)
    assert_allclose(many.var(axis=0), variance(name, *shape), rtol=0.12)
    assert_allclose(many.mean(axis=0), 0, atol=0.08)


@pytest.mark.parametrize("shape", [(2, 7, 6, 3), (7, 3, 6)])
def test_each_of_many_orthogonal_matrices_is_orthonormal(shape):
    Q = orthogonal(child(0, "W_hh"), shape)
    assert Q.shape == shape
    transposed = np.swapaxes(Q, -1, -2)
    gram = transposed @ Q if shape[-2] >= shape[-1] else Q @ transposed
    assert_allclose(gram, np.broadcast_to(np.eye(3), gram.shape), rtol=0, atol=1e-14)


def test_glorot_takes_its_limit_from_the_matrix_and_not_from_how_many_there_are():
    assert 0.99 < np.abs(glorot(child(0, "W_hh"), (5000, 2, 4))).max() <= 1
