"""Arrays to and from files: .npz, .csv and .safetensors, never a pickle.

What a file claims is read from its headers and checked before anything of that size is read or made.

References
----------
The npy format, numpy.lib.format; safetensors, https://github.com/huggingface/safetensors.
"""

import json
import zipfile
from collections.abc import Mapping
from io import BytesIO
from math import prod
from pathlib import PurePath

import numpy as np

from core.arrays import Array
from core.typed import LARGEST, MOST_COLUMNS, MOST_ROWS, parse, whole

MOST_BYTES = 20 * 2**20
MOST_UNPACKED = 64 * 2**20
MOST_ARRAYS = 64
# The largest matrix there is: the four gates of 512 units on 1024 inputs.
MOST_NUMBERS = 4 * MOST_ROWS * 2 * MOST_COLUMNS
# The end of a zip archive, and in it the length of its list of contents.
ZIP_END, ZIP_LIST_LENGTH, MOST_LIST = b"PK\x05\x06", slice(12, 16), 2**16
PICKLES = (".pkl", ".pickle", ".pt", ".pth", ".bin", ".joblib", ".h5", ".keras", ".npy")
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}


def read_arrays(name: str, data: bytes) -> dict[str, Array]:
    """The arrays of a file.

    Parameters
    ----------
    name : str
        Its name, whose ending says what it is; of a .csv the rest is the name of the array.
    data : bytes

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
    if suffix in PICKLES or data[:1] == b"\x80":
        raise ValueError(
            "Files of this kind can hold a pickle, which runs code when it is opened. Save the numbers as .npz or .safetensors."
        )
    readers = {".npz": _npz, ".safetensors": _safetensors}
    if suffix == ".csv":
        return {path.stem: parse(_text(data))}
    if suffix not in readers:
        raise ValueError("The file must be a .json that was saved here, a .npz, a .csv or a .safetensors.")
    return readers[suffix](data)


def to_npz(arrays: Mapping[str, Array]) -> bytes:
    """Arrays as a .npz file.

    Parameters
    ----------
    arrays : mapping from str to ndarray

    Returns
    -------
    bytes
    """
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file is not a text in UTF-8: save it as CSV UTF-8.") from None


def _npz(data: bytes) -> dict[str, Array]:
    end = data.rfind(ZIP_END)
    if end < 0 or int.from_bytes(data[end:][ZIP_LIST_LENGTH], "little") > MOST_LIST:
        raise ValueError("The file is no .npz archive, or holds more than it may.")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            _expect_count(members)
            if sum(member.file_size for member in members) > MOST_UNPACKED:
                raise ValueError(f"The arrays must take at most {MOST_UNPACKED // 2**20} MB when they are unpacked.")
            return {PurePath(member.filename).stem: _npy(archive, member) for member in members}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, zipfile.zlib.error):
        raise ValueError("The archive is damaged, encrypted or packed in a way that .npz files are not.") from None


def _npy(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    if not member.filename.endswith(".npy"):
        raise ValueError("The archive must hold .npy arrays and nothing else: save it with numpy.savez.")
    with archive.open(member) as file:
        try:
            version = np.lib.format.read_magic(file)
            read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[
                version
            ]
            shape, by_columns, dtype = read_header(file)
        except (ValueError, KeyError, TypeError, SyntaxError):
            raise ValueError("One of the arrays is no .npy array that can be read.") from None
        if dtype.hasobject:
            raise ValueError(
                "One of the arrays holds Python objects, which are pickles and run code when they are opened."
            )
        return _array(file.read(_expect_size(shape, dtype) + 1), shape, dtype, "F" if by_columns else "C")


def _safetensors(data: bytes) -> dict[str, Array]:
    length = int.from_bytes(data[:8], "little")
    if not 2 <= length <= min(len(data) - 8, 2**20):
        raise ValueError("The file is no .safetensors: its header does not fit in it.")
    try:
        header = json.loads(data[8 : 8 + length])
        tensors = {name: entry for name, entry in header.items() if name != "__metadata__"}
        _expect_count(tensors)
        parts = {
            name: (entry["dtype"], tuple(entry["shape"]), *entry["data_offsets"]) for name, entry in tensors.items()
        }
    except (KeyError, TypeError, AttributeError, UnicodeDecodeError, RecursionError, json.JSONDecodeError):
        raise ValueError("The header of the .safetensors file cannot be read.") from None
    body, arrays = data[8 + length :], {}
    for name, (type_, shape, start, stop) in parts.items():
        if type_ not in TYPES:
            raise ValueError(f"The numbers must be of one of the types {', '.join(TYPES)}: convert them first.")
        if not all(isinstance(number, int) and number >= 0 for number in (*shape, start, stop)):
            raise ValueError("The header of the .safetensors file cannot be read.")
        dtype = np.dtype(TYPES[type_])
        if stop - start != _expect_size(shape, dtype) or stop > len(body):
            raise ValueError("The header of the .safetensors file claims more or less than the file holds.")
        arrays[name] = _array(body[start:stop], shape, dtype, "C")
    return arrays


def _expect_count(some) -> None:
    if not 0 < len(some) <= MOST_ARRAYS:
        raise ValueError(f"The file must hold 1 to {MOST_ARRAYS} arrays, got {len(some)}.")


def _expect_size(shape: tuple[int, ...], dtype: np.dtype) -> int:
    """The bytes that an array takes, if there may be one like it."""
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise ValueError("The arrays must hold whole numbers or floats of at most 64 bits.")
    if not 1 <= len(shape) <= 2 or not 0 < prod(shape) <= MOST_NUMBERS:
        raise ValueError(f"The arrays must have one or two dimensions and 1 to {MOST_NUMBERS} numbers.")
    return prod(shape) * dtype.itemsize


def _array(raw: bytes, shape: tuple[int, ...], dtype: np.dtype, order: str) -> Array:
    if len(raw) != prod(shape) * dtype.itemsize:
        raise ValueError("One of the arrays holds more or fewer numbers than its header says.")
    array = np.frombuffer(raw, dtype).reshape(shape, order=order).astype(np.float64)
    if not np.all(np.abs(array) <= LARGEST):
        raise ValueError("One of the arrays holds a number that is not finite, or beyond 10^9.")
    return whole(array)
