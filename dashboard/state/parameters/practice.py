"""The settings of the practice page."""

import re
from dataclasses import dataclass

from core.practice.exercise import LEVELS
from core.practice.progress import LAST_NUMBER
from core.practice.quiz import EXERCISES_PER_TEST
from dashboard.state.parameters.cell import LARGEST_SEED
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import FLAG, Number, OneOf

# The label of each kind of exercise.
EXERCISES = {
    "z": "One entry of z",
    "value": "One entry of h",
    "slope": "A derivative",
    "lstm-c": "The cell state of an LSTM",
    "lstm-h": "The hidden state of an LSTM",
    "gru-z": "The z of a GRU's candidate",
    "gru-h": "The hidden state of a GRU",
    "shape": "Shapes",
    "count": "Trainable parameters",
    "order": "The order of the gates",
    "left": "The gradient after T steps",
    "saturated": "The saturated unit",
    "forgets": "The memory after T steps",
    "chain": "A whole step of an LSTM",
}


# The longest answer to a test of ten.
LONGEST_ANSWER = 48


@dataclass(frozen=True)
class Answers:
    """The rule of the answers to a test."""

    between = "~"

    def allows(self, text: str) -> bool:
        answers = text.split(self.between)
        return len(answers) == EXERCISES_PER_TEST and all(
            len(one) <= LONGEST_ANSWER and one.isprintable() for one in answers
        )

    def __str__(self) -> str:
        return f"{EXERCISES_PER_TEST} answers of at most {LONGEST_ANSWER} characters, with {self.between} between them"


@dataclass(frozen=True)
class Draft(Answers):
    """The rule of answers that are not checked yet. Before them stands a digest of the exercises that they belong to."""

    def allows(self, text: str) -> bool:
        digest, _, answers = text.partition(self.between)
        return bool(re.fullmatch("[0-9a-f]{8}", digest)) and super().allows(answers)

    def __str__(self) -> str:
        return f"a digest of the exercises and {super().__str__()}"


RECORDS = (
    Parameter(
        "kind",
        OneOf(tuple(EXERCISES)),
        "the kind of exercise; without it the page shows all kinds and levels",
        pages=("practice",),
    ),
    Parameter(
        "level",
        Number(LEVELS[0], LEVELS[-1], whole=True),
        "the difficulty: 1 is mental arithmetic, 2 and 3 have decimals",
        default=1,
        pages=("practice",),
    ),
    Parameter(
        "number",
        Number(1, LAST_NUMBER, whole=True),
        "the number of the exercise among those of its kind, level and seed",
        default=1,
        pages=("practice",),
    ),
    Parameter(
        "today",
        FLAG,
        "whether **Next** leads to the next of today's five exercises",
        default=False,
        pages=("practice",),
        is_of_screen=True,
    ),
    Parameter(
        "test",
        Number(1, LARGEST_SEED, whole=True),
        "the number of a test of ten exercises; without it the page shows no test",
        pages=("practice",),
        is_of_screen=True,
    ),
    Parameter(
        "answers",
        Answers(),
        "the answers to a test of ten exercises, which the page checks",
        pages=("practice",),
        is_of_screen=True,
    ),
    Parameter(
        "draft",
        Draft(),
        "the answers to a test of ten exercises that is not checked yet",
        pages=("practice",),
        is_of_screen=True,
    ),
)
