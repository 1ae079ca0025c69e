"""Tables of the causes that each kind of message may have, and the diagnoses that read the facts for them.

A message of the kind "loss_axes" that states ``got`` is explained by such a table::

    LOSS_AXES: Rules = rules_of(
        "loss_axes",                                         # the kind of the message
        "loss",                                              # the code of the operation that failed
        sure(                                                # how well the cause fits, from `fits`
            "unbatched",                                     # the mistake, one of MISTAKES
            reason("loss-of-axes", "got"),                   # the sentence, and facts as its values
            "logits = logits.view(1, -1)   # a batch of one",  # the advised line; {got} would be a fact
            lambda f: f.got == 1,                            # when the rule applies
        ),
        facts=lambda reading: {...},                         # facts beside those that the message states
    )

- A function under ``@diagnoses(kind)`` chooses among tables, where the text around the message decides.
- A rule with ``own="line"`` advises the fact `line`, the reader's line changed, if there is one.
- ``first_of(...)`` lets only the first rule that applies be a cause, ``first_found(...)`` only the first diagnosis.

The folders have the topic of the operation, such as `products` and `joins`, or of the library, such as `keras`.
"""

from importlib import import_module
from pkgutil import walk_packages

from core.shapes.rules.rule import DIAGNOSES, Rule, Rules

# The modules register their diagnoses when they are imported.
_MODULES = [import_module(module.name) for module in walk_packages(__path__, f"{__name__}.")]

# Every table by its name, and every rule that is a table by itself.
TABLES: dict[str, Rules] = {
    name: table
    for module in _MODULES
    for name, value in vars(module).items()
    if name[0] != "_" and isinstance(value, tuple) and value
    for table in [(value,) if isinstance(value, Rule) else value]
    if all(isinstance(one, Rule) for one in table)
}

__all__ = ["DIAGNOSES", "TABLES"]
