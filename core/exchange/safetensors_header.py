"""The header of a .safetensors file: the type, the shape and the place of each array.

References
----------
safetensors, https://github.com/huggingface/safetensors.
"""

from typing import NamedTuple

from core.exchange.strict_json import read_json

UNREADABLE = "The header of the .safetensors file cannot be read. Save it again."
CLAIMS = "The header of the .safetensors file claims more or less than the file holds. Save it again."
NO_HEADER = "The file is not a .safetensors file, because its header does not fit in it."


class HeaderEntry(NamedTuple):
    """An array as the header describes it.

    Attributes
    ----------
    type : str
    shape : tuple of int
    start, stop : int
        In bytes, from the end of the header.
    """

    type: str
    shape: tuple[int, ...]
    start: int
    stop: int


def header_fits(data: bytes, most: int) -> bool:
    """Whether a file begins with the length of a header, of at most so many bytes, that fits in it."""
    return 2 <= int.from_bytes(data[:8], "little") <= min(len(data) - 8, most)


class Header(NamedTuple):
    """The header of a file.

    Attributes
    ----------
    entries : dict from str to HeaderEntry
    stop : int
        The byte at which the header ends.
    metadata : dict from str to object
    """

    entries: dict[str, HeaderEntry]
    stop: int
    metadata: dict[str, object]


def read_header(data: bytes, most: int, remedy: str) -> Header:
    """Return the arrays by name as the header describes them.

    Parameters
    ----------
    data : bytes
        The file.
    most : int
        The largest header in bytes.
    remedy : str
        Ends the message if there is no header.

    Raises
    ------
    ValueError
        If the header cannot be read. What it claims is not checked.
    """
    if not header_fits(data, most):
        raise ValueError(f"{NO_HEADER} {remedy}".strip())
    stop = 8 + int.from_bytes(data[:8], "little")
    try:
        text = data[8:stop].decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(UNREADABLE) from None
    header = read_json(text, UNREADABLE)
    if not isinstance(header, dict):
        raise ValueError(UNREADABLE)
    metadata = header.pop("__metadata__", None)
    entries = {name: _entry(claims) for name, claims in header.items()}
    return Header(entries, stop, metadata if isinstance(metadata, dict) else {})


def _entry(claims: object) -> HeaderEntry:
    if not isinstance(claims, dict):
        raise ValueError(UNREADABLE)
    type_, shape, offsets = (claims.get(name) for name in ("dtype", "shape", "data_offsets"))
    if not isinstance(type_, str) or not isinstance(shape, list) or not isinstance(offsets, list):
        raise ValueError(UNREADABLE)
    if len(offsets) != 2 or not all(type(number) is int and number >= 0 for number in (*shape, *offsets)):
        raise ValueError(UNREADABLE)
    return HeaderEntry(type_, tuple(shape), *offsets)
