"""Splits of an axis into parts."""

import re
from itertools import product

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, diagnoses, reason


def _split_lines(facts: Facts) -> str:
    """Return the lines that split all gates of an LSTM or a GRU, in the other number than the reader's."""
    axis = f", axis={facts.axis}" if facts.axis else ""
    library = advised_lines.library(facts.framework)
    of_lstm = f"i, f, g, o = {library}.split(a, 4{axis})   # an LSTM: three gates and the candidate"
    of_gru = f"r, z, n = {library}.split(a, 3{axis})   # a GRU: two gates and the candidate"
    lines = {"3": [of_lstm], "4": [of_gru]}.get(facts.parts, [of_lstm, of_gru])
    if facts.size:
        # The gates of a cell have as many entries each.
        lines = [one for one, gates in ((of_lstm, 4), (of_gru, 3)) if one in lines and not facts.size % gates]
    if facts.size and facts.parts.isdecimal() and int(facts.parts) and not facts.of_rows:
        parts = int(facts.parts)
        each = facts.size // (parts - 1) if parts > 1 and not facts.size % (parts - 1) else facts.size // parts + 1
        lines.insert(0, f"Dense({parts * each})   # the layer that gives what is split: {parts} parts of {each}")
        return "\n".join(lines)
    if facts.at_last:
        lines.insert(0, f"{facts.at_last}   # the gates stand side by side, on the last axis")
    if not axis and len(lines) == 1:
        names = "i, f, g, o" if facts.parts == "4" else "r, z, n"
        side_by_side = f"{names} = {library}.split(a, {facts.parts}, axis=-1)   # if the gates stand side by side, on the last axis"
        lines.insert(0, side_by_side)
    return "\n".join(lines)


SPLIT = strong("split", "split-unequal", _split_lines)


@diagnoses("split")
def split(reading: Reading) -> Diagnosis:
    """Diagnose a split into equal parts, whose message has no size."""
    code = reading.own_code
    parts = re.search(r"split\([^()]{1,80}, ?(\d)\b", code)
    axis = re.search(r"(?:axis ?= ?|, ?)(-?\d)\)", code)
    told = reading.values.get("parts", "")
    is_first = axis is not None and axis[1] == "0" and code.isascii()
    facts = Facts(
        at_last=f"{code[: axis.start(1)]}-1{code[axis.end(1) :]}" if axis is not None and is_first else "",
        parts=told or (parts[1] if parts else ""),
        size=int(reading.values.get("size", 0)) if reading.framework == "Keras" else 0,
        framework=reading.framework,
        of_rows=is_first or reading.values.get("axis") == "0",
        axis=axis[1]
        if axis and parts and axis.start(1) != parts.start(1)
        else reading.values.get("axis", "").strip("0"),
    )
    return Diagnosis("split", facts, SPLIT)


SPLIT_SIZES = sure(
    "split",
    reason("split-sizes", "size", "total"),
    lambda f: (
        f"torch.split(a, {f.size // f.parts}, dim={f.axis})   # {f.parts} equal parts"
        if not f.size % f.parts
        else f"# the sizes of the parts must add up to {f.size}"
    ),
)


@diagnoses("split_sizes")
def split_sizes(reading: Reading) -> Diagnosis:
    """Diagnose a split whose parts do not add up to the size of the axis."""
    sizes = reading.sizes("got")
    facts = Facts(size=reading.size("size"), total=sum(sizes), parts=max(1, len(sizes)), axis=reading.values["axis"])
    return Diagnosis("split", facts, SPLIT_SIZES)


def gates_cut_along(left: Shape, right: Shape) -> tuple[int, int, int] | None:
    """Return the number of gates, the axis along which they were cut, and that of the units; None if no gates were cut so."""
    if len(left) != len(right) or len(left) != 2:  # noqa: PLR2004 (axes)
        return None
    for gates, (one, other) in product((4, 3), ((left, right), (right, left))):
        for cut, axis in ((0, 1), (1, 0)):
            if one[cut] * gates == other[cut] and other[axis] * gates == one[axis] > gates:
                return gates, cut, axis
    return None
