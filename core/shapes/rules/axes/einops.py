"""Patterns of einops, such as "b (h d) -> b h d"."""

from core.shapes.explanation import Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, strong

_PATTERN = Statement("reshape")

EINOPS_AXES: Rules = first_of(
    strong(
        "unbatched",
        (reason("pattern-axes", "wanted", axes="got"), reason("squeeze-of-all")),
        "x = x[None]   # if the batch is missing, such as one of 1",
        lambda f: f.got == f.wanted - 1,
    ),
    strong(
        "unbatched",
        (reason("pattern-axes", "wanted", axes="got"),),
        "# the pattern needs a name for each axis of x, or ... for those in front",
    ),
)


@diagnoses("einops_axes")
def einops_axes(reading: Reading) -> Diagnosis:
    facts = Facts(got=reading.size("got"), wanted=reading.size("wanted"))
    return Diagnosis(_PATTERN, facts, EINOPS_AXES, {"axes": facts.got})


EINOPS_PARTS: Rules = (
    strong(
        "reshape",
        (reason("pattern-parts", "size", "part"),),
        lambda f: f"# another number of parts, such as heads, or a size of {f.size // f.part * f.part + f.part}",
    ),
)


@diagnoses("einops_parts")
def einops_parts(reading: Reading) -> Diagnosis:
    """Diagnose an axis that a pattern splits into parts, such as the heads of attention."""
    facts = Facts(size=reading.size("size"), part=max(1, reading.size("part")))
    return Diagnosis(_PATTERN, facts, EINOPS_PARTS)
