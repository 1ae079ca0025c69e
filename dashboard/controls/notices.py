"""The notices of a page: refused parameters of its URL, and the question that it answers."""

from collections.abc import Mapping

import streamlit as st

from dashboard.controls import storage
from dashboard.state import session
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import EXAMPLE, PARAMETERS, as_text
from dashboard.state.state import State
from dashboard.text import notices
from dashboard.text import questions as text
from dashboard.text.questions import QUESTIONS
from dashboard.text.words import in_symbols


def show_notices(state: State, refused: Mapping[str, str]) -> None:
    """Show the refused parameters with their rules and the values in their place, and the custom values that cannot be used.

    The refused text itself is not shown, because anybody may have written the link.

    Parameters
    ----------
    state : State
    refused : mapping from str to str
        The rule by parameter.
    """
    lines = storage.notices(state)
    custom = state.custom_values(session.stored())
    matching_arrays = state.scenario.matching_arrays()
    for name in custom:
        if name not in matching_arrays:
            shape = " × ".join(map(str, custom[name].shape))
            lines.append(notices.NOT_USED.format(name=name, shape=shape))
    for name, rule in refused.items():
        value, label = _instead(state, name), PARAMETERS[name].label
        sentence = notices.REFUSED if label else notices.REFUSED_WITHOUT_LABEL
        if value in (None, ""):
            sentence = notices.REFUSED_WITHOUT_VALUE
        lines.append(sentence.format(name=name, rule=rule, value=as_text(value), label=label))
    if lines:
        st.container(key="notices").warning("  \n".join(lines))


def _instead(state: State, name: str) -> object:
    if name == EXAMPLE:
        return state.example
    return None if name in ("typed", "kept", "compare") else state.value(name)


def show_question(state: State) -> None:
    """Draw the strip with the question of the URL and its answer. `page.css` keeps it in sight beside the framed panel.

    Parameters
    ----------
    state : State
    """
    question, number = state.question, state.settings.question
    if question is None or number is None:
        return
    with st.container(key="question", horizontal=True, vertical_alignment="center"):
        with st.container(gap="xsmall"):
            st.markdown(f"**{in_symbols(question.asked)}**")
            st.text(in_symbols(question.answer))
        with st.container(width="content", horizontal=True, gap="xsmall"):
            st.page_link(PAGES["questions"].script, label=text.BACK, icon=":material/arrow_back:")
            if following := text.following(number):
                st.page_link(
                    PAGES[QUESTIONS[following - 1].page].script,
                    label=text.NEXT,
                    icon=":material/arrow_forward:",
                    query_params=text.link_of(following),
                )
