"""A few short random walks: whatever a reader does, the screen is that of its URL, and no value of a slider is lost.

`python -m tests.bench.walk` walks further.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.bench.walk import House, walk

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    house = House()
    yield house
    house.stack.close()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("mode", ["idle", "slow", "cut", "killed"])
def test_after_a_walk_the_screen_is_that_of_its_url_and_the_sliders_are_where_they_were_left(
    browser: Browser, house: House, mode: str, seed: int
):
    walk(browser, house, seed, mode, checks=1)
