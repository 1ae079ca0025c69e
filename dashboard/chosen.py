"""What is chosen, by widgets, by dials or in the link: how it is read, and how a callback changes it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import streamlit as st

from core.arrays import Array
from core.examples import EXAMPLES
from core.scenario import ARRAYS, Scenario
from core.training import Film, arrays_on_probe
from dashboard import dials, own_numbers
from dashboard.address import is_bound, say
from dashboard.choices import (
    CHOICES,
    COMPARE,
    DIALS,
    OF_FROZEN,
    OF_LOOKS,
    OF_NUMBERS,
    OF_PAGES,
    OF_PICTURES,
    PROJECTOR,
    SMALL_SIZE,
    as_text,
    is_allowed,
    of_text,
    read_frozen,
)

# The values for `fill`; of a bias it is the value in any case.
FILLS = ("w_hh", "w_hx", "h", "x", "b")


# ---- what is said -----------------------------------------------------------------------------


def value(name: str) -> Any:
    """What the widget of a choice says, or the default where no widget of ours can have said it.

    A widget's bounds are kept in the browser, and somebody's own client may send anything.
    """
    shown = _shown.get()
    if shown and name in shown.choices:
        return shown.choices[name]
    return _said(name, st.session_state)


def _said(name: str, widgets: Mapping[Any, Any]) -> Any:
    """The same, of the values of widgets by their names."""
    if name in DIALS:
        return dials.said(name, default(name))
    value = widgets.get(name)
    return value if value is not None and is_allowed(name, value) else default(name)


def default(name: str) -> Any:
    """What the widget starts from, and what the address therefore leaves out."""
    return of_start(start(), name)


def of_start(start: Scenario, name: str) -> Any:
    """What a choice is where one starts from this scenario."""
    return getattr(start, name) if name in OF_NUMBERS else CHOICES[name].default


def start() -> Scenario:
    """What the widgets start from, and what the URL therefore leaves out."""
    return EXAMPLES[example()].scenario


def example() -> str:
    """The worked example that the choices started from."""
    if shown := _shown.get():
        return shown.example
    name = st.query_params.get(own_numbers.EXAMPLE)
    return name if name in EXAMPLES else "lab"


def has_numbers() -> bool:
    """Whether the reader has chosen numbers, beside an example, or frozen some."""
    names = {
        own_numbers.PARAMETER,
        own_numbers.KEPT,
        COMPARE,
        *(name for name in OF_NUMBERS if not CHOICES[name].is_look),
    }
    return bool(names & set(st.query_params))


def unit() -> int:
    """The unit to inspect, counted from 1 and no more than there are."""
    return min(value("j"), value("k"))


def is_large() -> bool:
    """Whether a size is beyond the usual ones."""
    return any(value(name) > SMALL_SIZE for name in dials.SIZES)


def threshold() -> float:
    """The share of the largest slope below which a unit counts as saturated, in (0, 1)."""
    return value("threshold") / 100


def decimals() -> int:
    """How many decimals are printed."""
    return value("decimals")


def fixed_colours() -> bool:
    """Whether colours keep their meaning, rather than each matrix having a scale of its own."""
    return value("colours") == "fixed"


def is_projected() -> bool:
    """Whether the page is laid out for a room."""
    return value("view") == PROJECTOR


def scenario() -> Scenario:
    """What the widgets say now.

    Returns
    -------
    Scenario
    """
    said = {name: value(name) for name in OF_NUMBERS}
    shown = _shown.get()
    return Scenario(**said, arrays=shown.arrays if shown else {**start().arrays, **own_numbers.arrays()})


def recurrent() -> tuple[Scenario, list[str]]:
    """What the widgets say now, as a cell that can be unrolled.

    Returns
    -------
    scenario : Scenario
        With n = k.
    remarks : list of str
        What to say where the widgets say another n.
    """
    now = scenario()
    if now.k == now.n:
        return now, []
    return replace(now, n=now.k), [
        f"k = {now.k} but n = {now.n}: of such a cell only one step can be computed, for its h_t has {now.k} entries and W_{{hh}} a column for each "
        f"of {now.n}. Here n is taken as {now.k}; the button under Cell in the sidebar sets it."
    ]


def looks() -> dict[str, Any]:
    """How the numbers are looked at now.

    Returns
    -------
    dict from str to object
        By the names of OF_LOOKS.
    """
    return {name: value(name) for name in OF_LOOKS}


# ---- what else a picture is drawn of ----------------------------------------------------------


class Snapshot(NamedTuple):
    """What the controls say, without the controls.

    Attributes
    ----------
    choices : mapping from str to object
    arrays : mapping from str to ndarray
        The reader's own numbers, and those of the example.
    example : str
        The worked example that the choices started from.
    is_frozen : bool
        Whether it is of A.
    """

    choices: Mapping[str, Any]
    arrays: Mapping[str, Array]
    example: str
    is_frozen: bool = False


_shown: ContextVar[Snapshot | None] = ContextVar("what is shown is not what the controls say", default=None)


def snapshot() -> Snapshot:
    """What the controls say now of all that a picture follows from."""
    widgets = st.session_state.to_dict()  # to ask for them one by one takes a tenth of a run
    said = {name: _said(name, widgets) for name in OF_PICTURES}
    return Snapshot(said, {**start().arrays, **own_numbers.arrays()}, example())


def frozen() -> Snapshot | None:
    """What the address has as frozen, if anything: of OF_FROZEN alone."""
    said = read_frozen(st.query_params.get(COMPARE, ""))
    if said is None:
        return None
    start = EXAMPLES[said.get(own_numbers.EXAMPLE, "lab")].scenario
    choices = {name: of_text(name, said[name]) if name in said else of_start(start, name) for name in OF_FROZEN}
    own = own_numbers.read_link(said.get(own_numbers.PARAMETER, "")) or {}
    return Snapshot(choices, {**start.arrays, **own}, example(), is_frozen=True)


def is_frozen() -> bool:
    """Whether A is drawn now."""
    shown = _shown.get()
    return shown is not None and shown.is_frozen


@contextmanager
def showing(snapshot: Snapshot, moved: Mapping[str, str] = MappingProxyType({})) -> Iterator[None]:
    """While a snapshot is drawn, the controls say that; of what it does not have, they say what they said before.

    Parameters
    ----------
    snapshot : Snapshot
    moved : mapping from str to str, optional
        What dials say that have been moved since; of what no dial can say nothing is taken.
    """
    before = _shown.get()
    said = {name: of_text(name, text) for name, text in dials.allowed(moved).items()}
    token = _shown.set(snapshot._replace(choices={**(before.choices if before else {}), **snapshot.choices, **said}))
    try:
        yield
    finally:
        _shown.reset(token)


# ---- what a callback changes ------------------------------------------------------------------


def become(given: Scenario, looks: Mapping[str, object]) -> None:
    """Show this scenario from the next run on; to be called from a callback.

    Parameters
    ----------
    given : Scenario
        Of allowed choices; its arrays become the reader's own.
    looks : mapping from str to object
        How it is looked at, also allowed.
    """
    st.session_state.left = {}
    said = {name: getattr(given, name) for name in OF_NUMBERS} | dict(looks)
    for name, value in said.items():
        if name not in DIALS:
            st.session_state[name] = value
    own_numbers.replace(given.changed(), {own_numbers.EXAMPLE: None, **_address(said)})


# How many steps of its probe a trained cell that is taken to the other pages has behind it: after none, its state would be 0.
STEPS_BEHIND = 1


def become_trained(film: Film, frame: int) -> None:
    """Make a trained cell and its probe the reader's own numbers, on all pages; to be called from a callback.

    The pages of one step have step 2 of the probe, and a sequence goes on from there to the probe's end. Whatever would hide or
    change one of the arrays is turned off.

    Parameters
    ----------
    film : Film
    frame : int
        Counted from 0.
    """
    made = film.recipe
    hiding: dict[str, Any] = dict.fromkeys(numbers.instead for numbers in ARRAYS.values() if numbers.instead)
    given = replace(
        scenario(),
        **hiding,
        m=film.xs.shape[1],
        n=made.k,
        k=made.k,
        cell=made.cell,
        g=made.g,
        scale=1.0,
        forget_bias=0.0,
        stochastic=False,
        T=made.T,
        input="numbers",
        arrays=arrays_on_probe(film, frame, STEPS_BEHIND),
    )
    become(given, looks() | {"j": min(unit(), made.k), "t": 1})


def _address(said: Mapping[str, Any]) -> dict[str, str | None]:
    """What the address says of each choice, as its widget will write it: else it would be one more step of history."""
    unused = [name for name in FILLS if name != "b" and said["init"] != "fill"]
    unused += [name for name in OF_PAGES if not is_bound(name)]
    address: dict[str, str | None] = {"large": "true"} if max(said[name] for name in dials.SIZES) > SMALL_SIZE else {}
    for name, value in said.items():
        is_left_out = name in unused or value == of_start(EXAMPLES["lab"].scenario, name)
        address[name] = None if is_left_out else written(name, value)
    return address


def written(name: str, value: object) -> str:
    """What a widget of this value writes into the address."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # Sliders write 3 where a field writes 3.0.
    return text.removesuffix(".0") if name in ("scale", "forget_bias") else text


def pick_unit(j: int) -> None:
    """Inspect another unit from the next run on; to be called from a callback."""
    st.session_state.j = j if type(j) is int and is_allowed("j", j) else 1


def pick_scale(scales: Array, step: int) -> None:
    """Take one of some scales from the next run on; to be called from a callback.

    Parameters
    ----------
    scales : ndarray
    step : int
        Counted from 1.
    """
    if type(step) is int and 1 <= step <= len(scales):
        say({"scale": None if scales[step - 1] == default("scale") else as_text(scales[step - 1])})


def pick_moment(t: int) -> None:
    """Look at another step from the next run on; to be called from a callback."""
    if is_allowed("t", t):
        say({"t": None if t == 1 else str(t)})
