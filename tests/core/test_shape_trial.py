"""The trial: whole tracebacks of programs with one known mistake each, and what came of the lines that are advised for them."""

import json
from pathlib import Path

from core.shapes import explain
from tests.core.golden.shape_trial import TRIALS

ROWS = json.loads((Path(__file__).parent / "golden" / "shape_trial.json").read_text())


def test_the_true_cause_comes_first_for_nearly_all_programs():
    assert [row["truth"] for row in ROWS] == [trial.truth.split() for trial in TRIALS]
    wrong = [
        (row["truth"], [cause.code for cause in causes])
        for row in ROWS
        if not (causes := explain(row["traceback"]).causes) or causes[0].code not in row["truth"]
    ]
    assert len(ROWS) == 60 and len(wrong) <= 3, wrong


def test_an_advised_line_takes_the_error_of_nearly_all_programs_away():
    """If this fails, run make_shape_trial.py again."""
    for row in ROWS:
        advised = [
            (cause.code, line)
            for cause in explain(row["traceback"]).best
            for line in (cause.own or cause.change).splitlines()
        ]
        assert [(line["code"], line["line"]) for line in row["lines"]] == advised
    removed = [any(line["came"] == "ran" and line["code"] in row["truth"] for line in row["lines"]) for row in ROWS]
    assert sum(removed) >= 50
