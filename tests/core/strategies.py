"""What the laws are tried on."""

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np

from core.arrays import Array
from core.concatenation import ORDERS

SIZES = st.integers(1, 8)
DTYPES = st.sampled_from([np.int64, np.float32, np.float64])
orders = st.sampled_from(ORDERS)


@st.composite
def cells(draw) -> tuple[Array, ...]:
    """W_hh, W_hx, b_h, h_prev and x_t that fit together: any sizes, one dtype, a batch of 1 to 4."""
    k, n, m = draw(SIZES), draw(SIZES), draw(SIZES)
    B = draw(st.integers(1, 4))
    dtype = draw(DTYPES)
    entries = st.integers(-9, 9) if dtype is np.int64 else st.floats(-9, 9, width=32)
    return tuple(draw(hnp.arrays(dtype, shape, elements=entries)) for shape in ((k, n), (k, m), (k, 1), (n, B), (m, B)))


def assert_same_sum(a: Array, b: Array) -> None:
    """Two ways to add the same products of a cell agree: exactly for integers, else up to rounding.

    Opposite terms may cancel, so the bound is relative to the largest sum there is: 16 products of 81.
    """
    assert a.dtype == b.dtype
    exact = np.issubdtype(a.dtype, np.integer)
    bound = 0 if exact else 16 * 16 * 81 * np.finfo(a.dtype).eps
    np.testing.assert_allclose(a, b, rtol=0, atol=bound)
