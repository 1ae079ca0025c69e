"""Whatever is sent: no traceback, and no number on the screen or in a cell that is none."""

from unittest.mock import patch

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from tests.dashboard import hostile
from tests.dashboard.hostile import VIEWS, guarded_cells, session

SESSIONS, LARGEST = 2, 33  # tests/bench/hostile.py has ten thousand cases, and sizes up to the largest


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: path or "hidden_state")
def test_whatever_is_sent_a_page_answers_with_finite_numbers(path):
    @settings(max_examples=SESSIONS, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def some_sessions(data):
        session(path, data.draw)

    with guarded_cells(), patch.object(hostile, "LARGEST", LARGEST):
        some_sessions()
