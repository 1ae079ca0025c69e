"""The file of the report on a model, as Markdown or HTML: its input, its findings with their numbers, its layers and the thresholds."""

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from core.cells.symbols import symbol_of
from core.model_diagnosis import WARNING, ModelDiagnosis, ModelFinding
from core.model_diagnosis.inputs import Input
from core.model_diagnosis.sampled_gains import horizon
from dashboard.text import model as text
from dashboard.text import model_findings as sentences
from dashboard.text.model_input import SEQUENCES
from dashboard.text.plural import fill
from dashboard.text.words import enumerated, without_braces

STYLE = "body{font:15px sans-serif;max-width:70em;margin:2em auto}table{border-collapse:collapse}td,th{border:1px solid #aaa;padding:4px 8px;text-align:left}"


class Part(NamedTuple):
    """A part of a report.

    Attributes
    ----------
    title : str
    lines : list of str
        Paragraphs.
    columns : sequence of str
    rows : list of sequence of str
        The table; none without rows.
    """

    title: str
    lines: list[str]
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def parts(
    name: str,
    made: ModelDiagnosis,
    given: Input,
    settings: Sequence[tuple[str, str]],
    limits: Sequence[tuple[str, str]],
    notes: Sequence[str] = (),
) -> list[Part]:
    """Return the parts of a report.

    Parameters
    ----------
    name : str
        That of the file.
    made : ModelDiagnosis
    given : Input
    settings, limits : sequence of (label, value)
        Of the page, and the thresholds.
    notes : sequence of str, optional
        On other networks of the file.
    """
    T, _, B = given.xs.shape
    about = [text.network(made.layers), fill(text.REPORT_INPUT, {"T": T, "how": text.REPORT_HOW[given.how]})]
    if B > 1:
        about.append(SEQUENCES.format(B=B))
    if any(one.direction for one in made.runs):
        about.append(text.REPORT_BACKWARD)
    about += notes
    warnings = [one for one in made.findings if one.level == WARNING]
    others = [one for one in made.findings if one.level != WARNING]
    return [
        Part(text.REPORT_TITLE.format(name=name), about),
        Part(sentences.WARNINGS, [] if warnings else [sentences.nothing(given.how)], *_table(made, warnings)),
        Part(sentences.NUMBERS, [], *_table(made, others)),
        Part(text.REPORT_LAYERS, [], text.REPORT_LAYER_COLUMNS, _layers(made)),
        Part(text.SETTINGS, [], text.REPORT_SETTING_COLUMNS, settings),
        Part(text.LIMITS, [], text.REPORT_LIMIT_COLUMNS, limits),
    ]


def _table(made: ModelDiagnosis, found: list[ModelFinding]) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    return text.REPORT_COLUMNS, [_row(made, one) for one in found]


def _row(made: ModelDiagnosis, one: ModelFinding) -> tuple[str, ...]:
    numbers = {sentences.NUMBER_NAMES[name]: value for name, value in one.numbers.items()}
    if one.code in sentences.VALUE_NAMES:
        numbers = {sentences.VALUE_NAMES[one.code]: one.value, **numbers}
    written = sentences.lasting if one.code == "memory" else sentences.rounded
    proofs = [f"{name} {written(value, 3)}" for name, value in numbers.items()]
    proofs += map(without_braces, sentences.gate_parts(made, one, sentences.NAMED))
    if one.other:
        proofs.append(sentences.SAME_AS.format(other=sentences.place(*one.other)))
    return (
        one.code,
        without_braces(sentences.of_diagnosis(made, one)),
        sentences.rule(one, made.thresholds) or text.REPORT_NONE,
        enumerated(map(str, one.units)) or text.REPORT_ALL,
        f"{one.steps[0]}–{one.steps[1]}" if one.steps else text.REPORT_ALL,
        enumerated(proofs) or text.REPORT_NONE,
    )


def _layers(made: ModelDiagnosis) -> list[tuple[str, ...]]:
    """Return a row for each gate of each direction, or for a direction without gates."""
    rows: list[tuple[str, ...]] = []
    for one in made.runs:
        life = one.median_half_life
        own = (
            f"{one.layer + 1}",
            sentences.DIRECTIONS[one.direction],
            f"{horizon(one.gains.logs, one.thresholds.horizon)}",
            text.REPORT_NONE if life is None else sentences.lasting(life),
        )
        gates = [
            (without_braces(symbol_of(one.cell, symbol)), f"{gate.open.mean():.0%}", f"{gate.closed.mean():.0%}")
            for symbol, gate in one.gates.items()
        ]
        rows += [(*own, *gate) for gate in gates or [(text.REPORT_NONE,) * 3]]
    return rows


def markdown(report: list[Part]) -> str:
    """Return a report as Markdown, in which no text of a file or a link is markup."""
    lines = []
    for level, part in zip((1, *[2] * len(report)), report):
        lines += [f"{'#' * level} {_plain(part.title)}", "", *(f"{_plain(line)}\n" for line in part.lines)]
        if part.rows:
            lines += [_cells(part.columns, _plain), _cells(["---"] * len(part.columns), str)]
            lines += [*(_cells(row, _plain) for row in part.rows), ""]
    return "\n".join(lines)


def _cells(row: Sequence[str], write: Callable[[str], str]) -> str:
    return f"| {' | '.join(map(write, row))} |"


def _plain(line: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|!&$~])", r"\\\1", line.replace("\n", " "))


def html(report: list[Part]) -> str:
    """Return a report as one HTML file without scripts and without anything from elsewhere."""
    title = escape(report[0].title)
    body = "\n".join(_section(level, part) for level, part in zip((1, *[2] * len(report)), report))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _section(level: int, part: Part) -> str:
    lines = [f"<h{level}>{escape(part.title)}</h{level}>", *(f"<p>{escape(line)}</p>" for line in part.lines)]
    if part.rows:
        lines += ["<table>", _html_row("th", part.columns), *(_html_row("td", row) for row in part.rows), "</table>"]
    return "\n".join(lines)


def _html_row(tag: str, row: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
