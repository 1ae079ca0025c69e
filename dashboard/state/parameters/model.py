"""The settings of the page of a model."""

from core.diagnosis.inputs import READINGS
from core.diagnosis.networks import NETWORKS
from dashboard.state.parameters.record import Choice
from dashboard.state.parameters.rules import Number, OneOf, Word

RECORDS = (
    Choice(
        "network",
        OneOf(NETWORKS),
        "the network of Cellscope on the page of a model, until a file is opened",
        "Network",
        default=NETWORKS[0],
        pages=("model",),
    ),
    Choice(
        "passage",
        Word(200),
        "the text that a network reads, one letter a step",
        "Text",
        default="the cat sat on the mat and the dog sat on the log",
        pages=("model",),
    ),
    Choice(
        "tokens",
        OneOf(READINGS),
        "whether each letter of the text is a token, or each whole number in it",
        "Tokens",
        default=READINGS[0],
        pages=("model",),
    ),
    Choice(
        "shown_layer",
        Number(1, 16, whole=True),
        "the layer that the pictures of a model show",
        "Layer",
        default=1,
        pages=("model",),
    ),
    Choice(
        "shown_direction",
        OneOf(("forward", "backward")),
        "the direction that the pictures of a model show",
        "Direction",
        default="forward",
        pages=("model",),
    ),
)
