"""Worked examples, each live on its page, and what learners ask, each with the screen that answers it."""

import streamlit as st

from core.examples import EXAMPLES
from dashboard import controls
from dashboard.about import About, tell
from dashboard.questions import QUESTIONS


def subscripts(text: str) -> str:
    """With the time in small letters, as far as there are letters for it."""
    return text.replace("_{t−1}", "ₜ₋₁").replace("_t", "ₜ")


st.markdown(
    "# Worked examples\nThe numbers of a lab, and of a question on a forum about the sizes in an LSTM with its "
    "answer. Each opens live, where every number can be changed. Each shows one thing, and several show a trap that "
    "people have really stepped into."
)
for name, example in EXAMPLES.items():
    with st.container(border=True):
        st.markdown(f"**{name}**")
        st.text(subscripts(example.story))
        st.link_button(f"Open {name}", f"./{example.page}?example={name}")

st.header("What learners ask", divider="gray")
for at, question in enumerate(QUESTIONS, 1):
    with st.container(border=True):
        st.markdown(f"**{at}. {question.asked}**")
        st.text(subscripts(question.answer))
        st.markdown(f"[See it]({question.link}): {question.see}.")
tell(About(controls.scenario(), "RNN"))
