"""GRU step: two gates that read one stacked input, the candidate behind the reset gate, and the hidden state."""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import streamlit as st

from core.activations import Activation, sigmoid, tanh
from core.arrays import Array
from core.cells import gru
from core.cells.gru import GRUParams, GRUStep
from core.cells.symbols import symbol_of
from dashboard.controls import widgets
from dashboard.controls.live_picture import live_picture
from dashboard.controls.page_scenario import OF_THIS_PAGE, PageScenario
from dashboard.controls.predict import Prediction
from dashboard.controls.widgets import control
from dashboard.drawing import diagram
from dashboard.drawing.arithmetic import added, applied, multiplied, number, of_unit, sums_of_products, with_symbol
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
from dashboard.drawing.panels import panel, remark
from dashboard.drawing.step_symbols import STATE_SCALE, StepSymbols
from dashboard.state.state import State
from dashboard.text import gated_step, words
from dashboard.text import gru as text
from dashboard.text.cells import REMARKS
from dashboard.text.option_names import MORE


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.INTRODUCTION)
    widgets.sliders(state)
    widgets.settings(state, cells=["GRU"], more={MORE: [control(state, "predict")]})
    live_picture(state, panels, prediction=prediction, next_of=page_scenario)


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    return PageScenario(state.recurrent(), "GRU", numbers=OF_THIS_PAGE)


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    _, step = state.recurrent().step("GRU")
    return Prediction("hₜ", state.unit, float(step.h_t[state.unit - 1, 0]))


def panels(state: State) -> list[Item]:
    """Return the panels of one step of the GRU."""
    s = _symbols(state)
    remarks = map(remark, text.taken(state.scenario.n, state.scenario.k))
    if state.settings.predict:
        return [*remarks, _to_predict(s)]
    return [
        *remarks,
        _diagram(s),
        _gates(s),
        *story(state),
        _candidate(s),
        _state(s),
        _by_hand(s),
        _saturation(s),
        _weights(s),
    ]


# ---- the symbols ---------------------------------------------------------------------------


def _symbols(state: State) -> "Symbols":
    scenario = state.recurrent()
    return Symbols(replace(state, scenario=scenario), *scenario.step("GRU"))


@dataclass(frozen=True, eq=False)
class Symbols(StepSymbols):
    """The symbols of the equations at one step, as all panels draw them; its scenario has n = k."""

    params: GRUParams
    step: GRUStep

    @cached_property
    def gates(self) -> list[Gate]:
        """The reset gate and the update gate."""
        params, step = self.params, self.step
        return [
            Gate("r", "r_t", sigmoid, W=params.W_r, b=params.b_r, z=step.z_r, activated=step.r_t, value=step.r_t),
            Gate("u", "u_t", sigmoid, W=params.W_u, b=params.b_u, z=step.z_u, activated=step.u_t, value=step.u_t),
        ]

    @cached_property
    def activated(self) -> dict[str, tuple[str, Activation, Array]]:
        """The name, the activation and the z of both gates and the candidate, by letter."""
        gates = {gate.letter: (gate.symbol, gate.g, gate.z) for gate in self.gates}
        return {**gates, "h": ("h̃_t", tanh, self.step.z_h)}

    @cached_property
    def rest(self) -> Array:
        """1 − u_t, the fraction of the candidate that is written."""
        return 1 - self.step.u_t

    # The lines of the tooltips, which several blocks share.

    @cached_property
    def after_reset(self) -> list[str] | None:
        step = self.step
        name = symbol_of(gru, "r_W_hh_h")
        return multiplied(name, step.r_t, step.W_hh_h, step.r_W_hh_h, self.decimals)

    @cached_property
    def kept(self) -> list[str] | None:
        step = self.step
        return multiplied(symbol_of(gru, "u_h"), step.u_t, step.h_prev, step.u_h, self.decimals)

    @cached_property
    def written(self) -> list[str] | None:
        step = self.step
        name = symbol_of(gru, "rest_h_tilde")
        return multiplied(name, self.rest, step.h_tilde, step.rest_h_tilde, self.decimals)

    # The next four stand in several places, as the stacked input does.

    @cached_property
    def h_prev(self) -> Item:
        return self.column_of_units("h_{t−1}", self.step.h_prev, STATE_SCALE)

    @cached_property
    def x_t(self) -> Item:
        return self.matrix("x_t", self.step.x_t, self.weights, rows=[("x", self.state.scenario.m, "")])

    @cached_property
    def W_hh_h(self) -> Item:
        params, step = self.params, self.step
        hover = sums_of_products(params.W_hh, step.h_prev, step.W_hh_h, params.b_hh, self.decimals)
        product = ("W_{hh}", "h_{t−1}", "b_{hh}")
        return self.column_of_units(symbol_of(gru, "W_hh_h"), step.W_hh_h, self.sums, hover=hover, product=product)

    @cached_property
    def W_hx_x(self) -> Item:
        params, step = self.params, self.step
        hover = sums_of_products(params.W_hx, step.x_t, step.W_hx_x, params.b_hx, self.decimals)
        product = ("W_{hx}", "x_t", "b_{hx}")
        return self.column_of_units(symbol_of(gru, "W_hx_x"), step.W_hx_x, self.sums, hover=hover, product=product)

    @cached_property
    def h_t(self) -> Item:
        step = self.step
        hover = added(step.u_h, step.rest_h_tilde, step.h_t, self.decimals)
        return self.column_of_units("h_t", step.h_t, STATE_SCALE, hover=hover)

    def values(self) -> dict[str, str]:
        """Return the entries of both gates and the candidate at the selected unit, by letter."""
        return {gate.letter: self.entry(gate.value) for gate in self.gates} | {"h": self.entry(self.step.h_tilde)}


# ---- the selected unit ---------------------------------------------------------------------


def _callout(s: Symbols) -> str:
    """Return how many units are saturated, and what the selected unit keeps and writes."""
    others = [_symbols(s.state.other_side)] if s.state.other_side else []
    terms = kept_and_written(s.decimals, *map(_mixture, (s, *others)))
    shown = dict(zip(("kept", "h_prev", "written", "h_tilde"), terms, strict=True))
    unit = text.UNIT.format(j=s.j, h_t=s.entry(s.step.h_t), **shown)
    return f"{saturated_units(s, *((g, z) for _, g, z in s.activated.values()))} {unit}"


def _mixture(s: Symbols) -> Mixture:
    step = s.step
    return mixture(s, (step.u_t, step.h_prev), (s.rest, step.h_tilde), total=step.h_t)


def _to_predict(s: Symbols) -> Item:
    """Return the panel that is shown while the output is hidden."""
    given = [
        s.h_prev,
        s.column_of_units("u_t", s.step.u_t, GATE_SCALE),
        s.column_of_units("h̃_t", s.step.h_tilde, STATE_SCALE),
    ]
    return panel(text.PREDICT_TITLE, text.PREDICT, given, alt=text.PREDICT_ALT)


def _diagram(s: Symbols) -> Item:
    """Return the panel of the diagram, with the equation of the gate or the candidate that the link opens."""
    state = s.state
    symbols = CellSymbols(state.scenario, gru, s.params, state.fixed_colours)
    opened = {gate.letter: equation(s, gate, with_stack=True) for gate in s.gates} | {"h": _sum_of_candidate(s)}
    equation_of = opened.get(state.settings.node or "", ())
    made = diagram.at_one_step(state, symbols, s.step, equation_of, callout=_callout(s), is_staged=True)
    return made | {"text": f"{text.CARRIED} {made['text']}"}


# ---- the gates and the candidate -----------------------------------------------------------


def _gates(s: Symbols) -> Item:
    """Return the panel of both gates."""
    k, m = s.k, s.state.scenario.m
    return panel(
        text.GATES_TITLE,
        text.GATES.format(k=k, m=m, j=s.j),
        *(equation(s, gate, with_stack=gate.letter == "r") for gate in s.gates),
        alt=text.GATES_ALT.format(k=k, inputs=k + m, j=s.j, **s.values()),
    )


def _candidate(s: Symbols) -> Item:
    """Return the panel of the candidate: its two products, and what the reset gate leaves of the first."""
    params, step, column, weights = s.params, s.step, s.column_of_units, s.weights
    return panel(
        text.CANDIDATE_TITLE,
        text.CANDIDATE,
        [
            *[column("W_{hh}", params.W_hh, weights, columns=[("h", s.k, "")]), op("·"), s.h_prev],
            *[op("+", align=True), column("b_{hh}", params.b_hh, weights), op("="), s.W_hh_h],
        ],
        [
            *[column("W_{hx}", params.W_hx, weights, columns=[("x", params.m, "")]), op("·"), s.x_t],
            *[op("+", align=True), column("b_{hx}", params.b_hx, weights), op("="), s.W_hx_x],
        ],
        _sum_of_candidate(s),
        alt=text.CANDIDATE_ALT.format(
            j=s.j,
            from_x=s.entry(step.W_hx_x),
            r=s.entry(step.r_t),
            from_h=s.entry(step.W_hh_h),
            z=s.entry(step.z_h),
            h=s.entry(step.h_tilde),
        ),
    )


def _sum_of_candidate(s: Symbols) -> list[Item]:
    """Return the sum of the candidate's terms, and its tanh."""
    step, column = s.step, s.column_of_units
    summed = added(step.W_hx_x, step.r_W_hh_h, step.z_h, s.decimals)
    squeezed = applied("tanh", step.z_h, step.h_tilde, s.decimals)
    return [
        *[s.W_hx_x, op("+"), column("r_t", step.r_t, GATE_SCALE, hover=s.after_reset), op("∘"), s.W_hh_h],
        *[op("=", align=True), column("z_h", step.z_h, s.sums, hover=summed)],
        *[op("tanh →"), column("h̃_t", step.h_tilde, STATE_SCALE, hover=squeezed)],
    ]


# ---- the hidden state ----------------------------------------------------------------------


def _state(s: Symbols) -> Item:
    """Return the panel of the hidden state, which mixes the previous one and the candidate."""
    step, column = s.step, s.column_of_units
    return panel(
        text.STATE_TITLE,
        " ".join([text.STATE, REMARKS["GRU"]]),
        [
            *[column("u_t", step.u_t, GATE_SCALE, hover=s.kept), op("∘")],
            *[column("h_{t−1}", step.h_prev, STATE_SCALE, hover=s.kept), op("+")],
            *[column("1−u_t", s.rest, GATE_SCALE, hover=s.written), op("∘")],
            *[column("h̃_t", step.h_tilde, STATE_SCALE, hover=s.written), op("=", align=True), s.h_t],
        ],
        [
            *[column(symbol_of(gru, "u_h"), step.u_h, STATE_SCALE, hover=s.kept), op("+")],
            *[column(symbol_of(gru, "rest_h_tilde"), step.rest_h_tilde, STATE_SCALE, hover=s.written)],
            *[op("=", align=True), s.h_t],
        ],
        alt=text.STATE_ALT.format(
            j=s.j,
            before=s.entry(step.h_prev),
            after=s.entry(step.h_t),
            kept=s.entry(step.u_h),
            written=s.entry(step.rest_h_tilde),
            u=s.entry(step.u_t),
        ),
    )


# ---- one unit by hand ----------------------------------------------------------------------


def _by_hand(s: Symbols) -> Item:
    """Return the panel with the products and the arithmetic of the selected unit."""
    digits = min(s.decimals + 2, 6)
    lines = [line_of_gate(s, gate, digits) for gate in s.gates]
    sums = {letter: s.entry(at) for letter, (_, _, at) in s.activated.items()}
    return panel(
        text.BY_HAND_TITLE.format(j=s.j),
        text.BY_HAND.format(j=s.j, digits=digits),
        *rows_by_hand(s, s.gates),
        alt=text.BY_HAND_ALT.format(j=s.j, **sums),
        note="\n".join([*lines, *_lines_of_state(s, digits)]),
        folded=True,
    )


def _lines_of_state(s: Symbols, digits: int) -> list[str]:
    """Return the arithmetic of the candidate and of h_t at the selected unit."""
    params, step, row = s.params, s.step, s.row
    r, from_h, from_x, after_reset, z_h, h_tilde, u, h_prev, kept, written, h_t = (
        getattr(step, name)[row]
        for name in (
            *("r_t", "W_hh_h", "W_hx_x", "r_W_hh_h", "z_h", "h_tilde"),
            *("u_t", "h_prev", "u_h", "rest_h_tilde", "h_t"),
        )
    )
    of_h = of_unit(sums_of_products(params.W_hh[row], step.h_prev, from_h, params.b_hh[row], digits))
    of_x = of_unit(sums_of_products(params.W_hx[row], step.x_t, from_x, params.b_hx[row], digits))
    total = with_symbol("z_h", of_unit(added(from_x, after_reset, z_h, digits)))
    return [
        with_symbol(symbol_of(gru, "W_hh_h"), of_h),
        with_symbol(symbol_of(gru, "W_hx_x"), of_x),
        of_unit(multiplied(symbol_of(gru, "r_W_hh_h"), r, from_h, after_reset, digits)),
        text.H_TILDE_LINE.format(total=total, squeezed=of_unit(applied("tanh", z_h, h_tilde, digits))),
        of_unit(multiplied(symbol_of(gru, "u_h"), u, h_prev, kept, digits)),
        of_unit(multiplied(symbol_of(gru, "rest_h_tilde"), s.rest[row], h_tilde, written, digits)),
        text.H_LINE.format(total=of_unit(added(kept, written, h_t, digits))),
    ]


# ---- saturation ----------------------------------------------------------------------------


def _saturation(s: Symbols) -> Item:
    """Return the panel of the derivatives and the saturated units."""
    threshold = s.state.threshold_fraction
    counts = {letter: count(s, name, g, z) for letter, (name, g, z) in s.activated.items()}
    return panel(
        text.SATURATION_TITLE,
        text.saturation(
            threshold=f"{threshold:.0%}",
            slopes=(number(0.25 * threshold, 4), number(threshold, 2)),
            gate=words.beyond(sigmoid, threshold),
            candidate=words.beyond(tanh, threshold),
        ),
        [slope(s, g, f"z_{letter}", z) for letter, (_, g, z) in s.activated.items()],
        alt=text.SATURATION_ALT.format(**counts),
        note="\n".join([gated_step.COUNTS.format(k=s.k), *counts.values()]),
        folded=True,
    )


# ---- all weights ---------------------------------------------------------------------------


def _weights(s: Symbols) -> Item:
    """Return the panel of all weights as frameworks keep them, and the number of parameters."""
    params, k, m = s.params, s.k, s.state.scenario.m
    all_rows = partial(s.matrix, rows=[(letter, k, letter) for letter in "ruh"])
    return panel(
        text.WEIGHTS_TITLE,
        text.WEIGHTS,
        [
            *[all_rows(text.OF_H, params.W_h, s.weights, columns=[("h", k, "")]), op("·"), s.h_prev, op(text.AND)],
            *[all_rows(text.OF_X, params.W_x, s.weights, columns=[("x", m, "")]), op("·"), s.x_t],
        ],
        alt=text.WEIGHTS_ALT.format(rows=3 * k, k=k, m=m),
        note=text.learned(m=m, k=k, count=params.count),
        folded=True,
    )
