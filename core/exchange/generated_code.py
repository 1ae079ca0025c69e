"""The code of what is seen, with its numbers: scripts for NumPy, PyTorch and Keras."""

import numpy as np

from core.activations import ACTIVATIONS
from core.arrays import Array, expect_recurrence
from core.cells import CELLS
from core.cells.protocol import state_after_step, state_arrays
from core.exchange.code_parts import (
    MOST_WRITTEN,
    arrays_of,
    assignments,
    concatenation_line,
    functions,
    rows,
    step_lines,
    symbols_made,
)
from core.exchange.generated_layer_code import numpy_layers, print_layers, pytorch_layers
from core.exchange.weight_layouts import layout_of, to_keras, to_pytorch
from core.scenario import Scenario

# From the last step back: products kept at length 1, with the logarithm of their lengths.
GAINS = """
product, log_gains = np.eye(len(J)) / np.sqrt(len(J)), [0.0]
for J in reversed(jacobians[1:]):
    product = product @ J
    length = np.linalg.norm(product)
    log_gains.append(log_gains[-1] + np.log10(length) if length else -np.inf)
    product /= length or 1
for s, log_gain in enumerate(reversed(log_gains), 1):
    print(f"from step {len(jacobians)} to step {s}: 10^{log_gain}")
"""


def numpy_script(scenario: Scenario, cell: str, *, sequence: bool, gains: bool = False) -> str:
    """Return a script that computes and prints the numbers with NumPy alone.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    sequence : bool
        All steps of the scenario's sequence, rather than one.
    gains : bool
        Of a sequence the gains from the last step back, rather than the symbols of each step.

    Raises
    ------
    ValueError
        For a sequence, or a cell that must recur, if k != n; also if the activation has no NumPy code.
    """
    arrays = arrays_of(scenario, cell, sequence=sequence)
    step = step_lines(scenario, cell, with_sampled_gates=not sequence)
    shown = [f'print("{name} =", {name}.ravel())' for name in symbols_made(cell)]
    if gains:
        shown = [*CELLS[cell].JACOBIAN_CODE, "jacobians.append(J)"]
    lines = ["import numpy as np", "", *functions(scenario, [*step, *shown]), "", *assignments(arrays), ""]
    lines += [
        concatenation_line(scenario, joined.W, joined.W_h, joined.W_x)
        for joined in CELLS[cell].PRE_ACTIVATIONS.values()
    ]
    if not sequence:
        return "\n".join([*lines, *step, *shown]) + "\n"
    lines += ["jacobians = []"] if gains else []
    lines += ["for t, x_t in enumerate(xs[:, :, None], 1):"]
    shown = shown if gains else ['print(f"step {t}")', *shown]
    next_state = [f"{before} = {after}" for before, after in state_after_step(CELLS[cell]).items()]
    lines += [f"    {line}" for line in [*step, *shown, *next_state]]
    if scenario.is_layered:
        lines += ["", *numpy_layers(scenario, cell), *print_layers(cell)]
    return "\n".join([*lines, *([GAINS] if gains else [])]) + "\n"


def pytorch_script(scenario: Scenario, cell: str, *, sequence: bool) -> str:
    """Return a script that computes the states with PyTorch's own layers; the parameters are those of `numpy_script`.

    Raises
    ------
    ValueError
        As `numpy_script`; also if PyTorch has no such layer or no such activation, if there are too many numbers to be written
        out, or if gates are sampled.
    """
    layout = layout_of(cell, "PyTorch")
    arrays = _for_layer(scenario, cell, sequence=sequence)
    if sequence and scenario.is_layered:
        return pytorch_layers(scenario, cell, arrays["xs"])
    state = [name.removesuffix("_prev") for name in state_arrays(CELLS[cell])]
    head = [
        *["import torch", "", "torch.set_default_dtype(torch.float64)", ""],
        f"xs = torch.tensor({rows(arrays['xs'] if sequence else arrays['x_t'].T)})  # one step in each row",
        *(f"{name} = torch.tensor({rows(arrays[f'{name}_prev'].T)})" for name in state),
    ]
    if layout.activations and scenario.g not in layout.activations:
        weights = [name for block in layout.blocks for name in block if name]
        head += [f"{name} = torch.tensor({rows(arrays[name])})" for name in weights]
        function = _of_framework("PyTorch", scenario.g, ACTIVATIONS[scenario.g].pytorch)
        return "\n".join([*head, "", *(line.replace("{g}", function) for line in layout.by_hand)]) + "\n"
    options = f", nonlinearity={scenario.g!r}" if layout.activations else ""
    parameters = to_pytorch(cell, arrays).items()
    states = state[0] if len(state) == 1 else f"({', '.join(state)})"
    lines = [
        *[*head, "", f"layer = torch.nn.{layout.pytorch}({scenario.m}, {scenario.k}{options})"],
        *_comment("on top of each other", layout.pytorch_gates),
        "with torch.no_grad():",
        *(f"    layer.{name}.copy_(torch.tensor({rows(array)}))" for name, array in parameters),
        f"    h_t, {states} = layer(xs, {states})",
        '    print("h_t =", h_t)',
        *(f'    print("{name}_t =", {name})' for name in state[1:]),
    ]
    return "\n".join(lines) + "\n"


def keras_script(scenario: Scenario, cell: str, *, sequence: bool) -> str:
    """Return a script that computes the states with Keras' own layers; the parameters are those of `numpy_script`.

    Raises
    ------
    ValueError
        As `pytorch_script`; also for several layers or directions.
    """
    if sequence and scenario.is_layered:
        raise ValueError("The Keras code has one layer and one direction. Use the PyTorch or the NumPy code.")
    layout = layout_of(cell, "Keras")
    arrays = _for_layer(scenario, cell, sequence=sequence)
    xs = arrays["xs"] if sequence else arrays["x_t"].T
    state = [name.removesuffix("_prev") for name in state_arrays(CELLS[cell])]
    given = ", ".join(f"np.array({rows(arrays[f'{name}_prev'].T)})" for name in state)
    activation = ""
    if layout.activations:
        activation = f"activation={_of_framework('Keras', scenario.g, ACTIVATIONS[scenario.g].keras)!r}, "
    options = f"{activation}{layout.keras_options}return_sequences=True, return_state=True"
    lines = [
        "import keras",
        "import numpy as np",
        "",
        f"xs = np.array([{rows(xs)}])  # one sequence, one step in each row",
        f'layer = keras.layers.{layout.keras}({scenario.k}, {options}, dtype="float64")',
        f"layer.build((None, {len(xs)}, {scenario.m}))",
        *_comment("side by side", layout.keras_gates),
        "layer.set_weights(",
        "    [",
        *(f"        np.array({rows(array)})," for array in to_keras(cell, arrays)),
        "    ]",
        ")",
        f"h_t, *state = layer(xs, initial_state=[{given}])",
        'print("h_t =", h_t)',
        *(f'print("{name}_t =", state[{at}])' for at, name in enumerate(state) if at),
    ]
    return "\n".join(lines) + "\n"


def _for_layer(scenario: Scenario, cell: str, *, sequence: bool) -> dict[str, Array]:
    """Return the arrays for a framework's layer, which takes floats and no whole numbers."""
    arrays = arrays_of(scenario, cell, sequence=sequence)
    k, n = (scenario.shapes()[name][0] for name in ("b_h", "h_prev"))
    expect_recurrence(np.empty((k, 1)), np.empty((n, 1)))
    if sum(array.size for array in arrays.values()) > MOST_WRITTEN:
        raise ValueError(
            f"The code can have at most {MOST_WRITTEN} numbers. Export the NumPy code, or make the cell or the sequence smaller."
        )
    if scenario.stochastic and hasattr(CELLS[cell], "GATE_PROBABILITIES") and not sequence:
        raise ValueError(
            "PyTorch and Keras cannot sample gates. Turn off the sampling of gates, or export the NumPy code."
        )
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def _of_framework(framework: str, activation: str, name: str) -> str:
    """Return a framework's name for an activation; raise ValueError if it has none."""
    if not name:
        raise ValueError(
            f"{framework} has no activation {activation}. Export the NumPy code, or choose another activation."
        )
    return name


def _comment(how: str, gates: str) -> list[str]:
    return [f"# The gates stand {how} as {gates}."] if gates else []
