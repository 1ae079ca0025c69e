"""Sequence: the same cell over T steps, every symbol over time."""

from dataclasses import replace
from functools import cache, partial
from math import isfinite
from typing import Any

import streamlit as st

from core import joins, saturation
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import Symbol
from core.cells.symbols import symbol_of
from core.exchange.matrix_text import parse
from core.initialize import RANDOM
from core.scenario import Scenario
from core.time.inputs import alphabet
from core.time.unroll import bounded_steps, unroll
from dashboard.controls import storage, widgets
from dashboard.controls.live_picture import live
from dashboard.controls.predict import Prediction
from dashboard.controls.subject import OF_THIS_PAGE, About
from dashboard.controls.widgets import control
from dashboard.drawing import items, scales
from dashboard.drawing.items import op
from dashboard.drawing.numbers import number
from dashboard.drawing.panels import Fit, Scrub, Step, literal, panel, remark
from dashboard.drawing.screen import Steps, patches
from dashboard.drawing.stories import story
from dashboard.state import session
from dashboard.state.own_arrays import digest_of
from dashboard.state.parameters import LARGEST_SIZE
from dashboard.state.state import State
from dashboard.text import words
from dashboard.text.words import subscripts

INPUTS = {
    "noise": "numbers from N(0, 1), each drawn by itself (Gaussian white noise)",
    "impulse": "the x_t of the other pages at step 1, and 0 after it",
    "step": "0 in the first half, and the x_t of the other pages in the second",
    "sine": "the x_t of the other pages times a sine with a period of 16 steps",
}
# With at most so many units, the text gives each number.
MOST_NAMED = 6
# The sizes of the maps. With few units there is room for letters above the columns and numbers in the entries.
FIT = Fit("rows", pixels=100, smallest=6)
FEW, FIT_OF_FEW = 8, Fit("rows", pixels=160, smallest=20)


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        "# Sequence\nA recurrent cell takes one step for each input, always with the same weights: it is unrolled over time. "
        "The $h_t$ of one step is the $h_{t-1}$ of the next."
    )
    # A word and pasted numbers have their own number of steps.
    own = {"word": state.scenario.word, "numbers": state.scenario.arrays.get("xs", ())}.get(state.scenario.input)
    steps = state.scenario.T if own is None else len(own)
    name = state.scenario.cell
    widgets.sliders(state, *(["T"] if own is None else []), "t", *widgets.added_to_gates(name), ends={"t": steps})
    widgets.draw(state, "settings", _settings(state))
    if state.scenario.input == "numbers":
        paste(state)
    texts = [None, *(f"{at}" for at in range(2, LARGEST_SIZE + 1))]
    shown = live(state, panels, prediction=prediction, steps=Steps("t", texts[: max(1, steps)]))
    if shown.scenario.input == "word" and not shown.settings.predict:
        letters(shown)
    st.markdown("What a cell carries from step to step is its state: $h$, and in the LSTM also $c$.")


def about(state: State) -> About:
    """Return what the page is about."""
    scenario, xs, _ = sequence(state)
    t = min(state.settings.t, _trace(scenario, xs)[1])
    return About(scenario, scenario.cell, sequence=True, step=t, numbers=OF_THIS_PAGE)


def _settings(state: State) -> list[widgets.Control]:
    made_of = control(state, "input")
    needed = len(alphabet(state.scenario.word))
    for option in made_of["options"]:
        # Each distinct character of a word needs its own entry of x_t.
        if option["value"] == "word" and needed > state.scenario.m:
            option["patch"] = {"m": f"{needed}"}
    word = [control(state, "word")] if state.scenario.input == "word" else []
    return [
        *[control(state, "cell"), made_of, *word],
        *[*widgets.gates(state, state.scenario.cell), control(state, "predict")],
    ]


@st.fragment
def paste(state: State) -> None:
    """Draw the field for the numbers of a sequence; a refused text changes nothing, and the reason stands below the field."""
    patches("pasted")
    xs = state.own(session.stored()).get("xs")
    lines = "" if xs is None else "\n".join(" ".join(map(str, row)) for row in xs.tolist())
    # With the digest in the key, the back button shows a new field with the numbers of the URL.
    key = f"pasted {'' if xs is None else digest_of('xs', xs)}"
    st.text_area(
        "xₜ at every step",
        lines,
        key=key,
        on_change=_take_sequence,
        args=(state, key),
        height=96,
        placeholder="one line for each step, with m numbers in it",
        help="From a spreadsheet, as lines of numbers, as nested lists or as np.array(...).",
    )
    if refused := st.session_state.pop("pasted_refused", None):
        st.error(refused)
    if promise := storage.promise(state, "xs"):
        st.info(promise)


def _take_sequence(state: State, key: str) -> None:
    try:
        xs = parse(st.session_state[key])
    except ValueError as error:
        st.session_state.pasted_refused = f"{error} What was there is kept."
        return
    m = state.scenario.m
    if xs.shape[1] != m:
        st.session_state.pasted_refused = f"Each step needs m = {m} numbers, and these have {xs.shape[1]}: set m to that, or paste others. What was there is kept."
        return
    missing = {name: digest for name, digest in state.missing(session.stored()).items() if name != "xs"}
    storage.patch_arrays({**state.own(session.stored()), "xs": xs}, missing=missing)


def sequence(state: State) -> tuple[Scenario, Array, list[str]]:
    """Return the scenario with n = k, its input, and remarks; the input is noise if the chosen one is not possible."""
    scenario, remarks = state.recurrent(), words.recurs(state.scenario.n, state.scenario.k)
    try:
        return scenario, scenario.sequence(), remarks
    except ValueError as error:
        scenario = replace(scenario, input="noise")
        why = literal(f"{error} Until then the input is noise.")
        return scenario, scenario.sequence(), [*remarks, why]


def _trace(scenario: Scenario, xs: Array) -> tuple[Any, int]:
    """Return every symbol over time, and how many steps there are before numbers overflow."""
    return bounded_steps(unroll(CELLS[scenario.cell], *scenario.initial_state(scenario.cell), xs))


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    scenario, xs, _ = sequence(state)
    trace, T = _trace(scenario, xs)
    t = min(state.settings.t, T)
    return Prediction(f"hₜ at step {t}", state.unit, float(trace.h_t[t - 1, state.unit - 1, 0]))


def panels(state: State) -> list[items.Item]:
    """Return the panels of a cell over a sequence."""
    scenario, xs, remarks = sequence(state)
    name = scenario.cell
    decimals, fixed, asked = state.decimals, state.fixed_colours, state.settings.t
    j, threshold = state.unit, state.threshold
    cell = CELLS[name]
    params, first = scenario.initial_state(name)
    trace, T = bounded_steps(unroll(cell, params, first, xs))
    if T < len(xs):
        remarks.append(f"After step {T} there are numbers beyond 10^30: the sequence ends there.")
    k, order = scenario.k, scenario.order
    activated = cell.activated(params)
    t = min(asked, T)
    if scenario.input == "word":
        of_input = (
            f"“{literal(scenario.word)}”: entry 1 of x_t stands for its first character, entry 2 for the next new one, "
            "so each x_t is one-hot: it has a single 1"
        )
    elif scenario.input == "numbers":
        of_input = "the numbers that were pasted"
    else:
        of_input = INPUTS[scenario.input]

    # ---- the symbols, as they look in every equation of this page ----

    is_random = scenario.init in RANDOM
    weights = scales.weight_scale("weights, biases, inputs", is_random=is_random)
    memory = scales.weight_scale("c and its terms", is_random=is_random)
    sums = scales.symmetric("z and its terms", 10, clips=True)
    opened = scales.sequential("gates", 1)
    squeezed = scales.symmetric("h and tanh", 1, clips=True)
    outputs = squeezed if all(isfinite(g.high) for _, g in activated.values()) else sums

    parts_of_stack = joins.in_order(("h", scenario.n, "h_{t−1}"), ("x", scenario.m, "x_t"), order)
    columns_of_W = {"W_hh": [("h", scenario.n, "")], "W_hx": [("x", scenario.m, "")]}
    any_W = joins.in_order(("h", scenario.n, "h"), ("x", scenario.m, "x"), order)
    matrix = partial(items.block, fixed=fixed)

    def shown(symbol: str) -> Symbol:
        """Return the name and the kind of a symbol on the screen."""
        if symbol == "stacked":
            return Symbol(joins.STACK_NAMES[order], "input")
        return cell.SYMBOLS.get(symbol) or Symbol(symbol, "input" if symbol == "x_t" else "sum")

    def scale_of(symbol: str) -> scales.Scale:
        """Return the colour scale of a symbol of the step."""
        if symbol in activated and shown(symbol).kind == "sum":
            return opened if activated[symbol][1].low == 0 else squeezed
        if shown(symbol).kind == "slope":
            return scales.sequential("g′", params.g.max_df)
        return {"input": weights, "memory": memory, "state": outputs, "sum": sums}[shown(symbol).kind]

    def rows_of(symbol: str) -> dict[str, Any]:
        """Return the row labels of a symbol of the step."""
        if symbol == "stacked":
            return {"rows": parts_of_stack}
        return {"rows": [("x", scenario.m, "")]} if symbol == "x_t" else {"rows": [("unit", k, "")], "units": True}

    @cache
    def now(symbol: str) -> items.Item:
        """Return a symbol of the selected step."""
        values = getattr(trace, symbol)
        return matrix(shown(symbol).text, values[t - 1], scale_of(symbol), frames=values, **rows_of(symbol))

    @cache
    def over_time(symbol: str) -> items.Item:
        """Return a symbol at every step, one column each."""
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

    def part(symbol: str, row: int) -> items.Item:
        """Return one item of a row of equations: a symbol of the step, a parameter, or an operator."""
        if symbol == "stacked" and row:  # drawn above already
            return op(shown(symbol).text)
        if symbol in trace._fields:
            return now(symbol)
        if not hasattr(params, symbol):
            return op(symbol, align=symbol == "=")
        values = getattr(params, symbol)
        columns: dict[str, Any] = {"columns": columns_of_W.get(symbol, any_W)} if symbol.startswith("W") else {}
        return matrix(shown(symbol).text, values, weights, rows=[("unit", k, "")], units=True, **columns)

    if state.settings.predict:
        # All equations as far as h_t.
        rows = [symbols[: symbols.index("h_t")] if "h_t" in symbols else symbols for symbols in cell.EQUATIONS]
        drawn = [[part(symbol, row) for symbol in symbols] for row, symbols in enumerate(rows)]
        asked_panel = panel(
            f"Predict h_t at step {t}",
            f"The equations of the {name} at this step, as far as h_t. What is it for unit {j}?",
            *drawn[:-1],
            [*drawn[-1], items.blank("h_t", (k, 1), (j - 1, 0), None)],
            alt=f"The equations of the {name} with the numbers of step {t}, but for h_t.",
        )
        return [*map(remark, remarks), asked_panel]

    # ---- time ----

    flat = {
        symbol: saturation.is_saturated(getattr(trace, z)[:, :, 0].T, g, threshold)
        for symbol, (z, g) in activated.items()
    }
    carried = [f"{field}_t" for field in first._fields]
    of_unit_j = {
        symbol: getattr(trace, symbol)[:, j - 1, 0].tolist() for symbol in dict.fromkeys([*activated, *carried])
    }

    def moment(at: int) -> Step:
        """Return the text beside the maps at one of the steps."""
        character = f": “{scenario.word[at]}”" if scenario.input == "word" else ""
        numbers = ", ".join(
            f"{shown(symbol).text} = {number(of_j[at], decimals)}" for symbol, of_j in of_unit_j.items()
        )
        return Step(f"{at + 1}", f"Step {at + 1} of {T}{character}", f"Unit {j}: {numbers}.")

    scrubbed = panel(
        "",
        f"Each column is a step. The input is {of_input}. Drag through time or play it, or click a column: it is marked in all maps, and the "
        f"equations below show the numbers of that step. Outlined is what is saturated: less than {threshold:.0%} of its activation's largest slope "
        "is left at its z. A gradient that comes back through it is multiplied by that slope."
        + (
            " It starts from a state of 0."
            if not any(entry.any() for entry in first)
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
        scrub=Scrub("Step t", [moment(at) for at in range(T)], t - 1, reported=True),
        fit=FIT,
    )
    equations = panel(
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
    gated = panel(
        "Gates and activations over time",
        "What each gate lets through at each step, and what else is activated; outlined as above.",
        [over_time(symbol) for symbol in gates],
        alt=f"{', '.join(shown(symbol).text for symbol in gates)} at every step. {saturated}",
        note=saturated,
        fit=FIT_OF_FEW if k <= FEW else FIT,
    )
    everything = panel(
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
    # Break the reference cycle of these functions, or the arrays would stay until a full garbage collection.
    now.cache_clear()
    over_time.cache_clear()
    shown_panels = [scrubbed, *story(state), *([gated] if gates else []), equations, everything]
    return [*map(remark, remarks), *shown_panels]


def letters(state: State) -> None:
    """Draw the table of the units that are saturated at each letter."""
    scenario = state.recurrent()
    cell = CELLS[scenario.cell]
    try:
        xs = scenario.sequence()
    except ValueError:  # the page already shows the reason
        return
    params, first = scenario.initial_state(scenario.cell)
    trace, T = bounded_steps(unroll(cell, params, first, xs))
    table: dict[str, list] = {"t": list(range(1, T + 1)), "letter": list(scenario.word[:T])}
    for symbol, (z, g) in cell.activated(params).items():
        which = saturation.is_saturated(getattr(trace, z)[:, :, 0], g, state.threshold)
        table[subscripts(symbol_of(cell, symbol))] = [named(units) for units in which.tolist()]
    st.markdown("**Letter by letter: the units that are saturated**")
    st.dataframe(table, hide_index=True)


def named(units: list[bool]) -> str:
    """Return the units for which it is true, or their number if there are too many to name."""
    found = [f"{unit}" for unit, is_so in enumerate(units, 1) if is_so]
    if len(found) > MOST_NAMED:
        return f"{len(found)} of {len(units)}"
    return ", ".join(found) or "none"
