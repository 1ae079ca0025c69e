"""Sequences: each profile is its formula, and a word can be read from its columns again."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given
from numpy.testing import assert_allclose, assert_array_equal

from core.sequence.inputs import PERIOD, PROFILES, alphabet, one_hot, shaped

LENGTHS = st.integers(1, 40)
WORDS = st.text(min_size=1, max_size=12)
every_profile = pytest.mark.parametrize("profile", PROFILES)


def column(m: int, B: int = 1) -> np.ndarray:
    return np.arange(1, m * B + 1).reshape(m, B)


@every_profile
@given(LENGTHS, st.integers(1, 4), st.integers(1, 3))
@example(1, 1, 1)
def test_every_step_is_the_same_input_times_one_number(profile, T, m, B):
    xs = shaped(profile, column(m, B), T)
    assert xs.shape == (T, m, B)
    for x_t in xs:
        assert_allclose(x_t, x_t[0, 0] * column(m, B), rtol=1e-15)


@given(LENGTHS)
def test_an_impulse_is_the_input_at_the_first_step_alone(T):
    assert_array_equal(shaped("impulse", column(2), T), [column(2)] + [0 * column(2)] * (T - 1), strict=True)


@given(LENGTHS)
def test_a_step_is_nothing_in_the_first_half_and_the_input_after_it(T):
    first = T // 2
    assert_array_equal(shaped("step", column(2), T), [0 * column(2)] * first + [column(2)] * (T - first), strict=True)


@given(st.integers(PERIOD + 1, 60))
def test_a_sine_turns_after_half_a_period_and_repeats_after_a_whole_one(T):
    xs = shaped("sine", column(3), T)
    half = PERIOD // 2
    assert_allclose(xs[half:], -xs[:-half], atol=1e-12)
    assert_allclose(xs[PERIOD:], xs[:-PERIOD], atol=1e-12)
    assert_allclose(xs[PERIOD // 4 - 1], column(3))
    assert_allclose(xs[half - 1], 0 * column(3), atol=1e-12)


@given(WORDS)
def test_an_alphabet_has_every_character_once_in_the_order_of_the_word(word):
    letters = alphabet(word)
    assert set(letters) == set(word) and len(letters) == len(set(word))
    assert sorted(letters, key=word.index) == list(letters)


@given(WORDS, st.integers(0, 3))
def test_a_word_can_be_read_from_its_columns(word, more):
    m = len(set(word)) + more
    xs = one_hot(word, m)
    assert xs.shape == (len(word), m, 1)
    assert np.issubdtype(xs.dtype, np.integer)
    assert_array_equal(np.sort(xs, axis=1)[:, :, 0], np.tile(np.eye(m, dtype=int)[-1], (len(word), 1)))
    assert "".join(alphabet(word)[entry] for entry in xs[:, :, 0].argmax(axis=1)) == word


@given(WORDS.filter(lambda word: len(set(word)) > 1))
def test_a_word_with_more_characters_than_entries_is_refused_with_the_m_that_it_needs(word):
    needed = len(set(word))
    with pytest.raises(ValueError, match=rf"\b{needed}\b.*\bm is {needed - 1}\. .*\bm to {needed}\b"):
        one_hot(word, needed - 1)


def test_an_empty_word_is_refused():
    with pytest.raises(ValueError, match="one character"):
        one_hot("", 3)
