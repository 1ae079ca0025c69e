"""The settings that change only how a cell is shown: the selected unit, decimals, colours, stages, view."""

from core.cells import CELLS
from core.cells.diagram import BEATS
from core.exchange.model_files.network import MOST_UNITS
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import FLAG, Number, OneOf

PROJECTOR = "projector"
# The stages of the hidden-state page, whose last one all pages share. The diagram of a gated cell has its own.
STAGES = ("join", "multiply", "bias", "activate", "all")
STAGE_LIST, BEAT_LIST = ", ".join(STAGES[:-1]), ", ".join(BEATS)
_DIAGRAMS = [cell.DIAGRAM for cell in CELLS.values() if hasattr(cell, "DIAGRAM")]
# The gates and candidates that a link can open in the diagram.
NODE_NAMES = tuple(node.name for diagram in _DIAGRAMS for node in diagram.nodes if node.name)


RECORDS = (
    Parameter(
        "j",
        Number(1, MOST_UNITS, whole=True),
        "the selected unit; the page takes k if it is larger",
        "Selected unit j",
        default=1,
        is_view_setting=True,
    ),
    Parameter(
        "threshold",
        Number(1, 50, whole=True),
        "a unit is saturated below this percentage of the maximum derivative",
        "Saturation threshold (%)",
        "A unit is saturated if its derivative g′(z) is below this percentage of the maximum derivative.",
        default=5,
        is_view_setting=True,
    ),
    Parameter(
        "decimals",
        Number(0, 6, whole=True),
        "the number of decimals on the screen",
        "Decimals",
        "If the page shows 1, the number is exactly 1. If it shows 1.00, the number is rounded.",
        default=2,
        is_view_setting=True,
    ),
    Parameter(
        "colours",
        OneOf(("fixed", "matrix")),
        "`fixed`: one colour scale for all matrices; `matrix`: a scale for each matrix",
        "Colours",
        "Shared: one colour scale for all matrices. Per matrix: each matrix uses its own minimum and maximum.",
        default="fixed",
        is_view_setting=True,
    ),
    Parameter(
        "view",
        OneOf(("page", PROJECTOR)),
        "the layout: the normal page, or the projector view with large drawings and no sidebar",
        "View",
        "For a projector: large drawings and no sidebar. The arrow keys move between stages or panels. Escape leaves this view.",
        default="page",
    ),
    Parameter(
        "stage",
        OneOf((*STAGES, *BEATS)),
        f"the last stage that the page shows. The hidden-state page has {STAGE_LIST}. The LSTM and GRU pages have {BEAT_LIST}. With a stage of another page, a page shows everything.",
        "Show stages up to",
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
        "Predict first",
        "Hides the output of the selected unit until you enter it correctly.",
        default=False,
        is_view_setting=True,
        pages=("", "lstm", "gru", "saturation", "sequence"),
    ),
    Parameter(
        "unmatched",
        FLAG,
        "whether h and x are swapped in the stacked input, but not in the columns of W_h",
        "Swap only the input",
        "Swaps h and x in the stacked input, but not the columns of Wₕ: a common mistake.",
        default=False,
        is_view_setting=True,
        pages=("",),
    ),
    Parameter(
        "y",
        FLAG,
        "whether the output layer is shown",
        "Output layer yₜ",
        default=False,
        is_view_setting=True,
        pages=("lstm",),
    ),
)
