"""All query parameters by name, their groups, and values as texts of the URL."""

from collections.abc import Mapping
from typing import Any

from core.cells import CELLS
from dashboard.state.parameters import (
    cell,
    compare,
    display,
    model,
    practice,
    saturation,
    sequence,
    shapes,
    tools,
    training,
)
from dashboard.state.parameters.cell import SCALES
from dashboard.state.parameters.rules import FLAG, Number

# In the order of the table of docs/parameters.md.
_THEMES = (cell, display, sequence, saturation, shapes, training, model, practice, tools, compare)
PARAMETERS = {parameter.name: parameter for theme in _THEMES for parameter in theme.RECORDS}
VALUE_RULES: dict[str, Any] = {name: parameter.rule for name, parameter in PARAMETERS.items()}
VIEW_PARAMS = {
    name: parameter.default
    for name, parameter in PARAMETERS.items()
    if parameter.is_view_setting and parameter.default is not None
}
# The settings of the layer on the shapes page.
LAYER_PARAMS = tuple(name for name, parameter in PARAMETERS.items() if parameter.pages == ("shapes",))
SLIDERS = tuple(name for name, parameter in PARAMETERS.items() if parameter.slider_range)
# A URL with nothing but these counts as bare: the page opens on its own worked example.
OPENING_PARAMS = {"view"}
# The settings that only some pages have; they stay in the URL on the other pages.
PAGE_PARAMS = tuple(name for name, parameter in PARAMETERS.items() if parameter.pages)
TOOL_PARAMS = tuple(name for name, parameter in PARAMETERS.items() if parameter.is_tool)
SCREEN_PARAMS = tuple(name for name, parameter in PARAMETERS.items() if parameter.is_of_screen)
# The settings that numbers follow from; a worked example sets them all.
NUMBER_PARAMS = tuple(name for name in compare.SCENARIO_PARAMS if not PARAMETERS[name].is_view_setting)


def of_text(name: str, text: str) -> Any:
    """Return the value of a query parameter whose text follows its rule."""
    rule = VALUE_RULES[name]
    if rule is FLAG:
        return text == "true"
    if isinstance(rule, Number):
        return int(float(text)) if rule.whole else float(text) + 0.0  # -0 is 0, which a query may leave out
    return float(text) if name == "scale" else text


def as_text(value: object) -> str:
    """Return the text of a value in the URL, with all digits of a number."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def of_cell(*cells: str) -> dict[str, list[str]]:
    """Return the settings that only some cells have.

    Parameters
    ----------
    *cells : str
        Names of CELLS.

    Returns
    -------
    dict from {"offset_param", "constant_param"} to list of str
        Settings that are added to a bias, and settings that replace all weights of a gate.
    """
    arrays = [made for cell in cells for made in CELLS[cell].ARRAYS.values()]
    return {
        kind: [name for name in dict.fromkeys(getattr(made, kind) for made in arrays) if name]
        for kind in ("offset_param", "constant_param")
    }


def is_allowed(name: str, value: object) -> bool:
    """Whether the URL can hold the value."""
    if name == "scale":
        return value in SCALES
    return VALUE_RULES[name].allows(as_text(value))


def expect_allowed(choices: Mapping[str, object]) -> None:
    """Raise ValueError unless every setting follows its rule.

    Parameters
    ----------
    choices : mapping from str to object
        Values of settings; None is always allowed.

    Raises
    ------
    ValueError
        The message names the first setting that breaks its rule, and the rule.
    """
    for name, value in choices.items():
        if value is not None and not is_allowed(name, value):
            raise ValueError(f"{name} must be {VALUE_RULES[name]}. Change it in the file.")


def table() -> str:
    """Return the table of docs/parameters.md; query parameters with the same meaning and rule share a row.

    Returns
    -------
    str
        Markdown.
    """
    rows: dict[tuple[str, str], list[str]] = {}
    for name, parameter in PARAMETERS.items():
        rows.setdefault((parameter.meaning, str(parameter.rule)), []).append(f"`{name}`")
    lines = [f"| {' '.join(names)} | {meaning} | {rule} |" for (meaning, rule), names in rows.items()]
    return "\n".join(["| parameter | meaning | values |", "| --- | --- | --- |", *lines]) + "\n"
