"""Practice: predict the number, and be told which mistake you made."""

from math import ceil

import streamlit as st

from core.practice import Exercise, Mark, Verdict, chain, exercise, explain, judge, judge_chain, parse_answer
from core.practice.exercise import ROUNDING, decimals_of
from core.practice.symbols import symbol
from core.practice.worksheet import MOST, key_text, to_csv, to_latex, to_moodle
from dashboard import chosen, controls, picture
from dashboard.about import About, tell
from dashboard.choices import EXERCISES
from dashboard.picture import Item
from dashboard.screen import show
from dashboard.words import in_symbols

st.markdown(
    "# Practice\nPredict the number, then check it. What many people get wrong is known here: a wrong answer is told by the mistake that gives it. "
    "Nothing is stored about you."
)
kind, level, number, base = controls.practice()
# A widget's own value goes when its page is left.
salt = st.session_state.get("kept_salt", "")
seed = base * 1000 + number
score = st.session_state.setdefault("score", {"first": 0, "done": 0, "slips": {}, "wrong": {}})
# What was answered and shown of this exercise; another one begins anew.
now = (kind, level, seed, salt)
if st.session_state.get("exercise") != now:
    st.session_state.exercise, st.session_state.tried = now, {"answers": [], "stages": 0, "solved": False}
tried = st.session_state.tried


def keep_salt() -> None:
    st.session_state.kept_salt = st.session_state.salt


def marked(one: Exercise, name: str, outlined: tuple[Mark | None, ...]) -> list[tuple[int | None, int | None]]:
    """The rows and columns of an array that are outlined; W_h is shown as its parts W_hh and W_hx, side by side."""
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
    """All that is given, and the asked entry as a blank."""
    found = []
    for name, array in one.given.items():
        if array.ndim == 2:
            found.append(picture.given(symbol(name), array, marked(one, name, outlined)))
    asked = one.asked
    if asked.row is not None and found and not isinstance(one.answer, tuple):
        rows = max(array.shape[0] for array in one.given.values() if array.ndim == 2)
        # One entry of a matrix is asked for only where it is square.
        shape = (rows, 1 if asked.column is None else rows)
        entry = (asked.row, asked.column or 0)
        found += [
            picture.op("→"),
            picture.blank(symbol(asked.symbol), shape, entry, one.answer if solved else None),
        ]
    return found


def count(one: Exercise, verdict: Verdict) -> None:
    """Keep what came of an answer, in this session only."""
    if verdict.right and not tried["solved"]:
        score["done"] += 1
        score["first"] += not tried["answers"] and not tried["stages"]
        tried["solved"] = True
    if not verdict.right:
        score["wrong"][one.kind] = score["wrong"].get(one.kind, 0) + 1
    for slip in verdict.slips:
        name = slip.partition(":")[0]
        score["slips"][name] = score["slips"].get(name, 0) + 1


def tell_verdict(one: Exercise, verdict: Verdict) -> None:
    """What the answer says."""
    if verdict.right:
        st.success("Right.")
        return
    if verdict.check == ROUNDING:
        st.warning(
            f"Close: less than {ceil(1000 * one.near) / 1000:g} from the answer. Rounding to 3 decimals on the way can lead that far off. "
            "Keep at least 4 decimals on the way."
        )
        return
    if not verdict.slips:
        st.warning(
            f"Not that number, and none of the known mistakes gives it. The stage to check first: {verdict.check}. "
            "Hint tells the stages one by one."
        )
        return
    if len(verdict.slips) > 1:
        st.markdown("More than one mistake gives this number:")
    for slip in verdict.slips:
        st.warning(in_symbols(explain(one, slip)))


def read(text: str, one: Exercise) -> object:
    """An answer as it was typed; what cannot be read is said, and costs nothing."""
    try:
        answer = parse_answer(text, whole=isinstance(one.answer, tuple))
    except ValueError as error:
        st.error(str(error))
        return None
    return answer


def one_exercise() -> None:
    """A question, its picture, and one field for the answer."""
    one = exercise(kind, level, seed, salt)
    drawing = st.container()
    with st.form("answer", border=False):
        st.text(in_symbols(one.question))
        text = st.text_input(
            "Your answer",
            key=f"typed {now}",
            help="A number such as −1.5, 0,5, 1/2 or 1e-3, or whole numbers such as (4, 7).",
            width=240,
        )
        checked = st.form_submit_button("Check")
    outlined: tuple[Mark | None, ...] = ()
    if text and (answer := read(text, one)) is not None:
        verdict = judge(one, answer)
        if checked:
            count(one, verdict)
            tried["answers"].append(text)
        tell_verdict(one, verdict)
        if len(verdict.slips) == 1:
            outlined = one.marks.get(verdict.slips[0], ())
    buttons()
    for name, stage in list(one.stages.items())[: tried["stages"]]:
        st.text(f"{name}: {in_symbols(stage)}")
    solved = tried["solved"] or tried["stages"] >= len(one.stages)
    if found := blocks(one, outlined=outlined, solved=solved):
        note = "Outlined: what was used and what was meant." if any(outlined) else ""
        with drawing:
            panel = picture.panel("", "", found, alt="The numbers that are given.", note=note)
            show(
                picture.page([panel], decimals=3 if solved else decimals_of(one.given), unit=0),
                key="picture",
                on_unit=chosen.pick_unit,
            )


def whole_step() -> None:
    """A step of an LSTM, entry by entry; later entries are marked from one's own earlier ones."""
    all_of_it = chain(level, seed, salt)
    first = next(iter(all_of_it.parts.values()))
    panel = picture.panel("", "", blocks(first)[: len(all_of_it.given)], alt="The numbers that are given.")
    show(picture.page([panel], decimals=decimals_of(all_of_it.given), unit=0), key="picture", on_unit=chosen.pick_unit)
    with st.form("answer", border=False):
        st.text(in_symbols(all_of_it.question))
        with st.container(horizontal=True):
            texts = {
                name: st.text_input(in_symbols(name), key=f"typed {name} {now}", width=110) for name in all_of_it.parts
            }
        checked = st.form_submit_button("Check")
    answers = {
        name: answer
        for name, text in texts.items()
        if text and (answer := read(text, all_of_it.parts[name])) is not None
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
    buttons()
    stages = [
        f"{name}, {stage}: {text}" for name, part in all_of_it.parts.items() for stage, text in part.stages.items()
    ]
    for line in stages[: tried["stages"]]:
        st.text(in_symbols(line))


def hint(stages: int) -> None:
    st.session_state.tried["stages"] += stages


def buttons() -> None:
    with st.container(horizontal=True):
        st.button("Hint", on_click=hint, args=(1,), help="The next stage of the solution.")
        st.button("Solution", on_click=hint, args=(100,))
        st.button("Next", on_click=controls.next_exercise)


def print_sheet(sheet: list[Exercise]) -> None:
    """Exercises one below the other, each with its picture, and their key, which begins a sheet of its own."""
    with st.container(key="sheet"):
        st.markdown(f"## {EXERCISES[kind]}")
        st.text("Name: " + 40 * "_")
        for at, one in enumerate(sheet, 1):
            with st.container(key=f"sheet_{at}"):
                st.text(f"{at}. {in_symbols(one.question)}")
                if found := blocks(one):
                    panel = picture.panel("", "", found, alt=f"The numbers that are given in exercise {at}.")
                    drawing = picture.page([panel], decimals=decimals_of(one.given), unit=0)
                    show(drawing, key=f"picture_{at}", on_unit=chosen.pick_unit)
                st.text("Answer: " + 24 * "_")
        with st.container(key="sheet_key"):
            st.markdown("## Key")
            for at, one in enumerate(sheet, 1):
                steps = "; ".join(in_symbols(text) for text in one.stages.values())
                st.text(f"{at}. {key_text(one)}, from {steps}")


if kind == "chain":
    whole_step()
else:
    one_exercise()

if score["done"] or score["wrong"]:
    words = f"{score['done']} solved, {score['first']} of them at the first try and without a hint."
    if score["slips"]:
        often = sorted(score["slips"].items(), key=lambda slip: -slip[1])[:4]
        words += " Mistakes: " + ", ".join(f"{name.replace('_', ' ')} {times}×" for name, times in often) + "."
    if score["wrong"]:
        hardest = max(score["wrong"], key=lambda name: score["wrong"][name])
        words += f" Practise next: {EXERCISES[hardest]}."
    st.text(words)

to_print: list[Exercise] = []
with st.expander("For teachers: a sheet with its key"):
    st.markdown(
        "The exercises of this kind and level from this number on, for a class. **Who has the link has the key**: everything follows from kind, level, "
        "seed and number. A salt makes other numbers of them; it is in no link and is forgotten with this session."
    )
    st.text_input("Salt", salt, key="salt", type="password", width=220, on_change=keep_salt)
    many = st.number_input("How many", 1, MOST, 10, key="many", width=160)
    if kind == "chain":
        st.caption("Of whole steps there is no sheet: choose another kind.")
    else:
        sheet = [exercise(kind, level, seed + more, salt) for more in range(many)]
        with st.container(horizontal=True):
            name = f"cellscope-{kind}-{level}-{seed}{'-salted' if salt else ''}"
            st.download_button("LaTeX", to_latex(sheet, key=False), f"{name}.tex", on_click="ignore")
            st.download_button("LaTeX with key", to_latex(sheet, key=True), f"{name}-key.tex", on_click="ignore")
            st.download_button("Moodle XML", to_moodle(sheet), f"{name}.xml", on_click="ignore")
            st.download_button("CSV", to_csv(sheet), f"{name}.csv", on_click="ignore")
        if st.toggle(
            "Show the sheet here, to print",
            key="printed",
            help="On paper stands nothing but the sheet, and then its key.",
        ):
            to_print = sheet
if to_print:
    print_sheet(to_print)
tell(About(chosen.scenario(), "RNN"))
