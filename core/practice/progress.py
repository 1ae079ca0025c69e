"""A learner's progress, and the five exercises of a day by the boxes of Leitner.

A tile is a kind of exercise at a level. It stands in one of five boxes:

- A wrong first answer to an exercise moves its tile to box 1.
- A right first answer moves the tile one box up if it was due. A tile that was not due stays.
- A tile in box 1 is due at once. A tile in a higher box b is due 2^(b - 1) days after its last move: after 2, 4, 8 or 16 days.

A kind goes on to the next level once a level is right. The next level repeats the lower ones, so those do not come back.

References
----------
S. Leitner, So lernt man lernen, Herder, 1972: the boxes, and the way back to the first one. The numbers of days are not from there.
"""

import json
from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from core.practice.exercise import LEVELS

BOXES = 5
# A tile is full after so many solved exercises, and remembers so many of the last ones.
FULL_TILE, MOST_REMEMBERED = 5, 50
DAILY_EXERCISES = 5
# After so many right answers in a row the next level is offered.
RIGHT_IN_A_ROW = 2
# So many exercises of a kind are looked through for one with another answer.
LOOKED_THROUGH = 20
# The exercises of a seed are numbered from 1 to this.
LAST_NUMBER = 999
LARGEST_EXERCISE_SEED = 2**31 * (LAST_NUMBER + 1) - 1
# The longest text that `read_progress` reads.
LONGEST_TEXT = 60_000
LAST_DAY = date.max.toordinal()


class Tile(NamedTuple):
    """The progress in a kind of exercise at a level.

    Attributes
    ----------
    box : int
        From 1 to BOXES.
    day : int
        The day of the last move, as `date.toordinal` counts days.
    solved : tuple of int
        The seeds of the solved exercises, the last one at the end.
    """

    box: int
    day: int
    solved: tuple[int, ...] = ()


class ExerciseId(NamedTuple):
    """An exercise by its kind, level and seed."""

    kind: str
    level: int
    seed: int


class Why(StrEnum):
    """Why an exercise is one of five."""

    WRONG = "wrong"  # the last answer at this level was wrong
    REPEATED = "repeated"  # this level was right before
    NEXT_LEVEL = "next_level"  # the level below was right
    NEW = "new"


Tiles: TypeAlias = Mapping[tuple[str, int], Tile]


class Progress(NamedTuple):
    """All tiles by kind and level, and the day with its exercises that the learner has started.

    Attributes
    ----------
    tiles : mapping from (str, int) to Tile
    day : int
        0 if no day has been started.
    five : tuple of ExerciseId
    """

    tiles: Tiles = MappingProxyType({})
    day: int = 0
    five: tuple[ExerciseId, ...] = ()


def due_day(tile: Tile) -> int:
    """Return the day from which on a tile is due."""
    return tile.day + (2 ** (tile.box - 1) if tile.box > 1 else 0)


def is_due(tile: Tile, day: int) -> bool:
    """Whether a tile is due on a day."""
    return day >= due_day(tile)


def answered(tile: Tile | None, day: int, *, right: bool) -> Tile:
    """Return a tile after the first answer to one of its exercises.

    Parameters
    ----------
    tile : Tile or None
        None if nobody has tried this kind and level before.
    day : int
    right : bool
        Whether the answer is right, and given without a hint.
    """
    if tile is None:
        return Tile(2 if right else 1, day)
    if not right:
        return tile._replace(box=1, day=day)
    return tile._replace(box=min(tile.box + 1, BOXES), day=day) if is_due(tile, day) else tile


def with_solved(tile: Tile, seed: int) -> Tile:
    """Return a tile after one of its exercises is solved."""
    others = tuple(other for other in tile.solved if other != seed)
    return tile._replace(solved=(*others, seed)[-MOST_REMEMBERED:])


def next_number(tile: Tile | None, start: int) -> int:
    """Return the number of the first exercise of a seed that is not solved, or 1 if all of them are.

    Parameters
    ----------
    tile : Tile or None
    start : int
        The exercise with the number n has the seed start + n.
    """
    solved = set(tile.solved) if tile else set()
    return next((number for number in range(1, LAST_NUMBER + 1) if start + number not in solved), 1)


def level_ahead(tiles: Tiles, kind: str) -> int:
    """Return the level of a kind to practise next.

    It is the lowest level with a wrong last answer, unless a higher level was right on that day or later. Otherwise it is the level above
    the highest one that was right, or the last level.
    """
    right = max((level for level in LEVELS if (kind, level) in tiles and tiles[kind, level].box > 1), default=0)
    since = tiles[kind, right].day if right else 0
    wrong = [level for level in LEVELS if (kind, level) in tiles and tiles[kind, level].box == 1]
    open_again = [level for level in wrong if level > right or tiles[kind, level].day > since]
    return min(open_again, default=min(right + 1, LEVELS[-1]))


def why_chosen(tiles: Tiles, kind: str, level: int) -> Why:
    """Return why a kind is practised at a level."""
    tile = tiles.get((kind, level))
    if tile:
        return Why.WRONG if tile.box == 1 else Why.REPEATED
    return Why.NEXT_LEVEL if any((kind, below) in tiles for below in range(1, level)) else Why.NEW


def five_for(tiles: Tiles, kinds: tuple[str, ...], day: int, start: int = 0) -> tuple[ExerciseId, ...]:
    """Return five exercises for a day, each of another kind at its next level.

    First come the kinds that are due, box 1 before box 2, and in a box the longest wait first. Then come kinds at their next level, lower
    levels first, and new kinds in turn. If there are still too few, the kinds that are due next follow.

    Parameters
    ----------
    tiles : mapping from (str, int) to Tile
    kinds : tuple of str
        In the order of the course.
    day : int
    start : int, optional
        As in `next_number`.
    """
    levels = {kind: level_ahead(tiles, kind) for kind in kinds}
    # The tile that says when a kind is due: that of its level or, before the first try, the one below.
    last = {
        kind: tile
        for kind, level in levels.items()
        if (tile := tiles.get((kind, level)) or tiles.get((kind, level - 1)))
    }
    tried = sorted(last, key=lambda kind: (last[kind].box, last[kind].day, kinds.index(kind)))
    due = [kind for kind in tried if is_due(last[kind], day)]
    later = sorted((kind for kind in tried if kind not in due), key=lambda kind: due_day(last[kind]))
    onward = sorted((kind for kind in later if (kind, levels[kind]) not in tiles), key=lambda kind: levels[kind])
    new = [kind for kind in kinds if kind not in last]
    in_turn = [kind for kind in chain.from_iterable(zip_longest(onward, new)) if kind]
    chosen = list(dict.fromkeys((*due, *in_turn, *later)))[:DAILY_EXERCISES]
    return tuple(
        ExerciseId(kind, levels[kind], start + next_number(tiles.get((kind, levels[kind])), start)) for kind in chosen
    )


def with_other_answers(
    tasks: tuple[ExerciseId, ...], tiles: Tiles, are_alike: Callable[[ExerciseId, ExerciseId], bool]
) -> tuple[ExerciseId, ...]:
    """Return tasks of the same kinds and levels, each with another answer than those before it.

    Two equal answers in a row look as if the page still had the first one.

    Parameters
    ----------
    tasks : tuple of ExerciseId
        Not solved. Where a task has the answer of one before it, the next exercise that is not solved takes its place.
    tiles : mapping from (str, int) to Tile
    are_alike : callable
        Whether two tasks have equal answers.
    """
    found: list[ExerciseId] = []
    for task in tasks:
        most = min(LOOKED_THROUGH, LAST_NUMBER - task.seed % (LAST_NUMBER + 1))
        ahead = unsolved(tuple(task._replace(seed=task.seed + more) for more in range(most + 1)), tiles)
        found.append(next((one for one in ahead if not any(are_alike(one, other) for other in found)), task))
    return tuple(found)


def unsolved(tasks: tuple[ExerciseId, ...], tiles: Tiles) -> list[ExerciseId]:
    """Return the exercises that are not solved, in their order."""
    return [task for task in tasks if task.seed not in tiles.get((task.kind, task.level), Tile(1, 0)).solved]


# ---- as text -----------------------------------------------------------------------------------


def name_of(kind: str, level: int) -> str:
    """Return the name of a tile in the text."""
    return f"{kind} {level}"


def read_progress(text: object, kinds: tuple[str, ...]) -> Progress:
    """Return the progress that a text holds. Every part that is no progress is left out.

    Parameters
    ----------
    text : object
        JSON as `to_entry` and `five_entry` write it: tiles by `name_of`, and "five". A client may send anything.
    kinds : tuple of str
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        return Progress()
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return Progress()
    if not isinstance(held, dict):
        return Progress()
    tiles = {(kind, level): _tile(held.get(name_of(kind, level))) for kind in kinds for level in LEVELS}
    five = held.get("five")
    day, tasks = five if isinstance(five, list) and len(five) == 2 else (0, ())
    read = [_task(task, kinds) for task in tasks] if isinstance(tasks, list) and len(tasks) <= DAILY_EXERCISES else []
    found = tuple(task for task in read if task)
    is_started = _is_whole(day, 1, LAST_DAY) and len(found) == len(read) > 0
    known = {name: tile for name, tile in tiles.items() if tile}
    return Progress(known, day, found) if is_started else Progress(known)


def to_entry(tile: Tile) -> list[Any]:
    """Return a tile as `read_progress` reads it."""
    return [tile.box, tile.day, list(tile.solved)]


def five_entry(day: int, five: tuple[ExerciseId, ...]) -> list[Any]:
    """Return the exercises of a day as `read_progress` reads them."""
    return [day, [list(task) for task in five]]


def read_day(text: object) -> int:
    """Return the ordinal of a date such as 2026-01-31, or 0 if the text is none."""
    try:
        return date.fromisoformat(text).toordinal() if isinstance(text, str) else 0
    except ValueError:
        return 0


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _tile(value: object) -> Tile | None:
    if not isinstance(value, list) or len(value) != 3:
        return None
    box, day, solved = value
    if not (_is_whole(box, 1, BOXES) and _is_whole(day, 1, LAST_DAY) and isinstance(solved, list)):
        return None
    seeds = [seed for seed in solved[-MOST_REMEMBERED:] if _is_whole(seed, 0, LARGEST_EXERCISE_SEED)]
    return Tile(box, day, tuple(dict.fromkeys(seeds)))


def _task(value: object, kinds: tuple[str, ...]) -> ExerciseId | None:
    if not isinstance(value, list) or len(value) != 3:
        return None
    kind, level, seed = value
    is_seed = _is_whole(seed, 1, LARGEST_EXERCISE_SEED) and seed % (LAST_NUMBER + 1) > 0
    is_task = isinstance(kind, str) and kind in kinds and _is_whole(level, 1, LEVELS[-1]) and is_seed
    return ExerciseId(kind, level, seed) if is_task else None
