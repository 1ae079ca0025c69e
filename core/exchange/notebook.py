"""A Jupyter notebook that computes what is seen, step by step."""

import json
from collections.abc import Iterable

from core.cells import CELLS
from core.cells.protocol import Joined
from core.exchange.listing import (
    arrays_of,
    assignments,
    functions,
    step_lines,
    symbols_made,
)
from core.joins import in_order
from core.scenario import Scenario


def notebook(scenario: Scenario, cell: str) -> str:
    """A notebook that takes one step of a cell: its joins, both formulas, and every symbol of its equations.

    Parameters
    ----------
    scenario : Scenario
    cell : str
        A name of CELLS.

    Returns
    -------
    str
        JSON of nbformat 4.5.

    Raises
    ------
    ValueError
        If it is a cell that cannot be without recurring, and k != n.

    References
    ----------
    https://nbformat.readthedocs.io/en/latest/format_description.html
    """
    arrays = arrays_of(scenario, cell, sequence=False)
    joined = list(CELLS[cell].JOINED.values())
    cells = [
        (
            "markdown",
            f"# One step of a recurrent cell\n\nThe {cell} with m = {scenario.m} inputs, n = {scenario.n} previous hidden entries and "
            f"k = {scenario.k} units.",
        ),
        ("code", "\n".join(["import numpy as np", "", *assignments(arrays)])),
        (
            "markdown",
            "## The two joins\n\nThe weights are joined side by side, the inputs on top of each other. Each join can be written in two ways.",
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
        ("code", "\n".join(_equations(scenario, cell))),
    ]
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


def _joins(scenario: Scenario, joined: Iterable[Joined]) -> list[str]:
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


def _equations(scenario: Scenario, cell: str) -> list[str]:
    _, *step = step_lines(scenario, cell, drawn=True)  # the stack is there already
    return [*functions(scenario, step), "", *step, ", ".join(symbols_made(cell))]
