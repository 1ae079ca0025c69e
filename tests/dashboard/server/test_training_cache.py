"""RecordingCache: made once for all who wait for them, in turns, and kept within a number of bytes."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from threading import Event
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training import TrainingRun, TrainingSetup, train
from dashboard.server import training_cache
from dashboard.server.training_cache import RecordingCache, SharedTrainings
from tests.live import PATIENCE

RECIPE = TrainingSetup(k=3, T=4, updates=6)
LONG, SHORT = replace(RECIPE, updates=600), replace(RECIPE, seed=1)
MADE = train(RECIPE)


class Left(Exception):
    """What Streamlit raises in the run of a reader who has left."""


class Engine:
    """In place of `TrainingRun`: each training goes on one update at a time, when the test lets it.

    Attributes
    ----------
    begun : list of TrainingSetup
    free : Event
        Until it is set, trainings go on without an end.
    """

    def __init__(self):
        self.begun, self.free = [], Event()

    def __call__(self, setup):
        self.begun.append(setup)
        return EngineRun(setup, self.free)


class EngineRun:
    """One training of an `Engine`."""

    nbytes = 50

    def __init__(self, setup, free):
        self.setup, self.free, self.made = setup, free, 0

    def __next__(self):
        if self.made >= self.setup.updates and self.free.wait(0.001):
            raise StopIteration(MADE._replace(setup=self.setup))
        self.made = min(self.made + 1, self.setup.updates)
        return self.made

    def so_far(self):
        return MADE._replace(setup=self.setup, norms=MADE.norms[:1].repeat(self.made + 1))


@pytest.fixture
def engine(monkeypatch):
    engine = Engine()
    monkeypatch.setattr(training_cache, "TrainingRun", engine)
    monkeypatch.setattr(training_cache, "POLL_INTERVAL", 0.001)
    monkeypatch.setattr(training_cache, "TIME_SLICE", 0.01)
    return engine


@pytest.fixture
def trainings():
    return SharedTrainings(RecordingCache(training_cache.MOST_KEPT))


@pytest.fixture
def readers():
    with ThreadPoolExecutor(40) as threads:
        yield threads


def nothing(made, total, before):
    """What is told to a reader who stays."""


def until(condition) -> None:
    """Wait until it holds, and fail if it never does."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end
        Event().wait(0.001)


def leaving(event: Event, told: list):
    """What is told to a reader who leaves once the event is set."""

    def tell(made, total, before):
        told.append((made, total, before))
        if event.is_set():
            raise Left

    return tell


def is_idle(trainings: SharedTrainings) -> bool:
    return not (trainings._is_working or trainings._under_way or trainings._queue._asked or trainings._queue._line)


def test_a_recording_is_made_once_for_a_whole_class_and_all_see_how_far_it_is(engine, trainings, readers):
    told = [[] for _ in range(30)]

    def wait(at):
        return trainings.recording(RECIPE, at, lambda *progress: told[at].append(progress))

    waits = [readers.submit(wait, at) for at in range(30)]
    until(lambda: all(len(one) > 2 and one[-1][0] == 6 for one in told))
    engine.free.set()
    assert len({id(wait.result(PATIENCE)) for wait in waits}) == 1 and engine.begun == [RECIPE]
    for one in told:
        assert one == sorted(one) and {(total, before) for _, total, before in one} == {(6, 0)}
    assert trainings.recording(RECIPE, "late", nothing) is waits[0].result() and engine.begun == [RECIPE]
    until(lambda: is_idle(trainings))


def test_a_short_training_ends_while_a_long_one_that_came_first_goes_on(engine, trainings, readers):
    told, left = [], Event()
    long = readers.submit(trainings.recording, LONG, "long", leaving(left, told))
    until(lambda: told and told[-1][0] > 0)
    engine.free.set()
    assert trainings.recording(SHORT, "short", nothing).setup == SHORT
    left.set()
    assert isinstance(long.exception(PATIENCE), Left) or long.result().setup == LONG


def test_who_waits_learns_how_many_are_before_and_moves_up_when_one_of_them_leaves(engine, trainings, readers):
    places = [replace(LONG, seed=seed) for seed in range(3)]
    left, told = [Event() for _ in places], [[] for _ in places]
    waits = []
    for at, setup in enumerate(places):
        waits.append(readers.submit(trainings.recording, setup, at, leaving(left[at], told[at])))
        until(lambda: told[at] and told[at][-1][2] == at)  # noqa: B023
    left[0].set()
    until(lambda: told[1][-1][2] == 0 and told[2][-1][2] == 1)
    left[1].set()
    until(lambda: told[2][-1][2] == 0 and told[2][-1][0] > 0)
    left[2].set()
    assert all(isinstance(wait.exception(PATIENCE), Left) for wait in waits)
    until(lambda: is_idle(trainings))


def test_a_training_goes_on_for_others_when_one_of_its_readers_leaves(engine, trainings, readers):
    told, left = [], Event()
    first = readers.submit(trainings.recording, RECIPE, "first", leaving(left, told))
    until(lambda: told and told[-1][0] == 6)
    second = readers.submit(trainings.recording, RECIPE, "second", nothing)
    until(lambda: trainings._under_way[RECIPE].readers == 2)
    left.set()
    assert isinstance(first.exception(PATIENCE), Left)
    engine.free.set()
    assert second.result(PATIENCE).setup == RECIPE and engine.begun == [RECIPE]


def leave(trainings: SharedTrainings, readers: ThreadPoolExecutor, setup: TrainingSetup) -> int:
    """Wait for a training, leave it after some updates, and return how many the reader saw."""
    told, left = [], Event()
    wait = readers.submit(trainings.recording, setup, "reader", leaving(left, told))
    until(lambda: told and told[-1][0] > 0)
    left.set()
    assert isinstance(wait.exception(PATIENCE), Left)
    until(lambda: is_idle(trainings))
    return told[-1][0]


def test_a_training_pauses_when_its_last_reader_leaves_and_goes_on_for_the_next_one(engine, trainings, readers):
    assert trainings.stop(LONG) == 0
    seen = leave(trainings, readers, LONG)
    paused = trainings.stop(LONG)
    assert paused >= seen and trainings.stop(LONG) == paused, "nobody waits for it"
    engine.free.set()
    told = []
    assert trainings.recording(LONG, "next", lambda *progress: told.append(progress)).setup == LONG
    assert told[0][0] >= paused and engine.begun == [LONG]
    until(lambda: is_idle(trainings))
    assert trainings.stop(LONG) is None, "it is kept as a whole"


def test_what_a_reader_who_stopped_sees_stays_whatever_others_train(trainings):
    paused = trainings._paused[RECIPE] = training_cache._Training(RECIPE)
    for _ in range(3):
        paused.go_on()
    assert trainings.stop(RECIPE) == 2
    seen = trainings.stopped(RECIPE, 2)
    assert seen.updates_made == 2
    paused.go_on()
    assert trainings.stop(RECIPE) == 3 and trainings.stopped(RECIPE, 2) is seen
    whole = trainings.recording(RECIPE, "other", nothing)
    assert trainings.stop(RECIPE) is None and trainings.stopped(RECIPE, None) is whole
    assert trainings.stopped(RECIPE, 2) is seen


def test_what_readers_who_stopped_see_has_a_limit(engine, trainings, readers):
    trainings._stopped._most = 2 * (MADE.nbytes + MADE.norms.itemsize * LONG.updates)
    setups = [replace(LONG, seed=seed) for seed in range(3)]
    stops = []
    for setup in setups:
        leave(trainings, readers, setup)
        stops.append(trainings.stop(setup))
    kept = [trainings.stopped(setup, made) is not None for setup, made in zip(setups, stops)]
    assert kept == [False, True, True]


def test_the_bytes_of_a_training_grow_with_its_frames():
    run = TrainingRun(RECIPE)
    sizes = [run.nbytes for _ in run]
    assert all(less < more for less, more in pairwise(sizes)) and sizes[-1] < MADE.nbytes


def test_the_training_that_was_left_first_is_forgotten_first(engine, trainings, readers, monkeypatch):
    monkeypatch.setattr(training_cache, "MOST_PAUSED", 149)
    setups = [replace(LONG, seed=seed) for seed in range(3)]
    for setup in setups:
        leave(trainings, readers, setup)
    assert [*trainings._paused] == setups[1:]


class LastUpdate:
    """In place of `TrainingRun`: a training of one update, which ends when the test lets it.

    Attributes
    ----------
    begun, free : Event
        Set when the last update begins, and by the test to end it.
    """

    nbytes = 0

    def __init__(self):
        self.begun, self.free = Event(), Event()

    def __call__(self, setup):
        self._updates = self._updates_of(setup)
        return self

    def __next__(self):
        return next(self._updates)

    def _updates_of(self, setup):
        yield 0
        self.begun.set()
        assert self.free.wait(PATIENCE)
        return MADE._replace(setup=setup)


def test_a_training_that_ends_while_its_last_reader_leaves_is_not_paused(trainings, readers, monkeypatch):
    engine, told = LastUpdate(), []
    monkeypatch.setattr(training_cache, "TrainingRun", engine)
    wait = readers.submit(trainings.recording, RECIPE, "reader", leaving(engine.begun, told))
    assert isinstance(wait.exception(PATIENCE), Left) and [*trainings._paused] == [RECIPE]
    engine.free.set()
    until(lambda: is_idle(trainings))
    assert not trainings._paused and trainings._recordings.get(RECIPE)


def test_a_training_that_ended_before_its_last_reader_leaves_is_not_paused(trainings):
    ended = trainings._under_way[RECIPE] = training_cache._Training(RECIPE)
    ended.readers = 1
    trainings._queue.join("reader", RECIPE)
    ended.recording.set_result(MADE)
    trainings._leave(ended, "reader")
    assert not trainings._paused and is_idle(trainings)


def test_a_reader_who_comes_as_a_left_training_ends_gets_its_recording_and_the_next_one_goes_on(
    trainings, readers, monkeypatch
):
    engine, keep, came = LastUpdate(), trainings._recordings.keep, []

    def keep_and_come(recording):
        keep(recording)
        came.append(trainings.recording(RECIPE, "second", nothing))

    monkeypatch.setattr(training_cache, "TrainingRun", engine)
    monkeypatch.setattr(trainings._recordings, "keep", keep_and_come)
    wait = readers.submit(trainings.recording, RECIPE, "first", leaving(engine.begun, []))
    assert isinstance(wait.exception(PATIENCE), Left)
    engine.free.set()
    until(lambda: is_idle(trainings))
    assert [one.setup for one in came] == [RECIPE]


def test_each_reader_sees_what_a_training_fails_of_and_the_next_one_goes_on(engine, trainings, readers, monkeypatch):
    def fail(setup):
        assert engine.free.wait(PATIENCE)
        yield 0
        raise MemoryError

    monkeypatch.setattr(training_cache, "TrainingRun", fail)
    waits = [readers.submit(trainings.recording, RECIPE, at, nothing) for at in range(2)]
    until(lambda: RECIPE in trainings._under_way and trainings._under_way[RECIPE].readers == 2)
    engine.free.set()
    assert all(isinstance(wait.exception(PATIENCE), MemoryError) for wait in waits)
    monkeypatch.setattr(training_cache, "TrainingRun", engine)
    assert trainings.recording(RECIPE, "next", nothing).setup == RECIPE


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 30)), max_size=40), st.integers(1, 8))
def test_kept_recordings_take_no_more_bytes_than_there_is_room_and_the_last_ones_stay(asked, room):
    of_story = TrainingSetup(seed=100)
    kept = RecordingCache(room * MADE.nbytes, [of_story])
    kept.keep(MADE._replace(setup=of_story))
    last: list[TrainingSetup] = []
    for seed, _ in asked:
        setup = TrainingSetup(seed=seed)
        if not kept.get(setup):
            kept.keep(MADE._replace(setup=setup))
        last = [other for other in last if other != setup] + [setup]
        others = [recording for recording in kept._recordings.values() if recording.setup != of_story]
        assert sum(recording.nbytes for recording in others) <= room * MADE.nbytes
        assert {recording.setup for recording in others} == set(last[-room:])
    assert kept.get(of_story)


def test_one_large_recording_takes_the_place_of_several_small_ones():
    small, large = train(replace(RECIPE, updates=1)), train(replace(RECIPE, updates=30))
    seeds = range(5)
    kept = RecordingCache(large.nbytes + small.nbytes)
    for seed in seeds:
        kept.keep(small._replace(setup=TrainingSetup(seed=seed)))
    assert all(kept.get(TrainingSetup(seed=seed)) for seed in seeds)
    kept.keep(large)
    assert [seed for seed in seeds if kept.get(TrainingSetup(seed=seed))] == [4] and kept.get(large.setup)
    assert [*kept._recordings][-1] == large.setup


def test_more_bytes_of_a_recording_are_counted_with_more_frames_units_and_steps():
    sizes = [train(replace(RECIPE, **more)).nbytes for more in ({}, {"updates": 12}, {"updates": 12, "T": 8})]
    assert all(less < more for less, more in pairwise(sizes))
    assert training_cache.MOST_KEPT >= 10 * 10**7  # ten of the largest
