"""A test of ten exercises, and its result, which a link holds."""

from hashlib import sha256

import streamlit as st

from core.practice import Exercise, ten_exercises
from core.practice.exercise import ASKED
from core.practice.exercise_number_format import key_text
from core.practice.quiz import EXERCISES_PER_TEST, GradedAnswer, grade
from dashboard.controls import progress, widgets
from dashboard.controls.widgets import action, control
from dashboard.state import session
from dashboard.state.parameters import LONGEST_ANSWER, Answers
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.practice_questions import stages
from dashboard.text.words import enumerated, in_symbols
from dashboard.views.practice.feedback import read_answer, show_feedback
from dashboard.views.practice.links import START
from dashboard.views.practice.picture import numbered_question
from dashboard.views.practice.worksheet import draw_salt, kept_salt


def page(state: State) -> None:
    """Draw the test, or its result if the URL has the answers."""
    settings = state.settings
    st.markdown(text.TEST_TITLE)
    exercises = ten_exercises(settings.level, settings.test, kept_salt())
    if settings.answers is None:
        paper(state, exercises)
    else:
        result(state, grade(exercises, settings.answers.split(Answers.between)))
    progress.draw(exercise="test" if settings.answers is None else "result")


def paper(state: State, exercises: list[Exercise]) -> None:
    """Draw the ten exercises with their fields."""
    number, level = control(state, "test", optional=False), control(state, "level")
    settings_and_salt(state, [action("all_exercises", text.ALL, START), number, level])
    st.caption(text.ANSWERS_KEPT)
    # Another exercise has another field, which is empty.
    keys = [f"test {at} {one.kind} {one.seed} {one.level}" for at, one in enumerate(exercises, 1)]
    unread = []
    for at, (one, key, drafted) in enumerate(zip(exercises, keys, drafted_answers(state, keys)), 1):
        numbered_question(state, at, one)
        st.session_state.setdefault(key, drafted)
        label = text.ANSWER_TO.format(number=at)
        typed = st.text_input(label, key=key, max_chars=LONGEST_ANSWER, width=240, on_change=keep, args=(keys,))
        if (plain := in_url(typed)) and read_answer(plain, one) is None:
            unread.append(f"{at}")
    # The messages stand beside the button, which must not move while it is clicked, and are in view with it.
    with st.container(horizontal=True, vertical_alignment="center"):
        finished = st.button(text.FINISH, on_click=finish, args=(exercises, keys), type="primary")
        if finished and not any(typed_answers(keys)):
            st.info(text.EMPTY_FIELDS)
        if unread:
            st.error(text.CANNOT_READ.format(numbers=enumerated(unread)))


def settings_and_salt(state: State, controls: list[widgets.Control]) -> None:
    """Draw the settings, and a button that opens the field of the salt, because most tests have none."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width="content"):
            widgets.draw(state, "settings", controls)
        with st.popover(text.WITH_SALT), st.container(width=280):
            st.markdown(text.SALT_HELP)
            draw_salt()


def drafted_answers(state: State, keys: list[str]) -> list[str]:
    """Return the answers that the URL holds for these fields; empty ones if its answers belong to other exercises."""
    digest, *answers = (state.settings.draft or "").split(Answers.between)
    return answers if digest == digest_of(keys) else [""] * len(keys)


def digest_of(keys: list[str]) -> str:
    """Return a short digest of the exercises in which a salt cannot be read."""
    return sha256(" ".join(keys).encode()).hexdigest()[:8]


def keep(keys: list[str]) -> None:
    """Put the answers into the URL before they are checked, so that a reload and a way back show them again."""
    session.patch({"draft": Answers.between.join([digest_of(keys), *typed_answers(keys)])}, entry=False)


def finish(exercises: list[Exercise], keys: list[str]) -> None:
    """Put the answers into the URL to check them, unless there is none or one of them cannot be read."""
    typed = typed_answers(keys)
    if any(typed) and all(one.judgement or not one.typed for one in grade(exercises, typed)):
        session.patch({"answers": Answers.between.join(typed), "draft": None})


def typed_answers(keys: list[str]) -> list[str]:
    return [in_url(st.session_state[key]) for key in keys]


def in_url(typed: str) -> str:
    """Return a typed answer as the URL can hold it."""
    plain = typed.strip().replace(Answers.between, " ")
    return "".join(letter for letter in plain if letter.isprintable())[:LONGEST_ANSWER]


def result(state: State, graded: list[GradedAnswer]) -> None:
    """Draw the exercises with the answers and their marks. On paper nothing else stands."""
    again = action("again", text.AGAIN, {"answers": None})
    settings_and_salt(state, [action("all_exercises", text.ALL, START), again])
    st.markdown(f"{text.SEND_RESULT} {text.SEND_SALTED_RESULT if kept_salt() else text.ENTER_SALT}")
    with st.container(key="sheet"):
        right = sum(one.right for one in graded)
        settings = state.settings
        st.markdown(
            text.RESULT.format(right=right, many=EXERCISES_PER_TEST, level=settings.level, number=settings.test)
        )
        if ASKED[settings.level]:
            st.markdown(text.COUNTED.format(decimals=ASKED[settings.level]))
        st.markdown(text.numbers_by_grade(graded))
        for at, one in enumerate(graded, 1):
            with st.container(key=f"sheet_{at}"):
                numbered_question(state, at, one.exercise)
                st.text(text.YOUR_ANSWER.format(answer=one.typed or text.NO_ANSWER))
                _show_grade(one)


def _show_grade(graded: GradedAnswer) -> None:
    if graded.right:
        st.success(text.ALL_RIGHT)
        return
    one = graded.exercise
    if graded.judgement:
        show_feedback(one, graded.judgement)
    elif graded.typed:
        st.warning(text.UNREADABLE)
    st.text(text.answer_of_test(key_text(one), map(in_symbols, stages(one).values())))
