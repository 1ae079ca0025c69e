"""Train a cell: a `TrainingSetup` in, a `Recording` out."""

from core.training.experiments import EXPERIMENTS
from core.training.frame import (
    Lesson,
    arrays_at,
    arrays_on_probe,
    last_steps,
    lesson_at,
    params_at,
    row_over_time,
    saved_at,
)
from core.training.learner import Learner
from core.training.optimisers import CLIPS, OPTIMISERS
from core.training.recording import FRAMES, HELD_OUT, SATURATED, Recording, held_out_sequences, train, training
from core.training.tasks import TASKS, TEXT, Batch, Task
from core.training.training_setup import BOUNDS, TrainingSetup, trainable
from core.training.verdict import RULES, STATES, Facts, Finding, Rule, Verdict, facts_of, verdict

__all__ = [
    "BOUNDS",
    "CLIPS",
    "FRAMES",
    "HELD_OUT",
    "OPTIMISERS",
    "RULES",
    "SATURATED",
    "STATES",
    "EXPERIMENTS",
    "TASKS",
    "TEXT",
    "Batch",
    "Facts",
    "Recording",
    "Finding",
    "Learner",
    "Lesson",
    "TrainingSetup",
    "Rule",
    "Task",
    "Verdict",
    "arrays_at",
    "arrays_on_probe",
    "facts_of",
    "held_out_sequences",
    "last_steps",
    "lesson_at",
    "params_at",
    "row_over_time",
    "saved_at",
    "train",
    "trainable",
    "training",
    "verdict",
]
