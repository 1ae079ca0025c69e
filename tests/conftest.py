"""How hypothesis draws, and which cases are quick: what every test needs."""

from itertools import groupby

import pytest
from hypothesis import settings

# Few examples, no deadline (a busy machine is no bug) and no file of past failures.
settings.register_profile("laws", max_examples=25, deadline=None, database=None)
settings.load_profile("laws")

# How many cases of a test the whole suite runs without its slow ones.
CASES = 3


@pytest.hookimpl(tryfirst=True)  # before the marks select
def pytest_collection_modifyitems(config, items):
    """Mark most cases of a test with many as slow, unless the command names the files to run. The first case and the last stay quick."""
    if config.args != config.getini("testpaths"):
        return
    quick = [item for item in items if not item.get_closest_marker("slow")]
    for _, group in groupby(quick, lambda item: item.nodeid.partition("[")[0]):
        cases = list(group)
        chosen = {round(at * (len(cases) - 1) / (CASES - 1)) for at in range(CASES)}
        for at, case in enumerate(cases):
            if at not in chosen:
                case.add_marker(pytest.mark.slow)
