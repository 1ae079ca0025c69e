"""The code of several layers and directions: their part of the NumPy script and the notebook, and the PyTorch script."""

from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_after_step, state_arrays
from core.exchange.code_parts import concatenation_line, expect_written, rows, step_lines
from core.exchange.weight_layouts import layout_of, to_pytorch
from core.scenario import Scenario

# From the bottom: each direction of a layer reads the outputs of the layer below it.
RUN_LAYERS = """
output, states = xs, []
for layer in layers:
    halves = []
    for backward, arrays in enumerate(layer):
        h, state = run_direction(arrays, output[::-1] if backward else output)
        halves.append(h[::-1] if backward else h)
        states.append(state)
    output = np.hstack(halves)
"""


def numpy_layers(scenario: Scenario, cell: str) -> list[str]:
    """Return lines that run all layers and directions over ``xs``, and leave behind ``output`` and ``states``.

    Parameters
    ----------
    cell : str
        A name of CELLS. The functions that its code calls must be defined already.

    Raises
    ------
    ValueError
        If there are too many numbers to be written out.
    """
    layers = scenario.layer_arrays(cell)
    _expect_few(layers)
    names, state = list(layers[0][0]), state_arrays(CELLS[cell])
    lines = [
        "def run_direction(arrays, xs):",
        f"    {', '.join(names)} = (arrays[name] for name in {names})",
        *(
            f"    {concatenation_line(scenario, one.W, one.W_h, one.W_x)}"
            for one in CELLS[cell].PRE_ACTIVATIONS.values()
        ),
        "    h = []",
        "    for x_t in xs[:, :, None]:",
        *(f"        {line}" for line in step_lines(scenario, cell, with_sampled_gates=False)),
        *(f"        {before} = {after}" for before, after in state_after_step(CELLS[cell]).items()),
        "        h.append(h_t)",
        f"    return np.hstack(h).T, [{', '.join(state)}]",
        "",
        f"layers = [{', '.join(['[]'] * len(layers))}]",
    ]
    for at, directions in enumerate(layers):
        for arrays in directions:
            written = [f'    "{name}": np.array({rows(array)}),' for name, array in arrays.items()]
            lines += [f"layers[{at}].append({{", *written, "})"]
    return [*lines, *RUN_LAYERS.splitlines()[1:]]


def print_layers(cell: str) -> list[str]:
    """Return lines that print the last output and the states after all steps, by PyTorch's names."""
    parts = [name.removesuffix("_prev") for name in state_arrays(CELLS[cell])]
    return [
        'print("output[-1] =", output[-1])',
        "for at, state in enumerate(states):",
        *(f'    print(f"{part}_n[{{at}}] =", state[{at}].ravel())' for at, part in enumerate(parts)),
    ]


def pytorch_layers(scenario: Scenario, cell: str, xs: Array) -> str:
    """Return a script that computes output, h_n and c_n with one layer object of PyTorch.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    xs : ndarray of shape (T, m)

    Raises
    ------
    ValueError
        If PyTorch has no such layer or no such activation in it, or if there are too many numbers to be written out.
    """
    layout, layers = layout_of(cell, "PyTorch"), scenario.layer_arrays(cell)
    if layout.activations and scenario.g not in layout.activations:
        raise ValueError(
            f"torch.nn.{layout.pytorch} has no activation {scenario.g}. Use the NumPy code, or choose another activation."
        )
    _expect_few(layers)
    state = [name.removesuffix("_prev") for name in state_arrays(CELLS[cell])]
    every = [arrays for directions in layers for arrays in directions]
    first = {part: [arrays[f"{part}_prev"].astype(float).ravel().tolist() for arrays in every] for part in state}
    copied = [
        (f"{name.removesuffix('0')}{at}{'_reverse' if backward else ''}", array)
        for at, directions in enumerate(layers)
        for backward, arrays in enumerate(directions)
        for name, array in to_pytorch(cell, arrays).items()
    ]
    options = f"num_layers={scenario.layers}, bidirectional={scenario.directions == 'two'}"
    if layout.activations:
        options += f", nonlinearity={scenario.g!r}"
    states, results = (
        names[0] if len(names) == 1 else f"({', '.join(names)})" for names in (state, [f"{part}_n" for part in state])
    )
    return (
        "\n".join(
            [
                *["import torch", "", "torch.set_default_dtype(torch.float64)", ""],
                f"xs = torch.tensor({rows(xs.astype(float))})  # one step in each row",
                *(f"{part} = torch.tensor({numbers})" for part, numbers in first.items()),
                "",
                f"layer = torch.nn.{layout.pytorch}({scenario.m}, {scenario.k}, {options})",
                "with torch.no_grad():",
                *(f"    layer.{name}.copy_(torch.tensor({rows(array)}))" for name, array in copied),
                f"    output, {results} = layer(xs, {states})",
                '    print("output[-1] =", output[-1])',
                *(f'    print("{part}_n =", {part}_n)' for part in state),
            ]
        )
        + "\n"
    )


def _expect_few(layers: list[list[dict[str, Array]]]) -> None:
    expect_written(array for directions in layers for arrays in directions for array in arrays.values())
