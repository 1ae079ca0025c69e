"""The entries of a whole step of an LSTM, and those of its mistakes, as sums of products on one line each."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.cells import lstm
from core.practice.exercise import Mark, fits
from core.practice.solution_lines import SolutionLine, SolutionLines, SolutionTerm, one, solution_lines, values
from core.practice.whole_step import VALUES, WholeStep, own_entries

GATES = {name: gate for gate, name in VALUES.items()}
# The kinds of exercise that have the lines of the later entries.
KINDS = {"c_t": "lstm-c", "h_t": "lstm-h"}


def whole_step_lines(step: WholeStep, name: str, entries: Mapping[str, object], mistake: str = "") -> SolutionLines:
    """Return the line of an entry.

    Parameters
    ----------
    step : WholeStep
    name : str
        Of the entry.
    entries : mapping from str to float
        The learner's own entries. For one that is missing or no number, the true one counts.
    mistake : str
        A name of the mistakes of the entry; the right answer if it is empty.

    Returns
    -------
    tuple of SolutionLine
        Empty if the mistake is not a sum of products.
    """
    if name in GATES:
        return _line_of_gate(step, GATES[name], *mistake.partition(":")[::2])
    own = own_entries(step, entries)
    given = {entry: np.array([[own[entry]]]) for entry in ("f_t", "i_t", "c_tilde", "o_t")}
    # h_t is computed from the learner's c_t, and not from what gives it.
    c_prev = step.given["c_prev"]
    if name == "h_t":
        given |= {"f_t": np.ones((1, 1)), "i_t": np.zeros((1, 1))}
        c_prev = np.array([[own["c_t"]]])
    exercise = replace(step.parts[name], kind=KINDS[name], given=given | {"c_prev": c_prev}, asked=Mark(name, 0))
    return solution_lines(exercise, mistake)[-1:]


def entries_behind(
    step: WholeStep, name: str, entries: Mapping[str, object], mistake: str = ""
) -> Mapping[str, object]:
    """Return the entries that an answered entry was computed from.

    Parameters
    ----------
    step, name, entries, mistake
        As of `whole_step_lines`; the entry is among `entries`.

    Returns
    -------
    mapping from str to float
        The learner's own entries; empty, which stands for the true ones, if the own ones do not give the answer.
    """
    lines = whole_step_lines(step, name, entries, mistake)
    is_own = not lines or fits(entries[name], lines[-1].gives, step.parts[name].near)
    return entries if is_own else {}


def _line_of_gate(step: WholeStep, gate: str, mistake: str, which: str) -> SolutionLines:
    """Return the line of a gate, or of the candidate."""
    used = which if mistake == "other_gate" else gate
    (w_h, w_x), b = values(step.given[f"W_{used}"]), float(step.given[f"b_{used}"][0, 0])
    h, x = (float(step.given[name][0, 0]) for name in ("h_prev", "x_t"))
    g, symbol = lstm.GATES[gate].symbol, f"W_{used}"
    product = SolutionTerm(symbol, (w_h, w_x), "[h; x]", (h, x))
    bias = one(f"b_{used}", b)
    terms = {
        "": (product, bias),
        "other_gate": (product, bias),
        "no_activation": (product, bias),
        "other_activation": (product, bias),
        "no_bias": (product,),
        "bias_subtracted": (product, one(f"−b_{used}", -b)),
        "no_h": (SolutionTerm(symbol, (w_x,), "x_t", (x,)), bias),
        "no_x": (SolutionTerm(symbol, (w_h,), "h_prev", (h,)), bias),
        "stack_swapped": (SolutionTerm(symbol, (w_h, w_x), "[x; h]", (x, h)), bias),
    }
    if mistake == "product_sign":
        signs = (-w_h, w_x) if which == "0" else (w_h, -w_x)
        terms[mistake] = SolutionTerm(symbol, signs, "[h; x]", (h, x)), bias
    if mistake not in terms:
        return ()
    g = {"no_activation": "", "other_activation": "tanh" if g == "σ" else "σ"}.get(mistake, g)
    return (SolutionLine(terms[mistake], f"z_{gate}", g, VALUES[gate] if g else ""),)
