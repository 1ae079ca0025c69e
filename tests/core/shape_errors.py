"""The message of an array of a wrong shape, which tests hold by its values: `test_arrays.py` has what it says."""

import re

import numpy as np
import pytest

from core.arrays import expect_shape


def shape_error(name: str, symbols: str, shape: tuple[int | str, ...], given: tuple[int, ...]) -> str:
    """Return the whole message of `expect_shape` about an array of the shape `given`, as a regular expression."""
    with pytest.raises(ValueError) as error:
        expect_shape(name, np.ones(given), symbols, shape)
    return f"^{re.escape(str(error.value))}$"
