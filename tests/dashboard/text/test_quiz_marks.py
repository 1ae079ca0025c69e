"""The list of marks above the result of a test."""

import dataclasses

from core.practice import exercise, judge
from core.practice.quiz import GradedAnswer
from dashboard.text.practice import numbers_by_grade


def test_an_answer_with_too_few_decimals_or_cut_ones_is_listed_as_nearly_right():
    one = dataclasses.replace(exercise("value", 2, 1), answer=0.786, mistakes={})
    graded = [GradedAnswer(one, typed, judge(one, float(typed), 2)) for typed in ("0.79", "0.78", "0.77")]
    assert numbers_by_grade(graded) == "Nearly right, which does not count: 1, 2. Wrong: 3."
