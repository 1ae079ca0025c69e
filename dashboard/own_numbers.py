"""The reader's own numbers: the link carries them, and of more than it can carry the session takes care."""

from collections.abc import Mapping

import streamlit as st

from core.arrays import Array
from core.exchange.typed import DIGITS, from_link, to_link
from core.scenario import Scenario

# So many numbers fit in an address that every browser and every chat program takes.
MOST_IN_LINK = 400
NAMES = (*Scenario().shapes(), "xs")
# Set by hand rather than bound to a widget: so each change is an entry of the browser's history, and back undoes it.
PARAMETER = "typed"


class Typed:
    """The rule of the parameter that holds arrays by name."""

    def allows(self, text: str) -> bool:
        if len(text) > MOST_IN_LINK * DIGITS:
            return False
        try:
            typed = from_link(text)
        except ValueError:
            return False
        return set(typed) <= set(NAMES) and _count(typed) <= MOST_IN_LINK

    def __str__(self) -> str:
        return f"arrays such as `b_h~1~2~3`, with at most {MOST_IN_LINK} finite numbers in all"


def arrays() -> dict[str, Array]:
    """The reader's own arrays by name.

    Returns
    -------
    dict from str to ndarray
    """
    return {**_beyond(), **_in_link()}


def keep(changed: Mapping[str, Array]) -> None:
    """Make arrays the reader's own, beside those that are already.

    Parameters
    ----------
    changed : mapping from str to ndarray
    """
    replace({**arrays(), **changed})


def drop(name: str) -> None:
    """Go back to the numbers that the choices make."""
    replace({other: array for other, array in arrays().items() if other != name})


def replace(all_arrays: Mapping[str, Array]) -> None:
    """Make these the reader's own arrays, and no others: the smallest ones go in the link.

    Parameters
    ----------
    all_arrays : mapping from str to ndarray
    """
    in_link: dict[str, Array] = {}
    beyond: dict[str, Array] = {}
    for name, array in sorted(all_arrays.items(), key=lambda item: item[1].size):
        fits = _count(in_link) + array.size <= MOST_IN_LINK
        (in_link if fits else beyond)[name] = array
    st.session_state.beyond_link = beyond
    if in_link:
        st.query_params[PARAMETER] = to_link(in_link)
    elif PARAMETER in st.query_params:
        del st.query_params[PARAMETER]


def link() -> dict[str, str] | None:
    """What a link to another page has to say for the numbers to be there too."""
    text = st.query_params.get(PARAMETER)
    return {PARAMETER: text} if text else None


def unused(scenario: Scenario) -> list[str]:
    """The names of those that do not fit the sizes of a scenario.

    Parameters
    ----------
    scenario : Scenario
    """
    return [name for name in arrays() if name not in scenario.fitting()]


def beyond_link() -> list[str]:
    """The names of those that are too large for the link."""
    return list(_beyond())


def _beyond() -> dict[str, Array]:
    return st.session_state.get("beyond_link", {})


def _in_link() -> dict[str, Array]:
    text = st.query_params.get(PARAMETER, "")
    return from_link(text) if Typed().allows(text) else {}


def _count(some: Mapping[str, Array]) -> int:
    return sum(array.size for array in some.values())
