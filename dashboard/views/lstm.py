"""LSTM step: three gates and a candidate that read one stacked input, the cell state, and the output."""

from functools import partial

import streamlit as st

from core import joins, saturation
from core.activations import Activation, sigmoid, tanh
from core.arrays import Array
from core.cells import lstm
from core.cells.lstm import GATES
from core.initialize import RANDOM
from dashboard.controls import widgets
from dashboard.controls.live_picture import live
from dashboard.controls.predict import Prediction
from dashboard.controls.subject import OF_THIS_PAGE, About
from dashboard.controls.widgets import control
from dashboard.drawing import items, scales
from dashboard.drawing.items import op
from dashboard.drawing.numbers import added, applied, arithmetic, multiplied, number, of_unit, with_symbol
from dashboard.drawing.panels import panel
from dashboard.drawing.stories import story
from dashboard.state.state import State
from dashboard.text import words

NAMES = {"f": "f_t", "i": "i_t", "c": "c̃_t", "o": "o_t"}


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        r"# LSTM step"
        "\n"
        r"Three gates $f_t$, $i_t$, $o_t$ and a candidate $\tilde c_t$ read one stack $[h_{t-1}; x_t]$. "
        r"Then $c_t = f_t \circ c_{t-1} + i_t \circ \tilde c_t$ and $h_t = o_t \circ \tanh(c_t)$."
    )
    widgets.sliders(state, "forget_bias")
    widgets.draw(state, "settings", _settings(state), more={"Weights of one gate": _weights(state)})
    live(state, panels, prediction=prediction)
    st.markdown(
        "An LSTM carries two things from step to step: the hidden state $h$, which is its output, and the cell state $c$, its memory. $h_t$ and $c_t$ "
        r"have the same size. The stack is the concatenated input: $f_t = \sigma(W_f\,[h_{t-1}; x_t] + b_f)$, $i_t$ and $o_t$ likewise, and the "
        r"candidate $\tilde c_t$ with $\tanh$ in the place of $\sigma$."
    )


def about(state: State) -> About:
    """Return what the page is about."""
    return About(state.scenario, "LSTM", numbers=OF_THIS_PAGE)


def _settings(state: State) -> list[widgets.Control]:
    is_filled = state.scenario.init == "fill"
    shown = [*(widgets.fills(state, "c") if is_filled else []), control(state, "y")]
    if state.settings.y:
        shown += [control(state, "p"), *(widgets.fills(state, "w_y") if is_filled else [])]
    return [*shown, control(state, "predict")]


def _weights(state: State) -> list[widgets.Control]:
    text = "One value for all weights of a gate. Where there is none they are made like the others."
    return [widgets.note("weights of gates", text), *widgets.gates(state, "LSTM", all_of_them=True)]


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    _, step = state.scenario.step("LSTM")
    return Prediction("hₜ", state.unit, float(step.h_t[state.unit - 1, 0]))


def panels(state: State) -> list[items.Item]:
    """Return the panels of one step of the LSTM."""
    scenario, decimals, fixed = state.scenario, state.decimals, state.fixed_colours
    j, threshold = state.unit, state.threshold
    params, step = scenario.step("LSTM")
    m, n, k, order = scenario.m, scenario.n, scenario.k, scenario.order
    row_j = slice(j - 1, j)

    # ---- the symbols, as they look in every equation of this page ----

    W = {gate: getattr(params, f"W_{gate}") for gate in GATES}
    b = {gate: getattr(params, f"b_{gate}") for gate in GATES}
    z = {gate: getattr(step, f"z_{gate}") for gate in GATES}
    value = {"f": step.f_t, "i": step.i_t, "c": step.c_tilde, "o": step.o_t}
    # The output of the activation: the gate itself, unless the gate is sampled with this probability.
    activated = {"f": step.p_f, "i": step.p_i, "c": step.c_tilde, "o": step.p_o}
    drawn = {gate: scenario.stochastic and gate != "c" for gate in GATES}
    called = {gate: f"P({gate} = 1)" if drawn[gate] else name for gate, name in NAMES.items()}

    is_random = scenario.init in RANDOM
    weights = scales.weight_scale("weights, biases, inputs", is_random=is_random)
    memory = scales.weight_scale("c and its terms", is_random=is_random)
    sums = scales.symmetric("z", 10, clips=True)
    opened = scales.sequential("gates", 1)
    squeezed = scales.symmetric("c̃, tanh(c) and h", 1)
    scale_of = {"f": opened, "i": opened, "c": squeezed, "o": opened}

    matrix = partial(items.block, fixed=fixed)
    column_of_units = partial(matrix, rows=[("unit", k, "")], units=True)
    columns_of_W = joins.in_order(("h", n, "h"), ("x", m, "x"), order)
    parts_of_stack = joins.in_order(("h", n, "h_{t−1}"), ("x", m, "x_t"), order)
    stack_name = joins.STACK_NAMES[order]
    stack = matrix(stack_name, step.stacked, weights, rows=parts_of_stack)

    def entry(array: Array) -> str:
        """Return the entry of the selected unit."""
        return number(array[j - 1, 0], decimals)

    # ---- three gates and a candidate ----

    def equation(gate: str) -> list[items.Item]:
        """Return W·[h; x] + b = z → gate; the first gate draws the stacked input, and the others name it."""
        hover = arithmetic(W[gate], step.stacked, z[gate], b[gate], decimals)
        symbol = GATES[gate].symbol
        items = [
            column_of_units(f"W_{gate}", W[gate], weights, columns=columns_of_W),
            *([op("·"), stack] if gate == "f" else [op(f"· {stack_name}")]),
            op("+", align=True),
            column_of_units(f"b_{gate}", b[gate], weights),
            op("="),
            column_of_units(f"z_{gate}", z[gate], sums, hover=hover, product=(f"W_{gate}", stack_name, f"b_{gate}")),
            op(f"{symbol} →"),
            column_of_units(
                called[gate],
                activated[gate],
                scale_of[gate],
                hover=applied(symbol, z[gate], activated[gate], decimals),
            ),
        ]
        if drawn[gate]:
            items += [op("drawn →"), column_of_units(NAMES[gate], value[gate], opened)]
        return items

    gates = panel(
        "Three gates and a candidate on one stack",
        f"Each of the four has weights and a bias of its own, and all of them read the same stack of {n} + {m} entries. "
        f"Row {j} of every W belongs to unit {j}. The forget gate f_t says how much of c_{{t−1}} is kept: 1 keeps and 0 "
        "forgets, so it is a keep gate. The input gate i_t says how much of the candidate c̃_t is written, and the "
        "output gate o_t how much of the cell is shown. σ makes shares from 0 to 1; tanh lets the candidate add or "
        "subtract."
        + (
            " Here the gates are Bernoulli-sampled: each unit of f, i and o is drawn, 1 with σ(z) as its probability and "
            "0 otherwise. That is not the standard LSTM, which multiplies by σ(z) itself."
            if scenario.stochastic
            else ""
        ),
        *map(equation, GATES),
        alt=f"Each of the four has {k} rows of {n + m} weights, times the stack, plus a bias. Unit {j}: "
        + ", ".join(f"{lstm.ROLES[gate]} {entry(value[gate])}" for gate in GATES)
        + ".",
    )

    # ---- the cell ----

    kept = multiplied("f_t∘c_{t−1}", step.f_t, step.c_prev, step.f_c, decimals)
    written = multiplied("i_t∘c̃_t", step.i_t, step.c_tilde, step.i_c_tilde, decimals)
    sent = multiplied("o_t∘tanh(c_t)", step.o_t, step.tanh_c_t, step.h_t, decimals)
    squeeze = applied("tanh", step.c_t, step.tanh_c_t, decimals)
    c_t = column_of_units("c_t", step.c_t, memory, hover=added(step.f_c, step.i_c_tilde, step.c_t, decimals))
    h_t = column_of_units("h_t", step.h_t, squeezed, hover=sent)
    cell = panel(
        "The cell",
        "∘ is the Hadamard product: entry by entry, never a sum over entries. The first product is what is kept, the "
        "second what is written. c_t is the memory and h_t what the cell shows of it: different things of the same size, "
        f"each with an entry for each unit, so the number of cell states is the number of hidden states: k = {k}. h_t is "
        "the output, and it lies between −1 and 1; c_t has no such bounds.",
        [
            *[column_of_units("c_{t−1}", step.c_prev, memory, hover=kept), op("∘")],
            *[column_of_units("f_t", step.f_t, opened, hover=kept), op("+")],
            *[column_of_units("i_t", step.i_t, opened, hover=written), op("∘")],
            *[column_of_units("c̃_t", step.c_tilde, squeezed, hover=written), op("=", align=True), c_t, op("tanh →")],
            *[column_of_units("tanh(c_t)", step.tanh_c_t, squeezed, hover=squeeze), op("∘")],
            *[column_of_units("o_t", step.o_t, opened, hover=sent), op("="), h_t],
        ],
        [
            *[column_of_units("f_t∘c_{t−1}", step.f_c, memory, hover=kept), op("+")],
            *[column_of_units("i_t∘c̃_t", step.i_c_tilde, memory, hover=written), op("=", align=True), c_t],
        ],
        alt=f"Unit {j} of c goes from {entry(step.c_prev)} to {entry(step.c_t)}: {entry(step.f_c)} is kept and {entry(step.i_c_tilde)} written. "
        f"Unit {j} of h_t is {entry(step.h_t)}.",
    )

    # ---- the optional output ----

    output = []
    if state.settings.y:
        W_y, b_y = scenario.array("W_y"), scenario.array("b_y")
        z_y, y_t = lstm.output(W_y, b_y, step.h_t)
        entries_of_y = partial(matrix, rows=[("y", scenario.p, "")])
        z_y_hover, y_hover = arithmetic(W_y, step.h_t, z_y, b_y, decimals), applied("σ", z_y, y_t, decimals)
        output = [
            panel(
                "Output",
                "h_t is the output of the cell. Some texts add one more layer, y_t = σ(W_y·h_t + b_y), for what is asked "
                "of the network; it is no part of the cell and does not go into the next step. W_y and b_y are made like "
                "the other weights and biases.",
                [
                    *[entries_of_y("W_y", W_y, weights, columns=[("h", k, "")]), op("·"), h_t, op("+")],
                    *[entries_of_y("b_y", b_y, weights), op("="), entries_of_y("z_y", z_y, sums, hover=z_y_hover)],
                    *[op("σ →"), entries_of_y("y_t", y_t, scales.sequential("y", 1), hover=y_hover)],
                ],
                alt=f"Entry 1 of y_t is {number(y_t[0, 0], decimals)}; p = {scenario.p}.",
            )
        ]

    # ---- one unit by hand ----

    of_j = slice(j - 1, None, k)  # the row of unit j in each gate, with the gates on top of each other
    digits = min(decimals + 2, 6)
    sums_of_j = arithmetic(params.W[of_j], step.stacked, step.z[of_j], params.b[of_j], digits)
    four_rows = partial(matrix, rows=[(gate, 1, gate) for gate in GATES])
    lines = [
        f"{NAMES[gate]}: {with_symbol(f'z_{gate}', z_text)}, and {of_unit(applied(g.symbol, z[gate][row_j], activated[gate][row_j], digits))}"
        + (f", drawn: {entry(value[gate])}" if drawn[gate] else "")
        for (gate, g), z_text in zip(GATES.items(), sums_of_j or ())
    ]
    lines += [
        of_unit(multiplied("f_t∘c_{t−1}", step.f_t[row_j], step.c_prev[row_j], step.f_c[row_j], digits)),
        of_unit(multiplied("i_t∘c̃_t", step.i_t[row_j], step.c_tilde[row_j], step.i_c_tilde[row_j], digits)),
        f"c_t: {of_unit(added(step.f_c[row_j], step.i_c_tilde[row_j], step.c_t[row_j], digits))}, "
        f"and {of_unit(applied('tanh', step.c_t[row_j], step.tanh_c_t[row_j], digits))}",
        f"h_t, which is {of_unit(multiplied('o_t∘tanh(c_t)', step.o_t[row_j], step.tanh_c_t[row_j], step.h_t[row_j], digits))}",
    ]
    by_hand = panel(
        f"Unit {j} by hand",
        f"Row {j} of each gate's W under the stack, which is laid on its side. Multiply each weight with the entry above it: that "
        f"makes the products. Add up along each row of them, and add the bias. The lines below print {digits} decimals, and Look in the sidebar "
        "has more; the numbers are rounded on the screen only.",
        [matrix(stack_name, step.stacked.T, weights, rows=[("", 1, "")], columns=parts_of_stack)],
        [four_rows(f"row {j} of each W", params.W[of_j], weights, columns=columns_of_W)],
        [
            four_rows("products", joins.products(params.W[of_j], step.stacked), sums, columns=columns_of_W),
            *[op("+"), four_rows("b", params.b[of_j], weights)],
            *[op("="), four_rows("z", step.z[of_j], sums)],
        ],
        alt=f"The sums of unit {j}: " + ", ".join(f"z_{gate} = {entry(z[gate])}" for gate in GATES) + ".",
        note="\n".join(lines),
    )

    # ---- saturation ----

    def slope(g: Activation, symbol: str, at: Array) -> items.Item:
        """Return the derivative of every unit's activation."""
        name, dg = f"{g.symbol}′", g.df(at)
        hover = applied(name, at, dg, decimals)
        return column_of_units(f"{name}({symbol})", dg, scales.sequential(name, g.max_df), hover=hover)

    def count(name: str, g: Activation, at: Array) -> str:
        """Return how many units are saturated, and at which end."""
        low, high = (int(which.sum()) for which in saturation.saturated_at(at, g, threshold))
        return f"{name}: {low} towards {number(g.low, 0)}, {high} towards {number(g.high, 0)}, {k - low - high} between"

    counts = [count(called[gate], g, z[gate]) for gate, g in GATES.items()] + [count("tanh(c_t)", tanh, step.c_t)]
    shut, passed = words.beyond(sigmoid, threshold)
    lowest, highest = words.beyond(tanh, threshold)
    forward = (
        f"a saturated gate is 1 with a probability above {passed} or below {shut}"
        if scenario.stochastic
        else f"a saturated gate lets through more than {passed} of an entry or less than {shut}"
    )
    saturated = panel(
        "Saturation",
        "The slopes (the derivatives) are σ′(z) = σ(z)·(1 − σ(z)), at most 0.25, and tanh′(z) = 1 − tanh(z)², at most 1. "
        f"Saturated means that less than {threshold:.0%} of that is left: less than {number(0.25 * threshold, 4)} and "
        f"{number(threshold, 2)}. On the way forward {forward}, and a saturated candidate, which is above {highest} or "
        f"below {lowest}, is written times i_t. On the way back whatever the gate could learn from is multiplied by its "
        "slope. Both hold at once: a forget gate near 1 carries the gradient of c back almost unharmed, for that path is "
        "multiplied by f_t and not by its slope."
        + (
            " The slopes are those of the probabilities. A draw is 0 or 1: its derivative is 0 wherever it has one, so "
            "no gradient passes it, and training needs an estimator (straight-through, REINFORCE)."
            if scenario.stochastic
            else ""
        ),
        [*(slope(g, f"z_{gate}", z[gate]) for gate, g in GATES.items()), slope(tanh, "c_t", step.c_t)],
        alt="Saturated units. " + "; ".join(counts) + ".",
        note="\n".join([f"Saturated units (k = {k}):", *counts]),
    )

    # ---- one product ----

    all_four = partial(matrix, rows=[(gate, k, gate) for gate in GATES])
    if k == n:
        recurs = f"k = n = {k}: h_t and c_t go into the next step as they are."
        pytorch = (
            f" PyTorch counts 4k = {4 * k} more, {params.count + 4 * k}: it keeps the columns of x and of h in two "
            f"matrices, W_{{ih}} and "
            "W_{hh}, with a bias for each, and only the sum of the two biases enters z."
        )
    else:
        recurs = (
            f"k = {k} but n = {n}: only one step can be computed. c_t fits, for c always has k entries; h_t has {k}, and "
            f"each W has columns for {n}."
        )
        if n < k:
            recurs += (
                f" The projected LSTM is the case where they do differ (proj_size = {n} in PyTorch): there one more "
                f"matrix makes h_t from o_t ∘ tanh(c_t), {n} entries from {k}."
            )
        else:
            recurs += (
                " Even the projected LSTM (proj_size in PyTorch), where they do differ, has an h_t smaller than c_t."
            )
        pytorch = ""
    product = panel(
        "One product, and how much is learned",
        "The gates and the candidate share the stack, so their weights can stand on top of each other: one matrix of 4·k "
        "rows, one product, one column z that is cut in four. Their order is a convention: f, i, c, o here, i, f, g, o "
        f"in PyTorch (where g is c̃, the “cell gate”), i, f, c, o in Keras, i, o, f, c in ONNX. {recurs}",
        [
            *[all_four("W", params.W, weights, columns=columns_of_W), op("·"), stack, op("+")],
            *[all_four("b", params.b, weights), op("="), all_four("z", step.z, sums)],
        ],
        alt=f"One matrix of {4 * k} by {n + m} for all four, times the stack, plus {4 * k} biases, gives all z.",
        note=f"Learned: 4·(k·(n + m) + k) = 4·({k}·({n} + {m}) + {k}) = {params.count} numbers.{pytorch}",
    )

    # ---- the page ----

    lead = (
        f"Unit {j} now: {', '.join(f'{NAMES[gate]} = {entry(value[gate])}' for gate in GATES)}; c_t = {entry(step.c_t)} "
        f"and h_t = {entry(step.h_t)}."
    )
    if all(saturation.is_saturated(z[gate], g, threshold).all() for gate, g in GATES.items()):
        remedy = "press Restart" if state.example == "forget-bias-0" else "choose the worked example forget-bias-0"
        lead += (
            " Every unit of every gate and of the candidate is saturated. "
            f"To see gates between 0 and 1, {remedy} in the sidebar."
        )
    if state.settings.predict:
        given = [
            column_of_units("c_{t−1}", step.c_prev, memory),
            *(column_of_units(NAMES[gate], value[gate], scale_of[gate]) for gate in GATES),
        ]
        text = "h_t is made of these: c_t = f_t∘c_{t−1} + i_t∘c̃_t, and h_t = o_t∘tanh(c_t)."
        return [panel("Predict h_t", text, given, alt="c of the step before, the gates and the candidate.")]
    return [
        panel("", lead, alt=""),
        gates,
        *story(state),
        *[cell, *output, by_hand, saturated, product],
    ]
