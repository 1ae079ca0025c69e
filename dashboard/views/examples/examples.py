"""Worked examples, each live on the page that tells its story."""

import streamlit as st

from core.examples import EXAMPLES
from dashboard.drawing.panels import as_picture
from dashboard.drawing.picture_component import show
from dashboard.state.page_list import PAGES
from dashboard.state.state import State
from dashboard.text import examples as text
from dashboard.text.markdown import with_formulas
from dashboard.text.words import subscripts
from dashboard.views.examples.sketches import sketch


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.PAGE)
    names = [*EXAMPLES]
    for first in range(0, len(names), 2):
        for name, column in zip(names[first : first + 2], st.columns(2)):
            with column.container(border=True, height="stretch", key=f"card_{name}"):
                card(name)


def card(name: str) -> None:
    """Draw the title, the picture and the words of a worked example, and the link to its page."""
    example = text.example_text(name)
    st.markdown(f"**{example.title}**")
    show(as_picture([sketch(name)], decimals=2, unit=0), None, key=f"sketch {name}")
    if example.summary:
        st.markdown(with_formulas(example.summary))
    st.page_link(
        PAGES[EXAMPLES[name].page].script,
        label=text.OPEN.format(title=example.title),
        icon=":material/arrow_forward:",
        query_params={"example": name},
    )
    if example.story:
        with st.expander(text.STORY):
            st.text(subscripts(example.story))
