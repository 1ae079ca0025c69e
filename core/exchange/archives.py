"""Zip archives, and the headers of the .npy arrays in them, read in bounds that hold for damaged and hostile files.

References
----------
The npy format, numpy.lib.format.
"""

import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from io import BytesIO
from math import prod
from typing import Literal, NamedTuple

import numpy as np

# The signature that starts each entry of a zip archive's directory.
ZIP_ENTRY = b"PK\x01\x02"
DAMAGED = "The archive is damaged, encrypted or packed in an unusual way. Save it again."
PACKED = "The archive is compressed in an unusual way. Save it with numpy.savez or numpy.savez_compressed."
NO_ARRAY = "An array of the file is damaged, or not in the .npy format. Save it again with NumPy."
PICKLED = "One of the arrays holds Python objects, which are pickles and run code when they are opened. Save arrays of numbers only."
WRONG_SIZE = "One of the arrays holds more or fewer numbers than its header says. Save it again."
# NumPy reads no longer header, but would unpack all that a header claims before it says so.
MOST_HEADER = 11_000
# The errors that zipfile and zlib raise for damaged members.
ZIP_ERRORS = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    OverflowError,
    ValueError,
    zlib.error,
)


class NpyHeader(NamedTuple):
    """The header of an .npy array.

    Attributes
    ----------
    shape : tuple of int
    order : {"C", "F"}
    dtype : dtype
    start : int
        The number of bytes of the header.
    """

    shape: tuple[int, ...]
    order: Literal["C", "F"]
    dtype: np.dtype
    start: int

    @property
    def size(self) -> int:
        """The number of numbers."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """The number of bytes that the array has with its header."""
        return self.start + self.size * self.dtype.itemsize


def open_archive(data: bytes, most: int) -> zipfile.ZipFile:
    """Return a zip archive.

    Parameters
    ----------
    data : bytes
    most : int
        The largest number of members.

    Raises
    ------
    ValueError
        If it is damaged, has too many members, or packs one in another way than NumPy and Keras do.
    """
    # The signature can also occur inside compressed data; allow twice as many.
    entries = data.count(ZIP_ENTRY)
    if not entries:
        raise ValueError("The file is not a valid zip archive. Save it again.")
    if entries > 2 * most:
        raise ValueError(f"The archive has too many entries. Save it with at most {most}.")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except Exception:  # for a damaged directory zipfile raises errors of many kinds
        raise ValueError(DAMAGED) from None
    members = archive.infolist()
    if len(members) != data.count(ZIP_ENTRY, archive.start_dir):
        raise ValueError(DAMAGED)
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        raise ValueError(PACKED)
    return archive


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Return the bytes of a member.

    Raises
    ------
    ValueError
        If the member is damaged, or has more bytes than ``most``.
    """
    if member.file_size > most:
        raise ValueError(f"{member.filename[:60]!r} must take at most {most / 2**20:.0f} MB in the archive.")
    raw = _start(archive, member, member.file_size + 1)
    if len(raw) != member.file_size:
        raise ValueError(DAMAGED)
    return raw


def npy_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NpyHeader:
    """Return the header of an .npy member.

    Raises
    ------
    ValueError
        If the member is no .npy array of the size that its header says.
    """
    if not member.filename.endswith(".npy"):
        raise ValueError("The archive must hold .npy arrays and nothing else. Save it with numpy.savez.")
    return read_npy_header(_start(archive, member, MOST_HEADER))


def _start(archive: zipfile.ZipFile, member: zipfile.ZipInfo, size: int) -> bytes:
    try:
        with archive.open(member) as file:
            return file.read(size)
    except ZIP_ERRORS:
        raise ValueError(DAMAGED) from None


def read_npy_header(data: bytes) -> NpyHeader:
    """Return the header of an .npy array, from its first MOST_HEADER bytes or more.

    Raises
    ------
    ValueError
        If there is none, or if the array holds Python objects.
    """
    readers: dict[tuple[int, int], Callable[..., tuple[tuple[int, ...], bool, np.dtype]]] = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    start = BytesIO(data[:MOST_HEADER])
    try:
        shape, by_columns, dtype = readers[np.lib.format.read_magic(start)](start)
    except Exception:  # NumPy reads the header as Python, and this may fail in any way
        raise ValueError(NO_ARRAY) from None
    if dtype.hasobject:
        raise ValueError(PICKLED)
    if len(shape) > 8 or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(NO_ARRAY)
    return NpyHeader(shape, "F" if by_columns else "C", dtype, start.tell())


def npy_numbers(raw: bytes, header: NpyHeader) -> np.ndarray:
    """Return the numbers of an .npy array as float64.

    Raises
    ------
    ValueError
        If there are more or fewer than the header says.
    """
    if len(raw) != header.bytes:
        raise ValueError(WRONG_SIZE)
    body = np.frombuffer(raw, header.dtype, offset=header.start)
    return body.reshape(header.shape, order=header.order).astype(np.float64)


def expect_unique(names: Sequence[str]) -> None:
    """Raise ValueError if a file has a name twice."""
    if len(set(names)) < len(names):
        name, _ = Counter(names).most_common(1)[0]
        raise ValueError(f"The name {name[:60]!r} occurs twice in the file. Remove one of the two.")
