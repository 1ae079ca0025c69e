"""Hidden state: one step of the RNN with its two concatenations, its two formulas, and every number in between."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import streamlit as st

from core import concatenation, saturation
from core.activations import Activation
from core.arrays import Array, Comparison, compare
from core.cells import rnn
from core.cells.rnn import RNNParams, RNNStep
from dashboard.controls import widgets
from dashboard.controls.live_picture import live_picture
from dashboard.controls.page_scenario import IN_ORDER, OF_THIS_PAGE, PageScenario
from dashboard.controls.predict import Prediction
from dashboard.controls.widgets import control
from dashboard.drawing import arithmetic, charts, diagram, scales
from dashboard.drawing.arithmetic import added, of_unit, sums_of_products, with_symbol
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.example_story import story
from dashboard.drawing.matrices import Item, Part, op, stacked
from dashboard.drawing.panels import panel
from dashboard.drawing.picture_component import Stage
from dashboard.drawing.scales import Scale
from dashboard.drawing.step_symbols import STATE_SCALE, StepSymbols
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import STAGES
from dashboard.state.state import State
from dashboard.text import hidden_state as text
from dashboard.text import words
from dashboard.text.option_names import MORE

# The title of each stage's panel; `all` has the first panel.
NEWEST = {
    "join": text.JOIN_TITLE,
    "multiply": text.MULTIPLY_TITLE,
    "bias": text.MULTIPLY_TITLE,
    "activate": text.ACTIVATE_TITLE,
    "all": "",
}


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.TITLE)
    _doors()
    stage = widgets.stages(state)[-1]
    stages = [{"value": name, "label": text.STAGES.get(name, name)} for name in STAGES]
    shown = control(state, "stage", text=stage, options=stages)
    more = [control(state, "unmatched"), control(state, "predict")]
    with st.container(key="top"):
        widgets.sliders(state)
        widgets.settings(state, cells=["RNN"], unfolded=[shown], more={MORE: more})
    live_picture(state, panels, prediction=prediction, stage=Stage(stage, NEWEST[stage]), next_of=page_scenario)


def _doors() -> None:
    """Draw what Cellscope is, and a link for each thing that a reader comes for."""
    with st.container(horizontal=True, vertical_alignment="center", key="doors"):
        st.markdown(text.WHAT_IT_IS, width="content")
        for path, (label, choices) in text.DOORS.items():
            st.page_link(PAGES[path].script, label=label, query_params=choices)


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    return PageScenario(state.scenario, "RNN", numbers=IN_ORDER if state.settings.unmatched else OF_THIS_PAGE)


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    return Prediction("hₜ", state.unit, float(_symbols(state).step.h_t[state.unit - 1, 0]))


def panels(state: State) -> list[Item]:
    """Return the panels of one step of the vanilla RNN."""
    s = _symbols(state)
    shown = [_concatenations(s)]
    if "multiply" in s.stages:
        shown += [_multiply(s), _by_hand(s)]
    if "activate" in s.stages:
        shown = [_diagram(s), *shown, _activate(s)]
    newest = NEWEST[widgets.stages(state)[-1]]
    if newest and state.is_projected:
        # A prediction has no panel of the newest stage, but needs the numbers that lead to it.
        return [panel for panel in shown if panel["title"] == newest] or shown
    return [shown[0], *story(state), *shown[1:]]


# ---- the symbols ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Symbols(StepSymbols):
    """The symbols of the equations at one step, as all panels draw them.

    Attributes
    ----------
    params : RNNParams
    step : RNNStep
        The step that is shown: with the mistake that is asked for.
    right : RNNStep
        The step with the stack in the order of the columns of W_h.
    """

    params: RNNParams
    step: RNNStep
    right: RNNStep

    @property
    def g(self) -> Activation:
        return self.params.g

    @cached_property
    def stages(self) -> Sequence[str]:
        """The stages that are shown."""
        stages = widgets.stages(self.state)
        if self.state.settings.predict:
            return [stage for stage in stages if stage not in ("activate", "all")]
        return stages

    @cached_property
    def agreement(self) -> Comparison:
        """How far the results of the two formulas agree."""
        return compare(self.step.W_h_stacked, self.step.W_hh_h_plus_W_hx_x)

    @cached_property
    def is_wrong(self) -> bool:
        return self.state.settings.unmatched and not self.agreement.allclose

    @property
    def wrong(self) -> list[Item]:
        """The operator in front of an equation if its result is wrong."""
        return [op(text.WRONG_EQUATION)] if self.is_wrong else []

    @cached_property
    def stack_order(self) -> str:
        order = self.params.order
        return concatenation.other_order(order) if self.state.settings.unmatched else order

    @property
    def h_columns(self) -> Part:
        return "h", self.params.n, "W_{hh}"

    @property
    def x_columns(self) -> Part:
        return "x", self.params.m, "W_{hx}"

    @cached_property
    def columns_of_W_h(self) -> Sequence[Part]:
        return concatenation.in_order(self.h_columns, self.x_columns, self.params.order)

    @cached_property
    def outputs(self) -> Scale:
        """The scale of h."""
        return STATE_SCALE if self.g.is_bounded else self.sums

    # These stand in several places. The browser receives a block once only if all places have the same object.

    @cached_property
    def W_hh(self) -> Item:
        return self.column_of_units("W_{hh}", self.params.W_hh, self.weights, columns=[self.h_columns])

    @cached_property
    def W_hx(self) -> Item:
        return self.column_of_units("W_{hx}", self.params.W_hx, self.weights, columns=[self.x_columns])

    @cached_property
    def W_h(self) -> Item:
        return self.column_of_units("W_h", self.params.W_h, self.weights, columns=self.columns_of_W_h)

    @cached_property
    def h_prev(self) -> Item:
        return self.matrix("h_{t−1}", self.step.h_prev, self.outputs, rows=[self.h_rows])

    @cached_property
    def x_t(self) -> Item:
        return self.matrix("x_t", self.step.x_t, self.weights, rows=[self.x_rows])

    @cached_property
    def z_t(self) -> Item:
        params, step = self.params, self.step
        hover = sums_of_products(params.W_h, step.stacked, step.z_t, params.b_h, self.decimals)
        return self.column_of_units("z_t", step.z_t, self.sums, hover=hover, product=("W_h", self.stack_name, "b_h"))

    @cached_property
    def h_t(self) -> Item:
        hover = self.applied(self.g.symbol, self.step.z_t, self.step.h_t)
        return self.column_of_units("h_t", self.step.h_t, self.outputs, hover=hover)

    @cached_property
    def output_of_unit(self) -> str:
        """The arithmetic of the selected unit's activation."""
        return of_unit(self.applied(self.g.symbol, self.step.z_t[self.row], self.step.h_t[self.row]))

    @cached_property
    def flat_units(self) -> int:
        """How many units are saturated or inactive."""
        return int(saturation.is_saturated(self.step.z_t, self.g, self.state.threshold_fraction).sum())

    def applied(self, name: str, z: Array, g_z: Array) -> list[str] | None:
        """Return the arithmetic of a function for each unit."""
        return arithmetic.applied(name, z, g_z, self.decimals, exact=self.g.is_exact)

    def sum_of_unit(self, *, bias: bool) -> str:
        """Return the arithmetic of the selected unit's sum, with the bias or without it."""
        params, step = self.params, self.step
        b, total = (params.b_h[self.row], step.z_t) if bias else (None, step.W_h_stacked)
        return of_unit(sums_of_products(params.W_h[self.row], step.stacked, total[self.row], b, self.decimals))


def _symbols(state: State) -> Symbols:
    params, before, x_t = state.scenario.step_arguments("RNN")
    right = rnn.step(params, before, x_t)
    step = rnn.with_swapped_stack(params, right) if state.settings.unmatched else right
    return Symbols(state, params, step, right)


# ---- the panels ----------------------------------------------------------------------------


def _callout(s: Symbols) -> str:
    """Return how many units are saturated, and the arithmetic of the selected unit."""
    return text.callout(
        j=s.j,
        z=s.sum_of_unit(bias=True),
        h=s.output_of_unit,
        count=text.flat_units(s.flat_units, s.params.k, saturates=s.g.saturates),
        in_order=(s.entry(s.right.z_t), s.entry(s.right.h_t)) if s.is_wrong else None,
    )


def _diagram(s: Symbols) -> Item:
    """Return the panel of the diagram."""
    scenario = replace(s.state.scenario, order=s.stack_order)
    state = s.state.with_settings(backward=False) if s.state.settings.unmatched else s.state
    symbols = CellSymbols(scenario, rnn, s.params, state.fixed_colours)
    made = diagram.at_one_step(state, symbols, s.step, callout=_callout(s))
    actions = [] if s.state.settings.unmatched else made["actions"]
    return made | {"text": f"{text.CELL} {made['text']}", "actions": actions}


def _concatenations(s: Symbols) -> Item:
    """Return the panel of the two concatenations."""
    params, step, stack_order = s.params, s.step, s.stack_order
    sizes = {"m": params.m, "n": params.n, "k": params.k, "inputs": params.n + params.m}
    weights = words.enumerated(concatenation.in_order("W_hh", "W_hx", params.order))
    inputs = words.enumerated(concatenation.in_order("h_prev", "x_t", stack_order))
    return panel(
        text.JOIN_TITLE,
        text.JOIN.format(**sizes),
        [
            *concatenation.in_order(s.W_hh, s.W_hx, params.order),
            op("→"),
            s.W_h,
            op("  "),
            stacked(*concatenation.in_order(s.h_prev, s.x_t, stack_order)),
            op("→"),
            s.stack,
        ],
        alt=text.JOIN_ALT.format(**sizes),
        code=[
            f"np.array_equal(np.concatenate([{weights}], axis=1), np.hstack([{weights}]))  →  "
            f"{concatenation.ways_agree(params.W_hh, params.W_hx, 1, params.order)}",
            f"np.array_equal(np.concatenate([{inputs}], axis=0), np.vstack([{inputs}]))  →  "
            f"{concatenation.ways_agree(step.h_prev, step.x_t, 0, stack_order)}",
        ],
    )


def _multiply(s: Symbols) -> Item:
    """Return the panel of the two formulas."""
    params, step, agreement = s.params, s.step, s.agreement
    if s.state.settings.unmatched:
        same_stack = compare(step.stacked, s.right.stacked).equal
        said = text.multiply_swapped(same_stack=same_stack, close=agreement.allclose)
    else:
        said = text.multiply(s.params.k, equal=agreement.equal)
    return panel(
        text.MULTIPLY_TITLE,
        said,
        _joined_formula(s),
        _separate_formula(s),
        alt=text.MULTIPLY_ALT.format(
            j=s.j, joined=s.entry(step.W_h_stacked), separate=s.entry(step.W_hh_h_plus_W_hx_x)
        ),
        note=text.multiply_note(
            words.in_sentence(agreement.largest_difference, s.decimals),
            (params.W_h.size, params.W_hh.size, params.W_hx.size),
            allclose=agreement.allclose,
            equal=agreement.equal,
        ),
    )


def _joined_formula(s: Symbols) -> list[Item]:
    """Return W_h·[h; x], and what the stages add to it."""
    params, step, name = s.params, s.step, s.stack_name
    hover = sums_of_products(params.W_h, step.stacked, step.W_h_stacked, None, s.decimals)
    product = s.column_of_units(f"W_h{name}", step.W_h_stacked, s.sums, hover=hover, product=("W_h", name))
    formula = [*s.wrong, s.W_h, op("·"), s.stack, op("=", align=True), product]
    if "bias" in s.stages:
        formula += [op("+"), s.column_of_units("b_h", params.b_h, s.weights), op("="), s.z_t]
    if "activate" in s.stages:
        formula += [op(f"{s.g.symbol} →"), s.h_t]
    return formula


def _separate_formula(s: Symbols) -> list[Item]:
    """Return W_hh·h + W_hx·x."""
    params, step, decimals, column = s.params, s.step, s.decimals, s.column_of_units
    hh_hover = sums_of_products(params.W_hh, step.h_prev, step.W_hh_h, None, decimals)
    hx_hover = sums_of_products(params.W_hx, step.x_t, step.W_hx_x, None, decimals)
    hover = added(step.W_hh_h, step.W_hx_x, step.W_hh_h_plus_W_hx_x, decimals)
    return [
        *[s.W_hh, op("·"), s.h_prev, op("+"), s.W_hx, op("·"), s.x_t, op("=")],
        *[column("W_{hh}h", step.W_hh_h, s.sums, hover=hh_hover), op("+")],
        *[column("W_{hx}x", step.W_hx_x, s.sums, hover=hx_hover), op("=", align=True)],
        column(text.SUM_OF_BOTH, step.W_hh_h_plus_W_hx_x, s.sums, hover=hover),
    ]


def _by_hand(s: Symbols) -> Item:
    """Return the panel with the products and the arithmetic of the selected unit."""
    params, step, j, row = s.params, s.step, s.j, s.row
    has_bias = "bias" in s.stages
    one_row = partial(s.matrix, rows=[("", 1, "")])
    products = [
        one_row(text.PRODUCTS, concatenation.products(params.W_h[row], step.stacked), s.sums, columns=s.parts_of_stack),
        op(text.ADD_UP_WRONG if s.is_wrong else text.ADD_UP),
        one_row(text.SUM, step.W_h_stacked[row], s.sums),
    ]
    if has_bias:
        products += [op("+"), one_row("b", params.b_h[row], s.weights), op("="), one_row("z", step.z_t[row], s.sums)]
    total = s.sum_of_unit(bias=has_bias)
    return panel(
        text.BY_HAND_TITLE.format(j=j),
        text.by_hand(j, wrong=s.is_wrong),
        [one_row(text.ROW.format(j=j), params.W_h[row], s.weights, columns=s.columns_of_W_h)],
        [one_row(s.stack_name, step.stacked.T, s.weights, columns=s.parts_of_stack, part_scales=s.scales_of_stack)],
        products,
        alt=text.BY_HAND_ALT.format(inputs=params.n + params.m, j=j, total=s.entry(step.W_h_stacked)),
        note=with_symbol(f"z_{{{j}}}", total) if has_bias else total,
        folded=True,
    )


def _activate(s: Symbols) -> Item:
    """Return the panel of the activation and its derivative."""
    step, g, k = s.step, s.g, s.params.k
    slope, bounds, flat = f"{g.symbol}′", g.bounds(s.state.threshold_fraction), s.flat_units
    hover = s.applied(slope, step.z_t, step.dg_z_t)
    slopes = s.column_of_units(f"{slope}(z_t)", step.dg_z_t, scales.sequential(slope, g.max_df), hover=hover)
    note = [_limit_of_flat(s), *_slope_of_unit(s)]
    return panel(
        text.ACTIVATE_TITLE,
        text.activate(g, wrong=s.is_wrong),
        [
            *[*s.wrong, s.z_t, op(f"{g.symbol} →"), s.h_t, slopes],
            charts.curve(g, step.z_t[:, 0], step.h_t[:, 0], bounds),
        ],
        alt=text.ACTIVATE_ALT.format(g=g.symbol, count=flat, k=k),
        note=" ".join(note),
    )


def _limit_of_flat(s: Symbols) -> str:
    """Return from which z on a unit is saturated or inactive."""
    if not s.g.saturates:
        return text.INACTIVE
    threshold = s.state.threshold_fraction
    where = words.outside_bounds(s.g, threshold)
    return text.SATURATED.format(threshold=f"{threshold:.0%}", largest=f"{s.g.max_df:g}", where=where)


def _slope_of_unit(s: Symbols) -> list[str]:
    """Return the sentences on the selected unit's output and derivative."""
    step, g, at = s.step, s.g, s.j - 1
    underflows = step.dg_z_t[at, 0] == 0 and not s.g.is_exact
    relative = float(saturation.relative_derivative(step.z_t, g)[at, 0])
    sentence = text.SLOPE_UNDERFLOWS if underflows else text.SLOPE
    sentences = [
        sentence.format(
            j=s.j,
            h=s.output_of_unit,
            g=g.symbol,
            z=s.entry(step.z_t),
            slope=words.with_powers(of_unit(s.applied(f"{g.symbol}′", step.z_t[s.row], step.dg_z_t[s.row]))),
            relative=words.relative(relative, s.state.decimals),
        )
    ]
    if step.h_t[at, 0] in g.range and not s.g.is_exact:
        sentences.append(text.LIMIT_NOT_REACHED.format(g=g.symbol, limit=s.entry(step.h_t)))
    return sentences
