"""Charts below the picture: how saturation grows with the scale and the fan-in."""

import streamlit as st

from core import saturation
from dashboard.drawing import plotly_charts
from dashboard.drawing.arithmetic import number
from dashboard.drawing.picture_component import show_figure
from dashboard.text import saturation as text
from dashboard.views.saturation.units import Units

LARGEST_FRESH = 64
# The size of the texts of a chart, and that in the projector view.
FONT, LARGE_FONT = 13, 20
FRESH = ("normal", "glorot", "orthogonal")


def growth(units: Units) -> None:
    """Draw how saturation grows with the scale and the fan-in."""
    st.subheader(text.GROWTH_TITLE, anchor=text.GROWTH_ANCHOR, divider="gray")
    scenario, threshold, g = units.scenario, units.state.threshold_fraction, units.g
    low, high = g.bounds(threshold)
    if not (g.is_bounded and low == -high):  # the expected median holds only if the slope falls with |z|
        st.markdown((text.NOT_COMPUTED if g.saturates else text.NO_ENDS).format(g=g.symbol))
        return
    chosen = scenario.m, scenario.n, scenario.k
    m, n, k = sizes = tuple(min(size, LARGEST_FRESH) for size in chosen)
    font = LARGE_FONT if units.state.is_projected else FONT
    left_half, right_half = st.columns(2)
    with left_half:
        show_figure(
            plotly_charts.growth_over_scale(
                FRESH, m, n, k, g, threshold, scenario.seed, here=scenario.scale, font=font
            ),
            key="over_scale",
            alt=text.OVER_SCALE_ALT,
        )
    with right_half:
        show_figure(
            plotly_charts.growth_over_fan_in(
                FRESH, k, scenario.scale, g, threshold, scenario.seed, here=m + n, font=font
            ),
            key="over_fan_in",
            alt=text.OVER_FAN_IN_ALT,
        )
    std = {init: saturation.normal_std(init, m, n, k, scenario.scale) for init in FRESH}
    fraction = saturation.fresh_fraction("normal", m, n, k, scenario.scale, g, threshold, scenario.seed)
    expected = saturation.expected_fraction(std["normal"], g, threshold)
    smaller = [text.SMALLER.format(largest=LARGEST_FRESH)] if sizes != chosen else []
    shown = text.GROWTH.format(cells=saturation.FRESH_CELLS)
    charts = " ".join([shown, *smaller])
    here = f"{text.fresh(fraction, expected, saturation.FRESH_CELLS)} {text.FAN_IN}"
    st.container(key="chart_words").markdown(f"{charts}\n\n{here}")
    with st.expander(text.EXACTLY):
        compromise = text.COMPROMISE.format(**{init: number(of_z, 2) for init, of_z in std.items()})
        st.markdown(f"{text.GROWTH_EXACTLY}\n\n{compromise}")
