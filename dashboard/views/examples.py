"""Worked examples, each live on the page that tells its story."""

import streamlit as st

from core.examples import EXAMPLES
from dashboard import chosen, picture
from dashboard.about import About, tell
from dashboard.questions import script_of
from dashboard.screen import show
from dashboard.sketches import sketch
from dashboard.words import subscripts

st.markdown(
    "# Worked examples\nThe numbers of a lab, and of a question on a forum about the sizes in an LSTM with its "
    "answer. Each opens live, where every number can be changed. Each shows one thing, and several show a trap that "
    "people have really stepped into."
)
for name, example in EXAMPLES.items():
    with st.container(border=True):
        told, drawn = st.columns(2, vertical_alignment="center")
        with told:
            st.markdown(f"**{example.title}**")
            st.text(subscripts(example.story))
            st.page_link(
                script_of(example.page),
                label=f"Open: {example.title}",
                icon=":material/arrow_forward:",
                query_params={"example": name},
            )
        with drawn:
            show(picture.page([sketch(name)], decimals=2, unit=0), key=f"sketch {name}", on_unit=chosen.pick_unit)
tell(About(chosen.scenario(), "RNN"))
