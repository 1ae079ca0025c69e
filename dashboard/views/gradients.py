"""Gradients: what survives back through time, exactly, in every cell."""

from dataclasses import replace
from itertools import cycle
from math import isfinite
from typing import Any

import streamlit as st

from core import joins
from core.activations import relu
from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.initialize import RANDOM
from core.scenario import Scenario
from core.time import bptt
from core.time.unroll import bounded_steps, first_steps, unroll
from dashboard.controls import widgets
from dashboard.controls.live_picture import live
from dashboard.controls.subject import OF_THIS_PAGE, About
from dashboard.controls.widgets import control
from dashboard.drawing import items, scales
from dashboard.drawing.numbers import number
from dashboard.drawing.panels import Fit, panel, remark
from dashboard.drawing.stories import story
from dashboard.server.scheduling import aside
from dashboard.state.state import State
from dashboard.text import words

# The side of a map in pixels: three of them fit beside each other on a wide screen.
SIDE = 270


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        "# Gradients\nTo learn from something long ago, a gradient must come back to it through all steps between. Each step "
        r"multiplies it: $\partial\,\text{state}_t / \partial\,\text{state}_s = J_t\,J_{t-1} \cdots J_{s+1}$. Is anything left?"
    )
    widgets.sliders(state, "T", *widgets.added_to_gates(*CELLS))
    widgets.draw(state, "settings", [control(state, "cell"), *widgets.gates(state, *CELLS)])
    live(state, panels)
    st.markdown(
        f"All of this is of your own weights, in {len(CELLS)} cells of the same sizes, seed and scale: {words.listed(CELLS)}. The RNN is the plain cell, "
        "for which alone the activation $g$ is chosen. Each $x_t$ is drawn from N(0, 1) by itself (Gaussian white noise), and the state is 0 before the "
        "first step unless it has numbers of its own. The state is $h$, and in the LSTM $h$ and $c$."
    )


def about(state: State) -> About:
    """Return what the page is about."""
    scenario, T = _steps(state)
    T = min(T, *(bounded_steps(trace)[1] for trace in _unrolled(scenario, T).values()))
    noise = replace(scenario, input="noise", T=T)
    return About(noise, scenario.cell, sequence=True, gains=True, step=T, numbers=OF_THIS_PAGE)


def _steps(state: State) -> tuple[Scenario, int]:
    """Return the scenario as it is unrolled, and how many of its steps can be shown."""
    scenario = state.recurrent()
    return scenario, min(scenario.T, bptt.affordable_steps(2 * scenario.k))


def _unrolled(scenario: Scenario, T: int) -> dict[str, Any]:
    """Return every cell over the same noise."""
    xs = scenario.noise(T)
    return {name: unroll(cell, *scenario.initial_state(name), xs) for name, cell in CELLS.items()}


def panels(state: State) -> list[items.Item]:
    """Return the panels of what comes back through time."""
    scenario, T = _steps(state)
    remarks, decimals, cell_name = words.recurs(state.scenario.n, state.scenario.k), state.decimals, scenario.cell
    if T < scenario.T:
        remarks.append(
            f"With k = {scenario.k} units the products of all pairs of {scenario.T} steps would take too long: T is taken "
            f"as {T} here. With fewer units more steps can be shown."
        )
    scale = scales.symmetric("log₁₀ of the gain", 6, clips=True)
    colours = dict(zip(CELLS, cycle(scales.LINES)))

    gains, direct, radius, error = {}, {}, {}, {}
    with aside(long=bptt.takes_long(2 * scenario.k, T)):  # before the arrays are made, so that a waiting run holds none
        xs = scenario.noise(T)
        setups = {name: scenario.initial_state(name) for name in CELLS}
        traces = _unrolled(scenario, T)
        bounded = {name: bounded_steps(trace)[1] for name, trace in traces.items()}
        shortest = min(bounded, key=lambda name: bounded[name])
        steps = min(T, bounded[shortest])
        for name, cell in CELLS.items():
            params, first = setups[name]
            trace = first_steps(traces[name], steps)
            J = cell.jacobian(params, trace)
            gains[name] = bptt.log_gains(J)
            radius[name] = bptt.spectral_radius(J[-1])
            error[name] = bptt.numeric_error(cell, params, first, xs[0])
            if hasattr(cell, "direct_path"):
                direct[name] = bptt.log_direct(cell.direct_path(trace))
    if steps < T:
        T = steps
        remarks.append(
            f"After step {T} the {shortest} has numbers beyond 10^30: here the sequence ends there for all cells."
        )

    def is_exact(name: str) -> bool:
        """Whether a gain of 0 is exact and not a matter of rounding: with ReLU, or if nothing can come back."""
        cell, (params, _) = CELLS[name], setups[name]
        only_relu = all(g is relu for _, g in cell.activated(params).values())
        from_h = any(scenario.array(array).any() for array, made in cell.ARRAYS.items() if made.axes == "kn")
        return only_relu or not (from_h or name in direct)

    def gain(name: str) -> str:
        """Return the gain from the last step back to the first."""
        return words.gain(gains[name][-1, 0], decimals, exact=is_exact(name))

    def line(name: str) -> str:
        """Return the line about a cell below the maps."""
        log = gains[name][-1, 0]
        per_step = f", {words.rate(log, T - 1, decimals)} per step on average" if T > 1 and isfinite(log) else ""
        return f"{name}: the gain from step {T} back to step 1 is {gain(name)}{per_step}."

    def triangle(name: str) -> items.Item:
        """Return the map of gains: from each step, a row, to each earlier one, a column."""
        return items.block(
            name,
            gains[name],
            scale,
            rows=[("from step", T, "")],
            columns=[("to step", T, "")],
            nothing="nothing comes back from here",
            fixed=state.fixed_colours,
        )

    # ---- every step to every earlier one ----

    maps = panel(
        "From every step to every earlier one",
        "A gradient starts at the step of its row and goes back to the step of its column. The gain is the factor by which "
        "its norm changes on the way. White is a gain of 1: the norm stays as it was. Blue is less than 1, and red is more. "
        "Where the gain is far below 1 the gradient vanishes, and the cell can hardly learn from what was that long ago; "
        "where it is far above 1 the gradient explodes. On the diagonal it has not left its step, "
        "and to the right of it nothing comes back.",
        [triangle(name) for name in CELLS],
        alt="; ".join(f"{name}: from step {T} to step 1 the gain is {gain(name)}" for name in CELLS) + ".",
        note="\n".join(map(line, CELLS)),
        exactly="The gain is a root mean square over all directions: ‖J‖_F/√q, where J is the product of the Jacobians "
        "of the steps between, and q the number of entries of the state. A gain of 10^0 = 1 keeps the norm (the length) "
        "on average, though it may shrink in one direction and grow in another. The spectral radius of the last Jacobian: "
        + ", ".join(f"{name} {number(radius[name], decimals)}" for name in CELLS)
        + ". If all Jacobians were equal, the gain would be multiplied by it at each step, in the long run.",
        fit=Fit("columns", pixels=SIDE, smallest=1),
    )

    # ---- from the last step back ----

    back = panel(
        "From the last step back",
        "The last row of each map, against how many steps the gradient has gone back. A straight line that falls is a "
        "gradient that shrinks by the same factor at each step. Dashed is what comes back through the gates alone, see "
        "below. Scale the weights up and see the plain cell's line rise: its gradient may explode.",
        [
            items.chart(
                [items.Line(name, logs[-1, ::-1], colours[name]) for name, logs in gains.items()]
                + [items.Line("", logs[::-1], colours[name], dashed=True) for name, logs in direct.items()],
                x_label="steps back, t − s",
                y_label="log₁₀ of the gain",
            )
        ],
        alt=f"The gain from step {T} against the number of steps back, for each cell, and for the direct paths.",
        exactly="With larger weights the gradient of a small cell with σ or tanh vanishes again, where in some step all "
        "units are far out on the flat ends; in a wide one a few units usually stay near z = 0, and it may go on "
        "exploding. ReLU's slope does not shrink, but where all units are inactive in one step nothing comes back. A line "
        "ends where the gain is 0.",
    )

    # ---- the direct path, and the check ----

    columns_of_h = {"hx": "the first", "xh": "the last"}[scenario.order]
    if T == 1:
        here = "With one step only, there is no earlier one."
    elif cell_name in direct:
        here = (
            f"From step {T} to step 1 the direct path of the {cell_name} alone brings back {words.gain(direct[cell_name][0], decimals)}, and the whole gain is "
            f"{gain(cell_name)}: here the norm of the {cell_name}'s gradient {words.fate(gains[cell_name][-1, 0], T - 1, decimals)}."
        )
    else:
        here = (
            f"From step {T} to step 1 the gain of the {cell_name}, which has no direct path, is {gain(cell_name)}: here the norm of its gradient "
            f"{words.fate(gains[cell_name][-1, 0], T - 1, decimals)}."
        )
    paths = panel(
        "The direct path is not the whole gradient",
        "A gate may carry a part of the state over from step to step, entry by entry, as the forget gate of an LSTM does: "
        f"the direct path. Where the gate is near 1, little is lost on it. {here} With a direct path too a gradient can "
        "vanish, where the gates are well below 1; a forget bias above 0 moves the forget gates towards 1.",
        alt="",
        exactly=" ".join(getattr(CELLS[name], "DIRECT_PATH", "") for name in direct)
        + " The product of these gates, as a root mean square over the k units, is the dashed line above: where every "
        "gate is 1 it stays at 0, which is a factor of 10^0 = 1. The exact gradient is another number, for the state also "
        "acts through h_{t−1}, which every gate reads at the next step, and those paths add to the direct one or take from "
        f"it. Of W only the columns of h bring anything back to earlier steps: {columns_of_h} {scenario.n} of "
        f"{scenario.n + scenario.m}.",
    )

    # ---- back through the concatenation ----

    cell, (params, _) = CELLS[cell_name], setups[cell_name]
    joined = next(iter(cell.JOINED.values()))
    value, (z, g) = next(iter(cell.activated(params).items()))
    W = getattr(params, joined.W)
    delta = g.df(getattr(first_steps(traces[cell_name], steps), z)[-1])
    returned = joins.back_to_stack(W, delta)

    W_name, z_name = symbol_of(cell, joined.W), symbol_of(cell, z)
    weights = scales.weight_scale("weights", is_random=scenario.init in RANDOM)
    slopes = scales.sequential(f"{g.symbol}′", g.max_df)
    parts = joins.in_order(("h", scenario.n, "to h_{t−1}"), ("x", scenario.m, "to x_t"), scenario.order)
    units = [("unit", scenario.k, "")]
    concatenation = panel(
        "Back through the concatenation",
        f"Here is z {joined.about}, at the last step of the {cell_name}. Suppose that the loss is the sum of all entries of {symbol_of(cell, value)}. Then δ, its "
        f"gradient by {z_name}, is the slope {g.symbol}′({z_name}) of each unit, and its gradient by the stack is {W_name}ᵀ·δ: what was "
        f"a column of {W_name} is a row now. It is cut where the stack was joined. The {scenario.n} entries of h go on to h_{{t−1}}, and so to the "
        f"step before; the {scenario.m} of x go to x_t, and end there.",
        [
            items.block(f"{W_name}ᵀ", W.T, weights, rows=parts, columns=units, fixed=state.fixed_colours),
            items.op("·"),
            items.block("δ", delta, slopes, rows=units, fixed=state.fixed_colours),
            items.op("="),
            items.block(f"{W_name}ᵀ·δ", returned, weights, rows=parts, fixed=state.fixed_colours),
        ],
        alt=f"The transposed weights times δ: {scenario.n} entries for h and {scenario.m} for x.",
    )
    errors = ", ".join(f"{name} {number(largest, 1)}" for name, largest in error.items())
    checked = panel(
        "Is it right?",
        "A gradient check: the first Jacobian of each cell against central differences, for which each entry of the "
        "state is changed by ±10⁻⁶ and the step taken anew. The largest difference, as a share of the largest entry: "
        f"{errors}. {words.gradient_check(error, bends=scenario.g == 'relu')}",
        alt="",
    )
    shown = [maps, *story(state), back, paths, concatenation, checked]
    return [*map(remark, remarks), *shown]
