"""Input sequences from files: .csv, .npy, .npz and .txt."""

from hashlib import blake2b
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from core.arrays import Array
from core.exchange.archives import (
    WRONG_SIZE,
    NpyHeader,
    npy_member,
    npy_numbers,
    open_archive,
    read_member,
    read_npy_header,
)
from core.exchange.array_files import MOST_BYTES, decode_utf8
from core.exchange.matrix_text import read_table
from core.exchange.model_files.contents import MOST_INPUTS

MOST_STEPS, MOST_SEQUENCES, MOST_NUMBERS = 2048, 16, 4 * 2**20
# Enough for token indices of seven digits at so many steps, with commas and spaces between them.
MOST_LETTERS = 16 * MOST_STEPS
KINDS = (".csv", ".npy", ".npz", ".txt")
NAMES = ("xs", "x", "X", "inputs", "input")


class SequenceFile(NamedTuple):
    """The input in a file.

    Attributes
    ----------
    name : str
    xs : ndarray of shape (T, m, B), optional
        None for a text.
    text : str
        The text; empty for numbers.
    steps, sequences : int
        Those of the file, of which the first may have been taken. The steps of a text are its letters.
    digest : str
        Of the file, and of how its axes are read.
    array : ndarray of three axes, optional
        The array in the file; None for a text and for one sequence of fewer axes.
    indices : ndarray of shape (T, B, 1), optional
        The array in the file if it may hold indices of tokens: whole numbers from 0.
    is_integer : bool
        Whether the file has the numbers as integers.
    has_tokens : bool
        Whether the numbers are indices of tokens. Then the last axis has one entry.
    """

    name: str
    xs: Array | None
    text: str
    steps: int
    sequences: int
    digest: str
    array: Array | None = None
    indices: Array | None = None
    is_integer: bool = False
    has_tokens: bool = False

    @property
    def is_cut(self) -> bool:
        """Whether the file has more steps or sequences than were taken."""
        T, B = (len(self.text), 1) if self.xs is None else (self.xs.shape[0], self.xs.shape[2])
        return T < self.steps or B < self.sequences


def read_sequence(name: str, data: bytes) -> SequenceFile:
    """Return the input in a file.

    Parameters
    ----------
    name : str
        The name of the file, whose ending says what it is.
    data : bytes
        Of a .csv, a step in each line, after a header or without one; of an .npy or .npz, an array of shape (T,), (T, m) or (T, B, m).
        For one of shape (B, T, m), call `with_batch_first` afterwards.

    Raises
    ------
    ValueError
        Saying in one sentence what is wrong with the file.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in KINDS:
        raise ValueError(f"The input must be a file of the kinds {', '.join(KINDS)}. Save it as one of them.")
    if len(data) > MOST_BYTES:
        raise ValueError(f"The file has {len(data) / 2**20:.1f} MB. Choose one of at most {MOST_BYTES // 2**20} MB.")
    digest = blake2b(data, digest_size=16).hexdigest()
    if suffix == ".txt":
        letters = decode_utf8(data)
        if not letters:
            raise ValueError("The text is empty. Write at least one letter.")
        return SequenceFile(name, None, letters[:MOST_LETTERS], len(letters), 1, digest)
    if suffix == ".csv":
        array, steps = read_table(decode_utf8(data), MOST_STEPS, MOST_INPUTS, MOST_NUMBERS)
        is_integer = False
    else:
        array, is_integer = _array(suffix, data)
        array = array[:, None] if array.ndim == 1 else array
        steps = len(array)
    # Found once, because the page asks for them again at each change of a setting.
    indices = _indices(array)
    if array.ndim == 3:
        return SequenceFile(name, _taken(array), "", steps, array.shape[1], digest, array, indices, is_integer)
    return SequenceFile(name, _taken(array[:, None]), "", steps, 1, digest, None, indices, is_integer)


def with_batch_first(file: SequenceFile) -> SequenceFile:
    """Return the input of a file whose first axis counts the sequences; one of a single sequence as it is.

    Raises
    ------
    ValueError
        If a number is infinite or NaN.
    """
    if file.array is None:
        return file
    xs = _taken(file.array.swapaxes(0, 1))
    return file._replace(xs=xs, steps=file.sequences, sequences=file.steps, digest=f"{file.digest} batch first")


def with_tokens(file: SequenceFile, m: int, count: int) -> SequenceFile:
    """Return a file with indices of tokens as an array of shape (T, B, 1); another file as it is.

    Parameters
    ----------
    file : SequenceFile
    m : int
        Floats of this width are the inputs of the network.
    count : int
        Of the different tokens.
    """
    if file.xs is None or file.indices is None or (highest := file.indices.max()) >= count:
        return file
    width, B = file.xs.shape[1], file.indices.shape[1]
    # Rows of zeros and ones may be one-hot vectors.
    if (width == m and not file.is_integer) or (width > 1 and highest <= 1):
        return file
    return file._replace(
        xs=_taken(file.indices),
        sequences=B,
        digest=f"{file.digest} tokens",
        array=file.indices if B > 1 else None,
        has_tokens=True,
    )


def _indices(array: Array) -> Array | None:
    """Return an array of two axes, or of a third one with one entry, in the shape (T, B, 1) if it may hold indices of tokens."""
    if (array.ndim == 3 and array.shape[2] > 1) or array.min() < 0 or not np.array_equal(array, np.floor(array)):
        return None
    # The second axis counts the sequences.
    return array.reshape(*array.shape[:2], 1)


def _taken(array: Array) -> Array:
    """Return the steps and sequences of an array of shape (T, B, m) that are taken, of shape (T, m, B)."""
    array = array[:, :MOST_SEQUENCES]
    taken = array[: max(1, min(MOST_STEPS, MOST_NUMBERS // array[0].size))]
    if not np.all(np.isfinite(taken)):
        t, b, j = (int(places[0]) + 1 for places in np.nonzero(~np.isfinite(taken)))
        raise ValueError(f"x_t is infinite or NaN at step {t}, sequence {b}, entry {j}. Replace it with a number.")
    return taken.transpose(0, 2, 1)


def _array(suffix: str, data: bytes) -> tuple[Array, bool]:
    """Return the array of an .npy or .npz, and whether the file has integers."""
    if suffix == ".npy":
        header = read_npy_header(data)
        _expect_sequence(header)
        return npy_numbers(data, header), header.dtype.kind in "iu"
    with open_archive(data, 64) as archive:
        members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
        name = next(iter(members)) if len(members) == 1 else next((one for one in NAMES if one in members), None)
        if name is None:
            raise ValueError("The .npz file has several arrays. Name the input xs.")
        header = npy_member(archive, members[name])
        _expect_sequence(header)
        if members[name].file_size != header.bytes:
            raise ValueError(WRONG_SIZE)
        raw = read_member(archive, members[name], 8 * MOST_NUMBERS + header.start)
        return npy_numbers(raw, header), header.dtype.kind in "iu"


def _expect_sequence(header: NpyHeader) -> None:
    if header.dtype.kind not in "iuf" or header.dtype.itemsize > 8:
        raise ValueError(
            "The array must hold whole numbers or floats of at most 64 bits. Convert it, for example with astype(float)."
        )
    if len(header.shape) not in (1, 2, 3) or min(header.shape) < 1:
        raise ValueError(f"The array has the shape {header.shape}. Reshape it to (T, m) or (T, B, m).")
    if header.size > MOST_NUMBERS:
        raise ValueError(
            f"The array must have at most {MOST_NUMBERS} numbers, and it has {header.size}. Use fewer steps."
        )
