"""The films of trainings: each is made once for all readers, one at a time, and kept while there is room."""

from collections import OrderedDict
from threading import Lock

from core.training import Film, Recipe, train
from core.training.film import Report
from dashboard.serve.warm import aside

# A film takes about 1 MB, and at most 10.
KEPT = 24

_films: OrderedDict[Recipe, Film] = OrderedDict()
_lock = Lock()


def film(recipe: Recipe, report: Report) -> Film:
    """The film of a recipe; who asks for one that is being made waits for it.

    Parameters
    ----------
    recipe : Recipe
    report : callable
        Told how far the training is. What it raises ends the training.

    Returns
    -------
    Film
        Which all readers share: nobody may change it.
    """
    if found := _kept(recipe):
        return found
    with aside(long=True):
        # Somebody else may have made it while this reader waited.
        if found := _kept(recipe):
            return found
        made = train(recipe, report)
    with _lock:
        _films[recipe] = made
        while len(_films) > KEPT:
            _films.popitem(last=False)
    return made


def _kept(recipe: Recipe) -> Film | None:
    with _lock:
        if recipe in _films:
            _films.move_to_end(recipe)
        return _films.get(recipe)
