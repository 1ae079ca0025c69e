"""The input that a network is examined on: a text or the indices of tokens, numbers from a file, or noise."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonprefix

import numpy as np

from core.arrays import Array
from core.exchange.model_files.contents import Embedding, FoundLayer
from core.exchange.sequence_files import MOST_STEPS, SequenceFile, with_batch_first
from core.sequence.inputs import alphabet
from core.training.tasks import TEXT

# The first axis of a file with three axes: the steps or the sequences.
TIME, BATCH = "time", "batch"
FIRST_AXES = (TIME, BATCH)
STEPS_OF_NOISE = 100
# Weights times steps that take about ten seconds.
MOST_PRODUCTS = 6 * 10**9
# The numbers that the steps of all layers keep: 96 MB with the right to a large file, which few sessions have, and 20 MB without it.
MOST_KEPT, MOST_KEPT_BY_EACH = 12 * 2**20, 5 * 2**19
# From here on a diagnosis takes more than some 50 ms.
LONG_PRODUCTS, LONG_STEPS = 10**7, 1000
# The numbers that a step of an LSTM keeps for each unit; other cells keep fewer.
KEPT_BY_UNIT = 20
# Letters that the error message has of a word that is no index.
MOST_OF_WORD = 20
LETTERS, INDICES = "letters", "indices"
READINGS = (LETTERS, INDICES)


@dataclass(frozen=True)
class Input:
    """An input.

    Attributes
    ----------
    xs : ndarray of shape (T, m, B)
    how : str
        "noise", "one-hot", "own alphabet", "embedding", or "numbers" of a file.
    labels : sequence of str, optional
        The letter or the index of each step; None for noise and for numbers.
    distinct : int
        How many different letters the text has, or the largest index and 1.
    is_cut : bool
        Whether there were more steps or sequences.
    table : str
        The name of the embedding.
    key : tuple
        What the input follows from.
    reading : {"letters", "indices"}
        Of a text.
    """

    xs: Array
    how: str
    labels: Sequence[str] | None
    distinct: int
    is_cut: bool
    table: str
    key: tuple[object, ...]
    reading: str = LETTERS

    @property
    def unknown(self) -> list[str]:
        """The different letters that the network was not trained on, in the order of the text. They set no entry of x_t."""
        letters = zip(self.labels or (), self.xs[:, :, 0]) if self.is_one_hot else ()
        return list(dict.fromkeys(letter for letter, x in letters if not x.any()))

    @property
    def is_one_hot(self) -> bool:
        """Whether a token sets one entry of x_t to 1."""
        return self.how in ("one-hot", "own alphabet")


def are_tokens(xs: Array) -> bool:
    """Whether each step of shape (T, m, B) sets one entry to 1, apart from padding, and different steps different entries."""
    if not np.isin(xs, (0, 1)).all():
        return False
    count = xs.sum(axis=1)
    # At the start or at the end of a sequence, the number of set entries changes once.
    is_padded_once = (np.abs(np.diff(count, axis=0)).sum(axis=0) <= 1).all()
    return bool(count.max() == 1 and is_padded_once and (xs.max(axis=(0, 2)) > 0).sum() > 1)


def products(layers: Sequence[FoundLayer]) -> int:
    """Return about how many weights a step of a network reads."""
    return sum(len(layer.directions) * 4 * layer.k * (layer.k + layer.m) for layer in layers)


def takes_long(layers: Sequence[FoundLayer], xs: Array) -> bool:
    """Whether the diagnosis of a network over an input takes more than a moment."""
    return products(layers) * xs.shape[0] * xs.shape[2] > LONG_PRODUCTS or len(xs) * len(layers) > LONG_STEPS


def most_steps(layers: Sequence[FoundLayer], B: int = 1, most_kept: int = MOST_KEPT) -> int:
    """Return the number of steps over which a network runs in bounded time and memory."""
    cost = products(layers)
    # Each direction keeps its input in its own order, and a second time in its stacked input.
    kept = sum(len(layer.directions) * (KEPT_BY_UNIT * layer.k + 2 * layer.m) for layer in layers)
    return max(8, min(MOST_STEPS, MOST_PRODUCTS // (cost * B), most_kept // (kept * B)))


def tokens(passage: str, reading: str, *, is_own: bool, is_cut: bool = False) -> tuple[list[int], Sequence[str]]:
    """Return the index of each step of a text, -1 for an unknown letter, and its label.

    Parameters
    ----------
    passage : str
    reading : {"letters", "indices"}
        Whether each letter is a token, by its place in the sorted alphabet of the text, or each whole number in the text.
    is_own : bool
        Whether it is a network of Cellscope, whose alphabet is that of its training.
    is_cut : bool, optional
        Whether the text goes on. Then its last word may be the start of a longer one, and is no index.

    Raises
    ------
    ValueError
        If the text has something else than whole numbers.
    """
    if reading == INDICES:
        words = [word for word in re.split(r"[\s,;]+", passage)[: -1 if is_cut else None] if word]
        wrong = [word for word in words if not re.fullmatch(r"[0-9]{1,7}", word)]
        if not words:
            raise ValueError("The text has no token index. Write the token indices like 5 0 12.")
        if wrong:
            raise ValueError(
                f"“{wrong[0][:MOST_OF_WORD]}” is not a whole number from 0 on. Write the token indices like 5 0 12."
            )
        return [int(word) for word in words], words
    known = alphabet(TEXT) if is_own else "".join(sorted(set(passage)))
    places = {letter: at for at, letter in enumerate(known)}
    return [places.get(letter, -1) for letter in passage], passage


def table_of(layers: Sequence[FoundLayer], embeddings: Sequence[Embedding]) -> Embedding | None:
    """Return the embedding whose rows the first layer of a network can read, if there is one."""
    # An encoder and a decoder may both have an embedding, which then shares the start of its name with its own layers.
    tables = [one for one in embeddings if one.rows.shape[1] == layers[0].m]
    return max(tables, key=lambda one: len(commonprefix([one.name, layers[0].name])), default=None)


def input_of(
    layers: Sequence[FoundLayer],
    passage: str,
    *,
    is_own: bool,
    seed: int,
    reading: str = LETTERS,
    embeddings: Sequence[Embedding] = (),
    file: SequenceFile | None = None,
    first_axis: str = TIME,
    most_kept: int = MOST_KEPT,
) -> Input:
    """Return the input of a network.

    Parameters
    ----------
    layers : sequence of FoundLayer
        Their sizes bound the number of steps.
    passage : str
        The text.
    is_own : bool
        Whether it is a network of Cellscope, whose alphabet is that of its training. That of a file is taken as sorted.
    seed : int
        Of the noise that takes the place of tokens without an entry of x_t.
    reading : {"letters", "indices"}
        Of the text, also of that in a file.
    embeddings : sequence of Embedding
        Of the file; of those whose width is m, the one whose name starts most like that of the first layer is read.
    file : SequenceFile, optional
        In place of the text; of indices, after `with_tokens`.
    first_axis : {"time", "batch"}
        Of a file of several sequences.
    most_kept : int, optional
        The numbers that the steps of all layers may keep, which bound the number of steps as well.

    Raises
    ------
    ValueError
        If the file has another number of entries than x_t, or if the indices cannot be read.
    """
    if file and first_axis == BATCH:
        file = with_batch_first(file)
    m, table = layers[0].m, table_of(layers, embeddings)
    if file and file.xs is not None:
        if file.has_tokens and table:
            return _input_of_indices(layers, file, file.xs, table, most_kept)
        return _input_of_numbers(layers, file, file.xs, table, most_kept)
    passage = file.text if file else passage
    is_cut = bool(file and file.is_cut)
    indices, labels = tokens(passage, reading, is_own=is_own, is_cut=is_cut)
    steps = most_steps(layers, most_kept=most_kept)
    is_cut = is_cut or steps < len(indices)
    indices, labels, distinct = indices[:steps], labels[:steps], max(indices) + 1
    key = (passage, reading, is_own, seed, steps, table.name if table else "")
    if distinct > (len(table.rows) if table else m):
        xs = np.random.default_rng(seed).standard_normal((min(steps, STEPS_OF_NOISE), m, 1))
        return Input(xs, "noise", None, distinct, False, table.name if table else "", key, reading)
    if table:
        xs = table.rows[indices][:, :, None]
        return Input(xs, "embedding", labels, distinct, is_cut, table.name, key, reading)
    xs = (np.array(indices)[:, None] == np.arange(m)).astype(float)[:, :, None]
    how = "own alphabet" if is_own and reading == LETTERS else "one-hot"
    return Input(xs, how, labels, distinct, is_cut, "", key, reading)


def _input_of_indices(
    layers: Sequence[FoundLayer], file: SequenceFile, numbers: Array, table: Embedding, most_kept: int
) -> Input:
    T, _, B = numbers.shape
    steps = most_steps(layers, B, most_kept)
    indices = numbers[:steps, 0].astype(int)
    labels = [f"{index}" for index in indices[:, 0]]
    xs = table.rows[indices].transpose(0, 2, 1)
    is_cut = file.is_cut or steps < T
    key = (file.digest, steps, table.name)
    return Input(xs, "embedding", labels, int(indices.max()) + 1, is_cut, table.name, key, INDICES)


def _input_of_numbers(
    layers: Sequence[FoundLayer], file: SequenceFile, xs: Array, table: Embedding | None, most_kept: int
) -> Input:
    (T, width, B), m = xs.shape, layers[0].m
    if width != m:
        if table:
            raise ValueError(
                f"The input has {width} entries at each step, and the network has {m} inputs. Choose a file with {m}, or with token "
                f"numbers from 0 to {len(table.rows) - 1}."
            )
        raise ValueError(
            f"The input has {width} entries at each step, and the network has {m} inputs. Choose a file with {m}."
        )
    steps = most_steps(layers, B, most_kept)
    return Input(xs[:steps], "numbers", None, 0, file.is_cut or steps < T, "", (file.digest, steps))
