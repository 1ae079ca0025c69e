"""What learners ask, each with its answer and the panel in which to see it."""

import streamlit as st

from dashboard import chosen
from dashboard.about import About, tell
from dashboard.questions import QUESTIONS, script_of
from dashboard.words import subscripts

st.markdown(
    f"# Questions\n{len(QUESTIONS)} questions that learners ask about recurrent cells. Open one for its answer, and go from "
    "there to the panel that shows it, with numbers that you can change."
)
for at, question in enumerate(QUESTIONS, 1):
    with st.expander(f"**{at}. {question.asked}**"):
        st.text(subscripts(question.answer))
        st.page_link(
            script_of(question.page),
            label=f"See it: {question.see}",
            icon=":material/arrow_forward:",
            query_params={**question.choices, "question": str(at)},
        )
tell(About(chosen.scenario(), "RNN"))
