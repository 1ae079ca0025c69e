"""The header of a .safetensors file, and its arrays one by one.

References
----------
safetensors, https://github.com/huggingface/safetensors.
"""

from math import prod

import numpy as np

from core.arrays import Array
from core.exchange.array_files import read_json
from core.exchange.model_files.network import Tensor, expect_array_count

MOST_HEADER = 4 * 2**20
UNREADABLE = "The header of the .safetensors file cannot be read."
CLAIMS = "The header of the .safetensors file claims more or less than the file holds."
FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
BYTES = {**{name: int(code[2]) for name, code in FLOATS.items()}, "BF16": 2}
# Other types, and their bits; no weights of a cell can be of these.
OTHERS = {
    **{"I64": 64, "U64": 64, "C64": 64, "I32": 32, "U32": 32, "I16": 16, "U16": 16, "I8": 8, "U8": 8, "BOOL": 8},
    **{
        "F8_E4M3": 8,
        "F8_E5M2": 8,
        "F8_E8M0": 8,
        "F8_E4M3FNUZ": 8,
        "F8_E5M2FNUZ": 8,
        "F6_E2M3": 6,
        "F6_E3M2": 6,
        "F4": 4,
    },
}


def tensors(data: bytes) -> dict[str, Tensor]:
    """Return the arrays of a file, by name.

    Raises
    ------
    ValueError
        If the header cannot be read, or claims more or less than the file holds.
    """
    length = int.from_bytes(data[:8], "little")
    if not 2 <= length <= min(len(data) - 8, MOST_HEADER):
        raise ValueError(
            "The file is not a .safetensors file, because its header does not fit in it. Save it with safetensors.torch.save_file."
        )
    header = read_json(data[8 : 8 + length], UNREADABLE)
    if not isinstance(header, dict):
        raise ValueError(UNREADABLE)
    entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
    expect_array_count(len(entries))
    found = {name: _tensor(data, 8 + length, entry) for name, entry in entries.items()}
    _expect_contiguous([entry["data_offsets"] for entry in entries.values()], len(data) - 8 - length)
    return found


def _expect_contiguous(offsets: list[list[int]], size: int) -> None:
    """Raise ValueError unless the arrays follow each other from the start to the end, as the format has it."""
    at = 0
    for start, stop in sorted(offsets):
        if start != at:
            raise ValueError("The arrays of the .safetensors file overlap or leave gaps. Save it again.")
        at = stop
    if at != size:
        raise ValueError(CLAIMS)


def _tensor(data: bytes, body: int, entry: object) -> Tensor:
    if not isinstance(entry, dict):
        raise ValueError(UNREADABLE)
    type_, shape, offsets = (entry.get(name) for name in ("dtype", "shape", "data_offsets"))
    if not isinstance(type_, str) or not isinstance(shape, list) or not isinstance(offsets, list) or len(shape) > 8:
        raise ValueError(UNREADABLE)
    if len(offsets) != 2 or not all(type(number) is int and 0 <= number < 2**48 for number in (*shape, *offsets)):
        raise ValueError(UNREADABLE)
    if type_ not in BYTES and type_ not in OTHERS:
        raise ValueError(f"The .safetensors file has numbers of the unknown type {type_[:20]!r}. Save it in float32.")
    start, stop = offsets
    bits = prod(shape) * (8 * BYTES[type_] if type_ in BYTES else OTHERS[type_])
    if 8 * (stop - start) != bits or body + stop > len(data):
        raise ValueError(CLAIMS)

    def read() -> Array:
        raw = memoryview(data)[body + start : body + stop]
        if type_ == "BF16":
            # The upper half of a float32.
            return (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4").astype(np.float64).reshape(shape)
        return np.frombuffer(raw, FLOATS[type_]).astype(np.float64).reshape(shape)

    return Tensor(tuple(shape), type_ in BYTES, read)
