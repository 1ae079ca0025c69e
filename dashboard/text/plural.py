"""Sentences whose words depend on a number."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.shapes.layer_shapes import filled


class Plural(NamedTuple):
    """A whole sentence for one of something, and one for any other number of it.

    Attributes
    ----------
    of : str
        The placeholder that counts.
    one, other : str or Plural
    """

    of: str
    one: "Template"
    other: "Template"


Template = str | Plural


def of_two(first: str, second: str, one_one: str, one_other: str, other_one: str, other_other: str) -> Plural:
    """Return the sentences for one or more of each of two things."""
    return Plural(first, Plural(second, one_one, one_other), Plural(second, other_one, other_other))


def of_units(only: str, one: str, other: str) -> Plural:
    """Return the sentences on ``count`` of ``k`` units: of a single unit, on one of several, and on any other number of several."""
    return Plural("k", only, Plural("count", one, other))


def templates(template: Template) -> tuple[str, ...]:
    """Return every sentence that a template may be."""
    if isinstance(template, str):
        return (template,)
    return (*templates(template.one), *templates(template.other))


def chosen(template: Template, values: Mapping[str, Any]) -> str:
    """Return the sentence for these values, with its placeholders."""
    while isinstance(template, Plural):
        template = template.one if values[template.of] == 1 else template.other
    return template


def fill(template: Template, values: Mapping[str, Any]) -> str:
    """Return the sentence for these values with the values in its placeholders."""
    return filled(chosen(template, values), values)
