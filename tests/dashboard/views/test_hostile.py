"""Whatever is sent: no traceback, and no number on the screen or in a cell that is none."""

from unittest.mock import patch

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from core.practice import KINDS
from tests.dashboard import hostile
from tests.dashboard.hostile import VIEWS, assert_sound, guarded_cells, session
from tests.dashboard.page import open_link

SESSIONS, LARGEST = 2, 33  # tests/bench/hostile.py has ten thousand cases, and sizes up to the largest


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow) if path == "training" else path for path in VIEWS],
    ids=lambda path: path or "hidden_state",
)
def test_whatever_is_sent_a_page_answers_with_finite_numbers(path):
    @settings(max_examples=SESSIONS, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def some_sessions(data):
        session(path, data.draw)

    with guarded_cells(), patch.object(hostile, "LARGEST", LARGEST):
        some_sessions()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_exercise_opens_where_cells_are_guarded(kind):
    with guarded_cells():
        assert_sound(open_link("practice", kind=kind))
