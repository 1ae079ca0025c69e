"""A scenario as the text of a file, and back."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from core.arrays import Array, expect_bounds
from core.exchange.matrix_text import LARGEST_VALUE, as_integers
from core.exchange.strict_json import read_json
from core.scenario import AXES, Scenario, expect_names

FORMAT, VERSION = "cellscope scenario", 1
# More than any scenario has: characters, brackets (one for each row), colons (one for each name, and those of the word).
MOST_JSON, MOST_BRACKETS, MOST_COLONS = 8_000_000, 20_000, 1_000
# The choices of a scenario, and their defaults.
CHOICES = {field.name: field.default for field in fields(Scenario) if field.name != "arrays"}


def to_json(scenario: Scenario, view_settings: Mapping[str, object]) -> str:
    """Return a scenario as the text of a file.

    Parameters
    ----------
    view_settings : mapping from str to object
        The choices of how it is looked at, by name.

    Returns
    -------
    str
        An object of "format", "version", "choices" by name and "arrays" as lists of their rows.
    """
    file = {
        "format": FORMAT,
        "version": VERSION,
        "choices": {name: getattr(scenario, name) for name in CHOICES} | dict(view_settings),
        "arrays": {name: array.tolist() for name, array in scenario.matching_arrays().items()},
    }
    return json.dumps(file, ensure_ascii=False)


def from_json(text: str, view_settings: Mapping[str, object]) -> tuple[Scenario, dict[str, Any]]:
    """Return the scenario of a text from `to_json`; a choice that is missing has its default.

    Parameters
    ----------
    view_settings : mapping from str to object
        The defaults of the choices of how it is looked at.

    Returns
    -------
    scenario : Scenario
    view_settings : dict from str to object
        The choices have the types that they must have; their bounds are not checked.

    Raises
    ------
    ValueError
        If it is no such text, or naming the field that is unknown, there twice, of a wrong type or of a wrong shape.
    """
    brackets, colons = text.count("[") + text.count("{"), text.count(":")
    if len(text) > MOST_JSON or brackets > MOST_BRACKETS or colons > MOST_COLONS:
        raise ValueError("The file is too large to be a scenario. Choose a .json file saved by Cellscope.")
    file = read_json(text, "The file is not JSON. Choose a .json file saved by Cellscope.")
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise ValueError(
            f'The file must be an object with "format": "{FORMAT}". Choose a .json file saved by Cellscope.'
        )
    if file.get("version") != VERSION:
        raise ValueError(
            f"version must be {VERSION}. Add it if it is missing, or open the file with the newer Cellscope that saved it."
        )
    expect_names("the file", file, ("format", "version", "choices", "arrays"))
    choices, arrays = (_object(name, file.get(name, {})) for name in ("choices", "arrays"))
    defaults = {**CHOICES, **view_settings}
    expect_names("choices", choices, defaults)
    expect_names("arrays", arrays, (*AXES, "xs"))
    said = defaults | {name: _typed(name, value, type(defaults[name])) for name, value in choices.items()}
    made = {name: _rows(name, rows) for name, rows in arrays.items()}
    return Scenario(**{name: said[name] for name in CHOICES}, arrays=made), {name: said[name] for name in view_settings}


def _object(name: str, value: object) -> dict:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be an object with a value for each name. If there are none, write {{}}.")
    return value


def _typed(name: str, value: Any, type_: type) -> Any:
    """Return the value if it has the type of the default; a float may be a whole number, and None if the default is None."""
    if type_ in (float, type(None)) and _is_number(value, 1e300):
        return float(value)
    if type(value) is type_ and type_ is not float:
        return value
    wanted = {
        float: "a number",
        type(None): "a number or null",
        int: "a whole number",
        bool: "true or false",
        str: "a text",
    }
    raise ValueError(f"choices.{name} must be {wanted[type_]}. Correct or remove it.")


def _rows(name: str, rows: Any) -> Array:
    """Return the array after a check of each entry: with a text among them NumPy would give all of them its length."""
    are_lists = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    lengths = {len(row) for row in rows} if are_lists else set()
    if lengths:
        expect_bounds(f"arrays.{name}", (len(rows), max(lengths)))
    if len(lengths) != 1 or 0 in lengths or not all(_is_number(entry, LARGEST_VALUE) for row in rows for entry in row):
        raise ValueError(f"arrays.{name} must be a list of rows of finite numbers of at most 10^9, all of one length.")
    return as_integers(np.array(rows, dtype=np.float64))


def _is_number(value: Any, largest: float) -> bool:
    """Whether it is a number, which true and false are not, and at most so large: no NaN is."""
    return type(value) in (int, float) and abs(value) <= largest
