"""Two series whose lengths are one apart, such as targets and a forecast from the step before."""

import re

from core.shapes.layer_shapes import Shape, differing_axes
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, reason

# Names of what is compared, and the usual cuts.
_COMPARED = re.compile(
    r"\[(?::, ?)?(?:1:|:-1)\]|forecast|naive|y_?(?:true|pred|test|hat)|pred(?:s|iction|icted)?\b|targets?\b|labels?\b"
    r"|\b(?:rmse|mse|mae|loss)\b|cross_entropy",
    re.IGNORECASE,
)
# The last axis of probabilities has the classes.
_OF_CLASSES = r"\blog(?:2|10)?\(|prob|one_?hot"
# name = series[:-1]
_CUT = re.compile(r"\b(\w{1,40}) ?= ?(\w{1,40})\[:-1\]")
# Shorter ones may be the numbers of units or of features.
_FEWEST = 5


def of_shifted_series(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two series that are compared entry by entry; None if they are no such series."""
    differ = differing_axes(left, right)
    if len(left) != len(right) or len(differ) != 1 or len(left) > 1 and differ[0] != 1:
        return None
    axis = differ[0]
    if (
        abs(left[axis] - right[axis]) != 1
        or min(left[axis], right[axis]) < _FEWEST
        or not _COMPARED.search(reading.whole)
        or axis == 1
        and re.search(_OF_CLASSES, reading.code)
    ):
        return None
    name = "a" if left[axis] > right[axis] else "b"
    facts = Facts(left=left, right=right, name=name, axis=axis, own=_own_call(reading))
    return Diagnosis("entry-by-entry", facts, SHIFTED_SERIES)


def _own_call(reading: Reading) -> str:
    """Return the reader's call with the whole series cut at its beginning, where the other argument is its cut end."""
    cut = _CUT.search(reading.whole)
    if not cut:
        return ""
    name, series = map(re.escape, cut.groups())
    for call in re.finditer(r"\b[\w.]{1,60}\([^()]{0,160}\)", reading.whole[cut.end() :]):
        if re.search(rf"\b{name}\b", call[0]) and re.search(rf"\b{series}\b(?! ?[=\[])", call[0]):
            return re.sub(rf"\b{series}\b(?! ?[=\[])", f"{cut[2]}[1:]", call[0], count=1)
    return ""


def _without_one(facts: Facts) -> str:
    before = ":, " * facts.axis
    return facts.own or (
        f"{facts.name} = {facts.name}[{before}1:]   # without its first entry, if the other is the forecast for the next one\n"
        f"{facts.name} = {facts.name}[{before}:-1]   # without its last entry, if both begin together"
    )


SHIFTED_SERIES = strong(
    "shifted-targets", (reason("broadcast-shapes", "left", "right"), reason("one-apart")), _without_one
)
