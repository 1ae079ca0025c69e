"""Input sequences from files: what is taken, what is cut, and what is refused."""

import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.exchange import archives
from core.exchange.array_files import to_npz
from core.exchange.matrix_text import read_table
from core.exchange.model_files import read_model
from core.exchange.model_files.contents import Embedding
from core.exchange.sequence_files import (
    MOST_LETTERS,
    MOST_SEQUENCES,
    MOST_STEPS,
    read_sequence,
    with_batch_first,
    with_tokens,
)
from core.model_diagnosis.inputs import BATCH, FIRST_AXES, INDICES, TIME, Input, input_of, most_steps, tokens
from tests.core import planted_faults
from tests.sentences import reason

ROWS = np.array([[1.5, -2, 0], [0.25, 1e-3, 7]])


def npy(array: np.ndarray) -> bytes:
    file = BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", b"1.5,-2,0\n0.25,1e-3,7\n"),
        ("a.CSV", b"x,y,z\n1.5,-2,0\n0.25,1e-3,7"),
        ("a.csv", b'"x"\t"y"\t"z"\r\n1.5\t-2\t0\r\n\r\n0.25\t1e-3\t7\r\n'),
        ("a.csv", b"\xef\xbb\xbf1.5;-2;0\n0.25;1e-3;7"),
        ("a.npy", npy(ROWS)),
        ("a.npy", npy(np.asfortranarray(ROWS[:, None]))),
        ("a.npz", to_npz({"anything": ROWS})),
        ("a.npz", to_npz({"h0": np.zeros(2), "xs": ROWS})),
    ],
)
def test_the_same_steps_in_every_format(name, data):
    read = read_sequence(name, data)
    assert read.xs is not None and not read.is_cut and (read.steps, read.sequences) == (2, 1)
    assert_array_equal(read.xs[:, :, 0], ROWS)


def test_the_axes_of_sequences_are_swapped_as_in_pytorch():
    array = np.random.default_rng(0).normal(size=(5, 2, 3))
    read = read_sequence("a.npy", npy(array.astype("f4")))
    assert_array_equal(read.xs, array.astype("f4").transpose(0, 2, 1))


def test_the_first_axis_may_be_the_batch():
    array = np.random.default_rng(0).normal(size=(5, 2, 6))
    read = read_sequence("a.npy", npy(array))
    for first_axis, xs in ((TIME, array.transpose(0, 2, 1)), (BATCH, array.transpose(1, 2, 0))):
        given = input_of(LAYERS, "", is_own=False, seed=0, file=read, first_axis=first_axis)
        assert_array_equal(given.xs, xs)
    many = with_batch_first(read_sequence("a.npy", npy(np.zeros((MOST_SEQUENCES + 1, 4, 2)))))
    assert many.is_cut and (many.steps, many.sequences, many.xs.shape) == (
        4,
        MOST_SEQUENCES + 1,
        (4, 2, MOST_SEQUENCES),
    )
    # Beyond the sequences that are taken as the second axis, but among the steps that are taken.
    array = np.zeros((4, MOST_STEPS, 2))
    array[1, MOST_SEQUENCES, 1] = np.nan
    with pytest.raises(ValueError, match=rf"^x_t\D+{MOST_SEQUENCES + 1}\D+2\D+2\D+$"):
        with_batch_first(read_sequence("a.npy", npy(array)))
    rows = read_sequence("a.npy", npy(ROWS))
    assert with_batch_first(rows) is rows


def test_another_reading_of_the_axes_is_another_input():
    read = read_sequence("a.npy", npy(np.zeros((3, 3, 6))))
    keys = {input_of(LAYERS, "", is_own=False, seed=0, file=read, first_axis=one).key for one in FIRST_AXES}
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("name", "data", "steps"),
    [
        ("a.csv", b"h\n" + b"1,2\n" * (MOST_STEPS + 1), MOST_STEPS + 1),
        ("a.npy", npy(np.zeros((MOST_STEPS + 1, 2))), MOST_STEPS + 1),
        ("a.npy", npy(np.zeros((4, MOST_SEQUENCES + 1, 2))), 4),
        ("a.txt", b"a" * (MOST_LETTERS + 1), MOST_LETTERS + 1),
    ],
)
def test_what_is_cut_is_told(name, data, steps):
    read = read_sequence(name, data)
    assert read.is_cut and read.steps == steps
    assert read.xs is None or read.xs.shape[0] <= MOST_STEPS and read.xs.shape[2] <= MOST_SEQUENCES
    assert not read_sequence("a.csv", b"h\n" + b"1,2\n" * MOST_STEPS).is_cut


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.exe", b"", "kinds"),
        ("a.csv", b"", f"^{re.escape(reason(read_table, chr(10), 1, 1, 1))}$"),
        ("a.csv", b"a,b\n", r"\b10\^9\b"),
        ("a.csv", b"1,nan\n", r"\b10\^9\b"),
        ("a.csv", b"1,1_0\n", r"\b10\^9\b"),
        ("a.csv", b"1,2\n3\n", r"^\D+2\D+1\D+1\D+1\D+2\b"),
        ("a.csv", b"h,h\n1,2\n3,inf\n", r"^\D+3\D+2\b"),
        ("a.csv", b"1," * 9_000_000, r"\b8192\b"),
        ("a.csv", b"\xff\xfe", "UTF-8"),
        ("a.txt", b"", "empty"),
        ("a.npy", npy(np.full((3, 2), np.inf)), r"^x_t\b.*\bNaN\D+1\D+1\D+1\D+$"),
        ("a.npy", npy(np.array([{}], object)), "pickles"),
        ("a.npy", npy(np.zeros((3, 2)))[:-1], f"^{re.escape(archives.WRONG_SIZE)}$"),
        ("a.npy", npy(np.zeros((1, 1, 1, 1))), "Reshape"),
        ("a.npy", npy(np.zeros((0, 3))), "shape"),
        ("a.npy", npy(np.zeros((2, 3), complex)), "floats"),
        ("a.npy", npy(np.zeros((1, 1))).replace(b"(1, 1)", b"(9**9,").replace(b"), }", b"   }"), "npy"),
        ("a.npz", to_npz({"a": ROWS, "b": ROWS}), r"\bxs\.$"),
        ("a.npz", b"PK", "zip archive"),
    ],
)
def test_what_cannot_be_taken_is_refused(name, data, why):
    with pytest.raises(ValueError, match=why):
        read_sequence(name, data)


def test_a_claimed_size_is_refused_before_it_is_read():
    claimed = npy(np.zeros((2, 2), "f4")).replace(b"(2, 2), }          ", b"(99999, 99999), }  ")
    with pytest.raises(ValueError, match="at most"):
        read_sequence("a.npy", claimed)


# ---- the input of a network ----------------------------------------------------------------------

LAYERS = planted_faults.contents_of(planted_faults.weights("LSTM")).networks[0].layers


def test_a_text_is_one_hot_over_its_sorted_alphabet():
    given = input_of(LAYERS, "cab", is_own=False, seed=0)
    assert given.how == "one-hot" and list(given.labels) == ["c", "a", "b"]
    assert_array_equal(given.xs[:, :3, 0], np.eye(3)[[2, 0, 1]])


def test_indices_are_what_the_reader_types():
    given = input_of(LAYERS, "5, 0 5", is_own=False, seed=0, reading=INDICES)
    assert_array_equal(given.xs[:, :, 0].argmax(axis=1), [5, 0, 5])
    assert list(given.labels) == ["5", "0", "5"]
    with pytest.raises(ValueError, match="whole number"):
        input_of(LAYERS, "5 -1", is_own=False, seed=0, reading=INDICES)


def test_an_embedding_of_the_right_width_is_read():
    rows = np.random.default_rng(0).normal(size=(9, planted_faults.M))
    tables = [Embedding("wide", np.zeros((9, planted_faults.M + 1))), Embedding("embed.weight", rows)]
    given = input_of(LAYERS, "8 0", is_own=False, seed=0, reading=INDICES, embeddings=tables)
    assert (given.how, given.table) == ("embedding", "embed.weight")
    assert_array_equal(given.xs[:, :, 0], rows[[8, 0]])
    assert input_of(LAYERS, "9", is_own=False, seed=0, reading=INDICES, embeddings=tables).how == "noise"


def test_a_text_file_may_hold_indices():
    indices = np.arange(MOST_STEPS + 1) % planted_faults.M
    file = read_sequence("a.txt", " ".join(map(str, indices)).encode())
    given = input_of(LAYERS, "", is_own=False, seed=0, reading=INDICES, file=file)
    assert_array_equal(given.xs[:, :, 0].argmax(axis=1), indices[:MOST_STEPS])
    assert given.is_cut and given.reading == INDICES
    # A word of the file that the cut divides is no index.
    file = read_sequence("a.txt", b"0    " * (MOST_LETTERS // 5) + b"5" * 9)
    given = input_of(LAYERS, "", is_own=False, seed=0, reading=INDICES, file=file)
    assert given.is_cut and set(given.labels) == {"0"}
    file = read_sequence("a.txt", b"1234567, " * (MOST_STEPS + 1000))
    assert len(tokens(file.text, INDICES, is_own=False)[0]) >= MOST_STEPS
    for data, why in ((b"5 cab", "“cab”.*whole number"), (b"x" * 1000, "^“x{20}”.*whole number")):
        with pytest.raises(ValueError, match=why):
            input_of(LAYERS, "", is_own=False, seed=0, reading=INDICES, file=read_sequence("a.txt", data))


def test_an_array_of_indices_is_read_through_the_embedding():
    rng, M = np.random.default_rng(0), planted_faults.M
    tables, indices = [Embedding("embed.weight", rng.normal(size=(9, M)))], rng.integers(9, size=(7, 4))

    def read(array: np.ndarray, **more: str) -> Input:
        file = with_tokens(read_sequence("a.npy", npy(array)), M, 9)
        return input_of(LAYERS, "", is_own=False, seed=0, embeddings=tables, file=file, **more)

    for array in (indices, indices.astype("f4"), indices[:, :, None]):
        given = read(array)
        assert (given.how, given.reading, given.table) == ("embedding", INDICES, "embed.weight")
        assert_array_equal(given.xs, tables[0].rows[indices].transpose(0, 2, 1))
        assert list(given.labels) == [str(index) for index in indices[:, 0]]
        assert given.distinct == indices.max() + 1
    assert_array_equal(read(indices, first_axis=BATCH).xs, tables[0].rows[indices.T].transpose(0, 2, 1))
    assert_array_equal(read(indices[:, 0]).xs, tables[0].rows[indices[:, :1]].transpose(0, 2, 1))
    # An array as wide as the input of the network holds indices only if it has integers and one is above 1.
    wide = rng.integers(2, 9, size=(7, M))
    found = [read(array).how for array in (wide, wide.astype("f4"), np.ones((7, M), int), np.ones((7, 2, M), int) * 2)]
    assert found == ["embedding", "numbers", "numbers", "numbers"]
    # One-hot vectors of another width are no indices.
    for array in (indices + 0.5, indices - 1, indices + 9, np.eye(9, dtype=int), np.eye(9)):
        with pytest.raises(ValueError, match=f"has {M} inputs.* 8"):
            read(array)


def test_a_file_with_indices_keeps_its_size():
    array = np.arange(3000 * 3).reshape(3000, 3) % 9
    csv = b"\n".join(b",".join(b"%d" % index for index in row) for row in array)
    for name, data in (("a.npy", npy(array)), ("a.csv", csv)):
        file = with_tokens(read_sequence(name, data), planted_faults.M, 9)
        assert (file.steps, file.sequences, file.is_cut) == (3000, 3, True)
        turned = with_batch_first(file)
        assert (turned.steps, turned.sequences, turned.xs.shape) == (3, 3000, (3, 1, MOST_SEQUENCES))


def test_numbers_must_have_the_width_of_the_network():
    file = read_sequence("a.npy", npy(np.zeros((4, 2, planted_faults.M))))
    assert input_of(LAYERS, "", is_own=False, seed=0, file=file).xs.shape == (4, planted_faults.M, 2)
    with pytest.raises(ValueError, match=f"has {planted_faults.M} inputs"):
        input_of(LAYERS, "", is_own=False, seed=0, file=read_sequence("a.npy", npy(np.zeros((4, 2)))))


def test_a_network_of_512_units_in_two_layers_has_512_steps():
    class Sizes:
        directions, k, m = (None,), 512, 512

    assert most_steps([Sizes, Sizes]) >= 512
    assert most_steps([Sizes, Sizes], B=16) < 512


def test_an_encoder_and_a_decoder_read_their_own_embeddings():
    tables = [
        Embedding(f"{name}_embedding.weight", np.full((9, planted_faults.M), at))
        for at, name in enumerate(("dec", "enc"))
    ]
    for at, name in enumerate(("decoder", "encoder")):
        layers = [replace(LAYERS[0], name=name)]
        given = input_of(layers, "8 0", is_own=False, seed=0, reading=INDICES, embeddings=tables)
        assert given.table == tables[at].name and given.xs[0, 0, 0] == at


@pytest.mark.parametrize("name", ["embed.weight", "encoder.token_embedding.weight", "transformer.wte.weight", "emb"])
def test_an_embedding_in_a_file_is_found(name):
    table = np.random.default_rng(0).normal(size=(9, planted_faults.M))
    others = {"pos_emb.weight": table, "member.weight": table, "head.weight": table.T}
    contents = read_model("a.npz", to_npz({**planted_faults.weights("GRU"), name: table, **others}))
    assert [one.name for one in contents.embeddings] == [name]
    assert {one.name for one in contents.left_out} == set(others)
