"""Predict first: the page hides the output of the selected unit until the reader enters it."""

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

import streamlit as st

from core.practice import UnreadableAnswer, parse_answer
from dashboard.state.state import State
from dashboard.text import predict as text
from dashboard.text.plural import fill
from dashboard.text.typed_answers import unreadable


class Prediction(NamedTuple):
    """The output to predict.

    Attributes
    ----------
    output : str
        Its name on the screen.
    unit : int
        Counted from 1.
    truth : float
    """

    output: str
    unit: int
    truth: float


def revealed(prediction: Callable[[State], Prediction], solved: Prediction | None, state: State) -> State:
    """Return the state without `predict` if its output is the one that the reader has predicted.

    Parameters
    ----------
    prediction : callable
        Returns the output that a state hides.
    solved : Prediction, optional
        The last right one.
    state : State
    """
    is_solved = solved is not None and state.settings.predict and prediction(state) == solved
    return state.with_settings(predict=False) if is_solved else state


def ask(state: State, asked: Prediction) -> bool:
    """Draw the answer field, and return whether the answer is right.

    Parameters
    ----------
    state : State
    asked : Prediction
    """
    # Other numbers need an empty field. The key is a digest because the browser shows it to anybody who looks.
    key = f"predicted {sha256(f'{asked.output} {asked.unit} {asked.truth!r}'.encode()).hexdigest()[:12]}"
    digits = max(state.decimals, 2)  # with no decimals, 0 would be right for most outputs of tanh
    typed = st.text_input(
        fill(text.ANSWER, {"output": asked.output, "unit": asked.unit, "digits": digits}), key=key, width=240
    )
    if not typed:
        return False
    try:
        answer = parse_answer(typed)
    except UnreadableAnswer as error:
        st.error(unreadable(error))
        return False
    if isinstance(answer, tuple) or abs(answer - asked.truth) > 1.001 * 10.0**-digits:
        st.warning(text.WRONG)
        return False
    st.success(text.RIGHT)
    return True
