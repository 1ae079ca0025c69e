"""Practice: you predict a number, and the page names the mistake in a wrong answer."""

from math import ceil
from typing import Any, NamedTuple

import streamlit as st

from core.cells.symbols import symbol
from core.practice import Exercise, Mark, Verdict, chain, exercise, explain, judge, judge_chain, parse_answer
from core.practice.exercise import ROUNDING
from core.practice.number_text import decimals_of
from core.practice.worksheet import MOST, key_text, to_csv, to_latex, to_moodle
from dashboard.controls import widgets
from dashboard.controls.widgets import action, control, select
from dashboard.drawing import items
from dashboard.drawing.items import Item
from dashboard.drawing.panels import as_picture, panel
from dashboard.drawing.screen import show
from dashboard.state.parameters import EXERCISES, PARAMETERS
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.words import in_symbols

# Of the mistakes of a session, the most frequent ones are listed.
MOST_LISTED = 4


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
    st.session_state.setdefault("score", {"first": 0, "done": 0, "mistakes": {}, "wrong": {}})
    # The answers and the open hints of this exercise; another exercise starts without them.
    if st.session_state.get("exercise") != asked:
        st.session_state.exercise, st.session_state.tried = asked, {"answers": [], "stages": 0, "solved": False}
    if asked.kind == "chain":
        whole_step(state, asked)
    else:
        one_exercise(state, asked)
    tell_score(st.session_state.score)
    for_teachers(state, asked)


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
    if verdict.right and not tried["solved"]:
        score["done"] += 1
        score["first"] += not tried["answers"] and not tried["stages"]
        tried["solved"] = True
    if not verdict.right:
        score["wrong"][one.kind] = score["wrong"].get(one.kind, 0) + 1
    for mistake in verdict.mistakes:
        name = mistake.partition(":")[0]
        score["mistakes"][name] = score["mistakes"].get(name, 0) + 1


def tell_verdict(one: Exercise, verdict: Verdict) -> None:
    """Show the verdict on an answer."""
    if verdict.right:
        st.success(text.RIGHT)
        return
    if verdict.check == ROUNDING:
        st.warning(text.CLOSE.format(bound=ceil(1000 * one.near) / 1000))
        return
    if not verdict.mistakes:
        st.warning(text.UNKNOWN.format(stage=verdict.check))
        return
    if len(verdict.mistakes) > 1:
        st.markdown(text.SEVERAL)
    for mistake in verdict.mistakes:
        st.warning(in_symbols(explain(one, mistake)))


def read(typed: str, one: Exercise) -> object:
    """Return a typed answer; show an error if it cannot be read, and count nothing."""
    try:
        answer = parse_answer(typed, whole=isinstance(one.answer, tuple))
    except ValueError as error:
        st.error(str(error))
        return None
    return answer


def one_exercise(state: State, asked: Asked) -> None:
    """Draw a question, its picture and one answer field."""
    one, tried = exercise(*asked), st.session_state.tried
    drawing = st.container()
    with st.form("answer", border=False):
        st.text(in_symbols(one.question))
        typed = st.text_input(text.ANSWER, key=f"typed {tuple(asked)}", help=text.ANSWER_HELP, width=240)
        checked = st.form_submit_button(text.CHECK)
    outlined: tuple[Mark | None, ...] = ()
    if typed and (answer := read(typed, one)) is not None:
        verdict = judge(one, answer)
        if checked:
            count(one, verdict)
            tried["answers"].append(typed)
        tell_verdict(one, verdict)
        if len(verdict.mistakes) == 1:
            outlined = one.marks.get(verdict.mistakes[0], ())
    buttons(state)
    for name, stage in list(one.stages.items())[: tried["stages"]]:
        st.text(text.STAGE.format(stage=name, text=in_symbols(stage)))
    solved = tried["solved"] or tried["stages"] >= len(one.stages)
    if found := blocks(one, outlined=outlined, solved=solved):
        note = text.OUTLINED if any(outlined) else ""
        with drawing:
            given = panel("", "", found, alt=text.GIVEN_ALT, note=note)
            show(as_picture([given], decimals=3 if solved else decimals_of(one.given), unit=0), state)


def whole_step(state: State, asked: Asked) -> None:
    """Draw a whole step of an LSTM; later entries are marked from the reader's own earlier ones."""
    all_of_it, tried = chain(asked.level, asked.seed, asked.salt), st.session_state.tried
    first = next(iter(all_of_it.parts.values()))
    given = panel("", "", blocks(first)[: len(all_of_it.given)], alt=text.GIVEN_ALT)
    show(as_picture([given], decimals=decimals_of(all_of_it.given), unit=0), state)
    with st.form("answer", border=False):
        st.text(in_symbols(all_of_it.question))
        with st.container(horizontal=True):
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
        if name in answers:
            st.markdown(f"**{in_symbols(name)}**")
            tell_verdict(all_of_it.parts[name], verdict)
    if checked and answers:
        tried["answers"].append("")
        if len(answers) == len(all_of_it.parts) and all(verdict.right for verdict in verdicts.values()):
            count(first, Verdict(True, (), ""))
    buttons(state)
    stages = [
        text.STAGE_OF_PART.format(part=name, stage=stage, text=solution)
        for name, part in all_of_it.parts.items()
        for stage, solution in part.stages.items()
    ]
    for line in stages[: tried["stages"]]:
        st.text(in_symbols(line))


def hint(stages: int) -> None:
    st.session_state.tried["stages"] += stages


def buttons(state: State) -> None:
    number = state.settings.number
    following = {"number": f"{min(number + 1, int(PARAMETERS['number'].high))}"}
    with st.container(horizontal=True):
        st.button(text.HINT, on_click=hint, args=(1,), help=text.HINT_HELP)
        st.button(text.SOLUTION, on_click=hint, args=(100,))
        widgets.draw(state, "next", [action("next", text.NEXT, following, inPlace=True)])


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
    """Show the score and the mistakes of this session."""
    if not (score["done"] or score["wrong"]):
        return
    often = sorted(score["mistakes"].items(), key=lambda mistake: -mistake[1])[:MOST_LISTED]
    hardest = max(score["wrong"], key=score["wrong"].__getitem__, default="")
    st.text(text.score(score["done"], score["first"], dict(often), EXERCISES.get(hardest, "")))


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
