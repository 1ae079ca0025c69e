"""The reader's own numbers: the address carries them, and of more than it can carry the tab of the browser takes care.

Of those the address has each array's name and a digest of its numbers. The numbers themselves are in the session, as
long as it lasts, and in the tab's sessionStorage: `static/keeper.js` puts them there and brings them back.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.arrays import Array
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.typed import ARRAYS, DIGITS, ROWS, from_link, to_link, whole
from core.scenario import Scenario
from dashboard.address import say

# How many numbers fit in an address that every browser and every chat program takes.
MOST_IN_LINK = 400
NAMES = (*Scenario().shapes(), "xs")
# Set by hand rather than bound to widgets: so each change is an entry of the browser's history, and back undoes it.
PARAMETER, KEPT, EXAMPLE = "typed", "kept", "example"
DIGEST = re.compile("[0-9a-f]{12}")
# What was last said of a digest: its text went to the browser, the browser has no room for it, or does not have it.
SENT, FULL, LOST = "sent", "full", "lost"

_keeper = st.components.v2.component(
    "cellscope_keeper", js=(Path(__file__).parent / "static" / "keeper.js").read_text(encoding="utf-8")
)


class Typed:
    """The rule of the parameter that holds arrays by name."""

    def allows(self, text: str) -> bool:
        return read_link(text) is not None

    def __str__(self) -> str:
        return f"arrays such as `b_h~1~2~3`, with at most {MOST_IN_LINK} finite numbers in all"


class Kept:
    """The rule of the parameter that names the arrays which the browser keeps."""

    def allows(self, text: str) -> bool:
        parts = [part.partition(ROWS) for part in text.split(ARRAYS)]
        names = {name for name, *_ in parts}
        return len(names) == len(parts) and names <= set(NAMES) and all(DIGEST.fullmatch(part[2]) for part in parts)

    def __str__(self) -> str:
        return "names of arrays, each with the 12 digits that stand for its numbers, such as `W_hh~0123456789ab`"


# ---- what there is -------------------------------------------------------------------------


def arrays() -> dict[str, Array]:
    """The reader's own arrays by name, as far as they are here.

    Returns
    -------
    dict from str to ndarray
    """
    here = _here()
    beyond = {name: here[digest] for name, digest in _beyond().items() if digest in here}
    return {**beyond, **_in_link()}


def unused(scenario: Scenario) -> list[str]:
    """The names of those that do not fit the sizes of a scenario.

    Parameters
    ----------
    scenario : Scenario
    """
    return [name for name in arrays() if name not in scenario.fitting()]


def carried() -> dict[str, str]:
    """What a link to another page has to say for the numbers and the example to be there too."""
    names = (EXAMPLE, PARAMETER, KEPT)
    return {name: st.query_params[name] for name in names if name in st.query_params}


def missing() -> list[str]:
    """Sentences on the arrays that the address names and that are not here."""
    told = _told()
    lost = [f"`{name}`" for name, digest in _missing().items() if told.get(digest) == LOST]
    coming = [f"`{name}`" for name, digest in _missing().items() if told.get(digest) != LOST]
    sentences = []
    if lost:
        sentences.append(
            f"The numbers of {', '.join(lost)} are missing: the address only names them, for they are too many, and "
            "this tab of the browser does not have them. The choices in the sidebar make others in their place. A file "
            "can carry them: ask for one where the link comes from, and open it here."
        )
    if coming:
        sentences.append(
            f"The numbers of {', '.join(coming)} are on their way from this browser. Until they are here, the choices "
            "in the sidebar make others in their place."
        )
    return sentences


def promise(*names: str) -> str:
    """How long those of these arrays that are too large for the link stay; nothing if there are none.

    Parameters
    ----------
    *names : str
        Of NAMES.

    Returns
    -------
    str
    """
    here, told = _here(), _told()
    beyond = {name: digest for name, digest in _beyond().items() if name in names and digest in here}
    kept = [name for name, digest in beyond.items() if told.get(digest) != FULL]
    full = [name for name, digest in beyond.items() if told.get(digest) == FULL]
    too_many = f"would take the link beyond {MOST_IN_LINK} numbers"
    lines = []
    if kept:
        lines.append(
            f"{', '.join(kept)} {too_many}. This tab of the browser keeps them, also when the page is reloaded, until "
            "it is closed; a link does not bring them to anybody else: for that, save them as a file."
        )
    if full:
        lines.append(
            f"{', '.join(full)} {too_many}, and the browser has no room for them: they are here for now, and a reload "
            "loses them. To keep them, save them as a file."
        )
    return "  \n".join(lines)


# ---- what changes it -----------------------------------------------------------------------


def keep(changed: Mapping[str, Array], said: Mapping[str, str | None] | None = None) -> None:
    """Make arrays the reader's own, beside those that are already.

    Parameters
    ----------
    changed : mapping from str to ndarray
    said : mapping from str to str or None, optional
        As of `replace`.
    """
    waiting = {name: digest for name, digest in _missing().items() if name not in changed}
    _replace({**arrays(), **changed}, waiting, said or {})


def drop(name: str) -> None:
    """Go back to the numbers that the choices make."""
    mine, waiting = arrays(), _missing()
    mine.pop(name, None)
    waiting.pop(name, None)
    _replace(mine, waiting, {})


def replace(all_arrays: Mapping[str, Array], said: Mapping[str, str | None] | None = None) -> None:
    """Make these the reader's own arrays, and no others: the smallest ones go in the link.

    Parameters
    ----------
    all_arrays : mapping from str to ndarray
    said : mapping from str to str or None, optional
        What other parameters say from now on, None for those that the address leaves out: all of it is one entry of the
        browser's history.
    """
    _replace(all_arrays, {}, said or {})


def _replace(all_arrays: Mapping[str, Array], waiting: Mapping[str, str], said: Mapping[str, str | None]) -> None:
    """The same, where the address goes on naming some that are not here."""
    in_link, beyond, here = dict[str, Array](), dict(waiting), dict[str, Array]()
    for name, array in sorted(all_arrays.items(), key=lambda item: item[1].size):
        if _count(in_link) + array.size <= MOST_IN_LINK:
            in_link[name] = array
        else:
            beyond[name] = digest = _digest(name, array)
            here[digest] = array
    st.session_state.beyond_link = here
    # With other arrays beside it there may be room now.
    st.session_state.browser_said = {digest: last for digest, last in _told().items() if last != FULL}
    kept = ARRAYS.join(ROWS.join(item) for item in beyond.items())
    say({PARAMETER: to_link(in_link) or None, KEPT: kept or None, **said})


# ---- what the browser keeps ----------------------------------------------------------------


def keep_in_browser() -> None:
    """Give the browser what the link cannot carry, and ask it for what is not here; at the end of a run.

    Where the link carries everything, there is nothing on the page for it.
    """
    beyond, here, told = _beyond(), _here(), _told()
    # Of an earlier address the browser has them.
    here = st.session_state.beyond_link = {digest: here[digest] for digest in beyond.values() if digest in here}
    told = st.session_state.browser_said = {digest: told[digest] for digest in beyond.values() if digest in told}
    if not beyond:
        return
    texts = {
        digest: b64encode(to_npz({name: here[digest]})).decode()
        for name, digest in beyond.items()
        if digest in here and digest not in told
    }
    told |= dict.fromkeys(texts, SENT)
    st.session_state.asked = st.session_state.get("asked", 0) + 1
    data = {
        "texts": texts,
        "here": [digest for digest in here if told[digest] != FULL],
        "wanted": [digest for digest in beyond.values() if digest not in here and told.get(digest) != LOST],
        # The browser is asked in every run, also where an answer was lost on its way.
        "asked": st.session_state.asked,
    }
    _keeper(key="keeper", data=data, on_answer_change=_hear)


def _hear() -> None:
    """Take what the browser says, of which nothing is believed: somebody's own client may say anything."""
    answer = st.session_state.keeper.answer
    if not isinstance(answer, dict):
        return
    here, told = _here(), _told()
    lacks, full, lost, found = (_part(answer, kind) for kind in ("lacks", "full", "lost", "found"))
    for name, digest in _beyond().items():
        if digest in here:
            if digest in lacks:
                told.pop(digest, None)
            if digest in full:
                told[digest] = FULL
        elif digest in found or digest in lost:
            array = _read(name, digest, found.get(digest))
            told[digest] = LOST if array is None else SENT
            if array is not None:
                here[digest] = array
    st.session_state.beyond_link, st.session_state.browser_said = here, told


def _part(answer: dict[str, Any], kind: str) -> dict[str, Any]:
    """What the browser says by digest."""
    part = answer.get(kind)
    return part if isinstance(part, dict) else {}


def _read(name: str, digest: str, text: Any) -> Array | None:
    """The array of that name and digest, if the text is that of one."""
    if not isinstance(text, str):
        return None
    try:
        array = read_arrays("kept.npz", b64decode(text, validate=True)).get(name)
    except ValueError:
        return None
    return array if array is not None and array.ndim == 2 and _digest(name, array) == digest else None


def _digest(name: str, array: Array) -> str:
    numbers = whole(array).astype("<f8")
    return sha256(f"{name} {numbers.shape} ".encode() + numbers.tobytes()).hexdigest()[:12]


def _missing() -> dict[str, str]:
    """The digest of each array that the address names and that is not here."""
    here = _here()
    return {name: digest for name, digest in _beyond().items() if digest not in here}


def _here() -> dict[str, Array]:
    """Arrays by their digests."""
    return st.session_state.get("beyond_link", {})


def _told() -> dict[str, str]:
    return st.session_state.get("browser_said", {})


def _beyond() -> dict[str, str]:
    """The digest of each array that the address names only."""
    text = st.query_params.get(KEPT, "")
    return dict(part.split(ROWS) for part in text.split(ARRAYS)) if Kept().allows(text) else {}


def _in_link() -> dict[str, Array]:
    return dict(read_link(st.query_params.get(PARAMETER, "")) or {})


# A run asks many times for the same text.
@lru_cache(maxsize=64)
def read_link(text: str) -> Mapping[str, Array] | None:
    """The arrays of a link, or None where it is none: shared by all who ask, and so not writeable."""
    if len(text) > MOST_IN_LINK * DIGITS:
        return None
    try:
        typed = from_link(text)
    except ValueError:
        return None
    if not set(typed) <= set(NAMES) or _count(typed) > MOST_IN_LINK:
        return None
    for array in typed.values():
        array.flags.writeable = False
    return MappingProxyType(typed)


def _count(some: Mapping[str, Array]) -> int:
    return sum(array.size for array in some.values())
