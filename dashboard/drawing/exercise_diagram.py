"""The diagram of the cell of an exercise, with a blank for each number that is not given."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from core.cells import gru, lstm, rnn
from core.practice import Exercise
from core.practice.gated import gru_step, lstm_step
from core.practice.solution_lines import ACTIVATIONS, activation_of
from core.scenario import Scenario
from dashboard.drawing import diagram
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.matrices import Item
from dashboard.drawing.solution_lines import Decimals, computed, with_whole_numbers
from dashboard.text import drawing as text


class ExerciseStep(NamedTuple):
    """The step of an exercise in the diagram of its cell.

    Attributes
    ----------
    cell : module
        Of CELLS.
    params : object
        Of the cell.
    step : NamedTuple
        Of the cell; numbers that do not follow from the given ones are NaN.
    before : set of str
        The vectors and the z of the gates that are shown before the exercise is solved.
    """

    cell: Any
    params: Any
    step: Any
    before: set[str]


def of_rnn(one: Exercise) -> ExerciseStep:
    """Return the step of an RNN whose weights are given."""
    params, state = rnn.build(one.given, order="hx", g=ACTIVATIONS[activation_of(one)])
    return ExerciseStep(rnn, params, rnn.step(params, state, one.given["x_t"]), {*one.given})


def of_lstm(one: Exercise) -> ExerciseStep:
    """Return the step of an LSTM whose gates are given."""
    k = len(one.given["c_prev"])
    blank, W, b = np.full((k, 1), np.nan), np.zeros((k, k + 1)), np.zeros((k, 1))
    # The exercise is about no input, and `lstm_step` makes one up.
    made_up = {"h_prev": blank, "x_t": blank[:1], "stacked": np.full((k + 1, 1), np.nan)}
    step = lstm_step(**{"o_t": blank, **one.given})._replace(**made_up)
    return ExerciseStep(lstm, lstm.LSTMParams(W, W, W, W, b, b, b, b), step, {*one.given, "z_f", "z_i", "z_c", "z_o"})


def of_gru(one: Exercise) -> ExerciseStep:
    """Return the step of a GRU whose gates, and weights of the candidate, are given."""
    given = one.given
    k, m = given["W_hx"].shape
    W, b = np.zeros((k, k + m)), np.zeros((k, 1))
    params = gru.GRUParams(W, W, given["W_hh"], given["W_hx"], b, b, given["b_hh"], given["b_hx"])
    return ExerciseStep(gru, params, gru_step({"u_t": np.full((k, 1), np.nan), **given}), {*given, "z_r", "z_u"})


# By kind and level. At level 1 the gates are 0 or 1, or a candidate is −1 or 1: there is no finite z for their curves.
DIAGRAMS: Mapping[tuple[str, int], Callable[[Exercise], ExerciseStep]] = {
    **{("value", level): of_rnn for level in (1, 2, 3)},
    **{(kind, level): of_lstm for kind in ("lstm-c", "lstm-h") for level in (2, 3)},
    **{(kind, level): of_gru for kind in ("gru-z", "gru-h") for level in (2, 3)},
}


def is_in_diagram(one: Exercise) -> bool:
    """Whether an exercise has a diagram that shows the asked entry."""
    if (one.kind, one.level) not in DIAGRAMS:
        return False
    nodes = DIAGRAMS[one.kind, one.level](one).cell.DIAGRAM.nodes
    return any(node.kind == "vector" and node.symbol == one.asked.symbol for node in nodes)


def cell_diagram(one: Exercise, threshold: float, decimals: Decimals, *, solved: bool) -> list[Item]:
    """Return the diagram of the cell with the given values, and blanks for all other numbers.

    Parameters
    ----------
    one : Exercise
    threshold : float
        As of `saturation.is_saturated`.
    decimals : Decimals
    solved : bool
        Whether the diagram shows all that follows from the given numbers.

    Returns
    -------
    list of items
        Empty for kinds and levels without a diagram.
    """
    if (one.kind, one.level) not in DIAGRAMS:
        return []
    cell, params, step, before = DIAGRAMS[one.kind, one.level](one)
    hidden = set() if solved else {*step._fields} - before
    step = step._replace(**{name: np.full(getattr(step, name).shape, np.nan) for name in hidden})
    k = len(step.h_t)
    symbols = CellSymbols(Scenario(len(step.x_t), k, k), cell, params, fixed=True)

    def block(name: str) -> Item:
        values = with_whole_numbers(getattr(step, name), decimals)
        outlined = np.zeros_like(values)
        if name == one.asked.symbol:
            outlined[one.asked.row] = 1
        drawn = symbols.block(name, values, outlined=outlined if outlined.any() else None, nothing=text.BLANK)
        return computed(drawn, values, decimals)

    return [diagram.diagram(symbols, threshold=threshold, block=block)]
