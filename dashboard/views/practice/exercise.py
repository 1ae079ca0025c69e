"""One exercise: its question, the answer field with the feedback beside it, and the picture."""

import streamlit as st

from core.practice import (
    LEVELS,
    Judgement,
    Outcome,
    decimals_of_answer,
    exercise,
    is_calculation,
    judge,
    judge_whole_step,
    sample_whole_step,
)
from core.practice.exercise import have_same_answer
from core.practice.exercise_number_format import format_number
from core.practice.judgement import UNCOUNTED
from core.practice.progress import (
    FULL_TILE,
    LAST_NUMBER,
    LOOKED_THROUGH,
    RIGHT_IN_A_ROW,
    answered,
    unsolved,
    with_solved,
)
from dashboard.controls import progress, widgets
from dashboard.controls.widgets import action, control, select
from dashboard.state import session
from dashboard.state.parameters import EXERCISES
from dashboard.state.state import State
from dashboard.text import practice as text
from dashboard.text.practice_questions import RULE, RULE_OF_WHOLE_STEP, hints, question, question_of_whole_step, stages
from dashboard.text.words import in_symbols, listed
from dashboard.views.practice.feedback import compare, read_answer, show_feedback, show_feedback_on_parts
from dashboard.views.practice.links import START, Asked, Patch, asked_of, to_exercise, to_task
from dashboard.views.practice.picture import draw_numbers, draw_whole_step
from dashboard.views.practice.worksheet import for_teachers, kept_salt

# More than any exercise has.
ALL_STAGES = 100
# The key of the container of the answer fields.
FIELDS = "answering"


def page(state: State) -> None:
    """Draw the page."""
    asked = asked_of(state, kept_salt())
    # The settings share the line of the title, so that the picture starts higher.
    with st.container(horizontal=True, vertical_alignment="top"):
        st.markdown(text.TITLE, width="content")
        widgets.draw(state, "settings", _controls(state, asked))
    start(asked)
    if asked.kind == "chain":
        whole_step(state, asked)
    else:
        one_exercise(state, asked)
    for_teachers(state, asked)
    # The salt is secret, so the browser gets the exercise without it.
    progress.draw(exercise=f"{asked[:3]}", field=f".st-key-{FIELDS} input")


def start(asked: Asked) -> None:
    """Let another exercise start with an empty field and closed hints, and another kind or level with no right answers in a row."""
    st.session_state.setdefault("in_a_row", 0)
    before: Asked | None = st.session_state.get("exercise")
    if before == asked:
        return
    if before and (before.kind, before.level) != (asked.kind, asked.level):
        st.session_state.in_a_row = 0
    st.session_state.exercise = asked
    # A learner who opens a missed exercise again knows its numbers, so the answer moves no tile.
    is_known = asked in st.session_state.setdefault("missed", set())
    st.session_state.tried = {"answers": [], "stages": 0, "solved": False, "checked": False, "counted": is_known}
    # The field is the same in all exercises, so that the focus stays in it. An empty one is left alone: the learner may be typing.
    if st.session_state.get("typed_answer"):
        st.session_state.typed_answer = ""


def _controls(state: State, asked: Asked) -> list[widgets.Control]:
    kinds = select(state, "kind", EXERCISES, text=asked.kind)
    for option in kinds["options"]:
        option["patch"] = to_exercise(option["value"], asked.level)
    levels = [{"value": f"{level}", "label": f"{level}", "patch": to_exercise(asked.kind, level)} for level in LEVELS]
    level = control(state, "level", kind="segments", options=levels)
    return [action("all_exercises", text.ALL, START), kinds, level, control(state, "number")]


def standing(state: State, asked: Asked) -> str:
    """Return the progress in this kind and level, or in the five for today; after all stages, that they do not count."""
    if st.session_state.tried["stages"] >= ALL_STAGES and not st.session_state.tried["solved"]:
        return text.SHOWN
    sent = progress.browser_progress()
    if state.settings.today and (five := sent.five_today):
        return text.OF_TODAY.format(done=len(five) - len(unsolved(five, sent.progress.tiles)), many=len(five))
    tile = sent.progress.tiles.get((asked.kind, asked.level))
    return text.STANDING.format(filled=min(len(tile.solved), FULL_TILE) if tile else 0, full=FULL_TILE)


def count(asked: Asked, judgement: Judgement, *, is_shown: bool = False) -> None:
    """Count an answer in the progress of the browser, unless it may only have to be written in another way.

    Parameters
    ----------
    asked : Asked
    judgement : Judgement
    is_shown : bool, optional
        Whether all stages of the solution are on the page. A right answer then does not count as solved.
    """
    tried = st.session_state.tried
    if judgement.code in UNCOUNTED:
        return
    sent, name = progress.browser_progress(), (asked.kind, asked.level)
    before = tile = sent.progress.tiles.get(name)
    if not tried["counted"] and not (tile and asked.seed in tile.solved):
        tile = answered(tile, sent.day, right=judgement.right and not tried["stages"])
    tried["counted"] = True
    if not judgement.right:
        st.session_state.in_a_row = 0
        st.session_state.missed.add(asked)
    elif not tried["solved"]:
        tried["solved"] = True
        if not is_shown:
            st.session_state.in_a_row += 1
            tile = with_solved(tile, asked.seed) if tile else None
    if tile and tile != before and sent.day:
        progress.keep(asked.kind, asked.level, tile)


def following(state: State, asked: Asked) -> Patch:
    """Return the patch that leads to the next exercise: the next of today, or the next number with another answer."""
    if not state.settings.today:
        number = min(state.settings.number + steps_to_other_answer(asked), LAST_NUMBER)
        return to_exercise(asked.kind, asked.level, number)
    sent = progress.browser_progress()
    five = sent.five_today
    at = next((at for at, task in enumerate(five) if tuple(task) == asked[:3]), -1)
    others = unsolved((*five[at + 1 :], *five[: max(at, 0)]), sent.progress.tiles)
    return to_task(others[0]) if others else START


def steps_to_other_answer(asked: Asked) -> int:
    """Return how many numbers further an exercise has another answer than this one; 1 for a whole step, or if none is near.

    Two equal answers in a row look as if the page still had the first one. The exercise of a number stays, because links name it.
    """
    if asked.kind == "chain":
        return 1
    one = exercise(*asked)
    following = ((more, exercise(*asked._replace(seed=asked.seed + more))) for more in range(1, LOOKED_THROUGH + 1))
    return next((more for more, other in following if not have_same_answer(other, one)), 1)


def after_right(state: State, asked: Asked, *, is_shown: bool) -> str:
    """Return whether a right answer counts, and what Enter does after it."""
    tile = progress.browser_progress().progress.tiles.get((asked.kind, asked.level))
    is_solved = tile and asked.seed in tile.solved
    enter = after_enter(state, asked)
    return f"{text.WAS_SHOWN} {enter}" if is_shown and not is_solved else enter


def after_enter(state: State, asked: Asked) -> str:
    """Return what Enter does after a right answer."""
    if following(state, asked) != START:
        return text.GO_ON
    return text.FIVE_SOLVED if progress.browser_progress().five_today else text.GO_TO_MAP


def submit(state: State, asked: Asked, keys: list[str]) -> None:
    """Note that the learner has pressed Enter; the second time at a right answer, go on to the next exercise.

    Parameters
    ----------
    state : State
    asked : Asked
    keys : list of str
        Of the fields.
    """
    tried, typed = st.session_state.tried, [st.session_state[key] for key in keys]
    if tried["solved"] and tried["answers"][-1:] == [typed]:
        session.patch(following(state, asked), entry=False)
        for key in keys:
            st.session_state[key] = ""
    else:
        tried["checked"] = True


def one_exercise(state: State, asked: Asked) -> None:
    """Draw a question with one answer field, the feedback beside it, and the picture."""
    one, tried = exercise(*asked), st.session_state.tried
    helps = hints(one)
    judgement, is_shown = None, tried["stages"] >= len(helps)
    are_several = isinstance(one.answer, tuple)
    with st.form("answer", border=False):
        st.text(in_symbols(question(one)))
        with st.container(horizontal=True, vertical_alignment="bottom", key=FIELDS):
            typed = st.text_input(
                text.ANSWER,
                key="typed_answer",
                help=text.WHOLE_NUMBERS_HELP if are_several else text.ANSWER_HELP,
                placeholder=text.WHOLE_NUMBERS if are_several else text.NUMBER,
                width=240,
            )
            st.form_submit_button(text.CHECK, on_click=submit, args=(state, asked, ["typed_answer"]))
            with st.container(key="verdict"):
                checked, tried["checked"] = tried["checked"], False
                if checked and not typed.strip():
                    st.info(text.EMPTY)
                elif typed and (answer := read_answer(typed, one)) is not None:
                    judgement = judge(one, answer, decimals_of_answer(typed))
                    if checked:
                        count(asked, judgement, is_shown=is_shown)
                        tried["answers"].append([typed])
                    after = after_right(state, asked, is_shown=is_shown) if judgement.right else ""
                    if is_calculation(typed) and isinstance(answer, float):
                        st.caption(text.CALCULATED.format(value=format_number(answer)))
                    show_feedback(one, judgement, after)
    if judgement and judgement.code in (Outcome.PARTLY, Outcome.UNKNOWN):
        compare({"": one})
    buttons(state, asked, len(helps))
    for name, stage in list(helps.items())[: tried["stages"]]:
        st.text(text.STAGE.format(stage=name, text=in_symbols(stage)))
    draw_numbers(state, one, judgement, solved=tried["solved"] or is_shown)


def whole_step(state: State, asked: Asked) -> None:
    """Draw a whole step of an LSTM; later entries are marked from the reader's own earlier ones."""
    all_of_it, tried = sample_whole_step(asked.level, asked.seed, asked.salt), st.session_state.tried
    keys = {name: f"typed {name} {hash(asked)}" for name in all_of_it.parts}
    with st.form("answer", border=False):
        st.text(in_symbols(question_of_whole_step(asked.level)))
        with st.container(horizontal=True, vertical_alignment="bottom", key=FIELDS):
            typed = {name: st.text_input(in_symbols(name), key=key, width=110) for name, key in keys.items()}
            st.form_submit_button(text.CHECK, on_click=submit, args=(state, asked, [*keys.values()]))
    answers = {
        name: answer
        for name, entered in typed.items()
        if entered and (answer := read_answer(entered, all_of_it.parts[name], name)) is not None
    }
    judgements = judge_whole_step(all_of_it, answers, {name: decimals_of_answer(typed[name]) for name in answers})
    lines = [text.STAGE.format(stage=RULE, text=RULE_OF_WHOLE_STEP)] + [
        text.STAGE_OF_PART.format(part=name, stage=stage, text=solution)
        for name, part in all_of_it.parts.items()
        for stage, solution in stages(part).items()
    ]
    is_shown = tried["stages"] >= len(lines)
    checked, tried["checked"] = tried["checked"], False
    if checked and len(answers) == len(all_of_it.parts):
        whole = next((one for one in judgements.values() if not one.right), Judgement(Outcome.RIGHT))
        count(asked, whole, is_shown=is_shown)
        tried["answers"].append([*typed.values()])
    if checked and not any(entered.strip() for entered in typed.values()):
        st.info(text.EMPTY_FIELDS)
    show_feedback_on_parts(all_of_it.parts, judgements, after_right(state, asked, is_shown=is_shown))
    if answers and (empty := [in_symbols(name) for name, entered in typed.items() if not entered.strip()]):
        st.info(text.EMPTY_PARTS.format(parts=listed(empty)))
    buttons(state, asked, len(lines))
    for line in lines[: tried["stages"]]:
        st.text(in_symbols(line))
    draw_whole_step(state, all_of_it, judgements, answers)


def hint() -> None:
    st.session_state.tried["stages"] += 1


def solution(asked: Asked) -> None:
    """Show all stages; before the right answer this counts as a wrong one."""
    if not st.session_state.tried["solved"]:
        count(asked, Judgement(Outcome.UNKNOWN))
    st.session_state.tried["stages"] += ALL_STAGES


def buttons(state: State, asked: Asked, hints_in_all: int) -> None:
    """Draw the buttons below the answer; the next level is offered after some right answers in a row."""
    tried = st.session_state.tried
    is_last = tried["stages"] + 1 == hints_in_all and not tried["solved"]
    ahead = [action("next", text.NEXT, following(state, asked), entry=False)]
    if asked.level < LEVELS[-1] and st.session_state.in_a_row >= RIGHT_IN_A_ROW:
        above = asked.level + 1
        label = text.NEXT_LEVEL.format(level=above)
        ahead.append(action("next_level", label, to_exercise(asked.kind, above), entry=False))
    # The progress shares the line, so that the picture starts higher.
    with st.container(horizontal=True, vertical_alignment="center"):
        # Without tooltips, which would cover the answer field.
        st.button(text.LAST_HINT if is_last else text.HINT, on_click=hint, key="hint")
        st.button(text.SOLUTION, on_click=solution, args=(asked,))
        widgets.draw(state, "next", ahead)
        st.caption(standing(state, asked), width="content")
