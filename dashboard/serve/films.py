"""The films of trainings: each is made once for all readers, one at a time, and kept while there is room."""

import os
import pickle
import subprocess
import sys
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock, Thread

from core.training import STORIES, Film, Recipe, train
from core.training.film import Report
from dashboard.serve.warm import give_way, without_turn

ROOT = Path(__file__).parents[2]
# A film takes about 1 MB, and at most 12.
KEPT = 24
# In seconds: who waits for a film is told this often how far it is, and may go away as often.
LOOK = 0.1
OF_STORIES = [recipe for recipes in STORIES.values() for recipe in recipes]

TRAINING = Lock()
_films: OrderedDict[Recipe, Film] = OrderedDict()
_made: dict[Recipe, int] = {}
_lock = Lock()


def film(recipe: Recipe, report: Report) -> Film:
    """The film of a recipe; who asks for one that is being made waits for it.

    Parameters
    ----------
    recipe : Recipe
    report : callable
        Told how far the training is, also of one who waits. What it raises ends the waiting or the training.

    Returns
    -------
    Film
        Which all readers share: nobody may change it.
    """

    def tell(done: int, total: int) -> None:
        _made[recipe] = done
        give_way()
        report(done, total)

    if found := kept(recipe):
        return found
    report(0, recipe.updates)
    with without_turn():
        while not TRAINING.acquire(timeout=LOOK):
            if found := kept(recipe):
                return found
            report(_made.get(recipe, 0), recipe.updates)
        try:
            # Somebody else may have made it while this reader waited.
            return kept(recipe) or _keep(train(recipe, tell))
        finally:
            _made.pop(recipe, None)
            TRAINING.release()


def untrained(recipe: Recipe) -> Film:
    """The film of the cell before its first update alone, which takes no time.

    Parameters
    ----------
    recipe : Recipe

    Returns
    -------
    Film
    """
    return train(replace(recipe, updates=0))


def kept(recipe: Recipe) -> Film | None:
    """The film of a recipe, if there is one."""
    with _lock:
        if recipe in _films:
            _films.move_to_end(recipe)
        return _films.get(recipe)


@cache
def make_ahead() -> None:
    """Have the films of the stories made, that nobody need wait for them.

    A process of its own makes them, which the system lets run where nothing else wants to. A thread would hold Python's lock,
    and kept in the repository they would be 10 MB that no other processor makes again to the last digit.
    """
    Thread(target=_take_in, daemon=True).start()


def _take_in() -> None:
    # Where there can be no process, or it ends too early, films are made when somebody wants to see them.
    with suppress(OSError, EOFError, pickle.UnpicklingError):
        command = [sys.executable, "-m", "dashboard.serve.ahead", str(os.getpid())]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout
            for _ in OF_STORIES:
                _keep(pickle.load(process.stdout))


def _keep(film: Film) -> Film:
    """Keep it, in the place of the one that nobody has looked at for longest; those of the stories stay."""
    with _lock:
        _films[film.recipe] = film
        others = [recipe for recipe in _films if recipe not in OF_STORIES]
        for recipe in others[: max(0, len(others) - KEPT)]:
            del _films[recipe]
    return film
