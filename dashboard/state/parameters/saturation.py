"""The settings of the saturation page."""

from core.scenario import SOURCES
from dashboard.state.parameters.record import Parameter, SliderRange
from dashboard.state.parameters.rules import FILL, OneOf

TYPED_Z = "typed"


RECORDS = (
    Parameter(
        "source",
        OneOf((*SOURCES, TYPED_Z)),
        "the pre-activation z that the saturation page shows",
        "Pre-activation z",
        "z is the input of the activation. The page shows the z of the RNN, of a gate or the candidate of the LSTM, of a GRU gate, or a typed z.",
        default="hidden",
        is_view_setting=True,
        pages=("saturation",),
    ),
    Parameter(
        "z",
        FILL,
        "the z of `source=typed`, at scale 1",
        "z at scale 1",
        default=2.0,
        is_view_setting=True,
        pages=("saturation",),
        slider_range=SliderRange(-10, 10, 0.1),
    ),
)
