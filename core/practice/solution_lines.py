"""The right answer, and that of a mistake, as sums of products on several lines."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from core.activations import relu, sigmoid, tanh
from core.arrays import Array
from core.practice.exercise import Exercise

ACTIVATIONS = {g.symbol: g for g in (sigmoid, tanh, relu)}


class SolutionTerm(NamedTuple):
    """A sum of products of upper and lower values; without lower values, the sum of the upper ones.

    Attributes
    ----------
    above : str
        The symbol of the upper values, as in the equations.
    upper : tuple of float
    below : str
    lower : tuple of float
    """

    above: str
    upper: tuple[float, ...]
    below: str = ""
    lower: tuple[float, ...] = ()

    @property
    def gives(self) -> float:
        """The sum of the products."""
        return sum(a * b for a, b in zip(self.upper, self.lower, strict=True)) if self.lower else sum(self.upper)


class SolutionLine(NamedTuple):
    """A sum of terms, and an activation of the sum.

    Attributes
    ----------
    terms : tuple of SolutionTerm
    symbol : str
        Of the sum.
    activation : str
        The symbol of the activation; empty if there is none.
    result : str
        The symbol of the output of the activation.
    is_of_entries : bool
        Whether the line adds up the entries of its symbol.
    """

    terms: tuple[SolutionTerm, ...]
    symbol: str
    activation: str = ""
    result: str = ""
    is_of_entries: bool = False

    @property
    def total(self) -> float:
        """The sum of the terms."""
        return sum(term.gives for term in self.terms)

    @property
    def gives(self) -> float:
        """The value of the last symbol."""
        return float(ACTIVATIONS[self.activation].f(np.array(self.total))) if self.activation else self.total


SolutionLines: TypeAlias = tuple[SolutionLine, ...]


def solution_lines(exercise: Exercise, mistake: str = "") -> SolutionLines:
    """Return the lines from the given numbers to an answer.

    Parameters
    ----------
    exercise : Exercise
    mistake : str
        A name of its `mistakes`; the right answer if it is empty.

    Returns
    -------
    tuple of SolutionLine
        The last one gives the answer. Empty if the kind or the mistake is not a sum of products.
    """
    if exercise.kind not in SOLUTION_LINES:
        return ()
    lines = SOLUTION_LINES[exercise.kind] if exercise.asked.row is not None else sum_line
    return lines(exercise, *mistake.partition(":")[::2])


def entry(exercise: Exercise, name: str, row: int | None = None) -> float:
    """Return the asked entry of a given column, or that of another row."""
    return float(exercise.given[name][exercise.asked.row if row is None else row, 0])


def values(array: Array) -> tuple[float, ...]:
    """Return the entries of a row or a column."""
    return tuple(array.ravel().tolist())


def one(symbol: str, value: float, below: str = "", lower: float = 0.0) -> SolutionTerm:
    """Return a term of one value, or of one product."""
    return SolutionTerm(symbol, (value,), below, (lower,)) if below else SolutionTerm(symbol, (value,))


# ---- one row of an RNN ----------------------------------------------------------------------


def of_row(exercise: Exercise, name: str, which: str) -> SolutionLines:
    """Return the line of one entry of z or h."""
    given, row = exercise.given, int(which) if name == "other_row" else exercise.asked.row
    W_hh, W_hx, h, x = (given[array] for array in ("W_hh", "W_hx", "h_prev", "x_t"))
    down, both = name in ("column_for_row", "columns_for_rows"), name == "columns_for_rows"
    weights = [values(W_hh[:, row] if down else W_hh[row]), values(W_hx[:, row] if both else W_hx[row])]
    inputs, symbols = [values(h), values(x)], ["h_prev", "x_t"]
    bias = [one("b_h", entry(exercise, "b_h", int(which) if name == "other_bias" else row))]
    g = activation_of(exercise)
    if name == "x_for_h":
        inputs[0], symbols[0] = values(x), "x_t"
    if name == "stack_swapped":
        swapped = SolutionTerm("W_h", weights[0] + weights[1], "[x; h]", inputs[1] + inputs[0])
        return row_line(exercise, [swapped, *bias], g)
    if name in ("left_out", "product_sign"):
        part, at = (0, int(which)) if int(which) < len(weights[0]) else (1, int(which) - len(weights[0]))
        if name == "left_out":
            weights[part], inputs[part] = without(weights[part], at), without(inputs[part], at)
        else:
            weights[part] = tuple(-w if column == at else w for column, w in enumerate(weights[part]))
    terms = [
        SolutionTerm(matrix, upper, symbol, lower)
        for matrix, upper, symbol, lower in zip(("W_hh", "W_hx"), weights, symbols, inputs, strict=True)
        if upper
    ]
    match name:
        case "no_bias":
            bias = []
        case "bias_subtracted":
            bias = [one("−b_h", -bias[0].gives)]
        case "bias_twice":
            bias *= 2
        case "no_h":
            terms = terms[1:]
        case "no_x":
            terms = terms[:1]
        case "no_activation":
            g = ""
        case "other_activation":
            g = str(exercise.details[f"{name}"]["other"])
        case (
            ""
            | "other_row"
            | "column_for_row"
            | "columns_for_rows"
            | "left_out"
            | "product_sign"
            | "other_bias"
            | "x_for_h"
        ):
            pass
        case _:
            return ()
    return row_line(exercise, [*terms, *bias], g)


def without(numbers: tuple[float, ...], at: int) -> tuple[float, ...]:
    """Return numbers without the one at an index."""
    return numbers[:at] + numbers[at + 1 :]


def row_line(exercise: Exercise, terms: list[SolutionTerm], g: str) -> SolutionLines:
    """Return the one line of a row."""
    return (SolutionLine(tuple(terms), "z_t", g, exercise.asked.symbol if g else ""),)


def activation_of(exercise: Exercise) -> str:
    """Return the symbol of the activation of an exercise about one entry of h."""
    if exercise.kind == "z":
        return ""
    return "ReLU" if exercise.level == 1 else str(exercise.details["no_activation"]["g"])


# ---- the gated cells ---------------------------------------------------------------------------


def cell_line(exercise: Exercise, name: str, which: str) -> SolutionLines:
    """Return c_t of an LSTM."""
    row = int(which) if name == "other_row" else None
    f, i, new, old = (entry(exercise, array, row) for array in ("f_t", "i_t", "c_tilde", "c_prev"))
    terms = {
        "forget_complement": (one("1 − f_t", 1 - f, "c_prev", old), one("i_t", i, "c_tilde", new)),
        "gates_swapped": (one("i_t", i, "c_prev", old), one("f_t", f, "c_tilde", new)),
        "no_forget": (one("c_prev", old), one("i_t", i, "c_tilde", new)),
        "no_input": (one("f_t", f, "c_prev", old), one("c_tilde", new)),
    }
    right = one("f_t", f, "c_prev", old), one("i_t", i, "c_tilde", new)
    if name in ("", "other_row"):
        return (SolutionLine(right, "c_t"),)
    return (SolutionLine(terms[name], "c_t"),) if name in terms else ()


def hidden_lines(exercise: Exercise, name: str, which: str) -> SolutionLines:
    """Return c_t and h_t of an LSTM."""
    inner = name if name in ("forget_complement", "gates_swapped", "other_row") else ""
    row = int(which) if name == "other_row" else None
    (c_line,) = cell_line(exercise, inner, which)
    o, c = entry(exercise, "o_t", row), c_line.total
    squashed = one("o_t", o, "tanh(c_t)", float(np.tanh(c)))
    terms = {
        "no_tanh": one("o_t", o, "c_t", c),
        "no_output": one("tanh(c_t)", float(np.tanh(c))),
        "c_for_h": one("c_t", c),
        "other_activation": one("o_t", o, "σ(c_t)", float(sigmoid.f(np.array(c)))),
    }
    if name == "gate_for_output":
        terms[name] = one(which, entry(exercise, which), "tanh(c_t)", float(np.tanh(c)))
    if name in ("", inner):
        return c_line, SolutionLine((squashed,), "h_t")
    return (c_line, SolutionLine((terms[name],), "h_t")) if name in terms else ()


def sum_line(exercise: Exercise, name: str, which: str) -> SolutionLines:
    """Return the sum of all entries of h_t of an LSTM."""
    f, i, new, old, o = (exercise.given[array] for array in ("f_t", "i_t", "c_tilde", "c_prev", "o_t"))
    if name == "forget_complement":
        f = 1 - f
    if name == "gates_swapped":
        f, i = i, f
    c = f * old + i * new
    squashed = values(np.tanh(c))
    right = SolutionTerm("o_t", values(o), "tanh(c_t)", squashed)
    terms = {
        "": right,
        "forget_complement": right,
        "gates_swapped": right,
        "no_tanh": SolutionTerm("o_t", values(o), "c_t", values(c)),
        "no_output": SolutionTerm("tanh(c_t)", squashed),
        "c_for_h": SolutionTerm("c_t", values(c)),
        "old_cell_state": SolutionTerm("o_t", values(o), "tanh(c_prev)", values(np.tanh(old))),
    }
    if name == "gate_for_output":
        terms[name] = SolutionTerm(which, values(exercise.given[which]), "tanh(c_t)", squashed)
    return (SolutionLine((terms[name],), "h_t", is_of_entries=True),) if name in terms else ()


def candidate_lines(exercise: Exercise, name: str, which: str) -> SolutionLines:
    """Return the part of h in the candidate of a GRU, and z_h."""
    row = int(which) if name == "other_row" else exercise.asked.row
    given = exercise.given
    r, b_hh, b_hx = (entry(exercise, array, row) for array in ("r_t", "b_hh", "b_hx"))
    if name == "reset_before":
        of_h = SolutionTerm("W_hh", values(given["W_hh"][row]), "r_t ∘ h_prev", values(given["r_t"] * given["h_prev"]))
    else:
        of_h = SolutionTerm("W_hh", values(given["W_hh"][row]), "h_prev", values(given["h_prev"]))
    bias_h, bias_x = (one("b_hh", b_hh),), (one("b_hx", b_hx),)
    if name == "bias_outside" or (name, which) == ("no_bias", "b_hh"):
        first = SolutionLine((of_h,), "W_hh h_prev")
    else:
        first = SolutionLine((of_h, *bias_h), "W_hh h_prev + b_hh")
    of_x = (SolutionTerm("W_hx", values(given["W_hx"][row]), "x_t", values(given["x_t"])),)
    reset = (one("r_t", r, first.symbol, first.total),)
    open_gate = (one(first.symbol, first.total),)
    after = {
        "": (*of_x, *bias_x, *reset),
        "other_row": (*of_x, *bias_x, *reset),
        "reset_before": (*of_x, *bias_x, *open_gate),
        "no_reset": (*of_x, *bias_x, *open_gate),
        "reset_complement": (*of_x, *bias_x, one("1 − r_t", 1 - r, first.symbol, first.total)),
        "bias_outside": (*of_x, *bias_x, *bias_h, *reset),
        "no_bias": (*of_x, *reset, *(() if which == "b_hx" else bias_x)),
        "no_x": (*bias_x, *reset),
    }
    return (first, SolutionLine(after[name], "z_h")) if name in after else ()


def mix_lines(exercise: Exercise, name: str, which: str) -> SolutionLines:
    """Return h_t of a GRU, from a given candidate or from its weights on."""
    row = int(which) if name == "other_row" else exercise.asked.row
    u, h = (entry(exercise, array, row) for array in ("u_t", "h_prev"))
    before: SolutionLines = ()
    if "h_tilde" in exercise.given:
        new = entry(exercise, "h_tilde", row)
    else:
        inner = name if name in ("reset_before", "reset_complement", "no_reset", "other_row") else ""
        g = {"no_tanh": "", "other_activation": "σ"}.get(name, "tanh")
        first, last = candidate_lines(exercise, inner, which)
        before = first, last._replace(activation=g, result="h_tilde" if g else "")
        new = before[-1].gives
        name = "" if inner or name in ("no_tanh", "other_activation") else name
    terms = {
        "": (one("u_t", u, "h_prev", h), one("1 − u_t", 1 - u, "h_tilde", new)),
        "update_complement": (one("1 − u_t", 1 - u, "h_prev", h), one("u_t", u, "h_tilde", new)),
        "both_update": (one("u_t", u, "h_prev", h), one("u_t", u, "h_tilde", new)),
        "no_rest": (one("u_t", u, "h_prev", h), one("h_tilde", new)),
        "no_update": (one("h_prev", h), one("1 − u_t", 1 - u, "h_tilde", new)),
    }
    terms["other_row"] = terms[""]
    if name == "reset_for_update":
        r = entry(exercise, "r_t")
        terms[name] = one("r_t", r, "h_prev", h), one("1 − r_t", 1 - r, "h_tilde", new)
    return (*before, SolutionLine(terms[name], "h_t")) if name in terms else ()


SOLUTION_LINES: Mapping[str, Callable[[Exercise, str, str], SolutionLines]] = {
    "z": of_row,
    "value": of_row,
    "lstm-c": cell_line,
    "lstm-h": hidden_lines,
    "gru-z": candidate_lines,
    "gru-h": mix_lines,
}
