"""The feedback on an answer, in sentences."""

from collections.abc import Mapping, Sequence
from math import ceil, isfinite
from typing import Literal

import streamlit as st

from core.practice import Exercise, Judgement, Outcome, UnreadableAnswer, parse_answer_to
from core.practice.exercise_number_format import format_number
from dashboard.text import practice as text
from dashboard.text.mistakes import explain
from dashboard.text.plural import fill
from dashboard.text.practice_questions import STAGE_NAMES, stages
from dashboard.text.typed_answers import unreadable
from dashboard.text.words import in_symbols, listed

# The page shows no more mistakes of one number.
MOST_MISTAKES = 3


def show_feedback(one: Exercise, judgement: Judgement, then: str = "") -> None:
    """Show the judgement on an answer; after a right one, also what Enter does."""
    if judgement.right:
        st.success(f"{text.RIGHT.format(how=in_symbols(list(stages(one).values())[-1]))} {then}".strip())
    elif judgement.code != Outcome.NAMED:
        st.warning(sentence(one, judgement))
    else:
        shown = mistakes_to_show(judgement.mistakes)
        if len(shown) < len(judgement.mistakes):
            st.markdown(text.MANY.format(shown=len(shown), many=len(judgement.mistakes)))
        elif len(shown) > 1:
            st.markdown(text.SEVERAL)
        for mistake in shown:
            st.warning(in_symbols(explain(one, mistake)))


def mistakes_to_show(mistakes: Sequence[str]) -> Sequence[str]:
    """Return all mistakes that give a number, or if they are many some of different codes, the likeliest first."""
    if len(mistakes) <= MOST_MISTAKES:
        return mistakes
    by_code = {mistake.partition(":")[0]: mistake for mistake in reversed(mistakes)}
    return [mistake for mistake in mistakes if mistake in by_code.values()][:MOST_MISTAKES]


def show_feedback_on_parts(parts: Mapping[str, Exercise], judgements: Mapping[str, Judgement], then: str) -> None:
    """Show the judgements on the entries of a whole step: a line for each mistake, and one for all right and all unknown entries.

    Parameters
    ----------
    parts : mapping from str to Exercise
    judgements : mapping from str to Judgement
        By the names of `parts`; some may be missing.
    then : str
        What Enter does if all entries are right.
    """
    right = [name for name, judgement in judgements.items() if judgement.right]
    unknown = [name for name, judgement in judgements.items() if judgement.code == Outcome.UNKNOWN]
    for name, judgement in judgements.items():
        if name not in (*right, *unknown):
            place: Literal["top", "center"] = "top" if len(judgement.mistakes) > 1 else "center"
            with st.container(horizontal=True, vertical_alignment=place):
                st.markdown(f"**{in_symbols(name)}**", width=40)
                with st.container():
                    show_feedback(parts[name], judgement)
    if unknown:
        st.warning(text.UNKNOWN_PARTS.format(parts=listed(map(in_symbols, unknown))))
        compare({name: parts[name] for name in unknown})
    if right:
        is_all = len(right) == len(parts)
        st.success(f"{text.RIGHT_PARTS.format(parts=listed(map(in_symbols, right)))} {then if is_all else ''}".strip())


def sentence(one: Exercise, judgement: Judgement) -> str:
    """Return what the page says of an answer that is neither right nor a named mistake."""
    codes = list(one.stages)
    match judgement.code:
        case Outcome.NEAR:
            return text.CLOSE.format(bound=ceil(1000 * one.near) / 1000)
        case Outcome.ROUNDED:
            return text.ROUNDED.format(decimals=judgement.decimals)
        case Outcome.UNROUNDED:
            return text.UNROUNDED
        case Outcome.CUT:
            return text.CUT.format(decimals=judgement.decimals)
        case Outcome.FOLLOWS:
            return text.FOLLOWS.format(earlier=listed(map(in_symbols, judgement.earlier)))
        case Outcome.REACHED:
            following = codes[codes.index(judgement.stage) + 1]
            return text.REACHED.format(stage=STAGE_NAMES[judgement.stage], following=STAGE_NAMES[following])
        case Outcome.ROUNDED_EARLY:
            return fill(text.ROUNDED_EARLY, {"decimals": judgement.decimals})
        case Outcome.BEYOND:
            low, high = one.bounds[judgement.stage]
            words = text.BEYOND if isfinite(high) else text.BEYOND_LOW
            return words.format(
                stage=STAGE_NAMES[judgement.stage],
                low=format_number(low),
                high=format_number(high) if isfinite(high) else "",
            )
        case Outcome.NOT_WHOLE:
            is_large = not isinstance(one.answer, tuple) and abs(one.answer) >= 1000
            return f"{text.NOT_WHOLE} {text.SEPARATED}" if is_large else text.NOT_WHOLE
        case Outcome.OTHER_COUNT:
            return fill(text.OTHER_COUNT, {"many": judgement.many})
        case Outcome.PARTLY:
            asked = one.answer if isinstance(one.answer, tuple) else (one.answer,)
            return fill(text.PARTLY, {"many": judgement.many, "asked": len(asked)})
    return text.UNKNOWN if len(codes) > 1 else text.UNKNOWN_AT_ONCE


def compare(parts: Mapping[str, Exercise]) -> None:
    """Draw the stages before the last one, for a reader whose answer is unknown.

    Parameters
    ----------
    parts : mapping from str to Exercise
        By the names of the entries of a whole step; a single exercise needs no name.
    """
    rows = [
        ({text.COMPARED_PART: in_symbols(part)} if part else {})
        | {text.COMPARED_STAGE: stage, text.COMPARED_NUMBERS: in_symbols(numbers)}
        for part, one in parts.items()
        for stage, numbers in list(stages(one).items())[:-1]
    ]
    if rows:
        with st.expander(text.COMPARE):
            st.table(rows)


def read_answer(typed: str, one: Exercise, name: str = "") -> object:
    """Return a typed answer; show an error, with the name of an entry of a whole step, if it cannot be read."""
    try:
        return parse_answer_to(one, typed)
    except UnreadableAnswer as error:
        st.error(f"**{in_symbols(name)}**: {unreadable(error)}" if name else unreadable(error))
        return None
