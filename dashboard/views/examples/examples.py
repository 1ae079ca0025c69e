"""Worked examples, each live on the page that tells its story."""

import streamlit as st

from core.examples import EXAMPLES
from dashboard.drawing.panels import as_picture
from dashboard.drawing.screen import show
from dashboard.state.page_list import PAGES
from dashboard.state.state import State
from dashboard.text.words import subscripts
from dashboard.views.examples.sketches import sketch


def page(state: State) -> None:
    """Draw the page."""
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
                    PAGES[example.page].script,
                    label=f"Open: {example.title}",
                    icon=":material/arrow_forward:",
                    query_params={"example": name},
                )
            with drawn:
                show(as_picture([sketch(name)], decimals=2, unit=0), None, key=f"sketch {name}")
