"""What the benches compare with: one bound slider and its value."""

import streamlit as st

from dashboard.state.parameters import SCALES

st.set_page_config(layout="wide")
scale = st.select_slider("Weight scale", SCALES, 1.0, format_func="{:g}".format, key="scale", bind="query-params")
st.text(scale)
