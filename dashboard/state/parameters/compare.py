"""The frozen settings A, which `compare` holds, and the settings that a saved scenario has."""

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import parse_qsl

from core.scenario import Scenario
from dashboard.state.custom_arrays import TYPED
from dashboard.state.parameters import cell, saturation, sequence
from dashboard.state.parameters.cell import EXAMPLE
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import ValueRule

COMPARE = "compare"


class Frozen:
    """The rule of `compare`, which holds other query parameters."""

    def allows(self, text: str) -> bool:
        return read_frozen(text) is not None

    def __str__(self) -> str:
        return (
            "the query parameters that determine the arrays, as in a URL of their own, such as `example=lab&scale=0.5`"
        )


# A saved scenario has the settings that numbers follow from, and those that change only how numbers are shown.
SCENARIO_PARAMS = tuple(field.name for field in fields(Scenario) if field.name != "arrays")

# The settings that `compare` freezes, beside the worked example and the custom values in the URL.
FROZEN_PARAMS = (*SCENARIO_PARAMS, "z")
_FROZEN: dict[str, ValueRule] = {one.name: one.rule for theme in (cell, sequence, saturation) for one in theme.RECORDS}


# Cached because a run reads the same text many times.
@lru_cache(maxsize=64)
def read_frozen(text: str) -> Mapping[str, str] | None:
    """Return the settings that `compare` freezes, or None if the text breaks its rule.

    Parameters
    ----------
    text : str

    Returns
    -------
    mapping from str to str, optional
        From parameter to text; every text follows the rule of its parameter.
    """
    names = (EXAMPLE, TYPED, *FROZEN_PARAMS)
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, max_num_fields=len(names))
    except ValueError:
        return None
    frozen = dict(pairs)
    is_allowed = all(name in names and _FROZEN[name].allows(one) for name, one in pairs)
    return MappingProxyType(frozen) if pairs and is_allowed and len(frozen) == len(pairs) else None


RECORDS = (Parameter(COMPARE, Frozen(), "the frozen settings, A; the pictures show them beside the current ones, B"),)
