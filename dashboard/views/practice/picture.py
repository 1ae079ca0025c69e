"""The picture of an exercise: the given numbers, and the lines of an answer."""

from collections.abc import Mapping
from typing import TypeAlias

import streamlit as st

from core.cells.symbols import symbol
from core.practice import Exercise, Judgement, Mark
from core.practice.exercise import ASKED
from core.practice.exercise_number_format import decimals_of
from core.practice.solution_lines import solution_lines
from core.practice.whole_step import WholeStep
from core.practice.whole_step_lines import entries_behind, whole_step_lines
from dashboard.drawing import matrices
from dashboard.drawing.exercise_diagram import cell_diagram, is_in_diagram
from dashboard.drawing.matrices import Item
from dashboard.drawing.panels import as_picture, panel
from dashboard.drawing.picture_component import show
from dashboard.drawing.solution_lines import Decimals, computed, line_row, with_whole_numbers
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.practice_questions import question
from dashboard.text.words import in_symbols

Marks: TypeAlias = tuple[Mark, ...]
NO_MARKS: tuple[Marks, Marks] = ((), ())


def places_to_outline(one: Exercise, name: str, outlined: Marks) -> list[tuple[int | None, int | None]]:
    """Return the rows and columns of an array to outline; a mark in W_h is outlined in its parts W_hh and W_hx."""
    places = []
    for mark in outlined:
        if mark.symbol == name:
            places.append((mark.row, mark.column))
        elif mark.symbol == "W_h" and name in ("W_hh", "W_hx"):
            first = one.given["W_hh"].shape[1] if name == "W_hx" else 0
            if mark.column is None:
                places.append((mark.row, None))
            elif 0 <= mark.column - first < one.given[name].shape[1]:
                places.append((mark.row, mark.column - first))
    return places


def blocks(one: Exercise, *, used: Marks = (), meant: Marks = ()) -> list[Item]:
    """Return the given arrays with outlines around what was used and meant."""
    found = []
    for name, array in one.given.items():
        if array.ndim == 2:
            places = (places_to_outline(one, name, marks) for marks in (meant, used))
            found.append(matrices.exercise_matrix(symbol(name), array, *places))
    return found


def asked_entry(one: Exercise, *, solved: bool = False) -> list[Item]:
    """Return the asked entry as a blank, or solved; empty if the answer is no entry of an array."""
    asked, rows = one.asked, [array.shape[0] for array in one.given.values() if array.ndim == 2]
    if asked.row is None or not rows or isinstance(one.answer, tuple):
        return []
    # A matrix with one asked entry is square.
    shape = (max(rows), 1 if asked.column is None else max(rows))
    entry = (asked.row, asked.column or 0)
    decimals = decimals_in(one)
    answer = float(with_whole_numbers(one.answer, decimals))
    masked = matrices.masked(symbol(asked.symbol), shape, entry, answer if solved else None)
    return [matrices.op("→"), computed(masked, answer, decimals)]


def decimals_in(one: Exercise | WholeStep) -> Decimals:
    """Return the numbers of decimals in the picture of an exercise, which stay the same when an answer is checked."""
    return Decimals(decimals_of(one.given), ASKED[one.level])


def numbered_question(state: State, at: int, one: Exercise) -> None:
    """Draw a question of a test or of a sheet, with its given numbers."""
    st.text(text.QUESTION.format(number=at, question=in_symbols(question(one))))
    if found := [*blocks(one), *asked_entry(one)]:
        given = panel("", "", found, alt=text.GIVEN_IN_EXERCISE_ALT.format(number=at))
        show(as_picture([given], decimals=decimals_of(one.given), unit=0), state, key=f"picture_{at}")


def draw_numbers(state: State, one: Exercise, judgement: Judgement | None, *, solved: bool) -> None:
    """Draw the given numbers, the diagram of the cell if the kind has one, and the lines of the answer."""
    used, meant = one.marks.get(judgement.mistakes[0], NO_MARKS) if judgement and judgement.mistakes else NO_MARKS
    found = blocks(one, used=used, meant=meant)
    lines = lines_after(one, judgement, solved=solved)
    if not found:
        return
    instead = tuple(mark for mark in used if not any(is_within(mark, other) for other in meant))
    note = text.outlined(is_used=are_given(one, instead), is_needed=are_given(one, meant))
    if note and judgement and len(judgement.mistakes) > 1:
        note = text.OUTLINED_FIRST
    decimals = decimals_in(one)
    drawn = cell_diagram(one, state.threshold_fraction, decimals, solved=solved)
    if drawn:
        note = f"{note} {text.FRAMES.format(entry=(one.asked.row or 0) + 1)}".strip()
    if not is_in_diagram(one):
        found += asked_entry(one, solved=solved)
    alt = text.GIVEN_IN_DIAGRAM_ALT if drawn else text.GIVEN_ALT
    given = panel("", "", found, *([drawn] if drawn else []), alt=alt, note=note)
    after = [panel("", "", *lines, alt=text.LINES_ALT)] if lines else []
    # Below a diagram the lines would be out of sight.
    panels = [*after, given] if drawn else [given, *after]
    show(as_picture(panels, decimals=decimals.given, unit=(one.asked.row or 0) if drawn else 0), state)


def draw_whole_step(
    state: State, step: WholeStep, judgements: Mapping[str, Judgement], answers: Mapping[str, object]
) -> None:
    """Draw the given numbers of a whole step, and the lines of the entries that are judged."""
    decimals = decimals_in(step)
    wrong, right = [], []
    for name, judgement in judgements.items():
        mistake = judgement.mistakes[0] if judgement.mistakes else ""
        behind = entries_behind(step, name, answers, mistake)
        (meant,) = whole_step_lines(step, name, behind)
        if judgement.right:
            right.append(line_row(meant, "", decimals))
        for used in whole_step_lines(step, name, behind, mistake) if mistake else ():
            wrong.append(line_row(used, used_label(judgement), decimals))
            wrong.append(line_row(meant, text.MEANT_LINE, decimals, blank=True))
    # The lines stand in pairs where there is room.
    lines = [*wrong, *right]
    first = next(iter(step.parts.values()))
    given = panel("", "", blocks(first)[: len(step.given)], alt=text.GIVEN_ALT)
    after = [panel("", "", *lines, alt=text.LINES_ALT)] if lines else []
    show(as_picture([given, *after], decimals=decimals.given, unit=0), state)


def used_label(judgement: Judgement) -> str:
    """Return the word before the line of the first mistake."""
    return text.USED_LINE if len(judgement.mistakes) == 1 else text.MAYBE_USED_LINE


def is_within(mark: Mark, other: Mark) -> bool:
    """Whether a mark is a part of another one."""
    return mark.symbol == other.symbol and other.row in (None, mark.row) and other.column in (None, mark.column)


def are_given(one: Exercise, marks: Marks) -> bool:
    """Whether marks outline something in a given array."""
    return any(places_to_outline(one, name, marks) for name, array in one.given.items() if array.ndim == 2)


def lines_after(one: Exercise, judgement: Judgement | None, *, solved: bool) -> list[list[Item]]:
    """Return the lines of a right answer; of a mistake the line where it first differs, beside the one that was meant."""
    meant, decimals = solution_lines(one), decimals_in(one)
    if judgement and judgement.mistakes:
        for used, right in zip(solution_lines(one, judgement.mistakes[0]), meant, strict=False):
            if used != right:
                return [
                    line_row(used, used_label(judgement), decimals),
                    line_row(right, text.MEANT_LINE, decimals, blank=not solved),
                ]
    return [line_row(line, "", decimals) for line in meant] if solved else []
