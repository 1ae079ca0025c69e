"""A widget for a choice. Its key is its URL parameter, so a link, a reload and the back button keep it."""

from typing import Any

import streamlit as st

from dashboard import chosen
from dashboard.choices import CHOICES, PARAMETERS

# The inputs that an example may have numbers of its own for: the array, and what its size is called.
INPUTS = {"h": ("h_prev", "n"), "x": ("x_t", "m"), "c": ("c_prev", "k")}


def bound(name: str) -> dict[str, Any]:
    """What every widget of a choice is given."""
    return {"label": CHOICES[name].label, "key": name, "bind": "query-params", "help": CHOICES[name].help}


def number(name: str, **more: Any) -> None:
    """A field for a number of any size."""
    digits: dict[str, Any] = {} if PARAMETERS[name].whole else {"step": 1.0, "format": "%g"}
    st.number_input(**bound(name) | _between(name) | digits | more)


def fill(name: str) -> None:
    """A value for `fill`, unless the example has numbers of its own in its place."""
    array, size = INPUTS.get(name, ("", "k"))
    if not chosen.start().has(array, (chosen.value(size), 1)):
        number(name, width=80)


def slider(name: str, **more: Any) -> None:
    """A slider for a number within close bounds."""
    st.slider(**bound(name) | _between(name) | more)


def _between(name: str) -> dict[str, Any]:
    """The bounds of a number, and where it starts."""
    rule = PARAMETERS[name]
    kind = int if rule.whole else float
    return {"min_value": kind(rule.low), "max_value": kind(rule.high), "value": chosen.default(name)}


def segments(name: str, **more: Any) -> Any:
    """Words side by side, of which one is chosen; what it says need not be one of them."""
    options = {"options": PARAMETERS[name].options, "default": chosen.default(name), "required": True}
    return st.segmented_control(**bound(name) | options | more)


def toggle(name: str) -> bool:
    """A switch; whether it is on."""
    return st.toggle(**bound(name) | {"value": bool(chosen.default(name))})
