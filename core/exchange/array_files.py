"""Arrays to and from files: .npz, .csv and .safetensors, never a pickle.

What a file claims is read from its headers and checked before anything of that size is read or made.

References
----------
The npy format, numpy.lib.format; safetensors, https://github.com/huggingface/safetensors.
"""

import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from io import BytesIO
from math import prod
from pathlib import PurePath
from typing import Any, Literal

import numpy as np

from core.arrays import MOST_COLUMNS, MOST_ROWS, Array
from core.exchange.matrix_text import LARGEST, TOO_MANY, parse, whole

MOST_BYTES = 20 * 2**20
MOST_UNPACKED = 64 * 2**20
MOST_ARRAYS = 64
# The largest matrix there is: the four gates of 512 units on 1024 inputs.
MOST_NUMBERS = 4 * MOST_ROWS * 2 * MOST_COLUMNS
# In all arrays together: a little more than the largest scenario has.
MOST_TOGETHER = 4 * MOST_NUMBERS
# The signature that starts each entry of a zip archive's directory.
ZIP_ENTRY = b"PK\x01\x02"
DAMAGED = "The archive is damaged, encrypted or packed in a way that .npz files are not."
UNREADABLE = "The header of the .safetensors file cannot be read."
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
        raise ValueError(
            f"The file must have at most {MOST_BYTES // 2**20} MB, and this one has {len(data) / 2**20:.1f}."
        )
    # Most pickles start with this byte, and so may the length of a .safetensors header.
    if suffix in PICKLES or (data[:1] == b"\x80" and not (suffix == ".safetensors" and _header_fits(data))):
        raise ValueError(
            "Files of this kind can hold a pickle, which runs code when it is opened. Save the numbers as .npz or .safetensors."
        )
    readers = {".npz": _npz, ".safetensors": _safetensors}
    if suffix == ".csv":
        text = _text(data)
        if text.count("[") > MOST_ROWS + 1:
            raise ValueError(TOO_MANY)
        return {re.sub(r" ?\(\d{1,3}\)$", "", path.stem): parse(text)}  # a second download is called "W_hh (1)"
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


def read_json(text: str | bytes, refusal: str) -> object:
    """Read JSON without repeated names: the standard library would silently take the last one.

    Parameters
    ----------
    refusal : str
        The message if it is not JSON.

    Raises
    ------
    ValueError
        If it is not JSON, or naming what it says twice.
    """
    twice = []

    def as_dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice.append([name for name, _ in pairs])
        return found

    try:
        value = json.loads(text, object_pairs_hook=as_dict)
    except (ValueError, RecursionError):
        raise ValueError(refusal) from None
    for names in twice:
        _expect_once(names)
    return value


def _expect_once(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        name, _ = Counter(names).most_common(1)[0]
        raise ValueError(f"The file must have each name once, got {name[:60]!r} twice: take one out.")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file is not a text in UTF-8: save it as CSV UTF-8.") from None


def _npz(data: bytes) -> dict[str, Array]:
    # The signature can also occur inside compressed data; allow twice as many.
    if not 0 < data.count(ZIP_ENTRY) <= 2 * MOST_ARRAYS:
        raise ValueError("The file is no .npz archive, or holds more than it may.")
    try:
        opened = zipfile.ZipFile(BytesIO(data))
    except Exception:  # for a damaged directory zipfile raises errors of many kinds
        raise ValueError(DAMAGED) from None
    try:
        with opened as archive:
            members = archive.infolist()
            if len(members) != data.count(ZIP_ENTRY, archive.start_dir):
                raise zipfile.BadZipFile
            _expect_count(members)
            if sum(member.file_size for member in members) > MOST_UNPACKED:
                raise ValueError(f"The arrays must take at most {MOST_UNPACKED // 2**20} MB when they are unpacked.")
            if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
                raise ValueError("The archive must be packed as numpy.savez or numpy.savez_compressed do it.")
            names = [PurePath(member.filename).stem for member in members]
            _expect_once(names)
            arrays = {}
            for name, member in zip(names, members):
                arrays[name] = _npy(archive, member)
                _expect_together(arrays)
            return arrays
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, OverflowError, zlib.error):
        raise ValueError(DAMAGED) from None


def _npy(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    if not member.filename.endswith(".npy"):
        raise ValueError("The archive must hold .npy arrays and nothing else: save it with numpy.savez.")
    try:
        file = archive.open(member)
    except ValueError:  # the member would start before the file does
        raise zipfile.BadZipFile from None
    with file:
        try:
            version = np.lib.format.read_magic(file)
            read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[
                version
            ]
            shape, by_columns, dtype = read_header(file)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise
        except Exception:  # NumPy reads the header as Python, and this may fail in any way
            raise ValueError("One of the arrays is no .npy array that can be read.") from None
        if dtype.hasobject:
            raise ValueError(
                "One of the arrays holds Python objects, which are pickles and run code when they are opened."
            )
        return _array(file.read(_expect_size(shape, dtype) + 1), shape, dtype, "F" if by_columns else "C")


def _header_fits(data: bytes) -> bool:
    return 2 <= int.from_bytes(data[:8], "little") <= min(len(data) - 8, 2**20)


def _safetensors(data: bytes) -> dict[str, Array]:
    if not _header_fits(data):
        raise ValueError("The file is no .safetensors: its header does not fit in it.")
    length = int.from_bytes(data[:8], "little")
    header = read_json(data[8 : 8 + length], UNREADABLE)
    if not isinstance(header, dict):
        raise ValueError(UNREADABLE)
    entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
    _expect_count(entries)
    body, arrays = data[8 + length :], {}
    for name, (dtype, shape, start, stop) in [(name, _tensor(entry)) for name, entry in entries.items()]:
        if stop - start != _expect_size(shape, dtype) or stop > len(body):
            raise ValueError("The header of the .safetensors file claims more or less than the file holds.")
        arrays[name] = _array(body[start:stop], shape, dtype, "C")
        _expect_together(arrays)
    return arrays


def _tensor(entry: object) -> tuple[np.dtype, tuple[int, ...], int, int]:
    """Return a tensor's type, its shape, and where it starts and stops, from the header."""
    if not isinstance(entry, dict):
        raise ValueError(UNREADABLE)
    type_, shape, offsets = (entry.get(name) for name in ("dtype", "shape", "data_offsets"))
    if not isinstance(type_, str) or not isinstance(shape, list) or not isinstance(offsets, list):
        raise ValueError(UNREADABLE)
    if len(offsets) != 2 or not all(type(number) is int and number >= 0 for number in (*shape, *offsets)):
        raise ValueError(UNREADABLE)
    if type_ not in TYPES:
        raise ValueError(f"The numbers must be of one of the types {', '.join(TYPES)}: convert them first.")
    start, stop = offsets
    return np.dtype(TYPES[type_]), tuple(shape), start, stop


def _expect_count(some: Sized) -> None:
    if not 0 < len(some) <= MOST_ARRAYS:
        raise ValueError(f"The file must hold 1 to {MOST_ARRAYS} arrays, got {len(some)}.")


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


def _array(raw: bytes, shape: tuple[int, ...], dtype: np.dtype, order: Literal["C", "F"]) -> Array:
    if len(raw) != prod(shape) * dtype.itemsize:
        raise ValueError("One of the arrays holds more or fewer numbers than its header says.")
    array = np.frombuffer(raw, dtype).reshape(shape, order=order).astype(np.float64)
    if not np.all(np.abs(array) <= LARGEST):
        raise ValueError("One of the arrays holds a number that is not finite, or beyond 10^9.")
    return whole(array)
