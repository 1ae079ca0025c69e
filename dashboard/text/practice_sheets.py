"""Exercises for a class: a sheet with its key as LaTeX, as Moodle XML and as CSV.

References
----------
Moodle XML format: numerical and short answer questions, in which a wrong answer has feedback of its own.
"""

import csv
import io
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from core.arrays import Array
from core.cells.symbols import symbol, symbol_in_latex, text_in_html, text_in_latex, text_in_symbols
from core.practice.exercise import Answer, Exercise, fits
from core.practice.exercise_number_format import answer_text, format_number, given_text, key_text
from dashboard.text.mistakes import explain
from dashboard.text.plural import fill
from dashboard.text.practice import ALL_RIGHT, ROUNDED_EARLY, STAGE
from dashboard.text.practice_questions import question, stages
from dashboard.text.words import clauses

# The largest number of exercises on a sheet.
MOST_EXERCISES = 50
# The headings of a sheet and of its key.
EXERCISES, KEY = "Exercises", "Key"
# After a question with whole numbers for an answer, which Moodle compares as text.
FORM = "Write it in the form (4, 7)."
NAME = "{kind}, level {level}, {seed}"


def sentences_by_answer(exercise: Exercise) -> dict[Answer, list[str]]:
    """Return the sentences on the mistakes of an exercise by the answer that they give; two may give the same answer."""
    found: dict[Answer, list[str]] = {}
    for mistake, gives in exercise.mistakes.items():
        # Two sums in another order may differ in their last binary digits.
        same = next((answer for answer in found if fits(gives, answer, exercise.tolerance)), gives)
        found.setdefault(same, []).append(explain(exercise, mistake))
    for gives, sentence in sentences_on_rounding(exercise).items():
        if not any(fits(gives, answer, exercise.tolerance) for answer in found):
            found[gives] = [sentence]
    return found


def sentences_on_rounding(exercise: Exercise) -> dict[float, str]:
    """Return the sentences on rounded intermediate results by the answer that they give."""
    return {
        gives: fill(ROUNDED_EARLY, {"decimals": digits})
        for digits, answers in exercise.rounded.items()
        for gives in answers
    }


def to_latex(exercises: Sequence[Exercise], *, key: bool) -> str:
    """Return a sheet as a LaTeX document.

    Parameters
    ----------
    key : bool
        Whether a second page with the answers and their stages follows.
    """
    lines = [
        r"\documentclass{article}",
        r"\usepackage{amsmath}",
        r"\begin{document}",
        rf"\section*{{{EXERCISES}}}",
        r"\begin{enumerate}",
    ]
    for exercise in exercises:
        lines.append(rf"\item {text_in_latex(question(exercise))}")
        arrays = [rf"{symbol_in_latex(symbol(name))} = {_matrix(array)}" for name, array in exercise.given.items()]
        if arrays:
            lines.append(r"\[" + r",\quad ".join(arrays) + r"\]")
    lines.append(r"\end{enumerate}")
    if key:
        lines += [r"\newpage", rf"\section*{{{KEY}}}", r"\begin{enumerate}"]
        for exercise in exercises:
            steps = clauses(map(text_in_latex, stages(exercise).values()))
            lines.append(rf"\item \textbf{{{text_in_latex(key_text(exercise))}}}. {steps}")
        lines.append(r"\end{enumerate}")
    return "\n".join([*lines, r"\end{document}", ""])


def to_moodle(exercises: Sequence[Exercise]) -> str:
    """Return the exercises as Moodle XML: numerical questions, or short answers if whole numbers are asked for.

    Each mistake is an answer without marks that has its own feedback.
    """
    quiz = ET.Element("quiz")
    for exercise in exercises:
        is_whole = isinstance(exercise.answer, tuple)
        entry = ET.SubElement(quiz, "question", type="shortanswer" if is_whole else "numerical")
        name = NAME.format(kind=exercise.kind, level=exercise.level, seed=exercise.seed)
        _text(ET.SubElement(entry, "name"), name)
        given = "<br/>".join(text_in_html(f"{name} = {given_text(array)}") for name, array in exercise.given.items())
        asked = " ".join([question(exercise), *([FORM] if is_whole else [])])
        _text(ET.SubElement(entry, "questiontext", format="html"), f"<p>{text_in_html(asked)}</p><p>{given}</p>")
        lines = (STAGE.format(stage=stage, text=text) for stage, text in stages(exercise).items())
        steps = "<br/>".join(map(text_in_html, lines))
        _text(ET.SubElement(entry, "generalfeedback", format="html"), f"<p>{steps}</p>")
        ET.SubElement(entry, "defaultgrade").text = "1"
        ET.SubElement(entry, "penalty").text = "0.3333333"
        ET.SubElement(entry, "hidden").text = "0"
        if is_whole:
            ET.SubElement(entry, "usecase").text = "0"
        for text in _ways_to_write(exercise.answer):
            _answer(entry, 100, exercise, text, ALL_RIGHT)
        for gives, sentences in sentences_by_answer(exercise).items():
            for text in _ways_to_write(gives):
                _answer(entry, 0, exercise, text, " ".join(sentences))
    ET.indent(quiz)
    return ET.tostring(quiz, encoding="unicode", xml_declaration=True) + "\n"


def to_csv(exercises: Sequence[Exercise]) -> str:
    """Return a table of the exercises: the question, the given numbers, the answer, and the answer of each mistake."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["kind", "level", "seed", "question", "given", "answer", "tolerance", "slips"])
    for one in exercises:
        given = clauses(f"{symbol(name)} = {given_text(array)}" for name, array in one.given.items())
        mistakes = clauses(
            f"{answer_text(gives)}: {text_in_symbols(sentence)}"
            for gives, sentences in sentences_by_answer(one).items()
            for sentence in sentences
        )
        answer = answer_text(one.answer).replace("−", "-")  # a spreadsheet reads the sign of a keyboard only
        table.writerow(
            [
                one.kind,
                one.level,
                one.seed,
                text_in_symbols(question(one)),
                given,
                answer,
                round(one.accepted, 9),
                mistakes,
            ]
        )
    return out.getvalue()


def _ways_to_write(answer: float | tuple[int, ...]) -> list[str]:
    """Return a number, or whole numbers with and without brackets and spaces, because a short answer is compared as text."""
    if not isinstance(answer, tuple):
        return [repr(round(float(answer), 9) + 0.0)]  # 12 and no 11.999999999999998
    plain = [between.join(map(str, answer)) for between in (", ", ",", " ")]
    return [f"({plain[0]})", f"({plain[1]})", *plain]


def _answer(entry: ET.Element, fraction: int, exercise: Exercise, text: str, feedback: str) -> None:
    answer = ET.SubElement(entry, "answer", fraction=str(fraction), format="moodle_auto_format")
    ET.SubElement(answer, "text").text = text
    _text(ET.SubElement(answer, "feedback", format="html"), f"<p>{text_in_html(feedback)}</p>")
    if not isinstance(exercise.answer, tuple):
        tolerance = exercise.accepted if fraction else exercise.tolerance
        ET.SubElement(answer, "tolerance").text = repr(round(tolerance, 9))


def _text(parent: ET.Element, text: str) -> None:
    ET.SubElement(parent, "text").text = text


def _matrix(array: Array) -> str:
    if array.ndim == 0:
        return format_number(float(array)).replace("−", "-")
    rows = r" \\ ".join(" & ".join(format_number(value).replace("−", "-") for value in row) for row in array.tolist())
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"
