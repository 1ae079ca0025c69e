"""The settings that change only how a cell is shown: the selected unit, decimals, colours, stages, view."""

from core.cells import CELLS
from core.cells.diagram import STAGES as DIAGRAM_STAGES
from core.exchange.model_files.contents import MOST_UNITS
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import FLAG, Number, OneOf

PROJECTOR = "projector"
# The stages of the hidden-state page, whose last one all pages share. The diagram of a gated cell has its own.
STAGES = ("join", "multiply", "bias", "activate", "all")
STAGE_LIST, DIAGRAM_STAGE_LIST = ", ".join(STAGES[:-1]), ", ".join(DIAGRAM_STAGES)
_DIAGRAMS = [cell.DIAGRAM for cell in CELLS.values() if hasattr(cell, "DIAGRAM")]
# The gates and candidates that a link can open in the diagram.
NODE_NAMES = tuple(node.name for diagram in _DIAGRAMS for node in diagram.nodes if node.name)


RECORDS = (
    Parameter(
        "j",
        Number(1, MOST_UNITS, whole=True),
        "the selected unit; the page takes k if it is larger",
        default=1,
        is_view_setting=True,
    ),
    Parameter(
        "decimals", Number(0, 6, whole=True), "the number of decimals on the screen", default=2, is_view_setting=True
    ),
    Parameter(
        "colours",
        OneOf(("fixed", "matrix")),
        "`fixed`: one colour scale for all matrices; `matrix`: a scale for each matrix",
        default="fixed",
        is_view_setting=True,
    ),
    Parameter(
        "view",
        OneOf(("page", PROJECTOR)),
        "the layout: the normal page, or the projector view with large drawings and no sidebar",
        default="page",
    ),
    Parameter(
        "stage",
        OneOf((*STAGES, *DIAGRAM_STAGES)),
        f"the last stage that the page shows. The hidden-state page has {STAGE_LIST}. The LSTM and GRU pages have {DIAGRAM_STAGE_LIST}. With a stage of another page, a page shows everything.",
        default="all",
        is_view_setting=True,
        pages=("", "lstm", "gru"),
    ),
    Parameter(
        "node",
        OneOf(NODE_NAMES),
        "the gate of the diagram whose equation is shown",
        is_view_setting=True,
        pages=("lstm", "gru"),
    ),
    Parameter(
        "backward",
        FLAG,
        "whether the diagram shows the gradient of the sum of the entries of h_t at each wire, and not the values",
        default=False,
        is_view_setting=True,
        pages=("", "lstm", "gru"),
    ),
    Parameter(
        "predict",
        FLAG,
        "whether the page hides the output of the selected unit until you predict it",
        default=False,
        is_view_setting=True,
        pages=("", "lstm", "gru", "saturation", "sequence"),
    ),
    Parameter(
        "unmatched",
        FLAG,
        "whether h and x are swapped in the stacked input, but not in the columns of W_h",
        default=False,
        is_view_setting=True,
        pages=("",),
    ),
    Parameter("y", FLAG, "whether the output layer is shown", default=False, is_view_setting=True, pages=("lstm",)),
)
