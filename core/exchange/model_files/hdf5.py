"""The arrays of an HDF5 file, as Keras writes it: whole, uncompressed, and in the file itself.

The package pyfive reads the format in Python alone, so a damaged file can raise an error and nothing worse. It is optional.
"""

import warnings
from io import BytesIO
from math import prod
from typing import Any

import numpy as np

from core.arrays import Array
from core.exchange.model_files.contents import MOST_NAMES, FileArray, expect_array_names, floats_from_bytes

SIGNATURE = b"\x89HDF\r\n\x1a\n"
DAMAGED = "The HDF5 file is damaged, or of a kind that Keras does not write. Save it again with Keras."
ELSEWHERE = "The HDF5 file has links, which can lead to other files. Save the weights with model.save_weights."
TWICE = "The HDF5 file has two links to one object. Save the weights with model.save_weights."
PACKED = "An array of the HDF5 file is compressed or in pieces. Save the weights with model.save_weights."
ABSENT = "The HDF5 file has an array without values. Save the weights with model.save_weights."
MISSING = "Files of Keras need the package pyfive on the server. Run pip install 'pyfive>=1.3,<2', or save the weights as .npz."
# The attribute in which model.save writes the configuration into an .h5 file.
CONFIG = "model_config"
# HDF5 writes this address for an array whose values were never written or stand in another file.
NOWHERE = 2**64 - 1
# Groups within groups, and reads of the file before it must be a loop.
DEPTH, MOST_READS = 12, 400_000


class Bounded(BytesIO):
    """A file that can be read so many times and no more, so that no loop of a damaged one is endless."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read as `BytesIO` does.

        Raises
        ------
        ValueError
            After MOST_READS.
        """
        self.reads += 1
        if self.reads > MOST_READS:
            raise ValueError(DAMAGED)
        return super().read(size)


def tensors(data: bytes) -> tuple[dict[str, FileArray], bytes | str]:
    """Return the arrays of an HDF5 file by their paths, and the configuration of its model, empty without one.

    Raises
    ------
    ValueError
        If pyfive is missing, if the file is damaged, or if an array is somewhere else or compressed.
    """
    try:
        import pyfive
    except ImportError:
        raise ValueError(MISSING) from None
    if not data.startswith(SIGNATURE):
        raise ValueError(DAMAGED)
    found: dict[str, FileArray] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            file = pyfive.File(Bounded(data))
            _walk(pyfive, file, "", found, len(data), set())
            config = file.attrs.get(CONFIG, b"")
    except UnsupportedHDF5 as refusal:
        raise ValueError(str(refusal)) from None
    except Exception:  # a damaged file can fail in any way
        raise ValueError(DAMAGED) from None
    expect_array_names(found)
    return found, config if isinstance(config, bytes | str) else b""


class UnsupportedHDF5(Exception):
    """A sentence on a file that is not damaged and yet not taken."""


def _walk(pyfive: Any, group: Any, path: str, found: dict[str, FileArray], size: int, seen: set[int]) -> None:
    if path.count("/") > DEPTH or len(found) > MOST_NAMES:
        raise UnsupportedHDF5(DAMAGED)
    for name in group:
        # A text in place of an address is a soft link; an external one has failed before.
        address = group._links[name]
        if isinstance(address, str):
            raise UnsupportedHDF5(ELSEWHERE)
        # A second link to an object can make a loop, and Keras writes none.
        if address in seen:
            raise UnsupportedHDF5(TWICE)
        seen.add(address)
        at = f"{path}{name}"
        item = group.get_lazy_view(name)
        if isinstance(item, pyfive.Dataset):
            found[at] = _tensor(item, size)
        else:
            _walk(pyfive, item, f"{at}/", found, size, seen)


def _tensor(item: Any, size: int) -> FileArray:
    shape, dtype = tuple(item.shape), item.dtype
    is_bfloat16 = _is_bfloat16(item)
    is_float = is_bfloat16 or (isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize <= 8)
    if not all(0 <= int(axis) < 2**48 for axis in shape) or len(shape) > 8:
        raise UnsupportedHDF5(DAMAGED)
    if is_float:
        if item.chunks is not None or item.compression is not None:
            raise UnsupportedHDF5(PACKED)
        # They were never written, or are in another file; pyfive would read 0.
        if prod(shape) and item.id.data_offset == NOWHERE:
            raise UnsupportedHDF5(ABSENT)
        if prod(shape) * dtype.itemsize > size:
            raise UnsupportedHDF5("The HDF5 file claims more numbers than it holds. Save it again with Keras.")

    def read() -> Array:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                array = item[...]
                array = floats_from_bytes(array.tobytes(), "BF16", shape) if is_bfloat16 else array.astype(np.float64)
        except Exception:  # as above
            raise ValueError(DAMAGED) from None
        if array.shape != shape:
            raise ValueError(DAMAGED)
        return array

    return FileArray(shape, is_float, read)


def _is_bfloat16(item: Any) -> bool:
    """Whether an array holds BF16, which HDF5 lacks: Keras writes opaque bytes, and in .weights.h5 the name of the type."""
    if not isinstance(item.dtype, np.dtype) or item.dtype.kind != "V" or item.dtype.itemsize != 2 or item.dtype.names:
        return False
    return item.attrs.get("dtype", b"bfloat16") in (b"bfloat16", "bfloat16")
