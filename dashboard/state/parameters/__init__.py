"""The query parameters, one record each, in a module for each theme. No Streamlit."""

from dashboard.state.parameters.all_parameters import (
    LAYER_PARAMS,
    NUMBER_PARAMS,
    OPENING_PARAMS,
    PAGE_PARAMS,
    PARAMETERS,
    SCREEN_PARAMS,
    SLIDERS,
    TOOL_PARAMS,
    VALUE_RULES,
    VIEW_PARAMS,
    as_text,
    expect_allowed,
    is_allowed,
    of_cell,
    of_text,
    table,
)
from dashboard.state.parameters.cell import EXAMPLE, SCALES
from dashboard.state.parameters.compare import COMPARE, FROZEN_PARAMS, SCENARIO_PARAMS, read_frozen
from dashboard.state.parameters.display import PROJECTOR, STAGES
from dashboard.state.parameters.practice import EXERCISES, LONGEST_ANSWER, Answers, Draft
from dashboard.state.parameters.rules import FLAG, LARGEST_SIZE, SMALL_SIZE, Number, OneOf, Sizes, Word
from dashboard.state.parameters.saturation import TYPED_Z
from dashboard.state.parameters.tools import CELL_PAGES

__all__ = [
    "LONGEST_ANSWER",
    "Answers",
    "Draft",
    "FLAG",
    "LARGEST_SIZE",
    "SMALL_SIZE",
    "Number",
    "OneOf",
    "Sizes",
    "Word",
    "EXAMPLE",
    "SCALES",
    "PROJECTOR",
    "STAGES",
    "EXERCISES",
    "TYPED_Z",
    "CELL_PAGES",
    "COMPARE",
    "FROZEN_PARAMS",
    "SCENARIO_PARAMS",
    "read_frozen",
    "PARAMETERS",
    "LAYER_PARAMS",
    "NUMBER_PARAMS",
    "OPENING_PARAMS",
    "PAGE_PARAMS",
    "VALUE_RULES",
    "SCREEN_PARAMS",
    "SLIDERS",
    "TOOL_PARAMS",
    "VIEW_PARAMS",
    "as_text",
    "expect_allowed",
    "is_allowed",
    "of_cell",
    "of_text",
    "table",
]
