"""Entries that an index array gathers from another array, or scatters into it."""

import ast

from core.shapes.layer_shapes import differing_axes
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.evidence import failed_operation

_INDEX = "index"

_GATHERED = (
    "index = index.view(-1, 1, 1).expand(-1, 1, output.size(2))   # one step of each sequence, if output is (batch, steps, units)",
    "index = index.unsqueeze(-1)   # one entry of each row, such as the value of one action",
)
GATHER = strong("unbatched", "gather-axes", lambda f: "\n".join(_GATHERED[::-1] if f.of_last_axis else _GATHERED))


@diagnoses("gather")
def gather(reading: Reading) -> Diagnosis:
    own = failed_operation(reading)
    axis = ast.unparse(own.names["dim"]) if own is not None and "dim" in own.names else ""
    return Diagnosis(_INDEX, Facts(of_last_axis=axis in ("2", "-1")), GATHER)


GATHER_SIZES: Rules = first_of(
    sure(
        "transpose",
        (reason("scatter-sizes", "index", "src"), reason("broadcast-turned")),
        lambda f: f"{f.turned} = {f.turned}.t()   # in the order of the array, such as (batch, steps)",
        lambda f: len(f.index) == 2 and f.index == f.src[::-1] != f.src,
    ),
    strong(
        "broadcast",
        reason("scatter-sizes", "index", "src"),
        "src = src.expand_as(index)   # if src has one entry for each of an axis of 1; else make both of one shape",
        lambda f: f.src and any(one > other for one, other in zip(f.index, f.src)),
    ),
    strong(
        "steps",
        reason("gather-sizes", "axis", index=lambda f: f.index[f.axis], size=lambda f: f.x[f.axis]),
        lambda f: (
            f"index = index[:, :{f.x[1]}]   # if the steps of the index were padded further\n"
            f"# or pad what the index is for to {f.index[1]} steps, so that none is cut off"
        ),
        lambda f: f.axis == 1 < len(f.x) and f.index[1] > f.x[1],
    ),
    strong(
        "batch-size",
        reason("gather-sizes", "axis", index=lambda f: f.index[f.axis], size=lambda f: f.x[f.axis]),
        lambda f: (
            f"index = index[:{f.x[0]}]   # if the first {f.x[0]} rows belong to this array"
            if f.axis == 0
            else f"# an index with at most {f.x[f.axis]} entries along axis {f.axis}"
        ),
    ),
)


@diagnoses("gather_sizes")
def gather_sizes(reading: Reading) -> Diagnosis:
    """Diagnose an index that is longer than the array, along an axis that is not the one of the gather."""
    index, x = reading.shape("index"), reading.shape("x")
    if "axis" in reading.values:
        axis = min(reading.size("axis"), len(index) - 1, len(x) - 1)
    else:
        other = [at for at in differing_axes(index, x) if at != reading.size("along")]
        axis = min([*other, len(index) - 1, len(x) - 1])
    src = reading.shape("src") if "src" in reading.values else ()
    # Apart from the axis of the scatter, the index must fit the array.
    fits = all(one <= size for at, (one, size) in enumerate(zip(index, x)) if at != reading.stated.get("along"))
    turned = "src" if fits else "index"
    return Diagnosis(_INDEX, Facts(axis=axis, index=index, x=x, src=src, turned=turned), GATHER_SIZES)
