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
        setup = self.queue.next_setup()
        if setup is not None:
            self.made[setup] = self.made.get(setup, 0) + TURN
            if self.made[setup] > setup.updates:
                self.ended.append(setup)
                self.queue.end(setup)
            else:
                self.queue.progress(setup, self.made[setup])
        return setup

    def turns_until(self, setup: TrainingSetup) -> int:
        """How many turns pass until a training has ended."""
        for turns in count(1):
            assert self.turn() is not None
            if setup in self.ended:
                return turns


def trainings(updates: list[int]) -> list[TrainingSetup]:
    """Different setups of these lengths."""
    return [TrainingSetup(updates=number, seed=seed) for seed, number in enumerate(updates)]


@pytest.mark.parametrize("cell", trainable())
def test_more_units_steps_sequences_or_updates_are_more_work_and_each_update_made_is_less(cell):
    setup = TrainingSetup(cell=cell)
    for field, value in {"k": 32, "T": 40, "batch": 32, "updates": 600}.items():
        assert work(replace(setup, **{field: value})) > work(setup)
    left = [work(setup, made) for made in range(setup.updates + 2)]
    assert left == sorted(left, reverse=True) and left[0] == work(setup) and left[-1] == 0


@given(st.lists(lengths, min_size=1, max_size=8), st.integers(1, 60), st.integers(0, 40))
def test_a_short_training_gets_every_second_turn_however_many_long_ones_wait(others, updates, turns_before):
    model, short = Model(), TrainingSetup(updates=updates, seed=99)
    for reader, setup in enumerate(trainings([3 * (updates + 30) + other for other in others])):
        model.queue.join(reader, setup)
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
    model, setups = Model(), trainings([*older, updates])
    for reader, setup in enumerate(setups):
        model.queue.join(reader, setup)
    most = 2 * sum(turns_of(setup.updates) for setup in setups)
    for turn in range(most):
        newcomer = TrainingSetup(updates=0, seed=1000 + turn)
        model.queue.join(("newcomer", turn), newcomer)
        model.turn()
    assert set(setups) <= set(model.ended)


@given(st.lists(lengths, min_size=1, max_size=8), st.integers(0, 60))
def test_a_training_with_nobody_before_it_gets_one_of_the_next_two_turns_and_others_do_not(updates, turns_before):
    model, setups = Model(), trainings(updates)
    for reader, setup in enumerate(setups):
        model.queue.join(reader, setup)
    for _ in range(turns_before):
        model.turn()
    waiting = [setup for setup in setups if setup not in model.ended]
    first = {setup for setup in waiting if model.queue.before(setup) == 0}
    assert all(model.queue.before(setup) < len(waiting) for setup in waiting)
    assert {model.queue.next_setup(), model.queue.next_setup()} - {None} == first


def test_trainings_of_equal_length_go_in_the_order_in_which_they_came():
    model, setups = Model(), trainings([50, 50, 50])
    for reader, setup in enumerate(setups):
        model.queue.join(reader, setup)
    assert [model.queue.before(setup) for setup in setups] == [0, 1, 2]
    while model.turn():
        pass
    assert model.ended == setups


def test_a_reader_with_ten_tabs_has_one_place():
    model, setups = Model(), trainings([600] * 10)
    for setup in setups:
        model.queue.join("ten tabs", setup)
    other = TrainingSetup(updates=600, seed=99)
    model.queue.join("one tab", other)
    assert model.queue.before(other) == 1
    model.turns_until(other)
    assert len(set(model.ended) & set(setups)) <= 2
    while model.turn():
        pass
    assert set(model.ended) == {*setups, other}


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(0, 4)), max_size=60))
def test_places_are_never_more_than_readers_and_only_what_is_waited_for_is_trained(moves):
    model, waits, setups = Model(), [], trainings([5, 15, 40, 80, 200])
    for joins, reader, at in moves:
        if joins:
            model.queue.join(reader, setups[at])
            waits.append((reader, setups[at]))
        elif (reader, setups[at]) in waits:
            model.queue.leave(reader, setups[at])
            waits.remove((reader, setups[at]))
        if (trained := model.turn()) in model.ended:
            assert trained in {setup for _, setup in waits}
            waits = [wait for wait in waits if wait[1] != trained]
            model.made.pop(trained)
            model.ended.clear()
        else:
            assert (trained is None) == (not waits)
            assert trained is None or trained in {setup for _, setup in waits}
        assert len(model.queue._line) <= len({reader for reader, _ in waits})
        assert all(reader in {reader for reader, _ in waits} for reader in model.queue._asked)


def test_readers_who_wait_for_the_same_setup_share_a_training_and_the_last_one_takes_it_along():
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
    assert queue.next_setup() is None


def test_a_second_setup_of_a_reader_gets_the_place_when_the_first_is_given_up():
    queue = TrainingQueue()
    queue.join("a", LONG)
    queue.join("a", SHORT)
    queue.join("b", TrainingSetup(updates=300))
    assert {queue.next_setup() for _ in range(4)} == {LONG, TrainingSetup(updates=300)}
    assert queue.before(SHORT) == 2
    queue.leave("a", LONG)
    assert queue.before(SHORT) == 0
    assert {queue.next_setup() for _ in range(4)} == {SHORT, TrainingSetup(updates=300)}
