"""The arrays of a .safetensors file, one by one."""

from math import prod

from core.exchange.model_files.contents import FileArray, expect_array_names, floats_from_bytes
from core.exchange.model_files.pytorch_layers import NAME
from core.exchange.safetensors_header import CLAIMS, UNREADABLE, HeaderEntry, read_header

MOST_HEADER = 4 * 2**20
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


def tensors(data: bytes) -> dict[str, FileArray]:
    """Return the arrays of a file, by name.

    Raises
    ------
    ValueError
        If the header cannot be read, or claims more or less than the file holds.
    """
    entries, start_of_body, metadata = read_header(data, MOST_HEADER, "Save it with safetensors.torch.save_file.")
    # safetensors.torch.save_model writes an array of several names once, and the others with that name.
    shared = {
        name: kept
        for name, kept in metadata.items()
        if _is_array_name(name) and isinstance(kept, str) and kept in entries
    }
    expect_array_names([*entries, *shared])
    found = {name: _tensor(data, start_of_body, entry) for name, entry in entries.items()}
    _expect_contiguous([(entry.start, entry.stop) for entry in entries.values()], len(data) - start_of_body)
    return {name: found[kept] for name, kept in shared.items()} | found


def _is_array_name(name: str) -> bool:
    """Whether a key of the metadata can be a name in a state_dict, and not a note on the file such as "best"."""
    return "." in name or bool(NAME.fullmatch(name))


def _expect_contiguous(offsets: list[tuple[int, int]], size: int) -> None:
    """Raise ValueError unless the arrays follow each other from the start to the end, as the format has it."""
    at = 0
    for start, stop in sorted(offsets):
        if start != at:
            raise ValueError("The arrays of the .safetensors file overlap or leave gaps. Save it again.")
        at = stop
    if at != size:
        raise ValueError(CLAIMS)


def _tensor(data: bytes, start_of_body: int, entry: HeaderEntry) -> FileArray:
    type_, shape, start, stop = entry
    if len(shape) > 8 or any(number >= 2**48 for number in (*shape, start, stop)):
        raise ValueError(UNREADABLE)
    if type_ not in BYTES and type_ not in OTHERS:
        raise ValueError(f"The .safetensors file has numbers of the unknown type {type_[:20]!r}. Save it in float32.")
    bits = prod(shape) * (8 * BYTES[type_] if type_ in BYTES else OTHERS[type_])
    if 8 * (stop - start) != bits or start_of_body + stop > len(data):
        raise ValueError(CLAIMS)
    raw = memoryview(data)[start_of_body + start : start_of_body + stop]
    return FileArray(shape, type_ in BYTES, lambda: floats_from_bytes(raw, FLOATS.get(type_, type_), shape))
