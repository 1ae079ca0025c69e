"""Arrays to and from files: .npz, .csv and .safetensors, never a pickle.

What a file claims is read from its headers and checked before anything of that size is read or made.
"""

import json
import re
from collections.abc import Mapping, Sized
from io import BytesIO
from math import prod
from pathlib import PurePath
from typing import Any

import numpy as np

from core.arrays import MOST_COLUMNS, MOST_ROWS, Array
from core.exchange.archives import WRONG_SIZE, expect_unique, npy_member, npy_numbers, open_archive, read_member
from core.exchange.matrix_text import LARGEST_VALUE, TOO_MANY, as_integers, parse_matrix
from core.exchange.safetensors_header import CLAIMS, header_fits, read_header

MOST_BYTES = 20 * 2**20
MOST_UNPACKED = 64 * 2**20
MOST_ARRAYS = 64
# The largest matrix there is: the four gates of 512 units on 1024 inputs.
MOST_NUMBERS = 4 * MOST_ROWS * 2 * MOST_COLUMNS
# In all arrays together: a little more than the largest scenario has.
MOST_TOGETHER = 4 * MOST_NUMBERS
# In bytes: the longest header of a .safetensors file.
MOST_HEADER = 2**20
PICKLES = (".pkl", ".pickle", ".pt", ".pth", ".bin", ".joblib", ".h5", ".keras", ".npy")
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}


def read_arrays(name: str, data: bytes) -> dict[str, Array]:
    """Return the arrays of a file.

    Parameters
    ----------
    name : str
        Its name, whose ending says what it is; of a .csv the rest is the name of the array.

    Returns
    -------
    dict from str to ndarray
        Of one or two dimensions, of finite numbers.

    Raises
    ------
    ValueError
        Saying what is wrong with the file.
    """
    path = PurePath(name)
    suffix = path.suffix.lower()
    if len(data) > MOST_BYTES:
        raise ValueError(f"The file has {len(data) / 2**20:.1f} MB. Choose one of at most {MOST_BYTES // 2**20} MB.")
    # Most pickles start with this byte, and so may the length of a .safetensors header.
    if suffix in PICKLES or (data[:1] == b"\x80" and not (suffix == ".safetensors" and header_fits(data, MOST_HEADER))):
        raise ValueError(
            "Files of this kind can hold a pickle, which runs code when it is opened. Save the numbers as .npz or .safetensors."
        )
    readers = {".npz": _npz, ".safetensors": _safetensors}
    if suffix == ".csv":
        text = decode_utf8(data)
        if text.count("[") > MOST_ROWS + 1:
            raise ValueError(TOO_MANY)
        return {re.sub(r" ?\(\d{1,3}\)$", "", path.stem): parse_matrix(text)}  # a second download is called "W_hh (1)"
    if suffix not in readers:
        raise ValueError("The file must be a .json that was saved here, a .npz, a .csv or a .safetensors.")
    return readers[suffix](data)


def to_npz(arrays: Mapping[str, Array]) -> bytes:
    """Return a .npz file of arrays."""
    file = BytesIO()
    np.savez_compressed(file, **dict[str, Any](arrays))
    return file.getvalue()


def to_safetensors(arrays: Mapping[str, Array]) -> bytes:
    """Return a .safetensors file of arrays."""
    header, start = {}, 0
    for name, array in arrays.items():
        offsets = [start, start := start + array.size * 8]
        header[name] = {"dtype": "F64", "shape": list(array.shape), "data_offsets": offsets}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    body = (np.ascontiguousarray(array, "<f8").tobytes() for array in arrays.values())
    return b"".join([len(text).to_bytes(8, "little"), text, *body])


def to_csv(array: Array) -> str:
    """Return a matrix as the text of a .csv file, with all its digits.

    Parameters
    ----------
    array : ndarray of shape (rows, columns)
    """
    return "".join(f"{','.join(map(repr, row))}\n" for row in array.tolist())


def decode_utf8(data: bytes) -> str:
    """Return a text in UTF-8; raise ValueError if it is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file is not a text in UTF-8. Save it in UTF-8, which Excel calls CSV UTF-8.") from None


def _npz(data: bytes) -> dict[str, Array]:
    with open_archive(data, MOST_ARRAYS) as archive:
        members = archive.infolist()
        _expect_count(members)
        if sum(member.file_size for member in members) > MOST_UNPACKED:
            raise ValueError(f"The arrays must take at most {MOST_UNPACKED // 2**20} MB when they are unpacked.")
        names = [PurePath(member.filename).stem for member in members]
        expect_unique(names)
        arrays: dict[str, Array] = {}
        for name, member in zip(names, members):
            header = npy_member(archive, member)
            _expect_size(header.shape, header.dtype)
            if member.file_size != header.bytes:
                raise ValueError(WRONG_SIZE)
            arrays[name] = _numbers(npy_numbers(read_member(archive, member, MOST_UNPACKED), header))
            _expect_together(arrays)
        return arrays


def _safetensors(data: bytes) -> dict[str, Array]:
    entries, start_of_body, _ = read_header(data, MOST_HEADER, "")
    _expect_count(entries)
    body, arrays = data[start_of_body:], {}
    for name, entry in entries.items():
        if entry.type not in TYPES:
            raise ValueError(f"The numbers must be of one of the types {', '.join(TYPES)}. Convert them first.")
        dtype = np.dtype(TYPES[entry.type])
        if entry.stop - entry.start != _expect_size(entry.shape, dtype) or entry.stop > len(body):
            raise ValueError(CLAIMS)
        raw = body[entry.start : entry.stop]
        arrays[name] = _numbers(np.frombuffer(raw, dtype).reshape(entry.shape).astype(np.float64))
        _expect_together(arrays)
    return arrays


def _expect_count(some: Sized) -> None:
    if not 0 < len(some) <= MOST_ARRAYS:
        raise ValueError(f"The file must hold 1 to {MOST_ARRAYS} arrays, but it holds {len(some)}.")


def _expect_together(arrays: Mapping[str, Array]) -> None:
    if sum(array.size for array in arrays.values()) > MOST_TOGETHER:
        raise ValueError(f"The arrays must have at most {MOST_TOGETHER} numbers together.")


def _expect_size(shape: tuple[int, ...], dtype: np.dtype) -> int:
    """Return the number of bytes of an array; raise ValueError if it is too large."""
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise ValueError("The arrays must hold whole numbers or floats of at most 64 bits.")
    if (
        not 1 <= len(shape) <= 2
        or not all(type(size) is int for size in shape)
        or min(shape) < 1
        or prod(shape) > MOST_NUMBERS
    ):
        raise ValueError(f"The arrays must have one or two dimensions and 1 to {MOST_NUMBERS} numbers.")
    return prod(shape) * dtype.itemsize


def _numbers(array: Array) -> Array:
    if not np.all(np.abs(array) <= LARGEST_VALUE):
        raise ValueError("One of the arrays holds a number that is not finite or is beyond 10^9. Replace it.")
    return as_integers(array)
