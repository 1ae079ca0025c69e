"""Sentences of `dashboard.text` by name and values, and messages of errors by the function that raises them: a rewording changes no test."""

import re
from collections.abc import Callable
from string import Formatter

import pytest

from dashboard.text.plural import Template, chosen


def pattern(template: Template, **values: object) -> str:
    """Return the regular expression of a sentence with these values, and a group of its name for each other placeholder.

    A sentence that depends on a number needs this number.
    """
    template = chosen(template, values)
    found, groups = "", set()
    for literal, name, spec, _ in Formatter().parse(template):
        found += re.escape(literal)
        if name in values:
            found += re.escape(format(values[name], spec or ""))
        elif name in groups:
            found += f"(?P={name})"
        elif name is not None:
            groups.add(name)
            found += f"(?P<{name}>.*?)" if name.isidentifier() else ".*?"
    assert re.search(r"[^\W\d_]", template), f"{template!r} is in every text"
    return found


def says(text: str, template: Template, **values: object) -> bool:
    """Whether a text has a sentence with these values, and anything in its other placeholders."""
    return re.search(pattern(template, **values), text, re.DOTALL) is not None


def reason(refuse: Callable[..., object], *given: object, **more: object) -> str:
    """Return the message of the error that a function raises for these values."""
    with pytest.raises(ValueError) as error:
        refuse(*given, **more)
    return str(error.value)
