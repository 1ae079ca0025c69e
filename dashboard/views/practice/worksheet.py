"""Worksheets for a class, and the salt."""

from functools import partial

import streamlit as st

from core.practice import Exercise, exercise
from core.practice.exercise_number_format import key_text
from dashboard.state.parameters import EXERCISES
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.practice_questions import stages
from dashboard.text.practice_sheets import MOST_EXERCISES, to_csv, to_latex, to_moodle
from dashboard.text.words import in_symbols
from dashboard.views.practice.links import Asked
from dashboard.views.practice.picture import numbered_question


def kept_salt() -> str:
    """Return the salt of this session, which is in no link."""
    # Under a key of its own, because Streamlit drops the value of a widget when its page is left.
    salt: str = st.session_state.get("kept_salt", "")
    return salt


def keep_salt() -> None:
    st.session_state.kept_salt = st.session_state.salt


def draw_salt(help: str | None = None) -> None:
    """Draw the field of the salt."""
    # A field of type "password" looks like a login, and browsers offer stored passwords there, whatever `autocomplete` says.
    st.text_input(text.SALT, kept_salt(), key="salt", autocomplete="off", width=220, on_change=keep_salt, help=help)


def print_sheet(state: State, kind: str, sheet: list[Exercise]) -> None:
    """Draw a sheet of exercises with their pictures, and the key on its own page."""
    with st.container(key="sheet"):
        st.markdown(text.SHEET.format(kind=EXERCISES[kind]))
        st.text(text.NAME_LINE)
        for at, one in enumerate(sheet, 1):
            with st.container(key=f"sheet_{at}"):
                numbered_question(state, at, one)
                st.text(text.ANSWER_LINE)
        with st.container(key="sheet_key"):
            st.markdown(text.KEY)
            for at, one in enumerate(sheet, 1):
                st.text(text.answer_of_key(at, key_text(one), map(in_symbols, stages(one).values())))


def for_teachers(state: State, asked: Asked) -> None:
    """Draw the panel that makes sheets of exercises."""
    kind, level, seed, salt = asked
    to_print: list[Exercise] = []
    with st.expander(text.TEACHERS):
        st.markdown(text.TEACHERS_TEXT)
        draw_salt(text.SALT_OF_SHEET_HELP)
        many = st.number_input(text.HOW_MANY, 1, MOST_EXERCISES, 10, key="many", width=160)
        if kind == "chain":
            st.caption(text.NO_SHEET)
        else:
            sheet = [exercise(kind, level, seed + more, salt) for more in range(many)]
            with st.container(horizontal=True):
                name = f"cellscope-{kind}-{level}-{seed}{'-salted' if salt else ''}"
                st.download_button(text.LATEX, partial(to_latex, sheet, key=False), f"{name}.tex", on_click="ignore")
                st.download_button(
                    text.LATEX_WITH_KEY, partial(to_latex, sheet, key=True), f"{name}-key.tex", on_click="ignore"
                )
                st.download_button(text.MOODLE, partial(to_moodle, sheet), f"{name}.xml", on_click="ignore")
                st.download_button(text.CSV, partial(to_csv, sheet), f"{name}.csv", on_click="ignore")
            if st.toggle(text.PRINT, key="printed", help=text.PRINT_HELP):
                to_print = sheet
    if to_print:
        print_sheet(state, kind, to_print)
