"""Sequence: the same cell over T steps, every symbol over time."""

from dataclasses import replace
from functools import cache, partial
from math import isfinite
from typing import Any

import streamlit as st

from core import joins, saturation
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import Symbol, called
from core.initialize import RANDOM
from core.scenario import Scenario
from core.time.unroll import bounded_steps, unroll
from dashboard import chosen, controls, own_numbers, picture
from dashboard.about import OF_THIS_PAGE, About, tell
from dashboard.compare import live
from dashboard.numerals import number
from dashboard.picture import op
from dashboard.stories import story
from dashboard.words import subscripts

INPUTS = {
    "noise": "numbers from N(0, 1), each drawn by itself (Gaussian white noise)",
    "impulse": "the x_t of the other pages at step 1, and 0 after it",
    "step": "0 in the first half, and the x_t of the other pages in the second",
    "sine": "the x_t of the other pages times a sine with a period of 16 steps",
}
# Units whose numbers are said one by one.
MOST_NAMED = 6
# Of the maps, and of those of few units: there are letters above their columns, and numbers in their cells.
FIT = picture.Fit("rows", pixels=100, smallest=6)
FEW, FIT_OF_FEW = 8, picture.Fit("rows", pixels=160, smallest=20)

st.markdown(
    "# Sequence\nA recurrent cell takes one step for each input, always with the same weights: it is unrolled over time. "
    "The $h_t$ of one step is the $h_{t-1}$ of the next."
)
dialled = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = controls.cell()
    controls.sequence()
    controls.gates(name)
    predict = controls.predict()
refused = controls.take_sequence()
# A word and pasted numbers have steps of their own.
now = chosen.scenario()
own_steps = {"word": now.word, "numbers": now.arrays.get("xs", ())}.get(now.input)
with dialled:
    controls.draw_dials(
        *(["T"] if own_steps is None else []),
        *("t", *controls.added_to_gates(name)),
        ends={"t": now.T if own_steps is None else len(own_steps)},
    )
if refused:
    st.error(refused)
if now.input == "numbers" and (promise := own_numbers.promise("xs")):
    st.info(promise)


def sequence() -> tuple[Scenario, Array, list[str]]:
    """The scenario as it is unrolled, its input, which is noise until it can be what is asked for, and what is to be said of both."""
    scenario, remarks = chosen.recurrent()
    try:
        return scenario, scenario.sequence(), remarks
    except ValueError as error:
        scenario = replace(scenario, input="noise")
        why = picture.literal(f"{error} Until then the input is noise.")
        return scenario, scenario.sequence(), remarks if refused else [*remarks, why]


def draw() -> list[picture.Item]:
    """The panels, of what the controls say now."""
    scenario, xs, remarks = sequence()
    name = scenario.cell
    decimals, fixed, asked = chosen.decimals(), chosen.fixed_colours(), chosen.value("t")
    j, threshold = chosen.unit(), chosen.threshold()
    cell = CELLS[name]
    params, state = scenario.at_rest(name)
    trace, T = bounded_steps(unroll(cell, params, state, xs))
    if T < len(xs):
        remarks.append(f"After step {T} there are numbers beyond 10^30: the sequence ends there.")
    k, order = scenario.k, scenario.order
    activated = cell.activated(params)
    t = min(asked, T)
    if scenario.input == "word":
        of_input = (
            f"“{picture.literal(scenario.word)}”: entry 1 of x_t stands for its first character, entry 2 for the next new one, "
            "so each x_t is one-hot: it has a single 1"
        )
    elif scenario.input == "numbers":
        of_input = "the numbers that were pasted"
    else:
        of_input = INPUTS[scenario.input]

    # ---- the symbols, as they look in every equation of this page ----

    is_random = scenario.init in RANDOM
    weights = picture.weight_scale("weights, biases, inputs", is_random=is_random)
    memory = picture.weight_scale("c and its terms", is_random=is_random)
    sums = picture.symmetric("z and its terms", 10, clips=True)
    opened = picture.sequential("gates", 1)
    squeezed = picture.symmetric("h and tanh", 1, clips=True)
    outputs = squeezed if all(isfinite(g.high) for _, g in activated.values()) else sums

    parts_of_stack = joins.in_order(("h", scenario.n, "h_{t−1}"), ("x", scenario.m, "x_t"), order)
    columns_of_W = {"W_hh": [("h", scenario.n, "")], "W_hx": [("x", scenario.m, "")]}
    any_W = joins.in_order(("h", scenario.n, "h"), ("x", scenario.m, "x"), order)
    matrix = partial(picture.block, fixed=fixed)

    def shown(symbol: str) -> Symbol:
        """How a symbol is shown."""
        if symbol == "stacked":
            return Symbol(joins.STACK_NAMES[order], "input")
        return cell.SYMBOLS.get(symbol) or Symbol(symbol, "input" if symbol == "x_t" else "sum")

    def scale_of(symbol: str) -> picture.Scale:
        """What the colours of a symbol of the step mean."""
        if symbol in activated and shown(symbol).kind == "sum":
            return opened if activated[symbol][1].low == 0 else squeezed
        if shown(symbol).kind == "slope":
            return picture.sequential("g′", params.g.max_df)
        return {"input": weights, "memory": memory, "state": outputs, "sum": sums}[shown(symbol).kind]

    def rows_of(symbol: str) -> dict[str, Any]:
        """What the rows of a symbol of the step are."""
        if symbol == "stacked":
            return {"rows": parts_of_stack}
        return {"rows": [("x", scenario.m, "")]} if symbol == "x_t" else {"rows": [("unit", k, "")], "units": True}

    @cache
    def now(symbol: str) -> picture.Item:
        """A symbol of the step that is looked at."""
        values = getattr(trace, symbol)
        return matrix(shown(symbol).text, values[t - 1], scale_of(symbol), frames=values, **rows_of(symbol))

    @cache
    def over_time(symbol: str) -> picture.Item:
        """A symbol at every step, a column each."""
        return matrix(
            shown(symbol).text,
            getattr(trace, symbol)[:, :, 0].T,
            scale_of(symbol),
            columns=[("t", T, "")],
            over_time=True,
            outlined=flat.get(symbol),
            headings=scenario.word if scenario.input == "word" else None,
            **rows_of(symbol),
        )

    def part(symbol: str, row: int) -> picture.Item:
        """A symbol of a row of the equations: of the step, of the parameters, or an operator."""
        if symbol == "stacked" and row:  # drawn above already
            return op(shown(symbol).text)
        if symbol in trace._fields:
            return now(symbol)
        if not hasattr(params, symbol):
            return op(symbol, align=symbol == "=")
        values = getattr(params, symbol)
        columns: dict[str, Any] = {"columns": columns_of_W.get(symbol, any_W)} if symbol.startswith("W") else {}
        return matrix(shown(symbol).text, values, weights, rows=[("unit", k, "")], units=True, **columns)

    if predict and not controls.is_predicted(f"hₜ at step {t}", j, float(trace.h_t[t - 1, j - 1, 0])):
        # All equations as far as h_t.
        rows = [symbols[: symbols.index("h_t")] if "h_t" in symbols else symbols for symbols in cell.EQUATIONS]
        items = [[part(symbol, row) for symbol in symbols] for row, symbols in enumerate(rows)]
        asked_panel = picture.panel(
            f"Predict h_t at step {t}",
            f"The equations of the {name} at this step, as far as h_t. What is it for unit {j}?",
            *items[:-1],
            [*items[-1], picture.blank("h_t", (k, 1), (j - 1, 0), None)],
            alt=f"The equations of the {name} with the numbers of step {t}, but for h_t.",
        )
        tell(About(scenario, name, sequence=True, step=t, numbers=OF_THIS_PAGE))
        return [*map(picture.remark, remarks), asked_panel]

    # ---- time ----

    flat = {
        symbol: saturation.is_saturated(getattr(trace, z)[:, :, 0].T, g, threshold)
        for symbol, (z, g) in activated.items()
    }
    carried = [f"{field}_t" for field in state._fields]
    of_unit_j = {
        symbol: getattr(trace, symbol)[:, j - 1, 0].tolist() for symbol in dict.fromkeys([*activated, *carried])
    }

    def moment(at: int) -> picture.Step:
        """What stands beside the maps at one of the steps."""
        character = f": “{scenario.word[at]}”" if scenario.input == "word" else ""
        numbers = ", ".join(
            f"{shown(symbol).text} = {number(of_j[at], decimals)}" for symbol, of_j in of_unit_j.items()
        )
        return picture.Step(f"{at + 1}", f"Step {at + 1} of {T}{character}", f"Unit {j}: {numbers}.")

    scrubbed = picture.panel(
        "",
        f"Each column is a step. The input is {of_input}. Drag through time or play it, or click a column: it is marked in all maps, and the "
        f"equations below show the numbers of that step. Outlined is what is saturated: less than {threshold:.0%} of its activation's largest slope "
        "is left at its z. A gradient that comes back through it is multiplied by that slope."
        + (
            " It starts from a state of 0."
            if not any(entry.any() for entry in state)
            else " It starts from your own state."
        )
        + (f" {cell.REMARK}" if hasattr(cell, "REMARK") else "")
        + (f" There are only {T} steps: t = {asked} is beyond them." if asked > T else "")
        + (
            f" Over a sequence the gates are not sampled: this is the standard {name}."
            if scenario.stochastic and hasattr(cell, "DRAWN")
            else ""
        ),
        [over_time("x_t"), *map(over_time, carried)],
        alt=f"x_t and what is carried, {' and '.join(carried)}, at each of {T} steps.",
        scrub=picture.Scrub("Step t", [moment(at) for at in range(T)], t - 1, reported=True),
        fit=FIT,
    )
    equations = picture.panel(
        "That step in the equations",
        "The weights are the same at every step; only the stack changes, and all that follows from it.",
        *([part(symbol, row) for symbol in symbols] for row, symbols in enumerate(cell.EQUATIONS)),
        alt=f"The equations of the {name} with the numbers of the step.",
    )
    gates = [symbol for symbol in activated if symbol not in carried]
    counts = [
        f"{shown(symbol).text}: {which.sum()} of {which.size}, {which[:, -1].sum()} of {k} at the last step"
        for symbol, which in flat.items()
    ]
    saturated = "\n".join(["Saturated, of all units at all steps:", *counts])
    gated = picture.panel(
        "Gates and activations over time",
        "What each gate lets through at each step, and what else is activated; outlined as above.",
        [over_time(symbol) for symbol in gates],
        alt=f"{', '.join(shown(symbol).text for symbol in gates)} at every step. {saturated}",
        note=saturated,
        fit=FIT_OF_FEW if k <= FEW else FIT,
    )
    everything = picture.panel(
        "Every symbol over time",
        "The pre-activations and the terms of the equations, on fixed scales; outlined as above.",
        [
            over_time(symbol)
            for symbol in trace._fields
            if not shown(symbol).double and symbol not in ("x_t", *carried, *gates)
        ],
        alt="Every other symbol of the equations at every step." + ("" if gates else f" {saturated}"),
        note="" if gates else saturated,
        fit=FIT_OF_FEW if k <= FEW else FIT,
    )
    tell(About(scenario, name, sequence=True, step=t, numbers=OF_THIS_PAGE))
    # These functions hold each other: without this the arrays would wait for a full garbage collection.
    now.cache_clear()
    over_time.cache_clear()
    panels = [scrubbed, *story("sequence", chosen.example()), *([gated] if gates else []), equations, everything]
    return [*map(picture.remark, remarks), *panels]


def letters() -> None:
    """Which units of each activation are saturated at each letter."""
    (scenario, _), cell = chosen.recurrent(), CELLS[name]
    try:
        xs = scenario.sequence()
    except ValueError:  # which the page has said
        return
    params, state = scenario.at_rest(name)
    trace, T = bounded_steps(unroll(cell, params, state, xs))
    table: dict[str, list] = {"t": list(range(1, T + 1)), "letter": list(scenario.word[:T])}
    for symbol, (z, g) in cell.activated(params).items():
        which = saturation.is_saturated(getattr(trace, z)[:, :, 0], g, chosen.threshold())
        table[subscripts(called(cell, symbol))] = [named(units) for units in which.tolist()]
    st.markdown("**Letter by letter: the units that are saturated**")
    st.dataframe(table, hide_index=True)


def named(units: list[bool]) -> str:
    """The units of which it is true, counted where they are too many to be named."""
    found = [f"{unit}" for unit, is_so in enumerate(units, 1) if is_so]
    if len(found) > MOST_NAMED:
        return f"{len(found)} of {len(units)}"
    return ", ".join(found) or "none"


live(draw, on_step=chosen.pick_moment)
if now.input == "word" and not controls.is_hidden():
    letters()
st.markdown("What a cell carries from step to step is its state: $h$, and in the LSTM also $c$.")
