"""Saturation: where z lies on the curves, how much gradient is left there, and the effect of scale and fan-in."""

from collections.abc import Sequence
from functools import partial
from itertools import cycle
from math import ceil, isfinite
from typing import NamedTuple

import streamlit as st

from core import saturation
from core.activations import ACTIVATIONS, Activation, relu, sigmoid, tanh
from core.arrays import Array
from core.cells import CELLS
from core.initialize import RANDOM
from core.scenario import SOURCES, Scenario
from dashboard.controls import widgets
from dashboard.controls.live_picture import live
from dashboard.controls.predict import Prediction
from dashboard.controls.subject import OF_CELL_PAGES, OF_THIS_PAGE, About
from dashboard.controls.widgets import control
from dashboard.drawing import figures, items, numbers, scales
from dashboard.drawing.numbers import number, of_unit
from dashboard.drawing.panels import Scrub, Step, panel
from dashboard.drawing.screen import Steps, show_figure
from dashboard.drawing.stories import story
from dashboard.state.parameters import TYPED_Z, as_text
from dashboard.state.state import State
from dashboard.text import words

LARGEST_FRESH = 64
MAP_INPUTS = 64
FRESH = ("normal", "glorot", "orthogonal")


class Scaled(NamedTuple):
    """The pre-activation z at many scales.

    Attributes
    ----------
    scenario : Scenario
    g : Activation
    scales : ndarray
    here : int
        The index of the scenario's own scale.
    z_at : ndarray of shape (scales, k, 1)
    """

    scenario: Scenario
    g: Activation
    scales: Array
    here: int
    z_at: Array


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        "# Saturation\nAn activation is saturated where its curve is flat. There the output hardly depends on $z$ any "
        "more, and the gradient that comes back is multiplied by a small slope $g'(z)$, the derivative."
    )
    source = state.settings.source
    owner = widgets.source_owner(source)
    widgets.sliders(state, "T", *(["z"] if source == TYPED_Z else []), *widgets.added_to_gates(owner))
    widgets.draw(state, "settings", [control(state, "source"), *widgets.gates(state, owner), control(state, "predict")])
    at = scaled(state)
    texts = [None if scale == state.start.scale else as_text(float(scale)) for scale in at.scales]
    shown = live(state, panels, prediction=prediction, unit=unit_of, steps=Steps("scale", texts))
    st.markdown(
        r"The slope $g'$ is always taken at $z$, never at $g(z)$: $\sigma'(z) = \sigma(z)\,(1 - \sigma(z))$ is at most 0.25 and $\tanh'(z) = 1 - "
        r"\tanh^2(z)$ at most 1, both at $z = 0$."
    )
    growth(state, at.g)
    precision()
    if not shown.settings.predict:
        every_unit(state, at)


def about(state: State) -> About:
    """Return what the page is about."""
    source = state.settings.source
    numbers = OF_CELL_PAGES if source == TYPED_Z else OF_THIS_PAGE
    return About(state.scenario, widgets.source_owner(source), numbers=numbers)


def unit_of(state: State) -> int:
    """Return the selected unit; a typed z has one unit."""
    return 1 if state.settings.source == TYPED_Z else state.unit


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    _, g, _, here, z_at = scaled(state)
    j = min(unit_of(state), z_at.shape[1])
    return Prediction(output_of(g), j, float(g.f(z_at[here, j - 1, 0])))


def scaled(state: State) -> Scaled:
    """Return z at all scales."""
    scenario, settings = state.scenario, state.settings
    is_typed = settings.source == TYPED_Z
    pre_activation = scenario.typed_z(settings.z) if is_typed else scenario.pre_activation(settings.source)
    factors, here = saturation.scales_with(scenario.scale)
    return Scaled(scenario, pre_activation.g, factors, here, pre_activation.z_over(factors))


def output_of(g: Activation) -> str:
    """Return the name of the output on the screen."""
    return f"{g.symbol}(z)"


def word_of(g: Activation) -> str:
    """Return the word for a unit on a flat part of the curve."""
    return "inactive" if g is relu else "saturated"


def panels(state: State) -> list[items.Item]:
    """Return the panels of where z sits on its activation."""
    scenario, g, factors, here, z_at = scaled(state)
    source, owner = state.settings.source, widgets.source_owner(state.settings.source)
    decimals, T, typed = state.decimals, state.scenario.T, source == TYPED_Z
    k = z_at.shape[1]
    j, threshold = min(state.unit, k), state.threshold
    saturates = g is not relu
    word = word_of(g)
    slope_name = f"{g.symbol}′"

    output = output_of(g)
    if state.settings.predict:
        asked = panel(
            f"Predict {output}",
            f"These are the z at scale {scenario.scale:g}. {f'{words.FORMULAS[g.name]}. ' if g.name in words.FORMULAS else ''}What comes out of unit {j}?",
            [
                items.block("z", z_at[here], scales.symmetric("z", 10, clips=True), rows=[("unit", k, "")], units=True),
                items.op(f"{g.symbol} →"),
                items.blank(output, (k, 1), (j - 1, 0), None),
            ],
            alt=f"The z of {k} units.",
        )
        return [asked]

    # ---- dragging the scale ----

    g_at, dg_at, share_at = g.f(z_at), g.df(z_at), saturation.gradient_share(z_at, g)
    at_end = saturation.saturated_at(z_at, g, threshold)
    flat_at = at_end.low | at_end.high
    low_at, high_at = (which.sum(axis=(1, 2)).tolist() for which in at_end)
    applied = partial(numbers.applied, decimals=decimals, exact=g.is_exact)

    def moment(at: int) -> Step:
        """Return the text beside the curves at one of the scales."""
        scale, low, high = float(factors[at]), low_at[at], high_at[at]
        of_j = slice(at, at + 1), j - 1
        output = of_unit(applied(g.symbol, z_at[of_j], g_at[of_j]))
        slope = of_unit(applied(slope_name, z_at[of_j], dg_at[of_j]))
        share = number(share_at[at, j - 1, 0], decimals)
        return Step(
            label=f"{scale:g}",
            title=f"Scale {scale:g}: {low + high} of {k} unit{'s' if k > 1 else ''} {word}"
            + (f", {low} low and {high} high" if saturates else ""),
            note=f"Unit {j}: {output}, and {slope}, which is {share} times the largest slope.",
        )

    # Fixed colours whatever the reader chose: a scale of its own at each step would hide the change.
    column = partial(items.block, rows=[("unit", k, "")], units=True)
    activations = ACTIVATIONS.values()
    colours = dict(zip(ACTIVATIONS, cycle(scales.LINES)))

    def dots(name: str, grids: dict[str, Array], values_at: Array, y_ticks: Sequence[float]) -> items.Item:
        """Return all activations, or all derivatives, with the units as dots on the curve of this cell."""
        mark = name.removeprefix(g.symbol)
        return items.plot(
            name,
            [items.Line(f"{a.symbol}{mark}", grids[a.name], colours[a.name], dashed=a is not g) for a in activations],
            z_at[here, :, 0],
            values_at[here, :, 0],
            bounds=g.bounds(threshold),
            y_ticks=y_ticks,
            colour=colours[g.name],
            frames=(z_at[..., 0], values_at[..., 0]),
        )

    if not isfinite(g.high):
        outputs = scales.symmetric(g.symbol, 10, clips=True)
    elif g.low == 0:
        outputs = scales.sequential(g.symbol, g.high)
    else:
        outputs = scales.symmetric(g.symbol, g.high)
    scrubbed = panel(
        "",
        f"Each dot is the z = W·[h; x] + b of a unit{', here typed' if typed else f' {SOURCES[source].about}'}. Play the scale, or drag it: it multiplies "
        + ("every weight" if not typed else "your z")
        + f", and is {scenario.scale:g} now. "
        + (
            (
                "In the middle the slope is large; as |z| grows the dots move to the flat ends. "
                if isfinite(g.high)
                else ""
            )
            + f"Shaded is where less than {threshold:.0%} of the largest slope, {g.max_df:g}, is left: {words.outside_bounds(g, threshold)}. "
            if saturates
            else "ReLU is flat on the shaded side: its slope is 0 at every z below 0, and at 0 itself 0 is taken. "
        )
        + "Dots outside the axes are drawn at the edge. Where you let go, all panels and the link follow."
        + (
            ""
            if scenario.init in RANDOM or typed
            else " For dots that spread, choose normal under Numbers in the sidebar."
        ),
        [
            items.over(
                dots(g.symbol, {a.name: a.f(scales.GRID) for a in activations}, g_at, (-1, -0.5, 0, 0.5, 1, 1.5)),
                dots(slope_name, {a.name: a.df(scales.GRID) for a in activations}, dg_at, (0, 0.25, 0.5, 0.75, 1)),
            ),
            column("z", z_at[here], scales.symmetric("z", 10, clips=True), frames=z_at),
            column(f"{g.symbol}(z)", g_at[here], outputs, frames=g_at),
            column(f"{slope_name}(z)", dg_at[here], scales.sequential(slope_name, g.max_df), frames=dg_at),
            column(word, flat_at[here], scales.sequential(word, 1), frames=flat_at),
        ],
        alt=f"The units as dots on {g.symbol} and on {slope_name}, and their numbers; at the scale {scenario.scale:g} "
        f"{low_at[here] + high_at[here]} of {k} are {word}.",
        scrub=Scrub(
            "Scale played",
            [moment(at) for at in range(len(factors))],
            here,
            reported=True,
            pace=saturation.pace(g_at, flat_at).tolist(),
        ),
    )
    shown = [scrubbed]

    # ---- many inputs ----

    if not typed:
        many = scenario.pre_activation(source, scenario.samples(MAP_INPUTS)).z(scenario.scale)
        over_inputs = saturation.saturated_over_inputs(many, g, threshold)
        always, sometimes = int(over_inputs.always.sum()), int(over_inputs.sometimes.sum())
        state_of = tanh if SOURCES[source].g else g
        shown.append(
            panel(
                "Many inputs",
                f"The same weights on {MAP_INPUTS} inputs, one in each column: how much of the largest slope is left to "
                "each unit. "
                + (
                    f"A unit whose share is below {threshold:.0%} in its whole row is saturated for all {MAP_INPUTS} "
                    "inputs: every input leaves it less than that. "
                    if saturates
                    else f"A unit whose share is 0 in its whole row is inactive for all {MAP_INPUTS} inputs; one that is so "
                    "for all data is called a dead ReLU. "
                )
                + "A unit that is dark for some inputs only is not stuck. Both x_t and h_{t−1} are drawn from N(0, 1) "
                f"here; a state that the cell makes itself is {words.range_of(state_of)}.",
                [
                    items.block(
                        f"{slope_name} / {g.max_df:g}",
                        saturation.gradient_share(many, g),
                        scales.sequential(f"{slope_name} / {g.max_df:g}", 1),
                        rows=[("unit", k, "")],
                        columns=[("input", MAP_INPUTS, "")],
                        units=True,
                    )
                ],
                alt=f"Units by inputs: {always} of {k} units are {word} for all {MAP_INPUTS} inputs, {sometimes} for some.",
                note=f"{word.capitalize()} for all {MAP_INPUTS} inputs: {always} of {k} units. "
                f"For some: {sometimes}. For none: {k - always - sometimes}.",
            )
        )

    # ---- what comes back ----

    z_j, g_j, slope_j = (values[here, j - 1, 0].item() for values in (z_at, g_at, dg_at))
    of_j = here, slice(j - 1, j)
    slope_text = of_unit(applied(slope_name, z_at[of_j], dg_at[of_j]))
    wrong_text = of_unit(applied(slope_name, g_at[of_j], g.df(g_at[of_j])))

    def power(slope: float) -> str:
        """Return a derivative to the power of T, with its value."""
        base, result = number(slope, 6), number(slope**T, decimals)
        if slope**T == 0 and not g.is_exact:  # below the smallest float64
            return f"({base if slope else 'less than 5e−324'})^{T} < 5e−324"
        sign = numbers.equals(decimals, slope) if T == 1 or slope in (0, 1) else "≈"
        return f"({base})^{T} {sign} {result}"

    if not saturates:
        taken_at = "For ReLU it makes no difference, for z and ReLU(z) are above 0 together."
    elif z_j == g_j:
        taken_at = f"For unit {j} z and {g.symbol}(z) happen to be the same number."
    else:
        taken_at = f"At the chosen scale unit {j} has {slope_text}. Taken at the output it would be {wrong_text}, which is the slope of another point."
    if typed or SOURCES[source].g is None:
        through_time = (
            f"In a plain cell a gradient that comes back through {words.steps(T)} is multiplied by such a slope each "
            "time. The weights multiply it too, which can make up for a small slope or make it worse; nothing makes up "
            "for a slope of 0."
        )
    else:
        direct_path = getattr(CELLS[owner], "DIRECT_PATH", "")
        through_time = (
            f"Each time a path of the gradient goes through {SOURCES[source].about.removeprefix('in ')}, it is multiplied by such a slope, and by "
            "weights and states. "
            + (
                f"The direct path does not go through it. {direct_path.partition('. ')[0]}, which is why such a cell can carry "
                "a gradient far. "
                if direct_path
                else ""
            )
            + "What follows is about the one path that goes through it at every step."
        )
    questions = [
        panel(
            "At z or at g(z)?",
            f"At z. {taken_at} The formulas with the output in them, s·(1 − s) and 1 − t², are the slope at z, written "
            "with s = σ(z) and t = tanh(z).",
            alt="",
        ),
        panel(
            "Why at most 0.25 and 1?",
            "s·(1 − s) is largest where s is halfway, at s = 0.5 and z = 0: 0.5·0.5 = 0.25. 1 − t² is largest where t = "
            "0: 1. tanh is σ stretched: tanh(z) = 2·σ(2z) − 1, so its slope is four times as high, 4·0.25 = 1.",
            alt="",
        ),
        panel(
            f"What is left after T = {words.steps(T)}?",
            f"{through_time} With the slope of unit {j} at the chosen scale: {power(slope_j)}. With the largest slope "
            f"that {g.symbol} has: {power(g.max_df)}.",
            alt="",
        ),
        panel(
            "When is saturation good?",
            "In a gate that has learned what to do: near 1 it passes almost everything and near 0 almost nothing, and "
            "small changes do not disturb it. It is bad before that. A unit that starts far out on a flat end gets "
            "hardly any gradient, so learning hardly moves it away; and in a plain cell hardly any gradient gets past it "
            "to earlier steps.",
            alt="",
        ),
    ]
    return [shown[0], *story(state), *shown[1:], *questions]


# ---- below the picture: only a run draws it ------------------------------------------------------


def growth(state: State, g: Activation) -> None:
    """Draw how saturation grows with the scale and the fan-in."""
    scenario, threshold = state.scenario, state.threshold
    low, high = g.bounds(threshold)
    sizes = scenario.m, scenario.n, scenario.k
    m, n, units = (min(size, LARGEST_FRESH) for size in sizes)
    fan_in = m + n
    st.subheader("How it grows", divider="gray")
    if isfinite(g.high) and low == -high:  # the expected median holds only where the slope falls with |z|
        st.markdown(
            f"{saturation.FRESH_CELLS} cells of each kind, with fresh weights, with inputs from N(0, 1) and without a bias. "
            "Above: the fraction of all units that is saturated; below: the median slope. The band is from the 5th to "
            "the 95th percentile of the cells. Dashed is what follows if z is normal, which it is only about, and at a "
            "small fan-in less so: the variances of its n + m products add up, so with N(0, 1) weights its standard "
            "deviation is the scale times the square root of the fan-in. The dotted line is the cell on the screen; in "
            "the right chart n = m."
            + (f" Sizes above {LARGEST_FRESH} are taken as {LARGEST_FRESH} here." if (m, n, units) != sizes else "")
        )
        left_half, right_half = st.columns(2)
        with left_half:
            show_figure(
                figures.growth_over_scale(FRESH, m, n, units, g, threshold, scenario.seed, here=scenario.scale),
                key="over_scale",
                alt="The fraction of saturated units rises with the scale of the weights, and the median slope falls.",
            )
        with right_half:
            show_figure(
                figures.growth_over_fan_in(FRESH, units, scenario.scale, g, threshold, scenario.seed, here=fan_in),
                key="over_fan_in",
                alt="With normal weights z grows with the fan-in without bound; with glorot and orthogonal ones it does not.",
            )
        fraction = saturation.fresh_fraction("normal", m, n, units, scenario.scale, g, threshold, scenario.seed)
        expected = saturation.expected_fraction(
            saturation.normal_std("normal", m, n, units, scenario.scale), g, threshold
        )
        std = {init: saturation.normal_std(init, m, n, units, scenario.scale) for init in FRESH}
        st.markdown(
            f"At this scale and fan-in plain N(0, 1) weights leave {words.part_of_all(fraction)} of the units of the "
            f"{saturation.FRESH_CELLS} cells saturated before anything is learned; if z were normal it would be "
            f"{words.percent(expected)}. The larger the fan-in, the more.\n\nGlorot weights get smaller as the matrix "
            "gets larger: a compromise between keeping the variance forward (1/fan-in) and backward (1/fan-out). Here z "
            "is the sum of two such products, so its standard deviation is √2 times the scale at m = n = k and below 2 "
            "times at any fan-in. A square orthogonal $W_{hh}$ at scale 1 keeps the norm (the length) of what it "
            "multiplies, though the slopes of g still shrink the gradient; with orthogonal weights the standard "
            "deviation of z stays below 1.42 times the scale. At the sizes and the scale here it is "
            + ", ".join(f"{number(of_z, 2)} with {init}" for init, of_z in std.items())
            + "."
        )
    elif g is not relu:
        st.markdown(f"This is not computed for {g.symbol}. Choose sigmoid or tanh under Cell in the sidebar to see it.")
    else:
        st.markdown(
            "ReLU has no ends to saturate at: with weights symmetric about 0 and no bias half of the units are inactive "
            "on average, at any scale and any fan-in. Choose sigmoid or tanh under Cell in the sidebar to see it grow."
        )


def rounded_up(z: float) -> str:
    """Return the number rounded up, so that the sentence about it holds for the printed value."""
    return number(ceil(100 * z) / 100, 2)


def precision() -> None:
    """Draw the limits of the floating-point types."""
    st.subheader("Floating-point limits", divider="gray")
    st.markdown(
        "A floating-point type has only so many digits next to 1. σ(z), computed as 1 / (1 + e^−z), is exactly 1 as soon "
        "as 1 + e^−z is, and tanh(z) as soon as 1 is the nearest number that the type has. The slope that a program "
        "computes from such an output, s·(1 − s) or 1 − t², is then exactly 0. The true slope is not: computed from z "
        "itself, as on this page, it is above 0 until it is too small for the type. tanh loses as much near −1. At σ's "
        "lower end nothing is lost, for next to 0 a type has many more digits. Other programs may compute in other "
        "steps: PyTorch takes σ of a float16 in float32 and rounds at the end, which gives 1 from z = 8.32."
    )
    st.table(
        [
            {
                "computed": f"{a.symbol} in {row.type}",
                "g(z) is 1, and the slope from it 0, from": f"z = {rounded_up(row.limit_reached)}",
                "the slope from z is 0 from": f"z = {rounded_up(row.slope_vanishes)}",
            }
            for a in (sigmoid, tanh)
            for row in saturation.precision(a)
        ]
    )


def every_unit(state: State, at: Scaled) -> None:
    """Draw the selected unit in every type, and the table of all units."""
    scenario, g, _, here, z_at = at
    decimals, k, word = state.decimals, z_at.shape[1], word_of(g)
    j, threshold = min(state.unit, k), state.threshold
    z = z_at[here, :, 0]
    if g.df_of_output:
        st.markdown(f"Unit {j} at the chosen scale, z = {number(z[j - 1].item(), decimals)}:")
        st.table(
            [
                {
                    "type": row.type,
                    f"{g.symbol}(z)": f"{row.g_z:.17g}",
                    "slope from the output": f"{row.naive:.4g}",
                    "slope from z": f"{row.slope:.4g}",
                }
                for row in saturation.rounded(z[j - 1].item(), g)
            ]
        )
    st.subheader(f"Every unit at scale {scenario.scale:g}", divider="gray")
    columns = {
        "unit": list(range(1, k + 1)),
        "z": z.tolist(),
        f"{g.name}(z)": g.f(z).tolist(),
        f"{g.name}'(z)": g.df(z).tolist(),
        "share of the largest slope": saturation.gradient_share(z, g).tolist(),
        word: saturation.is_saturated(z, g, threshold).tolist(),
    }
    few_digits = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        columns, hide_index=True, column_config={name: few_digits for name in columns if name not in ("unit", word)}
    )
    st.download_button("Download as CSV", numbers.csv(columns), "saturation.csv", "text/csv", on_click="ignore")
