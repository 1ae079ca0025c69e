"""Files: what was written comes back; what lies, bursts or runs code is refused in words before it costs anything."""

import json
import pickle
import re
import struct
import tracemalloc
import zipfile
from io import BytesIO
from time import process_time

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from core.arrays import Array
from core.exchange import archives, safetensors_header
from core.exchange.archives import expect_unique
from core.exchange.array_files import TYPES, read_arrays, to_csv, to_npz, to_safetensors
from core.scenario import AXES, Scenario
from tests.sentences import reason

MB = 2**20
# All that a file of 20 MB may take while it is read, or refused.
MOST_MEMORY = 200 * MB
# How struct, which is no part of the reader, writes the numbers of each type.
STRUCT = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B"}
ENDINGS = (".npz", ".csv", ".safetensors")
KINDS = pytest.mark.parametrize("ending", ENDINGS)

finite = st.floats(-1e9, 1e9) | st.integers(-(10**9), 10**9).map(float)
matrices = hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=2, max_side=6), elements=finite)


def refused(name: str, data: bytes) -> str:
    """Why the file is refused: in words of ours, within a second, and with little memory."""
    start = process_time()
    with pytest.raises(ValueError) as error:
        read_arrays(name, data)
    assert process_time() - start < 1
    tracemalloc.start()
    with pytest.raises(ValueError):
        read_arrays(name, data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < MOST_MEMORY
    assert re.fullmatch(r"[A-Z].{20,200}\.", str(error.value)), error.value
    return str(error.value)


def read(name: str, data: bytes) -> dict[str, Array] | None:
    """The arrays of a file, which are finite, or nothing if it is refused."""
    try:
        arrays = read_arrays(name, data)
    except ValueError:
        return None
    assert all(np.all(np.isfinite(array)) for array in arrays.values())
    return arrays


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these members."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", method) as zip_:
        for name, member in members.items():
            zip_.writestr(name, member)
    return file.getvalue()


def npy(header: dict | bytes, body: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    """A .npy file as the format's description has it."""
    text = header if isinstance(header, bytes) else repr(header).encode()
    text += b" " * (63 - (len(text) + 10) % 64) + b"\n"
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version == (1, 0) else "<I", len(text)) + text + body


def npz(body: bytes = bytes(8), method: int = zipfile.ZIP_DEFLATED, **header) -> bytes:
    """A .npz file of one number, with something else in its header."""
    member = npy({"descr": "<f8", "fortran_order": False, "shape": (1, 1)} | header, body)
    return archive({"W_hh.npy": member}, method)


def safetensors(header: dict | bytes, body: bytes = bytes(8)) -> bytes:
    """A .safetensors file as the format's description has it."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def tensor(**entry) -> dict:
    """The header of one number, with something else in it."""
    return {"W_hh": {"dtype": "F64", "shape": [1, 1], "data_offsets": [0, 8]} | entry}


def patched(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def as_file(ending: str, number: float) -> bytes:
    """A file with this number in it."""
    if ending == ".csv":
        return f"1,2\n3,{number!r}".encode()
    body = struct.pack("<d", number)
    return npz(body) if ending == ".npz" else safetensors(tensor(), body)


# ---- what comes back --------------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from([*AXES, "xs"]), matrices, min_size=1, max_size=4))
def test_what_was_saved_is_read_back(arrays):
    for ending, save in {"npz": to_npz, "safetensors": to_safetensors}.items():
        opened = read_arrays(f"cellscope.{ending}", save(arrays))
        assert opened.keys() == arrays.keys()
        for name, array in arrays.items():
            assert_array_equal(opened[name], array)


def test_all_arrays_of_a_scenario_come_back_exactly():
    used = Scenario(m=4, n=5, k=6, p=2, init="normal", scale=0.3, b_normal=True).effective_arrays()
    opened = read_arrays("CELLSCOPE.NPZ", to_npz(used))
    assert opened.keys() == used.keys()
    assert all(np.array_equal(opened[name], array) for name, array in used.items())


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">f2", "<i8", ">i4", "u1", "i1"])
def test_numpy_may_write_them_in_any_order_of_bytes_and_of_axes(save, dtype):
    array, file = np.arange(6).reshape(2, 3).astype(dtype), BytesIO()
    save(file, by_rows=array, by_columns=np.asfortranarray(array), flat=array[0])
    opened = read_arrays("a.npz", file.getvalue())
    assert_array_equal(opened["by_rows"], [[0, 1, 2], [3, 4, 5]])
    assert_array_equal(opened["by_columns"], opened["by_rows"])
    assert_array_equal(opened["flat"], [0, 1, 2])


def test_the_types_that_are_tried_are_all_that_are_read():
    assert STRUCT.keys() == TYPES.keys()


@pytest.mark.parametrize(("type_", "letter"), STRUCT.items())
def test_every_type_of_a_safetensors_file_is_read(type_, letter):
    numbers = [0, 1, 2, 3, 100, 7] if type_ == "U8" else [0, -1, 2, -3, 100, -7]
    if type_.startswith("F"):
        numbers = [number + 0.5 for number in numbers]
    first, second = (struct.pack(f"<{len(some)}{letter}", *some) for some in (numbers, numbers[:2]))
    header = {
        "__metadata__": {"format": "pt"},
        "rnn.weight": {"dtype": type_, "shape": [3, 2], "data_offsets": [0, len(first)]},
        "rnn.bias": {"dtype": type_, "shape": [2], "data_offsets": [len(first), len(first) + len(second)]},
    }
    opened = read_arrays("model.safetensors", safetensors(header, first + second))
    assert opened.keys() == {"rnn.weight", "rnn.bias"}
    assert_array_equal(opened["rnn.weight"], [numbers[:2], numbers[2:4], numbers[4:]])
    assert_array_equal(opened["rnn.bias"], numbers[:2])


@pytest.mark.parametrize(
    "text", ["1,-0.5\r\n2,3e-3\r\n", "\ufeff1,-0.5\n2,0.003", "1;-0.5\n2;.003\n", "1\t-0.5\n2\t0.003"]
)
def test_a_csv_is_the_one_array_that_it_is_called_like(text):
    opened = read_arrays("homework/W_hh.csv", text.encode())
    assert opened.keys() == {"W_hh"}
    assert_array_equal(opened["W_hh"], [[1, -0.5], [2, 0.003]])


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.floats(-1e9, 1e9)))
def test_what_is_saved_as_csv_is_read_alike(array):
    assert_array_equal(read_arrays("W_hh (2).csv", to_csv(array).encode())["W_hh"], array)


@KINDS
def test_whole_numbers_are_read_as_whole_ones(ending):
    (array,) = read_arrays(f"W_hh{ending}", as_file(ending, 4.0)).values()
    assert array.dtype == np.int64 and array.ravel()[-1] == 4


# ---- what would run code ----------------------------------------------------------------------


class Runs:
    """What is run when its pickle is opened."""

    been = False

    def __reduce__(self):
        return exec, (f"from {__name__} import Runs; Runs.been = True",)


def test_the_trap_would_be_sprung():
    pickle.loads(pickle.dumps(Runs()))
    assert Runs.been
    Runs.been = False


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_never_opened_whatever_it_is_called(protocol):
    for ending in (*ENDINGS, ".pkl", ".pt", ".npy", ".json", ""):
        why = refused(f"weights{ending}", pickle.dumps(Runs(), protocol))
        assert "pickle" in why or protocol < 2  # before there was a sign to know them by
        assert not Runs.been


@pytest.mark.parametrize(
    "ending", [".pkl", ".pickle", ".pt", ".pth", ".bin", ".joblib", ".h5", ".keras", ".npy", ".PT"]
)
def test_what_may_hold_a_pickle_is_refused_with_the_reason_and_a_way_out(ending):
    why = refused(f"weights{ending}", npy({"descr": "<f8", "fortran_order": False, "shape": (1, 1)}, bytes(8)))
    assert "pickle" in why and ".safetensors" in why


def test_an_object_in_an_array_is_a_pickle_too():
    file = BytesIO()
    np.savez(file, W_hh=np.array([[Runs()]], dtype=object), allow_pickle=True)
    assert refused("a.npz", file.getvalue()) == archives.PICKLED
    assert not Runs.been


@pytest.mark.parametrize("descr", ["|O", [("a", "|O")], ("|O", (2,))])
def test_an_array_that_says_it_holds_objects_is_refused(descr):
    assert refused("a.npz", npz(descr=descr)) == archives.PICKLED


def test_an_archive_of_pytorch_is_no_npz_though_it_is_called_so():
    model = archive({"model/data.pkl": pickle.dumps(Runs()), "model/data/0": bytes(8)})
    assert ".npy" in refused("model.npz", model)
    assert not Runs.been


# ---- what would burst -------------------------------------------------------------------------


def directory(count: int) -> bytes:
    """A zip archive that is a list of contents and no contents."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    assert len(entry) == 47
    listed = entry * count
    wide = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(listed), 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(listed), 1)
    # The end says one entry; the wide end before it, which has the last word, says all.
    return listed + wide + locator + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 47, 0, 0)


def hidden_directory(count: int) -> bytes:
    """The same, with the sign of an end where an end says at which place its list starts."""
    listed = directory(count)[: 47 * count]
    return listed + struct.pack("<4s4H2L", b"PK\5\6", 0, 0, 1, 1, len(listed), 0x06054B50) + bytes(2)


def of_size(member: bytes, size: int) -> bytes:
    """An archive whose list of contents gives this size to its only member."""
    data = archive({"W_hh.npy": member})
    return patched(data, data.rindex(b"PK\1\2") + 24, struct.pack("<I", size))


ONE = {"descr": "<f8", "fortran_order": False, "shape": (1, 1)}
BOMBS = {
    "10^10 numbers": (lambda: npz(shape=(100_000, 100_000)), r"\b1 to 2097152\b"),
    "10^40 numbers": (lambda: npz(shape=(10**20, 10**20)), r"\b1 to 2097152\b"),
    "1 GB, it says": (lambda: of_size(npy(ONE, bytes(8)), 2**30), r"\b64 MB\b"),
    "80 MB of zeros": (lambda: archive({"W_hh.npy": npy(ONE, bytes(80 * MB))}), r"\b64 MB\b"),
    "80 MB that say 200 bytes": (lambda: of_size(npy(ONE, bytes(80 * MB)), 200), re.escape(archives.DAMAGED)),
    "80 MB of a header that say 60": (
        lambda: of_size(b"\x93NUMPY\2\0\xff\xff\xff\xff" + b" " * 80 * MB, 60 * MB),
        "|".join(map(re.escape, (archives.DAMAGED, archives.NO_ARRAY))),
    ),
    "60 MB of a header": (
        lambda: archive({"W_hh.npy": npy(b" " * 60 * MB, version=(2, 0))}),
        re.escape(archives.NO_ARRAY),
    ),
    "many of 40 MB": (lambda: archive({f"{at}.npy": npy(ONE, bytes(40 * MB)) for at in range(2)}), r"\b64 MB\b"),
    "31 small types that grow": (
        lambda: archive(
            {
                f"{at}.npy": npy({"descr": "|i1", "fortran_order": False, "shape": (1024, 2048)}, bytes(2 * MB))
                for at in range(31)
            }
        ),
        "at most",
    ),
    "5000 members": (lambda: archive({f"{at}.npy": b"" for at in range(5000)}), "(?i)entries"),
    "65 members": (
        lambda: archive({f"{at}.npy": npy(ONE, bytes(8)) for at in range(65)}),
        r"\b1 to 64\b.*\b65\b",
    ),
    "a list of 400000 that says one": (lambda: directory(400_000), ""),
    "a list of 400000 that is hidden": (lambda: hidden_directory(400_000), ""),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_before_it_takes_time_or_memory(bomb):
    make, why = BOMBS[bomb]
    data = make()
    assert len(data) < 20 * MB
    assert re.search(why, refused("a.npz", data))


def test_tensors_that_share_their_numbers_are_a_bomb_too():
    shared = {"dtype": "U8", "shape": [1024, 2048], "data_offsets": [0, 2 * MB]}
    refused("a.safetensors", safetensors({f"{at}": shared for at in range(64)}, bytes(2 * MB)))


@pytest.mark.parametrize("row", ["[]", "[1],", "[", "1,", "1\n", "\n", "\t", "[1] "])
def test_a_text_of_many_rows_is_refused_at_once(row):
    refused("W_hh.csv", (row * (20 * MB // len(row))).encode())
    refused("W_hh.csv", (row * (10_000_000 // len(row))).encode())


@pytest.mark.parametrize("ending", [*ENDINGS, ".json", ".txt"])
def test_a_file_of_more_than_20_MB_is_refused_by_its_size_alone(ending):
    assert re.search(r"\b20\.1 MB\b.*\b20 MB\b", refused(f"W_hh{ending}", bytes(20 * MB + 100_000)))
    assert "MB" not in refused(f"W_hh{ending}", bytes(20 * MB))


# ---- what is broken ---------------------------------------------------------------------------

SMALL = {"W_hh": np.array([[0.5, -1.25], [3, 4]]), "b_h": np.array([[1], [2]])}
NO_NUMBERS = npz().rindex(b"PK\1\2")


def packed(compressed: bool) -> bytes:
    file = BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **SMALL)
    return file.getvalue()


@pytest.mark.parametrize("compressed", [False, True])
def test_an_archive_that_ends_too_soon_is_refused(compressed):
    data = packed(compressed)
    assert not any(read("a.npz", data[:end]) for end in range(len(data)))


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("mask", [1, 2, 8, 0x20, 0x80, 0xFF])
def test_an_archive_with_a_changed_byte_is_refused_or_holds_the_same_arrays(mask, compressed):
    data, noticed = packed(compressed), 0
    for at in range(len(data)):
        arrays = read("a.npz", patched(data, at, bytes([data[at] ^ mask])))
        if arrays is None:
            noticed += 1
            continue
        assert arrays.keys() == SMALL.keys(), at
        assert all(np.array_equal(arrays[name], array) for name, array in SMALL.items()), at
    assert noticed > len(data) / 2


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_is_noticed_however_the_archive_is_packed(method):
    data, noticed = npz(struct.pack("<d", 0.5), method), 0
    numbers = range(data.index(b"W_hh.npy") + len("W_hh.npy"), data.rindex(b"PK\1\2"))
    for at in numbers:
        arrays = read("a.npz", patched(data, at, bytes([data[at] ^ 0xFF])))
        assert arrays is None or np.array_equal(arrays["W_hh"], [[0.5]])
        noticed += arrays is None
    assert noticed > len(numbers) / 2


@pytest.mark.parametrize("mask", [1, 4, 0x20, 0x80, 0xFF])
def test_a_safetensors_file_with_a_changed_byte_is_refused_or_holds_finite_numbers(mask):
    header = {"W_hh": {"dtype": "F64", "shape": [2, 2], "data_offsets": [0, 32]}}
    data = safetensors(header, SMALL["W_hh"].tobytes())
    reads = [read("a.safetensors", patched(data, at, bytes([data[at] ^ mask]))) for at in range(len(data))]
    assert any(arrays is None for arrays in reads)
    assert not any(read("a.safetensors", data[:end]) for end in range(len(data)))


def changed_directory(at: int, new: bytes) -> bytes:
    """An archive of one number with something else in its list of contents."""
    data = npz()
    return patched(data, data.rindex(b"PK\1\2") + at, new)


def far_away() -> bytes:
    """An archive whose member starts at the last place that 64 bits can name."""
    data = npz()
    start, end = data.rindex(b"PK\1\2"), data.rindex(b"PK\5\6")
    wide = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    entry = patched(patched(data[start:end], 42, b"\xff" * 4), 30, struct.pack("<H", len(wide))) + wide
    return data[:start] + entry + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), start, 0)


BROKEN = {
    "empty": lambda: b"",
    "no archive": lambda: b"PK",
    "an archive of nothing": lambda: archive({}),
    "a text in it": lambda: archive({"readme.txt": b"hello"}),
    "an empty member": lambda: archive({"W_hh.npy": b""}),
    "encrypted": lambda: changed_directory(8, b"\1\0"),
    "patched data": lambda: changed_directory(8, b"\x20\0"),
    "a way to pack that is not there": lambda: changed_directory(10, b"\x63\0"),
    "of another name in the list": lambda: changed_directory(46, b"W_hx"),
    "of a name that is no UTF-8": lambda: patched(changed_directory(8, b"\0\x08"), NO_NUMBERS + 46, b"\xff"),
    "starts behind the end": lambda: changed_directory(42, b"\xff\xff\xff\x7f"),
    "starts far away": far_away,
    "a list that starts behind the end": lambda: patched(npz(), len(npz()) - 6, b"\xff\xff\xff\x7f"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_archive_is_refused_in_words(what):
    refused("a.npz", BROKEN[what]())


NPY_HEADERS = {
    "empty": b"",
    "no dict": b"1",
    "code": b"__import__('os')",
    "open bracket": b"{'descr': (",
    "open text": b"'''",
    "60000 signs": b"-" * 60_000 + b"1",
    "9000 signs": b"-" * 9000 + b"1",
    "sums": b"1+" * 4000 + b"1",
    "brackets": b"[" * 3000 + b"]" * 3000,
    "open brackets": b"(" * 5000,
    "null": b"\0",
    "no UTF-8": b"\xff",
    "a list as key": b"{[]: 1}",
    "missing keys": b"{}",
    "more keys": repr(ONE | {"more": 1}).encode(),
}


@pytest.mark.parametrize("header", NPY_HEADERS)
def test_a_npy_header_that_cannot_be_read_is_refused_in_words(header):
    refused("a.npz", archive({"W_hh.npy": npy(NPY_HEADERS[header], bytes(8))}))


@pytest.mark.parametrize(
    "header",
    [
        *(
            {"shape": shape}
            for shape in [(), (0, 1), (1, 1, 1), (1, 2), (-1, -1), (-2, -3), (True, True), (1.0, 1), [1, 1], "11", 1]
        ),
        *(
            {"descr": descr}
            for descr in [
                "<f16",
                "<c16",
                "|b1",
                "<U2",
                "|S8",
                "|V8",
                "<M8[s]",
                [("a", "<f8")],
                ("<f8", (2,)),
                "",
                5,
                None,
            ]
        ),
        {"fortran_order": 2},
    ],
    ids=str,
)
def test_a_npy_header_that_lies_or_tells_of_something_else_is_refused_in_words(header):
    refused("a.npz", npz(**header))


@pytest.mark.parametrize("bytes_", [0, 7, 9, 16])
def test_an_array_that_holds_more_or_less_than_its_header_says_is_refused(bytes_):
    assert refused("a.npz", npz(bytes(bytes_))) == archives.WRONG_SIZE
    claimed = refused("a.safetensors", safetensors(tensor(data_offsets=[0, bytes_]), bytes(16)))
    assert claimed.startswith(safetensors_header.CLAIMS)
    assert read("a.npz", npz(bytes(8))) and read("a.safetensors", safetensors(tensor(), bytes(16)))


@pytest.mark.parametrize("version", [(0, 0), (3, 0), (9, 9)])
def test_an_unknown_version_of_npy_is_refused_in_words(version):
    refused("a.npz", archive({"W_hh.npy": npy(ONE, bytes(8), version)}))


TENSORS = {
    "null": b"null",
    "a list": b"[1]",
    "a text": b'"W_hh"',
    "no JSON": b"{W_hh}",
    "open": b'{"W_hh": ',
    "no UTF-8": b'{"\xff": 1}',
    "deep lists": b"[" * 500_000,
    "deep objects": b'{"a":' * 200_000,
    "a long number": b'{"W_hh":' + b"9" * 100_000 + b"}",
    "a long size": b'{"W_hh":{"dtype":"F64","shape":[' + b"9" * 5000 + b'],"data_offsets":[0,8]}}',
    "no tensor": {},
    "metadata alone": {"__metadata__": {}},
    **{f"an entry that is {entry}": {"W_hh": entry} for entry in (None, 1, "F64", [1], {})},
    **{f"the shape {shape}": tensor(shape=shape) for shape in (5, "11", None, [1.0, 1], [-1, -1], [True, True])},
    **{f"the shape {shape}": tensor(shape=shape) for shape in ([0, 1], [2, 1], [10**30, 1], [], [1, 1, 1], [[1], [1]])},
    **{f"at {at}": tensor(data_offsets=at) for at in ([-8, 0], [0, 9], [8, 16], [8, 0], [0, 2**70], [0.0, 8.0], [0])},
    **{f"at {at}": tensor(data_offsets=at) for at in ([0, 8, 9], [], "ab", 8, None, {"a": 0, "b": 8}, [[0], [8]])},
    **{
        f"of the type {type_}": tensor(dtype=type_)
        for type_ in ("BF16", "BOOL", "f64", "", None, 8, [1], {}, "F64" * 5000)
    },
}


@pytest.mark.parametrize("lie", TENSORS)
def test_a_safetensors_header_that_lies_is_refused_in_words(lie):
    refused("a.safetensors", safetensors(TENSORS[lie]))


@pytest.mark.parametrize("length", [0, 1, 10**4, 2**63, 2**64 - 1])
def test_a_safetensors_header_that_does_not_fit_is_refused(length):
    told = refused("a.safetensors", length.to_bytes(8, "little") + b"{}" + bytes(98))
    assert told.startswith(safetensors_header.NO_HEADER)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([*TYPES, 0, 8]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=6,
)
entries = st.fixed_dictionaries({"dtype": anything, "shape": anything, "data_offsets": anything})


@given(anything | st.dictionaries(st.text(max_size=3), anything | entries))
def test_any_json_as_header_is_refused_or_read(header):
    read("a.safetensors", safetensors(json.dumps(header).encode()))


@given(st.sampled_from(["dtype", "shape", "data_offsets"]), anything)
def test_any_json_in_one_place_of_a_header_is_refused_or_read(place, value):
    arrays = read("a.safetensors", safetensors(tensor(**{place: value})))
    assert arrays is None or arrays["W_hh"].tolist() in ([0], [[0]])


@given(st.sampled_from(ENDINGS), st.binary(max_size=200), st.sampled_from([b"", b"PK\5\6", b"PK\1\2", b"\x93NUMPY"]))
def test_any_bytes_are_refused_or_read(ending, some, sign):
    read(f"a{ending}", some + sign + some)


# ---- what is no number, and what is no file of ours --------------------------------------------


@KINDS
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 1.1e9, -1e300])
def test_a_number_that_is_not_finite_or_too_large_is_refused(number, ending):
    assert re.search("not (a )?finite", refused(f"W_hh{ending}", as_file(ending, number)))


@KINDS
@pytest.mark.parametrize("number", [1e9, -1e9, 5e-324])
def test_the_largest_and_the_smallest_number_are_read_as_they_are(number, ending):
    (array,) = read_arrays(f"W_hh{ending}", as_file(ending, number)).values()
    assert array.ravel()[-1] == number


def test_a_csv_names_the_place_of_what_is_no_number():
    assert re.match(r"\D+2\D+3\D+10\^9\b", refused("W_hh.csv", b"1,2,3\n4,5,six\n"))


@pytest.mark.parametrize("data", [b"1,2\n3,\xff", "1,2\n3,4".encode("utf-16")])
def test_a_text_that_is_no_utf_8_is_refused(data):
    assert "UTF-8" in refused("W_hh.csv", data)


@pytest.mark.parametrize("name", ["W_hh", "W_hh.txt", "W_hh.xlsx", ".npz", "W_hh.npz.zip", "W_hh.csv ", "", "W_hh."])
def test_any_other_ending_is_refused_with_those_that_are_read(name):
    why = refused(name, b"1,2\n3,4")
    assert all(ending in why for ending in (*ENDINGS, ".json"))


LONG = "Q" * 61


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (f"{LONG}.csv", b"six"),
        (f"{LONG}.{LONG}", b"1"),
        (f"{LONG}.npz", archive({LONG: b""})),
        (f"{LONG}.npz", archive({f"{LONG}.npy": b""})),
        (f"{LONG}.npz", archive({f"{LONG}.npy": npy(ONE, struct.pack("<d", np.nan))})),
        (f"{LONG}.npz", archive({f"{LONG}.npy": npy({"descr": f"<{LONG}", "fortran_order": False, "shape": (1,)})})),
        (f"{LONG}.safetensors", safetensors({LONG: 1})),
        (f"{LONG}.safetensors", safetensors({LONG: tensor(dtype=LONG)["W_hh"]})),
        (f"{LONG}.safetensors", safetensors({LONG: tensor(shape=[2])["W_hh"]})),
    ],
)
def test_a_refusal_never_repeats_a_long_name_or_text(name, data):
    assert LONG not in refused(name, data)


# ---- what is there twice, or very often ---------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_arrays_of_one_name_are_refused_by_that_name():
    def twice(*names: str) -> bytes:
        file = BytesIO()
        with zipfile.ZipFile(file, "w") as zip_:
            for at, name in enumerate(names):
                zip_.writestr(name, npy(ONE, struct.pack("<d", at)))
        return file.getvalue()

    one = json.dumps(tensor())[1:-1]
    for name, data in {
        "b.npz": twice("W_hh.npy", "b_h.npy", "W_hh.npy"),
        "folder.npz": twice("W_hh.npy", "a/W_hh.npy"),
        "folders.npz": twice("a/W_hh.npy", "./b/W_hh.npy"),
        "b.safetensors": safetensors(f"{{{one}, {one}}}".encode()),
        "escaped.safetensors": safetensors(f"{{{one}, {one.replace('W', chr(92) + 'u0057')}}}".encode()),
    }.items():
        assert refused(name, data) == reason(expect_unique, ["W_hh", "W_hh"]), name
    shape = b'{"W_hh": {"dtype": "F64", "shape": [1, 1], "shape": [1], "data_offsets": [0, 8]}}'
    assert refused("a.safetensors", safetensors(shape)) == reason(expect_unique, ["shape", "shape"])
    assert read_arrays("a.npz", twice("W_hh.npy", "a/b_h.npy")).keys() == {"W_hh", "b_h"}


@pytest.mark.slow
def test_a_safetensors_header_of_very_many_names_is_refused_at_once():
    names = [f'"{at}":0' for at in range(600_000)]
    for entries in (names, names[:100_000], ['"":0'] * 200_000):
        refused("a.safetensors", safetensors(f"{{{','.join(entries)}}}".encode()))
