"""Gradients: what survives back through time, exactly, in every cell."""

from dataclasses import dataclass, replace
from itertools import cycle
from math import inf, log10
from typing import Any

import streamlit as st

from core import saturation
from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.concatenation import back_to_stack, in_order
from core.initialize import RANDOM
from core.scenario import Scenario
from core.sequence import bptt
from core.sequence.unroll import bounded_steps, first_steps, unroll
from dashboard.controls import widgets
from dashboard.controls.live_picture import live_picture
from dashboard.controls.page_scenario import OF_THIS_PAGE, PageScenario
from dashboard.controls.widgets import control
from dashboard.drawing import charts, colours, matrices, scales
from dashboard.drawing.chain import MOST_STEPS, chain, width_of_gradient
from dashboard.drawing.example_story import story
from dashboard.drawing.panels import HeatmapSize, panel, remark
from dashboard.server.scheduling import heavy_compute
from dashboard.state.state import State
from dashboard.text import gradients as text
from dashboard.text import words

# The side of a map in pixels: three of them fit beside each other on a wide screen.
SIDE = 195


@dataclass(frozen=True, kw_only=True)
class GainsOfCells:
    """The gradients back through time in every cell, which the panels share. Mappings have the names of CELLS as keys.

    Attributes
    ----------
    state : State
    scenario : Scenario
        As it is unrolled.
    affordable, T : int
        How many steps are not too many, and how many of these there are before numbers overflow.
    shortest : str
        The cell whose numbers overflow first.
    logs : dict from str to ndarray of shape (T, T)
        The decimal logarithms of the gains, from each step, a row, to each earlier one, a column.
    direct : dict from str to ndarray of shape (T,)
        Likewise from the last step back along the direct path alone, of the cells that have one.
    is_exact : dict from str to bool
        Whether a gain of 0 is exact and not a matter of rounding.
    radius, error : dict from str to float
        The spectral radius of the last Jacobian, and the largest difference in the gradient check.
    params, trace : object
        Of the chosen cell.
    """

    state: State
    scenario: Scenario
    affordable: int
    T: int
    shortest: str
    logs: dict[str, Array]
    direct: dict[str, Array]
    is_exact: dict[str, bool]
    radius: dict[str, float]
    error: dict[str, float]
    params: Any
    trace: Any

    def log(self, name: str) -> float:
        """Return the decimal logarithm of the gain from the last step back to the first."""
        return self.logs[name][-1, 0]

    def gain(self, name: str) -> str:
        """Return the gain from the last step back to the first, as it is printed."""
        return words.gain(self.log(name), self.state.decimals, exact=self.is_exact[name])


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.PAGE)
    widgets.sliders(state, "T", *widgets.added_to_gates(*CELLS))
    in_detail = control(state, "cell", label=text.CELL, help=text.CELL_HELP)
    widgets.settings(state, in_detail, *widgets.gates(state, *CELLS), cells=[*CELLS])
    live_picture(state, panels)
    st.subheader(text.JACOBIANS_TITLE, divider="gray")
    st.markdown(text.CELLS)


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    scenario, T = _steps(state)
    T = min(T, *(bounded_steps(trace)[1] for trace in _unrolled(scenario, T).values()))
    noise = replace(scenario.single(), input="noise", T=T)
    return PageScenario(noise, scenario.cell, sequence=True, gains=True, step=T, numbers=OF_THIS_PAGE)


def _steps(state: State) -> tuple[Scenario, int]:
    """Return the scenario as it is unrolled, and how many of its steps can be shown."""
    scenario = state.recurrent()
    return scenario, min(scenario.T, bptt.affordable_steps(2 * scenario.k))


def _unrolled(scenario: Scenario, T: int) -> dict[str, Any]:
    """Return every cell over the same noise."""
    xs = scenario.noise(T)
    return {name: unroll(cell, *scenario.params_and_initial_state(name), xs) for name, cell in CELLS.items()}


def panels(state: State) -> list[matrices.Item]:
    """Return the panels of what comes back through time."""
    gains = through_time(state)
    is_drawn = gains.T <= MOST_STEPS
    return [
        *map(remark, remarks(gains)),
        *([cells(gains)] if is_drawn else []),
        maps(gains, callout="" if is_drawn else callout(gains)),
        *story(state),
        from_last_step(gains),
        direct_path(gains),
        concatenation(gains),
        gradient_check(gains),
    ]


def through_time(state: State) -> GainsOfCells:
    """Return the gains of every cell over the same noise."""
    scenario, affordable = _steps(state)
    logs, direct, is_exact, radius, error = {}, {}, {}, {}, {}
    # Wait before the arrays are made, so that a waiting run holds none.
    with heavy_compute(long=bptt.takes_long(2 * scenario.k, affordable)):
        first_x = scenario.noise(affordable)[0]
        traces = _unrolled(scenario, affordable)
        bounded = {name: bounded_steps(trace)[1] for name, trace in traces.items()}
        shortest = min(bounded, key=lambda name: bounded[name])
        T = min(affordable, bounded[shortest])
        for name, cell in CELLS.items():
            params, first = scenario.params_and_initial_state(name)
            trace = first_steps(traces[name], T)
            J = cell.jacobian(params, trace)
            logs[name] = bptt.log_gains(J)
            radius[name] = bptt.spectral_radius(J[-1])
            error[name] = bptt.numeric_error(cell, params, first, first_x)
            is_exact[name] = _is_exact(scenario, name, params)
            if hasattr(cell, "direct_path"):
                direct[name] = bptt.log_direct(cell.direct_path(trace))
            if name == scenario.cell:
                chosen = {"params": params, "trace": trace}
    return GainsOfCells(
        state=state,
        scenario=scenario,
        affordable=affordable,
        T=T,
        shortest=shortest,
        logs=logs,
        direct=direct,
        is_exact=is_exact,
        radius=radius,
        error=error,
        **chosen,
    )


def _is_exact(scenario: Scenario, name: str, params: Any) -> bool:
    """Whether a gain of 0 is exact and not a matter of rounding: with inactive units, or if nothing can come back."""
    cell = CELLS[name]
    is_inactive_at_0 = all(not g.saturates for _, g in cell.activated(params).values())
    from_h = any(scenario.array(array).any() for array, made in cell.ARRAYS.items() if made.axes == "kn")
    return is_inactive_at_0 or not (from_h or hasattr(cell, "direct_path"))


def remarks(gains: GainsOfCells) -> list[str]:
    """Return why the sequence is not the one that was asked for."""
    chosen, k, asked = gains.state.scenario, gains.scenario.k, gains.scenario.T
    found = words.recurs(chosen.n, chosen.k)
    if gains.affordable < asked:
        found.append(text.TOO_LONG.format(k=k, asked=asked, T=gains.affordable))
    if gains.T < gains.affordable:
        found.append(text.OVERFLOW.format(T=gains.T, cell=gains.shortest))
    return found


def callout(gains: GainsOfCells) -> str:
    """Return what each cell leaves of a gradient over all steps, and how many values of the chosen cell are saturated."""
    names = sorted(gains.logs, key=gains.log, reverse=True)
    name, threshold = gains.scenario.cell, gains.state.threshold_fraction
    activated = CELLS[name].activated(gains.params)
    flat = [(g, saturation.is_saturated(getattr(gains.trace, z), g, threshold)) for z, g in activated.values()]
    saturated = words.saturated_over_time(name, saturation.count_by_activation(flat), CELLS[name], activated)
    return f"{text.callout({name: gains.gain(name) for name in names}, gains.T)} {saturated}"


def cells(gains: GainsOfCells) -> matrices.Item:
    """Return the panel with each cell unrolled as a row, whose wire fades from the last step back with the gain."""
    decimals, T = gains.state.decimals, gains.T
    return panel(
        text.CELLS_TITLE,
        text.cells_back(T),
        *(
            [
                chain(
                    name,
                    width_of_gradient(logs[-1]),
                    [text.cell_back(T, at, words.gain(log, decimals)) for at, log in enumerate(logs[-1].tolist(), 1)],
                    end=text.GAIN.format(gain=words.gain(logs[-1, 0], 2, exact=gains.is_exact[name])),
                    backward=True,
                    numbered=name == list(gains.logs)[-1],
                )
            ]
            for name, logs in gains.logs.items()
        ),
        alt=text.maps_alt({name: gains.gain(name) for name in CELLS}, T),
        callout=callout(gains),
    )


def maps(gains: GainsOfCells, *, callout: str) -> matrices.Item:
    """Return the panel with the gain from every step to every earlier one, a map for each cell."""
    decimals, T = gains.state.decimals, gains.T
    scale = scales.gain_scale(text.MAPS_SCALE, scales.POWERS_TO_FAINT)
    radii = words.enumerated(f"{name} {words.in_sentence(gains.radius[name], decimals)}" for name in CELLS)
    lines = [text.map_note(name, T, gains.gain(name), gains.log(name), decimals) for name in CELLS]
    return panel(
        text.MAPS_TITLE,
        text.MAPS,
        [
            matrices.block(
                name,
                gains.logs[name],
                scale,
                rows=[(text.FROM_STEP, T, "")],
                columns=[(text.TO_STEP, T, "")],
                axes=(text.FROM_STEP, text.BACK_TO_STEP),
                nothing=text.NOTHING,
                fixed=gains.state.fixed_colours,
            )
            for name in CELLS
        ],
        alt=text.maps_alt({name: gains.gain(name) for name in CELLS}, T),
        callout=callout,
        note="\n".join(lines),
        exactly=text.MAPS_EXACTLY.format(T=T, radii=radii),
        fit=HeatmapSize("columns", pixels=SIDE, smallest=1),
    )


def from_last_step(gains: GainsOfCells) -> matrices.Item:
    """Return the panel with the last row of each map as a line, and with the direct paths."""
    hues = dict(zip(gains.logs, cycle(colours.COMPARED)))
    whole = [charts.Line(name, logs[-1, ::-1], hues[name]) for name, logs in gains.logs.items()]
    direct = [
        charts.Line(text.DIRECT_LINE.format(cell=name), logs[::-1], colours.of_dashed_line(hues[name]), colours.DASHED)
        for name, logs in gains.direct.items()
    ]
    return panel(
        text.BACK_TITLE,
        text.BACK,
        [charts.chart(whole + direct, x_label=text.STEPS_BACK, y_label=text.LOG_GAIN)],
        alt=text.BACK_ALT.format(T=gains.T),
        exactly=text.BACK_EXACTLY,
    )


def direct_path(gains: GainsOfCells) -> matrices.Item:
    """Return the panel on the direct path of the chosen cell."""
    scenario, decimals = gains.scenario, gains.state.decimals
    name = scenario.cell
    alone = words.gain(gains.direct[name][0], decimals) if name in gains.direct else None
    return panel(
        text.DIRECT_TITLE,
        text.direct(name, gains.T, gains.gain(name), alone, gains.log(name)),
        alt="",
        exactly=text.direct_exactly(gains.direct, scenario.order, scenario.n, scenario.n + scenario.m),
    )


def concatenation(gains: GainsOfCells) -> matrices.Item:
    """Return the panel on the way back through the first product of the chosen cell."""
    scenario, fixed = gains.scenario, gains.state.fixed_colours
    cell, n, m = CELLS[scenario.cell], scenario.n, scenario.m
    source, joined = next(iter(cell.PRE_ACTIVATIONS.items()))
    value, (z, g) = next(iter(cell.activated(gains.params).items()))
    W = getattr(gains.params, joined.W)
    delta = g.df(getattr(gains.trace, z)[-1])

    W_name, z_name = symbol_of(cell, joined.W), symbol_of(cell, z)
    weights = scales.weight_scale("weights", is_random=scenario.init in RANDOM)
    slopes = scales.sequential(f"{g.symbol}′", g.max_df)
    parts = in_order(("h", n, text.TO_H), ("x", m, text.TO_X), scenario.order)
    units = [("unit", scenario.k, "")]
    return panel(
        text.CONCATENATION_TITLE,
        text.CONCATENATION.format(
            z=text.last_z(source, z_name, scenario.cell),
            value=symbol_of(cell, value),
            z_name=z_name,
            g=g.symbol,
            W=W_name,
            n=n,
            m=m,
        ),
        [
            matrices.block(f"{W_name}ᵀ", W.T, weights, rows=parts, columns=units, fixed=fixed),
            matrices.op("·"),
            matrices.block("δ", delta, slopes, rows=units, fixed=fixed),
            matrices.op("="),
            matrices.block(f"{W_name}ᵀ·δ", back_to_stack(W, delta), weights, rows=parts, fixed=fixed),
        ],
        alt=text.CONCATENATION_ALT.format(n=n, m=m),
        folded=True,
    )


def gradient_check(gains: GainsOfCells) -> matrices.Item:
    """Return the panel that compares the Jacobians with central differences."""
    logs = {name: log10(largest) if largest else -inf for name, largest in gains.error.items()}
    errors = words.enumerated(f"{name} {words.gain(log, 0, exact=True)}" for name, log in logs.items())
    g = ACTIVATIONS[gains.scenario.g]
    meaning = text.check_meaning(gains.error, kink_of=g.symbol if g.has_kink else "")
    return panel(text.CHECK_TITLE, text.CHECK.format(errors=errors, meaning=meaning), alt="", folded=True)
