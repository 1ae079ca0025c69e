"""The start of practice: a map of all kinds and levels, five exercises for today, and tests."""

from typing import Any

import streamlit as st

from core.practice import KINDS, LEVELS, exercise
from core.practice.exercise import have_same_answer
from core.practice.progress import (
    DAILY_EXERCISES,
    FULL_TILE,
    ExerciseId,
    Tiles,
    Why,
    five_entry,
    five_for,
    next_number,
    unsolved,
    why_chosen,
    with_other_answers,
)
from dashboard.controls import progress
from dashboard.controls.progress import BrowserProgress
from dashboard.state.parameters import EXERCISES
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.words import enumerated
from dashboard.views.practice.links import Patch, first_seed, to_exercise, to_task, to_test
from dashboard.views.practice.worksheet import kept_salt


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.INTRODUCTION)
    sent = progress.browser_progress()
    if not sent.is_kept:
        st.info(text.NOT_KEPT)
    progress.draw(chart(state, sent), exercise="start")


def chart(state: State, sent: BrowserProgress) -> dict[str, Any]:
    """Return the map as the browser draws it."""
    has_progress = bool(sent.progress.tiles or sent.progress.five)
    return {
        "today": _today(state, sent),
        "test": {"label": text.TEST, "links": [_to_test(sent, level) for level in LEVELS]},
        "levels": [text.LEVEL.format(level=level) for level in LEVELS],
        "kinds": [
            {"label": label, "tiles": [_tile(state, sent, kind, level) for level in LEVELS]}
            for kind, label in EXERCISES.items()
        ],
        "forget": {"label": text.FORGET, "again": text.FORGET_AGAIN} if has_progress else None,
    }


def five_today(state: State, sent: BrowserProgress) -> tuple[ExerciseId, ...]:
    """Return the five exercises of today: those that the browser has started, or else new ones."""
    return sent.progress.five if sent.progress.day == sent.day else new_five(state, sent)


def new_five(state: State, sent: BrowserProgress) -> tuple[ExerciseId, ...]:
    """Return five exercises, chosen from the progress of now, with five different answers."""
    salt, tiles = kept_salt(), sent.progress.tiles

    def are_alike(one: ExerciseId, other: ExerciseId) -> bool:
        return have_same_answer(exercise(*one, salt), exercise(*other, salt))

    return with_other_answers(five_for(tiles, tuple(KINDS), sent.day, first_seed(state)), tiles, are_alike)


def _today(state: State, sent: BrowserProgress) -> dict[str, Any]:
    if not sent.day:
        return {"label": text.TODAY, "done": 0, "of": DAILY_EXERCISES, "links": [], "chosen": []}
    five = five_today(state, sent)
    left = unsolved(five, sent.progress.tiles)
    label = text.START if len(left) == len(five) else text.CONTINUE if left else text.FIVE_MORE
    offered = five if left else new_five(state, sent)
    waiting = unsolved(offered, sent.progress.tiles)
    return {
        "label": text.TODAY if left else text.TODAY_DONE,
        "done": len(five) - len(left),
        "of": len(five),
        "links": [_link(label, to_task(waiting[0]), keep={"five": five_entry(sent.day, offered)})],
        "chosen": chosen(waiting, sent.progress.tiles),
    }


def chosen(tasks: list[ExerciseId], tiles: Tiles) -> list[str]:
    """Return why the page has chosen these exercises: a sentence for each reason."""
    kinds: dict[Why, list[str]] = {}
    for kind, level, _ in tasks:
        why = why_chosen(tiles, kind, level)
        name = EXERCISES[kind] if why == Why.NEW else text.KIND_AT_LEVEL.format(kind=EXERCISES[kind], level=level)
        kinds.setdefault(why, []).append(name)
    return [sentence.format(kinds=enumerated(kinds[why])) for why, sentence in text.CHOSEN.items() if why in kinds]


def _to_test(sent: BrowserProgress, level: int) -> dict[str, Any]:
    # Each day has its own test. The day is 0 until the browser has sent it.
    return _link(text.LEVEL.format(level=level), to_test(level, sent.day or 1))


def _tile(state: State, sent: BrowserProgress, kind: str, level: int) -> dict[str, Any]:
    tile = sent.progress.tiles.get((kind, level))
    filled = min(len(tile.solved), FULL_TILE) if tile else 0
    name = text.TILE.format(kind=EXERCISES[kind], level=level, filled=filled, full=FULL_TILE)
    link = _link("", to_exercise(kind, level, next_number(tile, first_seed(state))), name)
    return {"filled": filled, "of": FULL_TILE, "link": link}


def _link(label: str, changes: Patch, name: str = "", keep: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"label": label, "name": name, "changes": changes, "keep": keep or {}}
