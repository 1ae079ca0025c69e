"""Malformed model files of every format, from seeds: cut off, lying about sizes, bombs, loops, links and pickles.

    PYTHONPATH=. python -m tests.core.hostile_models

prints the slowest and the largest of them, each read in a process of its own.
"""

import io
import json
import os
import pickle
import resource
import struct
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from core.exchange.array_files import to_npz, to_safetensors
from core.exchange.model_files import read_model
from core.exchange.model_files.hdf5 import SIGNATURE

FOLDER = Path(__file__).parent / "golden" / "model_files"
MB = 2**20
# A pickle in one of the files would make this.
TRACE = Path("/tmp/cellscope-a-pickle-ran")
CUTS = 12


class Runs:
    """An object that creates TRACE when it is unpickled."""

    def __reduce__(self) -> tuple:
        return Path.touch, (TRACE,)


def weights(k: int = 2, m: int = 3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {"weight_ih_l0": rng.normal(size=(4 * k, m)), "weight_hh_l0": rng.normal(size=(4 * k, k))}


def golden(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


# ---- safetensors ---------------------------------------------------------------------------------


def safetensors(header: object, body: int = 160, length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + bytes(body)


def entry(shape: object, start: object, stop: object, dtype: object = "F32") -> dict:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, stop]}


RIGHT = {"weight_ih_l0": entry([8, 3], 0, 96), "weight_hh_l0": entry([8, 2], 96, 160)}


def of_safetensors() -> Iterator[tuple[str, bytes]]:
    data = to_safetensors(weights())
    for at in np.linspace(0, len(data) - 1, CUTS).astype(int):
        yield f"cut at {at}", data[:at]
    for length in (0, 1, 2**31, 2**63, 2**64 - 1, 161, 10**6):
        yield f"header of {length}", safetensors(RIGHT, length=length)
    wrong = {
        "huge shape": entry([2**40, 2**40], 0, 96),
        "huge offsets": entry([2**30, 3], 0, 12 * 2**30),
        "many axes": entry([1] * 200_000, 0, 4),
        "negative": entry([-8, -3], 0, 96),
        "float shape": entry([8.0, 3], 0, 96),
        "bool shape": entry([True, 24], 0, 96),
        "nested shape": entry([[8], [3]], 0, 96),
        "text shape": entry("83", 0, 96),
        "swapped offsets": entry([8, 3], 96, 0),
        "negative offsets": entry([8, 3], -96, 0),
        "odd BF16": entry([8, 3], 0, 95, "BF16"),
        "odd F16": entry([8, 3], 0, 47, "F16"),
        "odd F4": entry([3], 0, 1, "F4"),
        "unknown type": entry([8, 3], 0, 96, "F31"),
        "list type": entry([8, 3], 0, 96, ["F32"]),
        "no entry": [],
        "nothing": None,
        "beyond": entry([8, 3], 10**6, 10**6 + 96),
        "no numbers": entry([0, 3], 0, 0),
        "int weights": entry([8, 3], 0, 24, "I8"),
    }
    for name, one in wrong.items():
        yield name, safetensors({"weight_ih_l0": one, "weight_hh_l0": entry([8, 2], 96, 160)})
    yield "overlap", safetensors({**RIGHT, "weight_hh_l0": entry([8, 2], 32, 96)})
    yield "the same twice", safetensors({**RIGHT, "other": entry([8, 3], 0, 96)})
    yield "a hole", safetensors({**RIGHT, "weight_hh_l0": entry([8, 2], 100, 164)}, 164)
    yield "bytes behind", safetensors(RIGHT, 1000)
    yield "NaN", to_safetensors({**weights(), "weight_hh_l0": np.full((8, 2), np.nan)})
    yield "infinite", to_safetensors({**weights(), "weight_hh_l0": np.full((8, 2), -np.inf)})
    yield "deep lists", safetensors(b"[" * 100_000)
    yield "deep dicts", safetensors(b'{"a":' * 100_000)
    yield "long number", safetensors(b'{"a":' + b"9" * 1_000_000 + b"}")
    yield "no utf-8", safetensors(b'{"\xff":1}')
    yield "utf-16", safetensors(json.dumps(RIGHT).encode("utf-16"))
    aliases = {f"a.{at}": "weight_ih_l0" for at in range(100_000)}
    yield "100 000 names of one array", safetensors({"__metadata__": aliases, **RIGHT})
    yield "names of no array", safetensors({"__metadata__": {name: name for name in RIGHT}}, 0)
    yield "a name twice", safetensors(b'{"a":1,"a":2}')
    yield "4 MB of names", safetensors(b"{" + b",".join(b'"%d":[]' % at for at in range(400_000)) + b"}")
    yield "20001 arrays", safetensors({f"{at}": entry([0], 0, 0) for at in range(20_001)})
    yield "16 MB of spaces", safetensors(b" " * 16 * MB)
    one = np.ones((1, 4), "f4")
    yield (
        "9000 layers of Keras",
        to_safetensors({f"{at}/{kind}": one for at in range(9000) for kind in ("kernel", "recurrent_kernel")}),
    )
    # Each layer contains the names of all layers inside of it.
    for kinds, sign in ((("kernel", "recurrent_kernel"), "/"), (("weight_ih_l0", "weight_hh_l0"), ".")):
        inside = [f"a{sign}" * at + kind for at in range(1, 257) for kind in kinds]
        more = [f"a{sign}" * 256 + f"{at}" for at in range(3000)]
        yield f"layers inside of each other with {sign}", to_safetensors({name: one[:0] for name in (*inside, *more)})
        apart = {f"{at}{sign}{kind}": one * np.nan for at in range(256) for kind in kinds}
        yield (
            f"256 layers among 19 000 names with {sign}",
            to_safetensors({**apart, **{f"{at}": one[:0] for at in range(19_000)}}),
        )
    yield "a gap in layers", to_safetensors({**weights(), **{f"{n[:-1]}7": a for n, a in weights().items()}})


# ---- npz -----------------------------------------------------------------------------------------


def archive(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return file.getvalue()


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def npy_of(header: str, body: bytes = bytes(96), version: tuple[int, int] = (1, 0), length: int | None = None) -> bytes:
    text = header.encode() + b"\n"
    size = len(text) if length is None else length
    return b"\x93NUMPY" + bytes(version) + size.to_bytes(2 if version == (1, 0) else 4, "little") + text + body


def overlapping(count: int) -> bytes:
    """An archive whose directory names the same compressed bytes many times."""
    data = archive({"0.npy": npy(np.zeros(10**6))})
    start = data.index(b"PK\x01\x02")
    entry, end = data[start : data.index(b"PK\x05\x06")], bytearray(data[data.index(b"PK\x05\x06") :])
    directory = b"".join(entry[:28] + struct.pack("<H", 9) + entry[30:46] + (b"%05d.npy" % at) for at in range(count))
    struct.pack_into("<HHI", end, 8, min(count, 65535), min(count, 65535), len(directory))
    return data[:start] + directory + bytes(end)


def of_npz() -> Iterator[tuple[str, bytes]]:
    data = to_npz(weights())
    for at in np.linspace(0, len(data) - 1, CUTS).astype(int):
        yield f"cut at {at}", data[:at]
    right = {f"{name}.npy": npy(array) for name, array in weights().items()}
    headers = {
        "code": "__import__('os').system('touch /tmp/cellscope-a-pickle-ran')",
        "objects": "{'descr': '|O', 'fortran_order': False, 'shape': (8, 3)}",
        "structured": "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (8, 3)}",
        "void": "{'descr': '|V2147483647', 'fortran_order': False, 'shape': (8, 3)}",
        "huge": "{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776, 1099511627776)}",
        "huge power": "{'descr': '<f4', 'fortran_order': False, 'shape': (9**99999999,)}",
        "negative": "{'descr': '<f4', 'fortran_order': False, 'shape': (-8, -3)}",
        "bool": "{'descr': '<f4', 'fortran_order': False, 'shape': (True, 24)}",
        "deep": "(" * 5000 + ")" * 5000,
        "many axes": f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({'1,' * 3000})}}",
        "spaces": " " * 60_000,
    }
    for name, header in headers.items():
        yield f"header of {name}", archive({**right, "weight_ih_l0.npy": npy_of(header)})
    yield "long header", archive({**right, "weight_ih_l0.npy": npy_of(" " * 50 * MB, version=(2, 0))})
    yield "lying header", archive({**right, "weight_ih_l0.npy": npy_of("", version=(2, 0), length=2**32 - 1)})
    yield "version 9", archive({**right, "weight_ih_l0.npy": npy_of("{}", version=(9, 0))})
    yield "pickle", archive({**right, "weight_ih_l0.npy": npy(np.array([Runs()], object))})
    yield "pickle alone", pickle.dumps(Runs())
    yield "a PyTorch archive", archive({"model/data.pkl": pickle.dumps(Runs()), "model/data/0": bytes(96)})
    yield "short", archive({**right, "weight_ih_l0.npy": right["weight_ih_l0.npy"][:-1]})
    yield "long", archive({**right, "weight_ih_l0.npy": right["weight_ih_l0.npy"] + b"1"})
    yield "NaN", to_npz({**weights(), "weight_hh_l0": np.full((8, 2), np.nan)})
    yield "complex", to_npz({**weights(), "weight_hh_l0": np.zeros((8, 2), complex)})
    yield "bomb", archive({**right, "weight_ih_l0.npy": npy(np.zeros((8, 8 * MB), "f2"))})
    yield (
        "bomb within the sizes",
        to_npz({n: np.zeros((4096, s), "f4") for n, s in {"weight_ih_l0": 8192, "weight_hh_l0": 1024}.items()}),
    )
    yield "bomb of no array", archive({**right, "a.npy": bytes(100 * MB)})
    yield "18 MB of names", to_npz({"_" * 60_000 + f"{at}": np.zeros(0) for at in range(300)})
    path = "model_weights/" + "a/" * 15_000
    yield (
        "a path of 15 000 parts",
        to_npz({path + kind: np.full((1, 4), np.nan) for kind in ("kernel", "recurrent_kernel")}),
    )
    yield "bz2", archive(right, zipfile.ZIP_BZIP2)
    yield "lzma", archive(right, zipfile.ZIP_LZMA)
    yield "overlapping", overlapping(20_000)
    yield "too many", overlapping(60_000)
    yield "a text", archive({**right, "readme.txt": b"hello"})
    yield "up", archive({"../../weight_ih_l0.npy": right["weight_ih_l0.npy"]})
    yield "encrypted", data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")[:-1]
    yield "nothing in it", archive({})


# ---- HDF5, Keras ---------------------------------------------------------------------------------


def links_to(data: bytes, target: int, at: int) -> bytes:
    """An HDF5 file in which the object at one address is replaced by another one in all links."""
    return data.replace(struct.pack("<Q", at), struct.pack("<Q", target))


def addresses(data: bytes) -> list[int]:
    """The addresses of the objects in an HDF5 file that Keras wrote."""
    import pyfive

    found: list[int] = []

    def walk(group: object) -> None:
        for name, address in group._links.items():  # type: ignore[attr-defined]
            found.append(int(address))
            item = group.get_lazy_view(name)  # type: ignore[attr-defined]
            if not isinstance(item, pyfive.Dataset):
                walk(item)

    walk(pyfive.File(io.BytesIO(data)))
    return found


def without_numbers(data: bytes) -> bytes:
    """An HDF5 file one of whose arrays has no address, as if its numbers were never written or in another file."""
    import pyfive

    found: list[int] = []
    pyfive.File(io.BytesIO(data)).visititems(
        lambda name, item: found.append(item.id.data_offset) if name.endswith(("/0", "/recurrent_kernel")) else None
    )
    return data.replace(struct.pack("<Q", found[0]), struct.pack("<Q", 2**64 - 1))


def of_h5() -> Iterator[tuple[str, bytes]]:
    for name in ("keras_lstm.weights.h5", "keras_both_old.h5"):
        data = golden(name)
        for at in np.linspace(0, len(data) * 0.9, CUTS).astype(int):
            yield f"{name} cut at {at}", data[:at]
        places = addresses(data)
        for at in places[1:]:
            yield f"{name} with a loop at {at}", links_to(data, places[0], at)
            yield f"{name} with an address beyond at {at}", links_to(data, 2**60, at)
        yield f"{name} with numbers in another file", without_numbers(data)
    yield "signature", SIGNATURE
    yield "zeros", SIGNATURE + bytes(10**6)
    yield "ones", SIGNATURE + b"\xff" * 10**6
    yield "text", b"<html>" * 1000


def of_keras() -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(golden("keras_both.keras"))) as opened:
        right = {name: opened.read(name) for name in opened.namelist()}
    data = archive(right)
    for at in np.linspace(0, len(data) - 1, CUTS).astype(int):
        yield f"cut at {at}", data[:at]
    # The configuration of the layers in `right`, with an activation that no cell has.
    layer = {"class_name": "LSTM", "config": {"activation": "elu"}}
    refused = [layer, {"class_name": "Bidirectional", "config": {"layer": layer}}]
    inside = {"layers": [{"class_name": "LSTM"}] * 20_000}
    long_class = {"config": {"layers": [*refused, {"class_name": "a" * 10**6, "config": inside}]}}
    cells = {"class_name": "StackedRNNCells", "config": {"cells": [{"class_name": "LSTMCell"}] * 20_000}}
    long_name = {"class_name": "RNN", "config": {"name": "a" * 10**6, "cell": cells}}
    for name, config in {
        "no json": b"<html>",
        "deep": b'{"config":' * 100_000,
        "bomb": b" " * 100 * MB,
        "no utf-8": b"\xff\xfe",
        "a name twice": b'{"a":1,"a":1}',
        "a long class of 20 000 layers": json.dumps(long_class).encode(),
        "a long name of 20 000 cells": json.dumps({"config": {"layers": [*refused, long_name]}}).encode(),
        "100 000 layers": json.dumps({"config": {"layers": [{"class_name": "LSTM"}] * 100_000}}).encode(),
    }.items():
        yield f"configuration: {name}", archive({**right, "config.json": config})
    yield "no weights", archive({"config.json": right["config.json"]})
    yield "weights bomb", archive({**right, "model.weights.h5": SIGNATURE + bytes(150 * MB)})
    yield "weights cut", archive({**right, "model.weights.h5": right["model.weights.h5"][:5000]})
    yield "pickle", archive({**right, "model.weights.h5": pickle.dumps(Runs())})


# ---- ONNX ----------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def message(number: int, body: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(body)) + body


def onnx_of(*parts: bytes) -> bytes:
    return message(7, b"".join(parts))


def tensor(name: bytes, dims: tuple[int, ...], raw: bytes, type_: int = 1) -> bytes:
    sizes = b"".join(varint(1 << 3) + varint(dim) for dim in dims)
    return message(5, sizes + b"\x10" + varint(type_) + message(8, name) + message(9, raw))


def of_onnx() -> Iterator[tuple[str, bytes]]:
    data = golden("lstm_2_both.onnx")
    for at in np.linspace(0, len(data) * 0.9, CUTS).astype(int):
        yield f"cut at {at}", data[:at]
    lstm = message(1, message(1, b"x") + message(1, b"W") + message(1, b"R") + message(4, b"LSTM"))
    R = tensor(b"R", (1, 8, 2), bytes(64))
    yield "claimed dims", onnx_of(lstm, tensor(b"W", (1, 2**40, 2**40), bytes(96)), R)
    yield "negative dims", onnx_of(lstm, tensor(b"W", (1, 2**64 - 8, 3), bytes(96)), R)
    yield "many dims", onnx_of(lstm, tensor(b"W", (1,) * 100_000, bytes(4)), R)
    yield "odd BF16", onnx_of(lstm, tensor(b"W", (1, 8, 3), bytes(47), 16), R)
    yield "odd float16", onnx_of(lstm, tensor(b"W", (1, 8, 3), bytes(49), 10), R)
    yield "int8", onnx_of(lstm, tensor(b"W", (1, 8, 3), bytes(24), 3), R)
    yield "NaN", onnx_of(lstm, tensor(b"W", (1, 8, 3), b"\xff" * 96), R)
    yield "external", onnx_of(lstm, message(5, message(8, b"W") + message(13, b"/etc/passwd")), R)
    yield "no R", onnx_of(lstm, tensor(b"W", (1, 8, 3), bytes(96)))
    yield "nothing", b""
    yield "no graph", message(1, b"a") * 1000
    yield "two graphs", onnx_of(lstm) * 2
    yield "a long varint", b"\x3a" + b"\xff" * 100
    yield "a long length", b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
    yield "a group", b"\x3b" * 1000
    yield "a million fields", b"\x3a" + varint(2_000_000) + b"\x08\x01" * 1_000_000
    yield "20001 nodes", onnx_of(*[message(1, b"")] * 20_001)
    small = tensor(b"W", (1, 8, 3), bytes(96))
    yield "9000 layers on one weight", onnx_of(*[lstm] * 9000, small, R)
    yield "300 000 outputs", onnx_of(message(1, message(2, b"") * 190_000))
    yield "packed dims", onnx_of(lstm, message(5, message(1, b"\x01" * 10**6) + message(8, b"W")))
    one_byte = varint(2**24) + b"\x01" * 2**24
    yield "16 M axes", onnx_of(lstm, message(5, b"\x0a" + one_byte + message(8, b"W")))
    yield "16 M whole numbers", onnx_of(lstm, message(5, b"\x3a" + one_byte + message(8, b"i")))
    yield "16 M whole numbers of a node", onnx_of(message(1, message(5, b"\x42" + one_byte)), lstm)
    for name, halves in {
        "in one field": b"\x2a" + one_byte,
        "in 390 000 fields": message(5, b"\x01") * 390_000,
    }.items():
        yield f"16-bit numbers {name}", onnx_of(lstm, message(5, b"\x10\x0a" + message(8, b"W") + halves))
    yield "60 MB of names", onnx_of(message(1, message(1, "😀".encode() + b"\xff" * 396) * 150_000))
    yield from of_onnx_with_nodes(lstm, small, R)
    deep = b""
    for _ in range(2000):
        deep = message(1, message(5, message(1, b"a") + message(6, deep)))
    yield "deep graphs", onnx_of(deep)
    yield "a graph is a number", b"\x38\x01"


def node(op: str, inputs: list[bytes], output: bytes, **numbers: list[int]) -> bytes:
    """A node whose attributes are lists of whole numbers. Only `axis` is one number."""
    fields = [message(1, one) for one in inputs] + [message(2, output), message(4, op.encode())]
    for name, values in numbers.items():
        written = [varint(one % 2**64) for one in values]
        body = b"\x18" + written[0] if name == "axis" else message(8, b"".join(written))
        fields.append(message(5, message(1, name.encode()) + body))
    return message(1, b"".join(fields))


def of_onnx_with_nodes(lstm: bytes, first: bytes, R: bytes) -> Iterator[tuple[str, bytes]]:
    """Graphs whose nodes make the weights W of the array in `first`."""
    first = first.replace(b"\x42\x01W", b"\x42\x01A")

    def graph(*nodes: bytes) -> bytes:
        return onnx_of(*nodes, lstm, first, R)

    for places in ([2**62, 2**62, 4], [-1, -1, 3], [0] * 9, [-7, 1, 3]):
        s = tensor(b"s", (len(places),), np.array(places, "<i8").tobytes(), 7)
        yield f"reshaped to {places}", graph(node("Reshape", [b"A", b"s"], b"W"), s)
    yield "short places", graph(node("Reshape", [b"A", b"s"], b"W"), tensor(b"s", (3,), bytes(7), 7))
    yield "an axis that is not there", graph(node("Transpose", [b"A"], b"W", perm=[0, 0, 7]))
    yield "a step of 0", graph(node("Slice", [b"A", b"z", b"z", b"z", b"z"], b"W"), tensor(b"z", (1,), bytes(8), 7))
    yield "no axis", graph(node("Concat", [b"A", b"A"], b"W"))
    yield "a node that reads itself", graph(node("Concat", [b"W", b"W"], b"W", axis=[0]))
    row = [node("Transpose", [b"A" if not at else b"%d" % at], b"%d" % (at + 1)) for at in range(5000)]
    yield "5000 nodes in a row", graph(*row, node("Identity", [b"5000"], b"W"))
    twice = [node("Concat", [b"A" if not at else b"%d" % at] * 2, b"%d" % (at + 1), axis=[2]) for at in range(60)]
    yield (
        "60 times twice as large",
        graph(*twice, node("Slice", [b"60"], b"W", starts=[0], ends=[3], axes=[2]), tensor(b"z", (1,), bytes(8), 7)),
    )
    # Concat of Concat of …, of arrays that are empty or have one number.
    empty, single = tensor(b"0", (1, 0, 3), b""), tensor(b"0", (1, 1, 1), bytes(4))
    tower = [node("Concat", [b"%d" % at] * 50, b"%d" % (at + 1), axis=[0]) for at in range(18)]
    cut_again = [
        part
        for at in range(0, 18, 2)
        for part in (
            node("Concat", [b"%d" % at] * 50, b"%d" % (at + 1), axis=[2]),
            node("Slice", [b"%d" % (at + 1)], b"%d" % (at + 2), starts=[0], ends=[1], axes=[2]),
        )
    ]
    top = [node("Slice", [b"18"], b"e", starts=[0], ends=[1], axes=[0]), node("Concat", [b"A", b"e"], b"W", axis=[1])]
    yield "50^18 empty arrays", graph(*tower, *top, empty)
    s = tensor(b"s", (3,), np.array([1, 8, 3], "<i8").tobytes(), 7)
    yield (
        "50^9 arrays of one number",
        graph(*cut_again, node("Concat", [b"18"] * 24, b"J", axis=[2]), node("Reshape", [b"J", b"s"], b"W"), single, s),
    )
    yield "30 000 axes", graph(node("Unsqueeze", [b"A"], b"W", axes=list(range(30_000))))
    yield "100 000 inputs that say the shape", graph(node("Reshape", [b"A"] + [b"s"] * 100_000, b"W"), s)
    yield "100 000 joined", graph(node("Concat", [b"A"] * 100_000, b"W", axis=[2]))
    yield (
        "a few of 32 M numbers",
        graph(
            node("Slice", [b"L"], b"W", starts=[0], ends=[3], axes=[2]), tensor(b"L", (1, 8, 2**22), bytes(2**26), 10)
        ),
    )
    # 8 M numbers, of which each layer reads a few. The other weights are not finite.
    large = tensor(b"L", (1, 8, 2**17), bytes(2**21), 10)
    nan = tensor(b"N", (1, 8, 2), b"\xff" * 64)
    joined = node("Concat", [b"L"] * 8, b"J", axis=[0])
    cut = [node("Slice", [b"J"], b"%d" % at, starts=[0, 0], ends=[1, 2], axes=[0, 2]) for at in range(200)]
    layers = [
        message(1, message(1, b"x") + message(1, b"%d" % at) + message(1, b"N") + message(4, b"LSTM"))
        for at in range(200)
    ]
    yield "200 layers that read a small part", onnx_of(joined, *cut, *layers, large, nan)


READERS = {
    ".safetensors": of_safetensors,
    ".npz": of_npz,
    ".h5": of_h5,
    ".keras": of_keras,
    ".onnx": of_onnx,
}


def flipped(name: str, count: int) -> Iterator[bytes]:
    """A file with a few changed bytes, of which some still holds numbers."""
    data = golden(name)
    for way in range(count):
        rng, changed = np.random.default_rng([len(name), way]), bytearray(data)
        for at in rng.integers(0, len(data), size=int(rng.integers(1, 40))):
            changed[at] = int(rng.integers(256))
        yield bytes(changed)


def measured(name: str, data: bytes) -> tuple[float, float, str]:
    """Read a file in a process of its own; return the seconds, the additional MB and the message."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        before, start, said = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time(), "taken"
        try:
            read_model(name, data)
        except ValueError as error:
            said = str(error)
        except BaseException as error:
            said = f"TRACEBACK {error!r}"
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        os.write(writing, json.dumps([time.process_time() - start, (most - before) / 1024, said]).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        took = json.loads(answer.read())
    os.waitpid(child, 0)
    return took[0], took[1], took[2]


def main() -> None:
    import pyfive  # noqa: F401 - so that no reading imports it

    rows = [
        (*measured(f"a{suffix}", data), f"{suffix} {name}") for suffix, made in READERS.items() for name, data in made()
    ]
    print(
        f"{len(rows)} files, {sum(row[2] == 'taken' for row in rows)} taken, {sum('TRACEBACK' in row[2] for row in rows)} tracebacks"
    )
    for row in sorted(rows, key=lambda row: -row[0])[:8]:
        print(f"{row[0]:6.2f} s  {row[3]}: {row[2]}")
    for row in sorted(rows, key=lambda row: -row[1])[:8]:
        print(f"{row[1]:6.0f} MB {row[3]}: {row[2]}")
    for row in rows:
        if row[2] == "taken" or "TRACEBACK" in row[2]:
            print(f"{row[3]}: {row[2]}")
    print("a pickle ran" if TRACE.exists() else "no pickle ran")


if __name__ == "__main__":
    main()
