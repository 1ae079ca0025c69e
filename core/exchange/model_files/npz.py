"""The arrays of an .npz file, one by one."""

from zipfile import ZipInfo

from core.arrays import Array
from core.exchange.archives import (
    WRONG_SIZE,
    NpyHeader,
    expect_unique,
    npy_member,
    npy_numbers,
    open_archive,
    read_member,
)
from core.exchange.model_files.contents import MOST_NAMES, MOST_NUMBERS, FileArray, expect_array_names


def tensors(data: bytes) -> dict[str, FileArray]:
    """Return the arrays of an .npz file, by name.

    Raises
    ------
    ValueError
        If the archive is damaged, or holds anything else than arrays of numbers.
    """
    archive = open_archive(data, MOST_NAMES)
    members = archive.infolist()
    names = [member.filename for member in members]
    expect_array_names(names)
    expect_unique(names)
    found = {}
    for member in members:
        header = npy_member(archive, member)
        if member.file_size != header.bytes:
            raise ValueError(WRONG_SIZE)

        def read(member: ZipInfo = member, header: NpyHeader = header) -> Array:
            return npy_numbers(read_member(archive, member, 8 * MOST_NUMBERS + header.start), header)

        is_float = header.dtype.kind == "f" and header.dtype.itemsize <= 8
        found[member.filename.removesuffix(".npy")] = FileArray(header.shape, is_float, read)
    return found
