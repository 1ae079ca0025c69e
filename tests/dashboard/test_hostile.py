"""Whatever is sent: no traceback, and no number on the screen or in a cell that is none."""

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from tests.dashboard.hostile import ACTS, VIEWS, guarded_cells, session

CASES = 200  # tests/bench/hostile.py has ten thousand


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: path or "hidden_state")
def test_whatever_is_sent_a_page_answers_with_finite_numbers(path):
    @settings(max_examples=-(-CASES // (len(VIEWS) * (1 + ACTS))), suppress_health_check=list(HealthCheck))
    @given(st.data())
    def some_sessions(data):
        session(path, data.draw)

    with guarded_cells():
        some_sessions()
