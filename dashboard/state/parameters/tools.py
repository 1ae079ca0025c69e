"""The open tools of a page, and the question at its foot."""

from core.scenario import Scenario
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import FLAG, Number, OneOf
from dashboard.text.questions import QUESTIONS

# The paths of the pages that show a cell with the reader's settings.
CELL_PAGES = ("", "lstm", "gru", "saturation", "sequence", "gradients")


RECORDS = (
    Parameter("edit", FLAG, "whether the editor is open", default=False, pages=CELL_PAGES, is_tool=True),
    Parameter(
        "array",
        OneOf(tuple(Scenario().shapes()), "the name of an array, such as W_hh or b_f"),
        "the array in the editor",
        pages=CELL_PAGES,
        is_tool=True,
    ),
    Parameter(
        "take", FLAG, "whether **Save and share** is open", default=False, pages=(*CELL_PAGES, "training"), is_tool=True
    ),
    Parameter(
        "question",
        Number(1, len(QUESTIONS), whole=True),
        "the question that stands at the foot of the window; a frame marks the panel with the answer",
        is_of_screen=True,
    ),
)
