"""The changes of a training setup that the obstacles of a training call for: the fields to change, and their new values.

They follow from the setup alone, so that a link can name a change.
"""

from typing import Any

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.cells.protocol import chooses_activation
from core.training.measurements import has_forget_gate
from core.training.optimisers import OPTIMISERS
from core.training.thresholds import (
    DERIVATIVE_OF_TANH,
    FEW_STEPS,
    MANY_UNITS,
    OPEN_BIAS,
    RATE_FACTOR,
    SCALE_FOR_A_HALF,
    UPDATES_FACTOR,
    USUAL_BIAS,
    USUAL_UPDATES,
)
from core.training.training_setup import BOUNDS, MOST_STEPS, TrainingSetup

Changes = dict[str, Any]


def scale(setup: TrainingSetup) -> Changes:
    """Return Glorot's weights of scale 1."""
    return {"init": "glorot", "scale": 1.0}


def bias(setup: TrainingSetup) -> Changes:
    """Return the usual forget bias."""
    return {"forget_bias": USUAL_BIAS}


def clipped(setup: TrainingSetup) -> Changes:
    """Return clipping of the norm at 1."""
    return {"clip": "norm", "clip_at": 1.0}


def wider(setup: TrainingSetup) -> Changes:
    """Return a larger clipping threshold."""
    return {"clip_at": min(max(1.0, RATE_FACTOR * setup.clip_at), BOUNDS["clip_at"][1])}


def slower(setup: TrainingSetup) -> Changes:
    """Return a lower learning rate, at most the usual one."""
    rate = min(setup.rate / RATE_FACTOR, OPTIMISERS[setup.optimiser].usual_rate)
    return {"rate": max(rate, BOUNDS["rate"][0])}


def faster(setup: TrainingSetup) -> Changes:
    """Return a higher learning rate, at least the usual one."""
    rate = max(setup.rate * RATE_FACTOR, OPTIMISERS[setup.optimiser].usual_rate)
    return {"rate": min(rate, BOUNDS["rate"][1])}


def _most_updates(setup: TrainingSetup) -> int:
    return min(MOST_STEPS // (setup.batch * setup.T), int(BOUNDS["updates"][1]))


def longer(setup: TrainingSetup) -> Changes:
    """Return more updates, up to the limit on the steps of a training."""
    most = _most_updates(setup)
    unit = 10 ** max(0, len(f"{most}") - 2)
    return {"updates": max(setup.updates, min(UPDATES_FACTOR * setup.updates, most // unit * unit))}


def usual_or_longer(setup: TrainingSetup) -> Changes:
    """Return more updates, and if possible at least the usual number."""
    return {"updates": max(longer(setup)["updates"], min(USUAL_UPDATES, _most_updates(setup)))}


def can_be_longer(setup: TrainingSetup) -> bool:
    """Whether a training of these sizes may have more updates."""
    return usual_or_longer(setup)["updates"] > setup.updates


def slower_and_longer(setup: TrainingSetup) -> Changes:
    """Return a lower learning rate, and if possible as many more updates, so that they go as far."""
    rate = {"rate": max(setup.rate / UPDATES_FACTOR, BOUNDS["rate"][0])}
    return rate | (more if (more := longer(setup))["updates"] > setup.updates else {})


def shorter(setup: TrainingSetup) -> Changes:
    """Return half of the time steps."""
    return {"T": max(setup.T // 2, int(BOUNDS["T"][0]))}


def much_shorter(setup: TrainingSetup) -> Changes:
    """Return a quarter of the time steps, or FEW_STEPS if that is more, but at most half of them."""
    return {"T": max(setup.T // 4, min(shorter(setup)["T"], FEW_STEPS))}


def more_units(setup: TrainingSetup) -> Changes:
    """Return twice as many hidden units, or MANY_UNITS if that is more, up to the limit."""
    return {"k": min(max(2 * setup.k, MANY_UNITS), int(BOUNDS["k"][1]))}


def calmer(setup: TrainingSetup) -> Changes:
    """Return smaller weights, or half of the time steps if the weights are not large."""
    return scale(setup) if setup.scale > 1 else shorter(setup)


def steeper(setup: TrainingSetup) -> Changes:
    """Return tanh, with weights that neither saturate it nor shrink the gradient."""
    return {"g": "tanh", "init": "orthogonal", "scale": 1.0}


def needs_gates(setup: TrainingSetup) -> bool:
    """Whether a vanishing gradient calls for a cell with gates.

    In runs of the adding task whose gradient vanished, other weights or tanh seldom let an RNN learn, and a GRU nearly always learned.
    """
    return setup.task == "adding" and not _is_gated(setup.cell)


def _has_flat_activation(setup: TrainingSetup) -> bool:
    return not _is_gated(setup.cell) and ACTIVATIONS[setup.g].max_df < DERIVATIVE_OF_TANH


def _is_gated(cell: str) -> bool:
    return len(CELLS[cell].PRE_ACTIVATIONS) > 1


def open_path(setup: TrainingSetup) -> Changes:
    """Return what keeps the norm of a gradient through time: of an LSTM its forget bias, of others orthogonal weights.

    The reset gate of a GRU starts near 1/2 and halves W_hh·h, so its weights are twice as large. An RNN with ReLU gets tanh as well,
    because its inactive units pass no gradient back. An RNN becomes a GRU if its task needs gates, or if its activation shrinks the
    gradient whatever the weights.
    """
    if has_forget_gate(setup.cell):
        return {"forget_bias": OPEN_BIAS} if setup.forget_bias < OPEN_BIAS else shorter(setup)
    if needs_gates(setup) or _has_flat_activation(setup):
        return {"cell": "GRU", "init": "orthogonal", "scale": SCALE_FOR_A_HALF}
    if chooses_activation(CELLS[setup.cell]) and not ACTIVATIONS[setup.g].is_bounded:
        return steeper(setup)
    weights = {"init": "orthogonal", "scale": SCALE_FOR_A_HALF if _is_gated(setup.cell) else 1.0}
    return shorter(setup) if (setup.init, setup.scale) == (weights["init"], weights["scale"]) else weights
