"""A small picture for each worked example, from its own numbers."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.examples import EXAMPLES
from core.scenario import Scenario
from core.sequence import bptt
from core.sequence.unroll import unroll
from dashboard.drawing import charts, colours, matrices
from dashboard.drawing.arithmetic import number
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.matrices import Item, op
from dashboard.drawing.panels import HeatmapSize, panel
from dashboard.text import examples as text
from dashboard.text import gradients, words

# In pixels, of a matrix from top to bottom.
FIT = HeatmapSize("rows", pixels=190, smallest=12)


@cache
def sketch(name: str) -> Item:
    """Return the panel of a worked example, without words.

    Parameters
    ----------
    name : str
        Of EXAMPLES.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    example = EXAMPLES[name]
    row, alt = _SKETCH_OF_PAGE.get(example.page, _product)(example.scenario)
    return panel("", "", row, alt=alt, fit=FIT)


def _column_of_units(scenario: Scenario) -> partial[Item]:
    """Return `matrices.block` with a row for each unit."""
    return partial(matrices.block, rows=[("unit", scenario.k, "")])


def _symbols(scenario: Scenario, cell: str) -> CellSymbols:
    """Return the symbols of a step of a cell, in the colours of its page."""
    params, _ = scenario.params_and_initial_state(cell)
    return CellSymbols(scenario, CELLS[cell], params, fixed=True)


def _columns(scenario: Scenario, symbols: CellSymbols, step: Any) -> Callable[[str], Item]:
    """Return a function that draws a symbol of a step as a column."""
    column = _column_of_units(scenario)
    return lambda name: column(symbols.shown(name).text, getattr(step, name), symbols.scale_of(name))


def _product(scenario: Scenario) -> tuple[list[Item], str]:
    """Return W_h times the stacked input, and the bias if it is not 0."""
    params, step = scenario.step("RNN")
    symbols, column = _symbols(scenario, "RNN"), _column_of_units(scenario)
    drawn = _columns(scenario, symbols, step)
    bias = [op("+"), column("b_h", params.b_h, symbols.scale_of("b_h"))] if params.b_h.any() else []
    row = [
        column("W_h", params.W_h, symbols.weights, columns=[("column", params.W_h.shape[1], "")]),
        *[op("·"), symbols.block("stacked", step.stacked)],
        *[*bias, op("="), drawn("z_t")],
    ]
    said = text.PRODUCT_WITH_BIAS_ALT if bias else text.PRODUCT_ALT
    return row, said.format(values=words.enumerated(number(z, 2) for z in step.z_t[:, 0]))


def _cell(scenario: Scenario) -> tuple[list[Item], str]:
    """Return the forget gate and the cell state."""
    _, step = scenario.step("LSTM")
    drawn = _columns(scenario, _symbols(scenario, "LSTM"), step)
    row = [
        *[drawn("z_f"), op("σ, sampled →" if scenario.stochastic else "σ →"), drawn("f_t"), op("∘"), drawn("c_prev")],
        *[op("+"), drawn("i_t"), op("∘"), drawn("c_tilde"), op("="), drawn("c_t")],
    ]
    units = enumerate(zip(step.f_t[:, 0], step.c_prev[:, 0], step.c_t[:, 0]), 1)
    said = [
        text.LSTM_UNIT.format(unit=unit, f=number(f, 2), before=number(c, 2), after=number(now, 2))
        for unit, (f, c, now) in units
    ]
    return row, text.LSTM_ALT.format(units=words.clauses(said))


def _hidden(scenario: Scenario) -> tuple[list[Item], str]:
    """Return the hidden state of a GRU before and after a step."""
    _, step = scenario.step("GRU")
    symbols = _symbols(scenario, "GRU")
    drawn = _columns(scenario, symbols, step)
    rest = _column_of_units(scenario)("1−u_t", 1 - step.u_t, symbols.scale_of("u_t"))
    row = [drawn("u_t"), op("∘"), drawn("h_prev"), op("+"), rest, op("∘"), drawn("h_tilde"), op("="), drawn("h_t")]
    units = enumerate(zip(step.u_t[:, 0], step.h_prev[:, 0], step.h_t[:, 0]), 1)
    said = [
        text.GRU_UNIT.format(unit=unit, u=number(u, 2), before=number(h, 2), after=number(now, 2))
        for unit, (u, h, now) in units
    ]
    return row, text.GRU_ALT.format(units=words.clauses(said))


def _dots(scenario: Scenario) -> tuple[list[Item], str]:
    """Return the units on the curve of their activation."""
    params, step = scenario.step("RNN")
    g = ACTIVATIONS[scenario.g]
    curve = charts.curve(g, step.z_t[:, 0], step.h_t[:, 0], g.bounds(0.05))
    return [curve], text.DOTS_ALT.format(units=scenario.k, g=g.symbol)


def _over_time(scenario: Scenario) -> tuple[list[Item], str]:
    """Return h_t at every letter."""
    params, state = scenario.params_and_initial_state(scenario.cell)
    h = unroll(CELLS[scenario.cell], params, state, scenario.sequence()).h_t[:, :, 0].T
    steps = [("t", h.shape[1], "")]
    scale = _symbols(scenario, scenario.cell).scale_of("h_t")
    block = _column_of_units(scenario)("h_t", h, scale, columns=steps, headings=scenario.word)
    return [block], text.LETTERS_ALT.format(units=scenario.k, word=scenario.word)


def _gains(scenario: Scenario) -> tuple[list[Item], str]:
    """Return the gains back through time in every cell."""
    logs = {}
    for name, cell in CELLS.items():
        params, state = scenario.params_and_initial_state(name)
        trace = unroll(cell, params, state, scenario.noise(scenario.T))
        logs[name] = bptt.log_gains(cell.jacobian(params, trace))[-1, ::-1]
    lines = [charts.Line(name, log, colour) for (name, log), colour in zip(logs.items(), colours.COMPARED)]
    ends = words.enumerated(text.GAIN.format(cell=name, gain=words.gain(log[-1], 2)) for name, log in logs.items())
    chart = charts.chart(lines, x_label=gradients.STEPS_BACK, y_label=gradients.LOG_GAIN)
    return [chart], text.GAINS_ALT.format(steps=scenario.T, gains=ends)


_SKETCH_OF_PAGE = {
    "": _product,
    "lstm": _cell,
    "gru": _hidden,
    "saturation": _dots,
    "sequence": _over_time,
    "gradients": _gains,
}
