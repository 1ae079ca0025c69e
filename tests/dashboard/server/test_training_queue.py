"""The queue of trainings: short ones go first, nobody starves, each reader has one place, and who leaves gives it back."""

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training import TrainingSetup, trainable
from dashboard.server.training_queue import TrainingQueue, work

# Updates of each training in one turn.
TURN = 10
LONG, SHORT = TrainingSetup(updates=600), TrainingSetup(updates=20)
lengths = st.integers(1, 300)


def turns_of(updates: int) -> int:
    """How many turns a training needs."""
    return -(-(updates + 1) // TURN)


class Model:
    """A queue with an engine that makes TURN updates of whatever the queue says."""

    def __init__(self) -> None:
        self.queue = TrainingQueue()
        self.made: dict[TrainingSetup, int] = {}
        self.ended: list[TrainingSetup] = []

    def turn(self) -> TrainingSetup | None:
        recipe = self.queue.turn()
        if recipe is not None:
            self.made[recipe] = self.made.get(recipe, 0) + TURN
            if self.made[recipe] > recipe.updates:
                self.ended.append(recipe)
                self.queue.end(recipe)
            else:
                self.queue.progress(recipe, self.made[recipe])
        return recipe

    def turns_until(self, recipe: TrainingSetup) -> int:
        """How many turns pass until a training has ended."""
        for turns in count(1):
            assert self.turn() is not None
            if recipe in self.ended:
                return turns


def trainings(updates: list[int]) -> list[TrainingSetup]:
    """Different recipes of these lengths."""
    return [TrainingSetup(updates=number, seed=seed) for seed, number in enumerate(updates)]


@pytest.mark.parametrize("cell", trainable())
def test_more_units_steps_sequences_or_updates_are_more_work_and_each_update_made_is_less(cell):
    recipe = TrainingSetup(cell=cell)
    for field, value in {"k": 32, "T": 40, "batch": 32, "updates": 600}.items():
        assert work(replace(recipe, **{field: value})) > work(recipe)
    left = [work(recipe, made) for made in range(recipe.updates + 2)]
    assert left == sorted(left, reverse=True) and left[0] == work(recipe) and left[-1] == 0


@given(st.lists(lengths, min_size=1, max_size=8), st.integers(1, 60), st.integers(0, 40))
def test_a_short_training_gets_every_second_turn_however_many_long_ones_wait(others, updates, turns_before):
    model, short = Model(), TrainingSetup(updates=updates, seed=99)
    for reader, recipe in enumerate(trainings([3 * (updates + 30) + other for other in others])):
        model.queue.join(reader, recipe)
    for _ in range(turns_before):
        model.turn()
    # The oldest one goes on meanwhile: with less than twice the work left it would come first at some point.
    others_are_long = all(
        left > 2 * work(replace(short, updates=updates + TURN)) for left in model.queue._line.values()
    )
    model.queue.join("short", short)
    if others_are_long:
        assert model.queue.before(short) == 0
        assert model.turns_until(short) <= 2 * turns_of(updates)


@given(st.lists(lengths, max_size=6), lengths)
def test_an_endless_stream_of_short_trainings_starves_nobody(older, updates):
    model, recipes = Model(), trainings([*older, updates])
    for reader, recipe in enumerate(recipes):
        model.queue.join(reader, recipe)
    most = 2 * sum(turns_of(recipe.updates) for recipe in recipes)
    for turn in range(most):
        newcomer = TrainingSetup(updates=0, seed=1000 + turn)
        model.queue.join(("newcomer", turn), newcomer)
        model.turn()
    assert set(recipes) <= set(model.ended)


@given(st.lists(lengths, min_size=1, max_size=8), st.integers(0, 60))
def test_a_training_with_nobody_before_it_gets_one_of_the_next_two_turns_and_others_do_not(updates, turns_before):
    model, recipes = Model(), trainings(updates)
    for reader, recipe in enumerate(recipes):
        model.queue.join(reader, recipe)
    for _ in range(turns_before):
        model.turn()
    waiting = [recipe for recipe in recipes if recipe not in model.ended]
    first = {recipe for recipe in waiting if model.queue.before(recipe) == 0}
    assert all(model.queue.before(recipe) < len(waiting) for recipe in waiting)
    assert {model.queue.turn(), model.queue.turn()} - {None} == first


def test_trainings_of_equal_length_go_in_the_order_in_which_they_came():
    model, recipes = Model(), trainings([50, 50, 50])
    for reader, recipe in enumerate(recipes):
        model.queue.join(reader, recipe)
    assert [model.queue.before(recipe) for recipe in recipes] == [0, 1, 2]
    while model.turn():
        pass
    assert model.ended == recipes


def test_a_reader_with_ten_tabs_has_one_place():
    model, recipes = Model(), trainings([600] * 10)
    for recipe in recipes:
        model.queue.join("ten tabs", recipe)
    other = TrainingSetup(updates=600, seed=99)
    model.queue.join("one tab", other)
    assert model.queue.before(other) == 1
    model.turns_until(other)
    assert len(set(model.ended) & set(recipes)) <= 2
    while model.turn():
        pass
    assert set(model.ended) == {*recipes, other}


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(0, 4)), max_size=60))
def test_places_are_never_more_than_readers_and_only_what_is_waited_for_is_trained(moves):
    model, waits, recipes = Model(), [], trainings([5, 15, 40, 80, 200])
    for joins, reader, at in moves:
        if joins:
            model.queue.join(reader, recipes[at])
            waits.append((reader, recipes[at]))
        elif (reader, recipes[at]) in waits:
            model.queue.leave(reader, recipes[at])
            waits.remove((reader, recipes[at]))
        if (trained := model.turn()) in model.ended:
            assert trained in {recipe for _, recipe in waits}
            waits = [wait for wait in waits if wait[1] != trained]
            model.made.pop(trained)
            model.ended.clear()
        else:
            assert (trained is None) == (not waits)
            assert trained is None or trained in {recipe for _, recipe in waits}
        assert len(model.queue._line) <= len({reader for reader, _ in waits})
        assert all(reader in {reader for reader, _ in waits} for reader in model.queue._asked)


def test_readers_who_wait_for_the_same_recipe_share_a_training_and_the_last_one_takes_it_along():
    queue = TrainingQueue()
    for reader in range(30):
        queue.join(reader, SHORT)
    queue.join("another", LONG)
    assert queue.before(SHORT) == 0 and queue.before(LONG) == 1
    for reader in range(29):
        queue.leave(reader, SHORT)
        assert queue.before(LONG) == 1
    queue.leave(29, SHORT)
    assert queue.before(LONG) == 0
    queue.leave("another", LONG)
    assert queue.turn() is None


def test_a_second_recipe_of_a_reader_gets_the_place_when_the_first_is_given_up():
    queue = TrainingQueue()
    queue.join("a", LONG)
    queue.join("a", SHORT)
    queue.join("b", TrainingSetup(updates=300))
    assert {queue.turn() for _ in range(4)} == {LONG, TrainingSetup(updates=300)}
    assert queue.before(SHORT) == 2
    queue.leave("a", LONG)
    assert queue.before(SHORT) == 0
    assert {queue.turn() for _ in range(4)} == {SHORT, TrainingSetup(updates=300)}
