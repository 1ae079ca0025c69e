"""The parts of scripts and notebooks: the arrays, the equations and the functions as code."""

import re
from collections.abc import Iterable, Mapping

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.concatenation import in_order
from core.scenario import Scenario
from core.sequence.sequence_run import run_sequence

# This many numbers are written out; more are loaded from the file of all arrays.
MOST_WRITTEN = 4000


def arrays_of(scenario: Scenario, cell: str, *, sequence: bool) -> dict[str, Array]:
    """Return the parameters, the state and the input of a cell.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    sequence : bool
        With the inputs of all steps, as far as numbers stay bounded, rather than of one.

    Returns
    -------
    dict from str to ndarray
        By the names of `Scenario.shapes`; the inputs of a sequence are xs, of shape (T, m).

    Raises
    ------
    ValueError
        As `numpy_script`.
    """
    arrays = {name: scenario.array(name) for name in CELLS[cell].ARRAYS}
    if not sequence:
        scenario.step_arguments(cell)
        return arrays
    run = run_sequence(scenario, cell)
    del arrays["x_t"]
    return arrays | dict(zip(state_arrays(CELLS[cell]), run.first)) | {"xs": run.xs[:, :, 0]}


def symbols_made(cell: str) -> list[str]:
    """Return the symbols that the cell's code makes, in its order."""
    return [line.partition(" = ")[0] for line in CELLS[cell].CODE]


def step_lines(scenario: Scenario, cell: str, *, with_sampled_gates: bool) -> list[str]:
    """Return the lines of one step, from the stacked input on.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    with_sampled_gates : bool
        With the gates that were sampled, if the scenario has such.
    """
    lines = [f"stacked = np.vstack([{', '.join(in_order('h_prev', 'x_t', scenario.order))}])"]
    sampled: Mapping[str, str] = (
        getattr(CELLS[cell], "GATE_PROBABILITIES", {}) if with_sampled_gates and scenario.stochastic else {}
    )
    step = scenario.step(cell)[1] if sampled else None
    for name, line in zip(symbols_made(cell), CELLS[cell].CODE):
        lines.append(line)
        if name in sampled:
            lines.append(f"{name} = np.array({getattr(step, name).tolist()})  # sampled: 1 with that probability")
    return lines


def functions(scenario: Scenario, lines: Iterable[str]) -> list[str]:
    """Return the definitions of the activations and derivatives that the lines call.

    Raises
    ------
    ValueError
        If the chosen activation has no NumPy code.
    """
    defined = {
        name: code
        for activation in ACTIVATIONS.values()
        for name, code in zip((activation.name, f"d{activation.name}"), activation.numpy)
    }
    called = set(re.findall(r"\b(\w+)\(", "\n".join(lines)))
    chosen = {"g": scenario.g, "dg": f"d{scenario.g}"}
    needed = (called & defined.keys()) | {chosen[name] for name in called & chosen.keys()}
    if not needed <= defined.keys():
        raise ValueError(f"The activation {scenario.g} has no NumPy code. Choose another activation.")
    for name in reversed(defined):
        if name in needed:
            needed |= {other for other in defined if re.search(rf"\b{other}\(", defined[name])}
    named = [f"{name} = {chosen[name]}" for name in chosen if name in called]
    return [defined[name] for name in defined if name in needed] + named


def concatenation_line(scenario: Scenario, symbol: str, h_part: str, x_part: str) -> str:
    """Return the line that concatenates weights."""
    return f"{symbol} = np.hstack([{', '.join(in_order(h_part, x_part, scenario.order))}])"


def assignments(arrays: Mapping[str, Array]) -> list[str]:
    """Return the lines that write the arrays out, or load them if they are many."""
    if sum(array.size for array in arrays.values()) <= MOST_WRITTEN:
        return [f"{name} = np.array({rows(array)})" for name, array in arrays.items()]
    # A sequence may start from a state of 0, and end where numbers overflow: the file has the scenario's own.
    loaded = [
        f"{name} = np.zeros({array.shape})" if "xs" in arrays and not array.any() else f'{name} = file["{name}"]'
        for name, array in arrays.items()
    ]
    ended = [f"xs = xs[:{len(arrays['xs'])}]"] if "xs" in arrays else []
    return ['file = np.load("cellscope.npz")  # saved beside this script', *loaded, *ended]


def expect_written(arrays: Iterable[Array]) -> None:
    """Raise ValueError if these arrays have too many numbers to be written out."""
    if sum(array.size for array in arrays) > MOST_WRITTEN:
        raise ValueError(
            f"At most {MOST_WRITTEN} numbers can be written out. Make the cell smaller, or choose fewer layers and one direction."
        )


def rows(array: Array) -> str:
    """Return the code of an array with all digits, one row on each line."""
    if array.ndim == 1:
        return repr(array.tolist())
    return "[" + ",\n    ".join(repr(row) for row in array.tolist()) + "]"
