"""A test of ten: it follows from its seed, level and salt, and everybody marks it alike."""

import pytest

from core.practice import KINDS, LEVELS, Outcome, ten_exercises
from core.practice.exercise_number_format import answer_text
from core.practice.quiz import EXERCISES_PER_TEST, grade


def written(one) -> str:
    return answer_text(one.answer) if isinstance(one.answer, tuple) else repr(float(one.answer))


@pytest.mark.parametrize("level", LEVELS)
def test_ten_exercises_of_ten_kinds_follow_from_seed_level_and_salt(level):
    for seed in (0, 3, 2**31 - 1):
        first, again, salted = (ten_exercises(level, seed, salt) for salt in ("", "", "salt"))
        assert len({one.kind for one in first}) == len(first) == EXERCISES_PER_TEST <= len(KINDS)
        assert {one.level for one in first} == {level}
        assert [one.question for one in first] == [one.question for one in again]
        assert not {(one.kind, one.seed) for one in first} & {(one.kind, one.seed) for one in salted}
        assert not {one.seed for one in first} & {one.seed for one in ten_exercises(level, seed + 1)}


def test_right_answers_mistakes_and_what_cannot_be_read_are_marked():
    ten = ten_exercises(2, 5)
    answers = [written(one) for one in ten]
    assert all(marked.right for marked in grade(ten, answers))
    mistaken = next(iter(ten[0].mistakes.values()))
    answers[0] = answer_text(mistaken) if isinstance(mistaken, tuple) else repr(mistaken)
    answers[1], answers[2] = "", "<b>x</b>"
    marked = grade(ten, answers)
    assert marked[0].judgement.code == Outcome.NAMED and marked[1].judgement is marked[2].judgement is None
    assert [one.right for one in marked] == [False] * 3 + [True] * 7
    with pytest.raises(ValueError, match="zip"):
        grade(ten, answers[:-1])
