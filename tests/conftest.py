"""How hypothesis draws, and which cases are quick: what every test needs."""

from itertools import groupby

import pytest
from hypothesis import settings

# Few examples, no deadline (a busy machine is no bug) and no file of past failures.
settings.register_profile("laws", max_examples=25, deadline=None, database=None)
settings.load_profile("laws")


@pytest.hookimpl(tryfirst=True)  # before the marks select
def pytest_collection_modifyitems(config, items):
    """Mark the cases of a test as slow, except its first and its last, unless the command names the files to run."""
    if config.args != config.getini("testpaths"):
        return
    quick = [item for item in items if not item.get_closest_marker("slow")]
    for _, group in groupby(quick, lambda item: item.nodeid.partition("[")[0]):
        cases = list(group)
        for case in cases[1:-1]:
            case.add_marker(pytest.mark.slow)
