"""Practice: you predict a number, and the page names the mistake in a wrong answer."""

from dashboard.state.state import State
from dashboard.views.practice import exercise, quiz, start
from dashboard.views.practice.links import is_start


def page(state: State) -> None:
    """Draw the page."""
    if state.settings.test:
        quiz.page(state)
    elif is_start(state):
        start.page(state)
    else:
        exercise.page(state)
