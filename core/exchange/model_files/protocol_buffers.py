"""A reader of the few parts of Protocol Buffers that ONNX uses.

References
----------
https://protobuf.dev/programming-guides/encoding/.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

DAMAGED = "The ONNX file is damaged: its protocol buffers cannot be read. Export it again."
MOST_FIELDS = 400_000


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
    """A reader of messages that counts their fields, so that a small file cannot keep it busy.

    Attributes
    ----------
    left : int
    """

    left: int = MOST_FIELDS

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


def as_text(value: "int | memoryview") -> str:
    """Return the start of a field as a text."""
    return bytes(as_bytes(value)[:400]).decode("utf-8", "replace")


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


def numbers_of_16_bits(data: bytes) -> bytes:
    """Return numbers of 16 bits from their varints."""
    every = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(every < 128)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    lengths = ends - starts + 1
    if len(data) and (not len(ends) or ends[-1] != len(data) - 1 or lengths.max() > 3):
        raise ValueError(DAMAGED)
    values = np.zeros(len(ends), np.uint32)
    for at in range(3):
        has = lengths > at
        values[has] |= (every[starts[has] + at] & 127).astype(np.uint32) << (7 * at)
    return values.astype("<u2").tobytes()
