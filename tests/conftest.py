"""How hypothesis draws, and which cases are quick: what every test needs."""

import gc
from itertools import groupby

import pytest
from hypothesis import settings

# Few examples, no deadline (a busy machine is no bug) and no file of past failures.
settings.register_profile("laws", max_examples=25, deadline=None, database=None)
settings.load_profile("laws")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect the tests without garbage collection, which would go through all of them again and again, and exclude them from it."""
    gc.disable()
    result = yield
    gc.enable()
    gc.collect()
    gc.freeze()
    return result


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
