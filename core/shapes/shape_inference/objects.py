"""The classes of a reader's program, and the objects that are made of them."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# The method that a call of an object runs, by the framework.
_CALLED = ("forward", "call", "__call__")


@dataclass
class Model:
    """A class: its methods by name, those that were followed, and the objects that were made."""

    name: str
    methods: dict[str, ast.FunctionDef]
    called: set[str] = field(default_factory=set)
    instances: list["Instance"] = field(default_factory=list)


@dataclass(eq=False)
class Instance:
    """An object of a class, and its attributes by name."""

    model: Model
    attributes: dict[str, Any] = field(default_factory=dict)


def method_of(model: Model) -> ast.FunctionDef | None:
    """Return the method that a call of an object runs."""
    return next((model.methods[name] for name in _CALLED if name in model.methods), None)


def attributes_of(names: Mapping[str, Any], own: str) -> dict[str, Any]:
    """Return the attributes that a method set, without those of its attributes."""
    prefix = f"{own}."
    return {name.removeprefix(prefix): value for name, value in names.items() if name.startswith(prefix)}
