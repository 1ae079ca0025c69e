"""Train a cell: a `TrainingSetup` in, a `Recording` out."""

from core.training.experiments import EXPERIMENTS
from core.training.learner import Learner
from core.training.measurements import Facts, Finding, Rule, facts_of, has_forget_gate
from core.training.obstacles import SIGN_OF, SIGNS, Sign, changed
from core.training.optimisers import CLIPS, OPTIMISERS
from core.training.recording import FRAMES, HELD_OUT, SATURATED, Recording, held_out_sequences, train, training
from core.training.recording_frame import (
    Lesson,
    arrays_at,
    arrays_on_probe,
    lesson_at,
    params_at,
    row_over_time,
    saved_at,
)
from core.training.tasks import TASKS, TEXT, Batch, Task
from core.training.training_setup import BOUNDS, TrainingSetup, trainable
from core.training.verdict import RULES, STATES, Verdict, helped, verdict

__all__ = [
    "BOUNDS",
    "CLIPS",
    "FRAMES",
    "HELD_OUT",
    "OPTIMISERS",
    "RULES",
    "SATURATED",
    "SIGNS",
    "SIGN_OF",
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
    "Sign",
    "Task",
    "Verdict",
    "changed",
    "arrays_at",
    "arrays_on_probe",
    "facts_of",
    "has_forget_gate",
    "held_out_sequences",
    "helped",
    "lesson_at",
    "params_at",
    "row_over_time",
    "saved_at",
    "train",
    "trainable",
    "training",
    "verdict",
]
