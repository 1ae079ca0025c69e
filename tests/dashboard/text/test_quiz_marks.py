"""The list of marks above the result of a test."""

from core.practice import exercise, judge
from core.practice.quiz import GradedAnswer
from dashboard.text.practice import numbers_by_grade


def test_an_answer_with_too_few_decimals_is_listed_as_such():
    one = exercise("value", 2, 1)
    short = GradedAnswer(one, "0.1", judge(one, round(one.answer, 2), 2))
    assert numbers_by_grade([short]) == "Too few decimals: 1."
