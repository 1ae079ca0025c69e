"""The cell of a scenario over its sequence, in all of its layers and directions."""

from typing import Any, NamedTuple

import numpy as np

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.scenario import Scenario
from core.sequence.layers import NetworkTrace, build_layers, run_layers_bounded
from core.sequence.unroll import bounded_steps, unroll

# The inputs that are given step by step, and not made from x_t or a seed.
GIVEN = ("word", "numbers")


class SequenceRun(NamedTuple):
    """A cell over a sequence, as far as numbers stay bounded.

    Attributes
    ----------
    params, first : object
        Of the cell; the state is that before the first step. With several layers or directions, those of the forward
        direction of layer 1.
    trace : NamedTuple
        Its symbols over time.
    xs : ndarray of shape (T, m, B)
        The inputs of these steps.
    network : NetworkTrace or None
        All layers and directions, if there is more than one.
    """

    params: Any
    first: Any
    trace: Any
    xs: Array
    network: NetworkTrace | None


def run_sequence(scenario: Scenario, cell: str) -> SequenceRun:
    """Run a cell of CELLS over the sequence of a scenario.

    Raises
    ------
    ValueError
        If the sequence cannot be made, or if k != n.
    """
    params, first = scenario.params_and_initial_state(cell)
    xs = scenario.sequence()
    if not scenario.is_layered:
        trace, T = bounded_steps(unroll(CELLS[cell], params, first, xs))
        return SequenceRun(params, first, trace, xs[:T], None)
    arrays, g = scenario.layer_arrays(cell), ACTIVATIONS[scenario.g]
    network, T = run_layers_bounded(build_layers(CELLS[cell], arrays, order=scenario.order, g=g), xs)
    return SequenceRun(params, first, network.layers[0].traces[0], xs[:T], network)


def next_input(scenario: Scenario, t: int) -> tuple[Array, int] | None:
    """Return the x_t of the step that follows in a word or in typed numbers, and the number of that step.

    Parameters
    ----------
    scenario : Scenario
    t : int
        The current step, counted from 1. If the scenario has another x_t than the sequence has there, step 1 follows.

    Returns
    -------
    tuple of ndarray of shape (m, 1) and int, or None
        None after the last step, and if there is no such sequence for this m.
    """
    if scenario.input not in GIVEN:
        return None
    try:
        xs = scenario.sequence()
    except ValueError:
        return None
    is_there = t <= len(xs) and np.array_equal(scenario.array("x_t"), xs[t - 1])
    at = t if is_there else 0
    return (xs[at], at + 1) if at < len(xs) else None
