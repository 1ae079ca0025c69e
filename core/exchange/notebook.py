"""A Jupyter notebook that computes what is seen, step by step."""

import json
from collections.abc import Iterable

from core.cells import CELLS
from core.cells.protocol import PreActivationSpec, state_after_step
from core.concatenation import in_order
from core.exchange.code_parts import (
    arrays_of,
    assignments,
    functions,
    step_lines,
    symbols_made,
)
from core.exchange.generated_layer_code import numpy_layers
from core.scenario import Scenario


def notebook(scenario: Scenario, cell: str, *, sequence: bool = False) -> str:
    """Return a notebook that takes one step of a cell: its concatenations, both formulas, and every symbol of its equations.

    At its end there are a plot, which needs matplotlib, and three tasks.

    Parameters
    ----------
    cell : str
        A name of CELLS.
    sequence : bool
        With all steps of the sequence after the first one.

    Returns
    -------
    str
        JSON of nbformat 4.5.

    Raises
    ------
    ValueError
        If it is a cell that cannot be without recurring, or a sequence, and k != n; or if the input cannot be made.

    References
    ----------
    https://nbformat.readthedocs.io/en/latest/format_description.html
    """
    arrays = arrays_of(scenario, cell, sequence=sequence)
    joined = list(CELLS[cell].PRE_ACTIVATIONS.values())
    title = f"A recurrent cell over {len(arrays['xs'])} steps" if sequence else "One step of a recurrent cell"
    first = ["", '# Until "Over time" all is of the first step.', "x_t = xs[0][:, None]"] if sequence else []
    cells = [
        (
            "markdown",
            f"# {title}\n\nThe {cell} with m = {scenario.m} inputs, n = {scenario.n} previous hidden entries and k = {scenario.k} units.",
        ),
        ("code", "\n".join(["import numpy as np", "", *assignments(arrays), *first])),
        (
            "markdown",
            "## The two concatenations\n\nThe weights are concatenated side by side, the inputs on top of each other. Each concatenation can be written in two ways.",
        ),
        ("code", "\n".join(_joins(scenario, joined))),
        ("markdown", "## Two formulas\n\nOne long product, or one over h and one over x that are added."),
        (
            "code",
            f"formula_1 = {_one_or_list(f'{each.W} @ stacked' for each in joined)}\n"
            f"formula_2 = {_one_or_list(f'{each.W_h} @ h_prev + {each.W_x} @ x_t' for each in joined)}\n"
            "formula_1, formula_2",
        ),
        (
            "markdown",
            "## The check\n\nSums of floats depend on the order of adding, so they are compared with `allclose`.",
        ),
        ("code", "assert np.allclose(formula_1, formula_2)\nnp.array_equal(formula_1, formula_2)"),
        ("markdown", "## The equations\n\nEvery symbol, in the order of the equations."),
        ("code", "\n".join(_equations(scenario, cell, with_sampled_gates=not sequence))),
    ]
    tasks = _tasks(scenario, joined[0])
    cells += [*tasks, *_over_time(scenario, cell)] if sequence else [*_curve(scenario, cell), *tasks]
    if sequence and scenario.is_layered:
        cells += _layers(scenario, cell)
    return json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
            "cells": [
                {"cell_type": kind, "id": f"cell-{at}", "metadata": {}, "source": source.splitlines(keepends=True)}
                | ({"execution_count": None, "outputs": []} if kind == "code" else {})
                for at, (kind, source) in enumerate(cells)
            ],
        },
        indent=1,
    )


def _joins(scenario: Scenario, joined: Iterable[PreActivationSpec]) -> list[str]:
    inputs = ", ".join(in_order("h_prev", "x_t", scenario.order))
    lines = [f"stacked = np.concatenate([{inputs}], axis=0)", f"assert np.array_equal(stacked, np.vstack([{inputs}]))"]
    for each in joined:
        parts = ", ".join(in_order(each.W_h, each.W_x, scenario.order))
        lines.append(f"{each.W} = np.concatenate([{parts}], axis=1)")
        lines.append(f"assert np.array_equal({each.W}, np.hstack([{parts}]))")
    return [*lines, ", ".join([*(each.W for each in joined), "stacked"])]


def _one_or_list(terms: Iterable[str]) -> str:
    terms = list(terms)
    return terms[0] if len(terms) == 1 else f"[{', '.join(terms)}]"


def _equations(scenario: Scenario, cell: str, *, with_sampled_gates: bool) -> list[str]:
    _, *step = step_lines(scenario, cell, with_sampled_gates=with_sampled_gates)  # the stacked input is there already
    return [*functions(scenario, step), "", *step, ", ".join(symbols_made(cell))]


def _over_time(scenario: Scenario, cell: str) -> list[tuple[str, str]]:
    """Return the cells with all steps and a plot of the state."""
    symbols = ", ".join(symbols_made(cell))
    state = state_after_step(CELLS[cell])
    return [
        (
            "markdown",
            "## Over time\n\nThe same weights at every step. Of each symbol a row for each unit, a column for each step.",
        ),
        (
            "code",
            "\n".join(
                [
                    "steps = []",
                    "for x_t in xs[:, :, None]:",
                    *(f"    {line}" for line in step_lines(scenario, cell, with_sampled_gates=False)),
                    f"    steps.append([{symbols}])",
                    *(f"    {name} = {now}" for name, now in state.items()),
                    f"{symbols} = [np.hstack(symbol) for symbol in zip(*steps)]",
                    symbols,
                ]
            ),
        ),
        (
            "markdown",
            "## A plot\n\nWhat is carried from step to step, a line for each unit. If matplotlib is missing: `%pip install matplotlib`.",
        ),
        (
            "code",
            "\n".join(
                [
                    "import matplotlib.pyplot as plt",
                    "",
                    *(
                        f'plt.plot({now}.T, label=[f"{now}, unit {{j}}" for j in range(1, {scenario.k + 1})])'
                        for now in state.values()
                    ),
                    'plt.xlabel("step, from 0")',
                    "plt.legend()",
                    "plt.show()",
                ]
            ),
        ),
    ]


def _layers(scenario: Scenario, cell: str) -> list[tuple[str, str]]:
    """Return the cells that run all layers and directions."""
    return [
        (
            "markdown",
            "## Layers and directions\n\nSo far all was of layer 1, read forward. Here every layer reads the outputs of the layer below it. "
            "The states are h_n, and c_n if the cell has it, in the order of PyTorch.",
        ),
        ("code", "\n".join([*numpy_layers(scenario, cell), "output[-1], states"])),
    ]


def _curve(scenario: Scenario, cell: str) -> list[tuple[str, str]]:
    """Return the cells with a plot of every activation and its units."""
    params, _, _ = scenario.step_arguments(cell)
    made = symbols_made(cell)
    activated = {value: of for value, of in CELLS[cell].activated(params).items() if value in made}
    line = [
        "line = np.linspace(-8, 8, 161)",
        *(f"plt.plot(line, {g.name}(line))" for g in dict.fromkeys(g for _, g in activated.values())),
    ]
    dots = [f'plt.plot({z}, {value}, "o", label="{value} over {z}")' for value, (z, _) in activated.items()]
    defined = functions(scenario, line)
    return [
        (
            "markdown",
            "## A plot\n\nEach unit on its activation: on the flat ends it is saturated. If matplotlib is missing: `%pip install matplotlib`.",
        ),
        (
            "code",
            "\n".join(
                ["import matplotlib.pyplot as plt", "", *defined, "", *line, *dots, "plt.legend()", "plt.show()"]
            ),
        ),
    ]


def _tasks(scenario: Scenario, joined: PreActivationSpec) -> list[tuple[str, str]]:
    """Return tasks about the first pre-activation, each with lines to start from."""
    g = joined.g.name if joined.g else scenario.g
    z = f"{joined.W}[:1] @ stacked + {joined.b}[:1]"
    slope = [f"z = factor * ({z})", f"z, {g}(z), d{g}(z)"]
    turned = ", ".join(reversed(in_order("h_prev", "x_t", scenario.order)))
    return [
        (
            "markdown",
            "## Three tasks\n\n**1. Saturate unit 1.** Make the factor 2, 5 and 10: it multiplies the weights and the bias of the unit. "
            "How much is left of the slope, and what does that mean for a gradient that comes back through it?",
        ),
        ("code", "\n".join([*functions(scenario, slope), "", "factor = 1", *slope])),
        (
            "markdown",
            "**2. Which input matters?** Change one entry of x_t and see how far z of unit 1 moves. Before you run it: which weight "
            "says so? How far does the value of the unit move, and why not as far?",
        ),
        (
            "code",
            "\n".join(
                [
                    "changed = x_t.astype(float)",
                    "changed[0] += 0.1",
                    f"moved = {joined.W_x}[:1] @ (changed - x_t)",
                    f"moved, {g}({z} + moved) - {g}({z})",
                ]
            ),
        ),
        (
            "markdown",
            "**3. Swap h and x in the stacked input alone.** The columns of the weights stay where they are. Does NumPy complain? For which numbers would the "
            "result be the same?",
        ),
        ("code", f"swapped = np.concatenate([{turned}], axis=0)\n{joined.W} @ swapped, {joined.W} @ stacked"),
    ]
