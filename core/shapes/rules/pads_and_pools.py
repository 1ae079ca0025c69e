"""Windows and padding along the steps: a pooling window, the windows of unfold, and the numbers for pad."""

from math import prod

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading, sizes_in
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

POOL: Rules = (
    Rule(
        "steps",
        Fit.STRONG,
        (reason("pool-beyond-end"), reason("pool-along-last")),
        "layer(x.transpose(1, 2)).transpose(1, 2)   # if x is (batch, steps, features)\n"
        "nn.MaxPool1d(kernel_size=1)   # if x is (batch, channels, steps): a window of at most all the steps that are left",
    ),
)


@diagnoses("pool")
def pool(reading: Reading) -> Diagnosis:
    """Diagnose a pooling window that is longer than the sequence."""
    return Diagnosis(Statement("input-of-layer"), Facts(), POOL)


UNFOLD: Rules = (
    Rule(
        "steps",
        Fit.SURE,
        (reason("window-beyond-end", "axis", "size", "got"),),
        "x.unfold({axis}, {size}, 1)   # a window of at most {size} entries\n"
        "x.transpose(0, 1).unfold(0, {got}, 1)   # if the steps are the other one of two axes",
    ),
)


@diagnoses("unfold")
def unfold(reading: Reading) -> Diagnosis:
    facts = Facts(axis=reading.size("axis"), size=reading.size("size"), got=reading.size("got"))
    return Diagnosis(Statement("axis"), facts, UNFOLD)


PAD_BEYOND: Rules = (
    Rule(
        "steps",
        Fit.SURE,
        (reason("pad-reflects-more", "most", "size"),),
        'nn.functional.pad(x, {pad}, mode="replicate")   # the first and the last entry repeated',
    ),
)


@diagnoses("pad_beyond")
def pad_beyond(reading: Reading) -> Diagnosis:
    """Diagnose a reflection of more entries than there are."""
    pad, x, axis = reading.sizes("pad"), reading.shape("x"), reading.size("axis")
    facts = Facts(pad=f"({', '.join(map(str, pad))})", most=max(pad, default=0), size=(*x[axis:], 0)[0])
    return Diagnosis(Statement("axis"), facts, PAD_BEYOND)


PAD_AXES: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("pad-of-axes", "numbers", "axes"),),
        lambda f: (
            f"x = x[{', '.join(['None'] * (f.numbers // 2 - f.axes))}]   # if axes in front are missing, such as the batch; or give {2 * f.axes} numbers"
        ),
        lambda f: f.numbers > 2 * f.axes,
    ),
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("pad-needs-batch", "axes"),),
        "x = x.unsqueeze(0)   # the batch; these ways of padding need it",
        lambda f: f.numbers <= 2 * f.axes,
    ),
)


@diagnoses("pad_axes")
def pad_axes(reading: Reading) -> Diagnosis:
    """Diagnose more numbers than a tensor has ends, or a tensor without the batch that a way of padding needs."""
    facts = Facts(numbers=min(reading.size("numbers"), 20), axes=min(reading.size("axes"), 9))
    return Diagnosis(Statement("axis"), facts, PAD_AXES, {"axes": facts.axes})


UNFLATTEN: Rules = (
    Rule(
        "reshape",
        Fit.STRONG,
        (reason("unflatten-sizes", "axis", "size", "total"),),
        lambda f: (
            "\n".join(_unflattened(f)) or f"# the product of the sizes must be {f.size}; a -1 stands for what is left"
        ),
    ),
)


def _unflattened(facts: Facts) -> list[str]:
    """Return the lines that keep one of the reader's sizes, where it divides the size of the axis."""
    kept = [(at, one) for at, one in enumerate(facts.sizes) if one > 0 and facts.size % one == 0]
    if len(facts.sizes) != 2:
        return []
    return [
        f"x.unflatten({facts.axis}, {(one, facts.size // one) if at == 0 else (facts.size // one, one)})   # if the {one} are right"
        for at, one in kept
    ]


@diagnoses("unflatten")
def unflatten(reading: Reading) -> Diagnosis:
    sizes, text = sizes_in(reading.values["got"]), reading.values["got"]
    has_open = "-1" in text
    known = [one for one in sizes if one > 0]
    shape = reading.shape("got")
    facts = Facts(
        axis=reading.size("axis"),
        size=reading.size("size"),
        sizes=shape,
        total=f"a multiple of {prod(size for size in shape if size > 0)}" if has_open else str(prod(known)),
    )
    return Diagnosis(Statement("reshape"), facts, UNFLATTEN, {"entries": facts.size})
