"""The page of practice: a right answer, a known mistake, one that is not known, and what cannot be read."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import ceil
from urllib.parse import parse_qsl
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.cells import CELLS
from core.cells.symbols import symbol, text_in_html, text_in_latex
from core.examples import first_of
from core.practice import (
    KINDS,
    LEVELS,
    Outcome,
    UnreadableAnswer,
    exercise,
    judge,
    judge_whole_step,
    sample_whole_step,
    ten_exercises,
)
from core.practice.exercise import have_same_answer
from core.practice.exercise_number_format import answer_text, decimals_of, key_text
from core.practice.progress import Why, read_day
from core.practice.whole_step_lines import whole_step_lines
from dashboard.drawing.solution_lines import Decimals, with_whole_numbers
from dashboard.server import drag_socket
from dashboard.state.parameters import EXERCISES, LONGEST_ANSWER, TYPED_Z
from dashboard.text import practice, sequence
from dashboard.text.mistakes import explain
from dashboard.text.practice_questions import RULE, RULE_OF_WHOLE_STEP, STAGE_NAMES, hints, question, stages
from dashboard.text.practice_sheets import sentences_by_answer, to_csv, to_latex, to_moodle
from dashboard.text.typed_answers import BRACKETS, unreadable
from dashboard.text.words import enumerated, in_symbols, listed
from tests.dashboard.page import (
    Shown,
    change,
    components,
    drawn_controls,
    entries,
    followed,
    link_to,
    open_link,
    outlined,
    query,
    send,
)
from tests.dashboard.page import press as press_ours
from tests.live import ROOT

DIAGRAM_KINDS = ("value", "lstm-c", "lstm-h", "gru-z", "gru-h")
SEED = 1  # of the first exercise of a link
SOLID, DASHED = 1, 2  # outlines
DAY = read_day("2026-01-31")
GIVEN_ALTS = (practice.GIVEN_ALT, practice.GIVEN_IN_DIAGRAM_ALT)


def answer(at, text: str):
    at.text_input[0].input(text)
    return next(button for button in at.button if button.label == practice.CHECK).click().run()


def press(at, label: str):
    return next(button for button in at.button if button.label == label).click().run()


def right(at, one) -> bool:
    """Whether the page says that the answer is right, and why."""
    how = in_symbols(list(stages(one).values())[-1])
    return [said.value for said in at.success] == [f"{practice.RIGHT.format(how=how)} {practice.GO_ON}"]


def given_blocks(picture: dict) -> dict[str, dict]:
    """The given arrays of an exercise by their symbols, without those in its diagram and in the lines of an answer."""
    given = next(panel for panel in picture["panels"] if panel["alt"] in GIVEN_ALTS)
    blocks = [picture["blocks"][item["index"]] for item in given["rows"][0] if item["kind"] == "block"]
    return {block["symbol"]: block for block in blocks}


def as_typed(value) -> str:
    return answer_text(value) if isinstance(value, tuple) else repr(value)


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_is_right_and_a_mistake_is_told_by_its_name(kind):
    one = exercise(kind, 1, SEED)
    at = open_link("practice", kind=kind)
    assert in_symbols(question(one)) in " ".join(text.value for text in at.text)
    gives = next(iter(one.mistakes.values()))
    at = answer(at, as_typed(gives))
    named = [name for name, other in one.mistakes.items() if other == gives]
    assert [warning.value for warning in at.warning] == [in_symbols(explain(one, name)) for name in named]
    at = answer(at, as_typed(one.answer))
    assert right(at, one) and not at.warning


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "level"),
    [
        ("z", 1),
        *(pytest.param(kind, 3, marks=pytest.mark.slow) for kind in ("z", "left")),
        *(pytest.param(kind, 2, marks=pytest.mark.slow) for kind in KINDS),
    ],
)
def test_each_mistake_outlines_what_was_used_and_what_was_meant(kind, level):
    one = exercise(kind, level, SEED)
    at = open_link("practice", kind=kind, level=str(level))
    for mistake, gives in one.mistakes.items():
        at = answer(at, as_typed(gives))
        assert not at.exception and in_symbols(explain(one, mistake)) in [warning.value for warning in at.warning]
        if not any(array.ndim == 2 for array in one.given.values()):
            continue
        shown = given_blocks(Shown(at).picture)
        for name, array in one.given.items():
            expected = np.zeros(array.shape)
            first = judge(one, gives).mistakes[0]  # two mistakes may give the same number
            used, meant = one.marks.get(first, ((), ()))
            # Needed entries have a solid outline, even if they were used. Entries used in their place have a dashed one.
            for mark, look in (*((mark, DASHED) for mark in used), *((mark, SOLID) for mark in meant)):
                rows = slice(None) if mark.row is None else slice(mark.row, mark.row + 1)
                columns = slice(None) if mark.column is None else slice(mark.column, mark.column + 1)
                if mark.symbol == name:
                    expected[rows, columns] = look
                elif mark.symbol == "W_h" and name in ("W_hh", "W_hx"):
                    whole = np.zeros((len(array), one.given["W_hh"].shape[1] + one.given["W_hx"].shape[1]))
                    whole[rows, columns] = look
                    part = np.split(whole, [one.given["W_hh"].shape[1]], axis=1)[name == "W_hx"]
                    expected = np.where(part > 0, part, expected)
            found = shown[symbol(name)]
            drawn = outlined(found) if found["outlined"] is not None else 0 * expected
            assert drawn.tolist() == expected.tolist(), (mistake, name)


def test_after_a_wrong_unit_the_picture_does_not_show_the_saturated_one():
    one = exercise("saturated", 3, SEED)
    for gives in one.mistakes.values():
        at = answer(open_link("practice", kind="saturated", level="3"), as_typed(gives))
        block = Shown(at).block(symbol("z_t"))
        assert block["outlined"] is None or SOLID not in outlined(block)


@pytest.mark.parametrize(
    ("level", "typed", "note", "looks"),
    [
        # columns for rows: all columns that were used, in both weights
        (
            1,
            "26",
            practice.OUTLINED,
            {"W_{hh}": [[SOLID, SOLID], [DASHED, 0]], "W_{hx}": [[SOLID, SOLID], [DASHED, 0]]},
        ),
        (
            2,
            "-1.03",
            practice.OUTLINED,
            {"W_{hh}": [[0, DASHED], [SOLID, SOLID]], "W_{hx}": [[0, DASHED], [SOLID, SOLID]]},
        ),
        # no bias, which was only needed
        (1, None, practice.OUTLINED_NEEDED, {"b_h": [[SOLID], [0]]}),
    ],
)
def test_the_outlines_say_which_entries_were_used_and_which_are_needed(level, typed, note, looks):
    one = exercise("z", level, SEED)
    at = answer(open_link("practice", kind="z", level=f"{level}"), typed or as_typed(one.mistakes["no_bias"]))
    shown = Shown(at)
    for name, expected in looks.items():
        assert outlined(shown.block(name)).tolist() == expected, name
    assert shown.picture["panels"][0]["note"] == note


def test_every_kind_can_be_chosen():
    assert EXERCISES.keys() == {*KINDS, "chain"}


@pytest.mark.parametrize(
    ("kind", "level", "typed"), [("z", 1, "123456"), ("shape", 1, "98, 99"), ("shape", 2, "98, 99")]
)
def test_an_unknown_answer_is_compared_stage_by_stage(kind, level, typed):
    at = answer(open_link("practice", kind=kind, level=f"{level}"), typed)
    assert [warning.value for warning in at.warning] == [practice.UNKNOWN]
    one = exercise(kind, level, SEED)
    shown = [(name, in_symbols(stage)) for name, stage in stages(one).items()][:-1]
    (table,) = [expander.table[0] for expander in at.expander if expander.label == practice.COMPARE]
    assert [tuple(row) for row in table.value.to_numpy().tolist()] == shown


def test_an_answer_that_cannot_be_read_costs_nothing():
    at = answer(open_link("practice", kind="z"), "<b>x</b>")
    assert at.error[0].value == unreadable(UnreadableAnswer("not_number", part="<b>x</b>"))
    assert not at.warning and not at.session_state["tried"]["answers"]


@pytest.mark.parametrize(
    ("kind", "level", "code"),
    [("value", 2, Outcome.REACHED), ("value", 2, Outcome.BEYOND), ("value", 1, Outcome.BEYOND)],
)
def test_what_is_known_of_an_unknown_number_is_said(kind, level, code):
    one = exercise(kind, level, SEED)
    number = one.reached["product"][0] if code == Outcome.REACHED else -97.25
    assert judge(one, number).code == code
    (warning,) = answer(open_link("practice", kind=kind, level=str(level)), repr(number)).warning
    stage = STAGE_NAMES[judge(one, number).stage]
    assert stage in warning.value and "{" not in warning.value


@pytest.mark.parametrize(
    ("kind", "typed", "said"),
    [
        ("count", "22,25", practice.NOT_WHOLE),
        ("z", "-2.25+0.76", practice.NOT_WHOLE),
        ("z", "22 220", practice.OTHER_COUNT.one),
        ("shape", "6", practice.OTHER_COUNT.other.format(many=2)),
        ("shape", f"{exercise('shape', 1, SEED).answer[0]}, 99", practice.PARTLY.one.format(many=1, asked=2)),
    ],
)
def test_an_answer_in_another_form_is_told_to_be_one(kind, typed, said):
    assert [warning.value for warning in answer(open_link("practice", kind=kind), typed).warning] == [said]


def test_an_answer_in_another_form_moves_no_tile():
    at = sent(open_link("practice", kind="count"), {})
    state = WidgetState(id=components(at)["progress"].id, json_value=sent_last({}))
    at = checked(at, "22,25", state)
    assert practice.NOT_WHOLE in [warning.value for warning in at.warning] and not data(at)["entries"]


def test_too_few_decimals_are_asked_for_again():
    seed = next(s for s in range(1, 99) if judge(exercise("z", 2, s), round(exercise("z", 2, s).answer, 1)).decimals)
    at = open_link("practice", kind="z", level="2", number=str(seed))
    at = answer(at, repr(round(exercise("z", 2, seed).answer, 1)))
    assert [warning.value for warning in at.warning] == [practice.ROUNDED.format(decimals=3)]
    at = answer(open_link("practice", kind="lstm-h", level="3"), "-0.34")  # of −0.3488
    assert [warning.value for warning in at.warning] == [practice.CUT.format(decimals=3)]


def test_after_an_answer_its_row_stands_over_the_inputs_and_a_mistake_beside_what_was_meant():
    one = exercise("z", 1, SEED)
    at = answer(open_link("practice", kind="z"), as_typed(one.mistakes["no_bias"]))
    texts = str(Shown(at).picture["panels"])
    assert practice.USED_LINE in texts and practice.MEANT_LINE in texts
    at = answer(at, as_typed(one.answer))
    texts = str(Shown(at).picture["panels"])
    assert practice.USED_LINE not in texts and practice.MEANT_LINE not in texts
    assert [block["symbol"] for block in Shown(at).picture["blocks"]].count("W_{hh}") == 2


@pytest.mark.parametrize("kind", ["z", "value", "lstm-h", "gru-h", "left"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_check_changes_no_decimals_of_the_given_numbers(kind, level):
    one = exercise(kind, level, SEED)

    def given(at) -> dict[str, int]:
        picture = Shown(at).picture
        blocks = given_blocks(picture)
        decimals = {name: picture["decimals"] + block.get("more_decimals", 0) for name, block in blocks.items()}
        return {name: decimals[symbol(name)] for name, array in one.given.items() if array.ndim == 2}

    at = open_link("practice", kind=kind, level=f"{level}")
    before = given(at)
    assert set(before.values()) == {decimals_of(one.given)}
    for typed in (*one.mistakes.values(), one.answer):
        at = answer(at, as_typed(typed))
        assert given(at) == before


def test_what_is_computed_has_the_decimals_of_an_answer():
    one = exercise("lstm-h", 2, SEED)
    at = answer(open_link("practice", kind="lstm-h", level="2"), as_typed(one.answer))
    picture = Shown(at).picture
    decimals = {
        block["symbol"]: picture["decimals"] + block.get("more_decimals", 0)
        for block in picture["blocks"]
        if block["symbol"] in ("f_t", "tanh(c_t)", "h_t", "c_t")
    }
    assert decimals == {"f_t": 1, "tanh(c_t)": 3, "h_t": 3, "c_t": 3}


def test_a_line_multiplies_a_row_by_a_column_and_entries_by_entries():
    for kind, mistake, shapes, sign in (
        ("z", "no_bias", {"W_{hh}": "(1, 2)", symbol("h_prev"): "(2, 1)", "W_{hx}": "(1, 2)", "x_t": "(2, 1)"}, "·"),
        ("lstm-h", "gate_for_output:i_t", {"i_t": "(5, 1)", "tanh(c_t)": "(5, 1)"}, "∘"),
    ):
        one = exercise(kind, 1, SEED)
        picture = Shown(answer(open_link("practice", kind=kind), as_typed(one.mistakes[mistake]))).picture
        (lines,) = (panel["rows"] for panel in picture["panels"] if panel["alt"] == practice.LINES_ALT)
        used = [picture["blocks"][item["index"]] for item in lines[0] if item["kind"] == "block"]
        assert {block["symbol"]: block["shape"] for block in used[:-1]} == shapes
        assert [item["symbol"] for item in lines[0] if item["kind"] == "op"].count(sign) == len(shapes) // 2


def test_a_saturated_gate_is_drawn_as_a_whole_number():
    whole = sample_whole_step(1, SEED)
    at = open_link("practice", kind="chain")
    next(field for field in at.text_input if field.label == in_symbols("i_t")).input("0")
    assert 0 < whole.parts["i_t"].answer < 1e-9
    assert entries(Shown(press(at, practice.CHECK)).block("i_t")).tolist() == [[0]]


@pytest.mark.parametrize(("kind", "name"), [("lstm-c", "c_t"), ("gru-h", "h_t")])
def test_a_whole_answer_is_drawn_as_a_whole_number(kind, name):
    # The gates of a cell come from their pre-activations, so that a sum such as −4 may miss its last binary digit.
    one = next(one for seed in range(1, 99) if not (one := exercise(kind, 1, seed)).answer.is_integer())
    at = answer(open_link("practice", kind=kind, number=f"{one.seed}"), f"{round(one.answer)}")
    assert entries(Shown(at).block(name))[one.asked.row, 0] == round(one.answer)


def test_a_computed_number_near_a_whole_one_keeps_the_decimals_that_are_asked_for():
    assert with_whole_numbers([-3.99996, 4e-18, 2.0000000001], Decimals(1, 3)).tolist() == [-3.99996, 0, 2]
    assert with_whole_numbers([-3.996, 0.76], Decimals(0, 0)).tolist() == [-4, 0.76]


def test_the_lines_of_an_answer_stand_above_a_diagram_and_below_other_numbers():
    for kind, first in (("lstm-h", practice.LINES_ALT), ("z", practice.GIVEN_ALT)):
        one = exercise(kind, 2, SEED)
        at = answer(open_link("practice", kind=kind, level="2"), as_typed(one.answer))
        assert [panel["alt"] for panel in Shown(at).picture["panels"]][0] == first


def test_the_whole_numbers_of_a_whole_step_are_rounded():
    asked = open_link("practice", kind="chain").text[0].value
    assert asked.endswith("Round each to a whole number.")


def test_the_buttons_below_the_field_have_no_tooltip_over_it():
    at = open_link("practice", kind="z")
    for label in (practice.HINT, practice.SOLUTION):
        assert not next(button for button in at.button if button.label == label).help


def test_after_the_solution_the_page_says_that_the_exercise_does_not_count():
    at = open_link("practice", kind="z")
    assert practice.SHOWN not in [caption.value for caption in at.caption]
    at = press(at, practice.SOLUTION)
    assert [caption.value for caption in at.caption] == [practice.SHOWN]


def test_each_judged_entry_of_a_whole_step_has_its_line():
    whole = sample_whole_step(2, SEED)
    at = open_link("practice", kind="chain", level="2")
    entries = {name: part.answer for name, part in whole.parts.items()}
    entries["o_t"] = whole.parts["o_t"].mistakes["no_bias"]
    for name, value in entries.items():
        next(field for field in at.text_input if field.label == in_symbols(name)).input(repr(value))
    at = press(at, practice.CHECK)
    texts = str(Shown(at).picture["panels"])
    assert texts.count(practice.USED_LINE) == texts.count(practice.MEANT_LINE) == 1
    # The given weights, a line for a right entry, and two for a wrong one.
    symbols = [block["symbol"] for block in Shown(at).picture["blocks"]]
    assert [symbols.count(symbol(f"W_{gate}")) for gate in "fo"] == [2, 3]


def test_an_empty_answer_is_told_to_be_empty():
    at = press(open_link("practice", kind="z"), practice.CHECK)
    assert [said.value for said in at.info] == [practice.EMPTY] and not at.warning
    at = press(open_link("practice", kind="chain"), practice.CHECK)
    assert [said.value for said in at.info] == [practice.EMPTY_FIELDS] and not at.warning and not at.success


def test_enter_at_a_right_answer_goes_on_and_two_of_them_offer_the_next_level():
    at = open_link("practice", kind="z")
    for number in (1, 2):
        at = answer(at, as_typed(exercise("z", 1, number).answer))
        assert right(at, exercise("z", 1, number))
        assert ("next_level" in drawn_controls(at)) == (number == 2)
        at = press(at, practice.CHECK)  # as Enter does
        assert at.text_input("typed_answer").value == "" and not at.success
        at.query_params["number"] = str(number + 1)  # as the browser does with the patch
        at = at.run()
    assert drawn_controls(at)["next_level"]["patch"]["level"] == "2"
    at = answer(at, "123456")
    assert "next_level" not in drawn_controls(at)


def test_an_answer_that_rounding_on_the_way_leads_to_is_told_to_be_close_and_of_four_decimals_is_right():
    one = exercise("forgets", 3, SEED)
    at = answer(open_link("practice", kind="forgets", level="3"), repr(one.answer - 0.9 * one.near))
    (warning,) = at.warning
    before, after = re.escape(practice.CLOSE).split(re.escape("{bound:g}"))
    bound = float(re.fullmatch(rf"{before}(0\.\d+){after}", warning.value)[1])
    assert one.near <= bound < one.near + 0.001
    at = answer(at, repr(one.answer + 0.9 * one.accepted))
    assert right(at, one) and not at.warning


def test_a_calculation_is_an_answer_and_the_page_says_what_it_gives():
    link = {"kind": "lstm-h", "level": "2"}
    at = answer(open_link("practice", **link), "0.5*tanh(0.8*-1.6 + 0.7*0.9)")
    assert right(at, exercise("lstm-h", 2, SEED))
    assert practice.CALCULATED.format(value="−0.2858") in [caption.value for caption in at.caption]
    at = answer(open_link("practice", **link), "0.5*tanh(0.8*-1.6")
    assert [said.value for said in at.error] == [BRACKETS]
    assert right(answer(open_link("practice", kind="z"), "-37+8"), exercise("z", 1, SEED))


def test_the_asked_entry_is_blank_until_it_is_solved():
    one = exercise("z", 1, SEED)
    at = open_link("practice", kind="z")
    blank = entries(Shown(at).block("z_t"))
    assert not (blank == blank).any()
    at = press(at, practice.SOLUTION)
    assert entries(Shown(at).block("z_t"))[one.asked.row, 0] == one.answer
    assert [text.value for text in at.text if text.value.startswith("product: ")]


def test_hints_come_one_by_one_and_the_next_exercise_is_in_the_address_without_its_answer():
    one = exercise("z", 1, SEED)
    at = press(open_link("practice", kind="z"), practice.HINT)
    expected = [practice.STAGE.format(stage=name, text=in_symbols(stage)) for name, stage in hints(one).items()]
    assert [text.value for text in at.text if text.value in expected] == expected[:1]
    while len(shown := [text.value for text in at.text if text.value in expected]) < len(expected) - 1:
        at = press(at, practice.HINT)
    assert shown == expected[:-1]
    # The last hint is the result, and its button says what it costs.
    at = press(at, practice.LAST_HINT)
    assert [text.value for text in at.text if text.value in expected] == expected
    at = press_ours(at, practice.NEXT)
    assert at.query_params["number"] == "2"
    assert in_symbols(question(exercise("z", 1, SEED + 1))) in at.text[0].value


def test_the_first_hint_of_a_whole_step_is_its_equations():
    at = press(open_link("practice", kind="chain", level="2"), practice.HINT)
    rule = practice.STAGE.format(stage=RULE, text=in_symbols(RULE_OF_WHOLE_STEP))
    assert [text.value for text in at.text][1:] == [rule]
    first = next(iter(stages(sample_whole_step(2, SEED).parts["f_t"]).items()))
    at = press(at, practice.HINT)
    assert [text.value for text in at.text][2:] == [
        in_symbols(practice.STAGE_OF_PART.format(part="f_t", stage=first[0], text=first[1]))
    ]


@pytest.mark.parametrize(("kind", "has_diagram"), [("lstm-h", True), ("gru-z", True), ("value", True), ("z", False)])
def test_a_note_explains_the_frames_of_a_diagram(kind, has_diagram):
    one = exercise(kind, 2, SEED)
    at = open_link("practice", kind=kind, level="2")
    note = practice.FRAMES.format(entry=one.asked.row + 1)
    assert (note in [panel["note"] for panel in Shown(at).picture["panels"]]) == has_diagram
    # After a mistake the note explains the outlines too.
    at = answer(at, as_typed(one.mistakes["no_reset" if kind == "gru-z" else next(iter(one.mistakes))]))
    assert any(note in panel["note"] for panel in Shown(at).picture["panels"]) == has_diagram


def test_a_whole_step_is_marked_from_ones_own_earlier_entries():
    whole = sample_whole_step(2, SEED)
    at = open_link("practice", kind="chain", level="2")
    for name, part in whole.parts.items():
        next(field for field in at.text_input if field.label == in_symbols(name)).input(repr(part.answer))
    at = press(at, practice.CHECK)
    names = [in_symbols(name) for name in whole.parts]
    assert [said.value for said in at.success] == [
        f"{practice.RIGHT_PARTS.format(parts=listed(names))} {practice.GO_ON}"
    ]
    assert not at.warning
    for name in ("f_t", "i_t"):
        next(field for field in at.text_input if field.label == in_symbols(name)).input("0.98765")
    at = press(at, practice.CHECK)
    assert [expander.label for expander in at.expander].count(practice.COMPARE) == 1
    assert [said.value for said in at.warning] == [practice.UNKNOWN_PARTS.format(parts=listed(names[:2]))]
    assert len(at.success) == 1 and practice.GO_ON not in at.success[0].value


def test_an_entry_of_a_whole_step_that_cannot_be_read_and_one_that_is_missing_are_named():
    at = open_link("practice", kind="chain", level="2")
    for name, typed in (("f_t", f"{sample_whole_step(2, SEED).parts['f_t'].answer:.3f}"), ("i_t", "4:7")):
        next(field for field in at.text_input if field.label == in_symbols(name)).input(typed)
    at = press(at, practice.CHECK)
    said = unreadable(UnreadableAnswer("not_number", part="4:7"))
    assert [error.value for error in at.error] == [f"**{in_symbols('i_t')}**: {said}"]
    missing = [in_symbols(name) for name in ("c_tilde", "o_t", "c_t", "h_t")]
    assert [info.value for info in at.info] == [practice.EMPTY_PARTS.format(parts=listed(missing))]


def test_what_follows_from_a_wrong_entry_is_not_called_right_and_does_not_solve_the_step():
    whole = sample_whole_step(3, SEED)
    at = sent(open_link("practice", kind="chain", level="3"), {})
    state = WidgetState(id=components(at)["progress"].id, json_value=sent_last({}))
    for name, typed in zip(whole.parts, (0.645, 0.422, 0.652, 0.592, -0.944, -0.435), strict=True):
        next(field for field in at.text_input if field.label == in_symbols(name)).set_value(f"{typed}")
    next(button for button in at.button if button.label == practice.CHECK).click()
    at = send(at, state)
    assert [said.value for said in at.success] == [
        practice.RIGHT_PARTS.format(parts=listed([in_symbols(name) for name in ("f_t", "i_t", "o_t")]))
    ]
    said = [warning.value for warning in at.warning]
    assert said[1:] == [practice.FOLLOWS.format(earlier=in_symbols(name)) for name in ("c_tilde", "c_t")]
    assert data(at)["entries"][-1]["changes"] == {"chain 3": [1, DAY, []]}


@pytest.mark.parametrize(
    ("entry", "typed", "before", "mistakes"),
    [
        ("c_tilde", "1", practice.SEVERAL, ("sign", "other_gate:f", "other_gate:o")),
        (
            "o_t",
            "0",
            practice.MANY.format(shown=3, many=6),
            ("sign_of_exponent", "other_gate:i", "product_sign:1"),
        ),
        ("h_t", "1", None, ("sign",)),
    ],
)
def test_of_several_mistakes_that_give_an_entry_the_page_shows_some(entry, typed, before, mistakes):
    at, part = open_link("practice", kind="chain"), sample_whole_step(1, SEED).parts[entry]
    next(field for field in at.text_input if field.label == in_symbols(entry)).input(typed)
    at = press(at, practice.CHECK)
    sentences = {in_symbols(explain(part, mistake)) for mistake in mistakes}
    assert {warning.value for warning in at.warning} == sentences and len(at.warning) == len(mistakes)
    several = [said.value for said in at.markdown if said.value.startswith(practice.SEVERAL[:-1])]
    assert several == ([before] if before else [])


def test_a_second_check_of_a_right_whole_step_goes_on():
    whole = sample_whole_step(1, SEED)
    at = open_link("practice", kind="chain")
    for name, part in whole.parts.items():
        next(field for field in at.text_input if field.label == in_symbols(name)).input(repr(part.answer))
    at = followed(press(press(at, practice.CHECK), practice.CHECK))
    assert at.query_params["number"] == "2" and not at.success


def test_what_is_given_is_shown_in_all_its_digits():
    at = open_link("practice", kind="lstm-c")
    assert {name: array.tolist() for name, array in exercise("lstm-c", 1, SEED).given.items()}["f_t"]
    assert Shown(at).picture["decimals"] == 2  # of quarters


def test_the_next_exercise_has_another_answer_and_the_numbers_in_links_keep_their_exercises():
    ones = [exercise("value", 1, number) for number in range(1, 30)]
    first = next(at for at, one in enumerate(ones) if one.answer == ones[at + 1].answer)
    at = open_link("practice", kind="value", number=str(first + 1))
    number = int(drawn_controls(at)["next"]["patch"]["number"])
    assert number > first + 2 and ones[number - 1].answer != ones[first].answer
    assert {one.answer for one in ones[first : number - 1]} == {ones[first].answer}
    following = open_link("practice", kind="value", number=str(first + 2))
    assert in_symbols(question(ones[first + 1])) in [text.value for text in following.text]


@pytest.mark.parametrize(
    ("kind", "level"), [("value", 1), *((kind, level) for kind in DIAGRAM_KINDS for level in (2, 3))]
)
def test_the_diagram_has_a_blank_for_every_number_that_is_not_given(kind, level):
    one = exercise(kind, level, SEED)
    at = open_link("practice", kind=kind, level=str(level))

    def drawn() -> dict[str, np.ndarray]:
        picture = Shown(at).picture
        (found,) = [item for panel in picture["panels"] for row in panel["rows"] for item in row if "nodes" in item]
        blocks = [picture["blocks"][part["index"]] for part in found["parts"]]
        return {block["symbol"]: entries(block) for block in blocks}

    given = {symbol(name): values for name, values in one.given.items()}
    for name, values in drawn().items():
        if name in given:
            np.testing.assert_allclose(values, given[name])
        elif name not in ("z_f", "z_i", "z_c", "z_o", "z_r", "z_u"):  # the dots on the curves of the gates
            assert np.isnan(values).all(), name
    at = press(at, practice.SOLUTION)
    np.testing.assert_allclose(drawn()[symbol(one.asked.symbol)][one.asked.row, 0], one.answer)
    if kind == "gru-z":  # nothing is known of the update gate, and so of h_t
        assert np.isnan(drawn()["u_t"]).all() and np.isnan(drawn()["h_t"]).all()


@pytest.mark.parametrize(("kind", "level"), [("lstm-c", 1), ("lstm-h", 1), ("gru-h", 1), ("gru-z", 1), ("z", 2)])
def test_other_exercises_have_no_diagram(kind, level):
    picture = Shown(open_link("practice", kind=kind, level=str(level))).picture
    assert not [item for panel in picture["panels"] for row in panel["rows"] for item in row if "nodes" in item]


def test_the_field_of_the_salt_is_no_login():
    for link in ({"kind": "z"}, {"test": "5"}):
        field = open_link("practice", **link).text_input("salt").proto
        assert field.type == field.DEFAULT and field.autocomplete == "off"
        assert "password" not in (field.label + field.help).lower()


@pytest.mark.parametrize("answers", [{}, {"answers": "1" + "~" * 9}])
def test_a_test_has_a_button_that_opens_the_field_of_the_salt(answers):
    at = open_link("practice", test="5", **answers)
    (opened,) = at.get("popover")
    assert opened.proto.popover.label == practice.WITH_SALT
    assert [field.key for field in opened.text_input] == ["salt"]
    assert practice.SALT_HELP in [text.value for text in opened.markdown]


def test_a_salt_makes_other_numbers_and_is_in_no_link():
    at = open_link("practice", kind="z")
    before = [text.value for text in at.text]
    at.text_input("salt").input("secret").run()
    given = [entries(Shown(at).block("W_{hh}")).tolist(), before]
    assert given[0] != exercise("z", 1, SEED).given["W_hh"].tolist()
    assert "secret" not in str(dict(at.query_params))
    at.switch_page("views/lstm.py").run().switch_page("views/practice/practice.py").run()
    assert [entries(Shown(at).block("W_{hh}")).tolist(), before] == given


@pytest.mark.parametrize("kind", ["z", "chain"])
def test_a_salt_is_in_no_data_and_in_no_name_that_the_page_sends(kind):
    at = open_link("practice", kind=kind)
    at.text_input("salt").input("secret").run()
    assert at.session_state["kept_salt"] == "secret" and not at.exception
    assert not [name for name, component in components(at).items() if "secret" in component.json]
    assert not [field.key for field in at.text_input if "secret" in field.key]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_has_every_exercise_with_its_mistakes(kind, level):
    sheet = [exercise(kind, level, seed) for seed in range(3)]
    quiz = ET.fromstring(to_moodle(sheet))
    for entry, one in zip(quiz.findall("question"), sheet, strict=True):
        assert entry.get("type") == ("shortanswer" if isinstance(one.answer, tuple) else "numerical")
        answers = entry.findall("answer")
        ways = 5 if isinstance(one.answer, tuple) else 1  # with and without brackets and spaces
        assert [answer.get("fraction") for answer in answers] == ["100"] * ways + ["0"] * ways * len(
            sentences_by_answer(one)
        )
        texts = [answer.findtext("text") for answer in answers]
        assert len(set(texts)) == len(texts)
        if not isinstance(one.answer, tuple):
            assert [float(text) for text in texts] == pytest.approx([one.answer, *sentences_by_answer(one)], abs=1e-8)
            bounds = [float(answer.findtext("tolerance")) for answer in answers]
            assert bounds == pytest.approx([one.accepted] + [one.tolerance] * len(sentences_by_answer(one)), abs=1e-9)
        assert text_in_html(question(one)) in entry.findtext("questiontext/text")
        assert [answer.findtext("feedback/text") for answer in answers][ways::ways] == [
            f"<p>{text_in_html(' '.join(sentences))}</p>" for sentences in sentences_by_answer(one).values()
        ]
        # As Moodle's format has it: HTML in every text but the answers, and a tolerance in each number.
        for part in entry.iter():
            if part.get("format") == "html":
                ET.fromstring(f"<div>{part.findtext('text')}</div>")
        assert all(answer.find("tolerance") is None for answer in answers) == (entry.get("type") == "shortanswer")
        assert all(float(text) >= 0 for text in [entry.findtext("defaultgrade"), entry.findtext("penalty")])
    told = "".join([ET.tostring(quiz, encoding="unicode"), to_csv(sheet), to_latex(sheet, key=True)])
    assert not re.search(r"h_prev|c_prev|_tilde|dg_z|dL_d|W_hh", told)
    document = to_latex(sheet, key=True)
    assert document.count(r"\item") == 6 and document.count("{") == document.count("}")
    assert to_latex(sheet, key=False).count(r"\item") == 3
    assert len(to_csv(sheet).strip().splitlines()) >= 4


def test_symbols_are_those_of_the_screen_in_html_and_in_latex():
    text = "c_prev, W_hh h_prev + c_tilde: [1; −2] & weight_hh_l0 of J_2"
    assert text_in_html(text).startswith(
        "c<sub>t−1</sub>, W<sub>hh</sub> h<sub>t−1</sub> + c̃<sub>t</sub>: [1; −2] &amp;"
    )
    assert text_in_html(text).endswith("weight_hh_l0 of J<sub>2</sub>")
    assert text_in_latex(text) == (
        r"$c_{t-1}$, $W_{hh}$ $h_{t-1}$ + $\tilde c_{t}$: {[}1; $-$2{]} \& weight\_hh\_l0 of $J_{2}$"
    )


def test_a_sheet_is_printed_with_its_key_at_the_end():
    at = open_link("practice", kind="z")
    next(toggle for toggle in at.toggle if toggle.label == practice.PRINT).set_value(True).run()
    assert not at.exception
    sheet = [exercise("z", 1, SEED + more) for more in range(10)]
    assert [text.value for text in at.text][-1].startswith(f"10. {answer_text(sheet[-1].answer)}. Stages: ")
    for which, one in enumerate(sheet, 1):  # after the picture of the page
        shown = Shown(at, which)
        assert entries(shown.block("W_{hh}")).tolist() == one.given["W_hh"].tolist()
        assert np.isnan(entries(shown.block("z_t"))).all()


def test_the_key_has_as_many_decimals_as_are_asked_for():
    sheet = [exercise("lstm-h", level, seed) for level in LEVELS for seed in range(20)]
    for one in sheet:
        text = key_text(one).replace("−", "-")
        assert judge(one, float(text)).right
        assert len(text.partition(".")[2]) <= (0 if one.level == 1 else 3)


@pytest.mark.parametrize("cell", CELLS)
def test_h_of_a_step_is_hidden_in_a_sequence_until_it_is_predicted(cell):
    link = {"cell": cell, "init": "normal", "k": "3", "n": "3", "m": "2", "T": "4", "t": "2", "decimals": "6"}
    truth = float(Shown(open_link("sequence", **link))["h_t"][0, 1])
    at = open_link("sequence", **link, predict="true")
    assert np.isnan(Shown(at)["h_t"]).all() and len(Shown(at).panels) == 1
    assert f"{truth:.4f}" not in told(at)
    assert np.count_nonzero(~np.isnan(Shown(predicted(at, sequence.PREDICTED.format(t=2), repr(truth)))["h_t"])) == 12


@pytest.mark.parametrize("source", ["hidden", "f", "c", TYPED_Z])
def test_an_activation_is_hidden_on_the_page_of_saturation_until_it_is_predicted_and_so_are_its_tables(source):
    link = {"source": source, "init": "normal", "decimals": "6"} | ({"z": "0.75"} if source == TYPED_Z else {})
    before = open_link("saturation", **link)
    symbol, tables = ("tanh(z)" if source == "c" else "σ(z)"), len(before.table)
    truth = float(Shown(before)[symbol][0, 0])
    at = open_link("saturation", **link, predict="true")
    assert np.isnan(Shown(at)[symbol]).all() and len(Shown(at).panels) == 1
    assert f"{truth:.4f}" not in told(at) and len(at.table) == tables - 1 and not at.dataframe
    at = predicted(at, symbol, "7")
    assert at.warning and not at.dataframe
    at = predicted(at, symbol, f"{truth:.6f}")
    assert Shown(at) == Shown(before) and len(at.table) == tables and at.dataframe


def test_a_drag_shows_what_was_predicted_and_hides_every_other_output():
    link = {"source": "hidden", "init": "normal", "decimals": "6"}
    truth = float(Shown(open_link("saturation", **link))["σ(z)"][0, 0])
    at = open_link("saturation", **link, predict="true")

    def dragged(**changes: str) -> Shown:
        return Shown(drag_socket.drawn(at.session_state["live_picture"].draw, query(at) | changes))

    assert np.isnan(dragged()["σ(z)"]).all()
    at = predicted(at, "σ(z)", f"{truth:.6f}")
    assert dragged(T="7") == Shown(open_link("saturation", **link, T="7"))
    assert np.isnan(dragged(scale="0.5")["σ(z)"]).all()


def told(at) -> str:
    """All that stands in words on the page and in its picture."""
    words = [element.value for kind in (at.text, at.markdown, at.caption) for element in kind]
    return f"{words} {Shown(at).picture['panels']} {[block['hover'] for block in Shown(at).picture['blocks']]}"


def predicted(at, asked: str, text: str):
    """After somebody has said what it is."""
    return next(field for field in at.text_input if field.label.startswith(asked)).input(text).run()


@pytest.mark.parametrize("path", ["", "lstm"])
def test_h_is_hidden_on_the_pages_of_one_step_until_it_is_predicted(path):
    truth = float(entries(Shown(open_link(path, example="lab")).block("h_t"))[0, 0])
    at = open_link(path, example="lab", predict="true")
    assert "h_t" not in Shown(at).symbols and f"{truth:.2f}" not in str(Shown(at).picture["panels"])
    field = next(field for field in at.text_input if field.label.startswith("hₜ"))
    field.input(repr(truth + 0.5)).run()
    assert at.warning and "h_t" not in Shown(at).symbols
    next(field for field in at.text_input if field.label.startswith("hₜ")).input(f"{truth:.2f}").run()
    assert "h_t" in Shown(at).symbols and [said.value for said in at.success] == ["Right."]


# ---- the map, and progress in the browser ------------------------------------------------------


def sent(at, held: object = None, today: object = "2026-01-31", **more: object):
    """A run after the browser has sent what it holds."""
    value = {"text": json.dumps(held or {}), "today": today, "isKept": True, "applied": 0} | more
    return send(at, WidgetState(id=components(at)["progress"].id, json_value=json.dumps({"held": value})))


def data(at) -> dict:
    """The data on the progress that the browser receives."""
    assert not at.exception
    return json.loads(components(at)["progress"].json)


def tile(at, kind: str, level: int) -> dict:
    return data(at)["chart"]["kinds"][list(EXERCISES).index(kind)]["tiles"][level - 1]


def followed_link(at, link: dict):
    return change(at, link["changes"])


def test_the_start_is_a_map_whose_tiles_open_the_next_exercise_that_is_not_solved():
    at = sent(open_link("practice"), {"slope 2": [2, DAY, [1, 2, 4]]})
    chart = data(at)["chart"]
    assert [row["label"] for row in chart["kinds"]] == list(EXERCISES.values())
    assert tile(at, "slope", 2)["filled"] == 3 and tile(at, "slope", 1)["filled"] == 0
    assert chart["forget"]["label"] == practice.FORGET
    assert not at.text_input
    at = followed_link(at, tile(at, "slope", 2)["link"])
    assert at.query_params == {"kind": "slope", "level": "2", "number": "3"}
    assert in_symbols(question(exercise("slope", 2, 3))) in at.text[0].value
    assert data(at)["chart"] is None


def test_there_is_nothing_to_delete_before_there_is_progress():
    assert data(open_link("practice"))["chart"]["forget"] is None
    assert data(sent(open_link("practice"), {}))["chart"]["forget"] is None


@pytest.mark.parametrize("link", [{"level": "2"}, {"number": "4"}, {"kind": "z"}])
def test_links_of_earlier_versions_open_their_exercise(link):
    at = open_link("practice", **link)
    one = exercise("z", int(link.get("level", 1)), int(link.get("number", 1)))
    assert entries(Shown(at).block("W_{hh}")).tolist() == one.given["W_hh"].tolist()


def test_exercise_3_of_class_7_is_in_the_link_that_the_lessons_name():
    lessons = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    (link,) = re.findall(r"`/practice\?(kind=\S+)`", lessons)
    at = open_link("practice", **dict(parse_qsl(link)))
    one = exercise("lstm-c", 2, 7003)
    assert in_symbols(question(one)) in at.text[0].value
    assert entries(Shown(at).block("f_t")).tolist() == one.given["f_t"].tolist()


def test_a_right_answer_is_sent_to_the_browser_as_a_numbered_entry_and_a_wrong_one_moves_the_tile_to_box_1():
    held = {"z 1": [2, DAY - 2, [9]]}
    one = exercise("z", 1, SEED)
    at = sent(open_link("practice", kind="z"), held)
    assert not data(at)["entries"]
    state = WidgetState(id=components(at)["progress"].id, json_value=sent_last(held))
    at = checked(at, as_typed(one.answer), state)
    assert data(at)["entries"] == [{"number": 1, "changes": {"z 1": [3, DAY, [9, 1]]}}]
    at = checked(sent(open_link("practice", kind="z"), held), "123456", state)
    assert data(at)["entries"] == [{"number": 1, "changes": {"z 1": [1, DAY, [9]]}}]
    at = checked(at, as_typed(one.answer), state)
    assert data(at)["entries"][-1] == {"number": 2, "changes": {"z 1": [1, DAY, [9, 1]]}}


def test_the_solution_counts_as_a_wrong_answer_unless_the_exercise_is_solved():
    one, held = exercise("z", 1, SEED), {"z 1": [3, DAY - 9, []]}
    at = sent(open_link("practice", kind="z"), held)
    state = WidgetState(id=components(at)["progress"].id, json_value=sent_last(held))
    next(button for button in at.button if button.label == practice.SOLUTION).click()
    at = send(at, state)
    assert data(at)["entries"][-1]["changes"] == {"z 1": [1, DAY, []]}
    at = checked(at, as_typed(one.answer), state)
    assert practice.WAS_SHOWN in at.success[0].value and at.session_state.in_a_row == 0
    assert [entry["changes"] for entry in data(at)["entries"]] == [{"z 1": [1, DAY, []]}]
    at = checked(sent(open_link("practice", kind="z"), held), as_typed(one.answer), state)
    next(button for button in at.button if button.label == practice.SOLUTION).click()
    at = send(at, state)
    assert [entry["changes"] for entry in data(at)["entries"]] == [{"z 1": [4, DAY, [1]]}]


def test_a_missed_exercise_that_is_opened_again_moves_no_tile_and_is_solved():
    one, held = exercise("z", 1, SEED), {"z 1": [3, DAY - 9, []]}
    at = sent(open_link("practice", kind="z"), held)
    state = WidgetState(id=components(at)["progress"].id, json_value=sent_last(held))
    next(button for button in at.button if button.label == practice.SOLUTION).click()
    at = send(at, state)
    at.query_params["number"] = "2"
    at = send(at, state)
    del at.query_params["number"]
    at = checked(send(at, state), as_typed(one.answer), state)
    assert [entry["changes"]["z 1"][:2] for entry in data(at)["entries"]] == [[1, DAY]] * 2
    assert data(at)["entries"][-1]["changes"] == {"z 1": [1, DAY, [1]]}


def test_if_several_mistakes_give_a_number_the_drawing_does_not_say_which_one_was_made():
    number, name, gives = next(drawn_of_several())
    at = open_link("practice", kind="chain", number=f"{number}")
    next(field for field in at.text_input if field.label == in_symbols(name)).input(as_typed(gives))
    texts = str(Shown(press(at, practice.CHECK)).picture["panels"])
    assert practice.MAYBE_USED_LINE in texts and practice.USED_LINE not in texts


def drawn_of_several() -> Iterator[tuple[int, str, float]]:
    """Whole steps by their numbers, with an entry that several mistakes give of which the first one has a line."""
    for number in range(1, 99):
        whole = sample_whole_step(1, number)
        for name, part in whole.parts.items():
            for gives in {round(gives) for gives in part.mistakes.values()}:
                judgement = judge_whole_step(whole, {name: gives})[name]
                if len(judgement.mistakes) > 1 and whole_step_lines(whole, name, {}, judgement.mistakes[0]):
                    yield number, name, gives


def sent_last(held: object) -> str:
    return json.dumps({"held": {"text": json.dumps(held), "today": "2026-01-31", "isKept": True, "applied": 0}})


def checked(at, text: str, *states: WidgetState):
    """The run after an answer, in which AppTest would forget what the browser holds."""
    (field,) = (field for field in at.text_input if field.key == "typed_answer")
    button = next(button for button in at.button if button.label == practice.CHECK)
    field.set_value(text)
    button.click()
    return send(at, *states)


def test_five_for_today_lead_from_one_to_the_next_and_back_to_the_map():
    at = sent(open_link("practice"), {"shape 1": [1, DAY - 1, [1]]})
    today = data(at)["chart"]["today"]
    (link,) = today["links"]
    five = link["keep"]["five"][1]
    assert (today["done"], today["of"], link["label"]) == (0, 5, practice.START) and five[0] == ["shape", 1, 2]
    held = {"five": link["keep"]["five"]}
    at = sent(followed_link(at, link), held)
    assert at.caption[0].value == practice.OF_TODAY.format(done=0, many=5)
    for at_task, task in enumerate(five):
        assert [at.query_params["kind"], int(at.query_params.get("number", 1))] == [task[0], task[2]]
        held[f"{task[0]} {task[1]}"] = [2, DAY, [task[2]]]
        at = sent(at, held)
        assert at.caption[0].value == practice.OF_TODAY.format(done=at_task + 1, many=5)
        is_last = at_task + 1 == len(five)
        then = practice.FIVE_SOLVED if is_last else practice.GO_ON
        assert answer(at, as_typed(exercise(*task).answer)).success[0].value.endswith(then)
        at = sent(change(at, drawn_controls(at)["next"]["patch"]), held)
    assert not at.query_params
    today = data(at)["chart"]["today"]
    (link,) = today["links"]
    assert (today["label"], today["done"], link["label"]) == (practice.TODAY_DONE, 5, practice.FIVE_MORE)
    more = link["keep"]["five"][1]
    assert len(more) == 5 and not {tuple(task) for task in more} & {tuple(task) for task in five}
    # The solved kinds go up, in turn with new ones.
    solved = {task[0] for task in five}
    assert [(task[1], task[0] in solved) for task in more] == [(2, True), (1, False)] * 2 + [(2, True)]
    up = [practice.KIND_AT_LEVEL.format(kind=EXERCISES[kind], level=level) for kind, level, _ in more[::2]]
    new = [EXERCISES[kind] for kind, _, _ in more[1::2]]
    assert today["chosen"] == [
        practice.CHOSEN[Why.NEXT_LEVEL].format(kinds=enumerated(up)),
        practice.CHOSEN[Why.NEW].format(kinds=enumerated(new)),
    ]
    at = sent(followed_link(at, link), held | {"five": link["keep"]["five"]})
    assert at.caption[0].value == practice.OF_TODAY.format(done=0, many=5)


def test_the_five_for_today_have_five_answers():
    # In class 1, the first exercises on an entry of h and on h_t of an LSTM have equal answers.
    assert have_same_answer(exercise("value", 1, 1001), exercise("lstm-h", 1, 1001))
    (link,) = data(sent(open_link("practice", seed="1")))["chart"]["today"]["links"]
    five = [exercise(*task) for task in link["keep"]["five"][1]]
    assert {one.kind for one in five} >= {"value", "lstm-h"} and len(five) == 5
    assert not any(have_same_answer(one, other) for one, other in combinations(five, 2))


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        [],
        {},
        {"text": 7},
        {"text": "[[["},
        {"text": '{"z 1": [9, "x", {}]}', "today": "never", "applied": "x"},
    ],
)
@pytest.mark.parametrize(
    "link",
    [
        {},
        *(
            pytest.param(link, marks=pytest.mark.slow)
            for link in ({"kind": "z"}, {"kind": "z", "today": "true"}, {"test": "3"})
        ),
    ],
)
def test_rubbish_from_the_browser_is_no_progress(value, link):
    at = open_link("practice", **link)
    at = send(at, WidgetState(id=components(at)["progress"].id, json_value=json.dumps({"held": value})))
    assert not at.exception
    if not link:
        assert tile(at, "z", 1)["filled"] == 0


def test_a_browser_that_stores_nothing_is_told_so():
    at = sent(open_link("practice"), isKept=False)
    assert [said.value for said in at.info] == [practice.NOT_KEPT]
    assert not sent(open_link("practice")).info


# ---- a test of ten -----------------------------------------------------------------------------


def paper(**link: str):
    return open_link("practice", test="5", level="2", **link)


def marks(numbers: dict[str, Iterable[int]]) -> str:
    """The line with the numbers of the exercises by their marks."""
    return " ".join(mark.format(numbers=enumerated(map(str, found))) for mark, found in numbers.items())


def test_the_answers_to_a_test_are_in_its_link_and_marked_again_by_whoever_opens_it():
    at, ten = paper(), ten_exercises(2, 5)
    fields = fields_of(at)
    assert len(fields) == len(ten) == 10
    for field, one in zip(fields, ten, strict=True):
        field.set_value(as_typed(one.answer))
    fields[3].set_value("7~7")
    at = followed(press(at, practice.FINISH))
    link = dict(at.query_params)
    assert len(link["answers"].split("~")) == 10 and link["answers"].split("~")[3] == "7 7"
    told = [text.value for text in open_link("practice", **link).markdown]
    assert practice.RESULT.format(right=9, many=10, level=2, number=5) in told
    assert marks({practice.MARKED_RIGHT: [1, 2, 3, 5, 6, 7, 8, 9, 10], practice.MARKED_WRONG: [4]}) in told
    assert f"{practice.SEND_RESULT} {practice.ENTER_SALT}" in told
    at = open_link("practice", **link)
    at = at.text_input("salt").input("secret").run()
    assert f"{practice.SEND_RESULT} {practice.SEND_SALTED_RESULT}" in [text.value for text in at.markdown]


def test_the_result_of_a_test_reads_calculations_and_says_so_beforehand():
    at = paper()
    assert at.caption[0].value == practice.ANSWERS_KEPT
    for field, one in zip(fields_of(at), ten_exercises(2, 5), strict=True):
        parts = one.answer if isinstance(one.answer, tuple) else (round(one.answer, 6),)
        field.set_value(", ".join(f"{part - 1}+1" for part in parts))
    at = followed(press(at, practice.FINISH))
    told = [text.value for text in at.markdown]
    assert practice.RESULT.format(right=10, many=10, level=2, number=5) in told


def test_a_test_without_answers_is_not_checked():
    at = followed(press(paper(), practice.FINISH))
    assert practice.EMPTY_FIELDS in [told.value for told in at.info] and "answers" not in at.query_params
    assert len(fields_of(at)) == 10


def fields_of(at):
    return [field for field in at.text_input if field.key.startswith("test ")]


def test_answers_that_are_not_checked_yet_survive_a_reload_and_belong_to_their_exercises():
    at = paper()
    fields_of(at)[3].set_value("7~7")
    at = followed(fields_of(at)[0].set_value("0.5").run())
    link = dict(at.query_params)
    assert "answers" not in link
    kept = [field.value for field in fields_of(open_link("practice", **link))]
    assert kept == ["0.5", "", "", "7 7", *[""] * 6]
    for others in ({"test": "6"}, {"level": "3"}):
        assert not any(field.value for field in fields_of(open_link("practice", **link | others)))
    salted = open_link("practice", **link).text_input("salt").input("secret").run()
    assert not any(field.value for field in fields_of(salted))
    at = followed(press(at, practice.FINISH))
    assert "draft" not in at.query_params and at.query_params["answers"] == "0.5~~~7 7" + "~" * 6


@pytest.mark.parametrize("draft", ["~" * 10, "0123456~" + "~" * 9, "01234567~" + "~" * 8, "0123456g" + "~" * 10])
def test_a_draft_without_a_digest_and_ten_answers_is_refused(draft):
    at = paper(draft=draft)
    assert not at.exception and "draft" in at.warning[0].value


def test_an_answer_that_cannot_be_read_is_said_to_be_so_before_a_test_is_marked():
    at, ten = paper(), ten_exercises(2, 5)
    fields = fields_of(at)
    for field, one in zip(fields, ten, strict=True):
        field.set_value(as_typed(one.answer))
    fields[3].set_value("abc")
    fields[6].set_value("1/0")
    at = press(at, practice.FINISH)
    assert [said.value for said in at.error] == [
        unreadable(UnreadableAnswer("not_number", part="abc")),
        unreadable(UnreadableAnswer("zero_denominator")),
        practice.CANNOT_READ.format(numbers="4, 7"),
    ]
    assert "answers" not in followed(at).query_params
    for field, typed in ((3, as_typed(ten[3].answer)), (6, "")):
        [one for one in at.text_input if one.key.startswith("test ")][field].set_value(typed)
    at = followed(press(at, practice.FINISH))
    told = [text.value for text in at.markdown]
    assert practice.RESULT.format(right=9, many=10, level=2, number=5) in told


@pytest.mark.parametrize("answers", ["1", "~" * 8, "~" * 10, "9" * (LONGEST_ANSWER + 1) + "~" * 9, "\n" + "~" * 9])
def test_answers_that_are_not_ten_are_refused(answers):
    at = paper(answers=answers)
    assert not at.exception and "answers" in at.warning[0].value
    assert len(fields_of(at)) == 10


def test_answers_that_nobody_can_read_are_wrong_and_shown_as_they_are():
    at = paper(answers="<b>x</b>~**y**~" + "~" * 7)
    assert practice.RESULT.format(right=0, many=10, level=2, number=5) in [text.value for text in at.markdown]
    assert practice.YOUR_ANSWER.format(answer="<b>x</b>") in [text.value for text in at.text]
    expected = marks({practice.MARKED_WRONG: [1, 2], practice.NOT_ANSWERED: range(3, 11)})
    assert expected in [text.value for text in at.markdown]
    # A blank is not called unreadable.
    assert [warning.value for warning in at.warning] == [practice.UNREADABLE] * 2
    assert [text.value for text in at.text].count(practice.YOUR_ANSWER.format(answer=practice.NO_ANSWER)) == 8


@pytest.mark.parametrize("level", LEVELS)
def test_a_close_or_rounded_answer_is_wrong_and_the_result_says_how_many_decimals_count(level):
    ten = ten_exercises(level, 5)
    answers = [as_typed(one.answer)[:LONGEST_ANSWER] for one in ten]
    near = {at: one for at, one in enumerate(ten) if one.slack}
    for at_one, one in near.items():
        answers[at_one] = f"{one.answer + (one.accepted + one.near) / 2:.6f}"
    at = open_link("practice", test="5", level=f"{level}", answers="~".join(answers))
    shown = [text.value for text in at.markdown]
    assert practice.RESULT.format(right=10 - len(near), many=10, level=level, number=5) in shown
    assert (practice.COUNTED.format(decimals=3) in shown) == (level > 1) == bool(near)
    close = [practice.CLOSE.format(bound=ceil(1000 * one.near) / 1000) for one in near.values()]
    assert [warning.value for warning in at.warning] == close


def test_a_salt_changes_the_test_and_its_marks_and_is_in_no_link():
    salted = ten_exercises(2, 5, "secret")
    link = {"answers": "~".join(as_typed(one.answer)[:LONGEST_ANSWER] for one in salted)}
    at = paper(**link)
    results = [practice.RESULT.format(right=right, many=10, level=2, number=5) for right in range(11)]
    before = next(text.value for text in at.markdown if text.value in results)
    at.text_input("salt").input("secret").run()
    after = next(text.value for text in at.markdown if text.value in results)
    assert after == results[10] and results.index(before) < 5
    assert "secret" not in str(dict(at.query_params))


def test_the_answers_to_a_test_stay_on_their_page():
    at = paper(answers="~" * 9)
    assert link_to(at, "lstm") == {"level": "2", "example": first_of("lstm")}


def test_a_test_of_today_has_the_number_of_the_day_and_leaves_the_seed_as_it_is():
    at = sent(open_link("practice"))
    (link,) = [link for link in data(at)["chart"]["test"]["links"] if link["label"] == practice.LEVEL.format(level=2)]
    at = followed_link(at, link)
    assert dict(at.query_params) == {"test": f"{DAY}", "level": "2"}
    assert drawn_controls(at)["test"]["text"] == f"{DAY}" and "seed" not in drawn_controls(at)
    at = change(at, drawn_controls(at)["all_exercises"]["patch"])
    assert not at.query_params
    (link, *_) = data(sent(open_link("practice", seed="7")))["chart"]["test"]["links"]
    assert link["changes"]["test"] == f"{DAY}" and "seed" not in link["changes"]


@pytest.mark.parametrize("test", ["true", "0", "1.5"])
def test_a_test_without_a_whole_number_is_refused(test):
    at = open_link("practice", test=test)
    assert not at.exception and "test" in at.warning[0].value
