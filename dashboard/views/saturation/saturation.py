"""Saturation: where z lies on the curves, how much gradient is left there, and the effect of scale and fan-in."""

import streamlit as st

from core import saturation
from core.activations import tanh
from core.scenario import SOURCES
from dashboard.controls import widgets
from dashboard.controls.live_picture import live_picture
from dashboard.controls.page_scenario import OF_CELL_PAGES, OF_THIS_PAGE, PageScenario
from dashboard.controls.predict import Prediction
from dashboard.controls.widgets import control
from dashboard.drawing import arithmetic, matrices, scales
from dashboard.drawing.arithmetic import number
from dashboard.drawing.example_story import story
from dashboard.drawing.panels import BoardTile, panel
from dashboard.state.parameters import TYPED_Z
from dashboard.state.state import State
from dashboard.text import saturation as text
from dashboard.text import words
from dashboard.text.option_names import MORE
from dashboard.views.saturation.growth import growth
from dashboard.views.saturation.playback import played
from dashboard.views.saturation.tables import every_unit, precision
from dashboard.views.saturation.units import Units, column, units_of

MAP_INPUTS = 64


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.PAGE)
    source = state.settings.source
    owner = widgets.source_owner(source)
    widgets.sliders(state, "T", *(["z"] if source == TYPED_Z else []), *widgets.added_to_gates(owner))
    own = [control(state, "source", kind="select"), *widgets.gates(state, owner)]
    widgets.settings(state, *own, cells=[owner], more={MORE: [control(state, "predict")]})
    units = units_of(state)
    shown = live_picture(state, panels, prediction=prediction, unit=unit_of)
    growth(units)
    precision()
    if not shown.settings.predict:
        every_unit(units)


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    source = state.settings.source
    numbers = OF_CELL_PAGES if source == TYPED_Z else OF_THIS_PAGE
    return PageScenario(state.scenario, widgets.source_owner(source), numbers=numbers)


def unit_of(state: State) -> int:
    """Return the selected unit; a typed z has one unit."""
    return 1 if state.settings.source == TYPED_Z else state.unit


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    units = units_of(state)
    j = min(unit_of(state), units.k)
    return Prediction(units.output, j, float(units.g.f(units.z_at[units.here, j - 1, 0])))


def panels(state: State) -> list[matrices.Item]:
    """Return the panels of where z sits on its activation."""
    units = units_of(state)
    if state.settings.predict:
        return [to_predict(units)]
    return [
        *played(units),
        *([] if units.is_typed else [many_inputs(units)]),
        *story(state),
        derivative_at_z(units),
        panel(text.LARGEST_TITLE, text.LARGEST, alt="", folded=True),
        after_T(units),
        panel(text.GOOD_TITLE, text.GOOD, alt="", folded=True),
    ]


def to_predict(units: Units) -> matrices.Item:
    """Return the panel that hides the output of the selected unit."""
    return panel(
        text.PREDICT_TITLE.format(output=units.output),
        text.predict(units.scenario.scale, words.FORMULAS.get(units.g.name), units.j),
        [
            column(units, "z", units.z_at, scales.symmetric("z", 10, clips=True), moves=False),
            matrices.op(f"{units.g.symbol} →"),
            matrices.masked(units.output, (units.k, 1), (units.j - 1, 0), None),
        ],
        alt=text.PREDICT_ALT.format(units=units.k),
    )


# ---- many inputs ---------------------------------------------------------------------------------


def many_inputs(units: Units) -> matrices.Item:
    """Return the panel of how much of the maximum derivative each of many inputs leaves to each unit."""
    g, k, scenario, threshold = units.g, units.k, units.scenario, units.state.threshold_fraction
    z = scenario.pre_activation(units.source, scenario.samples(MAP_INPUTS)).z(scenario.scale)
    over_inputs = saturation.saturated_over_inputs(z, g, threshold)
    always, sometimes = int(over_inputs.always.sum()), int(over_inputs.sometimes.sum())
    count = text.many_count(MAP_INPUTS, always, sometimes, k, saturates=g.saturates)
    of_state = tanh if SOURCES[units.source].g else g
    share = units.derivative if g.max_df == 1 else f"{units.derivative} / {g.max_df:g}"
    return panel(
        text.MANY_TITLE,
        text.many(MAP_INPUTS, threshold, text.state_range(of_state.low, of_state.high), saturates=units.g.saturates),
        [
            matrices.block(
                share,
                saturation.relative_derivative(z, g),
                scales.sequential(share, 1),
                rows=[("unit", k, "")],
                columns=[("input", MAP_INPUTS, "")],
                units=True,
            )
        ],
        alt=text.MANY_ALT.format(count=count),
        note=count,
        tile=BoardTile(3),
    )


# ---- what is left of a gradient -----------------------------------------------------------------------------


def derivative_at_z(units: Units) -> matrices.Item:
    """Return the panel on taking the derivative at z, and not at g(z)."""
    g, j = units.g, units.j
    of_j = slice(units.here, units.here + 1), j - 1
    z_j, g_j = units.z_at[of_j], units.g_at[of_j]
    if not units.g.saturates:
        here = text.AT_Z_INACTIVE.format(g=g.symbol)
    elif z_j == g_j:
        here = text.AT_Z_SAME.format(unit=j, g=g.symbol)
    else:
        _, slope = units.selected_at(units.here)
        digits = units.state.decimals
        is_close = number(g.df(z_j).item(), digits) == number(g.df(g_j).item(), digits)
        sentence = text.AT_Z_CLOSE if is_close else text.AT_Z_OTHER
        here = sentence.format(unit=j, slope=slope, wrong=units.applied(units.derivative, g_j, g.df(g_j)))
    return panel(text.AT_Z_TITLE, text.AT_Z.format(here=here), alt="", folded=True)


def after_T(units: Units) -> matrices.Item:
    """Return the panel on what is left of a gradient after T steps."""
    T, g = units.scenario.T, units.g
    joined = SOURCES.get(units.source)
    if joined is None or joined.g is None:
        path = text.through_cell(T)
    else:
        path = text.through_gate(units.source, widgets.source_owner(units.source))
    of_j = power(units, units.dg_at[units.here, units.j - 1, 0].item())
    return panel(
        text.after_T_title(T),
        text.AFTER_T.format(path=path, unit=units.j, power=of_j, g=g.symbol, largest=power(units, g.max_df)),
        alt="",
        folded=True,
    )


def power(units: Units, slope: float) -> str:
    """Return a derivative to the power of T, with its value."""
    T, decimals = units.scenario.T, units.state.decimals
    base, result = words.in_sentence(slope, 6), words.in_sentence(slope**T, decimals)
    if slope**T == 0 and not units.g.is_exact:  # below the smallest float64
        return f"({base if slope else text.BELOW_SMALLEST})^{T} < 5·10⁻³²⁴"
    sign = arithmetic.equals(decimals, slope) if T == 1 or slope in (0, 1) else "≈"
    return f"({base})^{T} {sign} {result}"
