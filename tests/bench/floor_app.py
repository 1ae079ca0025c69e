"""What the benches compare with: dials, and a fragment with nothing but what they say."""

import streamlit as st

from dashboard import dials

st.set_page_config(layout="wide")
dials.settle()
dials.dials({"k": 8, "scale": 1.0}, large=False, ends={})
dials.live(lambda: st.text("k = {k} at {scale}".format(**{"k": "8", "scale": "1"} | dials.dragged())))
dials.whole()
