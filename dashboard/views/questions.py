"""The questions of learners, each with a link to the screen that answers it."""

import streamlit as st

from dashboard.state.page_list import PAGES
from dashboard.state.state import State
from dashboard.text import questions as text
from dashboard.text.questions import QUESTIONS
from dashboard.text.words import in_symbols


def page(state: State) -> None:
    """Draw the page: a column of questions for each group."""
    st.markdown(text.PAGE.format(count=len(QUESTIONS)))
    groups = text.in_groups()
    for column, (title, numbers) in zip(st.columns(len(groups)), groups.items()):
        with column:
            st.subheader(title)
            for number in numbers:
                _question(number)


def _question(number: int) -> None:
    """Draw a question that opens."""
    question = QUESTIONS[number - 1]
    with st.expander(f"**{in_symbols(question.asked)}**"):
        st.text(in_symbols(question.answer))
        st.page_link(
            PAGES[question.page].script,
            label=text.SEE.format(see=in_symbols(question.see)),
            icon=":material/arrow_forward:",
            query_params=text.link_of(number),
        )
