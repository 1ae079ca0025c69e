"""Custom values as texts of the URL: `typed` has their numbers, and `kept` has names and digests of the arrays that do not fit.

The session and the tab of the browser store the numbers behind a digest (`storage.py`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from core.arrays import Array
from core.exchange.matrix_text import ARRAYS, DIGITS, ROWS, as_integers, from_link, to_link
from core.scenario import Scenario

# So many numbers fit in a URL that every browser and every chat program accepts.
MOST_IN_LINK = 400
NAMES = (*Scenario().shapes(), "xs")
# The names of the two query parameters.
TYPED, KEPT = "typed", "kept"
DIGEST = re.compile("[0-9a-f]{12}")


class Typed:
    """The rule of `typed`: arrays with their names and numbers."""

    def allows(self, text: str) -> bool:
        return read_typed(text) is not None

    def __str__(self) -> str:
        return f"arrays such as `b_h~1~2~3`, with at most {MOST_IN_LINK} finite numbers in all"


class Kept:
    """The rule of `kept`: arrays with their names and digests."""

    def allows(self, text: str) -> bool:
        parts = [part.partition(ROWS) for part in text.split(ARRAYS)]
        names = {name for name, *_ in parts}
        return len(names) == len(parts) and names <= set(NAMES) and all(DIGEST.fullmatch(part[2]) for part in parts)

    def __str__(self) -> str:
        return "names of arrays, each with a digest of 12 hexadecimal digits, such as `W_hh~0123456789ab`"


class Written(NamedTuple):
    """Arrays as texts of the URL.

    Attributes
    ----------
    typed, kept : str
        The texts of the two parameters; an empty one is left out of the URL.
    stored : mapping from str to ndarray
        The arrays of `kept` by digest.
    """

    typed: str
    kept: str
    stored: Mapping[str, Array]


def read(typed: str, kept: str, stored: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays of both parameters; those of `kept` only if they are stored.

    Parameters
    ----------
    typed, kept : str
        Texts that `Typed` and `Kept` allow, or empty texts.
    stored : mapping from str to ndarray
        By digest.
    """
    beyond = {name: stored[digest] for name, digest in read_kept(kept).items() if digest in stored}
    return {**beyond, **(read_typed(typed) or {})}


def write(arrays: Mapping[str, Array], missing: Mapping[str, str] = MappingProxyType({})) -> Written:
    """Return the texts of arrays: the smallest ones go into `typed` until it is full, the others into `kept`.

    Parameters
    ----------
    arrays : mapping from str to ndarray
    missing : mapping from str to str, optional
        Digests by name of arrays that stay in `kept` although they are not stored.
    """
    in_link, kept, stored = dict[str, Array](), dict(missing), dict[str, Array]()
    for name, array in sorted(arrays.items(), key=lambda item: item[1].size):
        if _count(in_link) + array.size <= MOST_IN_LINK:
            in_link[name] = array
        else:
            kept[name] = digest = digest_of(name, array)
            stored[digest] = array
    return Written(to_link(in_link), ARRAYS.join(ROWS.join(item) for item in kept.items()), stored)


def read_kept(text: str) -> dict[str, str]:
    """Return the digest by name of each array in the text of `kept`."""
    return dict(part.split(ROWS) for part in text.split(ARRAYS)) if text else {}


# Cached because a run reads the same text many times.
@lru_cache(maxsize=64)
def read_typed(text: str) -> Mapping[str, Array] | None:
    """Return the arrays of a text of `typed`, read-only because the cache shares them, or None if it breaks the rule."""
    if len(text) > MOST_IN_LINK * DIGITS:
        return None
    try:
        arrays = from_link(text)
    except ValueError:
        return None
    if not set(arrays) <= set(NAMES) or _count(arrays) > MOST_IN_LINK:
        return None
    for array in arrays.values():
        array.flags.writeable = False
    return MappingProxyType(arrays)


def digest_of(name: str, array: Array) -> str:
    """Return the digest of an array and its name: 12 hexadecimal digits."""
    numbers = as_integers(array).astype("<f8")
    return sha256(f"{name} {numbers.shape} ".encode() + numbers.tobytes()).hexdigest()[:12]


def _count(arrays: Mapping[str, Array]) -> int:
    return sum(array.size for array in arrays.values())
