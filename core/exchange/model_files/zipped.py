"""The members of a zip archive, of which .npz and .keras are two kinds."""

import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from math import prod
from typing import Any

import numpy as np

from core.arrays import Array
from core.exchange.array_files import DAMAGED, ZIP_ENTRY
from core.exchange.model_files.network import MOST_NAMES, MOST_NUMBERS, Tensor, expect_names

PICKLED = "One of the arrays holds Python objects, which are pickles and run code when they are opened."
NO_ARRAY = "One of the arrays is no .npy array that can be read."
# What zipfile and zlib raise for damaged archives.
DAMAGES = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    OverflowError,
    ValueError,
    zlib.error,
)


def opened(data: bytes) -> zipfile.ZipFile:
    """Return a zip archive.

    Raises
    ------
    ValueError
        If it is damaged, has too many members or names one twice.
    """
    # The signature can also occur inside compressed data; allow twice as many.
    if not 0 < data.count(ZIP_ENTRY) <= 2 * MOST_NAMES:
        raise ValueError("The file is no zip archive, or holds more than it may.")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except Exception:  # for a damaged directory zipfile raises errors of many kinds
        raise ValueError(DAMAGED) from None
    names = archive.namelist()
    if len(set(names)) < len(names):
        raise ValueError("The archive must have each name once: save it again.")
    return archive


def member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return the bytes of a member.

    Raises
    ------
    ValueError
        If the archive is damaged, or if the member has more bytes than ``most``.
    """
    info = archive.getinfo(name)
    if info.file_size > most or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name[:60]} must take at most {most / 2**20:.0f} MB, stored or deflated.")
    try:
        with archive.open(name) as file:
            raw = file.read(info.file_size + 1)
    except DAMAGES:
        raise ValueError(DAMAGED) from None
    if len(raw) != info.file_size:
        raise ValueError(DAMAGED)
    return raw


def npz_tensors(data: bytes) -> dict[str, Tensor]:
    """Return the arrays of an .npz file, by name.

    Raises
    ------
    ValueError
        If the archive is damaged, or holds anything else than arrays of numbers.
    """
    archive = opened(data)
    names = archive.namelist()
    expect_names(len(names))
    if not all(name.endswith(".npy") for name in names):
        raise ValueError("The archive must hold .npy arrays and nothing else: save it with numpy.savez.")
    return {name.removesuffix(".npy"): _npy(archive, name) for name in names}


def _npy(archive: zipfile.ZipFile, name: str) -> Tensor:
    try:
        with archive.open(name) as file:
            shape, by_columns, dtype = _header(file)
            start = file.tell()
    except DAMAGES:
        raise ValueError(NO_ARRAY) from None
    if dtype.hasobject:
        raise ValueError(PICKLED)
    if not all(type(size) is int and 0 <= size < 2**48 for size in shape) or len(shape) > 8:
        raise ValueError(NO_ARRAY)
    size = start + prod(shape) * dtype.itemsize
    if archive.getinfo(name).file_size != size:
        raise ValueError("One of the arrays holds more or fewer numbers than its header says.")

    def read() -> Array:
        raw = member(archive, name, 8 * MOST_NUMBERS + start)
        order: Any = "F" if by_columns else "C"
        return np.frombuffer(raw, dtype, offset=start).reshape(shape, order=order).astype(np.float64)

    return Tensor(tuple(shape), dtype.kind == "f" and dtype.itemsize <= 8, read)


def _header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Return the shape, the order and the type of an .npy array; raise ValueError if it has none."""
    readers: dict[tuple[int, int], Callable[..., tuple[tuple[int, ...], bool, np.dtype]]] = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    try:
        version = np.lib.format.read_magic(file)
        return readers[version](file)
    except Exception:  # NumPy reads the header as Python, and this may fail in any way
        raise ValueError(NO_ARRAY) from None
