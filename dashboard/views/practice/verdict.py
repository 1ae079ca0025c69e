"""The verdict on an answer, in sentences."""

from math import ceil, isfinite

import streamlit as st

from core.practice import Exercise, Judged, Verdict, parse_answer
from core.practice.exercise_numbers import written
from dashboard.text import practice as text
from dashboard.text.mistakes import explain
from dashboard.text.plural import fill
from dashboard.text.words import in_symbols


def show_verdict(one: Exercise, verdict: Verdict) -> None:
    """Show the verdict on an answer."""
    if verdict.right:
        st.success(text.RIGHT.format(how=in_symbols(list(one.stages.values())[-1])))
    elif verdict.code != Judged.NAMED:
        st.warning(sentence(one, verdict))
    else:
        if len(verdict.mistakes) > 1:
            st.markdown(text.SEVERAL)
        for mistake in verdict.mistakes:
            st.warning(in_symbols(explain(one, mistake)))


def sentence(one: Exercise, verdict: Verdict) -> str:
    """Return what the page says of an answer that is neither right nor a named mistake."""
    stages = list(one.stages)
    match verdict.code:
        case Judged.NEAR:
            return text.CLOSE.format(bound=ceil(1000 * one.near) / 1000)
        case Judged.ROUNDED:
            return text.ROUNDED.format(decimals=verdict.decimals)
        case Judged.REACHED:
            following = stages[stages.index(verdict.stage) + 1]
            return text.REACHED.format(stage=verdict.stage, following=following)
        case Judged.BEYOND:
            low, high = one.bounds[verdict.stage]
            words = text.BEYOND if isfinite(high) else text.BEYOND_LOW
            return words.format(stage=verdict.stage, low=written(low), high=written(high) if isfinite(high) else "")
        case Judged.NOT_WHOLE:
            return text.NOT_WHOLE
        case Judged.OTHER_COUNT:
            return fill(text.OTHER_COUNT, {"many": verdict.many})
        case Judged.PARTLY:
            asked = one.answer if isinstance(one.answer, tuple) else (one.answer,)
            return fill(text.PARTLY, {"many": verdict.many, "asked": len(asked)})
    return text.UNKNOWN if len(stages) > 1 else text.UNKNOWN_AT_ONCE


def compare(one: Exercise) -> None:
    """Draw the stages before the last one, for a reader whose answer is unknown."""
    stages = list(one.stages.items())[:-1]
    if stages:
        with st.expander(text.COMPARE):
            titles = (text.COMPARED_STAGE, text.COMPARED_NUMBERS)
            st.table([dict(zip(titles, (name, in_symbols(stage)), strict=True)) for name, stage in stages])


def read(typed: str, one: Exercise) -> object:
    """Return a typed answer; show an error if it cannot be read, and count nothing."""
    try:
        answer = parse_answer(typed, whole=isinstance(one.answer, tuple))
    except ValueError as error:
        st.error(str(error))
        return None
    return answer
