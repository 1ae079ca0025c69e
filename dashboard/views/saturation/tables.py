"""Tables below the picture: the limits of the floating-point types, and every unit."""

from math import ceil

import streamlit as st

from core import saturation
from core.activations import sigmoid, tanh
from dashboard.drawing import arithmetic
from dashboard.drawing.arithmetic import number
from dashboard.text import saturation as text
from dashboard.views.saturation.units import Units


def rounded_up(z: float) -> str:
    """Return the number rounded up, so that the sentence about it holds for the printed value."""
    return number(ceil(100 * z) / 100, 2)


def precision() -> None:
    """Draw the limits of the floating-point types."""
    with st.expander(text.LIMITS_TITLE):
        st.markdown(text.LIMITS)
        _limits()


def _limits() -> None:
    st.table(
        [
            {
                text.COMPUTED: text.COMPUTED_IN.format(g=a.symbol, type=row.type),
                text.OUTPUT_IS_1: f"z = {rounded_up(row.limit_reached)}",
                text.SLOPE_IS_0: f"z = {rounded_up(row.slope_vanishes)}",
            }
            for a in (sigmoid, tanh)
            for row in saturation.precision(a)
        ]
    )


def every_unit(units: Units) -> None:
    """Draw the selected unit in every type, and the table of all units."""
    with st.expander(text.EVERY_UNIT_TITLE.format(scale=units.scenario.scale)):
        _every_unit(units)
        if units.g.df_of_output:
            in_types(units)


def _every_unit(units: Units) -> None:
    g, z = units.g, units.z_at[units.here, :, 0]
    columns = {
        "unit": list(range(1, units.k + 1)),
        "z": z.tolist(),
        f"{g.name}(z)": g.f(z).tolist(),
        f"{g.name}'(z)": g.df(z).tolist(),
        text.SHARE: saturation.relative_derivative(z, g).tolist(),
        units.flat: saturation.is_saturated(z, g, units.state.threshold_fraction).tolist(),
    }
    few_digits = st.column_config.NumberColumn(format="%.4g")
    few = {name: few_digits for name in columns if name not in ("unit", units.flat)}
    st.dataframe(columns, hide_index=True, column_config=few)
    st.download_button(text.DOWNLOAD, arithmetic.csv(columns), "saturation.csv", "text/csv", on_click="ignore")


def in_types(units: Units) -> None:
    """Draw the selected unit in every floating-point type."""
    z = units.z_at[units.here, units.j - 1, 0].item()
    st.markdown(text.UNIT_IN_TYPES.format(unit=units.j, z=number(z, units.state.decimals)))
    st.table(
        [
            {
                text.TYPE: row.type,
                units.output: f"{row.g_z:.17g}",
                text.SLOPE_FROM_OUTPUT: f"{row.naive:.4g}",
                text.SLOPE_FROM_Z: f"{row.slope:.4g}",
            }
            for row in saturation.in_each_type(z, units.g)
        ]
    )
