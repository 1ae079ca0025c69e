"""The settings of the training page."""

from core.initialize import RANDOM
from core.training import BOUNDS, CLIPS, EXPERIMENTS, OBSTACLE_OF, OPTIMISERS, TASKS, USUAL_UPDATES, trainable
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import Number, OneOf, SomeOf

# The lines of more trainings could not be told apart.
MOST_TRAININGS = 6
# The reader's own training stands beside them.
MOST_TRIES = MOST_TRAININGS - 1


def _bounds(field: str) -> Number:
    """Return the rule of a number of a training setup."""
    return Number(*BOUNDS[field])


RECORDS = (
    *(
        Parameter(name, rule, meaning, default=default, pages=("training",))
        for name, rule, meaning, default in (
            (
                "story",
                OneOf((*EXPERIMENTS, "own")),
                "the experiment, which compares trainings; `own` is a training setup of your own",
                next(iter(EXPERIMENTS)),
            ),
            ("task", OneOf(tuple(TASKS)), "the task that the cell learns", "echo"),
            ("trained", OneOf(tuple(trainable())), "the cell that is trained", "LSTM"),
            ("units", _bounds("k"), "number of hidden units of the trained cell", 16),
            ("length", _bounds("T"), "number of time steps of each training sequence", 20),
            ("start", OneOf(RANDOM), "the initialization of the trained cell", "glorot"),
            ("start_scale", _bounds("scale"), "multiplies its weights at the start", 1.0),
            ("start_bias", _bounds("forget_bias"), "its forget bias at the start", 1.0),
            ("optimiser", OneOf(tuple(OPTIMISERS)), "the optimizer", "Adam"),
            ("rate", _bounds("rate"), "the learning rate", 0.01),
            ("clip", OneOf(tuple(CLIPS)), "how gradients are clipped", "norm"),
            ("clip_at", _bounds("clip_at"), "the norm, or the value of an entry, at which gradients are clipped", 1.0),
            ("updates", _bounds("updates"), "number of updates", USUAL_UPDATES),
            (
                "change",
                SomeOf(tuple(OBSTACLE_OF), MOST_TRIES),
                "the findings on your own training whose changes you tried, in this order",
                None,
            ),
            (
                "watched",
                Number(1, MOST_TRAININGS, whole=True),
                "the number of the training that the panels show, in an experiment with several",
                1,
            ),
        )
    ),
)
