"""The page list and the shared sidebar; nothing else."""

import sys
from pathlib import Path

import streamlit as st

# `streamlit run dashboard` puts only this folder on the path.
ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from dashboard import controls  # noqa: E402

st.set_page_config(page_title="Cellscope", page_icon="🔬", layout="wide")

page = st.navigation(
    [
        st.Page("views/hidden_state.py", title="Hidden state", default=True),
        st.Page("views/lstm.py", title="LSTM step"),
        st.Page("views/saturation.py", title="Saturation"),
        st.Page("views/sequence.py", title="Sequence"),
        st.Page("views/gradients.py", title="Gradients"),
    ]
)

refused = controls.refused_parameters()
notice = st.container()
controls.sidebar()
page.run()
with notice:
    controls.explain(refused)
