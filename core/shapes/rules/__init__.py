"""Tables of the causes that each kind of message may have, and the diagnoses that read the facts for them."""

from importlib import import_module
from pkgutil import walk_packages

from core.shapes.rules.rule import DIAGNOSES, Rule, Rules

# The modules register their diagnoses when they are imported.
_MODULES = [import_module(module.name) for module in walk_packages(__path__, f"{__name__}.")]

# Every table by its name.
TABLES: dict[str, Rules] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if name[0] != "_" and isinstance(value, tuple) and value and all(isinstance(one, Rule) for one in value)
}

__all__ = ["DIAGNOSES", "TABLES"]
