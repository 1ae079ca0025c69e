"""A record of a query parameter: its rule, its meaning, its control and the pages that have it."""

from dataclasses import dataclass
from typing import Any

from dashboard.state.parameters.rules import SMALL_SIZE, ValueRule
from dashboard.text.labels import LABELS, TOOLTIPS


@dataclass(frozen=True)
class SliderRange:
    """The ends and the step of a slider; the field beside it takes every value that the rule allows."""

    low: float
    high: float
    step: float = 1


@dataclass(frozen=True)
class Parameter:
    """A query parameter, and the control of its setting.

    Attributes
    ----------
    name : str
        The query parameter and the control have the same name.
    rule : ValueRule
        The values that it can have, which are also the bounds of the control.
    meaning : str
        For the table of docs/parameters.md.
    default : object
        The value of a field of `Settings` that the URL leaves out. A field of `Scenario` has its default there.
    is_view_setting : bool
        Whether it changes only how numbers are shown. Choosing a worked example keeps it, unless the example has a value of its own.
    pages : sequence of str
        The paths of the only pages that have the control; empty if every page has it.
    slider_range : SliderRange, optional
        The slider, if the control is one.
    is_tool : bool
        Whether it opens a tool of the page; every link leaves it out.
    is_of_screen : bool
        Whether it is about what the page shows; a link to another page leaves it out, and so does choosing a worked example.
    """

    name: str
    rule: ValueRule
    meaning: str
    default: Any = None
    is_view_setting: bool = False
    pages: tuple[str, ...] = ()
    slider_range: SliderRange | None = None
    is_tool: bool = False
    is_of_screen: bool = False

    @property
    def label(self) -> str:
        """The label of its control; a parameter without one has no control."""
        return LABELS.get(self.name, "")

    @property
    def short_label(self) -> str:
        """The label within a sentence: without what stands after its colon."""
        return self.label.partition(":")[0]

    @property
    def help(self) -> str | None:
        """The tooltip of its control."""
        return TOOLTIPS.get(self.name)


SMALL = SliderRange(1, SMALL_SIZE)
