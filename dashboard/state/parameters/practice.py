"""The settings of the practice page."""

from dashboard.state.parameters.record import Choice
from dashboard.state.parameters.rules import Number, OneOf

# The label of each kind of exercise.
EXERCISES = {
    "z": "One entry of z",
    "value": "One entry of h",
    "slope": "A derivative",
    "lstm-c": "The cell state of an LSTM",
    "lstm-h": "The hidden state of an LSTM",
    "gru-z": "The candidate of a GRU, before its tanh",
    "gru-h": "The hidden state of a GRU",
    "shape": "Shapes",
    "count": "Trainable parameters",
    "order": "The order of the gates",
    "left": "What is left after T steps",
    "saturated": "Which unit is saturated",
    "forgets": "Which unit forgets",
    "chain": "A whole step of an LSTM",
}


RECORDS = (
    Choice(
        "kind",
        OneOf(tuple(EXERCISES)),
        "the kind of exercise",
        "What to practise",
        default="z",
        pages=("practice",),
    ),
    Choice(
        "level",
        Number(1, 3, whole=True),
        "the difficulty: 1 is mental arithmetic, 2 and 3 need a calculator",
        "Level",
        "1: whole numbers, without a calculator. 2: one decimal, with a calculator. 3: two decimals and larger sizes.",
        default=1,
        pages=("practice",),
    ),
    Choice(
        "number",
        Number(1, 999, whole=True),
        "the number of the exercise among those of its kind, level and seed",
        "Exercise",
        default=1,
        pages=("practice",),
    ),
)
