"""The threshold of saturation, and the settings of the saturation page."""

from core.scenario import SOURCES
from dashboard.state.parameters.record import Parameter, SliderRange
from dashboard.state.parameters.rules import FILL, Number, OneOf

TYPED_Z = "typed"


RECORDS = (
    Parameter(
        "threshold",
        Number(1, 50, whole=True),
        "a unit is saturated below this percentage of the maximum derivative",
        default=5,
        is_view_setting=True,
    ),
    Parameter(
        "source",
        OneOf((*SOURCES, TYPED_Z)),
        "the pre-activation z that the saturation page shows",
        default="hidden",
        is_view_setting=True,
        pages=("saturation",),
    ),
    Parameter(
        "z",
        FILL,
        "the z of `source=typed`, at scale 1",
        default=2.0,
        is_view_setting=True,
        pages=("saturation",),
        slider_range=SliderRange(-10, 10, 0.1),
    ),
)
