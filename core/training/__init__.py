"""Training: a recipe in, a film out."""

from core.training.by_hand import Lesson, arrays_at, lesson_at, params_at, row_over_time, saved_at
from core.training.film import FRAMES, HELD_OUT, LEARNED, SATURATED, Film, held_out_sequences, train
from core.training.learner import Learner
from core.training.optimisers import CLIPS, OPTIMISERS
from core.training.recipe import BOUNDS, Recipe, trainable
from core.training.stories import STORIES
from core.training.tasks import TASKS, TEXT, Batch, Task

__all__ = [
    "BOUNDS",
    "CLIPS",
    "FRAMES",
    "HELD_OUT",
    "LEARNED",
    "OPTIMISERS",
    "SATURATED",
    "STORIES",
    "TASKS",
    "TEXT",
    "Batch",
    "Film",
    "Learner",
    "Lesson",
    "Recipe",
    "Task",
    "arrays_at",
    "held_out_sequences",
    "lesson_at",
    "params_at",
    "row_over_time",
    "saved_at",
    "train",
    "trainable",
]
