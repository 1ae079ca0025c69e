"""Sums and products entry by entry of two whole shapes."""

import re

from core.shapes.layer_shapes import Shape, differing_axes
from core.shapes.messages import Reading
from core.shapes.rules.keras.states import of_told_batch
from core.shapes.rules.losses.scalers import (
    is_in_own_scaler,
    is_in_scaler,
    is_of_scaler_alone,
    of_own_scaler,
    of_scaler,
    or_scaler,
)
from core.shapes.rules.products.flax_cells import of_carry_with_steps
from core.shapes.rules.products.recurrent_weights import not_square
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, diagnoses, first_found
from core.shapes.rules.states.state_in_cell import of_state_in_cell
from core.shapes.rules.sums.comparisons import of_compared
from core.shapes.rules.sums.elementwise import of_two_shapes, told_by_line
from core.shapes.rules.sums.shifted_series import of_shifted_series
from core.shapes.rules.sums.stacked_gates import one_gate_of_sum, stacked_gates
from core.shapes.rules.tensorflow.nodes import of_node
from core.shapes.user_code.evidence import is_of_fit
from core.shapes.user_code.jax_lines import with_argument
from core.shapes.user_code.products_of_line import has_batch_in_rows


def _of_index_arrays(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    in_index = re.search(r"jax[/\\]_src[/\\]numpy[/\\]indexing\.py(?!.*take_along_axis)", reading.below_own)
    return DIAGNOSES["index_arrays"](reading) if in_index else None


def _in_scaler(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a scaler that gets other columns than those it was fitted to; None if the text tells none."""
    if is_in_own_scaler(reading) and left[-1:] > (1,) and (found := of_own_scaler(reading, left, right)):
        return found
    if left and right and (left[:-1] == right[:-1] != () or len(right) == 1) and is_in_scaler(reading):
        return of_scaler(reading, right[-1], left[-1], len(left))
    if is_of_scaler_alone(reading, left, right):
        return or_scaler(of_two_shapes(reading.framework, left, right), reading, left, right)
    return None


# The text around the two shapes may tell more; what tells most surely comes first.
_BY_TEXT = (
    _of_index_arrays,
    not_square,
    _in_scaler,
    of_told_batch,
    of_carry_with_steps,
    of_state_in_cell,
    of_node,
    of_own_scaler,
    of_shifted_series,
    of_compared,
)


@diagnoses("broadcast")
def broadcast(reading: Reading) -> Diagnosis:
    left, right = reading.shape("left"), reading.shape("right")
    if found := first_found(_BY_TEXT, reading, left, right):
        return found
    rows = has_batch_in_rows(reading)
    at = [axis for axis in differing_axes(left, right) if 1 not in (left[axis], right[axis])]
    is_one_axis = len(left) == len(right) and len(at) == 1
    gates = stacked_gates(reading, left[at[0]], right[at[0]], at[0]) if is_one_axis else None
    one_gate = one_gate_of_sum(reading, left, right)
    found = of_two_shapes(reading.framework, left, right, rows=rows, gates=gates, one_gate=one_gate)
    are_batches = len(left) == len(right) == 2 and left[1] == right[1]
    found.facts.scanned = with_argument(reading, "xs", "jnp.swapaxes({}, 0, 1)") if are_batches else ""
    vars(found.facts).update(told_by_line(reading, left, right))
    found.facts.may_scan = reading.framework == "JAX" and not reading.own
    # In training Keras subtracts the predictions from the targets.
    found.facts.at = at[0] if is_one_axis and is_of_fit(reading) else 0
    return found
