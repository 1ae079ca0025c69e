"""What every test of a page needs."""

import pytest

from tests.dashboard.page import prepared


@pytest.fixture(scope="session", autouse=True)
def app():
    with prepared():
        yield
