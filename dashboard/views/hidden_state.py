"""Hidden state: one step of the RNN with its two concatenations, its two formulas, and every number in between."""

from functools import partial
from math import isfinite

import streamlit as st

from core import joins, saturation
from core.activations import relu
from core.arrays import compare
from core.cells import rnn
from core.initialize import RANDOM
from dashboard.controls import widgets
from dashboard.controls.live_picture import live
from dashboard.controls.predict import Prediction
from dashboard.controls.subject import OF_THIS_PAGE, About
from dashboard.controls.widgets import control
from dashboard.drawing import items, numbers, scales
from dashboard.drawing.items import op, over
from dashboard.drawing.numbers import added, arithmetic, number, of_unit, with_symbol
from dashboard.drawing.panels import panel
from dashboard.drawing.screen import Stage
from dashboard.drawing.stories import story
from dashboard.state.state import State
from dashboard.text import words

# The sentence after the formula of each activation; one without an entry has neither.
WHAT_IT_DOES = {
    "sigmoid": "squeezes z into 0 to 1, and σ′(z) = σ(z)·(1 − σ(z)). ",
    "tanh": "squeezes z into −1 to 1, and tanh′(z) = 1 − tanh(z)². ",
    "relu": "passes what is positive and cuts off the rest; its slope is 1 above 0 and 0 below. "
    "At 0, where it has none, 0 is taken. ",
}

# The start of the title of each stage's panel; `all` has the first panel.
NEWEST = {"join": "Join", "multiply": "Multiply", "bias": "Multiply", "activate": "Activate", "all": ""}


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        "# Hidden state\nOne step of a plain recurrent cell, also called a vanilla RNN or an Elman RNN, in two ways that are the same numbers: "
        r"$h_t = g(W_h\,[h_{t-1}; x_t] + b_h)$ and $h_t = g(W_{hh}\,h_{t-1} + W_{hx}\,x_t + b_h)$."
    )
    shown = [control(state, "stage", bare=True), control(state, "unmatched"), control(state, "predict")]
    with st.container(key="top"):
        widgets.sliders(state)
        widgets.draw(state, "settings", shown)
    stage = state.settings.stage
    live(state, panels, prediction=prediction, stage=Stage(stage, NEWEST[stage]))


def about(state: State) -> About:
    """Return what the page is about."""
    in_order = ", with the stack in the order of the columns of W_h," if state.settings.unmatched else ""
    return About(state.scenario, "RNN", numbers=f"{OF_THIS_PAGE}{in_order}")


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    h_t = _step(state).h_t
    return Prediction("hₜ", state.unit, float(h_t[state.unit - 1, 0]))


def _step(state: State) -> rnn.RNNStep:
    """Return the step that is shown: with the mistake that is asked for."""
    params, before, x_t = state.scenario.setup("RNN")
    right = rnn.step(params, before, x_t)
    return rnn.with_swapped_stack(params, right) if state.settings.unmatched else right


def panels(state: State) -> list[items.Item]:
    """Return the panels of one step of the vanilla RNN."""
    scenario, decimals, fixed = state.scenario, state.decimals, state.fixed_colours
    j, threshold = state.unit, state.threshold
    unmatched, stages = state.settings.unmatched, widgets.stages(state)
    newest = NEWEST[stages[-1]]
    params, before, x_t = scenario.setup("RNN")
    right = rnn.step(params, before, x_t)
    step = rnn.with_swapped_stack(params, right) if unmatched else right
    product, total = step.W_h_stacked, step.W_hh_h_plus_W_hx_x
    agreement = compare(product, total)
    is_wrong = unmatched and not agreement.allclose
    if state.settings.predict:
        stages = tuple(stage for stage in stages if stage not in ("activate", "all"))
    m, n, k, g, order = params.m, params.n, params.k, params.g, params.order

    # ---- the symbols, as they look in every equation of this page ----

    values = scales.weight_scale("weights and inputs", is_random=scenario.init in RANDOM)
    sums = scales.symmetric("sums and z", 10, clips=True)
    outputs = scales.symmetric("h", 1) if isfinite(g.high) else sums
    slopes = scales.sequential(f"{g.symbol}′", g.max_df)

    matrix = partial(items.block, fixed=fixed)
    column_of_units = partial(matrix, rows=[("unit", k, "")], units=True)
    h_columns, x_columns = ("h", n, "W_{hh}"), ("x", m, "W_{hx}")
    h_rows, x_rows = ("h", n, "h_{t−1}"), ("x", m, "x_t")
    columns_of_W_h = joins.in_order(h_columns, x_columns, order)
    stack_order = joins.other_order(order) if unmatched else order
    stack_name = joins.STACK_NAMES[stack_order]

    W_hh = column_of_units("W_{hh}", params.W_hh, values, columns=[h_columns])
    W_hx = column_of_units("W_{hx}", params.W_hx, values, columns=[x_columns])
    W_h = column_of_units("W_h", params.W_h, values, columns=columns_of_W_h)
    h_prev = matrix("h_{t−1}", step.h_prev, values, rows=[h_rows])
    x = matrix("x_t", x_t, values, rows=[x_rows])
    stack = matrix(stack_name, step.stacked, values, rows=joins.in_order(h_rows, x_rows, stack_order))
    b_h = column_of_units("b_h", params.b_h, values)
    z = column_of_units(
        "z_t",
        step.z_t,
        sums,
        hover=arithmetic(params.W_h, step.stacked, step.z_t, params.b_h, decimals),
        product=("W_h", stack_name, "b_h"),
    )
    applied = partial(numbers.applied, decimals=decimals, exact=g.is_exact)
    h_t = column_of_units("h_t", step.h_t, outputs, hover=applied(g.symbol, step.z_t, step.h_t))
    slope = f"{g.symbol}′"
    dg_z_t = column_of_units(f"{slope}(z_t)", step.dg_z_t, slopes, hover=applied(slope, step.z_t, step.dg_z_t))

    # ---- the panels ----

    wrong_text = words.WRONG if is_wrong else ""
    wrong = [op("wrong:")] if is_wrong else []
    weight_names = ", ".join(joins.in_order("W_hh", "W_hx", order))
    input_names = ", ".join(joins.in_order("h_prev", "x_t", stack_order))
    join = panel(
        "Join",
        f"The weights are joined (concatenated) side by side: {k} rows of {n} and of {m} make W_h with {k} rows of "
        f"{n + m}. The inputs are joined on top of each other: {n} and {m} entries make one column of {n + m}, not a "
        "table of two columns. This column is the concatenated input, here called the stack. Row j of W_h is unit j, and "
        "each of its columns has one entry of the stack to multiply.",
        [
            *joins.in_order(W_hh, W_hx, order),
            op("→"),
            W_h,
            op("  "),
            over(*joins.in_order(h_prev, x, stack_order)),
            op("→"),
            stack,
        ],
        alt=f"W_hh is {k} by {n} and W_hx is {k} by {m}; side by side they are W_h, {k} by {n + m}. "
        f"h has {n} entries and x has {m}; on top of each other they are the stack of {n + m}.",
        code=[
            f"np.array_equal(np.concatenate([{weight_names}], axis=1), np.hstack([{weight_names}]))  →  "
            f"{joins.ways_agree(params.W_hh, params.W_hx, 1, order)}",
            f"np.array_equal(np.concatenate([{input_names}], axis=0), np.vstack([{input_names}]))  →  "
            f"{joins.ways_agree(step.h_prev, x_t, 0, stack_order)}",
        ],
    )

    formula_1 = [
        *wrong,
        W_h,
        op("·"),
        stack,
        op("=", align=True),
        column_of_units(
            f"W_h{stack_name}",
            product,
            sums,
            hover=arithmetic(params.W_h, step.stacked, product, None, decimals),
            product=("W_h", stack_name),
        ),
    ]
    if "bias" in stages:
        formula_1 += [op("+"), b_h, op("="), z]
    if "activate" in stages:
        formula_1 += [op(f"{g.symbol} →"), h_t]
    hh_hover = arithmetic(params.W_hh, step.h_prev, step.W_hh_h, None, decimals)
    hx_hover = arithmetic(params.W_hx, x_t, step.W_hx_x, None, decimals)
    formula_2 = [
        *[W_hh, op("·"), h_prev, op("+"), W_hx, op("·"), x, op("=")],
        *[column_of_units("W_{hh}h", step.W_hh_h, sums, hover=hh_hover), op("+")],
        *[column_of_units("W_{hx}x", step.W_hx_x, sums, hover=hx_hover), op("=", align=True)],
        column_of_units("their sum", total, sums, hover=added(step.W_hh_h, step.W_hx_x, total, decimals)),
    ]
    if unmatched:
        multiply_text = (
            "The stack is swapped and the columns of W_h are not: every weight now multiplies an entry that it was not "
            "meant for. The shapes still fit, so NumPy does not complain. "
        )
        multiply_text += words.swapped(same_stack=compare(step.stacked, right.stacked).equal, close=agreement.allclose)
        if is_wrong:
            multiply_text += " The panels below go on with this wrong result."
    else:
        multiply_text = (
            "Each unit multiplies its row of weights with the stack, entry by entry, and adds up. Whether that is one long "
            "sum, or one over h and one over x that are then added (plain addition, whatever sign a text uses), makes no "
            "difference"
        )
        if agreement.equal:
            multiply_text += "."
        else:
            multiply_text += (
                " but for rounding: floating-point sums depend on the order of adding, so compare with allclose."
            )
    multiply = panel(
        "Multiply",
        multiply_text,
        formula_1,
        formula_2,
        alt=f"Formula 1, W_h times the stack, gives unit {j} {number(product[j - 1, 0], decimals)}; "
        f"formula 2, W_hh h plus W_hx x, gives it {number(total[j - 1, 0], decimals)}.",
        note=f"Largest difference between the two formulas: {number(agreement.largest_difference, decimals)}. "
        f"np.allclose: {agreement.allclose}. Exactly equal: {agreement.equal}. "
        f"Weights: {params.W_h.size} in W_h, and {params.W_hh.size} + {params.W_hx.size} in W_{{hh}} and W_{{hx}}.",
    )

    row_j = slice(j - 1, j)
    unit_sum = of_unit(arithmetic(params.W_h[row_j], step.stacked, step.W_h_stacked[row_j], None, decimals))
    unit_z = of_unit(arithmetic(params.W_h[row_j], step.stacked, step.z_t[row_j], params.b_h[row_j], decimals))
    z_j, h_j = number(step.z_t[j - 1, 0], decimals), number(step.h_t[j - 1, 0], decimals)
    h_text = of_unit(applied(g.symbol, step.z_t[row_j], step.h_t[row_j]))
    unit_row = partial(matrix, rows=[("", 1, "")])
    stack_columns = joins.in_order(h_rows, x_rows, stack_order)
    products_row = [
        unit_row("products", joins.products(params.W_h[row_j], step.stacked), sums, columns=stack_columns),
        op("add up to the wrong" if is_wrong else "add up to"),
        unit_row("sum", step.W_h_stacked[row_j], sums),
    ]
    if "bias" in stages:
        products_row += [
            op("+"),
            unit_row("b", params.b_h[row_j], values),
            op("="),
            unit_row("z", step.z_t[row_j], sums),
        ]
    by_hand = panel(
        f"Unit {j} by hand",
        f"{wrong_text}Row {j} of W_h over the stack laid on its side: multiply each weight with the entry under it, then add up along "
        "the row. Numbers are rounded on the screen only; Look in the sidebar has more decimals, and with Shift a number that is "
        "pointed at shows all its digits.",
        [unit_row(f"row {j} of W_h", params.W_h[row_j], values, columns=columns_of_W_h)],
        [unit_row(stack_name, step.stacked.T, values, columns=stack_columns)],
        products_row,
        alt=f"The {n + m} products of unit {j} add up to {number(step.W_h_stacked[j - 1, 0], decimals)}.",
        note=with_symbol(f"z_{{{j}}}", unit_z) if "bias" in stages else unit_sum,
    )

    saturated = int(saturation.is_saturated(step.z_t, g, threshold).sum())
    slope_j, share_j = step.dg_z_t[j - 1, 0], saturation.gradient_share(step.z_t, g)[j - 1, 0]
    if g is not relu:
        count = f"Saturated units: {saturated} of {k}."
        flat = (
            f"Saturated means that less than {threshold:.0%} of the largest slope, {g.max_df:g}, is left: "
            f"{words.outside_bounds(g, threshold)} (shaded)."
        )
    else:
        count = f"Inactive units: {saturated} of {k}."
        flat = "Inactive means z ≤ 0 (shaded): no slope is left there."
    if slope_j == 0 and not g.is_exact:
        slope_text = "too small for float64 (below 5e−324), but not 0"
    else:
        slope_text = f"{number(slope_j, decimals)}, which is {number(share_j, decimals)} times the largest"
    if step.h_t[j - 1, 0] in g.range and not g.is_exact:
        slope_text += f". {g.symbol}(z) never quite reaches {h_j}: float64 rounds it there"
    activate = panel(
        "Activate",
        wrong_text
        + (f"{words.FORMULAS[g.name]} {WHAT_IT_DOES[g.name]}" if g.name in WHAT_IT_DOES else "")
        + f"h_t has an entry for each of the {k} units, at every step: it does not grow. The slope (the derivative), "
        "taken at z and not at g(z), is the factor by which a unit multiplies every gradient that comes back through it. "
        "Where the curve is flat, little or nothing comes back.",
        [
            *[*wrong, z, op(f"{g.symbol} →"), h_t, dg_z_t],
            items.curve(
                g.symbol,
                g.f(scales.GRID),
                g.df(scales.GRID),
                step.z_t[:, 0],
                step.h_t[:, 0],
                bounds=g.bounds(threshold),
            ),
        ],
        alt=f"The units as dots on the curve of {g.symbol}: {saturated} of {k} lie in its flat parts.",
        note=f"{count} {flat} Unit {j}: {h_text} and {slope}({z_j}) is {slope_text}.",
    )

    lead_text = f"{wrong_text}Unit {j} now: {unit_z}, and {h_text}. {count}"
    if is_wrong:
        z_right, h_right = number(right.z_t[j - 1, 0], decimals), number(right.h_t[j - 1, 0], decimals)
        lead_text += f" With the stack in the order of W_h's columns its z would be {z_right}, and its h {h_right}."
    lead = panel("", lead_text, alt="")
    if "activate" in stages:
        shown = [lead, join, multiply, by_hand, activate]
    elif "multiply" in stages:
        shown = [join, multiply, by_hand]
    else:
        shown = [join]
    if newest and state.is_projected:
        # A prediction has no panel of the newest stage, but needs the numbers that lead to it.
        return [panel for panel in shown if panel["title"] == newest] or shown
    return [shown[0], *story(state), *shown[1:]]
