"""LSTM step: three gates and a candidate that read one stacked input, the cell state, and the output."""

from dataclasses import dataclass
from functools import cached_property, partial

import streamlit as st

from core.activations import sigmoid, tanh
from core.cells import lstm
from core.cells.lstm import GATES, LSTMParams, LSTMStep
from core.initialize import RANDOM
from dashboard.controls import widgets
from dashboard.controls.live_picture import live_picture
from dashboard.controls.page_scenario import OF_THIS_PAGE, PageScenario
from dashboard.controls.predict import Prediction
from dashboard.controls.widgets import control
from dashboard.drawing import diagram, scales
from dashboard.drawing.arithmetic import added, applied, multiplied, number, of_unit, sums_of_products
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.example_story import story
from dashboard.drawing.gated_step import (
    GATE_SCALE,
    Gate,
    Mixture,
    count,
    equation,
    kept_and_written,
    line_of_gate,
    mixture,
    rows_by_hand,
    saturated_units,
    slope,
)
from dashboard.drawing.matrices import Item, op
from dashboard.drawing.panels import panel
from dashboard.drawing.scales import Scale
from dashboard.drawing.step_symbols import STATE_SCALE, StepSymbols
from dashboard.state.state import State
from dashboard.text import gated_step, words
from dashboard.text import lstm as text
from dashboard.text.option_names import MORE

NAMES = {"f": "f_t", "i": "i_t", "c": "c̃_t", "o": "o_t"}


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.INTRODUCTION)
    widgets.sliders(state, "forget_bias")
    widgets.settings(
        state, cells=["LSTM"], fills=("c",), more={text.WEIGHTS_TITLE: _weights(state), MORE: _more(state)}
    )
    live_picture(state, panels, prediction=prediction, next_of=page_scenario)


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    return PageScenario(state.scenario, "LSTM", numbers=OF_THIS_PAGE)


def _more(state: State) -> list[widgets.Control]:
    shown = [control(state, "predict"), control(state, "y")]
    if state.settings.y:
        shown += [
            control(state, "p"),
            *(widgets.fills(state, ["LSTM"], "w_y") if state.scenario.init == "fill" else []),
        ]
    return shown


def _weights(state: State) -> list[widgets.Control]:
    return [widgets.note("weights of gates", text.WEIGHTS), *widgets.gates(state, "LSTM", all_of_them=True)]


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    _, step = state.scenario.step("LSTM")
    return Prediction("hₜ", state.unit, float(step.h_t[state.unit - 1, 0]))


def panels(state: State) -> list[Item]:
    """Return the panels of one step of the LSTM."""
    s = _symbols(state)
    if state.settings.predict:
        return [_to_predict(s)]
    return [
        _diagram(s),
        _gates(s),
        *story(state),
        _cell(s),
        *([_output(s)] if state.settings.y else []),
        _by_hand(s),
        _saturation(s),
        _product(s),
    ]


# ---- the symbols ---------------------------------------------------------------------------


def _symbols(state: State) -> "Symbols":
    return Symbols(state, *state.scenario.step("LSTM"))


@dataclass(frozen=True, eq=False)
class Symbols(StepSymbols):
    """The symbols of the equations at one step, as all panels draw them."""

    params: LSTMParams
    step: LSTMStep

    @cached_property
    def gates(self) -> list[Gate]:
        """The gates and the candidate, in the order of GATES."""
        params, step = self.params, self.step
        activated = {"f": step.p_f, "i": step.p_i, "c": step.c_tilde, "o": step.p_o}
        value = {"f": step.f_t, "i": step.i_t, "c": step.c_tilde, "o": step.o_t}
        return [
            Gate(
                letter,
                NAMES[letter],
                g,
                W=getattr(params, f"W_{letter}"),
                b=getattr(params, f"b_{letter}"),
                z=getattr(step, f"z_{letter}"),
                activated=activated[letter],
                value=value[letter],
                scale=STATE_SCALE if letter == "c" else GATE_SCALE,
                is_sampled=self.state.scenario.stochastic and letter != "c",
            )
            for letter, g in GATES.items()
        ]

    @cached_property
    def memory(self) -> Scale:
        """The scale of c and its terms."""
        return scales.weight_scale(text.MEMORY_SCALE, is_random=self.state.scenario.init in RANDOM)

    # The next two stand in several places, as the stacked input does.

    @cached_property
    def c_t(self) -> Item:
        step = self.step
        hover = added(step.f_c, step.i_c_tilde, step.c_t, self.decimals)
        return self.column_of_units("c_t", step.c_t, self.memory, hover=hover)

    @cached_property
    def h_t(self) -> Item:
        step = self.step
        hover = multiplied("o_t∘tanh(c_t)", step.o_t, step.tanh_c_t, step.h_t, self.decimals)
        return self.column_of_units("h_t", step.h_t, STATE_SCALE, hover=hover)

    def values(self) -> dict[str, str]:
        """Return the entries of the gates and the candidate at the selected unit, by letter."""
        return {gate.letter: self.entry(gate.value) for gate in self.gates}


# ---- the selected unit ---------------------------------------------------------------------


def _callout(s: Symbols) -> str:
    """Return how many units are saturated, and what the selected unit keeps and writes."""
    step = s.step
    others = [_symbols(s.state.other_side)] if s.state.other_side else []
    terms = kept_and_written(s.decimals, *map(_mixture, (s, *others)))
    shown = dict(zip(("kept", "c_prev", "written", "c_tilde"), terms, strict=True))
    unit = text.UNIT.format(j=s.j, c_t=s.entry(step.c_t), h_t=s.entry(step.h_t), **shown)
    gates = {gate.letter: (gate.g, gate.z) for gate in s.gates}
    saturated = saturated_units(s, *(gates[letter] for letter in "fioc"))
    remedy = [text.remedy(s.state.example)] if saturated == gated_step.ALL_SATURATED else []
    return " ".join([saturated, *remedy, unit])


def _mixture(s: Symbols) -> Mixture:
    step = s.step
    return mixture(s, (step.f_t, step.c_prev), (step.i_t, step.c_tilde), total=step.c_t)


def _to_predict(s: Symbols) -> Item:
    """Return the panel that is shown while the output is hidden."""
    given = [
        s.column_of_units("c_{t−1}", s.step.c_prev, s.memory),
        *(s.column_of_units(gate.symbol, gate.value, gate.scale) for gate in s.gates),
    ]
    return panel(text.PREDICT_TITLE, text.PREDICT, given, alt=text.PREDICT_ALT)


def _diagram(s: Symbols) -> Item:
    """Return the panel of the diagram, with the equation of the gate that the link opens."""
    state = s.state
    symbols = CellSymbols(state.scenario, lstm, s.params, state.fixed_colours)
    opened = [equation(s, gate, with_stack=True) for gate in s.gates if gate.letter == state.settings.node]
    made = diagram.at_one_step(state, symbols, s.step, *opened, callout=_callout(s), is_staged=True)
    return made | {"text": f"{text.CARRIED} {made['text']}"}


# ---- the gates -----------------------------------------------------------------------------


def _gates(s: Symbols) -> Item:
    """Return the panel of the gates and the candidate."""
    scenario, j = s.state.scenario, s.j
    return panel(
        text.GATES_TITLE,
        text.gates(m=scenario.m, n=scenario.n, j=j, sampled=scenario.stochastic),
        *(equation(s, gate, with_stack=gate is s.gates[0]) for gate in s.gates),
        alt=text.GATES_ALT.format(k=scenario.k, inputs=scenario.n + scenario.m, j=j, **s.values()),
    )


# ---- the cell and the output ---------------------------------------------------------------


def _cell(s: Symbols) -> Item:
    """Return the panel of the cell state and the output."""
    step, decimals, column, memory = s.step, s.decimals, s.column_of_units, s.memory
    kept = multiplied("f_t∘c_{t−1}", step.f_t, step.c_prev, step.f_c, decimals)
    written = multiplied("i_t∘c̃_t", step.i_t, step.c_tilde, step.i_c_tilde, decimals)
    squeezed = applied("tanh", step.c_t, step.tanh_c_t, decimals)
    shown = s.h_t["hover"]
    return panel(
        text.CELL_TITLE,
        text.CELL.format(k=s.k),
        [
            *[column("c_{t−1}", step.c_prev, memory, hover=kept), op("∘")],
            *[column("f_t", step.f_t, GATE_SCALE, hover=kept), op("+")],
            *[column("i_t", step.i_t, GATE_SCALE, hover=written), op("∘")],
            *[column("c̃_t", step.c_tilde, STATE_SCALE, hover=written), op("=", align=True), s.c_t, op("tanh →")],
            *[column("tanh(c_t)", step.tanh_c_t, STATE_SCALE, hover=squeezed), op("∘")],
            *[column("o_t", step.o_t, GATE_SCALE, hover=shown), op("="), s.h_t],
        ],
        [
            *[column("f_t∘c_{t−1}", step.f_c, memory, hover=kept), op("+")],
            *[column("i_t∘c̃_t", step.i_c_tilde, memory, hover=written), op("=", align=True), s.c_t],
        ],
        alt=text.CELL_ALT.format(
            j=s.j,
            before=s.entry(step.c_prev),
            after=s.entry(step.c_t),
            kept=s.entry(step.f_c),
            written=s.entry(step.i_c_tilde),
            h_t=s.entry(step.h_t),
        ),
    )


def _output(s: Symbols) -> Item:
    """Return the panel of the optional output layer."""
    scenario, decimals, h_t = s.state.scenario, s.decimals, s.step.h_t
    W_y, b_y = scenario.array("W_y"), scenario.array("b_y")
    z_y, y_t = lstm.output(W_y, b_y, h_t)
    z_hover, y_hover = sums_of_products(W_y, h_t, z_y, b_y, decimals), applied("σ", z_y, y_t, decimals)
    entries = partial(s.matrix, rows=[("y", scenario.p, "")])
    return panel(
        text.OUTPUT_TITLE,
        text.OUTPUT,
        [
            *[entries("W_y", W_y, s.weights, columns=[("h", scenario.k, "")]), op("·"), s.h_t, op("+")],
            *[entries("b_y", b_y, s.weights), op("="), entries("z_y", z_y, s.sums, hover=z_hover)],
            *[op("σ →"), entries("y_t", y_t, scales.sequential("y", 1), hover=y_hover)],
        ],
        alt=text.OUTPUT_ALT.format(first=number(y_t[0, 0], decimals), p=scenario.p),
    )


# ---- one unit by hand ----------------------------------------------------------------------


def _by_hand(s: Symbols) -> Item:
    """Return the panel with the products and the arithmetic of the selected unit."""
    j = s.j
    digits = min(s.decimals + 2, 6)
    lines = [line_of_gate(s, gate, digits) for gate in s.gates]
    return panel(
        text.BY_HAND_TITLE.format(j=j),
        text.BY_HAND.format(j=j, digits=digits),
        *rows_by_hand(s, s.gates),
        alt=text.BY_HAND_ALT.format(j=j, **{gate.letter: s.entry(gate.z) for gate in s.gates}),
        note="\n".join([*lines, *_lines_of_cell(s, digits)]),
        folded=True,
    )


def _lines_of_cell(s: Symbols, digits: int) -> list[str]:
    """Return the arithmetic of c_t and h_t at the selected unit."""
    f_t, c_prev, f_c, i_t, c_tilde, i_c_tilde, c_t, tanh_c_t, o_t, h_t = (
        getattr(s.step, name)[s.row]
        for name in ("f_t", "c_prev", "f_c", "i_t", "c_tilde", "i_c_tilde", "c_t", "tanh_c_t", "o_t", "h_t")
    )
    total = of_unit(added(f_c, i_c_tilde, c_t, digits))
    squeezed = of_unit(applied("tanh", c_t, tanh_c_t, digits))
    return [
        of_unit(multiplied("f_t∘c_{t−1}", f_t, c_prev, f_c, digits)),
        of_unit(multiplied("i_t∘c̃_t", i_t, c_tilde, i_c_tilde, digits)),
        text.C_LINE.format(total=total, squeezed=squeezed),
        text.H_LINE.format(product=of_unit(multiplied("o_t∘tanh(c_t)", o_t, tanh_c_t, h_t, digits))),
    ]


# ---- saturation ----------------------------------------------------------------------------


def _saturation(s: Symbols) -> Item:
    """Return the panel of the derivatives and the saturated units."""
    scenario, threshold, c_t = s.state.scenario, s.state.threshold_fraction, s.step.c_t
    counts = {gate.letter: count(s, gate.activated_symbol, gate.g, gate.z) for gate in s.gates}
    counts["tanh_c"] = count(s, "tanh(c_t)", tanh, c_t)
    return panel(
        text.SATURATION_TITLE,
        text.saturation(
            sampled=scenario.stochastic,
            threshold=f"{threshold:.0%}",
            slopes=(number(0.25 * threshold, 4), number(threshold, 2)),
            gate=words.beyond(sigmoid, threshold),
            candidate=words.beyond(tanh, threshold),
        ),
        [*(slope(s, gate.g, f"z_{gate.letter}", gate.z) for gate in s.gates), slope(s, tanh, "c_t", c_t)],
        alt=text.SATURATION_ALT.format(**counts),
        note="\n".join([gated_step.COUNTS.format(k=scenario.k), *counts.values()]),
        folded=True,
    )


# ---- one product ---------------------------------------------------------------------------


def _product(s: Symbols) -> Item:
    """Return the panel of one product for all gates, and the number of parameters."""
    scenario, params = s.state.scenario, s.params
    m, n, k = scenario.m, scenario.n, scenario.k
    all_rows = partial(s.matrix, rows=[(letter, k, letter) for letter in GATES])
    return panel(
        text.PRODUCT_TITLE,
        text.product(n, k),
        [
            *[all_rows("W", params.W, s.weights, columns=s.columns_of_W), op("·"), s.stack, op("+")],
            *[all_rows("b", params.b, s.weights), op("="), all_rows("z", s.step.z, s.sums)],
        ],
        alt=text.PRODUCT_ALT.format(rows=4 * k, inputs=n + m),
        note=text.learned(m=m, n=n, k=k, count=params.count),
        folded=True,
    )
