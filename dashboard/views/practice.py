"""Practice: you predict a number, and the page names the mistake in a wrong answer."""

from math import ceil, isfinite
from typing import Any, NamedTuple

import streamlit as st

from core.cells.symbols import symbol
from core.practice import (
    LEVELS,
    Exercise,
    Judged,
    Mark,
    Verdict,
    chain,
    exercise,
    explain,
    judge,
    judge_chain,
    parse_answer,
)
from core.practice.exercise import ASKED
from core.practice.number_text import decimals_of, written
from core.practice.working import working
from core.practice.worksheet import MOST, key_text, to_csv, to_latex, to_moodle
from dashboard.controls import widgets
from dashboard.controls.widgets import action, control, select
from dashboard.drawing import items
from dashboard.drawing.items import Item
from dashboard.drawing.panels import as_picture, panel
from dashboard.drawing.screen import patches, show
from dashboard.drawing.working import line_row
from dashboard.state import session
from dashboard.state.parameters import EXERCISES, PARAMETERS
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.words import in_symbols

# So many right answers in a row offer the next level.
TWO = 2


class Asked(NamedTuple):
    """The exercise of the page.

    Attributes
    ----------
    kind : str
        A name of EXERCISES.
    level : int
    seed : int
        From the seed and the number in the URL.
    salt : str
        A teacher's text, which is in no link.
    """

    kind: str
    level: int
    seed: int
    salt: str


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.INTRODUCTION)
    widgets.draw(state, "settings", [_kinds(state), control(state, "level"), control(state, "number")])
    asked = _asked(state)
    start(asked)
    if asked.kind == "chain":
        whole_step(state, asked)
    else:
        one_exercise(state, asked)
    patches("practice")
    tell_score(st.session_state.score)
    for_teachers(state, asked)


def start(asked: Asked) -> None:
    """Let another exercise start with an empty field and closed hints, and another kind or level with no right answers in a row."""
    score = st.session_state.setdefault("score", {"first": 0, "done": 0, "in_a_row": 0})
    before: Asked | None = st.session_state.get("exercise")
    if before == asked:
        return
    if before and (before.kind, before.level) != (asked.kind, asked.level):
        score["in_a_row"] = 0
    st.session_state.exercise = asked
    st.session_state.tried = {"answers": [], "stages": 0, "solved": False, "checked": False}
    # The field is the same in all exercises, so that the focus stays in it. An empty one is left alone: the learner may be typing.
    if st.session_state.get("typed_answer"):
        st.session_state.typed_answer = ""


def _kinds(state: State) -> widgets.Control:
    found = select(state, "kind", EXERCISES)
    for option in found["options"]:
        option["patch"] = {"kind": option["value"], "number": None}
    return found


def _asked(state: State) -> Asked:
    settings = state.settings
    # Under a key of its own, because Streamlit drops the value of a widget when its page is left.
    salt = st.session_state.get("kept_salt", "")
    return Asked(settings.kind, settings.level, state.seed * 1000 + settings.number, salt)


def keep_salt() -> None:
    st.session_state.kept_salt = st.session_state.salt


def marked(one: Exercise, name: str, outlined: tuple[Mark | None, ...]) -> list[tuple[int | None, int | None]]:
    """Return the rows and columns of an array to outline; a mark in W_h is outlined in its parts W_hh and W_hx."""
    places = []
    for mark in filter(None, outlined):
        if mark.symbol == name:
            places.append((mark.row, mark.column))
        elif mark.symbol == "W_h" and name in ("W_hh", "W_hx"):
            first = one.given["W_hh"].shape[1] if name == "W_hx" else 0
            if mark.column is None:
                places.append((mark.row, None))
            elif 0 <= mark.column - first < one.given[name].shape[1]:
                places.append((mark.row, mark.column - first))
    return places


def blocks(one: Exercise, *, outlined: tuple[Mark | None, ...] = (), solved: bool = False) -> list[Item]:
    """Return the given arrays, and the asked entry as a blank."""
    found = []
    for name, array in one.given.items():
        if array.ndim == 2:
            found.append(items.exercise_matrix(symbol(name), array, marked(one, name, outlined)))
    asked = one.asked
    if asked.row is not None and found and not isinstance(one.answer, tuple):
        rows = max(array.shape[0] for array in one.given.values() if array.ndim == 2)
        # A matrix with one asked entry is square.
        shape = (rows, 1 if asked.column is None else rows)
        entry = (asked.row, asked.column or 0)
        found += [
            items.op("→"),
            items.masked(symbol(asked.symbol), shape, entry, one.answer if solved else None),
        ]
    return found


def count(one: Exercise, verdict: Verdict) -> None:
    """Count an answer in the score of this session."""
    score, tried = st.session_state.score, st.session_state.tried
    if not verdict.right:
        score["in_a_row"] = 0
    elif not tried["solved"]:
        score["done"] += 1
        score["first"] += not tried["answers"] and not tried["stages"]
        score["in_a_row"] += 1
        tried["solved"] = True


def tell_verdict(one: Exercise, verdict: Verdict) -> None:
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


def following(number: int) -> dict[str, str | None]:
    """Return the patch that leads to the next exercise."""
    return {"number": f"{min(number + 1, int(PARAMETERS['number'].high))}"}


def submit(number: int) -> None:
    """Note that the learner has pressed Enter; the second time at a right answer, go on to the next exercise."""
    tried = st.session_state.tried
    if tried["solved"] and tried["answers"][-1:] == [st.session_state.typed_answer]:
        session.patch(following(number), entry=False)
        st.session_state.typed_answer = ""
    else:
        tried["checked"] = True


def one_exercise(state: State, asked: Asked) -> None:
    """Draw a question with one answer field, the verdict beside it, and the picture."""
    one, tried = exercise(*asked), st.session_state.tried
    verdict = None
    with st.form("answer", border=False):
        st.text(in_symbols(one.question))
        with st.container(horizontal=True, vertical_alignment="bottom", key="answering"):
            typed = st.text_input(text.ANSWER, key="typed_answer", help=text.ANSWER_HELP, width=240)
            st.form_submit_button(text.CHECK, on_click=submit, args=(state.settings.number,))
            with st.container(key="verdict"):
                checked, tried["checked"] = tried["checked"], False
                if checked and not typed.strip():
                    st.info(text.EMPTY)
                elif typed and (answer := read(typed, one)) is not None:
                    verdict = judge(one, answer)
                    if checked:
                        count(one, verdict)
                        tried["answers"].append(typed)
                    tell_verdict(one, verdict)
    if verdict and verdict.code == Judged.UNKNOWN:
        compare(one)
    buttons(state)
    for name, stage in list(one.stages.items())[: tried["stages"]]:
        st.text(text.STAGE.format(stage=name, text=in_symbols(stage)))
    solved = tried["solved"] or tried["stages"] >= len(one.stages)
    draw_numbers(state, one, verdict, solved=solved)


def draw_numbers(state: State, one: Exercise, verdict: Verdict | None, *, solved: bool) -> None:
    """Draw the given numbers, and below them the lines of the answer."""
    outlined: tuple[Mark | None, ...] = ()
    if verdict and verdict.mistakes:
        outlined = one.marks.get(verdict.mistakes[0], ())
    found, lines = blocks(one, outlined=outlined, solved=solved), lines_after(one, verdict, solved=solved)
    if not found:
        return
    note = text.OUTLINED if any(mark for mark in outlined if marks_given(one, mark)) else ""
    given = panel("", "", found, *lines, alt=text.GIVEN_ALT, note=note)
    decimals = max(decimals_of(one.given), ASKED[one.level]) if lines or solved else decimals_of(one.given)
    show(as_picture([given], decimals=decimals, unit=0), state)


def marks_given(one: Exercise, mark: Mark | None) -> bool:
    """Whether a mark outlines something in a given array."""
    return any(marked(one, name, (mark,)) for name, array in one.given.items() if array.ndim == 2)


def lines_after(one: Exercise, verdict: Verdict | None, *, solved: bool) -> list[list[Item]]:
    """Return the lines of a right answer; of a mistake the line where it first differs, beside the one that was meant."""
    meant = working(one)
    if verdict and verdict.mistakes:
        for used, right in zip(working(one, verdict.mistakes[0]), meant, strict=False):
            if used != right:
                return [line_row(used, text.USED_LINE), line_row(right, text.MEANT_LINE, blank=not solved)]
    return [line_row(line, "") for line in meant] if solved else []


def whole_step(state: State, asked: Asked) -> None:
    """Draw a whole step of an LSTM; later entries are marked from the reader's own earlier ones."""
    all_of_it, tried = chain(asked.level, asked.seed, asked.salt), st.session_state.tried
    first = next(iter(all_of_it.parts.values()))
    with st.form("answer", border=False):
        st.text(in_symbols(all_of_it.question))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            typed = {
                name: st.text_input(in_symbols(name), key=f"typed {name} {tuple(asked)}", width=110)
                for name in all_of_it.parts
            }
            checked = st.form_submit_button(text.CHECK)
    answers = {
        name: answer
        for name, entered in typed.items()
        if entered and (answer := read(entered, all_of_it.parts[name])) is not None
    }
    verdicts = judge_chain(all_of_it, answers)
    for name, verdict in verdicts.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{in_symbols(name)}**", width=40)
            if verdict.right:
                st.success(text.ALL_RIGHT)
            else:
                tell_verdict(all_of_it.parts[name], verdict)
    if checked and answers:
        tried["answers"].append("")
        if len(answers) == len(all_of_it.parts) and all(verdict.right for verdict in verdicts.values()):
            count(first, Verdict(Judged.RIGHT))
    buttons(state)
    stages = [
        text.STAGE_OF_PART.format(part=name, stage=stage, text=solution)
        for name, part in all_of_it.parts.items()
        for stage, solution in part.stages.items()
    ]
    for line in stages[: tried["stages"]]:
        st.text(in_symbols(line))
    given = panel("", "", blocks(first)[: len(all_of_it.given)], alt=text.GIVEN_ALT)
    show(as_picture([given], decimals=decimals_of(all_of_it.given), unit=0), state)


def hint(stages: int) -> None:
    st.session_state.tried["stages"] += stages


def buttons(state: State) -> None:
    """Draw the buttons below the answer; the next level is offered after two right answers in a row."""
    level = state.settings.level
    ahead = [action("next", text.NEXT, following(state.settings.number), inPlace=True)]
    if level < LEVELS[-1] and st.session_state.score["in_a_row"] >= TWO:
        label = text.NEXT_LEVEL.format(level=level + 1)
        ahead.append(action("next_level", label, {"level": str(level + 1), "number": None}, inPlace=True))
    with st.container(horizontal=True):
        st.button(text.HINT, on_click=hint, args=(1,), help=text.HINT_HELP)
        st.button(text.SOLUTION, on_click=hint, args=(100,))
        widgets.draw(state, "next", ahead)


def print_sheet(state: State, kind: str, sheet: list[Exercise]) -> None:
    """Draw a sheet of exercises with their pictures, and the key on its own page."""
    with st.container(key="sheet"):
        st.markdown(text.SHEET.format(kind=EXERCISES[kind]))
        st.text(text.NAME_LINE)
        for at, one in enumerate(sheet, 1):
            with st.container(key=f"sheet_{at}"):
                st.text(text.QUESTION.format(number=at, question=in_symbols(one.question)))
                if found := blocks(one):
                    given = panel("", "", found, alt=text.GIVEN_IN_EXERCISE_ALT.format(number=at))
                    drawing = as_picture([given], decimals=decimals_of(one.given), unit=0)
                    show(drawing, state, key=f"picture_{at}")
                st.text(text.ANSWER_LINE)
        with st.container(key="sheet_key"):
            st.markdown(text.KEY)
            for at, one in enumerate(sheet, 1):
                st.text(text.answer_of_key(at, key_text(one), map(in_symbols, one.stages.values())))


def tell_score(score: dict[str, Any]) -> None:
    """Show the score of this session, once something is solved."""
    if score["done"]:
        st.text(text.score(score["done"], score["first"]))


def for_teachers(state: State, asked: Asked) -> None:
    """Draw the panel that makes sheets of exercises."""
    kind, level, seed, salt = asked
    to_print: list[Exercise] = []
    with st.expander(text.TEACHERS):
        st.markdown(text.TEACHERS_TEXT)
        st.text_input(text.SALT, salt, key="salt", type="password", width=220, on_change=keep_salt)
        many = st.number_input(text.HOW_MANY, 1, MOST, 10, key="many", width=160)
        if kind == "chain":
            st.caption(text.NO_SHEET)
        else:
            sheet = [exercise(kind, level, seed + more, salt) for more in range(many)]
            with st.container(horizontal=True):
                name = f"cellscope-{kind}-{level}-{seed}{'-salted' if salt else ''}"
                st.download_button(text.LATEX, to_latex(sheet, key=False), f"{name}.tex", on_click="ignore")
                st.download_button(text.LATEX_WITH_KEY, to_latex(sheet, key=True), f"{name}-key.tex", on_click="ignore")
                st.download_button(text.MOODLE, to_moodle(sheet), f"{name}.xml", on_click="ignore")
                st.download_button(text.CSV, to_csv(sheet), f"{name}.csv", on_click="ignore")
            if st.toggle(text.PRINT, key="printed", help=text.PRINT_HELP):
                to_print = sheet
    if to_print:
        print_sheet(state, kind, to_print)
