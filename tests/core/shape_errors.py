"""The message about an array of a wrong shape. `test_arrays.py` checks what it says."""

import re

import numpy as np

from core.arrays import expect_shape
from tests.sentences import reason


def shape_error(name: str, symbols: str, shape: tuple[int | str, ...], given: tuple[int, ...]) -> str:
    """Return the whole message of `expect_shape` about an array of the shape `given`, as a regular expression."""
    return f"^{re.escape(reason(expect_shape, name, np.ones(given), symbols, shape))}$"
