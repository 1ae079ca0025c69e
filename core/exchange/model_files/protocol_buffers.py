"""A reader of the few parts of Protocol Buffers that ONNX uses.

References
----------
https://protobuf.dev/programming-guides/encoding/.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import Array

DAMAGED = "The ONNX file is damaged: its protocol buffers cannot be read. Export it again."
MOST_FIELDS = 400_000
# In the names of nodes and arrays together. Python takes up to four bytes for each.
MOST_TEXT = 16 * 2**20
LONG_NAMES = (
    f"The names in the ONNX file have more than {MOST_TEXT // 2**20} MB together. Export it with shorter names."
)
# Bytes that are decoded at once, because the indices of their varints take many times as many.
PART = 2**20
# Bytes of a part that is joined with its neighbours.
SHORT = 1024


class Field(NamedTuple):
    """One field of a message.

    Attributes
    ----------
    number : int
    value : int or memoryview
    """

    number: int
    value: "int | memoryview"


@dataclass
class MessageReader:
    """A reader of messages that counts their fields and texts, so that a file cannot keep it busy or fill the memory.

    Attributes
    ----------
    left : int
        The fields that may still be read.
    text_left : int
        The bytes of texts that may still be read.
    """

    left: int = MOST_FIELDS
    text_left: int = MOST_TEXT

    def fields(self, data: memoryview) -> Iterator[Field]:
        """Yield the fields of a message; groups are not in use any more.

        Raises
        ------
        ValueError
            If the message is damaged.
        """
        at, end = 0, len(data)
        while at < end:
            self.left -= 1
            if self.left < 0:
                raise ValueError(DAMAGED)
            key, at = _varint(data, at)
            kind = key & 7
            if kind == 0:
                value, at = _varint(data, at)
                yield Field(key >> 3, value)
                continue
            length, at = _varint(data, at) if kind == 2 else ({1: 8, 5: 4}.get(kind, -1), at)
            if length < 0 or at + length > end:
                raise ValueError(DAMAGED)
            yield Field(key >> 3, data[at : at + length])
            at += length

    def text(self, value: "int | memoryview") -> str:
        """Return the start of a field as a text.

        Raises
        ------
        ValueError
            If it is a number, or if the texts of the file are too long together.
        """
        start = bytes(as_bytes(value)[:400])
        self.text_left -= len(start)
        if self.text_left < 0:
            raise ValueError(LONG_NAMES)
        return start.decode("utf-8", "replace")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """Return the number at a place, and the place after it."""
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise ValueError(DAMAGED)


def as_bytes(value: "int | memoryview") -> memoryview:
    """Return the bytes of a field; raise ValueError if it is a number."""
    if isinstance(value, int):
        raise ValueError(DAMAGED)
    return value


def packed_numbers(data: memoryview) -> Iterator[int]:
    """Yield numbers that were written as varints, one after the other."""
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def signed(value: int) -> int:
    """Return a number of 64 bits with its sign."""
    return value - 2**64 if value >> 63 & 1 else value


def to_varint(value: int) -> bytes:
    """Return a small number as a varint."""
    return bytes([value & 127 | 128, value >> 7 & 127 | 128, value >> 14 & 127])


def add_part(parts: list[memoryview | bytearray], data: bytes | memoryview) -> None:
    """Add bytes to a list of parts; short ones become one part, because each part costs time."""
    if len(data) >= SHORT:
        parts.append(memoryview(data))
    elif parts and isinstance(parts[-1], bytearray):
        parts[-1] += data
    else:
        parts.append(bytearray(data))


def count_of_varints(data: memoryview | bytearray) -> int:
    """Return how many numbers were written as varints; raise ValueError if the last one is cut off."""
    every = np.frombuffer(data, np.uint8)
    if len(every) and every[-1] > 127:
        raise ValueError(DAMAGED)
    return sum(int(np.count_nonzero(every[at : at + PART] < 128)) for at in range(0, len(every), PART))


def numbers_of_16_bits(fields: Sequence[memoryview | bytearray]) -> bytes:
    """Return numbers of 16 bits from their varints, each of which ends in its field."""
    return b"".join(part for data in fields for part in _parts_of_16_bits(np.frombuffer(data, np.uint8)))


def _parts_of_16_bits(every: Array) -> Iterator[bytes]:
    at = 0
    while at < len(every):
        part = every[at : at + PART]
        ends = np.flatnonzero(part < 128)
        lengths = np.diff(ends, prepend=-1)
        if not len(ends) or lengths.max() > 3:
            raise ValueError(DAMAGED)
        starts = ends - lengths + 1
        values = np.zeros(len(ends), np.uint32)
        for digit in range(3):
            has = lengths > digit
            values[has] |= (part[starts[has] + digit] & 127).astype(np.uint32) << (7 * digit)
        yield values.astype("<u2").tobytes()
        at += int(ends[-1]) + 1
