"""Tables of the causes that each kind of message may have, and the diagnoses that read the facts for them."""

from core.shapes.rules import (
    arrays,
    assignments,
    cell_states,
    chosen_sizes,
    concatenations,
    entries,
    flax_cells,
    indexing,
    inputs,
    integer_labels,
    keras_cells,
    keras_inputs,
    keras_joins,
    keras_losses,
    keras_models,
    keras_states,
    losses,
    nodes,
    old_sums,
    other_layers,
    other_products,
    packed,
    products,
    recurrent_weights,
    reshapes,
    scalers,
    state_pairs,
    states,
    target_numbers,
    weights,
    weights_of_stack,
)
from core.shapes.rules.rule import DIAGNOSES, Rule, Rules

# The modules register their diagnoses when they are imported.
_MODULES = (
    arrays,
    assignments,
    cell_states,
    chosen_sizes,
    entries,
    flax_cells,
    indexing,
    inputs,
    integer_labels,
    concatenations,
    keras_cells,
    keras_inputs,
    keras_joins,
    keras_losses,
    keras_models,
    keras_states,
    losses,
    nodes,
    old_sums,
    other_layers,
    other_products,
    packed,
    state_pairs,
    products,
    recurrent_weights,
    reshapes,
    scalers,
    states,
    target_numbers,
    weights,
    weights_of_stack,
)

# Every table by its name.
TABLES: dict[str, Rules] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if name[0] != "_" and isinstance(value, tuple) and all(isinstance(one, Rule) for one in value)
}

__all__ = ["DIAGNOSES", "TABLES"]
