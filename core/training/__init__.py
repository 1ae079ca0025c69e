"""Train a cell: a `TrainingSetup` in, a `Recording` out."""

from core.training.experiments import EXPERIMENTS
from core.training.finding import FindingRule, TrainingFinding
from core.training.learner import Learner
from core.training.measurements import Measurements, has_forget_gate, measure
from core.training.obstacles import OBSTACLE_OF, OBSTACLES, Obstacle, changed
from core.training.optimisers import CLIPS, OPTIMISERS
from core.training.recording import (
    FRAMES,
    SATURATED,
    VALIDATION_SEQUENCES,
    Recording,
    TrainingRun,
    train,
    validation_set,
)
from core.training.recording_frame import (
    ProbeRun,
    arrays_at,
    arrays_on_probe,
    params_at,
    probe_run_at,
    row_over_time,
    saved_at,
)
from core.training.tasks import TASKS, TEXT, Batch, Task
from core.training.thresholds import USUAL_UPDATES
from core.training.training_setup import BOUNDS, TrainingSetup, largest, trainable
from core.training.verdict import RULES, STATES, Verdict, differs_in_median, ends_of, helped, verdict

__all__ = [
    "BOUNDS",
    "CLIPS",
    "EXPERIMENTS",
    "FRAMES",
    "VALIDATION_SEQUENCES",
    "OBSTACLES",
    "OBSTACLE_OF",
    "OPTIMISERS",
    "RULES",
    "SATURATED",
    "STATES",
    "TASKS",
    "TEXT",
    "Batch",
    "TrainingFinding",
    "Learner",
    "Measurements",
    "Obstacle",
    "ProbeRun",
    "Recording",
    "FindingRule",
    "Task",
    "TrainingRun",
    "TrainingSetup",
    "USUAL_UPDATES",
    "Verdict",
    "arrays_at",
    "arrays_on_probe",
    "changed",
    "differs_in_median",
    "ends_of",
    "has_forget_gate",
    "validation_set",
    "helped",
    "largest",
    "measure",
    "params_at",
    "probe_run_at",
    "row_over_time",
    "saved_at",
    "train",
    "trainable",
    "verdict",
]
