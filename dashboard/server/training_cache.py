"""The recordings of trainings. Each is made once for all readers who wait for it, and kept while there is room."""

import os
import pickle
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

from core.training import EXPERIMENTS, Recording, TrainingRun, TrainingSetup, train
from dashboard.server.scheduling import released_run_lock, yield_run_lock
from dashboard.server.training_queue import TIME_SLICE, TrainingQueue

ROOT = Path(__file__).parents[2]
# In bytes: about 100 recordings of the default size, or 10 of the largest. The experiments take another 10 MB.
MOST_KEPT = 100 * 10**6
# In bytes: the trainings that all readers have left, and what readers who stopped see of them, each about 8 of the largest.
MOST_PAUSED = MOST_STOPPED = 100 * 10**6
# In seconds: how often a waiting run updates its progress. The run of a reader who has left ends at such an update.
POLL_INTERVAL = 0.1
EXPERIMENT_SETUPS = [setup for setups in EXPERIMENTS.values() for setup in setups]

# Receives the number of updates that are made, their total, and the number of trainings that come first.
OnProgress = Callable[[int, int, int], None]


class RecordingCache:
    """The recordings in memory, up to a total size.

    Parameters
    ----------
    most : int
        In bytes. The least recently used recording is dropped first.
    always : collection of TrainingSetup
        Their recordings stay and do not count.
    key : callable, optional
        Of a recording: what identifies it. The default is its setup.
    """

    def __init__(
        self,
        most: int,
        always: Collection[TrainingSetup] = (),
        key: Callable[[Recording], Hashable] = attrgetter("setup"),
    ) -> None:
        self._most, self._always, self._key = most, always, key
        self._recordings: OrderedDict[Hashable, Recording] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Recording | None:
        """Return the recording with a key, or None if it is not kept."""
        with self._lock:
            if key in self._recordings:
                self._recordings.move_to_end(key)
            return self._recordings.get(key)

    def keep(self, recording: Recording) -> None:
        """Keep a recording, and drop others if there is no room. A recording larger than the total size is not kept."""
        with self._lock:
            self._recordings[self._key(recording)] = recording
            room = self._most
            for key in [key for key in reversed(self._recordings) if key not in self._always]:
                room -= self._recordings[key].nbytes
                if room < 0:
                    del self._recordings[key]


class _Training:
    """A training for which some reader waits, or which all readers have left."""

    def __init__(self, setup: TrainingSetup) -> None:
        self.setup = setup
        self.made = 0
        self.readers = 0
        self.recording: Future[Recording] = Future()
        self._run: TrainingRun | None = None
        # The thread of a reader may ask for the recording so far while another thread makes an update.
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        """The size in bytes of the frames that are made."""
        return self._run.nbytes if self._run else 0

    def go_on(self) -> None:
        """Make an update. Raise StopIteration with the recording after the last one."""
        with self._lock:
            self._run = self._run or TrainingRun(self.setup)
            self.made = next(self._run)

    def so_far(self) -> Recording | None:
        """Return the recording of the updates that are made; None before the first one."""
        with self._lock:
            return self._run.so_far() if self._run and self.made else None


class SharedTrainings:
    """The trainings for which readers wait. One thread makes them, one at a time.

    Parameters
    ----------
    recordings : RecordingCache
        Keeps each finished recording.
    """

    def __init__(self, recordings: RecordingCache) -> None:
        self._recordings = recordings
        # By the setup and the number of updates, so that nobody else can change what a reader who stopped sees.
        self._stopped = RecordingCache(MOST_STOPPED, key=attrgetter("setup", "updates_made"))
        self._queue = TrainingQueue()
        self._under_way: dict[TrainingSetup, _Training] = {}
        # The last one that was left comes last.
        self._paused: OrderedDict[TrainingSetup, _Training] = OrderedDict()
        self._lock = Lock()
        self._is_working = False

    def recording(self, setup: TrainingSetup, reader: Hashable, on_progress: OnProgress) -> Recording:
        """Return the recording of a training setup, and wait for it if there is none.

        Parameters
        ----------
        setup : TrainingSetup
        reader : hashable
            The identity of the reader. A reader who waits for several recordings has one place in the queue.
        on_progress : OnProgress
            Called every POLL_INTERVAL seconds while the reader waits. An error that it raises ends the wait, and also
            pauses the training if nobody else waits for it.

        Returns
        -------
        Recording
        """
        under_way = self._join(setup, reader)
        try:
            # No event reports that a reader has left: Streamlit ends a run only when the run calls Streamlit.
            while not under_way.recording.done():
                on_progress(under_way.made, setup.updates, self._before(setup))
                wait([under_way.recording], POLL_INTERVAL)
        finally:
            self._leave(under_way, reader)
        return under_way.recording.result()

    def stop(self, setup: TrainingSetup) -> int | None:
        """Keep the recording of the updates that are made of a training, and return their number.

        Parameters
        ----------
        setup : TrainingSetup

        Returns
        -------
        int or None
            None if the training has ended before.
        """
        with self._lock:
            found = self._under_way.get(setup) or self._paused.get(setup)
        if self._recordings.get(setup):
            return None
        if not (found and (made := found.so_far())):
            return 0
        self._stopped.keep(made)
        return made.updates_made

    def stopped(self, setup: TrainingSetup, made: int | None) -> Recording | None:
        """Return the recording of the first updates of a training, or None if it is not kept.

        Parameters
        ----------
        setup : TrainingSetup
        made : int or None
            A result of `stop`.
        """
        return self._recordings.get(setup) if made is None else self._stopped.get((setup, made))

    def _join(self, setup: TrainingSetup, reader: Hashable) -> _Training:
        with self._lock:
            # Another reader's training may have finished since this reader asked.
            if setup not in self._under_way and (found := self._recordings.get(setup)):
                finished = _Training(setup)
                finished.readers += 1
                finished.recording.set_result(found)
                return finished
            under_way = self._under_way.get(setup) or self._resumed(setup) or _Training(setup)
            under_way.readers += 1
            self._under_way[setup] = under_way
            self._queue.join(reader, setup)
            if not self._is_working:
                self._is_working = True
                Thread(target=self._work, daemon=True).start()
            return under_way

    def _resumed(self, setup: TrainingSetup) -> _Training | None:
        """Take a paused training out of the paused ones. One whose last update has failed since does not go on."""
        paused = self._paused.pop(setup, None)
        return None if paused is None or paused.recording.done() else paused

    def _before(self, setup: TrainingSetup) -> int:
        with self._lock:
            return self._queue.before(setup)

    def _leave(self, under_way: _Training, reader: Hashable) -> None:
        with self._lock:
            under_way.readers -= 1
            if self._is_waited_for(under_way):
                self._queue.leave(reader, under_way.setup)
                if not under_way.readers:
                    del self._under_way[under_way.setup]
                    self._pause(under_way)

    def _pause(self, left: _Training) -> None:
        """Keep a training that all readers have left, unless it ended before."""
        if left.recording.done():
            return
        self._paused[left.setup] = left
        while sum(paused.nbytes for paused in self._paused.values()) > MOST_PAUSED:
            self._paused.popitem(last=False)

    def _is_waited_for(self, under_way: _Training) -> bool:
        """Whether a training is neither finished nor paused. Another training with the same setup may have begun since."""
        return self._under_way.get(under_way.setup) is under_way

    def _work(self) -> None:
        """Train until nobody waits."""
        while under_way := self._next():
            self._go_on(under_way)

    def _next(self) -> _Training | None:
        with self._lock:
            setup = self._queue.next_setup()
            self._is_working = setup is not None
            return self._under_way[setup] if setup else None

    def _go_on(self, under_way: _Training) -> None:
        """Train for one slice of time, or until nobody waits for the recording."""
        until = monotonic() + TIME_SLICE
        try:
            while under_way.readers and monotonic() < until:
                under_way.go_on()
                yield_run_lock()
        except StopIteration as end:
            self._recordings.keep(end.value)
            under_way.recording.set_result(end.value)
        except Exception as error:  # pass it on to every reader who waits
            under_way.recording.set_exception(error)
        with self._lock:
            if under_way.recording.done() and self._paused.get(under_way.setup) is under_way:
                del self._paused[under_way.setup]  # all readers left during its last update
            if not self._is_waited_for(under_way):
                return
            if under_way.recording.done():
                del self._under_way[under_way.setup]
                self._queue.end(under_way.setup)
            else:
                self._queue.progress(under_way.setup, under_way.made)


RECORDINGS = RecordingCache(MOST_KEPT, EXPERIMENT_SETUPS)
TRAININGS = SharedTrainings(RECORDINGS)


def recording(setup: TrainingSetup, reader: Hashable, on_progress: OnProgress) -> Recording:
    """Return the recording of a training setup, and wait for it if there is none.

    Parameters
    ----------
    setup : TrainingSetup
    reader : hashable
        The identity of the reader. A reader who waits for several recordings has one place in the queue.
    on_progress : OnProgress
        Called while the reader waits. An error that it raises ends the wait.

    Returns
    -------
    Recording
        All readers share it, so callers must not change it.
    """
    if found := RECORDINGS.get(setup):
        return found
    with released_run_lock():
        return TRAININGS.recording(setup, reader, on_progress)


def stop(setup: TrainingSetup) -> int | None:
    """Keep the updates that are made of a training for a reader who stops it.

    Parameters
    ----------
    setup : TrainingSetup

    Returns
    -------
    int or None
        The number of the updates; None if the training has ended before.
    """
    return TRAININGS.stop(setup)


def stopped(setup: TrainingSetup, made: int | None) -> Recording:
    """Return what a reader who stopped a training sees of it, whatever others have trained since.

    Parameters
    ----------
    setup : TrainingSetup
    made : int or None
        A result of `stop`.

    Returns
    -------
    Recording
        Its first updates, or the whole training if made is None. If they are no longer kept, the cell before its first update.
    """
    return TRAININGS.stopped(setup, made) or untrained(setup)


def untrained(setup: TrainingSetup) -> Recording:
    """Return a recording of the cell before its first update, which needs no training.

    Parameters
    ----------
    setup : TrainingSetup

    Returns
    -------
    Recording
    """
    return train(replace(setup, updates=0))


def kept(setup: TrainingSetup) -> Recording | None:
    """Return the recording of a training setup, or None if there is none."""
    return RECORDINGS.get(setup)


@cache
def precompute_experiments() -> None:
    """Start a process that makes the recordings of the experiments, so that no reader waits for them.

    The process has the lowest priority. A thread would hold Python's lock. In the repository the recordings would take 10 MB, and
    another processor could not reproduce them to the last digit.
    """
    Thread(target=_take_in, daemon=True).start()


def _take_in() -> None:
    # If the process cannot start or ends too early, each recording is made for its first reader.
    with suppress(OSError, EOFError, pickle.UnpicklingError):
        command = [sys.executable, "-m", "dashboard.server.training_precompute", str(os.getpid())]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout
            for _ in EXPERIMENT_SETUPS:
                RECORDINGS.keep(pickle.load(process.stdout))
