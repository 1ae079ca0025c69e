"""Tables of the causes that each kind of message may have, and the diagnoses that read the facts for them."""

from core.shapes.rules import (
    assignments,
    attention_masks,
    broadcasting,
    cell_states,
    chosen_sizes,
    concatenations,
    ctc,
    einsum_and_batches,
    elementwise,
    flax_cells,
    indexing,
    initial_states,
    integer_labels,
    keras_cells,
    keras_data,
    keras_inputs,
    keras_losses,
    keras_merges,
    keras_models,
    keras_states,
    layer_inputs,
    loaded_weights,
    loaders,
    losses,
    matrix_products,
    old_pytorch,
    onnx_nodes,
    other_layers,
    packed,
    recurrent_weights,
    reshapes,
    scalers,
    shifted_series,
    stacked_input_weights,
    stacks,
    state_pairs,
    target_counts,
    tensorflow_nodes,
    tensorflow_one,
)
from core.shapes.rules.rule import DIAGNOSES, Rule, Rules

# The modules register their diagnoses when they are imported.
_MODULES = (
    stacks,
    attention_masks,
    broadcasting,
    assignments,
    cell_states,
    chosen_sizes,
    elementwise,
    flax_cells,
    indexing,
    layer_inputs,
    integer_labels,
    concatenations,
    ctc,
    keras_cells,
    keras_data,
    keras_inputs,
    keras_merges,
    keras_losses,
    keras_models,
    keras_states,
    loaders,
    losses,
    tensorflow_nodes,
    tensorflow_one,
    onnx_nodes,
    old_pytorch,
    other_layers,
    einsum_and_batches,
    packed,
    state_pairs,
    matrix_products,
    recurrent_weights,
    reshapes,
    scalers,
    shifted_series,
    initial_states,
    target_counts,
    loaded_weights,
    stacked_input_weights,
)

# Every table by its name.
TABLES: dict[str, Rules] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if name[0] != "_" and isinstance(value, tuple) and all(isinstance(one, Rule) for one in value)
}

__all__ = ["DIAGNOSES", "TABLES"]
