"""The laws of progress: Leitner's boxes, the five of a day, and whatever a browser may hold."""

import json

import hypothesis.strategies as st
import pytest
from hypothesis import given

from core.practice import KINDS, LEVELS
from core.practice.progress import (
    BOXES,
    DAILY_EXERCISES,
    FULL_TILE,
    LONGEST_TEXT,
    MOST_REMEMBERED,
    ExerciseId,
    Progress,
    Tile,
    Why,
    answered,
    due_day,
    five_entry,
    five_for,
    is_due,
    level_ahead,
    name_of,
    next_number,
    read_day,
    read_progress,
    to_entry,
    why_chosen,
    with_other_answers,
    with_solved,
)

DAY = read_day("2026-01-31")
NAMES = tuple(KINDS)
tiles = st.builds(
    Tile,
    st.integers(1, BOXES),
    st.integers(DAY - 40, DAY),
    st.lists(st.integers(1, 30), max_size=8, unique=True).map(tuple),
)
some_tiles = st.dictionaries(st.tuples(st.sampled_from(NAMES), st.sampled_from(LEVELS)), tiles)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def test_a_tile_is_due_at_once_after_a_wrong_answer_and_else_after_2_4_8_and_16_days():
    for box, days in zip(range(1, BOXES + 1), (0, 2, 4, 8, 16), strict=True):
        assert not is_due(Tile(box, DAY), DAY + days - 1) and is_due(Tile(box, DAY), DAY + days)


def test_kinds_that_are_not_due_follow_by_the_day_on_which_they_are():
    known = {(kind, level): Tile(5, DAY) for kind in NAMES for level in LEVELS}
    known |= {("slope", 3): Tile(5, DAY - 10), ("left", 3): Tile(4, DAY - 1), ("shape", 3): Tile(2, DAY)}
    assert [due_day(known[kind, 3]) - DAY for kind in ("shape", "slope", "left", "z")] == [2, 6, 7, 16]
    assert [task.kind for task in five_for(known, NAMES, DAY)][:3] == ["shape", "slope", "left"]


def test_right_answers_climb_only_when_they_are_due_and_a_wrong_one_starts_again():
    tile, day = answered(None, DAY, right=True), DAY
    assert tile == Tile(2, DAY)
    assert answered(tile, DAY + 1, right=True) == tile
    while tile.box < BOXES:
        day += 2 ** (tile.box - 1)
        above = answered(tile, day, right=True)
        assert above == Tile(tile.box + 1, day)
        tile = above
    assert answered(tile, day + 16, right=True) == Tile(BOXES, day + 16)
    assert answered(tile, day + 1, right=False) == Tile(1, day + 1)
    assert answered(None, DAY, right=False) == Tile(1, DAY)


def test_a_right_answer_to_another_exercise_lifts_a_wrong_tile_on_the_same_day():
    wrong = answered(Tile(4, DAY - 9), DAY, right=False)
    assert answered(wrong, DAY, right=True) == Tile(2, DAY)


@given(some_tiles)
def test_the_five_are_of_five_kinds_not_solved_and_what_went_wrong_comes_first(tiles):
    five = five_for(tiles, NAMES, DAY)
    assert len({task.kind for task in five}) == len(five) == DAILY_EXERCISES
    assert five == five_for(dict(reversed(tiles.items())), NAMES, DAY)
    for task in five:
        assert task.seed not in tiles.get((task.kind, task.level), Tile(1, DAY)).solved
        assert task.level == level_ahead(tiles, task.kind)
    wrong = [kind for kind in NAMES if why_chosen(tiles, kind, level_ahead(tiles, kind)) == Why.WRONG]
    first = [task.kind in wrong for task in five]
    assert first == sorted(first, reverse=True) and sum(first) == min(len(wrong), DAILY_EXERCISES)


@given(some_tiles)
def test_no_level_comes_back_after_it_or_a_higher_one_was_right_last(tiles):
    for task in five_for(tiles, NAMES, DAY):
        for level in range(task.level, LEVELS[-1] + 1):
            tile = tiles.get((task.kind, level))
            if tile and tile.box > 1 and task.level < LEVELS[-1]:
                assert tiles[task.kind, task.level].box == 1 and tiles[task.kind, task.level].day > tile.day


def test_after_five_right_answers_five_more_go_up_a_level_and_to_new_kinds_in_turn():
    tiles = {}
    for task in five_for(tiles, NAMES, DAY):
        tiles[task.kind, task.level] = with_solved(answered(None, DAY, right=True), task.seed)
    more = five_for(tiles, NAMES, DAY)
    assert [(task.kind, task.level) for task in more] == [
        ("z", 2),
        ("gru-z", 1),
        ("value", 2),
        ("gru-h", 1),
        ("slope", 2),
    ]
    assert [why_chosen(tiles, task.kind, task.level) for task in more] == [Why.NEXT_LEVEL, Why.NEW] * 2 + [
        Why.NEXT_LEVEL
    ]


def test_kinds_at_lower_levels_go_up_first():
    tiles = {("z", 1): Tile(2, DAY), ("z", 2): Tile(2, DAY), ("value", 1): Tile(2, DAY)}
    assert [(task.kind, task.level) for task in five_for(tiles, NAMES, DAY)][::2] == [
        ("value", 2),
        ("z", 3),
        ("lstm-h", 1),
    ]


def test_five_more_begin_with_what_went_wrong_a_moment_ago_with_other_numbers():
    tiles = {(kind, 1): Tile(2, DAY, (1,)) for kind in NAMES[:5]} | {("slope", 1): Tile(1, DAY, (1,))}
    first, *others = five_for(tiles, NAMES, DAY)
    assert first == ExerciseId("slope", 1, 2) and why_chosen(tiles, "slope", 1) == Why.WRONG
    assert "slope" not in [task.kind for task in others]


def test_a_kind_that_is_due_goes_on_at_its_next_level_and_the_last_level_is_repeated():
    tiles = {("left", 1): Tile(2, DAY - 2), ("shape", 2): Tile(2, DAY - 3), ("count", 3): Tile(3, DAY - 4)}
    five = five_for(tiles, NAMES, DAY)
    assert five[:3] == (ExerciseId("shape", 3, 1), ExerciseId("left", 2, 1), ExerciseId("count", 3, 1))
    assert why_chosen(tiles, "count", 3) == Why.REPEATED


def test_a_wrong_level_counts_until_a_higher_one_is_right():
    assert level_ahead({("z", 2): Tile(1, DAY)}, "z") == 2
    assert level_ahead({("z", 1): Tile(1, DAY), ("z", 2): Tile(2, DAY - 1)}, "z") == 1
    assert level_ahead({("z", 1): Tile(1, DAY), ("z", 2): Tile(2, DAY)}, "z") == 3


def test_an_exercise_with_an_earlier_answer_is_replaced_by_the_next_one_that_is_not_solved():
    tiles = {("b", 1): Tile(2, DAY, (7003,))}
    # By kind, the answers to the exercises 7001, 7002, …
    answers = {"a": [5, 1], "b": [1, 5, 3, 4], "c": [5] * 900}

    def are_alike(one: ExerciseId, other: ExerciseId) -> bool:
        return answers[one.kind][one.seed - 7001] == answers[other.kind][other.seed - 7001]

    tasks = tuple(ExerciseId(kind, 1, 7001) for kind in "abc")
    assert with_other_answers(tasks[:2], tiles, are_alike) == tasks[:2]
    answers["b"][0] = 5
    # The exercise 7003 is solved, and no one of c has another answer.
    assert with_other_answers(tasks, tiles, are_alike) == (tasks[0], ExerciseId("b", 1, 7004), tasks[2])
    last = ExerciseId("b", 1, 7999)
    assert with_other_answers((last, last), {}, lambda one, other: True) == (last, last)


def test_a_beginner_starts_at_level_1_and_goes_up_where_it_went_well():
    assert five_for({}, NAMES, DAY) == tuple(ExerciseId(kind, 1, 1) for kind in NAMES[:DAILY_EXERCISES])
    known = {(kind, 1): Tile(3 if kind == "slope" else 1, DAY) for kind in NAMES}
    assert "slope" not in [task.kind for task in five_for(known, NAMES, DAY)]
    known |= {(kind, 1): Tile(2, DAY) for kind in NAMES[4:]}
    assert ExerciseId("slope", 2, 1) not in five_for(known, NAMES, DAY)[:3]
    assert five_for(known, NAMES, DAY)[3:] == (ExerciseId(NAMES[4], 2, 1), ExerciseId(NAMES[5], 2, 1))


def test_the_next_exercise_is_the_first_that_is_not_solved():
    assert next_number(None, 7000) == 1
    assert next_number(Tile(1, DAY, (7001, 7002, 7004, 3)), 7000) == 3
    assert next_number(Tile(1, DAY, tuple(range(1000))), 0) == 1


def test_a_tile_remembers_a_bounded_number_of_exercises_each_once():
    tile = Tile(1, DAY)
    for seed in [*range(MOST_REMEMBERED + 9), 20]:
        tile = with_solved(tile, seed)
    assert len(tile.solved) == MOST_REMEMBERED > FULL_TILE
    assert tile.solved[-2:] == (MOST_REMEMBERED + 8, 20) and tile.solved.count(20) == 1


@given(some_tiles)
def test_what_is_written_is_read(tiles):
    five = five_for(tiles, NAMES, DAY)
    held = {name_of(*name): to_entry(tile) for name, tile in tiles.items()} | {"five": five_entry(DAY, five)}
    assert read_progress(json.dumps(held), NAMES) == Progress(tiles, DAY, five)


def test_a_full_text_is_short_enough_to_be_read():
    full = to_entry(Tile(BOXES, DAY, tuple(2**31 * 1000 - number for number in range(MOST_REMEMBERED))))
    held = {name_of(kind, level): full for kind in (*NAMES, "chain") for level in LEVELS}
    assert len(json.dumps(held, separators=(",", ":"))) < LONGEST_TEXT


@given(
    anything | st.dictionaries(st.sampled_from([*(f"{kind} 1" for kind in NAMES), "five"]), anything).map(json.dumps)
)
def test_anything_that_is_no_progress_is_none(text):
    read = read_progress(text, NAMES)
    assert all(tile == Tile(*tile) and 1 <= tile.box <= BOXES for tile in read.tiles.values())
    assert len(five_for(read.tiles, NAMES, DAY)) == DAILY_EXERCISES


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[1]",
        "{" * 9999,
        "[" * 30_000,
        '{"z 1": [9, 1, []]}',
        '{"z 1": [1, 0, []]}',
        '{"z 1": [true, 5, []]}',
        '{"z 1": [1, 5, {}]}',
        '{"z 1": [1e999, 5, []]}',
        '{"five": [5, [["z", 1, 1], ["no kind", 1, 1]]]}',
        '{"five": [5, []]}',
        '{"five": [5, [["z", 1, 4000]]]}',
        '{"five": [-5, [["z", 1, 1]]]}',
        f'{{"z 1": [1, {"9" * 5000}, []]}}',
        " " * LONGEST_TEXT + "{}",
        7,
    ],
)
def test_rubbish_in_the_browser_is_no_progress(text):
    assert read_progress(text, NAMES) == Progress()


def test_seeds_that_are_none_are_left_out_of_a_tile():
    assert read_progress('{"z 1": [2, 5, [3, "x", -1, 3, true, 4]]}', NAMES).tiles == {("z", 1): Tile(2, 5, (3, 4))}


@pytest.mark.parametrize("text", ["", "2026-13-01", "today", None, 20260131, "9" * 99])
def test_a_day_that_is_no_date_is_none(text):
    assert read_day(text) == 0
