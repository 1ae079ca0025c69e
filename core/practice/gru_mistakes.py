"""The mistakes in one entry of a GRU's candidate: rows, biases, the reset gate, and single products."""

from collections.abc import Callable, Mapping

import numpy as np

from core.arrays import Array
from core.cells import gru
from core.practice.exercise import Mark, Mistake
from core.practice.exercise_number_format import format_number, format_term


def candidate_mistakes(
    given: Mapping[str, Array], step: gru.GRUStep, unit: int, f: Callable[[float], float]
) -> dict[str, Mistake]:
    """Return f of z_h of a unit for mistakes that an exercise need not have.

    Parameters
    ----------
    given : mapping from str to ndarray
        W_hh, W_hx, b_hh, b_hx, h_prev and x_t.
    step : GRUStep
    unit : int
    f : callable
        Returns what the question asks for from z_h.
    """
    W_hh, W_hx, h, x = (given[name] for name in ("W_hh", "W_hx", "h_prev", "x_t"))
    r, from_h, from_x, z = (float(part[unit, 0]) for part in (step.r_t, step.W_hh_h, step.W_hx_x, step.z_h))
    b_hh, b_hx = (float(given[name][unit, 0]) for name in ("b_hh", "b_hx"))
    of_column = z + r * float(((W_hh.T - W_hh) @ h)[unit, 0])
    column, row = Mark("W_hh", None, unit), Mark("W_hh", unit)
    found = {
        "column_for_row": Mistake(f(of_column), column, row, {"row": unit + 1, "symbol": "W_hh"}),
        "bias_outside": Mistake(f(z - r * b_hh + b_hh), None, Mark("r_t", unit)),
        "no_bias:b_hh": Mistake(f(z - r * b_hh), None, Mark("b_hh", unit), {"symbol": "b_hh"}),
        "no_bias:b_hx": Mistake(f(z - b_hx), None, Mark("b_hx", unit), {"symbol": "b_hx"}),
        "neither_bias": Mistake(f(z - b_hx - r * b_hh), None, Mark("b_hh", unit)),
        "bias_subtracted:b_hh": Mistake(f(z - 2 * r * b_hh), Mark("b_hh", unit), Mark("b_hh", unit)),
        "bias_subtracted:b_hx": Mistake(f(z - 2 * b_hx), Mark("b_hx", unit), Mark("b_hx", unit)),
        "biases_swapped": Mistake(f(z - b_hx - r * b_hh + b_hh + r * b_hx), Mark("b_hx", unit), Mark("b_hh", unit)),
        "reset_of_all": Mistake(f(r * (from_x + from_h)), Mark("r_t", unit), Mark("r_t", unit)),
        "reset_of_x": Mistake(f(r * from_x + from_h), Mark("r_t", unit), Mark("r_t", unit)),
    }
    if W_hx.shape[0] == W_hx.shape[1]:
        of_columns = of_column + float(((W_hx.T - W_hx) @ x)[unit, 0])
        columns, rows = (column, Mark("W_hx", None, unit)), (row, Mark("W_hx", unit))
        found["columns_for_rows"] = Mistake(f(of_columns), columns, rows, {"row": unit + 1})
    for name, W, values, factor in (("W_hh", W_hh, h, r), ("W_hx", W_hx, x, 1.0)):
        for at, (w, v) in enumerate(zip(W[unit].tolist(), np.ravel(values).tolist(), strict=True)):
            one, product = Mark(name, unit, at), {"product": f"{format_number(w)}·{format_term(v)}"}
            found[f"left_out:{name}_{at}"] = Mistake(f(z - factor * w * v), None, one, product)
            found[f"product_sign:{name}_{at}"] = Mistake(f(z - 2 * factor * w * v), one, one, product)
    return found
