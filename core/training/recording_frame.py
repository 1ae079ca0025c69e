"""One frame of a recording with every number in it, and one row of its gradient, step by step."""

from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_after_step
from core.concatenation import split_columns
from core.training.learner import Learner
from core.training.readout import Readout
from core.training.recording import Recording, first_column, validation_set


class ProbeRun(NamedTuple):
    """The symbols of a cell on the probe at one frame, and where its gradient starts.

    Attributes
    ----------
    params, trace
        Of the cell; the trace has every symbol of its equations, with B = 1.
    dh : ndarray of shape (T, k, 1)
        The loss's derivative with respect to each h_t alone.
    """

    params: Any
    trace: Any
    dh: Array


def params_at(recording: Recording, frame: int) -> Any:
    """Return the parameters of the cell at a frame, for use on every other page.

    Parameters
    ----------
    frame : int
        From 0; -1 is the last.

    Returns
    -------
    Params
        Of the cell of the setup.
    """
    return Learner(recording.setup).at(_theta(recording, frame))[0]


def probe_run_at(recording: Recording, frame: int) -> ProbeRun:
    """Return what the cell computes on the probe at a frame.

    Parameters
    ----------
    recording : Recording
        Whose numbers are finite at this frame.
    frame : int
        From 0; -1 is the last.
    """
    learner, theta, probe = (
        Learner(recording.setup),
        _theta(recording, frame),
        first_column(validation_set(recording.setup)),
    )
    trace, result = learner.forward_loss(theta, probe)
    return ProbeRun(learner.at(theta)[0], trace, result.dh)


def row_over_time(cell: Any, params: Any, trace: Any, dh: Array, W: str, unit: int) -> Array:
    """Return the term of each step in one row of a gradient: the row of δ_t v_t.T, where z_t = W v_t + b.

    Parameters
    ----------
    cell : Cell
        One that has `deltas`.
    params, trace
        Of this cell.
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t.
    W : str
        Weights as the equations call them, such as W_f; the plain cell's are W_h, which is both of its matrices joined.
    unit : int
        From 0.

    Returns
    -------
    ndarray of shape (T, columns of W)
        Their sum over the steps is the row of the gradient with respect to W.

    Raises
    ------
    ValueError
        If no row of the equations is a product with such weights, or if there is no such unit.
    """
    rows = {row[0]: row for row in cell.EQUATIONS if row[1] == "·"}
    if W not in rows:
        raise ValueError(f"W must be one of {', '.join(rows)}, but it is {W!r}.")
    if not 0 <= unit < params.k:
        raise ValueError(f"unit must be from 0 to {params.k - 1}, but it is {unit}.")
    row = rows[W]
    delta = getattr(cell.deltas(params, trace, dh), row[row.index("=") + 1])
    return np.einsum("tb,tib->ti", delta[:, unit], getattr(trace, row[2]))


def saved_at(recording: Recording, frame: int) -> dict[str, Array]:
    """Return all trained arrays at a frame for a file: `arrays_at`, and the readout.

    Parameters
    ----------
    frame : int
        From 0; -1 is the last.
    """
    return arrays_at(recording, frame) | {name: recording.weights[name][frame] for name in Readout._fields}


def arrays_on_probe(recording: Recording, frame: int, steps: int) -> dict[str, Array]:
    """Return the cell at a frame on its probe, as every page takes it: `arrays_at`, the state after some steps, and the inputs.

    Parameters
    ----------
    frame : int
        From 0; -1 is the last.
    steps : int
        How many steps of the probe are behind the state, at least 1 and fewer than T.

    Returns
    -------
    dict from str to ndarray
        "x_t" is the input of the next step, and "xs" has those of all further steps.
    """
    learner = Learner(recording.setup)
    trace = learner.trace(params_at(recording, frame), recording.xs[:, :, None])
    state = {before: getattr(trace, after)[steps - 1] for before, after in state_after_step(learner.cell).items()}
    return arrays_at(recording, frame) | state | {"x_t": recording.xs[steps][:, None], "xs": recording.xs[steps:]}


def _theta(recording: Recording, frame: int) -> Array:
    return np.concatenate([weights[frame].ravel() for weights in recording.weights.values()])


def arrays_at(recording: Recording, frame: int) -> dict[str, Array]:
    """Return the parameters of the cell at a frame by the names of `Scenario`.

    Parameters
    ----------
    frame : int
        From 0; -1 is the last.
    """
    cell: Any = CELLS[recording.setup.cell]
    params = params_at(recording, frame)
    arrays: dict[str, Array] = {}
    for pre_activation in cell.PRE_ACTIVATIONS.values():
        W_h, W_x = split_columns(getattr(params, pre_activation.W), params.k, params.order)
        arrays |= {
            pre_activation.W_h: W_h,
            pre_activation.W_x: W_x,
            pre_activation.b: getattr(params, pre_activation.b),
        }
    rest = [name for name, spec in cell.ARRAYS.items() if spec.kind != "input" and name not in arrays]
    return arrays | {name: getattr(params, name) for name in rest if hasattr(params, name)}
