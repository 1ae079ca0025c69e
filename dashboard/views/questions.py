"""The questions of learners, each with a link to the screen that answers it."""

import streamlit as st

from dashboard.state.page_list import PAGES
from dashboard.state.state import State
from dashboard.text.questions import QUESTIONS
from dashboard.text.words import subscripts


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        f"# Questions\n{len(QUESTIONS)} questions that learners ask about recurrent cells. Open one for its answer, and go from "
        "there to the panel that shows it, with numbers that you can change."
    )
    for at, question in enumerate(QUESTIONS, 1):
        with st.expander(f"**{at}. {question.asked}**"):
            st.text(subscripts(question.answer))
            st.page_link(
                PAGES[question.page].script,
                label=f"See it: {question.see}",
                icon=":material/arrow_forward:",
                query_params={**question.choices, "question": str(at)},
            )
