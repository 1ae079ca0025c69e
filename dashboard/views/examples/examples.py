"""Worked examples, each live on the page that tells its story."""

import streamlit as st

from core.examples import EXAMPLES
from dashboard.drawing.panels import as_picture
from dashboard.drawing.screen import show
from dashboard.state.page_list import PAGES
from dashboard.state.state import State
from dashboard.text import examples as text
from dashboard.text.words import subscripts
from dashboard.views.examples.sketches import sketch


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.PAGE)
    for name, example in EXAMPLES.items():
        with st.container(border=True):
            told, drawn = st.columns(2, vertical_alignment="center")
            with told:
                st.markdown(f"**{example.title}**")
                st.markdown(subscripts(example.summary))
                with st.expander(text.STORY):
                    st.text(subscripts(example.story))
                st.page_link(
                    PAGES[example.page].script,
                    label=text.OPEN.format(title=example.title),
                    icon=":material/arrow_forward:",
                    query_params={"example": name},
                )
            with drawn:
                show(as_picture([sketch(name)], decimals=2, unit=0), None, key=f"sketch {name}")
