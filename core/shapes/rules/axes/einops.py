"""Patterns of einops, such as "b (h d) -> b h d"."""

from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Rules, first_of, reason, rules_of

_PATTERN = "reshape"

EINOPS_AXES: Rules = rules_of(
    "einops_axes",
    _PATTERN,
    *first_of(
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
    ),
    sizes={"axes": "got"},
)


# An axis that a pattern splits into parts, such as the heads of attention.
EINOPS_PARTS: Rules = rules_of(
    "einops_parts",
    _PATTERN,
    strong(
        "reshape",
        (reason("pattern-parts", "size", "part"),),
        lambda f: f"# another number of parts, such as heads, or a size of {f.size // f.part * f.part + f.part}",
    ),
    facts=lambda reading: {"part": max(1, reading.size("part"))},
)
